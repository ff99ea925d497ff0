package command

import (
	"bytes"
	"encoding/json"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// fuzzed are the commands that take grammars, by what FuzzCommands picks. G, H and P stand for files: two of grammars
// and a PEG, D for a folder and R for what conform found. The line is given to standard input, or where LINE stands.
var fuzzed = []string{
	"lint --limit-states 500 G",
	"lint --limit-states 500 --nesting 1 --format json G",
	"lint --limit-states 500 --format sarif G",
	"prove --limit-states 500 --limit-steps 200000 --limit-memory 16 G P",
	"prove --limit-states 500 --limit-steps 200000 --limit-memory 16 --nesting 1 --allow-missing --format json G P",
	"diff --length 4 G H",
	"diff --length 4 --format json G H",
	"check -g G -f -",
	"check -g G --format json -f -",
	"check -g G --format sarif -f -",
	"check -g G --format tsv -f -",
	"parse -g G --format json -- LINE",
	"fix -g G -f -",
	"fix -g G --format json -f -",
	"explain G",
	"explain G --format json",
	"peg G",
	"regexp G",
	"regexp --flavor pcre --comments --nesting 1 G",
	"regexp --flavor go --all G",
	"regexp --flavor python P",
	"init --name fuzz -o D G",
	"generate --package fuzz -o D G",
	"vectors --dry-run G",
	"vectors --part negative,boundary --longest 8 --format jsonl G",
	"report G",
	"report --format html G",
	"parse -g P -- LINE",
	"check -g P --format json -f -",
	"check -g P --kind peggy -f -",
	"check --format json -f -",
	"fix --format json -f -",
	"summary -",
	"report --format markdown --conform R",
	"extract",
	"resolve -- LINE http://a/b",
	"verify D",
}

// longNumber is a count that makes everything large: what comes of it is for TestBudgets.
var longNumber = regexp.MustCompile(`[0-9]{3}|[xX][0-9A-Fa-f]{7}`)

// FuzzCommands runs a command twice on any files and any line. It ends with a known status and the same text both
// times; a failure has a message, and the message the name of a file where the file is to blame; what is for a screen
// cannot move its cursor, and what is for a program is JSON.
func FuzzCommands(f *testing.F) {
	for i := range fuzzed {
		f.Add(uint8(i), "a = *b [\",\" a]\nb = %x61-63 / \"x\"\n", "a = 1*b\nb = DIGIT\n", "a <- b* !.\nb <- [a-c] / \"x\"i\n", "abx~")
	}
	dir := f.TempDir()
	f.Setenv("TERM", "dumb")
	f.Fuzz(func(t *testing.T, which uint8, g, h, p, line string) {
		if len(g)+len(h)+len(p) > 600 || len(line) > 100 || longNumber.MatchString(g+"\n"+h+"\n"+p) {
			return
		}
		command := fuzzed[int(which)%len(fuzzed)]
		files := map[string]string{"G": "g.abnf", "H": "h.abnf", "P": "p.peg", "D": "out", "R": "conform.json"}
		for name, text := range map[string]string{"G": g, "H": h, "P": p, "R": line} {
			must.Do(t, os.WriteFile(filepath.Join(dir, files[name]), []byte(text), 0o666))
		}
		var args []string
		for _, a := range strings.Fields(command) {
			switch name, ok := files[a]; {
			case ok:
				a = filepath.Join(dir, name)
			case a == "LINE":
				a = line
			}
			args = append(args, a)
		}
		type result struct {
			status int
			out    string
			msg    string
		}
		once := func() result {
			var out, msg bytes.Buffer
			os.RemoveAll(filepath.Join(dir, "out"))
			status := run(args, strings.NewReader(line+"\n"), &out, &msg)
			return result{status, strings.ReplaceAll(out.String(), dir, ""), strings.ReplaceAll(msg.String(), dir, "")}
		}
		r := once()
		if again := once(); again != r {
			t.Fatalf("%s: first\n%+v\nthen\n%+v", command, r, again)
		}
		switch {
		case r.status < statusOK || r.status > statusOpen:
			t.Fatalf("%s: status %d", command, r.status)
		case r.status == statusFailed && !strings.HasPrefix(r.msg, "bnfcheck: "):
			t.Fatalf("%s fails, and says %q", command, r.msg)
		}
		raw := strings.Contains(command, "tsv") // which has lines as they are
		for _, text := range []string{r.out, r.msg} {
			if !raw && (!utf8.ValidString(text) || strings.ContainsFunc(text, moves)) {
				t.Fatalf("%s: %q can move a cursor", command, text)
			}
		}
		if limit := 1 << 20; len(r.out)+len(r.msg) > limit {
			t.Fatalf("%s prints %d bytes", command, len(r.out)+len(r.msg))
		}
		if r.status == statusFailed || !strings.Contains(command, "json") && !strings.Contains(command, "sarif") || strings.Contains(command, "--conform") {
			return
		}
		for d := json.NewDecoder(strings.NewReader(r.out)); d.More(); {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s: %v in\n%s", command, err, r.out)
			}
		}
	})
}

// moves reports whether a character moves a cursor or turns a line around.
func moves(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || 0x7f <= c && c < 0xa0 || 0x202a <= c && c <= 0x202e || 0x2066 <= c && c <= 0x2069
}

// FuzzAgree checks the commands against each other: check accepts a string exactly if parse has its tree and fix
// leaves it as it is, and what fix makes of another, check accepts.
func FuzzAgree(f *testing.F) {
	f.Add("a = *b [\",\" a]\nb = %x61-63 / \"x\"\n", "abx~", false)
	f.Add("a = 1*b\n", "http://a/~", true)
	dir := f.TempDir()
	f.Setenv("TERM", "dumb")
	file := filepath.Join(dir, "g.abnf")
	f.Fuzz(func(t *testing.T, g, line string, url bool) {
		if len(g) > 300 || len(line) > 60 || longNumber.MatchString(g) || strings.ContainsAny(line, "\r\n\x00") {
			return
		}
		must.Do(t, os.WriteFile(file, []byte(g), 0o666))
		with := []string{"-g", file}
		if url {
			with = []string{"--rfc", "1738"}
		}
		do := func(args ...string) (int, string) {
			var out, msg bytes.Buffer
			return run(slices.Concat(args[:1], with, args[1:]), strings.NewReader(""), &out, &msg), out.String()
		}
		status, _ := do("check", "--no-semantic", "--", line)
		if !url {
			status, _ = do("check", "--", line)
		}
		if status == statusFailed || status == statusOpen {
			return
		}
		if parsed, _ := do("parse", "--", line); parsed != status {
			t.Fatalf("check %q ends with %d, parse with %d\n%s", line, status, parsed, g)
		}
		fixed, out := do("fix", "--apply", "--", line)
		if fixed == statusFailed || fixed == statusOpen || out == "" {
			return
		}
		near := strings.TrimSuffix(out, "\n")
		if (status == statusOK) != (near == line) && !url {
			t.Fatalf("check %q ends with %d, and fix makes %q of it\n%s", line, status, near, g)
		}
		if fixed == statusOK && !strings.Contains(near, "\n") {
			if after, _ := do("check", "--", near); after == statusFailed || after == statusNegative && !url {
				t.Fatalf("fix makes %q of %q, and check ends with %d\n%s", near, line, after, g)
			}
		}
	})
}
