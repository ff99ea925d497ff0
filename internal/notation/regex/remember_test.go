package regex_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestReferences: a backreference to a group with finitely many texts, and a condition about a group, mean what they
// mean to the engine. Each word of the first list is matched as a whole, and none of the second.
func TestReferences(t *testing.T) {
	for _, c := range []struct{ flavor, text, yes, no string }{
		{"js", `(["']?)x\1`, `x "x" 'x'`, `"x x" "x'`},
		{"js", `/(["'])(?:(?!\1).)*\1/`, `"" "a'b" 'a"b'`, `"a"b" "a`},
		{"js", `(a)?b\1`, `b aba`, `ba ab`},
		{"python", `(a)?b\1`, `aba`, `b ba ab`},
		{"js", `(?:(a)|b)\1`, `b aa`, `a ba`},
		{"pcre", `(?:(a)|b)\1`, `aa`, `b a ba`},
		{"js", `(?<q>"|')x\k<q>`, `"x"`, `"x'`},
		{"python", `(?P<q>"|')x(?P=q)`, `"x"`, `"x'`},
		{"pcre", `(?<q>"|')x(?P=q)`, `"x"`, `"x'`},
		{"ruby", `(?<q>"|')x\k<q>`, `"x"`, `"x'`},
		{"java", `(?<q>"|')x\k<q>`, `"x"`, `"x'`},
		{"js", `(?:(["'])x\1)*`, `"x"'x' "x""x"`, `"x'"x'`},
		{"js", `(a|ab)(b|)\1\2`, `abab aa abbabb`, `aab abb`},
		{"js", `([a-c])([a-c])\2\1`, `abba aaaa`, `abab aba`},
		{"js", `([])\1|a`, ``, ``},
		{"js", `(?=(a|b))\1?`, ``, ``},
		{"js", `(.)\1`, ``, ``},
		{"js", `(a+)\1`, ``, ``},
		{"js", `\1(a)`, ``, ``},
		{"js", `(a\1)`, ``, ``},
		{"js", `(a|b)(?<=\1)`, ``, ``},
		{"js", `(?:(a)|b)*\1`, ``, ``},
		{"js", `(?:(a)?\1)*`, ``, ``},
		{"js", `(a)|\1`, ``, ``},
		{"ruby", `(?i)(a)\1`, ``, ``},
		{"python", `(?i)(s)\1`, ``, ``},
		{"python", `(a)(?(2)b)(c)`, ``, ``},
		{"posix", `(a)\1`, ``, ``},
		{"js", `(?!(a|b)\1)..`, `ab ac`, `aa bb`},
		{"js", `(a{1,2}?)\1b`, `aab aaaab`, `aaab ab`},
		{"python", `(?i)([a'])\1`, `aA AA ''`, `a' Ab`},
		{"pcre", `(?>(a|ab)c?\1)b`, `aab acab`, `abab ab`},
		{"pcre", `(<)?[a-z]+(?(1)>)`, `a <a>`, `<a a>`},
		{"pcre", `(<)?[a-z]+(?(1)>|;)`, `a; <a>`, `<a; a> a`},
		{"pcre", `(?<o><)?[a-z]+(?(<o>)>)`, `a <a>`, `<a a>`},
		{"python", `(<)?[a-z]+(?(1)>|;)`, `a; <a>`, `<a; a> a`},
		{"python", `(?P<o><)?[a-z]+(?(o)>)`, `a <a>`, `<a a>`},
		{"ruby", `(<)?[a-z]+(?(1)>)`, `a <a>`, `<a a>`},
		{"python", `(a+)?b(?(1)c|d)`, `aabc bd`, `aabd bc`},
		{"python", `(a)?(b)?(?(1)x|y)(?(2)x|y)`, `abxx axy yy byx`, `bx`},
		// The only branch of a condition is a choice for other reasons: an anchor, or another condition.
		{"python", `(a)?b(?(1)$)c?`, `ab b bc`, `abc`},
		{"python", `(a)?b(?(1)\b)c?`, `ab b bc`, `abc`},
		{"ruby", `(a)?b(?(1)$)c?`, `ab b bc`, `abc`},
		{"pcre", `(a)?b(?(1)(?m)$)c?`, `ab b bc`, `abc`},
		{"pcre", `b(?(?<=b)$)c?`, `b`, `bc`},
		{"pcre", `(a)?b(?(1)(?(?=c)c|d))`, `abc abd b`, `ab bc bd`},
		{"pcre", `(?(DEFINE)$)a`, `a`, `b`},
	} {
		r, err := regex.Parse(c.flavor, c.text)
		if c.yes == "" {
			if e, ok := errors.AsType[*expr.Error](err); !ok || !e.Refused {
				t.Errorf("%s:%s is not refused: %v", c.flavor, c.text, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s:%s: %v", c.flavor, c.text, err)
			continue
		}
		a := must.Of(r.DFA(nil, regex.Full))(t)
		for _, w := range strings.Fields(c.yes) {
			if !a.Match(w) {
				t.Errorf("%s:%s does not match %q", c.flavor, c.text, w)
			}
		}
		for _, w := range strings.Fields(c.no) {
			if a.Match(w) {
				t.Errorf("%s:%s matches %q", c.flavor, c.text, w)
			}
		}
	}
}

// TestReferencesByEngines asks engines of random expressions with groups and references, on all words over a few
// symbols.
func TestReferencesByEngines(t *testing.T) {
	list := words([]string{"a", "b", "k", "A"}, 5)
	n := longtest.Size(100, 2000)
	if *asked > 0 {
		n = *asked
	}
	for name, e := range engines {
		if e.recalls == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(*seed, 5))
			var texts []string
			var read []*regex.Regex
			for len(texts) < e.share(n) {
				text := e.referring(rng)
				if e.wrap != nil {
					text = e.wrap(rng, text)
				}
				if r, err := regex.Parse(name, text); err == nil {
					texts, read = append(texts, text), append(read, r)
				}
			}
			tooLarge := 0
			for i, answer := range e.ask(t, list, texts) {
				if answer == "error" {
					t.Errorf("%q is read, and the engine does not compile it", texts[i])
					continue
				}
				a, err := read[i].DFA(budget.New(t.Context(), budget.Limits{}), regex.Search)
				if errors.Is(err, lang.ErrTooLarge) {
					tooLarge++
					continue
				}
				must.Do(t, err)
				for j, w := range list {
					if answer[j] != '?' && (answer[j] == '1') != a.Match(w) {
						t.Errorf("%q on %q: the engine says %c", texts[i], w, answer[j])
						break
					}
				}
			}
			t.Logf("%d expressions on %d words", len(texts)-tooLarge, len(list))
			if tooLarge > len(texts)/20 {
				t.Errorf("%d of %d expressions are too large", tooLarge, len(texts))
			}
		})
	}
}
