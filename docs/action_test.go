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
	act := func(grammars string, more ...string) (summary, sarif string, err error) {
		env := append([]string{
			"BNFCHECK=" + program(t), "GRAMMARS=" + grammars, "BASE=" + base, "PROVE=v.abnf v.peg", "VERIFY=",
			"SARIF=" + filepath.Join(dir, "sarif"), "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"),
		}, more...)
		os.Remove(filepath.Join(dir, "summary"))
		if said, err := run(env, "bash", script); err != nil {
			return read(t, filepath.Join(dir, "summary")) + said, read(t, filepath.Join(dir, "sarif")), err
		}
		return read(t, filepath.Join(dir, "summary")), read(t, filepath.Join(dir, "sarif")), nil
	}
	summary, sarif, err := act("*.abnf")
	if err != nil || !strings.Contains(summary, "## ``` v.abnf ``` derives the same strings as before") || !strings.Contains(sarif, `"runs"`) {
		t.Errorf("%v\n%s\n%s", err, summary, sarif)
	}
	if summary, _, err := act("*.abnf", "FORMAT=true"); err != nil || strings.Contains(summary, "lays it out") {
		t.Errorf("formatted files: %v\n%s", err, summary)
	}
	write("u.abnf", "u=\"x\"\n")
	summary, _, err = act("*.abnf", "FORMAT=true")
	if err == nil || !strings.Contains(summary, "## ``` u.abnf ``` is not as bnfcheck fmt lays it out") || !strings.Contains(summary, "+u = \"x\"") {
		t.Errorf("a file that is not formatted: %v\n%s", err, summary)
	}
	write("u.abnf", "u = \"x\" / %x78\n")
	write("v.abnf", "v = 1*DIGIT [ \".\" 1*DIGIT ]\n")
	write("w.abnf", "w = \"x\"\n")
	git("add", ".")
	git("commit", "-qm", "second")
	summary, _, err = act("*.abnf")
	for _, want := range []string{
		"## This pull request changes which strings ``` v.abnf ``` derives", "base:v.abnf v is contained in v.abnf v, which has more.",
		"## ``` w.abnf ``` is new", "## bnfcheck prove ``` v.abnf v.peg ```",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("no %q in\n%s", want, summary)
		}
	}
	if err == nil {
		t.Error("a proof that does not hold is no failure")
	}
}

// TestActionHostile runs the step of action.yml on names that a pull request may have: none is a flag, a command of the shell or of the
// runner, or Markdown; none turns a check green, and nothing is written outside of the repository.
func TestActionHostile(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	script := must.Of(filepath.Abs("../.github/action.sh"))(t)
	const bad, good = "s = t\n", "s = \"x\"\n"
	for _, c := range []struct {
		about    string
		files    map[string]string
		grammars string
		fails    bool
		summary  []string
	}{
		{"a flag that defines the name which is missing", map[string]string{"bad.abnf": bad, `--define=t="a" ;.abnf`: ""}, "*.abnf", true,
			[]string{"## ``` --define=t=\"a\" ;.abnf ``` is not read: its name begins with a dash", "`t` is not defined"}},
		{"a flag that writes elsewhere", map[string]string{"good.abnf": good, "--write-baseline=..": ""}, "*", true,
			[]string{"--write-baseline=.. ``` is not read"}},
		{"a flag of one letter", map[string]string{"good.abnf": good, "-h.abnf": bad}, "*.abnf", true, []string{"-h.abnf ``` is not read"}},
		{"standard input", map[string]string{"good.abnf": good, "-": good}, "good.abnf -", true, []string{"## ``` - ``` is not read"}},
		{"only flags", map[string]string{"--help": good}, "*", true, []string{"--help ``` is not read"}},
		{"a command", map[string]string{"$(touch ran) `touch ran`;touch ran.abnf": bad}, "*.abnf", true, []string{"`t` is not defined"}},
		{"a pattern", map[string]string{"[a-z]*?.abnf": bad, "good.abnf": good}, "*.abnf", true, []string{"`t` is not defined"}},
		{"a space", map[string]string{"a b.abnf": bad}, "*.abnf", true, []string{"./a b.abnf:1:5", "`t` is not defined"}},
		{"a newline and a list", map[string]string{"a\n- all is well\n.abnf": good}, "*.abnf", true,
			[]string{"## ``` ./a?- all is well?.abnf ``` is new", "the name has a line end"}},
		{"a newline and a heading", map[string]string{"a\n## all is well\n.abnf": bad}, "*.abnf", true, []string{"## ``` a?## all is well?.abnf ``` is not read"}},
		{"backticks and a link", map[string]string{"````\n[x](javascript:x)<img src=x>.abnf": good}, "*.abnf", true,
			[]string{"## ````` ./````?[x](javascript:x)<img src=x>.abnf ````` is new"}},
		{"a fence in the text", map[string]string{"a.abnf": "s = \"```\n"}, "*.abnf", true, []string{"\n````\n"}},
		{"a command of the runner", map[string]string{"a%0A::error ::x\n::add-mask::x.abnf": bad}, "*.abnf", true, nil},
		{"the spelling of an expression", map[string]string{"js:a.abnf": bad}, "*.abnf", true, []string{"./js:a.abnf:1:5", "`t` is not defined"}},
		{"the spelling of a production", map[string]string{"bad.abnf": bad, "bad.abnf#s": ""}, "*#*", true, []string{"its name has a #"}},
		{"a flag in a pair", map[string]string{"good.abnf": good}, "good.abnf", true, []string{"## ``` --help ``` is not read"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			repository := filepath.Join(dir, "repository")
			must.Do(t, os.Mkdir(repository, 0o777))
			for name, text := range c.files {
				must.Do(t, os.WriteFile(filepath.Join(repository, name), []byte(text), 0o666))
			}
			git := func(args ...string) {
				t.Helper()
				c := exec.Command("git", append([]string{"-C", repository, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
				if said, err := c.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, said)
				}
			}
			git("init", "-q", ".")
			git("commit", "-q", "--allow-empty", "-m", "first")
			summary := filepath.Join(dir, "summary")
			prove := ""
			if strings.Contains(c.about, "pair") {
				prove = "--help x"
			}
			run := exec.Command("bash", script)
			run.Dir = repository
			run.Env = append(os.Environ(), "BNFCHECK="+program(t), "GRAMMARS="+c.grammars, "BASE=HEAD", "PROVE="+prove, "VERIFY=",
				"SARIF="+filepath.Join(dir, "sarif"), "GITHUB_STEP_SUMMARY="+summary, "COLUMNS=200")
			said, err := run.CombinedOutput()
			text := read(t, summary)
			if (err != nil) != c.fails {
				t.Errorf("%v\n%s\n%s", err, said, text)
			}
			for _, want := range c.summary {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			holdSummary(t, text)
			holdLog(t, string(said))
			var there []string
			for _, entry := range must.Of(os.ReadDir(dir))(t) {
				there = append(there, entry.Name())
			}
			if got := strings.Join(there, " "); got != "repository sarif summary" && got != "repository summary" {
				t.Errorf("written outside of the repository: %s", got)
			}
			if _, err := os.Stat(filepath.Join(repository, "ran")); err == nil {
				t.Error("a name was executed")
			}
		})
	}
}

// holdSummary requires that outside of fences a summary has only headings that the script writes, and names in code.
func holdSummary(t *testing.T, text string) {
	t.Helper()
	heading := regexp.MustCompile("^## (bnfcheck (lint|verify|prove)|This pull request changes which strings |Whether |)(`{3,} .* `{3,})?.*$")
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3 && ticks == line:
			fence = line
		case fence != "" && line == fence:
			fence = ""
		case fence != "" && len(ticks) >= len(fence) && ticks == line:
			t.Errorf("%q would end the fence %q", line, fence)
		case fence == "" && !heading.MatchString(line):
			t.Errorf("%q stands outside of a fence", line)
		}
	}
	if fence != "" {
		t.Errorf("the fence %q is not closed", fence)
	}
}

// holdLog requires that the runner obeys no line of a log but the first and the last one.
func holdLog(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	word, ok := strings.CutPrefix(lines[0], "::stop-commands::")
	if !ok || len(word) < 32 || lines[len(lines)-1] != "::"+word+"::" {
		t.Errorf("commands are not stopped in\n%s", text)
	}
	if strings.Count(text, word) != 2 {
		t.Error("the word that ends it is in the log")
	}
}

// TestHooks requires that the hooks run commands that there are, and that action.yml sets what its script reads.
func TestHooks(t *testing.T) {
	hooks := read(t, "../.pre-commit-hooks.yaml")
	if n := regexp.MustCompile(`(?m)^  args: \[(?:[^]]*, )?--[],]`).FindAllString(hooks, -1); len(n) != strings.Count(hooks, "- id: ") {
		t.Errorf("only %d hooks write -- before what they are given", len(n))
	}
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

	// A name is no command, and no flag.
	must.Do(t, os.Remove(filepath.Join(dir, "draft-b.xml")))
	write("draft-$(touch ran)`touch ran`; touch ran' \"--define=nought=DIGIT.md", "# Grammar\n\n~~~ abnf\nversion = nought\n~~~\n")
	check("`nought` is not defined", true)
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a name was executed")
	}
}
