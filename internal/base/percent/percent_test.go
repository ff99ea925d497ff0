package percent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// Every octet is its escape decoded, in either case of the digits, and is found where it stands.
func TestEveryOctet(t *testing.T) {
	for octet := range 256 {
		want := fmt.Sprintf("%%%02X", octet)
		if got := percent.Of(byte(octet)); got != want || string(percent.Append(nil, byte(octet))) != want {
			t.Errorf("the escape of %d is %q", octet, got)
		}
		for _, escape := range []string{want, strings.ToLower(want)} {
			if got := percent.Decode("a" + escape + "b"); got != "a"+string([]byte{byte(octet)})+"b" {
				t.Errorf("%s decodes to %q", escape, got)
			}
			found := 0
			for i, o := range percent.All("a" + escape) {
				if i != 1 || o != byte(octet) {
					t.Errorf("%s: %d at %d", escape, o, i)
				}
				found++
			}
			if found != 1 {
				t.Errorf("%s: found %d", escape, found)
			}
		}
	}
}

// A "%" without two digits stands for itself.
func TestNoEscape(t *testing.T) {
	for _, s := range []string{"", "%", "%4", "%4g", "%g4", "100%", "%%", "a%-1"} {
		if got := percent.Decode(s); got != s {
			t.Errorf("%q decodes to %q", s, got)
		}
		for i := range percent.All(s) {
			t.Errorf("%q has an escape at %d", s, i)
		}
	}
	if got := percent.Decode("%%41%4"); got != "%A%4" {
		t.Errorf("decoded to %q", got)
	}
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct {
		s       string
		changes percent.Changes
		want    string
	}{
		{"aB%c3%41/", percent.Changes{}, "aB%C3%41/"},
		{"aB%c3%41/", percent.Changes{Fold: true}, "ab%C3%41/"},
		{"aB%c3%41/", percent.Changes{Decode: true}, "aB%C3A/"},
		{"aB%c3%41/", percent.Changes{Fold: true, Decode: true}, "ab%C3a/"},
		{"%7e%2f%", percent.Changes{Decode: true}, "~%2F%"},
		{"plain", percent.Changes{Fold: true, Decode: true}, "plain"},
	} {
		if got := percent.Normalize(c.s, c.changes); got != c.want {
			t.Errorf("%q, %+v: %q, want %q", c.s, c.changes, got, c.want)
		}
	}
}

// What is encoded decodes again, whatever may stand bare but "%".
func TestEncodeExcept(t *testing.T) {
	var all []byte
	for octet := range 256 {
		all = append(all, byte(octet))
	}
	for _, bare := range []string{"", "/?", "!$&'()*+,;=:@"} {
		text := percent.EncodeExcept(string(all), bare)
		if percent.Decode(text) != string(all) {
			t.Errorf("bare %q: %s", bare, text)
		}
		for octet := range 256 {
			b := byte(octet)
			want := percent.Unreserved(b) || strings.IndexByte(bare, b) >= 0
			if got := percent.EncodeExcept(string([]byte{b}), bare) == string([]byte{b}); got != want {
				t.Errorf("bare %q: octet %d is bare: %t", bare, octet, got)
			}
		}
	}
}
