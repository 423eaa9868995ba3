#!/usr/bin/env python3
"""Checks that delta-rs reads what tarn writes, row for row, appends to it, and that tarn reads that.

    deltalake_check.py SQLRUN_BINARY
"""
import os, sys, tempfile

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from changes import COLUMNS, ROWS, STEPS
from common import Tarn, arrow_rows, same


def read(path, version=None):
    return arrow_rows(DeltaTable(path, version=version).to_pyarrow_table())


def main():
    with tempfile.TemporaryDirectory() as root:
        tarn = Tarn(sys.argv[1], root)
        for name, partition in (("plain", ""), ("parted", " PARTITIONED BY (part)")):
            path = os.path.join(root, name)
            tarn.run(f"CREATE TABLE {name} ({COLUMNS}){partition}")
            for what, sql in [("INSERT", ROWS(name))] + STEPS(name):
                tarn.run(sql)
                same(f"{name}: deltalake reads {what}", tarn.run(f"SELECT * FROM {name}"), read(path))
            table = DeltaTable(path).to_pyarrow_table().slice(0, 2)
            write_deltalake(path, table, mode="append")
            same(f"{name}: tarn reads what deltalake appended", read(path), tarn.run(f"SELECT * FROM {name}"))
            tarn.run(f"DELETE FROM {name} WHERE id = 1")
            same(f"{name}: deltalake reads DELETE after its append", tarn.run(f"SELECT * FROM {name}"), read(path))
            tarn.run(f"INSERT OVERWRITE {name} SELECT * FROM {name} WHERE id = 3")
            same(f"{name}: deltalake reads INSERT OVERWRITE", tarn.run(f"SELECT * FROM {name}"), read(path))
            same(f"{name}: deltalake reads version 2", tarn.run(f"SELECT * FROM {name} VERSION AS OF 2"), read(path, 2))
            for i in range(12):
                tarn.run(f"INSERT INTO {name} (id, part) VALUES ({100 + i}, 'c')")
            same(f"{name}: deltalake reads past our checkpoint", tarn.run(f"SELECT * FROM {name}"), read(path))

        path = os.path.join(root, "theirs")
        write_deltalake(path, pa.table({"id": pa.array([1, 2, 3], pa.int64()), "v": ["a", None, "c"], "p": ["x", "x", "y"]}), partition_by=["p"])
        same("theirs: tarn reads", read(path), tarn.run("SELECT * FROM theirs"))
        tarn.run("UPDATE theirs SET v = 'new' WHERE id = 2; DELETE FROM theirs WHERE id = 3; INSERT INTO theirs VALUES (4, 'd', 'z')")
        same("theirs: deltalake reads our changes", tarn.run("SELECT * FROM theirs"), read(path))


if __name__ == "__main__":
    main()
