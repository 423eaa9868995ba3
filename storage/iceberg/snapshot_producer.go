package iceberg

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/storage"
)

// snapshotProducer makes the snapshot that a change comes to on top of another:
// its manifests, its manifest list and the table's metadata (spec, "Snapshots",
// "Manifest Lists").
type snapshotProducer struct {
	head       *Snapshot
	changes    *changes
	properties *writeProperties
	snapshotID int64
	isBlind    bool // the change does not depend on rows of the table

	metadata *TableMetadata // what becomes of head's
	sequence int64
	files    *fileNamer // of manifests
	written  []writtenFile
	manifest []*ManifestFile // of the new snapshot
	summary  snapshotSummary
}

// manifestEntries is how many files a new manifest lists at most.
const manifestEntries = 20_000

// produce writes the manifests and gives the metadata with the new snapshot. What
// was written is in written, also after an error.
func (p *snapshotProducer) produce(ctx context.Context) error {
	m := p.head.metadata
	p.metadata = m.clone()
	p.sequence = m.nextSequenceNumber()
	store, prefix, err := p.head.table.resolve(m, p.properties.metadataFolder)
	if err != nil {
		return err
	}
	p.files = &fileNamer{store: store, prefix: prefix, location: p.properties.metadataFolder, id: uuid.NewString()}
	p.summary.init(newPartitionKeys(m), p.head.record)
	if err := p.addNew(ctx); err != nil {
		return err
	}
	if err := p.keepOld(ctx); err != nil {
		return err
	}
	if p.properties.mergesManifests {
		if err := p.merge(ctx); err != nil {
			return err
		}
	}
	return p.finish(ctx)
}

// addNew lists the new files.
func (p *snapshotProducer) addNew(ctx context.Context) error {
	for content, files := range [][]*ContentFile{dataManifest: p.changes.added, deletesManifest: p.changes.addedDeletes} {
		bySpec := map[int][]*ContentFile{}
		for _, f := range files {
			p.summary.add(f)
			bySpec[f.Spec.ID] = append(bySpec[f.Spec.ID], f)
		}
		for _, id := range slices.Sorted(maps.Keys(bySpec)) {
			if p.metadata.spec(id) == nil {
				p.metadata.Specs = append(p.metadata.Specs, bySpec[id][0].Spec)
			}
			for part := range slices.Chunk(bySpec[id], manifestEntries) {
				if err := p.write(ctx, manifestContent(content), part); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keepOld lists the manifests of head, those anew that have files which were
// removed. Manifests without files are left out.
func (p *snapshotProducer) keepOld(ctx context.Context) error {
	old, err := p.head.list(ctx)
	if err != nil {
		return err
	}
	data, deletes := len(p.changes.removed), len(p.changes.removedDeletes)
	for _, m := range old {
		left := &data
		if m.content == deletesManifest {
			left = &deletes
		}
		if m.liveFiles() == 0 {
			continue
		}
		isCounted := m.liveFiles() > 0 && m.DeletedFiles >= 0 // those of v1 need not be
		if *left == 0 && isCounted {
			p.manifest = append(p.manifest, m)
			continue
		}
		entries, err := p.head.table.manifest(ctx, p.head.metadata, m)
		if err != nil {
			return err
		}
		kept, removed := p.split(m, entries)
		if removed == 0 && isCounted {
			p.manifest = append(p.manifest, m)
			continue
		}
		*left -= removed
		if len(kept) == 0 {
			continue
		}
		if err := p.write(ctx, m.content, kept); err != nil {
			return err
		}
	}
	if data+deletes > 0 {
		return &storage.CommitConflict{Table: p.head.table.name.String(), Base: p.head.Version(), Version: p.head.Version(), Operation: "another commit",
			Reason: "it removed a file that the change removes too"}
	}
	return nil
}

// split gives the entries of a manifest that is written anew: files that stay,
// and those that are removed now.
func (p *snapshotProducer) split(m *ManifestFile, entries []*ContentFile) (kept []*ContentFile, removed int) {
	for _, f := range entries {
		if !f.isLive() {
			continue
		}
		copied := *f
		copied.status = entryExisting
		if m.content == dataManifest && p.changes.removed[f.Path] || m.content == deletesManifest && p.changes.removedDeletes[f.key()] {
			copied.status = entryDeleted
			removed++
			p.summary.remove(f)
		}
		kept = append(kept, &copied)
	}
	return kept, removed
}

// write writes a manifest and lists it. The entries are of one spec.
func (p *snapshotProducer) write(ctx context.Context, content manifestContent, entries []*ContentFile) error {
	spec := entries[0].Spec
	body, err := encodeManifest(p.metadata, p.metadata.schema(p.metadata.CurrentSchemaID), spec, content, p.snapshotID, entries)
	if err != nil {
		return err
	}
	p.files.count++
	path := fmt.Sprintf("%s/%s-m%d.avro", p.files.prefix, p.files.id, p.files.count)
	if err := p.put(ctx, path, body); err != nil {
		return err
	}
	p.manifest = append(p.manifest, newManifestFile(p.metadata, p.files.locationOf(path), int64(len(body)), spec, content, p.snapshotID, p.sequence, entries))
	return nil
}

func (p *snapshotProducer) put(ctx context.Context, path string, body []byte) error {
	p.written = append(p.written, writtenFile{p.files.store, path})
	return p.files.store.Put(ctx, path, body)
}

// merge makes one manifest of many small ones, so that a table of many commits
// is planned as fast as one of few.
func (p *snapshotProducer) merge(ctx context.Context) error {
	type group struct {
		spec    int
		content manifestContent
	}
	small := map[group][]*ManifestFile{}
	for _, m := range p.manifest {
		if m.Length < p.properties.manifestBytes && m.SpecID != specInFile {
			g := group{m.SpecID, m.content}
			small[g] = append(small[g], m)
		}
	}
	for g, list := range small {
		if len(list) < max(p.properties.manifestsToMerge, 2) {
			continue
		}
		if err := p.mergeGroup(ctx, g.content, list); err != nil {
			return err
		}
	}
	return nil
}

func (p *snapshotProducer) mergeGroup(ctx context.Context, content manifestContent, list []*ManifestFile) error {
	var entries []*ContentFile
	merged := map[string]bool{}
	var bytes int64
	for _, m := range list {
		if bytes += m.Length; bytes > p.properties.manifestBytes && len(merged) > 0 {
			break
		}
		files, err := p.head.table.manifest(ctx, p.metadata, m)
		if err != nil {
			return err
		}
		merged[m.Path] = true
		for _, f := range files {
			copied := *f
			switch {
			case m.AddedSnapshotID == p.snapshotID: // as it is: added, existing or deleted now
			case !f.isLive():
				continue
			default:
				copied.status = entryExisting
			}
			entries = append(entries, &copied)
		}
	}
	p.manifest = slices.DeleteFunc(p.manifest, func(m *ManifestFile) bool { return merged[m.Path] })
	for _, f := range p.written { // those of this snapshot are needed no more
		if merged[p.files.locationOf(f.path)] {
			if err := f.remove(ctx); err != nil {
				return err
			}
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return p.write(ctx, content, entries)
}

// finish writes the manifest list and adds the snapshot to the metadata.
func (p *snapshotProducer) finish(ctx context.Context) error {
	m := p.metadata
	now := max(time.Now().UnixMilli(), m.LastUpdatedMillis)
	record := &SnapshotRecord{SnapshotID: p.snapshotID, SequenceNumber: p.sequence, SchemaID: &m.CurrentSchemaID, TimestampMillis: now,
		Summary: p.summary.properties(p.operation(), p.head.table.engine)}
	if record.Summary["operation"] == "append" && !p.isBlind {
		record.Summary[blindAppend] = "false"
	}
	if p.head.record != nil {
		record.ParentSnapshotID = &p.head.record.SnapshotID
		record.TimestampMillis = max(now, p.head.record.TimestampMillis+1) // so that TIMESTAMP AS OF tells them apart
	}
	if m.hasRowLineage() {
		first := m.NextRowID
		p.manifest, m.NextRowID = assignFirstRowIDs(p.manifest, first)
		added := m.NextRowID - first
		record.FirstRowID, record.AddedRows = &first, &added
	}
	body, err := encodeManifestList(m, record, p.manifest)
	if err != nil {
		return err
	}
	path := fmt.Sprintf("%s/snap-%d-1-%s.avro", p.files.prefix, p.snapshotID, p.files.id)
	if err := p.put(ctx, path, body); err != nil {
		return err
	}
	record.ManifestList = p.files.locationOf(path)
	m.add(record, p.head.table.branch)
	return nil
}

// operation is what the snapshot did (spec, "Snapshots").
func (p *snapshotProducer) operation() string {
	adds := len(p.changes.added) > 0
	takes := len(p.changes.removed)+len(p.changes.addedDeletes)+len(p.changes.removedDeletes) > 0
	switch {
	case adds && takes:
		return "overwrite"
	case takes:
		return "delete"
	}
	return "append"
}

// add makes a snapshot the newest of a branch.
func (m *TableMetadata) add(r *SnapshotRecord, branch string) {
	m.Snapshots = append(slices.Clip(m.Snapshots), r)
	m.snapshots[r.SnapshotID] = r
	m.LastSequenceNumber = max(m.LastSequenceNumber, r.SequenceNumber)
	m.LastUpdatedMillis = r.TimestampMillis
	ref := m.Refs[branch]
	ref.SnapshotID, ref.Type = r.SnapshotID, "branch"
	m.Refs[branch] = ref
	if branch == MainBranch {
		m.CurrentSnapshotID = &r.SnapshotID
		m.SnapshotLog = append(slices.Clip(m.SnapshotLog), SnapshotLogEntry{r.SnapshotID, r.TimestampMillis})
	}
}

// clone gives a copy that may be changed.
func (m *TableMetadata) clone() *TableMetadata {
	out := &TableMetadata{FormatVersion: m.FormatVersion, UUID: m.UUID, Location: m.Location, LastSequenceNumber: m.LastSequenceNumber, LastUpdatedMillis: m.LastUpdatedMillis,
		LastColumnID: m.LastColumnID, Schemas: slices.Clip(m.Schemas), CurrentSchemaID: m.CurrentSchemaID, Specs: slices.Clip(m.Specs), DefaultSpecID: m.DefaultSpecID,
		LastPartitionID: m.LastPartitionID, Properties: maps.Clone(m.Properties), CurrentSnapshotID: m.CurrentSnapshotID, Snapshots: slices.Clip(m.Snapshots),
		SnapshotLog: slices.Clip(m.SnapshotLog), MetadataLog: slices.Clip(m.MetadataLog), SortOrders: m.SortOrders, DefaultSortOrderID: m.DefaultSortOrderID,
		Refs: maps.Clone(m.Refs), Statistics: m.Statistics, PartitionStats: m.PartitionStats, EncryptionKeys: m.EncryptionKeys, NextRowID: m.NextRowID, snapshots: maps.Clone(m.snapshots)}
	return out
}

// logMetadata notes the metadata file that m follows (spec, "Table Metadata
// Fields", metadata-log). It gives the files that are no longer listed.
func (m *TableMetadata) logMetadata(location string, updated int64, most int) (gone []MetadataLogEntry) {
	m.MetadataLog = append(slices.Clip(m.MetadataLog), MetadataLogEntry{location, updated})
	if n := len(m.MetadataLog) - max(most, 1); n > 0 {
		gone, m.MetadataLog = m.MetadataLog[:n:n], m.MetadataLog[n:]
	}
	return gone
}

// snapshotSummary counts what a snapshot adds and removes (spec, Appendix F,
// "Optional Snapshot Summary Fields").
type snapshotSummary struct {
	counts     map[string]int64
	totals     map[string]int64 // before
	keys       partitionKeys
	partitions map[string]bool // by key
}

// summaryTotals are the totals by what adds to them and what takes away.
var summaryTotals = []struct{ total, added, removed string }{
	{"total-records", "added-records", "deleted-records"}, {"total-files-size", "added-files-size", "removed-files-size"},
	{"total-data-files", "added-data-files", "deleted-data-files"}, {"total-delete-files", "added-delete-files", "removed-delete-files"},
	{"total-position-deletes", "added-position-deletes", "removed-position-deletes"}, {"total-equality-deletes", "added-equality-deletes", "removed-equality-deletes"},
}

func (s *snapshotSummary) init(keys partitionKeys, before *SnapshotRecord) {
	s.keys = keys
	s.counts, s.totals, s.partitions = map[string]int64{}, map[string]int64{}, map[string]bool{}
	for _, t := range summaryTotals {
		if before == nil {
			s.totals[t.total] = 0
		} else if n, err := strconv.ParseInt(before.Summary[t.total], 10, 64); err == nil {
			s.totals[t.total] = n
		}
	}
}

func (s *snapshotSummary) add(f *ContentFile)    { s.count(f, "added", "added") }
func (s *snapshotSummary) remove(f *ContentFile) { s.count(f, "removed", "deleted") }

// count notes a file under the words for delete files and for data files.
func (s *snapshotSummary) count(f *ContentFile, word, dataWord string) {
	s.partitions[s.keys.of(f)] = true
	size := f.SizeBytes
	switch {
	case f.Content == Data:
		s.counts[dataWord+"-data-files"]++
		s.counts[dataWord+"-records"] += f.Records
	case f.Content == EqualityDeletes:
		s.counts[word+"-delete-files"]++
		s.counts[word+"-equality-delete-files"]++
		s.counts[word+"-equality-deletes"] += f.Records
	default:
		s.counts[word+"-delete-files"]++
		s.counts[word+"-position-deletes"] += f.Records
		if f.isDeletionVector() {
			s.counts[word+"-dvs"]++
			size = value(f.ContentSize, 0)
		} else {
			s.counts[word+"-position-delete-files"]++
		}
	}
	s.counts[word+"-files-size"] += size
}

func (s *snapshotSummary) properties(operation, engine string) map[string]string {
	out := map[string]string{"operation": operation, "engine-name": engine, "changed-partition-count": strconv.Itoa(len(s.partitions))}
	for name, n := range s.counts {
		out[name] = strconv.FormatInt(n, 10)
	}
	for _, t := range summaryTotals {
		if before, ok := s.totals[t.total]; ok {
			out[t.total] = strconv.FormatInt(before+s.counts[t.added]-s.counts[t.removed], 10)
		}
	}
	return out
}

// removeWritten removes what an attempt has written.
func removeWritten(ctx context.Context, files []writtenFile) []error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.remove(ctx))
	}
	return errs
}
