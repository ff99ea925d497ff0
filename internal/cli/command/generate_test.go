package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// The packages under gen are what this command makes of their grammars, to the byte: it and go generate write the
// same. What they return is what the grammars have.
func TestOursAreMadeTheSameWay(t *testing.T) {
	longtest.Sequential(t)
	folders, want := "../../../gen/rfc1738", 1
	if longtest.Enabled() {
		folders, want = "../../../gen/...", len(bnfcheck.Grammars())
	}
	var stdout, stderr bytes.Buffer
	status := run([]string{"verify", "--words", "400", "--seed", "3", folders}, strings.NewReader(""), &stdout, &stderr)
	if status != statusOK || strings.Count(stdout.String(), "the package returns what the grammar has (--seed 3)\n") < want {
		t.Errorf("status %d\n%s%s", status, &stdout, &stderr)
	}
}
