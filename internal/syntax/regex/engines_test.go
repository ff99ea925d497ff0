package regex_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/regex"
)

func words(symbols []string, n int) []string {
	list := []string{""}
	for from := 0; n > 0; n-- {
		to := len(list)
		for _, w := range list[from:to] {
			for _, s := range symbols {
				list = append(list, w+s)
			}
		}
		from = to
	}
	return list
}

var symbols = []string{"a", "b", "k", "S", "\n", "\u212a", "\u017f", "\u0130", "\u00df", "\u2028", "\U0001f600", "\xff", "\xe2\x80"}

func TestGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ws := words(symbols, 3)
	n := 0
	for range 300 {
		text := random(rng, "go")
		re, err := regexp.Compile(text)
		r, err2 := regex.Parse("go", text)
		if (err != nil) != (err2 != nil) {
			t.Fatalf("%q: %v, %v", text, err, err2)
		}
		if err != nil {
			continue
		}
		a, err := r.DFA(nil, regex.Search)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ws {
			n++
			if re.MatchString(w) != a.Match(w) {
				t.Errorf("%q on %q: go %v", text, w, re.MatchString(w))
				break
			}
		}
	}
	t.Log(n)
}

var atoms = map[string][]string{
	"go": {"a", "b", "k", "K", "s", "ß", "ſ", "İ", "\u2028", "😀", ".", "^", "$", `\b`, `\B`, `\A`, `\z`, `\d`, `\w`, `\W`, `\s`, `\S`, "[a-k]", "[^a]", "[^k]", `[\W]`, `[^\w]`, "[[:alpha:]]", `\pL`, `\PL`, `\p{Lu}`, `\P{Lu}`, `[^\P{Lu}b]`, `\x{fffd}`, `\n`, `\Qa.\E`, "[^[:^word:]]", "(?i)", "(?m)", "(?s)", "(?-i)", "(?U)"},
}

func random(rng *rand.Rand, flavour string) string {
	var gen func(depth int) string
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	gen = func(depth int) string {
		if depth <= 0 {
			return pick(atoms[flavour]...)
		}
		switch rng.IntN(8) {
		case 0, 1, 2:
			return gen(depth-1) + gen(depth-1)
		case 3:
			return gen(depth-1) + "|" + gen(depth-1)
		case 4:
			return pick("(", "(?:", "(?i:", "(?m:", "(?s:", "(?i-s:") + gen(depth-1) + ")" + pick("", "", "*", "+", "?", "{2}", "{1,2}", "*?", "{2,}")
		case 5:
			return "(" + gen(depth-1) + fmt.Sprint(")", pick("*", "+", "?", "{0,2}", "??"))
		}
		return pick(atoms[flavour]...)
	}
	return gen(4)
}
