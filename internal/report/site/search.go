package site

import (
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// This file makes the index of the search: each section of each page with its text. It is a script, which site.js adds to a
// page when someone first searches, since a page from disk may load scripts and nothing else.

// A section is what the search finds.
type section struct {
	Page    string `json:"page"`    // title
	Heading string `json:"heading"` // "" for what stands before the first
	To      string `json:"to"`      // address on the site
	Text    string `json:"text"`    // its words, in lower case, each once
}

// searchIndex returns the script with the sections of all pages.
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

// sectionsOf returns the sections of a page: each heading with the text up to the next one.
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

// eachWordOnce returns the words of a text in lower case, each once, with a blank between two. A word ends at what is no part of a
// name, a flag or a number.
func eachWordOnce(text string) string {
	seen := map[string]bool{}
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t\n`'\"()[]{}<>|,;:!?*=", r) }) {
		word = strings.Trim(word, ".")
		if word != "" && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
