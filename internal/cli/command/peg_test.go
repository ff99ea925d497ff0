package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A PEG of more than 1 MB has each rule in one line; it is the same PEG.
func TestLargePEGIsNotLaidOut(t *testing.T) {
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "r%d = 1*300(%%s\"a\") / %%s\"b\" r%d\n", i, i+1)
	}
	text.WriteString("r400 = %s\"c\"\n")
	file := filepath.Join(t.TempDir(), "g.abnf")
	must.Do(t, os.WriteFile(file, []byte(text.String()), 0o666))
	var out, complaints bytes.Buffer
	if status := run([]string{"peg", file + "#r0"}, nil, &out, &complaints); status != statusOpen && status != statusOK {
		t.Fatalf("status %d: %.300s", status, complaints.String())
	}
	if out.Len() <= mostLaidOut {
		t.Fatalf("the PEG has only %d bytes", out.Len())
	}
	rules := 0
	for line := range strings.Lines(out.String()) {
		switch {
		case strings.HasPrefix(line, "r"):
			rules++
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			t.Fatalf("a rule has more than one line: %.100q", line)
		}
	}
	if rules < 401 {
		t.Errorf("%d rules, want 401", rules)
	}
}
