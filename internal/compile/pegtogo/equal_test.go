package pegtogo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A subject is a grammar with both its parsers: the compiled one and, as the oracle, pigeon's.
type subject struct {
	*ast.Grammar
	pigeon func(start ast.Kind, src string) (*ast.Tree, error)
	nodes  []ast.Raw // reused, as a Parser does
}

func subjects() (list []*subject) {
	for _, g := range bnfcheck.Grammars() {
		list = append(list, &subject{Grammar: g.Grammar, pigeon: gen.Pigeons[g.Name].Tree})
	}
	return list
}

// starts returns all productions.
func (s *subject) starts() []ast.Kind {
	var all []ast.Kind
	for k := 1; k < len(s.Productions); k++ {
		all = append(all, ast.Kind(k))
	}
	return all
}

// differ returns where the parsers differ on src, or "". Both give a tree or neither does, the trees are the same, and
// what only accepts agrees.
func (s *subject) differ(start ast.Kind, src string) string {
	want, err := s.pigeon(start, src)
	var ok bool
	s.nodes, ok = s.Parse(s.nodes[:0], start, src)
	switch {
	case ok != (err == nil):
		return fmt.Sprintf("pigeon accepts: %t, the compiled parser: %t", err == nil, ok)
	case s.Accept(start, src) != ok:
		return fmt.Sprintf("the compiled parser gives a tree: %t, and accepts: %t", ok, !ok)
	case ok && !slices.Equal(s.nodes, want.Nodes):
		got := ast.Tree{Grammar: s.Grammar, Source: src, Nodes: s.nodes}
		return "pigeon's tree:\n" + want.String() + "the compiled parser's:\n" + got.String()
	case !ok && len(s.nodes) != 0:
		return "a failure leaves nodes behind"
	}
	return ""
}

// automaton returns the minimal automaton of a production of the BNF, with all default readings.
func automaton(t testing.TB, s *subject, start ast.Kind) *lang.DFA {
	t.Helper()
	id := s.Production(start).ID
	if d := automata[s.Name+" "+id]; d != nil {
		return d
	}
	g := must.Of(bnf.Load(s.Name))(t)
	d := must.Of(lang.FromBNF(g.Default, id))(t)
	automata[s.Name+" "+id] = d
	return d
}

var automata = map[string]*lang.DFA{}

// Strings that a grammar of this kind goes wrong on: long rows of what separates, at every start.
func TestTreesEqualOnAdversarialInputs(t *testing.T) {
	for _, s := range subjects() {
		for _, start := range s.starts() {
			for _, r := range s.adversarial(start) {
				if d := s.differ(start, r.text(40)); d != "" {
					t.Fatalf("%s %s on %q: %s", s.Name, s.Production(start).ID, r.text(40), d)
				}
			}
		}
	}
}

// A row is a string of any length: the unit again and again, with something before and behind.
type row struct{ head, unit, tail string }

// text returns the row with about n bytes of units.
func (r row) text(n int) string { return r.head + strings.Repeat(r.unit, n/len(r.unit)) + r.tail }

// adversarial returns rows of separators: bare, and where the start is whole URLs behind each scheme.
func (s *subject) adversarial(start ast.Kind) []row {
	heads := []string{""}
	if p := s.Production(start); start == s.Default || p.ID == "url" || p.ID == "uri" {
		for _, scheme := range s.Schemes {
			heads = append(heads, scheme.Name+":", scheme.Name+"://", scheme.Name+"://h/", scheme.Name+"://h/x")
		}
	}
	var all []row
	for _, unit := range []string{
		"a@", "%", "/", ";=", ".", "-", "a.", "a-", "a+", "+", "%09", "%00", "%001", "a@1.", "@1.1.1.1", "1.", "a:",
		"?", "%0", "%41", "1", "a",
	} {
		for _, h := range heads {
			all = append(all, row{h, unit, ""}, row{h, unit, " "}, row{h + "a", unit, ""}, row{h, unit, "a"})
		}
	}
	return all
}

// What the compiled parsers say of any bytes at any start is what pigeon's say.
func FuzzTreesEqual(f *testing.F) {
	for _, s := range subjects() {
		for _, start := range s.starts() {
			if w, ok := automaton(f, s, start).Shortest(); ok {
				f.Add(uint16(start), w)
			}
		}
	}
	for _, w := range []string{
		"http://www.w3.org:80/a/b%20c;d?e=f+g", "ftp://u:p@ftp.dom/a;type=i", "gopher://g.dom:70/0sel%09search%09+x",
		"news:a@a@1.2.3.4", "mailto:a@b@c.d", "prospero://h//a%00b%001.2;f=v", "wais://h/d/t/1=a;2=b;",
		"url:cid:x@y.z#f",
	} {
		for start := range uint16(80) {
			f.Add(start, w)
		}
	}
	all := subjects()
	f.Fuzz(func(t *testing.T, start uint16, src string) {
		for _, s := range all {
			k := ast.Kind(int(start)%(len(s.Productions)-1) + 1)
			if d := s.differ(k, src); d != "" {
				t.Errorf("%s %s on %q: %s", s.Name, s.Production(k).ID, src, d)
			}
		}
	})
}
