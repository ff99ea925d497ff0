package vectors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// faults returns the expressions that are e but for one fault, as [Subject.MutationSuite] lists them, made in another way: each is an
// expression of its own.
func faults(a *lang.DFA, e *expr.Expr) (list []*expr.Expr) {
	with := func(i int, s *expr.Expr) *expr.Expr {
		n := -1
		return e.Map(func(old *expr.Expr) *expr.Expr {
			if n++; n == i {
				return s
			}
			return old
		})
	}
	for i, s := range e.Sub {
		for _, f := range faults(a, s) {
			list = append(list, with(i, f))
		}
	}
	class := func(set expr.Set, put func(expr.Set) *expr.Expr) {
		extra := expr.Bytes("\x00\n%\x80")
		for x := range 256 {
			b := byte(x)
			switch beside := x > 0 && set.Has(b-1) || x < 255 && set.Has(b+1); {
			case set.Has(b):
				list = append(list, put(set.Minus(byteSet(b))))
				if other := b ^ ' '; strings.ContainsRune("abcdefghijklmnopqrstuvwxyz", rune(b|' ')) {
					extra.Add(other)
				}
			case beside:
				extra.Add(b)
			}
		}
		extra = extra.Minus(set)
		for c := range a.Classes() {
			if outside := a.ClassSet(c).Minus(set); !outside.IsEmpty() && outside.Intersect(extra).IsEmpty() {
				extra.Add(mostReadable(outside))
			}
		}
		for _, b := range extra.Members() {
			list = append(list, put(set.Union(byteSet(b))))
		}
	}
	switch e.Op {
	case expr.Class:
		class(e.Set, expr.In)
	case expr.Literal:
		for i := range len(e.Lit) {
			class(byteSet(e.Lit[i]), func(s expr.Set) *expr.Expr { return expr.Cat(expr.Lit(e.Lit[:i]), expr.In(s), expr.Lit(e.Lit[i+1:])) })
		}
	case expr.Alt:
		for i := range e.Sub {
			list = append(list, expr.Or(slices.Concat(e.Sub[:i], e.Sub[i+1:])...))
		}
	case expr.Seq:
		for i := range len(e.Sub) - 1 {
			swapped := slices.Clone(e.Sub)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			list = append(list, expr.Cat(swapped...))
		}
	case expr.Repeat:
		for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}} {
			lo, hi := e.Min+d[0], e.Max
			if e.Max != expr.Unbounded {
				hi += d[1]
			}
			if d[0] == d[1] && e.Min != e.Max || e.Max == expr.Unbounded && d[1] != 0 || lo < 0 || hi >= 0 && lo > hi {
				continue
			}
			list = append(list, expr.Times(e.Sub[0], lo, hi))
		}
	}
	return list
}

// A way leads from the start production down to one that it uses: the places of uses, each among the references of the production
// before it.
type way []int

// ways yields the production that each way leads to, and the way; recursive uses are not followed.
func ways(g *expr.Grammar, id string, w way, around []string, yield func(r *expr.Rule, w way)) {
	r := g.Rule(id)
	if r == nil {
		return
	}
	yield(r, w)
	n := 0
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if e.Op == expr.Ref {
			if !slices.Contains(around, e.Name) && e.Name != id {
				ways(g, e.Name, append(slices.Clone(w), n), append(around, id), yield)
			}
			n++
		}
		return true
	})
}

// at returns g with e instead of what production id has where the way leads, by copies of the productions along it.
func at(g *expr.Grammar, id string, w way, e *expr.Expr) *expr.Grammar {
	if len(w) == 0 {
		return replaced(g, id, e)
	}
	rules := slices.Clone(g.Rules)
	var down func(r *expr.Rule, w way, depth int) *expr.Expr
	down = func(r *expr.Rule, w way, depth int) *expr.Expr {
		if len(w) == 0 {
			return e
		}
		n := -1
		var visit func(e *expr.Expr) *expr.Expr
		visit = func(e *expr.Expr) *expr.Expr {
			if e.Op == expr.Ref {
				if n++; n == w[0] {
					used := *g.Rule(e.Name)
					used.ID = fmt.Sprintf("%s#%d", e.Name, depth)
					used.Expr = down(g.Rule(e.Name), w[1:], depth+1)
					rules = append(rules, &used)
					return expr.To(used.ID)
				}
				return e
			}
			return e.Map(visit)
		}
		return visit(r.Expr)
	}
	return replaced(g.With(rules), id, down(g.Rule(id), w, 0))
}

// survivors makes every nth mutant at every definition and at every use, and returns those of another language that no word kills.
func survivors(t *testing.T, s *Subject, nth int) (list []string, tried int) {
	t.Helper()
	m, err := s.MutationSuite(nil)
	if err != nil || m.Unmade != nil {
		t.Fatal(err, m)
	}
	suite := newNetwork()
	start := suite.state()
	suite.start(start)
	for _, w := range m.Words {
		suite.word(start, w)
	}
	words, err := suite.words(longest(m.Words))
	if err != nil {
		t.Fatal(err)
	}
	g := closure(s.bnf, s.ID())
	n := 0
	test := func(mutant func() *expr.Grammar, what string) {
		if n++; n%nth != 0 {
			return
		}
		a, err := lang.FromBNF(mutant(), s.ID())
		if err != nil {
			return // it is not regular
		}
		tried++
		if d := s.DFA.SymmetricDifference(a); !d.IsEmpty() && d.Disjoint(words.dfa) {
			w, _ := d.Shortest()
			list = append(list, fmt.Sprintf("%s: %q", what, w))
		}
	}
	for _, r := range g.Rules {
		for _, f := range faults(s.DFA, r.Expr) {
			test(func() *expr.Grammar { return replaced(g, r.ID, f) }, fmt.Sprintf("%s = %s", r.ID, f))
		}
	}
	ways(g, s.ID(), nil, nil, func(r *expr.Rule, w way) {
		for _, f := range faults(s.DFA, r.Expr) {
			test(func() *expr.Grammar { return at(g, s.ID(), w, f) }, fmt.Sprintf("%s at %v = %s", r.ID, w, f))
		}
	})
	return list, tried
}

// TestEveryMutantIsKilled makes all mutants of small grammars, and some of large ones, one by one, and holds the suites against
// them.
func TestEveryMutantIsKilled(t *testing.T) {
	sequential(t)
	for _, test := range []struct {
		grammar   *bnfcheck.Grammar
		names     []string
		nth, long int // in a long test
	}{
		{bnfcheck.RFC3986, []string{"scheme", "port", "dec-octet", "IPv4address", "h16"}, 1, 1},
		{bnfcheck.RFC3986, []string{"IPvFuture", "path-absolute", "path-noscheme"}, 7, 1},
		{bnfcheck.RFC3986, []string{"IPv6address"}, 199, 41},
		{bnfcheck.RFC3986, []string{"URI-reference"}, 0, 199},
		{bnfcheck.RFC1738, []string{"mailto", "hostport"}, 23, 3},
		{bnfcheck.RFC1738, []string{"http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "file", "prospero"}, 0, 97},
		{bnfcheck.RFC1630, []string{"cid", "nntp"}, 23, 3},
		{bnfcheck.RFC1630, []string{"http", "ftp", "news", "prospero", "telnet", "gopher", "wais", "mailto", "mid"}, 0, 53},
	} {
		for _, name := range test.names {
			nth := test.nth
			if longtest.Enabled() {
				nth = test.long
			}
			if nth == 0 {
				continue
			}
			t.Run(test.grammar.Name+"/"+name, func(t *testing.T) {
				s, err := NewSubject(test.grammar, name)
				if err != nil {
					t.Fatal(err)
				}
				list, tried := survivors(t, s, nth)
				for _, m := range list {
					t.Error(m)
				}
				t.Logf("%d mutants", tried)
				if tried < 30 {
					t.Errorf("only %d mutants", tried)
				}
			})
		}
	}
}
