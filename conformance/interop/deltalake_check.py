#!/usr/bin/env python3
"""Checks that delta-rs reads what tarn writes, row for row, appends to it, and that tarn reads that.

    deltalake_check.py SQLRUN_BINARY
"""
import os, sys, tempfile

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from common import Tarn, arrow_rows, same

COLUMNS = """id BIGINT, flag BOOLEAN, tiny TINYINT, small SMALLINT, n INT, f FLOAT, d DOUBLE, dec DECIMAL(12,3), big DECIMAL(38,10),
  s STRING, b BINARY, day DATE, ts TIMESTAMP, arr ARRAY<STRING>, m MAP<STRING, INT>, st STRUCT<a: INT, b: ARRAY<DOUBLE>>, part STRING"""
ROWS = """INSERT INTO {t} VALUES
  (1, true, 1, 2, 3, 1.5, 2.5, 1.125, 12345678901234567890.5, 'one', X'00ff', DATE '2024-02-29', TIMESTAMP '2024-02-29 12:34:56.789012Z',
   array('x', NULL), map('k', 1), named_struct('a', 1, 'b', array(CAST(1.5 AS DOUBLE))), 'p 1/x'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'p 1/x'),
  (3, false, -128, -32768, -2147483648, -0.25, 1e300, -999999999.999, -1, '', X'', DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999Z',
   array(), map(), named_struct('a', NULL, 'b', NULL), NULL)"""


def read(path, version=None):
    return arrow_rows(DeltaTable(path, version=version).to_pyarrow_table())


def main():
    with tempfile.TemporaryDirectory() as root:
        tarn = Tarn(sys.argv[1], root)
        for name, partition in (("plain", ""), ("parted", " PARTITIONED BY (part)")):
            path = os.path.join(root, name)
            tarn.run(f"CREATE TABLE {name} ({COLUMNS}){partition}")
            steps = [
                ("INSERT", ROWS.format(t=name)),
                ("INSERT more", f"INSERT INTO {name} (id, n, part) VALUES (4, 40, 'q'), (5, 50, 'q'), (6, 60, 'r')"),
                ("UPDATE", f"UPDATE {name} SET n = n + 1, s = 'upd' WHERE id IN (1, 4)"),
                ("DELETE", f"DELETE FROM {name} WHERE id = 5"),
                ("MERGE", f"MERGE INTO {name} t USING (VALUES (6, 66), (7, 77)) s(id, n) ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = s.n "
                          f"WHEN NOT MATCHED THEN INSERT (id, n, part) VALUES (s.id, s.n, 'new') WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN DELETE"),
            ]
            for what, sql in steps:
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
