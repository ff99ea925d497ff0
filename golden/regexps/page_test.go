package regexps_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// lookedUp is the day on which the pinned versions were the newest that their registries had.
const lookedUp = "28 November 2026"

// A list says what a cause is to the package's maintainer. The page prints the definitions, and the test applies what they need.
type list struct {
	title, means string
	needs        string // what a cause must quote to stand in the list; "" for nothing
}

var lists = map[string]*list{
	"contradicts": {"contradicts its claim", "the claim of the function names the text of the format, or what that text defines, such as a URI; " +
		"the rule says otherwise of the string, and nothing was found in the package that says so.", ""},
	"known":      {"known", "a comment or the documentation of the package says so; the words are quoted with their place.", "of the package"},
	"deliberate": {"deliberate", "a test of the package wants it; the line is quoted with its place.", "of a test"},
	"allowed": {"another text", "the text that is claimed, or one that it stands for, lets the string be what the function takes it for, although " +
		"the format's rule does not; the words of that text are quoted.", "of a text"},
	"unclaimed": {"no claim", "no text was found that the package names for the function, or several define what it names, so that nothing is contradicted. It matters to whoever chooses it for the format.", ""},
}

var listOrder = []string{"contradicts", "known", "deliberate", "allowed", "unclaimed"}

// verdict returns in a word how a function stands to the rule of its format.
func (f *function) verdict() string {
	sides := [2]bool{}
	for _, c := range f.causes {
		sides[c.side] = true
	}
	switch sides {
	case [2]bool{true, false}:
		return "stricter"
	case [2]bool{false, true}:
		return "looser"
	case [2]bool{true, true}:
		return "both"
	}
	return "equal"
}

// telling returns the cause of a function that is shown first: one that lets a string through, if there is one.
func (f *function) telling() *cause {
	if f.causes == nil {
		return nil
	}
	if i := slices.IndexFunc(f.causes, func(c *cause) bool { return c.side == accepts }); i >= 0 {
		return f.causes[i]
	}
	return f.causes[0]
}

// parameter is the string in a call.
var parameter = regexp.MustCompile(`\$?\bs\b`)

// called returns the call of a function on a string, as its language writes it.
func (f *function) called(w string) string {
	literal := languages[f.pack.language].literal(w)
	if n := len(w); n > 60 && strings.Count(w, w[n-1:]) > n-3 {
		literal = fmt.Sprintf("%q + %d × %q", w[:n-strings.Count(w, w[n-1:])], strings.Count(w, w[n-1:]), w[n-1:])
	} else if n > 60 {
		literal = fmt.Sprintf("… %d characters", n)
	}
	return parameter.ReplaceAllLiteralString(f.call, literal)
}

// code sets a text in a cell of a table, or a line, as it stands.
func code(s string) string {
	s = strings.Trim(s, " |")
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// cell does the same in a table, where a bar is escaped.
func cell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }

// quoted returns a string as it is quoted: in Go's form, and short where it is long.
func quoted(s string) string {
	if n := len(s); n > 40 {
		return fmt.Sprintf("%s and so on, %d characters", code(strconv.QuoteToASCII(s[:20])), n)
	}
	return code(strconv.QuoteToASCII(s))
}

// anchor returns the anchor that renderers of Markdown make of a heading.
func anchor(heading string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(heading) {
		switch {
		case c == ' ':
			b.WriteByte('-')
		case c == '-' || c == '_' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteRune(c)
		}
	}
	return b.String()
}

// heading returns the heading of a package on the page.
func (p *pack) heading() string { return p.module + " " + p.version }

// write writes the page, its rows for the report, and what TestNewest compares.
func (s *tables) write(t *testing.T, folder string) {
	t.Helper()
	text := string(must.Of(os.ReadFile("testdata/page.md"))(t))
	page := strings.NewReplacer("{{counts}}", s.counts(), "{{lists}}", definitions(), "{{choice}}", s.choice(), "{{formats}}", s.byFormat(),
		"{{packages}}", s.byPackage(t, folder)).Replace(text)
	goldentest.Whole(t, "../../docs/regular-expressions.md", page)
	goldentest.Whole(t, "../../internal/report/page/expressions.tsv", s.forReport())
	goldentest.Whole(t, "testdata/judged.tsv", s.summary())
}

// counts returns the sentence with the figures.
func (s *tables) counts() string {
	verdicts, causes := map[string]int{}, map[string]int{}
	functions := s.functions()
	expressions, equal := 0, 0
	for _, f := range functions {
		verdicts[f.verdict()]++
		if f.text != "" {
			expressions++
			if f.expressionIsEqual {
				equal++
			}
		}
	}
	for _, c := range s.causes {
		causes[c.list]++
	}
	var each []string
	for _, name := range listOrder {
		each = append(each, fmt.Sprintf("%d %s", causes[name], lists[name].title))
	}
	return folded(fmt.Sprintf("%d functions of %d packages of npm, Go and Debian are judged, at the versions that were the newest in their registries on %s; "+
		"Debian's are those of Debian 12. %d show no difference from the rule of their format, %d are stricter, %d looser, and %d both. %d have a regular expression that could "+
		"be read; %d of these are proven equal to the rule. What sets the others apart has %d causes: %s.",
		len(functions), len(s.packages), lookedUp, verdicts["equal"], verdicts["stricter"], verdicts["looser"], verdicts["both"], expressions, equal, len(s.causes), strings.Join(each, ", ")))
}

// folded returns text in lines that can be read as they are.
func folded(text string) string { return strings.Join(layout.Fold(text, 120, 120, false), "\n") }

// definitions returns the definitions of the lists.
func definitions() string {
	var b strings.Builder
	for _, name := range listOrder {
		fmt.Fprintf(&b, "%s\n", folded(fmt.Sprintf("- **%s**: %s", lists[name].title, lists[name].means)))
	}
	return strings.TrimSpace(b.String())
}

// titles are the languages, as their columns have them.
var titles = []struct{ name, title string }{{"js", "JavaScript"}, {"python", "Python"}, {"go", "Go"}, {"ruby", "Ruby"}, {"php", "PHP"}, {"perl", "Perl"}}

// choice returns the table of the functions that show no difference, by format and language.
func (s *tables) choice() string {
	var b strings.Builder
	b.WriteString("| format |")
	for _, l := range titles[:5] {
		fmt.Fprintf(&b, " %s |", l.title)
	}
	b.WriteString("\n|---|---|---|---|---|---|\n")
	for _, f := range s.formats {
		if s.of(f) == nil || len(s.of(f)) < 2 {
			continue
		}
		fmt.Fprintf(&b, "| [%s](#%s) |", f.name, anchor(f.name))
		for _, l := range titles[:5] {
			var names []string
			for _, g := range s.of(f) {
				if g.pack.language == l.name && g.verdict() == "equal" {
					names = append(names, shortModule(g.pack.module)+" "+cell(g.name))
				}
			}
			fmt.Fprintf(&b, " %s |", strings.Join(names, ", "))
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

// shortModule returns a module without the host of its path.
func shortModule(module string) string {
	module = strings.TrimPrefix(module, "github.com/")
	return strings.TrimSuffix(module, "/v10")
}

// of returns the functions of a format.
func (s *tables) of(f *format) (list []*function) {
	for _, g := range s.functions() {
		if g.format == f {
			list = append(list, g)
		}
	}
	return list
}

// verdictOrder is that of the rows of a format.
var verdictOrder = []string{"equal", "stricter", "looser", "both"}

// byFormat returns a section for each format.
func (s *tables) byFormat() string {
	var b strings.Builder
	for _, f := range s.formats {
		of := s.of(f)
		if of == nil {
			continue
		}
		about := "The rule is that of " + f.text
		if f.why != "" {
			about += ": " + f.why
		}
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| package | function | | a string that tells |\n|---|---|---|---|\n", f.name, folded(about+"."))
		slices.SortStableFunc(of, func(a, b *function) int {
			return slices.Index(verdictOrder, a.verdict()) - slices.Index(verdictOrder, b.verdict())
		})
		for _, g := range of {
			tells := ""
			if c := g.telling(); c != nil {
				tells = fmt.Sprintf("%s %s", sideNames[c.side], strings.ReplaceAll(quoted(c.shown(g)), "|", `\|`))
			} else if g.expressionIsEqual {
				tells = "its expression is proven equal"
			} else {
				tells = fmt.Sprintf("none of %d strings", len(g.words))
			}
			fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", g.pack.heading(), anchor(g.pack.heading()), cell(g.name), g.verdict(), tells)
		}
		rule := strings.Replace(withoutLength(f.rule), "rules.abnf", "golden/regexps/rules.abnf", 1)
		if !strings.HasPrefix(rule, "node_modules") {
			fmt.Fprintf(&b, "\n`bnfcheck regexp %s --flavor js` writes an expression that is proven equal, or says why it cannot.\n", rule)
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

// source returns how a package is installed.
func (p *pack) source() string {
	switch p.kind {
	case "npm":
		return fmt.Sprintf("npm install %s@%s", p.module, p.version)
	case "go":
		return fmt.Sprintf("go get %s@%s", p.module, p.version)
	}
	return fmt.Sprintf("apt-get install %s, version %s", p.module, p.version)
}

// byPackage returns a section for each package.
func (s *tables) byPackage(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	for _, p := range s.packages {
		fmt.Fprintf(&b, "### %s\n\n`%s`\n\n", p.heading(), p.source())
		if p.prelude != "" {
			fmt.Fprintf(&b, "```\n%s\n```\n\n", strings.ReplaceAll(p.prelude, "; const is", ";\nconst is"))
		}
		b.WriteString("| function | format | | strings | its expression | its claim |\n|---|---|---|--:|---|---|\n")
		for _, f := range p.functions {
			claim, expression := "", ""
			if f.claim != "" {
				claim = fmt.Sprintf("%s:%d: %s", f.claimedIn, f.where, cell(shortened(f.claim)))
			}
			if f.text != "" {
				expression = fmt.Sprintf("%s:%d, %s", f.file, f.line, map[bool]string{true: "equal", false: "differs"}[f.expressionIsEqual])
			}
			fmt.Fprintf(&b, "| %s | [%s](#%s) | %s | %d | %s | %s |\n", cell(f.name), f.format.name, anchor(f.format.name), f.verdict(), len(f.words), expression, claim)
		}
		b.WriteString("\n")
		for _, c := range s.causes {
			if c.module == p.module {
				b.WriteString(c.entry(p))
			}
		}
		for _, m := range readMends(t) {
			if m.module == p.module {
				b.WriteString(m.entry(t, s, folder))
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// shortened returns the beginning of a claim, up to about two lines of a screen.
func shortened(claim string) string {
	if len(claim) <= 150 {
		return claim
	}
	at := strings.LastIndex(claim[:150], " ")
	return claim[:at] + " …"
}

// entry returns a cause as an item of its package: what happens, on what, in which list and why, and the calls that show it.
func (c *cause) entry(p *pack) string {
	var names, calls []string
	seen := map[string]bool{}
	for _, f := range p.functions {
		if c.words[f] == nil {
			continue
		}
		names = append(names, code(f.name))
		if w := c.shown(f); len(calls) < 3 && !seen[f.call+w] {
			seen[f.call+w] = true
			calls = append(calls, fmt.Sprintf("%s    is %v\n", f.called(w), c.side == accepts))
		}
	}
	sentence := fmt.Sprintf("- %s %s %s. **%s**", strings.Join(names, ", "), plural(sideNames[c.side], len(names)), c.sentence, sentenceCase(lists[c.list].title))
	if c.quote != "" {
		place := c.file
		if c.line > 0 {
			place = fmt.Sprintf("%s:%d", c.file, c.line)
		}
		sentence += fmt.Sprintf(": %s (%s)", code(strings.Join(strings.Fields(c.quote), " ")), place)
	}
	sentence += "."
	if repository, number, ok := strings.Cut(c.reported, "#"); ok {
		sentence += fmt.Sprintf(" Reported: [%s](https://github.com/%s/issues/%s).", c.reported, repository, number)
	}
	return folded(sentence) + "\n\n```\n" + strings.Join(calls, "") + "```\n\n"
}

// plural returns a verb in the third person for one or several.
func plural(verb string, n int) string {
	if n > 1 {
		return strings.TrimSuffix(verb, "s")
	}
	return verb
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// forReport returns what the report shows of functions for a whole URI or reference.
func (s *tables) forReport() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by: BNFCHECK_LONG=1 go test ./golden/regexps -run TestJudge -update\n%s\n", strings.Join(strings.Fields(s.counts()), " "))
	for _, p := range s.packages {
		for _, f := range p.functions {
			rule, whole := strings.CutPrefix(f.format.rule, "rfc3986#")
			if !whole || !slices.Contains([]string{"URI", "URI-reference", "absolute-URI", "relative-ref"}, rule) {
				continue
			}
			var differs []string
			for _, c := range f.causes {
				differs = append(differs, fmt.Sprintf("%s %s (%s): %s", sideNames[c.side], quoted(c.shown(f)), c.sentence, lists[c.list].title))
			}
			at := ""
			if f.claim != "" {
				at = fmt.Sprintf("%s:%d", f.claimedIn, f.where)
			}
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.verdict(), p.heading(), at, strings.Trim(f.claim, " |"), rule, strings.Join(differs, "; "), f.name)
		}
	}
	return b.String()
}

// summary returns a line for each function and cause, by which newer versions are compared.
func (s *tables) summary() string {
	var b strings.Builder
	b.WriteString("# Written by: BNFCHECK_LONG=1 go test ./golden/regexps -run TestJudge -update\n")
	for _, p := range s.packages {
		for _, f := range p.functions {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%d\t%v\n", p.module, p.version, f.name, f.verdict(), f.where, f.text != "" && f.expressionIsEqual)
			for _, c := range f.causes {
				fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%d\n", p.module, p.version, f.name, sideNames[c.side], quote.Quote(c.shown(f)), c.line)
			}
		}
	}
	return b.String()
}

// A mend is an expression that `bnfcheck regexp` writes in the place of one of a package.
type mend struct {
	module, function, rule, flavor string
	tests                          string // a file of JSON-Schema-Test-Suite in a module of Go, or a test of the package: file, constant and package
}

// readMends reads mends.tsv.
func readMends(t *testing.T) (mends []*mend) {
	t.Helper()
	for _, c := range readTable(t, "mends.tsv", 5) {
		mends = append(mends, &mend{c[0], c[1], c[2], c[3], c[4]})
	}
	return mends
}

// written returns the expression of a mend, which is proven equal to the rule.
func (m *mend) written(t *testing.T) (string, *lang.DFA) {
	t.Helper()
	opened, start := open(t, "", m.rule)
	want := must.Of(opened.Automaton(start))(t)
	x := must.Of(bnftoregexp.New(opened.Within, start, want, bnftoregexp.Of(m.flavor), bnftoregexp.Options{}))(t)
	r := must.Of(regex.Parse(m.flavor, x.String()))(t)
	got := must.Of(r.DFA(nil, regex.Search))(t)
	text := must.Of(lang.Text())(t)
	if !got.Intersect(text).Equal(want.Intersect(text)) {
		t.Errorf("%s %s: %s is another language", m.module, m.function, x)
	}
	return x.String(), got
}

// TestMends holds the mends to their rules.
func TestMends(t *testing.T) {
	for _, m := range readMends(t) {
		m.written(t)
	}
}

// entry returns a mend as it is printed, if the tests that are to be had pass with it.
func (m *mend) entry(t *testing.T, s *tables, folder string) string {
	t.Helper()
	tests := "No tests of the package are to be had: its archive has none."
	if m.tests != "" {
		tests = m.run(t, s, folder)
	}
	rule := strings.Replace(m.rule, "rules.abnf", "golden/regexps/rules.abnf", 1)
	return folded(fmt.Sprintf("A mend of %s is what `bnfcheck regexp %s --flavor %s` prints. %s", code(m.function), rule, m.flavor, tests)) + "\n\n"
}

// run runs the tests of a mend, and returns in words what they are.
func (m *mend) run(t *testing.T, s *tables, folder string) string {
	t.Helper()
	fields := strings.Fields(m.tests)
	of := s.packages[slices.IndexFunc(s.packages, func(p *pack) bool { return p.module == fields[0] })]
	if len(fields) == 2 {
		return m.runSuite(t, of, folder, fields[1])
	}
	return m.runPackage(t, of, folder, fields[1], fields[2], fields[3])
}

// runSuite asks the expression about a file of JSON-Schema-Test-Suite, as a module of Go has it.
func (m *mend) runSuite(t *testing.T, of *pack, folder, file string) string {
	t.Helper()
	var groups []struct {
		Tests []struct {
			Description string
			Data        any
			Valid       bool
		}
	}
	must.Do(t, json.Unmarshal(must.Of(os.ReadFile(filepath.Join(of.home(t, folder), file)))(t), &groups))
	_, a := m.written(t)
	n := 0
	for _, g := range groups {
		for _, c := range g.Tests {
			if w, ok := c.Data.(string); ok {
				if n++; a.Match(w) != c.Valid {
					t.Errorf("%s %s: the mend does not pass %q of %s: %q", m.module, m.function, c.Description, file, w)
				}
			}
		}
	}
	return fmt.Sprintf("It passes the %d strings of JSON-Schema-Test-Suite's %s, as %s %s has it; the archive of the package has no tests.", n, filepath.Base(file), of.module, of.version)
}

// runPackage replaces the expression in a copy of the module, and runs the tests of one of its packages without a network.
func (m *mend) runPackage(t *testing.T, of *pack, folder, file, find, packageDir string) string {
	t.Helper()
	copied := t.TempDir()
	run(t, copied, nil, "cp", "-r", of.home(t, folder)+"/.", ".")
	run(t, copied, nil, "chmod", "-R", "u+w", ".")
	path := filepath.Join(copied, file)
	src := string(must.Of(os.ReadFile(path))(t))
	line := regexp.MustCompile(`(?m)^(.*\b` + regexp.QuoteMeta(find) + `\b[^=\n]*=\s*)("(?:[^"\\]|\\.)*"|` + "`[^`]*`" + `)`)
	if !line.MatchString(src) {
		t.Fatalf("%s has no constant %s", file, find)
	}
	x, _ := m.written(t)
	must.Do(t, os.WriteFile(path, []byte(line.ReplaceAllString(src, "${1}"+strings.ReplaceAll("`"+x+"`", "$", "$$"))), 0o666))
	run(t, copied, nil, "env", "GOFLAGS=-mod=mod", "go", "test", "-c", "-o", os.DevNull, "./"+packageDir) // fetches what the tests import
	run(t, copied, nil, "env", "GOFLAGS=-mod=mod", "GOPROXY=off", "go", "test", "./"+packageDir)
	return fmt.Sprintf("The tests of %s pass with it in the place of %s.", strings.TrimSuffix(of.module+"/"+packageDir, "/."), code(find))
}
