package semantic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
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
	commands := 0
	for text, file := range map[string]string{"1738": "rfc1738.txt", "draft06": "draft-ietf-uri-url-06.txt", "3986": "rfc3986.txt"} {
		src := must.Of(os.ReadFile(filepath.Join(dir, file)))(t)
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
			u := must.Of(semantic.Of(tree))(t)
			for _, step := range u.Access() {
				var text string
				for i, line := range lines {
					if step.Section == g.Title+" section "+section[i+1] {
						text += line + "\n"
					}
				}
				commands += checkCommand(t, s, step, text)
				if number, ok := strings.CutPrefix(step.Section, g.Title+" section "); !ok || !there[number] {
					t.Errorf("%s: %s cites %q", s, step, step.Section)
				}
			}
		}
	}
	if commands < 100 {
		t.Errorf("%d commands", commands)
	}
}

var command = regexp.MustCompile(`^(USER|PASS|CWD|TYPE|NLST|RETR|GET|LIST|GROUP|ARTICLE)\b`)

// checkCommand checks that a step is inferred exactly if the text of the section that it cites does not have its
// command, and returns how many commands it has.
func checkCommand(t *testing.T, url string, step semantic.Step, text string) int {
	t.Helper()
	found := command.FindString(step.Text)
	if found == "" || strings.HasPrefix(url, "gopher") && found != "GET" || step.Verb != semantic.Send && step.Verb != semantic.Choose {
		if step.Inferred {
			t.Errorf("%s: %s is inferred", url, step)
		}
		return 0
	}
	if has := regexp.MustCompile(`\b` + found + `\b`).MatchString(text); has == step.Inferred {
		t.Errorf("%s: %s; the section names the command: %v", url, step, has)
	}
	return 1
}

// The sections of RFC 1630, which have no numbers, name the commands of the steps that cite them, or the steps are
// inferred.
func TestCommandsOf1630(t *testing.T) {
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: the texts are not here to be read")
	}
	src := must.Of(os.ReadFile(filepath.Join(dir, "rfc1630.txt")))(t)
	lines := strings.Split("\n"+string(src), "\n")
	sections := map[string][2]int{} // the first and the last line of their sentences
	for _, s := range semantic.Sentences() {
		if s.Text == "1630" {
			at, ok := sections[s.Section]
			if !ok {
				at[0] = s.First
			}
			sections[s.Section] = [2]int{min(at[0], s.First), max(at[1], s.Last)}
		}
	}
	commands := 0
	for _, s := range append(examples(t), goldentest.Inputs(t, "../golden/semantic/*.golden")...) {
		tree, err := published(t, "1630").Parse(s)
		if err != nil {
			continue
		}
		u := must.Of(semantic.Of(tree))(t)
		for _, step := range append(u.Access(), u.AccessVia("g:80")...) {
			name := strings.TrimSuffix(strings.TrimPrefix(step.Section, `RFC 1630 section "`), `"`)
			at := sections[name]
			text := strings.Join(lines[at[0]:at[1]+1], "\n")
			if below, ok := strings.CutPrefix(name, "FTP, "); ok {
				text = regexp.MustCompile(`(?s)\n   ` + below + `\n.*?\n   [A-Z]`).FindString(string(src))
			}
			if text == "" && strings.HasPrefix(step.Section, "RFC 1630") {
				t.Fatalf("no section %q", name)
			}
			commands += checkCommand(t, s, step, text)
		}
	}
	if commands < 100 {
		t.Errorf("%d commands", commands)
	}
}
