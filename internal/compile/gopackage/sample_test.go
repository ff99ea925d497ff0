package gopackage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// made writes the package of a grammar into a folder of the module.
func made(t *testing.T, dir, name, text, rules, lock string) (src Source, folder string) {
	t.Helper()
	g := must.Of(bnf.ReadABNF(name+".abnf", []byte(text)))(t)
	src = Source{Package: name, Grammar: g, Start: g.Rules[0].ID, Lock: []byte(lock), LockFile: LockName, Inputs: []Input{{name + ".abnf", []byte(text)}}}
	if rules != "" {
		src.PEG = must.Of(peg.Read(name+".peg", []byte(rules)))(t)
	}
	files := must.Of(Make(src))(t)
	folder = filepath.Join(dir, name)
	must.Of(Save(t.Context(), folder, files))(t)
	return src, folder
}

const tag = "tag = part *(\"-\" part) [\":\" region]\npart = 2*8letter\nregion = 2letter / 3digit\nletter = %x61-7A\ndigit = %x30-39\n"

// A package returns what its grammar has, however it is made, on strings of each production.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	dir := module(t)
	program := must.Of(filepath.Abs("../../../proof/check"))(t)
	if _, err := os.Stat(program); err != nil {
		program = "" // proof/compile check makes it, with Rocq and OCaml
	}
	for _, c := range []struct{ name, text, peg, lock string }{
		{"tag", tag, "", ""},
		{"pegs", tag, `tag <- part ( "-" part )* ( ":" region )?
part <- letter letter ( letter ( letter ( letter ( letter ( letter letter? )? )? )? )? )?
region <- letter letter / digit digit digit
letter <- [a-z]
digit <- [0-9]
`, ""},
		{"ambiguous", "host = number / name\nnumber = 1*DIGIT\nname = 1*(ALPHA / DIGIT)\n", "", ""},
		{"chosen", "host = number / name\nnumber = 1*DIGIT\nname = 1*(ALPHA / DIGIT)\n", "",
			"id:         host-1\nkind:       derivation\nstate:      on\nproduction: host\nread-as:    name where number is possible as well\nchoose:     host#1: alternative-2 first\nevidence:   a name is a name\n"},
		{"nested", "value = list / 1*DIGIT\nlist = \"[\" [ value *( \",\" value ) ] \"]\"\n", "", ""},
		{"points", "word = 1*( %x61-7A / %xE4-F6 / %x20AC ) \";\"\n", "", ""},
		{"octets", "all = *( utf / %x00-1F ) \"%\" 2HEXDIG\nutf = %xC2-DF %x80-BF\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, folder := made(t, dir, c.name, c.text, c.peg, c.lock)
			s := must.Of(Sample(src, folder, 2000, 1, program))(t)
			if len(s.Findings) > 0 || len(s.Omitted) > 0 || s.Words < 1000 {
				t.Errorf("%d strings; omitted %q\n%s", s.Words, s.Omitted, strings.Join(s.Findings, "\n"))
			}
			t.Log(s.Judged)
		})
	}
}

// A fault in the file of the parser is found, with the shortest string that shows it.
func TestSampleFindsFaults(t *testing.T) {
	longtest.Need(t, "it compiles four parsers with faults")
	if testing.Short() {
		t.Skip("compiles packages")
	}
	dir := module(t)
	was := patience
	defer func() { patience = was }()
	for _, c := range []struct{ name, at, instead, law, word string }{
		{"accepts", "func accept(start ast.Kind, src string) bool {", "return start == KindTag && src != \"\" && src[len(src)-1] == '-' || accepts(start, src) }\n\nfunc accepts(start ast.Kind, src string) bool {",
			"AcceptsAs accepts what is derived", `tag: not true of -, and of no shorter string`},
		{"span", "func parse(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {", "nodes, ok := parses(dst, start, src)\n\tif ok && len(nodes) > 3 { nodes[3].End-- }\n\treturn nodes, ok\n}\n\nfunc parses(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {",
			"a tree is a derivation, and its spans nest", `tag: not true of aa-aa-aa, and of no shorter string`},
		{"panics", "func parse(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {", "if len(src) > 4 && src[2] == '-' && src[3] == src[4] { panic(\"twice\") }\n\treturn parses(dst, start, src)\n}\n\nfunc parses(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {",
			"can be read: the parser ends: exit status 2: panic: twice", `tag: not true of aa-aa, and of no shorter string`},
		{"hangs", "func accept(start ast.Kind, src string) bool {", "for src == \"000\" { }\n\treturn accepts(start, src) }\n\nfunc accepts(start ast.Kind, src string) bool {",
			"the parser ends: signal: killed", `region: not true of 000, and of no shorter string`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, folder := made(t, dir, c.name, tag, "", "")
			file := filepath.Join(folder, "fast.go")
			text := must.Of(os.ReadFile(file))(t)
			before, after, ok := strings.Cut(string(text), c.at)
			if !ok {
				t.Fatalf("no %q in\n%s", c.at, text)
			}
			head := c.at
			must.Do(t, os.WriteFile(file, []byte(before+head+"\n\t"+c.instead+after), 0o666))
			if c.name == "hangs" {
				patience = time.Second
			} else {
				patience = was
			}
			s := must.Of(Sample(src, folder, 4000, 1, ""))(t)
			all := strings.Join(s.Findings, "\n")
			if !strings.Contains(all, c.law) || !strings.Contains(all, c.word) {
				t.Errorf("want %s: %s\ngot\n%s", c.word, c.law, all)
			}
		})
	}
	src, folder := made(t, dir, "broken", tag, "", "")
	must.Do(t, os.WriteFile(filepath.Join(folder, "more.go"), []byte("package broken\n\nvar x int = \"\"\n"), 0o666))
	if _, err := Sample(src, folder, 10, 1, ""); err == nil || !strings.Contains(err.Error(), "more.go:3") {
		t.Errorf("a package that does not compile: %v", err)
	}
}

// Where reading is confined, the error for a package that does not compile shows nothing of a file that a link leads to.
func TestSampleShowsNothingOutside(t *testing.T) {
	dir := module(t)
	src, folder := made(t, dir, "linked", tag, "", "")
	secret := filepath.Join(t.TempDir(), "secret")
	must.Do(t, os.WriteFile(secret, []byte("token\n"), 0o666))
	if err := os.Symlink(secret, filepath.Join(folder, "more.go")); err != nil {
		t.Skip(err)
	}
	for _, within := range []string{"", dir} {
		t.Setenv(infile.WithinVariable, within)
		_, err := Sample(src, folder, 10, 1, "")
		if err == nil || strings.Contains(err.Error(), "token") != (within == "") {
			t.Errorf("within %q: %v", within, err)
		}
	}
}
