package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
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

// runAction runs the step of action.yml in a folder, without a base and pairs unless env has them. It returns what the step printed, and the
// summary. The summary and the SARIF results are files in the folder results then.
func runAction(t *testing.T, folder, results, program string, env ...string) (said, summary string, err error) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(results, "summary")
	must.Do(t, os.RemoveAll(file))
	run := exec.Command("bash", must.Of(filepath.Abs("../.github/action.sh"))(t))
	run.Dir = folder
	run.Env = append(os.Environ(), "BNFCHECK="+program, "BASE=", "PROVE=", "VERIFY=",
		"SARIF="+filepath.Join(results, "sarif"), "GITHUB_STEP_SUMMARY="+file, "COLUMNS=200")
	run.Env = append(run.Env, env...)
	printed, err := run.CombinedOutput()
	return string(printed), read(t, file), err
}

// TestActionHostile runs the step of action.yml on names that a pull request may have: none is a flag, a command of the shell or of the
// runner, or Markdown; none turns a check green, and nothing is written outside of the repository.
func TestActionHostile(t *testing.T) {
	const bad, good = "s = t\n", "s = \"x\"\n"
	// A value that begins so is the name of what a link of this name leads to.
	const link = "link to "
	for _, c := range []struct {
		about    string
		files    map[string]string
		grammars string
		fails    bool
		summary  []string
		prove    string // a pair
	}{
		{"a flag that defines the name which is missing", map[string]string{"bad.abnf": bad, `--define=t="a" ;.abnf`: ""}, "*.abnf", true,
			[]string{"## ``` --define=t=\"a\" ;.abnf ``` is not read: its name begins with a dash", "`t` is not defined"}, ""},
		{"a flag that writes elsewhere", map[string]string{"good.abnf": good, "--write-baseline=..": ""}, "*", true,
			[]string{"--write-baseline=.. ``` is not read"}, ""},
		{"a flag of one letter", map[string]string{"good.abnf": good, "-h.abnf": bad}, "*.abnf", true, []string{"-h.abnf ``` is not read"}, ""},
		{"standard input", map[string]string{"good.abnf": good, "-": good}, "good.abnf -", true, []string{"## ``` - ``` is not read"}, ""},
		{"only flags", map[string]string{"--help": good}, "*", true, []string{"--help ``` is not read"}, ""},
		{"a command", map[string]string{"$(touch ran) `touch ran`;touch ran.abnf": bad}, "*.abnf", true, []string{"`t` is not defined"}, ""},
		{"a pattern", map[string]string{"[a-z]*?.abnf": bad, "good.abnf": good}, "*.abnf", true, []string{"`t` is not defined"}, ""},
		{"a space", map[string]string{"a b.abnf": bad}, "*.abnf", true, []string{"./a b.abnf:1:5", "`t` is not defined"}, ""},
		{"a newline and a list", map[string]string{"a\n- all is well\n.abnf": good}, "*.abnf", true,
			[]string{"## ``` ./a?- all is well?.abnf ``` is new", "the name has a line end"}, ""},
		{"a newline and a heading", map[string]string{"a\n## all is well\n.abnf": bad}, "*.abnf", true, []string{"## ``` a?## all is well?.abnf ``` is not read"}, ""},
		{"backticks and a link", map[string]string{"````\n[x](javascript:x)<img src=x>.abnf": good}, "*.abnf", true,
			[]string{"## ````` ./````?[x](javascript:x)<img src=x>.abnf ````` is new"}, ""},
		{"a fence in the text", map[string]string{"a.abnf": "s = \"```\n"}, "*.abnf", true, []string{"\n````\n"}, ""},
		{"a command of the runner", map[string]string{"a%0A::error ::x\n::add-mask::x.abnf": bad}, "*.abnf", true, nil, ""},
		{"the spelling of an expression", map[string]string{"js:a.abnf": bad}, "*.abnf", true, []string{"./js:a.abnf:1:5", "`t` is not defined"}, ""},
		{"the spelling of a production", map[string]string{"bad.abnf": bad, "bad.abnf#s": ""}, "*#*", true, []string{"its name has a #"}, ""},
		{"the name of a grammar that is built in", map[string]string{"rfc1738": bad}, "*", true, []string{"./rfc1738: the name does not tell what kind"}, ""},
		{"an expression as a folder", map[string]string{"js:x/a.abnf": bad}, "*/*.abnf", true, []string{"is an expression here, and also the name of a file"}, ""},
		{"an order of writing", map[string]string{"a\u202eb.abnf": good, "c\xff.abnf": good}, "*.abnf", false,
			[]string{"## ``` ./a???b.abnf ``` is new", "## ``` ./c?.abnf ``` is new"}, ""},
		{"a link out of the checkout", map[string]string{"a.abnf": link + "../secret.abnf"}, "*.abnf", true,
			[]string{"## ``` a.abnf ``` is not read: it is a link that leads out of the checkout"}, ""},
		{"a link to a folder outside", map[string]string{"a": link + ".."}, "*/*.abnf", true, []string{"## ``` a/secret.abnf ``` is not read: it is a link"}, ""},
		{"a link into what git keeps", map[string]string{"a.abnf": link + ".git/config"}, "*.abnf", true, []string{"is not read: it is a link"}, ""},
		{"a link within the checkout", map[string]string{"good.abnf": good, "a.abnf": link + "good.abnf"}, "*.abnf", false, []string{"## ``` a.abnf ``` is new"}, ""},
		{"a link that leads nowhere", map[string]string{"good.abnf#s": link + "none", "good.abnf": good}, "*abnf*", true, []string{"its name has a #"}, ""},
		{"a pair with a link", map[string]string{"good.abnf": good, "a.abnf": link + "../secret.abnf"}, "good.abnf", true,
			[]string{"## ``` a.abnf good.abnf ``` is not read: one is a link that leads out of the checkout"}, "a.abnf good.abnf"},
		{"a long run of backticks", map[string]string{"a.abnf": strings.Repeat("s = \"`"+strings.Repeat("`", 60)+"\n", 9)}, "a.abnf", true, nil, ""},
		{"a flag in a pair", map[string]string{"good.abnf": good}, "good.abnf", true, []string{"## ``` --help ``` is not read"}, "--help x"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			repository := filepath.Join(dir, "repository")
			must.Do(t, os.Mkdir(repository, 0o777))
			for name, text := range c.files {
				name = filepath.Join(repository, name)
				must.Do(t, os.MkdirAll(filepath.Dir(name), 0o777))
				if to, ok := strings.CutPrefix(text, link); ok {
					must.Do(t, os.Symlink(to, name))
				} else {
					must.Do(t, os.WriteFile(name, []byte(text), 0o666))
				}
			}
			must.Do(t, os.WriteFile(filepath.Join(dir, "secret.abnf"), []byte("secret\n"), 0o666))
			git := func(args ...string) {
				t.Helper()
				c := exec.Command("git", append([]string{"-C", repository, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
				if said, err := c.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, said)
				}
			}
			git("init", "-q", ".")
			git("commit", "-q", "--allow-empty", "-m", "first")
			said, text, err := runAction(t, repository, dir, program(t), "GRAMMARS="+c.grammars, "BASE=HEAD", "PROVE="+c.prove)
			if (err != nil) != c.fails {
				t.Errorf("%v\n%s\n%s", err, said, text)
			}
			for _, want := range c.summary {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			holdSummary(t, text)
			holdLog(t, said)
			if strings.Contains(said+text, "secret\n") {
				t.Errorf("what is outside of the checkout is shown:\n%s\n%s", said, text)
			}
			var there []string
			for _, entry := range must.Of(os.ReadDir(dir))(t) {
				there = append(there, entry.Name())
			}
			if got := strings.Join(there, " "); got != "repository sarif secret.abnf summary" && got != "repository secret.abnf summary" {
				t.Errorf("written outside of the repository: %s", got)
			}
			if _, err := os.Stat(filepath.Join(repository, "ran")); err == nil {
				t.Error("a name was executed")
			}
		})
	}
}

// TestActionOfHostilePackages runs the step of action.yml on packages whose records, or files beside them, lead outside of
// the checkout or into what git keeps. Nothing from there is shown. A package that names the checkout's own files is
// verified, also if its grammar is one that the workflow names elsewhere.
func TestActionOfHostilePackages(t *testing.T) {
	const (
		secret  = "secret token\n"
		grammar = "../s.abnf" // as the package's record names it: in its command, and with its sum
	)
	type change func(record string) string
	everywhere := func(to string) change {
		return func(record string) string { return strings.ReplaceAll(record, grammar, to) }
	}
	inCommand := func(to string) change {
		return func(record string) string { return strings.Replace(record, grammar, to, 1) }
	}
	for _, c := range []struct {
		about  string
		change change
		link   [2]string // a name in the package, and what it leads to
		env    string
		want   string
	}{
		{about: "nothing", want: "parser: current"},
		{about: "a grammar outside", change: everywhere("../../secret.abnf"), want: "BNFCHECK_WITHIN"},
		{about: "a grammar that git keeps", change: everywhere("../.git/config"), want: "BNFCHECK_WITHIN"},
		{about: "an environment", change: everywhere("/proc/self/environ"), want: "BNFCHECK_WITHIN"},
		{about: "a ledger outside", change: inCommand("--readings ../../secret.abnf " + grammar), want: "BNFCHECK_WITHIN"},
		{about: "an import from outside", change: inCommand("--import ../../secret.abnf " + grammar), want: "BNFCHECK_WITHIN"},
		{about: "a PEG outside", change: inCommand(grammar + " ../../secret.abnf"), want: "BNFCHECK_WITHIN"},
		{about: "an expression in a file outside", change: inCommand("js:@../../secret.abnf")},
		{about: "a lock file that is a link", link: [2]string{"bnfcheck.lock", "../../secret.abnf"}, want: "BNFCHECK_WITHIN"},
		{about: "another Go file that is a link", link: [2]string{"more.go", "../../secret.abnf"}, want: "BNFCHECK_WITHIN"},
		{about: "a go.mod that is a link", link: [2]string{"go.mod", "../../secret.abnf"}, want: "not covered"},
		{about: "a grammar that the workflow names", change: everywhere("../../spec/s.abnf"),
			env: "GRAMMARS=good.abnf ../spec/s.abnf", want: "parser: current"},
		{about: "a pair of the workflow", env: "PROVE=../spec/s.abnf ../spec/s.peg", want: "proven"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			repository, folder := filepath.Join(dir, "repository"), filepath.Join(dir, "repository", "parser")
			must.Do(t, os.MkdirAll(filepath.Join(dir, "spec"), 0o777))
			must.Do(t, os.Mkdir(repository, 0o777))
			for name, text := range map[string]string{
				"secret.abnf": secret, "repository/s.abnf": "s = \"x\"\n", "repository/good.abnf": "s = \"x\"\n",
				"spec/s.abnf": "s = \"x\"\n", "spec/s.peg": "s <- 'x'i !.\n",
			} {
				must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			if said, err := exec.Command("git", "-C", repository, "init", "-q", ".").CombinedOutput(); err != nil {
				t.Skipf("%v: %s", err, said)
			}
			config := filepath.Join(repository, ".git", "config")
			must.Do(t, os.WriteFile(config, []byte(read(t, config)+"; "+secret), 0o666))
			generate := exec.Command(program(t), "generate", "s.abnf", "-o", "parser")
			generate.Dir = repository
			if said, err := generate.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			record := filepath.Join(folder, "grammar.go")
			if c.change != nil {
				must.Do(t, os.WriteFile(record, []byte(c.change(read(t, record))), 0o666))
			}
			if c.link[0] != "" {
				must.Do(t, os.RemoveAll(filepath.Join(folder, c.link[0])))
				must.Do(t, os.Symlink(c.link[1], filepath.Join(folder, c.link[0])))
			}
			said, text, _ := runAction(t, repository, dir, program(t), "GRAMMARS=good.abnf", "VERIFY=./...", c.env)
			if !strings.Contains(text, c.want) {
				t.Errorf("no %q in\n%s\n%s", c.want, said, text)
			}
			if strings.Contains(said+text, "token") || strings.Contains(said+text, "secret\"") {
				t.Errorf("what is outside of the checkout is shown:\n%s\n%s", said, text)
			}
			holdSummary(t, text)
		})
	}
}

// TestActionOfAProgramThatEnds requires that the step fails where the program ends with 3 and has printed nothing, or not all: it was
// ended at a limit that one file of many passes, or it has a fault.
func TestActionOfAProgramThatEnds(t *testing.T) {
	dir := t.TempDir()
	for about, c := range map[string]struct {
		prints string
		status int
		fails  bool
	}{
		"nothing":    {"", 3, true},
		"a half":     {`{"runs": [` + "\n", 3, true},
		"all":        {"{\n}\n", 3, false},
		"all again":  {"{\n}\n", 0, false},
		"no success": {"{\n}\n", 2, true},
	} {
		program := filepath.Join(dir, "program")
		must.Do(t, os.WriteFile(program, []byte(fmt.Sprintf("#!/bin/sh\nprintf '%%s' '%s'\nexit %d\n", c.prints, c.status)), 0o777))
		if said, _, err := runAction(t, dir, dir, program, "GRAMMARS=a.abnf"); (err != nil) != c.fails {
			t.Errorf("%s and status %d: %v\n%s", about, c.status, err, said)
		}
	}
}

// TestActionOfMuchText requires that a text that is long is cut, and that there is never more than the runner takes.
func TestActionOfMuchText(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	must.Do(t, os.WriteFile(program, []byte("#!/bin/sh\nyes '``` some text'\\` | head -n 20000\nexit 3\n"), 0o777))
	for pairs, want := range map[int]string{1: "\n... and more, which is left out\n````\n", 15: "\n## More does not fit into a summary\n"} {
		said, text, err := runAction(t, dir, dir, program, "GRAMMARS=a.abnf", "PROVE="+strings.Repeat("a.abnf a.peg\n", pairs))
		if err == nil {
			t.Errorf("undecided proofs are no failure\n%s", said)
		}
		if !strings.HasSuffix(text, want) || len(text) > 1<<20 {
			t.Errorf("a summary of %d bytes ends with %q, want %q", len(text), text[max(len(text)-200, 0):], want)
		}
		holdSummary(t, text)
	}
}

// holdSummary requires that outside of fences a summary has only headings that the script writes, and names in code.
func holdSummary(t *testing.T, text string) {
	t.Helper()
	heading := regexp.MustCompile("^## (bnfcheck (lint|verify|prove)|More does not fit into a summary$|This pull request changes which strings |Whether |)(`{3,} .* `{3,})?.*$")
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
