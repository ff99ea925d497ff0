package editor

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Diagnostics come in steps. Mistakes, and findings that the form of productions shows, come as soon as the text is
// read. All findings of lint come when no key was pressed for a moment. Last, if a PEG or a grammar of the same name
// is next to the document, come the differences between the two. Until lint is done, the findings of the version
// before stay with those productions that nobody has touched, so that nothing flickers while one types.

// pause is the time without a key before lint begins.
const pause = 120 * time.Millisecond

// mostDiagnostics caps the diagnostics of a document.
const mostDiagnostics = 500

// Explanations is the address that explains the codes of findings, each under its name.
const Explanations = "https://github.com/bnfcheck/bnfcheck/blob/main/docs/findings.md#"

// linted is the result of lint.
type linted struct {
	findings []lint.Finding
	err      error // why there are none
}

// lookInBackground returns at once. In the background it computes the diagnostics of a snapshot, and sends each stage
// as it is known: mistakes and findings that the form of productions shows, with the kept findings of earlier versions;
// after a pause the findings of lint, none if it fails, which is logged, when the editor is also told to ask for hints
// again; and the differences from the file next to it, if there is one. It ends early if the snapshot's context ends,
// or at a defect, which is logged.
func (s *server) lookInBackground(n *snapshot) {
	s.working.Go(func() {
		var err error
		defer s.containPanic("the background", &err)
		// Each stage takes its place and gives it back, so that the pause keeps nobody waiting.
		var first []lint.Finding
		if !s.computeIn(s.running, n, func() { first = n.firstFindings() }) {
			return
		}
		s.publish(n, n.diagnostics(first, n.keptDiagnostics()))
		select {
		case <-time.After(pause):
			// no newer version came: go on
		case <-n.ctx.Done():
			return
		}
		var all *linted
		if !s.computeIn(s.linting, n, func() { all = n.linted() }) {
			return
		}
		if all.err != nil {
			s.logf("%s: %v", n.name, all.err)
		}
		s.publish(n, n.diagnostics(all.findings, nil))
		s.refreshHints(n)
		if n.otherSide() == "" {
			return
		}
		var differences []protocol.Diagnostic
		if s.computeIn(s.linting, n, func() { differences = n.differences() }) {
			s.publish(n, n.diagnostics(all.findings, differences))
		}
	})
}

// computeIn waits for a place in room, s.running or s.linting, and holds it while f computes something for n. It
// returns false, without a call of f, if n's context ends first. The place is given back, with a sign of life, even if
// f panics.
func (s *server) computeIn(room chan struct{}, n *snapshot, f func()) bool {
	select {
	case room <- struct{}{}:
		defer func() {
			<-room
			s.signalLife()
		}()
	case <-n.ctx.Done():
		return false
	}
	if n.ctx.Err() != nil { // both could go on, and select took the place
		return false
	}
	f()
	return true
}

// publish sends the diagnostics of a snapshot, in place of those sent before, unless its context has ended. The list
// must not be nil, which JSON would have as null. It sends one list at a time, under the lock s.publishing, so that an
// older one never follows a newer one.
func (s *server) publish(n *snapshot, list []protocol.Diagnostic) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if n.ctx.Err() != nil {
		return
	}
	version := n.version
	s.notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{
		URI: n.uri, Version: &version, Diagnostics: list,
	})
}

// firstFindings returns the findings that the form of productions shows, without those that mistakes may have caused
// (see withoutConsequences) and those about productions without a use; of a PEG only those that come from reading
// it. There are none if nothing could be read, or if n's context has ended. What cannot be found out is logged and
// left out.
func (n *snapshot) firstFindings() (list []lint.Finding) {
	r := n.reading()
	if r.opened == nil || n.ctx.Err() != nil {
		return nil
	}
	list, err := anygrammar.Noticed(r.opened)
	if err != nil {
		n.logf("%s: %v", n.name, err)
	}
	if g := r.opened.Grammar; !g.Ordered {
		for _, f := range lint.Form(n.withBudget(g, 8)) {
			if f.Code != lint.Unused { // whether a production is unused depends on the start
				list = append(list, f)
			}
		}
	}
	return n.withoutConsequences(list)
}

// withBudget returns the grammar with a budget of its own: that of a command divided by fraction.
func (n *snapshot) withBudget(g *expr.Grammar, fraction int64) *expr.Grammar {
	own := g.With(g.Rules)
	own.Budget = newBudget(n.ctx, fraction)
	return own
}

// lint returns the findings of lint, without those that mistakes may have caused (see withoutConsequences), and
// remembers them: see remember. It never returns nil: if it fails, the result has the error, and if nothing of the
// file could be read, neither findings nor an error. In both cases nothing is remembered. It looks for a PEG as
// exists does, and takes the locks that remember takes.
func (n *snapshot) lint() (l *linted) {
	l = &linted{}
	defer n.containPanic("lint", &l.err)
	defer budget.Catch(&l.err)
	r := n.reading()
	if r.opened == nil {
		return l
	}
	var o lint.Options
	if o, l.err = anygrammar.LintOptions(r.opened); l.err != nil {
		return l
	}
	o.Ordered = n.pegBeside() != ""
	if start, err := r.opened.Lookup(r.settings.start); err == nil && r.settings.start != "" {
		o.Start = start.ID
	}
	report, err := lint.Lint(n.withBudget(r.opened.Grammar, 1), o)
	if err != nil {
		l.err = err
		return l
	}
	l.findings = n.withoutConsequences(report.Findings)
	n.remember(l)
	return l
}

// withoutConsequences returns the list without findings that may exist only because productions with mistakes were
// not read: undefined names that these productions would define, and all productions without a use. If all productions
// were read, it returns the same findings.
func (n *snapshot) withoutConsequences(list []lint.Finding) (kept []lint.Finding) {
	r := n.reading()
	for _, f := range list {
		if len(r.lost) > 0 {
			if f.Code == lint.Unused {
				continue
			}
			i := r.outline.At(n.lines.place(f.Pos) + 1) // + 1: at its first byte, At may return the token before
			if f.Code == lint.Undefined && i >= 0 && r.lost[r.outline.Key(r.outline.NameOf(i))] {
				continue
			}
		}
		kept = append(kept, f)
	}
	return kept
}

// pegBeside returns the name of the PEG that transcribes the document: the one in the settings, which need not exist,
// or else the first file of the same name that ends in .peg, .peggy or .pegjs, for which it looks as exists does. It
// returns "" if there is none, or if the document is a PEG.
func (n *snapshot) pegBeside() string {
	r := n.reading()
	if r.kind.IsPEG() {
		return ""
	}
	if r.settings.peg != "" {
		return r.settings.peg
	}
	if n.path == "" {
		return ""
	}
	stem := strings.TrimSuffix(filepath.Base(n.path), filepath.Ext(n.path))
	for _, ending := range []string{".peg", ".peggy", ".pegjs"} {
		if n.exists(stem + ending) {
			return stem + ending
		}
	}
	return ""
}

// diagnostics returns the failure of the reading, unless n's context has ended, its mistakes, the findings, and those
// in kept that are not among the findings, in this order and at most mostDiagnostics in all. It never returns nil.
func (n *snapshot) diagnostics(findings []lint.Finding, kept []protocol.Diagnostic) []protocol.Diagnostic {
	r := n.reading()
	list := []protocol.Diagnostic{}
	if r.failed != nil && n.ctx.Err() == nil {
		list = append(list, protocol.Diagnostic{
			Source: "bnfcheck", Severity: protocol.DiagnosticSeverityError, Message: r.failed.Error(),
		})
	}
	for _, e := range r.wrong {
		list = append(list, n.syntaxDiagnostic(e))
	}
	said := map[string]bool{}
	for _, f := range findings {
		d := n.diagnosticOf(f)
		said[keyOf(d)] = true
		list = append(list, d)
	}
	for _, d := range kept {
		if !said[keyOf(d)] {
			list = append(list, d)
		}
	}
	return list[:min(len(list), mostDiagnostics)]
}

// syntaxDiagnostic returns the diagnostic for a mistake.
func (n *snapshot) syntaxDiagnostic(e *expr.Error) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: n.rangeAt(e.Pos), Severity: protocol.DiagnosticSeverityError, Code: "syntax", Source: "bnfcheck",
		Message:            e.Message,
		RelatedInformation: n.relatedPlaces(e.Message),
	}
}

// keyOf returns a key that is the same for diagnostics with the same place, code and message.
func keyOf(d protocol.Diagnostic) string {
	return fmt.Sprint(d.Range.Start, d.Code, d.Message)
}

// severities has the severity of each level.
var severities = map[results.Level]protocol.DiagnosticSeverity{
	results.Error:   protocol.DiagnosticSeverityError,
	results.Warning: protocol.DiagnosticSeverityWarning,
	results.Note:    protocol.DiagnosticSeverityInformation,
}

// diagnosticOf returns the diagnostic for a finding. If the finding is about another file, the diagnostic is at the
// beginning of the document, and its message has the place.
func (n *snapshot) diagnosticOf(f lint.Finding) protocol.Diagnostic {
	text := strings.Join(append([]string{f.Message}, f.Detail...), "\n")
	d := protocol.Diagnostic{Severity: severities[f.Level], Code: string(f.Code), Source: "bnfcheck"}
	d.CodeDescription = &protocol.CodeDescription{Href: Explanations + string(f.Code)}
	if f.Pos.File == n.name || f.Pos.File == "" {
		d.Range = n.rangeAt(f.Pos)
	} else {
		text = f.Pos.String() + ": " + text
	}
	if f.Code == lint.Unused || f.Code == lint.UnusedLabel {
		d.Tags = []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}
	}
	d.Message = text
	d.RelatedInformation = n.relatedPlaces(text)
	return d
}

// rangeAt returns the range of the token that a place is in, from the place to the end of the token or of its line. At
// the end of a line inside a token it is the rest of the token. If there is no token, or if it is code, it is the rest
// of the line, without blanks at its end.
func (n *snapshot) rangeAt(pos expr.Pos) protocol.Range {
	at := n.lines.place(pos)
	o := n.reading().outline
	// Where a name ends and a token begins, At returns the name; one byte further it returns the token.
	if i := o.At(at + 1); i >= 0 && o.Tokens[i].Start <= at && o.Tokens[i].Kind != outline.Code {
		end := o.Tokens[i].End
		if line := strings.IndexAny(n.text[at:end], "\r\n"); line > 0 { // at 0 the range would be empty
			end = at + line
		}
		return n.lines.rangeOf(outline.Span{Start: at, End: end})
	}
	line := n.lines.line(int(n.lines.position(at).Line))
	start := n.lines.starts[n.lines.position(at).Line]
	end := max(at, start+len(strings.TrimRight(line, " \t")))
	return n.lines.rangeOf(outline.Span{Start: at, End: end})
}

// placeNamed matches a place in the text of a finding: a line of this file, or a place in any.
var placeNamed = regexp.MustCompile(`\bline (\d+)(?:, column (\d+))?|([^\s"` + "`" + `:()]+):(\d+):(\d+)`)

// mostRelated caps the places of a diagnostic.
const mostRelated = 8

// relatedPlaces returns the places in this document that the text of a finding names, at most mostRelated, each with
// the line of that text that names it. It leaves out places in other files, and lines that the document does not
// have.
func (n *snapshot) relatedPlaces(text string) (list []protocol.DiagnosticRelatedInformation) {
	for line := range strings.SplitSeq(text, "\n") {
		for _, m := range placeNamed.FindAllStringSubmatch(line, -1) {
			file := m[3]
			if file != "" && file != n.name { // a finding about the lines of included files has its place only in words
				continue
			}
			number, column := m[1], m[2]
			if file != "" {
				number, column = m[4], m[5]
			}
			pos := expr.Pos{File: n.name, Line: 1, Col: 1}
			pos.Line, _ = strconv.Atoi(number)
			if column != "" {
				pos.Col, _ = strconv.Atoi(column)
			}
			if pos.Line < 1 || pos.Line > len(n.lines.starts) || len(list) == mostRelated {
				continue
			}
			list = append(list, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: n.uri, Range: n.rangeAt(pos)}, Message: strings.TrimSpace(line),
			})
		}
	}
	return list
}

// refreshHints has the editor ask again for the hints that depend on lint, if it can, and if n is still the latest
// version. It does not wait for an answer. It takes the server's lock.
func (s *server) refreshHints(n *snapshot) {
	s.mu.Lock()
	w := s.client.Workspace
	s.mu.Unlock()
	if w == nil || w.InlayHint == nil || !w.InlayHint.RefreshSupport || n.ctx.Err() != nil {
		return
	}
	if _, err := s.conn.DispatchCall(s.ctx, "workspace/inlayHint/refresh", nil); err != nil {
		s.logf("workspace/inlayHint/refresh: %v", err)
	}
}
