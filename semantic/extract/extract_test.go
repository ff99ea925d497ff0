package extract_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic/extract"
)

func findAll(t testing.TB, r io.Reader) []extract.Found {
	t.Helper()
	var list []extract.Found
	for x, err := range extract.URLs(r) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	return list
}

// The appendix's own example, with its line breaks.
func TestAppendix(t *testing.T) {
	citetest.Cite(t, "1738:1188", "1738:1199", "1738:1205", "1738:1220")
	const text = "      Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;\n" +
		"      type=d> but you can probably pick it up from <URL:ftp://ds.in\n" +
		"      ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.\n" +
		"      net/instructions/overview.html#WARNING>.\n"
	want := []struct {
		url, fragment string
		line          int
	}{
		{"ftp://info.cern.ch/pub/www/doc;type=d", "", 1},
		{"ftp://ds.internic.net/rfc", "", 2},
		{"http://ds.internic.net/instructions/overview.html#WARNING", "WARNING", 3},
	}
	// However the text comes in, the same is found.
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		got := findAll(t, r)
		if len(got) != len(want) {
			t.Fatalf("found %d URLs", len(got))
		}
		for i, x := range got {
			if fragment, _ := x.Fragment(); x.URL != want[i].url || fragment != want[i].fragment || x.Line != want[i].line || !x.Prefixed {
				t.Errorf("found %+v, want %+v", x, want[i])
			}
			if at := text[x.Start:x.End]; at != "<"+x.Raw+">" {
				t.Errorf("%d..%d is %q", x.Start, x.End, at)
			}
		}
	}
}

func TestURLs(t *testing.T) {
	for _, c := range []struct {
		cites, text, url string
		unhyphenated     string
		inner            bool
	}{
		{"1738:1209", "<URL:http://h.dom/a\r\n\t b>", "http://h.dom/ab", "", false},
		{"1738:1209", "<URL: http://h.dom/a b>", "http://h.dom/ab", "", true},
		{"1738:1213", "<URL:http://h.dom/a-b>", "http://h.dom/a-b", "", false},
		{"1738:1214", "<URL:http://h.dom/a-\n  b>", "http://h.dom/a-b", "http://h.dom/ab", false},
		{"1738:1214", "<URL:http://h.dom/a-  \n  b-\nc>", "http://h.dom/a-b-c", "http://h.dom/abc", false},
		{"1738:1214", "<URL:http://h.dom/a-%20\nb>", "http://h.dom/a-%20b", "", false},
		{"1738:1199", "<url:http://h.dom/>", "http://h.dom/", "", false},
		{"1738:1199", "see <http://h.dom/>.", "http://h.dom/", "", false},
		{"1738:1199", "<URL:\n>", "", "", false},
		{"1738:1199", "a < b: c > d", "", "", false},
		{"1738:1199", "<me@h.dom>", "", "", false},
		{"1738:1199", `<a href="http://h.dom/">`, "", "", false},
		{"1738:1199", "<URL:http://h.dom/", "", "", false},
		{"1738:1199", "<URL:http://h.dom/ <URL:news:*>", "news:*", "", false},
		{"1738:1199", "<mailto:a@b\n\nc>", "", "", false},
		{"1738:1205", "<URL:http://h.dom/#a>", "http://h.dom/#a", "", false},
	} {
		citetest.Cite(t, c.cites)
		list := findAll(t, strings.NewReader(c.text))
		if c.url == "" {
			if len(list) > 0 {
				t.Errorf("%q: found %+v", c.text, list)
			}
			continue
		}
		if len(list) != 1 || list[0].URL != c.url || list[0].Unhyphenated != c.unhyphenated || list[0].InnerSpace != c.inner {
			t.Errorf("%q: found %+v", c.text, list)
		}
	}
}

// A wrapper that never ends is given up, and the text after it is read all the same.
func TestURLsAreBounded(t *testing.T) {
	text := "<URL:http://h.dom/" + strings.Repeat("a", 2*extract.MaxWrapped) + "> <URL:news:*>"
	if list := findAll(t, strings.NewReader(text)); len(list) != 1 || list[0].URL != "news:*" {
		t.Errorf("found %d URLs", len(list))
	}
	longest := "<URL:" + strings.Repeat("a", extract.MaxWrapped-len("URL:")) + ">"
	if list := findAll(t, strings.NewReader(longest)); len(list) != 1 {
		t.Errorf("found %d URLs", len(list))
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	var got error
	n := 0
	for _, err := range extract.URLs(io.MultiReader(strings.NewReader("<URL:news:*> <URL:"), iotest.ErrReader(broken))) {
		n++
		got = err
	}
	if n != 2 || !errors.Is(got, broken) {
		t.Errorf("%d results, the last %v", n, got)
	}
	for range extract.URLs(strings.NewReader("<URL:a:b> <URL:c:d>")) {
		break // stopping early is no error
	}
}

// The corpus's passages, against its own list of the wrappers in them, which joins lines mechanically.
func TestCorpusPassages(t *testing.T) {
	dir := os.Getenv("BNFCHECK_CORPUS")
	if dir == "" {
		t.Skip("BNFCHECK_CORPUS is not set: there are no passages to read")
	}
	index := must.Of(os.ReadFile(filepath.Join(dir, "passages", "INDEX.tsv")))(t)
	found := map[string]map[string]bool{}
	wrappers := 0
	for line := range strings.Lines(string(index)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) < 8 {
			continue
		}
		file, want := f[0], f[7]
		if found[file] == nil {
			text := must.Of(os.ReadFile(filepath.Join(dir, "passages", file)))(t)
			_, text, _ = bytes.Cut(text, []byte("\n")) // its first line is not part of the passage
			found[file] = map[string]bool{}
			for _, x := range findAll(t, bytes.NewReader(text)) {
				found[file][x.URL] = true
			}
		}
		wrappers++
		if !found[file][want] {
			t.Errorf("%s: %s is not found", file, want)
		}
	}
	t.Logf("%d wrappers", wrappers)
}

func FuzzURLs(f *testing.F) {
	f.Add("<URL:http://h.dom/a-\n b> <c:d> <")
	f.Fuzz(func(t *testing.T, text string) {
		for x, err := range extract.URLs(strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			if text[x.Start:x.End] != "<"+x.Raw+">" || x.URL == "" || strings.ContainsAny(x.URL, " \t\r\n<>") {
				t.Errorf("%+v", x)
			}
			if x.Line != 1+strings.Count(text[:x.Start], "\n") {
				t.Errorf("%+v begins on another line", x)
			}
		}
	})
}
