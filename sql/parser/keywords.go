package parser

import "strings"

// keyword is an index into keywords. Zero is a word that means nothing to the grammar.
type keyword uint16

// keywords are the words that the grammar asks for. None of them is reserved by being here: see the two lists below.
var keywords = append([]string{""}, strings.Fields(`
	ADD AFTER ALL ALTER ALWAYS ANALYZE AND ANTI ANY APPLY ARRAY AS ASC ASOF AT
	BEGIN BERNOULLI BETWEEN BOTH BRANCH BUCKET BY
	CALL CASCADE CASE CAST CATALOG CATALOGS CHANGE CHANGES CHECK CHECKPOINT CLONE CLUSTER COLUMN COLUMNS COMMENT COMMIT
	COMMITTED COMPUTE CONSTRAINT CONVERT COPY COPY_OPTIONS CREATE CROSS CUBE CURRENT CURRENT_DATE CURRENT_TIME
	CURRENT_TIMESTAMP CURRENT_USER
	DATABASE DATABASES DATE DBPROPERTIES DEEP DEFAULT DELETE DELTA DESC DESCRIBE DETAIL DISTINCT DISTRIBUTED DIV DROP DRY
	ELSE END ENFORCED ESCAPE EVOLUTION EXCEPT EXCLUDE EXECUTE EXISTS EXPLAIN EXTENDED EXTRACT
	FALSE FEATURE FETCH FIELD FIELDS FILEFORMAT FILES FILTER FIRST FOLLOWING FOR FOREIGN FORMATTED FORMAT_OPTIONS FROM FULL FUNCTIONS
	GENERATED GROUP GROUPING GROUPS
	HAVING HISTORY HOURS
	IDENTIFIER IDENTITY IF IGNORE ILIKE IN INCLUDE INCREMENT INNER INSERT INTERSECT INTERVAL INTO IS ISOLATION
	JOIN KEY KEYS
	LAST LATERAL LEADING LEFT LEVEL LIKE LIMIT LITE LOCALLY LOCALTIMESTAMP LOCATION
	MAP MATCHED MATERIALIZED MERGE MINUS
	NAME NAMESPACE NAMESPACES NATURAL NEXT NO NONE NOSCAN NOT NULL NULLS
	OF OFFSET ON ONLY OPTIMIZE OPTIONS OR ORDER ORDERED ORDINALITY OTHERS OUT OUTER OVER OVERLAY OVERWRITE
	PARTITION PARTITIONED PARTITIONS PATTERN PERCENT PIVOT PLACING POSITION PRECEDING PRECISION PRIMARY PURGE
	QUALIFY QUERY
	RANGE READ RECURSIVE REFERENCES REFRESH REGEXP RELEASE RENAME REORG REPEATABLE REPLACE RESET RESPECT RESTORE RESTRICT
	RETAIN RETENTION RIGHT RLIKE ROLLBACK ROLLUP ROW ROWS RUN
	SAVEPOINT SCHEMA SCHEMAS SELECT SEMI SEQUENCE SERIALIZABLE SESSION SET SETS SHALLOW SHOW SIMILAR SNAPSHOT SNAPSHOTS SOME
	SOURCE START STATISTICS STREAM STRUCT SUBSTR SUBSTRING SYMMETRIC SYSTEM SYSTEM_TIME SYSTEM_VERSION
	TABLE TABLES TABLESAMPLE TAG TARGET TBLPROPERTIES TEMP TEMPORARY THEN TIES TIME TIMESTAMP TIMESTAMP_LTZ TIMESTAMP_NTZ TO
	TRAILING TRANSACTION TRIM TRUE TRUNCATE TRY_CAST TYPE
	UNBOUNDED UNCOMMITTED UNION UNKNOWN UNORDERED UNPIVOT UNSET UPDATE UPSERT USE USING
	VACUUM VALUES VARYING VERSION VIEW VIEWS
	WHEN WHERE WINDOW WITH WITHIN WITHOUT WORK WRITE
	ZONE ZORDER
`)...)

// reservedWords are no identifiers unless quoted or after a dot or AS: the words that begin a clause or join the parts of an
// expression. Spark's default mode reserves fewer and pays with errors in the wrong place.
const reservedWords = `
	ALL AND AS BETWEEN CASE CREATE CROSS DISTINCT ELSE EXCEPT FROM GROUP HAVING ILIKE IN INNER INTERSECT INTO IS JOIN LATERAL
	LEFT LIKE LIMIT NATURAL NOT ON OR ORDER QUALIFY RIGHT RLIKE SELECT TABLE THEN UNION USING WHEN WHERE WITH`

// noBareAlias are the further words that are no alias without AS, because they continue the statement.
const noBareAlias = `
	ANTI ASOF CLUSTER DIV ESCAPE FETCH FILTER FOR FULL MINUS OFFSET OVER PIVOT REGEXP SEMI SET SIMILAR TABLESAMPLE UNPIVOT
	WINDOW WITHIN`

type wordClass struct{ reserved, noBareAlias bool }

var (
	keywordIndex = func() map[string]keyword {
		index := make(map[string]keyword, len(keywords))
		for i, w := range keywords[1:] {
			index[w] = keyword(i + 1)
		}
		return index
	}()
	wordClasses = func() []wordClass {
		classes := make([]wordClass, len(keywords))
		for _, w := range strings.Fields(reservedWords) {
			classes[keywordIndex[w]] = wordClass{reserved: true, noBareAlias: true}
		}
		for _, w := range strings.Fields(noBareAlias) {
			classes[keywordIndex[w]].noBareAlias = true
		}
		return classes
	}()
	longestKeyword = func() int {
		n := 0
		for _, w := range keywords {
			n = max(n, len(w))
		}
		return n
	}()
)

// lookupKeyword finds a word in the table without regard to case.
func lookupKeyword(word string) keyword {
	var upper [24]byte
	if len(word) > longestKeyword {
		return 0
	}
	for i := range len(word) {
		c := word[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	return keywordIndex[string(upper[:len(word)])]
}

func (k keyword) reserved() bool { return wordClasses[k].reserved }

// is tells whether the token is this keyword, unquoted.
func (t token) is(word string) bool { return t.word != 0 && keywords[t.word] == word }

// keyword is the keyword that the token is, or "".
func (t token) keyword() string { return keywords[t.word] }
