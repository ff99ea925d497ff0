package expr

import (
	"slices"
	"strings"
	"testing"
)

func TestString(t *testing.T) {
	a, b, c := To("a"), Lit("b"), In(Bytes("cde"))
	for _, tt := range []struct {
		e    *Expr
		want string
	}{
		{Cat(a, b, c), `a "b" [c-e]`},
		{Cat(a, Cat(b, Lit("")), c), `a "b" [c-e]`},
		{Cat(), `""`},
		{Or(a, Or(b, c)), `a / "b" / [c-e]`},
		{Or(), `[]`},
		{Cat(a, Or(b, c)), `a ( "b" / [c-e] )`},
		{Or(Cat(a, b), c), `a "b" / [c-e]`},
		{Opt(a), `a?`},
		{Times(a, 0, Unbounded), `a*`},
		{Times(Cat(a, b), 1, Unbounded), `( a "b" )+`},
		{Times(a, 2, Unbounded), `a{2,}`},
		{Times(a, 2, 3), `a{2,3}`},
		{Times(Times(a, 1, Unbounded), 0, Unbounded), `( a+ )*`},
		{Lookahead(Or(a, b), true), `!( a / "b" )`},
		{Cat(Lookahead(Cat(a, b), false), c), `&( a "b" ) [c-e]`},
		{Times(Lookahead(a, true), 0, 1), `( !a )?`},
		{&Expr{Op: Node, Name: "n", Sub: []*Expr{Cat(a, b)}}, `a "b"`},
		{Times(&Expr{Op: Node, Name: "n", Sub: []*Expr{Cat(a, b)}}, 0, 1), `( a "b" )?`},
	} {
		if got := tt.e.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestSet(t *testing.T) {
	digits := Range('0', '9')
	odd := Bytes("13579")
	if digits.Len() != 10 || !digits.Has('5') || digits.Has('a') {
		t.Errorf("digits: %s", digits)
	}
	if even := digits.Minus(odd); string(even.Members()) != "02468" || even.Union(odd) != digits || even.Intersect(odd) != (Set{}) {
		t.Errorf("even: %s", even)
	}
	if digits.Complement().Len() != 246 || digits.Complement().Complement() != digits || !AnyByte.Complement().IsEmpty() {
		t.Error("complement")
	}
	for _, tt := range []struct {
		set  Set
		want string
	}{
		{AnyByte, "."},
		{Set{}, "[]"},
		{digits, "[0-9]"},
		{Bytes("ab"), "[ab]"},
		{Bytes("-]^a"), `[\-\]\^a]`},
		{Bytes(`#"$!`), `[!-$]`},
		{Bytes(`ABCabc\`), `[A-C\\a-c]`},
		{Bytes("\x00\xff"), `[\x00\xff]`},
		{Range(0, 31).Union(Bytes("\x7f")).Complement(), `[^\x00-\x1f\x7f]`},
		{Range('a', 'z').Union(digits).Union(Bytes("+-.")), `[+\-.0-9a-z]`},
	} {
		if got := tt.set.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// The classes of a partition are as coarse as they can be: two bytes are in one class if and only if every set has both
// or neither.
func TestPartition(t *testing.T) {
	sets := []Set{Range('a', 'z'), Range('A', 'F'), Bytes("aeiou"), Bytes("e1"), Range('a', 'z')}
	p := NewPartition()
	for _, s := range sets {
		p.Split(s)
	}
	for x := range 256 {
		for y := range 256 {
			alike := true
			for _, s := range sets {
				alike = alike && s.Has(byte(x)) == s.Has(byte(y))
			}
			if alike != (p.Class[x] == p.Class[y]) {
				t.Fatalf("%#02x and %#02x: alike %v, in classes %d and %d", x, y, alike, p.Class[x], p.Class[y])
			}
		}
	}
	seen := -1
	for x := range 256 {
		if int(p.Class[x]) > seen+1 {
			t.Fatalf("class %d begins before class %d", p.Class[x], seen+1)
		}
		seen = max(seen, int(p.Class[x]))
	}
	if seen+1 != p.N || len(p.Sets()) != p.N {
		t.Errorf("%d classes, N is %d", seen+1, p.N)
	}
}

func TestLookup(t *testing.T) {
	g := &Grammar{Name: "g", Rules: []*Rule{{ID: "uri_path", Name: "path"}, {ID: "url_path", Name: "path"}, {ID: "uri_search", Name: "search"}, {ID: "url", Name: "url"}}}
	for name, want := range map[string]string{
		"url": "url", "uri_path": "uri_path", "search": "uri_search",
		"path": `g has 2 productions "path": uri_path, url_path`,
		"host": `g has no production "host"`,
	} {
		r, err := g.Lookup(name)
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s: %v", name, err)
			}
		} else if r.ID != want {
			t.Errorf("%s is %s", name, r.ID)
		}
	}
	if g.Rule("host") != nil {
		t.Error("a rule that is not there")
	}
}

func TestRefs(t *testing.T) {
	e := Cat(To("b"), Opt(Or(To("a"), To("b"))), Lookahead(To("c"), true))
	if got := strings.Join(Refs(e), " "); got != "b a c" {
		t.Errorf("got %s", got)
	}
}

func TestReach(t *testing.T) {
	g := &Grammar{Rules: []*Rule{
		{ID: "a", Expr: Cat(To("b"), To("undefined"))}, {ID: "b", Expr: Cat(To("c"), To("a"))}, {ID: "c",
			Expr: Lit("c")}, {ID: "d", Expr: To("d")},
	}}
	for _, tt := range []struct{ from, want string }{
		{"a", "a b undefined c"}, {"b", "b c a undefined"}, {"c", "c"}, {"d", "d"}, {"nowhere", "nowhere"}, {"d c",
			"d c"}, {"", ""},
	} {
		if got := strings.Join(g.Reach(strings.Fields(tt.from)...), " "); got != tt.want {
			t.Errorf("from %q: %s; want %s", tt.from, got, tt.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		rule  Rule
		place string
	}{
		{Rule{Section: "5", Page: 17, Line: 983}, "T section 5, page 17"},
		{Rule{Section: "BNF of Generic URI Syntax", Page: 22}, "T, page 22"},
		{Rule{Section: "5"}, "T section 5"},
		{Rule{Line: 7}, "T"},
		{Rule{}, "T"},
	} {
		if got := tt.rule.Place("T"); got != tt.place {
			t.Errorf("Place: %q, want %q", got, tt.place)
		}
	}
}

// What the facts report of a rule a, in a grammar with the rules below it.
func TestFacts(t *testing.T) {
	x, none := Lit("x"), In(Set{})
	a, b := To("a"), To("b")
	for _, c := range []struct {
		name                        string
		a, b                        *Expr
		nullable, derives, nonEmpty bool
		uses                        []Use
	}{
		{"a word", x, x, false, true, true, nil},
		{"the empty word", Cat(), x, true, true, false, nil},
		{"nothing", none, x, false, false, false, nil},
		{"an undefined name", To("c"), x, false, false, false, nil},
		{"a sequence with nothing in it", Cat(x, none), x, false, false, false, nil},
		{"a loop without an end", Cat(x, a), x, false, false, false, nil},
		{"a repetition of nothing", Times(none, 0, Unbounded), x, true, true, false, nil},
		{"no time", Times(b, 0, 0), x, true, true, false, nil},
		{"a lookahead", Lookahead(b, true), x, true, true, false, nil},
		{"a choice", Or(b, none, Cat()), x, true, true, true, []Use{{"b", false, false}}},
		{"right recursion", Cat(x, Opt(a)), x, false, true, true, []Use{{"a", true, false}}},
		{"left recursion", Or(x, Cat(a, x)), x, false, true, true, []Use{{"a", false, true}}},
		{"between the empty word", Cat(b, x, b), Opt(none), false, true, true,
			[]Use{{"b", false, true}, {"b", true, false}}},
		{"recursion that reads nothing", Opt(a), x, true, true, false, []Use{{"a", false, false}}},
		{"recursion that derives nothing", Cat(a, a), x, false, false, false, nil},
		{"between what can be empty", Cat(b, x, b), Opt(x), false, true, true,
			[]Use{{"b", false, true}, {"b", true, false}}},
		{"a repeated use", Times(b, 0, Unbounded), x, true, true, true, []Use{{"b", true, true}}},
		{"an optional use", Opt(b), x, true, true, true, []Use{{"b", false, false}}},
		{"a node", &Expr{Op: Node, Name: "a", Sub: []*Expr{b}}, x, false, true, true, []Use{{"b", false, false}}},
	} {
		f := Analyze([]*Rule{{ID: "a", Expr: c.a}, {ID: "b", Expr: c.b}})
		if f.Nullable(a) != c.nullable || f.Derives(a) != c.derives || f.NonEmpty(a) != c.nonEmpty || !slices.Equal(f.Uses("a"), c.uses) {
			t.Errorf("%s: nullable %t, derives %t, not empty %t, uses %v", c.name, f.Nullable(a), f.Derives(a), f.NonEmpty(a), f.Uses("a"))
		}
	}
}

// An error names its place, if it has one.
func TestErrorf(t *testing.T) {
	for want, err := range map[string]error{
		"g.bnf:3:4: no \"x\"": Errorf(Pos{"g.bnf", 3, 4}, "no %q", "x"),
		"g.bnf: no":           Refusef(Pos{File: "g.bnf"}, "no"),
		"no":                  Errorf(Pos{}, "no"),
	} {
		if err.Error() != want {
			t.Errorf("have %q, want %q", err, want)
		}
	}
}

// What is known of a wide expression is remembered, so that asking about it from each of its parts takes no time that
// grows with the square of their number.
func TestFactsRememberWideParts(t *testing.T) {
	wide := &Expr{Op: Alt}
	for range 1000 {
		wide.Sub = append(wide.Sub, Opt(To("b")))
	}
	f := Analyze([]*Rule{{ID: "a", Expr: Cat(wide, Lit("x"))}, {ID: "b", Expr: Lit("b")}})
	if w, ok := f.high[wide]; !ok || w != (words{empty: true, longer: true}) {
		t.Errorf("%v, %v is remembered", w, ok)
	}
	if _, walked := f.remember(wide); walked > manyParts {
		t.Errorf("%d parts are walked through", walked)
	}
}

// TestNegativeDepth: a negative depth is refused for what it is where something nests, and ignored where nothing does.
func TestNegativeDepth(t *testing.T) {
	nests := &Grammar{Name: "g", Rules: []*Rule{{ID: "s", Expr: Or(Cat(Lit("("), To("s"), Lit(")")), Lit("x"))}}}
	if _, err := nests.Nesting().To(-1); err == nil || err.Error() != "g: read to a depth of -1, which is negative" {
		t.Errorf("a depth of -1: %v", err)
	}
	flat := &Grammar{Name: "g", Rules: []*Rule{{ID: "s", Expr: Lit("x")}}}
	if g, err := flat.Nesting().To(-1); g != flat || err != nil {
		t.Errorf("nothing nests: %v", err)
	}
}
