package main

import (
	"bytes"
	"io"
)

// A line is one URL of the input.
type line struct {
	from, to int // its bytes are text[from:to] of its batch; of one that is too long, its beginning
	number   int // in its source, from 1
	length   int // in bytes; more than to-from where the line is too long
	source   *source
}

// A source is where URLs come from.
type source struct {
	name string // of a file; "" for the command line
	r    io.Reader
	size int64 // in bytes; 0 if not known
}

// headLength is how much is kept of a line that is too long.
const headLength = 256

// A lineReader gives the lines of a source in batches, and never holds more of a line than its limit. A line ends with
// LF or CR LF, the last one also with the input. Blank lines, lines that start with "#" and a byte order mark at the
// start are skipped.
type lineReader struct {
	source  *source
	limit   int // the longest line that is given whole
	chunk   []byte
	partial []byte // the beginning of a line whose end has not been read
	length  int    // of that line so far, in bytes
	begun   bool   // there is such a line, be it empty
	cr      bool   // its last byte so far is CR
	number  int    // of lines ended
	skipped int    // of them, how many were blank or comments
	read    int64  // bytes read
}

// chunkLength is how much is asked for at a time. What one read gives is one batch, so that lines which come slowly are
// answered at once.
const chunkLength = 128 << 10

func newLineReader(s *source, limit int) *lineReader {
	return &lineReader{source: s, limit: limit, chunk: make([]byte, chunkLength)}
}

// next fills b with what one read gives, and with the lines after it until there is at least one. The error is io.EOF
// after the last line, or the source's; b's lines count even then.
func (r *lineReader) next(b *batch) error {
	b.text, b.lines = append(b.text[:0], r.partial...), b.lines[:0]
	from := 0 // where the line that is being read begins
	for {
		n, err := r.source.r.Read(r.chunk)
		r.read += int64(n)
		for data := r.chunk[:n]; len(data) > 0; {
			part, rest, ended := bytes.Cut(data, newline)
			r.add(b, part)
			if ended {
				from = r.end(b, from)
			}
			data = rest
		}
		if err != nil && r.begun {
			from = r.end(b, from)
		}
		if err != nil || len(b.lines) > 0 {
			r.partial = append(r.partial[:0], b.text[from:]...)
			b.text = b.text[:from]
			return err
		}
	}
}

var newline, byteOrderMark = []byte{'\n'}, []byte("\xEF\xBB\xBF")

// add continues the line that is being read. Past the limit only its length grows.
func (r *lineReader) add(b *batch, part []byte) {
	r.begun = true
	if len(part) > 0 {
		r.cr = part[len(part)-1] == '\r'
	}
	room := max(r.limit, headLength) + len("\r") + len(byteOrderMark) - r.length
	b.text = append(b.text, part[:min(len(part), max(room, 0))]...)
	r.length += len(part)
}

// end ends the line that begins at from, and gives where the next one will.
func (r *lineReader) end(b *batch, from int) (next int) {
	r.number++
	text, length := b.text[from:], r.length
	if r.cr {
		length--
	}
	r.length, r.begun, r.cr = 0, false, false
	if r.number == 1 && bytes.HasPrefix(text, byteOrderMark) {
		from += len(byteOrderMark)
		text, length = b.text[from:], length-len(byteOrderMark)
	}
	text = text[:min(len(text), length)]
	switch {
	case len(bytes.TrimSpace(text)) == 0 && length <= r.limit, bytes.HasPrefix(text, []byte{'#'}):
		r.skipped++
		b.text = b.text[:from]
		return from
	case length > r.limit:
		text = text[:min(len(text), headLength)]
	}
	b.text = b.text[:from+len(text)]
	b.lines = append(b.lines, line{from, len(b.text), r.number, length, r.source})
	return len(b.text)
}
