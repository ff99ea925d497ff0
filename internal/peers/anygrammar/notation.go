package anygrammar

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// strict returns a parser of ABNF as RFC 5234 has it, with the strings of RFC 7405.
var strict = sync.OnceValues(func() (*Parser, error) {
	g := bnf.Standard("rfc5234")
	either := expr.Or(expr.Lit("i"), expr.Lit("s"), expr.Lit("I"), expr.Lit("S"))
	g = g.Change("char-val", expr.Cat(expr.Opt(expr.Cat(expr.Lit("%"), either)), g.Rule("char-val").Expr))
	g.CodePoints = true // in messages
	return New(&catalog.Opened{Grammar: g, Within: g, Asked: "rulelist"})
})

// firstRule matches the indent of a text, at its first rule.
var firstRule = regexp.MustCompile(`(?m)^([ \t]*)[A-Za-z]`)

// Noticed returns what was noticed while a grammar was read in these lines. Of a file that is ABNF and nothing else, it is a warning
// that RFC 5234 does not derive it; what nothing else was noticed about is there once for each character that is not expected. The
// indent of the first rule counts as none, and the end of a line as CR LF.
func Noticed(n *catalog.Opened, read bnf.Lines) (list []lint.Finding, err error) {
	plain := n.Kind == catalog.ABNF && len(n.Blocks) == 1 && n.Blocks[0].Section == ""
	known := map[any]bool{} // lines and characters that something was noticed about
	for _, notice := range n.Notices {
		f := lint.Finding{Code: lint.Notation, Level: results.Note, Pos: notice.Pos, Message: notice.Message}
		if notice.LeftOut {
			f.Code, f.Level = lint.Unread, results.Warning
		}
		if plain && notice.Beyond != "" {
			f.Level, known[notice.Pos.Line] = results.Warning, true
			for _, c := range notice.Beyond {
				known[ast.Quote(string(c))] = true
			}
		}
		list = append(list, f)
	}
	if !plain {
		return list, nil
	}
	p, err := strict()
	if err != nil {
		return list, err
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(n.Text), "\r\n", "\n"), "\n")
	lines, margin := read.Of(strings.Split(text, "\n")), ""
	if m := firstRule.FindStringSubmatch(strings.Join(lines, "\n")); m != nil {
		margin = m[1]
	}
	begins := regexp.MustCompile("^" + margin + `[^ \t;]`) // matches a line that can only begin a rule
	about, also := map[string]int{}, map[int][]string{}    // the finding about a character, and its lines after the first
	for first, next := 0, 1; first < len(lines); next++ {
		if next < len(lines) && !begins.MatchString(lines[next]) {
			continue
		}
		rule := strings.ReplaceAll("\r\n"+strings.Join(lines[first:next], "\r\n"), "\r\n"+margin, "\r\n")[2:] + "\r\n"
		ok, err := p.Accepts(rule)
		if !ok && err == nil {
			err = p.Explain(rule)
		}
		if e, explained := errors.AsType[*ast.SyntaxError](err); explained && len(e.In) > 0 {
			before := rule[:min(e.Offset, len(rule)-len("\r\n"))]
			pos := expr.Pos{File: n.File, Line: first + 1 + strings.Count(before, "\n"), Col: len(margin) + len(before) - strings.LastIndexByte(before, '\n')}
			what := strings.Replace(e.Unexpected(), `"\x0D"`, "the end of the line", 1)
			if i, again := about[what]; again {
				also[i] = append(also[i], strconv.Itoa(pos.Line))
			} else if !known[what] && !known[pos.Line] && (what != ast.EndOfInput || !known[pos.Line+1]) {
				about[what] = len(list)
				list = append(list, lint.Finding{Code: lint.Notation, Level: results.Warning, Pos: pos, Message: fmt.Sprintf(
					"RFC 5234 does not derive it: unexpected %s in %s; expected %s", what, p.Grammar.Production(e.In[0]).Name, layout.List(e.Terms(), "or"))})
			}
		} else if err != nil {
			return list, err
		}
		first = next
	}
	for i, lines := range also {
		list[i].Detail = []string{"also in line " + layout.Some(lines, 8, ", ")}
	}
	return list, nil
}
