package command

import (
	"bytes"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/compile/language"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command has a description and scripts that use it and each of its flags.
func TestCommandsAreDocumentedAndTested(t *testing.T) {
	var scripts strings.Builder
	files, err := filepath.Glob(filepath.Join(scriptFolder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range files {
		text := must.Of(os.ReadFile(name))(t)
		scripts.Write(text)
	}
	root := newRoot(newStreams(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}))
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.Short == "" || c.Long == "" || c.GroupID == "" {
			t.Errorf("%s lacks a description", c.Name())
		}
		for line := range strings.SplitSeq(wrapParagraphs(c.Long, roomForHelp), "\n") { // as help shows it
			if len(line) > roomForHelp {
				t.Errorf("%s: a line of %d columns: %s", c.Name(), len(line), line)
			}
		}
		uses := usesOf(scripts.String(), c)
		if len(uses) == 0 {
			t.Errorf("no script uses %s", c.Name())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s lacks a description", c.Name(), f.Name)
			}
			if _, ok := f.Annotations[everywhere]; ok && regexp.MustCompile(`(?m) --`+f.Name+`( |=|$)`).MatchString(scripts.String()) {
				return // one command that uses it is enough
			}
			for _, use := range uses {
				if strings.Contains(use, " --"+f.Name) || f.Shorthand != "" && strings.Contains(use, " -"+f.Shorthand) {
					return
				}
			}
			t.Errorf("no script uses %s --%s", c.Name(), f.Name)
		})
	}
}

// Each flag that a completion is kept for by name is one of some command.
func TestCompletionsAreOfFlags(t *testing.T) {
	known := map[string]bool{}
	for _, c := range newRoot(newStreams(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	for name := range flagCompletions {
		if !known[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

// Each language of packages after the first is in the texts of the commands that write and verify packages, and scripts use it.
func TestLanguagesInCommands(t *testing.T) {
	scripts := string(must.Of(os.ReadFile(filepath.Join(scriptFolder, "generate.txtar")))(t))
	root := newRoot(&streams{})
	for _, l := range language.Languages[1:] {
		flag := "--language " + l.Name
		for _, name := range []string{"generate", "init"} {
			c, _, err := root.Find([]string{name})
			must.Do(t, err)
			long := strings.Join(strings.Fields(c.Long), " ") // which is wrapped
			if !strings.Contains(long, flag) || !strings.Contains(c.Example, flag) {
				t.Errorf("the help of %s does not say what %s writes, with an example", name, flag)
			}
			uses := func(line string) bool { return strings.Contains(line, flag) }
			if !slices.ContainsFunc(usesOf(scripts, c), uses) {
				t.Errorf("no script uses %s %s", name, flag)
			}
		}
		verify, _, err := root.Find([]string{"verify"})
		must.Do(t, err)
		if !strings.Contains(verify.Long, l.Title) {
			t.Errorf("the help of verify does not say what it does with a package in %s", l.Title)
		}
	}
}

// statusInScript is how a script runs a command whose exit status it names.
var statusInScript = regexp.MustCompile(`^status [0-9] `)

// usesOf returns the lines of scripts that run a command.
func usesOf(scripts string, c *cobra.Command) (uses []string) {
	for line := range strings.Lines(scripts) {
		if strings.Contains(statusInScript.ReplaceAllString(line, "bnfcheck "), "bnfcheck "+c.Name()+" ") {
			uses = append(uses, line)
		}
	}
	return uses
}

// Examples and tables, whose lines are not filled, fit a manual page of 80 columns, which indents them by 7.
func TestTablesOfHelp(t *testing.T) {
	root := newRoot(&streams{})
	for _, c := range append(root.Commands(), root) {
		if c.Name() == "completion" { // others' help
			continue
		}
		for _, p := range append(strings.Split(c.Long, "\n\n"), c.Example) {
			for line := range strings.SplitSeq(p, "\n") {
				if (strings.HasPrefix(p, " ") || strings.Contains(p, "\n ")) && len(line) > 73 {
					t.Errorf("%s: %d columns: %s", c.Name(), len(line), line)
				}
			}
		}
	}
}

// commandOfNode matches a literal with a command of Node, whose flags are its own.
var commandOfNode = regexp.MustCompile("^[\"`](?:npm|node) ")

// Every flag that a message names is one of a command.
func TestFlagsInMessages(t *testing.T) {
	known := map[string]bool{}
	root := newRoot(newStreams(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}))
	for _, c := range append(root.Commands(), root) {
		c.InitDefaultHelpFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	named := 0
	err := filepath.WalkDir("../../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || !strings.Contains(path, "/internal/") {
			return err
		}
		file, err := goparser.ParseFile(token.NewFileSet(), path, nil, 0)
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && !commandOfNode.MatchString(text.Value) {
				for _, m := range flagInMessage.FindAllStringSubmatch(text.Value, -1) {
					if named++; !known[m[1]] {
						t.Errorf("%s names --%s, which no command has: %s", path, m[1], text.Value)
					}
				}
			}
			return true
		})
		return err
	})
	if err != nil || named < 100 {
		t.Errorf("%d flags are named, %v", named, err)
	}
}

// flagInMessage is a flag between words, and not an argument of another program.
var flagInMessage = regexp.MustCompile(`[^-"!]--([a-z][a-z-]*)`)
