package claims

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The witness against 1630/safer is no URI of RFC 1630 in any form, and was one before a character was encoded.
func TestSaferWitnessIsNoURI(t *testing.T) {
	list := must.Of(Of(nil, "rfc1630"))(t)
	for _, c := range list {
		if c.ID != "1630/safer" {
			continue
		}
		for _, a := range c.AsRead.Assertions {
			if a.Holds {
				continue
			}
			w := string(*a.Witness)
			plain := strings.NewReplacer("%2d", "-", "%2D", "-", "%2e", ".", "%2E", ".").Replace(w)
			if bnfcheck.RFC1630.Accepts(w) || !bnfcheck.RFC1630.Accepts(plain) {
				t.Errorf("%s: accepted %t; %s: accepted %t", w, bnfcheck.RFC1630.Accepts(w), plain, bnfcheck.RFC1630.Accepts(plain))
			}
			return
		}
	}
	t.Error("1630/safer is not refuted")
}
