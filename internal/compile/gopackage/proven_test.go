package gopackage

import (
	"os/exec"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Where there are no trees, the proven checker is not asked.
func TestProvenCheckerWithoutTrees(t *testing.T) {
	program, err := exec.LookPath("true") // answers nothing
	if err != nil {
		t.Skip(err)
	}
	g := must.Of(bnf.ReadABNF("a.abnf", []byte("a = \"a\"\n")))(t)
	p := must.Of(newWriter(Source{Package: "a", Grammar: g}))(t)
	s := &sampler{writer: p, proven: program, grammar: interpreter.Named(g, func(string) bool { return true })}
	out := &Sampling{}
	if err := s.askProvenChecker(t.TempDir(), out); err != nil || len(out.Findings) > 0 || out.Judged != "" {
		t.Errorf("findings %q, judged %q, error %v", out.Findings, out.Judged, err)
	}
}
