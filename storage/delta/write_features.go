package delta

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// writeFeatures are the writer features that a table may support and still be
// written to here, as long as those of them that checkActive looks at are not
// active.
var writeFeatures = []string{featureAppendOnly, featureInvariants, featureCheckConstraints, featureGeneratedColumns, featureColumnDefaults,
	featureChangeDataFeed, featureColumnMapping, featureIdentityColumns, featureDeletionVectors, featureTimestampNTZ, featureDomainMetadata,
	featureV2Checkpoint, featureIcebergCompatV1, featureIcebergCompatV2, featureClustering, featureVacuumProtocolCheck,
	featureInCommitTimestamp, featureTypeWidening, featureTypeWideningPreview, "checkpointProtection"}

func (s *Snapshot) unsupportedWrite(feature string) error {
	return &storage.UnsupportedFeature{Table: s.table.name.String(), Feature: feature, Writing: true, Version: s.protocol.String()}
}

// CheckWrite implements storage.Snapshot: it refuses tables that ask more of writers than this package serves
// (protocol, "Requirements for Writers" and "Active Features").
func (s *Snapshot) CheckWrite() error {
	p := s.protocol
	if p.MinWriterVersion > maxWriterVersion {
		return s.unsupportedWrite(fmt.Sprintf("writer version %d", p.MinWriterVersion))
	}
	if p.MinWriterVersion == maxWriterVersion {
		for _, f := range p.WriterFeatures {
			if !slices.Contains(writeFeatures, f) {
				return s.unsupportedWrite(f)
			}
		}
	}
	return s.checkActive()
}

// enabledBy are the features that a Boolean table property makes active.
var enabledBy = []struct{ feature, property string }{
	{featureChangeDataFeed, "delta.enableChangeDataFeed"},
	{featureRowTracking, "delta.enableRowTracking"},
	{featureIcebergCompatV1, "delta.enableIcebergCompatV1"},
	{featureIcebergCompatV2, "delta.enableIcebergCompatV2"},
}

// checkActive refuses active features that ask for more than this package does
// when it writes rows.
func (s *Snapshot) checkActive() error {
	for _, e := range enabledBy {
		if s.protocol.supports(e.feature) && s.metadata.isTrue(e.property) {
			return s.unsupportedWrite(e.feature)
		}
	}
	for key := range s.metadata.action.Configuration {
		if strings.HasPrefix(key, constraintPrefix) {
			return s.unsupportedWrite(featureCheckConstraints)
		}
	}
	for _, c := range s.metadata.columns {
		switch {
		case c.Rules.Invariant != "" && s.protocol.supports(featureInvariants):
			return s.unsupportedWrite(featureInvariants)
		case c.Rules.Generated != "":
			return s.unsupportedWrite(featureGeneratedColumns)
		case c.Rules.Identity:
			return s.unsupportedWrite(featureIdentityColumns)
		case hasDefault(c.Logical):
			return s.unsupportedWrite(featureColumnDefaults)
		case c.Logical.Type.Holds(types.Variant):
			return s.unsupportedWrite("variantType")
		}
	}
	return nil
}

// hasDefault tells whether a field, or one within, has a default value.
func hasDefault(f types.Field) bool {
	if f.Default != "" {
		return true
	}
	for _, within := range f.Type.Parts() {
		if hasDefault(within) {
			return true
		}
	}
	return false
}
