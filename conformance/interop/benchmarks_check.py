#!/usr/bin/env python3
"""Compares tarn's answers with DuckDB's on TPC-H, TPC-DS and ClickBench.

    benchmarks_check.py SQLRUN CORPUS DATA SUITE[:SCALE]... [--only q01,q02] [--kept DIR]

SUITE is tpch, tpcds or clickbench; SCALE is the scale factor, or for clickbench the number of rows in millions. The tables
are made once, by DuckDB's generators (`hits` by clickbench_hits.py), and kept below DATA as Delta tables that delta-rs
writes. CORPUS holds the queries as CORPUS/SUITE/*.sql. SQLRUN is the program of conformance/sqlrun.

Doubles are compared to 1e-9, decimals to the coarser scale. Rows that are cut by a LIMIT among equal sort keys may be
others: they must then be among the rows that the query has without the LIMIT.

With --kept the answers are compared with those that DuckDB keeps beside its generators instead of its live ones:
DIR/SUITE-duckdb/answers/sfSCALE/*.csv. Where DuckDB's own live answer is not the kept one, the kept one is of the rows of
another generator: that is said, and the live answer counts.
"""
import argparse, decimal, json, os, re, subprocess, sys

import duckdb
import pyarrow as pa
import pyarrow.dataset
from deltalake import write_deltalake

from compare import order, same_row, same_rows, same_value, value, within

# Queries whose answers differ for a reason.
KNOWN = {
    "tpcds q66": "sums of quotients of decimals: each quotient is rounded to its scale, as in Spark; DuckDB divides in DOUBLE",
}

TPCH = "region nation supplier customer part partsupp orders lineitem".split()
TPCDS = """call_center catalog_page catalog_returns catalog_sales customer customer_address customer_demographics date_dim
household_demographics income_band inventory item promotion reason ship_mode store store_returns store_sales time_dim
warehouse web_page web_returns web_sales web_site""".split()


def generate(suite, scale, root):
    """Writes the tables of a suite as Delta tables, unless they are there, and opens them in DuckDB."""
    con = duckdb.connect()
    con.execute("SET default_null_order='nulls_first_on_asc_last_on_desc'; SET threads=2")
    tables = {"tpch": TPCH, "tpcds": TPCDS, "clickbench": ["hits"]}[suite]
    parquet = os.path.join(root, "parquet")
    if not os.path.exists(os.path.join(root, ".done")):
        os.makedirs(parquet, exist_ok=True)
        if suite == "clickbench":
            import clickbench_hits
            clickbench_hits.write(os.path.join(parquet, "hits.parquet"), int(float(scale) * 1e6))
        else:
            import duckdb_extensions
            duckdb_extensions.import_extension(suite)
            con.execute(f"LOAD {suite}; CALL {'dbgen' if suite == 'tpch' else 'dsdgen'}(sf={scale})")
            for t in tables:
                con.execute(f"COPY {t} TO '{parquet}/{t}.parquet' (FORMAT parquet)")
                con.execute(f"DROP TABLE {t}")
        for t in tables:
            reader = pa.dataset.dataset(f"{parquet}/{t}.parquet").scanner(batch_size=1 << 16).to_reader()
            write_deltalake(os.path.join(root, "delta", t), reader, mode="overwrite")
        open(os.path.join(root, ".done"), "w").close()
    for t in tables:
        con.execute(f"CREATE VIEW {t} AS SELECT * FROM '{parquet}/{t}.parquet'")
    return con, os.path.join(root, "delta")


def ours(sqlrun, warehouse, sql):
    run = subprocess.run([sqlrun, warehouse, sql], capture_output=True, text=True, timeout=600)
    if run.returncode:
        raise RuntimeError(run.stderr.strip()[:300])
    rows = []
    for line in run.stdout.splitlines():
        pairs = json.loads(line, object_pairs_hook=list, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
        rows.append([v for _, v in pairs])
    return rows


LIMIT = re.compile(r"\bLIMIT\s+\d+(\s+OFFSET\s+\d+)?\s*;?\s*$", re.I)


def live(con, sql):
    """DuckDB's rows."""
    return [[value(v) for v in r] for r in con.execute(sql).fetchall()]


def kept(con, sql, path):
    """The rows of a kept answer, with the types that DuckDB says the query has."""
    types = [row[1] for row in con.execute(f"DESCRIBE {sql}").fetchall()]
    columns = ", ".join(f"'c{i}': '{t}'" for i, t in enumerate(types))
    return live(con, f"SELECT * FROM read_csv('{path}', delim='|', header=true, nullstr='NULL', auto_detect=false, quote='\"', columns={{{columns}}})")


def compare(con, sql, got, expected):
    """None if the answers agree, else what differs."""
    if same_rows(got, expected):
        return None
    if LIMIT.search(sql) and len(got) == len(expected):
        whole = live(con, LIMIT.sub("", sql))
        if within(got, whole):
            return tied(con, sql, got, expected)
    for g, e in zip(sorted(got, key=order), sorted(expected, key=order)):
        if not same_row(g, e):
            differ = [i for i in range(min(len(g), len(e))) if not same_value(g[i], e[i])]
            g, e = [g[i] for i in differ], [e[i] for i in differ]
            return f"{len(got)} rows, expected {len(expected)}; first difference, in columns {differ}:\n    got      {g}\n    expected {e}"
    return f"{len(got)} rows, expected {len(expected)}"


def tied(con, sql, got, expected):
    """None if the rows that are others than expected have the sort keys of expected ones."""
    keys = [k.strip() for k in re.search(r"\bORDER\s+BY\s+((?:[^()]|\([^()]*\))*?)\s*LIMIT", sql[sql.upper().rfind("ORDER BY"):] or "", re.I | re.S).group(1).split(",")] if "ORDER BY" in sql.upper() else []
    names = [d[0].lower() for d in con.execute(sql).description]
    positions = []
    for k in keys:
        k = re.sub(r"\s+(ASC|DESC|NULLS\s+(FIRST|LAST)).*$", "", k, flags=re.I | re.S).lower().strip('"')
        k = k.split(".")[-1]
        if k.isdigit():
            positions.append(int(k) - 1)
        elif k in names:
            positions.append(names.index(k))
        elif re.sub(r"\bcount\(\*\)", "count_star()", k) in names:
            positions.append(names.index(re.sub(r"\bcount\(\*\)", "count_star()", k)))
    pick = lambda rows: [[r[p] for p in positions] for r in rows]
    if same_rows(pick(got), pick(expected)):
        return None
    return "rows of other sort keys than expected within the LIMIT"


def answers(directory, suite, scale):
    """The files of the kept answers by the name of the query."""
    directory = os.path.join(directory, f"{suite}-duckdb", "answers", f"sf{scale}")
    return {"q" + f[:-4].lstrip("q"): os.path.join(directory, f) for f in os.listdir(directory)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("sqlrun"), p.add_argument("corpus"), p.add_argument("data"), p.add_argument("suites", nargs="+")
    p.add_argument("--only"), p.add_argument("--kept")
    args = p.parse_args()
    failed = 0
    for item in args.suites:
        suite, _, scale = item.partition(":")
        scale = scale or "0.01"
        con, warehouse = generate(suite, scale, os.path.join(args.data, f"{suite}-{scale}"))
        passed, known, foreign, names = 0, 0, 0, sorted(f[:-4] for f in os.listdir(os.path.join(args.corpus, suite)) if f.endswith(".sql"))
        paths = answers(args.kept, suite, scale) if args.kept else {}
        names = [n for n in names if (not args.only or n in args.only.split(",")) and (not args.kept or n in paths)]
        for name in names:
            sql = open(os.path.join(args.corpus, suite, name + ".sql")).read().strip().rstrip(";")
            try:
                got, expected = ours(args.sqlrun, warehouse, sql), live(con, sql)
                if args.kept:
                    answer = kept(con, sql, paths[name])
                    if compare(con, sql, expected, answer) is None:
                        expected = answer
                    else:
                        foreign += 1
                why = compare(con, sql, got, expected)
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                why = f"error: {e}"
            query = f"{suite} {name}"
            if why is None:
                passed += 1
            elif query in KNOWN and not why.startswith("error"):
                known += 1
                print(f"{query} differs: {KNOWN[query]}", flush=True)
            else:
                print(f"{query}: {why}", flush=True)
        print(f"{suite} at scale {scale}: {passed} of {len(names)} equal, {known} differ for a known reason", flush=True)
        if foreign:
            print(f"{foreign} kept answers of {suite} are of other rows than DuckDB {duckdb.__version__} generates", flush=True)
        failed += len(names) - passed - known
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
