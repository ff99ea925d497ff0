// Package check judges lists of URLs: it reads lines, parses each by some grammars, interprets the URLs that they
// accept, suggests repairs of those that they reject, and counts the answers. [InOrder] runs that on all cores and
// keeps the order of the input. Package render shows judgments.
package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

// A Judgment is the answer of one grammar to a line.
type Judgment struct {
	Grammar *bnfcheck.Grammar
	Answer  Answer
	bnfcheck.Verdict
	Message string           // one line, for people, or ""
	Offset  int              // of the byte that Message is about, -1 if none
	Cause   *ast.SyntaxError // of Message, if it is about syntax
	By      Production       // that of the options
	Host    string           // of a URL that was read for findings, if answers are only counted

	Findings []semantic.Finding
	Repair   *fix.Repair
}

// Options control how lines are judged.
type Options struct {
	FoldScheme bool // upper case letters in the scheme are read as lower case
	MaxLength  int  // in bytes; longer lines are not parsed
	Strict     bool // a string that is generic-only counts as rejected; nothing in this package reads it
	Suggest    bool // the nearest accepted string is looked for, which takes many times what a verdict does

	By Production // what judges; nil for the grammars

	Findings     *semantic.Selection // the findings to look for; nil for neither findings nor suggestions
	VerdictsOnly bool                // no reasons, findings and repairs of the grammars; By still explains
}

// A Production judges strings alone, as accepted or rejected. Package anygrammar has those of any grammar. Several
// goroutines may use it.
type Production interface {
	Accepts(s string) (bool, error)
	Explain(s string) error   // the reason why s is rejected
	Message(err error) string // one line about an error of either, which begins with the name of the grammar
}

// A Judge judges lines by some grammars. It belongs to one goroutine.
type Judge struct {
	Options
	Grammars []*bnfcheck.Grammar
	Judged   []Judgment // the result of the last call of Line, by grammar

	countOnly bool
	parsers   []*bnfcheck.Parser // by grammar; none if a production judges
	reader    semantic.Reader
	ref       semantic.Reference // used again for each reference of RFC 3986
	found     []*semantic.Tally  // by grammar: the findings that were counted and are in no tally yet
}

// NewJudge returns a judge by these grammars. If how.By is set, it judges alone, and there must be one
// grammar, which gives the name. With countOnly, the judge makes no explanations, and trees only if findings
// need them; findings are only counted, for [Judge.Flush].
func NewJudge(grammars []*bnfcheck.Grammar, how Options, countOnly bool) *Judge {
	w := &Judge{Options: how, Grammars: grammars, Judged: make([]Judgment, len(grammars)), countOnly: countOnly}
	for _, g := range grammars {
		if how.By != nil {
			continue
		}
		p := g.Parser()
		p.FoldScheme, p.MaxLength, p.Unexplained = how.FoldScheme, how.MaxLength, countOnly || how.VerdictsOnly
		p.Treeless = p.Unexplained && how.Findings == nil
		w.parsers = append(w.parsers, p)
		if countOnly && how.Findings != nil {
			w.found = append(w.found, how.Findings.Tally())
		}
	}
	return w
}

// Flush ends a tally of the same grammars whose lines this judge alone has judged, and whose t.Lines is set. It sets
// t.Searched to all of them if this judge searches for findings, and adds the findings that were counted since the last
// call. Without countOnly there are none.
func (w *Judge) Flush(t *Tally) {
	if w.Findings != nil {
		t.Searched = t.Lines
	}
	for i, found := range w.found {
		t.addFindings(i, found.Counts)
		clear(found.Counts)
	}
}

// Line returns the judgment of each grammar on a line. The result is w.Judged, and valid until the next call. A line of
// more than MaxLength bytes, or one that is rejected and holds a NUL, has an answer of its own, with a message, and of
// the verdict the scheme alone. If judgments are only counted, only scheme, answer and host mean something; the other
// fields may be left from earlier lines.
func (w *Judge) Line(l Line) []Judgment {
	for i := range w.Judged {
		j := &w.Judged[i]
		var v bnfcheck.Verdict
		if w.By == nil {
			v = w.parsers[i].Check(l.Text)
		}
		if w.countOnly { // no more is counted
			j.Grammar, j.Scheme, j.Answer, j.Host = w.Grammars[i], v.Scheme, Answer(v.Value), ""
		} else {
			*j = Judgment{Grammar: w.Grammars[i], By: w.By, Verdict: v, Answer: Answer(v.Value), Offset: -1}
		}
		switch {
		case l.Length > w.MaxLength:
			j.Answer, j.Verdict = TooLong, bnfcheck.Verdict{Scheme: j.Scheme}
			tooLong := ast.TooLongError{Limit: w.MaxLength, Length: l.Length}
			j.Message = tooLong.Error()
		case w.By != nil:
			w.askProduction(j, l.Text)
		case v.Value == bnfcheck.Rejected && strings.IndexByte(l.Text, 0) >= 0:
			nul := strings.IndexByte(l.Text, 0)
			j.Answer, j.Verdict, j.Offset = HoldsNUL, bnfcheck.Verdict{Scheme: j.Scheme}, nul
			j.Message = "offset " + strconv.Itoa(nul) + ": a NUL byte, which no production derives"
		case w.countOnly && w.found != nil:
			w.interpret(i, j, v.Tree, l.Text)
		case !w.VerdictsOnly && !w.countOnly:
			j.explainRejection()
			if w.Findings != nil {
				w.interpret(i, j, v.Tree, l.Text)
				w.suggest(j, l.Text)
			}
		}
	}
	return w.Judged
}

// askProduction fills in the answer of the production of the options and, unless answers are only counted, the
// message about a rejection, with Cause and Offset if that is a syntax error. If Accepts fails, the line is
// undecided. A panic of the production concerns this line alone, and becomes a message that asks for a report: if
// Accepts panics, the line is undecided; if Explain does, it stays rejected.
func (w *Judge) askProduction(j *Judgment, s string) {
	j.Answer = Undecided // until it is known, and so if Accepts panics
	defer func() {
		if e := recover(); e != nil {
			j.Message = fmt.Sprintf("a defect of bnfcheck, please report it with this string: %v", e)
		}
	}()
	ok, err := w.By.Accepts(s)
	switch {
	case err != nil: // it stays undecided
	case ok:
		j.Answer = Accepted
	default:
		j.Answer = Answer(bnfcheck.Rejected)
		if !w.countOnly {
			err = w.By.Explain(s)
		}
	}
	if err != nil {
		j.Message = strings.TrimPrefix(w.By.Message(err), j.Grammar.Name+": ")
	}
	if e, ok := err.(*ast.SyntaxError); ok {
		j.Cause, j.Offset = e, e.Offset
	}
}

// Repair judges a line, and sets Repair in each judgment as [Nearest] returns it: without edits for a line that is
// accepted and not generic-only, and nil if none was found. A line that is too long gets none. Only the verdicts are
// needed: the options should have VerdictsOnly set. The result is valid until the next call.
func (w *Judge) Repair(l Line) []Judgment {
	w.Line(l)
	for i := range w.Judged {
		if j := &w.Judged[i]; j.Answer != TooLong {
			j.Repair = Nearest(j.Grammar, l.Text)
		}
	}
	return w.Judged
}

// explainRejection sets Message, Offset and Cause to the reason why the string is rejected or generic-only. If it is
// neither, they stay as they are.
func (j *Judgment) explainRejection() {
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

// interpret sets the findings about a string s that was accepted with a tree. If judgments are only counted,
// it counts them under the i-th grammar, for [Judge.Flush], and sets the host. Without a tree it does
// nothing. Findings must have been asked for.
func (w *Judge) interpret(i int, j *Judgment, tree *ast.Tree, s string) {
	switch {
	case tree == nil:
	case j.Grammar == bnfcheck.RFC3986:
		if w.ref.Read(tree) != nil {
			return
		}
		if w.countOnly {
			w.found[i].AddReference(&w.ref)
			j.Host = w.ref.Host.Raw
		} else {
			j.Findings = w.Findings.ReferenceFindings(&w.ref)
		}
	default:
		u, err := w.reader.OfWritten(tree, s)
		if err != nil { // never: every tree of a verdict is that of a URL
			return
		}
		if w.countOnly {
			w.found[i].Add(u)
			j.Host = u.Host.Raw
		} else {
			j.Findings = w.Findings.Findings(u)
		}
	}
}

// suggest sets Repair to the nearest accepted string, if s was not accepted or is generic-only, the options
// ask for it, s is short enough, and the nearest string differs from it but resembles it. Otherwise Repair stays.
func (w *Judge) suggest(j *Judgment, s string) {
	// A suggestion is for a reader; the edits of a long line would take many times its memory, and show nothing.
	if w.Suggest && len(s) <= fix.MaxEdited && j.Answer.Negative(true) {
		if r := Nearest(j.Grammar, s); r != nil && len(r.Edits) > 0 && !r.Wild() {
			j.Repair = r
		}
	}
}

// Nearest returns the repair that leads to the nearest string that g accepts: one without edits if that is s itself,
// and nil if none was found. A string that is generic-only is repaired as one that is rejected: see [fix.Nearest].
func Nearest(g *bnfcheck.Grammar, s string) *fix.Repair {
	r, err := fix.Nearest(g, s)
	if err != nil {
		return nil
	}
	return &r
}

// SaysAlready reports whether Message explains a finding: that the string is generic-only.
func (j *Judgment) SaysAlready(f *semantic.Finding) bool {
	return j.Message != "" && strings.HasSuffix(f.Rule, "/"+bnfcheck.GenericOnly.String())
}
