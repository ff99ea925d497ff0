package page

import (
	"encoding/json"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
)

// Results that are read from a file are refused, or have a comparison of each parser with each grammar, and no text in what is shown of them moves a cursor.
func FuzzCheckConform(f *testing.F) {
	f.Add([]byte(`{"grammars":["rfc1738"],"inputs":1,"implementations":[{"name":"a\u001b[0m","faults":[{"kind":"exit","detail":"\u202e"}]}],` +
		`"comparisons":[{"implementation":"a\u001b[0m","grammar":"rfc1738","groups":[{"kind":"accepts-more","production":"x\u0000","shortest":"a"}]}]}`))
	f.Add([]byte(`{"grammars":["rfc1738"],"implementations":[{"name":"a"}],"comparisons":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r conform.Report
		if json.Unmarshal(text, &r) != nil || CheckConform(&r) != nil {
			return
		}
		clean := removeControls(&r)
		if len(clean.Comparisons) != len(clean.Grammars)*len(clean.Implementations) {
			t.Fatalf("%d comparisons", len(clean.Comparisons))
		}
		var shown []string
		for _, o := range clean.Implementations {
			shown = append(shown, o.Name, o.GaveUp)
			for _, x := range o.Faults {
				shown = append(shown, string(x.Kind), x.Detail)
			}
		}
		for _, c := range clean.Comparisons {
			shown = append(shown, c.Implementation)
			for _, g := range c.Groups {
				shown = append(append(shown, g.Component, g.Production, g.At, g.Bytes, g.How, g.Term, g.Ours, g.Theirs, g.Error), g.Expected...)
			}
		}
		for _, p := range clean.Pairs {
			shown = append(shown, p.A, p.B)
		}
		for _, s := range shown {
			for _, c := range s {
				if c < ' ' && c != '\n' && c != '\t' || 0x7f <= c && c < 0xa0 || 0x202a <= c && c <= 0x202e {
					t.Fatalf("%q is shown", s)
				}
			}
		}
	})
}
