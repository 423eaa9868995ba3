package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// testTimeout bounds the tests of one package: a defect may well make a loop
// endless.
const testTimeout = "2m"

// workspace is a copy of the module in which defects are planted.
type workspace struct{ dir string }

// newWorkspace copies the files that git tracks, and new ones that it does not
// ignore.
func newWorkspace(ctx context.Context, root string) (*workspace, error) {
	dir, err := os.MkdirTemp("", "tarn-mutants-")
	if err != nil {
		return nil, err
	}
	// The directory above the module's is its own, for tests that look there.
	w := &workspace{dir: filepath.Join(dir, "tarn")}
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("list the files of %s: %w", root, err), w.close())
	}
	for name := range strings.SplitSeq(strings.Trim(string(names), "\x00"), "\x00") {
		if err := copyFile(filepath.Join(root, name), filepath.Join(w.dir, name)); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	return w, nil
}

// copyFile copies a file; one that is gone from the working tree is none.
func copyFile(from, to string) error {
	body, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, body, 0o666)
}

func (w *workspace) close() error { return os.RemoveAll(filepath.Dir(w.dir)) }

// run runs a command in the copy and gives what it prints.
func (w *workspace) run(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "CGO_ENABLED=0",
		"TARN_SHARED="+filepath.Join(filepath.Dir(w.dir), "absent"),
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(w.dir)) // the copy is no repository
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return string(out), err
}

// plant applies a patch; remove takes it back.
func (w *workspace) plant(ctx context.Context, m mutant) error {
	if out, err := w.run(ctx, "git", "apply", m.patch); err != nil {
		return fmt.Errorf("the patch does not apply: %w\n%s", err, out)
	}
	return nil
}

func (w *workspace) remove(ctx context.Context, m mutant) error {
	if out, err := w.run(ctx, "git", "apply", "--reverse", m.patch); err != nil {
		return fmt.Errorf("take %s back: %w\n%s", m.name, err, out)
	}
	return nil
}

// build compiles the packages that a mutant changes.
func (w *workspace) build(ctx context.Context, m mutant) error {
	args := append([]string{"build", "-trimpath"}, m.changed...)
	if out, err := w.run(ctx, "go", args...); err != nil {
		return fmt.Errorf("does not compile: %w\n%s", err, out)
	}
	return nil
}

// failure is a test that failed.
type failure struct {
	test   string
	output string
}

// test runs the tests of a package that a pattern matches, all for an empty one,
// and gives the first that fails; nil if none does. What does not compile has no
// failed test, but is an error. Paths are trimmed so that what was compiled in
// another copy serves again.
func (w *workspace) test(ctx context.Context, pkg, pattern string) (*failure, error) {
	out, err := w.run(ctx, "go", "test", "-trimpath", "-ldflags=-w", "-vet=off", "-failfast", "-timeout", testTimeout, "-run", pattern, pkg)
	switch {
	case err == nil && strings.Contains(out, "[no tests to run]"):
		return nil, fmt.Errorf("%s has no test %s", pkg, pattern)
	case err == nil:
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !ranTests.MatchString(out):
		return nil, fmt.Errorf("the tests of %s do not compile or do not run: %w\n%s", pkg, err, out)
	}
	return &failure{test: failedTest(out), output: out}, nil
}

const modulePath = "github.com/tarndb/tarn"

var (
	// ranTests is the last line of tests that failed: it has their duration.
	ranTests    = regexp.MustCompile(`(?m)^FAIL\t\S+\t[0-9.]+s$`)
	failLine    = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	timeoutLine = regexp.MustCompile(`running tests:\n\s+(\S+)`)
)

// failedTest names the first test that failed, down to the subtest.
func failedTest(output string) string {
	name := ""
	for _, m := range failLine.FindAllStringSubmatch(output, -1) {
		if name == "" || strings.HasPrefix(m[1], name+"/") {
			name = m[1]
		}
	}
	if m := timeoutLine.FindStringSubmatch(output); name == "" && m != nil {
		return m[1] + ", which does not end"
	}
	if name == "" {
		return "a crash"
	}
	return name
}
