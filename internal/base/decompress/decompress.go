// Package decompress reads files that are compressed, as their names say.
package decompress

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxWindow caps the bytes that the window of a zstd frame takes: the zstd program allows as many where nothing else
// is asked for.
const maxWindow = 128 << 20

// A DamageError is the error of a compressed file that cannot be read to its end.
type DamageError struct {
	At   int64 // the byte of the file, from 0, up to which it was read
	Text int64 // how many bytes of text came before
	Err  error
}

// Error names the place.
func (e *DamageError) Error() string {
	return fmt.Sprintf("damaged at byte %d, after %d bytes of text: %v", e.At, e.Text, e.Err)
}

// Unwrap returns the error of the format.
func (e *DamageError) Unwrap() error { return e.Err }

// Reader returns a reader of what r holds in compressed form, if the name ends in ".gz" or ".zst", and ok is true
// then. It closes r when it is closed, if r can be. Memory does not grow with the length of the text.
func Reader(name string, r io.Reader) (text io.ReadCloser, ok bool) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return &lazy{file: &counted{r: bufio.NewReader(r)}, below: r, open: openGzip}, true
	case strings.HasSuffix(name, ".zst"):
		return &lazy{file: &counted{r: bufio.NewReader(r)}, below: r, open: openZstd}, true
	}
	return nil, false
}

// openGzip returns a reader of gzip. It reads the header; the error of an empty file is io.EOF.
func openGzip(r *counted) (io.ReadCloser, error) {
	text, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return text, nil
}

// openZstd returns a reader of zstd. The error of an empty file is io.EOF.
func openZstd(file *counted) (io.ReadCloser, error) {
	if _, err := file.r.Peek(1); err != nil { // to package zstd an empty file is an empty text
		return nil, err
	}
	d, err := zstd.NewReader(file,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// A lazy reader reads the header of the file when the text is asked for, so that opening many files reads none.
type lazy struct {
	file  *counted  // what is below, counted
	below io.Reader // the file, to be closed
	open  func(*counted) (io.ReadCloser, error)
	text  io.ReadCloser // what open returned; nil before the first read
	given int64         // bytes of text
	err   error         // of open, which every read returns
}

// A counted reader counts what is read. It gives single bytes, so that the gzip reader reads no byte that it does not
// need.
type counted struct {
	r *bufio.Reader
	n int64 // bytes that have been read
}

// Read reads and counts.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte reads a byte and counts it.
func (c *counted) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// Read opens the reader if that is still to be done, and reads from it.
func (l *lazy) Read(p []byte) (int, error) {
	if l.text == nil && l.err == nil {
		l.text, l.err = l.open(l.file)
		if l.err == io.EOF { // an empty file is no compressed text
			l.err = io.ErrUnexpectedEOF
		}
		l.err = l.damage(l.err)
	}
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.text.Read(p)
	l.given += int64(n)
	return n, l.damage(err)
}

// damage returns err as a [*DamageError] with its place, unless it is nil or the end of the text.
func (l *lazy) damage(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &DamageError{l.file.n, l.given, err}
}

// Close closes the reader of the text, if there is one, and the reader below.
func (l *lazy) Close() error {
	var err error
	if l.text != nil {
		err = l.text.Close()
	}
	if c, ok := l.below.(io.Closer); ok {
		err = cmp.Or(err, c.Close())
	}
	return err
}
