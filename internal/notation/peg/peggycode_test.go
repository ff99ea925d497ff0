package peg_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// With each of these, the parser that peggy makes accepts other strings than a = "x" does: code fails, changes what the parser
// looks at, or becomes part of it. Here they are refused, or assumed not to.
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
		`{ var input = "x"; }; a = "x"`,
		`{{ RegExp.prototype.test = () => true; }}; a = [x]`, // as it is for all that follow
		`{{ String.prototype.charCodeAt = () => 120; }}; a = "x"`,
	}
	const main = `
const peggy = require(process.argv[2]);
const parsers = JSON.parse(require("fs").readFileSync(0, "utf8")).map(text => peggy.generate(text, {output: "source", format: "bare"}));
const accepts = (parser, w) => { try { (0, eval)(parser).parse(w, {}); return true; } catch (e) { return false; } };
process.stdout.write(JSON.stringify(parsers.map(p => ["x", "y", "", "xy"].map(w => accepts(p, w)))));
`
	at := peggyAt(t)
	file := filepath.Join(t.TempDir(), "ask.js")
	must.Do(t, os.WriteFile(file, []byte(main), 0o666))
	in := must.Of(json.Marshal(append([]string{`a = "x" { return 1; }`}, texts...)))(t)
	cmd := exec.Command("node", file, at)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out := must.Of(cmd.Output())(t)
	var answers [][]bool
	must.Do(t, json.Unmarshal(out, &answers))
	honest := []bool{true, false, false, false}
	if !slices.Equal(answers[0], honest) {
		t.Fatalf("an honest grammar accepts %v", answers[0])
	}
	for i, text := range texts {
		if slices.Equal(answers[i+1], honest) {
			t.Errorf("peggy's parser does what the rule says: %s", text)
		}
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		refused := err != nil && strings.Contains(err.Error(), "a name of the parser's own")
		if spelled := regexp.MustCompile(`p(e|\\u0065|\\u\{65\})g(\$|\\u0024)\w`).MatchString(text) && !strings.Contains(text, "eval"); refused != spelled {
			t.Errorf("%s: refused is %t: %v", text, refused, err)
		}
		if !refused && (err != nil || !strings.Contains(fmt.Sprint(peg.Assumptions(g)), "leaves the input and the parser alone")) {
			t.Errorf("%s: read without an assumption, %v", text, err)
		}
	}
}

// Imports and initializers are assumed to be harmless, of each rule.
func TestPeggyImports(t *testing.T) {
	const text = "import \"./a.js\"\nimport * as b from 'b';\n{{ let x; }}\n{ let y; }\na = 'x'\nb = 'y' { return 1; }\n"
	g := must.Of(peg.Options{}.ReadPeggy("t.peggy", []byte(text)))(t)
	const script = "the JavaScript code is whole in each block, does not throw, and leaves the input and the parser alone "
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
