"""Writes the fixtures of this directory with pyarrow: one table in many
encodings, and its rows as JSON lines.

Each line is a row; values are null, true and false, whole numbers as decimal
text (dates as days, times as microseconds, timestamps in their column's unit),
floats as 'f' and the 16 hex digits of the double, decimals as 'd' and text,
strings and binary as 'b' and hex, lists and structs as arrays, maps as arrays
of pairs.

    pip install pyarrow && python generate.py
"""

import datetime
import decimal
import json
import random
import struct
import uuid

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 120
random.seed(1)
INTS = {"i8": (pa.int8(), 7), "i16": (pa.int16(), 15), "i32": (pa.int32(), 31), "i64": (pa.int64(), 63)}
UINTS = {"u8": (pa.uint8(), 8), "u16": (pa.uint16(), 16), "u32": (pa.uint32(), 32), "u64": (pa.uint64(), 64)}


def dec(digits, scale):
    with decimal.localcontext(prec=60):
        return decimal.Decimal(random.randint(-(10**digits) + 1, 10**digits - 1)).scaleb(-scale)


def text():
    return random.choice(["", "a", "été", "common prefix %d" % random.randint(0, 999), "x" * random.randint(0, 40)])


def columns():
    for name, (t, bits) in INTS.items():
        yield name, t, lambda bits=bits: random.choice([-(2**bits), 2**bits - 1, random.randint(-100, 100)])
    for name, (t, bits) in UINTS.items():
        yield name, t, lambda bits=bits: random.choice([0, 2**bits - 1, random.randint(0, 100)])
    yield "bool", pa.bool_(), lambda: random.random() < 0.5
    yield "f16", pa.float16(), lambda: random.randint(-1000, 1000) / 8
    yield "f32", pa.float32(), lambda: random.choice([random.randint(-1000, 1000) / 64, float("nan"), float("inf"), -0.0])
    yield "f64", pa.float64(), lambda: random.choice([random.random() * 1e9, float("nan"), float("-inf"), -0.0])
    yield "d5", pa.decimal128(5, 2), lambda: dec(5, 2)
    yield "d18", pa.decimal128(18, 3), lambda: dec(18, 3)
    yield "d38", pa.decimal128(38, 5), lambda: dec(38, 5)
    yield "text", pa.string(), text
    yield "bytes", pa.binary(), lambda: random.randbytes(random.randint(0, 9))
    yield "fixed", pa.binary(5), lambda: random.randbytes(5)
    yield "date", pa.date32(), lambda: random.randint(-100000, 100000)
    yield "time_ms", pa.time32("ms"), lambda: random.randint(0, 86399999)
    yield "time_us", pa.time64("us"), lambda: random.randint(0, 86399999999)
    for unit in ["ms", "us", "ns"]:
        yield "ts_" + unit, pa.timestamp(unit), lambda: random.randint(-(10**14), 10**14)
        yield "tz_" + unit, pa.timestamp(unit, tz="UTC"), lambda: random.randint(-(10**14), 10**14)
    ints = pa.list_(pa.int32())
    yield "ints", ints, lambda: [maybe(lambda: random.randint(0, 9)) for _ in range(random.randint(0, 3))]
    yield "lists", pa.list_(pa.list_(pa.string())), lambda: [maybe(lambda: [maybe(text) for _ in range(random.randint(0, 2))]) for _ in range(random.randint(0, 3))]
    point = pa.struct([("x", pa.int64()), ("s", pa.string())])
    yield "struct", point, lambda: {"x": maybe(lambda: random.randint(0, 9)), "s": maybe(text)}
    yield "structs", pa.list_(point), lambda: [maybe(lambda: {"x": maybe(lambda: 5), "s": maybe(text)}) for _ in range(random.randint(0, 3))]
    yield "map", pa.map_(pa.string(), pa.int32()), lambda: [("k%d" % k, maybe(lambda: random.randint(0, 9))) for k in range(random.randint(0, 3))]


NULLS = 0.2


def maybe(make):
    return None if random.random() < NULLS else make()


def norm(t, v):
    if v is None or pa.types.is_boolean(t):
        return v
    if pa.types.is_floating(t):
        return "nan" if v != v else "f" + struct.pack(">d", v).hex()
    if pa.types.is_decimal(t):
        return "d" + format(v, "f")
    if pa.types.is_string(t):
        return "b" + v.encode().hex()
    if pa.types.is_binary(t) or pa.types.is_fixed_size_binary(t):
        return "b" + v.hex()
    if pa.types.is_map(t):
        return [[norm(t.key_type, k), norm(t.item_type, x)] for k, x in v]
    if pa.types.is_list(t):
        return [norm(t.value_type, x) for x in v]
    if pa.types.is_struct(t):
        return [norm(f.type, v[f.name]) for f in t]
    if pa.types.is_unsigned_integer(t) and t.bit_width == 64:
        return "d%d" % v
    if pa.types.is_time32(t) or pa.types.is_timestamp(t) and t.unit == "ms":
        return str(v * 1000)
    return str(v)


def table(nulls):
    global NULLS
    NULLS = nulls
    fields, arrays, rows = [], [], [[] for _ in range(ROWS)]
    for name, t, make in columns():
        values = [maybe(make) for _ in range(ROWS)]
        fields.append(pa.field(name, t, nullable=nulls > 0))
        arrays.append(pa.array(values, t))
        for row, v in zip(rows, values):
            row.append(norm(t, v))
    name = "nullable" if nulls else "required"
    with open(name + ".ndjson", "w") as f:
        for row in rows:
            f.write(json.dumps(row, separators=(",", ":")) + "\n")
    return pa.table(arrays, schema=pa.schema(fields))


def leaves(t):
    flat = [f.name for f in t.schema if not pa.types.is_nested(f.type)]
    return flat + ["ints.list.element", "lists.list.element.list.element", "struct.x", "struct.s", "structs.list.element.x",
                   "structs.list.element.s", "map.key_value.key", "map.key_value.value"]


def encodings(t, ints, texts, floats):
    out = {}
    for name in leaves(t):
        f = t.schema.field(name) if name in t.schema.names else None
        if f is None:
            kind = pa.int32() if name.endswith(("x", "value", "ints.list.element")) else pa.string()
        else:
            kind = f.type
        if pa.types.is_boolean(kind):
            out[name] = "RLE"
        elif pa.types.is_string(kind) or pa.types.is_binary(kind):
            out[name] = texts
        elif pa.types.is_floating(kind) and kind.bit_width > 16:
            out[name] = floats
        elif pa.types.is_decimal(kind) or pa.types.is_fixed_size_binary(kind) or pa.types.is_float16(kind):
            out[name] = "BYTE_STREAM_SPLIT" if floats == "BYTE_STREAM_SPLIT" else "PLAIN"
        else:
            out[name] = ints
    return out


def write(name, t, **kw):
    args = dict(row_group_size=70, data_page_size=200, write_batch_size=16, compression="snappy", store_schema=False, coerce_timestamps=None)
    args.update(kw)
    pq.write_table(t, name + ".parquet", **args)


for nulls in (0.2, 0):
    t = table(nulls)
    name = "nullable" if nulls else "required"
    write(name + "_v1", t, data_page_version="1.0")
    write(name + "_v2", t, data_page_version="2.0")
    write(name + "_plain", t, use_dictionary=False, data_page_version="1.0" if nulls else "2.0", compression="none")
    write(name + "_fallback", t, dictionary_pagesize_limit=150, write_page_checksum=True, data_page_size=1 << 20)
    delta = encodings(t, "DELTA_BINARY_PACKED", "DELTA_BYTE_ARRAY", "PLAIN")
    write(name + "_delta", t, use_dictionary=False, column_encoding=delta, data_page_version="2.0")
    length = encodings(t, "BYTE_STREAM_SPLIT", "DELTA_LENGTH_BYTE_ARRAY", "BYTE_STREAM_SPLIT")
    write(name + "_split", t, use_dictionary=False, column_encoding=length)
    if nulls:
        for codec in ["none", "gzip", "zstd", "brotli", "lz4"]:
            write("nullable_" + codec, t, compression=codec, data_page_version="2.0" if codec in ("gzip", "none") else "1.0")
        write("nullable_indexed", t, write_page_index=True, row_group_size=120)
        write("nullable_legacy", t, use_compliant_nested_type=False, store_decimal_as_integer=True)
