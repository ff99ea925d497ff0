package prove

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Proposals and messages quote the PEG as it is written. An expression does not keep its text; here it is found again,
// from the printed rule and the place of the expression in it.

// ruleNames returns the names of the rules as the PEG writes them, in the order of its rules. They can differ from the
// rules' IDs, which are the names of the productions.
func (p *proof) ruleNames() []string {
	if p.idents == nil {
		for _, r := range p.pair.PEG.Rules {
			p.idents = append(p.idents, leadingIdentifier.FindString(r.Printed))
		}
	}
	return p.idents
}

// Identifiers of pigeon and peggy.
var (
	leadingIdentifier = regexp.MustCompile(`^[\pL_][\pL\p{Nd}_$]*`)
	anyIdentifier     = regexp.MustCompile(`[\pL_][\pL\p{Nd}_$]*`)
)

// arrow returns the sign between the name of a rule and its expression in the notation of the PEG.
func (p *proof) arrow() string {
	if p.pair.PEG.Notation == peg.Peggy {
		return " = "
	}
	return " <- "
}

// partName returns the name under which a part of a rule is read: one that no rule of the PEG has.
func (p *proof) partName() string {
	name := "part"
	for slices.Contains(p.ruleNames(), name) {
		name += "_"
	}
	return name
}

// readRules reads rules, each a name and the text of an expression, in the notation of the PEG, and returns them in
// the same order. Names of the PEG's rules, as printed there, refer to these rules in the texts, and the rules that
// are returned have their IDs in place of them. It returns nil if the texts are not in the notation. Callers name a
// text that is only a part of a rule [proof.partName].
func (p *proof) readRules(texts [][2]string) []*expr.Rule {
	read := peg.Options{InvalidUTF8: p.pair.PEG.InvalidUTF8}.Read
	if p.pair.PEG.Notation == peg.Peggy {
		read = peg.Options{}.ReadPeggy
	}
	var b strings.Builder
	own, used := map[string]bool{}, map[string]bool{}
	for _, t := range texts {
		own[t[0]] = true
		for _, word := range anyIdentifier.FindAllString(t[1], -1) {
			used[word] = true
		}
		fmt.Fprintf(&b, "%s%s%s\n", t[0], p.arrow(), t[1])
	}
	// The reader wants a definition of each name, and what a rule of the PEG matches does not matter here. So
	// each of them that the texts mention, and do not define, gets a dummy expression after the texts, where
	// it is cut off.
	ids := map[string]string{}
	for i, name := range p.ruleNames() {
		if own[name] || used[name] {
			ids[name] = p.pair.PEG.Rules[i].ID
		}
		if !own[name] && used[name] {
			fmt.Fprintf(&b, "%s%s\"xx\" \"yy\"\n", name, p.arrow())
		}
	}
	g, err := read("part", []byte(b.String()))
	if err != nil {
		return nil
	}
	return peg.Rename(g, ids).Rules[:len(texts)]
}

// sourceFrom returns the printed text of a rule from pos to the end of the line, or "" if pos is not in the rule.
func sourceFrom(rule *expr.Rule, pos expr.Pos) string {
	if rule == nil {
		return ""
	}
	line := pos.Line - rule.Pos.Line
	lines := strings.Split(rule.Printed, "\n")
	if pos.Line == 0 || line < 0 || line >= len(lines) {
		return ""
	}
	col := pos.Col - 1
	if line == 0 {
		col -= rule.Pos.Col - 1 // Printed begins with the rule, which need not begin its line
	}
	if col < 0 || col > len(lines[line]) {
		return ""
	}
	return lines[line][col:]
}

// spellAsWritten returns the text of a part of a rule, with classes written as the rule has them. A class with code
// points above ASCII is several expressions, all at the place of the class; by that it is recognized.
func spellAsWritten(rule *expr.Rule, e *expr.Expr) string {
	var withTokens func(e *expr.Expr) *expr.Expr
	withTokens = func(e *expr.Expr) *expr.Expr {
		c, onePlace := e.Map(withTokens), true
		expr.Walk(e, func(s *expr.Expr) bool {
			// A repetition begins where its class does, and is more than the class.
			onePlace = onePlace && s.Op != expr.Repeat && (s.Pos.Line == 0 || s.Pos == e.Pos)
			return true
		})
		if token := classToken.FindString(sourceFrom(rule, e.Pos)); onePlace && token != "" {
			c.Chars = token
		}
		return c
	}
	return withTokens(e).String()
}

// classToken matches a class, or a dot, as a PEG writes it.
var classToken = regexp.MustCompile(`^(\[([^\]\\]|\\.)*\]i?|\.)`)

// literalToken returns the quoted literal that stands in the rule where e begins, as written, with its i if it has
// one, and the string in its quotes. With an i, other strings match as well. Both are "" if there is no literal, or
// if e is more or less than it.
func (p *proof) literalToken(rule *expr.Rule, e *expr.Expr) (token, text string) {
	token = quotedToken.FindString(sourceFrom(rule, e.Pos))
	if token == "" {
		return "", ""
	}
	whole := p.readRules([][2]string{{p.partName(), token}})
	exact := p.readRules([][2]string{{p.partName(), strings.TrimSuffix(token, "i")}})
	if whole == nil || exact == nil || whole[0].Expr.String() != e.String() || exact[0].Expr.Op != expr.Literal {
		return "", ""
	}
	return token, exact[0].Expr.Lit
}

// quotedToken matches a quoted literal of pigeon or peggy, with its i.
var quotedToken = regexp.MustCompile("^(\"([^\"\\\\]|\\\\.)*\"|'([^'\\\\]|\\\\.)*'|`[^`]*`)i?")
