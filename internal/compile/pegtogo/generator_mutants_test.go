package pegtogo_test

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Faults of the generator, each of which some random PEG shows. The first are faults that it had.
var generatorFaults = []struct{ name, file, old, new string }{
	{"a leaf loses the minimum of +", "choose.go", "if es[1].Min > 0 {", "if false {"},
	{"a count is given up that is another's", "function.go", "to.own && !f.tree", "to.own"},
	{"nodes beside the count are counted again", "function.go", "end.nodes-to.nodes", "end.nodes"},
	{"conditions are joined without parentheses", "condition.go", "+ operand(test)", "+ test"},
	{"strings is imported where a condition was given up", "gogen.go",
		`if bytes.Contains(rules.Bytes(), []byte("strings.HasPrefix(")) {`, `if len(p.rules) > 0 {`},
	{"a repetition loses the minimum of +", "match.go", `if %s == %s {\n%s\n}\n", to.v, begin.pos(), fail)`,
		`if false && %s == %s {\n%s\n}\n", to.v, begin.pos(), fail)`},
	{"an option is always tried late", "lateoption.go", "c.class.Intersect(held).IsEmpty()", "held.Len() < 256"},
	{"a separated x may fail anywhere", "separated.go", "for _, e := range es[1:] {\n\t\tif f.mayFail(e) {",
		"for _, e := range es[1:] {\n\t\tif false && f.mayFail(e) {"},
	{"an optional char may be empty", "nature.go", "return e.Min == 0 || p.mayBeEmpty(e.Sub[0])",
		"return p.mayBeEmpty(e.Sub[0])"},
	{"a lookahead cannot fail", "nature.go", "return true // Empty, And, Not", "return false // Empty, And, Not"},
	{"chars of one first byte are in no order", "char.go", "!ok || !all.apart(c)", "!ok"},
	{"runs are joined though they differ", "flat.go", "body.Sub[1].String() != x.String()", "false"},
	{"parts are joined though they are no chars", "flat.go", "if !p.within(c, x) || !p.within(a, x) {",
		"if false && p.within(a, x) {"},
	{"a guard is a first byte", "match.go", "f.condition(rest, here, true), a.v)",
		"f.condition(rest, here, true)+\" || true\", a.v)"},
	{"a last round takes any first byte", "lastround.go", "last, _, _ := f.fixed(l.firstB, to, false)",
		"last, _, _ := f.fixed(l.firstA, to, false)"},
	{"a node is put one place too far", "inplace.go", "here.nodes += len(kinds)", "here.nodes += len(kinds) + 1"},
	{"the first byte of a char is the first that counts", "nature.go", "if !p.mayBeEmpty(s) {\n\t\t\t\tbreak\n\t\t\t}",
		"break"},
	{"a switch tries one alternative a byte", "choose.go", "if f.first(g) == lead {", "if false {"},
	{"rows of others may be of the class", "match.go", "|| !d.class.Intersect(c.class).IsEmpty()", ""},
}

// Each fault of the generator is noticed by the tests that run random PEGs without a Go compiler, and the right generator
// passes them. BNFCHECK_MUTANTS turns this on: it takes some seconds a fault.
func TestGeneratorFaultsAreCaught(t *testing.T) {
	if os.Getenv("BNFCHECK_MUTANTS") == "" {
		t.Skip("BNFCHECK_MUTANTS is not set")
	}
	t.Setenv("BNFCHECK_RANDOM_PEGS", "600")
	for _, f := range generatorFaults {
		file := must.Of(filepath.Abs(f.file))(t)
		src := must.Of(os.ReadFile(file))(t)
		if n := strings.Count(string(src), f.old); n != 1 {
			t.Errorf("%s: %d places in %s", f.name, n, f.file)
			continue
		}
		mutant := strings.Replace(string(src), f.old, f.new, 1)
		switch out, err := testWith(t, file, []byte(mutant), "^TestProgramsAreTheirPEG$"); {
		case bytes.Contains(out, []byte("[build failed]")):
			t.Errorf("%s: %s", f.name, out)
		case err == nil:
			t.Errorf("not caught: %s", f.name)
		case !bytes.Contains(out, []byte("--- FAIL: TestProgramsAreTheirPEG")):
			t.Errorf("%s: %v\n%s", f.name, err, out)
		}
	}
}
