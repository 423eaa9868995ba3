package driver

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/types"
)

// Stmt is a prepared text of one or more statements.
type Stmt struct {
	conn       *Conn
	text       string
	statements []parser.Parsed
}

var (
	_ driver.Stmt              = (*Stmt)(nil)
	_ driver.StmtExecContext   = (*Stmt)(nil)
	_ driver.StmtQueryContext  = (*Stmt)(nil)
	_ driver.NamedValueChecker = (*Stmt)(nil)
)

// NumInput implements driver.Stmt.
func (s *Stmt) NumInput() int { return countArgs(s.statements) }

// ExecContext implements driver.StmtExecContext.
func (s *Stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.exec(ctx, s.text, s.statements, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s *Stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.query(ctx, s.text, s.statements, args)
}

// Exec implements driver.Stmt.
func (s *Stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), ordinals(args))
}

// Query implements driver.Stmt.
func (s *Stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), ordinals(args))
}

func ordinals(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}

// CheckNamedValue implements driver.NamedValueChecker.
func (s *Stmt) CheckNamedValue(v *driver.NamedValue) error { return checkValue(v) }

// CheckNamedValue implements driver.NamedValueChecker.
func (c *Conn) CheckNamedValue(v *driver.NamedValue) error { return checkValue(v) }

// Close implements driver.Stmt.
func (s *Stmt) Close() error { return nil }

// result is the answer of Exec.
type result int64

// LastInsertId implements driver.Result: tables have no such thing.
func (result) LastInsertId() (int64, error) {
	return 0, errors.New("tarn: LastInsertId is not supported: tables have no generated row ids")
}

// RowsAffected implements driver.Result.
func (r result) RowsAffected() (int64, error) { return int64(r), nil }

// countArgs is the number of arguments that the statements take together.
// Those of ? follow each other; $n and names mean the same in all statements.
func countArgs(statements []parser.Parsed) int {
	sum, most := 0, 0
	names := map[string]bool{}
	for _, s := range statements {
		switch s.ParamStyle {
		case ast.QuestionParam:
			sum += s.ParamCount
		case ast.DollarParam:
			most = max(most, s.ParamCount)
		default:
			for _, n := range s.ParamNames {
				names[strings.ToLower(n)] = true
			}
		}
	}
	return sum + most + len(names)
}

// distribute gives each statement its arguments.
func distribute(statements []parser.Parsed, args []driver.NamedValue) ([][]bind.Arg, error) {
	all := make([]bind.Arg, len(args))
	for i, a := range args {
		arg, err := bindArg(a)
		if err != nil {
			return nil, err
		}
		all[i] = arg
	}
	if want := countArgs(statements); want != len(args) {
		return nil, fmt.Errorf("%w: the text takes %d arguments, %d given", ErrParameter, want, len(args))
	}
	out := make([][]bind.Arg, len(statements))
	at := 0
	for i, s := range statements {
		switch s.ParamStyle {
		case ast.NoParams:
		case ast.QuestionParam:
			out[i] = all[at : at+s.ParamCount]
			at += s.ParamCount
		case ast.DollarParam:
			out[i] = all[:s.ParamCount]
		default:
			named, err := namedArgs(s, all)
			if err != nil {
				return nil, err
			}
			out[i] = named
		}
	}
	return out, nil
}

// namedArgs picks the arguments of a statement by name; arguments without a
// name are taken in the order in which the names first occur.
func namedArgs(s parser.Parsed, all []bind.Arg) ([]bind.Arg, error) {
	out := make([]bind.Arg, len(s.ParamNames))
	for i, name := range s.ParamNames {
		found := false
		for _, a := range all {
			if strings.EqualFold(a.Name, name) {
				out[i], found = a, true
			}
		}
		if !found && i < len(all) && all[i].Name == "" {
			out[i], found = all[i], true
			out[i].Name = name
		}
		if !found {
			return nil, fmt.Errorf("%w: no argument is named %q; use sql.Named(%q, value)", ErrParameter, name, name)
		}
	}
	return out, nil
}

// checkValue accepts what bindArg knows and leaves the rest to database/sql's
// rules.
func checkValue(v *driver.NamedValue) error {
	switch x := v.Value.(type) {
	case *big.Rat, *big.Int:
		return nil
	case uint64:
		if x > math.MaxInt64 {
			v.Value = new(big.Int).SetUint64(x)
			return nil
		}
	}
	value, err := driver.DefaultParameterConverter.ConvertValue(v.Value)
	v.Value = value
	return err
}

// bindArg gives an argument its SQL type.
func bindArg(a driver.NamedValue) (bind.Arg, error) {
	arg := bind.Arg{Name: a.Name, Value: a.Value}
	switch v := a.Value.(type) {
	case nil:
		arg.Type = types.Of(types.Void)
	case bool:
		arg.Type = types.Of(types.Boolean)
	case int64:
		arg.Type = types.Of(types.BigInt)
	case float64:
		arg.Type = types.Of(types.Double)
	case string:
		arg.Type = types.Of(types.String)
	case []byte:
		arg.Type, arg.Value = types.Of(types.Binary), append([]byte{}, v...)
	case time.Time:
		arg.Type, arg.Value = types.Of(types.Timestamp), v.UnixMicro()
	case *big.Int:
		return decimalArg(arg, v.String())
	case *big.Rat:
		return decimalArg(arg, ratText(v))
	default:
		return arg, fmt.Errorf("%w: an argument of type %T", ErrTypeMismatch, a.Value)
	}
	return arg, nil
}

// ratText writes a fraction out with as many digits as it needs, at most as
// many as a DECIMAL has.
func ratText(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(min(digits, types.MaxDecimalPrecision))
}

func decimalArg(arg bind.Arg, text string) (bind.Arg, error) {
	d, scale, ok := types.ParseDecimal(text)
	if !ok {
		return arg, fmt.Errorf("%w: %s has more than %d digits", ErrInvalidValue, text, types.MaxDecimalPrecision)
	}
	precision := max(scale, 1)
	for !d.FitsPrecision(precision) {
		precision++
	}
	arg.Type, arg.Value = types.DecimalOf(precision, scale), d
	return arg, nil
}
