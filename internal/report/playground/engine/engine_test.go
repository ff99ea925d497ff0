package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// ask returns the answer to a question, as JSON has it.
func ask[T any](t *testing.T, s *Session, q Question) T {
	t.Helper()
	text := must.Of(json.Marshal(q))(t)
	var answer T
	answerText := s.Answer(text)
	if err := json.Unmarshal(answerText, &answer); err != nil {
		t.Fatalf("%s: %v", answerText, err)
	}
	return answer
}

type problem struct{ Problem string }

const list = "list = \"(\" [ item *( \",\" item ) ] \")\"\nitem = 1*DIGIT\n"

func TestGuess(t *testing.T) {
	for _, c := range []struct {
		text string
		want catalog.Kind
	}{
		{"", "abnf"},
		{"a = \"b\"\n", "abnf"},
		{"; a comment <- with an arrow\na = \"b\"\n", "abnf"},
		{"a <- 'b'\n", "peg"},
		{"a \"name\" <- 'b'\n", "peg"},
		{"a ← 'b'\n", "peg"},
		{"[1] a ::= 'b'\n", "ebnf"},
		{"@ notation abnf\na = \"b\"\n", "bnf"},
		{"/^a+$/i", "js"},
		{" ^a+$ ", "js"},
		{"// a comment\na = \"b\"\n", "abnf"},
	} {
		if got := Guess(c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text, kind string
		want             []string // "rule NAME LINE USES", "mark LINE:COL LEVEL MESSAGE", "start NAME"
	}{
		{"ABNF", list, "", []string{"kind abnf", "start list", "rule list 1 [1]", "rule item 2 [2]", "rule DIGIT 0 []"}},
		{"Windows' line ends", strings.ReplaceAll(list, "\n", "\r\n"), "", []string{"kind abnf", "start list", "rule list 1 [1]", "rule item 2 [2]", "rule DIGIT 0 []"}},
		{"an undefined name", "a = b\n", "", []string{"kind abnf", "start a", "rule a 1 []", "mark 1:5 error"}},
		{"two starts", "a = \"x\"\nb = \"y\"\n", "", []string{"kind abnf", "start a", "rule a 1 []", "rule b 2 []", "mark 1:1 note", "mark 2:1 note"}},
		{"no grammar", "a = (\n", "", []string{"kind abnf", "failed", "mark 1:6 error"}},
		{"nothing", "", "", []string{"kind abnf", "failed", "mark 1:1 error"}},
		{"a PEG", "a <- b* !.\nb <- 'x'\n", "", []string{"kind peg", "ordered", "start a", "rule a 1 [1]", "rule b 2 []"}},
		{"an expression", "^a+$", "", []string{"kind js", "start expression", "rule expression 1 []"}},
		{"an expression with a lookahead", "^(?=a)a+$", "", []string{"kind js"}},
		{"a wrong expression", "^(a$", "", []string{"kind js", "failed", "mark 1:2 error"}},
		{"an exclusion", "a ::= b - c\nb ::= [0-9]\nc ::= '1'\n", "", []string{"kind ebnf", "start a", "rule a 1 [1 2]", "rule b 2 []", "rule c 3 []"}},
		{"EBNF", "a ::= b+\nb ::= [0-9]\n", "", []string{"kind ebnf", "start a", "rule a 1 [1]", "rule b 2 []"}},
	} {
		r := ask[Reading](t, New(), Question{Ask: "read", Grammar: Source{Text: c.text, Kind: c.kind}})
		got := []string{"kind " + string(r.Kind)}
		for name, yes := range map[string]bool{"failed": r.Failed, "ordered": r.Ordered} {
			if yes {
				got = append(got, name)
			}
		}
		if r.Start >= 0 {
			got = append(got, "start "+r.Rules[r.Start].ID)
		}
		for _, x := range r.Rules {
			got = append(got, fmt.Sprintf("rule %s %d %v", x.Name, x.Line, x.Uses))
			if (x.Diagram == "") != r.Ordered {
				t.Errorf("%s: the diagram of %s has %d bytes", c.name, x.Name, len(x.Diagram))
			}
		}
		for _, m := range r.Marks {
			got = append(got, fmt.Sprintf("mark %d:%d %s", m.Line, m.Col, m.Level))
			if m.Message == "" {
				t.Errorf("%s: an empty message", c.name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// A diagram leads to the productions that it uses, core rules among them, and has no link for what nothing defines.
func TestDiagramsLead(t *testing.T) {
	r := ask[Reading](t, New(), Question{Ask: "read", Grammar: Source{Text: list + "more = none ALPHA\n"}})
	for _, want := range []string{
		`<a href="#rule-1"><rect class="nonterminal"`, // item in list
		`<a href="#rule-4"><rect class="nonterminal core"`,
		`<rect class="nonterminal undefined"`,
	} {
		if !slices.ContainsFunc(r.Rules, func(x Rule) bool { return strings.Contains(x.Diagram, want) }) {
			t.Errorf("no %s in %+v", want, r.Rules)
		}
	}
	narrow := ask[Reading](t, New(), Question{Ask: "read", Width: 200, Grammar: Source{Text: "a = \"0123456789\" DIGIT \"0123456789\" DIGIT \"0123456789\" DIGIT\n"}})
	var width float64
	if _, err := fmt.Sscanf(narrow.Rules[0].Diagram, `<svg class="railroad" viewBox="0 0 %f`, &width); err != nil || width > 300 {
		t.Errorf("on lines of 200 pixels: %.80s", narrow.Rules[0].Diagram)
	}
}

func TestCheck(t *testing.T) {
	tree := func(v Verdict) string { return fmt.Sprint(v.Nodes) }
	for _, c := range []struct {
		name, grammar, word string
		accepted            bool
		tree                string
		offset              int
		nearest, expected   string
	}{
		{"accepted", list, "(1,22)", true, "[[0 0 6 0 0 0] [1 1 2 1 1 14] [1 3 5 1 1 26]]", 0, "", ""},
		{"rejected in the middle", list, "(1;2)", false, "[]", 2, "(1,2)", `")" "," DIGIT`},
		{"rejected at its end", list, "(1", false, "[]", 2, "(1)", `")" "," DIGIT`},
		{"rejected at its beginning", list, "", false, "[]", 0, "()", `"("`},
		{"bytes", "a = %xff\n", "\xfe", false, "[]", 0, "\xff", `"\xFF"`},
		{"what nests has no automaton", "a = \"(\" *a \")\"\n", "(()", false, "[]", 3, "", `"(" ")"`},
		{"what nests", "a = \"(\" *a \")\"\n", "(())", true, "[[0 0 4 0 0 0] [0 1 3 1 1 10]]", 0, "", ""},
		{"a PEG", "a <- b* !.\nb <- 'x' / \"xy\"\n", "xy", false, "[]", 1, "xx", ""},
		{"an expression", "/^[ab]+$/", "abc", false, "[]", 2, "aba", ""},
		{"an expression with a lookahead", "/^(?!aa)[ab]+$/", "aab", false, "[]", 1, "baab", ""},
	} {
		s := New()
		q := Question{Ask: "check", Grammar: Source{Text: c.grammar}, Strings: [][]byte{[]byte(c.word), []byte(c.word)}}
		all := ask[[]Verdict](t, s, q)
		if len(all) != 2 || tree(all[0]) != tree(all[1]) {
			t.Fatalf("%s: %+v", c.name, all)
		}
		v, brief := all[0], ask[[]Verdict](t, s, Question{Ask: "check", Brief: true, Grammar: q.Grammar, Strings: q.Strings})[0]
		q.Ask = "explain"
		why := ask[[]Verdict](t, s, q)[0]
		if v.Accepted != c.accepted || brief.Accepted != c.accepted || brief.Nearest != nil || brief.Offset >= 0 || why.Accepted != c.accepted || v.Undecided != "" || v.Accepted && tree(v) != c.tree {
			t.Errorf("%s: %+v", c.name, v)
		}
		if c.accepted {
			continue
		}
		slices.Sort(why.Expected)
		if why.Offset != c.offset || v.Offset >= 0 && v.Offset != c.offset || c.expected != "" && strings.Join(why.Expected, " ") != c.expected {
			t.Errorf("%s: %+v, %+v", c.name, v, why)
		}
		nearest := ""
		if v.Nearest != nil {
			nearest = string(*v.Nearest)
		}
		if nearest != c.nearest {
			t.Errorf("%s: nearest %q, want %q", c.name, nearest, c.nearest)
		}
	}
	for _, src := range []Source{{Text: "a = b\n"}, {Text: "a = (\n"}, {Text: "a = <prose>\n"}} {
		if p := ask[problem](t, New(), Question{Ask: "check", Grammar: src, Strings: [][]byte{nil}}); p.Problem == "" {
			t.Errorf("%q: no problem", src.Text)
		}
	}
}

// The parts of a tree that have no node, and the places of all: what of the string is derived by what of the text.
func TestParts(t *testing.T) {
	v := ask[[]Verdict](t, New(), Question{Ask: "check", Grammar: Source{Text: list}, Strings: [][]byte{[]byte("(1,22)")}})[0]
	one := 1
	two := ask[[]Verdict](t, New(), Question{Ask: "check", Tree: &one, Grammar: Source{Text: list}, Strings: [][]byte{[]byte("()"), []byte("(1,22)")}})
	if two[0].Nodes != nil || !two[0].Accepted || fmt.Sprint(two[1]) != fmt.Sprint(v) {
		t.Errorf("with one tree: %+v", two)
	}
	want := "[[-1 0 1 1 1 8] [2 1 2 2 2 10] [-1 2 3 1 1 22] [2 3 4 2 2 10] [2 4 5 2 2 10] [-1 5 6 1 1 35]]"
	if got := fmt.Sprint(v.Parts); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A tree with its parts is the tree without them.
func TestTreesWithParts(t *testing.T) {
	text := must.Of(os.ReadFile("../../../../grammar/rfc3986.bnf"))(t)
	for _, c := range []struct {
		text, start string
		words       []string
	}{
		{list, "", []string{"()", "(1)", "(1,22,333)"}},
		{string(text), "URI-reference", []string{"", "a:", "http://u@[::1]:80/a/b?c#d", "http://1.2.3.4/", "//", "/a%20b", "urn:a:b"}},
		{"a = *b *b [c] (b / c)\nb = 1*\"x\"\nc = \"x\" / \"y\"\n", "", []string{"xx", "xxxx", "xy", "yy"}},
		{"a = \"(\" *a \")\" / b\nb = \"x\" a / \"x\"\n", "", []string{"x", "xx", "((x)x())"}},
		{"a <- b* ( c / b ) !.\nb <- 'x' / 'z'\nc <- 'y' / d\nd <- 'y' 'y'\n", "", []string{"xy", "y", "z", "xzy"}},
	} {
		s := New()
		for _, w := range c.words {
			v := ask[[]Verdict](t, s, Question{Ask: "check", Grammar: Source{Text: c.text, Start: c.start}, Strings: [][]byte{[]byte(w)}})[0]
			h, err := s.open(fileName, Source{Text: c.text, Start: c.start}, regex.Search)
			if err != nil || h.uses == nil && v.Accepted {
				t.Fatalf("%q: %+v, %v", c.text, v, err)
			}
			tree, err := must.Of(h.parserOf(w, true))(t).Parse(w)
			if v.Accepted != (err == nil) {
				t.Errorf("%q: %+v, %v", w, v, err)
				continue
			}
			var got, want []string
			for _, n := range v.Nodes {
				got = append(got, fmt.Sprint(n[:3]))
			}
			if err == nil {
				for _, x := range tree.Root().All() {
					want = append(want, fmt.Sprint([]int{int(x.Kind()) - 1, x.Start(), x.End()}))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q:\n%v, want\n%v", w, got, want)
			}
		}
	}
}

// The number of nodes is that of the whole tree, also where only the first are listed.
func TestAllNodesAreCounted(t *testing.T) {
	const items = maxNodes
	text := "list = *item\nitem = \"(\" [item] \")\"\n"
	v := ask[[]Verdict](t, New(), Question{Ask: "check", Grammar: Source{Text: text}, Strings: [][]byte{[]byte(strings.Repeat("(())", items))}})[0]
	if all := 1 + 2*items; v.Count != all || len(v.Nodes) != maxNodes {
		t.Errorf("%d nodes, %d of them listed; want %d and %d", v.Count, len(v.Nodes), all, maxNodes)
	}
}

// A session that keeps a grammar answers as a new one does.
func TestSessionsKeepNoAnswer(t *testing.T) {
	s := New()
	deep := 2
	for range 2 {
		for _, src := range []Source{
			{Text: list}, {Text: list, Start: "item"}, {Text: list, Nesting: &deep}, {Text: "/a/"}, {Text: "/a/", Kind: "go"}, {Text: "a = \"(\" *a \")\"\n"}, {Text: "a = \"(\" *a \")\"\n", Nesting: &deep},
		} {
			for _, q := range []string{"read", "check", "lint", "explain", "check"} {
				text := must.Of(json.Marshal(Question{Ask: q, Grammar: src, Strings: [][]byte{[]byte("12"), []byte("(a")}}))(t)
				if got, want := string(s.Answer(text)), string(New().Answer(text)); got != want {
					t.Errorf("%s of %+v:\n%s\nwant\n%s", q, src, got, want)
				}
			}
		}
	}
}

func TestLint(t *testing.T) {
	for _, c := range []struct{ text, code, summary string }{
		{"a = *[\"x\"]\n", "empty-repeated", ""},
		{"a = \"x\" / *\"x\"\n", "adds-nothing", ""},
		{"/^(a+)+$/", "backtracking", ""},
		{"/^(?=a)a$/", "", "lookarounds"},
		{"a <- 'x'\n", "", "no order"},
	} {
		r := ask[Linted](t, New(), Question{Ask: "lint", Grammar: Source{Text: c.text}})
		if c.code != "" && !slices.ContainsFunc(r.Marks, func(m Mark) bool { return string(m.Code) == c.code && m.Line == 1 }) || !strings.Contains(r.Summary, c.summary) {
			t.Errorf("%q: %+v", c.text, r)
		}
	}
}

// The start may be given in any case.
func TestStartInOtherCase(t *testing.T) {
	src := Source{Text: "a = b\nb = \"x\"\nc = \"y\"\n", Start: "B"}
	if r := ask[Reading](t, New(), Question{Ask: "read", Grammar: src}); r.Start < 0 || r.Rules[r.Start].ID != "b" {
		t.Errorf("read: %+v", r)
	}
	src.Start = "A"
	r := ask[Linted](t, New(), Question{Ask: "lint", Grammar: src})
	if len(r.Marks) != 1 || r.Marks[0].Code != "unused" || r.Marks[0].Line != 3 {
		t.Errorf("lint: %+v", r)
	}
}

// Comments in the text ignore findings, as they do for the command.
func TestLintIgnores(t *testing.T) {
	for text, want := range map[string]string{
		"a = *[\"x\"] ; bnfcheck:ignore empty-repeated as the standard has it\n": "",
		"a = \"x\" ; bnfcheck:ignore empty-repeated as the standard has it\n":    "ignore",
	} {
		r := ask[Linted](t, New(), Question{Ask: "lint", Grammar: Source{Text: text}})
		got := ""
		for _, m := range r.Marks {
			got += string(m.Code)
		}
		if got != want {
			t.Errorf("%q: %q, want %q: %+v", text, got, want, r)
		}
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, a, b        string
		equal             bool
		onlyA, onlyB, say string
	}{
		{"a grammar and an expression", list, `/^\((\d+(,\d+)*)?\)$/`, true, "<nil>", "<nil>", ""},
		{"another version", list, strings.Replace(list, "1*DIGIT", "*DIGIT", 1), false, "<nil>", "(,)", "DIGIT"},
		{"a PEG that commits", "a = %s\"x\" / %s\"xy\"\n", "a <- 'x' / \"xy\"\n", false, "xy", "<nil>", ""},
		{"two expressions", "/^a$/", "/^b$/", false, "a", "b", ""},
	} {
		d := ask[Comparison](t, New(), Question{Ask: "diff", Grammar: Source{Text: c.a}, Other: Source{Text: c.b}})
		shortest := func(p Part) string {
			if p.Shortest == nil {
				return "<nil>"
			}
			return string(*p.Shortest)
		}
		if d.Equal != c.equal || shortest(d.Parts[0]) != c.onlyA || shortest(d.Parts[2]) != c.onlyB || len(d.Groups) == 0 != c.equal || !strings.Contains(d.Text, c.say) {
			t.Errorf("%s: %+v", c.name, d)
		}
		for _, g := range d.Groups {
			if who := []string{"the grammar", "", "the other"}[g.Side]; !strings.Contains(strings.ToLower(g.Sentence), who) {
				t.Errorf("%s: %q does not say that it is %s", c.name, g.Sentence, who)
			}
		}
	}
	for _, c := range [][3]string{{"a = (", list, "the first grammar"}, {list, "a = (", "the second grammar"}, {"a = \"(\" *a \")\"\n", list, "choose under Nesting"}} {
		if p := ask[problem](t, New(), Question{Ask: "diff", Grammar: Source{Text: c[0]}, Other: Source{Text: c[1]}}); !strings.Contains(p.Problem, c[2]) {
			t.Errorf("%q, %q: %+v", c[0], c[1], p)
		}
	}
}

func TestMake(t *testing.T) {
	for _, c := range []struct {
		what, format, text string
		files              []string
		holds              string
	}{
		{"vectors", "", list, []string{"vectors.txt"}, "\n- ("},
		{"vectors", "js", list, []string{"vectors.js"}, "accept: true"},
		{"vectors", "", "a <- 'x' / 'y'\n", []string{"vectors.txt"}, "\n+ x"},
		{"regexp", "", list, []string{"js.txt", "go.txt", "python.txt", "pcre.txt"}, `/^\(`},
		{"regexp", "", "/^a+$/", []string{"js.txt", "go.txt", "python.txt", "pcre.txt"}, "a+"},
		{"peg", "", list, []string{"grammar.peg"}, "list"},
		{"go", "", list, []string{"grammar.go", "nodes.go", "tables.go", "fast.go", "generated_test.go", "bnfcheck.lock"}, "package grammar"},
	} {
		files := ask[[]File](t, New(), Question{Ask: "make", Make: c.what, Format: c.format, Grammar: Source{Text: c.text}})
		var names []string
		for _, f := range files {
			if names = append(names, f.Name); f.Problem != "" || f.Text == "" {
				t.Errorf("%s: %+v", c.what, f)
			}
		}
		if !slices.Equal(names, c.files) || !strings.Contains(files[0].Text, c.holds) {
			t.Errorf("%s %s: %q", c.what, c.format, names)
		}
	}
	const twoWays = "r = *c %s\"a\" *c %s\"b\" 7c\nc = %s\"a\" / %s\"b\" / %xEF.BF.BD\n"
	files := ask[[]File](t, New(), Question{Ask: "make", Make: "regexp", Grammar: Source{Text: twoWays}})
	for i, want := range []string{
		`"aabaaaaaaa" can be matched in two ways`,
		`assumed: strings are UTF-8, and not octets of which go makes U+FFFD; "aabaaaaaaa" can be matched in two ways`,
	} {
		if files[i].Note != want {
			t.Errorf("the note of %s is %q; want %q", files[i].Name, files[i].Note, want)
		}
	}
	for _, q := range []Question{{Make: "nothing"}, {Make: "peg", Grammar: Source{Text: "a <- 'x'"}}, {Make: "vectors", Format: "nothing"}} {
		if q.Ask = "make"; q.Grammar.Text == "" {
			q.Grammar.Text = list
		}
		if p := ask[problem](t, New(), q); p.Problem == "" {
			t.Errorf("%+v: no problem", q)
		}
	}
}

// What costs too much ends in time and says so, and the session answers on.
func TestHostileGrammars(t *testing.T) {
	var doubling strings.Builder
	for i := range 40 {
		fmt.Fprintf(&doubling, "a%d = a%d a%d\n", i, i+1, i+1)
	}
	doubling.WriteString("a40 = \"x\" / \"y\"\n")
	for name, text := range map[string]string{
		"doubling":   doubling.String(),
		"brackets":   "a = " + strings.Repeat("(", 100000) + "\n",
		"repeats":    "a = 1000000000(1000000000\"x\")\n",
		"a megabyte": strings.Repeat("; all is well\n", 75000),
		"many rules": strings.Repeat("a=b\n", 60000),
		"bytes":      "\x00\xff\xfe = \x80",
		"/(a*)*\\1/": "/(a*)*\\1/",
	} {
		s := New()
		for _, what := range []string{"read", "check", "explain", "lint", "diff"} {
			before := time.Now()
			q := Question{Ask: what, Grammar: Source{Text: text}, Other: Source{Text: list}, Strings: [][]byte{[]byte("xxxy")}, Seconds: .3}
			question := must.Of(json.Marshal(q))(t)
			answer := s.Answer(question)
			if !json.Valid(answer) || len(answer) > 4<<20 {
				t.Errorf("%s of %s: an answer of %d bytes", what, name, len(answer))
			}
			if took := time.Since(before); took > 8*time.Second {
				t.Errorf("%s of %s: %v", what, name, took)
			}
		}
		if v := ask[[]Verdict](t, s, Question{Ask: "check", Grammar: Source{Text: list}, Strings: [][]byte{[]byte("()")}}); !v[0].Accepted {
			t.Errorf("after %s: %+v", name, v)
		}
	}
}

// While it works it tells how far it is, and it ends where its time does.
func TestTellAndTime(t *testing.T) {
	text := must.Of(os.ReadFile("../../../../grammar/rfc3986.bnf"))(t)
	s := New()
	told := int64(0)
	s.Tell = func(steps int64, _ string) { told = max(told, steps) }
	ask[Linted](t, s, Question{Ask: "lint", Grammar: Source{Text: string(text), Start: "URI"}})
	if told == 0 {
		t.Error("it told nothing")
	}
	if p := ask[problem](t, s, Question{Ask: "lint", Seconds: 1e-9, Grammar: Source{Text: string(text), Start: "URI-reference"}}); p.Problem == "" {
		s.until = time.Time{}
		r := ask[Linted](t, s, Question{Ask: "lint", Seconds: 1e-9, Grammar: Source{Text: string(text), Start: "URI-reference"}})
		if !slices.ContainsFunc(r.Marks, func(m Mark) bool { return m.Code == "undecided" }) {
			t.Errorf("a nanosecond was enough: %+v", r.Summary)
		}
	}
}

// The checker of URLs is told what package inspect finds out.
func TestURLs(t *testing.T) {
	const text = "<URL:http://a/> <URL:ftp://b/~>"
	for chosen := range 2 {
		got := string(New().Answer(must.Of(json.Marshal(Question{Ask: "urls", Text: text, Chosen: chosen}))(t)))
		if want := string(must.Of(json.Marshal(inspect.Check(text, chosen)))(t)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Strings are drawn that are accepted, and such that are not, and each is judged. Another seed draws others.
func TestSample(t *testing.T) {
	for _, c := range []struct {
		name     string
		grammar  Source
		accepted int // at least
		rejected int
	}{
		{"ABNF", Source{Text: list}, maxAccepted, maxRejected},
		{"one string", Source{Text: "a = %s\"ab\"\n"}, 1, maxRejected},
		{"the empty string", Source{Text: "a = \"\"\n"}, 1, maxRejected},
		{"what nests", Source{Text: "list = \"(\" *( list / ALPHA ) \")\"\n"}, maxAccepted, maxRejected},
		{"a PEG", Source{Text: "a <- [a-c]+ !.\n"}, maxAccepted, maxRejected},
		{"an expression", Source{Text: `/^\d+(-[a-f]{2})?$/`}, maxAccepted, maxRejected},
		{"a lookahead", Source{Text: `/^(?=a)[a-c]+$/`}, maxAccepted, maxRejected},
		{"code points", Source{Text: "a = 1*%x3B1-3C9\n"}, maxAccepted, maxRejected},
		{"everything", Source{Text: "a = *OCTET\n"}, maxAccepted, 0},
	} {
		s := New()
		drawn := ask[Sample](t, s, Question{Ask: "sample", Grammar: c.grammar, Seed: 1})
		if len(drawn.Accepted) < c.accepted || len(drawn.Rejected) < c.rejected {
			t.Errorf("%s: %q", c.name, drawn)
		}
		for i, list := range [][][]byte{drawn.Accepted, drawn.Rejected} {
			if len(list) == 0 {
				continue
			}
			for k, v := range ask[[]Verdict](t, s, Question{Ask: "check", Grammar: c.grammar, Strings: list}) {
				if v.Accepted != (i == 0) || v.Undecided != "" {
					t.Errorf("%s: %q: %+v", c.name, list[k], v)
				}
			}
		}
	}
	q := Question{Ask: "sample", Grammar: Source{Text: list}, Seed: 1}
	first := ask[Sample](t, New(), q)
	if again := ask[Sample](t, New(), q); fmt.Sprintf("%q", again) != fmt.Sprintf("%q", first) {
		t.Errorf("with one seed %q and %q", first, again)
	}
	q.Seed = 2
	if other := ask[Sample](t, New(), q); fmt.Sprintf("%q", other) == fmt.Sprintf("%q", first) {
		t.Errorf("with two seeds %q", first)
	}
	if p := ask[problem](t, New(), Question{Ask: "sample", Grammar: Source{Text: "a = (\n"}}); p.Problem == "" {
		t.Error("no problem with a broken grammar")
	}
}

// Lines are judged as a whole, and the parts that are accepted are the longest from left to right.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		name    string
		grammar Source
		lines   string // parted by "|"
		want    string // of each line + or -, and its parts
		apart   string
	}{
		{"numbers", Source{Text: "n = 1*DIGIT\n"}, "12|a12b3|x||ä1", "+[[0 2]] -[[1 3] [4 5]] -[] -[] -[[2 3]]", ""},
		{"the longest", Source{Text: "a = \"x\" / \"xx\" / \"xxxx\"\n"}, "xxxxx|xxx", "-[[0 4] [4 5]] -[[0 2] [2 3]]", ""},
		{"the empty string", Source{Text: "a = *\"x\"\n"}, "|yxx", "+[] -[[1 3]]", ""},
		{"what nests", Source{Text: "a = \"(\" *a \")\"\n"}, "(())|(", "+[] -[]", "the grammar nests"},
		{"an expression", Source{Text: `/b+/`}, "abb|c", "+[] -[]", "which part an expression matches is for its engine to say"},
		{"no lines", Source{Text: "n = 1*DIGIT\n"}, "", "-[]", ""},
	} {
		var lines [][]byte
		for line := range strings.SplitSeq(c.lines, "|") {
			lines = append(lines, []byte(line))
		}
		answer := ask[Lines](t, New(), Question{Ask: "lines", Grammar: c.grammar, Strings: lines})
		var got []string
		for _, l := range answer.Lines {
			sign := "-"
			if l.Accepted {
				sign = "+"
			}
			got = append(got, fmt.Sprint(sign, l.Parts, l.Undecided))
		}
		if strings.Join(got, " ") != c.want || answer.Apart != c.apart {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, strings.Join(got, " "), answer.Apart, c.want, c.apart)
		}
	}
}

// Where a string goes wrong has a line and a column: those of what was being read.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{`^(ab|cd)\d+$`, "abx", "expression 1:9"},
		{`^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$`, "1.0.0-", "expression 1:17"},
		{"a = b *( \",\" b )\nb = 1*DIGIT\n", "1,x", "b 2:7"},
	} {
		v := ask[[]Verdict](t, New(), Question{Ask: "explain", Grammar: Source{Text: c.text}, Strings: [][]byte{[]byte(c.word)}})[0]
		if got := fmt.Sprintf("%s %d:%d", v.In, v.Line, v.Col); got != c.want {
			t.Errorf("%s: %q goes wrong in %s, want %s", c.text, c.word, got, c.want)
		}
	}
}

// With a depth what nests is compared, and its parts are found in lines.
func TestNesting(t *testing.T) {
	depth := 1
	nested := Source{Text: "a = \"(\" *a \")\"\n", Nesting: &depth}
	d := ask[Comparison](t, New(), Question{Ask: "diff", Grammar: nested, Other: Source{Text: "a = \"()\"\n"}})
	if d.Sentence == "" || d.Parts[0].Shortest == nil || string(*d.Parts[0].Shortest) != "(())" {
		t.Errorf("%+v", d)
	}
	answer := ask[Lines](t, New(), Question{Ask: "lines", Grammar: nested, Strings: [][]byte{[]byte("a(())")}})
	if got := fmt.Sprint(answer.Lines[0].Parts); got != "[[1 5]]" || answer.Apart != "" {
		t.Errorf("%s, %q", got, answer.Apart)
	}
}
