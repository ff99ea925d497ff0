package editor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// If there is an x.peg next to x.abnf, a change of either can make the two unequal. When lint is done with one of
// them, they are compared, as bnfcheck prove does. The rules that are no longer equal are reported in the document
// that is being edited, each with its shortest string. A document that is not open is read from the disk.

// grammarBeside returns the name of the grammar that the document, a PEG, transcribes: the file of the same name in
// its folder that ends in .abnf, or else in .bnf. It returns "" if there is none, or if the document is no PEG. It
// looks for the files as exists does.
func (n *snapshot) grammarBeside() string {
	if !n.reading().kind.IsPEG() || n.path == "" {
		return ""
	}
	stem := strings.TrimSuffix(filepath.Base(n.path), filepath.Ext(n.path))
	for _, ending := range []string{".abnf", ".bnf"} {
		if n.exists(stem + ending) {
			return stem + ending
		}
	}
	return ""
}

// otherSide returns the name of the file that the document is compared with, or "" if there is none. It looks for
// the files as exists does.
func (n *snapshot) otherSide() string {
	if beside := n.pegBeside(); beside != "" {
		return beside
	}
	return n.grammarBeside()
}

// proveBeside compares the document with the file next to it. It fails if there is none, if that cannot be read, if
// the two are no pair (see [catalog.PairOf]), if ctx ends, or if the budget of a command divided by fraction, which
// each of the two gets, is not enough. The document itself must have been read. It has the effects of open.
func (n *snapshot) proveBeside(ctx context.Context, fraction int64) (report *prove.Report, err error) {
	defer budget.Catch(&err)
	beside := n.otherSide()
	if beside == "" {
		missing := "PEG"
		if n.reading().kind.IsPEG() {
			missing = "grammar"
		}
		return nil, fmt.Errorf("there is no %s with this name next to this file", missing)
	}
	_, text, err := n.open(beside)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", beside, err)
	}
	other, err := catalog.Read(beside, text, n.options(newBudget(ctx, fraction)))
	if err != nil {
		return nil, err
	}
	// The grammar of the reading is shared and has another budget, so this one gets its own.
	own := *n.reading().opened
	own.Grammar = own.Grammar.With(own.Grammar.Rules)
	own.Grammar.Budget = newBudget(ctx, fraction)
	own.Within = own.Grammar // recursions are not read to a depth
	grammar, rules := &own, other
	if own.Grammar.Ordered {
		grammar, rules = other, &own
	} else {
		own.Asked = n.startID()
	}
	pair, err := catalog.PairOf(grammar, rules, catalog.FileOptions{ActionsSucceed: true})
	if err != nil {
		return nil, err
	}
	return prove.Prove(pair, prove.Options{})
}

// differences returns the differences between the document and the file next to it, at their places in the document.
// One that is in the other file is at the production with its name, or left out if the document has none. It returns
// nothing if there is no such file, if the document has mistakes, or if the two cannot be compared; it logs why not.
// It has the effects of proveBeside.
func (n *snapshot) differences() (list []protocol.Diagnostic) {
	r := n.reading()
	if r.opened == nil || len(r.wrong) > 0 || n.otherSide() == "" {
		return nil
	}
	const fraction = 4
	report, err := n.proveBeside(n.ctx, fraction)
	if err != nil {
		n.logf("%s: %v", n.name, err)
		return nil
	}
	for _, result := range prove.Results([]*prove.Report{report}) {
		if result.Outcome != results.Failed {
			continue
		}
		pos := expr.Pos{File: n.name, Line: result.Place.Line, Col: max(result.Place.Column, 1)}
		if result.Place.File != n.name { // it is in the other file, so the place of the production is used instead
			rule := n.ruleNamed(result.RFC.Production)
			if rule == nil || rule.Pos.File != n.name {
				continue
			}
			pos = rule.Pos
		}
		message := result.Message
		if result.Detail != "" {
			message += "\n" + result.Detail
		}
		list = append(list, protocol.Diagnostic{
			Range: n.rangeAt(pos), Severity: protocol.DiagnosticSeverityWarning, Code: "not-equal",
			Source: "bnfcheck", Message: message,
		})
	}
	return list
}
