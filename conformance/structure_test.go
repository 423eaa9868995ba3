package conformance

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
)

const (
	mostFunctionLines = 70
	mostFileLines     = 800
)

// longFiles and longFunctions may be longer: what is generated, and tables. A
// function's name follows the file's and a colon. There are none so far.
var longFiles, longFunctions = []string{}, []string{}

// source is a parsed Go file of the module.
type source struct {
	path  string // relative to the module, with slashes
	lines int
	file  *ast.File
	set   *token.FileSet
}

func (s *source) pkg() string  { return filepath.ToSlash(filepath.Dir(s.path)) }
func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// sources parses all Go files.
func sources(t *testing.T) []source {
	t.Helper()
	root := sharedtest.ModuleRoot(t)
	var all []source
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(rel), lines: bytes.Count(body, []byte{'\n'}), set: token.NewFileSet()}
		s.file, err = parser.ParseFile(s.set, path, body, parser.ParseComments)
		all = append(all, s)
		return err
	}))
	return all
}

// TestSizes holds the length of functions and files.
func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > mostFileLines && !slices.Contains(longFiles, s.path) {
			t.Errorf("%s has %d lines; at most %d may be in a file", s.path, s.lines, mostFileLines)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
			if lines > mostFunctionLines && !slices.Contains(longFunctions, s.path+":"+f.Name.Name) {
				t.Errorf("%s: %s has %d lines; at most %d may be in a function", s.path, f.Name.Name, lines, mostFunctionLines)
			}
		}
	}
}

// TestPackagesAreDocumented asks every package, commands too, for a doc.go with
// the package's comment.
func TestPackagesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		isDoc := filepath.Base(s.path) == "doc.go"
		documented[s.pkg()] = documented[s.pkg()] || isDoc
		if isDoc {
			start := "Package " + s.file.Name.Name + " "
			if s.file.Name.Name == "main" {
				start = "Command " + filepath.Base(s.pkg()) + " "
			}
			require.True(t, strings.HasPrefix(s.file.Doc.Text(), start), "the comment of %s must begin with %q", s.path, start)
		}
	}
	for pkg, is := range documented {
		require.True(t, is, "%s has no doc.go", pkg)
	}
}

// TestExportedNamesAreDocumented asks for a comment of every exported name, and
// in driver of every exported field. A comment begins with the name; that of a
// group of constants or variables may speak of all of them.
func TestExportedNamesAreDocumented(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		for _, d := range s.file.Decls {
			for _, missing := range undocumented(d, s.pkg() == "driver") {
				t.Errorf("%s: the comment of %s is missing or begins with another word", s.path, missing)
			}
		}
	}
}

// undocumented gives the exported names of a declaration that lack a comment.
func undocumented(d ast.Decl, fields bool) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && hasExportedReceiver(d) && !speaksOf(d.Doc, d.Name.Name) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var missing []string
		for _, spec := range d.Specs {
			missing = append(missing, undocumentedSpec(d, spec, fields)...)
		}
		return missing
	}
	return nil
}

func undocumentedSpec(d *ast.GenDecl, spec ast.Spec, fields bool) (missing []string) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return nil
		}
		isGroup := d.Lparen.IsValid() && d.Doc != nil
		if !isGroup && !speaksOf(d.Doc, spec.Name.Name) && !speaksOf(spec.Doc, spec.Name.Name) {
			missing = append(missing, spec.Name.Name)
		}
		if structure, ok := spec.Type.(*ast.StructType); ok && fields {
			missing = append(missing, undocumentedFields(spec.Name.Name, structure)...)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			isGroup := d.Lparen.IsValid() && d.Doc != nil
			if name.IsExported() && !isGroup && spec.Comment == nil && !speaksOf(d.Doc, name.Name) && !speaksOf(spec.Doc, name.Name) {
				missing = append(missing, name.Name)
			}
		}
	}
	return missing
}

// undocumentedFields gives the exported fields without a comment. A struct's own
// comment speaks for an only field.
func undocumentedFields(name string, structure *ast.StructType) (missing []string) {
	if len(structure.Fields.List) == 1 {
		return nil
	}
	for _, f := range structure.Fields.List {
		for _, field := range f.Names {
			if field.IsExported() && f.Doc == nil && f.Comment == nil {
				missing = append(missing, name+"."+field.Name)
			}
		}
	}
	return missing
}

// speaksOf reports whether a comment begins with a name, after an article at
// most, or with several of which it is one.
func speaksOf(doc *ast.CommentGroup, name string) bool {
	for i, word := range strings.Fields(doc.Text()) {
		switch word := strings.Trim(word, ",.:"); {
		case word == name:
			return true
		case i > 0 && word != "and" && !ast.IsExported(word), i == 0 && word != "A" && word != "An" && word != "The" && !ast.IsExported(word):
			return false
		}
	}
	return false
}

func hasExportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}

// TestDriverHasExamples asks for running examples of the package and of what it
// exports for programs to call.
func TestDriverHasExamples(t *testing.T) {
	examples := map[string]bool{}
	for _, s := range sources(t) {
		if s.pkg() != "driver" || !s.isTest() {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && strings.HasPrefix(f.Name.Name, "Example") {
				require.True(t, hasOutput(s.file, f), "%s has no // Output: and so never runs", f.Name.Name)
				examples[f.Name.Name] = true
			}
		}
	}
	for _, name := range []string{"Example", "ExampleNewConnector", "ExampleCopyFrom", "ExampleInto", "ExampleParseDSN", "Example_transaction", "Example_timeTravel", "Example_errors"} {
		require.True(t, examples[name], "driver has no %s", name)
	}
}

// hasOutput reports whether a function's body has a comment that its output is
// compared with.
func hasOutput(file *ast.File, f *ast.FuncDecl) bool {
	for _, group := range file.Comments {
		inside := group.Pos() > f.Body.Pos() && group.End() <= f.Body.End()
		text := strings.ToLower(group.Text())
		if inside && (strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:")) {
			return true
		}
	}
	return false
}
