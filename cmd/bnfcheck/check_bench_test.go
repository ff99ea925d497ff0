package main

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The list that the benchmarks check: the corpus of the time where there is one, else the example.
func benchmarkList(b *testing.B) []byte {
	name := "../../examples/urls.txt"
	if folder := os.Getenv("BNFCHECK_CORPUS"); folder != "" {
		name = filepath.Join(folder, "era.tsv")
	} else {
		b.Log("BNFCHECK_CORPUS is not set: the example list stands in for the corpus")
	}
	text := must.Of(os.ReadFile(name))(b)
	var list bytes.Buffer
	for list.Len() < 1<<20 {
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), "\t")
			list.WriteString(line + "\n")
		}
	}
	return list.Bytes()
}

func BenchmarkCheck(b *testing.B) {
	list := benchmarkList(b)
	for _, c := range []struct{ name, flags string }{
		{"quiet", "--quiet"},
		{"quiet without semantics", "--quiet --no-semantic"},
		{"text", ""},
		{"json", "--format json"},
	} {
		b.Run(c.name, func(b *testing.B) {
			args := append([]string{"check", "-f", "-"}, strings.Fields(c.flags)...)
			b.SetBytes(int64(len(list)))
			b.ReportAllocs()
			for b.Loop() {
				run(args, bytes.NewReader(list), io.Discard, io.Discard)
			}
		})
	}
}

// BenchmarkNetURL is the yardstick: read the lines, parse each by net/url.
func BenchmarkNetURL(b *testing.B) {
	list := benchmarkList(b)
	b.SetBytes(int64(len(list)))
	for b.Loop() {
		failed := 0
		for line := range strings.Lines(string(list)) {
			if _, err := url.Parse(strings.TrimRight(line, "\n")); err != nil {
				failed++
			}
		}
	}
}

// BenchmarkExtract reads a text in which every line has a URL, and one that has none.
func BenchmarkExtract(b *testing.B) {
	list := benchmarkList(b)
	var dense bytes.Buffer
	for line := range strings.Lines(string(list)) {
		dense.WriteString("see <URL:" + strings.TrimRight(line, "\n") + "> and\n")
	}
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"a URL a line", dense.Bytes()},
		{"no URL", list},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				run([]string{"extract"}, bytes.NewReader(c.text), io.Discard, io.Discard)
			}
		})
	}
}

// BenchmarkFix repairs lines of random bytes, of which every one takes a guess.
func BenchmarkFix(b *testing.B) {
	random := rand.NewChaCha8([32]byte{1})
	text := make([]byte, 1<<16)
	_, _ = random.Read(text) // it never fails
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		run([]string{"fix", "-f", "-"}, bytes.NewReader(text), io.Discard, io.Discard)
	}
}
