#!/usr/bin/env python3
"""Runs the queries of conformance/random in DuckDB, on the same Delta tables, and compares the rows.

    random_check.py DIR [--classes FILE] [--show N]

DIR is what conformance/random was given. Rows are compared as multisets, and in their order by the sort keys that the query
names. FILE holds the classes of differences that are known, with the answer of Spark or of the standard: a line each of a
name, a pattern that is searched in DuckDB's text of the query, the pattern of what differs, and the reason. A difference of no
class is an error.
"""
import argparse, collections, datetime, decimal, glob, json, os, re, sys

import duckdb
import pyarrow as pa
from deltalake import DeltaTable

import compare

CLASSES = os.path.join(os.path.dirname(__file__), "..", "testdata", "random_classes.txt")


def load(con, warehouse):
    """Opens the tables of a warehouse in DuckDB. Timestamps lose their zone, which is UTC."""
    for name in sorted(os.listdir(warehouse)):
        if not glob.glob(os.path.join(warehouse, name, "_delta_log", "*.json")):
            continue
        t = DeltaTable(os.path.join(warehouse, name)).to_pyarrow_table()
        for i, f in enumerate(t.schema):
            if pa.types.is_timestamp(f.type) and f.type.tz:
                t = t.set_column(i, f.name, t.column(i).cast(pa.timestamp("us")))
        con.register("arrow_table", t)
        con.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM arrow_table")
        con.unregister("arrow_table")


# A date before the year 1 as DuckDB prints it: its year 1 BC is the year 0 of ISO 8601.
BEFORE_CHRIST = re.compile(r"^(\d+)(-\d\d-\d\d(?: [\d:.]+)?) \(BC\)$")


def theirs(v):
    """A value of DuckDB in the form of our JSON."""
    if isinstance(v, (bytes, bytearray)):
        return bytes(v).hex()
    if isinstance(v, list):
        return [theirs(x) for x in v]
    if isinstance(v, dict):
        return {k: theirs(x) for k, x in v.items()}
    if isinstance(v, tuple):
        return [theirs(x) for x in v]
    if isinstance(v, datetime.time):
        return v.isoformat(timespec="microseconds")
    v = compare.value(v)
    if isinstance(v, str) and (m := BEFORE_CHRIST.match(v)):
        return f"{1 - int(m[1]):04d}{m[2]}"
    return v


def ours(v, kind):
    """A value of our JSON by its type."""
    if v is None or isinstance(v, bool):
        return v
    if kind in ("FLOAT", "DOUBLE"):
        return float(v)
    if kind == "TIMESTAMP(9)":
        return v.removesuffix("Z")
    if kind.startswith("MAP<"):
        return {k: ours(x, "") for k, x in v}
    if isinstance(v, list):
        return [ours(x, "") for x in v]
    if isinstance(v, dict):
        return {k: ours(x, "") for k, x in v.items()}
    if kind.startswith("DECIMAL") or isinstance(v, (int, float)):
        return decimal.Decimal(str(v))
    return v


def same_value(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, float) and isinstance(b, float) and (a == b or a != a and b != b):
        return True
    if isinstance(a, str) and isinstance(b, str):
        return compare.text(a) == compare.text(b)
    if isinstance(a, bool) != isinstance(b, bool):
        return False
    return compare.same_value(a, b)


def key(v):
    """A sort key of a value that is the same for doubles that are equal to within rounding, nearly always."""
    if isinstance(v, float):
        return "%.10e" % (v + 0.0)
    if isinstance(v, decimal.Decimal):
        return format(v.normalize() + 0, "f")
    if isinstance(v, dict):
        return str(sorted((k, key(x)) for k, x in v.items()))
    return str([key(x) for x in v]) if isinstance(v, list) else compare.text(v)


def order(row):
    return [(v is not None, key(v)) for v in row]


def difference(got, expected, keys):
    """What differs, or None."""
    if len(got) != len(expected):
        return f"{len(got)} rows instead of {len(expected)}"
    for k in keys:
        for i, (g, e) in enumerate(zip(got, expected)):
            if not same_value(g[k["column"]], e[k["column"]]):
                return f"order: row {i} has {g[k['column']]!r} instead of {e[k['column']]!r}"
    if len(got) and len(got[0]) != len(expected[0]):
        return f"{len(got[0])} columns instead of {len(expected[0])}"
    for g, e in zip(sorted(got, key=order), sorted(expected, key=order)):
        for i, (x, y) in enumerate(zip(g, e)):
            if not same_value(x, y):
                return f"column {i + 1}: {x!r} instead of {y!r}"
    return None


def with_nanoseconds(o):
    """DuckDB's query, with timestamps of nanoseconds as text: Python has none."""
    columns = [f"c{i + 1}" for i, t in enumerate(o.get("types", [])) if t.endswith("(9)")]
    if not columns:
        return o["duck"]
    texts = ", ".join(f"strftime({c}, '%Y-%m-%dT%H:%M:%S.%n') AS {c}" for c in columns)
    return f"SELECT * REPLACE ({texts}) FROM ({o['duck']})"


# Errors that say that DuckDB does not take the query, and not that a value has none.
REFUSALS = ("Binder Error", "Parser Error", "Not implemented Error", "Catalog Error", "NotImplementedException")


def check(con, o):
    """The kind of the outcome, and what differs."""
    try:
        cursor = con.execute(with_nanoseconds(o))
        expected = [[theirs(v) for v in row] for row in cursor.fetchall()]
    except (duckdb.Error, ValueError, OverflowError) as e:
        why = str(e).strip().split("\n")[0]
        if isinstance(e, (ValueError, OverflowError)) or any(r in why for r in REFUSALS):
            return "refused by DuckDB", why
        if "error" in o:
            return "fail in both", None
        return "differ", f"only DuckDB fails: {why}"
    if "error" in o:
        if o.get("sqlstate") == "0A000":
            return "refused by tarn", o["error"]
        return "differ", f"only tarn fails: {o['error']}"
    got = [[ours(v, t) for v, t in zip(row, o["types"])] for row in o["rows"]]
    why = difference(got, expected, o.get("order", []))
    return ("equal", None) if why is None else ("differ", why)


def read_classes(path):
    """The classes of a file: paragraphs of a name, lines of `query:` and `differs:` with patterns, and the reason."""
    classes = []
    for paragraph in re.split(r"\n\s*\n", open(path, encoding="utf-8").read()):
        lines = [l for l in paragraph.split("\n") if l and not l.startswith("#")]
        if not lines:
            continue
        c = {"name": lines[0], "query": "", "differs": ""}
        for l in lines[1:]:
            key, _, rest = l.partition(": ")
            if key in ("query", "differs"):
                c[key] = rest
        classes.append(c)
    return classes


def classify(classes, o, why):
    for c in classes:
        if not c["query"] and not c["differs"]:
            continue  # never met
        if re.search(c["query"], o["sql"] + "\n" + o["duck"], re.S) and re.search(c["differs"], why, re.S):
            return c["name"]
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir"), p.add_argument("--classes", default=CLASSES), p.add_argument("--show", type=int, default=20)
    args = p.parse_args()
    classes = read_classes(args.classes)
    counts, refusals, known, unknown = collections.Counter(), collections.Counter(), collections.Counter(), 0
    for directory in sorted(glob.glob(os.path.join(args.dir, "*", ""))):
        con = duckdb.connect()
        con.execute("SET default_null_order='nulls_first_on_asc_last_on_desc'; SET order_by_non_integer_literal=true; SET threads=1; SET TimeZone='UTC'")
        load(con, os.path.join(directory, "warehouse"))
        for line in open(os.path.join(directory, "queries.jsonl"), encoding="utf-8"):
            o = json.loads(line, parse_float=decimal.Decimal)
            if "duck" not in o:
                counts["without counterpart"] += 1
                continue
            kind, why = check(con, o)
            if kind.startswith("refused"):
                refusals[re.sub(r"\d+|['\"].*?['\"]", "…", why)[:100]] += 1
            if kind == "differ":
                name = classify(classes, o, why)
                if name:
                    kind, known[name] = "differ as known", known[name] + 1
                else:
                    unknown += 1
                    if unknown <= args.show:
                        print(f"seed {o['seed']} query {o['query']}: {why}\n  {o['sql']}\n  {o['duck']}", flush=True)
            counts[kind] += 1
    for title, counter in (("refused", refusals), ("known class", known)):
        for name, n in counter.most_common(args.show):
            print(f"{title}: {n} {name}")
    print(f"{sum(counts.values())} queries: " + ", ".join(f"{n} {kind}" for kind, n in counts.most_common()))
    sys.exit(1 if unknown else 0)


if __name__ == "__main__":
    main()
