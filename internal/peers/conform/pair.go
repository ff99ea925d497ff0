package conform

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// comparePair compares the hosts that a and b see in the inputs, which are in the order of lang.Compare;
// hostsA and hostsB have a host for each input. It counts all inputs where they differ, and keeps the
// shortest: those in which no other one is hidden, and at most most of them. An input is hidden in another if
// it is a subsequence of it, where both begin with the same scheme and number of slashes, and after these a
// letter stands for any byte and a digit for any digit. By Higman's lemma, for each such beginning finitely
// many are not hidden, however many are asked about.
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

// shapeOf splits w after its scheme and the slashes that follow. In rest, every letter is an 'a' and every
// digit a '1'.
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

// isHidden reports whether one of the shapes is a subsequence of s, the shape of another string. An 'a' in
// shapes matches every byte of s.
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
