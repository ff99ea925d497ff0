package vectors

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"go/format"
	"go/parser"
	"go/token"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"

	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // its grammars are known by name
)

func subject(t *testing.T, g *bnfcheck.Grammar, name string) *Subject {
	t.Helper()
	return must.Of(NewSubject(g.Grammar, name))(t)
}

// Each production is judged by what the other RFC has for it.
func TestJudges(t *testing.T) {
	for _, test := range []struct {
		grammar    *bnfcheck.Grammar
		name, want string
	}{
		{bnfcheck.RFC1738, "http", "httpaddress httpurl"},
		{bnfcheck.RFC1630, "http", "httpaddress httpurl"},
		{bnfcheck.RFC1630, "cid", "cidaddress otherurl"},
		{bnfcheck.RFC1738, "file", "uri fileurl"},
		{bnfcheck.RFC1738, "url", "uri_fragmentaddress url"},
		{bnfcheck.RFC1738, "hostport", "hostport hostport"},
		{bnfcheck.RFC1738, "gopher+_string", "gopher+_string"},
		{bnfcheck.Draft06, "http", "httpaddress httpurl httpurl"},
	} {
		var ids []string
		for _, j := range subject(t, test.grammar, test.name).Judges {
			ids = append(ids, j.Grammar.Production(j.Production).ID)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s %s: judged by %s; want %s", test.grammar.Name, test.name, got, test.want)
		}
	}
}

// Every vector has the verdict of the automaton, which no generated parser has a part in; each input comes once; the
// sizes are those that the plan says; what is negative is rejected, and says what it breaks.
func TestVectors(t *testing.T) {
	for _, g := range bnfcheck.RFCs() {
		for _, scheme := range g.Schemes {
			if scheme.Name != "mailto" && !longtest.Enabled() || longtest.UnderRace && scheme.Name != "http" {
				continue
			}
			s := subject(t, g, scheme.Name)
			own := slices.IndexFunc(s.Judges, func(j Judge) bool { return j.Grammar == g.Grammar })
			if own < 0 || len(s.Judges) != 2 {
				t.Fatalf("%s: judges %v", s.ID(), s.Judges)
			}
			p := must.Of(s.Plan(Options{Parts: Parts, Method: HSI}))(t)
			seen := map[string]bool{}
			sizes := map[Part][2]int64{}
			accepted := 0
			for v := range p.Vectors() {
				if seen[v.Input] {
					t.Errorf("%s: %q comes twice", s.ID(), v.Input)
				}
				seen[v.Input] = true
				size := sizes[v.Part]
				sizes[v.Part] = [2]int64{size[0] + 1, size[1] + int64(len(v.Input))}
				if v.Accept[own] != s.DFA.Match(v.Input) {
					t.Errorf("%s: %q: accepted %t; the automaton: %t", s.ID(), v.Input, v.Accept[own], s.DFA.Match(v.Input))
				}
				if v.Accept[own] {
					accepted++
				}
				if v.Accept[own] == (v.Components == nil) || len(v.Productions) == 0 {
					t.Errorf("%s: %q: components %v, productions %v", s.ID(), v.Input, v.Components, v.Productions)
				}
				if v.Part == Negative && (v.Accept[own] || !strings.HasPrefix(v.Why, "breaks "+v.Productions[0]+": ")) {
					t.Errorf("%s: negative %q: %+v", s.ID(), v.Input, v)
				}
			}
			for _, size := range p.Sizes() {
				if got := sizes[size.Part]; size.Vectors.Cmp(big.NewInt(got[0])) != 0 || size.Bytes.Cmp(big.NewInt(got[1])) != 0 {
					t.Errorf("%s %s: %v vectors of %v bytes planned, %v made", s.ID(), size.Part, size.Vectors, size.Bytes, got)
				}
			}
			if accepted*20 < len(seen) {
				t.Errorf("%s: only %d of %d accepted", s.ID(), accepted, len(seen))
			}
		}
	}
}

func TestBoundaries(t *testing.T) {
	want := map[string]string{ // input -> why
		"http://a":               "hostport of 1 byte",
		"http://a:":              "port of 0 bytes",
		"http://a:65536":         "port is 65536",
		"http://256.0.0.0":       "",
		"http://256.256.256.256": "digits is 256",
		"http://a/?":             "search of 0 bytes",
		"http://a/a/a/a":         "hsegment 3 times",
		"http://.a":              "domainlabel of 0 bytes",
		"http://" + strings.Repeat("a", 64) + ".a":  "domainlabel of 64 bytes",
		"http://a/?" + strings.Repeat("a", 256):     "search of 256 bytes",
		"http://a/?" + strings.Repeat("a", 1024):    "",
		"http://" + strings.Repeat("a.", 128) + "a": "domainlabel 128 times",
	}
	examples := must.Of(subject(t, bnfcheck.RFC1738, "httpurl").Boundaries(256))(t)
	got := map[string]string{}
	for _, e := range examples {
		got[e.Word] = e.Why
	}
	for word, why := range want {
		if got[word] != why {
			t.Errorf("%q: %q; want %q", word, got[word], why)
		}
	}
}

func TestNegatives(t *testing.T) {
	s := subject(t, bnfcheck.RFC1738, "http")
	var words []string
	for _, e := range s.Negatives() {
		if s.DFA.Match(e.Word) {
			t.Errorf("%q is derived", e.Word)
		}
		words = append(words, e.Word)
	}
	for _, w := range []string{"ttp://a", "http:/a", "http://", "http://a#", "http://a/%", "http://a/%a"} {
		if !slices.Contains(words, w) {
			t.Errorf("%q is missing", w)
		}
	}
}

// The sweep has every byte after every live state, and its rows are its words.
func TestSweep(t *testing.T) {
	a := subject(t, bnfcheck.RFC1738, "http").DFA
	words := must.Of(SweepSuite(a))(t)
	tried := map[[2]int]bool{}
	number := 0
	for _, r := range SweepRows(a) {
		for _, x := range r.Bytes.Members() {
			w := r.Before + string([]byte{x}) + r.After
			number++
			if !words.Has(w) || a.Match(w) != r.Accept {
				t.Errorf("%q: in the suite %t, accepted %t, row %+v", w, words.Has(w), a.Match(w), r)
			}
			tried[[2]int{a.Run(0, r.Before), int(x)}] = true
		}
	}
	live := 0
	for q := range a.States() {
		if a.Live(q) {
			live++
		}
	}
	if len(tried) != live*256 {
		t.Errorf("%d bytes tried after %d states", len(tried), live)
	}
	if n, _ := words.Size(); n.Int64() > int64(number) || n.Int64() < int64(len(tried)) {
		t.Errorf("%v words in %d rows' words", n, number)
	}
}

func TestEscape(t *testing.T) {
	for s, want := range map[string]string{"": "", "a b": "a b", `\`: `\\`, "\x00\xff\n": `\x00\xff\x0a`, `\x41`: `\\x41`, "é": `\xc3\xa9`} {
		got := Escape(s)
		back, err := Unescape(got)
		if got != want || back != s || err != nil {
			t.Errorf("Escape(%q) = %q, back %q, %v", s, got, back, err)
		}
	}
	for _, s := range []string{`\`, `\x`, `\x4`, `\xg0`, `\n`, `\x+1`} {
		if back, err := Unescape(s); err == nil {
			t.Errorf("Unescape(%q) = %q", s, back)
		}
	}
}

// All formats hold the same vectors.
func TestFormats(t *testing.T) {
	s := subject(t, bnfcheck.RFC1738, "mailto")
	p := must.Of(s.Plan(Options{Method: Wp, Longest: 64}))(t)
	want := slices.Collect(p.Vectors())
	written := func(f Format) string {
		var b bytes.Buffer
		must.Do(t, p.Write(&b, f))
		return b.String()
	}
	t.Run("lines", func(t *testing.T) {
		i := 0
		for line := range strings.Lines(written(Lines)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			input, err := Unescape(strings.TrimSuffix(line[3:], "\n"))
			v := want[i]
			if err != nil || input != v.Input || line[0] != signOf(v.Accept[0]) || line[1] != signOf(v.Accept[1]) {
				t.Errorf("%q for %+v", line, v)
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%d lines of %d", i, len(want))
		}
	})
	t.Run("jsonl", func(t *testing.T) {
		lines := slices.Collect(strings.Lines(written(JSONLines)))
		var header struct{ Header []string }
		if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || !slices.Equal(header.Header, p.Header()) {
			t.Errorf("header %q: %v", lines[0], err)
		}
		if len(lines)-1 != len(want) {
			t.Fatalf("%d lines of %d", len(lines)-1, len(want))
		}
		for i, line := range lines[1:] {
			var got struct {
				Input       *string
				Base64      []byte
				Accept      map[string]bool
				Components  map[string]string
				Productions []string
				Part        Part
				Why         string
			}
			decoder := json.NewDecoder(strings.NewReader(line))
			decoder.DisallowUnknownFields()
			must.Do(t, decoder.Decode(&got))
			v := want[i]
			input := string(got.Base64)
			if got.Input != nil {
				input = *got.Input
			}
			if input != v.Input || got.Accept["rfc1630"] != v.Accept[0] || got.Accept["rfc1738"] != v.Accept[1] ||
				len(got.Components) != len(v.Components) || !slices.Equal(got.Productions, v.Productions) || got.Part != v.Part || got.Why != v.Why {
				t.Errorf("%s for %+v", line, v)
			}
			for _, c := range v.Components {
				if got.Components[c.Name] != c.Value {
					t.Errorf("%s: component %v", line, c)
				}
			}
		}
	})
	t.Run("csv", func(t *testing.T) {
		rows, err := csv.NewReader(strings.NewReader(written(CSV))).ReadAll()
		if err != nil || len(rows)-1 != len(want) {
			t.Fatalf("%d rows of %d, %v", len(rows)-1, len(want), err)
		}
		for i, row := range rows[1:] {
			if row[0] != want[i].Input && row[1] == "" || (row[3] == "true") != want[i].Accept[1] {
				t.Errorf("%q for %+v", row, want[i])
			}
		}
	})
	t.Run("go", func(t *testing.T) {
		src := written(GoTest)
		if _, err := parser.ParseFile(token.NewFileSet(), "vectors_test.go", src, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
		if formatted, err := format.Source([]byte(src)); err != nil || string(formatted) != src {
			t.Errorf("not formatted as gofmt does it: %v", err)
		}
		if n := strings.Count(src, "\t{\""); n != len(want) {
			t.Errorf("%d rows of %d", n, len(want))
		}
	})
}

func TestRefusals(t *testing.T) {
	if _, err := NewSubject(bnfcheck.RFC1738.Grammar, "nonsense"); err == nil {
		t.Error("a production that there is not")
	}
	s := subject(t, bnfcheck.RFC1738, "mailto")
	for _, o := range []Options{{Extra: -1}, {Method: 9}, {Parts: []Part{"nonsense"}}} {
		if _, err := s.Plan(o); err == nil {
			t.Errorf("%+v is planned", o)
		}
	}
	if err := new(Plan).Write(nil, "nonsense"); err == nil {
		t.Error("a format that there is not")
	}
	for _, m := range []Method{W, Wp, HSI} {
		if got, err := ParseMethod(strings.ToLower(m.String())); got != m || err != nil {
			t.Errorf("%v: %v, %v", m, got, err)
		}
	}
}

// The transitions are all taken, and are there only where they are asked for.
func TestTransitions(t *testing.T) {
	s := subject(t, bnfcheck.RFC1738, "ftp")
	p := must.Of(s.Plan(Options{Parts: []Part{Transitions}}))(t)
	type transition struct{ q, c int }
	taken := map[transition]bool{}
	for v := range p.Vectors() {
		q := 0
		for i := range len(v.Input) {
			c := s.DFA.ClassOf(v.Input[i])
			taken[transition{q, c}] = true
			q = s.DFA.NextClass(q, c)
		}
	}
	if n := s.DFA.States() * s.DFA.Classes(); len(taken) != n {
		t.Errorf("%d of %d transitions", len(taken), n)
	}
	usual := must.Of(subject(t, bnfcheck.RFC1738, "mailto").Plan(Options{Method: HSI}))(t)
	for _, size := range usual.Sizes() {
		if size.Part == Transitions {
			t.Error("a suite without --part has them too")
		}
	}
}

// A suite for an automaton that no grammar is behind, beside what an RFC says.
func TestModel(t *testing.T) {
	a := lang.OfString("mailto:").Concat(lang.OfString("a").Star())
	m := &Model{Name: `a "parser"/1.0`, About: "the model of a parser", Bound: []string{"exact up to here"}, DFA: a}
	s := m.Subject(subject(t, bnfcheck.RFC1738, "mailto"))
	for _, part := range []Part{Boundary, Negative} {
		if _, err := s.Plan(Options{Parts: []Part{part}}); err == nil {
			t.Errorf("a model with the part %s", part)
		}
	}
	other := (&Model{Name: m.Name, DFA: lang.OfString("b")}).Subject()
	if s.ID() != m.Name || s.Scheme() != "" || s.Text() == other.Text() || len(s.Negatives()) > 0 {
		t.Errorf("%s, of scheme %q, with the text %q and the negatives %v", s.ID(), s.Scheme(), s.Text(), s.Negatives())
	}
	_, boundaries := s.Boundaries(1024)
	_, spare := s.SpareBoundaries(1024)
	_, derivations := s.Derivations()
	_, mutants := s.MutationSuite(nil)
	for _, err := range []error{boundaries, spare, derivations, mutants} {
		if !errors.Is(err, errNoProductions) {
			t.Errorf("a suite that needs productions, for a model: %v", err)
		}
	}
	p := must.Of(s.Plan(Options{Method: HSI}))(t)
	seen := map[string]Vector{}
	for v := range p.Vectors() {
		if v.Accept[0] != a.Match(v.Input) || v.Accept[1] != bnfcheck.RFC1738.Accept(s.Judges[1].Production, v.Input) {
			t.Errorf("%q: %v", v.Input, v.Accept)
		}
		seen[v.Input] = v
	}
	if v := seen["mailto:"]; !v.Accept[0] || v.Accept[1] || !strings.HasPrefix(v.Why, "rfc1738: offset 7: ") {
		t.Errorf("%+v", v)
	}
	if v := seen["mailto:a"]; !v.Accept[0] || !v.Accept[1] || v.Why != "" {
		t.Errorf("%+v", v)
	}
	for format, want := range map[Format]string{
		Lines: "# vectors for the model of a parser, judged by the model; beside its verdict stands that of rfc1738 mailtourl\n" +
			"# exact up to here\n",
		JSONLines: `{"input":"mailto:","accept":{"a ` +
			`\"parser\"/1.0":true,"rfc1738":false},"productions":[],"part":"complete","why":"rfc1738: `,
		CSV:    `input,base64,"a ""parser""/1.0",rfc1738,`,
		GoTest: "func Test_a__parser__1_0(t *testing.T) {\n",
	} {
		var b strings.Builder
		if err := p.Write(&b, format); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v: no %s in\n%s", format, err, want, b.String()[:min(b.Len(), 1500)])
		}
	}
}

// A production that derives the empty string alone has no limits, and the recursion around it is none.
func TestBoundariesAroundEmpty(t *testing.T) {
	g := must.Of(bnf.ReadABNF("g.abnf", []byte("a = b *a\nb = \"\"\n")))(t)
	examples := must.Of(ofGrammar(t, g, g).Boundaries(16))(t)
	if !slices.ContainsFunc(examples, func(e Example) bool { return e.Word == "" }) {
		t.Errorf("got %q", examples)
	}
}

// The degenerate languages have suites too.
func TestDegenerate(t *testing.T) {
	for _, a := range []*lang.DFA{lang.Empty(), lang.All(), lang.Epsilon()} {
		for _, m := range []Method{W, Wp, HSI} {
			words, err := CompleteSuite(a, m, 1, false)
			if err != nil || !words.Has("") || !words.Has("a") {
				t.Errorf("%v %v: %v", a, m, err)
			}
		}
	}
}

// In a sweep the byte is always a class in brackets, that of all bytes too.
func TestSweepClassesAreInBrackets(t *testing.T) {
	s := must.Of(NewSubject(bnfcheck.RFC1738.Grammar, "telneturl"))(t)
	p := must.Of(s.Plan(Options{Parts: []Part{Sweep}}))(t)
	var b strings.Builder
	must.Do(t, p.WriteSweep(&b))
	all := 0
	for line := range strings.Lines(b.String()) {
		if fields := strings.Split(line, "\t"); len(fields) == 4 {
			if class := fields[2]; !strings.HasPrefix(class, "[") || !strings.HasSuffix(class, "]") {
				t.Errorf("%q is no class in brackets", class)
			} else if class == `[\x00-\xff]` {
				all++
			}
		}
	}
	if all == 0 {
		t.Error("no line stands for all bytes")
	}
}
