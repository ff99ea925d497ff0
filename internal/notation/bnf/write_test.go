package bnf

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// TestWrite writes each production of the RFCs that are built in, reads it again, and compares.
func TestWrite(t *testing.T) {
	tried := 0
	for _, s := range standards() {
		if s.grammar.Notation != ABNF {
			continue
		}
		for _, codePoints := range []bool{false, true} {
			n := Usual
			n.Values = Octets
			if codePoints {
				n.Values = CodePoints
			}
			for _, r := range s.grammar.Rules {
				text, err := Write(r.Expr, func(id string) string { return id }, codePoints)
				if err != nil && codePoints {
					continue // octets that are no characters
				}
				if err != nil {
					t.Errorf("%s: %v", r.Pos, err)
					continue
				}
				g, err := ReadABNFWith("again.abnf", []byte(r.ID+" = "+text+"\n"), n)
				if err != nil {
					t.Errorf("%s: %q: %v", r.Pos, text, err)
					continue
				}
				lower := func(name string) string { return strings.ToLower(name) }
				if !SameMeaning(r.Expr, lowered(g.Rules[0].Expr), lower) {
					t.Errorf("%s: %s\nis written %s\nand read %s", r.Pos, r.Expr, text, g.Rules[0].Expr)
				}
				tried++
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d productions were written", tried)
	}
}

func lowered(e *expr.Expr) *expr.Expr {
	if e.Op == expr.Ref {
		return expr.To(strings.ToLower(e.Name))
	}
	return e.Map(lowered)
}

func TestWriteExpressions(t *testing.T) {
	letter := func(c byte) *expr.Expr { return expr.In(expr.Bytes(string([]byte{c, c - 'a' + 'A'}))) }
	for _, c := range []struct {
		e          *expr.Expr
		codePoints bool
		want       string
	}{
		{expr.Cat(letter('a'), letter('b'), expr.Lit("-")), false, `"ab-"`},
		{expr.Lit("aB"), false, `%s"aB"`},
		{expr.Lit("a\x00"), false, `%x61.0`},
		{expr.Lit("é"), true, `%xE9`},
		{expr.Lit("é"), false, `%xC3.A9`},
		{expr.In(expr.Bytes("@A")), false, `%x40-41`}, // no letter in either case
		{expr.In(expr.Bytes("ac")), false, `(%x61 / %x63)`},
		{expr.Times(expr.Times(expr.To("x"), 2, 3), 1, expr.Unbounded), false, `1*(2*3x)`},
		{expr.Times(expr.Opt(expr.To("x")), 0, expr.Unbounded), false, `*[x]`},
		{expr.Or(expr.To("x"), expr.Cat(expr.To("y"), expr.Or(expr.To("z"), expr.Cat()))), false, `x / y (z / "")`},
	} {
		got, err := Write(c.e, func(id string) string { return id }, c.codePoints)
		if err != nil || got != c.want {
			t.Errorf("%s is written %s, %v; want %s", c.e, got, err, c.want)
		}
	}
	for _, e := range []*expr.Expr{expr.In(expr.Range(0x80, 0xFF)), expr.Lit("\xff")} {
		if got, err := Write(e, nil, true); err == nil {
			t.Errorf("%s is written %s among code points", e, got)
		}
	}
}

func TestRename(t *testing.T) {
	to := func(name string) string {
		if strings.EqualFold(name, "a") || name == "s" { // s is part of %s"a" as well
			return "b-a"
		}
		return name
	}
	for _, c := range [][2]string{
		{`x = a`, `x = b-a`},
		{`a = 2A *a 1*2a [a]`, `b-a = 2b-a *b-a 1*2b-a [b-a]`},
		{`x = "a" %s"a" %xA ab ; a`, `x = "a" %s"a" %xA ab ; a`},
		{"x = <a, see a> ; a\n / a", "x = <a, see a> ; a\n / b-a"},
		{`x = 1#a / 'a`, `x = 1#b-a / 'b-a`},
		{"x = %s\"a\" %I\"a a\" 'a' `a' a %", "x = %s\"a\" %I\"a a\" 'a' `a' b-a %"},
	} {
		if got := Rename(c[0], to); got != c[1] {
			t.Errorf("%s is renamed %s, want %s", c[0], got, c[1])
		}
	}
}
