package diff

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Each step is the difference of its two languages: what is legal after it was legal before and kept, or became so.
func TestHistory(t *testing.T) {
	s := must.Of(catalog.Load(catalog.Version{}, Texts...))(t)
	for _, scheme := range []string{"", "http", "mailto", "x-y"} {
		list := must.Of(History(s, scheme, Options{MaxLength: 12}))(t)
		if len(list) != len(Texts)-1 || list[0].From != "RFC 1630" || list[4].To != "RFC 3986" {
			t.Fatalf("%d steps: %+v", len(list), list)
		}
		for i := 1; i < len(list); i++ {
			after, before := list[i-1].Legal.Total(), list[i].Illegal.Total()
			after.Add(after, list[i-1].Kept.Total())
			before.Add(before, list[i].Kept.Total())
			if after.Cmp(before) != 0 {
				t.Errorf("%s has %s URIs after the step to it and %s before that from it", list[i].From, after, before)
			}
		}
	}
	for _, c := range []struct{ uri, legal string }{ // in the texts in their order
		{"http://a/b", "++++++"}, {"http://a/~b", "-+-+++"}, {"http://a/#b", "+--+++"}, {"HTTP://a/", "+--+++"}, {"http:", "+++--+"},
		{"http://[::1]/", "-+--++"}, {"http://a_b/", "++++++"}, {"a:b[", "-+--+-"}, {"http://u@a/", "++++++"}, {"a:", "+++--+"}, {"http://1.2.3.4.5/", "++++++"}, {"a:\"", "+-----"},
	} {
		got := ""
		for _, text := range s {
			a := must.Of(lang.FromBNF(text.BNF, text.Start))(t)
			got += map[bool]string{true: "+", false: "-"}[a.Match(c.uri)]
		}
		if got != c.legal {
			t.Errorf("%s is legal in %s, want %s", c.uri, got, c.legal)
		}
	}
}
