#!/usr/bin/env python3
"""Reads the tables that conformance/model has changed in Spark, and compares their rows with the model's.

    model_check.py DUMPS_DIRECTORY JARS_DIRECTORY
"""
import json, os, sys

from spark_check import session


def rows(spark, dump):
    table = spark.read.format(dump["Format"]).option("versionAsOf", dump["Version"]).load(dump["Place"])
    return sorted("|".join("NULL" if v is None else str(v) for v in row) for row in table.select("a", "b", "v", "s", "day").collect())


def main():
    spark, failures, dumps = session(sys.argv[2]), 0, [json.loads(line) for line in open(os.path.join(sys.argv[1], "dumps.jsonl"))]
    for dump in dumps:
        want = sorted(dump["Rows"])
        try:
            got = rows(spark, dump)
        except Exception as e:
            got = [str(e)[:2000]]
        if got != want:
            failures += 1
            print(f"{dump['Place']} ({dump['Kind']}) at {dump['Version']}: {len(want)} rows and {len(got)} in Spark; "
                  f"missing there {[r for r in want if r not in got][:5]}, surplus {[r for r in got if r not in want][:5]}", flush=True)
    print(f"{len(dumps)} states read by Spark, {failures} differ")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
