package gopackage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func init() { bnftogo.Strict = true }

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

// The command that makes a package again can be given to a shell as it stands.
func TestCommand(t *testing.T) {
	r := Record{Args: []string{"a b.abnf#x", "a.abnf#x", "--define", "y=1*CHAR;$"}}
	const want = "bnfcheck generate 'a b.abnf#x' a.abnf#x --define 'y=1*CHAR;$'"
	if got := r.Command(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A package whose generator had a defect is told of it, and no other: one that has code inside the
// general parser.
func TestUpgradeTellsDefects(t *testing.T) {
	const line = "//bnfcheck:format 2\n//bnfcheck:generate a.abnf\n"
	const inside = "//bnfcheck:proven Of what these use, code and tables make the nodes of 2 productions.\n"
	const defect = "made by format 2 of the generator, which had a defect: with the library of its time, its trees may lack nodes of productions that " +
		"derive the empty string; format 3 has"
	for _, c := range []struct {
		record string
		told   bool
	}{{line, false}, {line + inside, true}, {strings.Replace(line+inside, "2", "3", 1), false}} {
		r := must.Of(ReadRecord([]byte(c.record + "package a\n")))(t)
		if got := r.Upgrade(); strings.HasPrefix(got, defect) != c.told {
			t.Errorf("%q: %s", c.record, got)
		}
	}
}

// A package does not compile with a library of another format, and the compiler names what to do.
func TestOtherFormatDoesNotCompile(t *testing.T) {
	root := must.Of(filepath.Abs("../../.."))(t)
	g := must.Of(bnf.ReadABNF("a.abnf", []byte("a = \"x\"\n")))(t)
	dir := t.TempDir()
	for _, f := range must.Of(Make(Source{Package: "a", Grammar: g}))(t) {
		must.Do(t, os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o666))
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module a\n\ngo 1.24\n\nrequire github.com/bnfcheck/bnfcheck v0.0.0\n\nreplace github.com/bnfcheck/bnfcheck => "+root+"\n"), 0o666))
	build := func() string {
		cmd := exec.Command("go", "build", ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if out := build(); out != "" {
		t.Errorf("of this format: %s", out)
	}
	name := filepath.Join(dir, Files[0])
	text := string(must.Of(os.ReadFile(name))(t))
	const of = "ast.RunGoGenerateToLeaveFormat"
	older := strings.Replace(text, fmt.Sprint(of, Format), fmt.Sprint(of, Format-1), 1)
	if older == text {
		t.Fatal("the package has no constant of its format")
	}
	must.Do(t, os.WriteFile(name, []byte(older), 0o666))
	if out := build(); !strings.Contains(out, fmt.Sprint("undefined: ", of, Format-1)) {
		t.Errorf("of an older format: %s", out)
	}
}

// Where no parser passes the self-check, nothing is written, and the error says in one line whose
// fault it is and how to report it.
func TestReported(t *testing.T) {
	at := expr.Pos{File: "a.abnf", Line: 1, Col: 1}
	const want = "a.abnf:1:1: no tree of `s`. This is a defect of bnfcheck; please report it, with the grammar, at https://github.com/bnfcheck/bnfcheck/issues"
	if err := askToReport(expr.Errorf(at, "no tree of `s`")); err.Error() != want {
		t.Error(err)
	}
}
