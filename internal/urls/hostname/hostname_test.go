package hostname_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/urls/hostname"
)

func TestIsHost(t *testing.T) {
	for s, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "a.b": true, "www.example.com": true, "a-b.c1": true, "10.0.0.1": true,
		"3com.example": true, "": false, "a": false, "a..b": false, ".a.b": false, "a.b.": false, "-a.b": false, "a-.b": false,
		"localho\u017ft": false, "a_b.c": false, "a b.c": false, "10.0.0": false, "a.0.0.1": false, "a.1b": false, "é.fr": false,
	} {
		if got := hostname.IsHost(s); got != want {
			t.Errorf("%q is a host: %t", s, got)
		}
	}
}

func TestOddLabel(t *testing.T) {
	for label, want := range map[string]string{
		"a": "", "9": "", "A-z0": "", "": "a label is empty", "-a": `a label begins or ends with "-"`,
		"a-": `a label begins or ends with "-"`, "a_b": `"_" is in no host name`, "a@": `"@" is in no host name`,
		"[": `"[" is in no host name`, "`": "\"`\" is in no host name", "{": `"{" is in no host name`,
	} {
		if got := hostname.OddLabel(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}
