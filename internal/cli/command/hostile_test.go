package command

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal, nothing that a user brings moves the cursor: strings, the texts and names of files, and answers of
// programs. The commands are those that are fuzzed and those that print strings for other programs.
func TestNothingMovesTheCursor(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	const hostile = "a\x1b]0;b\x07\u202e\u0085\x9b2J~"
	dir := filepath.Join(t.TempDir(), "in\x1b]0;b\x07\u202e")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Skip("no such name of a folder here: " + err.Error())
	}
	files := map[string]string{"D": "out", "M": "none.abnf", "A": "G.abnf#a"}
	for name, text := range map[string]string{
		"G": "a = 1*%x61-62 ; a comment\nb = <" + "prose \u202e>\n", "H": "a = *%x00-FF\n", "P": "// c \u202e\na <- \"\x1b[2J\" / . *\n",
		"B": "a = \"\x1b\"\n; " + hostile, "R": hostile,
	} {
		files[name] = name + ".abnf"
		if name == "P" {
			files[name] = "p.peg"
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, files[name]), []byte(text), 0o666))
	}
	extra := []string{
		"check LINE", "check --format tsv -f -", "check --format tsv --column 2 -f -", "check -g H --format tsv -f -", "check -f R --format tsv",
		"check -f R", "check -f M", "fix --apply --rfc 1738 -f -", "fix LINE", "extract -", "extract --format json -", "parse LINE", "lint B", "lint R", "lint M", "lint LINE",
		"explain LINE", "explain H", "vectors H", "vectors H --format jsonl", "vectors H --format csv", "vectors H --format go", "peg H", "peg G", "regexp H", "regexp --captures LINE G", "diff G H", "resolve http://a/ LINE",
		"conform --builtin net/url --rfc 1738 -f R", "conform --builtin net/url -f R H", "LINE", "check --LINE", "check --format LINE",
		"init -o D G#LINE", "init --name LINE -o D A", "generate --package LINE -o D G", "prove G P", "prove H P",
		"grammars LINE", "rules LINE", "summary R", "learn --builtin LINE H", "conform H -- LINE", "check -g H#LINE x", "completion LINE",
	}
	for _, command := range append(extra, fuzzed...) {
		var args []string
		for _, a := range strings.Fields(command) {
			if name, ok := files[a]; ok {
				a = filepath.Join(dir, name)
			}
			args = append(args, strings.ReplaceAll(a, "LINE", hostile))
		}
		var out, msg bytes.Buffer
		s := newStreams(strings.NewReader("http://h/"+hostile+"\tx"+hostile+"\n"), &out, &msg)
		s.outIsTerminal = true
		s.run(args)
		for _, text := range []string{out.String(), msg.String()} {
			if i := strings.IndexFunc(strings.ToValidUTF8(text, "\u009b"), moves); i >= 0 {
				t.Errorf("%s: %.200q can move the cursor", command, strings.ToValidUTF8(text, "\u009b")[max(0, i-50):])
			}
		}
	}
}
