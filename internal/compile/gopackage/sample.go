package gopackage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file compares a generated package with its grammar on random words.
//
// The package runs as it stands in its folder, in processes (process.go). The grammar is judged by
// its automata and interpreters, which share no code with the package. Laws say what must hold of
// each word; package sample draws words, checks the laws, and shrinks a word that breaks one.

// A Sampling is the result of [Sample].
type Sampling struct {
	Words    int      // how many were tried
	Findings []string // words on which the package and the grammar differ
	Omitted  []string // productions for which no words are drawn, with the reason
	Judged   string   // what the proven checker finds; "" if there is none
}

// sampledNesting is the depth to which words of productions that embed themselves are drawn.
const sampledNesting = 3

// Sample compiles the package in a folder and checks what it returns against the grammar, on about so many words in
// all, drawn from each production. It checks that AcceptsAs and ParseAs accept what the production derives; that a
// tree is a derivation, that its spans nest and, if no PEG and no entry of the lock file decides, that it is the tree
// of the rule; and where a rejected string goes wrong. If proven is not empty, it is the path of proof/check, which is
// also asked about each tree. Differences on words are findings, and no error. Productions of which no words can be
// drawn are in Omitted. Sample fails if the source is wrong, or if the package does not compile, does not start, or
// has another number of productions. If proof/check fails, the sampling so far is returned with the error.
func Sample(src Source, folder string, words int, seed uint64, proven string) (*Sampling, error) {
	p, err := newWriter(src)
	if err != nil {
		return nil, err
	}
	// The tree is that of the rule unless a PEG or an entry of the lock file chooses another.
	plain := p.PEG == nil
	if plain {
		prefer, err := p.readPreferences()
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
	program, err := compileServer(folder, temporary)
	if err != nil {
		return nil, err
	}
	// Words are tried on all processors at once, each by a process and an interpreter of its own.
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
	isNode := func(id string) bool { return p.isNode[id] }
	s := &sampler{
		writer:   p,
		plain:    plain,
		children: children,
		proven:   proven,
		grammar:  interpreter.Named(p.bnf, isNode),
	}
	s.checker, err = interpreter.NewChecker(p.bnf, s.grammar)
	if err != nil {
		return nil, err
	}
	out := &Sampling{}
	each := words/len(p.bnf.Rules) + 1
	for i, r := range p.bnf.Rules {
		kind := ast.Kind(i + 1)
		report, err := s.sampleProduction(kind, r, each, seed)
		if err != nil {
			out.Omitted = append(out.Omitted, fmt.Sprintf("%s: %v", r.Name, err))
			continue
		}
		out.Words += report.Words
		for _, f := range report.Failures {
			shortest := ""
			if f.Shortest {
				shortest = ", and of no shorter string"
			}
			out.Findings = append(out.Findings, fmt.Sprintf("%s: not true of %s%s: %s: %v (found as %s)",
				r.Name, quote.Word(f.Word), shortest, f.Law, f.Err, quote.Word(f.Found)))
		}
	}
	return out, s.askProvenChecker(temporary, out)
}

// askProvenChecker has proof/check judge all trees in s.trees. It adds those that are wrong to out.Findings, in the
// order of their lines and without a limit, and sets out.Judged. Without a proven checker, or without trees, it does
// nothing. It fails if the checker does not answer for each tree.
func (s *sampler) askProvenChecker(folder string, out *Sampling) error {
	if s.proven == "" {
		return nil
	}
	var lines []string
	s.trees.Range(func(line, _ any) bool {
		lines = append(lines, line.(string))
		return true
	})
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines) // so that findings have one order
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
		switch {
		case is == "the first derivation":
			first++
		case is == "a derivation": // a right tree, though not that of the first derivation
		case is == "another derivation" && !s.plain: // the user or the PEG has chosen it
		default:
			out.Findings = append(out.Findings, fmt.Sprintf("%s: %s: %s", s.proven, is, lines[i]))
		}
	}
	out.Judged = fmt.Sprintf("; of %d trees, %s finds each a derivation, and %d the first",
		len(said), s.proven, first)
	return nil
}

// A sampler compares a package with its grammar.
type sampler struct {
	*writer
	plain    bool          // trees are those of the rule: neither a PEG nor the user has chosen others
	children chan *process // those that answer no question now
	grammar  *ast.Grammar
	checker  *ast.Checker
	proven   string   // the path of proof/check, or ""
	trees    sync.Map // the lines that ask it about trees, as keys
}

// A sampled is a word, what the grammar tells about it, and the answer of the package.
type sampled struct {
	w       string
	derived bool
	tree    []ast.Raw // of the rule, by the interpreter
	is      answer    // of the package
}

// describe returns the production and the span of a node, for messages.
func (s *sampler) describe(n ast.Raw) string {
	return fmt.Sprintf("%s %d..%d", s.grammar.Production(n.Kind).Name, n.Start, n.End)
}

// sampleProduction checks the laws on words of production r, whose kind is kind. If r embeds itself, words
// are drawn with recursion cut off. The report has the words that break a law, those on which the interpreter and the
// automaton of a regular r disagree, and those for which the interpreter or the package gives no answer.
// sampleProduction fails if r is or uses a production with a scanner, or if its automaton or its interpreter cannot be
// made.
func (s *sampler) sampleProduction(
	kind ast.Kind, r *expr.Rule, words int, seed uint64,
) (report *sample.Report, err error) {
	defer budget.Catch(&err) // of the words that are drawn
	if scanned := s.scanned[r.ID]; scanned != nil {
		return nil, fmt.Errorf("a scanner says where %s ends", scanned.Name)
	}
	a, err := lang.FromBNF(s.bnf, r.ID)
	regular := err == nil // so a is the whole language, and can judge as well
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
	// A word is read by one deriver and one child process; as many words are read at once as there are children.
	derivers := make(chan *interpreter.Deriver, cap(s.children))
	for range cap(derivers) {
		d, err := interpreter.New(s.bnf, r.ID, func(id string) bool { return s.isNode[id] })
		if err != nil {
			return nil, err
		}
		derivers <- d
	}
	read := func(_ int, w string) (v sampled, err error) {
		v.w = w
		d, c := <-derivers, <-s.children
		defer func() {
			derivers <- d
			s.children <- c
		}()
		v.tree, v.derived, err = d.Derive(nil, w)
		if err != nil {
			return v, err
		}
		if regular && v.derived != a.Match(w) {
			const format = "the interpreter of the grammar derives it: %t, and its automaton does not agree"
			return v, fmt.Errorf(format, v.derived)
		}
		v.is, err = c.ask(kind, w)
		return v, err
	}
	whole := a // the language of r, if a is all of it
	if !regular {
		whole = nil
	}
	laws := append(s.laws(kind), s.offsetLaw(kind, whole))
	// The counting of package sample keeps a number for each state and length.
	const maxLength, maxNumbers = 40, 200_000
	length := max(4, min(maxLength, maxNumbers/a.States()))
	plan := sample.Plan{
		Languages: []*sample.Language{sample.New(a, length)},
		Cover:     words / 4,
		Words:     words - words/4,
		Seed:      seed,
	}
	return sample.Hold(plan, read, laws), nil
}

// laws returns the laws that hold for each word and the answer of the package for it, except the one on the
// place of an error. If s.proven is set, the law on derivations also enters in s.trees each tree that the checker
// passes; proof/check is asked about them at the end. The law that a tree is that of the first printed alternatives is
// applied only if s.plain is set.
func (s *sampler) laws(kind ast.Kind) []sample.Law[sampled] {
	hasTree := func(v sampled) bool { return v.is.nodes != nil }
	return []sample.Law[sampled]{
		{
			Name: "AcceptsAs accepts what is derived",
			Holds: func(v sampled, _ *rand.Rand) error {
				if v.is.accepts != v.derived {
					return fmt.Errorf("derived: %t, accepted: %t", v.derived, v.is.accepts)
				}
				return nil
			},
		},
		{
			Name: "ParseAs returns a tree of what is derived",
			Holds: func(v sampled, _ *rand.Rand) error {
				if hasTree(v) != v.derived {
					return fmt.Errorf("derived: %t, a tree: %t", v.derived, hasTree(v))
				}
				return nil
			},
		},
		{
			Name: "a tree is a derivation, and its spans nest",
			Of:   hasTree,
			Holds: func(v sampled, _ *rand.Rand) error {
				t := &ast.Tree{Grammar: s.grammar, Source: v.w, Nodes: v.is.nodes}
				err := s.checker.Check(t)
				// proof/check is asked about all trees in one run, at the end.
				if s.proven != "" && err == nil {
					tree := strings.Join(interpreter.Bracketed(t), " ")
					s.trees.Store(fmt.Sprintf("%d %x %s", kind, v.w, tree), true)
				}
				return err
			},
		},
		{
			Name:  "a tree is that of the first printed alternatives",
			Of:    func(v sampled) bool { return s.plain && v.derived && hasTree(v) },
			Holds: func(v sampled, _ *rand.Rand) error { return s.compareTrees(v) },
		},
	}
}

// compareTrees returns an error if the tree of the package differs from that of the rule.
func (s *sampler) compareTrees(v sampled) error {
	for i := range min(len(v.tree), len(v.is.nodes)) {
		is, want := v.is.nodes[i], v.tree[i]
		if is != want {
			return fmt.Errorf("node %d is %s, and by the rule %s", i, s.describe(is), s.describe(want))
		}
	}
	if is, want := len(v.is.nodes), len(v.tree); is != want {
		return fmt.Errorf("%d nodes, and by the rule %d", is, want)
	}
	return nil
}

// offsetLaw returns the law on the place of an error: it is at the first byte with which no word of the
// production goes on or, in a grammar over code points, at the character with that byte. a is the automaton of the
// production. If a is nil, or the error explains another production, the law is only that the place is in the string.
func (s *sampler) offsetLaw(kind ast.Kind, a *lang.DFA) sample.Law[sampled] {
	return sample.Law[sampled]{
		Name: "an error is at the first byte that cannot stand there, or the character with it",
		Of:   func(v sampled) bool { return !v.derived && v.is.nodes == nil },
		Holds: func(v sampled, _ *rand.Rand) error {
			if v.is.offset < 0 || v.is.offset > len(v.w) {
				return fmt.Errorf("it is at %d", v.is.offset)
			}
			if a == nil || v.is.explained != kind {
				return nil // in the second case the scheme's production is explained
			}
			q, n := 0, 0
			for n < len(v.w) && a.Live(a.Next(q, v.w[n])) {
				q = a.Next(q, v.w[n])
				n++
			}
			// In a grammar over code points the whole character is wrong.
			for s.bnf.CodePoints && !utf8.ValidString(v.w[:n]) {
				n--
			}
			if v.is.offset != n {
				return fmt.Errorf("it is at %d, and not at %d", v.is.offset, n)
			}
			return nil
		},
	}
}
