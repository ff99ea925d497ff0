package layout_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// TestTableFolds: a row that is wider than the screen is folded at its columns, which stay aligned.
func TestTableFolds(t *testing.T) {
	table := layout.Table{Header: []string{"", "before", "", "only before", "both"}, Right: 1 << 3, Fold: true}
	table.Add("changed", "a-production", "equal", "1,000", "a")
	table.Add("new", "b", "contained in", "20", "b c")
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, `
         before                      only before  both
changed  a-production  equal               1,000  a
new      b             contained in           20  b c
`},
		{40, `
         before
         only before  both
changed  a-production  equal
               1,000  a
new      b             contained in
                  20  b c
`},
		{24, `
         before
    
    only before  both
changed  a-production
    equal
          1,000  a
new      b
    contained in
             20  b c
`},
	} {
		got := "\n" + string(table.Append(nil, &layout.Screen{Width: c.width}))
		if want := layout.Trim(c.want); got != want {
			t.Errorf("width %d:%s", c.width, got)
		}
	}
	numbers := layout.Table{Header: []string{"n", "one", "other"}, Right: 0b111, Fold: true}
	numbers.Add("1", "1,000,000", "20")
	want := "n        one\n       other\n1  1,000,000\n          20\n"
	if got := string(numbers.Append(nil, &layout.Screen{Width: 16})); got != want {
		t.Errorf("numbers:\n%s", got)
	}
	table.Fold = false
	if got := string(table.Append(nil, &layout.Screen{Width: 40})); strings.Count(got, "\n") != 3 {
		t.Errorf("folded:\n%s", got)
	}
}

// TestDigits: numbers have their thousands apart, whatever their size.
func TestDigits(t *testing.T) {
	for digits, want := range map[string]string{
		"0": "0", "999": "999", "1000": "1,000", "-12345": "-12,345", "-123": "-123",
		"100000000000000000000000000000": "100,000,000,000,000,000,000,000,000,000",
	} {
		n, _ := new(big.Int).SetString(digits, 10)
		if got := layout.Digits(n); got != want {
			t.Errorf("%s: %s", digits, got)
		}
	}
}
