// Package regexps_test judges functions and regular expressions of published packages that check a format: an address, a URI, a
// version. It installs each package at a pinned version, asks the function about strings that tell the rule of the format from all its
// mutants, and compares the function's regular expression, if it has one, with the rule exactly. Every string on which a function
// differs from the rule belongs to a cause, which people have described and put into a list; a string that has none fails the test.
//
// The files are: formats.tsv, the rule of each format; rules.abnf, those rules that no built-in grammar has; packages.tsv and
// functions.tsv, what is asked; causes.tsv, what sets them apart; testdata/pins, the versions.
package regexps_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// A format has one rule, by which every package is judged.
type format struct {
	name, rule, text, why string
	except                *regexp.Regexp // of strings that are left out
	examples              []string       // strings of the format that look as they do in use

	language *lang.DFA
	words    []string // that are asked of every function of the format
}

// A pack is a package with the functions that are asked.
type pack struct {
	kind, module, language, imports, prelude string
	version                                  string
	functions                                []*function
}

// A function takes a string and accepts it or not.
type function struct {
	pack               *pack
	number             int
	name, call         string // the call has the string s
	format             *format
	claimedIn, claim   string // "" for a function that says nothing
	file, find         string // where its expression stands, if it has one: right behind find
	value, flavor      string // the expression of a program that gives it, and its flavor
	text               string // the expression
	line, where        int    // of the expression, and of the claim
	words              []string
	answers            []bool
	expressionIsEqual  bool
	causes             []*cause
	unlisted           [2][]string // strings of no cause: rejected though derived, accepted though not
	shares             [2]bool     // whether there are strings that both accept, or that both reject, as far as its expression tells
	accepted, rejected int         // strings on which function and rule agree
}

// evaluated reports whether the expression is asked of a program, and not read in the source.
func (f *function) evaluated() bool {
	return f.value != "" && (f.pack.language != "go" || strings.Contains(f.value, "."))
}

// The sides on which a function can differ from its rule.
const (
	rejects = iota
	accepts
)

// A cause sets functions of a package apart from their rules: on one side, in the strings that match a pattern and no earlier cause's.
type cause struct {
	module    string
	functions *regexp.Regexp // names
	names     string         // as they stand in the file
	side      int
	pattern   *regexp.Regexp
	list      string
	file      string // where the quotation stands: in the package, or the number of an RFC
	quote     string
	string    string // to be shown instead of the shortest; "" for that
	sentence  string
	reported  string // an issue or a pull request that is about it; "" where none was found

	line  int // of the quotation
	words map[*function][]string
}

// readTable returns the rows of a file, which begins with a remark and the names of its columns.
func readTable(t *testing.T, file string, columns int) (rows [][]string) {
	t.Helper()
	text := must.Of(os.ReadFile(file))(t)
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[2:] {
		row := strings.Split(line, "\t")
		if len(row) != columns {
			t.Fatalf("%s: row %d has %d columns, not %d", file, i+1, len(row), columns)
		}
		rows = append(rows, row)
	}
	return rows
}

// tables are what the four files say.
type tables struct {
	formats  []*format
	packages []*pack
	causes   []*cause
}

// functions returns the functions of all packages.
func (s *tables) functions() (list []*function) {
	for _, p := range s.packages {
		list = append(list, p.functions...)
	}
	return list
}

// readTables reads the files.
func readTables(t *testing.T) *tables {
	t.Helper()
	s := &tables{}
	formats, packages := map[string]*format{}, map[string]*pack{}
	for _, c := range readTable(t, "formats.tsv", 6) {
		f := &format{name: c[0], rule: c[1], text: c[2], why: c[3]}
		if c[5] != "" {
			f.examples = strings.Split(c[5], "  ")
		}
		if c[4] != "" {
			f.except = must.Of(regexp.Compile(c[4]))(t)
		}
		s.formats = append(s.formats, f)
		formats[f.name] = f
	}
	for _, c := range readTable(t, "packages.tsv", 5) {
		p := &pack{kind: c[0], module: c[1], language: c[2], imports: c[3], prelude: c[4]}
		s.packages = append(s.packages, p)
		packages[p.module] = p
	}
	newlines := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	for i, c := range readTable(t, "functions.tsv", 10) {
		p, of := packages[c[0]], formats[c[2]]
		if p == nil || of == nil {
			t.Fatalf("functions.tsv: %s %s: no such package, or no format %q", c[0], c[1], c[2])
		}
		p.functions = append(p.functions, &function{
			pack: p, number: i, name: c[1], format: of, call: c[3], claimedIn: c[4], claim: c[5],
			file: c[6], find: newlines.Replace(c[7]), value: c[8], flavor: c[9],
		})
	}
	for _, c := range readTable(t, "causes.tsv", 10) {
		side := slices.Index([]string{"rejects", "accepts"}, c[2])
		if side < 0 || packages[c[0]] == nil || lists[c[4]] == nil {
			t.Fatalf("causes.tsv: %s %s: no such package, side %q or list %q", c[0], c[1], c[2], c[4])
		}
		s.causes = append(s.causes, &cause{
			module: c[0], names: c[1], functions: must.Of(regexp.Compile("^(?:" + c[1] + ")$"))(t), side: side,
			pattern: must.Of(regexp.Compile("(?s)" + c[3]))(t), list: c[4], file: c[5], quote: c[6],
			string: unquoted(t, c[7]), sentence: c[8], reported: c[9], words: map[*function][]string{},
		})
	}
	return s
}

// unquoted returns the string that a column has, with the escapes of Go.
func unquoted(t *testing.T, s string) string {
	t.Helper()
	if s == "" {
		return ""
	}
	return must.Of(strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`))(t)
}

// open opens a rule, of the built-in grammars, of rules.abnf, or of a file of a package in the folder.
func open(t *testing.T, folder, name string) (*catalog.Opened, *expr.Rule) {
	t.Helper()
	name = withoutLength(name)
	o := catalog.Usual
	if file, rule, _ := strings.Cut(name, "#"); strings.HasPrefix(file, "node_modules/") {
		text := string(must.Of(os.ReadFile(filepath.Join(folder, file)))(t))
		if _, block, ok := strings.Cut(text, "```abnf\n"); ok {
			text, _, _ = strings.Cut(block, "```")
		}
		file = filepath.Join(t.TempDir(), "rules.abnf")
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		name = file + "#" + rule
		o.Notation.StandardNames = true
		o.Notation.Values = bnf.CodePoints
	}
	if strings.HasPrefix(name, "rules.abnf") {
		o.Notation.Values = bnf.CodePoints
	}
	opened := must.Of(catalog.Open(name, o))(t)
	r := must.Of(opened.Start())(t)
	return opened, r
}

// languageOf returns the strings that a rule derives, up to the length behind an @.
func languageOf(t *testing.T, folder, rule string) *lang.DFA {
	t.Helper()
	opened, r := open(t, folder, rule)
	a := must.Of(opened.Automaton(r))(t)
	if n, limited := lengthOf(rule); limited {
		a = a.Intersect(upTo(t, n))
	}
	return a
}

// lengthOf returns the length up to which a rule is meant.
func lengthOf(rule string) (n int, limited bool) {
	text, limited := strings.CutPrefix(rule, withoutLength(rule)+"@")
	n, _ = strconv.Atoi(text)
	return n, limited
}

// withoutLength returns a rule without the length that follows it.
func withoutLength(rule string) string {
	file, name, _ := strings.Cut(rule, "#")
	name, _, _ = strings.Cut(name, "@")
	return file + "#" + name
}

// upTo returns the strings of at most so many bytes.
func upTo(t *testing.T, n int) *lang.DFA {
	t.Helper()
	return must.Of(lang.FromExpr(&expr.Grammar{}, expr.Times(expr.In(expr.AnyByte), 0, n)))(t)
}

// mostWords caps the words that kill mutants, of those there are many more of the larger rules: the ones that kill most come first.
const mostWords = 1500

// prepare finds the language of a format, and the words that its functions are asked.
func (f *format) prepare(t *testing.T, folder string) {
	t.Helper()
	f.language = languageOf(t, folder, f.rule)
	opened, _ := open(t, folder, f.rule)
	s, _, err := conform.Subject(opened)
	must.Do(t, err)
	plan := must.Of(s.Plan(vectors.Options{Parts: []vectors.Part{vectors.Mutants}, Most: mostWords}))(t)
	for v := range plan.Vectors() {
		f.words = append(f.words, v.Input)
	}
	for _, w := range f.examples {
		if !f.language.Match(w) {
			t.Errorf("formats.tsv: %s: %q is none", f.name, w)
		}
	}
	bases := append(some(f.language, 12), f.examples...)
	f.words = append(f.words, bases...)
	for _, b := range bases {
		f.words = append(f.words, edits(b)...)
	}
	if n, limited := lengthOf(f.rule); limited {
		exactly := func(n int) *lang.DFA { return upTo(t, n).Minus(upTo(t, n-1)) }
		long := languageOf(t, folder, withoutLength(f.rule))
		for _, length := range []int{1, 2, n - 1, n, n + 1, n + 100} {
			if w, ok := long.Intersect(exactly(length)).Shortest(); ok {
				f.words = append(f.words, w, w+".", w+"\n")
			}
		}
	}
}

// inserted are what programs let through that look at less than all of a string, or fold case as Unicode does: what stands before, in
// or after an accepted string.
var inserted = []string{
	"\n", "\r\n", "\x00", " ", "\t", "\u00a0", "\u2028", "\u00e9", "\u017f", "\u212a", "\u0130", "\uff11", "\u0661", "\x7f",
	"%", "%zz", "\"", "'", "<", ">", "{", "}", "|", "\\", "^", "`", ";", ",", "/", ":", "@", "[", "]", "#", "?", ".", "-", "_", "0", "a", "v", "V",
}

// lookalikes are characters that engines which fold case as Unicode does take for ASCII letters, and digits of other scripts.
var lookalikes = map[byte]string{'k': "\u212a", 's': "\u017f", 'i': "\u0130", '1': "\u0661", '0': "\uff10"}

// edits returns strings one edit away from an accepted string.
func edits(w string) (list []string) {
	for _, x := range inserted {
		list = append(list, x+w, w+x, w[:len(w)/2]+x+w[len(w)/2:])
	}
	for i := range len(w) {
		if x, ok := lookalikes[w[i]]; ok {
			list = append(list, w[:i]+x+w[i+1:])
		}
		if i < 80 {
			list = append(list, w[:i]+w[i+1:], w[:i]+" "+w[i+1:])
		}
	}
	return append(list, strings.ToUpper(w), strings.ToLower(w), w+w, w+"."+w)
}

// some returns words that take the transitions of an automaton: up to n of those it accepts, at equal distances.
func some(a *lang.DFA, n int) (list []string) {
	cover := slices.DeleteFunc(a.TransitionCover(), func(w string) bool { return !a.Match(w) })
	n = min(len(cover), n)
	for i := range n {
		list = append(list, cover[i*len(cover)/n])
	}
	return list
}

// maxOfExpression caps the words of each region between an expression and its rule.
const maxOfExpression = 120

// prepare compares the expression of a function with the rule, and finds the words to ask.
// The strings that its causes name are known to tell.
func (f *function) prepare(t *testing.T, known []string, complain complaint) {
	t.Helper()
	words := slices.Concat(f.format.words, known)
	f.shares = [2]bool{true, true}
	text := must.Of(lang.Text())(t)
	if f.text != "" {
		flavor, full := strings.CutSuffix(f.flavor, " full")
		match := regex.Search
		if full {
			match = regex.Full
		}
		x, err := regex.Parse(flavor, f.text)
		var a *lang.DFA
		if err == nil {
			a, err = x.DFA(nil, match)
		}
		if err != nil {
			complain("%s %s: %s: %v", f.pack.module, f.pack.version, f.name, err)
		} else {
			a = a.Intersect(text) // what all engines can be given
			want := f.format.language.Intersect(text)
			f.expressionIsEqual = a.Equal(want)
			if n, limited := lengthOf(f.format.rule); limited { // which a function can check beside its expression
				f.expressionIsEqual = a.Intersect(upTo(t, n)).Equal(want)
			}
			f.shares = [2]bool{!a.Disjoint(want), !text.Minus(a).Minus(want).IsEmpty()}
			for _, region := range []*lang.DFA{a.Minus(want), want.Minus(a), a.Intersect(want)} {
				words = append(words, some(region, maxOfExpression)...)
			}
		}
	}
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] && text.Match(w) && (f.format.except == nil || !f.format.except.MatchString(w)) {
			seen[w] = true
			f.words = append(f.words, w)
		}
	}
}

// judge puts each string on which the function differs into a cause. A function that rejects all that the rule derives, or accepts
// all that it does not, was not asked in the right way.
func (f *function) judge(causes []*cause, complain complaint) {
	if len(f.answers) != len(f.words) {
		complain("%s %s: %d answers to %d questions", f.pack.module, f.name, len(f.answers), len(f.words))
		return
	}
	for i, w := range f.words {
		yes := f.answers[i]
		switch derived := f.format.language.Match(w); {
		case yes == derived && yes:
			f.accepted++
		case yes == derived:
			f.rejected++
		default:
			side := rejects
			if yes {
				side = accepts
			}
			at := slices.IndexFunc(causes, func(c *cause) bool {
				return c.module == f.pack.module && c.side == side && c.functions.MatchString(f.name) && c.pattern.MatchString(w)
			})
			if at < 0 {
				f.unlisted[side] = append(f.unlisted[side], w)
				continue
			}
			c := causes[at]
			if c.words[f] == nil {
				f.causes = append(f.causes, c)
			}
			c.words[f] = append(c.words[f], w)
		}
	}
	if f.accepted == 0 && f.shares[0] || f.rejected == 0 && f.shares[1] {
		complain("%s %s accepts %d strings that %s derives, and rejects %d that it does not: it is not asked in the right way",
			f.pack.module, f.name, f.accepted, f.format.rule, f.rejected)
	}
	for side, list := range f.unlisted {
		if len(list) > 0 {
			slices.SortFunc(list, byLength)
			complain("%s %s: it %s %d strings of no cause: %q", f.pack.module, f.name, sideNames[side], len(list), list[:min(len(list), 12)])
		}
	}
}

var sideNames = [...]string{"rejects", "accepts"}

// byLength orders strings by length.
func byLength(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }

// shown returns the string of a cause that is shown for a function: the one that the cause names, or else the shortest.
func (c *cause) shown(f *function) string {
	if slices.Contains(c.words[f], c.string) {
		return c.string
	}
	return slices.MinFunc(c.words[f], byLength)
}

// A complaint is called for what is not as the tables say: an error at the pinned versions, a piece of news at newer ones.
type complaint func(format string, args ...any)

// TestJudge asks the packages at their pinned versions, and writes docs/regular-expressions.md.
func TestJudge(t *testing.T) {
	longtest.Need(t, "reads packages from their registries")
	s := readTables(t)
	folder := install(t, s.packages, pinned)
	s.judge(t, folder, t.Errorf)
	if !t.Failed() {
		s.write(t, folder)
	}
}

// named returns the strings that the causes of a function name.
func (s *tables) named(f *function) (words []string) {
	for _, c := range s.causes {
		if c.string != "" && c.module == f.pack.module && c.functions.MatchString(f.name) {
			words = append(words, c.string)
		}
	}
	return words
}

// judge asks all functions.
func (s *tables) judge(t *testing.T, folder string, complain complaint) {
	t.Helper()
	writePrograms(t, folder, s.packages)
	run(t, folder, nil, "go", "build", "-mod=mod", "-o", "calls", ".")
	for _, p := range s.packages {
		p.locate(t, folder, complain)
	}
	ask(t, folder, s.packages, complain, func(*function) []string { return nil }) // which gives the expressions
	for _, f := range s.functions() {
		if f.format.language == nil {
			f.format.prepare(t, folder)
		}
		f.prepare(t, s.named(f), complain)
	}
	ask(t, folder, s.packages, complain, func(f *function) []string { return f.words })
	for _, f := range s.functions() {
		f.judge(s.causes, complain)
		slices.SortFunc(f.causes, func(a, b *cause) int { return slices.Index(s.causes, a) - slices.Index(s.causes, b) })
	}
	for _, c := range s.causes {
		if len(c.words) == 0 {
			complain("causes.tsv: %s %s %s %q has no string", c.module, c.names, sideNames[c.side], c.pattern)
		}
		shown := c.string == ""
		for f, words := range c.words {
			shown = shown || slices.Contains(words, c.string)
			if c.list == "contradicts" && f.claim == "" {
				complain("causes.tsv: %s %s has no claim that %q could contradict", c.module, f.name, c.sentence)
			}
		}
		if !shown {
			complain("causes.tsv: %s %s: %q is not a string of %q", c.module, c.names, c.string, c.sentence)
		}
		c.locate(t, folder, s.packages, complain)
	}
}
