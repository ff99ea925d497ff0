package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestRocqOfBuiltIn holds the grammars in proof/, about which the theorems are, against what --rocq writes of the packages in
// gen: proof/compile compares them too, but it needs Rocq.
func TestRocqOfBuiltIn(t *testing.T) {
	for _, name := range []string{"rfc1738", "rfc1630", "rfc3986", "draft06"} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), name)
			var out bytes.Buffer
			if status := run([]string{"verify", "../../../gen/" + name, "--rocq", folder}, nil, &out, &out); status != 0 {
				t.Fatal(out.String())
			}
			pair := string(must.Of(os.ReadFile(filepath.Join(folder, "Pair.v")))(t))
			title := strings.ToUpper(name[:1]) + name[1:]
			goldentest.Whole(t, "../../../proof/"+title+".v", regexp.MustCompile(`\bPair`).ReplaceAllString(pair, title))
		})
	}
}

// TestRocq has Rocq compile what --rocq writes: of a package that is made of a BNF alone; of documents, whose PEG peg
// writes; and of a pair with a rule that differs, counts, and bytes that are not printed.
func TestRocq(t *testing.T) {
	longtest.Need(t, "Rocq compiles theorems")
	if _, err := exec.LookPath("coq_makefile"); err != nil {
		t.Skip("skipped: there is no coq_makefile, which Debian has in its package coq")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	documents := map[string]string{
		"semver": write("semver.abnf", `version = core [ "-" pre *( "." pre ) ] [ "+" build *( "." build ) ]
core = number "." number "." number
number = "0" / %x31-39 *DIGIT
pre = number / *DIGIT ( ALPHA / "-" ) *( DIGIT / ALPHA / "-" )
build = 1*( DIGIT / ALPHA / "-" )
`),
		"bytes": write("bytes.abnf", `list = number 2*3( "," number ) [ %x00 / %x80-8F ] %x0D.0A ; (*) "odd
number = 2*4DIGIT
two = number number
`),
	}
	if zoo := os.Getenv("BNFCHECK_ZOO"); zoo != "" {
		documents["language tags"] = filepath.Join(zoo, "abnf", "bcp47.abnf")
		documents["RFC 3339"] = filepath.Join(zoo, "abnf", "rfc3339.abnf")
	}
	for name, grammar := range documents {
		t.Run(name, func(t *testing.T) {
			peg, folder := filepath.Join(dir, name+".peg"), filepath.Join(dir, name)
			var out bytes.Buffer
			want, command := 0, []string{"prove", grammar, peg, "--rocq", folder}
			if name == "semver" {
				made := filepath.Join(dir, "made")
				if status := run([]string{"generate", grammar, "-o", made}, nil, &out, &out); status != 0 {
					t.Fatal(out.String())
				}
				command = []string{"verify", made, "--rocq", folder}
			} else if name == "bytes" {
				write(name+".peg", "list <- number \",\" number \",\" number ( \",\" number )? [\\x00]? \"\\r\\n\"\nnumber <- [0-9][0-9][0-9]?[0-9]?\ntwo <- ( [0-9]+ ) number\n")
				want = 1
			} else if status := run([]string{"peg", grammar, "-o", peg}, nil, &out, &out); status != 0 {
				t.Fatal(out.String())
			}
			if status := run(command, nil, &out, &out); status != want {
				t.Fatal(out.String())
			}
			pair, err := os.ReadFile(filepath.Join(folder, "Pair.v"))
			if err != nil || strings.Contains(string(pair), `("two", "two", [`) != (want == 1) ||
				strings.Contains(string(pair), `tabled : list string := ["version"; `) != (name == "semver") {
				t.Fatalf("%v\n%s", err, pair)
			}
			for _, args := range [][]string{{"coq_makefile", "-f", "_CoqProject", "-o", "Makefile"}, {"make"}} {
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Dir = folder
				said, err := cmd.CombinedOutput()
				if err != nil || args[0] == "make" && strings.Count(string(said), "Closed under the global context") != 7 {
					t.Fatalf("%v\n%s", err, said)
				}
			}
		})
	}
}
