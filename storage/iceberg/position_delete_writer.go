package iceberg

import (
	"io"
	"maps"
	"slices"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/writer"
)

// writePositionDeletes writes a position delete file of the rows of each data
// file, whose paths are as metadata has them (spec, "Position Delete Files").
//
// Only the file for one data file has bounds: by them readers that know no
// referenced_data_file see that it is for one. No column has counts.
func writePositionDeletes(out io.Writer, newRows func(io.Writer, types.Schema) (writer.RowWriter, error), rows map[string]*deletes.PositionSet) (records, size int64, metrics []ColumnMetrics, err error) {
	w, err := newRows(out, types.Schema{Fields: positionColumns})
	if err != nil {
		return 0, 0, nil, err
	}
	paths := slices.Sorted(maps.Keys(rows))
	for _, path := range paths {
		if err := writePositionsOf(w, path, rows[path]); err != nil {
			return 0, 0, nil, err
		}
	}
	stats, records, err := w.Close()
	if err != nil {
		return 0, 0, nil, err
	}
	for _, id := range []types.FieldID{deletePositionID, deletePathID} { // ascending
		m := ColumnMetrics{ID: id, SizeBytes: -1, Values: -1, NullCount: -1, NaNCount: -1}
		if at := slices.IndexFunc(stats.Columns, func(c storage.ColumnStats) bool { return c.ID == id }); at >= 0 {
			m.SizeBytes = stats.Columns[at].SizeBytes
		}
		metrics = append(metrics, m)
	}
	if len(paths) == 1 && records > 0 {
		position, path := &metrics[0], &metrics[1]
		position.LowerBound, position.UpperBound = positionBounds(rows[paths[0]])
		path.LowerBound, path.UpperBound = []byte(paths[0]), []byte(paths[0])
	}
	return records, w.Size(), metrics, nil
}

// positionBounds gives the first and the last row of a set that has some.
func positionBounds(rows *deletes.PositionSet) (low, high []byte) {
	for row := range rows.All() {
		low = appendSingleValue(nil, types.Of(types.BigInt), row)
		break
	}
	return low, appendSingleValue(nil, types.Of(types.BigInt), rows.Max())
}

// writePositionsOf writes the rows of one data file in ascending order.
func writePositionsOf(w writer.RowWriter, path string, rows *deletes.PositionSet) error {
	name := vector.Single(types.Of(types.String), path)
	positions := vector.New(types.Of(types.BigInt), vector.BatchRows)
	codes := make([]int32, vector.BatchRows)
	n := 0
	flush := func() error {
		defer func() { n = 0 }()
		return w.Write(vector.NewBatch(n, vector.NewDictionary(name, codes[:n], nil), positions.Slice(0, n)))
	}
	for row := range rows.All() {
		positions.Int64s[n] = row
		if n++; n == vector.BatchRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
