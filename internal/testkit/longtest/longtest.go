// Package longtest marks the tests that take long: long enumerations, other people's parsers, browsers. They run where
// the environment variable BNFCHECK_LONG is set, as .ci/long sets it.
package longtest

import (
	"os"
	"os/exec"
	"testing"
)

// Enabled reports whether long tests are to run.
func Enabled() bool { return os.Getenv("BNFCHECK_LONG") != "" }

// Size returns the size of a sample: few, or many where long tests are to run.
func Size(few, many int) int {
	if Enabled() {
		return many
	}
	return few
}

// Need skips a test unless long tests are [Enabled]; what describes the test.
func Need(t testing.TB, what string) {
	t.Helper()
	if !Enabled() {
		t.Skip("skipped without BNFCHECK_LONG: " + what)
	}
}

// Program skips a test where a program that it asks is not installed. Where the environment variable BNFCHECK_ENGINES is set, as
// .ci/long sets it after installing them, that is an error.
func Program(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		Missing(t, name)
	}
}

// Missing skips or fails a test because a program is not installed, as [Program] does.
func Missing(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("BNFCHECK_ENGINES") != "" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
}

// UnderRace reports whether the race detector is on.
var UnderRace bool

// Sequential skips a test under the race detector, which makes it ten times longer, if a shorter test has all that is concurrent in it.
func Sequential(t testing.TB) {
	t.Helper()
	if UnderRace {
		t.Skip("nothing for the race detector")
	}
}
