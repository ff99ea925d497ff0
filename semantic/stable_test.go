package semantic

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

// The laws of the canonical form do not rest on the table of components: they hold as well where it has every octet
// bare in every component, and most forms have to do without some of their edits.
func TestCanonicalWhateverIsBare(t *testing.T) {
	for _, published := range texts {
		if !published.roles.hasURLs() {
			continue
		}
		broken := *published
		broken.components = sync.OnceValue(func() *componentTable {
			table := componentsOf(&broken)
			for i := range table.list {
				table.list[i].Bare, table.list[i].Unsafe = everyOctet, ast.ByteSet{}
			}
			return table
		})
		grammar := published.roles.grammar
		read := func(start ast.Kind, s string) *URL {
			nodes, ok := grammar.Parse(nil, start, s)
			if !ok {
				return nil
			}
			var r Reader
			r.use(&broken)
			u, err := r.Of(&ast.Tree{Grammar: grammar, Source: s, Nodes: nodes})
			if err != nil {
				t.Errorf("%s %q: %v", grammar.Name, s, err)
				return nil
			}
			return u
		}
		given := map[level]int{}
		for _, place := range []string{
			"http://h.dom/a*b?c*", "http://h*.dom:080/*", "ftp://u*@h.dom/a/*/b", "ftp://u:p*@h.dom/*",
			"file://localhost/*", "gopher://h.dom/0a%09*%09+*",
			"gopher://h.dom/*", "mailto:A*b@C.d", "news:a*b@c.d", "news:a@b*", "news:a*", "nntp://h.dom/a*/01",
			"telnet://*@h*/", "wais://h.dom/d*/t*/1=a*;",
			"prospero://h.dom/a%00*;b*=c*", "prospero://h.dom/a*", "foo://H*:080/*", "foo:*", "a*:b", "mid:a*b@c*",
			"urn:a/*", "rlogin://u*@h*", "foo:a?b+*#c*",
		} {
			for octet := range 256 {
				for _, form := range []string{"%%%02x", "x%%%02x1", "%%%02X%[1]c"} {
					s := strings.ReplaceAll(place, "*", fmt.Sprintf(form, octet))
					u := read(grammar.Default, s)
					if u == nil {
						continue
					}
					canonical, l := u.canonical(nil)
					given[l]++
					v := read(grammar.Default, canonical)
					if v == nil || v.Production != u.Production || v.Match != u.Match || !strings.EqualFold(v.name, u.name) {
						t.Fatalf("%s %q: canonical %q is another URL", grammar.Name, s, canonical)
					}
					if again := v.Canonical(); again != canonical || !u.Equal(v) {
						t.Fatalf("%s %q: canonical %q, then %q", grammar.Name, s, canonical, again)
					}
					if a, b := names(u), names(v); !slices.Equal(a, b) && l > everything {
						t.Fatalf("%s %q: canonical %q has %q, not %q", grammar.Name, s, canonical, b, a)
					}
				}
			}
		}
		if given[spelling] == 0 {
			t.Errorf("%s: no form had to do without an edit: %v", grammar.Name, given)
		}
		t.Logf("%s: forms with all edits, with those of spelling, with those of digits alone: %d", grammar.Name, given)
	}
}

// names lists the names of u's fields that are parts and cannot be omitted.
func names(u *URL) (list []string) {
	for _, f := range u.Fields() {
		if f.Part.Present() && f.Name != "prefix" && f.Name != "port" && f.Name != "host" {
			list = append(list, f.Name)
		}
	}
	return list
}
