package pegtogo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	tree "github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Work is linear: for a byte of a long string there is at most a fifth more to do than for one of a short string, at every
// start, whether it is accepted, rejected at once or at its end, and on every row that a backtracking parser is slow on.
// Work is counted, in turns of loops and calls of functions, each of which takes constant time: a count is the same on
// every machine. (Time itself is measured in package bench.)
func TestWorkIsLinear(t *testing.T) {
	var all []measured
	for _, s := range subjects() {
		starts := s.starts()
		if !longtest.Enabled() {
			starts = []tree.Kind{s.Default}
		}
		for _, start := range starts {
			for _, r := range s.adversarial(start) {
				lengths := [2]int{1 << 10, 1 << 14}
				if start == s.Default && len(r.head) < 2 {
					lengths[1] = longtest.Size(1<<15, 1<<20)
				}
				all = append(all, measured{s.Name, start, []byte(r.head), []byte(r.unit), []byte(r.tail), lengths})
			}
			for _, r := range s.loops(t, start) {
				all = append(all, measured{s.Name, start, []byte(r.head), []byte(r.unit), []byte(r.tail), [2]int{1 << 10, 1 << 13}})
			}
		}
	}
	worst, at := 0.0, ""
	for i, counts := range work(t, all) {
		for k, entry := range []string{"Accept", "Parse", "Derive", "Rejection"} {
			m := all[i]
			ratio := m.perByte(counts, 1, k) / m.perByte(counts, 0, k)
			what := fmt.Sprintf("%s at %s, %s on %q %q... %q", m.Grammar, m.production(), entry, m.Head, m.Unit, m.Tail)
			if ratio > worst {
				worst, at = ratio, what
			}
			if ratio > 1.2 {
				t.Errorf("%s: work per byte at %d bytes is %.2f times that at %d", what, m.Lengths[1], ratio, m.Lengths[0])
			}
		}
	}
	t.Logf("%d rows; the worst ratio is %.3f: %s", len(all), worst, at)
}

// measured is a row as testdata/work reads it.
type measured struct {
	Grammar          string
	Start            tree.Kind
	Head, Unit, Tail []byte
	Lengths          [2]int
}

func (m measured) perByte(counts [2][]uint64, length, entry int) float64 {
	n := len(m.Head) + m.Lengths[length]/len(m.Unit)*len(m.Unit) + len(m.Tail)
	return float64(counts[length][entry]) / float64(n)
}

func (m measured) production() string {
	for _, s := range subjects() {
		if s.Name == m.Grammar {
			return s.Production(m.Start).ID
		}
	}
	return ""
}

// loops returns a row for each way to go round in the automaton of a start: accepted as far as it goes, and then once
// accepted as a whole and once rejected.
func (s *subject) loops(t *testing.T, start tree.Kind) []row {
	d := automaton(t, s, start)
	var all []row
	for q, head := range d.AccessWords() {
		if d.Dead(q) {
			continue
		}
		tail, _ := d.ShortestFrom(q)
		for _, unit := range circles(d, q) {
			all = append(all, row{head, unit, tail}, row{head, unit, "\x00"})
		}
	}
	return all
}

// circles returns for each state behind q the shortest word that leads through it back to q.
func circles(d *lang.DFA, q int) []string {
	// By state, the word that leads to it from q by way of a certain successor of q.
	var all []string
	done := map[int]bool{}
	for c := range d.Classes() {
		first := d.NextClass(q, c)
		if d.Dead(first) || done[first] {
			continue
		}
		done[first] = true
		words := map[int]string{first: string(d.Readable(c))}
		for level := []int{first}; len(level) > 0; level = level[1:] {
			p := level[0]
			if p == q {
				all = append(all, words[q])
				break
			}
			for c := range d.Classes() {
				if to := d.NextClass(p, c); !d.Dead(to) && words[to] == "" {
					words[to] = words[p] + string(d.Readable(c))
					level = append(level, to)
				}
			}
		}
	}
	return all
}

// work runs testdata/work, built so that it counts.
func work(t *testing.T, all []measured) [][2][]uint64 {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	put := func(file string, text []byte) {
		path := must.Of(filepath.Abs("../../../" + file))(t)
		replace[path] = filepath.Join(dir, fmt.Sprint(len(replace), ".go"))
		must.Do(t, os.WriteFile(replace[path], text, 0o666))
	}
	put("ast/work.go", []byte("package ast\n\nvar Work uint64\n"))
	put("ast/machine.go", counting(t, "ast/machine.go"))
	put("ast/derive.go", counting(t, "ast/derive.go"))
	for _, s := range subjects() {
		put("gen/"+s.Name+"/fast.go", counting(t, "gen/"+s.Name+"/fast.go"))
	}
	list := must.Of(json.Marshal(map[string]any{"Replace": replace}))(t)
	overlay, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "work")
	must.Do(t, os.WriteFile(overlay, list, 0o666))
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./testdata/work").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in, errs bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, m := range all {
		must.Do(t, enc.Encode(m))
	}
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stderr = &in, &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	counts := make([][2][]uint64, len(all))
	dec := json.NewDecoder(bytes.NewReader(out))
	for i := range counts {
		must.Do(t, dec.Decode(&counts[i]))
	}
	return counts
}

// counting returns a file in which each function and each turn of a loop counts.
func counting(t *testing.T, file string) []byte {
	t.Helper()
	fset := token.NewFileSet()
	f := must.Of(parser.ParseFile(fset, "../../../"+file, nil, parser.SkipObjectResolution))(t)
	count := "ast.Work"
	if f.Name.Name == "ast" {
		count = "Work"
	}
	in := func(b *ast.BlockStmt) {
		if b != nil {
			b.List = append([]ast.Stmt{&ast.IncDecStmt{X: ast.NewIdent(count), Tok: token.INC}}, b.List...)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			in(n.Body)
		case *ast.ForStmt:
			in(n.Body)
		case *ast.RangeStmt:
			in(n.Body)
		}
		return true
	})
	var b bytes.Buffer
	must.Do(t, format.Node(&b, fset, f))
	return b.Bytes()
}
