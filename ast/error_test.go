package ast_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

func set(bytes string) (s ast.ByteSet) {
	for i := range len(bytes) {
		s[bytes[i]/64] |= 1 << (bytes[i] % 64)
	}
	return s
}

func TestTerms(t *testing.T) {
	x := func(term, first string) ast.Expectation { return ast.Expectation{Term: term, First: set(first)} }
	for _, c := range []struct {
		why      string
		expected []ast.Expectation
		want     string
	}{
		{"nothing", nil, ""},
		{"a part of another, before it or after", []ast.Expectation{x("a", "a"), x("ab", "ab"), x("b", "b")}, "ab"},
		{"overlapping", []ast.Expectation{x("ab", "ab"), x("bc", "bc")}, "ab bc"},
		{"covered by two together", []ast.Expectation{x("ab", "ab"), x("bc", "bc"), x("abc", "abc")}, "abc"},
		{"the same bytes: the first name counts", []ast.Expectation{x("uchar", "ab"), x("xchar", "ab")}, "uchar"},
		{"the same twice", []ast.Expectation{x("a", "a"), x("a", "a")}, "a"},
		{"a character in a class, before it or after",
			[]ast.Expectation{x(`"a"`, "a"), x("alpha", "ab"), x(`"b"`, "b")}, "alpha"},
		{"literals with one first byte", []ast.Expectation{x(`"news:"`, "n"), x(`"nntp:"`, "n")}, `"news:" "nntp:"`},
		{"one literal twice", []ast.Expectation{x(`"news:"`, "n"), x(`"news:"`, "n")}, `"news:"`},
		{"a character that begins a literal", []ast.Expectation{x(`"news:"`, "n"), x(`"n"`, "n")}, `"news:" "n"`},
		{"a literal in a class", []ast.Expectation{x(`"%09"`, "%"), x("xchar", "%0123456789")}, "xchar"},
		{"a literal that only begins in a class", []ast.Expectation{x("alpha", "xyz"), x(`"x-"`, "x")}, `alpha "x-"`},
		{"no bytes given", []ast.Expectation{x("abc", "abc"), x("secret", ""), x(ast.EndOfInput, "")},
			"abc secret end of input"},
		{"no bytes given twice", []ast.Expectation{x(ast.EndOfInput, ""), x(ast.EndOfInput, "")}, "end of input"},
	} {
		got := strings.Join((&ast.SyntaxError{Expected: c.expected}).Terms(), " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// termsByDefinition is [ast.SyntaxError.Terms], each expectation compared with each other one.
func termsByDefinition(e *ast.SyntaxError) (terms []string) {
	subset := func(s, t ast.ByteSet) bool {
		return s[0]&^t[0]|s[1]&^t[1]|s[2]&^t[2]|s[3]&^t[3] == 0
	}
	text := func(x ast.Expectation) string { return strings.Trim(x.Term, `"`) }
	literal := func(x ast.Expectation) bool { return strings.HasPrefix(x.Term, `"`) }
	omitted := func(i int, x ast.Expectation) bool {
		bytes := x.First
		if literal(x) {
			for w, bits := range set(text(x)) {
				bytes[w] |= bits
			}
		}
		for j, y := range e.Expected {
			same := j == i || x.Term == y.Term && x.First == y.First
			beyond := e.Grammar.CodePoints && x.First[2]|x.First[3] != 0 && x.Term != y.Term
			first := !slices.ContainsFunc(e.Expected[:j], func(z ast.Expectation) bool { // of its bytes
				return z.First == y.First && !(literal(z) && len(text(z)) > 1)
			})
			switch {
			case same || beyond || literal(y) && len(text(y)) > 1 || x.First == (ast.ByteSet{}):
			case !e.Grammar.CodePoints && !first:
			case bytes == y.First && j < i || bytes != y.First && subset(bytes, y.First):
				return true
			}
		}
		return false
	}
	for i, x := range e.Expected {
		if !omitted(i, x) && !slices.Contains(terms, x.Term) {
			terms = append(terms, x.Term)
		}
	}
	return terms
}

// Terms compares an expectation with few others, and omits those that a comparison with all of them omits.
func TestTermsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	omitted := 0
	for range 20000 {
		e := &ast.SyntaxError{Grammar: &ast.Grammar{CodePoints: rng.IntN(2) == 0}}
		for range 1 + rng.IntN(8) {
			x := ast.Expectation{Term: string(rune('A' + rng.IntN(4)))}
			if rng.IntN(3) == 0 {
				x.Term = [...]string{`"a"`, `"b"`, `"ab"`, `"ac"`}[rng.IntN(4)]
			}
			for _, b := range []byte("abc\xC3\xC4") {
				if rng.IntN(3) == 0 {
					x.First[b/64] |= 1 << (b % 64)
				}
			}
			e.Expected = append(e.Expected, x)
		}
		have, want := e.Terms(), termsByDefinition(e)
		if !slices.Equal(have, want) {
			t.Fatalf("%+v of code points %v: %q; want %q", e.Expected, e.Grammar.CodePoints, have, want)
		}
		omitted += len(e.Expected) - len(have)
	}
	if omitted < 20000 {
		t.Errorf("%d terms were omitted", omitted)
	}
}

func TestSyntaxErrorWithoutGrammar(t *testing.T) {
	for _, offset := range []int{-1, 0, 5} {
		e := &ast.SyntaxError{Offset: offset, In: []ast.Kind{Pair}}
		if got, want := e.Error(), fmt.Sprintf("offset %d: unexpected end of input", offset); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestErrorsAreFoundByType(t *testing.T) {
	var syntax *ast.SyntaxError
	if err := fmt.Errorf("line 1: %w", tiny.Explain(Pair, "~")); !errors.As(err, &syntax) || syntax.Offset != 0 {
		t.Errorf("%v is no SyntaxError", err)
	}
	var tooLong *ast.TooLongError
	err := error(&ast.TooLongError{Limit: 1 << 20, Length: 1<<20 + 1})
	if !errors.As(err, &tooLong) || err.Error() != "input of 1048577 bytes is longer than the limit of 1048576" {
		t.Errorf("%v", err)
	}
}

// TestErrorsPrint wants the message of each type of error from fmt, for the error and for a copy of it.
func TestErrorsPrint(t *testing.T) {
	syntax := ast.SyntaxError{Input: "ab", Offset: 1, Expected: []ast.Expectation{{Term: "digit"}, {Term: ast.EndOfInput}}}
	long := ast.TooLongError{Limit: 3, Length: 4}
	deep := ast.TooDeepError{Input: "((", Offset: 1, Limit: 1000}
	large := ast.TooLargeError{Input: "((", Offset: 1, Steps: 2000}
	tests := []struct {
		err  error
		copy any
		want string
	}{
		{&syntax, syntax, `offset 1: unexpected "b"; expected digit or end of input`},
		{&long, long, "input of 4 bytes is longer than the limit of 3"},
		{&deep, deep, "offset 1: nested deeper than 1,000 productions, which is the limit on depth"},
		{&large, large, "offset 1: the parser has taken its 2,000 steps, which are the limit"},
	}
	for _, test := range tests {
		for _, printed := range []any{test.err, test.copy} {
			if got := fmt.Sprint(printed); got != test.want {
				t.Errorf("%T: %s\nwant %s", printed, got, test.want)
			}
		}
	}
	if got, want := fmt.Sprint(syntax.Expected), "[digit end of input]"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}
