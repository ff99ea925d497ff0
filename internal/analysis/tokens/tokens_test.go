package tokens_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/tokens"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A language is a grammar of tokens that is decided by the definition: terminals and what they form are regular
// expressions of Go.
type language struct {
	terminals []string // T0, T1, ...
	pass      string
	syntax    string // over the letters A, B, ..., one a terminal
}

// terminalTexts are what random terminals are made of. They read the same as expressions of Go and as EBNF.
var terminalTexts = []string{"a", "b", "ab", "aa", "a+", "(ab)+", "a(ba)*", "b+a?", "ab?", "aab", "a b", "(a|b)+c?", "c"}

func randomLanguage(r *rand.Rand) language {
	l := language{pass: []string{" ", " +", " |c+", " (b )*"}[r.IntN(4)]}
	for range 2 + r.IntN(2) {
		l.terminals = append(l.terminals, terminalTexts[r.IntN(len(terminalTexts))])
	}
	var part func(depth int) string
	part = func(depth int) string {
		letter := string(rune('A' + r.IntN(len(l.terminals))))
		switch n := r.IntN(7); {
		case depth == 0 || n < 2:
			return letter
		case n == 2:
			return "(" + part(depth-1) + "|" + part(depth-1) + ")"
		case n == 3:
			return "(" + part(depth-1) + ")*"
		case n == 4:
			return "(" + part(depth-1) + ")?"
		}
		return part(depth-1) + part(depth-1)
	}
	l.syntax = part(3)
	return l
}

// ebnf returns the language as a grammar.
func (l language) ebnf() string {
	quote := func(text string) string { // letters and spaces become literals
		return regexp.MustCompile(`[abc ]`).ReplaceAllString(text, "'$0' ")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "s ::= %s\n", regexp.MustCompile(`[A-D]`).ReplaceAllStringFunc(l.syntax, func(c string) string { return "T" + string(c[0]-'A'+'0') + " " }))
	for i, t := range l.terminals {
		fmt.Fprintf(&b, "T%d ::= %s\n", i, quote(t))
	}
	return b.String() + "@pass ::= " + quote(l.pass) + "\n"
}

// derives decides by the definition, from left to right.
func (l language) derives(w string) bool {
	words := []string{""} // over the letters, for what was read
	for at := 0; at < len(w); {
		end, kinds, skip := -1, "", false
		for to := at + 1; to <= len(w); to++ {
			these, passes := "", whole(l.pass, w[at:to])
			for i, t := range l.terminals {
				if whole(t, w[at:to]) && strings.Contains(l.syntax, string(rune('A'+i))) {
					these += string(rune('A' + i))
				}
			}
			if these != "" || passes {
				end, kinds, skip = to, these, these == ""
			}
		}
		if end < 0 {
			return false
		}
		if !skip {
			var longer []string
			for _, word := range words {
				for _, k := range kinds {
					longer = append(longer, word+string(k))
				}
			}
			words = longer
		}
		at = end
	}
	for _, word := range words {
		if whole(l.syntax, word) {
			return true
		}
	}
	return false
}

var compiled = map[string]*regexp.Regexp{}

func whole(expression, text string) bool {
	if compiled[expression] == nil {
		compiled[expression] = regexp.MustCompile("^(?:" + expression + ")$")
	}
	return compiled[expression].MatchString(text)
}

// A grammar of tokens derives the strings that the definition does: by its lexer and the grammar over symbols, and by
// its automaton.
func TestTokens(t *testing.T) {
	words := pegtest.Words("abc ", 6)
	derived, rejected := 0, 0
	for seed := range uint64(60) {
		l := randomLanguage(rand.New(rand.NewPCG(seed, 1)))
		n := bnf.Usual
		n.Tokens = true
		d := must.Of(bnf.ReadDocument("x.ebnf", []byte(l.ebnf()), bnf.EBNF, n))(t)
		tok := must.Of(tokens.New(d.Grammar, d.Terminals.Is, d.Terminals.Pass))(t)
		syntax, whole := must.Of(lang.FromBNF(tok.Grammar, "s"))(t), must.Of(tok.Automaton("s"))(t)
		for _, w := range words {
			want := l.derives(w)
			word, _, ok := tok.Lex(w)
			if got := ok && syntax.Match(word); got != want {
				t.Fatalf("seed %d: %q is derived: %t, by the definition %t, of\n%s", seed, w, got, want, l.ebnf())
			}
			if got := whole.Match(w); got != want {
				t.Fatalf("seed %d: the automaton accepts %q: %t, by the definition %t, of\n%s", seed, w, got, want, l.ebnf())
			}
			if want {
				derived++
			} else {
				rejected++
			}
		}
	}
	if derived < 1000 || rejected < 1000 {
		t.Errorf("%d strings are derived, %d are not", derived, rejected)
	}
}

// What a document says about its terminals is read: the line behind which they stand, what may stand between them, and
// keywords.
func TestTerminals(t *testing.T) {
	for _, c := range []struct {
		text     string
		keywords bnf.Keywords
		yes, no  []string
	}{
		{"s ::= 'x' N\nN ::= [0-9]+\nWS ::= ' '\n", 0, []string{"x1", "x 12 ", " x1"}, []string{"x1 2", "X1"}},
		{"s ::= 'x' n\n@terminals\nn ::= d+\nd ::= [0-9]\n@pass ::= ' ' | '#' [^#xA]*\n", 0, []string{"x1", "x 1#", "x 1 #y"}, []string{"x 1 1", "x#1"}},
		{"s ::= 'x' n\n@terminals\nn ::= [0-9]+\n@pass ::= ' '+ | '#' [^#xA]* #xA\n", 0, []string{"x1", "x #y\n 12"}, []string{"x1 1", "x#1"}},
		{"s ::= \"ab\" 'c'\nWS ::= ' '\n", bnf.DoubleKeywords, []string{"aBc", "AB c"}, []string{"abC"}},
		{"s ::= 'ab' 'c'\nWS ::= ' '\n", bnf.WordKeywords, []string{"aBc", "AB c"}, []string{"abC", "A bc"}},
		{"s ::= '(' ')' | NIL\nNIL ::= '(' WS* ')'\nWS ::= ' '\n", 0, []string{"()", "( )"}, []string{"("}},
		{"s ::= '(' ')'\nNIL ::= '(' WS* ')'\nWS ::= ' '\n", 0, []string{"()", "( )"}, nil}, // NIL is used by no production
		{"s ::= '(' ')' t\nt ::= NIL\nNIL ::= '(' WS* ')'\nWS ::= ' '\n", 0, nil, []string{"()()", "( )()"}},
	} {
		n := bnf.Usual
		n.Tokens, n.Keywords = true, c.keywords
		d := must.Of(bnf.ReadDocument("x.ebnf", []byte(c.text), bnf.EBNF, n))(t)
		a := must.Of(must.Of(tokens.New(d.Grammar, d.Terminals.Is, d.Terminals.Pass))(t).Automaton("s"))(t)
		for _, w := range c.yes {
			if !a.Match(w) {
				t.Errorf("%q: %q is not derived", c.text, w)
			}
		}
		for _, w := range c.no {
			if a.Match(w) {
				t.Errorf("%q: %q is derived", c.text, w)
			}
		}
	}
}
