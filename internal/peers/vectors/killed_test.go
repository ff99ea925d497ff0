package vectors

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A fault is expressions that are another one but for one change. Any of them will do: a byte of one class is as good
// as another.
type fault []*expr.Expr

// faults returns the faults of e that [Subject.MutationSuite] lists, made in another way: each is an expression of its
// own, and alike are the bytes of each class of the alphabet.
func faults(alike []expr.Set, e *expr.Expr) (list []fault) {
	add := func(e *expr.Expr) { list = append(list, fault{e}) }
	for i, s := range e.Sub {
		for _, f := range faults(alike, s) {
			for k := range f {
				n := -1
				part := f[k]
				f[k] = e.Map(func(old *expr.Expr) *expr.Expr {
					if n++; n == i {
						return part
					}
					return old
				})
			}
			list = append(list, f)
		}
	}
	class := func(set expr.Set, put func(expr.Set) *expr.Expr) {
		extra := expr.Bytes("\x00\n%\x80")
		for x := range 256 {
			b := byte(x)
			switch beside := x > 0 && set.Has(b-1) || x < 255 && set.Has(b+1); {
			case set.Has(b):
				add(put(set.Minus(singleByte(b))))
				if other := b ^ ' '; strings.ContainsRune("abcdefghijklmnopqrstuvwxyz", rune(b|' ')) {
					extra.Add(other)
				}
			case beside:
				extra.Add(b)
			}
		}
		for _, b := range extra.Minus(set).Members() {
			add(put(set.Union(singleByte(b))))
		}
		for _, c := range alike {
			var f fault
			for _, b := range slices.SortedFunc(slices.Values(c.Minus(set).Members()), byReadability) {
				f = append(f, put(set.Union(singleByte(b))))
			}
			if len(f) > 0 {
				list = append(list, f)
			}
		}
	}
	switch e.Op {
	case expr.Class:
		class(e.Set, expr.In)
	case expr.Literal:
		for i := range len(e.Lit) {
			class(singleByte(e.Lit[i]), func(s expr.Set) *expr.Expr {
				return expr.Cat(expr.Lit(e.Lit[:i]), expr.In(s), expr.Lit(e.Lit[i+1:]))
			})
		}
	case expr.Alt:
		for i := range e.Sub {
			add(expr.Or(slices.Concat(e.Sub[:i], e.Sub[i+1:])...))
		}
	case expr.Seq:
		for i := range len(e.Sub) - 1 {
			swapped := slices.Clone(e.Sub)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			add(expr.Cat(swapped...))
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
			add(expr.Times(e.Sub[0], lo, hi))
		}
	}
	return list
}

// alphabet returns the bytes that lead alike from every state, by the automaton's transitions alone.
func alphabet(a *lang.DFA) (classes []expr.Set) {
	of := map[string]int{}
	for x := range 256 {
		var to strings.Builder
		for q := range a.States() {
			fmt.Fprintln(&to, a.Next(q, byte(x)))
		}
		i, ok := of[to.String()]
		if !ok {
			i = len(classes)
			of[to.String()] = i
			classes = append(classes, expr.Set{})
		}
		classes[i].Add(byte(x))
	}
	return classes
}

// A way leads from the start production down to one that it uses: the places of uses, each among the references of the
// production before it.
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
		return g.Change(id, e)
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
	return g.With(rules).Change(id, down(g.Rule(id), w, 0))
}

// survivors makes every nth mutant at every definition and at every use, and returns those of another language that no
// word kills.
func survivors(t *testing.T, s *Subject, nth int) (list []string, tried int) {
	t.Helper()
	m, err := s.MutationSuite(nil)
	if err != nil || m.Unmade != nil {
		t.Fatal(err, m)
	}
	suite := newNetwork(nil)
	suite.Start = suite.State()
	for _, w := range m.Words {
		suite.addWord(suite.Start, w)
	}
	words := must.Of(suite.finish(longestLength(m.Words)))(t)
	g := closure(s.bnf, s.ID())
	alike := alphabet(s.DFA)
	n := 0
	test := func(f fault, what string, mutant func(e *expr.Expr) *expr.Grammar) {
		if n++; n%nth != 0 {
			return
		}
		living := ""
		for _, e := range f {
			a, err := lang.FromBNF(mutant(e), s.ID())
			if errors.Is(err, lang.ErrTooLarge) { // so it is another language, and the words are tried one by one
				d := must.Of(interpreter.New(mutant(e), s.ID(), func(string) bool { return false }))(t)
				if living = fmt.Sprintf("%s = %s", what, e); slices.ContainsFunc(m.Words, func(w string) bool {
					yes, err := d.Accepts(w)
					return err == nil && yes != s.DFA.Match(w)
				}) {
					living = ""
					break
				}
				continue
			}
			if err != nil {
				return // it is not regular
			}
			d := s.DFA.SymmetricDifference(a)
			if d.IsEmpty() || !d.Disjoint(words.dfa) {
				living = ""
				break
			}
			w, _ := d.Shortest()
			living = fmt.Sprintf("%s = %s: %q", what, e, w)
		}
		if tried++; living != "" {
			list = append(list, living)
		}
	}
	for _, r := range g.Rules {
		for _, f := range faults(alike, r.Expr) {
			test(f, r.ID, func(e *expr.Expr) *expr.Grammar { return g.Change(r.ID, e) })
		}
	}
	ways(g, s.ID(), nil, nil, func(r *expr.Rule, w way) {
		for _, f := range faults(alike, r.Expr) {
			test(f, fmt.Sprintf("%s at %v", r.ID, w), func(e *expr.Expr) *expr.Grammar { return at(g, s.ID(), w, e) })
		}
	})
	t.Logf("%d of %d mutants", tried, n)
	return list, tried
}

// TestEveryMutantIsKilled makes all mutants of small grammars, and some of large ones, one by one, and holds the suites
// against them.
func TestEveryMutantIsKilled(t *testing.T) {
	longtest.Sequential(t)
	for _, test := range []struct {
		grammar   *bnfcheck.Grammar
		names     []string
		nth, long int // in a long test
	}{
		{bnfcheck.RFC3986, []string{"scheme", "port", "dec-octet", "IPv4address", "h16"}, 1, 1},
		{bnfcheck.RFC3986, []string{"IPvFuture", "path-absolute", "path-noscheme"}, 7, 1},
		{bnfcheck.RFC3986, []string{"IPv6address"}, 199, 41},
		{bnfcheck.RFC3986, []string{"URI-reference"}, 0, 29},
		{bnfcheck.RFC1738, []string{"mailto", "hostport"}, 101, 3},
		{bnfcheck.RFC1738, []string{"http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "file", "prospero"}, 0, 97},
		{bnfcheck.RFC1630, []string{"cid", "nntp"}, 101, 3},
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
				s := must.Of(NewSubject(test.grammar.Grammar, name))(t)
				list, tried := survivors(t, s, nth)
				for _, m := range list {
					t.Error(m)
				}
				if tried < 30 {
					t.Errorf("only %d mutants", tried)
				}
			})
		}
	}
}

// TestBoundedMutantsAreKilled does the same for grammars of formats as the web has them, whose repetitions have bounds of up to
// 255. None of them may have a mutant that was given up, and none of the parsers that are another grammar by one edit may pass.
func TestBoundedMutantsAreKilled(t *testing.T) {
	longtest.Sequential(t)
	files := must.Of(filepath.Glob("testdata/bounds/*.abnf"))(t)
	var table strings.Builder
	fmt.Fprintf(&table, "%-14s %6s %8s %6s %6s\n", "grammar", "states", "strings", "killed", "same")
	tried, states := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".abnf")
		g := must.Of(bnf.ReadABNF(file, must.Of(os.ReadFile(file))(t)))(t)
		s := ofGrammar(t, g, g)
		m := must.Of(s.MutationSuite(nil))(t)
		if m.Unmade != nil || len(m.Living) > 0 || m.Unseen > 0 {
			t.Errorf("%s: %v, living %v, not looked at %d", name, m.Unmade, m.Living, m.Unseen)
			continue
		}
		fmt.Fprintf(&table, "%-14s %6d %8d %6d %6d\n", name, s.DFA.States(), len(m.Words), m.Mutants, m.Same)
		states = max(states, s.DFA.States())
		nth := 1
		switch {
		case longtest.Enabled():
		case s.DFA.States() < 100:
			nth = 37
		default:
			nth = 607
		}
		list, n := survivors(t, s, nth)
		tried += n
		for _, living := range list {
			t.Errorf("%s: not killed: %s", name, living)
		}
	}
	goldentest.Check(t, "testdata/bounds.golden", goldentest.Output("bounds", table.String()))
	want := 250
	if longtest.Enabled() {
		want = 25_029 // all of them
	}
	if t.Logf("%d mutants tried", tried); len(files) < 30 || states < 800 || tried < want {
		t.Errorf("%d grammars of up to %d states, %d mutants tried", len(files), states, tried)
	}
}

// ofGrammar returns the first production of a grammar as a subject, of which suites are made by the rules.
func ofGrammar(t *testing.T, g, rules *expr.Grammar) *Subject {
	id := g.Rules[0].ID
	return &Subject{
		Grammar:    &ast.Grammar{Productions: []ast.Production{{}, {ID: id}}},
		Production: 1, bnf: rules, DFA: must.Of(lang.FromBNF(rules, id))(t),
	}
}

// What nests is read to a depth. The suite for a depth of 2, the default, kills each mutant of the grammar itself as well that any short
// string kills, be it left-recursive, ambiguous or a palindrome.
func TestMutantsOfWhatNests(t *testing.T) {
	for _, c := range []struct{ grammar, letters string }{
		{`s = "(" *( s / 1*2"x" ) ")"`, "()x"},
		{"e = t *( \"+\" t )\nt = 1*DIGIT / \"(\" e \")\"", "+1()"},
		{"c = \"(\" *( ALPHA / q / c ) \")\"\nq = \"-\" ALPHA", "()x-"},
		{`p = "x" p "x" / "y" p "y" / ["z"]`, "xyz"},
		{"l = l \",\" i / i\ni = 1*2\"x\" / \"[\" [l] \"]\"", "x,[]"},
		{`e = e "+" e / "-" e / "x"`, "+-x"},
	} {
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(c.grammar+"\n")))(t)
		id, cut := g.Rules[0].ID, must.Of(g.Nesting().To(2))(t)
		words, n := must.Of(ofGrammar(t, g, cut).MutationSuite(nil))(t).Words, 0
		for _, r := range g.Rules {
			for _, f := range faults(nil, r.Expr) {
				mutant := g.Change(r.ID, f[0])
				kills := func(w string) bool { return pegtest.Derives(g, id, w) != pegtest.Derives(mutant, id, w) }
				if slices.ContainsFunc(words, kills) {
					n++
				} else if short := pegtest.Words(c.letters, 5); slices.ContainsFunc(short, kills) {
					t.Errorf("%s: %q kills %s = %s, and no string of the suite does", c.grammar, short[slices.IndexFunc(short, kills)], r.ID, f[0])
				}
			}
		}
		if n < 10 {
			t.Errorf("%s: only %d mutants are killed", c.grammar, n)
		}
	}
}

// TestPageOfMutants holds the numbers of docs/vector-format.md to the suites.
func TestPageOfMutants(t *testing.T) {
	page := must.Of(os.ReadFile("../../../docs/vector-format.md"))(t)
	const head = "| production | strings | mutants killed | of the same language |\n|---|--:|--:|--:|\n"
	_, table, _ := strings.Cut(string(page), head)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	for i, row := range []struct {
		title   string
		grammar *bnfcheck.Grammar
		name    string
	}{
		{"RFC 3986", bnfcheck.RFC3986, "URI-reference"},
		{"RFC 1738", bnfcheck.RFC1738, "httpurl"},
		{"RFC 1630", bnfcheck.RFC1630, "httpaddress"},
	} {
		if i != 1 && !longtest.Enabled() {
			continue
		}
		m, err := subject(t, row.grammar, row.name).MutationSuite(nil)
		if err != nil || m.Unmade != nil || len(m.Living) > 0 || m.Unseen > 0 {
			t.Fatalf("%s: %v %+v", row.name, err, m)
		}
		if want := fmt.Sprintf("| %s `%s` | %d | %d | %d |", row.title, row.name, len(m.Words), m.Mutants, m.Same); len(rows) != 3 || rows[i] != want {
			t.Errorf("docs/vector-format.md has the table\n%s\nand row %d is to be\n%s", table, i, want)
		}
	}
}
