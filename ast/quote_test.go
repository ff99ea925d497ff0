package ast_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

func TestQuote(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", `""`},
		{"~", `"~"`},
		{"host.dom", `"host.dom"`},
		{`"`, "`\"`"},
		{`\`, "`\\`"},
		{`\x41`, "`\\x41`"},
		{`mailto:"@a`, "`mailto:\"@a`"},
		{"\"`", "\"\\\"`\""},
		{"\"\n", `"\"\x0A"`},
		{"\x1b[31m", `"\x1B[31m"`},
		{"\x00\r\n\t\x7f", `"\x00\x0D\x0A\x09\x7F"`},
		{"é", `"\xC3\xA9"`},
		{"\u202e", `"\xE2\x80\xAE"`},
		{"\xff", `"\xFF"`},
	} {
		if got := ast.Quote(c.in); got != c.want {
			t.Errorf("Quote(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestQuoteEveryByte(t *testing.T) {
	for b := range 256 {
		in := string([]byte{byte(b)})
		got := ast.Quote(in)
		if back, err := strconv.Unquote(got); err != nil || back != in {
			t.Errorf("byte %#02x: %s unquotes to %q, %v", b, got, back, err)
		}
		wide := len(got) == len(`"\xHH"`)
		if plain := b >= ' ' && b <= '~'; (plain || b == '"' || b == '\\') == wide {
			t.Errorf("byte %#02x: %s", b, got)
		}
		for i := range len(got) {
			if got[i] < ' ' || got[i] > '~' {
				t.Errorf("byte %#02x is quoted with byte %#02x", b, got[i])
			}
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 50) + "~" + strings.Repeat("b", 50)
	for _, c := range []struct {
		in     string
		offset int
		width  int
		text   string
		column int
	}{
		{"http://h/~x", 9, 80, "http://h/~x", 9},
		{"http://h/", 9, 80, "http://h/", 9}, // the end of input
		{"", 0, 80, "", 0},
		{"", 7, 80, "", 0},
		{"ab", -3, 80, "ab", 0},
		{"ab", 99, 80, "ab", 2},
		{"a\x00~", 2, 80, `a\x00~`, 5}, // the caret is moved by what is shown, not by the bytes
		{"a\\\"~", 3, 80, `a\"~`, 3},   // nothing is in quotes, nothing needs to be escaped
		{"0123456789abcdef", 3, 16, "0123456789abcdef", 3},
		{"0123456789abcdef", 16, 16, "...789abcdef", 12},
		{"0123456789abcdefg", 3, 16, "0123456789...", 3},
		{"0123456789abcdefg", 3, 1, "0123456789...", 3},
		{"0123456789abcdefg", 16, 16, "...789abcdefg", 12},
		{long, 50, 20, "...aaaaaa~bbbbbbb...", 9},
		{long, 0, 20, "aaaaaaaaaaaaaa...", 0},
		{long, 101, 20, "...bbbbbbbbbbbbb", 16},
		{strings.Repeat("\xff", 20), 10, 20, `...\xFF\xFF\xFF...`, 3},
	} {
		text, column := ast.Excerpt(c.in, c.offset, c.width)
		if text != c.text || column != c.column {
			t.Errorf("Excerpt(%q, %d, %d) = %q, %d; want %q, %d", c.in, c.offset, c.width, text, column, c.text, c.column)
		}
	}
}

// For every offset into various lines, at several widths, the excerpt keeps to its width and the
// caret points at the first column of its byte.
func TestExcerptPoints(t *testing.T) {
	for _, in := range []string{strings.Repeat("a", 200), strings.Repeat("\x00", 90), strings.Repeat("a\x00b\xff", 30), "short", ""} {
		for offset := 0; offset <= len(in); offset++ {
			for _, width := range []int{0, 16, 17, 40, 80, 400} {
				text, column := ast.Excerpt(in, offset, width)
				if len(text) > max(width, 16) || column > len(text) || column >= max(width, 16) {
					t.Fatalf("Excerpt(%q, %d, %d) = %q, %d", in, offset, width, text, column)
				}
				if offset == len(in) {
					if column != len(text) {
						t.Fatalf("Excerpt(%q, %d, %d) = %q, %d: not at its end", in, offset, width, text, column)
					}
					continue
				}
				shown := ast.Quote(in[offset : offset+1])
				if !strings.HasPrefix(text[column:], shown[1:len(shown)-1]) {
					t.Fatalf("Excerpt(%q, %d, %d) = %q, %d: not under %s", in, offset, width, text, column, shown)
				}
			}
		}
	}
}
