// Package regexps_test judges published regular expressions that name a text: it reads each from its package, compares it with the
// rule, and asks the function that uses it about the shortest strings on which they differ.
package regexps_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// A row is one expression of the table.
type row struct {
	kind, module, file        string
	find                      string // stands in the file, right before the expression unless value is
	value                     string // of the expression: a program's, or a name in a Go package
	flavour, claimedIn, claim string
	rule                      string // with @N, up to a length of N
	call                      string // "" for an expression of no function of its own
	list, note                string

	version string // the newest in its registry
	text    string
	line    int
	where   int       // line of the claim
	words   [3]string // the shortest that only the rule has, that only the expression has, and that it has before a final line feed
	has     [3]bool
	real    []bool // what the function says of them

	// controls are strings that both the expression and the rule have, and strings that neither has. A function that rejects
	// all of the first, or accepts all of the second, was not asked in the right way.
	controls [2][]string
}

// maxControls is how many controls of each kind are asked: a function may check more than its expression does.
const maxControls = 24

func table(t *testing.T) (rows []*row) {
	t.Helper()
	text := must.Of(os.ReadFile("table.tsv"))(t)
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[2:] {
		c := strings.Split(line, "\t")
		if len(c) != 12 {
			t.Fatalf("row %d has %d columns", i+1, len(c))
		}
		find := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(c[3])
		rows = append(rows, &row{kind: c[0], module: c[1], file: c[2], find: find, value: c[4], flavour: c[5], claimedIn: c[6], claim: c[7], rule: c[8], call: c[9], list: c[10], note: c[11]})
	}
	return rows
}

// TestJudge writes docs/regular-expressions.md, and its rows for the report, of the newest version of each package. What a newer one
// moves is no difference, and is logged; what it does otherwise is one.
func TestJudge(t *testing.T) {
	longtest.Need(t, "reads packages from their registries")
	rows := table(t)
	folder := os.Getenv("BNFCHECK_PACKAGES") // that has them already
	if folder == "" {
		folder = t.TempDir()
	}
	fetch(t, folder, rows)
	read(t, folder, rows)
	grammar := map[string]*lang.DFA{}
	for _, r := range rows {
		if grammar[r.rule] == nil {
			grammar[r.rule] = rule(t, r.rule)
		}
		compare(t, r, grammar[r.rule])
	}
	call(t, folder, rows)
	write(t, rows)
}

// write writes the page.
func write(t *testing.T, rows []*row) {
	t.Helper()
	text := must.Of(os.ReadFile("testdata/page.md"))(t)
	packages, equal := map[string]bool{}, 0
	causes := map[string][]*cause{}
	lists := map[string]*strings.Builder{}
	for _, name := range []string{"contradicts", "known", "deliberate", "equal", "writeups"} {
		lists[name] = &strings.Builder{}
	}
	for _, r := range rows {
		packages[r.module] = true
		list := r.list
		switch {
		case r.has == [3]bool{}:
			equal++
			if list != "" {
				t.Errorf("%s %s: %s: equal, and in the list %q", r.module, r.version, r.find, list)
			}
			list = "equal"
		case list == "":
			list = "contradicts"
		case list == "grave":
			list = "contradicts"
			r.writeUp(t, lists["writeups"])
		}
		if lists[list] == nil {
			t.Fatalf("%s: no list %q", r.module, r.list)
		}
		causes[list] = join(causes[list], r)
	}
	var facts strings.Builder
	for _, name := range []string{"contradicts", "known", "deliberate", "equal"} {
		list := together(causes[name])
		causes[name] = list
		b := lists[name]
		b.WriteString("| package | expression | its claim | rule | differs in | |\n|---|---|---|---|---|---|\n")
		for _, c := range list {
			r := c.rows[0]
			fmt.Fprintf(b, "| %s %s | %s:%s | %s:%d: %s | %s | %s | %s |\n", r.module, r.version, r.file, c.each(func(r *row) string { return strconv.Itoa(r.line) }), r.claimedIn, r.where, code(r.claim),
				c.each((*row).ruleName), strings.Join(r.differences(c.of), "; "), r.note)
			fmt.Fprintf(&facts, "%s\t%s %s\t%s:%d\t%s\t%s\t%s\t%s\n", name, r.module, r.version, r.claimedIn, r.where, strings.Trim(r.claim, " |"),
				c.each((*row).ruleName), strings.Join(r.differences(c.of), "; "), r.note)
		}
	}
	counts := fmt.Sprintf("%d expressions of %d packages of npm, Go and Debian are judged; %d are equal to their rule. What the others differ in contradicts a claim in %d rows, is known in %d, and deliberate in %d. Each was read in the newest version that its registry had on %s.",
		len(rows), len(packages), equal, len(causes["contradicts"]), len(causes["known"]), len(causes["deliberate"]), time.Now().UTC().Format(time.DateOnly))
	page := strings.NewReplacer("{{counts}}", counts,
		"{{contradicts}}", strings.TrimSpace(lists["contradicts"].String()), "{{known}}", strings.TrimSpace(lists["known"].String()), "{{deliberate}}", strings.TrimSpace(lists["deliberate"].String()),
		"{{equal}}", strings.TrimSpace(lists["equal"].String()), "{{writeups}}", strings.TrimSpace(lists["writeups"].String())).Replace(string(text))
	if !t.Failed() {
		tsv := "# Written by: BNFCHECK_LONG=1 go test ./golden/regexps -run TestJudge -update\n" + counts + "\n" + facts.String()
		for file, text := range map[string]string{"../../docs/regular-expressions.md": page, "../../internal/report/page/expressions.tsv": tsv} {
			old := string(must.Of(os.ReadFile(file))(t))
			if goldentest.Update() || verdicts(old, rows) != verdicts(text, rows) {
				goldentest.Whole(t, file, text)
			}
			for _, r := range rows {
				if now := r.module + " " + r.version; !strings.Contains(old, now) {
					t.Logf("the newest version is now %s", now)
					old += now
				}
			}
		}
	}
}

var places = regexp.MustCompile(`(\.[a-z]+:| line )\d+(, \d+)*|registry had on [0-9-]+`)

// verdicts returns a text without the versions, the lines and the day.
func verdicts(text string, rows []*row) string {
	for _, r := range rows {
		text = regexp.MustCompile(regexp.QuoteMeta(r.module)+` v?\d\S*`).ReplaceAllString(text, r.module)
	}
	return places.ReplaceAllString(text, "$1")
}

// A cause is why expressions of one package differ in strings of some of the three kinds.
type cause struct {
	rows []*row
	of   []int
}

// join adds what a row differs in, each kind apart. It has the cause of an earlier row of its package if that row's string is part
// of its own, or its own part of that; and what ends in a line feed has one cause in a package.
func join(list []*cause, r *row) []*cause {
	for kind, has := range r.has {
		if !has && (kind != 0 || r.has != [3]bool{}) {
			continue
		}
		i := slices.IndexFunc(list, func(c *cause) bool {
			first := c.rows[0]
			a, b := first.words[kind], r.words[kind]
			return has && c.of[0] == kind && first.module == r.module && first.claim == r.claim && first.note == r.note && (kind == 2 || strings.Contains(a, b) || strings.Contains(b, a))
		})
		if i >= 0 {
			list[i].rows = append(list[i].rows, r)
		} else {
			list = append(list, &cause{[]*row{r}, []int{kind}})
		}
	}
	return list
}

// together puts causes of the same rows into one, except what ends in a line feed.
func together(list []*cause) (joined []*cause) {
	for _, c := range list {
		if i := slices.IndexFunc(joined, func(d *cause) bool { return c.of[0] != 2 && slices.Equal(c.rows, d.rows) }); i >= 0 {
			joined[i].of = append(joined[i].of, c.of...)
		} else {
			joined = append(joined, c)
		}
	}
	return joined
}

// each lists something of each row.
func (c *cause) each(of func(*row) string) string {
	var list []string
	for _, r := range c.rows {
		list = append(list, of(r))
	}
	return strings.Join(list, ", ")
}

// code sets a text in a cell of a table as it stands.
func code(s string) string {
	s = strings.ReplaceAll(strings.Trim(s, " |"), "|", `\|`)
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// quoted returns a string as it is quoted in a cell.
func quoted(s string) string {
	if n := len(s); n > 40 && s == strings.Repeat(s[:1], n) {
		return fmt.Sprintf("%d times %s", n, code(quote.Quote(s[:1])))
	}
	return code(quote.Quote(s))
}

func (r *row) ruleName() string { return strings.TrimPrefix(r.rule, "rules.abnf#") }

// differences returns in which strings the expression differs, and what the function does.
func (r *row) differences(of []int) (list []string) {
	for _, i := range of {
		if r.has[i] {
			who, does := [...]string{"rule", "expression", "expression"}[i], map[bool]string{true: "accepts", false: "rejects"}[r.real[i]]
			list = append(list, fmt.Sprintf("only the %s has %s; the function %s it", who, quoted(r.words[i]), does))
		}
	}
	return list
}

// writeUp writes what is wrong and what is right.
func (r *row) writeUp(t *testing.T, b *strings.Builder) {
	t.Helper()
	fmt.Fprintf(b, "### %s %s: %s\n\n%s line %d claims: %s\n\nThe expression is in %s, line %d, and the function was called as follows.\n\n```\n%s\n", r.module, r.version, r.ruleName(),
		r.claimedIn, r.where, code(r.claim), r.file, r.line, r.call)
	for i := range r.words {
		if r.has[i] {
			fmt.Fprintf(b, "%s -> %v, and the rule says %v\n", quote.Quote(r.words[i]), r.real[i], i == 0)
		}
	}
	flavour, _, _ := strings.Cut(r.flavour, " ")
	b.WriteString("```\n\n" + mended(t, strings.Split(r.rule, "@")[0], flavour))
}

// mended returns the expression that is to be written for a rule, with the command that writes it.
func mended(t *testing.T, rule, flavour string) string {
	opened, start := open(t, rule)
	a := must.Of(opened.Automaton(start))(t)
	x := must.Of(bnftoregexp.New(opened.Within, start, a, bnftoregexp.Of(flavour), bnftoregexp.Options{}))(t)
	return fmt.Sprintf("`bnfcheck regexp %s --flavour %s`:\n\n```\n%s\n```\n\n", rule, flavour, x)
}

var command = regexp.MustCompile("`bnfcheck regexp (\\S+) --flavour (\\S+)`:")

// TestMended holds the corrected expressions on the page to what is written for the rules now.
func TestMended(t *testing.T) {
	page := string(must.Of(os.ReadFile("../../docs/regular-expressions.md"))(t)) + "\n"
	found := command.FindAllStringSubmatch(page, -1)
	for _, m := range found {
		if text := mended(t, m[1], m[2]); !strings.Contains(page, text) {
			t.Errorf("the page does not have\n%s", text)
		}
	}
	if len(found) != 10 {
		t.Errorf("%d expressions are corrected", len(found))
	}
}

// run runs a command in a folder.
func run(t *testing.T, folder string, stdin []byte, command ...string) []byte {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = folder
	cmd.Stdin = bytes.NewReader(stdin)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s%s", command, err, complaint.String(), out)
	}
	return out
}

// fetch installs the newest version of the packages of the table.
func fetch(t *testing.T, folder string, rows []*row) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, "calls")); err == nil {
		return
	}
	install := map[string][]string{"npm": {"npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "ajv@latest"}, "go": {"go", "get"}, "deb": {"apt-get", "download", "-q"}}
	for _, r := range rows {
		at := r.module
		if r.kind != "deb" {
			at += "@latest"
		}
		if !slices.Contains(install[r.kind], at) {
			install[r.kind] = append(install[r.kind], at)
		}
	}
	program := must.Of(os.ReadFile("testdata/calls.go.txt"))(t)
	for name, text := range map[string]string{"package.json": "{}", "go.mod": "module calls\n\ngo 1.26\n", "main.go": string(program)} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	for _, command := range install {
		run(t, folder, nil, command...)
	}
	archives := must.Of(filepath.Glob(filepath.Join(folder, "*.deb")))(t)
	for _, a := range archives {
		run(t, folder, nil, "dpkg", "-x", a, "deb")
	}
	run(t, folder, nil, "go", "mod", "tidy")
	run(t, folder, nil, "go", "build", "-o", "calls", ".")
}

// home returns the folder of a package, and its version.
func home(t *testing.T, folder string, r *row) (dir, version string) {
	t.Helper()
	switch r.kind {
	case "npm":
		dir = filepath.Join(folder, "node_modules", r.module)
		var about struct{ Version string }
		must.Do(t, json.Unmarshal(must.Of(os.ReadFile(filepath.Join(dir, "package.json")))(t), &about))
		return dir, about.Version
	case "deb":
		archive := must.Of(filepath.Glob(filepath.Join(folder, r.module+"_*.deb")))(t)
		version = string(run(t, folder, nil, "dpkg-deb", "--show", "--showformat=${Version}", archive[0]))
		if _, packed, ok := strings.Cut(version, "+really"); ok { // a version that went back: 3.1.7+really3.1.2
			version = packed
		}
		return filepath.Join(folder, "deb"), version
	}
	dir, version, _ = strings.Cut(strings.TrimSpace(string(run(t, folder, nil, "go", "list", "-m", "-f", "{{.Dir}}\t{{.Version}}", r.module))), "\t")
	return dir, version
}

// read finds the expressions and the claims.
func read(t *testing.T, folder string, rows []*row) {
	t.Helper()
	var evaluated []*row
	for _, r := range rows {
		var dir string
		dir, r.version = home(t, folder, r)
		lineOf := func(file, text string, end int) (after string, line int) {
			b := must.Of(os.ReadFile(filepath.Join(dir, file)))(t)
			at := regexp.MustCompile(text).FindIndex(b)
			if at == nil {
				t.Fatalf("%s %s: %s has no %q", r.module, r.version, file, text)
			}
			return string(b[at[end]:]), 1 + bytes.Count(b[:at[end]], []byte("\n"))
		}
		var after string
		after, r.line = lineOf(r.file, regexp.QuoteMeta(r.find), 1)
		_, r.where = lineOf(r.claimedIn, strings.ReplaceAll(regexp.QuoteMeta(r.claim), " ", `[\s*/]+`), 0) // also of several lines of a comment
		switch {
		case r.kind == "go" && !strings.Contains(r.value, "."):
			r.text = constant(t, filepath.Dir(filepath.Join(dir, r.file)), r.value)
		case r.value != "":
			evaluated = append(evaluated, r)
		default:
			r.text = literal.FindString(after)
		}
	}
	for r, a := range answers(t, folder, evaluated) {
		r.text = a.Expression
	}
}

// literal is an expression of JavaScript.
var literal = regexp.MustCompile(`^/(?:\\.|\[(?:\\.|[^\\\]])*\]|[^/\\\[])+/[a-z]*`)

// constant returns the string that a name has in a Go package, or of which it is made an expression.
func constant(t *testing.T, dir, name string) string {
	t.Helper()
	names := map[string]ast.Expr{}
	files := must.Of(filepath.Glob(filepath.Join(dir, "*.go")))(t)
	for _, file := range files {
		f := must.Of(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok {
				for i, id := range s.Names {
					if i < len(s.Values) {
						names[id.Name] = s.Values[i]
					}
				}
			}
			return true
		})
	}
	var value func(e ast.Expr) string
	value = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			return must.Of(strconv.Unquote(e.Value))(t)
		case *ast.BinaryExpr:
			return value(e.X) + value(e.Y)
		case *ast.Ident:
			return value(names[e.Name])
		case *ast.CallExpr: // regexp.MustCompile
			return value(e.Args[0])
		}
		t.Fatalf("%s: %s is not a string", dir, name)
		return ""
	}
	return value(ast.NewIdent(name))
}

// open opens a rule.
func open(t *testing.T, name string) (*catalog.Opened, *expr.Rule) {
	t.Helper()
	name, _, _ = strings.Cut(name, "@")
	o := catalog.Usual
	if strings.HasPrefix(name, "rules.abnf") {
		o.Notation.Values = bnf.CodePoints
	}
	opened := must.Of(catalog.Open(name, o))(t)
	r := must.Of(opened.Start())(t)
	return opened, r
}

// rule returns the language of a rule.
func rule(t *testing.T, name string) *lang.DFA {
	t.Helper()
	opened, r := open(t, name)
	_, length, limited := strings.Cut(name, "@")
	a := must.Of(opened.Automaton(r))(t)
	if limited {
		a = a.Intersect(upTo(t, length))
	}
	return a
}

// upTo returns the strings of at most so many bytes.
func upTo(t *testing.T, length string) *lang.DFA {
	t.Helper()
	n := must.Of(strconv.Atoi(length))(t)
	return must.Of(lang.FromExpr(&expr.Grammar{}, expr.Times(expr.In(expr.AnyByte), 0, n)))(t)
}

// compare finds the shortest strings on which an expression and its rule differ.
func compare(t *testing.T, r *row, want *lang.DFA) {
	t.Helper()
	flavour, full := strings.CutSuffix(r.flavour, " full")
	match := regex.Search
	if full {
		match = regex.Full
	}
	var a *lang.DFA
	x, err := regex.Parse(flavour, r.text)
	if err == nil {
		a, err = x.DFA(nil, match)
	}
	if err != nil {
		t.Errorf("%s %s: %s: %v", r.module, r.version, r.find, err)
		return
	}
	text := must.Of(lang.Text())(t)
	a = a.Intersect(text) // what all engines can be given
	r.controls = [2][]string{some(a.Intersect(want)), some(text.Minus(a).Minus(want))}
	if _, length, limited := strings.Cut(r.rule, "@"); limited { // which the function checks beside the expression
		a = a.Intersect(upTo(t, length))
	}
	r.words[0], r.has[0] = want.Minus(a).Shortest()
	a = a.Minus(want)
	if last := want.Concat(lang.OfString("\n")); flavour == "python" || flavour == "ruby" { // in which $ stands before a final line feed
		r.words[2], r.has[2] = a.Intersect(last).Shortest()
		a = a.Minus(last)
	}
	r.words[1], r.has[1] = a.Shortest()
}

// some returns words that take the transitions of an automaton: the first, and others at equal distances.
func some(a *lang.DFA) (list []string) {
	cover := slices.DeleteFunc(a.TransitionCover(), func(w string) bool { return !a.Match(w) })
	n := min(len(cover), maxControls)
	for i := range n {
		list = append(list, cover[i*len(cover)/n])
	}
	return list
}

type answer struct {
	Expression string
	Answers    []bool
	Error      string
}

// answers asks a program about rows of one kind.
func answers(t *testing.T, folder string, rows []*row) map[*row]answer {
	t.Helper()
	out := map[*row]answer{}
	for kind, command := range map[string][]string{"npm js": {"node", "mjs"}, "go go": {"./calls"}, "deb python": {"/usr/bin/python3", "py"}, "deb ruby": {"ruby", "rb"}} {
		type question struct {
			Value string   `json:"value,omitempty"`
			Call  string   `json:"call,omitempty"`
			Words []string `json:"words"`
		}
		var of []*row
		var questions []question
		for _, r := range rows {
			if r.kind+" "+strings.TrimSuffix(r.flavour, " full") == kind {
				of = append(of, r)
				questions = append(questions, question{r.value, r.call, slices.Concat(r.words[:], r.controls[0], r.controls[1])})
			}
		}
		if len(of) == 0 {
			continue
		}
		if len(command) > 1 {
			script := must.Of(filepath.Abs("testdata/calls." + command[1]))(t)
			command = []string{command[0], script, filepath.Join(folder, "deb")}
		}
		text := must.Of(json.Marshal(questions))(t)
		var got []answer
		must.Do(t, json.Unmarshal(run(t, folder, text, command...), &got))
		for i, r := range of {
			if got[i].Error != "" {
				t.Errorf("%s %s: %s: %s", r.module, r.version, r.find, got[i].Error)
			}
			out[r] = got[i]
		}
	}
	return out
}

// call asks the functions.
func call(t *testing.T, folder string, rows []*row) {
	t.Helper()
	called := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.call == "" })
	for r, a := range answers(t, folder, called) {
		accepted := 3 + len(r.controls[0])
		if len(a.Answers) != accepted+len(r.controls[1]) {
			t.Errorf("%s %s: %s: %d answers", r.module, r.version, r.find, len(a.Answers))
			r.real = make([]bool, 3)
			continue
		}
		r.real = a.Answers[:3]
		if len(r.controls[0]) > 0 && !slices.Contains(a.Answers[3:accepted], true) {
			t.Errorf("%s %s: %s rejects all of %q, which the expression and the rule have: it is not asked in the right way", r.module, r.version, r.call, r.controls[0])
		}
		if len(r.controls[1]) > 0 && !slices.Contains(a.Answers[accepted:], false) {
			t.Errorf("%s %s: %s accepts all of %q, which neither the expression nor the rule has: it is not asked in the right way", r.module, r.version, r.call, r.controls[1])
		}
	}
}
