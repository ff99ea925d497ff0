package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// small returns every ABNF expression whose operators are nested at most depth deep: the atoms, options and
// repetitions, and pairs of shallower ones in sequence and as alternatives.
func small(depth int, atoms ...string) []string {
	if depth == 0 {
		return atoms
	}
	parts := small(depth-1, atoms...)
	all := append([]string{}, parts...)
	for _, x := range parts {
		all = append(all, "[ "+x+" ]", "*( "+x+" )", "0( "+x+" )", "2( "+x+" )")
	}
	for _, x := range parts {
		for _, y := range parts {
			all = append(all, "( "+x+" ) ( "+y+" )", "( "+x+" / "+y+" )")
		}
	}
	return all
}

// smallGrammars returns every grammar of two productions with one operator each, every one of one production with two
// operators, and the first kind again with a byte above ASCII, below a start production.
func smallGrammars() (all []string) {
	both := small(1, `"a"`, `""`, "A", "B")
	for _, x := range both {
		for _, y := range both {
			all = append(all, "A = "+x+"\nB = "+y+"\n")
		}
	}
	for _, x := range small(2, `"a"`, `""`, "A") {
		all = append(all, "A = "+x+"\n")
	}
	for _, x := range small(1, `%xE9`, "A", "B") { // what is above ASCII is written by another way
		for _, y := range small(1, `%xE9`, "A", "B") {
			all = append(all, "S = A / \"x\"\nA = "+x+"\nB = "+y+"\n")
		}
	}
	return all
}

// Every command ends on every small grammar, however it recurses: with a status, and without a stack that grows. A
// command that does not end fails the test with the grammar's text.
func TestEveryRecursionEnds(t *testing.T) {
	longtest.Sequential(t)
	commands := []string{
		"check -g G aa", "fix -g G b", "parse -g G aa", "lint G", "regexp G", "regexp --all --flavor pcre G", "regexp --captures A --flavor go G",
		"regexp --flavor pcre --comments --nesting 1 G", "vectors G", "vectors --dry-run --complete G", "conform G --builtin net/url",
		"diff G H", "prove G js:/^a*$/", "peg G", "grammars G", "explain G", "prove G P", "init --name p -o D S",
		"generate --package p -o D G", "report G",
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.WriteFile(in("h.abnf"), []byte("A = *\"a\"\n"), 0o666))
	files := map[string]string{"H": in("h.abnf"), "P": in("p.peg"), "D": in("out")}
	must.Do(t, os.WriteFile(in("p.peg"), []byte("A <- \"a\"*\nB <- \"a\"\nS <- A\n"), 0o666))
	grammars := smallGrammars()
	every := longtest.Size(len(grammars)/20, 4) // of all grammars, those at this distance
	every |= 1                                  // so that each operator has its turn
	tried, asked := 0, 0
	for i := 0; i < len(grammars); i += every {
		text := grammars[i]
		must.Do(t, os.WriteFile(in("g.abnf"), []byte(text), 0o666))
		files["G"] = in("g.abnf") + "#" + text[:1]
		files["S"] = files["G"] // the start, also where a command takes the whole of G
		tried++
		for _, command := range commands {
			must.Do(t, os.RemoveAll(in("out")))
			var args []string
			for _, a := range strings.Fields(command) {
				name, ok := files[a]
				whole := strings.HasPrefix(command, "lint") || strings.Contains(command, "--all") || strings.Contains(command, "-o D")
				if a == "G" && whole {
					name = in("g.abnf")
				}
				if ok {
					a = name
				}
				args = append(args, a)
			}
			// So long, for a machine that does other things as well.
			late := time.AfterFunc(10*time.Minute, func() { panic(fmt.Sprintf("%s does not end:\n%s", command, text)) })
			var out, msg bytes.Buffer
			status := run(args, strings.NewReader(""), &out, &msg)
			late.Stop()
			asked++
			if status > statusOpen || strings.Contains(msg.String(), "is wrong") || strings.Contains(msg.String(), "is not its language") {
				t.Errorf("%s: status %d, %s\n%s", command, status, &msg, text)
			}
		}
	}
	t.Logf("%d of %d grammars, %d commands", tried, len(grammars), asked)
	if tried < 18 {
		t.Errorf("only %d grammars were tried", tried)
	}
}
