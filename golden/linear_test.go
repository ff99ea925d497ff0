package golden

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen"
)

// expressionsPerByte exceeds what any of the PEGs needs for any of the inputs below (fewer than 150), and is a fraction of what
// a quadratic one would need at their length. It is large because a character of a URL is an unreserved, which is an alpha,
// which is a lowalpha, and may be read more than once.
const expressionsPerByte = 250

// The PEGs are linear as they are written, not only as they are compiled: pigeon's parser evaluates at most a fixed number of
// expressions for each byte, however long the input.
func TestPEGsAreLinear(t *testing.T) {
	units := []string{
		"a", "a@", "@", "@a", "@1.", "1.", ".", "a.", ".a", "-", "a-", "%", "%41", "%00", "%001", "%00a", "%09", "%09/",
		"/", "a/",
		"?", "+", "a+", ":", "a:", ";", ";=", "a=b;", "1=a;", "=", "&", "#", "~", "\x00", "\xff", "*",
	}
	prefixes := []string{""}
	for _, g := range bnfcheck.Grammars() {
		for _, s := range g.Schemes {
			if !slices.Contains(prefixes, s.Name+":") {
				prefixes = append(prefixes, s.Name+":", s.Name+"://", s.Name+"://h/")
			}
		}
	}
	for _, g := range bnfcheck.Grammars() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			for k := range g.Productions() {
				start := ast.Kind(k + 1)
				from := prefixes
				if start != g.Default {
					from = prefixes[:1]
				}
				for _, prefix := range from {
					for _, unit := range units {
						s := prefix + strings.Repeat(unit, 1+1000/len(unit))
						if !gen.Pigeons[g.Name].Within(start, s, uint64(len(s)*expressionsPerByte)) {
							t.Errorf("%s: %s from %q, %q again and again: more than %d expressions a byte",
								g.Name, g.Production(start).ID, prefix, unit, expressionsPerByte)
						}
					}
				}
			}
		})
	}
}
