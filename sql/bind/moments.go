package bind

import (
	"reflect"
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// moments finds out what the program's times are, which types.MomentAs takes by
// their clocks or as instants. A time right beside a column is cast to what it
// is there and done with. One that goes through a subquery, a list or a function
// first is of kind types.Moment in a first plan of the statement, where the casts
// that it meets on its way tell its type; then the statement is bound again with
// that type. The elements of a list have one type, and so have arguments that
// go into one column or result.
type moments struct {
	places []momentPlace // by the number that the type of a Moment has, less 1
}

// momentPlace is one Moment in the type of a parameter.
type momentPlace struct {
	at     ast.Expr // a parameter, or a literal of nanoseconds
	value  expr.Literal
	with   int          // the number of a place of the same type, or its own
	wanted []types.Kind // what casts make of it
	open   bool         // a plan has it
	kind   types.Kind   // that it is bound as: Moment, until another is decided
}

// settled binds a statement, and binds it again where its first plan tells what
// the arguments are.
func (b *binder) settled(stmt ast.Statement) (plan.Node, error) {
	env, m := *b.Env, b.moments
	env.Settled = m.cast
	first := *b
	first.Env = &env
	node, err := first.statement(stmt)
	if err != nil || len(m.places) == 0 || !m.read(node) {
		return node, err
	}
	if err := b.decideMoments(); err != nil {
		return nil, err
	}
	if node, err = b.statement(stmt); err == nil && m.read(node) {
		return nil, b.errorAt(m.places[0].at, eval.ErrTypeMismatch, "it can't be told whether the day, the clock or the instant of a time.Time is meant; write CAST(? AS DATE), TIMESTAMP_NTZ or TIMESTAMP")
	}
	return node, err
}

// numberOf gives the number of a parameter's first Moment.
func (m *moments) numberOf(at ast.Expr, value expr.Literal) int {
	for i, place := range m.places {
		if place.at.Pos() == at.Pos() {
			return i + 1
		}
	}
	first := len(m.places) + 1
	types.WithMoments(value.T, func(t types.Type) types.Type {
		m.places = append(m.places, momentPlace{at: at, value: value, with: len(m.places) + 1, kind: types.Moment})
		return t
	})
	return first
}

// literal is the literal for a value that holds Moments.
func (m *moments) literal(at ast.Expr, value expr.Literal, env *eval.Env) (*expr.Literal, error) {
	number := m.numberOf(at, value) - 1
	t := types.WithMoments(value.T, func(t types.Type) types.Type {
		number++
		if kind := m.places[number-1].kind; kind != types.Moment {
			return types.Of(kind)
		}
		t.Length = int32(number)
		return t
	})
	v, err := eval.EvalConstant(&expr.Cast{Arg: &value, T: t}, env)
	return &expr.Literal{T: t, Value: v}, err
}

// read looks for the Moments that a plan has; open says that there are some, so
// that it is not the plan to run.
func (m *moments) read(n plan.Node) (open bool) {
	plan.VisitExprs(n, func(e expr.Expr) {
		expr.Walk(e, func(e expr.Expr) bool {
			if cast, ok := e.(*expr.Cast); ok {
				m.cast(cast.Arg.Type(), cast.T)
			}
			types.WithMoments(e.Type(), func(t types.Type) types.Type {
				m.places[t.Length-1].open, open = true, true
				return t
			})
			return true
		})
	})
	return open
}

// cast notes what becomes of the Moments of one type as another.
func (m *moments) cast(from, to types.Type) {
	if !from.Holds(types.Moment) {
		return
	}
	switch parts := from.Parts(); {
	case from.Kind == types.Moment:
		m.become(from, to)
	case from.Kind == to.Kind && len(parts) == len(to.Parts()):
		for i, f := range parts {
			m.cast(f.Type, to.Parts()[i].Type)
		}
	default: // a text or a VARIANT, which show instants
		for _, f := range parts {
			m.cast(f.Type, types.Of(types.Timestamp))
		}
	}
}

func (m *moments) become(from, to types.Type) {
	place := &m.places[from.Length-1]
	switch to.Kind {
	case types.Moment:
		m.places[m.root(int(from.Length))-1].with = m.root(int(to.Length))
		return
	case types.Date:
		if from.Precision > 0 { // keeps its time of day until it is a DATE
			to = types.Of(types.TimestampNTZ)
		}
	case types.Time:
		to = types.Of(types.TimestampNTZ)
	case types.Timestamp, types.TimestampNTZ, types.TimestampNS, types.TimestampNTZNS:
	default:
		to = types.Of(from.Undecided())
	}
	place.wanted = append(place.wanted, to.Kind)
}

// root is the number by which the places of one type are known.
func (m *moments) root(number int) int {
	for m.places[number-1].with != number {
		number = m.places[number-1].with
	}
	return number
}

// decideMoments gives the places that a plan has the types that are wanted of
// them and of those that go with them.
func (b *binder) decideMoments() error {
	m := b.moments
	for i := range m.places {
		if !m.places[i].open {
			continue
		}
		var wanted, own []types.Kind
		var values []expr.Literal
		for k, p := range m.places {
			if m.root(k+1) == m.root(i+1) {
				wanted, own, values = append(wanted, p.wanted...), append(own, p.value.T.Undecided()), append(values, p.value)
			}
		}
		if len(wanted) == 0 {
			wanted = own
		}
		kind, ok := widestKind(wanted)
		if !ok && slices.ContainsFunc(values, b.clockDiffers) {
			return b.errorAt(m.places[i].at, eval.ErrTypeMismatch, "%s is taken for an instant in one place and for a day or a clock in another, and the clock of its time.Time is not the session's; write CAST(? AS DATE), TIMESTAMP_NTZ or TIMESTAMP, or pass it once for each", ast.String(m.places[i].at))
		}
		m.places[i].kind = kind
	}
	return nil
}

// widestKind is the kind that has what all kinds have. Where a clock and an
// instant are asked for there is none; it is then the instant.
func widestKind(wanted []types.Kind) (kind types.Kind, ok bool) {
	has := func(k types.Kind) bool { return slices.Contains(wanted, k) }
	clock := has(types.Date) || has(types.TimestampNTZ) || has(types.TimestampNTZNS)
	instant := has(types.Timestamp) || has(types.TimestampNS)
	switch {
	case (instant || !clock) && (has(types.TimestampNS) || has(types.TimestampNTZNS)):
		return types.TimestampNS, !clock
	case instant || !clock:
		return types.Timestamp, !clock
	case has(types.TimestampNTZNS):
		return types.TimestampNTZNS, true
	case has(types.TimestampNTZ):
		return types.TimestampNTZ, true
	}
	return types.Date, true
}

// clockDiffers tells whether a clock in the session's zone shows something else
// than one of a value's times.
func (b *binder) clockDiffers(a expr.Literal) bool {
	as := func(kind types.Kind) types.Type {
		return types.WithMoments(a.T, func(types.Type) types.Type { return types.Of(kind) })
	}
	own, err := eval.EvalConstant(&expr.Cast{Arg: &a, T: as(types.TimestampNTZ)}, b.Env)
	session, sessionErr := eval.EvalConstant(&expr.Cast{Arg: &expr.Cast{Arg: &a, T: as(types.Timestamp)}, T: as(types.TimestampNTZ)}, b.Env)
	return err != nil || sessionErr != nil || !reflect.DeepEqual(own, session)
}

// instants takes the Moments of operands for instants.
func instants(operands []expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(operands))
	for i, e := range operands {
		out[i] = eval.Instants(e)
	}
	return out
}
