package lint

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// The longest strings that the tests try, over two letters.
const longest = 6

// A randomGrammar writes ABNF over a and b. A production uses those after it and, now and then, itself at its end.
type randomGrammar struct {
	*rand.Rand
	rules int
}

func (g randomGrammar) text() string {
	var b strings.Builder
	for i := range g.rules {
		right := g.alternatives(i, 1+g.IntN(2))
		if g.IntN(8) == 0 {
			right += fmt.Sprintf(" / %s r%d", g.element(i, 0), i)
		}
		fmt.Fprintf(&b, "r%d = %s\n", i, right)
	}
	return b.String()
}

func (g randomGrammar) alternatives(i, depth int) string {
	var all []string
	for range 1 + g.IntN(2+depth/2) {
		var seq []string
		for range 1 + g.IntN(2) {
			seq = append(seq, g.element(i, depth))
		}
		all = append(all, strings.Join(seq, " "))
	}
	return strings.Join(all, " / ")
}

func (g randomGrammar) element(i, depth int) string {
	switch n := g.IntN(10); {
	case n < 3 && i+1 < g.rules:
		return fmt.Sprintf("r%d", i+1+g.IntN(g.rules-i-1))
	case n < 5 && depth > 0:
		return "(" + g.alternatives(i, depth-1) + ")"
	case n < 6 && depth > 0:
		return "[" + g.alternatives(i, depth-1) + "]"
	case n < 8 && depth > 0:
		return []string{"*", "1*", "2", "*2", "1*2"}[g.IntN(5)] + "(" + g.alternatives(i, depth-1) + ")"
	}
	return []string{`%x61`, `%x62`, `%x61-62`, `%x61.62`, `""`}[g.IntN(13)%5%(4+g.IntN(2))]
}

func (g randomGrammar) read(t *testing.T) (*expr.Grammar, string) {
	text := g.text()
	read, err := bnf.ReadABNF("x.abnf", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return read, text
}

// A counter counts derivations of parts of a string, by the definition in the package comment. Uses of a production count
// as many derivations as there are of the production or, with opaque, as one.
type counter struct {
	g      *expr.Grammar
	w      string
	opaque bool
	memo   map[span]int
	inner  *counter // opaque: counts what uses derive
}

const many = 1000 // no more are told apart

func (c *counter) count(s span) int {
	if n, ok := c.memo[s]; ok {
		return n
	}
	c.memo[s] = 0 // a production that derives itself and nothing else; see the test
	n := min(c.compute(s), many)
	c.memo[s] = n
	return n
}

func (c *counter) compute(s span) (n int) {
	e, part := s.e, c.w[s.i:s.j]
	switch e.Op {
	case expr.Empty:
		if part == "" {
			return 1
		}
	case expr.Class:
		if len(part) == 1 && e.Set.Has(part[0]) {
			return 1
		}
	case expr.Literal:
		if part == e.Lit {
			return 1
		}
	case expr.Ref:
		body := span{c.g.Rule(e.Name).Expr, 0, s.i, s.j}
		if c.opaque {
			return min(c.inner.count(body), 1)
		}
		return c.count(body)
	case expr.Alt:
		for _, sub := range e.Sub {
			n += c.count(span{sub, 0, s.i, s.j})
		}
	case expr.Seq:
		if s.k == len(e.Sub) {
			if part == "" {
				return 1
			}
			return 0
		}
		for m := s.i; m <= s.j; m++ {
			if left := c.count(span{e.Sub[s.k], 0, s.i, m}); left > 0 {
				n += left * c.count(span{e, s.k + 1, m, s.j})
			}
		}
	case expr.Repeat:
		if s.k >= e.Min && part == "" {
			n = 1
		}
		if e.Max != expr.Unbounded && s.k >= e.Max {
			return n
		}
		for m := s.i; m <= s.j; m++ {
			if m == s.i && s.k >= e.Min && e.Max != 1 {
				continue
			}
			if left := c.count(span{e.Sub[0], 0, s.i, m}); left > 0 {
				n += left * c.count(span{e, s.k + 1, m, s.j})
			}
		}
	}
	return n
}

func newCounter(g *expr.Grammar, w string, opaque bool) *counter {
	c := &counter{g: g, w: w, opaque: opaque, memo: map[span]int{}}
	if opaque {
		c.inner = newCounter(g, w, false)
	}
	return c
}

func (c *counter) of(e *expr.Expr) int { return c.count(span{e, 0, 0, len(c.w)}) }

// TestAmbiguityAgainstCounting counts the derivations of all short strings. A production is ambiguous by itself exactly if
// some string has two, with what it uses taken as languages, and the string that is reported is one of the shortest. Some
// string has several derivation trees exactly if a production that is used is ambiguous by itself.
func TestAmbiguityAgainstCounting(t *testing.T) {
	all := pegtest.Words("ab", longest)
	ambiguous, checked, undecided := 0, 0, 0
	for seed := range uint64(longtest.Size(40, 600)) {
		g, text := randomGrammar{rand.New(rand.NewPCG(seed, 1)), 3}.read(t)
		report := must.Of(Lint(g, Options{}))(t)
		found := map[string]*Finding{}
		for _, f := range report.Findings {
			if f.Code == Ambiguous {
				found[f.Production] = &f
			}
			if f.Code == Undecided {
				undecided++
			}
		}
		if report.Undecided > 0 {
			continue
		}
		facts := expr.Analyze(g.Rules)
		for _, r := range g.Rules {
			want, trees := "", ""
			seen, several := false, false
			for _, w := range all {
				if !seen && newCounter(g, w, true).of(r.Expr) > 1 {
					want, seen = w, true
				}
				if !several && newCounter(g, w, false).of(r.Expr) > 1 {
					trees, several = w, true
				}
			}
			f := found[r.Name]
			checked++
			switch {
			case seen && f == nil:
				t.Errorf("seed %d: %s: %q has two derivations, and is not found\n%s", seed, r.ID, want, text)
			case seen && len(*f.Word) != len(want):
				t.Errorf("seed %d: %s: found %q, and %q is shorter\n%s", seed, r.ID, *f.Word, want, text)
			case !seen && f != nil && len(*f.Word) <= longest:
				t.Errorf("seed %d: %s: found %q, which has one derivation\n%s", seed, r.ID, *f.Word, text)
			case f != nil && len(*f.Word) <= longest && newCounter(g, string(*f.Word), true).of(r.Expr) < 2:
				t.Errorf("seed %d: %s: %q has one derivation\n%s", seed, r.ID, *f.Word, text)
			case f != nil && f.Detail[0] == f.Detail[1]:
				t.Errorf("seed %d: %s: both derivations are shown as %s\n%s", seed, r.ID, f.Detail[0], text)
			}
			if f != nil {
				ambiguous++
			}
			below := facts.Used(expr.To(r.ID))
			cause := slices.ContainsFunc(g.Rules, func(u *expr.Rule) bool { return found[u.Name] != nil && (below[u.ID] || u == r) })
			if several && !cause {
				t.Errorf("seed %d: %s: %q has several trees, and no production is found\n%s", seed, r.ID, trees, text)
			}
		}
	}
	if undecided > checked/20 {
		t.Errorf("%d grammars are not decided", undecided)
	}
	if ambiguous < checked/10 || ambiguous > checked*9/10 {
		t.Errorf("%d of %d productions are ambiguous: the grammars are too much alike", ambiguous, checked)
	}
}

// A naivePEG matches as a PEG is defined. A rule in longest matches its longest string.
type naivePEG struct {
	g       *expr.Grammar
	longest map[string]bool
}

// match returns where the match ends, -1 for none.
func (p naivePEG) match(e *expr.Expr, w string, i int) int {
	switch e.Op {
	case expr.Class:
		if i < len(w) && e.Set.Has(w[i]) {
			return i + 1
		}
		return -1
	case expr.Literal:
		if strings.HasPrefix(w[i:], e.Lit) {
			return i + len(e.Lit)
		}
		return -1
	case expr.Ref:
		body := p.g.Rule(e.Name).Expr
		if p.longest[e.Name] {
			for j := len(w); j >= i; j-- {
				if newCounter(p.g, w[i:j], false).of(body) > 0 {
					return j
				}
			}
			return -1
		}
		return p.match(body, w, i)
	case expr.Seq:
		for _, s := range e.Sub {
			if i = p.match(s, w, i); i < 0 {
				return -1
			}
		}
	case expr.Alt:
		for _, s := range e.Sub {
			if end := p.match(s, w, i); end >= 0 {
				return end
			}
		}
		return -1
	case expr.Repeat:
		for n := 0; e.Max == expr.Unbounded || n < e.Max; n++ {
			end := p.match(e.Sub[0], w, i)
			if end < 0 && n < e.Min {
				return -1
			}
			if end < 0 {
				break
			}
			i = end
		}
	}
	return i
}

// TestLossesAgainstMatching matches all short strings by the definition of a PEG, and compares what is lost, which rule is a
// cause, and that the order that is to mend it does.
func TestLossesAgainstMatching(t *testing.T) {
	all := pegtest.Words("ab", longest)
	causes, mends, none, because := 0, 0, 0, 0
	for seed := range uint64(longtest.Size(25, 600)) {
		g, text := randomGrammar{rand.New(rand.NewPCG(seed, 2)), 3}.read(t)
		l := newLinter(g, Options{})
		l.checkForm()
		l.computeLanguages()
		l.checkAmbiguities()
		l.checkLosses()
		if len(l.openWhy) > 0 { // too large
			continue
		}
		stuck := l.blocked(map[string]*lang.DFA{})
		found := map[string]*Finding{}
		victims := map[string]bool{}
		for _, f := range l.report.Findings {
			if f.Code != OrderedChoice {
				continue
			}
			found[f.Production] = &f
			for _, d := range f.Detail {
				if _, list, ok := strings.Cut(d, "because of it"); ok {
					for _, name := range strings.Split(list, "`") {
						victims[name] = true
					}
				}
			}
		}
		lost := func(e, body *expr.Expr, by ...naivePEG) (string, bool) { // by all of them
			for _, w := range all {
				if newCounter(g, w, false).of(body) > 0 && !slices.ContainsFunc(by, func(p naivePEG) bool { return p.match(e, w, 0) == len(w) }) {
					return w, true
				}
			}
			return "", false
		}
		wrong := map[string]bool{}
		for id := range stuck {
			wrong[id] = true
		}
		asPrinted := naivePEG{g, stuck}
		short := map[string]bool{}
		for _, r := range g.Rules {
			if stuck[r.ID] {
				continue
			}
			if _, ok := lost(r.Expr, r.Expr, asPrinted); ok {
				wrong[r.ID], short[r.ID] = true, true
			} else if f := found[r.Name]; f != nil || victims[r.Name] { // by a longer string
				wrong[r.ID] = true
			}
		}
		derives := map[string]*lang.DFA{}
		for id := range wrong {
			derives[id] = l.langs[id].dfa
		}
		ordered := g.With(g.Rules)
		ordered.Ordered = true
		right := must.Of(lang.NewPEGLongest(ordered, derives, lang.Limits{}))(t)
		for _, r := range g.Rules {
			f := found[r.Name]
			if stuck[r.ID] {
				continue
			}
			if short[r.ID] && f == nil && !victims[r.Name] {
				t.Errorf("seed %d: %s loses strings, and is not found\n%s", seed, r.ID, text)
			}
			w, isCause := lost(r.Expr, r.Expr, naivePEG{g, wrong}, asPrinted)
			switch {
			case !wrong[r.ID]:
			case isCause && (f == nil || len(*f.Word) != len(w)):
				t.Errorf("seed %d: %s loses %q by itself, and not found as such: %v\n%s", seed, r.ID, w, f, text)
			case !isCause && f != nil && len(*f.Word) <= longest:
				t.Errorf("seed %d: %s loses nothing by itself: %v\n%s", seed, r.ID, f, text)
			case f == nil:
				because++
			default:
				causes++
			}
			if f == nil {
				continue
			}
			if w := string(*f.Word); len(w) <= 12 && asPrinted.match(r.Expr, w, 0) == len(w) {
				t.Errorf("seed %d: %s does not lose %q: %v\n%s", seed, r.ID, w, f, text)
			}
			if slices.Contains(f.Detail, "no order of its alternatives mends it") && countOrders(r.Expr) <= 24 {
				none++
				permute(r.Expr, func(e *expr.Expr) bool {
					a, err := right.Whole(e)
					if err == nil && a.Equal(l.langs[r.ID].dfa) {
						t.Errorf("seed %d: %s loses nothing as %s\n%s", seed, r.ID, e, text)
					}
					return true
				})
			}
			for _, d := range f.Detail {
				if _, order, ok := strings.Cut(d, "loses nothing: "); ok {
					mends++
					changed := must.Of(bnf.ReadABNF("x.abnf", []byte("mended = "+order+"\n"+text)))(t)
					e := changed.Rule("mended").Expr
					if w, ok := lost(e, r.Expr, naivePEG{g, wrong}); ok {
						t.Errorf("seed %d: %s still loses %q in the order %s\n%s", seed, r.ID, w, order, text)
					}
				}
			}
		}
	}
	if n := longtest.Size(2, 4); causes < 5*n || mends < n || none < n || because < n {
		t.Errorf("%d causes, %d mended, %d beyond it, %d because of others: the grammars are too much alike", causes, mends, none, because)
	}
}

// TestAdditionsAgainstRemoval: what is said to add nothing can be taken away, and what is said of nothing cannot.
func TestAdditionsAgainstRemoval(t *testing.T) {
	idle := 0
	for seed := range uint64(longtest.Size(40, 600)) {
		g, text := randomGrammar{rand.New(rand.NewPCG(seed, 3)), 3}.read(t)
		report := must.Of(Lint(g, Options{}))(t)
		at := map[expr.Pos]bool{}
		some := map[string]bool{}
		for _, f := range report.Findings {
			switch f.Code {
			case AddsNothing:
				at[f.Pos], some[f.Production] = true, true
				idle++
			case Undecided:
				some[f.Production] = true
			}
		}
		facts := expr.Analyze(g.Rules)
		for _, r := range g.Rules {
			if some[r.Name] { // the others may be needed once these are gone
				continue
			}
			whole, err := lang.FromBNF(g, r.ID)
			if errors.Is(err, lang.ErrTooLarge) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			expr.Walk(r.Expr, func(e *expr.Expr) bool {
				if e.Op != expr.Alt {
					return true
				}
				for i, s := range e.Sub {
					rest := *e
					rest.Sub = slices.Delete(slices.Clone(e.Sub), i, i+1)
					instead := expr.Or(rest.Sub...)
					a, err := lang.FromBNF(g.Change(r.ID, r.Expr.With(e, instead)), r.ID)
					if err == nil && a.Equal(whole) && facts.Derives(s) {
						t.Errorf("seed %d: %s: %s can be left out, and is not found\n%s", seed, r.ID, s, text)
					}
				}
				return true
			})
		}
	}
	if idle < longtest.Size(8, 20) {
		t.Errorf("%d findings: the grammars are too much alike", idle)
	}
}
