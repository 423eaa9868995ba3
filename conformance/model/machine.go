package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/tarndb/tarn/driver"
)

// machine makes steps on one table and its model.
type machine struct {
	*generator
	config config
	dir    string // the warehouse
	db     *sql.DB
	conn   *sql.Conn
	log    []string // statements, oldest first

	committed rows
	tx        *transaction // nil outside of one
	states    []state
}

// transaction is the model of an open transaction.
type transaction struct {
	rows       rows
	savepoints []savepoint
}

type savepoint struct {
	name string
	rows rows
}

// state is one that was committed.
type state struct {
	version int64
	lines   []string
}

func newMachine(ctx context.Context, c config, seed uint64, dir string) (*machine, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	db, err := sql.Open("tarn", c.dsn(dir))
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	m := &machine{generator: &generator{Rand: rand.New(rand.NewPCG(seed, 5)), texts: c.keyTexts()}, config: c, dir: dir, db: db, conn: conn, committed: rows{}}
	if _, err := m.exec(ctx, c.create()); err != nil {
		return nil, errors.Join(err, m.close(ctx))
	}
	return m, nil
}

func (m *machine) close(ctx context.Context) error {
	var err error
	if m.tx != nil {
		_, err = m.exec(ctx, "ROLLBACK")
	}
	return errors.Join(err, m.conn.Close(), m.db.Close())
}

// rows is the model of what the connection sees.
func (m *machine) rows() rows {
	if m.tx != nil {
		return m.tx.rows
	}
	return m.committed
}

func (m *machine) exec(ctx context.Context, text string) (sql.Result, error) {
	m.log = append(m.log, text)
	result, err := m.conn.ExecContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return result, nil
}

// step makes one step and compares.
func (m *machine) step(ctx context.Context) error {
	if err := m.act(ctx); err != nil {
		return err
	}
	if err := m.compare(ctx, m.conn, "t", m.rows(), always); err != nil {
		return err
	}
	if m.tx != nil && m.IntN(8) == 0 {
		if err := m.compare(ctx, m.db, "t", m.committed, always); err != nil {
			return fmt.Errorf("from another connection: %w", err)
		}
	}
	return nil
}

func (m *machine) act(ctx context.Context) error {
	switch n := m.IntN(100); {
	case n < 8:
		return m.compare(ctx, m.conn, "t", m.rows(), m.someCondition())
	case n < 14:
		return m.travel(ctx)
	case n < 40:
		return m.control(ctx)
	}
	c := pick(m, changes)(m.generator, m.rows().clone())
	before, err := m.rowIDs(ctx)
	if err != nil {
		return err
	}
	result, err := m.exec(ctx, c.sql)
	if err != nil {
		return err
	}
	if err := m.compareIDs(ctx, c.sql, before); err != nil {
		return err
	}
	switch n, err := result.RowsAffected(); {
	case m.config.hasKey && strings.HasPrefix(c.sql, "DELETE") && errors.Is(err, driver.ErrUnsupportedSQL): // it has read nothing
	case err != nil:
		return fmt.Errorf("%s: %w", c.sql, err)
	case n != c.n:
		return fmt.Errorf("%s: %d rows affected, not %d", c.sql, n, c.n)
	}
	if m.tx != nil {
		m.tx.rows = c.rows
		return nil
	}
	m.committed = c.rows
	return m.note(ctx)
}

// control begins or ends a transaction or a part of it.
func (m *machine) control(ctx context.Context) error {
	if m.tx == nil {
		m.tx = &transaction{rows: m.committed}
		_, err := m.exec(ctx, "BEGIN")
		return err
	}
	switch n := m.IntN(10); {
	case n < 6:
		return m.savepoint(ctx)
	case n < 7:
		m.tx = nil
		_, err := m.exec(ctx, "ROLLBACK")
		return err
	}
	m.committed, m.tx = m.tx.rows, nil
	if _, err := m.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	return m.note(ctx)
}

// savepoint makes a savepoint or uses one.
func (m *machine) savepoint(ctx context.Context) error {
	n, use := len(m.tx.savepoints), m.IntN(6)
	if n == 0 || use < 3 {
		name := fmt.Sprintf("s%d", m.IntN(4))
		m.tx.savepoints = slices.DeleteFunc(m.tx.savepoints, func(s savepoint) bool { return s.name == name })
		m.tx.savepoints = append(m.tx.savepoints, savepoint{name, m.tx.rows})
		_, err := m.exec(ctx, "SAVEPOINT "+name)
		return err
	}
	i := m.IntN(n)
	s := m.tx.savepoints[i]
	if use == 3 {
		m.tx.savepoints = m.tx.savepoints[:i]
		_, err := m.exec(ctx, "RELEASE SAVEPOINT "+s.name)
		return err
	}
	m.tx.rows, m.tx.savepoints = s.rows, m.tx.savepoints[:i+1]
	_, err := m.exec(ctx, "ROLLBACK TO SAVEPOINT "+s.name)
	return err
}

// columns are the table's, as text.
const columns = "SELECT a, b, v, s, CAST(day AS STRING) FROM "

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// compare reads the rows that satisfy a condition.
func (m *machine) compare(ctx context.Context, q querier, table string, model rows, c condition) error {
	return m.compareLines(ctx, q, table, model.lines(c), c)
}

func (m *machine) compareLines(ctx context.Context, q querier, table string, want []string, c condition) error {
	query := columns + table + " WHERE " + c.sql
	got, err := readLines(ctx, q, query)
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	if !slices.Equal(want, got) {
		missing := slices.DeleteFunc(slices.Clone(want), func(l string) bool { return slices.Contains(got, l) })
		surplus := slices.DeleteFunc(slices.Clone(got), func(l string) bool { return slices.Contains(want, l) })
		return fmt.Errorf("%s: %d rows, not %d; missing %q, not expected %q", query, len(got), len(want), missing, surplus)
	}
	return nil
}

// readLines gives the rows of a query as text, sorted.
func readLines(ctx context.Context, q querier, query string) ([]string, error) {
	result, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer result.Close()
	names, err := result.Columns()
	if err != nil {
		return nil, err
	}
	out := []string{}
	for result.Next() {
		cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := result.Scan(into...); err != nil {
			return nil, err
		}
		texts := make([]string, len(cells))
		for i, c := range cells {
			if texts[i] = null; c.Valid {
				texts[i] = c.String
			}
		}
		out = append(out, strings.Join(texts, "|"))
	}
	sort.Strings(out)
	return out, errors.Join(result.Err(), result.Close())
}

// travel reads a state that was committed before.
func (m *machine) travel(ctx context.Context) error {
	if len(m.states) == 0 {
		return nil
	}
	s := pick(m, m.states)
	return m.compareLines(ctx, m.conn, fmt.Sprintf("t VERSION AS OF %d", s.version), s.lines, always)
}

// note keeps the newest state.
func (m *machine) note(ctx context.Context) error {
	version, err := m.version(ctx)
	if err != nil {
		return err
	}
	last := len(m.states) - 1
	if version == noVersion || last >= 0 && m.states[last].version == version {
		return nil // a statement that has changed nothing
	}
	m.states = append(m.states, state{version, m.committed.lines(always)})
	return nil
}

// noVersion is the version of an Iceberg table without a snapshot.
const noVersion = -1

// version is the name of the newest state.
func (m *machine) version(ctx context.Context) (int64, error) {
	if m.config.format == "delta" {
		commits, err := filepath.Glob(filepath.Join(m.dir, "t", "_delta_log", "*.json"))
		return int64(len(commits)) - 1, err
	}
	var id int64
	err := m.db.QueryRowContext(ctx, "SELECT snapshot_id FROM t.refs WHERE name = 'main'").Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return noVersion, nil
	}
	return id, err
}
