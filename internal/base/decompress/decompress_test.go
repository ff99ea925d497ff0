package decompress

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/klauspost/compress/zstd"
)

func gzipped(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts { // several members in one file are one text
		w := gzip.NewWriter(&b)
		must.Of(io.WriteString(w, part))(t)
		must.Do(t, w.Close())
	}
	return b.String()
}

func zstandard(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		w := must.Of(zstd.NewWriter(&b, zstd.WithZeroFrames(true)))(t)
		must.Of(io.WriteString(w, part))(t)
		must.Do(t, w.Close())
	}
	return b.String()
}

// A closer counts how often it is closed.
type closer struct {
	io.Reader
	closed int
}

func (c *closer) Close() error { c.closed++; return nil }

func TestReader(t *testing.T) {
	long := strings.Repeat("http://a/\n", 100000)
	for _, test := range []struct {
		name, file, text string
		ok               bool
	}{
		{"urls.txt", "http://a/\n", "", true},
		{"urls.gz", gzipped(t, "http://a/\n"), "http://a/\n", true},
		{"two members.gz", gzipped(t, "http://a/\n", "http://b/\n"), "http://a/\nhttp://b/\n", true},
		{"urls.zst", zstandard(t, "http://a/\n"), "http://a/\n", true},
		{"two frames.zst", zstandard(t, "http://a/\n", "http://b/\n"), "http://a/\nhttp://b/\n", true},
		{"long.gz", gzipped(t, long), long, true},
		{"long.zst", zstandard(t, long), long, true},
		{"empty text.gz", gzipped(t, ""), "", true},
		{"empty file.gz", "", "", false},
		{"empty text.zst", zstandard(t, ""), "", true},
		{"empty file.zst", "", "", false},
		{"no gzip.gz", "http://a/\n", "", false},
		{"no zstd.zst", "http://a/\n", "", false},
		{"cut.gz", gzipped(t, long)[:300], "", false},
		{"cut.zst", zstandard(t, long)[:30], "", false},
	} {
		c := &closer{Reader: strings.NewReader(test.file)}
		r, ok := Reader(test.name, c)
		if compressed := !strings.HasSuffix(test.name, ".txt"); ok != compressed {
			t.Errorf("%s: compressed %v", test.name, ok)
			continue
		} else if !ok {
			continue
		}
		text, err := io.ReadAll(r)
		if (err == nil) != test.ok || test.ok && string(text) != test.text {
			t.Errorf("%s: %d bytes, error %v", test.name, len(text), err)
		}
		if err := r.Close(); err != nil && test.ok {
			t.Errorf("%s: closing: %v", test.name, err)
		}
		if c.closed != 1 {
			t.Errorf("%s: the file was closed %d times", test.name, c.closed)
		}
	}
}

// Whatever the bytes, reading ends with the text or an error. As text they are compressed, and read as what they were;
// without its last byte, a compressed file is an error.
func FuzzReader(f *testing.F) {
	f.Add(gzipped(f, "http://a/\n"), true)
	f.Add(zstandard(f, "http://a/\n"), false)
	f.Add("http://a/\n", false)
	f.Fuzz(func(t *testing.T, file string, isGzip bool) {
		name, compressed := "x.zst", zstandard
		if isGzip {
			name, compressed = "x.gz", gzipped
		}
		read := func(file string) (string, error) {
			r, _ := Reader(name, strings.NewReader(file))
			defer r.Close() // a file that was not read to its end may have an error left
			text, err := io.ReadAll(io.LimitReader(r, 1<<20+1))
			return string(text), err
		}
		if text, err := read(file); err == nil && file == "" || len(text) > 1<<20+1 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		whole := compressed(t, file)
		if text, err := read(whole); err != nil || text != file {
			t.Errorf("%q is read as %q (%v)", file, text, err)
		}
		if _, err := read(whole[:len(whole)-1]); err == nil && whole != "" {
			t.Errorf("%q: no error without the last byte", file)
		}
	})
}
