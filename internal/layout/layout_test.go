package layout

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	table := Table{Header: []string{"name", "n", ""}, Right: 1 << 1}
	table.Add("a", "7", "the rest")
	table.Add("höher", "100")
	want := "name     n\na        7  the rest\nhöher  100\n"
	if got := table.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := table.Width(); got != 20 {
		t.Errorf("width %d, want 20", got)
	}
	if got := string(table.Append(nil, &Screen{Colour: true})); !strings.HasPrefix(got, "\x1b[1mname\x1b[0m ") {
		t.Errorf("in colour: %q", got)
	}
	if got := (&Table{Rows: [][]string{{"a", "b"}}}).String(); got != "a  b\n" {
		t.Errorf("without a header: %q", got)
	}
}

// One row a text: its lines, at most 6 columns in the first and 4 in the others, with long words whole and cut.
func TestFold(t *testing.T) {
	for _, tt := range []struct{ text, whole, cut string }{
		{"", "", ""},
		{"abc def", "abc|def", "abc|def"},
		{"ab cde", "ab cde", "ab cde"},
		{"ab cde f g", "ab cde|f g", "ab cde|f g"},
		{"abcdefgh i", "abcdefgh|i", "abcdef|gh i"},
		{"a bcdefghij", "a|bcdefghij", "a|bcde|fghi|j"},
		{"a  b", "a  b", "a  b"},
		{"äöüäöü ä", "äöüäöü|ä", "äöüäöü|ä"},
	} {
		for cut, want := range map[bool]string{false: tt.whole, true: tt.cut} {
			if got := strings.Join(Fold(tt.text, 6, 4, cut), "|"); got != want {
				t.Errorf("%q, cut %t: %q, want %q", tt.text, cut, got, want)
			}
		}
	}
	if got := Cut("äb", 0); got != "ä" {
		t.Errorf("Cut: %q", got)
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		width int
		want  string
	}{
		{0, "  one two three\n"},
		{9, "  one two\n    three\n"},
		{8, "  one\n    two\n    three\n"},
		{1, "  one\n    two\n    three\n"},
	} {
		if got := string(Wrap(nil, "one two three", 2, tt.width)); got != tt.want {
			t.Errorf("width %d: got\n%s\nwant\n%s", tt.width, got, tt.want)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, tt := range []struct {
		n          int
		what, want string
	}{
		{0, "cause", "0 causes"}, {1, "class", "1 class"}, {2, "class", "2 classes"}, {3, "URL", "3 URLs"},
	} {
		if got := Plural(tt.n, tt.what); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
