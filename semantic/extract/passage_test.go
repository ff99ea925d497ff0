package extract

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// plainURLs finds the URLs in a text as [URLs] does, in the plainest way: byte by byte.
func plainURLs(text string) (list []Found) {
	in := bufio.NewReader(strings.NewReader(text))
	open, start, first, line := false, int64(0), 0, 1
	var body []byte
	for at := int64(0); ; at++ {
		b, err := in.ReadByte()
		if err != nil {
			return list
		}
		switch {
		case b == '<':
			open, body, start, first = true, nil, at, line
		case !open:
		case b == '>':
			open = false
			if x, ok := unwrap(string(body)); ok {
				x.Start, x.End, x.Line = start, at+1, first
				list = append(list, x)
			}
		case len(body) == MaxWrapped:
			open = false
		default:
			body = append(body, b)
		}
		if b == '\n' {
			line++
		}
	}
}

// inPassages returns what is found in a text that is read by chunks of some size, passage by passage, each searched by
// itself.
func inPassages(t *testing.T, text io.Reader, chunk int) (list []Found) {
	t.Helper()
	r := NewPassageReader(text)
	r.chunk = chunk
	var whole int64
	for {
		p, err := r.Next()
		if p.Start != whole {
			t.Fatalf("a passage begins at %d, the one before it ends at %d", p.Start, whole)
		}
		whole += int64(len(p.Text))
		for x := range p.URLs() {
			list = append(list, x)
		}
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.Text == "" {
			t.Fatal("an empty passage, and more to come")
		}
	}
}

// However a text comes in and is cut up, the same is found at the same places.
func TestPassagesCutNoWrapper(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"<", "<", ">", ">", "<URL:", "a:", "http://h.dom/", "\n", "-\n", "\r\n", " ", "x", "<a:b>", "<URL:c\n d>", "\n\n"}
	long := func() string { return strings.Repeat("y", MaxWrapped-8+random.IntN(16)) }
	found := 0
	for round := range 3000 {
		var b strings.Builder
		for range random.IntN(30) {
			if round%100 == 0 && random.IntN(8) == 0 {
				b.WriteString(long())
				continue
			}
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := b.String()
		want := fmt.Sprintf("%+v", plainURLs(text))
		readers := map[string]io.Reader{
			"whole":      strings.NewReader(text),
			"half reads": iotest.HalfReader(strings.NewReader(text)),
			"error with": iotest.DataErrReader(strings.NewReader(text)),
		}
		if len(text) < 10_000 {
			readers["byte a read"] = iotest.OneByteReader(strings.NewReader(text))
		}
		chunk := 1 + random.IntN(40)
		if len(text) >= 10_000 {
			chunk *= 1000
		}
		for name, r := range readers {
			got := inPassages(t, r, chunk)
			found += len(got)
			if got := fmt.Sprintf("%+v", got); got != want {
				t.Fatalf("%.300q, %s, by %d: %.300s\nplainly %.300s", text, name, chunk, got, want)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d URLs found: this test tests little", found)
	}
}

// The longest wrapper is read, and one byte more is none, wherever the reads end.
func TestPassagesOfTheLongestWrapper(t *testing.T) {
	for _, more := range []int{-1, 0, 1, 2} {
		text := "a <URL:" + strings.Repeat("b", MaxWrapped-len("URL:")+more) + "> <c:d>"
		want := len(plainURLs(text))
		for _, chunk := range []int{1, 3, MaxWrapped, MaxWrapped + 3, MaxWrapped + 4, MaxWrapped + 5, 1 << 20} {
			if got := len(inPassages(t, strings.NewReader(text), chunk)); got != want {
				t.Errorf("%d bytes more than the longest, by %d: %d found, plainly %d", more, chunk, got, want)
			}
		}
	}
}

// A text without an end, be it in an open wrapper, is not kept.
func TestPassagesAreBounded(t *testing.T) {
	text := io.MultiReader(strings.NewReader("<a:"), io.LimitReader(forever{}, 8<<20))
	r := NewPassageReader(text)
	for {
		p, err := r.Next()
		if len(p.Text) > 2*MaxWrapped || cap(r.buf) > 4*MaxWrapped {
			t.Fatalf("a passage of %d bytes, %d kept", len(p.Text), cap(r.buf))
		}
		if err != nil {
			break
		}
	}
}

type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func FuzzPassages(f *testing.F) {
	f.Add("<URL:http://h.dom/a-\n b> <c:d> <", uint8(3))
	f.Fuzz(func(t *testing.T, text string, chunk uint8) {
		got := fmt.Sprintf("%+v", inPassages(t, strings.NewReader(text), 1+int(chunk)))
		if want := fmt.Sprintf("%+v", plainURLs(text)); got != want {
			t.Errorf("%s\nplainly %s", got, want)
		}
	})
}
