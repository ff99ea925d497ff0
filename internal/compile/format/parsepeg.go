package format

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
)

// A pegItem is a rule, the initializer, or a comment between rules.
type pegItem struct {
	blank   bool   // a blank line stands before it
	comment string // of a comment, its text
	code    string // of the initializer, its text with braces
	after   string // comments after the initializer, at the end of its line

	head, arrow string // of a rule: its name and display name; the sign
	arrowAfter  string // comments at the end of the line after the arrow
	parts       []pegPart
}

// A pegPart is a token of the expression of a rule. A comment is one if something follows it in its line.
type pegPart struct {
	peg.Token
	attached
	depth  int  // brackets around it; for a bracket, those around the pair
	mate   int  // of a bracket, the index of the other one
	begins bool // it began a line
}

// isMultiline reports whether the part has several lines, as code and comments can.
func (p *pegPart) isMultiline() bool { return strings.Contains(p.Text, "\n") }

// isSign reports whether the part separates alternatives.
func (p *pegPart) isSign() bool { return p.Kind == peg.SlashToken || p.Kind == peg.RecoverToken }

// A pegParser makes items of tokens. The tokens must be those of a grammar that [peg.Read] reads.
type pegParser struct {
	tokens  []peg.Token
	items   []pegItem
	pending []peg.Token // comments on lines of their own that have no place yet
	last    int         // the last line with something that has been taken
	open    []int       // the open brackets of the current rule, by their index among its parts
}

// parsePEG returns the items that the tokens make, with comments moved around each sign between alternatives
// ([movePEGComments]). Semicolons are dropped.
func parsePEG(tokens []peg.Token) []pegItem {
	p := &pegParser{tokens: tokens}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.Kind == peg.EndToken: // dropped; text after it in its line gets a line of its own
			continue
		case t.Kind == peg.CommentToken:
			p.takeComment(i)
			continue
		case t.Kind == peg.CodeToken && len(p.items) == 0: // only comments come before it, and they are pending
			p.flush()
			p.items = append(p.items, pegItem{blank: p.blankBefore(t), code: t.Text})
		default:
			if arrow := p.arrowAfter(i); arrow > 0 {
				i = p.takeHead(i, arrow)
				continue
			}
			p.takePart(t)
		}
		p.last = lastLineOf(t)
	}
	p.flush()
	for i := range p.items {
		movePEGComments(p.items[i].parts)
	}
	return p.items
}

// lastLineOf returns the line that a token ends in.
func lastLineOf(t peg.Token) int { return t.Line + strings.Count(t.Text, "\n") }

// blankBefore reports whether there is a blank line between a token and the last one taken.
func (p *pegParser) blankBefore(t peg.Token) bool { return len(p.items) > 0 && t.Line > p.last+1 }

// flush makes items of the pending comments, between rules.
func (p *pegParser) flush() {
	for _, c := range p.pending {
		p.items = append(p.items, pegItem{blank: p.blankBefore(c), comment: c.Text})
		p.last = lastLineOf(c)
	}
	p.pending = nil
}

// takePending returns the texts of the pending comments, and removes them.
func (p *pegParser) takePending() (texts []string) {
	for _, c := range p.pending {
		texts = append(texts, c.Text)
	}
	p.pending = nil
	return texts
}

// arrowAfter returns the index of the arrow of the rule that begins at token i; 0 if none begins there.
func (p *pegParser) arrowAfter(i int) int {
	if p.tokens[i].Kind != peg.NameToken {
		return 0
	}
	display := false
	for k := i + 1; k < len(p.tokens); k++ {
		switch p.tokens[k].Kind {
		case peg.CommentToken:
			// may stand anywhere
		case peg.StringToken:
			if display {
				return 0
			}
			display = true
		case peg.ArrowToken:
			return k
		default:
			return 0
		}
	}
	return 0
}

// takeHead makes items of the pending comments, begins the rule that starts at token i and has its arrow at token
// arrow, and returns arrow. Comments in between are then pending: they are left to the first element.
func (p *pegParser) takeHead(i, arrow int) int {
	p.flush()
	t := p.tokens[i]
	x := pegItem{blank: p.blankBefore(t), head: t.Text, arrow: p.tokens[arrow].Text}
	for _, t := range p.tokens[i+1 : arrow] {
		if t.Kind == peg.CommentToken {
			p.pending = append(p.pending, t)
			continue
		}
		x.head += " " + t.Text
	}
	p.items = append(p.items, x)
	p.open = nil
	p.last = p.tokens[arrow].Line
	return arrow
}

// takePart adds a token to the current rule, as a part with the pending comments before it, and sets the mates of
// brackets. The caller moves p.last. Without a rule the token is dropped.
func (p *pegParser) takePart(t peg.Token) {
	if len(p.items) == 0 {
		return // a grammar that was read begins with a rule
	}
	rule := &p.items[len(p.items)-1]
	n := len(rule.parts)
	part := pegPart{Token: t, depth: len(p.open), begins: t.Line != p.last}
	part.own = p.takePending()
	switch {
	case t.Kind == peg.OpenToken:
		p.open = append(p.open, n)
	case t.Kind == peg.CloseToken && len(p.open) > 0:
		part.mate = p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		part.depth = len(p.open)
		rule.parts[part.mate].mate = n
	}
	rule.parts = append(rule.parts, part)
}

// takeComment takes the comment that is token i. One between two elements in their line becomes a part, and one at the
// end of a line belongs to what it follows. One on lines of its own, or of several lines, is pending: the next token
// decides what it belongs to.
func (p *pegParser) takeComment(i int) {
	t := p.tokens[i]
	var x *pegItem
	if len(p.items) > 0 {
		x = &p.items[len(p.items)-1]
	}
	switch {
	case x == nil || x.comment != "" || strings.Contains(t.Text, "\n"):
		p.pending = append(p.pending, t)
		return
	case x.arrow != "" && p.inLine(i):
		p.takePart(t)
	case t.Line != p.last || len(p.pending) > 0:
		p.pending = append(p.pending, t)
		return
	case x.code != "":
		x.after = joinComments(x.after, t.Text)
	case len(x.parts) == 0:
		x.arrowAfter = joinComments(x.arrowAfter, t.Text)
	default:
		part := &x.parts[len(x.parts)-1]
		part.after = joinComments(part.after, t.Text)
	}
	p.last = t.Line
}

// inLine reports whether the comment that is token i has an element of the same rule after it in its line, or
// a "/" that no comment will be moved before: see [movePEGComments].
func (p *pegParser) inLine(i int) bool {
	t := p.tokens[i]
	if strings.HasPrefix(t.Text, "//") || i+1 == len(p.tokens) || p.tokens[i+1].Line != lastLineOf(t) {
		return false
	}
	i++ // the token after the comment, which stands in its line
	switch p.tokens[i].Kind {
	case peg.CommentToken: // it depends on what comes after that one
		return !strings.Contains(p.tokens[i].Text, "\n") && p.inLine(i)
	case peg.SlashToken, peg.RecoverToken: // a comment that ends the line of the sign will be moved before it
		return i+1 == len(p.tokens) || p.tokens[i+1].Kind != peg.CommentToken || p.inLine(i+1)
	case peg.EndToken:
		return false
	}
	return p.arrowAfter(i) == 0 // not the head of the next rule
}

// joinComments returns two comments as one line.
func joinComments(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

// movePEGComments moves, in place, the comments after each sign between alternatives before it: see
// [moveBefore].
func movePEGComments(parts []pegPart) {
	for i := 1; i+1 < len(parts); i++ {
		if parts[i].isSign() {
			moveBefore(&parts[i].attached, &parts[i-1].attached, &parts[i+1].attached)
		}
	}
}
