package gopackage

import (
	"errors"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file makes the parts of a package that are the same in every language: its productions and which of
// them are nodes, the tables that derive them and explain rejections, and what was proven about these. A
// package in Go also has straight-line code, which the other files of this package write.

// Parts are the parts of a package without code.
type Parts struct {
	Source  Source
	Grammar *expr.Grammar // the productions that the package has
	Start   *expr.Rule    // the one that is parsed if no other is named

	Productions []ast.Production // by kind; that of 0 is the zero Production
	Tables      bnftogo.Tables
	Prefers     bool // the lock file prefers alternatives, so that the order of the text is not that of the tables

	// Explaining is the automaton that explains rejections. It is nil where a production embeds
	// itself: then ExplainingGeneral has the packed tables of a general parser.
	Explaining        *ast.Tables
	ExplainingGeneral string

	Rules     Rules
	Languages map[string]*lang.DFA // by production, where it is known: the automaton of its language
	Proof     []string             // what was proven, in sentences
	Record    string               // the comment lines that say how the package was made: see [ReadRecord]
	Lock      []byte               // the lock file
	Words     map[string][]string  // by production: strings that it derives, a short one first

	writer *writer
}

// Rules are the productions as [ast.NewChecker] reads them.
type Rules struct {
	Text   string // a line for each production
	Counts []int  // by production from 0: how many alternatives it has; 0 without a choice
	Parts  []int  // by production from 0: the part of its sequence that is the choice
}

// MakeParts makes the parts of a package for a grammar, in a language with this format of packages. The
// language decides which names and how much text a package can have. Otherwise MakeParts fails where [Make] does, and
// for a source with a PEG or scanners, which only Go packages can have. It calls src.Defect as Make does.
func MakeParts(src Source, language string, format int) (parts *Parts, err error) {
	defer func() { err = addPlace(src.Grammar, err) }()
	defer budget.Catch(&err)
	if src.PEG != nil {
		return nil, errors.New("only a Go package is made of a PEG: leave it out, and the grammar's own order decides")
	}
	if len(src.Scan) > 0 {
		return nil, errors.New("only a Go package has scanners: leave --scan out")
	}
	p, err := newWriter(src)
	if err != nil {
		return nil, err
	}
	p.tablesOnly, p.language, p.format = true, language, format
	p.Package = "parts" // of Go that only runs here: the package may have a name that Go does not allow
	if _, err := p.proveAndCompile(); err != nil {
		return nil, err
	}
	parts = &Parts{Source: src, Grammar: p.bnf, Start: p.start, Productions: []ast.Production{{}}, writer: p}
	for i := range p.bnf.Rules {
		parts.Productions = append(parts.Productions, p.production(i))
	}
	parts.Tables = p.program.Tables()
	parts.Prefers = len(p.entriesOn) > 0
	parts.Explaining, parts.ExplainingGeneral, _, err = p.makeTables()
	if err != nil {
		return nil, err
	}
	if parts.Lock, err = p.makeLockFile(); err != nil {
		return nil, err
	}
	parts.Rules = p.rules()
	parts.Languages = p.languages
	parts.Proof = slices.Concat(p.proven, p.assumedSentences())
	parts.Record = p.recordLines()
	parts.Words = p.testWords()
	return parts, nil
}

// assumedSentences returns the assumptions as sentences, to follow those on what was proven.
func (p *writer) assumedSentences() (list []string) {
	for _, a := range p.Assumptions {
		list = append(list, "assumed: "+a)
	}
	return list
}

// testWords returns, by production, a short string that it derives and, after it, those in p.generalWords. A production
// for which no string up to maxTestWord is found is missing, and so is one with a scanner. A production that uses one
// with a scanner has a single string, for which no scanner is asked.
func (p *writer) testWords() map[string][]string {
	shortest := shortWords(p.withoutScanned())
	words := map[string][]string{}
	for _, r := range p.bnf.Rules {
		w, ok := shortest[r.ID]
		if !ok || len(w) > maxTestWord {
			continue
		}
		words[r.ID] = []string{w}
		for _, more := range p.generalWords[r.ID] {
			if more != w && p.scanned[r.ID] == nil {
				words[r.ID] = append(words[r.ID], more)
			}
		}
	}
	return words
}

// A ChildCount is a production that is a child of a node, and how often it is one: at least Min times and at
// most Max, where 2 stands for more than once.
type ChildCount struct {
	ID       string
	Min, Max int
}

// Children lists the children that a node of a production can have, in the order in which they are
// printed. The counts are bounds: a tree need not reach them. A child that cannot occur may be there, with a Max of 0.
func (p *Parts) Children(r *expr.Rule) (list []ChildCount) {
	for _, c := range p.writer.childrenOf(r) {
		list = append(list, ChildCount{c.id, c.min, c.max})
	}
	return list
}

// An AlternativeName tells an alternative of a production from the others: it is one production, or one
// quoted word, or neither.
type AlternativeName struct {
	Production string // its ID
	Word       string
	IsWord     bool
}

// Alternatives lists the alternatives of a production. One that is neither one production nor one word is the zero
// AlternativeName. The list is nil if the production has no choice.
func (p *Parts) Alternatives(r *expr.Rule) (list []AlternativeName) {
	for _, e := range choiceOf(r.Expr).alternatives {
		var name AlternativeName
		if e.Op == expr.Ref {
			name.Production = e.Name
		} else {
			name.Word, name.IsWord = quotedWord(e)
		}
		list = append(list, name)
	}
	return list
}

// CiteLine returns a production as it is printed, in one line, and the place where it is printed.
func (p *Parts) CiteLine(r *expr.Rule) string { return p.writer.citeLine(r) }

// GrammarFile returns the name of the grammar's file, without its folder.
func (p *Parts) GrammarFile() string { return p.writer.grammarFileName() }

// rules returns the productions as [Rules] has them, with the nodes among them.
func (p *writer) rules() (rules Rules) {
	isNode := func(id string) bool { return p.isNode[id] }
	rules.Text = interpreter.CheckedBy(p.bnf, interpreter.Named(p.bnf, isNode))
	for _, r := range p.bnf.Rules {
		c := choiceOf(r.Expr)
		rules.Counts = append(rules.Counts, c.count)
		rules.Parts = append(rules.Parts, c.part)
	}
	return rules
}

// Interpreted returns the grammar with these tables and nothing else, as package ast runs them. A runtime in
// another language has to return the same.
func (p *Parts) Interpreted() *ast.Grammar {
	automaton := &ast.Automaton{Packed: p.Tables.Automaton}
	general := &ast.General{Packed: p.Tables.General, Accepting: p.Tables.Accepting, Proven: automaton.Parse}
	derivedByGeneral := func(start ast.Kind) bool {
		return int(start) < len(p.Tables.Derives) && p.Tables.Derives[start] == bnftogo.GeneralEngine
	}
	rules := annotated.Pack(annotated.Numbers([]byte(p.Rules.Text)), p.Rules.Counts, p.Rules.Parts, nil, nil)
	g := &ast.Grammar{
		Name:        p.Source.Package,
		CodePoints:  p.Grammar.CodePoints,
		Title:       p.Grammar.Title,
		Productions: p.Productions,
		Default:     ast.Kind(1 + slices.Index(p.Grammar.Rules, p.Start)),
		Rules:       rules,
		Parse:       automaton.Parse,
		Accept:      automaton.Accept,
		Tables:      p.Explaining,
	}
	if p.Tables.General != "" { // some productions nest: each is derived by the engine that its tables name
		g.Parse = func(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
			if derivedByGeneral(start) {
				return general.Parse(dst, start, src)
			}
			return automaton.Parse(dst, start, src)
		}
		g.Accept = func(start ast.Kind, src string) bool {
			if derivedByGeneral(start) {
				return general.Accept(start, src)
			}
			return automaton.Accept(start, src)
		}
		g.Within = func(run *ast.Run, dst []ast.Raw, start ast.Kind, src string, tree bool) ([]ast.Raw, bool) {
			switch {
			case derivedByGeneral(start):
				return general.Within(run, dst, start, src, tree)
			case tree:
				return automaton.Parse(dst, start, src)
			}
			return dst, automaton.Accept(start, src)
		}
	}
	if p.Explaining == nil {
		g.Explaining = &ast.General{Packed: p.ExplainingGeneral}
	}
	return g
}
