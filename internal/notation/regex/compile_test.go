package regex_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// fragments are pieces of the syntax of some flavor. Mutations insert them whole, since single characters seldom make one.
const fragments = `( ) [ ] { } | ? * + ^ $ . - : , = ! < > & # ' \ / ~ @ % _ 0 1 2 7 8 9 a b i m n s u x A L P U é \\ ` +
	`(? (?: (?i) (?i: (?-i: (?i-i: (?i-s) (?i- (?^ (?^i: (?a) (?u) (?L) (?au) (?a: (?u: (?au: (?-a: (?x) (?xx) (?n) (?m) (?s) (?U) (?J) (?d) ` +
	`(?= (?! (?<= (?<! (?> (?| (?~ (?# (?#c) (?<n> (?P<n> (?'n' (?P=n) (?P>n) (?<1> (?<n-m> (?P<é> (?&n) (?R) (?1) (?+1) (?-1) (?0) (?C) (?C1) ` +
	`(?<n>a)(?P=n) (?<n>a)\k<n> (?<n>a)\g{n} (?<n>a)(?(1)b) (?<n>a)\1 (?P<n>a)\k<n> (?'n'a)(?P>n) ` +
	`(?(1) (?(?=a) (?(DEFINE) (?(<n>) (*UTF) (*UCP) (*ACCEPT) (*atomic: (*pla: (?{ {0} {1} {,1} {1,} {,} {1,2} {2,1} {1,1 {a} { 1} {1000} {1001} {255} ` +
	`{32767} {32768} {65535} {65536} {100000} {100001} {99999999999} ?? *? +? ?+ *+ ++ ** {1}? {1}+ {1}{2} ` +
	`[: [:alpha:] [[:alpha:]] [[:^alpha:]] [[:alph:]] [[:word:]] [.a.] [[.a.]] [=a=] [[=a=]] [:] [::] [^ [] [^] []a] [a-] [-a] [a-\d] [\d-a] [z-a] [a-z&&[b]] && -- ` +
	`[[ ]] [\b] [\B] [\R] [\X] [\N] [\Q] \A \z \Z \b \B \G \K \R \X \C \N \N{U+41} \N{DIGIT} \h \H \v \V \d \D \s \w \W \Q \E \Qa\E \a \e \f \y \i \j \l \L \u \U \q ` +
	`\1 \2 \10 \0 \00 \01 \012 \377 \400 \777 \8 \9 \18 \x \x4 \x41 \x{ \x{41} \x{} \x{110000} \x{D800} \o \o{101} \o{9} \u0041 \u004 \u{41} \u{110000} \ud83d \ud83d\ude00 \U00000041 \U00110000 ` +
	`\c \ca \cé \c1 \c\ \C-a \M-a \g1 \g{1} \g{-1} \g<1> \g<n> \g'1' \k<n> \k'n' \k{n} \k \p \pL \pl \p{L} \p{Lu} \p{^L} \P{^L} \p{l} \p{Foo} \p{} \p{L \p{IsL} \p{Latin} \p{sc=Latin} \p{Any} \p{L&} \- \_ \: \/ \é \< \> \ ` + "` \\` \\'"

// mutated returns an expression with some changes: something deleted, doubled, inserted or replaced.
func (e *engine) mutated(rng *rand.Rand) string {
	text := []rune(e.unwrapped(rng))
	pieces := strings.Fields(fragments)
	for range rng.IntN(4) {
		at := rng.IntN(len(text) + 1)
		end := min(len(text), at+1+rng.IntN(2))
		piece := []rune(pieces[rng.IntN(len(pieces))])
		switch rng.IntN(6) {
		case 0:
			text = slices.Delete(text, at, end)
		case 1:
			text = slices.Insert(text, at, text[at:end]...)
		case 2:
			text = slices.Replace(text, at, end, piece...)
		default:
			text = slices.Insert(text, at, piece...)
		}
	}
	if e.wrap == nil {
		return string(text)
	}
	return e.wrap(rng, strings.ReplaceAll(string(text), "/", "")) // which closes an expression of JavaScript
}

// outcomes counts what became of expressions.
type outcomes struct {
	tried, unasked, both, neither, compared, large int
	alone                                          map[string]int // what is refused here alone, by the reason
	example                                        map[string]string
}

// quoted matches what messages quote, so that those of one kind count as one.
var quoted = regexp.MustCompile("`[^`]*`|\\\\.|[0-9A-F]+|U\\+[0-9A-F]+")

func (o *outcomes) refuse(reason, text string) {
	reason, _, _ = strings.Cut(quoted.ReplaceAllString(reason, "*"), ";")
	o.alone[reason]++
	if old, ok := o.example[reason]; !ok || len(text) < len(old) {
		o.example[reason] = text
	}
}

// TestCompiledByEngines: what an engine does not compile is not read. Where both read an expression, they agree on random words. What is
// refused here alone is counted by its reason.
func TestCompiledByEngines(t *testing.T) {
	n := longtest.Size(300, 10000)
	if *asked > 0 {
		n = *asked
	}
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		if name == "posix grep" { // reads what regcomp does
			continue
		}
		e := engines[name]
		t.Run(name, func(t *testing.T) { compiled(t, name, e, e.share(n)) })
	}
}

func compiled(t *testing.T, name string, e engine, n int) {
	rng := rand.New(rand.NewPCG(*seed, 3))
	texts := slices.Clone(known[name])
	for len(texts) < n {
		if text := e.mutated(rng); !slices.Contains(texts[max(0, len(texts)-50):], text) && !strings.HasPrefix(text, "//") {
			texts = append(texts, text)
		}
	}
	var list []string
	for range 40 {
		w := ""
		for range rng.IntN(5) {
			w += symbols[rng.IntN(len(symbols))]
		}
		if e.bytes || utf8.ValidString(w) {
			list = append(list, w)
		}
	}
	list = append(list, "", "a", "ab", "k", "[:", "aaaa")
	answers := e.ask(t, list, texts)
	o := outcomes{alone: map[string]int{}, example: map[string]string{}}
	wrong := 0
	for i, text := range texts {
		if strings.Trim(answers[i], "?") == "" {
			o.unasked++
			continue
		}
		o.tried++
		r, err := regex.Parse(name, text)
		switch {
		case err == nil && answers[i] == "error":
			t.Errorf("%q is read, and the engine does not compile it", text)
			wrong++
		case err == nil:
			o.both++
			if !agree(t, name, text, r, list, answers[i], &o) {
				wrong++
			}
		case answers[i] == "error":
			o.neither++
		default:
			reason := err.Error()
			if p, ok := errors.AsType[*expr.Error](err); ok {
				reason = p.Message
				if !p.Refused {
					reason = "said to be an error: " + reason
				}
			}
			o.refuse(reason, text)
		}
		if wrong > 40 {
			t.FailNow()
		}
	}
	alone := 0
	for _, count := range o.alone {
		alone += count
	}
	t.Logf("%d expressions: both read %d (%d words compared, %d too large), neither %d, refused here alone %d; %d could not be asked", o.tried, o.both, o.compared, o.large, o.neither, alone, o.unasked)
	for _, reason := range slices.SortedFunc(maps.Keys(o.alone), func(a, b string) int { return cmp.Or(o.alone[b]-o.alone[a], strings.Compare(a, b)) }) {
		t.Logf("%6d %s, as in %q", o.alone[reason], reason, o.example[reason])
	}
}

// agree compares the matches of an expression.
func agree(t *testing.T, name, text string, r *regex.Regex, list []string, answers string, o *outcomes) bool {
	a, err := r.DFA(budget.New(context.Background(), budget.Limits{Steps: 1 << 20}), regex.Search)
	if err != nil {
		o.large++
		return true
	}
	for j, w := range list {
		if answers[j] == '?' || excused(r, w, answers[j], name) {
			continue
		}
		if o.compared++; (answers[j] == '1') != a.Match(w) {
			t.Errorf("%q on %q: the engine says %c", text, w, answers[j])
			return false
		}
	}
	return true
}

// excused reports whether an assumption of r says that the engine's answer may be another.
func excused(r *regex.Regex, w string, answer byte, name string) bool {
	assumed := strings.Join(r.Assumes, "")
	astral := strings.ContainsRune(w, '😀')
	if strings.Contains(assumed, "to Java 17 it is two there") && astral {
		return true
	}
	halves := strings.Contains(assumed, "halves of a surrogate pair") && astral
	misses := strings.Contains(assumed, "Ruby 3.1 misses it")
	extra := name == "posix" && strings.Contains(assumed, "regcomp of glibc")
	return (halves || extra) && answer == '1' || misses && answer == '0'
}

// known are expressions that were read and that the engine does not compile.
var known = map[string][]string{
	"pcre":   {`(*UTF)[\D[:alpha:]]`, `(*UTF)[^\S\p{L}]`, `(*UTF)[[:alpha:]\D]`, `a(?(?<=a)$)`, `(a)?b?(?(1)(?(?=b)b|c))`, "(?(DEFINE)|a)", "(?:(?:a|b){2,}c){32767}", "((?:ab){1000}){100}", "(?:ab){6000}", strings.Repeat("(", 251) + strings.Repeat(")", 251), strings.Repeat("(", 250) + strings.Repeat(")", 250), "[:alph:]", "[:alpha:]", "a{65536}", "a{65535}", "a{1,65536}"},
	"python": {`(?#\)a`, `(?#\))a`, "(?x)#\\\nb", "(?x)a#\\", "(a)?b?(?(1)$)", "(?-:a)", "(?s)(?i)a", "(?a)(?u)a", strings.Repeat("(", 600) + strings.Repeat(")", 600), "(?au)a", "(?au:a)", "(?i-i:a)", "(?i-i)a", "(?La)b", "a{4294967295}", "a{4294967296}", "(?a)(?u:\\w)"},
	"go":     {"a{1000}", "a{1001}", "(a{1000}){2}", "a{00}", "a{01}", "a{2,01}", "a{0,3}"},
	"ruby":   {`[[^\D]]`, `[[^\w]&&[^\S]]`, `[\n-[.a.]a]`, `a{100001`, `a{1,100001`, `(?<n\x>a)`, "(?)", "(?#\\c)\\>\\d", "(?#\\ud83d)", "a{100000}", "a{100001}", "a{1,100001}"},
	"java":   {`\c\Q`, `[^--&&b]`, `[a-&&b]`, "a{2147483647}", "a{2147483648}", "a{99999999999}"},
	"js":     {`/^(?:[^a]x|[^a]y){2}$/v`, `/[\k<n>](?<n>a)/`, "/a{4294967296}/", "/a{2147483648}/u", "/a{99999999999999999999}/", "/[a&&&]/v", "/[a&&&b]/v", "/[a--&]/v", "/[a&&\\&]/v"},
	"posix":  {"a{32767}", "a{32768}"},
	"perl":   {"a{65534}", "a{65535}", strings.Repeat("(", 300) + strings.Repeat(")", 300)},
	"rust":   {"a{4294967296}", "(?i-i)a", "(?-)", strings.Repeat("(", 250) + strings.Repeat(")", 250)},
}
