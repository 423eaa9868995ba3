package ast

// TypeName is a type as written, with standard spellings folded into one: DOUBLE PRECISION is DOUBLE, CHARACTER VARYING is
// VARCHAR, TIMESTAMP WITH TIME ZONE is TIMESTAMP and WITHOUT TIME ZONE is TIMESTAMP_NTZ. Name is in upper case.
type TypeName struct {
	Loc
	Name   string
	Args   []int       // DECIMAL(10, 2), VARCHAR(20), FIXED(16), TIMESTAMP(9)
	Key    *TypeName   // MAP
	Elem   *TypeName   // ARRAY, and MAP's value
	Fields []TypeField // STRUCT
	From   string      // INTERVAL's first unit
	To     string      // INTERVAL … TO this unit
}

// TypeField is a field of a STRUCT or ROW type.
type TypeField struct {
	Loc
	Name    Ident
	Type    *TypeName
	NotNull bool
	Comment *string
}
