package peg

import (
	"fmt"
	"strings"
	"testing"
)

// The limit on nesting is for each rule: a grammar may have more rules than that.
func TestManyRules(t *testing.T) {
	const n = 2*maxDepth + 1
	var pigeon, peggy strings.Builder
	pigeon.WriteString("{\npackage p\n}\n")
	for i := range n {
		fmt.Fprintf(&pigeon, "r%d <- ( \"a\" / \"b\" )\n", i)
		fmt.Fprintf(&peggy, "r%d = ( \"a\" / \"b\" )\n", i)
	}
	for file, text := range map[string]string{"g.peg": pigeon.String(), "g.pegjs": peggy.String()} {
		read := Options{}.Read
		if file == "g.pegjs" {
			read = Options{}.ReadPeggy
		}
		g, err := read(file, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if len(g.Rules) != n {
			t.Errorf("%s: %d rules; want %d", file, len(g.Rules), n)
		}
	}
}
