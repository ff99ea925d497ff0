package check

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Line is one URL of the input.
type Line struct {
	Text   string // of one that is too long, its beginning
	Row    string // the line that it stands in; equal to Text unless Input.Column chooses
	Number int    // in its source, from 1
	Length int    // in bytes; more than len(text) where the line is too long
	Source *Source
}

// A Source is where URLs come from.
type Source struct {
	Name   string // of a file; "" for the command line
	Reader io.Reader
	Size   int64 // in bytes; 0 if not known
}

// headLength is the number of bytes that are kept of a line that is too long.
const headLength = 256

const byteOrderMark = "\xEF\xBB\xBF"

// A Batch is some URLs of the input.
type Batch struct {
	arguments []string // URLs of the command line; or:
	Source    *Source
	Text      []byte // whole lines, of which the last may lack its end
	first     int    // the number of the first
	cut       int    // how many bytes of the first are left out behind its beginning
	Read      int64  // how many bytes were read for it
	everyLine bool   // none is skipped
	column    int    // as in Input

	URLs    int // how many there are
	Skipped int // how many lines are blank or comments
}

// A lineReader returns the text of a source in batches of whole lines, and never holds more of a line than its limit. It
// looks only for the ends of lines, at the speed of memory; workers split their batches into lines.
type lineReader struct {
	Source  *Source
	Limit   int    // the longest line that is given whole
	Number  int    // of lines given
	partial []byte // the beginning of a line whose end has not been read
	cut     int    // how many bytes of that line are left out behind it
	cr      bool   // the last of them is CR
}

// chunkLength is the size of a read. The result of one read is one batch, so that lines that arrive slowly are answered at
// once.
const chunkLength = 128 << 10

// Next fills b with the result of one read up to the last end of a line in it, and reads on if there is none. The error is
// io.EOF after the last line, or the source's; the lines of b are valid even then.
func (r *lineReader) Next(b *Batch) error {
	b.Source, b.first, b.cut, b.Read = r.Source, r.Number+1, 0, 0
	b.Text = append(b.Text[:0], r.partial...)
	for {
		from := len(b.Text) // what stands before has no end of a line
		b.Text = slices.Grow(b.Text, chunkLength)
		n, err := r.Source.Reader.Read(b.Text[from : from+chunkLength])
		b.Text = b.Text[:from+n]
		b.Read += int64(n)
		if r.cut > 0 {
			b.Text = r.leaveOut(b.Text, from)
		}
		end := bytes.LastIndexByte(b.Text[from:], '\n') + 1 + from
		switch {
		case err != nil: // there will be no more of the line that is being read
			end = len(b.Text)
		case end == from:
			b.Text = r.behead(b.Text)
			continue
		}
		if b.cut = r.cut; r.cr {
			b.cut-- // as of any line, that CR is not part of it
		}
		r.cut, r.cr = 0, false
		r.partial = r.behead(append(r.partial[:0], b.Text[end:]...))
		b.Text = b.Text[:end]
		r.Number += bytes.Count(b.Text, []byte{'\n'})
		return err
	}
}

// behead returns the beginning of a line that has not ended, and all of it if it may still be short enough.
func (r *lineReader) behead(text []byte) []byte {
	const keep = headLength + len(byteOrderMark)
	if r.cut > 0 || len(text) <= max(r.Limit, keep)+len(byteOrderMark)+len("\r\n") {
		return text
	}
	r.cut, r.cr = len(text)-keep, text[len(text)-1] == '\r'
	return text[:keep]
}

// leaveOut removes the rest of a beheaded line from a text, from an offset on.
func (r *lineReader) leaveOut(text []byte, from int) []byte {
	rest := text[from:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	if n > 0 {
		r.cut += n
		r.cr = rest[n-1] == '\r'
	}
	return append(text[:from], rest[n:]...)
}

// Lines returns the URLs of a batch: its arguments, or the lines of its text. A line ends with LF or CR LF, the last one also
// with the input. A byte order mark at the start is skipped, and so are blank lines and lines that start with "#" unless every line counts. It
// counts the lines that it yields and those that it skips.
func (b *Batch) Lines(limit int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		b.URLs, b.Skipped = 0, 0
		for i, arg := range b.arguments {
			l := Line{arg, arg, i + 1, len(arg), &argument}
			if l.Length > limit {
				l.Text = arg[:min(len(arg), headLength)]
			}
			b.URLs++
			if !yield(l) {
				return
			}
		}
		text := string(b.Text)
		cut := b.cut
		for number := b.first; text != ""; number++ {
			end := strings.IndexByte(text, '\n')
			l := Line{text, "", number, 0, b.Source}
			if end >= 0 {
				l.Text, text = text[:end], text[end+1:]
			} else {
				text = ""
			}
			if cut == 0 {
				l.Text = strings.TrimSuffix(l.Text, "\r")
			}
			if number == 1 {
				l.Text = strings.TrimPrefix(l.Text, byteOrderMark)
			}
			l.Length = len(l.Text) + cut
			cut = 0
			if !b.everyLine && skipped(&l, limit) {
				b.Skipped++
				continue
			}
			l.Row = l.Text
			if b.column > 0 {
				l.Text, l.Length = field(l.Text, b.column, l.Length)
			}
			if l.Length > limit {
				l.Text = l.Text[:min(len(l.Text), headLength)]
			}
			b.URLs++
			if !yield(l) {
				return
			}
		}
	}
}

// field returns the n-th of the fields of a line, which tabs separate, and its length, where more than len(line) bytes of the
// line were read. It is empty where the line has fewer fields.
func field(line string, n, length int) (string, int) {
	for ; n > 1; n-- {
		_, rest, ok := strings.Cut(line, "\t")
		if !ok {
			return "", 0
		}
		length -= len(line) - len(rest)
		line = rest
	}
	if text, _, ok := strings.Cut(line, "\t"); ok {
		return text, len(text)
	}
	return line, length
}

// skipped reports whether a line is blank or a comment.
func skipped(l *Line, limit int) bool {
	switch {
	case l.Text == "":
		return l.Length <= limit
	case ' ' < l.Text[0] && l.Text[0] < utf8.RuneSelf:
		return l.Text[0] == '#'
	}
	return l.Length <= limit && strings.TrimSpace(l.Text) == ""
}
