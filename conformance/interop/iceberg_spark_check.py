#!/usr/bin/env python3
"""Checks that Spark can delete from and rewrite the Iceberg tables that tarn changes, that both describe equal rows
equally: partitions, bounds, counts, sequence numbers and row ids, and that rows keep their ids alike when they change.

    iceberg_spark_check.py SQLRUN_BINARY JARS_DIRECTORY
"""
import glob, itertools, os, sys, tempfile

from changes import COLUMNS, ROWS, STEPS
from common import Tarn, arrow_rows, same

# Tables by name: partitioning and properties.
TABLES = {
    "plain": ("", {}),
    "parted": ("part", {}),
    "avro": ("part", {"write.format.default": "avro", "write.avro.compression-codec": "zstd"}),
    "by_file": ("", {"write.delete.granularity": "file", "write.metadata.compression-codec": "gzip", "write.manifest.compression-codec": "snappy"}),
}

# Rows that are written by both engines into tables of equal partitioning.
TWIN_COLUMNS = """id BIGINT, i INT, c STRING, dec DECIMAL(9,2), wide DECIMAL(30,4), dt DATE, ts TIMESTAMP, ntz TIMESTAMP_NTZ, b BINARY, d DOUBLE,
  f FLOAT, bo BOOLEAN, s STRUCT<x: INT, y: TIMESTAMP>"""
TWIN_PARTITIONS = [
    "bucket(7, id), bucket(5, c), truncate(3, c), truncate(10, i), truncate(50, dec), days(ts), months(ntz), bucket(3, dec), bucket(3, b), bucket(4, dt)",
    "hours(ts), years(dt), bo, wide, b, c, truncate(2, b), bucket(9, ts), bucket(9, ntz), truncate(7, id)",
    "i, dec, dt, ts, ntz, truncate(2, s.x), days(s.y), bucket(3, wide)",
]
TWIN_ROWS = """(1, 15, 'abcdef', 123.45, 1.5, DATE '2024-02-29', TIMESTAMP '2024-03-01 12:34:56.789', TIMESTAMP_NTZ '1969-12-31 23:59:59', X'00ff01',
   1.5, CAST('NaN' AS FLOAT), true, named_struct('x', 1, 'y', TIMESTAMP '1969-12-31 23:00:00')),
  (-1, -1, 'é€😀x', -0.01, -12345678901234567890.1234, DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP_NTZ '0001-01-01 00:00:00', X'',
   CAST('NaN' AS DOUBLE), 0.5, false, named_struct('x', CAST(NULL AS INT), 'y', CAST(NULL AS TIMESTAMP))),
  (9223372036854775807, 2147483647, '', 9999999.99, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (-9223372036854775808, -2147483648, NULL, -9999999.50, 0, DATE '9999-12-31', TIMESTAMP '2024-03-01 00:00:00', TIMESTAMP_NTZ '2024-01-31 10:00:00', X'ff',
   CAST('-Infinity' AS DOUBLE), 1.25, true, named_struct('x', -7, 'y', TIMESTAMP '2024-03-01 00:00:00')),
  (100, 0, 'a/b=c d%é, which is longer than the bounds', 0, 5, DATE '2000-01-01', TIMESTAMP '1970-01-01 00:00:00', TIMESTAMP_NTZ '1970-01-01 00:00:00', X'010203',
   3.25, -1.75, false, named_struct('x', 0, 'y', TIMESTAMP '1970-01-01 00:00:00'))"""
TWIN_METADATA = {
    "files": "partition, content, record_count, value_counts, null_value_counts, nan_value_counts, lower_bounds, upper_bounds",
    "manifests": "content, added_data_files_count, existing_data_files_count, deleted_data_files_count, partition_summaries",
    "partitions": "partition, record_count, file_count",
    "entries": "status, sequence_number, file_sequence_number, data_file.first_row_id",
}

# Changes of rows that have ids; {t} is the table.
LINEAGE_STEPS = [
    "INSERT INTO {t} SELECT id, CAST(id % 3 AS INT), CONCAT('p', id % 2) FROM range(20)",
    "UPDATE {t} SET n = n + 10 WHERE id IN (1, 2, 5, 19)",
    "UPDATE {t} SET part = 'moved' WHERE id BETWEEN 4 AND 7",
    "MERGE INTO {t} t USING (SELECT id * 3 AS id FROM range(10)) s ON t.id = s.id WHEN MATCHED AND s.id = 9 THEN DELETE "
    "WHEN MATCHED THEN UPDATE SET n = -1, part = 'p0' WHEN NOT MATCHED THEN INSERT (id, n, part) VALUES (s.id, 0, 'p1') "
    "WHEN NOT MATCHED BY SOURCE AND t.id = 11 THEN UPDATE SET part = 'alone' WHEN NOT MATCHED BY SOURCE AND t.id = 13 THEN DELETE",
    "DELETE FROM {t} WHERE id IN (0, 4)",
    "UPDATE {t} SET n = (SELECT count(*) FROM {t} o WHERE o.part = 'p1') WHERE id IN (SELECT id FROM {t} WHERE id > 20) OR part = 'moved'",
    "MERGE INTO {t} t USING (SELECT id, CAST(7 AS INT) AS n, 'new' AS part FROM range(17, 19)) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    "UPDATE {t} SET n = n + 1, part = CONCAT('q', id % 3)",
]


def session(jars, warehouse):
    from pyspark.sql import SparkSession
    builder = (SparkSession.builder.master("local[2]").appName("tarn").config("spark.jars", ",".join(glob.glob(jars + "/iceberg-spark-runtime-*.jar")))
               .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
               .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog").config("spark.sql.catalog.lake.type", "hadoop")
               .config("spark.sql.catalog.lake.warehouse", warehouse).config("spark.sql.catalog.lake.cache-enabled", "false")
               .config("spark.sql.session.timeZone", "UTC").config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC")
               .config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
               .config("spark.driver.memory", "2g"))
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def properties(version, mode, more):
    modes = {f"write.{statement}.mode": mode for statement in ("delete", "update", "merge")}
    pairs = {"format-version": str(version), "write.distribution-mode": "none", **modes, **more}
    return "TBLPROPERTIES (" + ", ".join(f"'{k}' = '{v}'" for k, v in pairs.items()) + ")"


class Check:
    def __init__(self, spark, tarn):
        self.spark, self.tarn = spark, tarn

    def sql(self, text):
        return arrow_rows(self.spark.sql(text).toArrow())

    def both(self, table, what):
        same(f"{table}: Spark and tarn read {what}", self.sql(f"SELECT * FROM lake.{table}"), self.tarn.run(f"SELECT * FROM {table}"))

    def changes(self):
        cases = itertools.chain(itertools.product((1,), ("copy-on-write",), TABLES), itertools.product((2, 3), ("copy-on-write", "merge-on-read"), TABLES))
        for version, mode, name in cases:
            table = f"db.{name}_v{version}_{mode[:1]}"
            partition, more = TABLES[name]
            self.tarn.run(f"CREATE TABLE {table} ({COLUMNS}) USING iceberg " + (f"PARTITIONED BY ({partition}) " if partition else "") + properties(version, mode, more))
            self.tarn.run(ROWS(table))
            for _, sql in STEPS(table):
                self.tarn.run(sql)
            self.tarn.run(f"UPSERT INTO {table} KEYS (id) SELECT * REPLACE ('upserted' AS s) FROM {table} WHERE id IN (3, 4)")
            self.both(table, "tarn's changes")
            self.theirs(table, version)
            if version == 3:
                lineage = self.sql(f"SELECT id, _row_id AS r, _last_updated_sequence_number AS v FROM lake.{table}")
                same(f"{table}: Spark and tarn know rows by the same ids", lineage, self.tarn.run(f"SELECT id, _metadata.row_id AS r, _metadata.row_commit_version AS v FROM {table}"))

    def theirs(self, table, version):
        """Changes by Spark of what tarn wrote, and then by tarn again."""
        self.spark.sql(f"INSERT INTO lake.{table} SELECT * FROM lake.{table} WHERE id IN (1, 3)")
        self.both(table, "what Spark appended")
        if version > 1:
            self.spark.sql(f"DELETE FROM lake.{table} WHERE id = 6")
            self.both(table, "what Spark deleted")
        for call in ("rewrite_manifests(table => '{t}')", "rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))"):
            self.spark.sql(f"CALL lake.system.{call.format(t=table)}")
            self.both(table, f"after Spark's {call.split('(')[0]}")
        self.tarn.run(f"DELETE FROM {table} WHERE id = 3; UPDATE {table} SET n = 0 WHERE id = 4")
        self.both(table, "tarn's changes after Spark's")

    def twins(self):
        """Equal rows in tables of equal partitioning, which one engine each writes."""
        for version, (i, partition) in itertools.product((1, 2, 3), enumerate(TWIN_PARTITIONS)):
            names = [f"db.twin_{i}_v{version}_{who}" for who in ("spark", "tarn")]
            for name in names:
                self.spark.sql(f"CREATE TABLE lake.{name} ({TWIN_COLUMNS}) USING iceberg PARTITIONED BY ({partition}) {properties(version, 'copy-on-write', {})}")
            self.spark.sql(f"INSERT INTO lake.{names[0]} VALUES {TWIN_ROWS}")
            self.tarn.run(f"INSERT INTO {names[1]} VALUES {TWIN_ROWS}")
            self.both(names[1], "tarn's rows")
            for metadata, columns in TWIN_METADATA.items():
                if metadata == "entries" and version == 3:
                    columns = columns.replace(", data_file.first_row_id", "")  # as the order of files in a manifest is
                theirs, ours = ([str(row) for row in self.spark.sql(f"SELECT {columns} FROM lake.{name}.{metadata}").collect()] for name in names)
                same(f"{names[1]}: Spark and tarn write equal {metadata}", sorted(theirs), sorted(ours))

    def lineage(self):
        """The same changes by each engine in a table of its own, and in turns: the same rows keep their ids and the commits that they are of."""
        cases = itertools.product(("copy-on-write", "merge-on-read"), (("", ""), ("PARTITIONED BY (part)", "_part"), ("PARTITIONED BY (bucket(3, id), truncate(2, n))", "_bucket")), ("parquet", "avro"))
        for mode, (partition, suffix), form in cases:
            relations = []
            for who in ("spark", "tarn", "both"):
                table = f"db.lineage_{mode[:1]}_{form}{suffix}_{who}"
                self.spark.sql(f"CREATE TABLE lake.{table} (id BIGINT, n INT, part STRING) USING iceberg {partition} {properties(3, mode, {'write.format.default': form})}")
                relations.append(list(self.kept(table, who)))
            relations = [[str(row) for rows in r for row in rows] for r in relations]
            for who, relation in zip(("tarn's table", "a table that both change"), relations[1:]):
                same(f"{mode}, {form}{suffix}: rows of {who} keep their ids as in Spark's", relations[0], relation)

    def kept(self, table, who):
        """After each step: the rows, whether their id is the one of before, and the step that changed them last."""
        before = {}
        for step, text in enumerate(LINEAGE_STEPS, 1):
            if who == "spark" or who == "both" and step % 2:
                self.spark.sql(text.format(t="lake." + table))
            else:
                self.tarn.run(text.format(t=table))
            rows = [tuple(r) for r in self.spark.sql(f"SELECT id, n, part, _row_id, _last_updated_sequence_number FROM lake.{table} ORDER BY id").collect()]
            after = {r[0]: r[3] for r in rows}
            if len(set(after.values())) != len(rows) or set(after.values()) & {i for k, i in before.items() if k not in after}:
                raise AssertionError(f"{table}: row ids are given twice: {rows}")
            yield [(step, *r[:3], before.get(r[0]) == r[3], r[4]) for r in rows]
            before = after


def main():
    with tempfile.TemporaryDirectory() as root:
        warehouse = os.path.join(root, "wäre house")
        os.mkdir(warehouse)
        check = Check(session(os.path.abspath(sys.argv[2]), warehouse), Tarn(sys.argv[1], warehouse))
        check.lineage()
        check.twins()
        check.changes()


if __name__ == "__main__":
    main()
