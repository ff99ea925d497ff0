package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
)

// A document is a real ABNF document, as the columns of the table look at it.
type document struct {
	name    string
	grammar *expr.Grammar
	rules   []*expr.Rule // its own, without the core rules that it uses
	facts   *expr.Facts
	decided int
	time    time.Duration
	memory  uint64 // the largest heap that was seen after a production
}

// A column of the table is computed from a document. One that is measured is written with -update, and differs from machine to
// machine, so that nothing is compared.
type column struct {
	name     string
	measured bool
	cell     func(*document) string
}

// columns is the table; a new column is a row here.
var columns = []column{
	{"document", false, func(d *document) string { return d.name }},
	{"rules read", false, func(d *document) string { return fmt.Sprint(len(d.rules)) }},
	{"values", false, func(d *document) string {
		if d.grammar.CodePoints {
			return "code points"
		}
		return "octets"
	}},
	{"lack a name", false, func(d *document) string { return fmt.Sprint(d.count(d.lacks)) }},
	{"regular", false, func(d *document) string { return fmt.Sprint(d.count(d.regular)) }},
	{"decided", false, func(d *document) string { return fmt.Sprint(d.decided) }},
	{"time", true, func(d *document) string { return fmt.Sprintf("%d ms", d.time.Milliseconds()) }},
	{"memory", true, func(d *document) string { return fmt.Sprintf("%d MB", d.memory>>20) }},
}

func (d *document) count(is func(*expr.Rule) bool) (n int) {
	for _, r := range d.rules {
		if is(r) {
			n++
		}
	}
	return n
}

// lacks reports whether r needs a name that the document does not define.
func (d *document) lacks(r *expr.Rule) bool { return len(bnf.Missing(d.grammar, r.ID)) > 0 }

// regular reports whether nothing in r nests.
func (d *document) regular(r *expr.Rule) bool {
	for _, id := range d.grammar.Reach(r.ID) {
		if d.grammar.Rule(id) != nil && d.facts.SelfEmbedding(id) != nil {
			return false
		}
	}
	return true
}

// decide builds the automata of what is regular and lacks nothing.
func (d *document) decide(t *testing.T) {
	start := time.Now()
	for _, r := range d.rules {
		if d.lacks(r) || !d.regular(r) {
			continue
		}
		_, err := lang.FromBNF(d.grammar, r.ID)
		switch {
		case err == nil:
			d.decided++
		case errors.Is(err, lang.ErrTooLarge):
			t.Logf("%s: %s: %v", d.name, r.Name, err)
		default:
			t.Errorf("%s: %s: %v", d.name, r.Name, err)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		d.memory = max(d.memory, m.HeapAlloc)
	}
	d.time = time.Since(start)
}

var tableOfZoo = regexp.MustCompile(`(?ms)^\| document .*?\n\n`)

// TestZoo holds the table in zoo.md against the documents.
func TestZoo(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO names no folder with other people's grammars")
	}
	files, err := filepath.Glob(filepath.Join(folder, "abnf", "*.abnf"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	page := read(t, "zoo.md")
	old := map[string]string{} // rows by document
	for line := range strings.Lines(tableOfZoo.FindString(page)) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			old[strings.TrimSpace(cells[1])] = line
		}
	}
	var table, rule strings.Builder
	for _, c := range columns {
		table.WriteString("| " + c.name + " ")
		rule.WriteString("|---")
	}
	table.WriteString("|\n" + rule.String() + "|\n")
	sums := make([]int, len(columns))
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		g, err := bnf.ReadABNF(name, src)
		if err != nil {
			t.Error(err)
			continue
		}
		d := &document{name: name, grammar: g, facts: expr.Analyze(g.Rules)}
		for _, r := range g.Rules {
			if !bnf.IsCore(r) {
				d.rules = append(d.rules, r)
			}
		}
		d.decide(t)
		before := strings.Split(old[name], "|")
		for i, c := range columns {
			cell := c.cell(d)
			if c.measured && !goldentest.Update() && i+1 < len(before) {
				cell = strings.TrimSpace(before[i+1])
			}
			table.WriteString("| " + cell + " ")
			if n, err := strconv.Atoi(cell); err == nil {
				sums[i] += n
			}
		}
		table.WriteString("|\n")
	}
	fmt.Fprintf(&table, "| all %d ", len(files))
	for _, sum := range sums[1:] {
		table.WriteString("| " + strings.TrimPrefix(strconv.Itoa(sum), "0") + " ")
	}
	table.WriteString("|\n")
	table.WriteString("\n")
	goldentest.Whole(t, "zoo.md", tableOfZoo.ReplaceAllLiteralString(page, table.String()))
}
