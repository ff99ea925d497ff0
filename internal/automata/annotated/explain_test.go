package annotated

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// load returns a published grammar as read, and which of its productions are lexical.
func load(t *testing.T, name string) (*expr.Grammar, func(string) bool) {
	t.Helper()
	src := must.Of(bnf.Load(name))(t)
	p := must.Of(peg.Load(src.Default))(t)
	return src.Default, func(id string) bool { return p.Rule(id).Expr.Op != expr.Node }
}

func machines(t *testing.T, f func(t *testing.T, g *expr.Grammar, m ast.Machine)) {
	for _, name := range []string{"rfc1630", "rfc1738", "draft06"} {
		t.Run(name, func(t *testing.T) {
			g, lexical := load(t, name)
			tables := must.Of(Build(g, lexical))(t)
			f(t, g, (&ast.Grammar{Tables: tables}).Machine())
		})
	}
}

// The machine accepts from each start exactly what the start's production derives: the automata are walked side by
// side until no new pair of states comes up, so this is a proof.
func TestMachineAcceptsTheLanguageOfEachStart(t *testing.T) {
	machines(t, func(t *testing.T, g *expr.Grammar, m ast.Machine) {
		for k, r := range g.Rules {
			variants := Variants(g, r.ID)
			for i, s := range m.Starts(ast.Kind(k + 1)) {
				want := must.Of(lang.FromExpr(g, variants[i].Expr))(t)
				if at, ok := differ(m, s.State, want); ok {
					t.Errorf("%s, prefix %q: the machine and the BNF part after %q", r.ID, s.Prefix, at)
				}
			}
		}
	})
}

// What [ast.SyntaxError] says of Offset holds in every state. The strings of a production that is explained, as that
// comment defines them, are derived here in another way: all other choices among the schemes derive nothing, and the
// string begins with the prefix. The machine goes on, and accepts, exactly as their automaton does, state by state.
func TestOffsetIsWhereNoStringGoesOn(t *testing.T) {
	compared := 0
	machines(t, func(t *testing.T, g *expr.Grammar, m ast.Machine) {
		for k := range g.Rules {
			starts := m.Starts(ast.Kind(k + 1))
			for _, s := range starts {
				want := must.Of(lang.FromBNF(only(g, g.Rules[s.Explained-1].ID, m, starts), g.Rules[k].ID))(t)
				want = want.Intersect(lang.OfString(s.Prefix).Concat(lang.All()))
				if at, ok := differ(m, s.State, want); ok {
					t.Errorf("%s, prefix %q, %s: the machine and the definition part after %q", g.Rules[k].ID, s.Prefix, g.Rules[s.Explained-1].ID, at)
				}
				compared++
			}
		}
	})
	t.Logf("%d pairs of automata", compared)
}

// only returns g where of what the starts explain only the production id, what uses it and what it uses derives anything.
func only(g *expr.Grammar, id string, m ast.Machine, starts []ast.TableStart) *expr.Grammar {
	copied := &expr.Grammar{Name: g.Name, Title: g.Title, Notation: g.Notation, Rules: slices.Clone(g.Rules)}
	for _, s := range starts {
		other := g.Rules[s.Explained-1].ID
		if !slices.Contains(g.Reach(id), other) && !slices.Contains(g.Reach(other), id) {
			rule := *g.Rules[s.Explained-1]
			rule.Expr = expr.Or()
			copied.Rules[s.Explained-1] = &rule
		}
	}
	return copied
}

// differ looks for a word after which m, from state q, and a disagree on whether the input may end or go on.
func differ(m ast.Machine, q uint16, a *lang.DFA) (string, bool) {
	type pair struct {
		q uint16
		s int
	}
	seen := map[pair]bool{}
	type visit struct {
		pair
		word string
	}
	queue := []visit{{pair{q, 0}, ""}}
	var one []byte // of all bytes that both automata take alike
	alike := map[[2]int]bool{}
	for b := range 256 {
		if k := [2]int{m.Class(byte(b)), a.ClassOf(byte(b))}; !alike[k] {
			alike[k] = true
			one = append(one, byte(b))
		}
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if seen[v.pair] {
			continue
		}
		seen[v.pair] = true
		if (v.q != 0) != a.Live(v.s) || v.q != 0 && m.Accepts(v.q) != a.Accepts(v.s) {
			return v.word, true
		}
		for _, x := range one {
			next := pair{m.Step(v.q, x), a.Next(v.s, x)}
			if !seen[next] {
				queue = append(queue, visit{next, v.word + string([]byte{x})})
			}
		}
	}
	return "", false
}

// What a note says can be read is what can be read.
func TestNotesExpectExactlyWhatCanFollow(t *testing.T) {
	machines(t, func(t *testing.T, g *expr.Grammar, m ast.Machine) {
		for q := range uint16(m.States()) {
			var expected, follows ast.ByteSet
			for _, x := range m.Expected(q) {
				for i, w := range x.First {
					expected[i] |= w
				}
			}
			for b := range 256 {
				if m.Step(q, byte(b)) != 0 {
					follows[b>>6] |= 1 << (b & 63)
				}
			}
			if expected != follows {
				t.Errorf("state %d: expects %x, but can read %x", q, expected, follows)
			}
		}
	})
}

// What a message leaves out is said by another term of it: a literal can also be read as strings of that term, byte by byte
// or escape by escape, and a production begins with no other byte.
func TestTermsLeaveOutOnlyWhatAnotherSays(t *testing.T) {
	machines(t, func(t *testing.T, g *expr.Grammar, m ast.Machine) {
		literals := 0
		for q := range uint16(m.States()) {
			e := &ast.SyntaxError{Expected: m.Expected(q)}
			terms := e.Terms()
			said := func(x ast.Expectation, text string) bool {
				return slices.ContainsFunc(e.Expected, func(y ast.Expectation) bool {
					if !slices.Contains(terms, y.Term) || strings.ContainsAny(y.Term[:1], "\"`") {
						return false
					}
					rule := slices.IndexFunc(g.Rules, func(r *expr.Rule) bool { return r.Name == y.Term })
					if len(text) < 2 || rule < 0 {
						return expr.Set(x.First).Minus(expr.Set(y.First)).IsEmpty()
					}
					a, err := lang.FromBNF(g, g.Rules[rule].ID)
					return err == nil && a.Star().Match(text)
				})
			}
			for _, x := range e.Expected {
				if slices.Contains(terms, x.Term) {
					continue
				}
				text, _ := strconv.Unquote(x.Term)
				if len(text) > 1 {
					literals++
				}
				if !said(x, text) {
					t.Errorf("%q leaves out %s", terms, x.Term)
				}
			}
		}
		t.Logf("%d literals are left out", literals)
	})
}

func TestVariants(t *testing.T) {
	for _, tt := range []struct {
		grammar, start string
		want           string
	}{
		{"rfc1738", "httpurl", ":httpurl"},
		{"rfc1738", "host", ":host"},
		{"rfc1738", "url", "http::httpurl ftp::ftpurl news::newsurl nntp::nntpurl telnet::telneturl " +
			"gopher::gopherurl " +
			"wais::waisurl mailto::mailtourl file::fileurl prospero::prosperourl :genericurl"},
		{"rfc1630", "url", "http::httpaddress ftp::ftpaddress news::newsaddress nntp::nntpaddress " +
			"prospero::prosperoaddress " +
			"telnet::telnetaddress gopher::gopheraddress wais::waisaddress mailto::mailtoaddress mid::midaddress " +
			"cid::cidaddress :url"},
		{"rfc1630", "uri_fragmentaddress",
			"url::prefixedurl url:http::httpaddress url:ftp::ftpaddress url:news::newsaddress url:nntp::nntpaddress " +
				"url:prospero::prosperoaddress url:telnet::telnetaddress url:gopher::gopheraddress url:wais::waisaddress " +
				"url:mailto::mailtoaddress url:mid::midaddress url:cid::cidaddress http::httpaddress ftp::ftpaddress " +
				"news::newsaddress nntp::nntpaddress prospero::prosperoaddress telnet::telnetaddress " +
				"gopher::gopheraddress wais::waisaddress mailto::mailtoaddress mid::midaddress cid::cidaddress :uri"},
	} {
		g, _ := load(t, tt.grammar)
		var got []string
		for _, v := range Variants(g, tt.start) {
			got = append(got, v.Prefix+":"+v.Explained)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.grammar, tt.start, s, tt.want)
		}
	}
}

func TestBuildRefusesWhatIsNotRegular(t *testing.T) {
	g := must.Of(bnf.ReadABNF("nested.abnf", []byte("a = \"(\" a \")\" / \"x\"\n")))(t)
	if _, err := Build(g, func(string) bool { return false }); err == nil {
		t.Error("no error for a production that embeds itself")
	}
}

// TestEmptyRecursion: what derives the empty string alone is not entered, so that its recursion ends. The automaton accepts what
// the production derives.
func TestEmptyRecursion(t *testing.T) {
	for _, text := range []string{
		"a = *a\n", "a = *(a)\n", "a = *2a\n", "a = *(*a)\n", "a = [a] [a]\n", "a = *(a a)\n", "a = \"\" / a a\n", "a = *b\nb = a / \"\"\n",
		"a = b *a\nb = \"\"\n", "a = \"x\" *b\nb = *c\nc = [b]\n", "a = *b \"x\" *b\nb = *b\n",
	} {
		g := must.Of(bnf.ReadABNF("empty.abnf", []byte(text)))(t)
		tables := must.Of(BuildFor(g, func(string) bool { return false }, "a"))(t)
		m := (&ast.Grammar{Tables: tables}).Machine()
		want := must.Of(lang.FromBNF(g, "a"))(t)
		if at, ok := differ(m, m.Starts(1)[0].State, want); ok {
			t.Errorf("%q: the machine and the grammar part after %q", text, at)
		}
	}
}

// Lexical productions that refer to each other in a circle derive the same, wherever one of them is asked for first.
func TestLexicalCircle(t *testing.T) {
	for _, text := range []string{
		"s = a \"x\" / \"y\" b\na = %x31 / b\nb = %x32 / a\n",
		"s = \"x\" b / \"y\" a\na = %x31 / b\nb = %x32 / a / %x33 %x34\n",
		"s = a \"x\" / \"y\" b / \"z\" c\na = b / c / %x31\nb = c / %x32.33\nc = %x34 / b / a\n",
	} {
		g := must.Of(bnf.ReadABNF("circle.abnf", []byte(text)))(t)
		tables := must.Of(Build(g, func(id string) bool { return id != "s" }))(t)
		m := (&ast.Grammar{Tables: tables}).Machine()
		for k, r := range g.Rules {
			want := must.Of(lang.FromBNF(g, r.ID))(t)
			for _, s := range m.Starts(ast.Kind(k + 1)) {
				if at, ok := differ(m, s.State, want); ok {
					t.Errorf("%q: the machine and %s part after %q", text, r.ID, at)
				}
			}
		}
	}
}
