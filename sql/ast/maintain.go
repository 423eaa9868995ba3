package ast

// Optimize is OPTIMIZE t [FULL] [WHERE …] [ZORDER BY (…)].
type Optimize struct {
	Loc
	Table    *TableName
	Full     bool
	Where    Expr
	ZOrderBy []*ColumnRef
}

// VacuumMode is FULL or LITE.
type VacuumMode uint8

// The modes of VACUUM.
const (
	VacuumDefault VacuumMode = iota
	VacuumFull
	VacuumLite
)

// Vacuum is VACUUM t [FULL | LITE] [RETAIN n HOURS] [DRY RUN].
type Vacuum struct {
	Loc
	Table       *TableName
	Mode        VacuumMode
	RetainHours Expr
	DryRun      bool
}

// Reorg is REORG TABLE t [WHERE …] APPLY (PURGE).
type Reorg struct {
	Loc
	Table *TableName
	Where Expr
}

// Restore is RESTORE TABLE t TO VERSION | TIMESTAMP AS OF ….
type Restore struct {
	Loc
	Table *TableName
	To    *TimeTravel
}

// Analyze is ANALYZE TABLE t COMPUTE STATISTICS.
type Analyze struct {
	Loc
	Table      *TableName
	NoScan     bool
	AllColumns bool
	Columns    []Ident
}

// Refresh is REFRESH TABLE t.
type Refresh struct {
	Loc
	Table *TableName
}

// Checkpoint is CHECKPOINT t.
type Checkpoint struct {
	Loc
	Table *TableName
}

// CallProcedure is CALL name(args).
type CallProcedure struct {
	Loc
	Name []Ident
	Args []Expr
}

func (*Optimize) statement()      {}
func (*Vacuum) statement()        {}
func (*Reorg) statement()         {}
func (*Restore) statement()       {}
func (*Analyze) statement()       {}
func (*Refresh) statement()       {}
func (*Checkpoint) statement()    {}
func (*CallProcedure) statement() {}
