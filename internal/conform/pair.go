package conform

import "strings"

// pair compares the hosts that a and b see in the inputs, which are in the order of lang.Compare. Of the inputs where they
// differ it keeps the shortest: those that no other one is hidden in. An input is hidden in another if it is a
// subsequence of it, schemes left out, where letters, digits, "-", "_" and "." stand for any byte. By Higman's lemma there are finitely
// many such inputs, however many are asked.
func pair(a, b string, inputs []string, hostsA, hostsB []Value, most int) Pair {
	p := Pair{A: a, B: b}
	var shapes []string
	for i, w := range inputs {
		switch Compare(Host, "", hostsA[i], hostsB[i]) {
		case Unknown:
			continue
		case Different:
			p.Different++
			if s := shape(w); !hidden(shapes, s) {
				shapes = append(shapes, s)
				if len(p.Shortest) < most {
					p.Shortest = append(p.Shortest, Sight{Bytes(w), hostsA[i].String(), hostsB[i].String()})
				}
			}
		}
		p.Compared++
	}
	p.Minimal = len(shapes)
	return p
}

// shape gives w behind its scheme, with a 0 for each byte that stands for any. A NUL, which stands for itself, is rare.
func shape(w string) string {
	_, rest, found := strings.Cut(w, ":")
	if !found {
		rest = w
	}
	b := []byte(rest)
	for i, x := range b {
		if 'a' <= x|0x20 && x|0x20 <= 'z' || '0' <= x && x <= '9' || x == '-' || x == '_' || x == '.' {
			b[i] = 0
		}
	}
	return string(b)
}

// hidden says whether one of the shapes is a subsequence of s.
func hidden(shapes []string, s string) bool {
	for _, v := range shapes {
		n := 0
		for i := 0; i < len(s) && n < len(v); i++ {
			if v[n] == s[i] || v[n] == 0 {
				n++
			}
		}
		if n == len(v) {
			return true
		}
	}
	return false
}
