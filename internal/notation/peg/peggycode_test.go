package peg_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// With each of these, the parser that peggy makes accepts other strings than a = "x" does: code fails, changes what the parser
// looks at, or becomes part of it. None of them is read without a user's word.
func TestPeggyCodeThatChangesTheParser(t *testing.T) {
	texts := []string{
		`a = "x" { return peg$FAILED; }`,
		`a = "x" { return peg\u0024FAILED; }`,
		`a = "x" { return p\u{65}g$FAILED; }`,
		`a = "x" { return eval("pe" + "g$FAILED"); }`,
		`a = "x" { peg$currPos = 0; }`,
		`{ function peg$parsea() { peg$currPos = input.length; } }; a = "x"`,
		`{ function p\u0065g$parsea() { p\u0065g$currPos = input.length; } }; a = "x"`,
		`{ peg$startRuleFunction = () => { peg$currPos = input.length; }; }; a = "x"`,
		`{ if (1) { var p\u0065g$result = 1, p\u0065g$success = true; /* } }; a = "x"`,
		`{ input = input.replace("y", "x"); }; a = "x"`,
		`a = "x" { input += "y"; }`,
		`a = "x" { [input] = ["xx"]; }`,
		`a = "x" { ({x: input} = {x: "xx"}); }`,
		`a = "x" { for (input of ["xx"]) {} }`,
		`a = "x" { \u0069nput += "y"; }`,
		`{ var input = "x"; }; a = "x"`,
		`{ input = "x" }; a = "x"`,
		`{ const f = error; }; a = "x" { return f("x") }`,
		`a = "x" { const {f} = {f: error}; return f("x") }`,
		`a = "x" { return (0, expected)("x") }`,
		`a = "x" { return error("x") }`,
		`a = "x" { return {}.x.y }`,
		`a = "x" { return {get x() { throw 1 }}.x }`,
		`a = "x" { return nosuch }`,
		`a = "x" y:"y"? { return y.z }`,
		`a = "x" y:"y"? { return [...y] }`,
		`a = "x" y:"y"? { return y + Symbol() }`,
		`a = x:("x" { return {toString: 1, valueOf: 1} }) { return x + "" }`,
		"a = x:('x' { return {toString: 1, valueOf: 1} }) { return `${x}` }",
		`a = "x" { return new Function("throw 1")() }`,
		`a = "x" { return (() => arguments[0].x)() }`,
		`a = "x" { return this.x.y }`,
		`a = "x" { return globalThis.nosuch.x }`,
		`{ function text() { throw 1 } }; a = "x" { return text() }`,
		`{{ globalThis.parseInt = null }}; a = "x" { return parseInt("1") }`, // as it is for what follows
		`a = "x" { return 1; /* { */ } input = "x"; { /* } */ }`,
		`{{ RegExp.prototype.test = () => true; }}; a = [x]`, // as it is for all that follow
		`{{ String.prototype.charCodeAt = () => 120; }}; a = "x"`,
	}
	answers := askAccepts(t, peggyAt(t), append([]string{`a = "x" { return 1; }`}, texts...), "x", "y", "", "xy")
	honest := "true false false false"
	if answers[0] != honest {
		t.Fatalf("an honest grammar accepts %v", answers[0])
	}
	for i, text := range texts {
		if answers[i+1] == honest {
			t.Errorf("peggy's parser does what the rule says: %s", text)
		}
		if g, err := (peg.Options{}).ReadPeggy("t.peggy", []byte(text)); err == nil && g.Rules[0].Refused == nil {
			t.Errorf("%s: read", text)
		}
		g, err := peg.Options{ActionsSucceed: true}.ReadPeggy("t.peggy", []byte(text))
		refused := err != nil || g.Rules[0].Refused != nil
		if !refused && !strings.Contains(fmt.Sprint(peg.Assumptions(g)), "leaves the input and the parser alone") {
			t.Errorf("%s: read without an assumption", text)
		}
	}
}

// askAccepts returns, for each grammar, whether the parser that peggy makes of it accepts the words: "true false", or why
// there is no parser. Only what a parser throws is its answer: each grammar's code can change what JavaScript has.
func askAccepts(t *testing.T, at string, texts []string, words ...string) (answers []string) {
	t.Helper()
	const main = `
const peggy = require(process.argv[2]);
const {texts, words} = JSON.parse(require("fs").readFileSync(0, "utf8"));
const parsers = texts.map(text => { try { return peggy.generate(text, {output: "source", format: "bare"}); } catch (e) { return e; } });
const run = eval;
const answer = p => {
  if (typeof p !== "string") return "refused: " + p;
  let parser;
  try { parser = run(p); } catch (e) { return "does not load: " + e; }
  return words.map(w => { try { parser.parse(w, {}); return true; } catch (e) { return false; } }).join(" ");
};
process.stdout.write(JSON.stringify(parsers.map(answer)));
`
	file := filepath.Join(t.TempDir(), "ask.js")
	must.Do(t, os.WriteFile(file, []byte(main), 0o666))
	cmd := exec.Command("node", file, at)
	cmd.Stdin = bytes.NewReader(must.Of(json.Marshal(map[string][]string{"texts": texts, "words": words}))(t))
	cmd.Stderr = os.Stderr
	out := must.Of(cmd.Output())(t)
	must.Do(t, json.Unmarshal(out, &answers))
	return answers
}

// Code that is called certain here does nothing to peggy's parser: the one with the code and the one without accept the same.
// The code is that of the tables, and made at random of the pieces that values consist of and of others.
func TestPeggyCertainCode(t *testing.T) {
	longtest.Need(t, "peggy compiles grammars with random code")
	rnd := rand.New(rand.NewPCG(*pegSeed, 41))
	pieces := strings.Fields("x y z x y text() offset() range() null true undefined 1 0x1f 1.5e3 'a' \"b\" ( ) [ ] { } , ; : ? || && ?? === !== ! - + . ?. ... " +
		"return a: x: 'a': __proto__: parseInt( Number( String( text input error location() options this eval = => `x` /x/ /* */ // \\u0078 new typeof /")
	var random []string
	for range 8000 {
		var b strings.Builder
		b.WriteString("return")
		for range 1 + rnd.IntN(9) {
			b.WriteString([]string{" ", " ", " ", "", "\n"}[rnd.IntN(5)] + pieces[rnd.IntN(len(pieces))])
		}
		random = append(random, b.String())
	}
	for range 8000 {
		random = append(random, "return "+randomValue(rnd, 3))
	}
	texts := []string{`a = x:"x" y:"y"? z:("z" { return {toString: 1} })?`}
	for _, code := range slices.Concat(codeJudgments[0].codes, random) {
		text := texts[0] + " {" + code + "}"
		if g, err := (peg.Options{}).ReadPeggy("t.peggy", []byte(text)); err == nil && g.Rules[0].Refused == nil {
			texts = append(texts, text)
		}
	}
	asked := 0
	at := peggyAt(t)
	for part := range slices.Chunk(texts, 1000) {
		for i, got := range askAccepts(t, at, part, "x", "xy", "xyz", "xz", "", "y", "xx") {
			if asked++; got != "true true true true false false false" {
				t.Errorf("%s: %s", part[i], got)
			}
		}
	}
	t.Logf("%d blocks of code are certain, of %d", asked-1, len(random)+len(codeJudgments[0].codes))
	if asked < 2500 {
		t.Errorf("only %d blocks are certain", asked)
	}
}

// randomValue returns a value of JavaScript, mostly one that [codeJudgments] has for certain.
func randomValue(rnd *rand.Rand, depth int) string {
	leaves := []string{"x", "y", "z", "null", "true", "1", "-2", "'a'", "text()", "offset()", "range()", "parseInt(text(), 10)", "undefined", "{}", "[]", "x.a", "text", "String(y)"}
	if depth == 0 || rnd.IntN(4) == 0 {
		return leaves[rnd.IntN(len(leaves))]
	}
	sub := func() string { return randomValue(rnd, depth-1) }
	switch rnd.IntN(9) {
	case 0:
		return "(" + sub() + ")"
	case 1:
		return "[" + sub() + ", " + sub() + []string{"]", ",]"}[rnd.IntN(2)]
	case 2:
		return "{a: " + sub() + ", 'b': " + sub() + ", x, return: 1}"
	case 3:
		return sub() + " ? " + sub() + " : " + sub()
	case 4:
		return "!" + sub()
	default:
		return sub() + []string{" || ", " && ", " ?? ", " === ", "!=="}[rnd.IntN(5)] + sub()
	}
}

// Imports and initializers are assumed to be harmless, of each rule.
func TestPeggyImports(t *testing.T) {
	const text = "import \"./a.js\"\nimport * as b from 'b';\n{{ let x; }}\n{ let y; }\na = 'x'\nb = 'y' { return nosuch; }\n"
	g := must.Of(peg.Options{ActionsSucceed: true}.ReadPeggy("t.peggy", []byte(text)))(t)
	const script = "the JavaScript code is whole in each block, does not throw or call error() or expected(), and leaves the input and the parser alone "
	const modules = `module "./a.js", which is imported, leaves the input and the parser alone (t.peggy:1:8) ` +
		`module "b", which is imported, leaves the input and the parser alone (t.peggy:2:20)`
	for rule, want := range map[string]string{
		"a": script + "(t.peggy:3:1 and 1 other place) " + modules,
		"b": script + "(t.peggy:3:1 and 2 other places) " + modules,
	} {
		if got := strings.Trim(fmt.Sprint(peg.Assumptions(g, rule)[1:]), "[]"); got != want {
			t.Errorf("%s: %s", rule, got)
		}
	}
}
