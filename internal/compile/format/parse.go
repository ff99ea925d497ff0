package format

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A grammar is a text as a row of rules, with the comments between them.
type grammar struct {
	items []item
}

// An item is a rule, or a comment on a line of its own between rules.
type item struct {
	blank   int  // blank lines before it
	rule    bool // else it is a comment
	comment string
	inset   bool // the comment is set in from the margin: it belongs to the rule above it

	name, defines string
	nameComments  []string // comments between the name and the first element
	parts         []part
}

// A part is a token of the right-hand side of a rule.
type part struct {
	bnf.Token
	attached
	depth  int  // brackets around it; for a bracket, those around the pair
	begins bool // it began a line
}

// attached has the comments that go with a part.
type attached struct {
	own   []string // on lines of their own before it
	after string   // at the end of its line, after it
}

// parse returns the tokens of a text as items, with comments moved around each "/" (moveComments). A rule
// begins with a name that is followed by a sign of definition. It fails at a token before the first rule, at
// a second sign of definition in one, and where checkSyntax does.
func parse(file string, tokens []bnf.Token) (*grammar, error) {
	g := &grammar{}
	var rule *item          // the current one
	var pending []bnf.Token // comments on lines of their own that have no place yet
	last := 0               // the last line with something that has been taken
	depth := 0
	var starts []bnf.Token // the name that each rule begins with
	// flush puts the pending comments between rules.
	flush := func() {
		for _, c := range pending {
			g.items = append(g.items, item{blank: max(0, c.Line-last-1), comment: c.Text, inset: c.Col > 1})
			last = c.Line
		}
		pending = nil
	}
	for i, t := range tokens {
		switch {
		case t.Kind == bnf.CommentToken:
			// A comment on the line of a token belongs to that. One on a line of its own belongs to the next
			// part, or goes between rules: the next token decides.
			if t.Line == last && rule != nil && len(pending) == 0 {
				if n := len(rule.parts); n > 0 {
					rule.parts[n-1].after = t.Text
				} else {
					rule.nameComments = append(rule.nameComments, t.Text)
				}
				continue
			}
			pending = append(pending, t)
			continue
		case t.Kind == bnf.NameToken && i+1 < len(tokens) && nextIsDefinition(tokens[i+1:]):
			flush()
			g.items = append(g.items, item{rule: true, blank: max(0, t.Line-last-1), name: t.Text})
			rule, depth = &g.items[len(g.items)-1], 0
			starts = append(starts, t)
		case rule == nil:
			const format = "unexpected %q; expected a rule: a name and \"=\""
			return nil, expr.Errorf(posOf(file, t), format, t.Text)
		case t.Kind == bnf.DefinesToken && rule.defines == "" && len(rule.parts) == 0:
			rule.defines = t.Text
			for _, c := range pending {
				rule.nameComments = append(rule.nameComments, c.Text)
			}
			pending = nil
		case t.Kind == bnf.DefinesToken:
			return nil, expr.Errorf(posOf(file, t), "unexpected %q in a rule", t.Text)
		default:
			p := part{Token: t, depth: depth, begins: t.Line != last}
			for _, c := range pending {
				p.own = append(p.own, c.Text)
			}
			pending = nil
			switch t.Kind {
			case bnf.OpenToken:
				depth++
			case bnf.CloseToken:
				depth = max(0, depth-1)
				p.depth = depth
			}
			rule.parts = append(rule.parts, p)
		}
		last = t.Line + strings.Count(t.Text, "\n")
	}
	flush()
	for _, x := range g.items {
		if !x.rule {
			continue
		}
		if err := checkSyntax(file, starts[0], x.parts); err != nil {
			return nil, err
		}
		starts = starts[1:]
		moveComments(x.parts)
	}
	return g, nil
}

// posOf returns the place of a token.
func posOf(file string, t bnf.Token) expr.Pos {
	return expr.Pos{File: file, Line: t.Line, Col: t.Col}
}

// checkSyntax returns an error at the first part of a right-hand side where an element is missing or a
// bracket does not match. The layout relies on it: each bracket has another one, and each count something to
// count. If the rule has no part at all, the error is at the token name.
func checkSyntax(file string, name bnf.Token, parts []part) error {
	if len(parts) == 0 {
		return expr.Errorf(posOf(file, name), "rule %s has no elements", name.Text)
	}
	var open []part      // the brackets around the next part
	needsElement := true // an element must follow
	var last bnf.Token   // the part before
	for _, p := range parts {
		missing := needsElement // p stands where an element has to be, and begins none
		switch p.Kind {
		case bnf.NameToken, bnf.TerminalToken:
			needsElement, missing = false, false
		case bnf.CountToken: // it begins an element, unless it follows another count
			needsElement, missing = true, last.Kind == bnf.CountToken
		case bnf.OpenToken:
			open = append(open, p)
			needsElement, missing = true, false
		case bnf.SlashToken:
			needsElement = true
		case bnf.CloseToken:
			if len(open) == 0 || closing[open[len(open)-1].Text] != p.Text {
				return expr.Errorf(posOf(file, p.Token), "unexpected %q: it closes no bracket", p.Text)
			}
			open = open[:len(open)-1]
		}
		if missing {
			return expr.Errorf(posOf(file, p.Token), "unexpected %q; expected an element", p.Text)
		}
		last = p.Token
	}
	switch {
	case needsElement:
		return expr.Errorf(posOf(file, last), "the rule ends with %q; expected an element", last.Text)
	case len(open) > 0:
		bracket := open[len(open)-1].Token
		return expr.Errorf(posOf(file, bracket), "%q is not closed", bracket.Text)
	}
	return nil
}

// closing maps each opening bracket to the one that closes it.
var closing = map[string]string{"(": ")", "[": "]"}

// moveComments moves, in place, the comments after each "/" before it: see [moveBefore].
func moveComments(parts []part) {
	for i := 1; i+1 < len(parts); i++ {
		if parts[i].Kind == bnf.SlashToken {
			moveBefore(&parts[i].attached, &parts[i-1].attached, &parts[i+1].attached)
		}
	}
}

// moveBefore moves the comments between a "/" and the part after it before the "/", so that the alternative follows
// the "/" directly. A comment after the "/" at the end of a line is about the alternative before it, and becomes the
// end of that one's line, if that has no comment yet and none stands between the two. All others come on lines of
// their own before the "/". The order of comments stays. next loses those on lines of its own.
func moveBefore(slash, before, next *attached) {
	switch {
	case slash.after == "":
		// there is no comment to move to a line's end
	case len(slash.own) == 0 && before.after == "":
		before.after = slash.after
	default:
		slash.own = append(slash.own, slash.after)
	}
	slash.after = ""
	slash.own = append(slash.own, next.own...)
	next.own = nil
}

// nextIsDefinition reports whether the first token that is not a comment is a sign of definition.
func nextIsDefinition(tokens []bnf.Token) bool {
	i := slices.IndexFunc(tokens, func(t bnf.Token) bool { return t.Kind != bnf.CommentToken })
	return i >= 0 && tokens[i].Kind == bnf.DefinesToken
}

// respell changes names in g to the spelling in known, by their lower case, or else to that of their first
// definition in g; core rules that neither has get capitals. It also gives values one form, and puts prose in
// one line.
func (g *grammar) respell(known map[string]string) {
	spelling := map[string]string{}
	for name, as := range known {
		spelling[name] = as
	}
	for _, x := range g.items {
		lower := strings.ToLower(x.name)
		if _, ok := spelling[lower]; x.rule && !ok {
			spelling[lower] = x.name
		}
	}
	name := func(text string) string {
		if as, ok := spelling[strings.ToLower(text)]; ok {
			return as
		}
		if bnf.IsCoreName(text) {
			return strings.ToUpper(text)
		}
		return text
	}
	for i := range g.items {
		x := &g.items[i]
		if !x.rule {
			continue
		}
		x.name = name(x.name)
		for k := range x.parts {
			p := &x.parts[k]
			switch {
			case p.Kind == bnf.NameToken:
				p.Text = name(p.Text)
			case strings.HasPrefix(p.Text, "%"):
				p.Text = normalizeValue(p.Text)
			case strings.HasPrefix(p.Text, "<"):
				p.Text = strings.Join(strings.Fields(p.Text), " ") // prose may have several lines
			}
		}
	}
}

// normalizeValue returns a value or a marked string, which begins with "%", in one form: a small letter
// for the base or the mark, and capitals for digits.
func normalizeValue(text string) string {
	if len(text) < 2 {
		return text
	}
	base := strings.ToLower(text[:2])
	if strings.Contains(text, `"`) {
		return base + text[2:]
	}
	return base + strings.ToUpper(text[2:])
}
