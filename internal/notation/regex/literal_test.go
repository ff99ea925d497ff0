package regex_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestLiterals: an operand in the delimiters of its language is the expression inside of them, with its flags.
func TestLiterals(t *testing.T) {
	for _, c := range []struct{ flavor, text, bare string }{
		{"js", `/^a$/i`, `^[aA]$`},
		{"js", ` /^[/]$/ `, `^\/$`},
		{"js", `/^a/y`, `^a`},
		{"perl", `/^a$/i`, `^[aA]$`},
		{"perl", `qr/^a\/b c$/x`, `^a/bc$`},
		{"perl", `m/^(a.)\z/sg`, `^(?s:a.)\z`},
		{"perl", `qr//`, `(?:)`},
		{"perl", `m{^a{2}$}i`, `^[aA]{2}$`}, // all of the text is refused
		{"perl", `qr {^a$}x`, `^a$`},
		{"perl", `m^\^a^`, `^a`}, // all of the text matches nothing, and the \ is gone
		{"perl", `qr'a$b'`, `a$b`},
		{"perl", `/^\Qa.b\E+$/`, `^a\.b+$`},
		{"perl", `/^\Qa\.b\E$/`, `^a\\\.b$`}, // the \ is one of the characters
		{"perl", `m/^\Qa\/(b/`, `^a/\(b`},
		{"perl", `m{^\Qa\}b\E}`, `^a\\\}b`},
		{"perl", `/[\Q-]\E^]/`, `[-\]^]`},
		{"perl", `/^\Qa b\E c$/x`, `^a bc$`},
		{"perl", `/^a\\Qb$/`, `^a\\Qb$`},
		{"perl", `/^\Q\\\E$/`, `^\\\\$`},
		{"perl", "/^\\Q.\\E\\\x00b$/", `^\.\x00b$`},
		{"ruby", `/\A[a-z]+\z/i`, `(?i)\A[a-z]+\z`},
		{"ruby", `/a\/b/`, `a/b`},
		{"ruby", `%r{\Aa{2}/\z}m`, `\Aaa/\z`},
		{"ruby", `%r!a\!b!`, `a!b`},
		{"ruby", `%r-[a\-z]-`, `[a-z]`}, // the \ is gone
		{"ruby", `%r|a\|b|`, `a\|b`},    // and here it is not
		{"ruby", "/a\\\nb/", `ab`},
		{"pcre", `/^a$/i`, `^[aA]$`},
		{"pcre", `/^a$/D`, `^a\z`},
		{"pcre", `/a$|b\Z/D`, `a\z|b$`},
		{"pcre", `/^a$/Dm`, `(?m)^a$`},
		{"pcre", `/a/A`, `^a`},
		{"pcre", `/^a b # c$/x`, `^ab`},
		{"pcre", `/^(a)\z/n`, `^a\z`},
		{"pcre", `/(?>a+)/U`, `(?>a+?)`},
		{"pcre", `~^a/b$~`, `^a/b$`},
		{"pcre", `#^\w$#u`, `(*UTF)(*UCP)^\w$`},
		{"pcre", "/^.$/s\n", "^(?s:.)$"},
		{"pcre", `{^a$}i`, `^[aA]$`}, // all of the text matches nothing
		{"pcre", "/^a b$/i x", `^[aA][bB]$`},
		{"python", `r"^\d\Z"`, `^\d\Z`},
		{"python", `'^\\d\x41\u0042\103\Z'`, `^\dABC\Z`},
		{"python", `"\d"`, `\d`}, // no escape of strings
		{"python", `R'''^a'b\Z'''`, `^a'b\Z`},
		{"python", `u"a"`, `a`},
		{"python", "'''a\r\nb'''", `a\nb`},
		{"go", "`^\\d\r$`", `^\d$`},
		{"go", `"^\\d\x41\u0042\103\n$"`, `^\dABC\n$`},
		{"java", `"^\\d\u0041\103\s$"`, `^\dAC $`},
		{"java", `"\\u0041\ud83d\ude00"`, `A😀`},
		{"java", `"a\uu0022"`, ``},   // Java has a quote before it has strings
		{"ruby", `'\Aa\z'`, `\Aa\z`}, // all of the text matches nothing, and Ruby keeps these backslashes
		{"ruby", `"^a$"`, `^a$`},
		{"perl", `'^ab*$'`, `^ab*$`},
		{"js", `"^\\d$"`, `^\d$`},
		{"js", "`^a$`", `^a$`},
		{"posix", `"^a$"`, `^a$`},
		{"python", `re.compile(r"^\d\Z")`, `^\d\Z`},
		{"python", `word = re.compile('a\x41', )`, `aA`},
		{"go", "regexp.MustCompile(`^\\d$`)", `^\d$`},
		{"go", `var digits = regexp.MustCompile( "^\\d$" )`, `^\d$`},
		{"java", `Pattern.compile("^\\d$");`, `^\d$`},
		{"js", `new RegExp("^\\d$")`, `^\d$`},
		{"js", `const a = RegExp(/^a$/i);`, `^[aA]$`},
		{"js", "String.raw`^\\d$`", `^\d$`},
		{"js", "new RegExp(String.raw`^\\`$`)", "^`$"},
		{"ruby", `Regexp.new('\\Aa\\z')`, `\Aa\z`},
		{"ruby", `Regexp.new(/\Aa\z/i)`, `(?i)\Aa\z`},
		{"rust", `Regex::new(r"^\d$").unwrap()`, `^\d$`},
		{"rust", `let_re = Regex::new("^\\d$")?;`, `^\d$`},
	} {
		got, err := regex.Read(c.flavor, c.flavor, c.text, nil, regex.Search)
		if c.bare == "" {
			if err == nil {
				t.Errorf("%s:%s is read", c.flavor, c.text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s:%s: %v", c.flavor, c.text, err)
			continue
		}
		want := must.Of(must.Of(regex.Parse(c.flavor, c.bare))(t).DFA(nil, regex.Search))(t)
		if a := must.Of(got.DFA(nil, regex.Search))(t); !a.Equal(want) {
			w, _ := a.SymmetricDifference(want).Shortest()
			t.Errorf("%s:%s is not %s: they differ in %q", c.flavor, c.text, c.bare, w)
		}
	}
}

// bareTexts are expressions of each flavor that only look like literals in part.
var bareTexts = map[string]string{
	"pcre":   `a=(b) [a-z]; (?i)a [a-z]+ (a)(b) ^a$ "[^"]*" #[0-9]{3} ~a %[0-9A-F]{2} (?:ab) (*UTF)a -?\d+`,
	"python": `"[^"]*" rb /a/ b"?`[:16],
	"go":     `"[^"]*" /a/ 'a'`,
	"java":   `"[^"]*" /a/ a="b"`,
	"js":     `"[^"]*" a=b; a/b \/a/`,
	"ruby":   `"[^"]*" a/b %r %ra`,
	"rust":   `"[^"]*" /a/ r# ra`,
	"posix":  `"[^"]*" /a/`,
	"perl":   `"[^"]*" m.*foo.*bar s/ m#a yes\.yes m_a_ \$a qr*a m|a|b|c`,
}

// TestBare: an expression that only looks like a literal in part is itself.
func TestBare(t *testing.T) {
	for flavor, texts := range bareTexts {
		for _, text := range strings.Fields(texts) {
			got, err := regex.Read(flavor, flavor, text, nil, regex.Search)
			if err != nil {
				t.Errorf("%s:%s: %v", flavor, text, err)
				continue
			}
			want := must.Of(must.Of(regex.Parse(flavor, text))(t).DFA(nil, regex.Search))(t)
			if !must.Of(got.DFA(nil, regex.Search))(t).Equal(want) {
				t.Errorf("%s:%s is read otherwise", flavor, text)
			}
		}
	}
}

// A noLiteral is an operand that is an error.
type noLiteral struct {
	flavor, text, want string
	spellings          int
}

// noLiterals are operands that are errors, with a part of the message and the number of spellings that it proposes.
var noLiterals = []noLiteral{
	{"pcre", `(ab)`, "can be read in two ways: write pcre:/ab/ for the expression inside of (...), and pcre:(?:(ab)) for all of the text", 2},
	{"pcre", `(ab)i`, "write pcre:/ab/i", 2},
	{"pcre", `[a-z]`, "write pcre:/a-z/", 2},
	{"pcre", `{a/~}`, "write pcre:#a/~#", 2},
	{"pcre", `{a/~#}`, `write pcre:/a\/~#/`, 2},
	{"pcre", `%a%i`, "write pcre:/a/i", 2},
	{"pcre", `|a|`, "two ways", 2},
	{"pcre", `"a"`, "two ways", 2},
	{"pcre", `'/a/i'`, "two ways", 2},
	{"pcre", `(a) i`, "write pcre:/a/i for the expression inside of (...)", 0},
	{"pcre", `/a/;`, "no flags of /.../", 1},
	{"perl", `//i`, "an empty pattern stands for the last one that matched", 0},
	{"perl", `m//`, "an empty pattern", 0},
	{"perl", `/\Q\E/`, "an empty pattern", 0},
	{"perl", `m!a!;`, "write perl:/a/ for the expression inside of the statement, and perl:(?:m!a!;) for all of the text", 2},
	{"perl", `m|a|i;`, "two ways: write perl:/a/i for the expression inside of the statement", 2},
	{"perl", `$re=qr/a/i;`, "two ways: write perl:qr/a/i for", 2},
	{"perl", `my $re = qr/a/i;`, "two ways: write perl:qr/a/i for", 0},
	{"js", `re=/a/i`, "two ways: write js:/a/i for the expression inside of the statement", 2},
	{"js", `const re = /a/i;`, "two ways: write js:/a/i for", 0},
	{"ruby", `RE=%r{a}i`, "two ways: write ruby:%r{a}i for", 2},
	{"python", `re=r"a"`, `two ways: write python:r"a" for`, 2},
	{"python", `ur"a"`, "Python 3 has no strings with the prefix ur", 1},
	{"java", `"a";`, `two ways: write java:"a" for`, 2},
	{"go", "re:=`a`", "two ways: write go:`a` for", 2},
	{"rust", `re=r"a";`, `two ways: write rust:r"a" for`, 2},
	{"rust", "r\"a\r\"", "a carriage return in Rust's raw string", 0},
	{"perl", `m|^a$|`, "two ways: write perl:/^a$/ for the expression inside of m|...|, and perl:(?:m|^a$|) for all of the text", 2},
	{"perl", `qr?a|b?i`, "write perl:/a|b/i", 2},
	{"perl", `m(a|b)`, "write perl:/a|b/ for", 2},
	{"perl", `m<(a)>x`, "write perl:/(a)/x for", 2},
	{"perl", `qr#a|#`, "write perl:/a|/", 2},
	{"perl", `m|a\|b|`, "write perl:/a|b/", 2}, // without the \
	{"perl", `m[a\]b]`, `write perl:/a\]b/`, 2},
	{"perl", `s|a|b|`, "write perl:/a/ for the expression inside of s|...|...|", 2},
	{"perl", `s(a)(b)g`, "write perl:/a/g for the expression inside of s(...)(...)", 2},
	{"perl", `tr|a|b|`, "tr|...|...| replaces characters", 1},
	{"perl", `y/a/b/`, "replaces characters", 1},
	{"perl", `"a|"`, "write perl:/a|/", 2},
	{"perl", `$a=~ /a|/`, "the expression begins after $a=~", 0},
	{"perl", `qr/a/ig`, "qr has no flag g", 1},
	{"python", `re.fullmatch(r"a|",s)`, `write python:r"..."`, 2},
	{"go", `regexp.MatchString("a|",s)`, "write go:`...`", 2},
	{"java", `Pattern.matches("a|",s)`, `write java:"..."`, 2},
	{"rust", `RegexBuilder::new("a|")`, `write rust:r"..."`, 2},
	// The language reads another expression in these quotes: Aaz, one with the value of $", ^d$, and ^.$.
	{"ruby", `"\Aa\z"`, `two ways: write ruby:/\Aa\z/ for the expression inside of the quotes, and ruby:(?:"\Aa\z") for all`, 2},
	{"perl", `"^ab*$"`, `two ways: write perl:/^ab*$/`, 2},
	{"js", `"^\d$"`, `two ways: write js:/^\d$/`, 2},
	{"js", `'^\.$'`, `two ways: write js:/^\.$/`, 2},
	{"rust", `"^\d$"`, `two ways: write rust:^\d$ for`, 2},
	{"rust", `"a|b"`, `two ways: write rust:a|b for`, 2},
	{"js", `"a"`, "write js:/a/", 2},
	{"js", "`a`", "write js:/a/", 2},
	{"js", `"a\\/b"`, `write js:/a\/b/`, 2},
	{"ruby", `'a'`, "write ruby:/a/", 2},
	{"posix", `'a'`, `write posix:a for the expression inside of the quotes, and posix:('a')`, 2},
	{"js", `/a`, "/.../ is not closed by /: write js:/a/ for the expression inside of it, and js:(?:/a) for all of the text", 2},
	{"js", `/[/]`, "is not closed", 2},
	{"js", `/[a`, "is not closed by /; the text as it stands is", 1},
	{"js", `/a\/`, "is not closed", 2},
	{"js", `//`, "begins a comment", 1},
	{"js", `/a/b/`, `js:1:3: a / inside of /.../ needs a \ before it`, 1},
	{"js", `/a/k`, "js:1:4: there is no flag k", 1},
	{"js", `/a/ii`, "js:1:5: the flag i is there twice", 0},
	{"js", `/a/.test(s)`, "is no flags of /.../", 1},
	{"ruby", `/a`, "write ruby:/a/", 2},
	{"ruby", `/a/b`, "there is no flag b", 1},
	{"ruby", `/[/]/`, "needs a \\ before it", 1},
	{"ruby", `/a/n`, "the flag n, for another encoding, is not supported", 0},
	{"ruby", `/a#{b}/`, "what #{ inserts is not known", 0},
	{"ruby", `%r{a`, "write ruby:%r{a}", 2},
	{"pcre", `/a`, "write pcre:/a/", 2},
	{"pcre", `/a/b/i`, "needs a \\ before it", 1},
	{"pcre", `/a/e`, "pcre:1:4: there is no flag e", 1},
	{"pcre", `#a#z`, "there is no flag z", 1},
	{"pcre", `#^a(?#c)$#i`, "a # inside of #...# needs a \\ before it", 1},
	{"pcre", `~a~{2}~`, "a ~ inside of ~...~ needs a \\ before it", 1},
	{"python", `r"a`, `write python:r"a" for`, 2},
	{"python", `r"a" "b"`, "two strings", 0},
	{"python", `r"a".b`, "there is more behind", 1},
	{"python", `f"a"`, "formatted", 0},
	{"python", `"a\x4"`, "no escape of Python's strings", 1},
	{"python", `b"é"`, "holds ASCII characters alone", 1},
	{"python", `b"\\u0041"`, `\u is no escape`, 0},
	{"go", "`a", "write go:`a`", 2},
	{"go", "`a`i", "there is more behind", 1},
	{"go", `"\d"`, "go:1:2: no escape of Go's strings", 1},
	{"go", `"\xff"`, "not UTF-8", 0},
	{"java", `"\d"`, "java:1:2: no escape of Java's strings", 1},
	{"java", `"a" + "b"`, "two strings", 0},
	{"java", `"""a"""`, "text block", 0},
	{"python", `re.compile(a)`, `python:1:1: re.compile(...) is a call whose argument is not one literal: write python:r"..." for the expression, and python:(?:re.compile(a)) for all`, 2},
	{"python", `re.compile(r"a",re.I)`, "more behind", 1},
	{"python", `re.compile("a",re.I)`, "not one literal", 2},
	{"go", "regexp.MustCompile(`a`+b)", "more behind", 1},
	{"go", `regexp.MustCompile(a)`, "write go:`...`", 2},
	{"go", `regexp.MustCompilePOSIX("a")`, "write go:`...`", 2},
	{"java", `Pattern.compile("a",Pattern.DOTALL)`, `write java:"..."`, 2},
	{"js", `new RegExp("a","i")`, "write js:/.../", 0}, // which has a space
	{"js", `RegExp("a\n")`, "write js:/.../", 2},
	{"js", "String.raw`${a}`", "write js:/.../", 2},
	{"js", "String.raw`a`+b", "write js:/.../", 2},
	{"ruby", `Regexp.new("a#{b}")`, "write ruby:/.../", 2},
	{"rust", `Regex::new("\n")`, `write rust:r"..."`, 2},
	{"pcre", `preg_match('/a/',$s)`, "write pcre:/.../", 2},
	{"posix", `regcomp(&r,"a",1)`, "write posix:...", 2},
}

// TestNoLiteral: what can be meant in two ways, and what begins as a literal and is none, is an error with the spellings that
// have one meaning. Each of those is read.
func TestNoLiteral(t *testing.T) {
	spelling := regexp.MustCompile(`(?:write|for the expression(?: inside of \S+(?: \S+)?)?, and|the text as it stands is) (\w+):(\S+)`)
	for _, c := range noLiterals {
		_, err := regex.Read(c.flavor, c.flavor, c.text, nil, regex.Search)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:%s: %v, want %s", c.flavor, c.text, err, c.want)
			continue
		}
		found := spelling.FindAllStringSubmatch(err.Error(), -1)
		if len(found) != c.spellings && !strings.ContainsAny(c.text, " ") {
			t.Errorf("%s:%s: %d spellings in %v", c.flavor, c.text, len(found), err)
		}
		var read []*regex.Regex
		for _, s := range found {
			r, err := regex.Read(s[1], s[1], s[2], nil, regex.Search)
			if err == nil {
				read = append(read, r)
			} else if c.spellings == 2 {
				t.Errorf("%s:%s: %s is no way to write it: %v", c.flavor, c.text, s[0], err)
			}
		}
		if len(read) == 2 && strings.Contains(err.Error(), "two ways") && c.text[0] != '(' && same(t, read[0], read[1]) {
			t.Errorf("%s:%s: both ways to write it are one in %v", c.flavor, c.text, err)
		}
	}
}

// literals are what literals are made of, for each engine that is asked, around the expressions of a few symbols.
var literals = map[string]struct{ opens, inside, closes string }{
	"go":     {"` `` \" \" \"", `a b \\d \d [^a] . ^ $ \n \\n \x41 \xe9 \u00e9 \101 \' \" ' \q \\ é (b) \U0001f600`, "` \" \" \" `i \"\" "},
	"java":   {`" " " "`, `a b \\d \d [^a] . ^ $ \n \\n \u0041 \uu0062 \\u0061 \101 \7 \400 \' \" ' \q \\ é (b) \ud83d\ude00 \s \x`, `" " " "" " `},
	"js":     {"/ / / /", `a b \d [^a] . ^ $ \n \/ [/] / * é (b) \u0041 [\]/a]`, "/ /i /iu /s /m /gi /ii /k /uv "},
	"pcre":   {"/ / ~ # {", `a b \d [^a] . ^ $ \n \/ / ~ # \~ \# { } {2} é (b) \R`, "/ /i /u /iu /x /D /U /A /s /m /n /Dm / /X /J /e /ii ~ ~u # #i }i } /i\n "},
	"perl":   {"/ / / / / m/ m/ qr/ qr/ m{ qr( m| qr? m! qr, m' qr[ m< qr# m^", `a b \d \n [^a] . ^ $ | \| ? \? \! \, \{ \} \( \) \[ \] \< \> \^ {2} (b) (a|b) # \# ! < > \Q \E \Q \E \Qa.\E \\ \/ \} \x{e9} \U é`, "/ /i /x / / / / / / } }i ) | ? ! , ' ] > # ^"},
	"python": {`" ' r" b" rb' R' ''' r""" u" br""" B'`, `a b \\d \d [^a] . ^ $ \n \\n \x41 \xe9 \u00e9 \101 \0 \' \" ' " \q \\ é (b) \U0001f600 \N \400 \w`, `" ' " ' " ' ''' """ "i "b `},
	"ruby":   {"/ / / %r{ %r( %r! %r- %r[ %r|", `a b \d [^a] . ^ $ \n \/ / { } {2} é (b) ! \! - \- [a\-b] | \| # #{ #@a #$a #a \# \) \u0041`, "/ /i /m /x /o /u /ii /k } }i ) ! - ] | "},
}

// unread matches the errors of what a language reads and is not read here: an operand of two meanings, two strings that are one, and a
// comment of Ruby behind a literal.
var unread = regexp.MustCompile("two ways|^two strings|^`#.* is no flags of|^a . inside of .* needs a")

// TestLiteralsEngines asks engines of random literals: what they read is read alike or refused, and what they do not read is not
// read as a literal.
func TestLiteralsEngines(t *testing.T) {
	list := words([]string{"a", "A", "b", "\n", "/", "é", "d", "\\"}, 2)
	for name, parts := range literals {
		t.Run(name, func(t *testing.T) {
			e := engines[name]
			e.command = append(append([]string{}, e.command...), "literal")
			rng := rand.New(rand.NewPCG(*seed, 7))
			pick := func(list string) string { all := strings.Split(list, " "); return all[rng.IntN(len(all))] }
			var texts []string
			for range longtest.Size(400, 4000) {
				text := pick(parts.opens)
				for range 1 + rng.IntN(4) {
					text += pick(parts.inside)
				}
				texts = append(texts, text+pick(parts.closes))
			}
			var answers []string
			if name == "go" {
				answers = askGo(list, texts)
			} else {
				answers = e.ask(t, list, texts)
			}
			compared, refused, rejected := 0, 0, 0
			for i, text := range texts {
				r, err := regex.Read(name, name, text, budget.New(t.Context(), budget.Limits{}), regex.Search)
				if answers[i] == "error" {
					if err != nil {
						rejected++
					} else if bare, err := regex.ParseFile(name, name, text); err != nil || !same(t, r, bare) {
						t.Errorf("%q is read, and not by the engine", text)
					}
					continue
				}
				if e, ok := errors.AsType[*expr.Error](err); ok && (e.Refused || unread.MatchString(e.Message)) {
					refused++
					continue
				}
				if err != nil {
					t.Errorf("%q: %v, which the engine reads", text, err)
					continue
				}
				compared++
				a := must.Of(r.DFA(nil, regex.Search))(t)
				for j, w := range list {
					if answers[i][j] != '?' && (answers[i][j] == '1') != a.Match(w) {
						t.Errorf("%q on %q: the engine says %c", text, w, answers[i][j])
						break
					}
				}
			}
			t.Logf("%d literals compared, %d refused, %d are none to either", compared, refused, rejected)
			if compared < len(texts)/20 || rejected < len(texts)/20 {
				t.Error("too few were compared")
			}
		})
	}
}

// same reports whether two expressions match the same strings.
func same(t *testing.T, r, s *regex.Regex) bool {
	return must.Of(r.DFA(nil, regex.Search))(t).Equal(must.Of(s.DFA(nil, regex.Search))(t))
}

// askGo answers as the other engines do.
func askGo(list, texts []string) (answers []string) {
	for _, text := range texts {
		pattern, err := strconv.Unquote(text)
		if err == nil {
			_, err = regexp.Compile(pattern)
		}
		if err != nil || strings.HasPrefix(text, "'") || !utf8.ValidString(pattern) {
			answers = append(answers, "error")
			continue
		}
		re := regexp.MustCompile(pattern)
		answer := make([]byte, len(list))
		for i, w := range list {
			answer[i] = '0'
			if re.MatchString(w) {
				answer[i] = '1'
			}
		}
		answers = append(answers, string(answer))
	}
	return answers
}

// FuzzRead reads any text in every flavor: an error has a place in the text.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"/a/i", "`a", `r"\N`, `"\u00`, "%r", "%r{", `b'\`, "#", "\\", "'", `"\`, "/\\"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, flavor := range regex.Flavors() {
			_, err := regex.Read(flavor, flavor, text, budget.New(t.Context(), budget.Limits{Steps: 1 << 16}), regex.Search)
			e, placed := errors.AsType[*expr.Error](err)
			switch {
			case err == nil || errors.Is(err, budget.ErrTooLarge):
			case !placed || e.Pos.Line < 1 || e.Pos.Line > 1+strings.Count(text, "\n") || e.Pos.Col < 1 || e.Pos.Col > len(text)+1:
				t.Errorf("%s: %v", flavor, err)
			}
		}
	})
}
