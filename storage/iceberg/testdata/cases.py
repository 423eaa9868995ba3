"""Small tables of this package's tests: gen_iceberg_spark.py --cases cases.py."""
MODES = {"write.delete.mode": "merge-on-read", "write.update.mode": "merge-on-read", "write.merge.mode": "merge-on-read"}



@case("events", "v2, partitioned by day and bucket, with position deletes, schema and partition evolution, a branch and a tag.", ["v2"], ["id"])
def events(t):
    t.create("id bigint NOT NULL, kind string, at timestamp, amount decimal(10,2)", "days(at), bucket(4, id)", MODES)
    t.insert("(1L, 'a', TIMESTAMP '1969-12-31 23:00:00', 1.50BD)", "(2L, 'b', TIMESTAMP '2024-02-29 12:00:00', 2.50BD)",
             "(3L, NULL, TIMESTAMP '2024-02-29 13:00:00', NULL)", "(4L, 'd', TIMESTAMP '2024-03-01 00:00:00', 4.50BD)")
    t.q("ALTER TABLE {t} CREATE TAG first")
    t.q("DELETE FROM {t} WHERE id = 2")
    t.q("ALTER TABLE {t} CREATE BRANCH audit")
    t.q("ALTER TABLE {t} ADD COLUMN note string", "ALTER TABLE {t} RENAME COLUMN kind TO sort",
        "ALTER TABLE {t} ADD PARTITION FIELD truncate(2, note)")
    t.insert("(5L, 'e', TIMESTAMP '2024-03-01 01:00:00', 5.50BD, 'fünf')", "(6L, 'f', NULL, 6.50BD, NULL)")
    t.q("UPDATE {t} SET amount = 0 WHERE id = 4")


@case("nested", "v3 with every kind of nesting, defaults and deletion vectors.", ["v3"], ["id"])
def nested(t):
    t.create("id int, s struct<x: int, y: array<string>>, m map<string, struct<z: double>>", None, MODES, v=3)
    t.insert("(1, named_struct('x', 1, 'y', array('a', NULL)), map('k', named_struct('z', 1.5D)))", "(2, NULL, map())",
             "(3, named_struct('x', NULL, 'y', NULL), NULL)", "(4, named_struct('x', 4, 'y', array()), map('k', NULL))")
    t.q("DELETE FROM {t} WHERE id = 3")
    t.q("ALTER TABLE {t} ADD COLUMN s.w int")
    t.insert("(5, named_struct('x', 5, 'y', array('e'), 'w', 50), map('k', named_struct('z', 5D)))")
