package runes

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestProperty(t *testing.T) {
	u := must.Of(UnicodeOf("15"))(t)
	for _, c := range []struct {
		name    string
		in, out rune
	}{
		{"L", 'ä', '1'}, {"gc=Decimal_Number", '1', 'a'}, {"sc=Greek", 'α', 'a'}, {"Alpha", 'ä', '1'}, {"AHex", 'F', 'G'},
		{"ID_Start", 'a', '\u2e2f'}, {"IDC", '1', '-'}, {"Cn", '\u0378', 'a'}, {"Assigned", 'a', '\u0378'}, {"ASCII", '\x7f', '\u0080'},
	} {
		if s, ok := u.Property(c.name); !ok || !s.Has(c.in) || s.Has(c.out) {
			t.Errorf("%s: %t, %q %t, %q %t", c.name, ok, c.in, s.Has(c.in), c.out, s.Has(c.out))
		}
	}
	for _, name := range []string{"", "l", "gc=", "Letter=L", "Other_Math", "sc=greek", "Hyphen"} {
		if _, ok := u.Property(name); ok {
			t.Errorf("%q is known", name)
		}
	}
}
