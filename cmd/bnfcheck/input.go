package main

import (
	"errors"
	"io"
	"os"
)

// sources are the files to read, open.
type sources []*source

// openFiles opens all files before any is read, so that a misspelt name is seen at once. "-" is stdin.
func openFiles(files []string, stdin io.Reader) (sources, error) {
	var list sources
	taken := false
	for _, name := range files {
		if name == "-" {
			if taken {
				list.close()
				return nil, errors.New("standard input can be read only once")
			}
			taken = true
			list = append(list, newSource("-", stdin))
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			list.close()
			return nil, &ioError{name, err}
		}
		list = append(list, newSource(name, f))
	}
	return list, nil
}

func newSource(name string, r io.Reader) *source {
	s := &source{name: name, r: r}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.size = info.Size()
		}
	}
	return s
}

func (list sources) close() {
	for _, s := range list {
		if f, ok := s.r.(io.Closer); ok && s.name != "-" {
			_ = f.Close() // it was read only
		}
	}
}

// title is a source's name in messages.
func (s *source) title() string {
	if s.name == "-" {
		return "standard input"
	}
	return s.name
}

// input gives all URLs in batches: first those of the command line, then those of the files.
type input struct {
	args    []string
	sources sources
	limit   int
	reader  *lineReader // of sources[0]; nil before the first read
	err     error       // the first that was met; may be asked for when next has said that there are no more
}

// next fills b and says whether there are more batches.
func (in *input) next(b *batch) (more bool) {
	if len(in.args) > 0 {
		b.arguments, in.args = in.args, nil
		return len(in.sources) > 0
	}
	b.arguments = nil
	if in.reader == nil {
		in.reader = &lineReader{source: in.sources[0], limit: in.limit}
	}
	err := in.reader.next(b)
	switch {
	case err == nil:
		return true
	case err != io.EOF:
		in.err = &ioError{in.sources[0].title(), err}
		return false
	}
	in.sources, in.reader = in.sources[1:], nil
	return len(in.sources) > 0
}

// argument is the source of what stands on the command line.
var argument source
