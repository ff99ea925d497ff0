package check

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll returns the lines of a text as a lineReader and its batches give them, whatever its reads give it, each as
// "number length text", and how many were skipped.
func readAll(t *testing.T, r io.Reader, limit int) (lines []string, skipped int) {
	t.Helper()
	lr := &lineReader{Source: &Source{Name: "test", Reader: r}, Limit: limit}
	var b Batch
	for {
		err := lr.Next(&b)
		urls := len(lines)
		for l := range b.Lines(limit) {
			lines = append(lines, fmt.Sprintf("%d %d %q", l.Number, l.Length, l.Text))
		}
		skipped += b.Skipped
		if b.URLs != len(lines)-urls {
			t.Fatalf("%d lines, counted as %d", len(lines)-urls, b.URLs)
		}
		if err != nil {
			if err != io.EOF {
				t.Fatal(err)
			}
			return lines, skipped
		}
		if len(b.Text) == 0 {
			t.Fatal("a batch without text, and more to come")
		}
	}
}

// splitAll is readAll for a whole text, in the simplest way.
func splitAll(text string, limit int) (lines []string, skipped int) {
	all := strings.Split(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	for i, l := range all {
		if i == 0 {
			l = strings.TrimPrefix(l, "\xEF\xBB\xBF")
		}
		l = strings.TrimSuffix(l, "\r")
		switch {
		case strings.HasPrefix(l, "#"), len(l) <= limit && strings.TrimSpace(l) == "":
			skipped++
		case len(l) > limit:
			lines = append(lines, fmt.Sprintf("%d %d %q", i+1, len(l), l[:min(len(l), headLength)]))
		default:
			lines = append(lines, fmt.Sprintf("%d %d %q", i+1, len(l), l))
		}
	}
	return lines, skipped
}

func TestLinesAreThoseOfTheText(t *testing.T) {
	const limit = 5
	pieces := []string{"\n", "\r\n", "\r", "#", " ", "a", "bc", "ddddd", "eeeeee", "\xEF\xBB\xBF", "\x00", strings.Repeat("f", 300), strings.Repeat("g", headLength+len(byteOrderMark))}
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := b.String()
		want, wantSkipped := splitAll(text, limit)
		for name, r := range map[string]io.Reader{
			"whole":       strings.NewReader(text),
			"byte a read": iotest.OneByteReader(strings.NewReader(text)),
			"half reads":  iotest.HalfReader(strings.NewReader(text)),
			"error with":  iotest.DataErrReader(strings.NewReader(text)),
		} {
			got, skipped := readAll(t, r, limit)
			if strings.Join(got, "\n") != strings.Join(want, "\n") || skipped != wantSkipped {
				t.Fatalf("%q, %s:\n%s\n%d skipped; want\n%s\n%d skipped", text, name, strings.Join(got, "\n"), skipped, strings.Join(want, "\n"), wantSkipped)
			}
		}
	}
}

// Where reading fails, the lines before count, and half a line is none.
func TestHalfLine(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct{ text, want string }{
		{"one\ntwo\nthr", "one two"},
		{"one\ntwo\n", "one two"},
		{"thr", ""},
		{"one\n" + strings.Repeat("x", 3*chunkLength), "one"},
		{"", ""},
	} {
		for name, r := range map[string]io.Reader{
			"whole":       strings.NewReader(tt.text),
			"byte a read": iotest.OneByteReader(strings.NewReader(tt.text)),
		} {
			from := &Source{Name: "list", Reader: io.MultiReader(r, iotest.ErrReader(broken))}
			urls, tooLong, _, err := Sources{from}.ReadAll(100, false)
			if got := strings.Join(urls, " "); got != tt.want || tooLong > 0 || !errors.Is(err, broken) {
				t.Errorf("%.10q, %s: %q, %d too long, %v; want %q", tt.text, name, got, tooLong, err, tt.want)
			}
		}
	}
}

// A line without an end must not be held, however long it is.
func TestEndlessLine(t *testing.T) {
	const length = 64 << 20
	lr := &lineReader{Source: &Source{Reader: io.LimitReader(endless{}, length)}, Limit: 1000}
	var b Batch
	if err := lr.Next(&b); err != io.EOF {
		t.Fatal(err)
	}
	n := 0
	for l := range b.Lines(1000) {
		n += l.Length
	}
	if b.URLs != 1 || n != length || cap(b.Text) > 2*chunkLength {
		t.Errorf("%d lines of %d bytes, in %d; want one of %d", b.URLs, n, cap(b.Text), length)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// What searches text without regard to lines stops as well where the end of one is not in sight.
func TestLineReaderEnds(t *testing.T) {
	text := "one\n" + strings.Repeat("x", 1000) + "\nthree\n"
	got, err := io.ReadAll(NewLineReader(strings.NewReader(text)))
	if string(got) != text || err != nil {
		t.Errorf("read %q, %v; want %q", got, err, text)
	}
	r := NewLineReader(io.MultiReader(strings.NewReader(text), endless{}))
	read := int64(0)
	p := make([]byte, 1<<20)
	for err == nil && read <= 2*maxLine {
		var n int
		n, err = r.Read(p)
		read += int64(n)
		clear(p[:len(text)])
	}
	bad, ok := errors.AsType[*EndlessError](err)
	if most := int64(maxLine + len(text) + 2*len(p)); !ok || bad.Line != 4 || read > most {
		t.Errorf("%v after %d bytes; want an endless line 4 after at most %d", err, read, most)
	}
}
