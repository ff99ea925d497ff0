package editor

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestNestedPastALimit: where a limit is passed, a production that only uses one that nests is not said to nest, and
// what was found before stays.
func TestNestedPastALimit(t *testing.T) {
	g := must.Of(bnf.ReadABNF("g", []byte("user = \"x\" nested\nnested = \"(\" [ nested ] \")\"\n")))(t)
	for _, tt := range []struct{ id, want string }{
		{"user", "It uses productions that nest, so that no automaton accepts what it derives. The first byte is `\"x\"`."},
		{"nested", "It nests, so that no automaton accepts what it derives. The first byte is `%x28`."},
	} {
		g.Budget = nil
		whole := describeNested(g, g.Rule(tt.id))
		if !strings.HasPrefix(whole, tt.want+" A short string") {
			t.Errorf("%s: %s", tt.id, whole)
		}
		g.Budget = budget.New(t.Context(), budget.Limits{Steps: 1})
		if got := describeNested(g, g.Rule(tt.id)); got != tt.want {
			t.Errorf("%s: past the limit: %s; want %s", tt.id, got, tt.want)
		}
	}
}

// TestPaths: the URI of an absolute path names this path, also if its first letter is followed by a colon.
func TestPaths(t *testing.T) {
	for _, name := range []string{"g.abnf", "a:b", "a:/g.abnf", "with space"} {
		path := filepath.Join(filepath.VolumeName(t.TempDir()), string(filepath.Separator), filepath.FromSlash(name))
		if got := pathOf(uriOf(path)); got != path {
			t.Errorf("%s: %s names %s", path, uriOf(path), got)
		}
	}
	for _, uri := range []string{"untitled:x", "file://host/a:/b", "https://localhost/a"} {
		if got := pathOf(protocol.DocumentURI(uri)); got != "" {
			t.Errorf("%s names %s", uri, got)
		}
	}
}
