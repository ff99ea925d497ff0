package editor

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// If a text cannot be read, the productions with mistakes are replaced by blanks, so that all others keep their
// places, and it is read again. A reader lists ten mistakes at most. mostMends caps how often this is tried.
const mostMends = 6

// A reading is the result of reading a text.
type reading struct {
	kind     catalog.Kind
	outline  *outline.Outline // of the text, mistakes included; never nil
	opened   *catalog.Opened  // what can be read without the productions in lost; nil if nothing can be
	wrong    []*expr.Error    // mistakes, in the order in which they were found
	lost     map[string]bool  // the keys of names whose productions were left out
	settings settings
	failed   error // why nothing is known, if the reason has no place in the text

	lazily
}

// options returns the options for reading a grammar within b: the document, its version in git, or the file next to
// it. The settings are not among them: see [settings.apply].
func (n *snapshot) options(b *budget.Budget) catalog.Options {
	o := catalog.Usual
	o.Notation.Budget = b
	o.Notation.StandardNames = true
	o.Notation.Include = n.include
	o.PEG.Budget = b
	o.PEG.ActionsSucceed = true // findings hold if code only returns values, as in lint
	return o
}

// read reads the text, with its settings. The reading is never nil; mistakes, those of settings included, are in its
// wrong, and any other failure in its failed. If mistakes are left after mostMends tries, or blanks change nothing
// more, opened is nil. An RFC without a grammar is no mistake: opened is nil, and nothing says why. If n's context
// ends, the reading has what was found by then. read takes the server's lock, and has the effects of open.
func (n *snapshot) read() (r *reading) {
	r = &reading{outline: &outline.Outline{Text: n.text}, lost: map[string]bool{}}
	defer n.containPanic("a reading", &r.failed)
	defer budget.Catch(&r.failed) // <any CHAR except ";"> is computed while it is read
	if len(n.text) > maxDocument {
		r.failed = fmt.Errorf("the document has more than %d bytes, and is not looked at", maxDocument)
		return r
	}
	o := n.options(newBudget(n.ctx, 1))
	r.kind = catalog.Likely(n.name, []byte(n.text), o)
	r.outline = n.outlineOf(r.kind, nil)
	r.settings = n.settingsOf(r.outline)
	if r.settings.kind != "" {
		o.Kind = r.settings.kind
		r.kind = o.Kind
		r.outline = n.outlineOf(r.kind, nil)
	}
	r.wrong = append(r.wrong, r.settings.apply(n, &o)...)
	text := []byte(n.text)
	for range mostMends {
		opened, err := catalog.Read(n.name, text, o)
		if err == nil {
			r.opened, r.kind = opened, opened.Kind
			r.outline = n.outlineOf(r.kind, opened.Blocks)
			return r
		}
		if n.ctx.Err() != nil {
			return r
		}
		found := mistakes(err)
		if len(found) == 0 {
			r.failed = err
			return r
		}
		blanked := false
		for _, e := range found {
			if e.Empty {
				if r.kind != catalog.RFC { // a document may have no grammar
					r.wrong = append(r.wrong, e)
				}
				return r
			}
			if e.Pos.File != n.name && e.Pos.File != "" {
				e = expr.Errorf(expr.Pos{File: n.name, Line: 1, Col: 1}, "%v", e).(*expr.Error)
			}
			r.wrong = append(r.wrong, e)
			blanked = r.blank(n, text, e.Pos) || blanked
		}
		if !blanked {
			return r
		}
	}
	return r
}

// mistakes lists the errors of a reader that have a place. There are none if a limit was passed, or if err has none.
func mistakes(err error) []*expr.Error {
	if _, limit := errors.AsType[*budget.Exceeded](err); limit {
		return nil
	}
	return expr.Errors(err)
}

// blank replaces in text the production at a place by blanks, or the line if there is none. If the place is after the
// production, because something was missing in that, it replaces the production and the line. Line ends and tabs stay,
// so that all else keeps its place. It enters the name of the production in r.lost. It reports whether it has changed
// text: if not, reading it again would fail as before.
func (r *reading) blank(n *snapshot, text []byte, pos expr.Pos) bool {
	at := n.lines.place(pos)
	o := r.outline
	i := o.RuleAt(at)                                        // after a production it is still that one
	number := min(max(pos.Line-1, 0), len(n.lines.starts)-1) // from 0; of a place outside the text the nearest
	line := outline.Span{Start: n.lines.starts[number]}
	line.End = line.Start + len(n.lines.line(number))
	spans := []outline.Span{line}
	if i >= 0 {
		rule := o.Rules[i]
		r.lost[o.Key(o.NameOf(rule.Name))] = true
		own := o.Span(rule)
		if at <= own.End {
			spans = []outline.Span{own}
		} else {
			spans = append(spans, own)
		}
	}
	changed := false
	for _, s := range spans {
		for k := s.Start; k < s.End; k++ {
			if c := text[k]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
				text[k], changed = ' ', true
			}
		}
	}
	return changed
}

// inDocuments are the kinds whose files can be documents with grammar in them.
var inDocuments = []catalog.Kind{catalog.RFC, catalog.EBNF}

// outlineOf divides the parts of the text that are grammar into tokens. For the kinds that are not among inDocuments,
// and for EBNF that is no page, that is all of it. Otherwise it is the passages that are marked in the text; marks
// that are not ABNF's also tell the kind. If none are marked, it is the blocks in which productions were read; a page
// without marks has no grammar. Of pages and XML, a copy is divided in which references to characters are replaced, at
// the same offsets; n.text stays as it is.
func (n *snapshot) outlineOf(kind catalog.Kind, blocks []bnf.Block) *outline.Outline {
	src := []byte(n.text)
	if !slices.Contains(inDocuments, kind) {
		return outline.Of(kind, n.text, []outline.Span{{Start: 0, End: len(n.text)}})
	}
	page := bnf.IsPage(n.name, src)
	if kind == catalog.EBNF && !page {
		return outline.Of(kind, n.text, []outline.Span{{Start: 0, End: len(n.text)}})
	}
	marked := bnf.MarkedAs(n.name, src)
	text := n.text
	if page || strings.EqualFold(filepath.Ext(n.name), ".xml") {
		text = withoutReferences(text)
	}
	var spans []outline.Span
	if marked != "" {
		for _, p := range bnf.MarkedPassages(n.name, src, marked) {
			spans = append(spans, outline.Span{Start: n.lines.place(p[0]), End: n.lines.place(p[1])})
		}
		if marked != bnf.ABNF {
			kind = catalog.Kind(marked)
		}
		return outline.Of(kind, text, spans)
	}
	if page { // its markup is no grammar
		return outline.Of("", n.text, nil)
	}
	for _, b := range blocks {
		if b.File != "" || b.LeftOut != "" {
			continue
		}
		first, last := expr.Pos{Line: b.First, Col: 1}, expr.Pos{Line: b.Last + 1, Col: 1}
		spans = append(spans, outline.Span{Start: n.lines.place(first), End: n.lines.place(last)})
	}
	return outline.Of(kind, text, spans)
}

// reference matches an XML reference to a character.
var reference = regexp.MustCompile(`&(?:lt|gt|amp|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});`)

// characters has the characters that XML references stand for.
var characters = map[string]string{"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": `"`, "&apos;": "'"}

// withoutReferences returns a text of the same length, in which each reference to a character is replaced by that
// character, or "?" if grammars do not use it, and blanks.
func withoutReferences(text string) string {
	return reference.ReplaceAllStringFunc(text, func(s string) string {
		c, ok := characters[s]
		if !ok {
			c = "?"
		}
		return c + strings.Repeat(" ", len(s)-len(c))
	})
}
