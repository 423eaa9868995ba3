"""What the cross-engine checks share: running tarn, and rows as JSON lines.

Rows have the form of the golden tables: decimals as text with their scale, binary as hex, dates and timestamps in ISO
form, maps as sorted pairs, NaN and infinities as text.
"""
import datetime, decimal, json, math, subprocess


class Tarn:
    """Runs SQL with the sqlrun binary on one warehouse."""

    def __init__(self, binary, warehouse):
        self.binary, self.warehouse = binary, warehouse

    def run(self, sql):
        p = subprocess.run([self.binary, self.warehouse, sql], capture_output=True, text=True)
        if p.returncode:
            raise RuntimeError(f"{sql}\n{p.stderr}")
        return sorted(canonical(json.loads(line)) for line in p.stdout.splitlines())

    def refused(self, sql, words):
        p = subprocess.run([self.binary, self.warehouse, sql], capture_output=True, text=True)
        if p.returncode == 0 or not all(w.lower() in p.stderr.lower() for w in words):
            raise AssertionError(f"{sql} should be refused naming {words}: {p.stdout}{p.stderr}")


def canonical(row):
    return json.dumps(row, sort_keys=True)


def value(v, arrow_type=None):
    """A Python value of Arrow as the JSON value of the golden form."""
    import pyarrow as pa
    t = arrow_type
    if v is None or isinstance(v, (bool, int)) and not isinstance(v, datetime.datetime):
        return v
    if isinstance(v, float):
        if math.isnan(v):
            return "NaN"
        if math.isinf(v):
            return "Infinity" if v > 0 else "-Infinity"
        return v
    if isinstance(v, decimal.Decimal):
        return format(v, "f")
    if isinstance(v, (bytes, bytearray)):
        return bytes(v).hex()
    if isinstance(v, datetime.datetime):
        zone = "Z" if t is not None and pa.types.is_timestamp(t) and t.tz else ""
        return v.strftime("%Y-%m-%dT%H:%M:%S.%f").rjust(26, "0") + zone
    if isinstance(v, datetime.date):
        return v.isoformat()
    if t is not None and pa.types.is_map(t):
        pairs = [[value(k, t.key_type), value(x, t.item_type)] for k, x in v]
        return sorted(pairs, key=lambda p: json.dumps(p[0]))
    if t is not None and pa.types.is_struct(t):
        return {f.name: value(v[f.name], f.type) for f in t}
    if isinstance(v, list):
        return [value(x, t.value_type) for x in v]
    return v


def arrow_rows(table):
    """The rows of an Arrow table in canonical form, sorted."""
    columns = [(f.name, f.type, table.column(i).to_pylist()) for i, f in enumerate(table.schema)]
    return sorted(canonical({n: value(c[r], t) for n, t, c in columns}) for r in range(table.num_rows))


def same(what, want, got):
    if want != got:
        diff = [r for r in want if r not in got][:3], [r for r in got if r not in want][:3]
        raise AssertionError(f"{what}: {len(want)} rows and {len(got)} rows; only in the first {diff[0]}, only in the second {diff[1]}")
    print(f"ok  {what} ({len(got)} rows)", flush=True)
