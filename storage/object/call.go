package object

// Op names an operation of a [Store] or a [Writer] in traces, fault scripts and
// errors.
type Op string

// The operations.
const (
	OpGet         Op = "get"
	OpGetRange    Op = "get-range"
	OpStat        Op = "stat"
	OpListFrom    Op = "list-from"
	OpList        Op = "list"
	OpListDirs    Op = "list-dirs"
	OpCreate      Op = "create"
	OpWrite       Op = "write"
	OpClose       Op = "close"
	OpAbort       Op = "abort"
	OpPut         Op = "put"
	OpPutIfAbsent Op = "put-if-absent"
	OpDelete      Op = "delete"
)
