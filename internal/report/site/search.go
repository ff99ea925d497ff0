package site

import (
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// This file makes the index of the search: each section of each page with its text. It is a script, which site.js adds
// to a page when someone first searches, since a page from disk may load scripts and nothing else.

// A section is one result of the search: a heading and the text below it.
type section struct {
	Page    string `json:"page"`    // title
	Heading string `json:"heading"` // "" for the text below the title, before the first heading of a lower level
	To      string `json:"to"`      // address on the site
	Text    string `json:"text"`    // its words, in lower case, each once
}

// searchIndex returns the script that sets window.sections to the sections of all pages.
func searchIndex(pages []*page) ([]byte, error) {
	var list []section
	for _, p := range pages {
		list = append(list, sectionsOf(p)...)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("window.sections = "), text...), ";\n"...), nil
}

// sectionsOf returns the sections of a page: each heading below the first level with the text up to the next one. The
// words of the heading belong to the text. A heading of the first level begins a section without a heading, at the
// address of the page. Headings inside of quotations and lists begin none, and sections without words are left out.
func sectionsOf(p *page) (list []section) {
	current := section{Page: p.title, To: p.file}
	var words strings.Builder
	end := func() {
		if current.Text = eachWordOnce(words.String()); current.Text != "" {
			list = append(list, current)
		}
		words.Reset()
	}
	for n := p.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			end()
			current = section{Page: p.title, To: p.file}
			if h.Level > 1 {
				for _, known := range p.headings {
					if known.at == n {
						current.Heading, current.To = known.Text, p.file+"#"+known.ID
					}
				}
			}
		}
		words.WriteString(plainText(n, p.text) + " ")
	}
	end()
	return list
}

// betweenWords are the characters that end a word. Those of names, flags, files and numbers, such as "-", "#" and ".",
// do not.
const betweenWords = " \t\n`'\"()[]{}<>|,;:!?*="

// eachWordOnce returns the words of a text in lower case and in their order, without repetitions, separated by blanks.
// A word has no period at its ends.
func eachWordOnce(text string) string {
	seen := map[string]bool{}
	var words []string
	endsWord := func(r rune) bool { return strings.ContainsRune(betweenWords, r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), endsWord) {
		word = strings.Trim(word, ".") // the end of a sentence
		if word != "" && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
