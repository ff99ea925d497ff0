package main

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// A line is one URL of the input.
type line struct {
	text   string // of one that is too long, its beginning
	number int    // in its source, from 1
	length int    // in bytes; more than len(text) where the line is too long
	source *source
}

// A source is where URLs come from.
type source struct {
	name string // of a file; "" for the command line
	r    io.Reader
	size int64 // in bytes; 0 if not known
}

// headLength is how much is kept of a line that is too long.
const headLength = 256

const byteOrderMark = "\xEF\xBB\xBF"

// A lineReader gives the text of a source in batches of whole lines, and never holds more of a line than its limit. It
// looks for ends of lines alone, and as fast as memory is read: what a line is for, each batch is asked by its worker.
type lineReader struct {
	source  *source
	limit   int    // the longest line that is given whole
	number  int    // of lines given
	partial []byte // the beginning of a line whose end has not been read
	cut     int    // how many bytes of that line are left out behind it
	cr      bool   // the last of them is CR
}

// chunkLength is how much is asked for at a time. What one read gives is one batch, so that lines which come slowly are
// answered at once.
const chunkLength = 128 << 10

// next fills b with what one read gives up to the last end of a line in it, and reads on where it has none. The error is
// io.EOF after the last line, or the source's; b's lines count even then.
func (r *lineReader) next(b *batch) error {
	b.source, b.first, b.cut, b.read = r.source, r.number+1, 0, 0
	b.text = append(b.text[:0], r.partial...)
	for {
		from := len(b.text) // what stands before has no end of a line
		b.text = slices.Grow(b.text, chunkLength)
		n, err := r.source.r.Read(b.text[from : from+chunkLength])
		b.text = b.text[:from+n]
		b.read += int64(n)
		if r.cut > 0 {
			b.text = r.leaveOut(b.text, from)
		}
		end := bytes.LastIndexByte(b.text[from:], '\n') + 1 + from
		switch {
		case err != nil: // there will be no more of the line that is being read
			end = len(b.text)
		case end == from:
			b.text = r.behead(b.text)
			continue
		}
		if b.cut = r.cut; r.cr {
			b.cut-- // as of any line, that CR is not part of it
		}
		r.cut, r.cr = 0, false
		r.partial = r.behead(append(r.partial[:0], b.text[end:]...))
		b.text = b.text[:end]
		r.number += bytes.Count(b.text, []byte{'\n'})
		return err
	}
}

// behead gives the beginning of a line that has not ended, and all of it if it may yet be short enough.
func (r *lineReader) behead(text []byte) []byte {
	const keep = headLength + len(byteOrderMark)
	if r.cut > 0 || len(text) <= max(r.limit, keep)+len(byteOrderMark)+len("\r\n") {
		return text
	}
	r.cut, r.cr = len(text)-keep, text[len(text)-1] == '\r'
	return text[:keep]
}

// leaveOut takes what still belongs to a beheaded line out of a text, from an offset on.
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

// lines gives the URLs of a batch: its arguments, or the lines of its text. A line ends with LF or CR LF, the last one also
// with the input. Blank lines, lines that start with "#" and a byte order mark at the start are skipped. It counts what
// it gives and what it skips.
func (b *batch) lines(limit int) iter.Seq[line] {
	return func(yield func(line) bool) {
		b.urls, b.skipped = 0, 0
		for i, arg := range b.arguments {
			l := line{arg, i + 1, len(arg), &argument}
			if l.length > limit {
				l.text = arg[:min(len(arg), headLength)]
			}
			b.urls++
			if !yield(l) {
				return
			}
		}
		text := string(b.text)
		cut := b.cut
		for number := b.first; text != ""; number++ {
			end := strings.IndexByte(text, '\n')
			l := line{text, number, 0, b.source}
			if end >= 0 {
				l.text, text = text[:end], text[end+1:]
			} else {
				text = ""
			}
			if cut == 0 {
				l.text = strings.TrimSuffix(l.text, "\r")
			}
			if number == 1 {
				l.text = strings.TrimPrefix(l.text, byteOrderMark)
			}
			l.length = len(l.text) + cut
			cut = 0
			if skipped(&l, limit) {
				b.skipped++
				continue
			}
			if l.length > limit {
				l.text = l.text[:min(len(l.text), headLength)]
			}
			b.urls++
			if !yield(l) {
				return
			}
		}
	}
}

// skipped says whether a line is blank or a comment.
func skipped(l *line, limit int) bool {
	switch {
	case l.text == "":
		return l.length <= limit
	case ' ' < l.text[0] && l.text[0] < utf8.RuneSelf:
		return l.text[0] == '#'
	}
	return l.length <= limit && strings.TrimSpace(l.text) == ""
}
