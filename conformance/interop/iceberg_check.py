#!/usr/bin/env python3
"""Checks that other engines and tarn read each other's Iceberg tables, row for row.

    iceberg_check.py SQLRUN_BINARY
"""
import datetime, decimal, os, sys, tempfile

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, TruncateTransform

from changes import COLUMNS, ROWS as ROWS_OF, STEPS
from common import Tarn, arrow_rows, same

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


def main():
    with tempfile.TemporaryDirectory() as root:
        CatalogCheck(sys.argv[1], root, (1, 2)).run()


if __name__ == "__main__":
    main()
