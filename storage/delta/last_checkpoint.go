package delta

import (
	"context"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/jsonscan"
)

// readLastCheckpoint reads the version of the newest checkpoint that a writer
// has noted (protocol, "Last Checkpoint File"). It is a hint and no more: a
// file that is absent, unreadable or damaged is no hint.
func (t *Table) readLastCheckpoint(ctx context.Context) (storage.Version, bool) {
	body, err := t.store.Get(ctx, t.logPath(lastCheckpointName))
	if err != nil {
		return 0, false
	}
	return parseLastCheckpoint(body)
}

func parseLastCheckpoint(body []byte) (storage.Version, bool) {
	version := storage.NoVersion
	s := jsonscan.New(body)
	err := s.Object(func(name []byte) error {
		if string(name) != "version" {
			return s.Skip()
		}
		n, err := s.Int64()
		version = storage.Version(n)
		return err
	})
	return version, err == nil && s.End() == nil && version >= 0
}
