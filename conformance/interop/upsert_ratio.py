#!/usr/bin/env python3
"""Times an UPSERT of 100,000 rows into 1,000,000 and the full scan after it against Spark's MERGE and scan, on Iceberg
tables that tarn made alike. The JVM, its session and a first MERGE come before the clock; tarn's time has the start of
its process. Prints a line per round and the ratio of the medians. Then the same of a scan with 50 equality-delete files
beside one of the same rows without deletes, the start of the process too.

    upsert_ratio.py SQLRUN_BINARY ICEBERG_SPARK_JAR [ROUNDS]
"""
import statistics, sys, tempfile, time

from common import Tarn

TABLE = "(id BIGINT NOT NULL, k2 BIGINT, v DOUBLE, s STRING, d DATE, PRIMARY KEY (id)) USING iceberg"
ROWS = ("SELECT id, (id * 2654435761) % 1000003, (id % 10007) * 0.25, 'name-' || id, date_add(DATE '1970-01-01', CAST(id % 3650 AS INT)) "
        "FROM range({n}) AS r(id)")
CHANGES = "SELECT id * 20, id, 2.0D, 'new-' || id, DATE '2024-01-01' FROM range(100000) AS r(id)"  # half of the keys are there
SCAN = "SELECT count(*) AS n, sum(v + k2 + length(s)) AS x FROM {t}"


def session(jar, warehouse):
    from pyspark.sql import SparkSession
    spark = (SparkSession.builder.master("local[2]").config("spark.jars", jar).config("spark.driver.memory", "4g")
             .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
             .config("spark.sql.catalog.h", "org.apache.iceberg.spark.SparkCatalog").config("spark.sql.catalog.h.type", "hadoop")
             .config("spark.sql.catalog.h.warehouse", warehouse).config("spark.sql.shuffle.partitions", "2")
             .config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def main():
    binary, jar, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3
    warehouse = tempfile.mkdtemp()
    tarn, spark = Tarn(binary, warehouse), session(jar, warehouse)
    tarn.run(f"CREATE TABLE n.src {TABLE}; INSERT INTO n.src {CHANGES}")

    def merge(t):
        spark.sql(f"MERGE INTO h.n.{t} t USING h.n.src s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
        return spark.sql(SCAN.format(t="h.n." + t)).collect()[0].asDict()

    times = {"tarn": [], "copy-on-write": [], "merge-on-read": []}
    for r in range(-1, rounds):  # the first warms Spark up
        answers = []
        for mode in times:
            t = f"t{r + 1}_{mode.replace('-', '_')}"
            properties = "" if mode == "tarn" else f" TBLPROPERTIES ('write.merge.mode' = '{mode}')"
            tarn.run(f"CREATE TABLE n.{t} {TABLE}{properties}; INSERT INTO n.{t} {ROWS.format(n=1000000)}")
            begin = time.monotonic()
            if mode == "tarn":
                import json
                answers.append(json.loads(tarn.run(f"UPSERT INTO n.{t} SELECT * FROM n.src; {SCAN.format(t='n.' + t)}")[-1]))
            else:
                answers.append(merge(t))
            if r >= 0:
                times[mode].append(time.monotonic() - begin)
        assert all(abs(a["x"] - answers[0]["x"]) < 1 and a["n"] == answers[0]["n"] == 1050000 for a in answers), answers
        if r >= 0:
            print("  ".join(f"{mode}: {t[-1]:.2f} s" for mode, t in times.items()), flush=True)
    own = statistics.median(times["tarn"])
    for mode in ("copy-on-write", "merge-on-read"):
        print(f"ratio to Spark's {mode} MERGE and scan: {own / statistics.median(times[mode]):.2f}")
    scan_with_deletes(tarn, rounds)


def scan_with_deletes(tarn, rounds):
    tarn.run(f"CREATE TABLE n.deleted {TABLE}; INSERT INTO n.deleted {ROWS.format(n=1000000)}")
    for i in range(50):
        tarn.run(f"UPSERT INTO n.deleted SELECT id * 500 + {i}, id, 2.0D, 'new-' || id, DATE '2024-01-01' FROM range(2000) AS r(id)")
    files = tarn.run("SELECT count(*) AS n FROM n.deleted.delete_files")
    assert files == ['{"n": 50}'], files
    tarn.run(f"CREATE TABLE n.clean {TABLE}; INSERT INTO n.clean SELECT * FROM n.deleted")
    times, answers = {"deleted": [], "clean": []}, set()
    for r in range(-1, 2 * rounds):
        for t in times:
            begin = time.monotonic()
            answers.add(tuple(tarn.run(SCAN.format(t="n." + t))))
            if r >= 0:
                times[t].append(time.monotonic() - begin)
    assert len(answers) == 1, answers
    print(f"ratio of a scan with 50 equality-delete files to a clean one: {statistics.median(times['deleted']) / statistics.median(times['clean']):.2f}")


if __name__ == "__main__":
    main()
