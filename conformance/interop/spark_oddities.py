"""Questions about what Spark, or Java below it, does in a way of its own, many of each kind."""
import random, struct


def floats():
    """Floats whose shortest digits are not always those that Java prints."""
    r = random.Random(4511638)
    powers = [2.0 ** n for n in [24, 31, 33, 44, 63, 64, 77, 90, -30, -44, -126, -149]] + [1e16, 1e18, 1e23, 2e23, 8.41e21, 2.0e-3, 9.999999e22, 3.4e38, 1.1e-44, 5e-45]
    for x in powers + [struct.unpack("<f", struct.pack("<I", r.getrandbits(31)))[0] for _ in range(90)]:
        if x == x and abs(x) < 3.5e38:
            yield f"CAST(CAST('{x!r}' AS FLOAT) AS STRING)"
    wholes = [float(r.getrandbits(n)) for n in range(50, 64)]
    powers = [2.0 ** n for n in [53, 54, 63, 64, 70, 90, 300, 1000, -20, -60, -1022, -1074]] + [1e21, 1e22, 1e23, 2e23, 2.2e-322, 1e-323, 9007199254740993.0, 2.0e-3, 5e-324, 1.7976931348623157e308]
    for x in powers + wholes + [struct.unpack("<d", struct.pack("<Q", r.getrandbits(63)))[0] for _ in range(90)]:
        if x == x and abs(x) != float("inf"):
            yield f"CAST(CAST('{x!r}' AS DOUBLE) AS STRING)"
    yield from ["concat(CAST(1e16 AS FLOAT), '')", "to_json(named_struct('x', CAST('1e18' AS FLOAT)))", "CAST(array(CAST('1e16' AS FLOAT)) AS STRING)"]


TYPES = [f"{cast}({v} AS {t})" for cast in ["CAST", "TRY_CAST"] for v in ["1", "'1'", "NULL"] for t in
         ["NOPE", "NOPE(3)", "INT(3)", "DATE(1)", "DECIMAL(39,0)", "DECIMAL(39)", "DECIMAL(256,3)", "DECIMAL(38,39)", "DECIMAL(10,11)", "DECIMAL(1,2,3)", "ARRAY<NOPE>",
          "ARRAY<DECIMAL(39,0)>", "MAP<INT, NOPE>", "STRUCT<a: NOPE>", "STRUCT<a: DECIMAL(39,1)>"]] + ["CAST(1 AS DECIMAL(0,0))", "CAST('1' AS DECIMAL(0))"]

LIKES = ["'a#' LIKE 'a#' ESCAPE '#'", "'abc' LIKE 'a\\bc'", "'abc' LIKE 'a\\'", "'abc' ILIKE 'a\\bc'", "'abc' ILIKE 'a\\'", "'abc' NOT LIKE 'a\\'", "like('abc', 'a\\')", "like('abc', 'a#', '#')", "ilike('abc', 'a#', '#')",
         "'x' LIKE '#' ESCAPE '#'", "'x' LIKE '##' ESCAPE '#'", "'x' LIKE '#x' ESCAPE '#'", "NULL LIKE 'a\\'", "CAST(NULL AS STRING) LIKE 'a#' ESCAPE '#'", "'abc' LIKE ANY ('a\\', 'b')", "'abc' LIKE ANY ('abc', 'a\\')",
         "'abc' LIKE ALL ('x', 'a\\')", "'x' NOT LIKE ANY ('y', 'a\\')", "'x' NOT LIKE ALL ('x', 'a\\')", "'x' LIKE ALL ('y', 'a\\')", "NULL LIKE ANY ('a\\')", "'b' LIKE ANY ('b', NULL, 'a\\')"] + [
         f"{q} FROM (VALUES ({v})) AS t(a)" for q in ["a LIKE 'a#' ESCAPE '#'", "'a#' LIKE a ESCAPE '#'", "a LIKE a ESCAPE '#'", "'abc' LIKE a", "a LIKE 'a\\'", "'abc' ILIKE a", "a LIKE ANY ('a\\', 'b')"]
         for v in ["'a#'", "'a\\'", "'a\\bc'", "CAST(NULL AS STRING)"]]

TEXTS = ["x378", "xx3x", "aXbXc", "Äßx", ""]
EMPTY_MATCHES = [q.format(t, p) for t in TEXTS for p in ["x?", "x*", "(x|3)*", "[^x]*", "^x?", "x?$", "(x)?", "(x*)(3?)"] for q in [
    "regexp_count('{}', '{}')", "regexp_substr('{}', '{}')", "split('{}', '{}')", "split('{}', '{}', 2)", "split('{}', '{}', 3)", "regexp_replace('{}', '{}', '-')",
    "regexp_replace('{}', '{}', '<$0>')", "regexp_extract_all('{}', '{}', 0)", "regexp_instr('{}', '{}')", "regexp_extract('{}', '{}', 0)"]]

PATTERNS = ["2", "", " ", "#", "0", "#.#", "#.", ".", ".0", ".##", "#,###", "#,##0.00", "#,###.#", "#,##,##0.0", "0,0", "000,000.000", "##################.###", "0.00E0", "0.###E0", "00.###E0", "##0.##E0", "##0.#####E0", "#E0",
            "0E000", "###E0", "E0", "0E", "0E0E0", "0.0%", "#%", "0.0‰", "%0%", "$0.00", "¤#,##0.00", "¤¤ 0.00", "0.00;(0.00)", "0.0;#", "$#,##0.00;($#,##0.00)", "0;0-", "#;neg#", ";", "0;", "0;;", "''#''0", "''''0", "''",
            "0''%''", "abc", "-0", "0a0", "0#", "0.#0", "0.0.0", "#,", "0.,0", "0.0,0", "00000000.00", "0.000000000000000000", "#,####.00", "é0ü"]
NUMBERS = ["1234567.891D", "-1234.5D", "0D", "-0.0D", "0.00012345D", "12345D", "1e20D", "0.125D", "2.5F", "7Y", "7", "-250", "9223372036854775807L", "12345678901234567890.125", "-0.005", "99999999999999999999999999999999999999",
           "CAST('NaN' AS DOUBLE)", "CAST('-Infinity' AS DOUBLE)", "NULL"]
FORMATS = [f"format_number({x}, '{p}')" for p in PATTERNS for x in NUMBERS] + [f"format_number({x}, {d})" for x in NUMBERS for d in ["0", "1", "2", "20", "-1", "340", "400", "CAST(NULL AS STRING)"]] + [
    "format_number('7', '0.0')", "format_number(true, '0.0')", "format_number(1.5D, CAST('2' AS VARCHAR(3)))", "format_number(1.5D, X'30')", "format_number(1.005D, 2)", "format_number(1.015D, 2)"]


def zeros():
    """0.0 and -0.0, alone and in other values."""
    for wrap in ["{}", "array({})", "struct({})"]:
        for t in ["D", "F"]:
            p, n = wrap.format("0.0" + t), wrap.format("-0.0" + t)
            for q in ["array_distinct(array({0}, {1}))", "array_union(array({0}), array({1}))", "array_union(array({0}, {0}), array({1}, {1}))", "array_except(array({0}), array({1}))", "array_intersect(array({0}), array({1}))",
                      "array_intersect(array({0}, {1}), array({1}))", "arrays_overlap(array({0}), array({1}))", "array_contains(array({0}), {1})", "array_position(array({0}), {1})", "array_remove(array({0}, {1}), {0})",
                      "array_max(array({0}, {1}))", "array_min(array({0}, {1}))", "sort_array(array({0}, {1}))", "array_sort(array({0}, {1}))", "map({0}, 1)", "map({0}, 1)[{1}]", "map({0}, 1, {1}, 2)", "map_contains_key(map({0}, 1), {1})",
                      "element_at(map({0}, 1), {1})", "map_from_arrays(array({0}), array(1))", "map_from_arrays(array({0}, {1}), array(1, 2))", "{0} IN ({1})", "nullif({0}, {1})", "{0} <=> {1}", "greatest({0}, {1})", "least({0}, {1})"]:
                yield q.format(p, n)
                yield q.format(n, p)
    nan = "CAST('NaN' AS DOUBLE)"
    for q in ["array_distinct(array({0}, {0}))", "array_union(array({0}), array({0}))", "array_except(array({0}), array({0}))", "array_intersect(array({0}), array({0}))", "arrays_overlap(array({0}), array({0}))",
              "array_contains(array({0}), {0})", "array_position(array({0}), {0})", "array_remove(array({0}), {0})", "map({0}, 1)[{0}]", "map({0}, 1, {0}, 2)"]:
        yield q.format(nan)
    for a, b in [("0.0D", "-0.0D"), ("-0.0D", "0.0D"), ("-0.0F", "0.0F"), (nan, nan)]:
        for name in ["collect_set(a)", "count(DISTINCT a)", "max(a)", "min(a)", "sum(a)", "avg(a)", "median(a)", "percentile(a, 0.0)", "percentile(a, 1.0)", "percentile_approx(a, 0.5)", "approx_count_distinct(a)"]:
            yield f"{name} FROM (VALUES ({a}), ({b})) AS t(a)"
            yield f"{name} FROM (VALUES ({a})) AS t(a)"


SORTS = [f"array_sort({a}, {f})" for a in ["array(1, 3, NULL, 2)", "array(3)", "array()", "NULL", "CAST(NULL AS ARRAY<INT>)", "array(array(2), array(1))", "array(map(1, 2), map(3, 4))", "array('b', 'a')", "sequence(1, 40)", "3"]
         for f in ["1", "0", "-1", "1 - 2", "CAST(NULL AS INT)", "1L", "1Y", "true", "'x'", "NULL", "1.5"]] + ["array_sort(array(3, 1), NULL, 1)"]

TIMES = [f"{name}({t}, {rest})" for name in ["hour", "minute", "second"] for t in ["TIMESTAMP '2024-02-29 12:34:56.789012'", "TIMESTAMP_NTZ '2024-02-29 12:34:56'", "'2024-02-29 12:34:56'", "NULL", "1"]
         for rest in ["1", "'x', 2", "NULL", "1 / 0", "'Asia/Tokyo'", "array(1)", "nosuch", "1 + true"]] + [
         f"to_timestamp({v}, {p})" for v in ["7Y", "7S", "7", "7L", "1.5F", "1.5D", "1.50", "2024", "CAST(NULL AS INT)", "true", "X'31'", "'7'", "NULL", "array(1)", "INTERVAL 1 DAY", "DATE '2024-01-01'"] for p in ["'yyyy'", "5", "NULL", "'y'"]] + [
         f"{f}(2024, 'yyyy')" for f in ["to_timestamp_ntz", "to_date", "unix_timestamp", "to_unix_timestamp"]]


def sums():
    """Sums that overflow or are rounded on the way, in the order of the rows."""
    top, low, big = "9223372036854775807L", "-9223372036854775808L", "99999999999999999999999999999999999999"
    for values in [["7L", top, low], [top, "-1L", "5L"], ["-1L", top, "1L"], [top, "1L", "-1L"], [top, "-1L", "1L", "1L"], ["1L", top, "-1L"], [top, "1L", "-9223372036854775807L"], [top, "-9223372036854775807L", "1L"], ["9007199254740993L", "1L"],
                   ["9007199254740993L", "-9007199254740993L", "1L"], [top, top, low, low], ["3e20D", "1D", "-3e20D"], ["3e20D", "-3e20D", "1D"], ["1D", "3e20D", "-3e20D"], ["1e308D", "1e308D", "-1e308D"], ["0.1F", "0.2F", "1e30F"],
                   ["0.1D", "0.2D", "0.3D", "1e16D", "1D", "1D"], [big, "1", "-1"], [big, "-1", "1"], [big, big, "-" + big], [big, "-1"], [big, big, "-" + big, "-" + big], [big], ["9999999999999999999999999999.9999999999", "1", "-1"],
                   ["9.9999999999999999999999999999999999999", "1", "2"], ["INTERVAL '106751991' DAY", "INTERVAL '106751991' DAY", "INTERVAL '-106751991' DAY"], ["INTERVAL '106751991' DAY", "INTERVAL '-106751991' DAY", "INTERVAL '1' DAY"],
                   ["INTERVAL '178956970' YEAR", "INTERVAL '178956970' YEAR", "INTERVAL '-178956970' YEAR"], ["2147483647", "2147483647", "2147483647"]]:
        for name in ["sum", "avg", "mean"]:
            for distinct in ["", "DISTINCT "]:
                yield f"{name}({distinct}a) FROM (VALUES {', '.join(f'({v})' for v in values)}) AS t(a)"
    for values in [["1e308D"], ["1e308D", "1e308D"], ["1e308D", "-1e308D"], ["1e154D", "2e154D"], ["1e155D", "2e155D"], ["1e155D"], ["1e155D", "2D"], ["CAST('Infinity' AS DOUBLE)"], ["CAST(NULL AS DOUBLE)", "1e308D"],
                   ["0.1D", "0.2D", "0.3D", "0.7D", "123.4D"], ["1.1", "2.2", "9.95"], ["1", "2", "9"], ["0.1F", "3.7F", "1e10F"]]:
        for name in ["stddev", "stddev_pop", "var_samp", "var_pop", "var_pop(DISTINCT", "covar_pop(1D,", "covar_samp(a,", "covar_pop(1e10D,", "corr(a,", "corr(a * a,"]:
            call = name + " a)" if "(" in name else name + "(a)"
            yield f"{call} FROM (VALUES {', '.join(f'({v})' for v in values)}) AS t(a)"


def percentiles():
    """percentile_approx with every accuracy."""
    numbers = [5, 3, 9, 1, 7, 2, 8, 4, 6, 10, 15, 13, 19, 11, 17, 12, 18, 14, 16, 20]
    rows = " FROM (VALUES " + ", ".join(f"({n})" for n in numbers) + ") AS t(a)"
    for accuracy in ["1", "2", "3", "4", "5", "7", "10", "20", "50", "100L", "100Y", "10 * 10", "2147483647", "2147483648", "2147483648L", "0", "-1", "NULL", "CAST(NULL AS INT)", "1.5", "1.5D", "'100'", "true", "a", "array(1)", "DATE '2024-01-01'"]:
        yield f"percentile_approx(a, array(0.9, 0.0, 0.1, 0.5, 0.33, 0.5, 1.0), {accuracy}){rows}"
        yield f"percentile_approx(a, 0.5, {accuracy}){rows}"
        yield f"percentile_approx(a, 0.5, {accuracy}){rows} WHERE false"
    yield f"percentile_approx(a, array()){rows}"
    yield f"percentile(a, array()){rows}"
    for values in [["9223372036854775807L"], ["9007199254740993L"], ["1.1F"], ["TIMESTAMP '9999-12-31 23:59:59.999999'"], ["TIMESTAMP '2024-02-29 12:34:56.789012'"], ["DATE '2024-02-29'"], ["INTERVAL '1-2' YEAR TO MONTH"],
                   ["CAST('NaN' AS DOUBLE)", "1D"], ["CAST('NaN' AS DOUBLE)", "1D", "2D", "3D"], ["127Y"]]:
        for accuracy in ["", ", 1", ", 3"]:
            yield f"percentile_approx(a, 0.5{accuracy}) FROM (VALUES {', '.join(f'({v})' for v in values)}) AS t(a)"
    for q in ["percentile_approx(a, 1.0) + 1", "percentile_approx(a, 1.0) = 1.50", "round(percentile_approx(a, 1.0), 2)"]:
        yield q + " FROM (VALUES (1.50)) AS t(a)"


def questions():
    for group in [floats(), TYPES, LIKES, EMPTY_MATCHES, FORMATS, zeros(), SORTS, TIMES, sums(), percentiles()]:
        yield from group
