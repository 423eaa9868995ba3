package action

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `{"commitInfo":{"timestamp":1700000000000,"operation":"WRITE","isBlindAppend":true,"engineInfo":"x","extra":{"a":[1]}}}
{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors"],"writerFeatures":["deletionVectors"]}}
{"metaData":{"id":"m","format":{"provider":"parquet","options":{}},"schemaString":"{}","partitionColumns":["p"],"configuration":{"k":"v"},"createdTime":5}}

{"add":{"path":"a%20b","partitionValues":{"p":null,"q":"1"},"size":7,"modificationTime":8,"dataChange":false,"stats":"{\"numRecords\":3}","tags":{"t":"u"},"deletionVector":{"storageType":"u","pathOrInlineDv":"xyz","offset":4,"sizeInBytes":40,"cardinality":6},"baseRowId":1,"defaultRowCommitVersion":2,"unknown":{}}}
{"remove":{"path":"c","deletionTimestamp":9,"dataChange":true,"extendedFileMetadata":true,"partitionValues":{},"size":3}}
{"txn":{"appId":"app","version":12,"lastUpdated":13}}
{"domainMetadata":{"domain":"d","configuration":"{}","removed":true}}
{"sidecar":{"path":"s","sizeInBytes":1}}
{"checkpointMetadata":{"version":1}}
{"somethingNew":{"x":1}}
`

func TestParse(t *testing.T) {
	c, err := ParseCommit([]byte(sample))
	require.NoError(t, err)
	require.Equal(t, &CommitInfo{Timestamp: 1700000000000, Operation: "WRITE", IsBlindAppend: true, EngineInfo: "x"}, c.Info)
	require.Equal(t, []string{"deletionVectors"}, c.Protocol.ReaderFeatures)
	require.Equal(t, map[string]string{"k": "v"}, c.Metadata.Configuration)
	require.Len(t, c.Files, 2)
	add := c.Files[0].Add
	require.Equal(t, []PartitionValue{{Column: "p", IsNull: true}, {Column: "q", Value: "1"}}, add.PartitionValues)
	require.Equal(t, "uxyz@4", add.DeletionVector.UniqueID())
	require.False(t, add.DataChange)
	require.EqualValues(t, 1, *add.BaseRowID)
	require.EqualValues(t, 9, c.Files[1].Remove.DeletionTimestamp)
	require.Equal(t, "app", c.Txns[0].AppID)
	require.True(t, c.Domains[0].Removed)
	require.Equal(t, "s", c.Sidecars[0].Path)
}

func TestDamage(t *testing.T) {
	for _, text := range []string{`{"add":{"path":"a"`, `{"add":{"size":3}}`, `{"add":[]}`, `[]`, `{"add":{"path":"a","size":"x"}}`, `{"remove":{}}`,
		`{"protocol":{}}`, `{"add":{"path":"a","deletionVector":{"offset":99999999999}}}`, "{}\n{}x"} {
		_, err := ParseCommit([]byte(text))
		var line *LineError
		require.ErrorAs(t, err, &line, text)
	}
	for _, text := range []string{"", "\n", " \n\r\n"} {
		c, err := ParseCommit([]byte(text))
		require.NoError(t, err, "%q", text)
		require.Equal(t, &Commit{}, c)
	}
}

func TestCommitInfoHoldsAnything(t *testing.T) {
	c, err := ParseCommit([]byte(`{"commitInfo":{"timestamp":"now","operation":7,"isBlindAppend":"yes","inCommitTimestamp":1.5,"txnId":null}}`))
	require.NoError(t, err)
	require.Equal(t, &CommitInfo{}, c.Info)
}

func TestFormatReadsBack(t *testing.T) {
	c, err := ParseCommit([]byte(sample))
	require.NoError(t, err)
	body, err := FormatCommit(&Provenance{Operation: "WRITE"}, c)
	require.NoError(t, err)
	again, err := ParseCommit(body)
	require.NoError(t, err)
	require.Equal(t, c.Protocol, again.Protocol)
	require.Equal(t, c.Metadata, again.Metadata)
	require.Equal(t, c.Files[0].Add.DeletionVector, again.Files[0].Add.DeletionVector)
	require.Equal(t, c.Files[0].Add.Stats, again.Files[0].Add.Stats)
	require.ElementsMatch(t, c.Files[0].Add.PartitionValues, again.Files[0].Add.PartitionValues)
	require.Equal(t, c.Files[1].Remove.Path, again.Files[1].Remove.Path)
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte(sample))
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := ParseCommit(body)
		if err != nil {
			return
		}
		for _, a := range c.Files {
			require.True(t, (a.Add == nil) != (a.Remove == nil))
		}
		if c.Metadata == nil { // its nil lists read back as empty ones
			_, err = FormatCommit(&Provenance{}, c)
			require.NoError(t, err)
		}
	})
}
