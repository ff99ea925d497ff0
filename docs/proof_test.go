package docs

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTrusted counts the lines of what proof.md says is trusted, and of the files of the theory, and compares the loops that it shows.
func TestTrusted(t *testing.T) {
	n := 0
	for page, folder := range map[string]string{"proof.md": "..", "../proof/README.md": "../proof"} {
		for _, row := range regexp.MustCompile(`(?m)^\| ([A-Za-z]\S+(?:, \S+)*) \| ([0-9]+) \|`).FindAllStringSubmatch(read(t, page), -1) {
			n++
			lines := 0
			for name := range strings.SplitSeq(row[1], ", ") {
				files := []string{filepath.Join(folder, name)}
				if filepath.Ext(name) == "" {
					files = must.Of(filepath.Glob(filepath.Join(folder, name, "*.go")))(t)
				}
				for _, file := range files {
					if !strings.HasSuffix(file, "_test.go") {
						lines += strings.Count(read(t, file), "\n")
					}
				}
			}
			if strconv.Itoa(lines) != row[2] {
				t.Errorf("%s: %s has %d lines, and not %s", page, row[1], lines, row[2])
			}
		}
	}
	if n != 23 {
		t.Errorf("%d rows", n)
	}
	loop := "    Fixpoint run (q : N) (src : word) : bool :="
	theory, machine := read(t, "../proof/Table.v"), read(t, "../ast/machine.go")
	for line := range strings.Lines(read(t, "proof.md")[strings.Index(read(t, "proof.md"), loop):]) {
		if strings.TrimSpace(line) == "" {
			break
		}
		column := min(58, len(strings.TrimRight(line, "\n")))
		for part, in := range map[string]string{line[:column]: theory, line[column:]: machine} {
			if part = strings.TrimSpace(part); !strings.Contains(in, part) {
				t.Errorf("proof.md shows %q, which is in neither loop", part)
			}
		}
	}
	_, function, _ := strings.Cut(read(t, "../runtime/js/bytes.js"), "\nexport function acceptsBytes(")
	checkShown(t, blockOf(t, read(t, "proof.md"), "js"), function)
}
