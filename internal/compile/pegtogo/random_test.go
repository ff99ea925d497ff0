package pegtogo

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// options are those for a random grammar.
func options(g *pegtest.Grammar) Options {
	return Options{
		Package: "test",
		Kind: func(id string) string {
			if r := g.Rule(id); r == nil || !r.Production {
				return ""
			}
			return strings.ToUpper(id[:1]) + id[1:]
		},
		Lexical: func(id string) bool { return g.Rule(id).Lexical },
	}
}

// countText returns how many random grammars a test takes: the environment variable, or what is fast.
func count(t *testing.T, variable string, fast int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return fast
}

// A program is the PEG that it was made of, on all short words and on what Go walks. Nothing is run but the machine, so
// that there can be many grammars; TestCompiled runs what a Go compiler makes of such programs.
// BNFCHECK_RANDOM_PEGS says how many.
func TestProgramsAreTheirPEG(t *testing.T) {
	words := pegtest.Words(pegtest.Letters+"\xff", 4)
	made, refused, failures, compared := 0, 0, 0, 0
	for seed := range count(t, "BNFCHECK_RANDOM_PEGS", longtest.Size(80, 200)) {
		random := pegtest.Random(rand.New(rand.NewPCG(uint64(seed), 1)), "")
		g, err := peg.Options{ActionsSucceed: true}.Read("random.peg", []byte(random.String())) // actions that make nodes
		if err != nil {
			t.Fatalf("%v\n%s", err, random)
		}
		p, err := newProgram(g, options(random))
		if err != nil {
			if e := (*expr.Error)(nil); !errors.As(err, &e) || e.Pos.Line == 0 {
				t.Errorf("refused without a place: %v\n%s", err, random)
			}
			refused++
			continue
		}
		made++
		if diff := p.differs(words, &compared); diff != "" {
			t.Errorf("%s\n%s", diff, random)
			if failures++; failures == 5 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d grammars, %d refused, %d words compared", made, refused, compared)
}

// differs returns on which of the words a program and its grammar differ.
func (p *program) differs(words []string, compared *int) string {
	file, err := p.makeSource()
	if err != nil {
		return err.Error()
	}
	p.limits.DFA = 1 << 10
	if err := p.verifyFile(file); err != nil && !strings.Contains(err.Error(), lang.ErrTooLarge.Error()) {
		return err.Error() + show(file)
	}
	m, err := loadFile(file, p.kindConstants(), p.notExecuted()...)
	if err != nil {
		return err.Error()
	}
	for _, test := range conditions(file) {
		if asksTwice(test) {
			return "go vet takes a condition for a mistake: " + test + show(file)
		}
	}
	for name := range m.funcs {
		if name != "parse" && name != "accept" && !strings.Contains(string(file), " "+name+"(src") && strings.Count(string(file), name+"(s, ") == 0 &&
			strings.Count(string(file), "b."+name+"(") == 0 {
			return "nothing calls " + name + show(file)
		}
	}
	for _, r := range p.rules {
		for _, w := range words {
			*compared++
			if diff := p.compareWithPEG(m, r, w); diff != "" {
				return strconv.Quote(w) + ": " + r.ID + ": " + diff + show(file)
			}
		}
	}
	return ""
}

// conditions lists the conditions in a file.
func conditions(file []byte) (all []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "", file, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			all = append(all, types.ExprString(n.Cond))
		case *ast.ForStmt:
			if n.Cond != nil {
				all = append(all, types.ExprString(n.Cond))
			}
		}
		return true
	})
	return all
}

// describeCell returns the functions of a file, if BNFCHECK_RANDOM_SHOW is set.
func show(file []byte) string {
	if os.Getenv("BNFCHECK_RANDOM_SHOW") == "" {
		return ""
	}
	return "\n" + string(file[strings.Index(string(file), "type builder"):])
}

// A file that is wrong is not written: what Go walks it with finds each of these faults, and names the rule and a word.
func TestWalkRefuses(t *testing.T) {
	g := must.Of(peg.Options{ActionsSucceed: true}.Read("test.peg", []byte(node("a", `"x" b ( "," b )* [0-9]*`)+node("b", `"y" "z"? c`)+"c <- [a-f]+\n")))(t)
	p := must.Of(newProgram(g, Options{Package: "test", Kind: exportedName, Lexical: func(id string) bool { return id == "c" }}))(t)
	file := must.Of(p.makeSource())(t)
	must.Do(t, p.verifyFile(file))
	for _, c := range []struct{ old, new, want string }{
		{"s[i] != 'x'", "s[i] != 'w'", "test.peg:1:1: the generated parser of a differs from the grammar on \"xya\": what builds " +
			"its tree fails, where the PEG ends at 3"},
		{"b.put(at, A, from", "b.put(at, B, from",
			"test.peg:1:1: the generated parser of a differs from the grammar on \"xya\": node 0 is b 0..3 (next 2), " +
				"not a 0..3 (next 2)"},
		{"return i, n\n", "return i, n + 1\n",
			"test.peg:1:1: the generated parser of a differs from the grammar on \"xya\": the tree has 3 nodes, not 2"},
		{"i = acceptA(src, 0)", "i = acceptB(src, 0)",
			"test.peg:1:1: the generated parser of a differs from the grammar on \"xya\": accept is false"},
		{"for i < uint(len(s)) && class[s[i]]&inA != 0 {\n\t\ti++",
			"for i < uint(len(s)) && class[s[i]]&inA != 0 {\n\t\ti += 0", "no end within"},
		{"for i < uint(len(s)) && class", "for i <= uint(len(s)) && class", "index 3 in a string of 3 bytes"},
		{"return i, n\n", "return i, m\n", "test.peg: the generated file is not Go: "},
		{"return i, n\n", "return i, n / 1\n", "a generated file holds Go that its machine does not know"},
	} {
		if !strings.Contains(string(file), c.old) {
			t.Fatalf("%q is not in the file\n%s", c.old, file)
		}
		err := p.verifyFile([]byte(strings.Replace(string(file), c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got error %v, want %s", c.new, c.old, err, c.want)
		}
	}
}
