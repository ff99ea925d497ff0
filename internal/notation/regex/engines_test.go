package regex_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An engine answers which words an expression matches, "" if it does not take the expression.
type engine struct {
	command []string // that answers, nil for Go
	bytes   bool     // words that are not UTF-8 are words
	atoms   string   // what expressions are made of
	groups  string
	counts  string
	recalls string // groups, backreferences and conditions, for expressions of their own; "" if there are none
	slow    bool   // a quarter of the expressions is enough
	wrap    func(rng *rand.Rand, text string) string
}

// Groups with few texts, what refers to them, and what may stand between.
const (
	recalls    = `(a) (a|b) (a|ab) (a?) (a|) (a)? (?:(a)|b) (k)? ([ab]) ([ab]{1,2}) ((a)b?) (a+) (a|b)* (?:(a|b)c?)* (?=(a)) \1 \1 \1 \1 \1? \1* \2 (?:\1|b) (?!\1) (?=\1) (?:(a|k)\1)+ (?:(?:(a)|b)\1)+ (?:(b)\1?)* a b k . .* ^ $ |`
	conditions = ` (?(1)a|b) (?(1)b) (?(2)a|b) (?:(a)|(b))(?(1)k|a) (?(1)\1) (?:(a)?(?(1)a|b))*`
)

// Other forms of a backreference, which Perl and PCRE have.
const bracedRecalls = ` (?<n>a|b) (?<n>a|k)\k<n> \k<n> \k{n} \k'n' \g{n} \g1 \g{1} \g{-1} \g-1 \g{-2} \g{2}`

const everywhere = `a b k K s S ß ſ İ i I . . ^ $ \b \B \d \D \w \W \s \S [a-k] [^a] [^k] [\W] [^\wb] [ß-ſ] [a\d] [À-Þ] \n a b a b ab \t [\n-a] \. \x41 😀 é`

var posix = engine{
	command: []string{"python3", "testdata/ask_posix.py"},
	bytes:   true,
	atoms:   everywhere + " \\< \\> \\` \\' [é] []a] [^]a] [a-] [-a] [--a] [a-c-e] [[:alpha:]] [^[:punct:]] [[:digit:]k] [[:^word:]] [[:alpha:]-z] [z-a] \\\\ {1} a{1 ) [[.a.]] \\1 * [[a]]",
	groups:  "( ( ( ( ( ( ( (?",
	counts:  "* + ? {2} {1,2} *? {2,} *+ ++ {0} {,2} {,} {1}{2} {2,1}",
}

var engines = map[string]engine{
	"go": {
		bytes:  true,
		atoms:  everywhere + ` \A \z [[:alpha:]] [[:^word:]] \pL \PL \p{Lu} \P{Lu} [^\P{Lu}b] \x{fffd} \Qa.\E (?i) (?m) (?s) (?-i) (?U) \101 (?i)\p{Greek}`,
		groups: "( (?: (?i: (?m: (?s: (?i-s: (?P<n>",
		counts: "* + ? {2} {1,2} *? {2,} {,2} {0}",
	},
	"java": {
		command: []string{"java", "-XX:TieredStopAtLevel=1", "testdata/Ask.java"},
		recalls: recalls + " (?>(a|ab)\\1) (?>(a|ab)) (?:\\1)+",
		atoms:   everywhere + ` \A \Z \z \G \h \v \H \V \r \x{61} \x{1f600} \u017f \ud83d\ude00 \pL \PL \p{Lu} \P{Lu} \p{Lower} \p{IsLatin} \P{IsGreek} [\p{L}] [^\P{Lu}b] \Qa.\E (?i) (?m) (?s) (?-i) ] }a []a] [^]a] [a[bk]] [a-k&&[^b]] [[^k]a] [\w&&k] [\W&&[^\d]] [^a&&b] [a-[b]] [k&&^] [\d-z] \0101 \cJ \e \_ [&b] [[:alpha:]] \. \é ß+ (?x) #`,
		groups:  "( (?: (?= (?! (?<= (?<! (?> (?i: (?m: (?s: (?i-s: (?<n> (?x: (?-i:",
		counts:  "* + ? {2} {1,2} *? {2,} *+ ++ ?+ {1,2}+ {0} {,2}",
	},
	"js": {
		command: []string{"node", "testdata/ask.js"},
		recalls: recalls,
		atoms:   everywhere + ` \cJ \u017f \u{61} \p{Lu} \P{Lu} [\p{L}] [^\P{Lu}b] [] [^] \0 [\b] \ud83d \ude00 [😀] [\w-a] [[a-k]b] [\w--k] [\w&&[a-k]] [^\W&&\d] [[^k]--\n] [a&&b&&a] [a--b&&c] [a-k&&b] [\-\&b] [&&] [a&&&b] [a!!] [(] [\p{Lu}--S] { a{,2} ] \x \/ \u212a \7 [\101]`,
		groups:  "( (?: (?= (?! (?<= (?<! (?<n>",
		counts:  "* + ? {2} {1,2} *? {2,} +? {0}",
		wrap: func(rng *rand.Rand, text string) string {
			flags := ""
			for _, f := range "imsuyg" {
				if rng.IntN(3) == 0 {
					flags += string(f)
				}
			}
			if rng.IntN(8) > 0 {
				flags = strings.ReplaceAll(flags, "y", "")
			}
			if rng.IntN(2) > 0 {
				flags = strings.ReplaceAll(flags, "u", "v")
			}
			return "/" + text + "/" + flags
		},
	},
	"python": {
		command: []string{"python3", "testdata/ask.py"},
		recalls: recalls + conditions + " (?>(a|ab)\\1)",
		atoms:   everywhere + ` \A \Z \u017f \U0001f600 [\b] []a] [^]a] \101 (?#c) { a{,2} ] [[] \0 \N{SPACE} \N{colon} [\N{ASTERISK}-\N{TILDE}] [^\N{SOLIDUS}] \N{} \N{NOPE} \N{NULL} \N{TILDE \N`,
		groups:  "( (?: (?= (?! (?<= (?<! (?> (?i: (?m: (?s: (?a: (?ai: (?i-s: (?P<n> (?x: (?-i:",
		counts:  "* + ? {2} {1,2} *? {2,} *+ ++ ?+ {1,2}+ {,2} {0}",
		wrap: func(rng *rand.Rand, text string) string {
			return []string{"", "(?i)", "(?ia)", "(?m)", "(?s)", "(?x)"}[rng.IntN(6)] + text
		},
	},
	"pcre": {
		command: []string{"php", "-d", "pcre.jit=0", "testdata/ask.php"},
		recalls: recalls + conditions + bracedRecalls + " (?>(a|ab)\\1) (?>(a|ab))",
		bytes:   true,
		atoms:   everywhere + ` \A \Z \z \G \h \v \H \V \N \R \x{41} \o{101} [[:alpha:]] [^[:punct:]] \pL \PL \p{L&} [\p{Lu}] \Qa.\E \K (?i) (?m) (?s) (?-i) (?1) (?1) (?-1) (?P>n) (?#c) ] []a] \e \cJ (?(?=a)b|k) (?(DEFINE)(a|ab))`,
		groups:  "( (?: (?= (?! (?<= (?<! (?> (?| (?i: (?m: (?s: (?i-s: (?<n> (?x: (?^: (?n:",
		counts:  "* + ? {2} {1,2} *? {2,} *+ ++ ?+ {1,2}+ {0}",
		wrap: func(rng *rand.Rand, text string) string {
			return []string{"", "(*UTF)", "(*UTF)(?i)", "(?i)", "(*UTF)(*UCP)"}[rng.IntN(5)] + text
		},
	},
	"perl": {
		command: []string{"perl", "testdata/ask.pl"},
		recalls: recalls + conditions + bracedRecalls + " (?>(a|ab)\\1) (?>(a|ab)) (?<=(a)\\1) (?<=\\1)",
		bytes:   true,
		atoms:   everywhere + ` \A \Z \z \G \h \v \H \V \R \N \x41 \x{41} \x{e9} \xe9 [\xe9a] [^\h] [\v\d] [[:alpha:]] [^[:punct:]] [[:^word:]] [[:upper:]] \pL \p{Lu} [\p{L}] [^\P{Lu}b] \p{^Ll} \p{Alphabetic} \p{Latin} \o{101} [\o{101}] \N{U+6b} [^\N{U+61}-\x{200}] \x{100} \Qa.\E \K (?i) (?s) (?-i) (?^) (?#c) ] []a] [^]a] \e \cJ \0 \012 \y { a{,2} [a-\d] (?#`,
		groups:  "( (?: (?= (?! (?<= (?<! (?> (?i: (?m: (?s: (?i-s: (?<n> (?x: (?^: (?n: (?xx:",
		counts:  "* + ? {2} {1,2} *? {2,} *+ ++ ?+ {1,2}+ {0} ** {2}{2}",
		wrap: func(rng *rand.Rand, text string) string {
			return []string{"", "(?i)", "(?m)", "(?s)", "(?x)", `\p{Any}{0}`, `(?i)\p{Any}{0}`}[rng.IntN(7)] + text
		},
	},
	"posix":      posix,
	"posix grep": {command: append(posix.command, "grep"), bytes: true, atoms: posix.atoms, groups: posix.groups, counts: posix.counts},
	"ruby": {
		command: []string{"ruby", "testdata/ask.rb"},
		recalls: recalls + conditions + " (?>(a|ab)\\1)",
		atoms:   everywhere + ` \A \Z \z \h \H \R \u017f \u{61} [[:alpha:]] [^[:punct:]] \p{L} \P{Lu} \p{^Lu} \p{Alpha} [[:upper:]] (?i) (?m) (?-i) \K \g<1> \g<1> [a[bk]] [a-k&&[^b]] [[^k]a] [\w&&k] [k] [s]s (?:s)s [\P{Lu}] [[:word:]&&[a-k]] [^\p{Alpha}] \p{Nd} [[:ascii:]] \e \cJ ss (?#c) \101`,
		groups:  "( (?: (?= (?! (?<= (?<! (?> (?i: (?m: (?i-m: (?<n> (?x: (?u: (?a:",
		counts:  "* + ? {2} {1,2} *? {2,} *+ ++ ?+ {1,2}+ {,2} {2}? {0} **",
	},
}

// aliases are the names of pinned engines with their versions.
var aliases = map[string]string{"js2024": "js", "python3.11": "python"}

// engineOf returns the engine of a flavor, and whether it has an entry.
func engineOf(flavor string) (e engine, ok bool) {
	if pinned, ok := aliases[flavor]; ok {
		flavor = pinned
	}
	e, ok = engines[flavor]
	return e, ok
}

// newerPython returns the command that runs a program of Python by a newer version, of which npm has a package.
func newerPython(version, program string) []string {
	return []string{"node", "testdata/python.js", "3" + version, program}
}

func init() {
	engines["rust"] = engine{
		command: []string{"python3", "testdata/rust.py"},
		atoms:   everywhere + ` \A \z [[:alpha:]] [[:^word:]] \pL \PL \p{Lu} \P{Lu} [^\P{Lu}b] \x{61} \u{1f600} \u017f \U0001f600 (?i) (?m) (?s) (?-i) (?U) [a[bk]] [a-k&&[^b]] [[^k]a] [\w&&k] [a-] \- \# \& []a] [^]a] \p{Greek} (?i)\p{Greek} ß+`,
		groups:  "( (?: (?i: (?m: (?s: (?i-s: (?P<n>",
		counts:  "* + ? {2} {1,2} *? {2,} ** {2}? {0} +? {2}{2}",
	}
	e := engines["js"]
	e.command = []string{"node26", "testdata/ask.js"}
	e.groups += " (?i: (?-i: (?s: (?m: (?i-s: (?ms-i:"
	engines["js2025"] = e
	for _, version := range []string{"12", "13", "14"} {
		e := engines["python"]
		e.command = newerPython(version, "ask.py")
		e.slow = true
		if version == "14" {
			e.atoms += ` \z a\z`
		}
		engines["python3."+version] = e
	}
}

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

var symbols = []string{"a", "b", "k", "S", "\n", "\r", "\u212a", "\u017f", "\u0130", "\u00df", "\u00e9", "\u2028", "\U0001f600", "\xff", "\xe2\x80"}

// share returns how many of n expressions the engine is asked of.
func (e *engine) share(n int) int {
	if e.slow {
		return n / 4
	}
	return n
}

// random returns an expression of an engine.
func (e *engine) random(rng *rand.Rand) string {
	text := e.unwrapped(rng)
	if e.wrap != nil {
		text = e.wrap(rng, text)
	}
	return text
}

// unwrapped is random without the flags of the whole expression. Every fourth expression has groups and references, if
// the engine has any.
func (e *engine) unwrapped(rng *rand.Rand) string {
	if e.recalls != "" && rng.IntN(4) == 0 {
		return e.referring(rng)
	}
	pick := func(list string) string { return strings.Fields(list)[rng.IntN(len(strings.Fields(list)))] }
	var gen func(depth int) string
	gen = func(depth int) string {
		if depth <= 0 {
			return pick(e.atoms)
		}
		switch rng.IntN(8) {
		case 0, 1, 2:
			return gen(depth-1) + gen(depth-1)
		case 3:
			return gen(depth-1) + "|" + gen(depth-1)
		case 4:
			return pick(e.groups) + gen(depth-1) + ")"
		case 5:
			return pick(e.groups) + gen(depth-1) + ")" + pick(e.counts)
		case 6:
			return pick(e.atoms) + pick(e.counts)
		}
		return pick(e.atoms)
	}
	return gen(1 + rng.IntN(5))
}

// referring returns an expression with groups and references.
func (e *engine) referring(rng *rand.Rand) (text string) {
	list := strings.Fields(e.recalls)
	for range 2 + rng.IntN(5) {
		text += list[rng.IntN(len(list))]
	}
	return text
}

// ask returns the answers of the engine: for each expression, whether it matches each of the words.
func (e *engine) ask(t *testing.T, list, texts []string) (answers []string) {
	if e.command == nil {
		for _, text := range texts {
			re, err := regexp.Compile(text)
			if err != nil {
				answers = append(answers, "error")
				continue
			}
			var b strings.Builder
			for _, w := range list {
				b.WriteByte("01"[map[bool]int{true: 1}[re.MatchString(w)]])
			}
			answers = append(answers, b.String())
		}
		return answers
	}
	regex.NeedEngine(t, e.command)
	asked := struct {
		Words       []string `json:"words"`
		Expressions []string `json:"expressions"`
	}{Expressions: texts}
	for _, w := range list {
		asked.Words = append(asked.Words, hex.EncodeToString([]byte(w)))
	}
	in := must.Of(json.Marshal(asked))(t)
	limit := 30 * time.Minute
	if deadline, ok := t.Deadline(); ok { // then the test could not end the engine any more
		limit = min(limit, time.Until(deadline)-10*time.Second)
	}
	out := must.Of(e.answer(t.Context(), in, limit))(t)
	if answers = strings.Fields(string(out)); len(answers) != len(texts) {
		t.Fatalf("%d answers to %d questions", len(answers), len(texts))
	}
	return answers
}

// answer runs the command of an engine with an input, and returns its output. It fails if the command does, or if it has
// not ended after the limit.
func (e *engine) answer(ctx context.Context, in []byte, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, e.command[0], e.command[1:]...)
	c.Stdin, c.Stderr = bytes.NewReader(in), os.Stderr
	// Interrupted, a program of Python ends the engine that it runs. What does not listen is killed.
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 5 * time.Second
	out, err := c.Output()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s has not answered after %v", strings.Join(e.command, " "), limit)
	}
	return out, err
}

var (
	seed  = flag.Uint64("seed", 1, "of the random expressions")
	asked = flag.Int("expressions", 0, "how many random expressions each engine is asked of; 0 is as many as is usual")
)

// TestHalves holds what is assumed of V8: it finds an empty match between the halves of a surrogate pair.
func TestHalves(t *testing.T) {
	e, text := engines["js"], `/(?<![^-]|^)/u`
	r := must.Of(regex.Parse("js", text))(t)
	a := must.Of(r.DFA(nil, regex.Search))(t)
	if got := e.ask(t, []string{"😀", "a"}, []string{text}); got[0] != "10" || a.Match("😀") || len(r.Assumes) < 2 {
		t.Errorf("V8 says %s of %s; assumed: %q", got, text, r.Assumes)
	}
}

// TestEngines asks engines of random expressions on all short words.
func TestEngines(t *testing.T) {
	expressions, length := longtest.Size(150, 1000), longtest.Size(2, 3)
	if *asked > 0 {
		expressions = *asked
	}
	for name, e := range engines {
		t.Run(name, func(t *testing.T) {
			list := words(symbols, length)
			if !e.bytes {
				list = slices.DeleteFunc(list, func(w string) bool { return !utf8.ValidString(w) })
			}
			rng := rand.New(rand.NewPCG(*seed, 2))
			var texts []string
			var read []*regex.Regex
			refused := 0
			for range e.share(expressions) {
				text := e.random(rng)
				r, err := regex.Parse(strings.Fields(name)[0], text)
				if e, ok := errors.AsType[*expr.Error](err); ok && e.Refused {
					refused++
					continue
				}
				texts, read = append(texts, text), append(read, r)
			}
			answers := e.ask(t, list, texts)
			compared, wrong := 0, 0
			for i, text := range texts {
				r := read[i]
				if (r == nil) != (answers[i] == "error") {
					t.Errorf("%q: is an error: here %v, in the engine %v", text, r == nil, answers[i] == "error")
					wrong++
				}
				if r == nil || answers[i] == "error" {
					continue
				}
				a, err := r.DFA(budget.New(t.Context(), budget.Limits{}), regex.Search)
				if errors.Is(err, lang.ErrTooLarge) {
					refused++
					continue
				}
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				for j, w := range list {
					if answers[i][j] == '?' {
						continue // the engine gave up
					}
					compared++
					assumed := strings.Join(r.Assumes, "")
					halves := strings.Contains(assumed, "halves of a surrogate pair") && strings.ContainsRune(w, '😀')
					if strings.Contains(assumed, "to Java 17 it is two there") && strings.ContainsRune(w, '😀') {
						continue
					}
					misses := strings.Contains(assumed, "Ruby 3.1 misses it")
					extra := name == "posix" && strings.Contains(assumed, "regcomp of glibc")
					if (halves || extra) && answers[i][j] == '1' || misses && answers[i][j] == '0' {
						continue
					}
					if (answers[i][j] == '1') != a.Match(w) {
						t.Errorf("%q on %q: the engine says %c", text, w, answers[i][j])
						wrong++
						break
					}
				}
				if wrong > 20 {
					t.FailNow()
				}
			}
			t.Logf("%d comparisons, %d expressions refused", compared, refused)
		})
	}
}

// TestPerlFolds asks Perl of expressions whose case is ignored by the rules of Unicode, where \xdf is two letters s.
func TestPerlFolds(t *testing.T) {
	e := engines["perl"]
	rng := rand.New(rand.NewPCG(*seed, 5))
	pick := func(list string) string { return strings.Fields(list)[rng.IntN(len(strings.Fields(list)))] }
	var body func(depth int) string
	body = func(depth int) string {
		switch {
		case depth == 0:
			return pick(`s s S ss sS sss \xdf \xdfs a - as- s1 \xe9 [sa] [s] [^s] [^\xdf] [\xd0-\xff] . \w \p{Lu} [[:lower:]] \b ^ $ as sa \K (?#c) (?=) s+ s? \xdf* [\xdf] \N{U+73} \x{100}`)
		case rng.IntN(3) == 0:
			return pick("( (?: (?> (?= (?! (?-i: (?i: (?<= (?<!") + body(depth-1) + ")" + pick("| | ? * + {2} {1} {0}") // the bar makes an alternative
		case rng.IntN(4) == 0:
			return body(depth-1) + "|" + body(depth-1)
		}
		return body(depth-1) + body(depth-1)
	}
	var texts []string
	for range longtest.Size(1000, 20000) {
		rules := pick(`\p{Any}{0} \p{Any}{0} (?:)`) // without \p, \xdf is two letters s in the errors of Perl alone
		texts = append(texts, "(?i)"+rules+pick("^ ^ (?:)")+"(?:"+body(1+rng.IntN(3))+")"+pick("$ $ (?:)"))
	}
	list := words([]string{"a", "s", "S", "-", "\xdf", "\xe9", "\xc9"}, 3)
	answers := e.ask(t, list, texts)
	read := 0
	for i, text := range texts {
		r, err := regex.Parse("perl", text)
		if err != nil {
			if e, ok := errors.AsType[*expr.Error](err); answers[i] != "error" && (!ok || !e.Refused) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if answers[i] == "error" {
			t.Errorf("%q is read, and Perl does not compile it", text)
			continue
		}
		read++
		a := must.Of(r.DFA(nil, regex.Search))(t)
		for j, w := range list {
			if answers[i][j] != '?' && (answers[i][j] == '1') != a.Match(w) {
				t.Errorf("%q on %q: Perl says %c", text, w, answers[i][j])
				break
			}
		}
	}
	if read < len(texts)/4 {
		t.Errorf("%d of %d expressions are read", read, len(texts))
	}
	t.Logf("%d of %d expressions are read", read, len(texts))
}

// TestShortLookbehinds asks Perl of lookbehinds whose length varies, up to the largest that it takes.
func TestShortLookbehinds(t *testing.T) {
	longtest.Need(t, "asks Perl of random lookbehinds")
	e := engines["perl"]
	rng := rand.New(rand.NewPCG(*seed, 4))
	pick := func(list string) string { return strings.Fields(list)[rng.IntN(len(strings.Fields(list)))] }
	var body func(depth int) string
	body = func(depth int) string {
		switch {
		case depth == 0:
			return pick(`a b k [ab] [^a] . a b k [ab] [^a] . a? b?? k{0,2} [ab]{1,3} ^ $ \b`)
		case rng.IntN(3) == 0:
			return body(depth-1) + "|" + body(depth-1)
		case rng.IntN(2) == 0:
			return pick("( (?: (?i:") + body(depth-1) + ")" + pick("{1} ? {0,2} {1,2}? {2}")
		}
		return body(depth-1) + body(depth-1)
	}
	texts := []string{`(?<=a{0,254})b`, `(?<=a{0,255})b`, `(?<=a{0,256})b`, `(?<=(?:ab){1,128})b`, `(?<!(?:a|bb){1,127})b`}
	for range *asked + 4000 {
		look := pick("(?<= (?<!") + body(1+rng.IntN(3)) + ")"
		texts = append(texts, pick("a b (a|b) .? ^ (?:a|)")+look+pick(`a b k $ [ab] \b `))
	}
	list := words([]string{"a", "b", "k", "\n"}, 4)
	answers := e.ask(t, list, texts)
	read := 0
	for i, text := range texts {
		r, err := regex.Parse("perl", text)
		if err != nil {
			if e, ok := errors.AsType[*expr.Error](err); !ok || !e.Refused {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if answers[i] == "error" {
			t.Errorf("%q is read, and Perl does not compile it", text)
			continue
		}
		read++
		a := must.Of(r.DFA(nil, regex.Search))(t)
		for j, w := range list {
			if answers[i][j] != '?' && (answers[i][j] == '1') != a.Match(w) {
				t.Errorf("%q on %q: Perl says %c", text, w, answers[i][j])
				break
			}
		}
	}
	if read < len(texts)/2 {
		t.Errorf("%d of %d expressions are read", read, len(texts))
	}
	t.Logf("%d of %d expressions are read", read, len(texts))
}
