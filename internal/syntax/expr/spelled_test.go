package expr

import "testing"

func TestWordOf(t *testing.T) {
	// letters returns the parts of a quoted string that stands at a column, as a reader makes them: "a" in either case.
	letters := func(word string, col int) (parts []*Expr) {
		for _, c := range []byte(word) {
			part := In(Bytes(string([]byte{c, c ^ 0x20})))
			part.Word, part.Pos = word, Pos{Line: 1, Col: col}
			parts = append(parts, part)
		}
		return parts
	}
	get := letters("get", 1)
	for _, c := range []struct {
		about string
		parts []*Expr
		n     int
		whole bool
	}{
		{"a word", get, 3, true},
		{"a word and something else", append(letters("get", 1), Lit(" ")), 3, true},
		{"the same word again", append(letters("get", 1), get...), 3, true},
		{"the same word elsewhere", append(letters("g", 1), letters("g", 5)...), 1, true},
		{"the beginning of a word", get[:2], 2, false},
		{"no word", []*Expr{Lit("get")}, 0, false},
	} {
		if n, whole := WordOf(c.parts); n != c.n || whole != c.whole {
			t.Errorf("%s: %d parts, whole: %t; want %d, %t", c.about, n, whole, c.n, c.whole)
		}
	}
}
