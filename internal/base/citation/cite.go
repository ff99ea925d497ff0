// Package citation writes where something stands in the text of a specification, in one spelling for messages, reports
// and reference pages. It imports only the standard library and octets, so that package ast and package semantic can
// import it.
package citation

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// A Place is a place in a text. A part that is zero is left out.
type Place struct {
	Title string // of the text: "RFC 1738"

	// Section is the number of a section, "Appendix A", or its heading in a text that does not number its sections.
	// One of another text names that text: "RFC 5234 appendix B.1".
	Section string

	Page  int
	Lines string // "983" or "302-304"
}

// String returns p as it is cited: RFC 1738 section 5, page 18, line 983. A heading is in quotes. It is "" for the
// zero Place.
func (p Place) String() string {
	var parts []string
	if p.Title != "" && !elsewhere(p.Section) {
		parts = append(parts, p.Title)
	}
	switch {
	case p.Section == "":
	case elsewhere(p.Section):
		parts = append(parts, p.Section)
	case strings.HasPrefix(p.Section, appendix):
		parts = append(parts, "appendix "+p.Section[len(appendix):])
	case Numbered(p.Section):
		parts = append(parts, "section "+p.Section)
	default:
		parts = append(parts, "section "+quote.Quote(p.Section))
	}
	parts = []string{strings.Join(parts, " ")}
	if p.Page > 0 {
		parts = append(parts, fmt.Sprintf("page %d", p.Page))
	}
	switch {
	case p.Lines == "" || p.Lines == "0":
	case strings.ContainsAny(p.Lines, "-,"):
		parts = append(parts, "lines "+p.Lines)
	default:
		parts = append(parts, "line "+p.Lines)
	}
	if parts[0] == "" {
		parts = parts[1:]
	}
	return strings.Join(parts, ", ")
}

// Numbered reports whether a section is cited by its number or letter, and not by its heading.
func Numbered(section string) bool {
	return section != "" && '0' <= section[0] && section[0] <= '9' ||
		strings.HasPrefix(section, appendix) || elsewhere(section)
}

// appendix begins the section of an appendix; its letter follows.
const appendix = "Appendix "

// elsewhere reports whether a section is one of another text, which it names.
func elsewhere(section string) bool { return strings.HasPrefix(section, "RFC ") }
