package eval

import (
	"github.com/tarndb/tarn/sql/vector"
)

// nestedKernel makes a kernel whose results are ARRAY, MAP or STRUCT values,
// appended one by one; nil is NULL.
func nestedKernel(row func(f *frame, i int) (any, error)) kernel {
	return func(f *frame) error {
		b := vector.NewBuilder(f.out.Type, f.n)
		k := 0
		for i := range f.n {
			if f.sel != nil && (k == len(f.sel) || int(f.sel[k]) != i) {
				b.AppendNull()
				continue
			}
			k++
			if !f.out.Valid.Valid(i) {
				b.AppendNull()
				continue
			}
			value, err := row(f, i)
			if err != nil {
				return err
			}
			b.AppendValue(value)
		}
		*f.out = *b.Vector()
		return nil
	}
}
