-- Makes the table trips, with Spark and Delta Lake: one file per city and day.
CREATE TABLE delta.`OUT/trips` (id BIGINT, day DATE, city STRING, distance_km DOUBLE, fare DECIMAL(8,2)) USING delta PARTITIONED BY (day);
INSERT INTO delta.`OUT/trips` VALUES
  (1, DATE'2024-01-01', 'Graz', 3.2, 9.80), (2, DATE'2024-01-01', 'Linz', 12.5, 27.40), (3, DATE'2024-01-01', 'Graz', 1.1, 5.00), (4, DATE'2024-01-01', 'Wien', 7.9, 18.30);
INSERT INTO delta.`OUT/trips` VALUES
  (5, DATE'2024-01-02', 'Wien', 4.4, 11.60), (6, DATE'2024-01-02', 'Graz', 8.0, 19.10), (7, DATE'2024-01-02', 'Linz', 2.3, 7.70), (8, DATE'2024-01-02', 'Wien', 15.2, 33.90);
INSERT INTO delta.`OUT/trips` VALUES
  (9, DATE'2024-01-02', 'Linz', 21.0, 45.00), (10, DATE'2024-01-02', 'Wien', 18.7, 40.20), (11, DATE'2024-01-02', 'Graz', 30.5, 64.90);
INSERT INTO delta.`OUT/trips` VALUES
  (12, DATE'2024-01-03', 'Wien', 2.0, 7.10), (13, DATE'2024-01-03', 'Graz', 6.6, 15.80);
