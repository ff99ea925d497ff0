package regexps_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

var (
	heldAgainst = regexp.MustCompile(`^; RFC (\d+): (?:([=<>]) (.*)|"(.*)")$`)
	ruleName    = regexp.MustCompile(`^([a-z][a-z0-9-]*) +=`)
)

// TestRules holds rules.abnf against the texts that it cites: those in the folders of RFCs, and for productions else those that are
// built in, which are held against their texts line by line.
func TestRules(t *testing.T) {
	src := must.Of(os.ReadFile("rules.abnf"))(t)
	var claims [][]string
	inBlock := false // whether a claim stands before the rule in its block
	held := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		if m := heldAgainst.FindStringSubmatch(line); m != nil {
			claims, inBlock = append(claims, m), true
		} else if m := ruleName.FindStringSubmatch(line); m != nil {
			for _, c := range claims {
				t.Run(m[1]+" RFC "+c[1], func(t *testing.T) { hold(t, m[1], "rfc"+c[1], c[2], c[3], c[4]) })
			}
			held[m[1]] = inBlock
			claims = nil
		} else if line == "" {
			inBlock = false
		}
	}
	if len(claims) > 0 {
		t.Error("claims without a rule")
	}
	for _, f := range readTables(t).formats {
		name, ours := strings.CutPrefix(withoutLength(f.rule), "rules.abnf#")
		if ours && !held[name] && !slices.Contains([]string{"semver", "html-email", "name", "fqdn", "digest"}, name) {
			t.Errorf("%s is held against no text", name)
		}
	}
}

// TestWritten writes docs/written-expressions.md: expressions for rules of published grammars, each read back as its engine reads it
// and compared with the rule.
func TestWritten(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("skipped without BNFCHECK_ZOO: other people's grammars")
	}
	page := must.Of(os.ReadFile("testdata/written.md"))(t)
	var b strings.Builder
	for _, name := range []string{"rfc3339.abnf#date-time", "toml.abnf#float", "bcp47.abnf#langtag", "rfc9110.abnf#entity-tag", "rfc3629.abnf#UTF8-octets"} {
		fmt.Fprintf(&b, "## %s\n\n", name)
		opened, start := open(t, "", filepath.Join(folder, "abnf", name))
		a := must.Of(opened.Automaton(start))(t)
		fmt.Fprintf(&b, "```\n%s\n```\n\n", strings.TrimSpace(start.Printed))
		for _, flavor := range []string{"go", "js", "python", "pcre"} {
			fmt.Fprintf(&b, "`bnfcheck regexp %s --flavor %s`", name, flavor)
			x, err := bnftoregexp.New(opened.Within, start, a, bnftoregexp.Of(flavor), bnftoregexp.Options{})
			if err != nil {
				fmt.Fprintf(&b, ": refused, %s\n\n", strings.ReplaceAll(err.Error(), folder+"/abnf/", ""))
				continue
			}
			r := must.Of(regex.Parse(flavor, x.String()))(t)
			back := must.Of(r.DFA(nil, regex.Search))(t)
			want, assumed := a, r.Assumes
			if x.Assumed != "" {
				text := must.Of(lang.Text())(t)
				back, want, assumed = back.Intersect(text), a.Intersect(text), append(assumed, x.Assumed)
			}
			if !back.Equal(want) {
				t.Errorf("%s in %s: %s is another language", name, flavor, x)
			}
			fmt.Fprintf(&b, ", equal to the rule in all strings (%s):\n\n```\n%s\n```\n\n", strings.Join(assumed, "; "), x)
		}
	}
	text := strings.NewReplacer("{{expressions}}", strings.TrimSpace(b.String()), "{{flavors}}", strings.TrimSpace(flavors(t)))
	goldentest.Whole(t, "../../docs/written-expressions.md", text.Replace(string(page)))
}

// refusals are expressions that their engines take and that are refused here, a class of them each.
var refusals = map[string]string{
	"go":     `a(?i)*`,
	"java":   `a\b \R \X (?u) (?U) (?d) (a*)\1 (?<=a+) [a&&b&&c] \uD83D`,
	"js":     `/(a*)\1/ /[[a]--b]/vi /[^]/v /[\q{ab}]/v /\p{Script_Extensions=Greek}/u`,
	"pcre":   `(a*)\1 (?R) a(?1)(b(?1)) (*ACCEPT) (?<=a+) \X \C (?(1)a) (?C) (*UCP)a (?=a)b*a`,
	"perl":   `(a*)\1 (?i)\p{L}[\xdf] (?i)\p{L}s[s] (?i)\p{L}(?:as|b) (?<=a*) \N{SPACE} (?i)\x{100} \Q.\E (?a)a (?=\d*)\D (?<=(?=a)) a{,2}`,
	"posix":  `(a*)\1 a{1 *a ^* a{2,1} [[.a.]] [[=a=]]`,
	"python": `(a*)\1 (?P=n) (?(1)a) (?<=a+) (?a)(?u:\w)`,
	"js2025": `/(?i:\b)x/u /(?-i:[\n-a])/i`,
	"rust":   `(?x)a (?-u:a) [a--b] [a~~b] [[:alph:]] \p{greek}`,
	"ruby":   `(a*)\1 \g<0> (?<=a+) \X (?i)ß \M-a (?~a) []a]`,
}

// refusalsOf returns the errors for the refusals of a flavor, each of which is to be one.
func refusalsOf(t *testing.T, flavor string) (list []error) {
	for _, text := range strings.Fields(refusals[flavor]) {
		_, err := regex.Parse(flavor, text)
		if e, ok := errors.AsType[*expr.Error](err); !ok || !e.Refused {
			t.Errorf("%s %s is not refused: %v", flavor, text, err)
		}
		list = append(list, err)
	}
	return list
}

// TestRefusals: each flavor has refusals, and those are refused. A version of a flavor may have those of the flavor alone.
func TestRefusals(t *testing.T) {
	for _, flavor := range regex.Flavors() {
		if language := strings.TrimRight(flavor, "0123456789."); refusals[flavor]+refusals[language] == "" {
			t.Errorf("there are no refusals of %s", flavor)
		}
		refusalsOf(t, flavor)
	}
}

// flavors returns a table of what each flavor stands for, and a list of what is refused.
func flavors(t *testing.T) string {
	var table, list strings.Builder
	for _, name := range regex.Flavors() {
		assumed, _ := strings.CutPrefix(must.Of(regex.Parse(name, "a"))(t).Assumes[0], name+": ")
		engine, alphabet, _ := strings.Cut(assumed, "; ")
		tables := "-"
		if name != "posix" {
			tables = must.Of(regex.Parse(name, "a"))(t).Unicode.Version
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", name, engine, tables, alphabet)
		for i, err := range refusalsOf(t, name) {
			fmt.Fprintf(&list, "- `%s:%s`: %v\n", name, strings.Fields(refusals[name])[i], err)
		}
	}
	return table.String() + "\nRefused, with the place, is what is not regular and what is not read here as the engine reads it:\n\n" + list.String()
}

// hold decides a claim about a rule: that it is equal to, within or around an expression with the names of a text, or that a
// sentence stands there.
func hold(t *testing.T, name, rfc, relation, expression, sentence string) {
	var text string
	for _, folder := range []string{os.Getenv("BNFCHECK_RFCS"), os.Getenv("BNFCHECK_RFC")} {
		if file := filepath.Join(folder, rfc+".txt"); folder != "" && text == "" {
			if _, err := os.Stat(file); err == nil {
				text = file
			}
		}
	}
	if relation == "" {
		src, err := os.ReadFile(text)
		if err != nil {
			t.Skip("no text of " + rfc)
		}
		if words := func(s string) string { return strings.Join(strings.Fields(s), " ") }; !strings.Contains(words(string(src)), words(sentence)) {
			t.Errorf("%s does not have %q", rfc, sentence)
		}
		return
	}
	if text == "" {
		text = rfc
		built := bnf.Standard(rfc)
		if built == nil || !strings.Contains(expression, " ") && built.Rule(expression) == nil {
			t.Skip("no text of " + rfc)
		}
	}
	o := catalog.Usual
	o.Notation.Values, o.Notation.StandardNames = bnf.CodePoints, true
	nesting := 3
	o.Nesting = &nesting // of comments in RFC 5322
	file, prose := text+"#"+expression, strings.Split(expression, ", ")
	if len(prose) > 1 { // what the text has in words, or not at all
		src := must.Of(os.ReadFile(text))(t)
		file = text + "#" + prose[0]
		o.Notation.Instead = map[string]bnf.Replacement{}
		for _, p := range prose[1:] {
			name, means, _ := strings.Cut(p, " = ")
			if to := (bnf.Replacement{Production: name, Text: means}); strings.Contains(string(src), "<"+name+"> ::=") {
				o.Notation.Instead[name] = to
			} else {
				o.Notation.Define = append(o.Notation.Define, to)
			}
		}
	} else if text == rfc || strings.Contains(expression, " ") {
		file = filepath.Join(t.TempDir(), "held.abnf")
		must.Do(t, os.WriteFile(file, []byte("held = "+expression+"\n"), 0o666))
		var err error
		if o.Notation.Imports, err = catalog.Imports([]string{text}, bnf.DefaultMaxSize); err != nil {
			t.Fatal(err)
		}
	}
	automaton := func(name string, o catalog.Options) *lang.DFA {
		opened := must.Of(catalog.Open(name, o))(t)
		start := must.Of(opened.Start())(t)
		a := must.Of(opened.Automaton(start))(t)
		return a
	}
	want := automaton(file, o)
	o.Notation.Imports, o.Notation.Instead, o.Notation.Define = nil, nil, nil
	got := automaton("rules.abnf#"+name, o)
	word, more := got.Minus(want).Shortest()
	if more != (relation == ">") {
		t.Errorf("%s %s %s: more than the text: %q", name, relation, expression, word)
	}
	word, less := want.Minus(got).Shortest()
	if less && text == rfc && !utf8.ValidString(word) {
		t.Skip("the built-in grammar of " + rfc + " is of octets, and the rule of characters: its text is needed")
	}
	if less != (relation == "<") {
		t.Errorf("%s %s %s: less than the text: %q", name, relation, expression, word)
	}
}
