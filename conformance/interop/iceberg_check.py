#!/usr/bin/env python3
"""Checks that other engines and tarn read each other's Iceberg tables, row for row.

    iceberg_check.py SQLRUN_BINARY JARS_DIRECTORY

A catalog in SQLite is shared with PyIceberg. Tables in a directory are read and appended to by Spark, and read by DuckDB.
"""
import datetime, decimal, os, sys, tempfile

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, TruncateTransform

from changes import COLUMNS, ROWS as ROWS_OF, STEPS
from common import Tarn, arrow_rows, canonical, same, value
from spark_check import session

ROWS = pa.table({
    "id": pa.array([1, 2, 3, 4, 5], pa.int64()),
    "part": pa.array(["a", "b", None, "a", "ü ?%/x"], pa.string()),
    "n": pa.array([1, None, -3, 2**31 - 1, -(2**31)], pa.int32()),
    "amount": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-99.99"), decimal.Decimal("0.01"), decimal.Decimal("7.00")], pa.decimal128(9, 2)),
    "ts": pa.array([datetime.datetime(2024, 1, d, 3, 4, 5, 6, tzinfo=datetime.timezone.utc) if d else None for d in (1, 2, 0, 4, 31)], pa.timestamp("us", "UTC")),
    "day": pa.array([datetime.date(1969, 12, 31), datetime.date(2024, 2, 29), None, datetime.date(1970, 1, 1), datetime.date(9999, 12, 31)], pa.date32()),
    "raw": pa.array([b"", b"\x00\xff", None, b"x", b"yy"], pa.binary()),
    "ok": pa.array([True, False, None, True, False], pa.bool_()),
    "d": pa.array([0.5, float("nan"), None, float("inf"), -1e300], pa.float64()),
    "tags": pa.array([["x", None], [], None, ["y"], ["z"]], pa.list_(pa.string())),
})


def spec(schema, *fields):
    return PartitionSpec(*(PartitionField(schema.find_field(column).field_id, 1000 + i, transform, f"{column}_part") for i, (column, transform) in enumerate(fields)))


class CatalogCheck:
    """A catalog in SQLite that PyIceberg and tarn use together."""

    def __init__(self, binary, root, versions):
        database = os.path.join(root, "cat.db")
        self.warehouse = os.path.join(root, "lake")
        os.mkdir(self.warehouse)
        self.theirs = SqlCatalog("lake", uri=f"sqlite:///{database}", warehouse=f"file://{self.warehouse}")
        self.tarn = Tarn(binary, f"{self.warehouse}?catalog=sqlite:{database}&catalog_name=lake")
        self.versions = versions

    def both(self, table, what):
        same(f"{table}: PyIceberg and tarn read {what}", arrow_rows(self.theirs.load_table(table).scan().to_arrow()), self.tarn.run(f"SELECT * FROM {table}"))

    def run(self):
        self.theirs.create_namespace("default")
        self.theirs.create_namespace("sales.eu")
        for version in self.versions:
            for name, fields in (("plain", ()), ("parted", (("part", IdentityTransform()), ("id", BucketTransform(3)))), ("days", (("ts", DayTransform()), ("part", TruncateTransform(1))))):
                self.changes(f"sales.eu.{name}_v{version}", version, fields)
            self.ours(f"sales.ours_v{version}", version)
        self.read_only("sales.ours_v3")

    def changes(self, table, version, fields):
        made = self.theirs.create_table(table, ROWS.schema, properties={"format-version": str(version)})
        if fields:
            with made.update_spec() as update:
                for column, transform in fields:
                    update.add_field(column, transform, f"{column}_part")
        self.both(table, "nothing")
        made.append(ROWS)
        self.both(table, "what PyIceberg wrote")
        made.append(ROWS.slice(0, 2))
        made.delete("id = 2")
        self.both(table, "what PyIceberg deleted")
        first = made.history()[0].snapshot_id
        same(f"{table}: tarn reads its first snapshot", arrow_rows(made.scan(snapshot_id=first).to_arrow()), self.tarn.run(f"SELECT * FROM {table} VERSION AS OF {first}"))
        self.tarn.run(f"INSERT INTO {table} SELECT * REPLACE (id + 10 AS id) FROM {table}; DELETE FROM {table} WHERE id = 13; UPDATE {table} SET n = 7 WHERE id > 10")
        self.both(table, "tarn's changes of PyIceberg's table")
        self.theirs.load_table(table).append(ROWS.slice(1, 2))
        self.both(table, "what PyIceberg appended after tarn")
        made.refresh()
        same(f"{table}: tarn knows as many snapshots", [f'{{"n": {len(made.snapshots())}}}'], self.tarn.run(f"SELECT count(*) n FROM lake.{table}.snapshots"))


    def ours(self, table, version):
        """A table that tarn makes; PyIceberg reads, appends and drops it."""
        self.tarn.run(f"CREATE TABLE lake.{table} ({COLUMNS}) PARTITIONED BY (part) TBLPROPERTIES ('format-version' = '{version}')")
        self.both(table, "nothing of tarn's table")
        for what, sql in [("INSERT", ROWS_OF(table))] + STEPS(table):
            self.tarn.run(sql)
            self.both(table, f"tarn's {what}")
        theirs = self.theirs.load_table(table)
        rows = theirs.scan(row_filter="id IN (1, 4)").to_arrow()
        theirs.append(rows.set_column(0, "id", pa.array([100 + i for i in range(len(rows))], pa.int64())))
        self.both(table, "what PyIceberg appended to tarn's table")
        self.tarn.run(f"DELETE FROM {table} WHERE id = 100; UPDATE {table} SET n = -1 WHERE id > 100")
        self.both(table, "tarn's changes after PyIceberg's")
        self.tarn.run(f"DROP TABLE {table}")
        assert not self.theirs.table_exists(table)
        self.tarn.run(f"CREATE TABLE {table} (other BIGINT)")
        self.theirs.drop_table(table)
        self.tarn.refused(f"SELECT * FROM {table}", ["table not found"])


    def read_only(self, table):
        """A table of v3, which PyIceberg does not write yet."""
        self.tarn.run(f"CREATE TABLE {table} ({COLUMNS}) PARTITIONED BY (part) TBLPROPERTIES ('format-version' = '3', {MERGE_ON_READ})")
        for what, sql in [("INSERT", ROWS_OF(table))] + STEPS(table):
            self.tarn.run(sql)
            self.both(table, f"tarn's {what}")


# Kinds of tables that tarn makes in a directory: partitioning, properties, and whether rows are upserted.
MERGE_ON_READ = ", ".join(f"'write.{what}.mode' = 'merge-on-read'" for what in ("delete", "update", "merge"))
KINDS = {
    "plain": ("", "", True),
    "merged_on_read": ("", MERGE_ON_READ, True),
    "by_part": ("PARTITIONED BY (part)", MERGE_ON_READ, True),
    "by_transforms": ("PARTITIONED BY (bucket(3, id), truncate(1, part), day(ts))", "", True),
    "by_month": ("PARTITIONED BY (month(day), truncate(10, n))", MERGE_ON_READ + ", 'write.metadata.compression-codec' = 'gzip', 'write.parquet.compression-codec' = 'snappy'", False),
    "in_avro": ("PARTITIONED BY (part)", MERGE_ON_READ + ", 'write.format.default' = 'avro'", True),
}


def java_value(v):
    """A value of Iceberg's generic reader as the JSON value of the golden form."""
    from py4j.java_collections import JavaList, JavaMap
    from py4j.java_gateway import JavaObject
    if isinstance(v, JavaMap):
        return sorted([java_value(k), java_value(v[k])] for k in v)
    if isinstance(v, JavaList):
        return [java_value(x) for x in v]
    if not isinstance(v, JavaObject):
        return value(v)
    kind = v.getClass().getName()
    if kind == "java.time.OffsetDateTime":
        return value(datetime.datetime.fromisoformat(v.toString().replace("Z", "+00:00")), pa.timestamp("us", "UTC"))
    if kind == "java.time.LocalDate":
        return v.toString()
    if kind.startswith("java.nio."):
        return bytes(v.array()).hex()
    return {f.name(): java_value(v.getField(f.name())) for f in v.struct().fields()}


class DirectoryCheck:
    """Tables in a directory that tarn makes; Spark, Iceberg's generic reader of Java and DuckDB read them, Spark appends."""

    def __init__(self, binary, root, spark):
        self.tarn, self.spark = Tarn(binary, root), spark
        self.duckdb = duckdb_with_iceberg()

    def both(self, name, what):
        ours = self.tarn.run(f"SELECT * FROM {name}")
        same(f"{name}: Spark and tarn read {what}", arrow_rows(self.spark.read.format("iceberg").load(os.path.join(self.tarn.warehouse, name)).toArrow()), ours)

        same(f"{name}: Java and tarn read {what}", self.java_rows(name), ours)

    def java_rows(self, name):
        jvm = self.spark._jvm
        table = jvm.org.apache.iceberg.hadoop.HadoopTables(self.spark._jsc.hadoopConfiguration()).load(os.path.join(self.tarn.warehouse, name))
        rows = jvm.org.apache.iceberg.data.IcebergGenerics.read(table).build()
        try:
            # Records have positions and marks behind the columns where the reader needs them itself.
            each, columns, out = rows.iterator(), [f.name() for f in table.schema().columns()], []
            while each.hasNext():
                record = each.next()
                out.append(canonical({c: java_value(record.getField(c)) for c in columns}))
            return sorted(out)
        finally:
            rows.close()

    def duck(self, name, what):
        if name.startswith("in_avro"):
            return  # its extension reads data files in Parquet only
        codec = "gzip" if name.startswith("by_month") else "none"
        table = f"iceberg_scan('{os.path.join(self.tarn.warehouse, name)}', metadata_compression_codec = '{codec}')"
        rows = self.duckdb.sql(f"SELECT id, n, s, part FROM {table}").to_arrow_table()
        same(f"{name}: DuckDB and tarn read {what}", arrow_rows(rows), self.tarn.run(f"SELECT id, n, s, part FROM {name}"))

    def run(self):
        for version in (1, 2, 3):
            for kind, (partition, properties, upserts) in KINDS.items():
                if version > 1 or MERGE_ON_READ not in properties:
                    self.changes(f"{kind}_v{version}", partition, properties, upserts, version)

    def changes(self, name, partition, properties, upserts, version):
        properties = f"'format-version' = '{version}'" + (", " + properties if properties else "")
        self.tarn.run(f"CREATE TABLE {name} ({COLUMNS}) USING iceberg {partition} TBLPROPERTIES ({properties})")
        for what, sql in [("INSERT", ROWS_OF(name))] + STEPS(name):
            self.tarn.run(sql)
        self.both(name, "tarn's changes")
        self.duck(name, "tarn's changes")
        if upserts:
            self.tarn.run(f"UPSERT INTO {name} KEYS (id) SELECT * REPLACE (concat(part, '!') AS part, 5 AS n) FROM {name} WHERE id IN (1, 4, 7); "
                          f"UPSERT INTO {name} KEYS (id) SELECT * REPLACE (id + 20 AS id) FROM {name} WHERE id < 4")
            self.both(name, "UPSERT")
            if version == 2:
                self.duck(name, "UPSERT")
        self.spark.read.format("iceberg").load(os.path.join(self.tarn.warehouse, name)).where("id IN (1, 4)").write.format("iceberg").mode("append").save(os.path.join(self.tarn.warehouse, name))
        self.both(name, "what Spark appended")
        self.tarn.run(f"DELETE FROM {name} WHERE id = 4; UPDATE {name} SET n = 0 WHERE id < 3")
        self.both(name, "tarn's changes after Spark's")


def duckdb_with_iceberg():
    import duckdb, duckdb_extensions
    for extension in ("avro", "iceberg"):
        duckdb_extensions.import_extension(extension)
    connection = duckdb.connect()
    connection.load_extension("iceberg")
    connection.sql("SET unsafe_enable_version_guessing = true; SET TimeZone = 'UTC'")
    return connection


def main():
    with tempfile.TemporaryDirectory() as root:
        CatalogCheck(sys.argv[1], root, (1, 2)).run()
    with tempfile.TemporaryDirectory() as root:
        DirectoryCheck(sys.argv[1], root, session(sys.argv[2])).run()


if __name__ == "__main__":
    main()
