package jspackage

import (
	"os/exec"
	"testing"
)

// The shell of Unix gives a program the arguments that a script in package.json quotes.
func TestQuoteForScript(t *testing.T) {
	for _, arg := range []string{
		"", "tag.abnf#tag", "#tag", "--define", `b="x"`, `b="$x"`, "a b", `\`, `\\"`, "`id`", "$(id)", "'", "~", "*", "a;b", "é", "!",
	} {
		line := quoteForScript(arg)
		out, err := exec.Command("sh", "-c", "printf %s "+line).CombinedOutput()
		if err != nil || string(out) != arg {
			t.Errorf("%q is written %s, which sh reads as %q (%v)", arg, line, out, err)
		}
	}
}
