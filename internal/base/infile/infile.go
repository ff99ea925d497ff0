// Package infile opens the files that a user names. What no list and no grammar can be is refused by what it is,
// before it is read as text: a loop of links, a named pipe that nobody may ever write to, a device that never ends,
// archives, and data that is compressed or not in UTF-8.
package infile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// lineEnds are the characters that end a line, and so a comment, in one of the languages that file names are
// written into.
const lineEnds = "\n\r\v\f\u0085\u2028\u2029"

// Open opens a file for reading, and never waits. Its errors are [*fs.PathError]s. It refuses a name with a
// line end, because results and generated code mention names of files in comments, where the rest of the name
// would become a line of its own, and what [CheckWithin] forbids.
func Open(name string) (*os.File, error) {
	if strings.ContainsAny(name, lineEnds) {
		shown := strings.Trim(strconv.QuoteToGraphic(name), `"`)
		return nil, &fs.PathError{
			Op: "open", Path: shown,
			Err: errors.New("the name has a line end: rename it, or give the file as standard input"),
		}
	}
	if err := CheckWithin(name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("a loop of symbolic links")}
	case err != nil: // which opening it words as usual
	case info.Mode()&fs.ModeNamedPipe != 0 && !isDescriptor(name):
		// Opening it waits for a writer, and reading it waits until the last of them is gone.
		pipe := errors.New("a named pipe, and no file: give it as standard input")
		return nil, &fs.PathError{Op: "open", Path: name, Err: pipe}
	case info.Mode()&fs.ModeSocket != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("a socket, and no file")}
	case info.Mode()&fs.ModeDevice != 0 && !isDescriptor(name) && mayNotEnd(name):
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("a device, and no file")}
	}
	return os.Open(name)
}

// mayNotEnd reports whether a device might never end, as /dev/urandom does not. A terminal and the null
// device do end. Windows has both under names of its own, and no other devices that can be opened as files.
func mayNotEnd(name string) bool {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	base := filepath.Base(name)
	terminal := strings.HasPrefix(base, "tty") || base == "console" || filepath.Dir(name) == "/dev/pts"
	return !terminal && name != os.DevNull && runtime.GOOS != "windows"
}

// IsPipeOrLoop reports whether [Open] refuses what a name leads to, though there is something.
func IsPipeOrLoop(name string) bool {
	info, err := os.Stat(name)
	return errors.Is(err, syscall.ELOOP) || err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
}

// isDescriptor reports whether a name is that of an open file, as shells give one for <(command).
func isDescriptor(name string) bool {
	dir := filepath.Dir(name)
	return dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") || name == "/dev/stdin"
}

// ReadFile returns the text of a file of at most most bytes. It fails for a longer one, and for what [Open]
// refuses; its errors are [*fs.PathError]s.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d bytes, the most that is read", most)}
	}
	return text, err
}

// formats lists the first bytes of files that hold no text, and how to turn such files into text.
var formats = []struct{ magic, name, how string }{
	{"\x1f\x8b", "compressed by gzip", "unpack it with gzip -d"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it with zstd -d"},
	{"\xfd7zXZ\x00", "compressed by xz", "unpack it with xz -d"},
	{"BZh", "compressed by bzip2", "unpack it with bzip2 -d"},
	{"PK\x03\x04", "a zip archive", "unpack it with unzip"},
	{"PK\x05\x06", "an empty zip archive", "there is nothing in it"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it with 7z x"},
	{"Rar!\x1a\x07", "a rar archive", "unpack it with unrar x"},
	{"!<arch>\n", "an archive of ar", "unpack it with ar x"},
	{"LZIP\x01", "compressed by lzip", "unpack it with lzip -d"},
	{"\x04\x22\x4d\x18", "compressed by lz4", "unpack it with lz4 -d"},
	{"\x1f\x9d", "compressed by compress", "unpack it with uncompress"},
	{"%PDF-", "a PDF document", "make text of it with pdftotext"},
	{"\x7fELF", "a program", "there is no text to be made of it"},
	{"\x89PNG\r\n\x1a\n", image, imageHow},
	{"\xff\xd8\xff", image, imageHow},
	{"\xff\xfe\x00\x00", utf32, utf32How},
	{"\x00\x00\xfe\xff", utf32, utf32How},
	{"\xff\xfe", utf16, utf16How},
	{"\xfe\xff", utf16, utf16How},
}

const (
	image    = "an image"
	imageHow = "there is no text to be made of it"
	utf16    = "text in UTF-16"
	utf16How = "convert it with iconv -f UTF-16 -t UTF-8"
	utf32    = "text in UTF-32"
	utf32How = "convert it with iconv -f UTF-32 -t UTF-8"
)

// The header of a file in a tar archive has one of these marks at this place.
const (
	tarMark    = "ustar\x00"
	tarMarkGNU = "ustar  \x00"
	tarPlace   = 257
)

// headLength caps the bytes of a file that are looked at for UTF-16 and UTF-32 without a mark.
const headLength = 64

// A FormatError is the error that a file holds no text in UTF-8.
type FormatError struct{ Name, How string }

// Error names the format, and how to make text of it.
func (e *FormatError) Error() string { return e.Name + ", and no text in UTF-8: " + e.How }

// Foreign returns a [*FormatError] if the file that begins with head is in a format that is known to be no text in
// UTF-8, and nil otherwise. It recognizes the format by its first bytes, and does not look whether the rest is UTF-8.
func Foreign(head []byte) error {
	for _, f := range formats {
		// A text may begin with BZh too, but bzip2 always writes a digit and the digits of pi after that.
		if f.magic == "BZh" && !bytes.HasPrefix(head[min(len(head), 4):], []byte("1AY&SY")) {
			continue
		}
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return &FormatError{f.name, f.how}
		}
	}
	mark := head[min(len(head), tarPlace):]
	switch {
	case bytes.HasPrefix(mark, []byte(tarMark)), bytes.HasPrefix(mark, []byte(tarMarkGNU)):
		return &FormatError{"a tar archive", "unpack it with tar xf"}
	case spacedBy(head, 2):
		return &FormatError{utf16, utf16How}
	case spacedBy(head, 4):
		return &FormatError{utf32, utf32How}
	}
	return nil
}

// spacedBy reports whether a head is ASCII in units of 2 or 4 bytes, as UTF-16 and UTF-32 write it without a mark: in
// each unit the first byte or the last is ASCII, in all units the same one, and the others are zero.
func spacedBy(head []byte, unit int) bool {
	head = head[:min(len(head), headLength)/unit*unit]
	return len(head) >= 4 && (lettersAt(head, unit, 0) || lettersAt(head, unit, unit-1))
}

// lettersAt reports whether the bytes at one place of each unit are ASCII and not zero, and all others zero.
func lettersAt(head []byte, unit, place int) bool {
	for i, b := range head {
		isASCII := b != 0 && b < 0x80
		if i%unit == place && !isASCII || i%unit != place && b != 0 {
			return false
		}
	}
	return true
}

// Text returns a reader of r that fails with the error of [Foreign] if r begins like no text in UTF-8. It closes r
// when it is closed, if r can be.
func Text(r io.Reader) io.Reader { return &text{r: r} }

// A text is the reader that [Text] returns.
type text struct {
	r    io.Reader
	head []byte // read, and not passed on
	err  error  // to be returned once head is passed on
	seen bool   // the beginning has been looked at
}

// Read is that of [io.Reader]. Before the first byte is passed on, as many are read as tell what the file is, or as
// there are at once.
func (t *text) Read(p []byte) (int, error) {
	if !t.seen {
		t.seen = true
		t.head = make([]byte, 4096)
		n, err := t.r.Read(t.head)
		t.head, t.err = t.head[:n], err
		if foreign := Foreign(t.head); foreign != nil {
			t.head, t.err = nil, foreign
		}
	}
	if len(t.head) > 0 {
		n := copy(p, t.head)
		t.head = t.head[n:]
		return n, nil
	}
	if t.err != nil {
		return 0, t.err
	}
	return t.r.Read(p)
}

// Close closes the reader below, if it can be closed.
func (t *text) Close() error {
	if c, ok := t.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
