package editor

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
)

// init registers the requests that the form of the text answers: lists of productions, folding, selection.
func init() {
	announce(func(c *protocol.ServerCapabilities) {
		c.DocumentSymbolProvider, c.FoldingRangeProvider, c.SelectionRangeProvider = true, true, true
	})
	handle("textDocument/documentSymbol", (*call).symbols)
	handle("textDocument/foldingRange", (*call).folding)
	handle("textDocument/selectionRange", (*call).selection)
}

// maxDetail caps the bytes of a production that are shown after its name in lists.
const maxDetail = 60

// symbols lists the productions in the order of the text, one for each definition of a name.
func (c *call) symbols(p protocol.DocumentSymbolParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	o := n.reading().outline
	list := []protocol.DocumentSymbol{}
	for _, r := range o.Rules {
		own := o.Span(r)
		list = append(list, protocol.DocumentSymbol{
			Name: o.NameOf(r.Name), Detail: shapeOf(o, r), Kind: protocol.SymbolKindFunction,
			Range: n.lines.rangeOf(own), SelectionRange: n.lines.rangeOf(o.NameSpan(r.Name)),
		})
	}
	return list, nil
}

// shapeOf returns the right-hand side of a production in one line, without comments and code, cut off after maxDetail
// bytes, with "…" then.
func shapeOf(o *outline.Outline, r outline.Rule) string {
	var b strings.Builder
	defined := false
	end := -1
	for i := r.Name + 1; i < r.Last && b.Len() <= maxDetail; i++ {
		t := o.Tokens[i]
		switch {
		case t.Kind == outline.Comment || t.Kind == outline.Code:
			continue
		case t.Kind == outline.Defines && !defined:
			defined = true
			continue
		case !defined:
			continue
		}
		if b.Len() > 0 && t.Start > end {
			b.WriteByte(' ')
		}
		b.WriteString(strings.Join(strings.Fields(o.TextOf(i)), " "))
		end = t.End
	}
	if b.Len() <= maxDetail {
		return b.String()
	}
	return strings.ToValidUTF8(b.String()[:maxDetail], "") + "…"
}

// folding lists the parts that can be folded: productions of several lines, and comments of several lines, or on
// several lines in a row.
func (c *call) folding(p protocol.FoldingRangeParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	o := n.reading().outline
	list := []protocol.FoldingRange{}
	add := func(s outline.Span, kind protocol.FoldingRangeKind) {
		if first, last := n.lines.position(s.Start).Line, n.lines.position(s.End).Line; first < last {
			list = append(list, protocol.FoldingRange{StartLine: first, EndLine: last, Kind: kind})
		}
	}
	for _, r := range o.Rules {
		add(o.Span(r), "")
	}
	for i := 0; i < len(o.Tokens); i++ {
		if o.Tokens[i].Kind != outline.Comment {
			continue
		}
		first := i
		// The comments on the lines that follow are folded with it.
		for i+1 < len(o.Tokens) && o.Tokens[i+1].Kind == outline.Comment {
			end, next := n.lines.position(o.Tokens[i].End), n.lines.position(o.Tokens[i+1].Start)
			if next.Line != end.Line+1 {
				break
			}
			i++
		}
		add(outline.Span{Start: o.Tokens[first].Start, End: o.Tokens[i].End}, protocol.FoldingRangeKindComment)
	}
	return list, nil
}

// selection lists, for each position in their order, the ranges around it, each the parent of the one inside it: the
// token, the alternative, the brackets, the production, and the text. Outside a production there is only the text.
func (c *call) selection(p protocol.SelectionRangeParams) (any, error) {
	n, err := c.document()
	if err != nil {
		return nil, err
	}
	list := []*protocol.SelectionRange{}
	for _, at := range p.Positions {
		all := outline.Span{Start: 0, End: len(n.text)}
		var chain *protocol.SelectionRange
		last := outline.Span{Start: -1}
		spans := append(spansAround(n.reading().outline, n.lines.offset(at)), all)
		for i := len(spans) - 1; i >= 0; i-- {
			if spans[i] != last {
				chain = &protocol.SelectionRange{Range: n.lines.rangeOf(spans[i]), Parent: chain}
			}
			last = spans[i]
		}
		list = append(list, chain)
	}
	return list, nil
}

// spansAround returns the spans around an offset up to its production, the innermost first. Each is within the next,
// or equal to it. There are none outside a production.
func spansAround(o *outline.Outline, offset int) (spans []outline.Span) {
	i := o.At(offset)
	rule := o.RuleAt(offset)
	if rule < 0 {
		return nil
	}
	r := o.Rules[rule]
	own := o.Span(r)
	if offset > own.End {
		return nil
	}
	if i >= 0 && i < r.Last {
		spans = append(spans, outline.Span{Start: o.Tokens[i].Start, End: o.Tokens[i].End})
	}
	// Outwards: the alternative in the innermost brackets, these brackets, the alternative around them, and so on.
	from := i
	if from < 0 { // between two tokens: from the one before
		for from = r.First; from+1 < r.Last && o.Tokens[from+1].Start <= offset; from++ {
		}
	}
	body := r.Name + 1
	for body < r.Last && o.Tokens[body].Kind != outline.Defines {
		body++
	}
	if from > body {
		left, right := from, from
		for {
			left, right = widenToAlternative(o, left, right, body+1, r.Last)
			spans = append(spans, outline.Span{Start: o.Tokens[left].Start, End: o.Tokens[right].End})
			left, right = widenToBrackets(o, left, right, body+1, r.Last)
			spans = append(spans, outline.Span{Start: o.Tokens[left].Start, End: o.Tokens[right].End})
			if left == body+1 || o.Tokens[left-1].Kind != outline.Open || right+1 >= r.Last {
				break
			}
			left, right = left-1, right+1
			spans = append(spans, outline.Span{Start: o.Tokens[left].Start, End: o.Tokens[right].End})
		}
	}
	return append(spans, own)
}

// widenToAlternative extends a run of tokens, from left to right inclusive, to the alternative that it is in, among the
// tokens first to end-1. It returns the new ends.
func widenToAlternative(o *outline.Outline, left, right, first, end int) (int, int) {
	return widenTokens(o, left, right, first, end, true)
}

// widenToBrackets likewise extends it to all alternatives inside the brackets around it.
func widenToBrackets(o *outline.Outline, left, right, first, end int) (int, int) {
	return widenTokens(o, left, right, first, end, false)
}

// widenTokens extends a run of tokens, from left to right inclusive, at both ends until it meets a bracket around the
// run or, with alternative set, a sign between alternatives, and returns the new ends. It leaves comments at the ends
// outside. It looks at the tokens first to end-1 alone.
func widenTokens(o *outline.Outline, left, right, first, end int, alternative bool) (int, int) {
	// Backwards, a closing bracket opens a nested pair, and an opening one that closes nothing is the bracket around.
	depth := 0
	for k := left - 1; k >= first; k-- {
		kind := o.Tokens[k].Kind
		if kind == outline.Close {
			depth++
		} else if kind == outline.Open {
			depth--
		}
		if depth < 0 || depth == 0 && alternative && kind == outline.Slash {
			break
		}
		if kind != outline.Comment {
			left = k
		}
	}
	depth = 0
	for k := right + 1; k < end; k++ {
		kind := o.Tokens[k].Kind
		if kind == outline.Open {
			depth++
		} else if kind == outline.Close {
			depth--
		}
		if depth < 0 || depth == 0 && alternative && kind == outline.Slash {
			break
		}
		if kind != outline.Comment {
			right = k
		}
	}
	return left, right
}
