-- The tables of this directory, as Spark 4.1 with Delta Lake 4.1 writes them.
-- Run with any Spark SQL shell that has Delta's catalog, in this directory:
-- paths are relative to it through ${ROOT}. File names and times differ from run
-- to run; rows and statistics do not. Checksum files (.crc) are removed.
CREATE TABLE delta.`${ROOT}/partitioned` (id BIGINT, name STRING, amount DECIMAL(10,2), at TIMESTAMP, day DATE, grp STRING)
  USING delta PARTITIONED BY (day, grp) TBLPROPERTIES ('delta.checkpointInterval' = '3');
INSERT INTO delta.`${ROOT}/partitioned` VALUES (1, 'one', 1.50, TIMESTAMP'2024-01-01 00:00:00.123456', DATE'2024-01-01', 'a/b c'), (2, NULL, NULL, NULL, DATE'2024-01-01', NULL);
INSERT INTO delta.`${ROOT}/partitioned` VALUES (3, 'three', -3.25, TIMESTAMP'2024-01-03 03:00:00', DATE'2024-01-03', 'ü%'), (4, 'four', 4.00, TIMESTAMP'2024-01-04 00:00:00', NULL, 'a/b c');
DELETE FROM delta.`${ROOT}/partitioned` WHERE grp = 'ü%';
INSERT INTO delta.`${ROOT}/partitioned` VALUES (5, 'five', 5.00, NULL, DATE'2024-01-05', 'z');
CREATE TABLE delta.`${ROOT}/vectors` (id BIGINT, name STRING) USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');
INSERT INTO delta.`${ROOT}/vectors` SELECT /*+ COALESCE(1) */ id, concat('n', id) FROM range(0, 100);
DELETE FROM delta.`${ROOT}/vectors` WHERE id % 10 = 3;
DELETE FROM delta.`${ROOT}/vectors` WHERE id BETWEEN 20 AND 29;
CREATE TABLE delta.`${ROOT}/mapped` (id INT, st STRUCT<x: INT, y: STRING>, p INT) USING delta PARTITIONED BY (p) TBLPROPERTIES ('delta.columnMapping.mode' = 'name');
INSERT INTO delta.`${ROOT}/mapped` VALUES (1, named_struct('x', 10, 'y', 'ten'), 1), (2, NULL, 2);
ALTER TABLE delta.`${ROOT}/mapped` RENAME COLUMN st.x TO `x y`;
ALTER TABLE delta.`${ROOT}/mapped` RENAME COLUMN p TO part;
INSERT INTO delta.`${ROOT}/mapped` VALUES (3, named_struct('x y', 30, 'y', 'thirty'), 1);
CREATE TABLE delta.`${ROOT}/sidecars` (id INT) USING delta TBLPROPERTIES ('delta.checkpointPolicy' = 'v2', 'delta.checkpointInterval' = '2');
INSERT INTO delta.`${ROOT}/sidecars` VALUES (1);
INSERT INTO delta.`${ROOT}/sidecars` VALUES (2);
INSERT INTO delta.`${ROOT}/sidecars` VALUES (3);
