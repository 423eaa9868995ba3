package action

// Protocol says what a client must implement (protocol, "Protocol Evolution").
type Protocol struct {
	MinReaderVersion int      `json:"minReaderVersion"`
	MinWriterVersion int      `json:"minWriterVersion"`
	ReaderFeatures   []string `json:"readerFeatures,omitempty"`
	WriterFeatures   []string `json:"writerFeatures,omitempty"`
}

// Format is the encoding of data files.
type Format struct {
	Provider string            `json:"provider"`
	Options  map[string]string `json:"options"`
}

// Metadata describes a table (protocol, "Change Metadata").
type Metadata struct {
	ID               string            `json:"id"`
	Name             string            `json:"name,omitempty"`
	Description      string            `json:"description,omitempty"`
	Format           Format            `json:"format"`
	SchemaString     string            `json:"schemaString"`
	PartitionColumns []string          `json:"partitionColumns"`
	Configuration    map[string]string `json:"configuration"`
	CreatedTime      *int64            `json:"createdTime,omitempty"` // milliseconds
}

// PartitionValue is the serialized value of a partition column, by its
// physical name.
type PartitionValue struct {
	Column string
	Value  string
	IsNull bool
}

// DeletionVector says where the positions of a file's deleted rows are
// (protocol, "Deletion Vector Descriptor Schema").
type DeletionVector struct {
	StorageType    string `json:"storageType"`
	PathOrInlineDV string `json:"pathOrInlineDv"`
	Offset         *int32 `json:"offset,omitempty"`
	SizeInBytes    int32  `json:"sizeInBytes"`
	Cardinality    int64  `json:"cardinality"`
}

// Add makes a logical file part of the table (protocol, "Add File and Remove
// File").
type Add struct {
	Path             string // as in the log
	PartitionValues  []PartitionValue
	Size             int64
	ModificationTime int64 // milliseconds
	DataChange       bool
	Stats            string // JSON; empty if absent
	Tags             map[string]string
	DeletionVector   *DeletionVector
	BaseRowID        *int64
	// DefaultRowCommitVersion belongs to BaseRowID (protocol, "Row Tracking").
	DefaultRowCommitVersion *int64
	ClusteringProvider      string
}

// Remove takes a logical file out of the table and stays as a tombstone.
type Remove struct {
	Path                 string
	DeletionTimestamp    int64 // milliseconds; 0 if absent
	DataChange           bool
	ExtendedFileMetadata bool // PartitionValues and Size are there
	PartitionValues      []PartitionValue
	Size                 int64
	DeletionVector       *DeletionVector
}

// FileAction is one Add or one Remove.
type FileAction struct {
	Add    *Add
	Remove *Remove
}

// Txn is the progress of an application (protocol, "Transaction Identifiers").
type Txn struct {
	AppID       string `json:"appId"`
	Version     int64  `json:"version"`
	LastUpdated *int64 `json:"lastUpdated,omitempty"` // milliseconds
}

// DomainMetadata is the configuration of a named domain.
type DomainMetadata struct {
	Domain        string `json:"domain"`
	Configuration string `json:"configuration"`
	Removed       bool   `json:"removed"`
}

// CommitInfo is what this program uses of a commit's provenance.
type CommitInfo struct {
	Timestamp         int64  // milliseconds; 0 if absent
	InCommitTimestamp *int64 // milliseconds
	Operation         string
	IsBlindAppend     bool // the writer said so
	EngineInfo        string
	TxnID             string
}

// Sidecar names a file of a checkpoint's file actions (protocol, "Sidecar File
// Information").
type Sidecar struct {
	Path        string
	SizeInBytes int64
}

// Commit is the set of actions of one version, or of a checkpoint in JSON.
type Commit struct {
	Info     *CommitInfo
	Protocol *Protocol
	Metadata *Metadata
	Files    []FileAction // in the order of the lines
	Txns     []Txn
	Domains  []DomainMetadata
	Sidecars []Sidecar // in checkpoints only
}
