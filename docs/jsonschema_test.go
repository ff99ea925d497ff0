package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestJSONSchema asks validators of JSON Schema about suites for formats, and holds the table of json-schema.md against what they say.
func TestJSONSchema(t *testing.T) {
	longtest.Need(t, "fetches and asks validators of JSON Schema")
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "run.mjs", "run.py"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(read(t, "../adapters/json-schema/"+name)), 0o666))
	}
	in := func(name string, args ...string) ([]byte, error) {
		c := exec.Command(name, args...)
		c.Dir = dir
		said, err := c.Output()
		return said, err
	}
	if _, err := in("npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		t.Skip("the packages of npm could not be fetched: ", err)
	}
	var files []string
	for _, f := range [][2]string{{"uri", "rfc3986#URI"}, {"uri-reference", "rfc3986#URI-reference"}, {"ipv4", "rfc3986#IPv4address"}, {"ipv6", "rfc3986#IPv6address"}} {
		file := filepath.Join(dir, f[0]+".json")
		if said, err := exec.Command(program(t), "vectors", "--format", "json-schema-test-suite", "--schema-format", f[0], "--most", "400", "-o", file, f[1]).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		files = append(files, file)
	}
	type result struct {
		Validator, Version, Format string
		Tests                      int
		More, Less, Threw          []string
	}
	var all []result
	for _, command := range [][]string{{"node", "run.mjs"}, {"/usr/bin/python3", "run.py"}} {
		said, err := in(command[0], append(command[1:], files...)...)
		var list []result
		if err == nil {
			err = json.Unmarshal(said, &list)
		}
		if err != nil {
			t.Skipf("%s: %v", command[1], err)
		}
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b result) int { return cmp.Compare(a.Validator, b.Validator) })
	shortest := func(list []string) string {
		if len(list) == 0 {
			return "-"
		}
		w := slices.MinFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		return fmt.Sprintf("%d, `%s`", len(list), strings.ReplaceAll(quote.Word(w).String(), "|", `\|`))
	}
	var b strings.Builder
	b.WriteString("| validator | version | format | strings | valid, and not derived | derived, and not valid | it throws |\n|---|---|---|--:|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %s | %s |\n", r.Validator, r.Version, r.Format, r.Tests, shortest(r.More), shortest(r.Less), shortest(r.Threw))
	}
	table := regexp.MustCompile(`(?m)(^\| validator .*\n)(\|.*\n)+`)
	has := read(t, "json-schema.md")
	if !table.MatchString(has) {
		t.Fatal("json-schema.md has no table")
	}
	goldentest.Whole(t, "json-schema.md", table.ReplaceAllLiteralString(has, b.String()))
}
