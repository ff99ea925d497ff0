package semantic_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

// The semantic difference of the texts, scheme by scheme, in golden/semantic.
func TestSemanticDifference(t *testing.T) {
	files, err := filepath.Glob("../golden/semantic/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".golden"), func(t *testing.T) {
			var b strings.Builder
			for _, s := range goldentest.Inputs(t, file) {
				fmt.Fprintf(&b, "\n%s\n", s)
				sideBySide(&b, s, t)
			}
			goldentest.Check(t, file, goldentest.Output("meanings", b.String()))
		})
	}
}

// meaning returns what a text says of a string, line by line.
func meaning(t *testing.T, g *bnfcheck.Grammar, s string) []string {
	tree, err := g.Parse(s)
	if err != nil {
		lines := []string{"rejected: " + strings.TrimPrefix(err.Error(), g.Name+": ")}
		r, err := fix.Nearest(g, s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		word := "nearest"
		if r.Guess {
			word = "a guess"
		}
		return append(lines, word+": "+r.URL)
	}
	u, err := semantic.Of(tree)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	lines := []string{u.Production + ", " + u.Match.String()}
	for _, f := range u.Fields() {
		switch {
		case !f.Part.Present():
			lines = append(lines, f.Name+" = "+f.Value)
		case f.Part.Decoded() != f.Part.Raw:
			lines = append(lines, f.Name+" "+ast.Quote(f.Part.Raw)+", decoded "+ast.Quote(f.Part.Decoded()))
		default:
			lines = append(lines, f.Name+" "+ast.Quote(f.Part.Raw))
		}
	}
	lines = append(lines, "= "+u.Canonical())
	for _, f := range u.Findings() {
		_, rule, _ := strings.Cut(f.Rule, "/")
		lines = append(lines, fmt.Sprintf("! %s %s at %d, %s: %s", f.Severity, rule, f.Start, ast.Quote(s[f.Start:f.End]), f.Message))
	}
	for _, step := range u.Access() {
		text := step.Text
		if step.Verb == semantic.Send {
			text = strings.ReplaceAll(ast.Quote(step.Octets), `\x0D\x0A`, "$")
		}
		lines = append(lines, "> "+step.Verb.String()+" "+text)
	}
	return lines
}

// sideBySide writes what all texts say of a string as one list.
func sideBySide(b *strings.Builder, s string, t *testing.T) {
	var merged []marked
	grammars := typedTexts()
	for _, g := range grammars {
		merged = merge(merged, meaning(t, g, s), strings.TrimPrefix(g.Name, "rfc"))
	}
	for _, line := range merged {
		mark := strings.Join(line.texts, " ")
		if len(line.texts) == len(grammars) {
			mark = "all"
		}
		fmt.Fprintf(b, "  %-12s  %s\n", mark, line.text)
	}
}

// marked is a line, and the texts under which it holds.
type marked struct {
	text  string
	texts []string
}

// merge adds the lines of another text to a list, by a longest common subsequence.
func merge(list []marked, lines []string, name string) (merged []marked) {
	length := make([][]int, len(list)+1)
	for i := range length {
		length[i] = make([]int, len(lines)+1)
	}
	for i := len(list) - 1; i >= 0; i-- {
		for j := len(lines) - 1; j >= 0; j-- {
			if list[i].text == lines[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(list) || j < len(lines); {
		switch {
		case i < len(list) && j < len(lines) && list[i].text == lines[j]:
			merged = append(merged, marked{lines[j], append(slices.Clone(list[i].texts), name)})
			i, j = i+1, j+1
		case j == len(lines) || i < len(list) && length[i+1][j] >= length[i][j+1]:
			merged = append(merged, list[i])
			i++
		default:
			merged = append(merged, marked{lines[j], []string{name}})
			j++
		}
	}
	return merged
}

// Every scheme of either text has its golden file, by the types that implement Specific.
func TestEveryTypeIsGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range goldentest.Inputs(t, "../golden/semantic/*.golden") {
		for _, g := range typedTexts() {
			if tree, err := g.Parse(s); err == nil {
				if u, err := semantic.Of(tree); err == nil {
					seen[g.Name+strings.TrimPrefix(fmt.Sprintf("%T", u.Specific), "*semantic.")] = true
				}
			}
		}
	}
	for _, want := range []string{"HTTP", "FTP", "Gopher", "Mailto", "News", "NNTP", "Telnet", "WAIS", "File", "Prospero", "Other"} {
		for _, g := range typedTexts() {
			if !seen[g.Name+want] {
				t.Errorf("no golden %s of %s", want, g.Name)
			}
		}
	}
	for _, want := range []string{"MessageID", "AFS", "URN"} {
		if !seen["rfc1630"+want] {
			t.Errorf("no golden %s", want)
		}
	}
}
