package docs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Every file of other people that has the ending of a grammar is opened as lint opens it, and each of its productions
// is asked for its automaton. The table in zoo.md adds the answers up by notation.

// ruleSteps caps the steps for the automaton of one production, so that one which is too large takes nothing from the
// others of its file.
const ruleSteps = 1 << 22

// A tally counts the files of one notation, and their productions by what becomes of them.
type tally struct {
	tried, read, whole                     int // files
	rules                                  int
	decided, nest, lack, refused, tooLarge int // productions; each is counted once
	lost                                   int // lines or blocks that look like grammar and are not read
}

// cells returns the columns of a tally.
func (c *tally) cells() []int {
	return []int{c.tried, c.read, c.whole, c.rules, c.decided, c.nest, c.lack, c.refused, c.tooLarge, c.lost}
}

// add adds the counts of another tally.
func (c *tally) add(other *tally) {
	c.tried, c.read, c.whole = c.tried+other.tried, c.read+other.read, c.whole+other.whole
	c.rules, c.decided, c.nest = c.rules+other.rules, c.decided+other.decided, c.nest+other.nest
	c.lack, c.refused, c.tooLarge = c.lack+other.lack, c.refused+other.refused, c.tooLarge+other.tooLarge
	c.lost += other.lost
}

// lacks matches the reason for which a rule of a PEG is refused if a name has no rule.
var lacks = regexp.MustCompile(`^rule "[^"]*" is not defined`)

// count adds what becomes of a production; nests has those that nest. The reason is "" unless the production is
// refused.
func (c *tally) count(t *testing.T, o *catalog.Opened, r *expr.Rule, nests map[string]bool) (reason string) {
	c.rules++
	switch {
	case !o.Grammar.Ordered && len(bnf.Missing(o.Grammar, r.ID)) > 0, r.Refused != nil && lacks.MatchString(r.Refused.Message):
		c.lack++
		return ""
	case r.Refused != nil:
		c.refused++
		return r.Refused.Message
	case nests[r.ID]:
		c.nest++
		return ""
	}
	within := *o
	within.Within = o.Within.With(o.Within.Rules)
	within.Within.Budget = budget.New(t.Context(), budget.Limits{Steps: ruleSteps})
	_, err := within.Automaton(r)
	switch {
	case err == nil:
		c.decided++
	case errors.Is(err, budget.ErrTooLarge):
		c.tooLarge++
	default:
		c.refused++
		return err.Error()
	}
	return ""
}

// countFile opens a file, and returns the notation that it was read in and what became of its productions. Why a
// production is refused is logged, and so is what is lost.
func countFile(t *testing.T, file, shown string) (notation string, c *tally) {
	c = &tally{tried: 1}
	src := must.Of(os.ReadFile(file))(t)
	o := catalog.Usual
	o.Notation.StandardNames, o.PEG.ActionsSucceed = true, true
	opened, err := catalog.Read(shown, src, o)
	if err != nil {
		t.Logf("%s", err)
		kind, _ := catalog.KindOf(shown)
		return nameOf(kind), c
	}
	c.read = 1
	nests := opened.Grammar.Nesting().Users()
	reasons := map[string]int{}
	for _, r := range opened.Grammar.Rules {
		if r.Pos.File != shown {
			continue // a core rule, or one that another RFC defines
		}
		if reason := c.count(t, opened, r, nests); reason != "" {
			reasons[reason]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%s: %d refused: %s", shown, reasons[reason], reason)
	}
	for _, n := range opened.LeftOut() {
		if n.Refused == "" {
			t.Logf("%s", n)
			c.lost++
		}
	}
	if c.refused+c.lost+c.lack == 0 {
		c.whole = 1
	}
	return nameOf(opened.Kind), c
}

// nameOf returns the name of a notation.
func nameOf(kind catalog.Kind) string {
	for _, n := range catalog.Notations {
		if n.Kind == kind {
			return n.Name
		}
	}
	return string(kind)
}

// grammarFiles lists the files below a folder whose names end as those of grammars do, without its README files.
func grammarFiles(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "README") {
			return err
		}
		if _, told := catalog.KindOf(path); told {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

var tableOfNotations = regexp.MustCompile(`(?ms)^\| notation .*?\n\n`)

// TestNotations holds the table of notations in zoo.md against the files in BNFCHECK_ZOO and BNFCHECK_WILD.
func TestNotations(t *testing.T) {
	longtest.Need(t, "the automata of 3,000 productions")
	var tallies = map[string]*tally{}
	all := &tally{}
	for _, variable := range []string{"BNFCHECK_ZOO", "BNFCHECK_WILD"} {
		folder := os.Getenv(variable)
		if folder == "" {
			t.Skip(variable + " names no folder with other people's grammars")
		}
		for _, file := range must.Of(grammarFiles(folder))(t) {
			shown := filepath.ToSlash(must.Of(filepath.Rel(folder, file))(t))
			notation, c := countFile(t, file, shown)
			if sum := c.decided + c.nest + c.lack + c.refused + c.tooLarge; sum != c.rules {
				t.Errorf("%s: %d of %d productions are counted", shown, sum, c.rules)
			}
			if tallies[notation] == nil {
				tallies[notation] = &tally{}
			}
			tallies[notation].add(c)
			all.add(c)
		}
	}
	if all.read < all.tried {
		t.Errorf("%d of %d files are read", all.read, all.tried)
	}
	const head = "| notation | files | read | wholly | productions | decided | nest | lack a name | refused | too large | lost |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
	var table strings.Builder
	table.WriteString(head)
	row := func(name string, c *tally) {
		table.WriteString("| " + name)
		for _, n := range c.cells() {
			fmt.Fprintf(&table, " | %d", n)
		}
		table.WriteString(" |\n")
	}
	byFiles := func(a, b string) int {
		return cmp.Or(tallies[b].tried-tallies[a].tried, strings.Compare(a, b))
	}
	for _, name := range slices.SortedFunc(maps.Keys(tallies), byFiles) {
		row(name, tallies[name])
	}
	row("all", all)
	table.WriteString("\n")
	page := read(t, "zoo.md")
	if !tableOfNotations.MatchString(page) {
		t.Fatal("zoo.md has no table of notations")
	}
	goldentest.Whole(t, "zoo.md", tableOfNotations.ReplaceAllLiteralString(page, table.String()))
}
