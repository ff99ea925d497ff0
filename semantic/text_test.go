package semantic

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a row asks for by a name is done somewhere, and what is done only where it is asked for is asked for by some
// row.
func TestWhatTextsAskFor(t *testing.T) {
	done := map[string]bool{}
	files := must.Of(filepath.Glob("*.go"))(t)
	asks := regexp.MustCompile(`\.asks\["([^"]+)"\]`)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		src := must.Of(os.ReadFile(f))(t)
		for _, m := range asks.FindAllStringSubmatch(string(src), -1) {
			done[m[1]] = true
		}
	}
	asked := map[string]bool{}
	for _, text := range texts {
		for name := range text.asks {
			asked[name] = true
			if !done[name] {
				t.Errorf("%s asks for %s, and nothing does it", text.name, name)
			}
		}
	}
	for name := range done {
		if !asked[name] {
			t.Errorf("no text asks for %s", name)
		}
	}
}
