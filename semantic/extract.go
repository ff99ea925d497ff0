package semantic

import (
	"bufio"
	"io"
	"iter"
	"strings"
)

// MaxWrapped is the length of the longest text between "<" and ">" that [Extract] reads as a URL. It bounds what has to be kept in
// memory of a text of any size.
const MaxWrapped = 64 << 10

// Extracted is a URL found in running text, as RFC 1738's appendix recommends to write it: <URL:...>.
type Extracted struct {
	Start, End int64  // of the wrapper in the text, in bytes, "<" and ">" included
	Line       int    // of the text, from 1, where the wrapper begins
	Raw        string // what stands between "<" and ">"
	Prefixed   bool   // it begins with "URL:", which is no part of the URL

	// URL is the text with all white space removed: "the whitespace should be ignored when extracting the URL". A fragment ("#...")
	// is in it, since it "would be placed within the brackets as well".
	URL string

	// Unhyphenated is the other candidate where a line ends in a hyphen, which "may or may not actually be part of the URL": the URL
	// without the hyphens at line ends. It is "" where no line does.
	Unhyphenated string

	// InnerSpace reports white space inside a line, away from any line break. The appendix has it ignored all the same; those who
	// wrote it often meant %20.
	InnerSpace bool
}

// Fragment gives what follows "#" in the URL, and whether there is one.
func (x Extracted) Fragment() (string, bool) {
	_, fragment, ok := strings.Cut(x.URL, "#")
	return fragment, ok
}

// Extract finds the URLs in a text: what stands in "<URL:" and ">", and in "<" and ">" if it begins at once with a scheme and a
// colon (the prefix is recommended, and is missing in RFC 1630 itself). "URL:" is read in any case, and white space may
// follow it.
//
// It reads the text as a stream, and keeps no more of it than a wrapper may be long ([MaxWrapped]). A "<" inside a wrapper begins another; an
// empty line ends one that has no prefix. An error of reading is given once, at the end.
func Extract(text io.Reader) iter.Seq2[Extracted, error] {
	return func(yield func(Extracted, error) bool) {
		in := bufio.NewReaderSize(text, 16<<10)
		var (
			open  bool
			body  []byte
			start int64
			line  = 1
			first int // the line of "<"
		)
		for at := int64(0); ; at++ {
			b, err := in.ReadByte()
			if err != nil {
				if err != io.EOF {
					yield(Extracted{}, err)
				}
				return
			}
			switch {
			case b == '<':
				open, body, start, first = true, body[:0], at, line
			case !open:
			case b == '>':
				open = false
				if x, ok := unwrap(string(body)); ok {
					x.Start, x.End, x.Line = start, at+1, first
					if !yield(x, nil) {
						return
					}
				}
			case len(body) == MaxWrapped:
				open = false
			default:
				body = append(body, b)
			}
			if b == '\n' {
				line++
			}
		}
	}
}

// unwrap reads what stood between "<" and ">", and is false where that is no URL.
func unwrap(raw string) (Extracted, bool) {
	x := Extracted{Raw: raw}
	text := strings.TrimLeft(raw, whiteSpace)
	if len(text) >= len("URL:") && strings.EqualFold(text[:len("URL:")], "URL:") {
		x.Prefixed = true
		text = text[len("URL:"):]
	} else if !beginsWithScheme(raw) || emptyLine(raw) {
		return Extracted{}, false
	}
	x.join(strings.Trim(text, whiteSpace))
	return x, x.URL != ""
}

const whiteSpace = " \t\r\n\v\f"

// beginsWithScheme reports whether text begins with letters, digits, "+", "-", "." (RFC 1738 section 2.1), of which the first is a
// letter, and a colon.
func beginsWithScheme(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b == ':':
			return i > 0
		case !alphanumeric.Has(b) && strings.IndexByte("+-.", b) < 0, i == 0 && !letter(b):
			return false
		}
	}
	return false
}

func letter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func emptyLine(text string) bool {
	for {
		i := strings.IndexByte(text, '\n')
		if i < 0 {
			return false
		}
		text = strings.TrimLeft(text[i+1:], " \t\r")
		if strings.HasPrefix(text, "\n") {
			return true
		}
	}
}

// join removes white space, and says what was in question about it.
func (x *Extracted) join(text string) {
	if !strings.ContainsAny(text, whiteSpace) {
		x.URL = text
		return
	}
	var whole, without []byte
	hyphens := false
	for i := 0; i < len(text); {
		if strings.IndexByte(whiteSpace, text[i]) < 0 {
			whole = append(whole, text[i])
			without = append(without, text[i])
			i++
			continue
		}
		gap := text[i : i+len(text[i:])-len(strings.TrimLeft(text[i:], whiteSpace))]
		switch {
		case !strings.ContainsAny(gap, "\r\n"):
			x.InnerSpace = true
		case whole[len(whole)-1] == '-':
			hyphens = true
			without = without[:len(without)-1]
		}
		i += len(gap)
	}
	x.URL = string(whole)
	if hyphens {
		x.Unhyphenated = string(without)
	}
}
