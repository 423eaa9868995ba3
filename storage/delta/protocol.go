package delta

import (
	"fmt"
	"slices"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
)

// The names of the table features that this package treats in some way
// (protocol, "Valid Feature Names in Table Features").
const (
	featureAppendOnly          = "appendOnly"
	featureInvariants          = "invariants"
	featureCheckConstraints    = "checkConstraints"
	featureGeneratedColumns    = "generatedColumns"
	featureColumnDefaults      = "allowColumnDefaults"
	featureChangeDataFeed      = "changeDataFeed"
	featureColumnMapping       = "columnMapping"
	featureIdentityColumns     = "identityColumns"
	featureDeletionVectors     = "deletionVectors"
	featureRowTracking         = "rowTracking"
	featureTimestampNTZ        = "timestampNtz"
	featureDomainMetadata      = "domainMetadata"
	featureV2Checkpoint        = "v2Checkpoint"
	featureIcebergCompatV1     = "icebergCompatV1"
	featureIcebergCompatV2     = "icebergCompatV2"
	featureClustering          = "clustering"
	featureVacuumProtocolCheck = "vacuumProtocolCheck"
	featureInCommitTimestamp   = "inCommitTimestamp"
	featureTypeWidening        = "typeWidening"
	featureTypeWideningPreview = "typeWidening-preview"
)

// The newest protocol versions, those of table features.
const (
	maxReaderVersion = 3
	maxWriterVersion = 7
)

// readFeatures are the reader features that reading serves.
var readFeatures = []string{featureColumnMapping, featureDeletionVectors, featureTimestampNTZ, featureV2Checkpoint,
	featureVacuumProtocolCheck, featureTypeWidening, featureTypeWideningPreview,
	"variantType", "variantType-preview", "variantShredding", "variantShredding-preview"}

// Protocol is what a table asks of its clients.
type Protocol struct {
	*action.Protocol
}

// String prints the versions.
func (p Protocol) String() string {
	return fmt.Sprintf("reader %d, writer %d", p.MinReaderVersion, p.MinWriterVersion)
}

// checkRead refuses tables that ask more of readers than this package serves.
func (p Protocol) checkRead(table string) error {
	if p.MinReaderVersion > maxReaderVersion {
		return &storage.UnsupportedFeature{Table: table, Feature: fmt.Sprintf("reader version %d", p.MinReaderVersion), Version: p.String()}
	}
	if p.MinReaderVersion < maxReaderVersion {
		return nil
	}
	for _, f := range p.ReaderFeatures {
		if !slices.Contains(readFeatures, f) {
			return &storage.UnsupportedFeature{Table: table, Feature: f, Version: p.String()}
		}
	}
	return nil
}

// mapsColumns tells whether the property delta.columnMapping.mode counts
// (protocol, "Column Mapping").
func (p Protocol) mapsColumns() bool {
	return p.MinReaderVersion == 2 || slices.Contains(p.ReaderFeatures, featureColumnMapping)
}

// supportedSince are the features that a writer version below 7 stands for
// (protocol, "Writer Version Requirements").
var supportedSince = map[string]int{featureAppendOnly: 2, featureInvariants: 2, featureCheckConstraints: 3, featureChangeDataFeed: 4,
	featureGeneratedColumns: 4, featureColumnMapping: 5, featureIdentityColumns: 6}

// supports tells whether the protocol has a writer feature (protocol,
// "Supported Features").
func (p Protocol) supports(feature string) bool {
	if p.MinWriterVersion >= maxWriterVersion {
		return slices.Contains(p.WriterFeatures, feature)
	}
	since, ok := supportedSince[feature]
	return ok && p.MinWriterVersion >= since
}
