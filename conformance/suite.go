package conformance

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/tarndb/tarn/driver"
)

// Suite counts the outcomes of many checks.
type Suite struct {
	Name        string
	mu          sync.Mutex // guards the rest
	passed      int
	failed      int
	unsupported map[string]int // by feature
	Failures    []string
}

// Count counts an outcome: a failure, which is a wrong answer or an error that
// should not be, or else a refusal, by the feature that it names, or else a
// success.
func (s *Suite) Count(name, unsupported, failure string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case failure != "":
		s.failed++
		s.Failures = append(s.Failures, name+": "+failure)
	case unsupported != "":
		if s.unsupported == nil {
			s.unsupported = map[string]int{}
		}
		s.unsupported[unsupported]++
	default:
		s.passed++
	}
}

// Passed is the number of successes.
func (s *Suite) Passed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.passed
}

// String is the suite's line: passed / failed / unsupported (feature: count).
func (s *Suite) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := 0
	var parts []string
	for f, n := range s.unsupported {
		total += n
		parts = append(parts, fmt.Sprintf("%s: %d", f, n))
	}
	sort.Strings(parts)
	line := fmt.Sprintf("%s: %d passed / %d failed / %d unsupported", s.Name, s.passed, s.failed, total)
	if len(parts) > 0 {
		line += " (" + strings.Join(parts, ", ") + ")"
	}
	return line
}

// UnsupportedName gives the feature that an error refuses by name; ok is false
// if the error is another.
func UnsupportedName(err error) (feature string, ok bool) {
	var u *driver.UnsupportedFeature
	if errors.As(err, &u) {
		return u.Feature, true
	}
	if errors.Is(err, driver.ErrUnsupportedSQL) {
		text := err.Error()
		text = text[strings.Index(text, "unsupported SQL: ")+len("unsupported SQL: "):]
		return strings.TrimSuffix(text, " is not supported yet"), true
	}
	return "", false
}

// IsTyped reports whether an error is one of the driver's own kinds, not an
// unforeseen one.
func IsTyped(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.SQLState() != "XX000"
}
