// Package runtimesuite makes the suite that a runtime of any language must pass: the tables of a grammar
// as lists of numbers, inputs, and for each input what package ast answers with these tables: whether it is
// derived, the tree, or the error. docs/table-format.md describes it.
//
// A suite is made from the tables of a package ([gopackage.MakeParts]) by running them. [Suite.Check] reads
// the tables out of a suite instead, and so is the first of the runtimes that must pass it.
package runtimesuite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Title and Format say what a document is. The format rises when a suite changes its form.
const (
	Title  = "bnfcheck runtime"
	Format = 1
)

// A Suite is the tables of one grammar, and what they answer.
type Suite struct {
	Suite       string       `json:"suite"`
	Format      int          `json:"format"`
	Command     string       `json:"command,omitempty"`
	Grammar     string       `json:"grammar"` // the beginning of each message
	CodePoints  bool         `json:"codePoints"`
	Productions []Production `json:"productions"` // by kind from 1
	Derives     string       `json:"derives"`     // by kind: g for the general parser; else the ordered automaton
	Tables      Tables       `json:"tables"`
	Cases       []Case       `json:"cases"`
}

// A Production has the facts about a production that messages use.
type Production struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Section string `json:"section"`
	Cited   string `json:"cited"` // the section, as messages cite it
	File    string `json:"file"`
	Line    int    `json:"line"`
	Lexical bool   `json:"lexical"`
}

// Tables has the lists of each table; nil for a table that the grammar does not need.
type Tables struct {
	Proven       Lists `json:"proven,omitempty"`
	Ordered      Lists `json:"ordered,omitempty"`
	Trees        Lists `json:"trees,omitempty"`
	Accepting    Lists `json:"accepting,omitempty"`
	Explaining   Lists `json:"explaining,omitempty"`
	Alternatives Lists `json:"alternatives"`
}

// Lists has the lists of a table in the order of docs/table-format.md.
type Lists [][]int

// A Case is an input of a production, with the answer that a runtime must give.
type Case struct {
	Production int        `json:"production"`
	Input      quote.Word `json:"input"`
	Accepts    bool       `json:"accepts"`
	Prefix     int        `json:"prefix"` // the length of the longest prefix that is derived, or -1
	Tree       []Node     `json:"tree,omitempty"`
	Error      *Error     `json:"error,omitempty"`
}

// A Node is a node of a tree in pre-order: its kind, where it begins and ends, the index of the first node
// after its subtree, and the number of its alternative from 1, or 0 for none.
type Node [5]int

// An Error is a rejection.
type Error struct {
	Message    string   `json:"message"`
	Offset     int      `json:"offset"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	In         []int    `json:"in"` // the productions that were being matched
	Expected   []string `json:"expected"`
	Incomplete bool     `json:"incomplete"`
}

// How many words of each kind of [Words] a production gets.
const (
	coverWords = 250
	drawnWords = 10
)

// Make makes the suite of the parts of a package, and checks it. command is the command that made the suite,
// for readers. Inputs that take more than the limits are left out. Make fails only at a defect: if the tables
// do not read back as they were written, or the check fails.
func Make(parts *gopackage.Parts, command string) (*Suite, error) {
	s := &Suite{
		Suite: Title, Format: Format, Command: command,
		Grammar: parts.Source.Package, CodePoints: parts.Grammar.CodePoints,
		Derives: parts.Tables.Letters(),
	}
	for _, p := range parts.Productions[1:] {
		s.Productions = append(s.Productions, Production{p.ID, p.Name, p.Section,
			citation.Place{Section: p.Section}.String(), p.File, p.Line, p.Lexical})
	}
	packed := map[*Lists]string{
		&s.Tables.Ordered:    parts.Tables.Automaton,
		&s.Tables.Trees:      parts.Tables.General,
		&s.Tables.Accepting:  parts.Tables.Accepting,
		&s.Tables.Explaining: parts.ExplainingGeneral,
	}
	if parts.Explaining != nil {
		packed[&s.Tables.Proven] = annotated.PackTables(parts.Explaining)
	}
	for to, text := range packed {
		if text == "" {
			continue
		}
		lists, err := annotated.Lists(text)
		if err != nil {
			return nil, err
		}
		*to = lists // not nil, even if it is empty
	}
	s.Tables.Alternatives = Lists{annotated.Numbers([]byte(parts.Rules.Text)), parts.Rules.Counts, parts.Rules.Parts}

	g := parts.Interpreted()
	rng := rand.New(rand.NewPCG(5234, 27)) // fixed, so that the suite is always the same
	asked := map[Word]bool{}
	for _, w := range Words(parts, rng, coverWords, drawnWords) {
		if asked[w] {
			continue
		}
		asked[w] = true
		c, err := answerOf(g, w)
		if err != nil {
			continue // it takes more than the limits, which are not part of the tables
		}
		s.Cases = append(s.Cases, c)
	}
	return s, s.Check()
}

// answerOf returns the answer of package ast to w, with g. It fails if that takes more than the limits.
func answerOf(g *ast.Grammar, w Word) (Case, error) {
	c := Case{Production: int(w.Kind), Input: quote.Word(w.Text), Accepts: g.Accept(w.Kind, w.Text), Prefix: -1}
	tree, err := g.Derive(w.Kind, w.Text)
	if refused, ok := errors.AsType[*ast.SyntaxError](err); ok {
		p := refused.Position()
		c.Error = &Error{
			Message: err.Error(), Offset: refused.Offset, Line: p.Line, Column: p.Column,
			In: []int{}, Expected: append([]string{}, refused.Terms()...), Incomplete: refused.Incomplete,
		}
		for _, k := range refused.In {
			c.Error.In = append(c.Error.In, int(k))
		}
	} else if err != nil {
		return c, err
	} else {
		c.Tree = nodesOf(tree)
	}
	prefix, _, err := g.ParsePrefix(w.Kind, w.Text)
	if err == nil {
		c.Prefix = prefix.Root().End()
	} else if _, ok := errors.AsType[*ast.SyntaxError](err); !ok {
		return c, err
	}
	return c, nil
}

// nodesOf returns the nodes of a tree in pre-order.
func nodesOf(tree *ast.Tree) (list []Node) {
	var open []int // the indexes of the nodes around n, one for each level
	for depth, n := range tree.Root().All() {
		for len(open) > depth {
			list[open[len(open)-1]][3] = len(list)
			open = open[:len(open)-1]
		}
		open = append(open, len(list))
		list = append(list, Node{int(n.Kind()), n.Start(), n.End(), 0, int(n.Alternative())})
	}
	for _, i := range open {
		list[i][3] = len(list)
	}
	return list
}

// grammarOfTables returns the grammar that package ast runs with the tables of the suite. The suite must have
// three lists of alternatives. If its tables are wrong, it may panic, and so may the grammar.
func (s *Suite) grammarOfTables() *ast.Grammar {
	pack := func(l Lists) string {
		if l == nil {
			return ""
		}
		return annotated.Pack(l...)
	}
	text, counts, choices := s.Tables.Alternatives[0], s.Tables.Alternatives[1], s.Tables.Alternatives[2]
	letters := make([]byte, len(text))
	for i, c := range text {
		letters[i] = byte(c)
	}
	parts := &gopackage.Parts{
		Source:      gopackage.Source{Package: s.Grammar},
		Grammar:     &expr.Grammar{CodePoints: s.CodePoints},
		Productions: []ast.Production{{}},
		Tables: bnftogo.Tables{
			Automaton: pack(s.Tables.Ordered), General: pack(s.Tables.Trees), Accepting: pack(s.Tables.Accepting),
		},
		ExplainingGeneral: pack(s.Tables.Explaining),
		Rules:             gopackage.Rules{Text: string(letters), Counts: counts, Parts: choices},
	}
	for _, p := range s.Productions {
		parts.Productions = append(parts.Productions,
			ast.Production{ID: p.ID, Name: p.Name, Section: p.Section, File: p.File, Line: p.Line, Lexical: p.Lexical})
	}
	for _, letter := range []byte(s.Derives) {
		parts.Tables.Derives = append(parts.Tables.Derives, bnftogo.Engine(letter))
	}
	if s.Tables.Proven != nil {
		parts.Explaining = &ast.Tables{Packed: pack(s.Tables.Proven)}
	}
	return parts.Interpreted()
}

// withoutGuides returns g with a general parser that uses no guide. It must give the same answers from other
// tables: those for accepting are read where no guide decides.
func withoutGuides(g *ast.Grammar) *ast.Grammar {
	all := *g
	all.Within = func(run *ast.Run, dst []ast.Raw, start ast.Kind, src string, tree bool) ([]ast.Raw, bool) {
		run.Unguided = true
		return g.Within(run, dst, start, src, tree)
	}
	all.Accept = func(start ast.Kind, src string) bool {
		_, ok := all.Within(&ast.Run{}, nil, start, src, false)
		return ok
	}
	all.Parse = func(dst []ast.Raw, start ast.Kind, src string) ([]ast.Raw, bool) {
		return all.Within(&ast.Run{}, dst, start, src, true)
	}
	return &all
}

// Check runs package ast with the tables of the suite on all its cases and, if productions nest, both with
// guides and without. It fails if the document is not a suite of this format, and at the first case with
// another answer.
func (s *Suite) Check() (err error) {
	if s.Suite != Title || s.Format != Format || len(s.Tables.Alternatives) != 3 {
		return fmt.Errorf("expected a %q suite of format %d", Title, Format)
	}
	if len(s.Cases) == 0 {
		return errors.New("the suite has no case")
	}
	at := 0
	// Package ast trusts the tables of generated code. In a suite that somebody has changed they may lead
	// anywhere.
	defer func() {
		if recovered := recover(); recovered != nil {
			err = fmt.Errorf("case %d: the tables lead nowhere: %v", at, recovered)
		}
	}()
	g := s.grammarOfTables()
	ways := []*ast.Grammar{g}
	if g.Within != nil {
		ways = append(ways, withoutGuides(g))
	}
	for i, want := range s.Cases {
		at = i
		if want.Production < 1 || want.Production > len(s.Productions) {
			return fmt.Errorf("case %d: there is no production %d", i, want.Production)
		}
		for _, way := range ways {
			got, err := answerOf(way, Word{ast.Kind(want.Production), string(want.Input)})
			if err != nil {
				return fmt.Errorf("case %d: %w", i, err)
			}
			if !reflect.DeepEqual(got, want) {
				return fmt.Errorf("case %d: %s on %s: the answer is %s, the suite has %s",
					i, s.Productions[want.Production-1].ID, want.Input, inJSON(got), inJSON(want))
			}
		}
	}
	return nil
}

// inJSON returns a value as JSON in one line.
func inJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // of texts and numbers, which always are JSON
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Read reads a suite that [Suite.Write] has written. It fails if the text is not JSON of that form; only
// [Suite.Check] looks at the content.
func Read(text []byte) (*Suite, error) {
	s := &Suite{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	return s, nil
}

// Write writes the suite as one document of JSON, with a line for each production, list and case.
func (s *Suite) Write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"suite\": %s,\n\"format\": %d,\n", inJSON(s.Suite), s.Format)
	if s.Command != "" {
		fmt.Fprintf(&b, "\"command\": %s,\n", inJSON(s.Command))
	}
	fmt.Fprintf(&b, "\"grammar\": %s,\n\"codePoints\": %t,\n\"derives\": %s,\n\"productions\": ",
		inJSON(s.Grammar), s.CodePoints, inJSON(s.Derives))
	writeLines(&b, s.Productions)
	b.WriteString(",\n\"tables\": {")
	between := "\n"
	for _, t := range []struct {
		name  string
		lists Lists
	}{
		{"proven", s.Tables.Proven}, {"ordered", s.Tables.Ordered}, {"trees", s.Tables.Trees},
		{"accepting", s.Tables.Accepting}, {"explaining", s.Tables.Explaining}, {"alternatives", s.Tables.Alternatives},
	} {
		if t.lists != nil {
			fmt.Fprintf(&b, "%s%s: ", between, inJSON(t.name))
			writeLines(&b, t.lists)
			between = ",\n"
		}
	}
	b.WriteString("},\n\"cases\": ")
	writeLines(&b, s.Cases)
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// writeLines writes an array of JSON with each element on a line.
func writeLines[T any](b *bytes.Buffer, list []T) {
	between := "[\n"
	for _, v := range list {
		b.WriteString(between)
		b.Write(inJSON(v))
		between = ",\n"
	}
	b.WriteString("]")
}
