package ast

// Precedence says how tight an operator binds, loosest first. The order is
// that of Spark's grammar, with what Spark lacks placed where PostgreSQL has
// it. Binary operators associate to the left.
type Precedence int

// The precedences.
const (
	PrecLowest     Precedence = iota // no operator
	PrecOr                           // OR
	PrecAnd                          // AND
	PrecNot                          // NOT, ! (prefix)
	PrecPredicate                    // IS, [NOT] BETWEEN, IN, LIKE, ILIKE, RLIKE, REGEXP, SIMILAR TO; their operands may be comparisons
	PrecCompare                      // = == <> != < <= > >= <=>, also with ANY and ALL
	PrecBitOr                        // |
	PrecBitXor                       // ^
	PrecBitAnd                       // &
	PrecShift                        // << >> >>>
	PrecAdd                          // + - || -> ->>
	PrecMul                          // * / % DIV
	PrecAtTimeZone                   // AT TIME ZONE
	PrecUnary                        // - + ~ (prefix)
	PrecPostfix                      // :: [ ] . : and what needs no operator
)

// Precedence of the operator; PrecLowest if it is none.
func (op BinaryOp) Precedence() Precedence {
	switch op {
	case OpOr:
		return PrecOr
	case OpAnd:
		return PrecAnd
	case OpEq, OpNotEq, OpLess, OpLessEq, OpGreater, OpGreaterEq, OpNullSafeEq:
		return PrecCompare
	case OpBitOr:
		return PrecBitOr
	case OpBitXor:
		return PrecBitXor
	case OpBitAnd:
		return PrecBitAnd
	case OpShiftLeft, OpShiftRight, OpShiftRightUnsigned:
		return PrecShift
	case OpAdd, OpSub, OpConcat, OpArrow, OpArrowText:
		return PrecAdd
	case OpMul, OpDiv, OpMod, OpIntDiv:
		return PrecMul
	}
	return PrecLowest
}
