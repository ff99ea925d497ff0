package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
)

// A Source is a file or another reader of URLs.
type Source struct {
	Name   string // of a file; "" for the command line
	Reader io.Reader
	Size   int64 // in bytes; 0 if not known
}

// Sources are the files to read, open.
type Sources []*Source

// OpenFiles opens all files before any is read, so that a misspelled name shows at once. "-" is stdin, which may be
// named only once. Its other errors are [*fs.PathError]s; after an error no file stays open.
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
		f, err := infile.Open(name)
		if err != nil {
			list.Close()
			return nil, err
		}
		list = append(list, newSource(name, f))
	}
	return list, nil
}

// newSource returns a source of a name. Its size is known if r is a regular file.
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

// Size returns the number of bytes of all files. It is 0 if the size of one is not known, or a file is empty.
func (list Sources) Size() (n int64) {
	for _, s := range list {
		if s.Size == 0 {
			return 0
		}
		n += s.Size
	}
	return n
}

// MaxRead caps the bytes of files that have to be known as a whole before they are judged; more is an error.
const MaxRead = 256 << 20

// Bound makes reading fail once more than most bytes have come from all files together, so that a device without an
// end is refused. It replaces their readers.
func (list Sources) Bound(most int64) {
	left := most
	for _, s := range list {
		s.Reader = &bounded{s.Reader, &left, most}
	}
}

// A bounded is a reader that fails once the bound that it shares with others is passed.
type bounded struct {
	io.Reader
	left *int64 // how many bytes may still be read; shared by all files
	most int64  // the bound, for the message
}

// Read reads at most one byte more than is left, to find out whether there is more. If there is, it fails,
// and returns nothing of what it read.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p[:min(int64(len(p)), *b.left+1)])
	*b.left -= int64(n)
	if *b.left < 0 {
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

// ReadAll returns all URLs of the files. It leaves out those of more than limit bytes, and counts them in
// tooLong; it leaves out blank lines and comments, and counts them in skipped, unless every line is a string.
// If it fails, it also returns the URLs that it had read. The files stay open.
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

// An Input returns all URLs in batches: first the arguments of the command line, then the lines of the files.
type Input struct {
	Args    []string
	Sources Sources
	Limit   int // the length in bytes of the longest URL that is needed whole

	Whole     bool // each file is one string, with its line ends
	EveryLine bool // blank lines and comments are strings too
	Column    int  // the number of the field that is the URL, where tabs separate fields; 0 for the whole line

	Progress func() // called after each URL, by any goroutine; may be nil

	reader *lineReader // of Sources[0]; nil before the first read
	Cause  error       // the first error; it may be read once Next has returned false
}

// Next fills b and reports whether there are more batches. There must be some Args or Sources left. All arguments are
// one batch, and come first. Next removes them, or a file that has ended. The URLs in b count even if Next returns
// false; if reading failed, Next returns false and Cause is set. b is filled anew: its memory is used again.
func (in *Input) Next(b *Batch) (more bool) {
	b.everyLine, b.column, b.progress = in.EveryLine, in.Column, in.Progress
	if len(in.Args) > 0 { // this is the first call, with a new batch, so b.Text is empty
		b.arguments, in.Args = in.Args, nil
		return len(in.Sources) > 0
	}
	b.arguments = nil
	if b.whole = in.Whole; in.Whole {
		return in.nextWhole(b)
	}
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

// nextWhole fills b with the next file as one string, removes the file from in.Sources, and reports whether there are
// more. If the file is longer than the limit it keeps headLength bytes and counts the rest. If reading fails, or more
// than maxLine bytes follow the limit, it returns false, b has no strings, Cause is set, and the file stays in
// in.Sources. b.Read is what was read, even then.
func (in *Input) nextWhole(b *Batch) (more bool) {
	source := in.Sources[0]
	b.Source, b.first, b.cut, b.Read = source, 1, 0, 0
	text, err := io.ReadAll(io.LimitReader(source.Reader, int64(in.Limit)+1))
	b.Text, b.Read = text, int64(len(text))
	if err == nil && len(text) > in.Limit {
		b.Text = text[:min(len(text), headLength)]
		var rest int64
		rest, err = io.Copy(io.Discard, io.LimitReader(source.Reader, maxLine))
		b.Read += rest
		b.cut = int(b.Read) - len(b.Text)
		if err == nil && rest == maxLine {
			err = fmt.Errorf("more than %d bytes, the most that is read", maxLine)
		}
	}
	if err != nil {
		in.Cause = &fs.PathError{Op: "read", Path: source.Title(), Err: err}
		b.whole, b.Text, b.cut = false, nil, 0 // half a file is no string: the batch is empty
		return false
	}
	in.Sources = in.Sources[1:]
	return len(in.Sources) > 0
}

// maxRow caps the bytes of the fields beside the URL in a line: a line of fields may be that much longer than a URL.
const maxRow = 1 << 20

// argument is the source of URLs on the command line.
var argument Source

// A Line is one URL of the input.
type Line struct {
	Text   string // of one that is too long, its beginning
	Row    string // the line that it stands in; equal to Text unless Input.Column chooses or the line is too long
	Number int    // in its source, from 1
	Length int    // in bytes; more than len(Text) where the line is too long
	Whole  bool   // it is all of a file, and may have line ends in it
	Source *Source
}

// maxLine caps the bytes of a line, or of a file that is one string, that are read and skipped: a device may never end
// one.
const maxLine = MaxRead

// An EndlessError is the error of a line whose end is not in sight.
type EndlessError struct {
	Line int // its number, from 1
}

// Error names the line and the limit.
func (e *EndlessError) Error() string {
	return fmt.Sprintf("line %d has more than %d bytes, the most that is skipped of one; nothing behind it was read",
		e.Line, maxLine)
}

// A LineReader reads from another reader, and fails with an [EndlessError] once a line is longer than
// maxLine.
type LineReader struct {
	from   io.Reader
	line   int // the number of the line that is being read, from 1
	length int // how much of it has been read
}

// NewLineReader returns a reader of a text whose lines end.
func NewLineReader(from io.Reader) *LineReader { return &LineReader{from: from, line: 1} }

// Read reads from the other reader. It fails once more than maxLine bytes of one line were read.
func (r *LineReader) Read(p []byte) (int, error) {
	if r.length > maxLine {
		return 0, &EndlessError{r.line}
	}
	n, err := r.from.Read(p)
	if last := bytes.LastIndexByte(p[:n], '\n'); last >= 0 {
		r.line += bytes.Count(p[:n], []byte{'\n'})
		r.length = n - last - 1
	} else {
		r.length += n
	}
	return n, err
}

// headLength is the number of bytes at its beginning that are kept of a line that is too long: enough to recognize it.
const headLength = 256

const byteOrderMark = "\xEF\xBB\xBF"

// A Batch is some URLs of the input.
type Batch struct {
	arguments []string // URLs of the command line; or:
	Source    *Source
	Text      []byte // whole lines; the last may have no line feed
	first     int    // the number of the first
	cut       int    // how many bytes of the first are left out after its beginning
	Read      int64  // how many bytes were read for it
	whole     bool   // Text is one string
	everyLine bool   // none is skipped
	column    int    // as in Input
	progress  func()

	URLs    int // how many Lines has yielded
	Skipped int // how many lines, blank or comments, it has skipped
}

// A lineReader returns the text of a source in batches of whole lines, and never holds more of a line than its limit.
// It looks only for the ends of lines, at the speed of memory; workers split their batches into lines.
type lineReader struct {
	Source  *Source
	Limit   int    // the length of the longest line that is returned whole
	Number  int    // how many lines have been returned
	partial []byte // the beginning of a line whose end has not been read
	cut     int    // how many bytes of that line's end are left out
	cr      bool   // the last of them is CR
}

// chunkLength is the size of a read. The result of one read is one batch, so that lines that arrive slowly are
// answered at once.
const chunkLength = 128 << 10

// Next fills b with the result of one read, up to the last line feed in it, and reads on if there is none. What follows
// that line feed begins the next batch. Only the first line of b may be cut, to its beginning: b.cut says by how much.
// Next returns io.EOF after the last line, the error of the source, or an [EndlessError]; the lines of b are valid even
// then. After an error other than io.EOF, the line that was not read to its end is not among them.
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
			b.Text = r.dropRest(b.Text, from)
		}
		if r.cut > maxLine && err == nil {
			err = &EndlessError{r.Number + 1}
		}
		end := bytes.LastIndexByte(b.Text[from:], '\n') + 1 + from
		switch {
		case err == io.EOF: // the last line needs no line feed
			end = len(b.Text)
		case err != nil && end == from: // half a line is no line
			end = 0
		case end == from:
			b.Text = r.keepBeginning(b.Text)
			continue
		}
		b.cut = r.cut
		if r.cr {
			b.cut-- // as of any line, that CR is not part of it
		}
		r.cut, r.cr = 0, false
		r.partial = r.keepBeginning(append(r.partial[:0], b.Text[end:]...))
		b.Text = b.Text[:end]
		r.Number += bytes.Count(b.Text, []byte{'\n'})
		return err
	}
}

// keepBeginning returns what is kept of a line that has not ended: all of text if the line may still be short enough or
// is shortened already, and else its first bytes. It counts in r.cut the bytes that it drops, and notes in r.cr whether
// the last of them is CR.
func (r *lineReader) keepBeginning(text []byte) []byte {
	const keep = headLength + len(byteOrderMark)
	// A byte order mark and the end of the line do not count as part of it.
	if r.cut > 0 || len(text) <= max(r.Limit, keep)+len(byteOrderMark)+len("\r\n") {
		return text
	}
	r.cut, r.cr = len(text)-keep, text[len(text)-1] == '\r'
	return text[:keep]
}

// dropRest removes the rest of a line that keepBeginning has shortened from text, in place, from an offset
// on. It adds its length to r.cut, and notes in r.cr whether it ends with a CR. The rest ends before the line's LF,
// which stays with all that follows.
func (r *lineReader) dropRest(text []byte, from int) []byte {
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

// Lines returns the URLs of a batch: its arguments, or the lines of its text. A line ends with LF or CR LF,
// the last one also at the end of the input. A byte order mark at the start is skipped, and so are blank
// lines and lines that begin with "#", unless every line counts. In a file that is one string, every byte
// belongs to it. If a column is chosen, the URL is that field of the line. Of a URL with more than limit bytes only
// the beginning is returned, except of a file that is one string, which is as long as Text. Lines sets URLs to the
// number of strings that it yields, and Skipped to that of the lines it skips; it reports progress after each string
// that the caller is done with.
func (b *Batch) Lines(limit int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		b.URLs, b.Skipped = 0, 0
		for i, arg := range b.arguments {
			l := Line{Text: arg, Row: arg, Number: i + 1, Length: len(arg), Source: &argument}
			if l.Length > limit {
				l.Text = arg[:min(len(arg), headLength)]
			}
			b.URLs++
			if !yield(l) {
				return
			}
			b.reportProgress()
		}
		text := string(b.Text)
		if b.whole {
			b.URLs++
			l := Line{Text: text, Row: text, Number: 1, Length: len(text) + b.cut, Source: b.Source, Whole: true}
			if yield(l) {
				b.reportProgress()
			}
			return
		}
		cut := b.cut // of the first line alone
		for number := b.first; text != ""; number++ {
			end := strings.IndexByte(text, '\n')
			l := Line{Text: text, Number: number, Source: b.Source}
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
			if !b.everyLine && isSkipped(&l, limit) {
				b.Skipped++
				continue
			}
			l.Row = l.Text
			if b.column > 0 {
				l.Text, l.Length = fieldOf(l.Text, b.column, l.Length)
			}
			if l.Length > limit {
				l.Text = l.Text[:min(len(l.Text), headLength)]
			}
			b.URLs++
			if !yield(l) {
				return
			}
			b.reportProgress()
		}
	}
}

// reportProgress tells that a URL is done with.
func (b *Batch) reportProgress() {
	if b.progress != nil {
		b.progress()
	}
}

// fieldOf returns the n-th field of a line, counted from 1, whose fields tabs separate, and the length of that field in
// bytes. length is that of the whole line, which may be longer than what is there of it: the last field that is
// there then has the length of all the rest, and one after it counts as missing. A missing field is "", of length 0.
func fieldOf(line string, n, length int) (string, int) {
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

// isSkipped reports whether a line is blank or a comment. It looks at the whole line, before a field of it is chosen. A
// comment begins with "#" and may have any length. A blank line is empty or all white space of Unicode; a line of more
// than limit bytes is not blank, even if its beginning is.
func isSkipped(l *Line, limit int) bool {
	switch {
	case l.Text == "":
		return l.Length <= limit
	case ' ' < l.Text[0] && l.Text[0] < utf8.RuneSelf: // the first character is no space: no need to look further
		return l.Text[0] == '#'
	}
	return l.Length <= limit && strings.TrimSpace(l.Text) == ""
}
