package peg_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file checks the model against pigeon: random grammars are read by this package and made into automata in both
// ways, and compiled by pigeon, without options and with those that the parsers under gen/ are generated with. All answer
// for all words over a few characters, up to a length.

var (
	pegs    = flag.Int("pegs", 120, "how many random grammars to compile with pigeon")
	pegSeed = flag.Uint64("pegseed", 1, "where the random grammars begin")
)

// chunk is how many grammars are compiled at once.
const chunk = 300

func TestPigeonAgrees(t *testing.T) {
	longtest.Need(t, "pigeon compiles random grammars")
	if testing.Short() {
		t.Skip("compiles parsers")
	}
	census := map[string]int{}
	compared := 0
	for from := 0; from < *pegs; from += chunk {
		compared += agree(t, from, min(chunk, *pegs-from), census)
	}
	t.Logf("%d grammars, %d comparisons of words", *pegs, compared)
	for _, k := range slices.Sorted(maps.Keys(census)) {
		t.Logf("%6d %s", census[k], k)
	}
	for _, what := range append(constructs, refusals...) {
		if census[what.name] == 0 {
			t.Errorf("the sample has no %s", what.name)
		}
	}
}

// A named expression finds something in a grammar, or in the message that refuses it.
type named struct{ name, form string }

// constructs is what some grammar must have that is compared.
var constructs = []named{
	{"literal", `"[^"]+"[^i]`},
	{"literal that ignores case", `"[^"]+"i`},
	{"literal in single quotes", `'(\\?[^']|\\.+?)'`},
	{"raw literal", "`[^`]+`"},
	{"empty literal", `""`},
	{"escape of a byte", `\\x[0-9a-fA-F]{2}`},
	{"octal escape", `\\[0-3][0-7]{2}`},
	{"escape of a character", `\\u[0-9a-fA-F]{4}`},
	{"long escape of a character", `\\U[0-9a-fA-F]{8}`},
	{"escape by a letter", `\\[abfnrtv]`},
	{"literal with a byte that is not UTF-8", `"[^"]*\\x[fF]{2}`},
	{"K, the Kelvin sign", `\x{212a}|212[aA]`},
	{"İ", `İ|0130`},
	{"ſ", `ſ|017[fF]`},
	{"class", `\[[^\]^]`},
	{"inverted class", `\[\^[^\]]`},
	{"empty class", `\[\]`},
	{"class of everything", `\[\^\]`},
	{"class that ignores case", `[^\]]\]i`},
	{"range", `\[[^\]]*[^\[^]-[^\]]`},
	{"Unicode class", `\\p[LMNCPZS]`},
	{"Unicode class by name", `\\p\{`},
	{"any character", `(?m)[ (&!:]\.`},
	{"and", `&[^{]`},
	{"not", `![^{]`},
	{"option", `\?`},
	{"star", `\*`},
	{"plus", `\+`},
	{"choice", ` / `},
	{"label", `v[0-9]:`},
	{"action", `\{ return`},
	{"action that calls", `\{ return c\.node`},
	{"display name", `_[abc] "`},
	{"comment", `//|/\*`},
	{"semicolon", `;`},
	{"arrow", `←|⟵`},
	{"recursion", `_a \)\?`},
	{"reference", `g\d+_[bc] `},
}

// refusals is what some grammar must be refused for.
var refusals = []named{
	{"refusal: predicate", `a predicate with code`},
	{"refusal: state change", `a state change with code`},
	{"refusal: throw", `throw operator`},
	{"refusal: recovery", `recovery operator`},
	{"refusal: action that may fail", `an action that may return an error`},
	{"refusal: basic Latin", `-optimize-basic-latin`},
	{"refusal: range", `range out of order`},
	{"refusal: star over nothing", `can match the empty word`},
	{"refusal: left recursion", `before it has read anything`},
	{"refusal: recursion", `other than at its end`},
}

// traps are always compared: what chance seldom finds.
var traps = []struct{ rule, over string }{
	{`"\uFFFD"`, "\ufffdx"},
	{`"\xE9"`, "\ufffdé"},
	{`'\xE9' .?`, "\ufffdé"},
	{`( "x\uFFFD" / "x" ) "\xff"?`, "x\ufffd"},
	{`"\xC3\xA9"`, "éÃ"},
	{`[\xE9]`, "éÃ"},
	{`[^\uFFFD]`, "a\ufffd"},
	{`[\uFFFD]`, "a\ufffd"},
	{`[\p{Lt}]i`, "\u01c5\u01c6"},
	{`[^\p{Lt}]i`, "\u01c4\u01c5\u01c6"},
	{`[\p{Nl}]i`, "Ⅰⅰ"},
	{`[a\x2dz]`, "amz-"},
	{`[a\pZ-z]`, "amz- "},
	{`[a-c-z]`, "bdz-"},
	{`[-a-c]`, "b-"},
	{`[--/]`, ".-"},
	{`[+-\]]`, "+Z]"},
	{`[^-a]`, "^-a"},
	{"`\r\n`", "\r\n"},
	{`"K"i`, "kK\u212a"},
	{`"\u212a"i`, "kK\u212a"},
	{`"İ"i`, "iIİ"},
	{`"ſ"i`, "sSſ"},
	{`"ẞ"i`, "ßẞ"},
	{`"Σ"i`, "σςΣ"},
	{`[k]i`, "kK\u212a"},
	{`[^k]i`, "kK\u212a"},
	{`[À-Ý]i`, "àÀÿ×"},
	{`!"\uFFFD" .`, "a\ufffd"},
	{`"a" / "ab" / "abc"`, "abc"},
	{`( "a" / "ab" ) "c"`, "abc"},
	{`&( "a" { return nil, nil } ) . "b"?`, "ab"},
	{`!( ( v:"a" { return v, nil } ) "b" )? "a"`, "ab"},
}

var place = regexp.MustCompile(`^g\d+\.peg:\d+:\d+: `)

// A subject is a grammar that is read and that pigeon compiles.
type subject struct {
	Prefix  string // of its rules
	Entries []string
	Words   []string

	text      string
	g, strict *expr.Grammar // with bytes that are not UTF-8 let through, and without
	dfas      []*lang.DFA   // of each entry
}

// An answer is what pigeon's parsers say of each entry's words, a byte for each: 1, 0, or ? for one that takes too long.
type answer struct{ Plain, Memoized, Strict, Optimized, OptimizedStrict [][]byte }

// agree compares some grammars and returns how many answers of pigeon were compared.
func agree(t *testing.T, from, n int, census map[string]int) (compared int) {
	t.Helper()
	var subjects []*subject
	for i := from - len(traps); i < from+n; i++ {
		if i < from && from > 0 {
			continue
		}
		m := &maker{Rand: rand.New(rand.NewPCG(*pegSeed, uint64(i))), prefix: fmt.Sprintf("g%d_", i+len(traps))}
		if i < 0 {
			trap := traps[-i-1]
			m.theme = []rune(trap.over)
			m.fixed = strings.NewReplacer("X_", m.prefix).Replace("X_a <- " + trap.rule + "\nX_b <- X_a / .\nX_c <- X_a\nX_a_entry <- X_a !.\nX_b_entry <- X_b !.\n")
		}
		s, err := m.subject(fmt.Sprintf("g%d.peg", i+len(traps)))
		if err != nil {
			if !place.MatchString(err.Error()) {
				t.Errorf("refused without a place: %v\n%s", err, s.text)
			}
			known := false
			for _, r := range refusals {
				if regexp.MustCompile(r.form).MatchString(err.Error()) {
					census[r.name]++
					known = true
				}
			}
			if !known {
				t.Errorf("refused for a reason of its own: %v\n%s", err, s.text)
			}
			continue
		}
		for _, c := range constructs {
			if regexp.MustCompile(c.form).MatchString(s.text) {
				census[c.name]++
			}
		}
		subjects = append(subjects, s)
	}

	answers := pigeons(t, subjects)
	failures := 0
	for i, s := range subjects {
		assumed := slices.ContainsFunc(peg.Assumptions(s.g), func(a peg.Assumption) bool { return strings.Contains(a.Text, "AllowInvalidUTF8") })
		for e, id := range s.Entries {
			for j, w := range s.Words {
				want := s.dfas[e].Match(w)
				wrong := func(who string, got any) {
					if failures++; failures <= 10 {
						t.Errorf("seed %d: %s of %q: %s %v, the model %v\n%s", *pegSeed, id, w, who, got, want, s.text)
					}
				}
				if end, _ := peg.Match(s.g, expr.To(id), w, 0); (end == len(w)) != want {
					wrong("the interpreter", !want)
				}
				valid := utf8.ValidString(w)
				if end, _ := peg.Match(s.strict, expr.To(id), w, 0); (end == len(w)) != (want && valid) {
					wrong("the model of AllowInvalidUTF8(false)", !(want && valid))
				}
				if want && !valid && !assumed {
					wrong("the list of assumptions", "UTF-8 only")
				}
				a := answers[i]
				for _, p := range []struct {
					name   string
					answer byte
					want   bool
				}{
					{"pigeon", a.Plain[e][j], want},
					{"pigeon, Memoize(true)", a.Memoized[e][j], want},
					{"pigeon, AllowInvalidUTF8(false)", a.Strict[e][j], want && valid},
					{"pigeon -optimize-parser -optimize-basic-latin", a.Optimized[e][j], want},
					{"pigeon -optimize-parser -optimize-basic-latin, AllowInvalidUTF8(false)", a.OptimizedStrict[e][j],
						want && valid},
				} {
					compared++
					if p.answer != map[bool]byte{false: '0', true: '1'}[p.want] {
						wrong(p.name, string(p.answer))
					}
				}
			}
		}
	}
	return compared
}

// subject makes a grammar, reads it, and makes automata of its entries.
func (m *maker) subject(file string) (*subject, error) {
	s := &subject{Prefix: m.prefix, text: m.grammar()}
	s.Words = m.words()
	o := peg.Options{InvalidUTF8: true, ActionsSucceed: !m.mayFail}
	g, err := o.Read(file, []byte(s.text))
	if err != nil {
		return s, err
	}
	s.g = g
	o.InvalidUTF8 = false
	if s.strict, err = o.Read(file, []byte(s.text)); err != nil {
		return s, err
	}
	if _, err := lang.FromPEG(g, m.prefix+"c"); err != nil { // which pigeon compiles as well
		return s, err
	}
	for _, name := range []string{"a", "b"} {
		id := m.prefix + name + "_entry"
		whole, err := lang.FromPEG(g, id)
		if err != nil {
			return s, err
		}
		rule, err := lang.FromPEG(g, m.prefix+name)
		if err != nil {
			return s, err
		}
		if !whole.Equal(rule) {
			return s, fmt.Errorf("%s: the ways to its automaton differ", id)
		}
		s.Entries = append(s.Entries, id)
		s.dfas = append(s.dfas, whole)
	}
	return s, nil
}

// pigeons compiles the grammars, in one file, and asks the parsers.
func pigeons(t *testing.T, subjects []*subject) []answer {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"main.go": harnessMain}
	for _, p := range []struct {
		name    string
		flags   []string
		memoize string
	}{
		{"plain", nil, "Memoize(true)"},
		{"optimized", []string{"-nolint", "-optimize-parser", "-optimize-basic-latin"}, "AllowInvalidUTF8(true)"},
	} {
		text := strings.ReplaceAll(initializer, "PACKAGE", p.name)
		for _, s := range subjects {
			text += s.text
		}
		file := filepath.Join(dir, p.name+".peg")
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		parser, err := exec.Command("go", append(append([]string{"tool", "pigeon"}, p.flags...), file)...).Output()
		if err != nil {
			msg := ""
			if e, ok := err.(*exec.ExitError); ok {
				msg = string(e.Stderr)
			}
			t.Fatalf("pigeon refuses what is read here: %v: %s\n%.3000s", err, msg, text)
		}
		files[p.name+"/parser.go"] = string(parser)
		files[p.name+"/ask.go"] = strings.NewReplacer("PACKAGE", p.name, "MEMOIZE", p.memoize).Replace(harnessAsk)
	}
	var in, out bytes.Buffer
	must.Do(t, gob.NewEncoder(&in).Encode(subjects))
	cmd := exec.Command(build(t, dir, files))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	must.Do(t, cmd.Run())
	var answers []answer
	must.Do(t, gob.NewDecoder(&out).Decode(&answers))
	return answers
}

// build compiles a program of this module whose files are laid over it, and returns its path.
func build(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	here := must.Of(os.Getwd())(t)
	replace := map[string]string{}
	for name, text := range files {
		at := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		must.Do(t, os.WriteFile(at, []byte(text), 0o666))
		replace[filepath.Join(here, "harness", name)] = at
	}
	overlay := must.Of(json.Marshal(map[string]any{"Replace": replace}))(t)
	at := filepath.Join(dir, "overlay.json")
	must.Do(t, os.WriteFile(at, overlay, 0o666))
	program := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-overlay", at, "-o", program, "./harness").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// initializer begins the file of all grammars.
const initializer = `{
package PACKAGE

func (c *current) node(id string, v any) (any, error) {
	if id == "" {
		return nil, nil
	}
	return []any{id, v}, nil
}
}
`

const harnessMain = `package main

import (
	"encoding/gob"
	"log"
	"os"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg/harness/optimized"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg/harness/plain"
)

func main() {
	var subjects []struct {
		Prefix         string
		Entries, Words []string
	}
	if err := gob.NewDecoder(os.Stdin).Decode(&subjects); err != nil {
		log.Fatal(err)
	}
	answers := make([]struct{ Plain, Memoized, Strict, Optimized, OptimizedStrict [][]byte }, len(subjects))
	for i, s := range subjects {
		a := &answers[i]
		for _, e := range s.Entries {
			a.Plain = append(a.Plain, plain.Ask(s.Prefix, e, s.Words, true, false))
			a.Memoized = append(a.Memoized, plain.Ask(s.Prefix, e, s.Words, true, true))
			a.Strict = append(a.Strict, plain.Ask(s.Prefix, e, s.Words, false, false))
			a.Optimized = append(a.Optimized, optimized.Ask(s.Prefix, e, s.Words, true, false))
			a.OptimizedStrict = append(a.OptimizedStrict, optimized.Ask(s.Prefix, e, s.Words, false, false))
		}
	}
	if err := gob.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}
`

// harnessAsk asks a parser with the rules of one grammar at a time: pigeon's parser makes a table of all rules for each
// word.
const harnessAsk = `package PACKAGE

import "strings"

var everything = g

func Ask(prefix, entry string, words []string, invalid, memoize bool) []byte {
	g = &grammar{}
	for _, r := range everything.rules {
		if strings.HasPrefix(r.name, prefix) {
			g.rules = append(g.rules, r)
		}
	}
	out := make([]byte, len(words))
	for i, w := range words {
		options := []Option{Entrypoint(entry), AllowInvalidUTF8(invalid), MaxExpressions(10000)}
		if memoize {
			options = append(options, MEMOIZE)
		}
		_, err := Parse("", []byte(w), options...)
		switch {
		case err == nil:
			out[i] = '1'
		case strings.Contains(err.Error(), "max number of expressions"):
			out[i] = '?'
		default:
			out[i] = '0'
		}
	}
	return out
}
`

// A maker makes random grammars: the notation of all that pigeon reads, over few characters.
type maker struct {
	*rand.Rand
	prefix  string
	theme   []rune
	rules   []string // that can be referred to
	labels  int
	mayFail bool   // some action may: the others do nothing but return values, which is vouched for
	fixed   string // the grammar, where it is not random
}

// pool is what themes are taken from: letters that fold to others, also oddly, and what the notation uses.
var pool = []rune("aabbkK\u212a\u212aKkK\u212asSſiIİıåÅÅéÉßẞ\u01c4\u01c5\u01c6σςΣzZ0-]^\\\"'`\n\t. \u00ff\u0080\u0000\ufffd\ufffd\uffff𐐀𐐨\U0010ffff{}")

func (m *maker) one(of ...string) string { return of[m.IntN(len(of))] }

func (m *maker) odds(n int) bool { return m.IntN(n) == 0 }

func (m *maker) grammar() string {
	if m.fixed != "" {
		return m.fixed
	}
	for range 2 + m.IntN(3) {
		m.theme = append(m.theme, pool[m.IntN(len(pool))])
	}
	var b strings.Builder
	for i, name := range []string{"a", "b", "c"} {
		m.rules = []string{"b ", "c "}[i:]
		if i == 2 {
			m.rules = nil
		}
		fmt.Fprintf(&b, "%s%s%s %s ", m.prefix, name, m.one("", "", ` "A"`, " `b\n`", ` "\u00e9"`, " '\\''"), m.one("<-", "<-", "=", "←", "⟵"))
		text, _ := m.choice(2)
		switch {
		case name == "a" && m.odds(5):
			text = "( " + text + " ) ( \"k\" " + m.prefix + "a )?"
		case m.odds(30):
			text = m.prefix + name + " ( " + text + " )"
		case m.odds(30):
			text = "( " + text + " ) \"x\" ( " + m.prefix + name + " \"y\" )?"
		}
		b.WriteString(text + m.one("\n", "\n", " ;\n", ";", " // rest\n", " /* rest */\n", "\n// {\n;\n"))
		if m.odds(4) {
			b.WriteString("\n/* between\n */\n")
		}
	}
	for _, name := range []string{"a", "b"} {
		fmt.Fprintf(&b, "%s%s_entry <- %s%s !.\n", m.prefix, name, m.prefix, name)
	}
	return b.String()
}

// choice, and what it calls, return an expression and whether it may match without reading.
func (m *maker) choice(depth int) (string, bool) {
	text, empty := m.action(depth)
	for m.odds(4) {
		t, e := m.action(depth)
		text += " / " + t
		empty = empty || e
	}
	if m.odds(80) {
		text += " //{oops} " + m.one(`"x"`, ".")
	}
	return text, empty
}

func (m *maker) action(depth int) (string, bool) {
	text, empty := m.labeled(depth)
	for m.odds(3) {
		t, e := m.labeled(depth)
		text += m.one(" ", " ", "\n\t", " /* c */ ") + t
		empty = empty && e
	}
	if m.odds(3) {
		text += " " + m.code()
	}
	return text, empty
}

// code returns an action. Few may fail; what the others do besides returning a value is not always seen.
func (m *maker) code() string {
	if m.odds(50) {
		m.mayFail = true
		return m.one(
			`{ return nil, errors.New("no") }`,
			`{ if len(c.text) > 1 { return nil, errors.New("long") }; return nil, nil }`,
			`{ return strconv.Atoi(string(c.text)) }`,
			`{ nil := errors.New("x"); return 1, nil }`,
			`{ return c.other() }`,
		)
	}
	return m.one(
		`{ return nil, nil }`,
		`{ return string(c.text), nil }`,
		`{ return c.text, nil }`,
		"{\n\tif len(c.text) > 1 {\n\t\treturn 1, nil // }\n\t}\n\treturn \"}\", nil\n}",
		"{ f := func() error { return errors.New(\"}\") }; _ = f; return `{`, nil }",
		`{ return '{', nil }`,
		`{ return c.node("x", nil) }`,
		`{ return c.node("", string(c.text)) }`,
	)
}

func (m *maker) labeled(depth int) (string, bool) {
	if m.odds(80) {
		return m.one("%{oops}", "&{ return true, nil }", "!{ return false, nil }", "#{ return nil }", "#{ return nil }?"), true
	}
	text, empty := m.prefixed(depth)
	if m.odds(4) {
		m.labels++
		text = fmt.Sprintf("v%d:%s%s", m.labels%10, m.one("", " "), text)
		if m.labels%10 == 0 {
			m.labels = 0
		}
	}
	return text, empty
}

func (m *maker) prefixed(depth int) (string, bool) {
	text, empty := m.suffixed(depth)
	if m.odds(6) {
		return m.one("&", "!", "! ") + text, true
	}
	return text, empty
}

func (m *maker) suffixed(depth int) (string, bool) {
	text, empty := m.primary(depth)
	switch {
	case !m.odds(3):
		return text, empty
	case empty && !m.odds(30):
		return text + "?", true
	}
	op := m.one("?", "*", "+", " *")
	return text + op, op != "+" || empty
}

func (m *maker) primary(depth int) (string, bool) {
	n := m.IntN(10)
	switch {
	case depth > 0 && n < 2:
		text, empty := m.choice(depth - 1)
		return "( " + text + " )", empty
	case len(m.rules) > 0 && n < 5:
		return m.prefix + m.one(m.rules...), true
	case n < 6:
		return m.class()
	case n < 7 && m.odds(2):
		return ".", false
	}
	return m.literal()
}

func (m *maker) rune() rune { return m.theme[m.IntN(len(m.theme))] }

// char writes a character inside quotes; in a class a byte escape stands for a character.
func (m *maker) char(r rune, plain bool, class bool) string {
	if plain && r != '\n' && m.odds(2) {
		return string(r)
	}
	if letter := strings.IndexRune("\a\b\f\n\r\t\v", r); letter >= 0 && r != 0 && m.odds(2) {
		return `\` + `abfnrtv`[letter:letter+1]
	}
	if r < utf8.RuneSelf || class && r <= 0xff {
		return fmt.Sprintf(m.one(`\x%02x`, `\%03o`, `\u%04x`), r)
	}
	if !class && m.odds(4) {
		var b strings.Builder
		for _, x := range []byte(string(r)) {
			fmt.Fprintf(&b, m.one(`\x%02X`, `\%03o`), x)
		}
		return b.String()
	}
	if r <= 0xffff && m.odds(2) {
		return fmt.Sprintf(`\u%04X`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func (m *maker) literal() (string, bool) {
	fold := m.one("", "", "i")
	switch {
	case m.odds(8):
		if r := m.rune(); r != '`' && r != 0 {
			return "`" + string(r) + m.one("", "\n", "\r") + "`" + fold, false
		}
	case m.odds(6):
		r := m.rune()
		if r == '\'' {
			return `'\''` + fold, false
		}
		return "'" + m.char(r, r != '\\', r >= utf8.RuneSelf) + "'" + fold, r == utf8.RuneError
	case m.odds(20):
		return `""` + fold, true
	}
	var b strings.Builder
	empty := true
	for range 1 + m.IntN(3) {
		if m.odds(12) {
			b.WriteString(m.one(`\xff`, `\xE2`, `\377`, `\x84`))
			continue
		}
		r := m.rune()
		empty = empty && r == utf8.RuneError
		if r == '"' && m.odds(2) {
			b.WriteString(`\"`)
		} else {
			b.WriteString(m.char(r, r != '"' && r != '\\', false))
		}
	}
	return `"` + b.String() + `"` + fold, empty
}

func (m *maker) class() (string, bool) {
	if m.odds(20) {
		return m.one("[]", "[^]", "[]i", "[^]i"), false
	}
	var b strings.Builder
	member := func(r rune) string {
		switch r {
		case ']':
			return m.one(`\]`, `\x5d`)
		case '\\':
			return `\\`
		case '^':
			return `\x5e`
		}
		return m.char(r, true, true)
	}
	fold := m.one("", "", "", "i")
	for range 1 + m.IntN(3) {
		switch n := m.IntN(12); {
		case n < 3:
			lo, hi := m.rune(), m.rune()
			if lo > hi {
				lo, hi = hi, lo
			}
			b.WriteString(member(lo) + m.one("-", "-", `\x2d`) + member(hi))
		case n < 4 && (fold == "" || m.odds(5)):
			b.WriteString(m.one(`\pZ`, `\p{Zs}`, `\p{Lt}`, `\p{ASCII_Hex_Digit}`, `\p{Pc}`, `\p{Kannada}`, `\p{Sk}`))
		case n < 5:
			r := m.rune()
			b.WriteString(member(r) + `\pZ-` + member(min(r+rune(m.IntN(3)), unicode.MaxRune)))
		default:
			b.WriteString(member(m.rune()))
		}
	}
	return "[" + m.one("", "", "^") + b.String() + "]" + fold, false
}

// words lists the words over the grammar's characters, those that they fold to, and bytes that are not UTF-8.
func (m *maker) words() []string {
	var letters []string
	add := func(s string) {
		if !slices.Contains(letters, s) {
			letters = append(letters, s)
		}
	}
	for _, r := range m.theme {
		add(string(r))
	}
	for _, i := range m.Perm(len(m.theme)) {
		r := m.theme[i]
		for _, f := range []rune{unicode.SimpleFold(r), unicode.ToLower(r), unicode.ToUpper(r), unicode.SimpleFold(unicode.SimpleFold(r))} {
			if len(letters) < 6 {
				add(string(f))
			}
		}
	}
	add(m.one("\xff", "\xe2", "\xe2\x84", "\x84", "\xc5", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\xef\xbf"))
	add(m.one("x", "\ufffd", "\xaa", "\xbd", "k", "K"))
	words := []string{""}
	for level := words; len(words)*len(letters) < 1500; {
		var next []string
		for _, w := range level {
			for _, l := range letters {
				next = append(next, w+l)
			}
		}
		words, level = append(words, next...), next
	}
	return words
}

// What pigeon's own front refuses is refused here. Grammars are damaged at random: pieces of the notation are put in,
// taken out and moved.
func TestPigeonRefuses(t *testing.T) {
	longtest.Need(t, "it compiles pigeon's front")
	if testing.Short() {
		t.Skip("compiles pigeon's front")
	}
	out := must.Of(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/mna/pigeon").Output())(t)
	files := map[string]string{"front.go": frontMain}
	for _, name := range []string{"main.go", "pigeon.go", "reserved_words.go", "unicode_classes.go"} {
		text := must.Of(os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), name)))(t)
		files[name] = strings.Replace(string(text), "\nfunc main()", "\nfunc generate()", 1)
	}
	pieces := []string{
		"a", "b", "type ", "nil:", "v:", "'", "\"", "`", "\\", "\\'", "\\x4", "\\400", "\\u12", "\\ud800", "[", "]",
		"[a-", "-", "^", "\\p", "\\pL", "\\p{Lu}",
		"{", "}", "{ return nil, nil }", "{ '{' }", "{ \"}\" }", "//{", "//", "/*", "*/", "/", "\n", ";", "(", ")", "&",
		"!", "#{ }", "&{ }", "%{x}",
		"?", "*", "+", "i", ".", "<-", "=", " ", "\r", "\"x\" ", "_c", "\xff", "\ufeff", "x <- y",
	}
	rnd := rand.New(rand.NewPCG(*pegSeed, 99))
	var texts []string
	for i := range 10 * *pegs {
		m := &maker{Rand: rnd, prefix: "g_"}
		text := m.grammar()
		if i%3 == 0 {
			text = "{\npackage p\n}\n" + text
		}
		for range 1 + rnd.IntN(3) {
			at := rnd.IntN(len(text))
			end := min(len(text), at+rnd.IntN(4))
			switch rnd.IntN(3) {
			case 0:
				text = text[:at] + text[end:]
			case 1:
				text = text[:at] + pieces[rnd.IntN(len(pieces))] + text[at:]
			default:
				text = text[:at] + pieces[rnd.IntN(len(pieces))] + text[end:]
			}
		}
		texts = append(texts, text)
	}
	var in, answers bytes.Buffer
	must.Do(t, gob.NewEncoder(&in).Encode(texts))
	cmd := exec.Command(build(t, t.TempDir(), files))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &answers, os.Stderr
	must.Do(t, cmd.Run())
	var refusals []string // pigeon's messages, "" where it reads the text
	must.Do(t, gob.NewDecoder(&answers).Decode(&refusals))
	// What pigeon reads may be refused for these reasons.
	stricter := regexp.MustCompile(`is not supported|is defined twice|is not defined|range out of order|invalid escape|depends on pigeon's option|is not Go|does not compile`)
	both, neither, failures := 0, 0, 0
	for i, text := range texts {
		_, err := peg.Options{ActionsSucceed: true}.Read("t.peg", []byte(text))
		switch refused := refusals[i] != ""; {
		case err == nil && refused:
			if failures++; failures < 10 {
				t.Errorf("read, and refused by pigeon: %s\n%q", refusals[i], text)
			}
		case err != nil && !refused && !stricter.MatchString(err.Error()):
			if failures++; failures < 10 {
				t.Errorf("read by pigeon, and refused: %v\n%q", err, text)
			}
		case err == nil:
			both++
		case refused:
			neither++
		}
	}
	t.Logf("%d texts: %d read by both, %d by neither", len(texts), both, neither)
	if both < len(texts)/20 || neither < len(texts)/20 {
		t.Errorf("of %d texts %d are read by both and %d by neither", len(texts), both, neither)
	}
}

const frontMain = `package main

import (
	"encoding/gob"
	"log"
	"os"
)

func main() {
	var texts []string
	if err := gob.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		log.Fatal(err)
	}
	refusals := make([]string, len(texts))
	for i, text := range texts {
		if _, err := Parse("", []byte(text)); err != nil {
			refusals[i] = err.Error()
		}
	}
	if err := gob.NewEncoder(os.Stdout).Encode(refusals); err != nil {
		log.Fatal(err)
	}
}
`
