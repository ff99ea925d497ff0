// Package decompress reads files that are compressed, as their names say.
package decompress

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is how much memory the window of a zstd frame may take: what the zstd program allows where nothing else is asked
// for.
const maxWindow = 128 << 20

// Reader returns a reader of what r holds in compressed form, if the name ends in ".gz" or ".zst", and ok is true then. It
// closes r when it is closed, if r can be. Memory does not grow with the length of the text.
func Reader(name string, r io.Reader) (text io.ReadCloser, ok bool) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return &lazy{file: r, open: openGzip}, true
	case strings.HasSuffix(name, ".zst"):
		return &lazy{file: r, open: openZstd}, true
	}
	return nil, false
}

func openGzip(r io.Reader) (io.ReadCloser, error) {
	text, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return text, nil
}

func openZstd(r io.Reader) (io.ReadCloser, error) {
	file := bufio.NewReader(r)
	if _, err := file.Peek(1); err != nil { // to package zstd an empty file is an empty text
		return nil, err
	}
	d, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// A lazy reader reads the header of the file when the text is asked for, so that opening many files reads none.
type lazy struct {
	file io.Reader
	open func(io.Reader) (io.ReadCloser, error)
	text io.ReadCloser
	err  error
}

func (l *lazy) Read(p []byte) (int, error) {
	if l.text == nil && l.err == nil {
		l.text, l.err = l.open(l.file)
		if l.err == io.EOF { // an empty file is no compressed text
			l.err = io.ErrUnexpectedEOF
		}
	}
	if l.err != nil {
		return 0, l.err
	}
	return l.text.Read(p)
}

func (l *lazy) Close() error {
	var err error
	if l.text != nil {
		err = l.text.Close()
	}
	if c, ok := l.file.(io.Closer); ok {
		err = cmp.Or(err, c.Close())
	}
	return err
}
