// Package check judges lists of URLs: it reads lines, parses each by some grammars, interprets the URLs that they
// accept, suggests repairs of those that they reject, and counts the answers. [InOrder] runs that on all cores and keeps the
// order of the input. Package render shows judgements.
package check

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// A Judgement is the answer of one grammar to a line.
type Judgement struct {
	Grammar *bnfcheck.Grammar
	Answer  Answer
	bnfcheck.Verdict
	Message string           // one line, for people, or ""
	Offset  int              // of the byte that Message is about, -1 if none
	Cause   *ast.SyntaxError // of Message, if it is about syntax

	Findings []semantic.Finding
	Repair   *semantic.Repair
}

// Options control how lines are judged.
type Options struct {
	FoldScheme bool // upper case letters in the scheme are read as lower case
	MaxLength  int  // in bytes; longer lines are not parsed
	Strict     bool // a string that is generic-only is to be repaired too
	Suggest    bool // the nearest accepted string is looked for, which takes many times what a verdict does

	Findings     *semantic.Selection // the findings to look for; nil for neither findings nor suggestions
	VerdictsOnly bool                // no reasons, findings and repairs
}

// A Judge judges lines by some grammars. It belongs to one goroutine.
type Judge struct {
	Options
	Grammars []*bnfcheck.Grammar
	Judged   []Judgement // what the last call of Line returned

	// Counted, if not nil, is called by Count with each answer, and with the host of a URL that was read for findings.
	Counted func(i int, a Answer, host string)

	parsers []*bnfcheck.Parser
	reader  semantic.Reader
	ref     semantic.Reference
	found   []*semantic.Tally // by grammar: the findings that were counted and are in no tally yet
}

// NewJudge returns a judge. If countOnly, it makes no explanations, and trees only if findings need them.
func NewJudge(grammars []*bnfcheck.Grammar, how Options, countOnly bool) *Judge {
	w := &Judge{Options: how, Grammars: grammars, Judged: make([]Judgement, len(grammars))}
	for _, g := range grammars {
		p := g.Parser()
		p.FoldScheme, p.MaxLength, p.Unexplained = how.FoldScheme, how.MaxLength, countOnly || how.VerdictsOnly
		p.Treeless = p.Unexplained && how.Findings == nil
		w.parsers = append(w.parsers, p)
		if how.Findings != nil {
			w.found = append(w.found, how.Findings.Tally())
		}
	}
	return w
}

// Count adds the answers to a line to a tally, without explanations. [Judge.Flush] adds its findings.
func (w *Judge) Count(t *Tally, l Line) {
	for i, p := range w.parsers {
		v := p.Check(l.Text)
		answer, host := Answer(v.Value), ""
		switch {
		case l.Length > w.MaxLength:
			answer = TooLong
		case v.Value == bnfcheck.Rejected && strings.IndexByte(l.Text, 0) >= 0:
			answer = HoldsNUL
		case v.Tree != nil && w.found != nil && p.Grammar() == bnfcheck.RFC3986:
			if w.ref.Read(v.Tree) == nil {
				w.found[i].AddReference(&w.ref)
				host = w.ref.Host.Raw
			}
		case v.Tree != nil && w.found != nil:
			if u := w.typed(v.Tree, l.Text); u != nil {
				w.found[i].Add(u)
				host = u.Host.Raw
			}
		}
		t.Count(i, v.Scheme, answer)
		if w.Counted != nil {
			w.Counted(i, answer, host)
		}
	}
}

// Flush adds the findings of all lines since the last call to a tally.
func (w *Judge) Flush(t *Tally) {
	for i, found := range w.found {
		t.addFindings(i, found.Counts)
		clear(found.Counts)
	}
}

// Line returns the judgement of each grammar on a line. The result is valid until the next call.
func (w *Judge) Line(l Line) []Judgement {
	s := l.Text
	nul := strings.IndexByte(s, 0)
	for i, p := range w.parsers {
		j := &w.Judged[i]
		*j = Judgement{Grammar: p.Grammar(), Verdict: p.Check(s), Offset: -1}
		j.Answer = Answer(j.Value)
		switch {
		case l.Length > w.MaxLength:
			j.Answer, j.Verdict = TooLong, bnfcheck.Verdict{Scheme: j.Scheme}
			tooLong := ast.TooLongError{Limit: w.MaxLength, Length: l.Length}
			j.Message = tooLong.Error()
		case nul >= 0:
			j.Answer, j.Verdict, j.Offset = HoldsNUL, bnfcheck.Verdict{Scheme: j.Scheme}, nul
			j.Message = "offset " + strconv.Itoa(nul) + ": a NUL byte, which no production derives"
		case w.VerdictsOnly:
		default:
			j.explain()
			w.interpret(j, s)
		}
	}
	return w.Judged
}

// Repair judges a line by verdicts only, and adds to each judgement the nearest string that its grammar accepts. The result
// is valid until the next call.
func (w *Judge) Repair(l Line) []Judgement {
	w.Line(l)
	for i := range w.Judged {
		if j := &w.Judged[i]; j.Answer != TooLong {
			j.Repair = Nearest(j.Grammar, l.Text)
		}
	}
	return w.Judged
}

// explain fills in Message, Offset and Cause.
func (j *Judgement) explain() {
	err := j.Why()
	if err == nil {
		return
	}
	j.Cause, j.Offset = err, err.Offset
	j.Message = strings.TrimPrefix(err.Error(), err.Grammar.Name+": ")
	if j.Value == bnfcheck.GenericOnly {
		j.Message = "no " + err.Grammar.Production(err.Explained).Name + ": " + j.Message
	}
}

// typed returns the typed URL of a string that has a tree. It is valid until the next call.
func (w *Judge) typed(tree *ast.Tree, s string) *semantic.URL {
	if !w.FoldScheme {
		u, _ := w.reader.Of(tree) // every tree of a verdict is that of a URL
		return u
	}
	u, _ := w.reader.OfWritten(tree, s)
	return u
}

// interpret fills in the findings about a string that was accepted, or the nearest accepted string if it was not.
func (w *Judge) interpret(j *Judgement, s string) {
	if w.Findings == nil {
		return
	}
	switch {
	case j.Tree == nil:
	case j.Grammar == bnfcheck.RFC3986:
		if w.ref.Read(j.Tree) == nil {
			j.Findings = w.Findings.ReferenceFindings(&w.ref)
		}
	default:
		if u := w.typed(j.Tree, s); u != nil {
			j.Findings = w.Findings.Findings(u)
		}
	}
	// A suggestion is for a reader; the edits of a long line would take many times its memory, and show nothing.
	if w.Suggest && len(s) <= semantic.MaxEdited && j.Answer.Negative(true) {
		if r := Nearest(j.Grammar, s); r != nil && len(r.Edits) > 0 && !r.Wild() {
			j.Repair = r
		}
	}
}

// Nearest returns the nearest string that g accepts, s itself if it does, and nil if none was found.
func Nearest(g *bnfcheck.Grammar, s string) *semantic.Repair {
	r, err := semantic.Fix(g, s)
	if err != nil {
		return nil
	}
	return &r
}

// SaysAlready reports whether Message explains a finding: that the string is generic-only.
func (j *Judgement) SaysAlready(f *semantic.Finding) bool {
	return j.Message != "" && strings.HasSuffix(f.Rule, "/"+bnfcheck.GenericOnly.String())
}
