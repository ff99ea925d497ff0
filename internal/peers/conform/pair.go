package conform

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// comparePair compares the hosts that a and b see in the inputs, which are in the order of lang.Compare. Of the
// inputs where they differ it keeps the shortest: those that no other one is hidden in. An input is hidden in another
// if it is a subsequence of it, where both begin with the same scheme and number of slashes, and after these a letter
// stands for any byte and a digit for any digit. By Higman's lemma each such beginning has finitely many of them,
// however many are asked. It keeps at most most of them, and counts all. hostsA and hostsB have a host for each
// input.
func comparePair(a, b string, inputs []string, hostsA, hostsB []Value, most int) Pair {
	p := Pair{A: a, B: b}
	shapes := map[string][]string{} // by beginning
	for i, w := range inputs {
		switch Compare(Host, "", hostsA[i], hostsB[i]) {
		case Unknown:
			continue
		case Different:
			p.Different++
			if start, s := shapeOf(w); !isHidden(shapes[start], s) {
				shapes[start] = append(shapes[start], s)
				p.Minimal++
				if len(p.Shortest) < most {
					p.Shortest = append(p.Shortest, Sight{quote.Word(w), hostsA[i].String(), hostsB[i].String()})
				}
			}
		}
		p.Compared++
	}
	return p
}

// shapeOf returns w's scheme with the slashes after it, and what follows, with a for each letter and 1 for each digit.
func shapeOf(w string) (start, rest string) {
	colon := strings.IndexByte(w, ':')
	rest = strings.TrimLeft(w[colon+1:], "/")
	start = w[:len(w)-len(rest)]
	b := []byte(rest)
	for i, x := range b {
		switch {
		case 'a' <= x|0x20 && x|0x20 <= 'z':
			b[i] = 'a'
		case '0' <= x && x <= '9':
			b[i] = '1'
		}
	}
	return start, string(b)
}

// isHidden reports whether one of the shapes is a subsequence of s, the shape of a string, where an 'a' of the former
// fits every byte.
func isHidden(shapes []string, s string) bool {
	for _, v := range shapes {
		n := 0
		for i := 0; i < len(s) && n < len(v); i++ {
			if v[n] == s[i] || v[n] == 'a' {
				n++
			}
		}
		if n == len(v) {
			return true
		}
	}
	return false
}
