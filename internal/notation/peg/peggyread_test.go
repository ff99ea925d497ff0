package peg_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What is wrong, or not covered, is refused at its place.
func TestPeggyRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "1:1: no rule",
		"a = 'x":                    "1:5: string not ended",
		"a = 'x\n'":                 "1:5: string not ended",
		"a = [x":                    "1:5: character class not ended",
		"a = \"\\1\"":               "1:6: invalid escape",
		"a = \"\\u{110000}\"":       "1:6: the code point of an escape is above U+10FFFF",
		"a = [z-a]":                 "1:6: range out of order",
		"a = 'x' { return '{' }":    "1:9: code block not ended",
		"a = ( 'x'":                 "1:10: expected ) for the ( at t.peggy:1:5, found the end of the file",
		"a = 'x' /* ":               "1:9: comment not ended",
		"a = ":                      "1:5: expected an expression, found the end of the file",
		"a <- 'x'":                  "1:3: expected = after the name of rule \"a\", found '<'",
		"a = 'x'|x..2|":             "1:9: a count that JavaScript computes is not supported",
		"a = 'x'|3":                 "1:10: expected | for the | at t.peggy:1:8",
		"a = &{ return true; } 'x'": "1:5: a predicate with code (&{...}) is not supported",
		"a = 'x' ! { return 1; }":   "1:9: a predicate with code (!{...}) is not supported",
		"a = 'x' { error('x'); }":   "1:9: an action that may call error() or expected(), or throw",
		"a = 'x' { throw 1 }":       "1:9: an action that may call error() or expected(), or throw",
		"{ function f() { error(1); } }\na = 'x'": "1:1: an initializer with code is not supported",
		"a = l.m":                          "1:5: rule l.m is another module's",
		"a = 'İ'i":                         "1:5: peggy compares İ with i as two characters",
		"a = b 'x'\nb = 'y'? a":            "2:10: rule \"a\" calls itself before anything is consumed: a -> b -> a",
		"a = ( 'x'? )*":                    "1:5: what is repeated may consume nothing",
		"a = 'x'\na = 'y'":                 "2:1: rule \"a\" is defined twice, first at t.peggy:1:1",
		"a = x:'x' x:'y'":                  "1:11: label \"x\" is there already, at t.peggy:1:5",
		"a = @'x' { return 1; }":           "1:5: @ stands in a sequence with an action",
		"a = if:'x'":                       "1:5: label \"if\" is a word of JavaScript",
		"a = '\xff'":                       "1:6: not UTF-8",
		"a = 'x\\ud83d'":                   "1:5: half of a surrogate pair",
		"a = [a\\ud800-\\udbff]":           "1:7: half of a surrogate pair",
		strings.Repeat("(", 2000):          "1:1: expected the name of a rule",
		"a = " + strings.Repeat("(", 2000): "nested too deeply",
		"a = 'x'|..99999999999999999999|":  "1:11: a count of more than",
	} {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		if err == nil && g.Rules[0].Refused != nil {
			err = g.Rules[0].Refused
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, not %s", text, err, want)
		}
	}
	if _, err := (peg.Options{ActionsSucceed: true}).ReadPeggy("t.peggy", []byte("a = 'x' { error(1) }")); err != nil {
		t.Error(err)
	}
}

// A rule that can stop inside a surrogate pair is refused, and not the rules that use it and cannot.
func TestPeggyStops(t *testing.T) {
	for text, want := range map[string]string{
		"a = .":                    "a",
		"a = .*":                   "",
		"a = .+":                   "",
		"a = .|2|":                 "a",
		"a = . .":                  "a",
		"a = (.|2|)*":              "a",
		"a = ('a' ('b' .)*)*":      "a",
		"a = ('b' .? / !'c' .)*":   "",
		"a = ('b' . / 'c')*":       "a",
		"a = !('b' .) 'b'":         "",
		"a = !(. 'b') 'b'":         "a",
		"a = [^]u":                 "",
		"a = [^\"]":                "a",
		"a = '\"' [^\"]* '\"'":     "",
		"a = '\"' (!'\"' .)* '\"'": "",
		"a = '\"' c* '\"'; c = [^\"\\\\] / '\\\\' .": "c",
		"a = &[a-z] .":              "a",
		"a = '\\ud83d\\ude00'":      "",
		"a = [\\u0080-\\uffff]":     "a",
		"a = [\\u0080-\\u{10ffff}]": "",
		"a = b 'x'; b = .":          "a b",
		"a = b .; b = .":            "a b",
	} {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for _, r := range g.Rules {
			if r.Refused != nil {
				got = append(got, r.ID)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: refused are %q, not %q", text, s, want)
		}
	}
}

// A core rule that the file does not define is supplied; the rules that come to another name are refused.
func TestPeggyNames(t *testing.T) {
	g := must.Of(peg.Options{}.ReadPeggy("t.peggy", []byte("a = HEXDIG b\nb = nope\nc = 'x' LWSP\n")))(t)
	for id, refused := range map[string]bool{"a": true, "b": true, "c": false, "HEXDIG": false, "LWSP": false, "WSP": false} {
		if r := g.Rule(id); r == nil || (r.Refused != nil) != refused {
			t.Errorf("%s: %v", id, r)
		}
	}
	if end, _ := peg.Match(g, expr.To("c"), "x \r\n ", 0); end != 5 {
		t.Error(end)
	}
}
