package gopackage

import (
	"strings"
	"testing"
)

// TestUpgrade: every format that is not written any more says what is new since.
func TestUpgrade(t *testing.T) {
	for f := range Format {
		if got := (Record{Format: f, Args: []string{"a.abnf"}}).Upgrade(); !strings.HasSuffix(got, ": run go generate, or in its folder bnfcheck generate a.abnf") || strings.Contains(got, "has ,") || strings.Contains(got, "has :") {
			t.Errorf("format %d: %s", f, got)
		}
	}
	if got := (Record{Format: Format}).Upgrade(); got != "" {
		t.Errorf("the present format: %s", got)
	}
	if got := (Record{Format: Format + 1}).Upgrade(); !strings.Contains(got, "install a newer bnfcheck") {
		t.Errorf("a later format: %s", got)
	}
}
