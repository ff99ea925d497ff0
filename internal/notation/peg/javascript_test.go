package peg_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
)

// codeJudgments are actions of the rule a = x:"x" y:"y"? ACTION.
var codeJudgments = []struct {
	judged string // certain, vouch or refused
	codes  []string
}{
	// These return what was matched, or constants, and do nothing else.
	{"certain", []string{
		"", " ", " /* nothing */ ", "\n// nothing\n", "return", "return;",
		"return x", "return x;", "return x ; // the first\n", "return(x)", "return [x, y,];", "return {x, y: y, 'z': 1, 2: 3, return: x};",
		"return text();", "return text ( ) ;", "return offset()", "return range()", "return true", "return null", "return undefined;",
		`return "a\n\x41\u0041'"`, "return 'it\\'s'", "return 0x1F", "return -1.5e-3", "return .5", "return 1.",
		"return parseInt(text(), 10);", "return parseFloat(text())", "return Number('1')", "return String(text())",
		"return x || []", "return x && y || 1", "return x ?? y ?? 0", "return (x ?? y) || 0", "return !x", "return !!y",
		"return y === null ? [] : [x, y]", "return x !== y", "return x ? y ? 1 : 2 : 3", "return {a: {b: [{c: null}]}}",
	}},
	// Somebody may know that these do no harm.
	{"vouch", []string{
		// what throws
		"return {}.x.y", "return y.z", "return x()", "throw 1", "return nosuch", "return [...y]", "return {...x}", "null[0]", "x.y.z = 1",
		"return x + y", "return `${x}`", "return `a`", "return -x", "return x in y", "return new x", "return x instanceof y", "return 1n + 1",
		"return text().length", "return x.join('')", "return text", "return text(1)", "return location()", "return options.a", "return x?.y",
		"return parseInt(x)", "return parseInt(text(), 1, 2)", "return String(y)", "return Symbol() + ''", "return String(Symbol)",
		"return error('no')", "expected('a')", "return x ? error('no') : y", "if (x) { throw new Error(x); }", "return undefined()", "return {get a() { return 1 }}.a",
		"return {[x]: 1}", "return {x() {}}", "return async () => x", "return function () {}", "return class {}", "return /x/",
		// what changes something, by whatever name
		"x = 1", "return x = 1", "return (x = 1)", "x++", "return x--", "return delete x", "return [x = 1]", "return {x = 1}", "[x] = y", "({x} = y)",
		"return this", "return this.x", "return arguments", "return eval('1')", "return Function('return 1')()", "return globalThis",
		"text = 1", "function text() {}", "var text = 1", "let f = text; return f()", "with (x) { y }", "return import('x')", "return require('x')",
		"return x, y", "return (x, y)", "options = {}", "return window", "debugger", "for (;;) {}", "while (true);", "return input.length",
		"return input[0]", "return x.input", "return x.error", "return {error: 1}.error", "x.throw()", "return x.expected('a')",
		// escapes in names, constants of old, what not every JavaScript takes
		`return \u0078`, `return te\u0078t()`, `r\u0065turn x`, "return 010", "return 1_000", "return 1n", "return '\\1'", "return '\\8'", "return '\\u{41}'", "return 'a\\\nb'",
		"return {__proto__: x}", "return {'__proto__': x}", `return {'\x5f_proto__': x}`, "return x || y ?? 1", "return x ?? y && 1",
		"return x === y === 1", "return x == y", "return x < y", "return typeof x", "return void 0", "return\nx", "return /*\n*/ {x: 1, y: 2}",
		// more than one statement
		"return x; y", "x; return y", "'use strict'; return x", "var z = 1; return z", "return x\ny", "return x;;",
		"return " + strings.Repeat("(", 1000) + "x" + strings.Repeat(")", 1000),
		// what is not whole: a comment, a string, a bracket or a template that the code around it closes
		"return x /*", "return x // the end of the line is that of the file", "return 'x", "return (x", "return [x", "return `x", "return x )", "return '{' } function f() { return '}'",
		"return x <!-- a comment in scripts", "return x\n--> a comment in scripts", "return x \\", "return x #", "return x @",
		"return x; /* { */ } function f() { /* } */", "/* { */ } {}", "{} /'/.test(y)", "if (x) /'/.test(y); '",
	}},
	// Nobody can vouch for these.
	{"refused", []string{
		"return peg$FAILED", `return peg\u0024FAILED`, `return p\u{65}g$FAILED`, "peg$currPos = 0", "return eval('peg$FAILED')",
		`input = "a"`, "input += 'a'", "[input] = ['a']", "({x: input} = y)", "({input} = y)", "return input", "var input", "for (input of y) {}", "input++", "(input) = 'a'",
		`\u0069nput = "a"`, "let f = input", "return f(input)", "return input;", "function input() {}", "x = y, input = 'a'", "if (x) input = 'a'; else y", "`${input = 'a'}`",
		"const f = error", "const f = error; f('x')", "return [expected]", "return {error}", "return {e: error}", "error.call(null, 'x')", "return error", "expected?.('a')",
		"error = null", "function error() {}", `err\u006fr = 1`, "return x ? error : y", "return (0, error)('x')", "error`x`", "case error: x",
	}},
}

// A rule with code is certain, which needs no assumption; or is refused unless a user vouches for its code, and then assumes
// what was vouched for; or is refused in any case. So are the rules that come to it, and no others, unless the code is not
// whole.
func TestScriptJudgments(t *testing.T) {
	for _, c := range codeJudgments {
		for _, code := range c.codes {
			text := "a = x:\"x\" y:\"y\"? {" + code + "}\nb = 'z' a / 'y'\nc = 'x'\n"
			var got [2]string
			for i, vouched := range []bool{false, true} {
				g, err := peg.Options{ActionsSucceed: vouched}.ReadPeggy("t.peggy", []byte(text))
				switch {
				case err != nil:
					got[i] = "no rule"
				default:
					for _, r := range g.Rules {
						switch {
						case r.Refused != nil:
							got[i] += r.ID + " refused "
						case len(peg.Assumptions(g, r.ID)) > 1:
							got[i] += r.ID + " assumed "
						default:
							got[i] += r.ID + " certain "
						}
					}
				}
			}
			want := map[string][]string{
				"certain": {"a certain b certain c certain /a certain b certain c certain "},
				"vouch":   {"a refused b refused c certain /a assumed b assumed c certain ", "a refused b refused c refused /a assumed b assumed c assumed "},
				"refused": {"a refused b refused c certain /a refused b refused c certain "},
			}[c.judged]
			if one := got[0] + "/" + got[1]; !strings.Contains(strings.Join(want, "|"), one) {
				t.Errorf("%.60q is to be %s: %s", code, c.judged, one)
			}
		}
	}
}

// A label hides the name that it has; only labels in scope are parameters.
func TestScriptLabels(t *testing.T) {
	for text, want := range map[string]string{
		`a = input:"x" { return input }`:              "certain",
		`a = error:"x" { return [error] }`:            "certain",
		`a = text:"x" { return text }`:                "certain",
		`a = text:"x" { return text() }`:              "refused",
		`a = text:"x" { return parseInt(text()) }`:    "refused",
		`a = parseInt:"x" { return parseInt("1") }`:   "refused",
		`a = undefined:"x" { return undefined }`:      "certain",
		`a = x:"x" (y:"y" { return [x, y] })`:         "certain",
		`a = x:("x" { return x })`:                    "refused",
		`a = (x:"x") { return x }`:                    "refused",
		`a = (x:"x")? y:"y" { return [x, y] }`:        "refused",
		`a = $(x:"x") { return x }`:                   "refused",
		`a = &(x:"x") { return x }`:                   "refused",
		`a = x:"x" / "y" { return x }`:                "refused",
		`a = x:"x" { return 1 } / "y" { return x }`:   "refused",
		`a = x:(y:"x" { return y }) { return x }`:     "certain",
		`a = x:(y:"x" { return y }) { return y }`:     "refused",
		`a = ("x" y:"y" { return y })|1.., ","|`:      "certain",
		`a = x:"x" ","|1.., z:"z" { return [x, z] }|`: "certain",
		`\u0061 = \u0078:"x" { return x }`:            "certain",
		`a = x:"x" { return b }; b = "y"`:             "refused",
	} {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		got := fmt.Sprint(err)
		if err == nil {
			got = "certain"
			if g.Rules[0].Refused != nil {
				got = "refused"
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Code of an initializer and of a module runs whatever rule is asked for.
func TestScriptInitializers(t *testing.T) {
	for text, want := range map[string]string{
		"{ }\na = 'x'":                          "certain",
		"{{ /* nothing */ }}\n{\n}\na = 'x'":    "certain",
		"{ input = 'a' }\na = 'x'":              "refused",
		"{ const f = error; }\na = 'x'":         "refused",
		"{ let x; }\na = 'x'":                   "vouch",
		"{ function f() {} }\na = 'x'":          "vouch",
		"{ function text() { } }\na = 'x'":      "vouch",
		"{ // nothing }\na = 'x'":               "vouch",
		"{{ let x; }}\na = 'x'":                 "vouch",
		"{{ function f(input) {} }}\na = 'x'":   "vouch", // which is another's: the module has no input
		"{{ String.prototype.a = 1 }}\na = 'x'": "vouch",
		"{{ peg$FAILED }}\na = 'x'":             "refused",
		"import './a.js'\na = 'x'":              "vouch",
		"import * as b from 'b';\na = 'x'":      "vouch",
		"import {text} from 'b';\na = 'x'":      "vouch",
	} {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		err = refusal(g, err)
		vouched := refusal(peg.Options{ActionsSucceed: true}.ReadPeggy("t.peggy", []byte(text)))
		got := "certain"
		switch {
		case err != nil && vouched != nil:
			got = "refused"
		case err != nil:
			got = "vouch"
		case len(peg.Assumptions(g)) > 1:
			got = "assumed in silence"
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", text, got, want, err)
		}
	}
}
