package interpreter

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Where a byte of lookahead decides what ends, the steps for each byte at most double if the input is a
// hundred times as long. They may grow because parts of a long input's tree are made early, and moved.
// Steps are counted, so that the answer does not depend on the machine.
func TestLinear(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	for _, c := range []struct{ file, start, head, unit, tail string }{
		{"json.abnf", "JSON-text", "[", `{"a": [1, 2.5, -3e10, "hello world", true, {"key": [[], {}]}]},` + "\n", "1]"},
		{"toml.abnf", "toml", "", "# a comment\n[table.sub]\nkey = \"a string\"\narr = [1, 2, [\"x\"], {a = 1, b = true}]\ndate = 1979-05-27T07:32:00Z\n", ""},
	} {
		d := zooDeriver(t, folder, c.file, c.start)
		for _, unguided := range []bool{false, true} {
			var each []float64
			for _, size := range []int{1 << 10, 100 << 10, longtest.Size(1<<20, 10<<20)} {
				src := c.head + strings.Repeat(c.unit, size/len(c.unit)) + c.tail
				run := ast.Run{Limits: ast.Limits{Steps: 1 << 29, Memory: 20 << 24}, Unguided: unguided}
				_, ok := d.parser.Within(&run, nil, d.in.start.kind, src, true)
				if !ok || run.Guided == unguided {
					t.Fatalf("%s: %d bytes: derived: %t, by a guide: %t", c.file, len(src), ok, run.Guided)
				}
				each = append(each, float64(run.Taken)/float64(len(src)))
			}
			t.Logf("%s: steps for a byte: %.2f", c.file, each)
			if each[1] > 2*each[0] || each[2] > 2*each[1] {
				t.Errorf("%s: steps for a byte: %.2f", c.file, each)
			}
		}
	}
}

// The limits grow with the input, so that one of 8 MB has a tree if it takes linear time.
func TestLongIsNotTooLarge(t *testing.T) {
	longtest.Need(t, "parses lists of 8 MB")
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	for _, c := range []struct{ file, start, head, unit, tail string }{
		{"toml.abnf", "toml", "a = [", "1, ", "1]"},
		{"rfc5322.abnf", "address-list", "", "a@b.c, ", "a@b.c"},
	} {
		d := zooDeriver(t, folder, c.file, c.start)
		src := c.head + strings.Repeat(c.unit, 8<<20/len(c.unit)) + c.tail
		var run ast.Run
		nodes, ok := d.parser.Within(&run, nil, d.in.start.kind, src, true)
		taken := run.Taken
		if !ok {
			t.Errorf("%s: %d bytes have no tree in %d steps", c.file, len(src), taken)
		}
		t.Logf("%s: %d nodes, %.1f steps for each of %d bytes", c.file, len(nodes), float64(taken)/float64(len(src)), len(src))
	}
}

// Apart from a constant, to accept takes at most 16 bytes of memory for each byte of the input, and a
// tree takes at most twice the memory of its nodes. All that is allocated counts, even if it is no
// longer used.
func TestMemoryByInput(t *testing.T) {
	folder := os.Getenv("BNFCHECK_ZOO")
	if folder == "" {
		t.Skip("BNFCHECK_ZOO is not set: no grammars of others")
	}
	for _, c := range []struct {
		file, start, head, unit, tail string
	}{
		{"json.abnf", "JSON-text", "[", `{"a": [1, 2.5, -3e10, "hello world", true, {"key": [[], {}]}]},` + "\n", "1]"},
		{"toml.abnf", "toml", "", "# a comment\n[table.sub]\nkey = \"a string\"\narr = [1, 2, [\"x\"], {a = 1, b = true}]\ndate = 1979-05-27T07:32:00Z\n", ""},
		{"toml.abnf", "toml", "a = [", "1, ", "1]"},
		{"rfc5234.abnf", "rulelist", "", "rule = a / ( b *( \"x\" / %x20-7E ) ) [ c ] ; comment\r\n", ""},
	} {
		g := must.Of(bnf.ReadABNF(c.file, must.Of(os.ReadFile(filepath.Join(folder, "abnf", c.file)))(t)))(t)
		lexical := bnf.Lexical(g)
		packed := must.Of(Tables(g, func(id string) bool { return !lexical(id) }, nothingProven, c.start))(t)
		accepting, _, err := Accepting(g, Put{Size: 1 << 20, Recursive: true}, c.start)
		must.Do(t, err)
		kind := ast.Kind(1 + slices.IndexFunc(g.Rules, func(r *expr.Rule) bool { return r.ID == c.start }))
		checkMemory(t, c.file, &ast.General{Packed: packed, Accepting: accepting}, kind, c.head, c.unit, c.tail)
	}
}

// The same of left recursion, of one production and of several that begin with each other. Its guides decide all this.
func TestMemoryOfLeftRecursion(t *testing.T) {
	for _, c := range []struct{ grammar, head, unit, tail string }{
		{"s = s \"a\" / \"\"\n", "", "a", ""},
		{"list = list \",\" item / item\nitem = \"a\" / \"(\" list \")\"\n", "", "a,(a,a),", "a"},
		{"e = e \"+\" t / e \"-\" t / t\nt = t \"*\" f / f\nf = \"(\" e \")\" / \"a\"\n", "", "a+(a-a*a)*a-", "a"},
		{"s = s s \"+\" / \"a\"\n", "a", "a+", ""},
		{"v = i / d / \"a\" / \"(\" v \")\"\ni = v \"[\" v \"]\"\nd = v \".\" \"a\"\n", "(a)", "[a.a].a", ""},
	} {
		g := must.Of(bnf.ReadABNF("a.abnf", []byte(strings.ReplaceAll(c.grammar, "\n", "\r\n"))))(t)
		start := g.Rules[0].ID
		packed := must.Of(Tables(g, func(string) bool { return true }, nothingProven, start))(t)
		p := &ast.General{Packed: packed}
		checkMemory(t, c.grammar, p, 1, c.head, c.unit, c.tail)
		var run ast.Run
		if _, ok := p.Within(&run, nil, 1, c.head+strings.Repeat(c.unit, 10)+c.tail, true); !ok || !run.Guided {
			t.Errorf("%s: derived: %t, by a guide: %t", c.grammar, ok, run.Guided)
		}
	}
}

// checkMemory reports it if p allocates more, for head, unit any number of times, and tail.
func checkMemory(t *testing.T, name string, p *ast.General, kind ast.Kind, head, unit, tail string) {
	const constant = 1 << 18
	p.Accept(kind, head+unit+tail) // unpacks the tables
	p.Parse(nil, kind, head+unit+tail)
	for _, size := range []int{100 << 10, 400 << 10, longtest.Size(800<<10, 8<<20)} {
		src := head + strings.Repeat(unit, size/len(unit)) + tail
		ok := false
		used := allocated(func() { ok = p.Accept(kind, src) })
		if !ok {
			t.Fatalf("%s: %d bytes are not derived", name, len(src))
		}
		if each := float64(used-constant) / float64(len(src)); each > 16 {
			t.Errorf("%s: %.1f bytes for each of %d to accept", name, each, len(src))
		}
		t.Logf("%s: %d bytes allocated to accept %d", name, used, len(src))
		var nodes []ast.Raw
		used = allocated(func() { nodes, ok = p.Parse(nil, kind, src) })
		if !ok {
			t.Fatalf("%s: %d bytes have no tree", name, len(src))
		}
		own := len(nodes) * int(unsafe.Sizeof(ast.Raw{}))
		if used-constant > 2*own {
			t.Errorf("%s: %d bytes for a tree of %d", name, used, own)
		}
		t.Logf("%s: %d bytes allocated for the tree of %d, %.2f times its nodes", name, used, len(src), float64(used)/float64(own))
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}
