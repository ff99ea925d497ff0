package outline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Each case is a text in a notation, and its productions: the name, and the names that are used.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		kind catalog.Kind
		text string
		want string
	}{
		{catalog.ABNF, "a = b / \"c = d\" ; e = f\n  <g> %s\"h\"\nB =/ 1*2c\n", "a: b g; B: c"},
		{catalog.ABNF, "a = \"open\nb = c\n", "a:; b: c"},
		{catalog.ABNF, "a = ( b\n\nc = d )\n", "a: b; c: d"},
		{catalog.ABNF, "a = b == c\nd ::= e\n", "a: b c; d: e"},
		{catalog.EBNF, "[1] a ::= b | 'c ::= d' /* e ::= f */\n[2] g ::= [h-i]* #x20\n", "a: b; g:"},
		{catalog.ISO, "a = b, { c }, ? d ? ; (* e = f; *) g = \"h\";\n", "a: b c; g:"},
		{catalog.ISO, "two words = an other , \"x,y\" ;\nan other = 'z';\n", "two words: an other; an other:"},
		{catalog.ISO, "a = (?b = c?), [?d?], { ?e? } | f?|?g?;\nh = i?;\n", "a: f; h: i"},
		{catalog.Pigeon, "{ package p; var a = b }\na \"shown\" <- x:b / !'c' [d-e] { return f, nil } // g <- h\ni <- &{ return \"}\" } j\n", "a: b; i: j"},
		{catalog.Peggy, "{{ a = 1 }}\nb = c:d @(e / 'f'i) { return { g: 1 }; }\nh \"shown\" = [i\\]] $j\n", "b: d e; h: j"},
		{catalog.Pigeon, "a <- [b]i / [c]id 'e'i f\n", "a: id f"},
		{catalog.Peggy, "a = [b]i / [c]i\nd = i\n", "a:; d: i"},
		{catalog.GBNF, "root ::= a | \"b\\\"\" [^c]+ # d ::= e\na ::= .\n", "root: a; a:"},
		{catalog.Naur, "<a> ::= <b c> | d\n<b c> ::= \"e\"\n", "a: b c; b c:"},
		{catalog.ABNF, "a = b ; c = d\re = f\r", "a: b; e: f"}, // as the readers, for which a CR ends a line too
		{catalog.Pigeon, "a <- b // c\rd <- e\n", "a: b"},      // as pigeon, for which it does not
	} {
		o := Of(c.kind, c.text, []Span{{0, len(c.text)}})
		var list []string
		for _, r := range o.Rules {
			var names []string
			for i := r.Name + 1; i < r.Last; i++ {
				if name := o.NameOf(i); name != "" {
					names = append(names, name)
				}
			}
			list = append(list, strings.TrimSpace(o.NameOf(r.Name)+": "+strings.Join(names, " ")))
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%s %q:\n%s\nwant\n%s", c.kind, c.text, got, c.want)
		}
		ordered(t, o)
	}
}

// ordered wants tokens that follow each other within the text, and productions that divide them.
func ordered(t *testing.T, o *Outline) {
	t.Helper()
	at := 0
	for _, token := range o.Tokens {
		if token.Start < at || token.End <= token.Start || token.End > len(o.Text) {
			t.Fatalf("%q: token %v after offset %d", o.Text, token, at)
		}
		at = token.End
	}
	last := 0
	for _, r := range o.Rules {
		if r.Comment < last || r.First < r.Comment || r.Name < r.First || r.Last <= r.Name || r.Last > len(o.Tokens) {
			t.Fatalf("%q: production %v after token %d", o.Text, r, last)
		}
		last = r.Last
	}
}

// In texts that the readers read, the productions are the same, at the same places.
func TestAgainstReaders(t *testing.T) {
	files := 0
	try := func(file string) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		options := catalog.Usual
		options.PEG.ActionsSucceed = true
		opened, err := catalog.Read(file, src, options)
		if err != nil || families[opened.Kind] == nil || len(opened.Blocks) > 1 {
			return
		}
		files++
		o := Of(opened.Kind, string(src), []Span{{0, len(src)}})
		ordered(t, o)
		var there []string
		for _, r := range o.Rules {
			if key := o.Key(o.NameOf(r.Name)); !slices.Contains(there, key) {
				there = append(there, key)
			}
		}
		var want []string
		for _, r := range opened.Grammar.Rules {
			name := r.Label()
			if opened.Grammar.Ordered { // whose label is that of the production that it transcribes
				name = r.ID
			}
			if key := o.Key(name); r.Pos.File == file && !slices.Contains(want, key) {
				want = append(want, key)
				o.checkPlace(t, file, r)
			}
		}
		slices.Sort(there)
		slices.Sort(want)
		if !slices.Equal(there, want) {
			t.Errorf("%s: outlined\n%v\nread\n%v", file, there, want)
		}
	}
	for _, pattern := range []string{"../../../grammar/*.peg", "../../../grammar/names/*.abnf", "../../../examples/*/*.abnf"} {
		list, _ := filepath.Glob(pattern)
		for _, file := range list {
			try(file)
		}
	}
	if files < 5 {
		t.Errorf("only %d files of the repository were looked at", files)
	}
	if zoo := os.Getenv("BNFCHECK_ZOO"); zoo != "" {
		for _, folder := range []string{"abnf", "peg", "pegjs"} {
			list, _ := filepath.Glob(filepath.Join(zoo, folder, "*"))
			for _, file := range list {
				if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
					try(file)
				}
			}
		}
	}
	t.Logf("%d files", files)
}

// checkPlace wants the name of a production at its place.
func (o *Outline) checkPlace(t *testing.T, file string, r *expr.Rule) {
	t.Helper()
	lines := strings.SplitAfter(o.Text, "\n")
	at := r.Pos.Col - 1
	for _, line := range lines[:r.Pos.Line-1] {
		at += len(line)
	}
	i := o.At(at + 1)
	if i < 0 || o.Tokens[i].Start != at || !slices.ContainsFunc(o.Rules, func(own Rule) bool { return own.Name == i || own.First == i }) {
		t.Errorf("%s: nothing is outlined at %s, where %s is read", file, r.Pos, r.Label())
	}
}

// Only the signs of a comment itself are left out of its text, and not what looks like signs of another notation.
func TestSignsOfComments(t *testing.T) {
	for _, c := range []struct{ kind, comment, want string }{
		{"ebnf", "/* #x41 is A */", "#x41 is A"},
		{"ebnf", "/* a\n   // b\n   ;c */", "a\n// b\n;c"},
		{"ebnf", "// #x41 is A", "#x41 is A"},
		{"ebnf", "//#x41 is A", "#x41 is A"},
		{"iso-ebnf", "(* --help prints it *)", "--help prints it"},
		{"gbnf", "## --help prints it", "--help prints it"},
		{"gbnf", "#;-)", ";-)"},
		{"abnf", ";;; a ; b", "a ; b"},
		{"abnf", ";#a is a list", "#a is a list"},
		{"peg", "//;", ";"},
		{"abnf", ";", ""},
		{"ebnf", "/* never closed", "never closed"},
	} {
		sign := "::="
		switch c.kind {
		case "abnf", "iso-ebnf":
			sign = "="
		case "peg":
			sign = "<-"
		}
		text := c.comment + "\na " + sign + " b\n"
		if strings.HasSuffix(c.want, "closed") {
			text = "a " + sign + " " + c.comment
		}
		o := Of(catalog.Kind(c.kind), text, []Span{{0, len(text)}})
		if len(o.Rules) != 1 {
			t.Errorf("%s: %d productions in %q", c.kind, len(o.Rules), text)
		} else if got := o.CommentOf(o.Rules[0]); got != c.want {
			t.Errorf("%s: %q is %q; want %q", c.kind, c.comment, got, c.want)
		}
	}
}

// Angle brackets without a name in them are no name: their place is the whole token.
func TestNameSpanOfProse(t *testing.T) {
	const text = "a = <> < > < b >\n"
	o := Of(catalog.ABNF, text, []Span{{0, len(text)}})
	var got []string
	for i := range o.Tokens {
		if s := o.NameSpan(i); o.Tokens[i].Kind == Prose {
			got = append(got, text[s.Start:s.End])
		}
	}
	if want := []string{"<>", "< >", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

// A long text of signs that nothing closes takes time in proportion to its length.
func TestGrowth(t *testing.T) {
	const size = 1 << 17
	for kind := range families {
		for _, sign := range []string{"<", "[", "\"", "'", "?", "(*", "/*", "{", "--", "`", "a b ", "a= ", "%", "//", ";a\n"} {
			text := strings.Repeat(sign, size/len(sign))
			start := time.Now()
			ordered(t, Of(kind, text, []Span{{0, len(text)}}))
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s: %d bytes of %q take %v", kind, len(text), sign, took)
			}
		}
	}
}

// So does code that nothing closes, whatever else is not closed in it.
func TestGrowthOfCode(t *testing.T) {
	const size = 1 << 20
	for _, kind := range []catalog.Kind{catalog.Pigeon, catalog.Peggy} {
		for _, sign := range []string{"/*", `\"`, `\'`, "//", "{"} {
			text := `{ "` + strings.Repeat(sign, size/len(sign)) + " x"
			start := time.Now()
			ordered(t, Of(kind, text, []Span{{0, len(text)}}))
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s: %d bytes of %q take %v", kind, len(text), sign, took)
			}
		}
	}
}

// FuzzOf divides any bytes in any notation.
func FuzzOf(f *testing.F) {
	for kind := range families {
		f.Add(string(kind), "a = b / \"c\" <d> %x41-5A ; e\n<f> ::= [g] { h } (* i *) j:k // l\n")
	}
	f.Fuzz(func(t *testing.T, kind, text string) {
		o := Of(catalog.Kind(kind), text, []Span{{0, len(text)}})
		ordered(t, o)
		for i := range o.Tokens {
			o.NameSpan(i)
		}
		for _, r := range o.Rules {
			o.Span(r)
			o.CommentOf(r)
		}
		o.At(len(text) / 2)
		o.RuleAt(len(text) / 2)
	})
}
