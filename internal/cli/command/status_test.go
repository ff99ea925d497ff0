package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// examples are the files of the folder in which the examples of the table run.
var examples = map[string]string{
	"one.abnf": "s = \"x\"\n", "loose.abnf": "s=\"x\"\n", "two.abnf": "s = \"x\" / \"y\"\n", "none.abnf": "s = %x61 s\n", "bad.abnf": "s = (\n",
	"undefined.abnf": "s = t\n", "refused.abnf": "s = t / \"x\"\nt = %x110000\n", "odd.abnf": "s = \"x\" / %x78\n", "nests.abnf": "s = \"(\" s \")\" / \"x\"\n",
	"ab.abnf": "a = \"x\"\nb = \"y\"\n", "ac.abnf": "a = \"x\"\nc = \"y\"\n", "more.abnf": "s = \"x\" / t\nt = \"y\"\n",
	"one.peg": "s <- 'x' / 'X'\n", "two.peg": "s <- 'y'\n", "none.peg": "s <- !'a' 'a'\n", "more.peg": "s <- [xXyY]\n",
	"lower.abnf": "s = %s\"x\"\n", "x.txt": "x\n",
	"long.txt": "x\n" + strings.Repeat("x", 2<<20) + "\n",
}

// TestStatuses runs the example of each cell of the table of exit statuses, and wants the status that it has. Where
// there is none, the test that brings the situation about is named.
func TestStatuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range examples {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	quietly := func(args ...string) int {
		var out, err bytes.Buffer
		return run(args, strings.NewReader(""), &out, &err)
	}
	for _, folder := range []string{"current", "changed", "beside"} {
		if quietly("generate", "one.abnf", "-o", folder) != statusOK {
			t.Fatal("no package")
		}
	}
	file := filepath.Join("changed", "fast.go")
	must.Do(t, os.WriteFile(file, append(must.Of(os.ReadFile(file))(t), '\n'), 0o666))
	init := "package beside\n\nfunc init() {}\n" // it could change the tables
	must.Do(t, os.WriteFile(filepath.Join("beside", "init.go"), []byte(init), 0o666))
	elsewhere := map[string]string{ // what needs more than one small command
		"check undecided": "nesting.txtar", "claims news": "claims.txtar", "learn holds": "learn.txtar", "learn differs": "learn.txtar",
		"learn news": "learn.txtar", "lsp holds": "lsp.txtar", "parse undecided": "nesting.txtar", "report holds": "report.txtar",
		"summary holds": "check.txtar", "summary differs": "check.txtar", "verify undecided": "generate.txtar",
	}
	tried := 0
	for command, row := range outcomes {
		for in, o := range row {
			name := command + " " + titles[in].head
			if o.try == "" {
				if elsewhere[name] == "" {
					t.Errorf("%s: no example", name)
				} else if _, err := os.Stat(filepath.Join(scriptFolder, elsewhere[name])); err != nil {
					t.Error(err)
				}
				continue
			}
			if elsewhere[name] != "" {
				t.Errorf("%s: has an example, and is elsewhere", name)
			}
			tried++
			if got := quietly(shellWords(o.try)...); got != o.status {
				t.Errorf("%s: bnfcheck %s ends with status %d, and the table has %d", name, o.try, got, o.status)
			}
		}
	}
	if tried < 104 {
		t.Errorf("only %d examples", tried)
	}
}

// shellWords takes a command line apart as a shell does that knows only single quotes.
func shellWords(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// scriptFolder has the scripts. It is absolute, since tests change the working directory.
var scriptFolder = func() string {
	dir, err := filepath.Abs("scripts/testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

// TestStatusesAreOfTheTable: in the package no number of a status stands but in the table, and each command of the
// program is in it or decides nothing.
func TestStatusesAreOfTheTable(t *testing.T) {
	decideNothing := []string{"completion", "help", "playground", "rules", "statuses", "version"}
	root := newRoot(newStreams(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}))
	for _, c := range root.Commands() {
		if (outcomes[c.Name()] != nil) == slices.Contains(decideNothing, c.Name()) {
			t.Errorf("%s is not in the table, or should not be", c.Name())
		}
		if outcomes[c.Name()] != nil && !strings.Contains(c.Long, "The exit status is ") {
			t.Errorf("the help of %s does not have its statuses", c.Name())
		}
	}
	// An empty side is never a success where something is compared.
	for _, command := range []string{"prove", "diff", "conform"} {
		if o := outcomes[command][empty]; o.status != statusFailed {
			t.Errorf("%s: status %d where a side has no string", command, o.status)
		}
	}
	// Nothing that was not read, not compared or not decided is a success.
	for command, row := range outcomes {
		for _, in := range []situation{undecided, partly, notAsked, unread, defect} {
			if o, ok := row[in]; ok && o.status == statusOK {
				t.Errorf("%s: success where it is %s", command, titles[in].head)
			}
		}
	}
}
