package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// errNotAllKilled says that some mutant was not noticed.
var errNotAllKilled = errors.New("not every mutant was killed")

func main() {
	check := flag.Bool("check", false, "only check that the patches apply and compile and that their tests are there")
	verbose := flag.Bool("v", false, "print what the failed tests print")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, options{names: flag.Args(), checkOnly: *check, verbose: *verbose})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type options struct {
	names     []string // empty for all
	checkOnly bool
	verbose   bool
}

func run(ctx context.Context, o options) (err error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	mutants, err := loadMutants(root, o.names)
	if err != nil {
		return err
	}
	w, err := newWorkspace(ctx, root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if o.checkOnly {
		return checkAll(ctx, w, mutants)
	}
	if err := passAll(ctx, w, mutants); err != nil {
		return err
	}
	return killAll(ctx, w, mutants, o.verbose)
}

// moduleRoot is the directory of the module that the command is run in.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", modulePath).Output()
	if err != nil {
		return "", fmt.Errorf("find the module %s: %w", modulePath, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// passAll asks the tests to pass without a defect: what fails then would kill
// everything. A test that measures time may fail once, on a busy machine.
func passAll(ctx context.Context, w *workspace, mutants []mutant) error {
	tests := testsOf(mutants)
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		f, err := w.test(ctx, pkg, tests[pkg])
		if f != nil {
			f, err = w.test(ctx, pkg, tests[pkg])
		}
		if err != nil {
			return err
		}
		if f != nil {
			return fmt.Errorf("without any defect, %s of %s fails\n%s", f.test, pkg, f.output)
		}
	}
	return nil
}

// checkAll plants and compiles the mutants without testing them.
func checkAll(ctx context.Context, w *workspace, mutants []mutant) error {
	bad := 0
	for _, m := range mutants {
		err := w.plant(ctx, m)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			bad++
			fmt.Printf("BROKEN %s: %v\n", m.name, err)
			continue
		}
		if err := w.build(ctx, m); err != nil {
			bad++
			fmt.Printf("BROKEN %s: %v\n", m.name, err)
		}
		if err := w.remove(ctx, m); err != nil {
			return err
		}
	}
	fmt.Printf("%d of %d patches apply and compile\n", len(mutants)-bad, len(mutants))
	if bad > 0 {
		return errNotAllKilled
	}
	return nil
}

// killAll tests the mutants one after the other.
func killAll(ctx context.Context, w *workspace, mutants []mutant, verbose bool) error {
	killed, survived, broken := 0, 0, 0
	for _, m := range mutants {
		begin := time.Now()
		f, err := kill(ctx, w, m)
		took := time.Since(begin).Round(100 * time.Millisecond)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			broken++
			fmt.Printf("BROKEN %s: %v\n", m.name, err)
		case f == nil:
			survived++
			fmt.Printf("SURVIVED %s: %s (%s)\n", m.name, m.defect, took)
		default:
			killed++
			fmt.Printf("killed %s by %s of %s (%s)\n", m.name, f.test, m.pkg, took)
			if verbose {
				fmt.Println(f.output)
			}
		}
	}
	fmt.Printf("%d mutants: %d killed, %d survived, %d broken\n", len(mutants), killed, survived, broken)
	if killed < len(mutants) {
		return errNotAllKilled
	}
	return nil
}

// kill plants a mutant and gives the test that fails; nil if none does. The copy
// is as before when it returns.
func kill(ctx context.Context, w *workspace, m mutant) (f *failure, err error) {
	if err := w.plant(ctx, m); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.remove(ctx, m)) }()
	return w.test(ctx, m.pkg, m.pattern())
}
