"""Comparing the rows of two engines: doubles to 1e-9, decimals to the coarser scale, times in any spelling."""
import collections, decimal, re


def value(v):
    """A value as a number, a Boolean, a text or None."""
    if v is None or isinstance(v, (bool, str, decimal.Decimal)):
        return v
    if isinstance(v, int):
        return decimal.Decimal(v)
    if isinstance(v, float):
        return v
    return str(v)


def number(v):
    if isinstance(v, (decimal.Decimal, float)) and not isinstance(v, bool):
        return v
    return None


TIME = re.compile(r"^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d*?)0*)?(Z|\+00:00)?$")


def text(v):
    """A text; a time of day in one of the spellings that there are."""
    m = TIME.match(str(v))
    return f"{m[1]} {m[2]}.{m[3] or ''}" if m else str(v)


def same_value(a, b):
    if a is None or b is None:
        return a is b
    x, y = number(a), number(b)
    if (x is None) != (y is None):  # decimals, NaN and infinities are texts in our JSON
        try:
            x, y = decimal.Decimal(a), decimal.Decimal(b)
        except (decimal.InvalidOperation, TypeError):
            return False
        if not x.is_finite() or not y.is_finite():
            return x == y or x.is_nan() and y.is_nan()
        x, y = x if isinstance(a, str) else a, y if isinstance(b, str) else b
    if x is None:
        return text(a) == text(b)
    slack = 1e-9 * max(abs(float(x)), abs(float(y)), 1e-300)
    scales = [-v.as_tuple().exponent for v in (x, y) if isinstance(v, decimal.Decimal) and v.as_tuple().exponent < 0]
    if scales and isinstance(x, decimal.Decimal) != isinstance(y, decimal.Decimal) or len(scales) == 2:
        slack = max(slack, 0.5000001 * 10.0 ** -min(scales))
    return abs(float(x) - float(y)) <= slack


def same_row(a, b):
    return len(a) == len(b) and all(map(same_value, a, b))


def order(row):
    """A sort key that is the same for rows that are equal to within rounding, nearly always."""
    out = []
    for v in row:
        try:
            out.append((v is not None, "%.5e" % (float(v) + 0.0)))
        except (TypeError, ValueError):
            out.append((v is not None, text(v)))
    return out


def same_rows(a, b):
    if len(a) != len(b):
        return False
    if all(map(same_row, a, b)):
        return True
    return all(map(same_row, sorted(a, key=order), sorted(b, key=order)))


def within(rows, whole):
    """Whether the rows are among those of whole, each as often at most."""
    buckets = collections.defaultdict(list)
    for r in whole:
        buckets[len(r), str(r[0])[:4]].append(r)
    for r in rows:
        candidates = buckets[len(r), str(r[0])[:4]]
        hit = next((i for i, c in enumerate(candidates) if same_row(r, c)), None)
        if hit is None:
            return False
        del candidates[hit]
    return True
