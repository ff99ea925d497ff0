package learn

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/faults"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
)

// maxCache caps the size of a file of answers that is read.
const maxCache = 128 << 20

// OpenCache returns a cache of the answers in a file, to which new answers are appended, and a function that closes
// it. The file is made if there is none. of is the cache's Of. With an empty name the cache is empty and in memory
// only. A line that was cut off at the end of the file is removed. OpenCache fails with an [fs.PathError] if reading
// or writing fails, or [infile.CheckWithin] forbids it. It fails with another error, and leaves the file as it is, if that is not a regular one, has
// more than maxCache bytes, or is no file of answers of of.
func OpenCache(name, of string) (_ *Cache, end func(), err error) {
	c := &Cache{Of: of}
	if name == "" {
		return c, func() {}, nil
	}
	if err := injectedFault("open", name); err != nil {
		return nil, nil, err
	}
	if err := infile.CheckWithin(name); err != nil {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() { // a device may have no end
		f.Close()
		return nil, nil, fmt.Errorf("%s: not a regular file", name)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	if err := injectedFault("read", name); err != nil {
		return nil, nil, err
	}
	known, err := io.ReadAll(io.LimitReader(f, maxCache+1))
	if err != nil {
		return nil, nil, err
	}
	if len(known) > maxCache {
		return nil, nil, fmt.Errorf("%s: more than %d bytes, the most that is read", name, maxCache)
	}
	if bytes.IndexByte(known, '\n') < 0 && !mayBeginLine(string(known)) { // it would be truncated to nothing
		return nil, nil, fmt.Errorf("%s: not a file of answers", name)
	}
	known = known[:bytes.LastIndexByte(known, '\n')+1] // without a line that was cut off
	if err := c.Load(bytes.NewReader(known)); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := injectedFault("truncate", name); err != nil {
		return nil, nil, err
	}
	if err := f.Truncate(int64(len(known))); err != nil {
		return nil, nil, err
	}
	if _, err := f.Seek(int64(len(known)), io.SeekStart); err != nil {
		return nil, nil, err
	}
	c.Log = logFile{f}
	return c, func() { f.Close() }, nil // each answer was written when it came
}

// mayBeginLine reports whether a text is the beginning of a line that [Cache.Add] writes, as far as it goes.
func mayBeginLine(text string) bool {
	for _, begin := range []string{`{"answers_of":`, `{"input":`, `{"base64":`} {
		if strings.HasPrefix(text, begin) || strings.HasPrefix(begin, text) {
			return true
		}
	}
	return false
}

// A logFile is the file that answers are written to.
type logFile struct{ *os.File }

// Write appends to the file. Tests can make it fail.
func (f logFile) Write(p []byte) (int, error) {
	if err := injectedFault("write", f.Name()); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// injectedFault returns the error that a test has injected for an operation, in the form of the operating
// system; nil if there is none.
func injectedFault(operation, name string) error {
	if err := faults.Injected(operation); err != nil {
		return &fs.PathError{Op: operation, Path: name, Err: err}
	}
	return nil
}
