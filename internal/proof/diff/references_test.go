package diff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The productions of RFC 2396, of RFC 2732 and of RFC 3986 derive what those of other people's transcriptions do, each of them.
func TestReferencesAgainstOthers(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO names no folder with other people's grammars")
	}
	for _, c := range []struct {
		name      string
		ours      int
		different map[string]string
	}{
		{"rfc2396", 40, map[string]string{"lowalpha": "A", "upalpha": "a"}}, // quoted strings of ABNF match either case
		{"rfc2732", 45, map[string]string{"lowalpha": "absent", "upalpha": "absent", "alpha": "absent", "digit": "absent"}},
		{"rfc3986", 36, nil},
	} {
		src := must.Of(os.ReadFile(filepath.Join(folder, "abnf", c.name+".abnf")))(t)
		theirs := must.Of(bnf.ReadABNF(c.name+".abnf", src))(t)
		ours := must.Of(bnf.Load(c.name))(t)
		compared := 0
		for _, r := range ours.Default.Rules {
			if r.Part == "core" {
				continue
			}
			compared++
			different, known := c.different[r.Name]
			other, err := theirs.Lookup(strings.ReplaceAll(r.Name, "_", "-"))
			if err != nil {
				if different != "absent" {
					t.Errorf("%s: %v", c.name, err)
				}
				continue
			}
			a := must.Of(lang.FromBNF(ours.Default, r.ID))(t)
			b := must.Of(lang.FromBNF(theirs, other.ID))(t)
			if w, ok := a.SymmetricDifference(b).Shortest(); ok && (!known || different != w) {
				t.Errorf("%s: one %s derives %q, and the other does not", c.name, r.Name, w)
			}
		}
		if compared != c.ours {
			t.Errorf("%s: %d productions are compared, want %d", c.name, compared, c.ours)
		}
	}
}
