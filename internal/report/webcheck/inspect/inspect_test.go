package inspect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// verdicts lists the URLs of an answer, each with what RFC 1630 and RFC 1738 say.
func verdicts(r inspect.Result) string {
	list := []string{string(r.Form)}
	for _, u := range r.URLs {
		list = append(list, fmt.Sprintf("%d:%q %s", u.Line, u.Text, strings.Join(u.Verdicts[:2], "/")))
	}
	return strings.Join(list, " ")
}

func TestHowATextIsRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `single`},
		{"http://a/", `single 1:"http://a/" conforming/conforming`},
		{" http://a/ ", `single 1:" http://a/ " rejected/rejected`},
		{"http://a/\n", `lines 1:"http://a/" conforming/conforming`},
		{"#x", `single 1:"#x" rejected/rejected`},
		{"#x\r\n\r\nhttp://a/\r\nfoo:b",
			`lines 3:"http://a/" conforming/conforming 4:"foo:b" no-production/conforming`},
		{"#\n", `lines`},
		{"see <URL:http://a/>\nor <ftp://\n  b/c>.",
			`prose 1:"http://a/" conforming/conforming 2:"ftp://b/c" conforming/conforming`},
		{"a < b > c", `single 1:"a < b > c" rejected/rejected`},
		{"\x00", `single 1:"\x00" nul/nul`},
		{strings.Repeat("a", bnfcheck.DefaultMaxLength+1),
			`single 1:"` + strings.Repeat("a", bnfcheck.DefaultMaxLength+1) + `" too-long/too-long`},
	} {
		if got := verdicts(inspect.Check(c.text, 0)); got != c.want {
			t.Errorf("%.99q is read as\n%.300s, want\n%.300s", c.text, got, c.want)
		}
	}
}

func TestChosen(t *testing.T) {
	const text = "http://a/\nftp://b/\nnot one\n"
	for _, c := range []struct{ chosen, is int }{{0, 0}, {1, 1}, {2, 2}, {3, 0}, {-1, 0}} {
		r := inspect.Check(text, c.chosen)
		if r.Chosen != c.is {
			t.Errorf("%d chosen, %d shown", c.chosen, r.Chosen)
		}
		for i, v := range r.Views {
			if v.Verdict != r.URLs[c.is].Verdicts[i] {
				t.Errorf("%d chosen, the view of %s is that of another", c.chosen, v.Grammar)
			}
		}
	}
}

func TestCanonicalFormAndSuggestion(t *testing.T) {
	for _, c := range []struct{ url, canonical, suggestion string }{
		{"http://H.dom:80/%7eme", "http://h.dom/%7Eme", ""},
		{"http://h.dom/~me", "", "http://h.dom/%7Eme"},
		{"http://[[[[/", "", ""}, // what would be accepted has little to do with it
	} {
		v := inspect.Check(c.url, 0).Views[0]
		suggestion := ""
		if v.Suggestion != nil {
			suggestion = string(v.Suggestion.URL)
		}
		if string(v.Canonical) != c.canonical || suggestion != c.suggestion {
			t.Errorf("%s: canonical %q, suggestion %q; want %q, %q", c.url, v.Canonical, suggestion, c.canonical, c.suggestion)
		}
	}
}

// In JSON a byte is the character with its number, so that an index in JavaScript is an offset.
func TestOctets(t *testing.T) {
	for _, c := range []struct {
		text inspect.Octets
		want []rune
	}{
		{"", nil},
		{"a\x00\x7f\x80\xff\"\\", []rune{'a', 0, 0x7f, 0x80, 0xff, '"', '\\'}},
		{"é\u202e", []rune{0xc3, 0xa9, 0xe2, 0x80, 0xae}},
		{inspect.Octets(strings.Repeat("\xe9", 2000)), []rune(strings.Repeat("\u00e9", 2000))},
		{inspect.Octets(strings.Repeat("\xe9", 2001)), []rune(strings.Repeat("\u00e9", 2000) + "…")},
	} {
		b := must.Of(json.Marshal(c.text))(t)
		var got string
		if err := json.Unmarshal(b, &got); err != nil || got != string(c.want) {
			t.Errorf("%.40q: %.80q, %v; want %.80q", c.text, got, err, string(c.want))
		}
	}
}

// An explanation shows the byte that it is about, however long the string is.
func TestAround(t *testing.T) {
	for _, before := range []int{9, 1600, 5000} {
		s := "http://a/" + strings.Repeat("b", before-len("http://a/")) + "~" + strings.Repeat("c", 9000)
		w := inspect.Check(s, 0).Views[1].Why
		if w == nil || w.Offset != before || w.Around[w.Offset-w.From] != '~' || w.Offset-w.From > 1500 {
			t.Errorf("%d bytes before it: %+v", before, w)
		}
	}
}

// Whatever the text is, the answer has at most so many bytes.
func TestAnswersAreBounded(t *testing.T) {
	const limit = 4 << 20
	long := bnfcheck.DefaultMaxLength
	for name, text := range map[string]string{
		"a path":       "http://a/" + strings.Repeat("b", long-9),
		"its segments": "ftp://a/" + strings.Repeat("%0D/", long/4-2),
		"its words":    "wais://a/b?" + strings.Repeat("+", long-11),
		"rejected":     "http://a/" + strings.Repeat("~", 4000),
		"far away":     "http://a/" + strings.Repeat("a", long-10) + "~",
		"bytes":        strings.Repeat("\xff", long),
		"too long":     strings.Repeat("\xff", long+1),
		"URLs":         strings.Repeat("<a:b>", long/5),
		"lines":        strings.Repeat("a\n", long/2),
		"long lines":   strings.Repeat(strings.Repeat("a:", 5000)+"\n", long/10001),
		"open":         strings.Repeat("<", long),
		"hyphens":      "<URL:a:" + strings.Repeat("-\n", 32000) + ">",
	} {
		r := inspect.Check(text, 0)
		b, err := json.Marshal(r)
		if err != nil || len(b) > limit {
			t.Errorf("%s: an answer of %d bytes, %v", name, len(b), err)
		}
		if len(r.URLs) > 0 && len(r.Views) != len(bnfcheck.Grammars()) {
			t.Errorf("%s: %d views", name, len(r.Views))
		}
	}
	if r := inspect.Check(strings.Repeat("<a:b>", 1000), 999); r.Count != 1000 || len(r.URLs) != 200 || r.Chosen != 0 {
		t.Errorf("%d of %d URLs, the one chosen is %d", len(r.URLs), r.Count, r.Chosen)
	}
	if v := inspect.Check("http://a/"+strings.Repeat("b/", 1000), 0).Views[1]; len(v.Tree.Entries) != 300 || v.Tree.Count < 1000 {
		t.Errorf("%d of %d nodes", len(v.Tree.Entries), v.Tree.Count)
	}
}

// No text makes it panic, and what it says of the places of things lies inside the URL.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"", "http://a/~b", "<URL:http://a/-\nb> <x:>", "a:\nb:\n", "\x00", "ftp://u@h/a;type=d#x", "<URL:\xff>"} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, text string, chosen int) {
		r := inspect.Check(text, chosen)
		must.Of(json.Marshal(r))(t)
		if len(r.URLs) == 0 {
			return
		}
		length := r.URLs[r.Chosen].Length
		inside := func(start, end int) {
			if start < 0 || start > end || end > length {
				t.Errorf("%d..%d of %d bytes", start, end, length)
			}
		}
		for _, v := range r.Views {
			if w := v.Why; w != nil && w.Offset >= 0 {
				inside(w.From, w.Offset)
			}
			for _, n := range v.Tree.Entries {
				inside(n.Start, n.End)
			}
			for _, x := range v.Fields.Entries {
				if x.Start >= 0 {
					inside(x.Start, x.End)
				}
			}
			for _, x := range v.Findings.Entries {
				inside(x.Start, x.End)
			}
		}
	})
}
