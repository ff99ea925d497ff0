// Package extract finds URLs in running text, in the form that the appendix of RFC 1738, and of the draft before it,
// recommends: <URL:...>. The appendix of RFC 3986 repeats it.
//
//	for found, err := range extract.URLs(strings.NewReader(s)) { // or any other io.Reader
//		if err != nil {
//			return err
//		}
//		fmt.Println(found.Line, found.URL)
//	}
package extract

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"
)

// MaxWrapped is the length of the longest text between "<" and ">" that [URLs] reads as a URL. It bounds the memory
// for a text of any size.
const MaxWrapped = 64 << 10

// Found is a URL with its place in the text.
type Found struct {
	Start, End int64  // of the wrapper in the text, in bytes, "<" and ">" included
	Line       int    // of the text, from 1, where the wrapper begins
	Raw        string // what stands between "<" and ">"
	Prefixed   bool   // it begins with "URL:", which is no part of the URL

	// URL is the text with all white space removed: "the whitespace should be ignored when extracting the URL". A
	// fragment ("#...") is in it, since it "would be placed within the brackets as well".
	URL string

	// Unhyphenated is the other candidate where a line ends in a hyphen, which "may or may not actually be part of the
	// URL": the URL without the hyphens at line ends. It is "" where no line does.
	Unhyphenated string

	// InnerSpace reports whether there is white space inside a line, away from line breaks. The appendix ignores it
	// too; authors often meant %20.
	InnerSpace bool
}

// Fragment returns what follows "#" in the URL, and whether there is one.
func (f Found) Fragment() (string, bool) {
	_, fragment, ok := strings.Cut(f.URL, "#")
	return fragment, ok
}

// URLs finds the URLs in a text: those between "<URL:" and ">", and those between "<" and ">" that begin with a
// scheme and a colon (the prefix is recommended, and is missing in RFC 1630 itself). "URL:" is read in any case, and
// white space may follow it.
//
// It reads the text as a stream, and keeps no more of it than a wrapper may be long ([MaxWrapped]). A "<" inside a
// wrapper begins another; an empty line ends one that has no prefix. A read error is yielded once, at the end.
//
// A program that uses several cores reads [Passage]s.
func URLs(text io.Reader) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		r := NewPassageReader(text)
		for {
			p, err := r.Next()
			for x := range p.URLs() {
				if !yield(x, nil) {
					return
				}
			}
			if err != nil {
				if err != io.EOF {
					yield(Found{}, err)
				}
				return
			}
		}
	}
}

// A Passage is a piece of a text whose ends are in no wrapper. Passages can be searched concurrently.
type Passage struct {
	Text  string
	Start int64 // where in the text it begins, in bytes
	Line  int   // of the text, from 1, where it begins
}

// URLs finds the URLs in the passage, as the function [URLs] does.
func (p Passage) URLs() iter.Seq[Found] {
	return func(yield func(Found) bool) {
		line, counted := p.Line, 0 // of the text before this offset
		for at := 0; ; {
			open := strings.IndexByte(p.Text[at:], '<')
			if open < 0 {
				return
			}
			open += at
			length := strings.IndexByte(p.Text[open:], '>')
			if length < 0 {
				return
			}
			at = open + length
			open = strings.LastIndexByte(p.Text[open:at], '<') + open
			raw := p.Text[open+len("<") : at]
			at += len(">")
			if len(raw) > MaxWrapped {
				continue
			}
			if x, ok := unwrap(raw); ok {
				line += strings.Count(p.Text[counted:open], "\n")
				counted = open
				x.Start, x.End, x.Line = p.Start+int64(open), p.Start+int64(at), line
				if !yield(x) {
					return
				}
			}
		}
	}
}

// A PassageReader divides a text into passages. It only looks for the last "<" that is still open; [Passage.URLs]
// does the rest.
type PassageReader struct {
	text  io.Reader
	chunk int // how much is asked for at a time
	buf   []byte
	open  bool // buf begins with a "<" that nothing has closed yet
	next  Passage
}

// NewPassageReader returns a reader of the passages of a text. It buffers the result of one read, and at most
// [MaxWrapped] bytes more.
func NewPassageReader(text io.Reader) *PassageReader {
	return &PassageReader{text: text, chunk: 64 << 10, next: Passage{Line: 1}}
}

// Next returns the next passage as soon as it is read, except for a wrapper that is still open. The error is io.EOF at
// the end of the text, or a read error; the passage is valid even then.
func (r *PassageReader) Next() (Passage, error) {
	for {
		from := len(r.buf)
		r.buf = slices.Grow(r.buf, r.chunk)
		n, err := r.text.Read(r.buf[from : from+r.chunk])
		r.buf = r.buf[:from+n]
		end := r.cut(from)
		if err != nil {
			end = len(r.buf)
		}
		if end == 0 && err == nil {
			continue
		}
		p := r.next
		p.Text = string(r.buf[:end])
		r.next.Start += int64(end)
		r.next.Line += strings.Count(p.Text, "\n")
		r.buf = append(r.buf[:0], r.buf[end:]...)
		return p, err
	}
}

// cut returns the length of the passage in buf, which ends before a wrapper that is still open. It looks at what was
// read last, from an offset on.
func (r *PassageReader) cut(from int) (end int) {
	last := bytes.LastIndexByte(r.buf[from:], '<')
	switch {
	case last >= 0:
		end = from + last
		r.open = bytes.IndexByte(r.buf[end:], '>') < 0
	case r.open:
		r.open = bytes.IndexByte(r.buf[from:], '>') < 0
	}
	if r.open && len(r.buf)-end > len("<")+MaxWrapped {
		r.open = false // it is too long for a wrapper
	}
	if !r.open {
		end = len(r.buf)
	}
	return end
}

// unwrap reads the text between "<" and ">", and reports whether it is a URL.
func unwrap(raw string) (Found, bool) {
	x := Found{Raw: raw}
	text := strings.TrimLeft(raw, whiteSpace)
	if len(text) >= len("URL:") && strings.EqualFold(text[:len("URL:")], "URL:") {
		x.Prefixed = true
		text = text[len("URL:"):]
	} else if !beginsWithScheme(raw) || emptyLine(raw) {
		return Found{}, false
	}
	x.join(strings.Trim(text, whiteSpace))
	return x, x.URL != ""
}

const whiteSpace = " \t\r\n\v\f"

// beginsWithScheme reports whether text begins with a scheme and a colon. A scheme is a letter, and then letters,
// digits, "+", "-" and "." (RFC 1738 section 2.1).
func beginsWithScheme(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b == ':':
			return i > 0
		case 'a' <= b|0x20 && b|0x20 <= 'z':
		case i > 0 && ('0' <= b && b <= '9' || strings.IndexByte("+-.", b) >= 0):
		default:
			return false
		}
	}
	return false
}

// emptyLine reports whether text has a line of nothing but blanks after its first line end.
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

// join sets x.URL to text without white space, and sets InnerSpace and Unhyphenated as the white space was ambiguous.
func (x *Found) join(text string) {
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
