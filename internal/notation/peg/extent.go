package peg

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Messages show parts of a rule as its author wrote them. An expression has the place where it begins; these
// functions find where it ends, in the notations of pigeon and peggy alike. They read no grammar: what is quoted,
// in brackets or in braces is passed over as a whole.

// PrimaryLength returns the length of the element that a text begins with: its label, prefix and suffix are included,
// and the blanks between them and, of an element without a suffix, after it. The text should begin with the element.
// After blanks only an element without label and prefix is found: of "  a:b" the length is 3. A byte that begins no
// element counts as one, so that the length is 0 only for an empty text.
func PrimaryLength(text string) int {
	i := len(elementHead.FindString(text))
	if i == len(text) {
		return i
	}
	switch {
	case text[i] == '(':
		i += 1 + ChoiceLength(text[i+1:])
		i = min(i+1, len(text)) // the parenthesis that closes
	default:
		n := passed(text[i:])
		if n == 1 {
			n = max(n, len(nameHead.FindString(text[i:])))
		}
		i += n
	}
	return i + len(elementTail.FindString(text[i:]))
}

var (
	elementHead = regexp.MustCompile(`^(?:@?[\pL_][\pL\p{Nd}_$]*[ \t]*:[ \t]*)?[&!$@]?[ \t]*`)
	nameHead    = regexp.MustCompile(`^[\pL_][\pL\p{Nd}_$]*`)
	elementTail = regexp.MustCompile(`^[iu]*[ \t]*(?:[?*+]|\|[^|\n]*\|)?`)
)

// SequenceLength returns the length of the alternative that a text begins with, without its action; that of the whole
// text if nothing ends the alternative.
func SequenceLength(text string) int { return lengthTo(text, "/){;") }

// ChoiceLength returns the length of the choice that a text begins with, up to the parenthesis that closes, or the end.
func ChoiceLength(text string) int { return lengthTo(text, ");") }

// lengthTo returns the offset of the first of the signs in a text, outside of parentheses and of the parts that are
// passed over; the length of the text if it has none. After a ")" that closes nothing and is no sign it finds none.
func lengthTo(text, signs string) int {
	depth := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "//") || strings.HasPrefix(text[i:], "/*"):
			// This slash is no sign: passed takes the comment.
		case depth == 0 && strings.IndexByte(signs, c) >= 0:
			return i
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		i += passed(text[i:])
	}
	return len(text)
}

// passed returns the length of the part at the beginning of a text that has to be passed over as a whole: a quoted
// text, a class, code, a comment, or one byte. Of code only the braces count, those in strings too. The text must not
// be empty. A part that is not closed goes on to the end of the text.
func passed(text string) int {
	closes := byte(0) // what ends a string or a class, unless a backslash stands before it
	switch {
	case strings.HasPrefix(text, "//"):
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		if n := strings.Index(text[2:], "*/"); n >= 0 { // "/*/" only begins a comment
			return 2 + n + 2
		}
		return len(text)
	case strings.IndexByte("\"'`", text[0]) >= 0:
		closes = text[0]
	case text[0] == '[':
		closes = ']'
	case text[0] == '{':
		depth := 0
		for i := range len(text) {
			switch text[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(text)
	default:
		return 1
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case closes:
			return i + 1
		}
	}
	return len(text)
}

// idle returns the labels of a rule that none of its code mentions, without those that begin with "_". It reuses the
// memory of labels, which must not be read any more.
func idle(labels []expr.Label, codes []string) (unused []expr.Label) {
	read := map[string]bool{}
	for _, code := range codes {
		for _, word := range word.FindAllString(code, -1) {
			read[word] = true
		}
	}
	return slices.DeleteFunc(labels, func(l expr.Label) bool { return read[l.Name] || strings.HasPrefix(l.Name, "_") })
}

// word matches a name, or another word, in Go or JavaScript.
var word = regexp.MustCompile(`[\pL_$][\pL\p{Nd}_$]*`)
