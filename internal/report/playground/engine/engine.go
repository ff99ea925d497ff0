// Package engine answers what the pages ask: the playground, and the checker of URLs in the report. A question and
// its answer are JSON, and the answer depends on the question alone; so a test holds without a browser what a page
// shows. The work is done by the packages that the commands call.
//
// Offsets are in bytes, and strings that need not be text are in base64, as encoding/json has them.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The bounds of an answer.
const (
	maxRules    = 1000    // productions that are listed
	maxDrawn    = 1 << 20 // bytes of diagrams
	maxFindings = 200
	maxNodes    = 1000 // of a tree
)

// A Question is a question from a page. Ask is one of read, check, explain, lines, sample, lint, diff and
// make; and urls, about the URLs in Text.
type Question struct {
	Ask     string   `json:"ask"`
	Grammar Source   `json:"grammar"`
	Other   Source   `json:"other"`   // of diff
	Strings [][]byte `json:"strings"` // of check, explain and lines
	Tree    *int     `json:"tree"`    // for check: the only string whose tree is wanted; nil for all
	Brief   bool     `json:"brief"`   // of check: where strings go wrong is left out
	Width   int      `json:"width"`   // of diagrams, in pixels; 0 for the usual one
	Seed    uint64   `json:"seed"`    // of sample
	Make    string   `json:"make"`    // vectors, regexp, peg or go
	Format  string   `json:"format"`  // of vectors
	Text    string   `json:"text"`    // of urls
	Chosen  int      `json:"chosen"`  // of urls: the index of the one that is looked at closely
	Seconds float64  `json:"seconds"` // how long the work may take; 0 for as long as its other limits let it
}

// A Choice is a kind of source that the page offers. Endings are those of the names of such files, with the dot.
type Choice struct {
	Kind       string   `json:"kind"`
	Name       string   `json:"name"`
	Endings    []string `json:"endings,omitempty"`
	Expression bool     `json:"expression,omitempty"`
}

// Choices lists the choices; the first is to have the kind seen.
func Choices() []Choice {
	list := []Choice{{Name: "seen in the text"}}
	for _, n := range catalog.Notations {
		list = append(list, Choice{Kind: string(n.Kind), Name: n.Name, Endings: n.Endings})
	}
	for _, flavor := range regex.Flavors() {
		list = append(list, Choice{Kind: flavor, Name: "regexp: " + flavor, Expression: true})
	}
	return list
}

// A Source is a text with a grammar. Kind is one of the catalog, a flavor of regular expressions, or "" to have it
// seen. Start is the ID of a production, "" for the likeliest one. What nests is read to the depth Nesting, or not at
// all. An expression accepts the strings in which it matches somewhere, unless an answer says otherwise.
type Source struct {
	Text    string `json:"text"`
	Kind    string `json:"kind"`
	Start   string `json:"start"`
	Nesting *int   `json:"nesting"`
}

// equal reports whether two sources are the same, to be read in the same way.
func (s Source) equal(o Source) bool {
	sameNesting := s.Nesting == o.Nesting
	if s.Nesting != nil && o.Nesting != nil {
		sameNesting = *s.Nesting == *o.Nesting
	}
	return s.Text == o.Text && s.Kind == o.Kind && s.Start == o.Start && sameNesting
}

// A Session answers one question after the other, and keeps the grammar of the last. It belongs to one goroutine.
type Session struct {
	// Tell, if it is not nil, is called while work goes on, with the steps taken and the production that they are for.
	Tell func(steps int64, production string)

	context.Context                // never ends; Err is the Session's own
	until           time.Time      // when the time of the question has passed; zero for no limit
	left            *budget.Budget // of the source that was opened last
	last            Source
	held            *held // what was made of last
}

// Err returns [context.DeadlineExceeded] once s.until has passed, and calls Tell each time, for which a source must
// have been opened. It makes a Session the context of its budgets, which look at it every now and then: in WebAssembly
// nothing else runs while they work, timers included.
func (s *Session) Err() error {
	if s.Tell != nil {
		s.Tell(s.left.Taken(), s.left.At())
	}
	if !s.until.IsZero() && time.Now().After(s.until) {
		return context.DeadlineExceeded
	}
	return nil
}

// New returns a session.
func New() *Session { return &Session{Context: context.Background()} }

// Answer returns the JSON of the answer to the JSON of a question. What cannot be answered is {"problem": "..."}.
func (s *Session) Answer(question []byte) []byte {
	var q Question
	var answer any
	err := json.Unmarshal(question, &q)
	if err == nil {
		s.until = time.Time{}
		if q.Seconds > 0 {
			s.until = time.Now().Add(time.Duration(q.Seconds * float64(time.Second)))
		}
		answer, err = s.answerQuestion(q)
	}
	if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
		err = fmt.Errorf("%w, so that it is not regular: choose under Nesting how deep it is read", err)
	}
	if err != nil {
		answer = struct {
			Problem string `json:"problem"`
		}{err.Error()}
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return []byte(`{"problem": "no answer"}`)
	}
	return text
}

// answerQuestion dispatches a question by Ask. A budget that is exceeded is an error; the time limit is set by Answer.
func (s *Session) answerQuestion(q Question) (answer any, err error) {
	defer budget.Catch(&err)
	switch q.Ask {
	case "read":
		return s.read(q), nil
	case "check":
		return s.check(q, false)
	case "explain":
		return s.check(q, true)
	case "lines":
		return s.lines(q)
	case "sample":
		return s.sample(q)
	case "lint":
		return s.lint(q.Grammar)
	case "diff":
		return s.diff(q.Grammar, q.Other)
	case "make":
		return s.make(q)
	case "urls":
		return inspect.Check(q.Text, q.Chosen), nil
	}
	return nil, fmt.Errorf("no question %q", q.Ask)
}

// held is a grammar and what was made of it, as far as it was needed.
type held struct {
	*catalog.Opened
	name   string
	parser *anygrammar.Parser // the plain one: see parserOf

	withTree *anygrammar.Parser // the one of withUses
	uses     []*expr.Rule       // the productions that withUses has added

	dfa     *lang.DFA
	noDFA   error // why there is no dfa
	started bool  // dfa or noDFA is set
}

// open opens a source, under a name that appears in places. If match is regex.Search, and name and source are those
// of the last result that was kept, it returns that and changes nothing. Otherwise it sets s.left to a new budget,
// and opens the source: Asked becomes the ID of src.Start if the grammar has that, or else of the production of an
// expression, or the likeliest of a grammar. The result is kept, in place of the last, if match is regex.Search; after
// an error the last result is still kept. The lines end in LF, and an expression loses an LF at its end. For an
// expression the name in places is its flavor.
func (s *Session) open(name string, src Source, match regex.Match) (*held, error) {
	if s.held != nil && s.held.name == name && match == regex.Search && s.last.equal(src) {
		return s.held, nil
	}
	s.left = budget.New(s, budget.Limits{})
	o := catalog.Usual
	o.Notation.Budget, o.PEG.Budget, o.Match = s.left, s.left, match
	kind := src.Kind
	if kind == "" {
		kind = string(Guess(src.Text))
	}
	text := strings.ReplaceAll(src.Text, "\r\n", "\n")
	var opened *catalog.Opened
	var err error
	if slices.Contains(regex.Flavors(), kind) {
		opened, err = catalog.Expression(kind, kind, strings.TrimSuffix(text, "\n"), o)
	} else {
		o.Kind = catalog.Kind(kind)
		opened, err = catalog.Read(name, []byte(text), o)
	}
	if err == nil && src.Nesting != nil && opened.Kind != catalog.Regexp {
		err = opened.LimitNesting(*src.Nesting)
	}
	if err != nil {
		return nil, err
	}
	if g := opened.Grammar; g.Title == g.Name || g.Title == "" { // no title of its own
		g.Title = opened.File
	}
	if src.Start != "" {
		if r, err := opened.Lookup(src.Start); err == nil {
			opened.Asked = r.ID // and not in another case, as src.Start may have it
		}
	}
	if opened.Asked == "" { // where several can be meant, a person who types has the likeliest
		likely, _ := opened.Starts()
		opened.Asked = likely[0].ID
	}
	h := &held{Opened: opened, name: name}
	if match == regex.Search {
		s.last, s.held = src, h
	}
	return h, nil
}

// fileName is the name of the text in places.
const fileName = "grammar"

// Guess returns the kind of a text, whose outer white space does not count. One line that begins with "^", or with a
// slash but no comment, is a regular expression of JavaScript; a text that begins with "@" is a grammar file,
// [catalog.BNF]; otherwise package catalog looks at the text.
func Guess(text string) catalog.Kind {
	switch t := strings.TrimSpace(text); {
	case len(t) > 1 && t[0] == '/' && t[1] != '/' && t[1] != '*' && !strings.Contains(t, "\n"):
		return "js"
	case strings.HasPrefix(t, "^") && !strings.Contains(t, "\n"):
		return "js"
	case strings.HasPrefix(t, "@"):
		return catalog.BNF
	}
	return catalog.Seen([]byte(text))
}

// A Mark is something to be said about a place of a text.
type Mark struct {
	Line       int           `json:"line"` // 0 for the text as a whole, or another file
	Col        int           `json:"col"`
	Level      results.Level `json:"level"`
	Code       lint.Code     `json:"code,omitempty"`
	Production string        `json:"production,omitempty"`
	Message    string        `json:"message"`
	Detail     []string      `json:"detail,omitempty"`
	Word       []byte        `json:"word,omitempty"` // a string that shows it
}

// A Rule is a production. Line is 0 for one that stands elsewhere, and From says where.
type Rule struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	From    string `json:"from,omitempty"`
	Diagram string `json:"diagram,omitempty"`
	Uses    []int  `json:"uses"` // the indices of the productions that its text uses
}

// A Reading is the result of reading a text.
type Reading struct {
	Kind    catalog.Kind `json:"kind"`
	Start   int          `json:"start"` // the index of the production that strings are derived from; -1 if not listed
	Count   int          `json:"count"` // of all productions
	Rules   []Rule       `json:"rules"`
	Marks   []Mark       `json:"marks"`
	Failed  bool         `json:"failed"`  // it is not in its notation, as the marks say
	Ordered bool         `json:"ordered"` // a PEG
	Nests   string       `json:"nests,omitempty"`
}

// read reads the grammar of a question. It has no error: what goes wrong is in Marks, and Failed tells that there is
// no grammar. The rules of an expression are those of its reading as a whole string; if no grammar describes it,
// there are none, and Start is -1. The grammar that the session keeps is then still the one that matches somewhere.
func (s *Session) read(q Question) *Reading {
	r := &Reading{Kind: catalog.Kind(q.Grammar.Kind), Rules: []Rule{}, Marks: []Mark{}, Start: -1}
	if r.Kind == "" {
		r.Kind = Guess(q.Grammar.Text)
	}
	h, err := s.open(fileName, q.Grammar, regex.Search)
	if err != nil {
		r.Failed, r.Marks = true, marksOf(err)
		return r
	}
	g := h.Grammar
	r.Ordered, r.Count = g.Ordered, len(g.Rules)
	found, err := anygrammar.Noticed(h.Opened)
	if err != nil {
		r.Marks = append(r.Marks, marksOf(err)...)
	}
	if !g.Ordered && h.Kind != catalog.Regexp {
		found = append(found, lint.Form(g)...)
	}
	for _, f := range found[:min(len(found), maxFindings)] {
		r.Marks = append(r.Marks, h.markOf(f))
	}
	start, err := h.Start()
	if _, undefined := errors.AsType[*bnf.MissingError](err); err == nil {
		r.Nests = h.Nests(start.ID)
	} else if !undefined { // which is among the findings
		r.Marks = append(r.Marks, marksOf(err)...)
	}
	if h.Kind == catalog.Regexp {
		if full, err := s.open(fileName, q.Grammar, regex.Full); err == nil && !full.Models() {
			g = full.Grammar
		} else {
			return r
		}
	}
	r.addRules(g, h.Asked, q.Width)
	return r
}

// addRules fills r.Rules, which must be empty, with the productions of g, at most maxRules, and sets r.Start to the
// index of start; if start is not among them, r.Start stays as it is. It does not set r.Count. It draws the
// productions until the diagrams have maxDrawn bytes; a PEG is not drawn.
func (r *Reading) addRules(g *expr.Grammar, start string, width int) {
	index := map[string]int{}
	rules := g.Rules[:min(len(g.Rules), maxRules)]
	for i, rule := range rules {
		index[rule.ID] = i
	}
	name := func(id string) drawing.Name {
		i, ok := index[id]
		if !ok {
			return drawing.Name{Text: id}
		}
		elsewhere := rules[i].Pos.File != rules[0].Pos.File
		return drawing.Name{Text: rules[i].Label(), Link: fmt.Sprintf("#rule-%d", i), Core: elsewhere}
	}
	drawn := 0
	for i, rule := range rules {
		out := Rule{ID: rule.ID, Name: rule.Label(), Line: rule.Pos.Line, Col: rule.Pos.Col, Uses: []int{}}
		switch {
		case bnf.IsCore(rule):
			out.Line, out.From = 0, "RFC 5234, appendix B.1"
		case rule.Pos.File != rules[0].Pos.File:
			out.Line, out.From = 0, rule.Pos.File
		}
		for _, id := range rule.Uses() {
			if k, ok := index[id]; ok && !slices.Contains(out.Uses, k) {
				out.Uses = append(out.Uses, k)
			}
		}
		if !g.Ordered && drawn < maxDrawn {
			e := rule.Expr
			if g.CodePoints {
				e = drawing.CodePoints(e)
			}
			out.Diagram = drawing.RailroadWith(drawing.Options{Width: float64(width), Places: true}, e, out.Name, name)
			drawn += len(out.Diagram)
		}
		if rule.ID == start {
			r.Start = i
		}
		r.Rules = append(r.Rules, out)
	}
}

// markOf returns a finding as a mark. If it is in another file, the line is 0, and the column means nothing.
func (h *held) markOf(f lint.Finding) Mark {
	m := Mark{Level: f.Level, Code: f.Code, Production: f.Production, Message: f.Message, Detail: f.Detail}
	m.Line, m.Col = f.Pos.Line, f.Pos.Col
	if f.Pos.File != h.File {
		m.Line = 0
	}
	if f.Word != nil {
		m.Word = []byte(*f.Word)
	}
	return m
}

// marksOf returns the marks of an error: if it wraps several, each at its place, at most maxFindings. An
// exceeded budget is one mark.
func marksOf(err error) (list []Mark) {
	// A budget.Exceeded wraps several errors, too, which are no findings of their own.
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		if _, limit := errors.AsType[*budget.Exceeded](err); !limit {
			for _, e := range all.Unwrap() {
				list = append(list, marksOf(e)...)
			}
			return list[:min(len(list), maxFindings)]
		}
	}
	if e, ok := errors.AsType[*expr.Error](err); ok {
		return []Mark{{Line: e.Pos.Line, Col: e.Pos.Col, Level: results.Error, Message: e.Message}}
	}
	return []Mark{{Level: results.Error, Message: err.Error()}}
}

// A Linted holds the findings of lint.
type Linted struct {
	Marks   []Mark `json:"marks"` // null if lint does not look at such a source, as Summary says
	Summary string `json:"summary"`
}

// lint returns the findings of lint, at most maxFindings. A PEG, and an expression that no grammar describes,
// have no marks but a summary that says so.
func (s *Session) lint(src Source) (*Linted, error) {
	h, err := s.open(fileName, src, regex.Search)
	if err != nil {
		return nil, err
	}
	switch {
	case h.Models():
		return &Linted{Summary: "It has lookarounds or other parts that no grammar has: " +
			"whether it is ambiguous is not decided."}, nil
	case h.Grammar.Ordered:
		return &Linted{Summary: "lint looks at grammars whose alternatives have no order."}, nil
	}
	o, err := anygrammar.LintOptions(h.Opened)
	if err != nil {
		return nil, err
	}
	o.Start, o.Nesting = h.Asked, src.Nesting
	report, err := lint.Lint(h.Grammar, o)
	if err != nil {
		return nil, err
	}
	out := &Linted{Summary: report.Summary(), Marks: []Mark{}}
	for _, f := range report.Findings[:min(len(report.Findings), maxFindings)] {
		out.Marks = append(out.Marks, h.markOf(f))
	}
	return out, nil
}

// A Verdict is the grammar's verdict on a string. Undecided is the reason if there is none or, with Accepted set, if
// the tree could not be made.
type Verdict struct {
	Accepted  bool   `json:"accepted"`
	Undecided string `json:"undecided,omitempty"`
	Nodes     []Node `json:"nodes,omitempty"`
	Parts     []Node `json:"parts,omitempty"` // what has no node
	Count     int    `json:"count,omitempty"` // of all nodes

	// For a rejected string: the offset of the first byte that no accepted string goes on with, that of the end if
	// bytes are missing there, and -1 if it is not known; the nearest accepted string; and, if it was asked for, the
	// reason.
	Offset     int      `json:"offset"`
	Nearest    *[]byte  `json:"nearest,omitempty"`
	Unexpected string   `json:"unexpected,omitempty"`
	Expected   []string `json:"expected,omitempty"`
	In         string   `json:"in,omitempty"`
	Line       int      `json:"line,omitempty"`
	// of the name or terminal that was being read; 0 for the production as a whole
	Col int `json:"col,omitempty"`
}

// check judges the strings of a question; without any the list is nil, null in JSON. With why it says why they are
// rejected, which takes longer; trees are only made without. What keeps one string from being decided is in its
// verdict; the error returned is about the grammar.
func (s *Session) check(q Question, why bool) (list []*Verdict, err error) {
	h, err := s.open(fileName, q.Grammar, regex.Search)
	if err != nil {
		return nil, err
	}
	for i, w := range q.Strings {
		v := &Verdict{Offset: -1}
		p, err := h.parserOf(string(w), why)
		if err != nil {
			return nil, err
		}
		if err := s.judge(h, p, string(w), v, q.Brief, why, !why && (q.Tree == nil || *q.Tree == i)); err != nil {
			v.Undecided = err.Error()
		}
		list = append(list, v)
	}
	return list, nil
}

// parserOf returns the parser that judges a string, and makes it when it is first needed. Usually it is that of
// withUses, so that no other is made while somebody types; with why, and for a string longer than maxWord, it is the
// plain one, whose explanations name no uses. It is nil for an expression that only an automaton decides.
func (h *held) parserOf(w string, why bool) (*anygrammar.Parser, error) {
	at, parser := &h.withTree, h.withUses
	if why || len(w) > maxWord {
		at, parser = &h.parser, func() (*anygrammar.Parser, error) { return anygrammar.New(h.Opened) }
	}
	if *at == nil && !h.Models() {
		p, err := parser()
		if err != nil {
			return nil, err
		}
		*at = p
	}
	return *at, nil
}

// accepts reports whether w is accepted: by p or, if p is nil, by the automaton. The error says why w is undecided.
func (s *Session) accepts(h *held, p *anygrammar.Parser, w string) (accepted bool, err error) {
	defer budget.Catch(&err)
	if p != nil {
		return p.Accepts(w)
	}
	a, err := s.automaton(h, true)
	if err != nil {
		return false, err
	}
	return a.Match(w), nil
}

// judge sets in v whether w is accepted. Of an accepted string it adds the tree if that is wanted, and of a rejected
// one, unless brief is set, what explainRejection finds. The error says why w is undecided or, with v.Accepted set,
// why it has no tree; a rejected string has none. v.Offset must be -1.
func (s *Session) judge(h *held, p *anygrammar.Parser, w string, v *Verdict, brief, why, tree bool) (err error) {
	defer budget.Catch(&err)
	v.Accepted, err = s.accepts(h, p, w)
	switch {
	case err != nil:
	case !v.Accepted && !brief:
		s.explainRejection(h, p, w, v, why)
	case v.Accepted && p != nil && tree:
		err = h.addTree(p, w, v)
	}
	return err
}

// patience caps the time for an automaton that only serves strings to be checked. If it takes longer, it is made when
// they are explained.
const patience = 300 * time.Millisecond

// automaton returns the automaton of the start production, and keeps it or the error. Unless long is set it gets no
// more than patience; an error for lack of time is not kept, so that a later call tries again.
func (s *Session) automaton(h *held, long bool) (*lang.DFA, error) {
	if soon := time.Now().Add(patience); !long && (s.until.IsZero() || soon.Before(s.until)) {
		defer func(before time.Time) { s.until = before }(s.until)
		s.until = soon // until the end of this call
	}
	if !h.started {
		r, err := h.Start()
		if err == nil {
			h.dfa, err = h.Automaton(r)
		}
		h.noDFA = err
		h.started = !errors.Is(err, context.DeadlineExceeded)
	}
	return h.dfa, h.noDFA
}

// explainRejection sets in v where w, which must be rejected, goes wrong and the nearest accepted string, if there can
// be an automaton: with why at any cost within the time of the question, without it within patience. With why and a
// parser the place is that of the parser, and v also has what was expected there. v.Offset must be -1; it stays so if
// the place is not known.
func (s *Session) explainRejection(h *held, p *anygrammar.Parser, w string, v *Verdict, why bool) {
	if a, err := s.automaton(h, why); err == nil {
		q := 0
		for v.Offset = 0; v.Offset < len(w) && a.Live(a.Next(q, w[v.Offset])); v.Offset++ {
			q = a.Next(q, w[v.Offset])
		}
		if steps, ok := repair.NearestPlain(a, w); ok {
			nearest := []byte(repair.Apply(w, steps))
			v.Nearest = &nearest
		}
	}
	if !why || p == nil {
		return
	}
	e, ok := errors.AsType[*ast.SyntaxError](p.Explain(w))
	if !ok {
		return
	}
	v.Offset, v.Unexpected, v.Expected = e.Offset, e.Unexpected(), e.Terms()
	if len(e.In) > 0 {
		v.In = e.Grammar.Production(e.In[0]).Name
	}
	if pos := p.Place(e); pos.File == h.File {
		v.Line = pos.Line
	}
	if use := h.useAt(w, e.Offset); use.File == h.File && v.Line > 0 {
		v.Line, v.Col = use.Line, use.Col
	}
}

// useAt returns the place of the name or terminal that was being read where w went wrong, as the parser of withUses
// tells it; the zero place if that parser does not know, or goes wrong elsewhere.
func (h *held) useAt(w string, offset int) expr.Pos {
	p, err := h.parserOf(w, false)
	if err != nil || p == nil || h.uses == nil {
		return expr.Pos{}
	}
	e, ok := errors.AsType[*ast.SyntaxError](p.Explain(w))
	if !ok || e.Offset != offset {
		return expr.Pos{}
	}
	own := len(h.Grammar.Rules)
	for _, kind := range e.In { // inner ones first
		if i := int(kind) - 1; i >= own {
			return h.uses[i-own].Pos
		}
	}
	return expr.Pos{}
}
