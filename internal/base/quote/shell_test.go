package quote

import (
	"os/exec"
	"testing"
)

// The shell gives a program the argument that was quoted.
func TestShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	for _, arg := range []string{
		"", "tag.abnf#tag", "#tag", "--define", `b="x"`, `b="$x"`, "a b", `\`, `\\"`, "`id`", "$(id)", "'", "it's", "~", "~a",
		"*", "a;b", "é", "!", "{a,b}", "a=~b", "-", "%s", "a\nb", "\x80", "&", "^a", "[a]",
	} {
		out, err := exec.Command(sh, "-c", "printf %s "+Shell(arg)).CombinedOutput()
		if err != nil || string(out) != arg {
			t.Errorf("%q is written %s, which sh reads as %q (%v)", arg, Shell(arg), out, err)
		}
	}
	if plain := "--out=a/b_c.d,e:f@g+1%#h"; Shell(plain) != plain {
		t.Errorf("%q is quoted though it need not be: %s", plain, Shell(plain))
	}
}
