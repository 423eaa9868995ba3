package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// patchDir holds the mutants, from the module's root.
const patchDir = "conformance/mutants"

// mutant is a defect to plant.
type mutant struct {
	name   string
	defect string // what it is, a sentence
	pkg    string // whose tests notice it
	test   string // the one that does, or a subtest; empty for any
	patch  string // absolute path

	changed []string // packages that the patch changes
}

// loadMutants reads the mutants of these names, or all of them, by name.
func loadMutants(root string, names []string) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(root, patchDir, "*.patch"))
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		paths = paths[:0]
		for _, name := range names {
			paths = append(paths, filepath.Join(root, patchDir, name+".patch"))
		}
	}
	slices.Sort(paths)
	var out []mutant
	for _, path := range paths {
		m, err := readMutant(path)
		if err == nil {
			err = m.findTest(root)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// changedFile is a line of a patch that names a file as it is after it.
var changedFile = regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`)

// readMutant reads what stands before the patch itself.
func readMutant(file string) (mutant, error) {
	m := mutant{name: strings.TrimSuffix(filepath.Base(file), ".patch"), patch: file}
	text, err := os.ReadFile(file)
	if err != nil {
		return m, err
	}
	header, _, isPatch := strings.Cut(string(text), "diff --git ")
	sentence, tests, hasTests := strings.Cut(header, "Tests:")
	words := strings.Fields(tests)
	m.defect = strings.TrimSpace(sentence)
	if !isPatch || !hasTests || m.defect == "" || len(words) == 0 || len(words) > 2 {
		return m, fmt.Errorf("%s: a patch begins with a sentence and a line \"Tests: PACKAGE [TEST]\"", file)
	}
	m.pkg = words[0]
	if len(words) == 2 {
		m.test = words[1]
	}
	for _, line := range changedFile.FindAllStringSubmatch(string(text), -1) {
		m.changed = append(m.changed, "./"+path.Dir(line[1]))
	}
	return m, nil
}

// findTest asks for the test that the mutant names, without compiling it: a
// function and, of its subtests, the scripts, which are files.
func (m *mutant) findTest(root string) error {
	if m.test == "" {
		return nil
	}
	dir := filepath.Join(root, m.pkg)
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	top, sub, _ := strings.Cut(m.test, "/")
	found := false
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found = found || strings.Contains(string(text), "\nfunc "+top+"(")
	}
	if top == "TestScripts" && sub != "" {
		_, err := os.Stat(filepath.Join(dir, "testdata", filepath.Base(sub)))
		found = found && err == nil
	}
	if !found {
		return fmt.Errorf("%s: %s has no test %s", m.patch, m.pkg, m.test)
	}
	return nil
}

// testsOf are the packages that some mutants' tests are in, and a pattern of
// the tests in each.
func testsOf(mutants []mutant) map[string]string {
	names := map[string][]string{}
	for _, m := range mutants {
		top, _, _ := strings.Cut(m.test, "/")
		names[m.pkg] = append(names[m.pkg], regexp.QuoteMeta(top))
	}
	patterns := map[string]string{}
	for pkg, tests := range names {
		slices.Sort(tests)
		if tests[0] != "" {
			patterns[pkg] = "^(" + strings.Join(slices.Compact(tests), "|") + ")$"
		} else {
			patterns[pkg] = ""
		}
	}
	return patterns
}

// pattern matches the mutant's test.
func (m *mutant) pattern() string {
	if m.test == "" {
		return ""
	}
	elements := strings.Split(m.test, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}
