package semantic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/goldentest"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// Every sentence and rule of a text that numbers its sections stands in the section that is cited for it, and every
// step cites a section that there is.
func TestSections(t *testing.T) {
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: the texts are not here to be read")
	}
	appendix := regexp.MustCompile(`^Appendix [A-D]`)
	heading := regexp.MustCompile(`^(\d+(?:\.\d+)*)\.?[ \t]+[A-Z]`)
	for text, file := range map[string]string{"1738": "rfc1738.txt", "draft06": "draft-ietf-uri-url-06.txt", "3986": "rfc3986.txt"} {
		src, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(src), "\n")
		section := make([]string, len(lines)+1) // by line
		there := map[string]bool{}
		for i, line := range lines {
			section[i+1] = section[i]
			if m := heading.FindStringSubmatch(line); m != nil {
				section[i+1] = m[1]
				there[m[1]] = true
			} else if strings.HasPrefix(strings.TrimSpace(line), "APPENDIX: ") {
				section[i+1] = "appendix"
			} else if m := appendix.FindString(line); m != "" {
				section[i+1] = m
			}
		}
		for _, s := range semantic.Sentences() {
			if s.Text == text && section[s.First] != s.Section {
				t.Errorf("%s stands in section %s, not %s", s.Key(), section[s.First], s.Section)
			}
		}
		for _, r := range semantic.Rules() {
			if r.Text == text && section[r.Line] != r.Section {
				t.Errorf("%s, line %d, stands in section %s, not %s", r.ID, r.Line, section[r.Line], r.Section)
			}
		}
		if text == "3986" {
			continue // references are not accessed
		}
		g := published(t, text)
		for _, s := range append(examples(t), goldentest.Inputs(t, "../golden/semantic/*.golden")...) {
			tree, err := g.Parse(s)
			if err != nil {
				continue
			}
			u, err := semantic.Of(tree)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range u.Access() {
				if number, ok := strings.CutPrefix(step.Section, g.Title+" section "); !ok || !there[number] {
					t.Errorf("%s: %s cites %q", s, step, step.Section)
				}
			}
		}
	}
}
