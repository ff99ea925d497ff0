package site

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// repository is a clone with the pages that it has to have, of which some have the given texts.
func repository(texts map[string]string) fstest.MapFS {
	files := fstest.MapFS{"cmd/main.go": {}, "docs/a.svg": {Data: []byte("<svg/>")}, "docs/b/a.svg": {}, "docs/b/urls.html": {}}
	for _, g := range groups {
		for _, name := range g.pages {
			files[name] = &fstest.MapFile{Data: []byte("# Title of " + name + "\n")}
		}
	}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// The site of this repository has every page, no link leads nowhere, and nothing is loaded from elsewhere.
func TestBuild(t *testing.T) {
	files := must.Of(Build(os.DirFS("../../..")))(t)
	loads := regexp.MustCompile(`(?:src|<link[^>]*href)="([^"]*)"`)
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range loads.FindAllStringSubmatch(string(text), -1) {
			if _, ok := files[m[1]]; !ok {
				t.Errorf("%s loads %s", name, m[1])
			}
		}
		if !strings.Contains(string(text), `aria-current="page"`) {
			t.Errorf("%s is not in its own list of pages", name)
		}
	}
	var first []string
	for _, m := range regexp.MustCompile(`<li><a href="([^"]*)"`).FindAllStringSubmatch(string(files["index.html"]), 4) {
		first = append(first, m[1])
	}
	if want := []string{"index.html", "regular-expressions.html", PlaygroundFile, "your-grammar.html"}; !slices.Equal(first, want) {
		t.Errorf("the list begins with %q, want %q", first, want)
	}
	for _, link := range []string{`<a rel="prev" href="regular-expressions.html">`, `<a rel="next" href="commands.html">`} {
		if !strings.Contains(string(files["your-grammar.html"]), link) {
			t.Errorf("your-grammar.html has no %s", link)
		}
	}
	if index := string(files["index.html"]); !strings.Contains(index, `href="your-grammar.html"`) || !strings.Contains(index, `href="`+PlaygroundFile+`"`) {
		t.Error("the first page does not lead to the others")
	}
}

// What a link leads to in the repository, it leads to on the site, or to where the repository is shown.
func TestLinks(t *testing.T) {
	files := must.Of(Build(repository(map[string]string{
		"README.md":                   "# bnfcheck\n\n[a](docs/your-grammar.md#two-words) [b](CONTRIBUTING.md) [c](cmd/main.go) [d](cmd) [e](https://example.com/x.md) ![f](docs/a.svg)\n\n```\n[code](none.md)\n```\n",
		"docs/your-grammar.md":        "# Yours\n\n[up](../README.md#bnfcheck) [here](#two-words)\n\n## Two `words`!\n",
		"docs/written-expressions.md": "# Both\n\n## One\n\n## One\n\n[second](#one-1)\n",
	})))(t)
	for _, c := range []struct{ file, want string }{
		{"index.html", `<a href="your-grammar.html#two-words">a</a> <a href="contributing.html">b</a>`},
		{"index.html", `<a href="https://github.com/bnfcheck/bnfcheck/blob/main/cmd/main.go">c</a>`},
		{"index.html", `<a href="https://github.com/bnfcheck/bnfcheck/tree/main/cmd">d</a>`},
		{"index.html", `<a href="https://example.com/x.md">e</a> <img src="a.svg" alt="f">`},
		{"index.html", "[code](none.md)"},
		{"your-grammar.html", `<a href="index.html#bnfcheck">up</a> <a href="your-grammar.html#two-words">here</a>`},
		{"your-grammar.html", `<h2 id="two-words">Two <code>words</code>!</h2>`},
		{"written-expressions.html", `<a href="written-expressions.html#one-1">second</a>`},
		{"a.svg", "<svg/>"},
	} {
		if !strings.Contains(string(files[c.file]), c.want) {
			t.Errorf("%s has no %s", c.file, c.want)
		}
	}
}

// No two headings of a page have one ID, not even where the text of one is what another gets with a number.
func TestHeadingsHaveTheirOwnIDs(t *testing.T) {
	files := must.Of(Build(repository(map[string]string{
		"docs/your-grammar.md":        "# T\n\n## A\n\n## A\n\n## A 1\n\n## A\n",
		"docs/written-expressions.md": "# T\n\n## A 1\n\n## A\n\n## A\n",
	})))(t)
	for file, want := range map[string][]string{
		"your-grammar.html":        {"t", "a", "a-1", "a-1-1", "a-2"},
		"written-expressions.html": {"t", "a-1", "a", "a-2"},
	} {
		var got []string
		for _, m := range regexp.MustCompile(`<h[12] id="([^"]*)"`).FindAllSubmatch(files[file], -1) {
			got = append(got, string(m[1]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// A site with a fault is not made.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"docs/urls.md", "# URLs\n\n[a](none.md)\n", "docs/urls.md: none.md: there is no docs/none.md"},
		{"docs/urls.md", "# URLs\n\n[a](#none)\n", "docs/urls.md: #none: docs/urls.md has no section #none"},
		{"docs/urls.md", "# URLs\n\n![a](none.svg)\n", "there is no docs/none.svg"},
		{"docs/urls.md", "# URLs\n\n![a](b/a.svg) ![a](a.svg)\n", "docs/urls.md: a.svg: the site has another file a.svg already"},
		{"docs/urls.md", "# URLs\n\n![a](b/urls.html)\n", "docs/urls.md: b/urls.html: the site has another file urls.html already"},
		{"docs/urls.md", "No title.\n", "docs/urls.md: the page does not begin with a title"},
		{"docs/new.md", "# New\n", "no place in the list of pages (internal/report/site/pages.go): docs/new.md"},
	} {
		if _, err := Build(repository(map[string]string{c.file: c.text})); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.file, c.text, err, c.want)
		}
	}
}

// Each section is found by the words of its text and its code.
func TestSearchIndex(t *testing.T) {
	files := must.Of(Build(repository(map[string]string{
		"docs/urls.md": "# URLs\n\nFirst words, twice: words.\n\n## A section\n\nMore.\n\n```\nbnfcheck check --rfc 1738\n```\n",
	})))(t)
	text := strings.TrimSuffix(strings.TrimPrefix(string(files["search.js"]), "window.sections = "), ";\n")
	var list []section
	must.Do(t, json.Unmarshal([]byte(text), &list))
	list = slices.DeleteFunc(list, func(s section) bool { return s.Page != "URLs" })
	want := []section{
		{"URLs", "", "urls.html", "urls first words twice"},
		{"URLs", "A section", "urls.html#a-section", "a section more bnfcheck check --rfc 1738"},
	}
	if !slices.Equal(list, want) {
		t.Errorf("%+v\nwant %+v", list, want)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir() + "/new"
	must.Do(t, Write(dir, map[string][]byte{"a.html": []byte("a"), PlaygroundFile: []byte("p")}))
	if text := must.Of(os.ReadFile(dir + "/play/index.html"))(t); string(text) != "p" {
		t.Errorf("%q", text)
	}
	if err := Write(dir+"/a.html", map[string][]byte{"b.html": nil}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// Files are written in the order of their names, so that of several errors it is the same one every time, and the
// files before it are there.
func TestWriteStopsAtTheFirstName(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		files := map[string][]byte{"a": nil, "b": nil}
		for _, name := range []string{"c", "d", "e", "f"} {
			must.Do(t, os.Mkdir(filepath.Join(dir, name), 0o777)) // where a file is to be
			files[name] = nil
		}
		err := Write(dir, files)
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "c")+":") {
			t.Fatalf("have %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, "b")); err != nil {
			t.Fatal(err)
		}
	}
}
