package docs

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// correct is the ABNF of a correct draft. In ordered choices it would lose strings, which is of no concern to its author.
const correct = `greeting   = salutation *( SP name ) [ "," SP rest ] CRLF
salutation = "Hello" / "Hi" / "High" / "Good" SP "day"
name       = ALPHA [ *61( ALPHA / DIGIT / "-" ) ALPHA ]
rest       = 2*4DIGIT / %x41-5A / %d66.67 / %s"ok"
`

// mistakes are changes of the correct text, each of which is one mistake. npm's package abnf 5.0.4 passes some of them.
var mistakes = []struct {
	what, old, new string
	passes         bool // abnf_check passes it
}{
	{"a name that is not defined", "2*4DIGIT", "2*4digits", false},
	{"an unclosed group", "*( SP name )", "*( SP name", false},
	{"a group closed twice", "*( SP name )", "*( SP name ))", false},
	{"an unclosed option", "SP rest ]", "SP rest", false},
	{"an option closed twice", "SP rest ]", "SP rest ]]", false},
	{"a group closed as an option", "*( SP name )", "*( SP name ]", false},
	{"an unclosed string", `"Hello" /`, `"Hello /`, false},
	{"typographic quotes", `"Hello"`, "“Hello”", false},
	{"single quotes", `"Hello"`, "'Hello'", false},
	{"a bar", `"Hello" /`, `"Hello" |`, false},
	{"an underscore", "name       =", "first_name = \"x\"\nname       =", false},
	{"a second definition", "name       =", "rest       = \"x\"\nname       =", false},
	{"an addition to nothing", "name       =", "name       =/", false},
	{"a number of C", "%x41-5A", "0x41-5A", false},
	{"a range backwards", "%x41-5A", "%x5A-41", false},
	{"a digit that is none", "%x41-5A", "%x4G-5A", false},
	{"a value without its sign", "%x41-5A", "x41-5A", false},
	{"a letter in a decimal", "%d66.67", "%d6A", false},
	{"a slash at the end", "%d66.67 /", "%d66.67 / /", false},
	{"a slash at the beginning", `= "Hello"`, `= / "Hello"`, false},
	{"two slashes", `"Hello" / `, `"Hello" // `, false},
	{"a star behind", "*61( ALPHA", "ALPHA* ( ALPHA", false},
	{"a plus", "*61( ALPHA", "ALPHA+ ( ALPHA", false},
	{"a question mark", `[ "," SP rest ]`, `( "," SP rest )?`, false},
	{"braces", "*( SP name )", "{ SP name }", false},
	{"a comma", "SP name", "SP , name", false},
	{"a sign of Algol", "name       =", "name       :=", true},
	{"a sign of EBNF", "name       =", "name       ::=", true},
	{"a name in brackets", "name       =", "<name>     =", false},
	{"a comment of C", "2*4DIGIT", "2*4DIGIT // four\n /", false},
	{"an indented rule", "name       =", "  name       =", false},
	{"no sign", "name       =", "name        ", false},
	{"no right-hand side", `"Hello" / "Hi" / "High" / "Good" SP "day"`, "", false},
	{"a digit that begins a name", "name       =", "1name      =", false},
	{"a count backwards", "2*4DIGIT", "4*2DIGIT", false},
	{"spaces in a count", "2*4DIGIT", "2 * 4DIGIT", false},
	{"a character beyond ASCII", `"Hello"`, `"Hellö"`, false},
	{"a class of characters", "*61( ALPHA", "[A-Z] ( ALPHA", false},
	{"a rule that goes on at the margin", `/ "Good"`, "\n/ \"Good\"", false},
	{"a value beyond Unicode", "%x41-5A", "%x41-110000", true},
}

// TestMistakes: a correct draft passes bnfcheck.mk and the hook, and with any single mistake in it does not, in Markdown as in XML. abnf_check
// of npm, where it is installed, says what the table has.
func TestMistakes(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	write("Makefile", "include "+must.Of(filepath.Abs("../bnfcheck.mk"))(t)+"\n")
	passes := func(name string, args ...string) bool {
		c := exec.Command(name, args...)
		c.Dir = dir
		return c.Run() == nil
	}
	args := strings.Split(strings.Trim(field(t, read(t, "../.pre-commit-hooks.yaml"), "args: "), "[]"), ", ")
	hook := append([]string{"lint"}, args...)
	core := write("core.abnf", "ALPHA = %x41-5A / %x61-7A\nDIGIT = %x30-39\nSP = %x20\nCRLF = %x0D.0A\n")
	checker := filepath.Join(os.Getenv("NODE_PATH"), "abnf", "bin", "abnf_check.js")
	_, noChecker := os.Stat(checker)
	compared := 0
	ask := func(what, text string, want, there bool) {
		t.Helper()
		md := write("draft-a.md", "# Syntax\n\n~~~ abnf\n"+text+"~~~\n")
		if got := passes("make", "-s", "check", "BNFCHECK="+program(t)); got != want {
			t.Errorf("%s: bnfcheck.mk passes it: %t", what, got)
		}
		if got := passes(program(t), append(hook, md)...); got != want {
			t.Errorf("%s: the hook passes it: %t", what, got)
		}
		xml := write("draft-b.xml", "<rfc><section><sourcecode type=\"abnf\">\n"+html.EscapeString(text)+"</sourcecode></section></rfc>\n")
		if got := passes(program(t), append(hook, xml)...); got != want {
			t.Errorf("%s: the hook passes it in XML: %t", what, got)
		}
		must.Do(t, os.Remove(xml))
		if noChecker == nil {
			file := write("one.abnf", text+string(must.Of(os.ReadFile(core))(t)))
			if got := passes("node", checker, file); got != there {
				t.Errorf("%s: abnf_check passes it: %t", what, got)
			}
			compared++
		}
	}
	ask("the correct draft", correct, true, true)
	for _, m := range mistakes {
		if strings.Count(correct, m.old) == 0 {
			t.Fatalf("%s: %q is not in the text", m.what, m.old)
		}
		ask(m.what, strings.Replace(correct, m.old, m.new, 1), false, m.passes)
	}
	if noChecker != nil {
		t.Log("not compared with abnf_check: NODE_PATH names no folder with npm's package abnf")
	} else if compared != len(mistakes)+1 {
		t.Errorf("%d texts were compared", compared)
	}
}

// field returns what stands behind the first place of a key.
func field(t *testing.T, text, key string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, key)
	if !ok {
		t.Fatalf("no %s", key)
	}
	value, _, _ := strings.Cut(rest, "\n")
	return value
}
