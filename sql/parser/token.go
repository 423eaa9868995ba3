package parser

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokWord
	tokQuoted // "x" or `x`
	tokString // with its prefix: '…', r'…', E'…', X'…'
	tokNumber // with its suffix
	tokOp
	tokError // the lexer stopped here
)

// token is a piece of the source text. Its text is always taken from the source.
type token struct {
	pos, end uint32
	kind     tokenKind
	word     keyword // index into keywords for a word that is one, 0 otherwise
}
