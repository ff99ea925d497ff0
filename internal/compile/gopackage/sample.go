package gopackage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Sampling is what came of [Sample].
type Sampling struct {
	Words    int
	Findings []string // words on which the package and the grammar differ
	Omitted  []string // productions of which no words are drawn, with the reason
	Judged   string   // what the proven checker finds
}

// sampledNesting is the depth to which words of productions that embed themselves are drawn.
const sampledNesting = 3

// Sample compiles the package in a folder and checks what it returns against the grammar, on about as many words as are asked for, of
// each production that it parses: that AcceptsAs and ParseAs accept what the production derives; that a tree is a derivation, its spans
// nest and, where no PEG and no entry of the lock file decides, it is that of the rule; and where a rejected string goes wrong. The
// grammar is read by its automata and interpreters, and not by the code of the package. If proven is not empty, it is the program
// proof/check, which is asked about each tree as well. The error is about the package, which may not compile.
func Sample(src Source, folder string, words int, seed uint64, proven string) (*Sampling, error) {
	p, err := load(src)
	if err != nil {
		return nil, err
	}
	plain := p.PEG == nil
	if plain {
		prefer, err := p.preferences()
		if err != nil {
			return nil, err
		}
		plain = len(prefer) == 0
	}
	temporary, remove, err := atomicfile.Folder()
	if err != nil {
		return nil, err
	}
	defer remove()
	program, err := compile(folder, temporary)
	if err != nil {
		return nil, err
	}
	children := make(chan *process, runtime.GOMAXPROCS(0))
	for range cap(children) {
		c := &process{program: program}
		defer c.stop()
		if err := c.start(); err != nil {
			return nil, err
		}
		if c.productions != len(p.bnf.Rules)+1 {
			return nil, fmt.Errorf("the package has %d productions, the grammar %d", c.productions-1, len(p.bnf.Rules))
		}
		children <- c
	}
	s := &sampler{writer: p, plain: plain, children: children, proven: proven, grammar: interpreter.Named(p.bnf, func(id string) bool { return p.node[id] })}
	if s.checker, err = interpreter.NewChecker(p.bnf, s.grammar); err != nil {
		return nil, err
	}
	out := &Sampling{}
	each := words/len(p.bnf.Rules) + 1
	for i, r := range p.bnf.Rules {
		kind := ast.Kind(i + 1)
		report, err := s.production(kind, r, each, seed)
		if err != nil {
			out.Omitted = append(out.Omitted, fmt.Sprintf("%s: %v", r.Name, err))
			continue
		}
		out.Words += report.Words
		for _, f := range report.Failures {
			shortest := map[bool]string{true: ", and of no shorter string"}[f.Shortest]
			out.Findings = append(out.Findings, fmt.Sprintf("%s: not true of %s%s: %s: %v (found as %s)", r.Name, quote.Word(f.Word), shortest, f.Law, f.Err, quote.Word(f.Found)))
		}
	}
	return out, s.judge(temporary, out)
}

// judge has proof/check judge the trees.
func (s *sampler) judge(folder string, out *Sampling) error {
	if s.proven == "" {
		return nil
	}
	var lines []string
	s.trees.Range(func(line, _ any) bool { lines = append(lines, line.(string)); return true })
	grammar, trees := filepath.Join(folder, "grammar"), filepath.Join(folder, "trees")
	if err := os.WriteFile(grammar, []byte(interpreter.CheckedBy(s.bnf, s.grammar)), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(trees, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		return err
	}
	text, err := exec.Command(s.proven, grammar, "trees", trees).Output()
	said := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if err != nil || len(said) != len(lines) {
		return fmt.Errorf("%s: %d answers about %d trees: %v", s.proven, len(said), len(lines), err)
	}
	first := 0
	for i, is := range said {
		if is == "the first derivation" {
			first++
		} else if is != "a derivation" && (is != "another derivation" || s.plain) {
			out.Findings = append(out.Findings, fmt.Sprintf("%s: %s: %s", s.proven, is, lines[i]))
		}
	}
	out.Judged = fmt.Sprintf("; of %d trees, %s finds each a derivation, and %d the first", len(said), s.proven, first)
	return nil
}

// A sampler compares a package with its grammar.
type sampler struct {
	*writer
	plain    bool // trees are those of the rule
	children chan *process
	grammar  *ast.Grammar
	checker  *ast.Checker
	proven   string   // proof/check, or empty
	trees    sync.Map // that it is asked about
}

// A sampled is a word, what the grammar knows of it, and what the package returns.
type sampled struct {
	w       string
	derived bool
	tree    []ast.Raw // by the rule
	is      answer
}

func (s *sampler) show(n ast.Raw) string {
	return fmt.Sprintf("%s %d..%d", s.grammar.Production(n.Kind).Name, n.Start, n.End)
}

// production holds the laws on words of one production.
func (s *sampler) production(kind ast.Kind, r *expr.Rule, words int, seed uint64) (*sample.Report, error) {
	a, err := lang.FromBNF(s.bnf, r.ID)
	regular := err == nil
	if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
		cut, deep := s.bnf.Nesting().To(sampledNesting)
		if deep != nil {
			return nil, deep
		}
		a, err = lang.FromBNF(cut, r.ID)
	}
	if err != nil {
		return nil, err
	}
	derivers := make(chan *interpreter.Deriver, cap(s.children))
	for range cap(derivers) {
		d, err := interpreter.New(s.bnf, r.ID, func(id string) bool { return s.node[id] })
		if err != nil {
			return nil, err
		}
		derivers <- d
	}
	read := func(_ int, w string) (v sampled, err error) {
		v.w = w
		d, c := <-derivers, <-s.children
		defer func() { derivers <- d; s.children <- c }()
		if v.tree, v.derived, err = d.Derive(nil, w); err != nil {
			return v, err
		}
		if regular && v.derived != a.Match(w) {
			return v, fmt.Errorf("the interpreter of the grammar derives it: %t, and its automaton does not agree", v.derived)
		}
		v.is, err = c.ask(kind, w)
		return v, err
	}
	laws := []sample.Law[sampled]{
		{Name: "AcceptsAs accepts what is derived", Holds: func(v sampled, _ *rand.Rand) error {
			if v.is.accepts != v.derived {
				return fmt.Errorf("derived: %t, accepted: %t", v.derived, v.is.accepts)
			}
			return nil
		}},
		{Name: "ParseAs returns a tree of what is derived", Holds: func(v sampled, _ *rand.Rand) error {
			if (v.is.nodes != nil) != v.derived {
				return fmt.Errorf("derived: %t, a tree: %t", v.derived, v.is.nodes != nil)
			}
			return nil
		}},
		{Name: "a tree is a derivation, and its spans nest", Of: func(v sampled) bool { return v.is.nodes != nil }, Holds: func(v sampled, _ *rand.Rand) error {
			t := &ast.Tree{Grammar: s.grammar, Source: v.w, Nodes: v.is.nodes}
			err := s.checker.Check(t)
			if s.proven != "" && err == nil {
				s.trees.Store(fmt.Sprintf("%d %x %s", kind, v.w, strings.Join(interpreter.Bracketed(t), " ")), true)
			}
			return err
		}},
		{Name: "a tree is that of the first printed alternatives", Of: func(v sampled) bool { return s.plain && v.derived && v.is.nodes != nil }, Holds: func(v sampled, _ *rand.Rand) error {
			for i := range min(len(v.tree), len(v.is.nodes)) {
				if is, want := v.is.nodes[i], v.tree[i]; is != want {
					return fmt.Errorf("node %d is %s, and by the rule %s", i, s.show(is), s.show(want))
				}
			}
			if is, want := len(v.is.nodes), len(v.tree); is != want {
				return fmt.Errorf("%d nodes, and by the rule %d", is, want)
			}
			return nil
		}},
		{Name: "an error is at the first byte that cannot stand there, or the character with it", Of: func(v sampled) bool { return !v.derived && v.is.nodes == nil }, Holds: func(v sampled, _ *rand.Rand) error {
			if v.is.offset < 0 || v.is.offset > len(v.w) {
				return fmt.Errorf("it is at %d", v.is.offset)
			}
			if !regular || v.is.explained != kind {
				return nil // the scheme's production is explained
			}
			q, n := 0, 0
			for n < len(v.w) && a.Live(a.Next(q, v.w[n])) {
				q, n = a.Next(q, v.w[n]), n+1
			}
			for s.bnf.CodePoints && !utf8.ValidString(v.w[:n]) {
				n--
			}
			if v.is.offset != n {
				return fmt.Errorf("it is at %d, and not at %d", v.is.offset, n)
			}
			return nil
		}},
	}
	const longest, most = 40, 200_000 // numbers that the counting keeps
	plan := sample.Plan{Languages: []*sample.Language{sample.New(a, max(4, min(longest, most/a.States())))}, Cover: words / 4, Words: words - words/4, Seed: seed}
	return sample.Hold(plan, read, laws), nil
}
