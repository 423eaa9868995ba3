#!/usr/bin/env python3
"""Checks that Spark reads what tarn writes, row for row, appends to it, and that tarn reads that: in tables that tarn
made and in tables that Spark made with features that writers must respect.

    spark_check.py SQLRUN_BINARY JARS_DIRECTORY
"""
import glob, json, os, sys, tempfile

from common import Tarn, arrow_rows, same
from changes import COLUMNS, ROWS, STEPS

# Tables that Spark makes: name, columns, properties, partitioning. Each gets the same rows and the same changes.
SPARK_TABLES = [
    ("protocol_1_2", {"delta.minReaderVersion": "1", "delta.minWriterVersion": "2", "delta.enableDeletionVectors": "false"}, ""),
    ("protocol_3_7_dv", {"delta.enableDeletionVectors": "true"}, ""),
    ("mapping_name", {"delta.columnMapping.mode": "name", "delta.enableDeletionVectors": "false"}, "PARTITIONED BY (part)"),
    ("mapping_id", {"delta.columnMapping.mode": "id", "delta.enableDeletionVectors": "true"}, "PARTITIONED BY (part)"),
    ("partitioned_dv", {"delta.enableDeletionVectors": "true"}, "PARTITIONED BY (part)"),
]
SPARK_COLUMNS = COLUMNS + ", ntz TIMESTAMP_NTZ"

# Tables that tarn must refuse to write to: name, columns, properties, a further statement, edits of the first log file
# (for what this Spark's catalog can't declare), and the word that the refusal must name.
REFUSED = [
    ("check_constraint", "id INT, v INT", "", "ALTER TABLE {t} ADD CONSTRAINT positive CHECK (id > 0)", [], "checkConstraints"),
    ("generated_column", "id INT, v INT", "", None,
     [('"name":"v","type":"integer","nullable":true,"metadata":{}', '"name":"v","type":"integer","nullable":true,"metadata":{"delta.generationExpression":"id * 2"}'),
      ('"minWriterVersion":2', '"minWriterVersion":4')], "generatedColumns"),
    ("identity_column", "id BIGINT, v INT", "", None,
     [('"name":"id","type":"long","nullable":true,"metadata":{}',
       '"name":"id","type":"long","nullable":true,"metadata":{"delta.identity.start":1,"delta.identity.step":1,"delta.identity.allowExplicitInsert":false}'),
      ('"minWriterVersion":2', '"minWriterVersion":6')], "identityColumns"),
    ("invariant", "id INT, v INT", "", None,
     [('"name":"id","type":"integer","nullable":true,"metadata":{}',
       '"name":"id","type":"integer","nullable":true,"metadata":{"delta.invariants":"{\\"expression\\":{\\"expression\\":\\"id > 3\\"}}"}')], "invariants"),
    ("change_data_feed", "id INT, v INT", "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')", None, [], "changeDataFeed"),
    ("row_tracking", "id INT, v INT", "TBLPROPERTIES ('delta.enableRowTracking' = 'true')", None, [], "rowTracking"),
]


def session(jars):
    from pyspark.sql import SparkSession
    builder = (SparkSession.builder.master("local[2]").appName("tarn").config("spark.jars", ",".join(glob.glob(jars + "/*.jar")))
               .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
               .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
               .config("spark.sql.session.timeZone", "UTC").config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC")
               .config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
               .config("spark.databricks.delta.snapshotPartitions", "2").config("spark.sql.warehouse.dir", tempfile.mkdtemp()).config("spark.driver.memory", "2g"))
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


class Check:
    def __init__(self, spark, tarn):
        self.spark, self.tarn = spark, tarn

    def name(self, table):
        return f"delta.`{os.path.join(self.tarn.warehouse, table)}`"

    def rows(self, table, version=""):
        return arrow_rows(self.spark.sql(f"SELECT * FROM {self.name(table)}{version}").toArrow())

    def both(self, table, what):
        same(f"{table}: Spark and tarn read {what}", self.rows(table), self.tarn.run(f"SELECT * FROM {table}"))

    def changes(self, table):
        for what, sql in STEPS(table):
            self.tarn.run(sql)
            self.both(table, what)
        self.spark.sql(f"INSERT INTO {self.name(table)} SELECT * FROM {self.name(table)} WHERE id IN (1, 3)")
        self.both(table, "what Spark appended")
        self.spark.sql(f"DELETE FROM {self.name(table)} WHERE id = 6")
        self.both(table, "what Spark deleted")
        self.tarn.run(f"DELETE FROM {table} WHERE id = 3; UPDATE {table} SET n = 0 WHERE id = 4")
        self.both(table, "tarn's changes after Spark's")
        for i in range(11):
            self.tarn.run(f"INSERT INTO {table} (id, part) VALUES ({100 + i}, 'c')")
        self.both(table, "past tarn's checkpoint")
        self.tarn.run(f"INSERT OVERWRITE {table} SELECT * FROM {table} WHERE id >= 105")
        self.both(table, "INSERT OVERWRITE")
        same(f"{table}: version 2", self.rows(table, " VERSION AS OF 2"), self.tarn.run(f"SELECT * FROM {table} VERSION AS OF 2"))

    def own(self):
        for table, partition in (("plain", ""), ("parted", " PARTITIONED BY (part)")):
            self.tarn.run(f"CREATE TABLE {table} ({SPARK_COLUMNS}){partition}")
            self.tarn.run(ROWS(table))
            self.both(table, "INSERT")
            self.changes(table)

    def theirs(self):
        for table, properties, partition in SPARK_TABLES:
            props = ", ".join(f"'{k}' = '{v}'" for k, v in properties.items())
            columns = SPARK_COLUMNS if table != "protocol_1_2" else COLUMNS
            self.spark.sql(f"CREATE TABLE {self.name(table)} ({columns}) USING delta {partition} TBLPROPERTIES ({props})")
            self.spark.sql(ROWS(self.name(table)))
            self.spark.sql(f"INSERT INTO {self.name(table)} (id, n, part) VALUES (50, 1, 'x'), (51, 2, 'x'), (52, 3, 'y')")
            self.spark.sql(f"DELETE FROM {self.name(table)} WHERE id = 51")  # a deletion vector where the table has them
            self.both(table, "what Spark wrote")
            self.changes(table)

    def append_only(self):
        table = "append_only"
        self.spark.sql(f"CREATE TABLE {self.name(table)} (id INT NOT NULL, v STRING) USING delta TBLPROPERTIES ('delta.appendOnly' = 'true')")
        self.tarn.run(f"INSERT INTO {table} VALUES (1, 'a'), (2, NULL)")
        self.both(table, "INSERT")
        self.tarn.refused(f"DELETE FROM {table} WHERE id = 1", ["appendOnly"])
        self.tarn.refused(f"INSERT INTO {table} VALUES (NULL, 'x')", ["NOT NULL", "id"])
        self.both(table, "after refusals")

    def refusals(self):
        for table, columns, properties, then, edits, word in REFUSED:
            properties = properties or "TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')"
            self.spark.sql(f"CREATE TABLE {self.name(table)} ({columns}) USING delta {properties}")
            if then:
                self.spark.sql(then.format(t=self.name(table)))
            directory = os.path.join(self.tarn.warehouse, table)
            first = os.path.join(directory, "_delta_log", "0" * 20 + ".json")
            text = open(first).read()
            for old, new in edits:
                old, new = (json.dumps(x)[1:-1] if x.startswith('"name"') else x for x in (old, new))
                assert old in text, (old, text)
                text = text.replace(old, new)
            open(first, "w").write(text)
            files = sum(len(f) for _, _, f in os.walk(directory))
            self.tarn.refused(f"INSERT INTO {table} VALUES (1, 2)", [word])
            assert files == sum(len(f) for _, _, f in os.walk(directory)), f"{table}: bytes were written"
            print(f"ok  {table}: refused by name", flush=True)


def main():
    with tempfile.TemporaryDirectory() as root:
        check = Check(session(sys.argv[2]), Tarn(sys.argv[1], root))
        check.append_only()
        check.refusals()
        check.own()
        check.theirs()


if __name__ == "__main__":
    main()
