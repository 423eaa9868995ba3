// Package sharedtest finds the test data that is not part of the module. It is
// apart from package conformance because the tests of the packages that
// conformance imports need it too.
package sharedtest
