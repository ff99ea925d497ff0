package regex_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestLookbehinds: those whose length is not fixed are refused, and so is what PCRE and Ruby repeat no times in one.
func TestLookbehinds(t *testing.T) {
	for flavor, texts := range map[string][2]string{ // that are taken, and that are refused
		"pcre":   {`(?<!(?:a){0}) (?<=(?>a){0}b) (?<=a|bc)`, `(?<!(?:a|ab){0}) (?<!(?:a{1,2}){0}) (?<=(?:a+){0}b) (?<=(?:a|bc))`},
		"ruby":   {`(?<=(?:a|bc))`, `(?<=(?:a|bc){0}) (?<=(?i)|\d) (?<=(?x:a|bc)) (?<=(?i:\p{L}))`},
		"python": {``, `(?<=a+|b)`},
		"java":   {`(?<=a{1,3}|bc)`, `(?<=a+) (?<=(?:ab){1,2})`},
	} {
		for i, list := range texts {
			for _, text := range strings.Fields(list) {
				if _, err := regex.Parse(flavor, text); (err != nil) != (i == 1) {
					t.Errorf("%s %s: %v", flavor, text, err)
				}
			}
		}
	}
}

// TestPerlLiterals: what Perl replaces in a literal before its engine sees it is refused, and so are the flags of
// Unicode.
func TestPerlLiterals(t *testing.T) {
	for text, want := range map[string]string{
		`/^a$/`: "", `/a$|b/`: "", `m/a\$b/x`: "", `qr/a@/`: "",
		`/(a$)|$ /x`: "", `m'a$b'`: "", `/a@-@ @.@/`: "",
		`/a$1/`:            "$1 begins a variable of Perl",
		`/a$.b/`:           "$. begins a variable of Perl",
		`/a$$/`:            "$$ begins a variable of Perl",
		`/a$\|b/`:          `$\ begins a variable of Perl`,
		`/a$#b/x`:          "$# begins a variable of Perl",
		`/a@1/`:            "@1 begins a variable of Perl",
		`/a$b/`:            "$b begins a variable of Perl",
		`qr/a${b}/`:        "${ begins a variable of Perl",
		`/a@b/`:            "@b begins a variable of Perl",
		`/a/u`:             "the flag u is not supported",
		`/\N{SPACE}/`:      "the name of a character is not known here; write its number",
		`/\N{U+41.42}/`:    "one number was expected",
		`/\x{100}/i`:       "a character above \\xff where case is ignored",
		`/\p{L}s[s]/i`:     "two letters s that Perl may take together",
		`/\p{L}(?:s)s/i`:   "two letters s that Perl may take together",
		`/\p{L}[\xdf]/i`:   "\\xdf, which is also ss, in a class",
		`/\p{L}(?:as|b)/i`: "takes half of \\xdf for the s",
		`/\p{L}(s)\1/i`:    "a backreference is not supported here",
		`/\p{L}(?<=ss)/i`:  "in a lookbehind where case is ignored",
		`/(?=a\K)/`:        "\\K is not permitted in a lookaround",
		`/a\K*/`:           "a quantifier with nothing to repeat",
		`/\Qa/`:            "", `/a\Q\E/i`: "", `/\p{L}ssa|\xdfb/i`: "", `/\N{U+100}\N{3}/`: "",
		`/\Qa\Ub/`:        "\\U beside \\Q is not supported",
		`/a\Eb/`:          "\\E is replaced before the engine",
		`\Qa\E`:           "it is read in a literal: perl:/.../",
		`m'\Qa\E'`:        "\\Q is replaced before the engine",
		`/\Qa#\E/x`:       "\\Q beside a comment",
		`/(?#\p{L})a/`:    "a property or a number that is not read",
		`/(a)(?<=\1)/`:    "in a lookbehind is not supported",
		`/(?<=a{0,255})/`: "a lookbehind that may be longer than 254",
	} {
		_, err := regex.Read("perl", "perl", text, nil, regex.Search)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestLinear: an expression with many parts of a kind is read in linear time.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ flavor, before, part, after string }{
		{"perl", ``, `\K(?=a)`, ``},
		{"ruby", ``, `()`, ``},
		{"ruby", `()`, `\g<1>`, ``},
		{"python", `(a)`, `\1`, ``},
		{"python", `r"`, `a`, `"`},
		{"js2025", `(?<a>)`, `|(?<a>)`, ``}, // refused
		{"rust", `(?:a|$)`, `*`, ``},        // refused if there are very many
	} {
		cost := func(n int) time.Duration {
			start := time.Now()
			_, err := regex.Read(c.flavor, c.flavor, c.before+strings.Repeat(c.part, n)+c.after, nil, regex.Full)
			if e, ok := errors.AsType[*expr.Error](err); err != nil && (!ok || !e.Refused) {
				t.Fatalf("%s: %v", c.part, err)
			}
			return time.Since(start)
		}
		const n = 4000
		var small, large time.Duration
		isLinear := false
		for range 4 { // another program may have taken the time
			small, large = cost(n), cost(16*n)
			if isLinear = large < time.Second || large < 64*small; isLinear {
				break
			}
		}
		if !isLinear {
			t.Errorf("%s: %d of %s take %v, %d take %v", c.flavor, n, c.part, small, 16*n, large)
		}
	}
}

func TestMatch(t *testing.T) {
	const yes, no = true, false
	for _, c := range []struct {
		flavor, text, word string
		search, full       bool
	}{
		{"js", `/^[a-z]+:.*$/i`, "A:\u2028", no, no},
		{"js", `/^[a-z]+:.*$/is`, "A:\u2028", yes, yes},
		{"js", `/^.$/`, "😀", no, no},
		{"js", `/^.$/u`, "😀", yes, yes},
		{"js", `^..$`, "😀", yes, yes},
		{"js", `/k/i`, "\u212a", no, no},
		{"js", `/k/iu`, "\u212a", yes, yes},
		{"js", `(?<=a)b`, "ab", yes, no},
		{"js", `^(?=.*[0-9])(?=.*[a-z])(?!.*x).{3,}$`, "0a0", yes, yes},
		{"js", `^(?=.*[0-9])(?=.*[a-z])(?!.*x).{3,}$`, "0ax", no, no},
		{"js", `/^[[a-z]--[b-y]]$/v`, "b", no, no},
		{"js", `/^[[a-z]--[b-y]]$/v`, "z", yes, yes},
		{"js", `/^[\w&&[^\d_]]$/v`, "7", no, no},
		{"js", `/\P{Lu}/iv`, "s", no, no},
		{"ruby", `\p{Punct}`, "$", no, no},
		{"ruby", `\p{Punct}`, "!", yes, yes},
		{"ruby", `[[:punct:]]`, "$", yes, yes},
		{"ruby", `(?u)\w`, "\u00b2", yes, yes},
		{"ruby", `(?u)\W`, "\u00b2", no, no},
		{"ruby", `(?u)[\w]`, "\u00b2", no, no},
		{"ruby", `(?u)[[:word:]]`, "\u00b2", no, no},
		{"ruby", `^\p{l}\p{nd}$`, "a1", yes, yes},
		{"ruby", `^[[\D]&&[^\d]]$`, "a", yes, yes},
		{"java", `^[[^\D]]$`, "\u00e9", no, no}, // other engines than Ruby's keep what \D has beyond ASCII
		{"rust", `^[[^\D]]$`, "\u00e9", no, no},
		{"python", `a(?#\))b`, "ab", yes, yes},
		{"python", "(?x)a#\\\nb\nc", "ac", yes, yes}, // the \ keeps the line going
		{"python", "(?x)a#\\d\nc", "ac", yes, yes},
		{"js", `/\P{Lu}/iu`, "s", yes, yes},
		{"js", `/^\u1fd3$/iu`, "\u0390", yes, yes},
		{"js", `/^[\u1fe3]$/iv`, "\u03b0", yes, yes},
		{"js", `/^\ufb05$/i`, "\ufb06", no, no},
		{"rust", `^\w$`, "é", yes, yes},
		{"rust", `^[a-k&&[^b]]$`, "b", no, no},
		{"rust", `(?i)^k$`, "\u212a", yes, yes},
		{"rust", `^a$`, "a\n", no, no},
		{"rust", `^a{2}?$`, "aa", yes, yes},
		{"rust", `^a**$`, "aaa", yes, yes},
		{"js2025", `/^(?i:a)b$/`, "Ab", yes, yes},
		{"js2025", `/^(?i:a)b$/`, "AB", no, no},
		{"js2025", `/^(?-i:a)b$/i`, "aB", yes, yes},
		{"js2025", `/^(?s:.).$/`, "\na", yes, yes},
		{"js2025", `/^(?:(?<n>a)|(?<n>b))$/`, "b", yes, yes},
		{"java", `^[a-z]+$`, "a\r\n", yes, no},
		{"java", `^[a-z]+$`, "a\u2028", yes, no},
		{"java", `^a\r$`, "a\r\n", no, no},
		{"java", `(?m)^`, "", no, no},
		{"java", `^[a-z&&[^bc]]$`, "b", no, no},
		{"java", `(?i)k`, "\u212a", no, no},
		{"java", `^.$`, "😀", yes, yes},
		{"python", `^[a-z]+$`, "a\n", yes, no},
		{"python", `(?i)i`, "\u0130", yes, yes},
		{"python", `(?ai)i`, "\u0130", no, no},
		{"python", `(?i)^\u1fd3$`, "\u0390", yes, yes},
		{"python", `(?i)^\u0390$`, "\u1fd3", yes, yes},
		{"python", `(?i)^[\u1fe3]$`, "\u03b0", yes, yes},
		{"python", `(?i)^[^\ufb05]$`, "\ufb06", no, no},
		{"python", `(?ia)^\ufb05$`, "\ufb06", no, no},
		{"pcre", `^[a-z]+$`, "a\n", yes, no},
		{"pcre", `^(?>a|ab)c$`, "abc", no, no},
		{"pcre", `^(?>ab|a)c$`, "abc", yes, yes},
		{"pcre", `^a*+a`, "aa", no, no},
		{"pcre", `(?x)^a* +a`, "aa", no, no},
		{"pcre", `(?<x>a|b)(?&x)`, "ab", yes, yes},
		{"pcre", `^.$`, "é", no, no},
		{"perl", `^..$`, "é", yes, yes},
		{"perl", `^\w$`, "\xe9", no, no},
		{"perl", `(?i)^\xe9$`, "\xc9", no, no},
		{"perl", `^\h\s$`, "\xa0\v", yes, yes},
		{"perl", `^(?<=b|cd|)a$`, "a\n", yes, no},
		{"perl", `^\p{L}\w$`, "\xe9\xe9", yes, yes},
		{"perl", `^\w\P{L}$`, "\xe9\xb2", yes, yes},
		{"perl", `^\w\P{L}$`, "\xb2\xe9", no, no},
		{"perl", `^\d\p{Zs}[\s]$`, "1\xa0\x85", yes, yes},
		{"perl", `(?i)^\p{L}\xe9$`, "\xe9\xc9", yes, yes},
		{"perl", `(?i)^\p{Lu}[[:lower:]]$`, "aB", yes, yes},
		{"perl", `(?i)^\P{Lu}`, "a", no, no},
		{"perl", `(?i)^\p{L}ss$`, "a\xdf", yes, yes},
		{"perl", `(?i)^\p{L}\xdf+$`, "aSsss", yes, yes},
		{"perl", `(?i)^\p{L}ss+$`, "as\xdf", no, no},
		{"perl", `(?i)^\p{L}sss$`, "as\xdf", yes, yes},
		{"perl", `(?i)^\xe9$`, "\xc9", no, no},
		{"perl", `^\N{U+41}\w\N{2}$`, "A\xe9xy", yes, yes},
		{"perl", `^[\N{U+41}-\x{100}]\w$`, "\xff\xff", yes, yes},
		{"perl", `^\x{100}?a\Kb$`, "ab", yes, yes},
		{"perl", `^(?<n>a|b)\k{n}\g{-1}$`, "bbb", yes, yes},
		{"perl", `^(a|b)\g1c$`, "abc", no, no},
		{"perl", `^.*(?<=a{1,3})b$`, "caab", yes, yes},
		{"perl", `^.*(?<!a{1,3})b$`, "cab", no, no},
		{"pcre", `(*UTF)^.$`, "é", yes, yes},
		{"ruby", `^b`, "a\nb", yes, no},
		{"ruby", `(?i)[kb]`, "\u212a", yes, yes},
		{"ruby", `(?i)[\wb]`, "\u212a", no, no},
		{"ruby", `(?i)[\w&&k]`, "\u212a", yes, yes},
		{"ruby", `(?i)É`, "é", yes, yes},
		{"ruby", `(?i)[À-Þ]`, "é", no, no},
		{"ruby", `(?i)[s]s`, "ß", yes, yes},
		{"ruby", `(?i)s[s]`, "ß", no, no},
		{"ruby", `(?i)(?:s)s`, "ß", no, no},
		{"go", `^.$`, "\xff", yes, yes},
		{"go", `(?i)^\p{LC}$`, "\u0345", no, no},
		{"go", `(?i)^\p{Lu}$`, "a", yes, yes},
		{"go", `^\p{Zl}$`, "\u2028", yes, yes},
		{"go", `^\P{Any}$`, "a", no, no},
		{"go", `\x{fffd}`, "a\xff", yes, no},
	} {
		r, err := regex.Parse(c.flavor, c.text)
		if err != nil {
			t.Errorf("%s %s: %v", c.flavor, c.text, err)
			continue
		}
		for m, want := range map[regex.Match]bool{regex.Search: c.search, regex.Full: c.full} {
			a := must.Of(r.DFA(nil, m))(t)
			if a.Match(c.word) != want {
				t.Errorf("%s %s: match %d of %q is %v", c.flavor, c.text, m, c.word, !want)
			}
		}
	}
}

// TestNegatedPropertiesOfSets: a negated property of two values is refused where both i and v are set, since V8
// 11.3 and ECMAScript differ on some of them. Each of the flags alone is read.
func TestNegatedPropertiesOfSets(t *testing.T) {
	for _, c := range []struct {
		text string
		read bool
	}{
		{`/^\P{Lowercase}$/iv`, false},
		{`/^[\P{Lowercase}]$/vi`, false},
		{`/^[a--\P{ASCII}]$/iv`, false},
		{`/^\P{Lu}$/iv`, true},
		{`/^\P{Script=Latin}$/iv`, true},
		{`/^\p{Lowercase}$/iv`, true},
		{`/^\P{Lowercase}$/v`, true},
		{`/^\P{Lowercase}$/iu`, true},
	} {
		_, err := regex.Read("js", "js", c.text, nil, regex.Search)
		if read := err == nil; read != c.read {
			t.Errorf("js:%s: read is %v (%v)", c.text, read, err)
		}
	}
}

// TestNegatedClassesOfRuby: Ruby 3.1 lets [[^\D]] match characters beyond ASCII, whatever else stands in the classes.
func TestNegatedClassesOfRuby(t *testing.T) {
	for text, want := range map[string]bool{
		`[[^\D]]`: false, `[a[^[:alpha:]\W]]`: false, `[[^\w]&&[^\S]]`: false, `[^[^[\H]]]`: false, `(?u)[[^a&&\D]]`: false,
		`[^\D]`: true, `[[\D]]`: true, `[[^\d]]`: true, `[^[\W]]`: true, `[[^[:^digit:]]]`: true,
	} {
		_, err := regex.Parse("ruby", text)
		if read := err == nil; read != want {
			t.Errorf("ruby:%s: read is %v (%v)", text, read, err)
		}
	}
}

// TestMixedClassesOfPCRE: PCRE2 10.42 without (*UCP) lets [\D[:alpha:]] match no letter beyond U+00FF, and [^\S\p{L}] match
// characters there that are no letters.
func TestMixedClassesOfPCRE(t *testing.T) {
	for text, want := range map[string]bool{
		`(*UTF)[\D[:alpha:]]`: false, `(*UTF)[[:^alpha:]a[:word:]]`: false, `(*UTF)[^\S\p{L}]`: false, `(*UTF)[^\P{L}a\W]`: false,
		`(*UTF)[^[:^alpha:]\pL]`: false, `(*UTF)[[:alpha:]\D]`: true, `(*UTF)[\D[:alpha:]\W]`: true, `(*UTF)[\S\p{L}]`: true,
		`(*UTF)[^\s\p{L}]`: true, `(*UTF)(*UCP)[^\S\p{L}]`: true, `[\D[:alpha:]]`: true, `[^\S\p{L}]`: true, `(*UTF)[\H[:alpha:]]`: true,
	} {
		_, err := regex.Parse("pcre", text)
		if read := err == nil; read != want {
			t.Errorf("pcre:%s: read is %v (%v)", text, read, err)
		}
	}
}

// TestRefusedAndNotWrong: what an engine compiles, and is not read here, is not said to be an error; and what Python
// takes for an error is one here.
func TestRefusedAndNotWrong(t *testing.T) {
	for _, c := range []struct {
		flavor, text string
		refused      bool
	}{
		{"rust", `a{1, 2}`, true},
		{"rust", `(^\n){2}`, true}, // the engine matches two lines
		{"rust", `(?:[ab]$){2,3}`, true},
		{"rust", `(?m)$^`, true}, // the engine misses "\n"
		{"rust", `(?m)(?:a|\b)^a`, true},
		{"rust", `(?m)$\b\n\z`, true},
		{"rust", `(?m)(?:b$|^a)*`, true}, // $ and ^ of two rounds
		{"rust", `a{ 1 }`, true},
		{"java", `(?x)a{1, 2}`, true},
		{"pcre", `(?<*a)`, true},
		{"pcre", strings.Repeat(`(?(?=`, 100) + `a` + strings.Repeat(`)b)`, 100), true}, // twice as long for each
		{"python", `(?#\)`, false},
		{"ruby", `\b(?m:.+)`, true}, // is not found in "  a"
		{"ruby", `a|(?=(a))(?m:.*)b`, true},
		{"ruby", `^(?:\A|ba?){2}$`, true},     // does not match b: after an empty round there is no other
		{"python", `(?i)[b\U00010400]`, true}, // does not match U+10400, nor U+10428
		{"python", `(?i)b|\U00010400`, true},
		{"python", `(?i)ab|a\U00010400`, true},
		{"python", `(?i)[\u02bc-\U00010000]`, true},  // also matches U+0149
		{"python", `(?ai)[\u0178-\U00010000]`, true}, // also matches U+00FF
		{"python", `(?ai)[\U00010400-\U00010410]`, true},
		{"python", `(?ai)[a\U00010400-\U00010400]`, true},
		{"python", "(?x)a#\\", false},
		{"perl", `(?i)ba|s`, true},                    // also matches \xdf
		{"perl", `(?i)^(?:us-|no)$`, true},            // also matches u\xdf-
		{"perl", `(?i)^(?:us-|no)\p{L}*$`, true},      // and so here
		{"perl", `(?i)(?:k|[s]){2}`, true},            // also matches k\xdf
		{"perl", `^(?:a_|a\xe9)\x{100}?$`, true},      // does not match a\xe9
		{"perl", `^(?:ab\xe9|a\xe9b)\x{100}?$`, true}, // nor do these match that
		{"perl", `(?^-i)`, false},
		{"perl", `(?^i-:a)`, false},
	} {
		_, err := regex.Parse(c.flavor, c.text)
		e, ok := errors.AsType[*expr.Error](err)
		if !ok || e.Refused != c.refused {
			t.Errorf("%s:%s: %v, want it refused: %v", c.flavor, c.text, err, c.refused)
		}
	}
}

// TestCallsFromHere: a call that counts groups from its place has one sign, and a number from 1 on, as PHP 8.2,
// Perl 5.36 and Ruby 3.1 have it. Ruby takes +-1 for -1, which is an error here.
func TestCallsFromHere(t *testing.T) {
	for _, c := range []struct {
		flavor, text string
		read         bool
	}{
		{"pcre", `(a)\g<+0>`, false},
		{"pcre", `(a)\g<-0>`, false},
		{"pcre", `(a)\g<+-1>(b)`, false},
		{"pcre", `\g<-1>(a)`, false},
		{"pcre", `(a)\g<-1>`, true},
		{"pcre", `\g<+1>(a)`, true},
		{"pcre", `(a)\g<1>`, true},
		{"pcre", `(a)(?+0)`, false},
		{"pcre", `(a)(?-0)`, false},
		{"pcre", `(?-1)(a)`, false},
		{"pcre", `(a)(?-1)`, true},
		{"pcre", `(?+1)(a)`, true},
		{"ruby", `(a)\g<+0>`, false},
		{"ruby", `(a)\g<+-1>(b)`, false},
		{"ruby", `(a)\g<-1>(b)`, true},
	} {
		_, err := regex.Read(c.flavor, c.flavor, c.text, nil, regex.Search)
		if read := err == nil; read != c.read {
			t.Errorf("%s:%s: read is %v (%v)", c.flavor, c.text, read, err)
		}
	}
}

// TestRubyFoldsOtherwise: where Ruby 3.1 does not treat characters alike that are the same in another case, an
// expression is refused that depends on it.
func TestRubyFoldsOtherwise(t *testing.T) {
	for _, c := range []struct {
		text string
		read bool
	}{
		{"(?i)[\u0390\u0391]", false},
		{"(?i)[\ufb00-\ufb06]", false},
		{"(?i)\u00b5", false},
		{"(?i)[\u03bc]", false},
		{"[\u0390\u0391]", true},
		{"\u00b5", true},
		{"(?i)\u03bb", true},
	} {
		_, err := regex.Read("ruby", "ruby", c.text, nil, regex.Search)
		if read := err == nil; read != c.read {
			t.Errorf("ruby:%s: read is %v (%v)", c.text, read, err)
		}
	}
}

// TestRubyJoinsAreCounted: an expression is refused if the choices between several characters and the one that they may
// be would take up all memory: the number of their branches can double with each "ss".
func TestRubyJoinsAreCounted(t *testing.T) {
	for _, c := range []struct {
		text string
		read bool
	}{
		{strings.Repeat("s", 16), true},
		{strings.Repeat("s", 40), false},
		{strings.Repeat("ssx", 8), true},
		{strings.Repeat("ssx", 40), false},
	} {
		_, err := regex.Parse("ruby", "(?i)"+c.text)
		if read := err == nil; read != c.read {
			t.Errorf("%.10s..., %d bytes: read is %v (%v)", c.text, len(c.text), read, err)
		}
	}
}

// TestRubyInterpolation: a # in a literal inserts a value only where Ruby 3.1 takes what follows for a variable or a
// block. Otherwise it is a character.
func TestRubyInterpolation(t *testing.T) {
	for _, text := range []string{`#{a}`, `#@a`, `#@_`, `#@é`, `#@@a`, `#$a`, `#$1`, `#$0`, `#$~`, `#$+`, `#$;`, `#$-w`, `#$-_`} {
		if _, err := regex.Read("ruby", "ruby", "/a"+text+"/", nil, regex.Search); err == nil || !strings.Contains(err.Error(), "inserts is not known") {
			t.Errorf("/a%s/: %v, want it refused", text, err)
		}
	}
	for _, text := range []string{`#@1`, `#@@1`, `#@`, `#@@`, `#@@@a`, `#$-`, `#$-1`, `#$--`, `#$%`, `#$^`, `#$|`, `#$#`, `#`} {
		if _, err := regex.Read("ruby", "ruby", "/a"+text+"/", nil, regex.Search); err != nil {
			t.Errorf("/a%s/: %v", text, err)
		}
	}
}

// TestQuantifierBehindQuote: the message shows the quantifier as it is written.
func TestQuantifierBehindQuote(t *testing.T) {
	for _, sign := range []string{"*", "+", "?", "{2}", "{2,}", "{2,3}"} {
		want := `a quantifier behind \Q...\E is not supported, here ` + sign
		if _, err := regex.Parse("java", `\Qab\E`+sign+"c"); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestAnchorAlone: what V8 finds between the halves of a surrogate pair is assumed away where a lookaround may match
// there, and not for an anchor of the whole input, also if that is all of the expression.
func TestAnchorAlone(t *testing.T) {
	for text, want := range map[string]bool{`/^/u`: false, `/$/u`: false, `/^a?$/u`: false, `/(?!a)/u`: true, `/\b/u`: true, `/a?(?!a)/u`: true} {
		r := must.Of(regex.Parse("js", text))(t)
		if got := strings.Contains(strings.Join(r.Assumes, "\n"), "between the halves of a surrogate pair"); got != want {
			t.Errorf("%s: assumed: %t, want %t: %q", text, got, want, r.Assumes)
		}
	}
}

// An expression relies on the version of Unicode if a class has its members from there, also where case is ignored.
func TestReliesOnUnicode(t *testing.T) {
	for text, want := range map[string]bool{
		`\N{U+41}`:                   false,
		`[[:upper:]]\N{U+41}`:        true,
		`(?i)[[:upper:]]\N{U+41}`:    true,
		`(?i)[^[:^lower:]]+\N{U+41}`: true,
	} {
		if got := must.Of(regex.Parse("perl", text))(t).Relies; got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

// TestBlanksInClasses: a blank in a class is a member under x and ignored under xx, as Perl 5.36 and PCRE2 10.42 have it.
// A class that has one under xx is refused.
func TestBlanksInClasses(t *testing.T) {
	for _, c := range []struct {
		flavor, text, word string
		matches, refused   bool
	}{
		{"perl", `/^[a b]+ $/x`, "a b", true, false},
		{"perl", `^(?x:[ -!]+)$`, " ", true, false},
		{"perl", `m/^[a b]+$/xx`, "a b", false, true},
		{"perl", `m/^[a b]+$/xix`, "a b", false, true},
		{"perl", `m/^a b$/xx`, "ab", true, false},
		{"perl", `^(?xx)a b[c]$`, "abc", true, false},
		{"perl", `^(?xx)[a b]+$`, "a b", false, true},
		{"perl", `^(?xix:[a- b]+)$`, "a b", false, true},
		{"perl", `^(?x)(?x)[a b]+$`, "a b", true, false},
		{"perl", `^(?xx)(?x)[a b]+$`, "a b", true, false},
		{"perl", `^(?xx)(?i)[a b]+$`, "a b", false, true},
		{"perl", `^(?xx)(?-x)[a b]+$`, "a b", true, false},
		{"perl", `^(?xx)(?^)[a b]+$`, "a b", true, false},
		{"perl", "^(?xx)[a\nb]+$", "a\nb", true, false},
		{"pcre", `/^[a b]+$/xx`, "a b", true, false},
		{"pcre", `^(?xx)a b[c]$`, "abc", true, false},
		{"pcre", `^(?xx)[a b]+$`, "a b", false, true},
		{"pcre", `^(?xx:(?x:[a b]+))$`, "a b", true, false},
		{"pcre", "^(?xx)[a\nb]+$", "a\nb", true, false},
	} {
		r, err := regex.Read(c.flavor, c.flavor, c.text, nil, regex.Search)
		if e, ok := errors.AsType[*expr.Error](err); c.refused || err != nil {
			if !c.refused || !ok || !e.Refused || !strings.Contains(err.Error(), "what is ignored in a class") {
				t.Errorf("%s:%s: %v", c.flavor, c.text, err)
			}
			continue
		}
		if got := must.Of(r.DFA(nil, regex.Search))(t).Match(c.word); got != c.matches {
			t.Errorf("%s:%s on %q: %v", c.flavor, c.text, c.word, got)
		}
	}
}

// TestEmptyParts: copies and calls of a part without instructions cost nothing, however many there are.
func TestEmptyParts(t *testing.T) {
	limits := budget.Limits{Steps: 1 << 16}
	for _, text := range []string{
		`^(?:){0,60000}a\z`, `^(?:){1000,60000}a\z`, `^(?:){60000}a\z`, `^(?:(?:(?:)*)*)*a\z`, `^(?:|){2}a\z`,
		`^()(\g<1>\g<1>){0,9}a\z`,
	} {
		r := must.Of(regex.Parse("ruby", text))(t)
		a, err := r.DFA(budget.New(t.Context(), limits), regex.Search)
		if err != nil || !a.Match("a") || a.Match("aa") || a.Match("") {
			t.Errorf("%s: %v", text, err)
		}
	}
	text := `()`
	for i := range 30 {
		text += strings.ReplaceAll(`((?N)(?N))`, "N", strconv.Itoa(i+1))
	}
	r := must.Of(regex.Parse("pcre", text))(t)
	if a, err := r.DFA(budget.New(t.Context(), limits), regex.Search); err != nil || !a.Match("") {
		t.Errorf("thirty groups that call each other twice: %v", err)
	}
}
