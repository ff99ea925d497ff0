package gopackage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// read reads the PEG under the productions' names, and decides what is a node: what the PEG makes a node or, where it makes
// none, what [writer.chooseNodes] chooses.
func (p *writer) read() error {
	if p.PEG == nil {
		return p.chooseNodes()
	}
	rules := peg.For(p.bnf, p.PEG)
	byIdent := map[string]string{}
	for _, r := range p.bnf.Rules {
		if other := byIdent[peg.Ident(r.ID)]; other != "" {
			return expr.Errorf(r.Pos, "the productions %s and %s have one identifier in a .peg file", other, r.ID)
		}
		byIdent[peg.Ident(r.ID)] = r.ID
	}
	made := false
	var missing []error
	for _, r := range p.bnf.Rules {
		in := rules.Rule(r.ID)
		switch {
		case in == nil && bnf.IsCore(r):
			core := *r
			core.Expr = ordered(r.Expr)
			rules = rules.With(append(rules.Rules[:len(rules.Rules):len(rules.Rules)], &core))
		case in == nil:
			missing = append(missing, expr.Errorf(r.Pos, "%s has no rule for the production %s", rules.File, r.ID))
		default:
			p.node[r.ID] = in.Expr.Op == expr.Node
			made = made || p.node[r.ID]
		}
	}
	if len(missing) > 0 {
		return errors.Join(missing...)
	}
	p.peg = rules
	switch {
	case made && len(p.Nodes) > 0:
		return fmt.Errorf("--nodes: the rules of %s make the nodes", rules.File)
	case made:
		return nil
	}
	if err := p.chooseNodes(); err != nil {
		return err
	}
	var all []*expr.Rule
	for _, r := range rules.Rules {
		if p.bnf.Rule(r.ID) != nil && p.node[r.ID] {
			c := *r
			c.Expr = &expr.Expr{Op: expr.Node, Name: r.ID, Sub: []*expr.Expr{r.Expr}, Pos: r.Expr.Pos}
			r = &c
		}
		all = append(all, r)
	}
	p.peg = rules.With(all)
	return nil
}

// parser returns fast.go.
func (p *writer) parser() ([]byte, error) {
	if p.peg == nil {
		return p.compiled()
	}
	printed := map[string]string{}
	for _, r := range p.bnf.Rules {
		printed[r.ID] = p.cite(r)
	}
	kind := func(id string) string {
		if p.bnf.Rule(id) == nil {
			return ""
		}
		return p.kind(id)
	}
	rules := inOrder(p.peg, p.bnf)
	if !p.Unproven {
		if err := p.proveLanguages(rules); err != nil {
			return nil, err
		}
		p.proven = append(p.proven, fmt.Sprintf("each of the %d productions of the BNF derives exactly the strings that its PEG rule matches", len(p.bnf.Rules)))
		if err := p.certify(); err != nil {
			return nil, err
		}
	}
	text, err := pegtogo.Go(rules, pegtogo.Options{Package: p.Package, Printed: printed, Lexical: p.lexical, Kind: kind, MaxGo: p.MaxGo,
		Automaton: func(id string) *lang.DFA {
			if id != p.first.ID {
				return nil
			}
			return bnftogo.Acceptor(p.languages[id])
		}})
	if wrong, ok := errors.AsType[*pegtogo.WrongError](err); ok {
		return nil, reported(wrong.First)
	}
	if err != nil {
		return nil, err
	}
	p.proven = append(p.proven, "the parser takes every transition of every rule's automaton as the PEG does, answer and tree")
	return p.withHeader(text), nil
}

// withHeader returns a file with the header of the package, in the place of its own if it has one.
func (p *writer) withHeader(text []byte) []byte {
	var b bytes.Buffer
	p.header(&b)
	if bytes.HasPrefix(text, []byte("// Code generated ")) {
		_, text, _ = bytes.Cut(text, []byte("\n\n"))
	}
	b.Write(text)
	return b.Bytes()
}

// inOrder returns the rules of a PEG with those of the productions first, in the order of the BNF, which is that of their
// kinds.
func inOrder(rules, b *expr.Grammar) *expr.Grammar {
	var all []*expr.Rule
	for _, r := range b.Rules {
		all = append(all, rules.Rule(r.ID))
	}
	rest := slices.DeleteFunc(rules.Part(expr.IDs(b.Rules)...).Rules, func(r *expr.Rule) bool { return b.Rule(r.ID) != nil })
	return rules.With(append(all, rest...))
}

// A DiffersError is that the rule of a PEG is not the production that it transcribes. It wraps an [*expr.Error].
type DiffersError struct{ error }

// Unwrap returns the place and the message.
func (e *DiffersError) Unwrap() error { return e.error }

// proveLanguages compares the language of each rule with that of its production.
func (p *writer) proveLanguages(rules *expr.Grammar) error {
	languages, err := lang.NewPEG(rules, lang.Limits{})
	if err != nil {
		return err
	}
	wrong := map[string]error{}
	p.languages = map[string]*lang.DFA{}
	for _, r := range p.bnf.Rules {
		rule := rules.Rule(r.ID)
		want, err := lang.FromBNF(p.bnf, r.ID)
		if err != nil {
			return err
		}
		p.languages[r.ID] = want
		got, err := languages.Whole(expr.To(r.ID))
		if err != nil {
			return err
		}
		w, differs := want.SymmetricDifference(got).Shortest()
		switch {
		case !differs:
		case want.Accepts(want.Run(0, w)):
			wrong[r.ID] = &DiffersError{expr.Errorf(rule.Pos, "%s: the production derives %s, and the rule does not match it", r.ID, quote.Word(w))}
		default:
			wrong[r.ID] = &DiffersError{expr.Errorf(rule.Pos, "%s: the rule matches %s, and the production does not derive it", r.ID, quote.Word(w))}
		}
	}
	// One that uses no other wrong rule is the cause.
	var first error
	for _, r := range p.bnf.Rules {
		inner := slices.ContainsFunc(expr.Refs(r.Expr), func(id string) bool { return id != r.ID && wrong[id] != nil })
		if wrong[r.ID] != nil && (first == nil || !inner) {
			if first = wrong[r.ID]; !inner {
				break
			}
		}
	}
	return first
}

// ordered returns an expression of a BNF as one of a PEG, with its alternatives in their printed order and its counts
// written out.
func ordered(e *expr.Expr) *expr.Expr {
	return e.Map(ordered).WrittenOut()
}

// leastNesting is the least depth to which a recursion that nests is proven. At a depth of 2 the palindromes over two letters
// still look as if one byte decided; from 3 on they do not.
const leastNesting = 4

// enough is how many steps may be taken before the general parser derives all productions.
const enough = 1 << 27

// compiled returns fast.go, made of the grammar alone.
func (p *writer) compiled() ([]byte, error) {
	prefer, err := p.preferences()
	if err != nil {
		return nil, err
	}
	o := bnftogo.Options{
		Package: p.Package, Kind: p.kind, Nodes: func(id string) bool { return p.node[id] },
		Starts: []string{p.first.ID}, Prefer: prefer, Nesting: max(p.Nesting, leastNesting), MaxGo: p.MaxGo,
	}
	small := p.bnf.With(p.bnf.Rules)
	small.Budget = p.bnf.Budget.Part(enough)
	var program *bnftogo.Program
	if !p.alone {
		program, err = bnftogo.Compile(small, o)
	}
	if large, ok := errors.AsType[*budget.Exceeded](err); p.alone || ok && large.Limit != budget.Time {
		program, err = bnftogo.General(p.bnf, o)
	}
	if defect, ok := errors.AsType[*bnftogo.DefectError](err); ok {
		return nil, reported(defect)
	}
	if err != nil {
		return nil, p.atSwitched(err)
	}
	for _, d := range program.Defects {
		if p.Defect != nil {
			p.Defect(d + ". The package is right, and slower than it could be. " + report)
		}
	}
	p.tried = program.Tried
	p.ambiguities, p.languages = program.Ambiguities, program.Languages
	p.proven = append(p.proven, program.Proof...)
	if err := p.checkSwitched(); err != nil {
		return nil, err
	}
	p.general = bytes.Contains(program.Source, []byte("\nvar general ="))
	p.deep = bytes.Contains(program.Source, []byte("\nfunc tooDeep("))
	return p.withHeader(program.Source), nil
}

// report says what a self-check is that failed.
const report = "This is a defect of bnfcheck; please report it, with the grammar, at https://github.com/bnfcheck/bnfcheck/issues"

// reported returns an error about a self-check with what to do.
func reported(err error) error {
	var at expr.Pos
	if e, ok := errors.AsType[*expr.Error](err); ok {
		at, err = e.Pos, errors.New(e.Message)
	}
	return expr.Refusef(at, "%v. %s", err, report)
}

// certified returns what a certificate of the grammar and of the PEG, if there is one, is about, and which productions.
func (p *writer) certified() (src certificate.Source, ids []string) {
	src = certificate.Source{BNF: p.Grammar, Readings: p.Readings}
	if p.PEG != nil {
		src.PEG = peg.For(p.Grammar, p.PEG)
	}
	for _, a := range p.Assumptions {
		if name, right, ok := strings.Cut(strings.TrimPrefix(a, defined), "="); ok && strings.HasPrefix(a, defined) {
			src.Defined = append(src.Defined, [2]string{strings.TrimSpace(name), right})
		}
	}
	if p.Start != "" {
		ids = []string{p.first.ID}
	}
	return src, ids
}

// certify sets the hash of the certificate that bnfcheck prove writes for the grammar and the PEG.
func (p *writer) certify() error {
	src, ids := p.certified()
	s, err := certificate.Write(io.Discard, src, ids...)
	if err == nil {
		p.certificate = s.Hash
	}
	return err
}

// defined begins an assumption about a name that is defined by an option.
const defined = "defined: "
