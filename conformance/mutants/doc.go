// Command mutants shows that the tests notice defects. Each NAME.patch in its
// directory plants one: the command copies the module, applies the patches one
// at a time, and runs the test that each names, which must fail.
//
//	go run ./conformance/mutants                # every mutant
//	go run ./conformance/mutants -check         # only that every patch applies and compiles and that its test is there
//	go run ./conformance/mutants NAME...        # some
//
// A patch begins with a sentence that says what the defect is, and the package
// and the test, or subtest, that is to fail; without a test, any of the package:
//
//	The residual filter of a scan is left out of the plan.
//	Tests: ./pushdown TestPlans
//	diff --git …
//
// The command prints a line per mutant and exits with 1 if the test survived
// one, or if one does not apply or does not compile: such a patch has to be
// written anew. With -v it also prints what the failed tests print. The tests
// run without the data that is not part of the module. The copy is made of what
// git tracks, as it is in the working tree, which is not touched.
package main
