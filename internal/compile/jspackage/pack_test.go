package jspackage

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// unpackScript prints what the runtime unpacks of the texts of tables, each pair a line: the classes, and by state where
// each class leads and whether the state accepts.
const unpackScript = `
import { readFileSync } from 'node:fs';
import { Table, WholeTable } from 'RUNTIME/table.js';

for (const [first, rest] of JSON.parse(readFileSync('TEXTS', 'utf8'))) {
  const table = new Table(first);
  const whole = new WholeTable(table, rest);
  whole.open();
  const { stride, classes, next } = table;
  const rows = Array.from(next, (row, i) => (i % stride === stride - 1 ? row : row / stride));
  const starts = whole.starts.map((of) => of.map((row) => row / stride));
  console.log(JSON.stringify([Array.from(classes), rows, starts]));
}
`

// What a module unpacks is the table of the proof, number for number, with its states numbered anew.
func TestTableIsThatOfTheProof(t *testing.T) {
	longtest.Program(t, "node")
	texts := [][2]string{}
	var want []string
	add := func(g *expr.Grammar) {
		src := gopackage.Source{Package: "table", Grammar: g, Inputs: []gopackage.Input{{Path: "table.abnf"}}}
		m := must.Of(newModule(must.Of(gopackage.MakeParts(src, Language, Format))(t)))(t)
		if !m.isRegular() {
			return
		}
		tables, states := renumbered(m.Explaining, m.start)
		first, rest, _ := tableParts(tables, m.start, states)
		texts = append(texts, [2]string{first, rest})
		rows := []int{}
		for q, note := range tables.Note {
			for _, to := range tables.Next[q*tables.Width : (q+1)*tables.Width] {
				rows = append(rows, int(to))
			}
			accepts := 0
			if tables.Notes[note].Accept {
				accepts = 1
			}
			rows = append(rows, accepts)
		}
		classes := []int{}
		for _, c := range tables.Classes {
			classes = append(classes, int(c))
		}
		starts := [][]int{}
		for _, of := range tables.Starts {
			states := []int{}
			for _, s := range of {
				states = append(states, int(s.State))
			}
			starts = append(starts, states)
		}
		want = append(want, marshal([]any{classes, rows, starts}))
	}
	for name := range grammars {
		add(namedGrammar(t, name))
	}
	add(must.Of(bnf.Load("rfc3986"))(t).Default)
	for i := range longtest.Size(60, 2000) {
		rng := rand.New(rand.NewPCG(uint64(i), 2712))
		text := fuzztest.New(fuzztest.Random(rng, 40+rng.IntN(160), i%2 == 0)).ABNF()
		add(must.Of(bnf.ReadABNF("random.abnf", []byte(text)))(t))
	}
	if len(texts) < 40 {
		t.Errorf("only %d tables", len(texts))
	}
	path := filepath.Join(t.TempDir(), "texts")
	must.Do(t, os.WriteFile(path, must.Of(json.Marshal(texts))(t), 0o600))
	runtime := must.Of(filepath.Abs("../../../runtime/js"))(t)
	cmd := exec.Command("node", "--input-type=module", "-")
	cmd.Stdin = strings.NewReader(strings.NewReplacer("RUNTIME", runtime, "TEXTS", path).Replace(unpackScript))
	out, err := cmd.CombinedOutput()
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v: %d tables for %d\n%.2000s", err, len(got), len(want), out)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("table %d: %.300s, want %.300s", i, got[i], want[i])
		}
	}
}

// Of what the rows of a state lead to, those of the last sixteen are known by how long ago they came.
func TestRowsCodeRecentSuccessors(t *testing.T) {
	p := &rowPacker{}
	var codes []int
	for _, successor := range []int{6, 9, 9, 2, 9, 5, 2} { // of state 5
		codes = append(codes, p.codeOf(5, successor))
	}
	if want := []int{0, 17 + 8, 1, 17 + 5, 2, 17, 2 + 1}; !slices.Equal(codes, want) {
		t.Errorf("%d, want %d", codes, want)
	}
}
