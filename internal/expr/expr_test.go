package expr

import (
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
		{ID: "a", Expr: Cat(To("b"), To("undefined"))}, {ID: "b", Expr: Cat(To("c"), To("a"))}, {ID: "c", Expr: Lit("c")}, {ID: "d", Expr: To("d")},
	}}
	for _, tt := range []struct{ from, want string }{
		{"a", "a b undefined c"}, {"b", "b c a undefined"}, {"c", "c"}, {"d", "d"}, {"nowhere", "nowhere"}, {"d c", "d c"}, {"", ""},
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
