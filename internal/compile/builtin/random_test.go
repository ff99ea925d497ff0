package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Random PEGs go through both generators, by the functions that write gen/. What comes out is formatted and passes vet;
// a program that holds both parsers runs them on all short words and on a transition cover, and both give the same answer
// and the same tree. Several grammars are one package, since most of the time is the Go compiler's.
// There are perPackage grammars in one package, or five such packages where long tests run; BNFCHECK_RANDOM_PACKAGES says how
// many, and has longer words.
func TestRandomGrammarsCompiled(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and takes seconds")
	}
	packages, length := 1, 3
	if longtest.Enabled() {
		packages = 5
	}
	if n, err := strconv.Atoi(os.Getenv("BNFCHECK_RANDOM_PACKAGES")); err == nil {
		packages, length = n, 4
	}
	t.Chdir(filepath.Join("..", "..", "..")) // where go tool pigeon is
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(5234, 2004))
	var names []string
	var covers []cover
	for k := range packages {
		name := fmt.Sprint("random", k)
		src, file := several(t, rng, name, dir)
		if err := write(src, file, filepath.Join(dir, "gen")); err != nil {
			t.Fatalf("%v\n%s", err, text(t, file))
		}
		names = append(names, name)
		covers = append(covers, covered(t, name, src)...)
	}
	for path, text := range files(t, filepath.Join(dir, "gen")) {
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s is not formatted (%v)", path, err)
		}
	}
	// A module of the same name that has package ast, which is all that generated packages import, and what pigeon's
	// parsers and package compare import.
	for _, folder := range []string{"ast", "internal/analysis/pigeontree", "internal/analysis/treecheck", "internal/base/quote", "internal/base/citation", "internal/base/opcode"} {
		for path, text := range files(t, folder) {
			if !strings.HasSuffix(path, "_test.go") {
				putText(t, filepath.Join(dir, folder, path), text)
			}
		}
	}
	putText(t, filepath.Join(dir, "go.mod"), "module github.com/bnfcheck/bnfcheck\n\ngo 1.26\n")
	putText(t, filepath.Join(dir, "compare", "main.go"), text(t, "internal/compile/builtin/testdata/compare/main.go"))
	putText(t, filepath.Join(dir, "compare", "grammars.go"), imports(names))
	inModule := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
	vet := []string{"vet"}
	for _, name := range names {
		vet = append(vet, "./gen/"+name)
	}
	inModule(vet...)
	program := filepath.Join(dir, "program")
	inModule("build", "-o", program, "./compare")
	var in bytes.Buffer
	must.Do(t, json.NewEncoder(&in).Encode(input{octets(pegtest.Words(pegtest.Letters+"\xff", length)), covers}))
	cmd := exec.Command(program)
	cmd.Stdin = &in
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%d grammars: %s", packages*perPackage, out)
}

var perPackage = longtest.Size(12, 70)

// An input is what testdata/compare reads. Words are for every production of every grammar.
type input struct {
	Words  [][]byte
	Covers []cover
}

// A cover has words for one production.
type cover struct {
	Grammar, Production string
	Words               [][]byte
}

func octets(words []string) [][]byte {
	all := make([][]byte, len(words))
	for i, w := range words {
		all[i] = []byte(w)
	}
	return all
}

func putText(t *testing.T, file, text string) {
	t.Helper()
	must.Do(t, put(file, []byte(text)))
}

func text(t *testing.T, file string) string {
	t.Helper()
	b := must.Of(os.ReadFile(file))(t)
	return string(b)
}

// several makes a source of several random grammars that the generator accepts, and writes its .peg file.
func several(t *testing.T, rng *rand.Rand, name, dir string) (gopackage.Source, string) {
	t.Helper()
	var rules, entries strings.Builder
	lexical := map[string]bool{}
	var productions []string
	for n := 0; n < perPackage; {
		random := pegtest.Random(rng, fmt.Sprintf("g%d", n))
		g := must.Of(peg.Options{ActionsSucceed: true, InvalidUTF8: true}.Read("random.peg", []byte(random.String())))(t) // actions that make nodes
		kind := func(id string) string {
			if r := random.Rule(id); r.Production {
				return strings.ToUpper(id[:1]) + id[1:]
			}
			return ""
		}
		if _, err := pegtogo.Go(g, pegtogo.Options{Package: "p", Kind: kind, Lexical: func(id string) bool { return random.Rule(id).Lexical }}); err != nil {
			continue
		}
		var ids []string
		for _, r := range random.Rules {
			if r.Production {
				ids = append(ids, r.ID)
			}
		}
		if _, err := annotated.Build(unordered(g, ids), func(id string) bool { return random.Rule(id).Lexical }); err != nil {
			continue
		}
		n++
		rules.WriteString(random.String())
		for _, id := range ids {
			productions = append(productions, id)
			lexical[id] = random.Rule(id).Lexical
			fmt.Fprintf(&entries, "%s_entry <- %[1]s !.\n", id)
		}
	}
	front := strings.ReplaceAll(frontOf(t), "rfc1738", name)
	file := filepath.Join(dir, name+".peg")
	must.Do(t, os.WriteFile(file, []byte(front+rules.String()+entries.String()), 0o666))
	g := must.Of(peg.Options{ActionsSucceed: true, InvalidUTF8: true}.Read(file, []byte(front+rules.String()+entries.String())))(t)
	bnf := unordered(g, productions)
	bnf.Name, bnf.Title = name, "a random grammar"
	return gopackage.Source{Plain: true, Package: name, Grammar: bnf, PEG: g, Unproven: true}, file
}

// frontOf returns the Go code that a .peg file begins with.
func frontOf(t *testing.T) string {
	t.Helper()
	text := text(t, filepath.Join("grammar", "rfc1738.peg"))
	from, to := strings.Index(text, "\n{\n"), strings.Index(text, "\n}\n\n")
	if from < 0 || to < from {
		t.Fatal("grammar/rfc1738.peg has no front")
	}
	return text[from+1 : to+3]
}

// unordered returns the productions of a PEG as a BNF: without lookahead, and with the other rules in their places. What
// it derives is not what the PEG accepts; it is what the tables of explanations are made of.
func unordered(g *expr.Grammar, productions []string) *expr.Grammar {
	is := map[string]bool{}
	for _, id := range productions {
		is[id] = true
	}
	var plain func(e *expr.Expr) *expr.Expr
	plain = func(e *expr.Expr) *expr.Expr {
		switch e.Op {
		case expr.And, expr.Not:
			return &expr.Expr{Op: expr.Empty, Pos: e.Pos}
		case expr.Node:
			return plain(e.Sub[0])
		case expr.Ref:
			if !is[e.Name] {
				return plain(g.Rule(e.Name).Expr)
			}
		}
		c := *e
		c.Sub = nil
		for _, s := range e.Sub {
			c.Sub = append(c.Sub, plain(s))
		}
		return &c
	}
	out := &expr.Grammar{Name: g.Name, Title: g.Name, File: g.File}
	for i, id := range productions {
		r := g.Rule(id)
		out.Rules = append(out.Rules, &expr.Rule{ID: id, Name: id, Section: "1", Line: i + 1, Printed: r.Printed, Expr: plain(r.Expr), Pos: r.Pos})
	}
	return out
}

// covered returns transition covers of the productions.
func covered(t *testing.T, name string, src gopackage.Source) []cover {
	t.Helper()
	languages := must.Of(lang.NewPEG(src.PEG, lang.Limits{}))(t)
	var all []cover
	for _, r := range src.Grammar.Rules {
		d := must.Of(languages.Whole(expr.To(r.ID)))(t)
		all = append(all, cover{name, r.ID, octets(d.TransitionCover())})
	}
	return all
}

// imports is the file of testdata/compare that links the grammars.
func imports(names []string) string {
	var b, entries strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, name := range names {
		fmt.Fprintf(&b, "%[1]s %[2]q\n%[1]spigeon %[3]q\n", name, "github.com/bnfcheck/bnfcheck/gen/"+name, "github.com/bnfcheck/bnfcheck/gen/"+name+"/pigeon")
		fmt.Fprintf(&entries, "{%s.Grammar, %[1]spigeon.Tree},\n", name)
	}
	return b.String() + ")\n\nfunc init() {\ngrammars = []parsers{\n" + entries.String() + "}\n}\n"
}
