#!/usr/bin/env bash
# Asks Spark the questions of spark_questions.py anew and keeps its answers for
# TestSparkAnswers. The argument is the directory that setup_spark.sh filled;
# areas may follow it.
set -euo pipefail
cd "$(dirname "$0")"
root=$1 && shift
spark=$("$root/venv-spark/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
questions=$(mktemp -d) && trap 'rm -rf "$questions"' EXIT
python3 spark_questions.py "$questions" "$@"
files=()
for f in "$questions"/*; do
  files+=("$f" "../testdata/spark/$(basename "$f").tsv")
done
opens=()
for p in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
  opens+=("--add-opens=java.base/$p=ALL-UNNAMED")
done
java -Xmx2g -XX:+UseSerialGC -Duser.timezone=UTC "${opens[@]}" -cp "$spark/jars/*" SparkAnswers.java "${files[@]}" 2>"$questions/log" || { tail -20 "$questions/log"; exit 1; }
wc -l ../testdata/spark/*.tsv
