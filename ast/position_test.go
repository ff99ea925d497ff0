package ast_test

import (
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"
)

// A line ends after CRLF, LF or CR, and a column counts code points.
func TestPositionAt(t *testing.T) {
	for _, c := range []struct {
		s      string
		offset int
		want   string
	}{
		{"", 0, "1:1"},
		{"abc", 0, "1:1"},
		{"abc", 3, "1:4"},
		{"abc", 99, "1:4"},
		{"abc", -1, "1:1"},
		{"a\nb", 1, "1:2"},
		{"a\nb", 2, "2:1"},
		{"a\nb", 3, "2:2"},
		{"a\rb", 2, "2:1"},
		{"a\r\nb", 1, "1:2"},
		{"a\r\nb", 2, "1:3"}, // between CR and LF
		{"a\r\nb", 3, "2:1"},
		{"a\r", 2, "2:1"},
		{"\n\r", 2, "3:1"},
		{"\n\n\n", 3, "4:1"},
		{"é€x", 2, "1:2"},
		{"é€x", 5, "1:3"},
		{"é\n€x", 6, "2:2"},
		{"\xff\xfe", 2, "1:3"},
	} {
		got := ast.PositionAt(c.s, c.offset)
		if got.String() != c.want || got.Offset != min(max(c.offset, 0), len(c.s)) {
			t.Errorf("PositionAt(%q, %d) is %v at %d, want %s", c.s, c.offset, got, got.Offset, c.want)
		}
	}
}

// A node has the position of its first byte.
func TestNodePosition(t *testing.T) {
	tree, err := rfc1738.Parse("http://host.dom/")
	if err != nil {
		t.Fatal(err)
	}
	host, _ := tree.Root().Find(rfc1738.KindHost)
	if got := host.Position(); got != (ast.Position{Offset: 7, Line: 1, Column: 8}) {
		t.Errorf("the host is at %+v", got)
	}
	if got := (ast.Node{}).Position(); got != (ast.Position{}) {
		t.Errorf("the zero node is at %+v", got)
	}
}

// An error behind the first line names line and column, and each shows the line that it is in.
func TestErrorFormat(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"http://a/~", "rfc1738: offset 9: unexpected \"~\" in hsegment; expected uchar, \";\", \":\", \"@\", \"&\", \"=\", \"/\", \"?\" or end of input (section 5)\n" +
			"  http://a/~\n" +
			"           ^\n"},
		{"http://a/\nb", "rfc1738: offset 9: unexpected \"\\x0A\" in hsegment; expected uchar, \";\", \":\", \"@\", \"&\", \"=\", \"/\", \"?\" or end of input (section 5)\n" +
			"  http://a/\n" +
			"           ^\n"},
	} {
		_, err := rfc1738.Parse(c.s)
		e, ok := errors.AsType[*ast.SyntaxError](err)
		if !ok || e.Format(80) != c.want {
			t.Errorf("%q: got\n%swant\n%s", c.s, e.Format(80), c.want)
		}
	}
}

// The line that is shown is that of the offending byte, whatever ends the lines, and is never wider
// than asked for.
func TestFormatShowsTheLine(t *testing.T) {
	for _, c := range []struct {
		input  string
		offset int
		want   string
	}{
		{"one\ntwo\nthree", 5, "  two\n   ^\n"},
		{"one\r\ntwo\r\nthree", 6, "  two\n   ^\n"},
		{"one\rtwo\rthree", 4, "  two\n  ^\n"},
		{"one\ntwo", 3, "  one\n     ^\n"},
		{"one\r\ntwo", 4, "  one\n     ^\n"}, // between CR and LF
		{"one\n", 4, "  \n  ^\n"},
		{"", 0, "  \n  ^\n"},
	} {
		e := &ast.SyntaxError{Grammar: rfc1738.Grammar, Input: c.input, Offset: c.offset}
		if got := e.Format(40); got != e.Error()+"\n"+c.want {
			t.Errorf("%q at %d: got\n%s", c.input, c.offset, got)
		}
	}
}

// An input is incomplete if some continuation of it is derived, by any scheme's production and not
// only by that which is explained.
func TestIncomplete(t *testing.T) {
	for _, c := range []struct {
		g    *ast.Grammar
		s    string
		want bool
	}{
		{rfc1738.Grammar, "", true},
		{rfc1738.Grammar, "ht", true},
		{rfc1738.Grammar, "http", true},
		{rfc1738.Grammar, "http://a/%4", true},
		{rfc1738.Grammar, "http:%4", true}, // no httpurl begins so, and a genericurl does
		{rfc1738.Grammar, "http://a/~", false},
		{rfc1738.Grammar, "~", false},
		{rfc3986.Grammar, "http://[::1", true},
		{rfc3986.Grammar, "http://[::1]x", false},
		{rfc3986.Grammar, "%", true},
		{rfc3986.Grammar, "%zz", false},
	} {
		_, err := c.g.ParseAs(c.g.Default, c.s)
		if err == nil || errors.Is(err, ast.ErrIncomplete) != c.want {
			t.Errorf("%s, %q: incomplete is %v, want %v (%v)", c.g.Name, c.s, !c.want, c.want, err)
		}
	}
}

// TestLine wants the line with the error, and where the error is in it, for each way to end a line.
func TestLine(t *testing.T) {
	tests := []struct {
		input string
		at    int
		line  string
		inIt  int
	}{
		{"", 0, "", 0},
		{"ab", 2, "ab", 2},
		{"ab\ncd\nef", 4, "cd", 1},
		{"ab\r\ncd\r\nef", 4, "cd", 0},
		{"ab\r\ncd\r\nef", 3, "ab", 3},
		{"ab\rcd", 5, "cd", 2},
	}
	for _, test := range tests {
		e := &ast.SyntaxError{Input: test.input, Offset: test.at}
		if line, at := e.Line(); line != test.line || at != test.inIt {
			t.Errorf("%q at %d: %q at %d; want %q at %d", test.input, test.at, line, at, test.line, test.inIt)
		}
	}
}
