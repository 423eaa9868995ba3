package action

import (
	"bytes"
	"encoding/json"
)

// Provenance is the commitInfo action that this program writes (protocol,
// "Commit Provenance Information").
type Provenance struct {
	Timestamp           int64             `json:"timestamp"`
	InCommitTimestamp   *int64            `json:"inCommitTimestamp,omitempty"`
	Operation           string            `json:"operation"`
	OperationParameters map[string]string `json:"operationParameters"`
	IsolationLevel      string            `json:"isolationLevel"`
	IsBlindAppend       bool              `json:"isBlindAppend"`
	OperationMetrics    map[string]string `json:"operationMetrics"`
	EngineInfo          string            `json:"engineInfo"`
	TxnID               string            `json:"txnId"`
}

type jsonAdd struct {
	Path                    string             `json:"path"`
	PartitionValues         map[string]*string `json:"partitionValues"`
	Size                    int64              `json:"size"`
	ModificationTime        int64              `json:"modificationTime"`
	DataChange              bool               `json:"dataChange"`
	Stats                   string             `json:"stats,omitempty"`
	Tags                    map[string]string  `json:"tags,omitempty"`
	DeletionVector          *DeletionVector    `json:"deletionVector,omitempty"`
	BaseRowID               *int64             `json:"baseRowId,omitempty"`
	DefaultRowCommitVersion *int64             `json:"defaultRowCommitVersion,omitempty"`
	ClusteringProvider      string             `json:"clusteringProvider,omitempty"`
}

type jsonRemove struct {
	Path                 string             `json:"path"`
	DeletionTimestamp    int64              `json:"deletionTimestamp"`
	DataChange           bool               `json:"dataChange"`
	ExtendedFileMetadata bool               `json:"extendedFileMetadata,omitempty"`
	PartitionValues      map[string]*string `json:"partitionValues,omitempty"`
	Size                 int64              `json:"size,omitempty"`
	DeletionVector       *DeletionVector    `json:"deletionVector,omitempty"`
}

// jsonAction is one line of a commit.
type jsonAction struct {
	CommitInfo *Provenance `json:"commitInfo,omitempty"`
	Protocol   any         `json:"protocol,omitempty"`
	Metadata   *Metadata   `json:"metaData,omitempty"`
	Add        *jsonAdd    `json:"add,omitempty"`
	Remove     *jsonRemove `json:"remove,omitempty"`
}

// featureProtocol is a protocol of table features, whose lists must be there
// even if they are empty (protocol, "Table Features").
type featureProtocol struct {
	MinReaderVersion int      `json:"minReaderVersion"`
	MinWriterVersion int      `json:"minWriterVersion"`
	ReaderFeatures   []string `json:"readerFeatures"`
	WriterFeatures   []string `json:"writerFeatures"`
}

// FormatCommit writes a commit with info as its first action, which in-commit
// timestamps ask for.
func FormatCommit(info *Provenance, c *Commit) ([]byte, error) {
	lines := []jsonAction{{CommitInfo: info}}
	if c.Protocol != nil {
		line := jsonAction{Protocol: c.Protocol}
		if c.Protocol.MinReaderVersion >= 3 {
			line.Protocol = featureProtocol(*c.Protocol)
		}
		lines = append(lines, line)
	}
	if c.Metadata != nil {
		lines = append(lines, jsonAction{Metadata: c.Metadata})
	}
	for _, f := range c.Files {
		if f.Add != nil {
			lines = append(lines, jsonAction{Add: formatAdd(f.Add)})
		} else {
			lines = append(lines, jsonAction{Remove: formatRemove(f.Remove)})
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, line := range lines {
		if err := e.Encode(line); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func formatAdd(a *Add) *jsonAdd {
	return &jsonAdd{Path: a.Path, PartitionValues: valueMap(a.PartitionValues), Size: a.Size, ModificationTime: a.ModificationTime,
		DataChange: a.DataChange, Stats: a.Stats, Tags: a.Tags, DeletionVector: a.DeletionVector, BaseRowID: a.BaseRowID,
		DefaultRowCommitVersion: a.DefaultRowCommitVersion, ClusteringProvider: a.ClusteringProvider}
}

func formatRemove(r *Remove) *jsonRemove {
	out := &jsonRemove{Path: r.Path, DeletionTimestamp: r.DeletionTimestamp, DataChange: r.DataChange,
		ExtendedFileMetadata: r.ExtendedFileMetadata, DeletionVector: r.DeletionVector}
	if r.ExtendedFileMetadata {
		out.PartitionValues, out.Size = valueMap(r.PartitionValues), r.Size
	}
	return out
}

func valueMap(values []PartitionValue) map[string]*string {
	m := map[string]*string{}
	for _, v := range values {
		if v.IsNull {
			m[v.Column] = nil
			continue
		}
		text := v.Value
		m[v.Column] = &text
	}
	return m
}
