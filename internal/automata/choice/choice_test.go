package choice_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// build builds the first rule of a text of ABNF. A reference puts its rule in its place.
func build(t *testing.T, text string) (g *expr.Grammar, b *choice.Builder, start choice.StateID) {
	t.Helper()
	g = must.Of(bnf.ReadABNF("test.abnf", []byte(text+"\n")))(t)
	b = choice.NewBuilder(expr.Analyze(g.Rules), choice.Limits{})
	b.Reference = func(e *expr.Expr, k choice.Continuation, last bool) choice.StateID {
		return b.Build(g.Rule(e.Name).Expr, k, last)
	}
	end := b.Intern(choice.State{Op: opcode.End})
	return g, b, b.Build(g.Rules[0].Expr, choice.Always(end), true)
}

// accepts follows all choices at once.
func accepts(b *choice.Builder, q choice.StateID, input string) bool {
	var reach func(set map[choice.StateID]bool, q choice.StateID)
	reach = func(set map[choice.StateID]bool, q choice.StateID) {
		if set[q] {
			return
		}
		set[q] = true
		if b.States[q].Op == opcode.Choice {
			for _, to := range b.States[q].Next {
				reach(set, to)
			}
		}
	}
	now := map[choice.StateID]bool{}
	reach(now, q)
	for _, x := range []byte(input) {
		next := map[choice.StateID]bool{}
		for q := range now {
			if s := &b.States[q]; s.Op == opcode.Byte && b.SetOf(s).Has(x) {
				reach(next, s.Next[0])
			}
		}
		now = next
	}
	for q := range now {
		if b.States[q].Op == opcode.End {
			return true
		}
	}
	return false
}

var grammars = []string{
	`a = "b"`,
	`a = ""`,
	`a = *( *"b" )`,
	`a = 2*( [ "b" ] "" *"c" ) "b"`,
	`a = 1*3( [ "b" ] [ "c" ] )`,
	`a = *2( *2"b" / "c" ) *( "b" / "bc" / "" )`,
	`a = 0*0"b" "c"`,
	"a = b b *( c / b )\nb = \"x\" / [ \"y\" ]\nc = 2( b \"z\" )",
	`a = *( 1*( [ "b" ] ) [ "c" ] ) "b"`,
	`a = 3*4( "b" / *( "c" [ "b" ] ) )`,
}

// The automaton accepts what package lang computes that the expression derives, on all words up to
// a length and on words that take every transition of the minimal automaton.
func TestBuildAcceptsTheLanguage(t *testing.T) {
	for _, text := range grammars {
		g, b, start := build(t, text)
		want := must.Of(lang.FromBNF(g, g.Rules[0].ID))(t)
		words := []string{""}
		for i := 0; len(words[i]) < 6; i++ { // all words of at most 6 bytes
			for _, x := range []string{"b", "c", "x"} {
				words = append(words, words[i]+x)
			}
		}
		for _, w := range append(words, want.TransitionCover()...) {
			if got := accepts(b, start, w); got != want.Match(w) {
				t.Errorf("%s: %q is accepted: %v", text, w, got)
			}
		}
	}
}

// No circle of choices comes back without a byte, so that every string has finitely many ways, and
// no choice has an alternative twice.
func TestIterationsReadSomething(t *testing.T) {
	for _, text := range grammars {
		_, b, start := build(t, text)
		const under, done = 1, 2
		mark := map[choice.StateID]int{}
		var walk func(q choice.StateID)
		walk = func(q choice.StateID) {
			if mark[q] == under {
				t.Fatalf("%s: state %d comes back to itself with nothing read", text, q)
			}
			if mark[q] == done {
				return
			}
			mark[q] = under
			s := &b.States[q]
			seen := map[choice.StateID]bool{}
			for _, to := range s.Next {
				if seen[to] {
					t.Errorf("%s: state %d leads to %d twice", text, q, to)
				}
				seen[to] = true
				if s.Op == opcode.Choice {
					walk(to)
				}
			}
			mark[q] = done
		}
		walk(start)
		for q := range b.States {
			walk(choice.StateID(q))
		}
	}
}

// The policy is told which references stand at the end of their rule.
func TestLastIsTheEndOfTheRule(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`a = b c`, "c"},
		{`a = b / c d`, "b d"},
		{`a = b [ c ]`, "c"},
		{`a = b *c`, ""},
		{`a = b 2*2c`, "c"},
		{`a = b 1*2c`, "c"}, // the second c: the first is followed by it, or by the end
		{`a = b ( c / d )`, "c d"},
	} {
		text := tt.text + "\nb = \"b\"\nc = \"c\"\nd = \"d\""
		g := must.Of(bnf.ReadABNF("test.abnf", []byte(text+"\n")))(t)
		b := choice.NewBuilder(expr.Analyze(g.Rules), choice.Limits{})
		var last []string
		b.Reference = func(e *expr.Expr, k choice.Continuation, atEnd bool) choice.StateID {
			if atEnd {
				last = append(last, e.Name)
			}
			return b.Build(g.Rule(e.Name).Expr, k, false)
		}
		end := b.Intern(choice.State{Op: opcode.End})
		b.Build(g.Rules[0].Expr, choice.Always(end), true)
		if got := strings.Join(last, " "); got != tt.want {
			t.Errorf("%s: at the end: %q, want %q", tt.text, got, tt.want)
		}
	}
}
