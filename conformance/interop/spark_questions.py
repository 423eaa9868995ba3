"""The questions that spark_answers.sh asks: for each operator, function, cast and aggregate its arguments' types and
values, NULL, empty, extreme and erroneous ones among them.

An expression is a question. So is an expression with its rows, as in sum(a) FROM (VALUES (1), (2)) AS t(a).
"""
import itertools, os, sys
import spark_oddities

# Values of each type; the first is the typical one.
VALUES = {
    "BOOLEAN": ["true", "false", "CAST(NULL AS BOOLEAN)"],
    "TINYINT": ["7Y", "0Y", "127Y", "-128Y", "CAST(NULL AS TINYINT)"],
    "SMALLINT": ["7S", "0S", "32767S", "-32768S", "CAST(NULL AS SMALLINT)"],
    "INT": ["7", "0", "-1", "2147483647", "-2147483648", "CAST(NULL AS INT)"],
    "BIGINT": ["7L", "0L", "9223372036854775807L", "-9223372036854775808L", "CAST(NULL AS BIGINT)"],
    "FLOAT": ["1.5F", "-0.0F", "CAST('3.4028235E38' AS FLOAT)", "1.4E-45F", "CAST('NaN' AS FLOAT)", "CAST('-Infinity' AS FLOAT)", "CAST(NULL AS FLOAT)"],
    "DOUBLE": ["1.5D", "0.0D", "-0.0D", "1.7976931348623157E308D", "4.9E-324D", "CAST('NaN' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)",
               "CAST('-Infinity' AS DOUBLE)", "CAST(NULL AS DOUBLE)"],
    "DECIMAL": ["1.50", "0.00", "-123.45", "99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001",
                "CAST(1234567890 AS DECIMAL(10,0))", "CAST(NULL AS DECIMAL(5,2))"],
    "STRING": ["'2'", "''", "'abc'", "' 2 '", "'ÄöÜß€𝄞'", "CAST(NULL AS STRING)"],
    "BINARY": ["X'3233'", "X''", "X'00FF80'", "CAST(NULL AS BINARY)"],
    "DATE": ["DATE '2024-02-29'", "DATE '1969-12-31'", "DATE '0001-01-01'", "DATE '1582-10-10'", "DATE '9999-12-31'", "CAST(NULL AS DATE)"],
    "TIMESTAMP": ["TIMESTAMP '2024-02-29 12:34:56.789012'", "TIMESTAMP '1969-12-31 23:59:59.999999'", "TIMESTAMP '0001-01-01 00:00:00'",
                  "TIMESTAMP '9999-12-31 23:59:59.999999'", "CAST(NULL AS TIMESTAMP)"],
    "TIMESTAMP_NTZ": ["TIMESTAMP_NTZ '2024-02-29 12:34:56.789012'", "TIMESTAMP_NTZ '1969-12-31 23:59:59.999999'", "CAST(NULL AS TIMESTAMP_NTZ)"],
    "INTERVAL DAY": ["INTERVAL '1 02:03:04.5' DAY TO SECOND", "INTERVAL '0' SECOND", "INTERVAL '-3' DAY"],
    "INTERVAL YEAR": ["INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '-1' MONTH"],
    "ARRAY": ["array(1, 2, NULL, 2)", "array()", "CAST(NULL AS ARRAY<INT>)"],
    "MAP": ["map('a', 1, 'b', NULL)", "map()", "CAST(NULL AS MAP<STRING, INT>)"],
    "STRUCT": ["named_struct('x', 1, 'y', 'b')", "CAST(NULL AS STRUCT<x: INT, y: STRING>)"],
    "VOID": ["NULL"],
}
TYPICAL = [v[0] for v in VALUES.values()]
NUMBERS = ["TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL"]

S = ["'abc'", "''", "'ÄöÜß€𝄞x'", "concat('  aXb', chr(9), 'Xc ')", "NULL"]
I = ["2", "0", "-1", "2147483647", "-2147483648", "NULL"]
N = ["3", "0", "-1", "1", "NULL"]
L = VALUES["BIGINT"]
D = ["1.5D", "0D", "-0.0D", "-2.5D", "1D", "-1D", "1000D", "1E300D", "CAST('NaN' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)", "CAST('-Infinity' AS DOUBLE)", "NULL"]
B = VALUES["BINARY"]
DATES = VALUES["DATE"]
TS = VALUES["TIMESTAMP"]
NTZ = VALUES["TIMESTAMP_NTZ"]
ARR = VALUES["ARRAY"] + ["array(3, 1, 2)", "array(NULL)", "array(1, 1)"]
SARR = ["array('b', 'a', NULL)", "array('x')", "array()", "NULL"]
ANY = [x for v in VALUES.values() for x in v]
BOOL = ["true", "false", "NULL"]
UNITS = ["'YEAR'", "'year'", "'QUARTER'", "'MONTH'", "'MON'", "'MM'", "'WEEK'", "'DAY'", "'DD'", "'HOUR'", "'MINUTE'", "'SECOND'", "'MILLISECOND'",
         "'MICROSECOND'", "'nope'", "''", "NULL"]
ZONES = ["'UTC'", "'Europe/Berlin'", "'America/New_York'", "'+05:30'", "'Z'", "'PST'", "'nope'", "NULL"]

FUNCTIONS = {}


def f(names, *arguments, limit=90):
    """Has the next area ask about functions with these candidate arguments: the first of each argument with every type in
    its place, and the combinations of all, at most limit of them, spread evenly."""
    for name in names.split():
        FUNCTIONS[name] = (arguments, limit)


def declared():
    """Questions about the functions that were given to f since the area before."""
    for name in FUNCTIONS:
        yield from calls(name)
    FUNCTIONS.clear()


def combinations(arguments, limit):
    every = list(itertools.product(*arguments))
    step = max(1, -(-len(every) // limit))
    # A step that shares no factor with the lists' lengths meets every value of each list.
    while step > 1 and any(step % p == 0 for a in arguments for p in range(2, len(a) + 1) if len(a) % p == 0):
        step += 1
    return every[::step]


def calls(name):
    arguments, limit = FUNCTIONS[name]
    typical = [a[0] for a in arguments]
    for given in combinations(arguments, limit) if arguments else []:
        yield f"{name}({', '.join(given)})"
    for n in range(len(typical) + (1 if name == "decode" else 2)):  # with more arguments decode is a CASE
        if n == 0 and name == "unix_timestamp":  # the time of asking
            continue
        yield f"{name}({', '.join((typical + ['1'])[:n])})"
    for i in range(len(typical)):
        for t in TYPICAL:
            yield f"{name}({', '.join(typical[:i] + [t] + typical[i + 1:])})"


AREAS = {}


def area(name):
    def add(generator):
        AREAS[name] = list(generator())
        return generator
    return add


@area("oddities")
def oddities():
    yield from spark_oddities.questions()


@area("arithmetic")
def arithmetic():
    for op in ["+", "-", "*", "/", "%", "DIV", "&", "|", "^"]:
        for a, b in itertools.product(TYPICAL, TYPICAL):
            yield f"{a} {op} {b}"
        for t in NUMBERS:
            for a, b in itertools.product(VALUES[t], VALUES[t]):
                yield f"{a} {op} {b}"
    for op in ["-", "+", "~"]:
        for v in ANY:
            yield f"{op}({v})"
    for p, s in [(1, 0), (5, 2), (10, 5), (18, 0), (18, 18), (20, 10), (38, 0), (38, 10), (38, 18), (38, 38)]:
        for q, r in [(1, 1), (5, 2), (18, 6), (38, 0), (38, 18), (38, 37)]:
            for op in ["+", "-", "*", "/", "%", "DIV", "="]:
                yield f"CAST('0.7' AS DECIMAL({p},{s})) {op} CAST('0.3' AS DECIMAL({q},{r}))"
    big = ["9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999", "0.0000000001", "3.0000000000",
           "12345678901234567890.123456789", "1E-10BD"]
    for op in ["+", "-", "*", "/", "%", "DIV"]:
        for a, b in itertools.product(big, big):
            yield f"{a} {op} {b}"
    for d in VALUES["DATE"][:5] + VALUES["TIMESTAMP"][:4] + VALUES["TIMESTAMP_NTZ"][:2]:
        for i in ["1", "INTERVAL 1 DAY", "INTERVAL 1 MONTH", "INTERVAL -1 YEAR", "INTERVAL '1 02:03:04.5' DAY TO SECOND", "INTERVAL 90 MINUTE", "INTERVAL 13 MONTH",
                  "INTERVAL 2 WEEK", "INTERVAL 3 MICROSECOND", "INTERVAL '1' HOUR", "2S", "3L"]:
            yield f"{d} + {i}"
            yield f"{i} + {d}"
            yield f"{d} - {i}"
        for e in ["DATE '2024-01-31'", "TIMESTAMP '2024-01-31 01:02:03'", "TIMESTAMP_NTZ '2024-01-31 01:02:03'"]:
            yield f"{d} - {e}"
    for i in ["INTERVAL 1 DAY", "INTERVAL '1 02:03:04.5' DAY TO SECOND", "INTERVAL 1 MONTH", "INTERVAL '1-2' YEAR TO MONTH"]:
        for n in ["2", "2.5", "1.5D", "0", "-3L", "'2'", "NULL"]:
            yield f"{i} * {n}"
            yield f"{n} * {i}"
            yield f"{i} / {n}"
        for j in ["INTERVAL 1 DAY", "INTERVAL '1 02:03:04.5' DAY TO SECOND", "INTERVAL 1 MONTH", "INTERVAL '1-2' YEAR TO MONTH"]:
            for op in ["+", "-", "=", "<"]:
                yield f"{i} {op} {j}"
    for q in ["1 + 2 * 3", "-2147483648", "- 2147483648", "2147483648", "9223372036854775808", "-9223372036854775808", "1e3", "1.0e3", "1e400", "1.5BD", "1e-3BD", "0x1F", "1.",
              ".5", "- - 1", "2 - -2", "7 % -3", "-7 % 3", "-7 DIV 2", "7 / 2", "1 << 3", "8 >> 1", "-8 >>> 1", "5 & 3 | 8 ^ 2", "2 ** 3", "128Y", "32768S",
              "9223372036854775808L", "1e39F", "1e309D", "123456789012345678901234567890123456789", "1.123456789012345678901234567890123456789", "5 !", "1 == 1", "NOT 1 = 2"]:
        yield q


@area("comparison")
def comparison():
    for op in ["=", "<=>", "<", ">=", "<>"]:
        for a, b in itertools.product(TYPICAL, TYPICAL):
            yield f"{a} {op} {b}"
    for op in ["=", "<", "<=>", "<=", "!="]:
        for vs in VALUES.values():
            for a, b in itertools.product(vs, vs):
                yield f"{a} {op} {b}"
    for a, b in itertools.product(VALUES["FLOAT"], VALUES["DOUBLE"]):
        yield f"{a} < {b}"
        yield f"{a} = {b}"
    for a, b in [("'10'", "9"), ("'a'", "1"), ("' 1'", "1"), ("'1.5'", "1.5"), ("'true'", "true"), ("'t'", "true"), ("'2024-02-29'", "DATE '2024-02-29'"), ("'x'", "DATE '2024-02-29'"),
                 ("'2024-02-29 12:34:56'", "TIMESTAMP '2024-02-29 12:34:56'"), ("DATE '2024-02-29'", "TIMESTAMP '2024-02-29 00:00:00'"), ("1", "true"), ("1.0", "1"),
                 ("9007199254740993L", "9007199254740992D"), ("16777217", "16777216F"), ("0.1F", "0.1"), ("0.1D", "0.1"), ("'A'", "'a'"), ("'a'", "'B'"), ("'é'", "'z'"),
                 ("X'61'", "'a'"), ("array(1, 2)", "array(1, NULL)"), ("array(1)", "array(1, 2)"), ("named_struct('a', 1)", "named_struct('b', 1)"), ("array(1)", "array(1L)"),
                 ("named_struct('a', 1, 'b', NULL)", "named_struct('a', 1, 'b', 2)")]:
        for op in ["=", "<", ">", "<=>", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"]:
            yield f"{a} {op} {b}"
            yield f"{b} {op} {a}"
    for v in ANY:
        for p in ["IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT FALSE", "IS UNKNOWN"]:
            yield f"({v}) {p}"
    for t, vs in VALUES.items():
        a, b, n = vs[0], vs[min(1, len(vs) - 1)], vs[-1]
        for q in [f"{a} BETWEEN {b} AND {a}", f"{a} NOT BETWEEN {b} AND {n}", f"{n} BETWEEN {a} AND {b}", f"{a} IN ({b}, {a})", f"{a} IN ({b}, NULL)", f"{a} NOT IN ({b}, NULL)",
                  f"{n} IN ({a})", f"{a} NOT IN ({b})", f"{a} IN (NULL)", f"{a} IN ('2')", f"{a} IN (7, 1.5)", f"'2' IN ({a})"]:
            yield q
    for q in ["1 IN (1, 'a')", "1 IN (1L, 2.5)", "1 IN ('1', '2')", "'a' IN (1, 'a')", "1 BETWEEN '0' AND '2'", "1 BETWEEN 0.5 AND 2", "'b' BETWEEN 'a' AND 'c'", 
              "NULL IN (1)", "NULL IN (NULL)", "NULL = NULL", "NULL <=> NULL", "1 <=> NULL", "(1, 2) = (1, 2)", "(1, 'a') IN ((1, 'a'), (2, 'b'))", "1 IN ()", "1 < 2 = true", "1 = 1 = 1"]:
        yield q


@area("logic")
def logic():
    for op in ["AND", "OR"]:
        for a, b in itertools.product(TYPICAL + ["false"], TYPICAL + ["false"]):
            yield f"{a} {op} {b}"
        for a, b in itertools.product(VALUES["BOOLEAN"] + ["NULL"], repeat=2):
            yield f"{a} {op} {b}"
    for v in ANY + ["'true'", "'no'"]:
        yield f"NOT ({v})"
        yield f"! ({v})"
        yield f"CASE WHEN {v} THEN 1 ELSE 0 END"
        yield f"CASE {v} WHEN {v} THEN 1 ELSE 0 END"
    for a, b in itertools.product(TYPICAL, TYPICAL):
        yield f"CASE WHEN rand() < 2 THEN {a} ELSE {b} END"
    for q in ["1/0 = 1 AND false", "1/0 = 1 OR true", "1/0 = 1 AND NULL", "CAST('x' AS INT) = 1 AND false", "CAST('x' AS BOOLEAN) AND false", "false AND 1/0 = 1", "true OR 1/0 = 1", "NULL AND 1/0 = 1", "CASE WHEN true THEN 1 WHEN 1/0 = 1 THEN 2 END", "CASE WHEN false THEN 1 END", "CASE 1 WHEN 1L THEN 'a' END",
              "CASE 1 WHEN NULL THEN 'a' ELSE 'b' END", "CASE NULL WHEN NULL THEN 'a' ELSE 'b' END", "CASE WHEN NULL THEN 'a' ELSE 'b' END", "CASE '1' WHEN 1 THEN 'a' ELSE 'b' END",
              "CASE WHEN true THEN 1 ELSE 1/0 END", "CASE WHEN true THEN 1 ELSE 'a' END", "CASE WHEN true THEN 1 ELSE 2.5 END", "CASE WHEN false THEN 1 ELSE 2.5D END",
              "CASE WHEN true THEN DATE '2024-01-01' ELSE TIMESTAMP '2024-01-01 00:00:00' END", "NOT NULL", "NOT true AND false", "NOT (true AND false)", "true AND NOT false OR false"]:
        yield q


TARGETS = ["BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5,2)", "DECIMAL(38,10)", "DECIMAL", "STRING", "BINARY", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ",
           "ARRAY<INT>", "ARRAY<STRING>", "MAP<STRING, INT>", "STRUCT<x: INT, y: STRING>", "STRUCT<a: BIGINT, b: STRING>", "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH"]
NUMERALS = ["1", "-1", "+1", " 12 ", "1.5", "-1.5", ".5", "5.", "1e2", "1E-2", "127", "128", "-128", "-129", "32768", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
            "9223372036854775808", "1e39", "1e309", "-1e-400", "NaN", "nan", "Infinity", "-inf", "+Infinity", "1f", "1d", "1L", "0x1F", "1_0", "1 2", "", " ", "-", "+", ".", "e1", "abc", "½", "１",
            "99999999999999999999999999999999999999", "999999999999999999999999999999999999999", "999.994", "999.995", "999.99", "1000", "0.005", "-0", "00012", "1.9", "-1.9", "1e",
            "1e+2", "--1", "0.1e1000000000"]
TRUTHS = ["true", "TRUE", "t", "T", "yes", "y", "1", "on", "false", "f", "no", "n", "0", "off", " true ", "tru", "2", "", "null"]
DAYS = ["2024-02-29", "2023-02-29", "2024-2-9", "2024-02", "2024", "2024-13-01", "2024-00-10", "0000-01-01", "-0001-01-01", "10000-01-01", "+10000-01-01", "99999-12-31", "2024-02-29T12:00:00",
        "2024-02-29 12:00:00", "2024-02-29x", "2024-02-29 x", " 2024-02-29 ", "20240229", "2024/02/29", "24-02-29", "1582-10-10", "0001-01-01", "9999-12-31", "epoch", "", "2024-02-30",
        "2024-02-29 25:00:00", "294247-01-10", "5881580-07-11", "5881580-07-12", "-5877641-06-23"]
MOMENTS = ["2024-02-29 12:34:56", "2024-02-29T12:34:56", "2024-02-29 12:34", "2024-02-29 12", "2024-02-29 12:34:56.1", "2024-02-29 12:34:56.123456", "2024-02-29 12:34:56.1234567",
           "2024-02-29 12:34:56.123456789", "2024-02-29 12:34:56Z", "2024-02-29 12:34:56 UTC", "2024-02-29 12:34:56+01:00", "2024-02-29 12:34:56 Europe/Berlin", "2024-02-29 12:34:56-7",
           "2024-02-29 12:34:56+0130", "2024-02-29 24:00:00", "2024-02-29 12:60:00", "2024-02-29 12:34:60", "2024-02-29 1:2:3", "2024-02-29", "2024-02", "2024", " 2024-02-29 12:34:56 ",
           "2024-02-29 12:34:56.", "2024-02-29 12:34:56 nope", "2024-02-29  12:34:56", "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "294247-01-10 04:00:54.775807", "294247-01-10 04:00:54.775808",
           "-290308-12-21 19:59:05.224192", "2024-03-31 02:30:00 Europe/Berlin", "2024-10-27 02:30:00 Europe/Berlin", "", "x", "2024-02-29 12:34:56 AM", "2024-02-29 12:34:56+19:00",
           "2024-02-29 12:34:56 GMT+2", "2024-02-29 12:34:56 UTC+02:30", "2024-02-29 12:34:56.1.2"]


@area("casts")
def casts():
    for v in ANY:
        for t in TARGETS:
            yield f"CAST({v} AS {t})"
    for t in ["BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5,2)", "DECIMAL(38,10)", "DECIMAL"]:
        for s in NUMERALS:
            yield f"CAST('{s}' AS {t})"
            yield f"TRY_CAST('{s}' AS {t})"
    for t in ["BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5,2)", "DATE", "TIMESTAMP", "STRING"]:
        for text in ["7", "1", "true", "2024-02-29"]:
            for blank in ["chr(9)", "chr(10)", "chr(0)", "chr(160)", "'\u2003'"]:
                yield f"CAST(concat({blank}, '{text}', {blank}) AS {t})"
    for s in TRUTHS:
        yield f"CAST('{s}' AS BOOLEAN)"
    for s in DAYS + MOMENTS:
        for t in ["DATE", "TIMESTAMP", "TIMESTAMP_NTZ"]:
            yield f"CAST('{s}' AS {t})"
            yield f"TRY_CAST('{s}' AS {t})"
    for d in ["1.5", "2.5", "-1.5", "127.9", "128", "-128.5", "32767.5", "2147483647.9", "2147483648", "9223372036854775807", "9223372036854775808", "1e18", "999.995", "999.994", "1e38", "0.005",
              "1e-10", "123456789.123456789", "1e7", "1.0e7", "9999999.0", "0.001", "0.0001", "1e16", "1.1", "100", "3.4028235e38", "3.5e38", "1e-45", "16777217"]:
        for t in ["TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DECIMAL(5,2)", "DECIMAL(38,10)", "STRING", "TIMESTAMP"]:
            yield f"CAST(CAST('{d}' AS DOUBLE) AS {t})"
            yield f"CAST(CAST('{d}' AS DECIMAL(38,10)) AS {t})"
        yield f"CAST(CAST('{d}' AS FLOAT) AS STRING)"
        yield f"CAST(CAST('{d}' AS FLOAT) AS DOUBLE)"
        yield f"CAST(CAST('{d}' AS FLOAT) AS DECIMAL(20,5))"
        yield f"CAST(CAST('{d}' AS FLOAT) AS BIGINT)"
    for n in VALUES["BIGINT"] + VALUES["INT"] + ["127", "128", "-129", "40000", "999", "1000", "-1000", "100000L"]:
        for t in ["BOOLEAN", "TINYINT", "SMALLINT", "INT", "FLOAT", "DOUBLE", "DECIMAL(5,2)", "STRING", "BINARY", "TIMESTAMP"]:
            yield f"CAST({n} AS {t})"
            yield f"TRY_CAST({n} AS {t})"
    for q in ["CAST(array(1, NULL) AS ARRAY<STRING>)", "CAST(array('1', 'x') AS ARRAY<INT>)", "TRY_CAST(array('1', 'x') AS ARRAY<INT>)", "CAST(map('1', '2') AS MAP<INT, INT>)",
              "CAST(map(1, 2) AS MAP<STRING, STRING>)", "CAST(named_struct('a', '1', 'b', 2) AS STRUCT<x: INT, y: STRING>)", "CAST(named_struct('a', 1) AS STRUCT<x: INT, y: STRING>)",
              "CAST(array(array(1)) AS ARRAY<ARRAY<BIGINT>>)", "CAST(array(1.5D, 1e10D) AS STRING)", "CAST(named_struct('a', NULL, 'b', 'x,y') AS STRING)", "CAST(map('k', array(1)) AS STRING)",
              "CAST(array('a b', '', NULL) AS STRING)", "CAST(array(true) AS STRING)", "CAST(array(DATE '2024-01-01') AS STRING)", "CAST(array(X'61') AS STRING)", "'1'::INT", "1::STRING", "CAST('1' AS NOPE)",
              "CAST(1 AS DECIMAL(39,0))", "CAST(1 AS DECIMAL(5,6))", "CAST('abc' AS VARCHAR(2))", "CAST('abc' AS CHAR(5))", "CAST('ab' AS VARCHAR(2))", "CAST(123 AS VARCHAR(2))", "CAST(1 AS LONG)", "CAST(1 AS INTEGER)",
              "CAST(1 AS REAL)", "CAST('1' AS NUMERIC(3,1))", "CAST('1' AS DEC(3))", "CAST(1 AS BYTE)", "CAST(1 AS SHORT)",
              "CAST('now' AS DATE) IS NULL", "CAST('now' AS TIMESTAMP) IS NULL", "CAST('tomorrow' AS DATE) > CAST('today' AS DATE)", "CAST('yesterday' AS TIMESTAMP) < CAST('now' AS TIMESTAMP_NTZ)",
              "CAST('12:34:56' AS TIMESTAMP) IS NULL", "hour(CAST('T12:34' AS TIMESTAMP))", "CAST('12:34:56' AS TIMESTAMP_NTZ)", "CAST(' Epoch ' AS TIMESTAMP)", "3.4028235E38F", "3.4028234E38F"]:
        yield q


# Strings.
f("lower upper lcase ucase initcap reverse length char_length character_length len octet_length bit_length ascii hex quote md5 sha1 sha crc32", S + ["'ǅ ǆ İıSS ﬀ'", "'éÉ e\u0301'", "X'C3A4'"])
f("initcap", S + ["'hello wORLD foo-bar x_y'", "concat('a  b', chr(9), 'c')"])
f("unhex", ["'616263'", "'F'", "'xx'", "''", "NULL", "'6a6B'"])
f("base64", B)
f("unbase64", ["'YWJj'", "''", "'YQ=='", "'YQ'", "'@@@@'", "NULL"])
f("trim ltrim rtrim btrim", ["'xxaxx'", "'  a  '", "''", "concat(chr(9), 'a', chr(10))", "NULL"], ["'x'", "''", "'xa'", "NULL"])
f("lpad rpad", S, ["5", "0", "-1", "2", "NULL"], ["'xy'", "''", "NULL"])
f("repeat", S, N)
f("space chr char", N + ["65", "255", "256", "8364", "97L"])
f("left right", S, I)
f("substring substr", ["'ÄbcdeF€'"] + S[1:] + ["X'61626364'"], ["2", "0", "1", "-2", "-10", "10", "NULL", "2147483647", "-2147483648"], ["3", "0", "-1", "100", "2147483647", "NULL"], limit=120)
f("instr contains startswith endswith", ["'abcabc'", "''", "'äöä'", "NULL", "X'616263'"], ["'bc'", "''", "'ä'", "NULL", "'abcabc'", "X'62'"])
f("locate position", ["'bc'", "''", "'ä'", "NULL"], ["'abcabc'", "''", "'äöä'", "NULL"], ["1", "0", "-1", "3", "NULL", "100"])
f("replace translate", ["'abcabc'", "''", "'äöä'", "NULL"], ["'b'", "''", "'abc'", "'ä'", "NULL"], ["'x'", "''", "'€'", "NULL"])
f("split", ["'a,b,,c,'", "''", "'abc'", "NULL"], ["','", "''", "'[,b]'", "'('", "NULL"], ["-1", "0", "2", "1", "NULL"])
f("split_part", ["'a.b.c'", "''", "NULL"], ["'.'", "''", "'b'", "NULL"], ["2", "1", "-1", "0", "9", "NULL"])
f("substring_index", ["'a.b.c'", "''", "NULL"], ["'.'", "''", "'b.'", "NULL"], ["2", "1", "-1", "0", "9", "NULL"])
f("concat", S + ["1", "X'61'"], S + ["X'62'", "array(1)"])
f("concat_ws", ["'-'", "''", "NULL"], S[:2] + ["NULL", "array('x', NULL, 'y')"], ["'z'", "NULL", "array()"])
f("find_in_set", ["'b'", "''", "'a,b'", "NULL"], ["'a,b,c'", "''", "',a'", "NULL"])
f("levenshtein", ["'kitten'", "''", "'ä'", "NULL"], ["'sitting'", "''", "'a'", "NULL"])
f("overlay", ["'abcdef'", "''", "'äöü'", "NULL"], ["'XY'", "''", "NULL"], ["2", "0", "-1", "10", "NULL"], ["1", "0", "-1", "10", "NULL"])
f("format_number", ["1234567.891D", "0.5D", "-1.005D", "12345", "1234.5", "CAST('NaN' AS DOUBLE)", "1e20D", "NULL"], ["2", "0", "-1", "5", "NULL"])
f("sha2", ["'abc'", "''", "NULL"], ["256", "0", "224", "384", "512", "1", "NULL"])
f("luhn_check", ["'79927398713'", "'79927398714'", "'8112189876'", "'0'", "'00'", "'5'", "''", "' 18'", "'18x'", "'-18'", "'x18'", "'79 927'", "'１８'", "'٠٠'", "18", "18L", "18.0", "18.0D", "NULL"])
f("encode", S[:4] + ["NULL"], ["'UTF-8'", "'utf-16'", "'US-ASCII'", "'ISO-8859-1'", "'UTF-16LE'", "'nope'", "NULL"])
f("decode", ["X'616263'", "X''", "X'C3A4'", "X'FF'", "NULL"], ["'UTF-8'", "'utf-16'", "'US-ASCII'", "'ISO-8859-1'", "'nope'", "NULL"])


@area("strings")
def strings():
    yield from declared()
    for a, b in itertools.product(TYPICAL, TYPICAL):
        yield f"{a} || {b}"
    for a, b in itertools.product(S, S):
        yield f"{a} || {b}"
    for s in ["'abc'", "''", "'a%b_c'", "'ÄÖ'", "concat('a', chr(10), 'b')", "NULL", "'100%'", "'a\\b'", "'𝄞'"]:
        for p in ["'a%'", "'%'", "''", "'_'", "'___'", "'%b%'", "'a\\%b%'", "'Ä_'", "'a_b'", "NULL", "'abc'", "'100\\%'", "'%%'", "'a.c'"]:
            for op in ["LIKE", "ILIKE", "NOT LIKE"]:
                yield f"{s} {op} {p}"
        for p in ["'^a'", "'b$'", "'.'", "''", "'('", "'[Ä]'", "NULL"]:
            yield f"{s} RLIKE {p}"
    for t in TYPICAL:
        for op in ["LIKE", "RLIKE", "ILIKE"]:
            yield f"{t} {op} '2%'"
            yield f"'2' {op} {t}"
    for q in ["'a%c' LIKE 'a#%c' ESCAPE '#'", "'abc' LIKE 'a#%c' ESCAPE '#'", "'a' LIKE 'a' ESCAPE ''", "'a#' LIKE 'a#' ESCAPE '#'", "'abc' LIKE ANY ('x%', 'a%')", "'abc' LIKE ALL ('x%', 'a%')",
              "'abc' NOT LIKE ALL ('x%', 'y%')", "'abc' LIKE ANY ('x%', NULL)", "TRIM(BOTH 'x' FROM 'xax')", "TRIM(LEADING 'x' FROM 'xax')", "TRIM(TRAILING 'x' FROM 'xax')", "TRIM(LEADING FROM '  a ')",
              "TRIM('x' FROM 'xax')", "SUBSTRING('abc' FROM 2)", "SUBSTRING('abc' FROM 2 FOR 1)", "POSITION('b' IN 'abc')", "OVERLAY('abcd' PLACING 'X' FROM 2 FOR 1)", "OVERLAY('abcd' PLACING 'XYZ' FROM 2)",
              "'a' 'b'", "'it''s'", "'a\\b'", "'\\%'", "'abc' LIKE 'a\\bc'", "concat()", "concat('a')", "concat_ws(',')", "concat_ws(',', 'a', 1, NULL, true)"]:
        yield q


f("regexp_like regexp", ["'abc123'", "''", "'ÄÖ'", "concat('a', chr(10), 'b')", "NULL"], ["'[0-9]+'", "''", "'^a'", "'('", "'a.b'", "'\\d'", "'(?i)ABC'", "NULL"])
f("regexp_replace", ["'abc123'", "''", "'aXbXc'", "NULL"], ["'[0-9]'", "'X'", "''", "'('", "'(b)'", "NULL"], ["'-'", "''", "'[$1]'", "'$2'", "'\\$'", "NULL"])
f("regexp_extract", ["'100-200'", "''", "'abc'", "NULL"], ["'(\\d+)-(\\d+)'", "'b'", "'('", "NULL"], ["1", "0", "2", "3", "-1", "NULL"])
f("regexp_extract_all", ["'100-200, 300-400'", "''", "'abc'", "NULL"], ["'(\\d+)-(\\d+)'", "'b'", "NULL"], ["1", "0", "2", "3", "-1", "NULL"])
f("regexp_count regexp_instr regexp_substr", ["'a1b22'", "''", "NULL"], ["'[0-9]+'", "''", "'x'", "'('", "NULL"])
f("get_json_object", ["""'{"a": [1, {"b": "x"}], "c": null, "d": 1.50, "e f": true}'""", "''", "'[1, 2]'", "'nope'", "NULL"],
  ["'$.a'", "'$.a[1].b'", "'$.c'", "'$.d'", "'$'", "'$.a[*]'", "'$[1]'", "'$.x'", "'$[''e f'']'", "'a'", "'$.a[9]'", "'$.a[*].b'", "'$[*]'", "'$.*'", "'$.a[0][*]'", "NULL"])
JSON = ["""'[{"x": 1, "y": [1]}, {"x": 2, "y": [2, 3]}, {"y": []}]'""", """'[[1, 2], [3], []]'""", """'{"o": {"p": {"q": "s\\nt"}}, "n": [1.0, 2e3, -0, 12345678901234567890, 1e400], "u": "\\u00e4/"}'""",
        """'[1]'""", """'{"a": 1, "a": 2}'""", """'"s"'""", "'5'"]
PATHS = ["$[*].x", "$[*].y", "$[*].y[*]", "$[*][*]", "$[0][*]", "$[*][0]", "$.o.p.q", "$.o.*", "$.o", "$.n", "$.n[*]", "$.n[4]", "$.u", "$.a", "$", "$[0]", "$[", "$.", "$..a", "$[-1]", " $.a"]
f("json_array_length", ["'[1, [2], {}]'", "'[]'", "'{}'", "'x'", "''", "'[1'", "NULL"])
f("to_json", ["named_struct('a', 1, 'b', 'x\"y', 'c', NULL)", "array(1, NULL)", "map('k', 1.5)", "named_struct('d', DATE '2024-02-29', 't', TIMESTAMP '2024-02-29 12:34:56.5', 'f', 1e10D, 'n', CAST('NaN' AS DOUBLE), 'b', X'6162')",
              "array(named_struct('a', 1))", "map(1, 'a')", "NULL"])


@area("patterns")
def patterns():
    for text, path in itertools.product(JSON, PATHS):
        yield f"get_json_object({text}, '{path}')"
    yield from declared()
    for v in ANY:
        yield f"to_json(named_struct('v', {v}))"
        yield f"hash({v})"
        yield f"xxhash64({v})"
        yield f"typeof({v})"
    for q in ["hash()", "hash(1, 'a', NULL)", "xxhash64(1, 'a')", "hash(array(1, 2), map(1, 2))", "hash(named_struct('a', 1, 'b', 'x'))", "regexp_replace('aaa', 'a', 'b', 2)", "regexp_replace('aaa', 'a', 'b', 0)",
              "to_json(array())", "hash(CAST(1.5 AS DECIMAL(38,10)))", "xxhash64(CAST(1.5 AS DECIMAL(38,10)))", "hash('longer than thirty-two bytes, so that all lanes are used')",
              "xxhash64('longer than thirty-two bytes, so that all lanes are used')"]:
        yield q


# Numbers.
f("acos asin atan cos cosh sin sinh tan tanh cot exp expm1 ln log10 log1p log2 sqrt cbrt degrees radians rint isnan sign signum", D)
f("abs negative positive ceil ceiling floor", [v for t in NUMBERS for v in VALUES[t]] + ["2.5", "-2.5", "1.4999D", "-0.5D", "INTERVAL '-1' DAY"])
f("round bround", ["2.5", "-2.5", "3.5", "1234.5678", "2.5D", "-2.5D", "0.125D", "1e300D", "15", "-15", "25", "127Y", "2147483647", "9223372036854775807L", "2.5F", "CAST('NaN' AS DOUBLE)", "NULL",
                   "99999999999999999999999999999999999.9"], ["0", "1", "2", "-1", "-2", "20", "-40", "NULL"], limit=200)
f("ceil floor", ["2.55", "-2.55", "2.55D", "-0.5D", "15", "-15", "127Y", "9223372036854775807L", "NULL"], ["0", "1", "-1", "-2", "20"])
f("atan2 hypot pow power nanvl", D, D, limit=150)
f("log", D, D, limit=150)
f("pmod mod try_mod try_add try_subtract try_multiply try_divide",
  ["7", "-7", "0", "7L", "9223372036854775807L", "-9223372036854775808L", "2147483647", "-2147483648", "7.5", "-7.5D", "1e300D", "127Y", "NULL"],
  ["3", "-3", "0", "3L", "-1L", "2147483647", "2.5", "-2.5D", "0.0", "0D", "1e300D", "2Y", "NULL"], limit=180)
f("factorial", ["5", "0", "20", "21", "-1", "NULL", "5L"])
f("bin bit_count", VALUES["BIGINT"] + VALUES["INT"] + ["true", "-1L"])
f("shiftleft shiftright", ["8", "-8", "8L", "-8L", "NULL", "2147483647"], ["1", "0", "31", "32", "63", "64", "-1", "NULL"])
f("greatest least", ["1", "NULL", "'a'", "1.5", "2L", "CAST('NaN' AS DOUBLE)", "DATE '2024-02-29'", "X'61'"], ["2", "NULL", "'b'", "-1.5D", "0.5F", "DATE '2023-01-01'", "X'62'"])
f("width_bucket", ["5.3D", "0.2D", "10.6D", "-1D", "11", "7.99999", "1e300D", "CAST('NaN' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)", "NULL"],
  ["0.2D", "10.6D", "-1e300D", "CAST('-Infinity' AS DOUBLE)", "NULL"], ["10.6D", "0.2D", "0", "1e300D", "CAST('NaN' AS DOUBLE)", "NULL"],
  ["5", "0", "-3L", "9223372036854775807L", "9223372036854775806L", "2.5", "'4'", "NULL"], limit=300)
f("e pi")


@area("numbers")
def numbers():
    yield from declared()
    for v in [v for t in NUMBERS for v in VALUES[t]] + ["2.5", "-2.5", "1.4999D", "-0.5D", "1e20D", "INTERVAL '-1' DAY", "'2.5'", "'x'", "true", "99999999999999999999999999999999999999.0"]:
        for name in ["abs", "negative", "positive", "ceil", "ceiling", "floor", "sign", "round", "bround", "sqrt", "isnan", "exp", "ln"]:
            yield f"{name}({v})"
    for t in TYPICAL:
        for name in ["abs", "negative", "positive", "ceiling"]:
            yield f"{name}({t})"
    for a, b in itertools.product(TYPICAL, TYPICAL):
        yield f"greatest({a}, {b})"
    for q in ["greatest(1)", "least(1)", "greatest(1, 2, NULL, 3)", "round(2.5, 1 + 1)", "log(2, 8)", "log(10)", "log(0)", "ln(-1)", "sqrt(-1)", "pow(0, 0)", "pow(-8, 1D/3)", "ceil(1.5, 0)",
              "ceil(-0.1)", "floor(-0.1)", "ceil(-0.1D)", "round(-0.4)", "round(-0.4D)", "round(0.5D)", "round(1.5F)", "round(2.675D, 2)", "round(1.005D, 2)", "bround(2.5)", "bround(3.5)", "round(12345, -3)",
              "round(55555L, -5)", "round(-128Y, -1)", "round(127Y, -1)", "round(127Y, -2)", "mod(7, 0)", "pmod(-7, 0)", "pmod(-7, -3)", "pmod(7, -3)", "pmod(-7.5, 2)", "bit_count(true)", "abs(-2147483648)",
              "negative(-2147483648)", "abs('x')", "-'1'", "try_divide(1, 0)", "width_bucket(INTERVAL '1' DAY, INTERVAL '0' DAY, INTERVAL '10' DAY, 11)", "width_bucket(INTERVAL '7' MONTH, INTERVAL '0' MONTH, INTERVAL '2' YEAR, 7)",
              "width_bucket(INTERVAL '7' MONTH, INTERVAL '2' YEAR, INTERVAL '0' MONTH, 7)", "width_bucket(INTERVAL '23' MONTH, INTERVAL '2' YEAR, INTERVAL '0' MONTH, 7)",
              "width_bucket(INTERVAL '25' HOUR, INTERVAL '10' DAY, INTERVAL '-0.5' SECOND, 1000)", "width_bucket(INTERVAL '7' MONTH, INTERVAL '2' YEAR, INTERVAL '3' DAY, 7)",
              "width_bucket(INTERVAL '2562047788' HOUR, INTERVAL '-2562047788' HOUR, INTERVAL '2562047788' HOUR, 10)", "width_bucket(3, 0, 10, 9223372036854775806L)",
              "width_bucket(10, 0, 10, 9223372036854775806L)", "width_bucket(INTERVAL '178956970' YEAR, INTERVAL '-178956970' YEAR, INTERVAL '178956970' YEAR, 10)", "width_bucket('x', 0, 10, 5)",
              "rand(1) < 1", "random(1) < 1", "rand('x')", "random(NULL) < 1", "rand(1.5)", "length(uuid())", "uuid(1, 2, 3)", "typeof(rand())", "typeof(uuid())", "try_add(DATE '2024-01-31', INTERVAL 1 MONTH)", "try_add(2147483647, 1)", "shiftrightunsigned(-8, 1)"]:
        yield q


# Dates.
f("year quarter month day dayofmonth dayofweek weekday dayofyear weekofyear last_day dayname monthname unix_date", DATES + TS[:2] + NTZ[:2] + ["'2024-02-29'", "'x'"])
f("hour minute second", TS + NTZ + ["'2024-02-29 12:34:56'", "'x'", "DATE '2024-02-29'"])
f("unix_micros unix_millis unix_seconds", TS + ["'2024-02-29 12:34:56'", "NULL"])
f("add_months", DATES + ["'2024-01-31'", "TIMESTAMP '2024-01-31 12:00:00'"], ["1", "0", "-1", "12", "2147483647", "NULL"])
f("date_add date_sub dateadd", DATES + ["'2024-01-31'", "TIMESTAMP '2024-01-31 12:00:00'"], ["1", "0", "-1", "365", "2147483647", "NULL", "1S", "2Y", "1L", "'1'"])
f("datediff date_diff", DATES + ["TIMESTAMP '2024-01-31 12:00:00'", "'2024-01-01'"], ["DATE '2024-01-31'", "DATE '0001-01-01'", "TIMESTAMP '2024-02-29 23:00:00'", "'2024-01-01'", "NULL"])
f("date_format", TS + ["DATE '2024-02-09'", "TIMESTAMP '2024-02-09 03:04:05.067'"],
  ["'yyyy-MM-dd'", "'dd.MM.yy HH:mm:ss'", "'EEE, d MMM yyyy'", "'EEEE MMMM'", "'hh:mm a'", "'yyyy-MM-dd''T''HH:mm:ss.SSSSSS'", "'D'", "'Q'", "'qqq'", "'u'", "'w'", "'YYYY'", "'S'", "'SSS'", "'n'", "'L LL LLL LLLL'", "'G'", "'VV z O X XXX'",
   "''", "'e'", "'k K h H'", "'F'", "'yyyyyy'", "'bad ''open'", "NULL"], limit=200)
f("date_from_unix_date", ["19782", "0", "-1", "2932896", "2147483647", "-2147483648", "NULL"])
f("date_trunc", UNITS, TS[:3] + NTZ[:1], limit=80)
f("trunc", DATES + ["TIMESTAMP '2024-02-29 12:00:00'", "'2024-02-29'"], UNITS, limit=140)
f("make_date", ["2024", "0", "10000", "-1", "NULL"], ["2", "13", "0", "NULL"], ["29", "30", "0", "NULL"])
f("make_timestamp", ["2024", "NULL"], ["2", "13"], ["29", "30"], ["12", "24"], ["34", "60"], ["56.5", "60", "60.5", "59.9999999", "-1"])
f("months_between", ["TIMESTAMP '2024-03-31 12:00:00'", "DATE '2024-02-29'", "DATE '2024-01-31'", "NULL"], ["TIMESTAMP '2024-01-15 06:00:00'", "DATE '2024-02-29'", "DATE '2023-02-28'", "NULL"], ["true", "false", "NULL"])
f("next_day", DATES, ["'MON'", "'monday'", "'TU'", "'Sat'", "'x'", "''", "NULL"])
f("from_unixtime", ["1709210096L", "0L", "-1L", "253402300799L", "NULL"], ["'yyyy-MM-dd HH:mm:ss'", "'yyyy'", "''", "NULL"])
f("unix_timestamp to_unix_timestamp", ["'2024-02-29 12:34:56'", "'x'", "DATE '2024-02-29'", "TIMESTAMP '2024-02-29 12:34:56.7'", "NULL"], ["'yyyy-MM-dd HH:mm:ss'", "'yyyy'", "NULL"])
f("from_utc_timestamp to_utc_timestamp", ["TIMESTAMP '2024-03-31 01:30:00'", "TIMESTAMP '2024-07-01 12:00:00'", "TIMESTAMP '0001-01-01 00:00:00'", "'2024-02-29 12:00:00'", "NULL"], ZONES)
f("timestamp_micros timestamp_millis timestamp_seconds", ["1709210096", "0L", "-1L", "9223372036854775807L", "1.5", "NULL"])
f("to_date to_timestamp to_timestamp_ntz", ["'2024-02-29'", "'29.02.2024'", "'2024-02-29 12:34:56'", "'x'", "''", "NULL"],
  ["'yyyy-MM-dd'", "'dd.MM.yyyy'", "'yyyy-MM-dd HH:mm:ss'", "'d.M.yy'", "'yyyyMMdd'", "NULL"])
f("date timestamp", ["'2024-02-29'", "DATE '2024-02-29'", "TIMESTAMP '2024-02-29 12:34:56'", "'x'", "NULL"])


FIELDS = ["YEAR", "YEAROFWEEK", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFWEEK", "DOW", "DAYOFWEEK_ISO", "DOY", "HOUR", "MINUTE", "SECOND", "Y", "MON", "MINS", "SECS", "nope", "EPOCH"]


@area("dates")
def dates():
    yield from declared()
    moments = [v for t in ["DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "INTERVAL DAY", "INTERVAL YEAR"] for v in VALUES[t]] + ["'2024-02-29 12:34:56.7'", "DATE '2020-12-31'", "DATE '2021-01-03'", "DATE '2018-12-31'", "NULL", "1"]
    for field in FIELDS:
        for m in moments:
            yield f"EXTRACT({field} FROM {m})"
            yield f"date_part('{field}', {m})"
        yield f"datepart('{field}', TIMESTAMP '2024-02-29 12:34:56')"
    for u in UNITS + ["'DECADE'", "'CENTURY'", "1"]:
        for m in TS[:4] + NTZ[:2] + ["DATE '2024-02-29'", "'2024-02-29 12:34:56'", "NULL"]:
            yield f"date_trunc({u}, {m})"
    for u in ["MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "DAYOFYEAR", "WEEK", "MONTH", "QUARTER", "YEAR", "NOPE"]:
        for m in ["TIMESTAMP '2024-01-31 12:34:56.789'", "TIMESTAMP_NTZ '2024-02-29 00:00:00'", "DATE '2024-02-29'", "'2024-02-29'", "NULL"]:
            for n in ["1", "-13", "0", "100L", "NULL", "1.5"]:
                yield f"timestampadd({u}, {n}, {m})"
            for o in ["TIMESTAMP '2025-03-01 00:00:00'", "DATE '2020-02-29'", "TIMESTAMP '2024-01-31 12:34:56.788'"]:
                yield f"timestampdiff({u}, {m}, {o})"
    for y in range(2018, 2027):
        for md in ["01-01", "01-04", "12-28", "12-31", "07-15"]:
            d = f"DATE '{y}-{md}'"
            yield from [f"weekofyear({d})", f"EXTRACT(YEAROFWEEK FROM {d})", f"date_trunc('WEEK', {d})", f"dayofweek({d})", f"trunc({d}, 'WEEK')"]
    for s in DAYS:
        yield f"DATE '{s}'"
        yield f"to_date('{s}')"
    for s in MOMENTS:
        yield f"TIMESTAMP '{s}'"
        yield f"to_timestamp('{s}')"
        yield f"to_timestamp_ntz('{s}')"
    for v, p in [("5:6", "H:m"), ("2024-060", "yyyy-DDD"), ("Feb 2024", "MMM yyyy"), ("February 1, 2024", "MMMM d, yyyy"), ("12/31/99", "MM/dd/yy"), ("2024-02-29 03:04 PM", "yyyy-MM-dd hh:mm a"),
                 ("2024-02-29T12:00:00.123Z", "yyyy-MM-dd'T'HH:mm:ss.SSSX"), ("2024-02-29 12:00:00 +0200", "yyyy-MM-dd HH:mm:ss Z"), ("2024-02-29 x", "yyyy-MM-dd"), ("2024-2-9", "yyyy-MM-dd"),
                 ("2024-2-9", "yyyy-M-d"), ("Thu 29 Feb 2024", "EEE dd MMM yyyy"), ("20240229123456", "yyyyMMddHHmmss"), ("2024-02-29 12:34:56.123", "yyyy-MM-dd HH:mm:ss.SSS"), ("10000", "yyyy"), ("29", "dd"), ("12", "HH"),
                 ("2024-02-30", "yyyy-MM-dd"), ("2024-02-29 12:00 Europe/Berlin", "yyyy-MM-dd HH:mm VV"), ("a2024", "'a'yyyy"), ("2024", "yyyy[-MM]")]:
        q = p.replace("'", "''")
        for name in ["to_date", "to_timestamp", "unix_timestamp"]:
            yield f"{name}('{v}', '{q}')"
    for q in ["INTERVAL 1 DAY", "INTERVAL '1' DAY", "INTERVAL 1 YEAR", "INTERVAL '1-2' YEAR TO MONTH", "INTERVAL 1 DAY 2 HOURS", "INTERVAL '1 day 2 hours'", "INTERVAL 1 MONTH 1 DAY", "INTERVAL 1.5 SECOND",
              "INTERVAL '1:02' HOUR TO MINUTE", "INTERVAL -1 DAY", "INTERVAL '-1 02:03:04.123456' DAY TO SECOND", "INTERVAL 'x' DAY", "INTERVAL 1 NOPE", "TIMESTAMP_LTZ '2024-02-29 00:00:00'", "TIME '12:34:56'",
              "DATE'2024-02-29'", "datediff(MONTH, DATE '2024-01-31', DATE '2024-02-29')", "dateadd(MONTH, 1, DATE '2024-01-31')", "date_add(MONTH, 1, DATE '2024-01-31')", "current_date() IS NULL",
              "current_timestamp() IS NULL", "now() IS NULL", "typeof(current_date())", "typeof(current_timestamp())", "typeof(localtimestamp())", "typeof(now())", "typeof(curdate())", "unix_timestamp() > 0", "typeof(unix_timestamp())",
              "make_timestamp(2024, 2, 29, 12, 34, 56.789012)", "make_timestamp(2024, 2, 29, 12, 34, 56, 'Europe/Berlin')", "make_date(2023, 2, 29)", "CURRENT_DATE IS NULL", "CURRENT_TIMESTAMP IS NULL"]:
        yield q


INTERVALS = ["YEAR", "MONTH", "YEAR TO MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "DAY TO HOUR", "DAY TO MINUTE", "DAY TO SECOND", "HOUR TO MINUTE", "HOUR TO SECOND", "MINUTE TO SECOND"]
SPANS = ["INTERVAL '-3' YEAR", "INTERVAL '14' MONTH", "INTERVAL '-1-2' YEAR TO MONTH", "INTERVAL '5' DAY", "INTERVAL '30' HOUR", "INTERVAL '-90' MINUTE", "INTERVAL '100.25' SECOND", "INTERVAL '1 02' DAY TO HOUR",
         "INTERVAL '-1 02:03' DAY TO MINUTE", "INTERVAL '1 02:03:04.5' DAY TO SECOND", "INTERVAL '25:01' HOUR TO MINUTE", "INTERVAL '25:01:59.999999' HOUR TO SECOND", "INTERVAL '-61:00.000001' MINUTE TO SECOND"]


def quoted(s):
    """A string that may hold quotes, which the engines escape in different ways."""
    return f"replace('{s}', '#', chr(39))" if "#" in s else f"'{s}'"


@area("intervals")
def intervals():
    texts = ["1", "-1", "+1", "--1", " 1 ", "0", "00012", "1.5", ".5", "1.", "1-2", "-1-11", "1-12", "0-0", "178956970-7", "178956970-8", "-178956970-8", "1 2", "1 02", "-1 23", "1 24", "1 2:3", "1 02:03", "1 02:60",
             "1 2:3:4", "1 02:03:04.5", "-1 02:03:04.123456", "1 02:03:04.1234567", "1 02:03:60", "106751991 04:00:54.775807", "106751991 04:00:54.775808", "-106751991 04:00:54.775808", "2:3", "25:59", "2:3:4", "25:59:59.999999",
             "2:60", "90:30.5", "1:02:03.123456789", "1:02:03.1234567891", "2147483647", "2147483648", "178956970", "178956971", "106751991", "106751992", "2562047788", "2562047789", "9223372036854", "9223372036855",
             "1.000000", "0.0000001", "x", "", "1 day", "interval #1# day", "INTERVAL #1# DAY", "INTERVAL -#1# YEAR", "INTERVAL #1-2# YEAR TO MONTH", "interval #-1 02:03:04# day to second", "1  2"]
    for t in INTERVALS:
        for s in texts:
            if "#" not in s:
                yield f"INTERVAL '{s}' {t}"
            yield f"CAST({quoted(s)} AS INTERVAL {t})"
        for n in ["7Y", "-7S", "2147483647", "-2147483648", "9223372036854775807L", "13L", "2.5", "-2.5", "1.4999999", "99999999999999999999.5", "0.0000005", "NULL"]:
            yield f"CAST({n} AS INTERVAL {t})"
        for v in SPANS:
            yield f"CAST({v} AS INTERVAL {t})"
    for t in ["SECOND TO DAY", "MONTH TO YEAR", "YEAR TO DAY", "DAY TO DAY", "WEEK", "MILLISECOND"]:
        yield from [f"INTERVAL '1' {t}", f"INTERVAL '1-2' {t}", f"CAST('1' AS INTERVAL {t})"]
    for v in SPANS:
        yield from [v, f"-({v})", f"abs({v})", f"sign({v})", f"typeof({v})", f"hash({v})", f"xxhash64({v})", f"array({v})", f"to_json(named_struct('v', {v}))", f"{v} IS NULL", f"-{v}", f"{v} = '1'", f"{v} < NULL", f"concat({v}, '')",
                    f"year({v})", f"hour({v})", f"{v} IN ({v}, NULL)", f"nullif({v}, {v})", f"DATE '2024-01-31' + {v}", f"DATE '2024-01-31' - {v}", f"{v} + TIMESTAMP '2024-01-31 01:00:00'", f"TIMESTAMP_NTZ '2024-01-31 01:00:00' - {v}",
                    f"{v} + '2024-01-31'", f"'2024-01-31' - {v}", f"'2024-01-31 00:00:00' + {v}", f"try_add({v}, {v})", f"try_subtract(DATE '2024-01-31', {v})", f"{v} + INTERVAL '1' DAY", f"INTERVAL '1' YEAR - {v}"]
        for t in ["TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL(5,1)", "DECIMAL(20,6)", "STRING", "BOOLEAN", "DOUBLE", "INTERVAL"]:
            yield f"CAST({v} AS {t})"
        for field in FIELDS:
            yield f"EXTRACT({field} FROM {v})"
        for n in ["2", "0.3", "-1.5D", "0", "0.0D", "NULL", "3Y", "'1.5'", "1E300D", "2147483647", "CAST('NaN' AS DOUBLE)", "1E-10D"]:
            yield from [f"{v} * {n}", f"{v} / {n}"]
    for a, b in itertools.product(SPANS, SPANS):
        yield from [f"{a} + {b}", f"{a} < {b}", f"coalesce(NULL, {a}, {b})", f"{a} DIV {b}"]
    largest = ["INTERVAL '178956970-7' YEAR TO MONTH", "INTERVAL '-178956970-8' YEAR TO MONTH", "INTERVAL '106751991 04:00:54.775807' DAY TO SECOND", "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND", "INTERVAL '2147483647' MONTH", "INTERVAL '106751991' DAY"]
    for v in largest:
        yield from [v, f"{v} + {v}", f"{v} - {v}", f"-({v})", f"abs({v})", f"{v} * 2", f"{v} / -1", f"{v} / -1.0", f"{v} / 0.5D", f"{v} * -1L", f"DATE '2024-01-31' + {v}", f"TIMESTAMP '2024-01-31 00:00:00' + {v}", f"{v} DIV INTERVAL '-1' MONTH",
                    f"{v} DIV INTERVAL '-0.000001' SECOND", f"CAST({v} AS STRING)", f"CAST({v} AS BIGINT)", f"sum(a) FROM (VALUES ({v}), ({v})) AS t(a)", f"avg(a) FROM (VALUES ({v}), ({v})) AS t(a)", f"try_add({v}, {v})", f"try_multiply({v}, 3)",
                    f"try_divide({v}, 0)"]
    for q in ["1 YEAR 2 MONTHS", "1 MONTH 2 YEARS", "1 WEEK", "2 WEEKS 3 DAYS", "1 DAY 1 DAY", "1 HOUR 30 SECONDS", "-1 HOUR 30 MINUTES", "- 1 HOUR", "1 DAY -2 HOURS", "1 MILLISECOND", "1500 MILLISECONDS", "1 MICROSECOND", "0.5 SECONDS",
              "1.1234567 SECOND", "1.5 DAY", "1.5 MINUTES", "-'1' DAY", "-'-1' DAY", "- '1-2' YEAR TO MONTH", "-'-1 02' DAY TO HOUR", "'1' DAY '2' HOURS", "'1 day' DAY", "'1 2' DAY", "2147483648 MONTHS", "2147483647 DAYS", "2147483648 DAYS", "200000000 YEARS",
              "9223372036854775807 MICROSECONDS", "9223372036854775808 MICROSECONDS", "106751991 DAYS 5 HOURS", "1 NANOSECOND", "1 DAY 1 MONTH", "1 YEAR 1 WEEK", "'' DAY", "NULL DAY", "true DAY",
              "'1 year 2 months'", "'-1 year 2 months'", "'- 1 day'", "'+1 day'", "'1 week 1 day'", "'1 day 12 hours 30 minutes 1.5 seconds'", "'interval 1 day'", "'INTERVAL 1 DAY'", "'1 DAYS'", "'1 day'", "'1day'", "'1 dayss'", "'1 d'", "'1.5 days'",
              "'1.5 seconds'", "'-1.5 seconds'", "'-0.5 seconds'", "'.5 seconds'", "'1. seconds'", "'1.1234567891 seconds'", "'1 month 1 day'", "'1'", "''", "'day'", "'1 day 2'", "'1 millisecond'", "'5 milliseconds 3 microseconds'", 
              "'1 2 day'", "'1 day, 2 hours'", "'2147483648 months'", "'106751992 days'"]:
        yield f"INTERVAL {q}"
    for s in ["1 day", "1 month 1 day", "1 year 2 months 3 days 4 hours 5 minutes 6.5 seconds", "-1 year -2 days", "-13 months", "interval 1 day", "0 days", "", "x", "1", "1.5 seconds", "-0.5 seconds", "1 week", "25 hours", "INTERVAL #1# DAY", "1 microsecond"]:
        q = f"CAST({quoted(s)} AS INTERVAL)"
        yield from [f"{q}", f"DATE '2024-01-31' + {q}", f"TIMESTAMP '2024-01-31 01:02:03' - {q}", f"{q} * 2", f"{q} / 3", f"-{q}",
                    f"{q} + CAST('1 month' AS INTERVAL)", f"EXTRACT(DAY FROM {q})", f"EXTRACT(SECOND FROM {q})", f"EXTRACT(MONTH FROM {q})"]
    c = "CAST('1 month 2 days' AS INTERVAL)"
    yield from [f"{c} = {c}", f"{c} < {c}", f"{c} <=> {c}", f"coalesce({c}, NULL)", f"{c} + INTERVAL '1' DAY", f"{c} = INTERVAL '1' DAY", f"hash({c})", f"xxhash64({c})", f"typeof({c})", f"to_json(named_struct('v', {c}))", f"CAST({c} AS INT)", f"abs({c})", f"sign({c})",
                f"count(DISTINCT a) FROM (VALUES ({c}), (CAST('1 month 48 hours' AS INTERVAL))) AS t(a)", f"sum(a) FROM (VALUES ({c})) AS t(a)", f"min(a) FROM (VALUES ({c})) AS t(a)", f"EXTRACT(YEAR FROM {c})", f"EXTRACT(WEEK FROM {c})", f"CAST({c} AS INTERVAL DAY)",
                f"CAST(INTERVAL '1' DAY AS INTERVAL)", f"CAST(NULL AS INTERVAL)", f"array({c})", f"{c} IN ({c})", f"NULL + {c}", f"{c} + NULL", f"2 * {c}", f"{c} / 0", f"{c} + 1", f"'2024-01-31' + {c}", f"{c} + DATE '2024-01-31'"]
    yield from ["make_ym_interval()", "make_ym_interval(1)", "make_ym_interval(1, 2)", "make_ym_interval(-1, -14)", "make_ym_interval(178956970, 8)", "make_ym_interval(NULL, 1)", "make_ym_interval('1', 2)", "make_dt_interval()", "make_dt_interval(1)",
                "make_dt_interval(1, 2, 3, 4.5)", "make_dt_interval(-1, 25, -61, 0.000001)", "make_dt_interval(1, 2, 3, 4.1234567)", "make_dt_interval(106751992)", "make_dt_interval(NULL)", "make_dt_interval(1, 2, 3, 4, 5)", "make_interval()", "make_interval(1, 2, 3, 4, 5, 6, 7.5)",
                "make_interval(-1, 2)", "make_interval(0, 0, 1, 1)", "make_interval(178956971)", "make_interval(1, NULL)", "try_make_interval(178956971)"]
    for a, b in [("DATE '2024-03-01'", "DATE '2024-01-31'"), ("DATE '-5877641-06-23'", "DATE '+5881580-07-11'"), ("TIMESTAMP '-290308-12-22 00:00:00'", "TIMESTAMP '294247-01-10 00:00:00'"), ("TIMESTAMP_NTZ '2024-01-01 00:00:00'", "'2024-01-01'"),
                 ("'2024-01-02'", "DATE '2024-01-01'"), ("'2024-01-02'", "TIMESTAMP '2024-01-01 00:00:00'"), ("NULL", "DATE '2024-01-01'"), ("DATE '2024-01-01'", "NULL"), ("TIMESTAMP '2024-01-01 00:00:00'", "NULL"), ("NULL", "TIMESTAMP_NTZ '2024-01-01 00:00:00'")]:
        yield from [f"{a} - {b}", f"try_subtract({a}, {b})"]
    for a, b, c in [("DATE '2024-01-31'", "DATE '2024-02-03'", "INTERVAL '1' DAY"), ("DATE '2024-01-31'", "DATE '2024-02-03'", "INTERVAL '36' HOUR"), ("DATE '2024-01-31'", "DATE '2024-02-01'", "INTERVAL '6' HOUR"), ("DATE '2024-01-31'", "DATE '2024-04-30'", "INTERVAL '1' MONTH"),
                    ("DATE '2024-03-31'", "DATE '2024-01-01'", "INTERVAL '-1' MONTH"), ("TIMESTAMP '2024-01-31 00:00:00'", "TIMESTAMP '2024-02-01 00:00:00'", "INTERVAL '6' HOUR"), ("TIMESTAMP '2024-01-31 00:00:00'", "TIMESTAMP '2024-02-03 00:00:00'", "INTERVAL '1 12' DAY TO HOUR"),
                    ("TIMESTAMP_NTZ '2024-01-31 00:00:00'", "TIMESTAMP_NTZ '2024-02-03 00:00:00'", "INTERVAL 1 DAY"), ("DATE '2024-01-31'", "DATE '2024-02-03'", "INTERVAL '0' DAY"), ("DATE '2024-01-31'", "DATE '2024-01-31'", "INTERVAL '0' DAY"), ("DATE '2024-01-31'", "DATE '2024-02-03'", "INTERVAL '-1' DAY"),
                    ("DATE '2024-01-31'", "DATE '2024-02-03'", "CAST('1 day' AS INTERVAL)"), ("DATE '2024-01-31'", "DATE '2024-04-03'", "CAST('1 month 1 day' AS INTERVAL)"), ("DATE '2024-01-31'", "DATE '2024-02-03'", "1"), ("TIMESTAMP '2024-01-31 00:00:00'", "DATE '2024-02-02'", "INTERVAL '1' DAY")]:
        yield from [f"sequence({a}, {b}, {c})", f"sequence({a}, {b})"]


FAR = ["TIMESTAMP '2024-02-09 01:02:03.004005'", "TIMESTAMP_NTZ '-0044-03-15 13:00:00'", "TIMESTAMP '12345-11-30 12:00:00'", "DATE '0000-01-01'", "TIMESTAMP '294247-01-10 04:00:54.775807'", "'2024-12-31 23:59:59.999999'"]
TEXTS = [("2024-02-09", "yyyy-MM-dd"), ("2024-2-9", "yyyy-M-d"), ("2024-02-9", "yyyy-MM-d"), ("24-02-09", "yy-MM-dd"), ("99-02-09", "yy-MM-dd"), ("12345-02-09", "yyyy-MM-dd"), ("+12345-02-09", "yyyy-MM-dd"), ("-0044-03-15", "yyyy-MM-dd"), ("44 BC", "y G"), ("2024 AD", "yyyy G"), ("2024-366", "yyyy-DDD"),
         ("2023-366", "yyyy-DDD"), ("2024 9", "yyyy D"), ("2024-02", "yyyy-MM"), ("02-09", "MM-dd"), ("29-02", "dd-MM"), ("2024-02-30", "yyyy-MM-dd"), ("2024-04-31", "yyyy-MM-dd"), ("2024-13-01", "yyyy-MM-dd"), ("2024-00-01", "yyyy-MM-dd"), ("20240209", "yyyyMMdd"), ("202429", "yyyyMd"), ("9 Feb 2024", "d MMM yyyy"),
         ("9 FEB 2024", "d MMM yyyy"), ("9 february 2024", "d MMMM yyyy"), ("9 Febr 2024", "d MMM yyyy"), ("Feb", "MMM"), ("Feb", "LLL"), ("12:30", "HH:mm"), ("24:00", "HH:mm"), ("24:00", "kk:mm"), ("0:30", "kk:mm"), ("12:30 AM", "hh:mm a"), ("12:30 pm", "hh:mm a"), ("0:30 PM", "KK:mm a"), ("0:30 PM", "K:mm a"), ("13:30 PM", "hh:mm a"),
         ("11:30", "hh:mm"), ("PM", "a"), ("12:30 PM", "HH:mm a"), ("14:30 AM", "HH:mm a"), ("1:2:3", "H:m:s"), ("01:02:03.1", "HH:mm:ss.S"), ("01:02:03.123", "HH:mm:ss.S"), ("01:02:03.1", "HH:mm:ss.SSS"), ("01:02:03.123456789", "HH:mm:ss.SSSSSSSSS"), ("01:02:03.1234567", "HH:mm:ss.SSSSSS"), ("01:02:60", "HH:mm:ss"),
         ("2024-02-09T01:02:03Z", "yyyy-MM-dd#T#HH:mm:ssX"), ("2024-02-09 01:02 +01", "yyyy-MM-dd HH:mm X"), ("2024-02-09 01:02 +0130", "yyyy-MM-dd HH:mm XX"), ("2024-02-09 01:02 +01:30", "yyyy-MM-dd HH:mm XXX"), ("2024-02-09 01:02 Z", "yyyy-MM-dd HH:mm XXX"), ("2024-02-09 01:02 Z", "yyyy-MM-dd HH:mm x"),
         ("2024-02-09 01:02 +0100", "yyyy-MM-dd HH:mm Z"), ("2024-02-09 01:02 GMT+01:00", "yyyy-MM-dd HH:mm ZZZZ"), ("2024-02-09 01:02 GMT+1", "yyyy-MM-dd HH:mm O"), ("2024-02-09 01:02 PST", "yyyy-MM-dd HH:mm z"), ("2024-02-09 01:02 UTC", "yyyy-MM-dd HH:mm z"), ("2024-02-09 01:02 CET", "yyyy-MM-dd HH:mm z"),
         ("2024-02-09 01:02 Europe/Berlin", "yyyy-MM-dd HH:mm VV"), ("2024-02-09 01:02 +01:00", "yyyy-MM-dd HH:mm VV"), ("2024-02-09 01:02 nope", "yyyy-MM-dd HH:mm VV"), (" 2024-02-09", "yyyy-MM-dd"), ("2024-02-09 ", "yyyy-MM-dd"), ("2024-02-09x", "yyyy-MM-dd"), ("", "yyyy-MM-dd"), ("2024-02-09 ", "yyyy-MM-dd "), ("x2024", "#x#yyyy"),
         ("X2024", "#x#yyyy"), ("2024", "yyyy[-MM]"), ("2024-02", "yyyy[-MM]"), ("2024-02-09", "yyyy[-MM][-dd]"), ("2024-09", "yyyy[-MM][-dd]"), ("2024-02-09 10", "yyyy-MM-dd[ HH[:mm]]"), ("2024-02-09 10:11", "yyyy-MM-dd[ HH[:mm]]"), ("2024Q1", "yyyy#Q#Q"), ("Fri", "E"), ("5", "d"), ("31", "d"), ("32", "d"), ("2024 2024", "yyyy yyyy"),
         ("2024 2023", "yyyy yyyy"), ("1707440523", "s"), ("", ""), ("2024-02-09", "YYYY-MM-dd"), ("10", "yy"), ("2010", "yyy"), ("5", "y"), ("02024", "yyyyy"), ("2024-02-09 1:02:03", "yyyy-MM-dd HH:mm:ss"), ("2024-2-09", "yyyy-MM-dd")]
CLOCKS = ["T12:34", "12:34", "12:34:56", "T12", "12", "epoch", "EPOCH", " epoch ", "epoch UTC", "now x", "nowx", "2024-02-29T", "2024-02-29 T12:00", "2024-02-29t12:00:00", "2024-02-29 12:34:56 +1", "2024-02-29 12:34:56+1:30", "2024-02-29 12:34:56+01:30:15", "2024-02-29 12:34:56+18:00", "2024-02-29 12:34:56-18:01",
          "2024-02-29 12:34:56UTC", "2024-02-29 12:34:56 utc", "2024-02-29 12:34:56 europe/berlin", "2024-02-29 12:34:56 UT+1", "2024-02-29 12:34:56 GMT+01:00", "2024-02-29 12:34:56 PST", "2024-02-29 12:34:56 EST", "2024-02-29 12Z", "2024-02-29 12:34Z", "2024-02-29Z", "2024Z", "2024-02-29+01:00", "2024-02-29 +01:00", "202-01-01",
          "20240-01-01", "+2024-01-01 00:00:00", "-2024-01-01 00:00:00", "1234567-01-01 00:00:00", "0000-01-01", "2024-1-1", "2024-001-01", "2024-01-001", "2024-01-01 001:00:00", "2024-01-01 00:00:00.0000001", "2024-01-01 00:00:00.1234567891234", "2024-01-01 00:00:00,5", "2024/01/01", "01-01-2024", "2024-01-01 12:00:00 AM",
          "2024-01-01 00:00:00.5Z", "2024-01-01 00:00:00 .5", "294247-01-10 04:00:54.775807", "294247-01-10 04:00:54.775808", "294247-01-11", "-290308-12-21 19:59:05.224192", "-290308-12-21 19:59:05.224191", "5881580-07-11", "-5877641-06-23", "-5877641-06-22", "2024-02-29 12:", "2024-02-29 12:34:", "2024-02-29 :34", "2024-", "2024-02-",
          "-", "+", "2024-02-29-01"]


@area("datetimes")
def datetimes():
    for letter in "yMLdDFEahHkKmsSqQGVzOXxZuYwWeEcABnNpi":
        for n in range(1, 8):
            yield f"date_format({FAR[0]}, '{letter * n}')"
    for pattern in ["y", "yy", "yyy", "yyyy", "yyyyy", "yyyyyy", "G y", "GGGG yyyy", "D DD DDD", "dd/MM/yyyy HH:mm:ss.SSSSSS", "EEEE d MMMM y", "h a K k H", "q QQ qqq QQQQ", "yyyy[-MM[-dd]]", "[yyyy", "yyyy]", "##", "#### yyyy", "#it##s# d", "yyyy#year#", "{y}", "d.M.yy", "Ä yyyy", "SSSSSSSSS",
                    "yyyyMMddHHmmssSSSSSS", "XXX VV zzzz O OOOO Z ZZZZ ZZZZZ x xxx", "a h:mm"]:
        for v in FAR:
            yield f"date_format({v}, {quoted(pattern)})"
    for text, pattern in TEXTS:
        for name in ["to_date", "to_timestamp", "to_timestamp_ntz", "unix_timestamp"]:
            yield f"{name}('{text}', {quoted(pattern)})"
    for m in CLOCKS:
        for t in ["DATE", "TIMESTAMP", "TIMESTAMP_NTZ"]:
            clock = m.startswith("T1") or m[:2] == "12"
            yield f"CAST('{m}' AS {t}) IS NULL" if clock else f"CAST('{m}' AS {t})"
    for z in ["UTC", "utc", "GMT", "UT", "Z", "z", "+1", "+01", "+0100", "+01:00", "+1:30", "+01:00:30", "-18:00", "+18:01", "UTC+1", "GMT+01:00", "UTC+1:30", "UT+2", "EST", "PST", "HST", "MST", "CET", "CST", "IST", "JST", "Etc/GMT+5", "Europe/Berlin", "europe/berlin", "US/Pacific", "", " ", "x", "America/Sao_Paulo", "+", "1", "+24:00"]:
        yield f"from_utc_timestamp(TIMESTAMP '2024-07-01 12:00:00', '{z}')"
        yield f"make_timestamp(2024, 7, 1, 12, 0, 0, '{z}')"
    for v in FAR + ["TIMESTAMP '-290308-12-21 19:59:05.224192'", "DATE '-5877641-06-23'", "DATE '5881580-07-11'", "DATE '-0001-12-31'"]:
        for name in ["year", "month", "day", "quarter", "weekofyear", "dayofweek", "dayofyear", "weekday", "hour", "minute", "second", "last_day", "unix_timestamp", "dayname", "monthname"]:
            yield f"{name}({v})"
        yield from [f"CAST({v} AS STRING)", f"CAST({v} AS DATE)", f"CAST({v} AS TIMESTAMP)", f"add_months({v}, -1)", f"date_add({v}, 1)", f"date_sub({v}, 1)", f"trunc({v}, 'YEAR')", f"trunc({v}, 'WEEK')", f"date_trunc('YEAR', {v})", f"date_trunc('WEEK', {v})", f"next_day({v}, 'MO')",
                    f"months_between({v}, DATE '2024-02-29')", f"datediff({v}, DATE '2024-02-29')", f"{v} = {v}", f"EXTRACT(YEAROFWEEK FROM {v})", f"EXTRACT(SECOND FROM {v})"]
    for y, m, d in [(0, 1, 1), (-1, 12, 31), (9999, 12, 31), (10000, 1, 1), (5881580, 7, 11), (5881580, 7, 12), (-5877641, 6, 23), (2023, 2, 29), (2024, 2, 29), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0), (2024, 1, 32), (294247, 1, 10), (999999999, 1, 1), (1000000000, 1, 1)]:
        yield from [f"make_date({y}, {m}, {d})", f"make_timestamp({y}, {m}, {d}, 0, 0, 0)"]
    for h, m, s in [(23, 59, "59.999999"), (24, 0, "0"), (0, 60, "0"), (0, 0, "60"), (0, 0, "60.5"), (0, 0, "59.9999999"), (0, 0, "-1"), (1, 2, "3.5D"), (1, 2, "'3.25'"), (0, 0, "99.99"), (-1, 0, "0"), (0, 0, "61")]:
        yield f"make_timestamp(2024, 2, 29, {h}, {m}, {s})"
    for n in ["0", "-1", "1707440523", "9223372036854775807L", "253402300800L", "-62135596801L", "-62167219201L", "1.5D", "1.5", "'1'", "1e10D", "-0.5", "CAST('NaN' AS DOUBLE)"]:
        yield from [f"from_unixtime({n})", f"from_unixtime({n}, 'yyyy')", f"timestamp_seconds({n})", f"timestamp_millis({n})", f"date_from_unix_date({n})"]
    for a in ["'MO'", "'MON'", "'Monday'", "'tuesday'", "'TU'", "'x'", "''", "NULL", "'M'", "' MO '"]:
        yield f"next_day(DATE '2024-02-29', {a})"
    for u in ["'Y'", "'YY'", "'YYYY'", "'year'", "'Q'", "'QUARTER'", "'MM'", "'MON'", "'month'", "'M'", "'W'", "'WEEK'", "'DAY'", "'DD'", "'D'", "'HOUR'", "' YEAR '", "'x'", "NULL", "1"]:
        yield from [f"trunc(DATE '2024-02-29', {u})", f"trunc('2024-02-29', {u})", f"date_trunc({u}, DATE '2024-02-29')"]


# Nested values and conditionals.
f("array_append array_prepend array_remove array_position array_contains", ARR, ["2", "NULL", "'x'", "2L", "1.5"])
f("array_compact array_distinct array_max array_min sort_array array_sort size cardinality array_size", ARR + SARR + ["array(1.5D, CAST('NaN' AS DOUBLE))", "array(array(1), array(2))", "map('a', 1)", "array(true, false)"])
f("array_except array_intersect array_union arrays_overlap", ARR + ["array('a')"], ["array(2, NULL)", "array()", "array(4)", "NULL", "array('a')", "array(2L)"])
f("array_join", SARR + ["array(1, 2)"], ["','", "''", "NULL"], ["'-'", "NULL"])
f("array_repeat", ["'a'", "NULL", "1", "array(1)"], N)
f("sort_array", ARR + SARR, ["true", "false", "NULL"])
f("slice", ARR, ["1", "2", "-1", "0", "9", "NULL"], ["2", "0", "-1", "NULL"], limit=120)
f("flatten", ["array(array(1), array(2, NULL))", "array(array(1), NULL)", "array()", "NULL", "array(1)", "array(array('a'))"])
f("element_at try_element_at", ARR[:3] + ["map('a', 1)", "map(1, 'x')"], ["1", "2", "3", "-1", "0", "9", "'a'", "'z'", "NULL"])
f("get", ARR, ["0", "1", "2", "-1", "9", "NULL"])
f("array map struct", ["1", "NULL", "'a'", "1.5"], ["2", "NULL", "'b'", "2L", "X'61'"])
f("named_struct", ["'a'", "NULL", "1", "''"], ["1", "NULL"])
f("map_keys map_values map_entries", ["map('a', 1, 'b', NULL)", "map()", "NULL", "array(1)"])
f("map_contains_key", ["map('a', 1, 'b', NULL)", "map()", "map(1, 2)", "NULL"], ["'a'", "'z'", "1", "1L", "NULL"])
f("map_from_arrays", ["array('a', 'b')", "array()", "NULL", "array('a', 'a')", "array(NULL)"], ["array(1, 2)", "array()", "array(1)", "NULL"])
f("sequence", ["1", "5", "NULL", "1L", "DATE '2024-01-31'", "TIMESTAMP '2024-01-31 00:00:00'"], ["5", "1", "NULL", "DATE '2024-04-30'", "TIMESTAMP '2024-02-02 00:00:00'"],
  ["2", "-1", "0", "INTERVAL 1 MONTH", "INTERVAL 1 DAY", "NULL"])
f("coalesce nvl ifnull nullif equal_null", ["1", "NULL", "'a'", "1.5", "DATE '2024-02-29'"], ["2", "NULL", "'b'", "1L", "1", "'1'", "2.5D", "array(1)"])
f("nvl2", ["1", "NULL"], ["'x'", "NULL", "1"], ["'y'", "NULL", "2.5"])
f("if", ["true", "false", "NULL", "1", "'true'"], ["1", "NULL", "'a'"], ["2", "NULL", "'b'", "2.5"])
f("isnull isnotnull nullifzero zeroifnull", ANY)


# Elements of arrays and keys of maps, each with a type of its own.
ELEMENTS = TYPICAL + ["CAST(5 AS DECIMAL(12,2))", "CAST(5 AS DECIMAL(20,0))", "array(1L)", "array(1.5)", "array(NULL)", "named_struct('x', 1L, 'y', 'b')", "named_struct('u', 1, 'v', 'b')", "map('a', 1L)"]

NESTED = [
    "flatten(array(NULL))", "flatten(array())", "flatten(NULL)", "array_compact(array())", "array_join(array(), ',')", "array_join(array('a'), NULL)", "array_join(array(NULL), ',', 'x')",
    "map_from_arrays(array(1, 1), NULL)", "map_from_arrays(array(NULL), array(1))", "map_keys(map())", "array()[0]", "map()[1]", "map()['a']", "element_at(map(), 1)", "element_at(map(), 'a')",
    "element_at(map(1, 2), NULL)", "try_element_at(array(), 1)", "try_element_at(array(), 0)", "try_element_at(array(1), 0)", "get(array(), 1.5D)", "get(array(1), 3000000000L)",
    "get(array(1), 1e30D)", "array(1, 2)[3000000000L]", "array(1, 2)['1']", "map(1, 2)['1']", "map(1, 2)['x']", "map(1Y, 2)[1000]", "map('1', 2)[1]", "map(1, 2)[1.5]", "map(1, 2)[3000000000L]",
    "map(1.5, 2)[1]", "map(1.5, 2)[1.50]", "map(1.5, 2)[1.55]", "map(DATE '2020-01-01', 1)['2020-01-01']", "map(DATE '2020-01-01', 1)[TIMESTAMP '2020-01-01 10:00:00']", "sequence('1', '3')",
    "sequence('1', 3)", "sequence(1, '3')", "sequence(1L, 3)", "sequence(1Y, 3)", "sequence(1Y, 3Y)", "sequence(1Y, 3Y, 1S)", "sequence(1Y, 3Y, 300)", "sequence(1, 3, NULL)", "sequence(NULL, 3)",
    "sequence(NULL, NULL)", "sequence(1, 1, 0)", "sequence(1, 2, 0)", "sequence(2, 1)", "sequence(9223372036854775806L, 9223372036854775807L)", "sequence(-9223372036854775808L, 9223372036854775807L)",
    "sequence(127Y, 120Y, -3Y)", "sequence(1, 1000000000, 100000000)", "struct(1 AS p, 2)", "struct(1 p)", "struct(a, 1 AS p) FROM (VALUES (1)) AS t(a)", "struct(t.a) FROM (VALUES (1)) AS t(a)",
    "struct(A, b.x) FROM (VALUES (1, named_struct('x', 2))) AS t(a, b)", "struct(a.x.y) FROM (VALUES (named_struct('x', named_struct('y', 2)))) AS t(a)", "struct()", "array()", "map()",
    "named_struct()", "array(named_struct('a', 1), NULL).a", "array(array(named_struct('a', 1))).a", "array(named_struct('a', NULL)).a", "array(named_struct('A', 1)).a",
    "array(named_struct('a', 1)).b", "a.x FROM (VALUES (array(named_struct('x', 2), NULL))) AS t(a)", "a.x.y FROM (VALUES (array(named_struct('x', named_struct('y', 2))))) AS t(a)",
    "a.x[0] FROM (VALUES (array(named_struct('x', 2)))) AS t(a)", "map('k', named_struct('a', 1)).k", "map('k', 1).k", "map('k', 1).z", "CAST(NULL AS ARRAY<STRUCT<a: INT>>).a",
    "a['x'] FROM (VALUES (named_struct('x', 2))) AS t(a)", "a['x'] FROM (VALUES (array(named_struct('x', 2)))) AS t(a)", "slice(array(1, 2, 3), 1, '2')", "slice(array(1, 2, 3), 1.5, 2)",
    "slice(array(1, 2, 3), 3000000000L, 2)", "array_repeat(1, 3000000000L)", "array_repeat(1, -1)", "array_repeat(1, '2')", "size(map())", "size(array(NULL))", "cardinality(map(1, 2))",
    "array_size(array())", "map(array(map(1, 2)), 1)", "map(named_struct('a', map(1, 2)), 1)", "map(named_struct('a', 1), 1)", "map_from_arrays(array(map(1, 2)), array(1))", "map(0.0D, 1)",
    "map(-0.0D, 1)", "map(-0.0D, 1, 0.0D, 2)", "map(CAST('NaN' AS DOUBLE), 1, CAST('NaN' AS DOUBLE), 2)", "array_distinct(array(0.0D, -0.0D))", "array_union(array(0.0D), array(-0.0D))",
    "array_position(array(0.0D), -0.0D)", "array_contains(array(CAST('NaN' AS DOUBLE)), CAST('NaN' AS DOUBLE))", "arrays_overlap(array(NULL), array(NULL))", "arrays_overlap(array(), array(NULL))",
    "arrays_overlap(array(NULL, 1), array(1))", "array_except(array(1, NULL, NULL), array(2))", "array_intersect(array(NULL, 1), array(NULL))", "array_union(array(1, 2), array(2, 3))",
    "array_distinct(array(map(1, 2)))", "array_union(array(map(1, 2)), array(map(1, 2)))", "array_contains(array(map(1, 2)), map(1, 2))", "array_append(array(map(1, 2)), map(1, 2))",
    "array_remove(array(map(1, 2)), map(1, 2))", "array_max(array())", "array_max(array(NULL, 1))", "array_min(array('b', 'a'))", "array_max(array(map(1, 2)))", "greatest(array(1), array(2))",
    "array_max(array(array(1), array(2)))", "coalesce(named_struct('x', 1), named_struct('u', 1))", "coalesce(named_struct('x', 1), named_struct('X', 1L))",
    "array(named_struct('x', 1), named_struct('u', 1))", "array(named_struct('x', 1), named_struct('X', 1L))", "array_append(array(named_struct('x', 1)), named_struct('X', 1))",
    "array_contains(array(named_struct('x', 1)), named_struct('X', 1))", "named_struct('x', 1) = named_struct('u', 1)", "named_struct('x', 1) = named_struct('x', 1L)",
    "named_struct('x', 1) IN (named_struct('u', 1))", "nullif(named_struct('x', 1), named_struct('u', 1))", "greatest(named_struct('x', 1), named_struct('u', 1))",
    "if(true, named_struct('x', 1), named_struct('u', 1L))", "CASE WHEN true THEN named_struct('x', 1) ELSE named_struct('u', 1) END",
    "a FROM (VALUES (named_struct('x', 1)), (named_struct('x', 1L))) AS t(a) LIMIT 1", "a FROM (VALUES (named_struct('x', 1)), (named_struct('u', 1L))) AS t(a) LIMIT 1",
    "map(named_struct('x', 1), 1, named_struct('u', 2), 2)", "array(map(1, 2), map(1L, 2))", "array(1, 2)[NULL]", "sequence(NULL, NULL, NULL)", "sequence(NULL, DATE '2020-01-01')",
    "sequence(DATE '2020-01-01', TIMESTAMP '2020-01-02 00:00:00')", "sequence(DATE '2020-01-01', '2020-01-02')", "array_join(array(INTERVAL 1 DAY), ',')", "array_repeat(NULL, 2)",
    "array_join(NULL, NULL)", "map(1, 2)[NULL]", "get(NULL, NULL)", "map_from_arrays(array('a'), array())", "coalesce(array(1), array('a'))", "array_contains(array('1'), 1)",
    "array_append(array(CAST('1' AS DECIMAL(3,2))), 1.5)", "element_at(array(1, 2, 3), 2Y)", "nullif(array(1), array(1L))", "equal_null(array(1), array(1L))", "map(array(1), 1)[array(NULL)]",
    "map(array(1, NULL), 1)[array(1L, NULL)]", "array_sort(array('b', 'a'), 1)", "array(named_struct('x', 1))[0].x", "named_struct('x', array(named_struct('y', 2))).x.y",
    "array(named_struct('x', map('k', 3))).x", "array(named_struct('x', 1), named_struct('x', 2)).x[1]", "size(array(named_struct('x', 1), NULL).x)",
]


@area("nested")
def nested():
    yield from declared()
    for name in ["coalesce", "nullif", "array", "if_", "nvl"]:
        for a, b in itertools.product(TYPICAL, TYPICAL):
            yield f"if(rand() < 2, {a}, {b})" if name == "if_" else f"{name}({a}, {b})"
    for v in ANY:
        yield f"reverse({v})"
        yield f"array({v})"
        yield f"coalesce({v})"
        yield f"named_struct('a', {v}).a"
    for t in ["boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "string", "binary", "date", "timestamp"]:
        for v in TYPICAL + ["'1.5'", "'x'"]:
            yield f"{t}({v})"
    for q in ["array(1, 2)[0]", "array(1, 2)[2]", "array(1, 2)[-1]", "array(1, 2)[NULL]", "map('a', 1)['a']", "map('a', 1)['z']", "map(1, 'x')[1L]", "named_struct('a', 1).b", "named_struct('a', 1).A", "struct(1, 'x').col2",
              "struct(1 AS p, 2 AS q)", "array(array(1), array(2))[1][0]", "array(named_struct('a', 1), named_struct('a', 2)).a", "map(NULL, 1)", "map('a', 1, 'a', 2)", "map('a')", "array(1, 'a')", "array(1, 2.5)",
              "array(array(1), array(2.5))", "map(1, 'a', 2L, 'b')", "size(NULL)", "sequence(1, 10, 3)", "sequence(10, 1, -3)", "sequence(1, 10, -1)", "sequence(DATE '2024-01-31', DATE '2024-05-31', INTERVAL 1 MONTH)",
              "sequence(1, 3000000000L)", "nullif(1, 1)", "nullif(1, '1')", "coalesce(NULL, 1/0, 2)", "coalesce(1, 1/0)", "if(true, 1, 1/0)", "ifnull(1, 1/0)", "nvl2(NULL, 1/0, 2)", "equal_null(NULL, NULL)",
              "sort_array(array('b', NULL, 'a'))", "sort_array(array('b', NULL, 'a'), false)", "array_sort(array('b', NULL, 'a'))", "array_contains(array(1, NULL), 3)", "arrays_overlap(array(1, NULL), array(2, NULL))",
              "concat(array(1), array(2, NULL))", "concat(array(1), array('a'))", "element_at(array(1, 2), 0)", "array_join(array('a', NULL, 'b'), ',', '*')", "map_from_arrays(array(1), array(2, 3))", "cardinality(array(1))"]:
        yield q
    for a, b in itertools.product(ELEMENTS, ELEMENTS):
        for name in ["array_append", "array_contains"]:
            yield f"{name}(array({a}), {b})"
        if a != "NULL":
            yield f"map({a}, 1)[{b}]"
    for a, b in itertools.product(ELEMENTS, ["7", "7L", "1.5F", "1.50", "'2'", "array(1.5)", "NULL"]):
        for name in ["array_prepend", "array_remove", "array_position"]:
            yield f"{name}(array({a}), {b})"
        for name in ["array_union", "array_intersect", "array_except", "arrays_overlap"]:
            yield f"{name}(array({a}), array({b}))"
        for name in ["map_contains_key", "element_at", "try_element_at"]:
            if a != "NULL":
                yield f"{name}(map({a}, 1), {b})"
    for a in ELEMENTS:
        for q in ["array(1, 2)[{}]", "sequence(1, {})", "sequence({}, {})", "sequence(1, 3, {})", "array_distinct(array({}))", "sort_array(array({}))", "array_sort(array({}))", "array_max(array({}))", "map({}, {})",
                  "map_from_arrays(array({}), array({}))", "slice(array(1, 2, 3), {}, 1)", "array_join(array({}), ',')", "array_join(array('a'), {})", "flatten(array(array({})))"]:
            yield q.format(a, a)
    yield from NESTED


AGGREGATES = "any_value approx_count_distinct array_agg avg bit_and bit_or bit_xor bool_and bool_or collect_list collect_set count every any some first first_value last last_value max mean median min " \
             "std stddev stddev_pop stddev_samp string_agg listagg sum var_pop var_samp variance count_if".split()


def rows(values, columns="a"):
    return f" FROM (VALUES {', '.join('(' + v + ')' for v in values)}) AS t({columns})"


@area("aggregates")
def aggregates():
    for name in AGGREGATES:
        for t, vs in VALUES.items():
            yield f"{name}(a){rows([vs[0]])}"
            if name != "collect_set" or "NULL" in vs[-1]:  # a set has no order
                yield f"{name}(a){rows([vs[0], vs[-1]])}"
            yield f"{name}(a){rows([vs[0]])} WHERE a IS NULL"
    for name in ["sum", "avg", "min", "max", "count", "stddev", "var_pop", "median", "mean", "bit_xor", "approx_count_distinct", "stddev_pop", "variance"]:
        for t in NUMBERS + ["INTERVAL DAY", "INTERVAL YEAR"]:
            for subset in [VALUES[t], VALUES[t][:2], VALUES[t][:3], VALUES[t][-1:], [VALUES[t][0]] * 3]:
                yield f"{name}(a){rows(subset)}"
                yield f"{name}(DISTINCT a){rows(subset)}"
    for name in ["min", "max", "count"]:
        for vs in VALUES.values():
            yield f"{name}(a){rows(vs)}"
            yield f"{name}(DISTINCT a){rows(vs + vs)}"
    for name in ["corr", "covar_pop", "covar_samp"]:
        for t in TYPICAL:
            yield f"{name}(a, b){rows([t + ', 1', t + ', 2'], 'a, b')}"
            yield f"{name}(a, b){rows(['1, ' + t, '2, ' + t], 'a, b')}"
        for vs in [["1, 2", "2, 4", "3, 7"], ["1, 2"], ["NULL, 1", "1, NULL"], ["1, 1", "2, NULL", "3, 5"], ["1D, CAST('NaN' AS DOUBLE)", "2D, 1D"]]:
            yield f"{name}(a, b){rows(vs, 'a, b')}"
    for name in ["max_by", "min_by"]:
        for t in TYPICAL:
            yield f"{name}(a, b){rows([t + ', 1', t + ', 2'], 'a, b')}"
            yield f"{name}(a, b){rows(['1, ' + t, '2, ' + t], 'a, b')}"
        for vs in [["'x', 1", "'y', 2", "'z', NULL"], ["'x', NULL"], ["NULL, 5", "'y', 2"]]:
            yield f"{name}(a, b){rows(vs, 'a, b')}"
    numbers = ["1", "2", "3", "4", "10"]
    for p in ["0.5", "0", "1", "0.25", "0.9", "1.1", "-0.1", "NULL", "array(0.25, 0.75)", "'0.5'"]:
        for name in ["percentile", "percentile_approx", "approx_percentile"]:
            yield f"{name}(a, {p}){rows(numbers)}"
            yield f"{name}(a, {p}){rows(['1.5', 'NULL', '2.5'])}"
    for name in ["percentile", "percentile_approx", "median"]:
        for t in TYPICAL:
            yield f"{name}(a{'' if name == 'median' else ', 0.5'}){rows([t])}"
    for name in ["first", "last", "any_value", "first_value", "last_value"]:
        for q in ["(a, true)", "(a, false)", "(a, 1)"]:
            yield f"{name}{q}{rows(['NULL', '1', '2', 'NULL'])}"
    for q in ["sum(a)", "sum(a) FILTER (WHERE a > 1)", "count(*) FILTER (WHERE a > 1)", "count(*)", "count(1)", "count(NULL)", "count(a, b)", "count(DISTINCT a, b)", "count(DISTINCT a)", "sum(DISTINCT a)", "sum(a) / count(*)",
              "sum(a + b)", "avg(a)", "count_if(a > 1)", "bool_and(a > 1)", "bool_or(a > 1)", "every(a > 0)", "any(a > 2)", "some(a > 2)", "collect_list(a)", "collect_set(b)", "array_agg(a)",
              "max(b)", "min(b)", "sum(b)", "avg(b)", "sum(nosuch)", "sum()", "sum(a, b)", "max(DISTINCT a)",
              "sum(sum(a))", "median(a)", "variance(a)", "std(a)", "bit_and(a)", "bit_or(a)", "approx_count_distinct(a)", "approx_count_distinct(a, 0.1)", "max_by(b, a)", "count(DISTINCT b) + sum(a)", "percentile(a, 0.5, b)"]:
        for vs in [["1, 'x'", "2, 'y'", "2, NULL", "3, 'x'"], ["NULL, NULL"]]:
            yield f"{q}{rows(vs, 'a, b')}"
        yield f"{q}{rows(['1, ' + chr(39) + 'x' + chr(39)], 'a, b')} WHERE false"
    for q in ["string_agg(a)", "listagg(a, ',')", "string_agg(DISTINCT a, '-')", "listagg(a, NULL)", "string_agg(a, 1)", "listagg(a, a)"]:
        for vs in [["'x'", "'x'", "NULL"], ["'x'"], ["''", "''"], ["1", "1"]]:
            yield f"{q}{rows(vs)}"
    for vs in [["9223372036854775807L", "1L"], ["-9223372036854775808L", "-1L"], ["2147483647", "1"], ["99999999999999999999999999999999999999", "1"], ["1e308D", "1e308D"], ["0.1D", "0.2D", "0.3D"], ["1.1", "2.2"],
               ["CAST(1 AS DECIMAL(38,10))", "CAST(2 AS DECIMAL(38,10))"], ["1.5F", "2.5F"], ["'1'", "'2.5'"], ["'x'"], ["INTERVAL 1 DAY", "INTERVAL 2 HOUR"], ["true", "false"],
               ["CAST(99999999.99 AS DECIMAL(10,2))", "CAST(0.01 AS DECIMAL(10,2))"], ["1e20D", "1D", "-1e20D"], ["CAST('NaN' AS DOUBLE)", "1D"], ["CAST('Infinity' AS DOUBLE)", "CAST('-Infinity' AS DOUBLE)"], ["-0.0D", "0.0D"]]:
        for name in ["sum", "avg", "min", "max", "stddev", "collect_list", "count", "mean"]:
            yield f"{name}(a){rows(vs)}"


# The ends of the ranges, where Spark's arithmetic wraps around or rounds.
FIRST_DAY, LAST_DAY = "DATE '-5877641-06-23'", "DATE '5881580-07-11'"
FIRST_MOMENT, LAST_MOMENT = "TIMESTAMP '-290308-12-21 19:59:05.224192'", "TIMESTAMP '294247-01-10 04:00:54.775807'"
LONG_DECIMALS = ["9999999999999999999999999999999999", "99999999999999999999999999999999999", "12345678901234567890123456789012344", "12345678901234567890123456789012345", "12345678901234567890123456789012355",
                 "1234567890123456789012345678901234567.8", "12345678901234567890.123456789012345678", "1.9999999999999999999999999999999999999", "0.99999999999999999999999999999999999999", "1.00000000000000000000000000000000005",
                 "-99999999999999999999999999999999999999", "-12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678", "9223372036854775808", "18446744073709551616.5", "-9223372036854775809",
                 "9223372036854.775807", "9223372036854.775808", "-9223372036854.775808", "-9223372036854.775809", "1.0000005", "1.0000004", "1E-10BD", "12345678901234567890123456.78901234567"]


@area("limits")
def limits():
    for d in [FIRST_DAY, LAST_DAY, "DATE '5881580-07-06'", "DATE '-5877641-06-29'", "DATE '2024-02-29'", "DATE '-5877641-12-31'"]:
        for n in ["1", "-1", "7", "-2147483648", "2147483647", "32767S", "-128Y"]:
            yield from [f"date_add({d}, {n})", f"date_sub({d}, {n})", f"dateadd({d}, {n})", f"{d} + {n}", f"{n} + {d}", f"{d} - {n}", f"add_months({d}, {n})", f"try_add({d}, {n})", f"try_subtract({d}, {n})",
                        f"timestampadd(DAY, {n}, {d})", f"dateadd(MONTH, {n}, {d})"]
        for i in ["INTERVAL '1' DAY", "INTERVAL '-1' DAY", "INTERVAL '106751991' DAY", "INTERVAL '1' MONTH", "INTERVAL '-178956970-8' YEAR TO MONTH", "INTERVAL '1' HOUR", "CAST('1 day' AS INTERVAL)", "CAST('-1 day' AS INTERVAL)", "CAST('1 month' AS INTERVAL)",
                  "CAST('2147483647 days' AS INTERVAL)", "CAST('1 month -40 days' AS INTERVAL)"]:
            yield from [f"{d} + {i}", f"{i} + {d}", f"{d} - {i}", f"try_add({d}, {i})", f"try_subtract({d}, {i})"]
        for u in ["YEAR", "QUARTER", "MONTH", "WEEK"]:
            yield f"trunc({d}, '{u}')"
        for w in ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]:
            yield f"next_day({d}, '{w}')"
        for e in [FIRST_DAY, LAST_DAY, "DATE '1970-01-01'", "DATE '1969-12-31'", "DATE '2024-02-29'"]:
            yield from [f"datediff({d}, {e})", f"date_diff({d}, {e})", f"{d} - {e}", f"datediff(DAY, {d}, {e})", f"{d} < {e}", f"sequence({d}, {e}, INTERVAL '100000000' DAY)"]
        yield from [f"{name}({d})" for name in ["last_day", "weekofyear", "dayofweek", "weekday", "unix_date"]]
    for d in ["DATE '294247-01-10'", "DATE '294247-01-11'", "DATE '-290308-12-21'", "DATE '-290308-12-22'"]:
        yield from [f"CAST({d} AS TIMESTAMP)", f"CAST({d} AS TIMESTAMP_NTZ)", f"{d} + INTERVAL '4' HOUR", f"{d} + INTERVAL '-1' HOUR", f"{d} - INTERVAL '5' HOUR", f"try_add({d}, INTERVAL '5' HOUR)", f"try_subtract({d}, INTERVAL '1' HOUR)", f"date_trunc('DAY', {d})",
                    f"months_between({d}, DATE '2024-02-29')", f"timestampadd(DAY, 1, {d})", f"timestampadd(HOUR, -1, {d})", f"timestampdiff(DAY, {d}, TIMESTAMP '2024-02-29 12:00:00')", f"unix_timestamp({d})", f"TRY_CAST({d} AS TIMESTAMP)"]
    for d, e in [("DATE '5881580-07-09'", LAST_DAY), (FIRST_DAY, "DATE '-5877641-06-25'"), ("DATE '292278-01-01'", "DATE '292278-01-03'"), ("DATE '294247-01-09'", "DATE '294247-01-10'"), ("DATE '-290308-12-22'", "DATE '-290308-12-23'")]:
        yield from [f"sequence({d}, {e})", f"sequence({e}, {d})", f"sequence({d}, {e}, INTERVAL '1' DAY)", f"sequence({d}, {e}, INTERVAL '1' MONTH)"]
    for m in [FIRST_MOMENT, LAST_MOMENT, "TIMESTAMP '-290308-12-21 19:59:06'", "TIMESTAMP '-290308-12-22 00:00:00'", "TIMESTAMP '-290308-12-31 01:00:00'", "TIMESTAMP_NTZ '-290308-12-21 19:59:05.224192'"]:
        for u in ["MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"]:
            yield f"date_trunc('{u}', {m})"
            yield from [f"timestampadd({u}, 1, {m})", f"timestampadd({u}, -1, {m})", f"timestampdiff({u}, {FIRST_MOMENT}, {m})", f"timestampdiff({u}, {m}, {FIRST_MOMENT})", f"timestampdiff({u}, {LAST_MOMENT}, {m})"]
        for n in [FIRST_MOMENT, LAST_MOMENT, "DATE '2024-02-29'", "DATE '2024-02-21'", "TIMESTAMP '2024-02-10 12:00:00'"]:
            yield from [f"months_between({m}, {n})", f"months_between({n}, {m})", f"months_between({m}, {n}, false)", f"{m} - {n}", f"datediff({m}, {n})"]
        for z in ["UTC", "Europe/Berlin", "America/New_York", "+18:00", "-18:00"]:
            yield from [f"from_utc_timestamp({m}, '{z}')", f"to_utc_timestamp({m}, '{z}')"]
        yield from [f"{name}({m})" for name in ["unix_seconds", "unix_millis", "unix_micros", "unix_timestamp", "to_unix_timestamp", "last_day"]]
        yield from [f"CAST({m} AS DATE)", f"CAST({m} AS BIGINT)", f"CAST({m} AS DECIMAL(38,6))", f"CAST({m} AS DOUBLE)", f"CAST({m} AS INT)", f"next_day({m}, 'MO')", f"trunc({m}, 'MONTH')", f"date_add({m}, 2147483647)"]
    for n in ["9223372036854775807L", "-9223372036854775808L", "9223372036854L", "9223372036855L", "-9223372036854L", "-9223372036855L", "18446744073709L", "18446744073710L", "-18446744073709L", "1000000000000000000L", "9223372036854775L", "36028797018963968L"]:
        yield from [f"from_unixtime({n})", f"from_unixtime({n}, 'yyyy')", f"timestamp_seconds({n})", f"timestamp_millis({n})", f"timestamp_micros({n})", f"CAST({n} AS TIMESTAMP)"]
    for x in LONG_DECIMALS + ["CAST('1e16' AS DECIMAL(38,0))", "CAST('-1e30' AS DECIMAL(38,5))"]:
        yield from [f"CAST({x} AS TIMESTAMP)", f"TRY_CAST({x} AS TIMESTAMP)", f"timestamp_seconds({x})", f"-({x})", f"negative({x})", f"-(-({x}))", f"abs({x})", f"abs(-1 * {x})", f"positive({x})", f"- {x}", f"+({x})", f"sign({x})",
                    f"CAST({x} AS BIGINT)", f"0 - {x}", f"typeof(-({x}))", f"pmod({x}, -7)", f"pmod(-7, {x})", f"round({x}, 0)", f"bround({x}, 3)", f"ceil({x})", f"floor({x})"]
        for y in ["1", "-1", "0.3", "-0.0000000001", "7L", "1E-10BD", "0.00000000000000000000000000000000000007", "1.5", "99999999999999999999999999999999999999", "12345678901234567.89"]:
            yield from [f"{x} DIV {y}", f"{y} DIV {x}", f"{x} % {y}"]
    for x, y in [("-1", "1000"), ("-1", "0.0000000000000000000000000000000000001"), ("-7.5", "2"), ("-99999999999999999999", "1E-30BD"), ("1E30BD", "1E-30BD"), ("100000000000000000000000000000000000", "0.00007"), ("3333333333333333333333333333333333333.3", "-0.0007"), ("-0.05", "0.3"), ("0", "-3.5")]:
        yield from [f"pmod({x}, {y})", f"{x} % {y}", f"mod({x}, {y})", f"try_mod({x}, {y})", f"{x} DIV {y}"]
    for x in ["1e30D", "-1e30D", "CAST('Infinity' AS DOUBLE)", "CAST('-Infinity' AS FLOAT)", "1e30F", "9.3e12D", "9.2e12D"]:
        yield f"timestamp_seconds({x})"
    texts = {"DAY": ["106751991", "106751992", "-106751992", "+213503983", "213503982", "999999999", "-999999999", "0999999999", "1000000000", "000000001", "0000000001"],
             "HOUR": ["2562047788", "2562047789", "-2562047789", "5124095577", "9999999999", "-9999999999", "10000000000", "00000000001"],
             "MINUTE": ["153722867280", "153722867281", "-153722867281", "307445734562", "999999999999", "-999999999999", "1000000000000", "0000000000001"],
             "SECOND": ["9223372036854", "9223372036854.775807", "9223372036854.775808", "-9223372036854.775808", "-9223372036854.775809", "9223372036855", "9999999999999", "00000000000001", "-0.5", "0.5", "-1.5", "-00.000001"],
             "YEAR": ["178956970", "178956971", "-178956971", "768614336404564650", "768614336404564651", "1537228672809129302", "-1537228672809129302", "1537228672809129301", "9223372036854775807", "9223372036854775808", "00000000000000000000000000001"],
             "MONTH": ["2147483647", "2147483648", "-2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808", "00000000000000000000000000001"],
             "YEAR TO MONTH": ["178956970-7", "178956970-8", "-178956970-8", "-178956970-9", "178956971-0", "9223372036854775807-0", "0000000000000000000000178956970-7", "1-001", "1-0000000000000000000011", "1-012", "+0-1"],
             "DAY TO HOUR": ["106751991 04", "106751991 05", "-106751991 05", "106751992 00", "999999999 23", "0000000001 00"], "DAY TO MINUTE": ["106751991 04:00", "106751991 04:01", "999999999 00:00"],
             "DAY TO SECOND": ["106751991 04:00:54.775807", "106751991 04:00:54.775808", "-106751991 04:00:54.775808", "999999999 00:00:00", "-0 00:00:00.5"], "HOUR TO MINUTE": ["2562047788:00", "2562047788:01", "9999999999:00", "10000000000:00"],
             "HOUR TO SECOND": ["2562047788:00:54.775807", "-2562047788:00:54.775808", "9999999999:00:00", "00000000001:00:00"], "MINUTE TO SECOND": ["153722867280:54.775807", "-153722867280:54.775808", "999999999999:00", "0000000000001:00"]}
    for t, given in texts.items():
        for s in given:
            yield from [f"CAST('{s}' AS INTERVAL {t})", f"CAST({quoted(f'INTERVAL #{s}# {t}')} AS INTERVAL {t})", f"CAST({quoted(f'INTERVAL -#{s}# {t}')} AS INTERVAL {t})", f"TRY_CAST('{s}' AS INTERVAL {t})", f"INTERVAL '{s}' {t}"]
    months = ["INTERVAL '-178956970-8' YEAR TO MONTH", "INTERVAL '-2147483648' MONTH", "INTERVAL '2147483647' MONTH", "INTERVAL '-1' MONTH", "INTERVAL '1' MONTH", "INTERVAL '-1' YEAR", "INTERVAL '0' MONTH"]
    micros = ["INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND", "INTERVAL '-9223372036854.775808' SECOND", "INTERVAL '106751991 04:00:54.775807' DAY TO SECOND", "INTERVAL '-0.000001' SECOND", "INTERVAL '0.000001' SECOND", "INTERVAL '-1' DAY", "INTERVAL '0' DAY"]
    for spans in [months, micros]:
        for a, b in itertools.product(spans, spans):
            yield f"{a} DIV {b}"
    for a in ["-9223372036854775808L", "-2147483648", "-32768S", "-128Y"]:
        yield from [f"{a} DIV -1", f"{a} DIV -1Y", f"{a} % -1", f"pmod({a}, -1)", f"-({a})", f"abs({a})"]
    edges = ["2147483647", "-2147483648", "-2147483647", "-2147483646", "-5", "-4", "-1", "0", "1", "4", "5"]
    for pos, n in itertools.product(edges, edges):
        if int(pos) + int(n) >= -2**31 or int(pos) + int(n) < 100 - 2**32:  # Spark has no memory for the others
            yield f"substring(X'61626364', {pos}, {n})"
        yield from [f"substring('abcd', {pos}, {n})", f"overlay('abcd', 'XY', {pos}, {n})", f"overlay(X'61626364', X'5859', {pos}, {n})"]
    for n in edges:
        yield from [f"substring(X'', {n}, -1)", f"substring(X'61626364', {n})", f"substring('abcd', {n})", f"left(X'61626364', {n})", f"left('abcd', {n})", f"right('abcd', {n})", f"overlay('abcd', 'XY', {n})", f"overlay(X'61626364', X'5859', {n})"]


@area("ordered")
def ordered():
    sources = [rows(["1", "2", "10", "NULL"]), rows(["3", "3", "1", "1", "2"]), rows(["1.5", "2.5"]), rows(["1D", "double('NaN')", "2D"]), rows(["NULL", "CAST(NULL AS INT)"]), rows(["INTERVAL '1' DAY", "INTERVAL '2' DAY"]),
               rows(["INTERVAL '1' MONTH", "INTERVAL '4' MONTH"]), rows(["'a'", "'c'", "'b'", "NULL"]), rows(["'1'", "'2'"]), rows(["DATE'2024-01-01'"]), rows(["true", "false", "true"])]
    fractions = ["0.5", "0", "1", "0.25D", "0.75", "array(0.25, 0.5)", "array()", "1.5", "-0.1", "NULL", "'0.5'", "a"]
    for source, fraction, order in itertools.product(sources, fractions, ["a", "a DESC", "a DESC NULLS FIRST"]):
        yield f"percentile_cont({fraction}) WITHIN GROUP (ORDER BY {order}) {source}"
        yield f"percentile_disc({fraction}) WITHIN GROUP (ORDER BY {order}) {source}"
    for source in sources:
        for order in ["a", "a DESC"]:
            yield f"mode() WITHIN GROUP (ORDER BY {order}) {source}"
            for call in ["listagg(a, ',')", "listagg(a)", "string_agg(a, '-')", "listagg(DISTINCT a, ',')", "listagg(a, NULL)", "listagg(CAST(a AS STRING), ',')"]:
                yield f"{call} WITHIN GROUP (ORDER BY {order}) {source}"
        yield from [f"mode(a, true) {source}", f"percentile_cont(0.5) {source}", f"percentile_disc(a, 0.5) {source}", f"max(a) WITHIN GROUP (ORDER BY a) {source}", f"percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY a) {source}"]
        for name in ["first", "first_value", "last", "last_value", "any_value", "sum", "max", "collect_list"]:
            yield from [f"{name}(a) IGNORE NULLS {source}", f"{name}(a) RESPECT NULLS {source}"]
    for values in ["(1, 'a'), (2, 'c'), (2, 'b')", "(2, 'x'), (1, 'z'), (NULL, 'y')"]:
        source = f"FROM (VALUES {values}) AS t(a, b)"
        for order in ["a", "a DESC, b", "b", "b DESC", "a NULLS LAST"]:
            yield from [f"listagg(b, ',') WITHIN GROUP (ORDER BY {order}) {source}", f"listagg(DISTINCT b, ',') WITHIN GROUP (ORDER BY {order}) {source}", f"listagg(b, ',') WITHIN GROUP (ORDER BY {order}) FILTER (WHERE a > 1) {source}"]


@area("lambdas")
def lambdas():
    arrays = ["array(1, 2, 3)", "array(3, NULL, 1)", "array()", "CAST(NULL AS ARRAY<INT>)", "array('b', 'a', NULL)", "array(1.5, 2)", "array(array(1, 2), array(3))", "1"]
    maps = ["map('a', 1, 'b', 2)", "map(1, 'x', 2, NULL)", "map()", "CAST(NULL AS MAP<STRING, INT>)", "array(1)"]
    for a in arrays:
        for body in ["x -> x", "x -> x + 1", "x -> NULL", "x -> x IS NULL", "(x, i) -> i", "(x, i) -> x + i", "x -> 7", "() -> 1", "(x, y, z) -> 1", "x -> array(x)", "x -> concat('<', x)", "x -> named_struct('v', x)", "X -> x", "x -> coalesce(x, 0)"]:
            yield f"transform({a}, {body})"
        for body in ["x -> x > 1", "x -> x IS NOT NULL", "x -> NULL", "x -> true", "(x, i) -> i > 0", "x -> x", "x -> x = 'a'", "x -> CAST(NULL AS BOOLEAN)"]:
            if not ("NULL AS ARRAY" in a and "'a'" in body):  # Spark casts the 'a' of no element
                yield from [f"{name}({a}, {body})" for name in ["filter", "exists", "forall"]]
        for start, merge, finish in [("0", "(s, x) -> s + x", ""), ("0", "(s, x) -> s + coalesce(x, 10)", ""), ("0", "(s, x) -> s + x", ", s -> s * 10"), ("0", "(s, x) -> s + x", ", s -> concat('=', s)"), ("0L", "(s, x) -> s + x", ""), ("''", "(s, x) -> concat(s, x)", ""), ("0", "(s, x) -> x > s", ""), ("NULL", "(s, x) -> x", ""), ("CAST(NULL AS INT)", "(s, x) -> coalesce(s, 0) + x", ""),
                                     ("array()", "(s, x) -> array_append(s, x)", ""), ("CAST(array() AS ARRAY<INT>)", "(s, x) -> array_append(s, x)", ""), ("0", "x -> x", ""), ("named_struct('n', 0, 't', 0)", "(s, x) -> named_struct('n', s.n + 1, 't', s.t + x)", ", s -> s.t / s.n")]:
            yield from [f"aggregate({a}, {start}, {merge}{finish})", f"reduce({a}, {start}, {merge}{finish})"]
        for b in ["array(10, 20)", "array('p', 'q', 'r', 's')", "CAST(NULL AS ARRAY<INT>)", "array()"]:
            yield from [f"zip_with({a}, {b}, (x, y) -> concat(x, y))", f"zip_with({a}, {b}, (x, y) -> coalesce(y, x))", f"zip_with({a}, {b}, (x, y) -> x + y)", f"zip_with({a}, {b}, x -> x)"]
        for body in ["(x, y) -> CASE WHEN x < y THEN 1 WHEN x > y THEN -1 ELSE 0 END", "(x, y) -> x - y", "(x, y) -> NULL", "(x, y) -> 0", "x -> 1", "(x, y) -> 1L", "(x, y) -> CASE WHEN x IS NULL THEN 1 WHEN y IS NULL THEN -1 WHEN x < y THEN -1 WHEN x > y THEN 1 ELSE 0 END"]:
            yield f"array_sort({a}, {body})"
    for m in maps:
        for body in ["(k, v) -> v > 1", "(k, v) -> k = 'a'", "(k, v) -> v IS NULL", "(k, v) -> NULL", "k -> true", "(k, v) -> v"]:
            yield f"map_filter({m}, {body})"
        for body in ["(k, v) -> concat(k, v)", "(k, v) -> v", "(k, v) -> 1", "(k, v) -> NULL", "k -> k", "(k, v) -> v + 1", "(k, v) -> array(k)"]:
            yield from [f"transform_keys({m}, {body})", f"transform_values({m}, {body})"]
        for n in ["map('a', 10, 'c', 30)", "map(1, 5)", "map()", "CAST(NULL AS MAP<STRING, INT>)", "map('b', 'x')"]:
            yield from [f"map_zip_with({m}, {n}, (k, v, w) -> concat(k, v, w))", f"map_zip_with({m}, {n}, (k, v, w) -> coalesce(v, w))", f"map_zip_with({m}, {n}, (k, v) -> v)"]
    yield from ["transform(array(1, 2), x -> transform(array(10, 20), y -> x + y))", "transform(array(1, 2), x -> transform(array(10, 20), x -> x + 1))", "filter(transform(array(1, 2, 3), x -> x * 2), x -> x > 2)", "transform(array(1), x -> y)", "transform(array(0), x -> 1 / x)",
                "exists(array(1, 0), x -> 1 / x > 0)", "exists(array(0, 1), x -> x = 0 OR 1 / x > 0)", "transform(x -> x, array(1))", "transform(array(1))", "upper(x -> x)", "transform(array(named_struct('a', 1, 'b', 'q')), x -> x.b)", "transform(array(map('k', 5)), m -> m['k'])",
                "aggregate(array(array(1, 2), array(3)), 0, (s, a) -> s + aggregate(a, 0, (t, x) -> t + x))", "aggregate(array(1, 2), array(0), (s, x) -> concat(s, array(x)))", "transform(sequence(1, 3), (x, i) -> x * i)", "transform(array(1, 2), x -> (SELECT 1))",
                "transform(array(1, 2, 3), element -> element + a) FROM (VALUES (1), (NULL), (3)) AS t(a) WHERE a = 3", "transform(array(1, 2), a -> a * 2) FROM (VALUES (100)) AS t(a)", "sum(aggregate(array(1, 2), 0, (s, x) -> s + x * a)) FROM (VALUES (1), (2)) AS t(a)", "array_sort(array(3, 1, 2))",
                "transform(array(1, 2), x -> rand(0) < 2)", "transform(collect_list(a), x -> x + 1) FROM (VALUES (1), (2)) AS t(a)", "filter(array(1, 2, 3), x -> x IN (1, 3))", "transform(array('a', 'b'), x -> upper(x) || x)", "zip_with(array(1, 2), array(3, 4), (x, y) -> named_struct('x', x, 'y', y))"]


if __name__ == "__main__":
    directory, wanted = sys.argv[1], sys.argv[2:] or AREAS
    for name in wanted:
        with open(os.path.join(directory, name), "w", encoding="utf-8") as out:
            out.writelines(q + "\n" for q in dict.fromkeys(AREAS[name]))
