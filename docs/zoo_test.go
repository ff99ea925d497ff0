package docs

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
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

// readDocument reads a document with the names that RFCs take from each other. It also returns all that the reader has
// found in it.
func readDocument(name string, src []byte) (*document, *bnf.Document, error) {
	n := bnf.Usual
	n.StandardNames = true
	read, err := bnf.ReadDocument(name, src, bnf.ABNF, n)
	if err != nil {
		return nil, nil, err
	}
	d := &document{name: name, grammar: read.Grammar, facts: expr.Analyze(read.Grammar.Rules)}
	for _, r := range read.Grammar.Rules {
		if r.Pos.File == name {
			d.rules = append(d.rules, r)
		}
	}
	return d, read, nil
}

// A text with ABNF is one that both names ABNF and has a line that looks like a production of it.
var (
	saysABNF = regexp.MustCompile(`(?i)\bABNF\b|Augmented BNF|Augmented Backus|RFC ?-?(2234|4234|5234|7405)`)
	likeABNF = regexp.MustCompile(`(?m)^[ \t]*[A-Za-z][A-Za-z0-9-]*[ \t]+(=|=/|::=)[ \t]+.*(%[xdb][0-9A-Fa-f]|"[^"\n]*"|\b(DIGIT|ALPHA|CRLF|SP|HEXDIG|OCTET)\b|\*\(|[0-9]*\*[0-9]*[A-Za-z(]).*$`)
)

// An rfcText is the text of an RFC.
type rfcText struct {
	number int
	name   string // of its file
	src    []byte
}

// folderOfRFCs returns the folder with the texts of all RFCs. Without one the test is skipped.
func folderOfRFCs(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("BNFCHECK_RFCS")
	if folder == "" {
		t.Skip("BNFCHECK_RFCS names no folder with the texts of all RFCs")
	}
	return folder
}

// textsWithABNF returns the RFCs in a folder that have ABNF, in the order of the names of their files. Each is read when
// its turn comes, since together they are large.
func textsWithABNF(t *testing.T, folder string) iter.Seq[rfcText] {
	t.Helper()
	files := must.Of(filepath.Glob(filepath.Join(folder, "rfc*[0-9].txt")))(t)
	if len(files) == 0 {
		t.Fatalf("%s has no texts of RFCs", folder)
	}
	return func(yield func(rfcText) bool) {
		for _, file := range files {
			name := filepath.Base(file)
			number, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "rfc"), ".txt"))
			src, err2 := os.ReadFile(file)
			must.Do(t, errors.Join(err, err2))
			if number > 9999 || !likeABNF.Match(src) || !saysABNF.Match(src) {
				continue
			}
			if !yield(rfcText{number, name, src}) {
				return
			}
		}
	}
}

var tableOfRFCs = regexp.MustCompile(`(?ms)^\| RFCs .*?\n\n`)

// TestRFCs holds the table of RFCs in zoo.md against their texts.
func TestRFCs(t *testing.T) {
	folder := folderOfRFCs(t)
	var rows [11][8]int // by thousands, and all
	for text := range textsWithABNF(t, folder) {
		counts := [8]int{0: 1}
		d, whole, err := readDocument(text.name, text.src)
		if err != nil {
			t.Log(err)
		} else {
			lack, regular := d.count(d.lacks), d.count(d.regular)
			counts = [8]int{1, 1, 0, len(d.rules), regular, len(d.rules) - regular, lack, 0}
			if lack == 0 {
				counts[2] = 1
			}
			for _, b := range whole.Blocks {
				if b.LeftOut != "" {
					counts[7] += b.Productions
				}
			}
		}
		for i, n := range counts {
			rows[text.number/1000][i] += n
			rows[10][i] += n
		}
	}
	if all := rows[10]; all[1]*100 < all[0]*97 {
		t.Errorf("%d of %d texts are read", all[1], all[0])
	}
	var table strings.Builder
	table.WriteString("| RFCs | texts with ABNF | read | lack no name | productions | regular | nest | lack a name | left out |\n|---|---|---|---|---|---|---|---|---|\n")
	for i, row := range rows {
		if row[0] == 0 {
			continue
		}
		title := fmt.Sprintf("%d to %d", i*1000, i*1000+999)
		if i == 10 {
			title = "all"
		}
		table.WriteString("| " + title)
		for _, n := range row {
			fmt.Fprintf(&table, " | %d", n)
		}
		table.WriteString(" |\n")
	}
	table.WriteString("\n")
	goldentest.Whole(t, "zoo.md", tableOfRFCs.ReplaceAllLiteralString(read(t, "zoo.md"), table.String()))
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
		src := must.Of(os.ReadFile(file))(t)
		name := filepath.Base(file)
		d, _, err := readDocument(name, src)
		if err != nil {
			t.Error(err)
			continue
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
