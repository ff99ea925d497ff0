package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// However long the names, prose values, strings and lists in a grammar are, what a command complains of is short, and
// so is each line of what lint finds.
func TestMessagesAreBounded(t *testing.T) {
	const n = 20_000
	long := strings.Repeat("a", n)
	var names, prose, undefined, wrong strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&names, " / n%d", i)
		fmt.Fprintf(&prose, " / <prose %d>", i)
		fmt.Fprintf(&undefined, "r%d = u%d\n", i, i)
		fmt.Fprintf(&wrong, "w%d = 3*2\"a\"\n", i)
	}
	daily := []string{"a name", "prose", "names", "undefined names", "rules that are bad"}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"a name":             "s = " + long + "\n" + long + " = \"b\" / " + long + "b\n",
		"a name that nests":  "s = " + long + "\n" + long + " = \"(\" [ " + long + " ] \")\"\n",
		"a name alone":       long + " = \"b\" / \"b\" \"c\"\n",
		"a name twice":       long + " = \"b\"\n" + long + " = \"c\"\n",
		"prose":              "s = <" + strings.Repeat("much prose ", n/10) + ">\n",
		"prose in one word":  "s = <" + long + "> / \"b\"\n",
		"a string":           "s = %s\"" + long + "\" / %s\"" + long + "\"\n",
		"a comment":          "s = \"b\" ; " + long + "\n",
		"a fault":            "s = \"b\" " + long + "! \n",
		"names":              "s = \"b\"" + names.String() + "\n",
		"values of prose":    "s = \"b\"" + prose.String() + "\n",
		"undefined names":    undefined.String(),
		"rules that are bad": "s = \"b\"\n" + wrong.String(),
		"a number":           "s = " + strings.Repeat("9", n) + "\"a\"\n",
	} {
		if !slices.Contains(daily, name) && !longtest.Enabled() {
			continue
		}
		must.Do(t, os.WriteFile(in("g.abnf"), []byte(text), 0o666))
		for _, command := range []string{
			"check G b~", "fix G b~", "parse G b~", "lint G", "lint G --format sarif", "regexp G", "vectors G", "generate --package p -o D G", "peg G", "diff G G", "prove G js:/^b$/",
			"prove G P", "conform G --builtin net/url", "init --name p -o D G", "regexp --captures s G", "check G#LONG b", "lint G --ignore LONG", "check G#t b", "explain G#LONG", "check --format LONG b", "check --LONG",
			"LONG", "check LONG.abnf b", "lint G --start LONG",
		} {
			var args []string
			for _, a := range strings.Fields(command) {
				a = strings.Replace(a, "LONG", long, 1)
				switch {
				case a == "G" || strings.HasPrefix(a, "G#"):
					a = in("g.abnf") + a[1:]
				case a == "P":
					a = in("p.peg")
				case a == "D":
					a = in("made")
				}
				args = append(args, a)
			}
			must.Do(t, os.WriteFile(in("p.peg"), []byte("s <- \"b\"\n"), 0o666))
			var out, msg bytes.Buffer
			run(args, strings.NewReader(""), &out, &msg)
			const mostOfAll, mostOfLine = 20_000, 2500
			longest := 0
			for line := range strings.SplitSeq(msg.String(), "\n") {
				longest = max(longest, len(line))
			}
			if msg.Len() > mostOfAll || longest > mostOfLine {
				t.Errorf("%s, %s: a complaint of %d bytes, with a line of %d: %.300s", name, command, msg.Len(), longest, msg.String())
			}
			if strings.HasPrefix(command, "lint") && strings.HasPrefix(name, "a ") && out.Len() > 8*mostOfAll {
				t.Errorf("%s, %s: %d bytes of findings: %.300s", name, command, out.Len(), out.String())
			}
		}
	}
}
