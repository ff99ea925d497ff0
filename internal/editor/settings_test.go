package editor

import (
	"slices"
	"testing"
)

// A setting ends with its line, before another directive and where its comment is closed, as directives of lint do.
func TestSettingsIn(t *testing.T) {
	for comment, want := range map[string][]string{
		"; bnfcheck:start mail":                                  {"start mail"},
		"; bnfcheck:define a = b ; c  ":                          {"define a = b ; c"},
		"; bnfcheck:start":                                       {"start "},
		"; bnfcheck:started mail":                                nil,
		"(* bnfcheck:kind ebnf *)":                               {"kind ebnf"},
		"/* words, and bnfcheck:start a */":                      {"start a"},
		"; bnfcheck:start a ; bnfcheck:ignore unused why":        {"start a"},
		"; bnfcheck:ignore unused why ; bnfcheck:start a":        {"start a"},
		"; bnfcheck:start a ;; bnfcheck:kind abnf":               {"start a", "kind abnf"},
		"(** bnfcheck:start a **)":                               {"start a"},
		"(*\r\n bnfcheck:start a\r\n * bnfcheck:kind ebnf\r\n*)": {"start a", "kind ebnf"},
	} {
		var got []string
		for _, in := range settingsIn(comment) {
			got = append(got, in.key+" "+comment[in.value.Start:in.value.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", comment, got, want)
		}
	}
}
