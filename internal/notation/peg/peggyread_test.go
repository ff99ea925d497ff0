package peg_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
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
		"a = b / 'x'\nb = b":               "2:5: rule \"b\" calls itself before anything is consumed: b -> b",
		"a = b / 'x'\nb = c\nc = b":        "3:5: rule \"b\" calls itself before anything is consumed: b -> c -> b",
		"a = b 'x'\nb = 'y'? a":            "2:10: rule \"a\" calls itself before anything is consumed: a -> b -> a",
		"a = ( 'x'? )*":                    "1:5: what is repeated may consume nothing",
		"a = 'x'\na = 'y'":                 "2:1: rule \"a\" is defined twice, first at t.peggy:1:1",
		"a = x:'x' x:'y'":                  "1:11: label \"x\" is there already, at t.peggy:1:5",
		"a = @'x' { return 1; }":           "1:5: @ stands in a sequence with an action",
		"a = if:'x'":                       "1:5: label \"if\" is a word of JavaScript",
		"a = '\xff'":                       "1:6: not UTF-8",
		"a = 'x\\ud83d'":                   "1:5: half of a surrogate pair",
		"a = [a\\ud800-\\udbfe]":           "1:7: half of a surrogate pair",
		"a = [a\\udc00-\\udffe]":           "1:7: half of a surrogate pair",
		"a = [a\\ud801-\\udbff]":           "1:7: half of a surrogate pair",
		"a = [a\\ud800-\\udbff]u":          "1:7: half of a surrogate pair",
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

// A class that has all halves of surrogate pairs, or ".", reads one of them at a time, and matches as peggy's parser does.
func TestPeggyHalves(t *testing.T) {
	const yes, no = true, false
	for _, c := range []struct {
		text, word string
		want       bool
	}{
		{"a = .", "x", yes},
		{"a = .", "\uffff", yes},
		{"a = .", "😀", no},
		{"a = . .", "😀", yes},
		{"a = . .", "xy", yes},
		{"a = . .", "😀x", no},
		{"a = .|3|", "😀x", yes},
		{"a = .|3|", "x😀", yes},
		{"a = .|3|", "x\xf0\x9f", no}, // which is no text
		{"a = .*", "x😀\U0010ffff", yes},
		{"a = (.|2|)*", "x😀x", yes},
		{"a = (.|2|)*", "x😀", no},
		{"a = [^\"]", "😀", no},
		{"a = [^\"]|2|", "😀", yes},
		{"a = '\"' [^\"]* '\"'", "\"😀\"", yes},
		{"a = [\\u0080-\\uffff]", "😀", no},
		{"a = [\\u0080-\\uffff] [\\u0080-\\uffff]", "😀", yes},
		{"a = [\\u0080-\\u{10ffff}]", "😀", yes},
		{"a = [\\ud800-\\udbff] [\\udc00-\\udfff]", "😀", yes},
		{"a = [\\ud800-\\udbff] [\\udc00-\\udfff]", "x", no},
		{"a = [\\ud800-\\udbff] [\\udc00-\\udfff]", "\U0010ffff", yes},
		{"a = [\\ud800-\\udb7f] [\\udc00-\\udfff]", "\U000effff", yes},
		{"a = [\\ud800-\\udb7f] [\\udc00-\\udfff]", "\U000f0000", no},
		{"a = [\\ud800-\\udbff] .", "😀", yes},
		{"a = [\\ud800-\\udbff]", "😀", no},
		{"a = [^\\ud800-\\udbff]", "x", yes},
		{"a = [^\\ud800-\\udbff] .", "😀", no},
		{"a = . [^a]u", "😀", yes},
		{"a = . [a]u", "😀", no},
		{"a = . 'x'", "😀", no},
		{"a = !(. 'b') . .", "😀", yes},
		{"a = ('b' . / 'c')*", "b😀", no},
		{"a = b 'x'; b = .", "😀x", no},
		{"a = b b 'x'; b = .", "😀x", yes},
	} {
		g := must.Of(peg.Options{}.ReadPeggy("t.peggy", []byte(c.text)))(t)
		a := must.Of(lang.FromPEG(g, "a"))(t)
		if a.Match(c.word) != c.want {
			t.Errorf("%s: %q matches is %v", c.text, c.word, !c.want)
		}
	}
}

// A repetition whose delimiter ends before another rule is none with a count of that rule's name.
func TestPeggyDelimiters(t *testing.T) {
	for text, want := range map[string]string{
		"list = word|2.., ','|\nword = 'a'\n":        "a,a",
		"list = word|..3, ','|\n\nword = 'a'\n":      "a,a,a",
		"list = word|2.., ','|;\nword = 'a'\n":       "a,a",
		"list = word|2.., s|\ns = ','\nword = 'a'\n": "a,a",
	} {
		g := must.Of(peg.Options{}.ReadPeggy("t.peggy", []byte(text)))(t)
		if r := g.Rule("list"); r.Refused != nil || len(g.Rules) < 2 {
			t.Errorf("%q: %d rules, %v", text, len(g.Rules), r.Refused)
			continue
		}
		if a := must.Of(lang.FromPEG(g, "list"))(t); !a.Match(want) || a.Match(want+",") {
			t.Errorf("%q does not match %q alone", text, want)
		}
	}
}

// A rule that does not come to what is not modeled is computed with as if that were not in the file.
func TestSlices(t *testing.T) {
	pigeon := func(text string) (*expr.Grammar, error) { return peg.Read("t.peg", []byte(text)) }
	peggy := func(text string) (*expr.Grammar, error) { return peg.Options{}.ReadPeggy("t.peggy", []byte(text)) }
	for _, c := range []struct {
		name, text string
		read       func(string) (*expr.Grammar, error)
		refused    string
	}{
		{"predicate", "s <- i ( '=' n )?\ni <- [a-z]+\nn <- d:[0-9]+ &{ return len(d.([]any)) < 4, nil }\n", pigeon, "s n"},
		{"negated predicate", "s <- i / !{ return true, nil } n\ni <- 'x'\nn <- 'y'\n", pigeon, "s"},
		{"state", "s <- n i\ni <- 'x'\nn <- #{ return nil } 'y'\n", pigeon, "s n"},
		{"action", "s <- i n\ni <- 'x'\nn <- [0-9]+ { return strconv.Atoi(string(c.text)) }\n", pigeon, "s n"},
		{"recovery", "s <- n //{e, f} i\ni <- 'x'\nn <- ( 'y' / %{e} ) i\nm <- i\n", pigeon, "s n"},
		{"recovery in parentheses", "s <- ( n //{e} i ) 'z' / i\ni <- 'x'\nn <- 'y'\n", pigeon, "s"},
		{"class", "s <- [A-z]i\ni <- 'x'\n", pigeon, "s"},
		{"predicate of peggy", "s = i ( '=' n )?\ni = [a-z]+\nn = d:$[0-9]+ &{ return d.length < 4 }\n", peggy, "s n"},
		{"count of peggy", "s = i|n|\ni = 'x'\n", peggy, "s"},
		{"count in code", "s = l:i i|{ return l }..|\ni = 'x'\n", peggy, "s"},
		{"module of peggy", "s = l.m\ni = 'x'\n", peggy, "s"},
		{"initializer", "{ let x; }\ns = 'x'\ni = 'y'\n", peggy, "s i"},
		{"import", "import { b } from 'b'\ns = 'x'\ni = b\n", peggy, "s i"},
	} {
		g, err := c.read(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var refused []string
		for _, r := range g.Rules {
			if _, err := lang.FromPEG(g, r.ID); (err != nil) != (r.Refused != nil) {
				t.Errorf("%s: %s is computed: %v, refused: %v", c.name, r.ID, err, r.Refused)
			}
			if r.Refused != nil {
				refused = append(refused, r.ID)
			}
		}
		if got := strings.Join(refused, " "); got != c.refused {
			t.Errorf("%s: refused are %q and not %q", c.name, got, c.refused)
		}
	}
}

// Bytes that are not UTF-8 are errors unless they are let through.
func TestInvalidUTF8(t *testing.T) {
	const text = "a <- .\nb <- [^x]\nc <- [\\u0080-\\U0010FFFF]\nd <- \"\\uFFFD\"\n"
	for _, id := range []string{"a", "b", "c", "d"} {
		for word, want := range map[string][2]bool{"\x80": {false, true}, "\ufffd": {true, true}, "é": {id != "d", id != "d"}} {
			for i, through := range []bool{false, true} {
				g := must.Of(peg.Options{InvalidUTF8: through}.Read("t.peg", []byte(text)))(t)
				if a := must.Of(lang.FromPEG(g, id))(t); a.Match(word) != want[i] {
					t.Errorf("%s, let through %v: %q matches is %v", id, through, word, !want[i])
				}
			}
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
