package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

var (
	recipeFile  = regexp.MustCompile("(?ms)^```[a-z]+-file\n((?:<\\?php )?(?://|#) (\\S+)\n.*?)^```$")
	recipeBlock = regexp.MustCompile("(?ms)^```recipe (\\S+)\n(.*?)^```$")
)

// TestRecipe runs every command of your-validator.md whose language is installed, in a folder with the files that the page shows, and
// compares what it prints.
func TestRecipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
	bin := filepath.Dir(program(t))
	page := read(t, "your-validator.md")
	folder := t.TempDir()
	for _, m := range recipeFile.FindAllStringSubmatch(page, -1) {
		must.Do(t, os.WriteFile(filepath.Join(folder, m[2]), []byte(m[1]), 0o666))
	}
	ran := 0
	want := recipeBlock.ReplaceAllStringFunc(page, func(block string) string {
		m := recipeBlock.FindStringSubmatch(block)
		if _, err := exec.LookPath(m[1]); err != nil {
			t.Logf("%s is not installed", m[1])
			return block
		}
		var b strings.Builder
		b.WriteString("```recipe " + m[1] + "\n")
		for line := range strings.Lines(m[2]) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			c := exec.Command("sh", "-c", command)
			c.Dir = folder
			c.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "COLUMNS=100", "TERM=dumb", "GOFLAGS=")
			said, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", command, err, said)
			}
			if len(said) == 0 {
				t.Errorf("%sprints nothing", command)
			}
			b.WriteString(line + string(said))
			ran++
		}
		return b.String() + "```"
	})
	goldentest.Whole(t, "your-validator.md", want)
	if ran == 0 {
		t.Skip("no language of the page is installed")
	}
}

// TestJudgedFigures holds the README's figures to regular-expressions.md.
func TestJudgedFigures(t *testing.T) {
	page := strings.Join(strings.Fields(read(t, "regular-expressions.md")), " ")
	counts := regexp.MustCompile(`(\d+) functions of (\d+) packages of npm, Go and Debian are judged.* (\d+) show no difference from the rule`).FindStringSubmatch(page)
	if counts == nil {
		t.Fatal("regular-expressions.md has no counts")
	}
	readme := strings.Join(strings.Fields(read(t, "../README.md")), " ")
	for _, want := range []string{"judges " + counts[1] + " functions of " + counts[2] + " published packages", ": " + counts[3] + " show no difference from their rule"} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

// TestClaimsOfRFC3986 holds the README's count of the parsers that name RFC 3986 to conformance.md.
func TestClaimsOfRFC3986(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "conformance.md"), "## The parsers")
	table, _, _ = strings.Cut(table, "\n## ")
	n := 0
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) == 12 && strings.Contains(cells[3], "RFC 3986") {
			n++
		}
	}
	if want := strings.ToUpper(number[n][:1]) + number[n][1:] + " name RFC 3986, ten of them without a limitation"; !strings.Contains(read(t, "../README.md"), want) {
		t.Errorf("README.md does not say %q", want)
	}
}
