package peg

import "testing"

func TestLengths(t *testing.T) {
	for _, test := range []struct {
		text                      string
		primary, sequence, choice int
	}{
		{"", 0, 0, 0},
		{"a b / c", 2, 4, 7},
		{"x:(a / ')')* b) c", 12, 14, 14},
		{"[)]i+ { f(')') } / d; e", 5, 6, 20},
		{"/*/ ) */ a", 9, 10, 10},
		{"// )\na", 4, 6, 6},
		{"/* ) no end", 11, 11, 11},
	} {
		for _, f := range []struct {
			name   string
			length func(string) int
			want   int
		}{
			{"element", PrimaryLength, test.primary},
			{"sequence", SequenceLength, test.sequence},
			{"choice", ChoiceLength, test.choice},
		} {
			if got := f.length(test.text); got != f.want {
				t.Errorf("the %s of %q: %d, want %d", f.name, test.text, got, f.want)
			}
		}
	}
}
