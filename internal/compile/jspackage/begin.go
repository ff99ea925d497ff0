package jspackage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
)

// This file begins a package: it writes the files that a person then owns, a package.json whose script
// makes the module, and a test. In the folder of an npm package package.json is there already, and is
// not touched; then npm's own commands are to add to it what it lacks.

// Begin returns the first files of a package in a folder, and the commands that a person should run there next, up
// to the tests; the first may install bnfcheck (see findsProgram). It writes nothing. If the folder has a
// package.json already, the files do not include one. An empty b.Package is taken from the folder or else the
// start, and an empty b.Name from the package. Begin fails, and returns nothing, if b.Package cannot be the name of
// a package, or b.Name that of files; if the package.json cannot be read; and if the draft of the package fails.
func Begin(folder string, b gopackage.Beginning) (files []gopackage.File, steps []string, err error) {
	if b.Package == "" {
		b.Package = NameOf(folder)
		if checkName(b.Package) != nil {
			b.Package = NameOf(b.Start)
		}
	}
	if err := checkName(b.Package); err != nil {
		return nil, nil, err
	}
	if err := b.ChooseName(b.Package); err != nil {
		return nil, nil, err
	}
	own, err := readProject(filepath.Join(folder, PackageJSON)) // nil if this is to be a new package of npm
	if err != nil {
		return nil, nil, err
	}
	d, err := b.Draft()
	if err != nil {
		return nil, nil, err
	}
	command := "bnfcheck generate"
	for _, arg := range append(d.Args, "--language", Language, "-o", ".") {
		command += " " + quoteForScript(arg)
	}
	if !findsProgram(folder) {
		steps = append(steps, "npm install --save-dev bnfcheck")
	}
	if own == nil {
		scripts := map[string]string{"generate": command, "test": "node --test"}
		text := writePackageJSON(b.Package, b.Grammar.Title, scripts)
		d.Files = append(d.Files, gopackage.File{Name: PackageJSON, Text: text})
		steps = append(steps, "npm run generate", "npm test")
	} else {
		steps = append(steps, own.stepsToJoin(b.Package, command)...)
	}
	test := gopackage.File{Name: b.Name + ".examples.test.js", Text: writeExamples(b, d.Examples)}
	return append(d.Files, test), steps, nil
}

// A project has the parts of a package.json that matter here.
type project struct {
	Type            string            `json:"type"`
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// maxProjectFile caps the size of a package.json that is read.
const maxProjectFile = 1 << 20

// readProject reads a package.json; it returns nil if there is none. It fails if the file cannot be read, is larger
// than maxProjectFile, or is not a package.json.
func readProject(path string) (*project, error) {
	text, err := infile.ReadFile(path, maxProjectFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &project{}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// stepsToJoin returns the commands that add a script to p, the package.json that is in the folder already, make the
// module by it, and run the tests. If p is not of type module, the first command makes it one. The script is
// command. It is called generate or, if that name is taken by another script, generate:NAME, which replaces a
// script of that name. The tests are run by node --test, since a script called test may be something else.
func (p *project) stepsToJoin(name, command string) (steps []string) {
	if p.Type != "module" {
		steps = append(steps, "npm pkg set type=module")
	}
	script := "generate"
	if now, taken := p.Scripts[script]; taken && now != command {
		script += ":" + name
	}
	return append(steps, "npm pkg set "+quote.Shell("scripts."+script+"="+command), "npm run "+script, "node --test")
}

// findsProgram reports whether a script of npm in a folder finds bnfcheck: it is in PATH, or a package.json of the
// folder or of one around it has it as a dependency, whether or not that is installed. One that cannot be read is
// passed over.
func findsProgram(folder string) bool {
	if _, err := exec.LookPath("bnfcheck"); err == nil {
		return true
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	for {
		if p, err := readProject(filepath.Join(folder, PackageJSON)); err == nil && p != nil {
			if p.Dependencies["bnfcheck"] != "" || p.DevDependencies["bnfcheck"] != "" {
				return true
			}
		}
		around := filepath.Dir(folder)
		if around == folder {
			return false
		}
		folder = around
	}
}

// quoteForScript returns an argument as a word of a script in package.json: in double quotation marks if it has more
// than letters, digits and a few signs. The shells of Unix read the argument as it is. That of Windows, with which
// npm runs a script there, does too unless it has a backslash, a quotation mark, or one of $, ` and %.
func quoteForScript(arg string) string {
	isPlain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' ||
			strings.ContainsRune("-_./=:,+@#", r)
	}
	if arg != "" && arg[0] != '#' && strings.TrimLeftFunc(arg, isPlain) == "" {
		return arg
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(arg) + `"`
}

// writeExamples returns the test: strings that the start derives, and similar ones that it does not. Where there
// are none to be had, a comment in it says so.
func writeExamples(b gopackage.Beginning, e gopackage.Examples) []byte {
	reads := latin1
	if start, err := b.Grammar.Lookup(b.Start); err == nil {
		reads = encodingOf(b.Grammar, start)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accepts, parse, ParseError } from './%s';

const accepted = [
`, ModuleName(b.Package))
	for _, w := range e.Words {
		fmt.Fprintf(&out, "  %s,\n", inputLiteral(reads, w))
	}
	out.WriteString("];\n\nconst rejected = [\n")
	for _, m := range e.Misses {
		fmt.Fprintf(&out, "  %s, // %s\n", inputLiteral(reads, m[0]), m[1])
	}
	if note := e.Lacking(); note != "" {
		fmt.Fprintf(&out, "  // %s\n", note)
	}
	out.WriteString(`];

for (const input of accepted) {
  test(` + "`accepts ${JSON.stringify(input)}`" + `, () => {
    assert.equal(accepts(input), true);
    assert.equal(parse(input).end, input.length);
  });
}

for (const input of rejected) {
  test(` + "`rejects ${JSON.stringify(input)}`" + `, () => {
    assert.equal(accepts(input), false);
    assert.throws(() => parse(input), ParseError);
  });
}
`)
	return out.Bytes()
}
