package driver

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/parser"
)

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
	if want := countArgs(statements); want != len(args) {
		plural := "s"
		if want == 1 {
			plural = ""
		}
		return nil, fmt.Errorf("%w: the text takes %d argument%s, %d given", ErrParameter, want, plural, len(args))
	}
	all := make([]bind.Arg, len(args))
	for i, a := range args {
		l, err := literalOf(a.Value)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		all[i] = bind.Arg{Name: a.Name, Type: l.T, Value: l.Value}
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
