package catalog_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

func TestIsOperand(t *testing.T) {
	for _, c := range []struct {
		name string
		kind catalog.Kind
		want bool
	}{
		{"uri.abnf#URI", "", true},
		{"uri.abnf", "", true},
		{"RULES.BNF", "", true},
		{"old.peg#start", "", true},
		{"rfc3986.txt#URI-reference", "", true},
		{"grammar#rule", "", true},
		{"grammar#", "", true},
		{"./1738", "", true},
		{"../1738", "", true},
		{"99/url", "", false},
		{"99/url", catalog.ABNF, true},
		{"testdata/none", "", false},
		{"../catalog/open.go", "", true},
		{"/tmp/x", "", true},
		{"-", "", true},
		{"-#rule", "", true},
		{"1738/httpurl", "", false},
		{"rfc1738/httpurl", "", false},
		{"rfc3986/URI", "", false},
		{"rfc1738", "", true},
		{"1738#url", "", true},
		{"httpurl", "", false},
		{"gopher+_string", "", false},
		{"no-such", "", false},
		{"no-such", catalog.ABNF, true},
		{"httpurl", catalog.ABNF, false},
		{"1738/no-such", catalog.ABNF, false},
	} {
		if got := catalog.IsOperand(c.name, catalog.Options{Kind: c.kind}); got != c.want {
			t.Errorf("IsOperand(%q) with kind %q is %v", c.name, c.kind, got)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ name, file, rule string }{
		{"a.abnf", "a.abnf", ""},
		{"a.abnf#b", "a.abnf", "b"},
		{"a#b.abnf", "a#b.abnf", ""},
		{"a#b.abnf#c", "a#b.abnf", "c"},
		{"a#b/c", "a#b/c", ""},
		{"a.abnf#", "a.abnf", ""},
		{"#b", "", "b"},
		{"", "", ""},
	} {
		if file, rule := catalog.Split(c.name); file != c.file || rule != c.rule {
			t.Errorf("Split(%q) is %q, %q; want %q, %q", c.name, file, rule, c.file, c.rule)
		}
	}
}

// Every kind of name, and the production that it means.
func TestOpen(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"one.abnf":     "uri = scheme \":\" *ALPHA\nscheme = 1*ALPHA\n",
		"two.abnf":     "a = \"x\"\nb = \"y\" c\nc = \"z\"\n",
		"core.abnf":    "a = DIGIT\nDIGIT = %x30-39\nCTL = %x00-1F\nBIT = \"0\"\n",
		"cycles.abnf":  "a = \"x\" / b\nb = a \"y\"\nc = \"x\" d\nd = [c] e\ne = \"z\"\n",
		"two.peg":      "a <- b / c\nb <- 'x' a\nc <- 'y'\nd <- 'z'\n",
		"self.abnf":    "a = \"x\" a / \"x\"\n",
		"cycle.abnf":   "a = \"x\" / b\nb = a \"y\"\n",
		"minus.ebnf":   "x ::= 'x' | 'y'\na ::= x - (y x) 'z'\ny ::= 'y'\n",
		"define.abnf":  "a = b\n",
		"rules.bnf":    "@ notation rfc822\na = 1*b\nb = \"x\" | \"y\"\n",
		"titled.bnf":   "@ title The Title\n@ notation rfc822\na = \"x\"\n",
		"old.peg":      "start_rule <- b\nb <- 'x' / 'y'\n",
		"text.txt":     "a = \"x\"\n",
		"nameless":     "a = \"x\"\n",
		"bad.abnf":     "a = \n",
		"bad name#1.x": "a = \"x\"\n",
	} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	must.Do(t, os.Mkdir("folder.abnf", 0o777))
	for _, c := range []struct {
		name  string
		kind  catalog.Kind
		start string // the ID of the production that is meant
		title string
		told  string
		err   string
	}{
		{name: "one.abnf", start: "uri", title: "one.abnf"},
		{name: "one.abnf#scheme", start: "scheme"},
		{name: "one.abnf#SCHEME", start: "scheme"},
		{name: "./one.abnf#URI", start: "uri", title: "./one.abnf"},
		{name: "one.abnf#alpha", start: "ALPHA"},
		{name: "one.abnf#schema", err: `one.abnf has no production "schema"`},
		{name: "two.abnf", err: "two.abnf: each of 2 productions can be the start: choose one, as in two.abnf#b; there are b (which uses 1 other), a (which uses 0 others)"},
		{name: "core.abnf", start: "a", told: "start: a, the only production that no other uses, core rules of ABNF apart; core.abnf#NAME chooses another"},
		{name: "cycles.abnf", err: "5 productions can be the start: choose one, as in cycles.abnf#c; there are c (which uses 2 others), d (which uses 2"},
		{name: "two.peg", start: "a", told: "start: a, the first rule, where parsers made of a PEG start; two.peg#NAME chooses another"},
		{name: "self.abnf", start: "a"},
		{name: "minus.ebnf", start: "a"},
		{name: "cycle.abnf", start: "a", told: "start: a, the first production, which uses all others; cycle.abnf#NAME chooses another"},
		{name: "cycle.abnf#b", start: "b"},
		{name: "rules.bnf", start: "a"},
		{name: "titled.bnf", start: "a", title: "The Title"},
		{name: "old.peg", start: "start_rule"},
		{name: "old.peg#start-rule", start: "start_rule"},
		{name: "old.peg#none", err: `old.peg has no rule "none"`},
		{name: "text.txt#a", start: "a"},
		{name: "nameless#a", err: "nameless: the name does not tell what kind of grammar it is: end it in " + layout.List(catalog.Endings(), "or") + ", or choose with --kind"},
		{name: "nameless#a", kind: catalog.ABNF, start: "a"},
		{name: "nameless", kind: catalog.ABNF, start: "a"},
		{name: "bad name#1.x", kind: catalog.ABNF, start: "a"},
		{name: "one.abnf", kind: catalog.Pigeon, err: "one.abnf:2:10: "},
		{name: "one.abnf", kind: "yacc", err: `no kind "yacc" of grammar`},
		{name: "bad.abnf", err: "bad.abnf:1:4: "},
		{name: "none.abnf", err: "open none.abnf: no such file"},
		{name: "folder.abnf", err: "read folder.abnf: a folder, and no grammar"},
		{name: "-", kind: catalog.ABNF, start: "piped", title: "standard input"},
		{name: "-#piped", kind: catalog.ABNF, start: "piped"},
		{name: "1738#httpurl", start: "httpurl", title: "RFC 1738"},
		{name: "1738/httpurl", err: "open 1738/httpurl: no such file"},
		{name: "1738", start: "url"},
		{name: "rfc3986#URI", start: "URI", title: "RFC 3986"},
		{name: "hostport", err: "several grammars have it"},
		{name: "httpurl", start: "httpurl"},
		{name: "1738#none", err: `rfc1738 has no production "none"`},
		{name: "none", err: `none of the grammars that are built in has a production "none", and there is no such file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := catalog.Usual
			o.Kind, o.Stdin = c.kind, strings.NewReader("piped = \"x\"\n")
			n, err := catalog.Open(c.name, o)
			var r *expr.Rule
			var told string
			if err == nil {
				n.Tell = func(s string) { told += s }
				r, err = n.Start()
			}
			switch {
			case told != c.told:
				t.Errorf("told %q; want %q", told, c.told)
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("error %v; want %s", err, c.err)
			case c.err == "" && err != nil:
				t.Error(err)
			case c.err == "" && r.ID != c.start:
				t.Errorf("start %s; want %s", r.ID, c.start)
			case c.title != "" && n.Grammar.Title != c.title:
				t.Errorf("title %q; want %q", n.Grammar.Title, c.title)
			}
			if c.err != "" {
				return
			}
			if l, err := n.Language(); err != nil || l.Production != c.start || l.Grammar != n.Grammar {
				t.Errorf("language %v, %v", l, err)
			}
		})
	}
}

// What is wrong with a file is told apart from what is wrong with its name.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.abnf")
	must.Do(t, os.WriteFile(bad, []byte("a = “b”\n"), 0o666))
	_, err := catalog.Open(bad, catalog.Usual)
	if _, ok := errors.AsType[*expr.Error](err); !ok {
		t.Errorf("%v is no *expr.Error", err)
	}
	_, err = catalog.Open(filepath.Join(dir, "none.abnf"), catalog.Usual)
	if _, ok := errors.AsType[*fs.PathError](err); !ok {
		t.Errorf("%v is no *fs.PathError", err)
	}
}

// TestLookupAmbiguous: a name that two productions of a file have is not reported as one that the file lacks.
func TestLookupAmbiguous(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	one, two := write("one.abnf", "a = x\nx = \"1\"\n"), write("two.abnf", "b = x\nx = \"2\"\n")
	o := catalog.Usual
	o.Notation.Imports = must.Of(catalog.Imports([]string{"a=" + one + "#a", "b=" + two + "#b"}, 1e3))(t)
	file := write("both.abnf", "s = a b\nt = x\n")
	n := must.Of(catalog.Open(file, o))(t)

	_, err := n.Lookup("x")
	if _, unknown := errors.AsType[*catalog.UnknownError](err); unknown || err == nil {
		t.Errorf("x: %T %v", err, err)
	} else if want := n.File + ` has 2 productions "x": one_x, two_x`; err.Error() != want {
		t.Errorf("x: %v; want %s", err, want)
	}
	_, err = n.Lookup("y")
	if _, unknown := errors.AsType[*catalog.UnknownError](err); !unknown {
		t.Errorf("y: %T %v; want an *UnknownError", err, err)
	}
}

// TestManyStarts: those that use most others come first, unless there are so many that to count would take their square.
func TestManyStarts(t *testing.T) {
	for _, c := range []struct {
		productions int
		first       string
	}{{10, "b"}, {2000, "r0"}} {
		var text strings.Builder
		for i := range c.productions {
			fmt.Fprintf(&text, "r%d = \"a\" r%d / \"a\"\n", i, (i+1)%c.productions)
		}
		text.WriteString("b = \"b\" c / r0\nc = b\n")
		name := filepath.Join(t.TempDir(), "many.abnf")
		if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := catalog.Open(name, catalog.Usual)
		if err != nil {
			t.Fatal(err)
		}
		if list, _ := n.Starts(); len(list) != c.productions+2 || list[0].ID != c.first {
			t.Errorf("%d productions: %d starts, the first is %s; want %s", c.productions, len(list), list[0].ID, c.first)
		}
	}
}

// A higher limit of steps gives more of them to each depth at which a grammar that nests is read, as messages promise
// that name the flag. Once a depth of 2 had 1<<25 in any case.
func TestStepsOfDepthsFollowTheLimit(t *testing.T) {
	for _, limit := range []int64{1 << 20, budget.DefaultSteps, 1 << 34} {
		o := must.Of(catalog.Read("g.abnf", []byte("s = \"(\" s \")\" / \"x\"\n"), catalog.Usual))(t)
		o.Grammar.Budget = budget.New(t.Context(), budget.Limits{Steps: limit})
		var got []int64
		o.ReadDeep(o.Grammar.Rule("s"), func(n *catalog.Opened) error {
			got = append(got, n.Within.Budget.Steps)
			return budget.ErrTooLarge
		})
		if want := []int64{limit/8 + 1, limit/2 + 1, limit}; !slices.Equal(got, want) {
			t.Errorf("with %d steps, the depths have %d, not %d", limit, got, want)
		}
	}
}
