package docs

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAction runs the step of action.yml in a repository of two commits: the second one makes a string legal, and breaks a proof.
func TestAction(t *testing.T) {
	for _, name := range []string{"git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	script := must.Of(filepath.Abs("../.github/action.sh"))(t)
	dir := t.TempDir()
	run := func(env []string, name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir = filepath.Join(dir, "repository")
		c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "HOME="+dir, "COLUMNS=80")
		c.Env = append(c.Env, env...)
		said, err := c.CombinedOutput()
		return string(said), err
	}
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, "repository", name), []byte(text), 0o666))
	}
	git := func(args ...string) string {
		t.Helper()
		said, err := run(nil, "git", args...)
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, said)
		}
		return strings.TrimSpace(said)
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "repository"), 0o777))
	git("init", "-q", ".")
	write("v.abnf", "v = 1*DIGIT \".\" 1*DIGIT\n")
	write("v.peg", "v <- [0-9]+ '.' [0-9]+ !.\n")
	write("u.abnf", "u = \"x\" / %x78\n") // a warning
	git("add", ".")
	git("commit", "-qm", "first")
	base := git("rev-parse", "HEAD")
	act := func(grammars string) (summary, sarif string, err error) {
		env := []string{
			"BNFCHECK=" + program(t), "GRAMMARS=" + grammars, "BASE=" + base, "PROVE=v.abnf v.peg", "VERIFY=",
			"SARIF=" + filepath.Join(dir, "sarif"), "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"),
		}
		os.Remove(filepath.Join(dir, "summary"))
		if said, err := run(env, "bash", script); err != nil {
			return read(t, filepath.Join(dir, "summary")) + said, read(t, filepath.Join(dir, "sarif")), err
		}
		return read(t, filepath.Join(dir, "summary")), read(t, filepath.Join(dir, "sarif")), nil
	}
	summary, sarif, err := act("*.abnf")
	if err != nil || !strings.Contains(summary, "## v.abnf derives the same strings as before") || !strings.Contains(sarif, `"runs"`) {
		t.Errorf("%v\n%s\n%s", err, summary, sarif)
	}
	write("v.abnf", "v = 1*DIGIT [ \".\" 1*DIGIT ]\n")
	write("w.abnf", "w = \"x\"\n")
	git("add", ".")
	git("commit", "-qm", "second")
	summary, _, err = act("*.abnf")
	for _, want := range []string{
		"## This pull request changes which strings v.abnf derives", "base:v.abnf v is contained in v.abnf v, which has more.",
		"## w.abnf is new", "## bnfcheck prove v.abnf v.peg",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("no %q in\n%s", want, summary)
		}
	}
	if err == nil {
		t.Error("a proof that does not hold is no failure")
	}
}

// TestHooks requires that the hooks run commands that there are, and that action.yml sets what its script reads.
func TestHooks(t *testing.T) {
	hooks := read(t, "../.pre-commit-hooks.yaml")
	entries := regexp.MustCompile(`(?m)^  entry: bnfcheck (\w+)$`).FindAllStringSubmatch(hooks, -1)
	if len(entries) != strings.Count(hooks, "- id: ") || len(entries) == 0 {
		t.Fatalf("%d entries", len(entries))
	}
	for _, e := range entries {
		if said, err := exec.Command(program(t), e[1], "--help").CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", e[1], err, said)
		}
	}
	action, script := read(t, "../action.yml"), read(t, "../.github/action.sh")
	for _, name := range []string{"BNFCHECK", "GRAMMARS", "BASE", "PROVE", "VERIFY", "SARIF"} {
		if !strings.Contains(action, "\n        "+name+": ") || !strings.Contains(script, "$"+name) && !strings.Contains(script, "${"+name) {
			t.Errorf("%s is not set by action.yml, or not read by its script", name)
		}
	}
}

// TestMakefile runs the include for the Makefiles of Internet-Drafts beside a target of i-d-template.
func TestMakefile(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	include := must.Of(filepath.Abs("../bnfcheck.mk"))(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	check := func(want string, fails bool) {
		t.Helper()
		c := exec.Command("make", "--no-print-directory", "check", "BNFCHECK="+program(t))
		c.Dir = dir
		said, err := c.CombinedOutput()
		if (err != nil) != fails || !regexp.MustCompile(want).Match(said) || !strings.Contains(string(said), "idnits") && !fails {
			t.Errorf("%v, want %s:\n%s", err, want, said)
		}
	}
	write("Makefile", "check:: idnits\nidnits:\n\t@echo idnits\ninclude "+include+"\n")
	check("idnits", false) // no draft
	write("draft-a-text.md", "# Only text\n\nABNF is named, and none is there.\n")
	check("idnits", false)
	write("draft-a-grammar.md", "# Grammar\n\n~~~ abnf\nversion = number \".\" nought\nnumber  = 1*DIGIT\n~~~\n")
	write("draft-a-grammar.xml", "made of it")
	write("draft-a-grammar.md", "# Grammar\n\n~~~\nversion = number \".\" )\n~~~\n{: .abnf}\n")
	check(`draft-a-grammar.md:4:22: unexpected "[)]"`, true)
	write("draft-a-grammar.md", "# Grammar\n\n~~~ abnf\nversion = number \".\" nought\nnumber  = 1*DIGIT\n~~~\n")
	check("draft-a-grammar.md:4:22: error: `nought` is not defined", true)
	write("draft-a-grammar.md", "# Grammar\n\n~~~ abnf\nversion = number \".\" number\nnumber  = 1*DIGIT\n~~~\n")
	check("2 productions, all regular", false)
	write("draft-b.xml", "<rfc><sourcecode type=\"abnf\">\nsize = 1*DIGIT / DIGIT\n</sourcecode></rfc>\n")
	check(`draft-b.xml:2:\d+: warning: .*\[ambiguous\]|is ambiguous`, true)
}
