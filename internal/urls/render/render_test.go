package render

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// hostile returns URLs with every byte, and one that is too long for the judge of the test.
func hostile() (urls []string) {
	for c := range 256 {
		urls = append(urls, "http://a/"+string([]byte{byte(c)}))
	}
	return append(urls, "\x00", "\xff\"", "http://a\x1b/", "http://a/\u202e", "http://a/"+strings.Repeat("é", 100), "")
}

// Every line is one ASCII object of JSON, from which the input can be read back, and text has no byte that could move a
// cursor.
func TestHostileLines(t *testing.T) {
	const limit = 100
	how := check.Options{MaxLength: limit, Suggest: true, Findings: semantic.Select(func(semantic.Rule) bool { return true })}
	judge := check.NewJudge(bnfcheck.Grammars(), how, false)
	text := &Text{Screen: layout.Screen{Width: 80}, Grammars: bnfcheck.Grammars()}
	for i, s := range hostile() {
		l := check.Line{Text: s, Number: i, Length: len(s), Source: &check.Source{Name: "a\x1b[2J\"file"}}
		for name, b := range map[string][]byte{
			"verdicts": AppendJSON(nil, l, judge.Line(l)),
			"repairs":  AppendRepairsJSON(nil, l, judge.Repair(l)),
		} {
			var v struct {
				File, Input       string
				Octets            []byte `json:"input_base64"`
				Line, Length      int
				Verdicts, Repairs map[string]any
			}
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatalf("%q: %s: %v in %s", s, name, err, b)
			}
			input := v.Input + string(v.Octets)
			if len(s) > limit {
				if v.Length != len(s) || !strings.HasPrefix(s, input) {
					t.Errorf("%q: %s: %q of %d bytes", s, name, input, v.Length)
				}
			} else if input != s {
				t.Errorf("%q: %s: read back as %q", s, name, input)
			}
			if v.File != l.Source.Name || v.Line != i || len(v.Verdicts)+len(v.Repairs) != len(bnfcheck.Grammars()) {
				t.Errorf("%q: %s: %s", s, name, b)
			}
			checkPlain(t, b)
		}
		checkPlain(t, text.AppendLine(nil, l, judge.Line(l)))
		checkPlain(t, text.AppendRepairs(nil, l, judge.Repair(l)))
	}
}

// checkPlain reports a byte that is neither printable ASCII nor a line feed.
func checkPlain(t *testing.T, b []byte) {
	t.Helper()
	for _, c := range b {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Fatalf("byte %#x in %q", c, b)
		}
	}
}

// Results of equal URLs have different names.
func TestDistinguish(t *testing.T) {
	list := []results.Result{{Suite: "a", Name: "x"}, {Suite: "b", Name: "x"}, {Suite: "a", Name: "x"}}
	Names{}.Distinguish(list)
	if got := []string{list[0].Name, list[1].Name, list[2].Name}; got[0] != "x" || got[1] != "x" || got[2] != "x (2)" {
		t.Errorf("named %q", got)
	}
}

// However many names there are, they differ, and no more than maxNames are kept.
func TestDistinguishMany(t *testing.T) {
	names, seen := Names{}, map[string]bool{}
	for i := range 3 * maxNames {
		of := i
		if i%3 == 0 {
			of = i % 1000 // some come again and again
		}
		list := []results.Result{{Suite: "a", Name: strconv.Itoa(of), Place: results.Place{File: "f", Line: i}}}
		names.Distinguish(list)
		if seen[list[0].Name] {
			t.Fatalf("two are called %s", list[0].Name)
		}
		seen[list[0].Name] = true
	}
	if len(names) > maxNames {
		t.Errorf("%d names are kept", len(names))
	}
}

// A caret stands below the byte that a message is about: under the URL itself if that fits, else under an excerpt.
func TestCarets(t *testing.T) {
	g := []*bnfcheck.Grammar{bnfcheck.RFC1738}
	l := check.Line{Text: "http://a/~", Number: 1, Length: 10, Source: &check.Source{}}
	judged := check.NewJudge(g, check.Options{MaxLength: 100}, false).Line(l)
	text := &Text{Grammars: g}
	inline, excerpt := strings.Repeat(" ", text.prefixWidth())+"         ^\n", "  http://a/~\n           ^\n"
	for _, row := range []struct {
		width int
		want  string
	}{
		{0, inline},
		{text.prefixWidth() + len(l.Text) + 1, inline},
		{text.prefixWidth() + len(l.Text), excerpt},
		{20, excerpt},
	} {
		text.Width = row.width
		_, below, _ := strings.Cut(string(text.AppendLine(nil, l, judged)), "\n")
		if !strings.HasPrefix(below, row.want) {
			t.Errorf("width %d: below the URL stands\n%swant\n%s", row.width, below, row.want)
		}
	}
}

func TestInlineCodePoints(t *testing.T) {
	for _, tt := range []struct {
		s      string
		offset int
		text   string
		at     int
	}{
		{"", 0, "", 0},
		{"ab", 1, "ab", 1},
		{"a\u061cb", 0, "a<U+061C>b", 0},
		{"a\u061cb", 1, "a<U+061C>b", 1},
		{"a\u061cb", 3, "a<U+061C>b", 9},
		{"a\u061cb", 4, "a<U+061C>b", 10},
		{"\u00e9\U0001F600", 2, "<U+00E9><U+1F600>", 8},
		{"\u00e9\xd8", 2, "<U+00E9>\xd8", 8}, // no code point
		{"\u00e9\xd8", 3, "<U+00E9>\xd8", 9},
	} {
		if text, at := withCodePoints(&ast.Grammar{CodePoints: true}, tt.s, tt.offset); text != tt.text || at != tt.at {
			t.Errorf("inline(%q, %d) = %q, %d; want %q, %d", tt.s, tt.offset, text, at, tt.text, tt.at)
		}
	}
}

// TestLongLinesAreCut: a line that is too long to be shown ends with a whole character, and says that it was cut.
func TestLongLinesAreCut(t *testing.T) {
	text := &Text{Grammars: bnfcheck.Grammars()}
	for _, s := range []string{"http://a/" + strings.Repeat("\u00e9", longestShown), strings.Repeat("\u00e9", longestShown)} {
		l := check.Line{Text: s, Length: len(s), Source: &check.Source{}}
		judged := []check.Judgment{{Grammar: bnfcheck.Grammars()[0], Answer: check.TooLong, Message: "too long"}}
		for name, b := range map[string][]byte{
			"AppendLine":    text.AppendLine(nil, l, judged),
			"AppendRepairs": text.AppendRepairs(nil, l, judged),
			"AppendNearest": text.AppendNearest(nil, l, &ast.Grammar{}, nil, false, NoRepair),
		} {
			line, _, _ := strings.Cut(string(b), "\n")
			if !strings.HasSuffix(line, fmt.Sprintf(`\xC3\xA9... (%d bytes)`, len(s))) {
				t.Errorf("%s: a line of %d bytes ends with %q", name, len(s), line[max(0, len(line)-60):])
			}
		}
	}
}

// TestNearestInput: the object of a nearest string has the whole line, even if its last bytes are no character, and
// of a line that is too long a beginning that ends with a whole one.
func TestNearestInput(t *testing.T) {
	for _, c := range []struct {
		text   string
		length int
		want   string
	}{
		{"a\xff", 2, `{"line":1,"input_base64":"Yf8=","nearest":null}`},
		{"a\xe2\x82", 3, `{"line":1,"input_base64":"YeKC","nearest":null}`},
		{"a\xe2\x82", 300, `{"line":1,"input":"a","nearest":null}`},
	} {
		l := check.Line{Text: c.text, Number: 1, Length: c.length, Source: &check.Source{}}
		if got := string(AppendNearestJSON(nil, l, nil, false)); got != c.want+"\n" {
			t.Errorf("%q of %d bytes: %s, want %s", c.text, c.length, got, c.want)
		}
	}
}

// TestTitlesOfOneProduction: the title says why a line has no answer, also where one production judges alone.
func TestTitlesOfOneProduction(t *testing.T) {
	g := must.Of(catalog.Read("x.abnf", []byte("a = \"b\"\n"), catalog.Usual))(t)
	g.Asked = "a"
	p := must.Of(anygrammar.New(g))(t)
	for answer, want := range map[check.Answer]string{
		check.Accepted:                  "a derives it",
		check.Answer(bnfcheck.Rejected): "a does not derive it",
		check.TooLong:                   "it was not looked at, since it is too long",
		check.Undecided:                 "it could not be decided",
	} {
		var r results.Result
		wordByProduction(&r, p, &check.Judgment{Answer: answer})
		if r.Title != want {
			t.Errorf("%s: %q, want %q", answer, r.Title, want)
		}
	}
}

// A tree that is deeper than encoding/json reads is written as any other.
func TestTreeJSON(t *testing.T) {
	g := &ast.Grammar{Name: "g", Productions: []ast.Production{{ID: "s", Name: "s"}}}
	tree := func(depth int) *ast.Tree {
		made := &ast.Tree{Grammar: g, Source: "é"}
		for range depth {
			made.Nodes = append(made.Nodes, ast.Raw{Next: int32(depth), End: 2})
		}
		return made
	}
	if got, want := string(TreeJSON(tree(3))), string(JSON(nil, tree(3))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := TreeJSON(tree(20_000)); !strings.HasPrefix(string(got), `{"grammar":`) || strings.Count(string(got), `"start"`) != 20_000 {
		t.Errorf("%.300s", got)
	}
}
