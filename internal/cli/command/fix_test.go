package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// No edit is offered for a string of which it is not decided whether a grammar that nests derives it, since it may be
// accepted as it stands. The status is that of an undecided question, in one line of many too.
func TestFixUndecided(t *testing.T) {
	grammar := filepath.Join(t.TempDir(), "g.abnf")
	must.Do(t, os.WriteFile(grammar, []byte("s = \"(\" s \")\" / s s / \"x\"\n"), 0o666))
	deep := strings.Repeat("(", 400) + strings.Repeat("x", 400) + strings.Repeat(")", 400)
	for _, format := range []string{"text", "json"} {
		var out, complaints strings.Builder
		args := []string{"fix", "-g", grammar, "--limit-steps", "2000000", "--format", format, "-f", "-"}
		status := run(args, strings.NewReader("((((x))))\n"+deep+"\n((x)\n"), &out, &complaints)
		if status != statusOpen || strings.Count(complaints.String(), "undecided: whether ") != 1 {
			t.Errorf("status %d: %s", status, complaints.String())
		}
		want := "no repair: it is not decided whether the string is accepted"
		if format == "json" {
			want = `"nearest":null`
		}
		edits := strings.Count(out.String(), "offset") // of the last line
		if strings.Count(out.String(), want) != 1 || edits != 1 {
			t.Errorf("%d edits: %.3000s", edits, out.String())
		}
	}
}
