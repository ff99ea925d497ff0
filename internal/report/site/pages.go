package site

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// This file lists the pages of the site in their order.

// PlaygroundFile is the file of the playground on the site. In the list it stands after the page beforePlayground.
const (
	PlaygroundFile   = "play/index.html"
	beforePlayground = "docs/regular-expressions.md"
)

// groups are the titles of the list of pages, with the pages below each. Every page in docs is in one of them.
var groups = []struct {
	title string
	pages []string // source files
}{
	{"Begin", []string{"README.md", "docs/regular-expressions.md", "docs/your-grammar.md", "docs/commands.md",
		"docs/playground.md", "docs/editor.md"}},
	{"What is said of others", []string{
		"docs/your-validator.md", "docs/json-schema.md", "docs/written-expressions.md",
		"docs/transcriptions.md", "docs/conformance.md", "docs/conformance-1994.md", "docs/zoo.md", "docs/rfcs.md",
		"docs/rfc-defects.md",
	}},
	{"Parsers and tests", []string{
		"docs/generate.md", "docs/javascript.md", "docs/table-format.md", "docs/speed.md", "docs/testing.md",
		"docs/vector-format.md", "docs/adapter-protocol.md", "docs/scale.md",
	}},
	{"URLs", []string{"docs/urls.md", "docs/semantics.md", "docs/readings.md"}},
	{"Reference", []string{
		"docs/findings.md", "docs/statuses.md", "docs/json.md", "docs/proof.md", "docs/certificates.md",
		"docs/reliability.md",
	}},
	{"Taking part", []string{"CONTRIBUTING.md", "docs/architecture.md", "docs/adding-a-grammar.md"}},
}

// labels are names of pages in the list where their titles would be too long or say too little there.
var labels = map[string]string{
	"README.md":                   "Overview",
	"docs/regular-expressions.md": "Validators, judged by format",
	"docs/playground.md":          "About the playground",
	"docs/written-expressions.md": "Expressions to copy",
	"docs/transcriptions.md":      "Transcriptions, judged",
	"docs/conformance.md":         "Parsers and RFC 3986",
	"docs/conformance-1994.md":    "Parsers and the first RFCs",
	"docs/table-format.md":        "The tables of parsers",
	"docs/speed.md":               "How fast parsers are",
	"docs/scale.md":               "Very long lists",
	"docs/urls.md":                "URLs and the RFCs of 1994",
	"docs/semantics.md":           "Rules of the prose",
}

// A source is the Markdown of a page, and where it stands in the list.
type source struct {
	group  string // its title
	source string // the file in the repository
	file   string // the file on the site
	text   []byte
}

// readPages returns the pages of a repository in their order. It fails if a page of the groups cannot be read; if
// pages of docs are in no group, the error names them all.
func readPages(repository fs.FS) (list []source, err error) {
	found, err := fs.Glob(repository, "docs/*.md")
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		for _, name := range g.pages {
			text, err := fs.ReadFile(repository, name)
			if err != nil {
				return nil, err
			}
			list = append(list, source{g.title, name, fileOf(name), text})
			found = slices.DeleteFunc(found, func(f string) bool { return f == name })
		}
	}
	if len(found) > 0 {
		return nil, fmt.Errorf("no place in the list of pages (internal/report/site/pages.go): %s",
			strings.Join(found, ", "))
	}
	return list, nil
}

// fileOf returns the file of a page on the site, where all are in one folder.
func fileOf(source string) string {
	if source == "README.md" {
		return "index.html"
	}
	return strings.ToLower(strings.TrimSuffix(path.Base(source), ".md")) + ".html"
}
