#!/usr/bin/env bash
# Installs PySpark, PyIceberg, DuckDB with its iceberg extension and the jars of Delta Lake and Iceberg below the
# directory that is named, unless they are there. Needs Python 3, Java 17 and Maven.
set -euo pipefail
root=$1
spark=4.1.1 delta=4.1.0 iceberg=1.11.0
mkdir -p "$root/jars"
if [ ! -e "$root/venv-spark/.done" ]; then
  python3 -m venv "$root/venv-spark"
  "$root/venv-spark/bin/pip" install -q "pyspark==$spark" pyarrow pandas
  touch "$root/venv-spark/.done"
fi
if [ ! -e "$root/venv-spark/.iceberg" ]; then
  "$root/venv-spark/bin/pip" install -q "pyiceberg[sql-sqlite,pyarrow,pyiceberg-core]==0.12.0" duckdb==1.5.5 duckdb-extensions duckdb-extension-iceberg==1.5.5 duckdb-extension-avro==1.5.5
  touch "$root/venv-spark/.iceberg"
fi
for artifact in io.delta:delta-spark_4.1_2.13:$delta io.delta:delta-storage:$delta org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:$iceberg; do
  name=$(cut -d: -f2- <<<"$artifact" | tr : -).jar
  [ -e "$root/jars/$name" ] && continue
  mvn -q -B dependency:get -Dartifact="$artifact" -Dtransitive=false
  mvn -q -B dependency:copy -Dartifact="$artifact" -DoutputDirectory="$root/jars"
done
# delta-spark links against the Unity Catalog client.
[ -n "$(ls "$root/jars"/unitycatalog-client-*.jar 2>/dev/null)" ] || {
  mvn -q -B dependency:get -Dartifact=io.unitycatalog:unitycatalog-client:0.4.0 -Dtransitive=false
  mvn -q -B dependency:copy -Dartifact=io.unitycatalog:unitycatalog-client:0.4.0 -DoutputDirectory="$root/jars"
}
