package conformance

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/types"
)

// metadataTables compares the metadata tables of a case. Their lines leave NULLs
// out, have maps as objects, binary in base64 and times in milliseconds.
func (g *icebergRun) metadataTables() (failures []string) {
	files, err := filepath.Glob(filepath.Join(g.dir, "expected", "meta_*.ndjson"))
	require.NoError(g.t, err)
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "meta_"), ".ndjson")
		got, err := Query(context.Background(), g.db, "SELECT * FROM "+g.name()+"."+name)
		if err != nil {
			failures = append(failures, name+": "+err.Error())
			continue
		}
		var have []string
		for _, row := range got.Rows {
			line := map[string]any{}
			for i, v := range row {
				put(line, got.Fields[i].Name, metadataValue(got.Fields[i].Type, v))
			}
			have = append(have, jsonText(g.t, line))
		}
		body, err := os.ReadFile(file)
		require.NoError(g.t, err)
		var want []string
		for _, line := range bytes.Split(bytes.TrimSpace(body), []byte("\n")) {
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			var v any
			require.NoError(g.t, d.Decode(&v))
			want = append(want, jsonText(g.t, numbers(v)))
		}
		slices.Sort(have)
		slices.Sort(want)
		if d := diffLines(want, have); d != "" {
			failures = append(failures, name+": "+d)
		}
	}
	return failures
}

func jsonText(t require.TestingT, v any) string {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// number gives a number one text, whatever its digits were.
func number(text string) any {
	if r, ok := new(big.Rat).SetString(text); ok {
		return "number " + r.RatString()
	}
	return text
}

// numbers gives the numbers of a JSON value one text each.
func numbers(v any) any {
	switch x := v.(type) {
	case json.Number:
		return number(x.String())
	case []any:
		for i := range x {
			x[i] = numbers(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = numbers(x[k])
		}
	}
	return v
}

func put(object map[string]any, key string, v any) {
	if v != nil {
		object[key] = v
	}
}

func metadataValue(t types.Type, v any) any {
	switch x := v.(type) {
	case int64:
		return number(strconv.FormatInt(x, 10))
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return strings.Trim(floatText(x), `"`)
		}
		return number(publicFloat(t, x))
	case string:
		if t.Kind == types.Decimal {
			return number(x)
		}
	case []byte:
		return base64.StdEncoding.EncodeToString(x)
	case time.Time:
		if t.Kind == types.Date {
			return x.Format("2006-01-02")
		}
		if t.Kind == types.TimestampNTZ {
			return x.UTC().Format("2006-01-02T15:04:05.000")
		}
		return x.UTC().Format("2006-01-02T15:04:05.000Z")
	case driver.List:
		out := []any{}
		for _, e := range x {
			out = append(out, metadataValue(t.Elem.Type, e))
		}
		return out
	case driver.Map:
		out := map[string]any{}
		for _, e := range x {
			put(out, fmt.Sprint(e.Key), metadataValue(t.Elem.Type, e.Value))
		}
		return out
	case driver.Struct:
		out := map[string]any{}
		for i, f := range x {
			put(out, f.Name, metadataValue(t.Fields[i].Type, f.Value))
		}
		return out
	}
	return v
}
