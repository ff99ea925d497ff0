package editor

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// clickChanged clicks the lens of a document that tells what has changed, and returns what is said.
func (c *client) clickChanged(name string) (string, error) {
	c.t.Helper()
	var list []protocol.CodeLens
	c.ask("textDocument/codeLens", map[string]any{"textDocument": c.document(name)}, &list)
	for _, l := range list {
		if l.Command.Command == commandChanged {
			var said string
			err := c.try("workspace/executeCommand", map[string]any{"command": l.Command.Command, "arguments": l.Command.Arguments}, &said)
			return said, err
		}
	}
	c.t.Fatal("no lens tells what has changed")
	return "", nil
}

// git runs git in a folder, with no settings but its own.
func git(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=test", "-c", "user.email=test@localhost", "-C", folder}, args...)...)
	cmd.Env = append(cmd.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, said)
	}
}

// Where a list is cut, the number of those that are left out is told.
func TestChangedIsCut(t *testing.T) {
	var told changes
	for i := range mostChanged + 2 {
		told.lines = append(told.lines, fmt.Sprintf("a%d", i))
		told.uncompared = append(told.uncompared, fmt.Sprintf("not compared: b%d", i))
	}
	said := told.String()
	for _, want := range []string{"\na19\nand 2 more\nnot compared: b0\n", "\nnot compared: b19\nand 2 more\nunchanged"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
}

// The lens compares what is typed with the last commit, production by production: those with an automaton and those
// that nest.
func TestChangedSinceCommit(t *testing.T) {
	longtest.Program(t, "git")
	const committed = `; bnfcheck:import host=host.abnf#host
start  = same less more both nested kept host other
same   = "x" / "y"
less   = "a" / "b"
more   = "a"
both   = "a"
nested = "(" nested ")" / "a"
kept   = "[" kept "]" / "a"
other  = "old"
`
	c := newClient(t, map[string]string{"mail.abnf": committed, "host.abnf": "host = 1*DIGIT\n", "new.abnf": "a = \"x\"\n"}, "")
	c.open("mail.abnf", "", committed)
	if said, err := c.clickChanged("mail.abnf"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("without a repository: %q, %v", said, err)
	}
	git(t, c.folder, "init", "-q")
	git(t, c.folder, "add", "mail.abnf", "host.abnf")
	git(t, c.folder, "commit", "-q", "-m", "first")
	for _, row := range []struct {
		about string
		edits []string // of the committed text: what is replaced and by what
		want  string
	}{
		{"nothing", nil, `unchanged since HEAD: 9 of 9 productions`},
		{"the layout alone", []string{`"x" / "y"`, `( "y" / "x" ) ; turned`}, `unchanged since HEAD: 9 of 9 productions`},
		{"each way", []string{`"a" / "b"`, `"a"`, `more   = "a"`, `more   = "a" / "c"`, `both   = "a"`, `both   = "d"`}, `less no longer accepts "b"
more now accepts "c"
both no longer accepts "a", and now accepts "d"
start no longer accepts "xbaaaa0old"
unchanged since HEAD: 5 of 9 productions`},
		{"what nests", []string{`")" / "a"`, `")" / "b"`}, `nested no longer accepts "a"
start no longer accepts "xaaaaa0old"
unchanged since HEAD: 7 of 9 productions`},
		{"what nests, in other words", []string{`"(" nested ")" / "a"`, `"a" / ( "(" nested ")" )`}, `unchanged since HEAD: 9 of 9 productions`},
		{"names", []string{`other  =`, `others =`, `host other`, `host others`}, `new: others
gone: other
unchanged since HEAD: 8 of 8 productions`},
	} {
		c.change("mail.abnf", nil, strings.NewReplacer(row.edits...).Replace(committed))
		said, err := c.clickChanged("mail.abnf")
		if err != nil {
			t.Errorf("%s: %v", row.about, err)
		} else if said != row.want {
			t.Errorf("%s:\n%s\nand not\n%s", row.about, said, row.want)
		}
	}
	c.open("new.abnf", "", "a = \"x\"\n")
	if said, err := c.clickChanged("new.abnf"); err == nil || !strings.Contains(err.Error(), "new.abnf") {
		t.Errorf("a file that is not committed: %q, %v", said, err)
	}
	must.Do(t, c.quit())
}
