package expr

import (
	"fmt"
	"strings"
	"testing"
)

// sequence returns a sequence of the letters of a word.
func sequence(word string) *Expr {
	var parts []*Expr
	for _, c := range []byte(word) {
		parts = append(parts, &Expr{Op: Class, Set: Range(c, c)})
	}
	return &Expr{Op: Seq, Sub: parts}
}

// shortWords returns the short words of a grammar without productions.
func shortWords() *Short {
	least := func(members []byte) byte { return members[0] }
	return (&Grammar{}).ShortWords(100, least, func(string) {})
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		seq  *Expr
		most int
		want string
	}{
		{sequence("abc"), 3, "<|a|bc> <a|b|c> <ab|c|>"},
		{sequence("abc"), 1, "<|a|bc>"},
		{sequence("a"), 1, "<|a|>"},
		{&Expr{Op: Seq, Sub: []*Expr{sequence("a"), {Op: Ref, Name: "none"}}}, 2, ""},
	} {
		short := shortWords()
		var got []string
		for part, context := range short.Parts(c.seq, Context{"<", ">"}) {
			w, _ := short.Of(part)
			got = append(got, fmt.Sprintf("%s|%s|%s", context.Before, w, context.After))
			if len(got) == c.most {
				break
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%v: %s, want %s", c.seq, all, c.want)
		}
	}
}

// The contexts of a sequence of n parts are pieces of one string of n bytes, and not n strings.
func TestPartsAreCheap(t *testing.T) {
	const n = 20000
	short, seq := shortWords(), sequence(strings.Repeat("ab", n/2))
	bytes := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			for range short.Parts(seq, Context{}) {
			}
		}
	}).AllocedBytesPerOp()
	if most := int64(50 * n); bytes > most {
		t.Errorf("the contexts of %d parts take %d bytes, want at most %d", n, bytes, most)
	}
}
