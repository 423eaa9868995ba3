"""The tables and changes that the checks with delta-rs and with Spark share."""

COLUMNS = """id BIGINT, flag BOOLEAN, tiny TINYINT, small SMALLINT, n INT, f FLOAT, d DOUBLE, dec DECIMAL(12,3), big DECIMAL(38,10),
  s STRING, b BINARY, day DATE, ts TIMESTAMP, arr ARRAY<STRING>, m MAP<STRING, INT>, st STRUCT<a: INT, b: ARRAY<DOUBLE>>, part STRING"""


def ROWS(table):
    """Values, NULLs and extremes of every type."""
    ts = "TIMESTAMP '2024-02-29 12:34:56.789012Z'", "TIMESTAMP '1969-12-31 23:59:59.999999Z'"
    columns = "id, flag, tiny, small, n, f, d, dec, big, s, b, day, ts, arr, m, st, part"
    nulls = ", ".join(["NULL"] * 15)
    empty_map = "CAST(map() AS MAP<STRING, INT>)"
    return f"""INSERT INTO {table} ({columns}) VALUES
  (1, true, 1, 2, 3, 1.5, 2.5, 1.125, 12345678901234567890.5, 'one', X'00ff', DATE '2024-02-29', {ts[0]},
   array('x', NULL), map('k', 1), named_struct('a', 1, 'b', array(CAST(1.5 AS DOUBLE))), 'p 1/x'),
  (2, {nulls}, 'p 1/x'),
  (3, false, -128, -32768, -2147483648, -0.25, 1e300, -999999999.999, -1, '', X'', DATE '1969-12-31', {ts[1]},
   array(), {empty_map}, named_struct('a', NULL, 'b', NULL), NULL)"""


def STEPS(table):
    """Changes of every kind, with what they are called."""
    return [
        ("INSERT more", f"INSERT INTO {table} (id, n, part) VALUES (4, 40, 'q'), (5, 50, 'q'), (6, 60, 'r')"),
        ("UPDATE", f"UPDATE {table} SET n = n + 1, s = 'upd' WHERE id IN (1, 4)"),
        ("DELETE", f"DELETE FROM {table} WHERE id = 5"),
        ("MERGE", f"MERGE INTO {table} t USING (VALUES (6, 66), (7, 77)) s(id, n) ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = s.n "
                  f"WHEN NOT MATCHED THEN INSERT (id, n, part) VALUES (s.id, s.n, 'new') WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN DELETE"),
    ]
