package gogen

import (
	"regexp"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// In pigeon's parser a node has as its children what its action's label holds, and an action of another kind drops the
// nodes that its expression makes. The expression tree knows neither. So what would lose nodes is refused: it is told by
// the places in the rule's source.

// checkActions refuses a rule with actions that lose nodes.
func (p *program) checkActions(r *expr.Rule) error {
	if r.Printed == "" || !p.builds(r.Expr) {
		return nil
	}
	nodes := 0
	var err error
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if e.Op != expr.Node {
			return true
		}
		nodes++
		// A label stands before its expression, so that one that is all of the sequence begins behind the sequence's place.
		if in := e.Sub[0]; err == nil && p.builds(in) && (in.Pos == e.Pos || !labelled(r, e)) {
			err = expr.Errorf(e.Pos, "the node %s can lose the nodes in it: it must be made of one expression with a label, as in v:( ... )", e.Name)
		}
		return true
	})
	if err == nil && actions(r.Printed) > nodes {
		err = expr.Errorf(r.Pos, "%s has an action that makes no node, and can lose the nodes in it", r.ID)
	}
	return err
}

var label = regexp.MustCompile(`^([A-Za-z_]\w*)\s*:`)

// labelled reports whether the source of a node begins with the label that its action uses.
func labelled(r *expr.Rule, e *expr.Expr) bool {
	src := r.Printed
	col := e.Pos.Col
	for line := r.Pos.Line; line < e.Pos.Line; line++ {
		_, src, _ = strings.Cut(src, "\n")
	}
	if e.Pos.Line == r.Pos.Line {
		col -= r.Pos.Col - 1
	}
	if col < 1 || col > len(src) {
		return false
	}
	m := label.FindStringSubmatch(src[col-1:])
	return m != nil && strings.Contains(src, ", "+m[1]+")")
}

// actions counts the blocks of code in the source of a rule.
func actions(src string) int {
	count, depth := 0, 0
	for len(src) > 0 {
		n := 1
		switch c := src[0]; {
		case c == '"' || c == '\'' || c == '`':
			n = quoted(src, c)
		case c == '[' && depth == 0:
			n = quoted(src, ']')
		case strings.HasPrefix(src, "//"):
			n = len(src)
			if i := strings.IndexByte(src, '\n'); i >= 0 {
				n = i
			}
		case strings.HasPrefix(src, "/*"):
			n = len(src)
			if i := strings.Index(src, "*/"); i >= 0 {
				n = i + 2
			}
		case c == '{':
			if depth == 0 {
				count++
			}
			depth++
		case c == '}':
			depth--
		}
		src = src[n:]
	}
	return count
}

// quoted returns the length of what begins src and ends with the byte end, before which a backslash may stand.
func quoted(src string, end byte) int {
	for i := 1; i < len(src); i++ {
		switch {
		case src[i] == '\\' && end != '`':
			i++
		case src[i] == end:
			return i + 1
		}
	}
	return len(src)
}
