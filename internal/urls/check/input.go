package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Sources are the files to read, open.
type Sources []*Source

// OpenFiles opens all files before any is read, so that a misspelt name is seen at once. "-" is stdin.
// The error is an [fs.PathError], unless standard input is named twice.
func OpenFiles(files []string, stdin io.Reader) (Sources, error) {
	var list Sources
	taken := false
	for _, name := range files {
		if name == "-" {
			if taken {
				list.Close()
				return nil, errors.New("standard input can be read only once")
			}
			taken = true
			list = append(list, newSource("-", stdin))
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			list.Close()
			return nil, err
		}
		list = append(list, newSource(name, f))
	}
	return list, nil
}

func newSource(name string, r io.Reader) *Source {
	s := &Source{Name: name, Reader: r}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.Size = info.Size()
		}
	}
	return s
}

// Close closes the files; standard input stays open.
func (list Sources) Close() {
	for _, s := range list {
		if f, ok := s.Reader.(io.Closer); ok && s.Name != "-" {
			_ = f.Close() // it was read only
		}
	}
}

// Size returns the number of bytes of all files, 0 if that is not known.
func (list Sources) Size() (n int64) {
	for _, s := range list {
		if s.Size == 0 {
			return 0
		}
		n += s.Size
	}
	return n
}

// MaxRead is how many bytes of files are read that have to be known as a whole.
const MaxRead = 256 << 20

// Bound makes reading fail once the files have had more than most bytes, so that a device without an end is refused.
func (list Sources) Bound(most int64) {
	left := most
	for _, s := range list {
		s.Reader = &bounded{s.Reader, &left, most}
	}
}

// A bounded is a reader that fails where nothing is left.
type bounded struct {
	io.Reader
	left *int64
	most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p[:min(int64(len(p)), *b.left+1)])
	if *b.left -= int64(n); *b.left < 0 {
		*b.left = 0
		return 0, fmt.Errorf("more than %d bytes, the most that is read", b.most)
	}
	return n, err
}

// Close closes what is read.
func (b *bounded) Close() error {
	if c, ok := b.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// ReadAll returns all URLs of the files. Those of more than limit bytes are left out, and counted, as are blank lines and
// comments, unless every line is a string.
func (list Sources) ReadAll(limit int, every bool) (urls []string, tooLong, skipped int, err error) {
	if len(list) == 0 {
		return nil, 0, 0, nil
	}
	in := &Input{Sources: list, Limit: limit, EveryLine: every}
	b := &Batch{}
	for more := true; more; {
		more = in.Next(b)
		for l := range b.Lines(limit) {
			if l.Length > limit {
				tooLong++
				continue
			}
			urls = append(urls, l.Text)
		}
		skipped += b.Skipped
	}
	return urls, tooLong, skipped, in.Cause
}

// Title returns the source's name in messages.
func (s *Source) Title() string {
	if s.Name == "-" {
		return "standard input"
	}
	return s.Name
}

// An Input returns all URLs in batches: first those of the command line, then those of the files.
type Input struct {
	Args    []string
	Sources Sources
	Limit   int

	EveryLine bool // blank lines and comments are strings too
	Column    int  // the number of the field that is the URL, where tabs separate fields; 0 for the whole line

	reader *lineReader // of sources[0]; nil before the first read
	Cause  error       // the first error; it may be read once Next has returned false
}

// Next fills b and reports whether there are more batches.
func (in *Input) Next(b *Batch) (more bool) {
	b.everyLine, b.column = in.EveryLine, in.Column
	if len(in.Args) > 0 {
		b.arguments, in.Args = in.Args, nil
		return len(in.Sources) > 0
	}
	b.arguments = nil
	if in.reader == nil {
		in.reader = &lineReader{Source: in.Sources[0], Limit: in.Limit}
		if in.Column > 0 {
			in.reader.Limit += maxRow
		}
	}
	err := in.reader.Next(b)
	switch {
	case err == nil:
		return true
	case err != io.EOF:
		in.Cause = &fs.PathError{Op: "read", Path: in.Sources[0].Title(), Err: err}
		return false
	}
	in.Sources, in.reader = in.Sources[1:], nil
	return len(in.Sources) > 0
}

// maxRow is how many bytes the fields beside the URL may take.
const maxRow = 1 << 20

// argument is the source of what stands on the command line.
var argument Source
