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

// Noticed returns what was noticed while a grammar was read. Where its author says that the text is ABNF, in a file of
// its own or in blocks of a document, it is a warning that RFC 5234 does not derive it; what nothing else was noticed
// about is there once for each character that is not expected. The indent of the first rule counts as none, and the end
// of a line as CR LF.
func Noticed(n *catalog.Opened) (list []lint.Finding, err error) {
	plain := n.Source != nil && (n.Kind == catalog.ABNF || n.Source.Marked)
	known := map[any]bool{} // lines and characters that something was noticed about
	for _, notice := range n.Notices {
		f := lint.Finding{Code: lint.Notation, Level: results.Note, Pos: notice.Pos, Message: notice.Message}
		if notice.LeftOut {
			f.Code, f.Level = lint.Unread, results.Warning
			if notice.Refused != "" {
				f.Level, known[notice.Pos.Line] = results.Error, true
			}
		}
		if notice.Alone {
			if f.Code = lint.AddedAlone; plain {
				f.Level = results.Warning
			}
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
	s := &strictReader{parser: p, known: known, about: map[string]int{}, also: map[int][]string{}, list: list}
	for i, lines := range n.Source.Blocks {
		at := func(line, col int) expr.Pos { return n.Source.Pos(i, line, col) }
		if err := s.read(lines, at); err != nil {
			return s.list, err
		}
	}
	for i, lines := range s.also {
		s.list[i].Detail = []string{"also in line " + layout.Some(lines, 8, ", ")}
	}
	return s.list, nil
}

// A strictReader finds what RFC 5234 does not derive.
type strictReader struct {
	parser *Parser
	known  map[any]bool // lines and characters that something was noticed about
	list   []lint.Finding
	about  map[string]int   // the finding about a character
	also   map[int][]string // its lines after the first
}

// read reads a text of ABNF a rule at a time, so that a fault in one hides none in the next.
func (s *strictReader) read(lines []string, at func(line, col int) expr.Pos) error {
	margin := ""
	if m := firstRule.FindStringSubmatch(strings.Join(lines, "\n")); m != nil {
		margin = m[1]
	}
	begins := regexp.MustCompile("^" + margin + `[^ \t;]`) // matches a line that can only begin a rule
	for first, next := 0, 1; first < len(lines); next++ {
		if next < len(lines) && !begins.MatchString(lines[next]) {
			continue
		}
		if err := s.readRule(lines[first:next], margin, func(line, col int) expr.Pos { return at(first+line, col) }); err != nil {
			return err
		}
		first = next
	}
	return nil
}

// readRule reads the lines of a rule, with the comments and empty lines behind it.
func (s *strictReader) readRule(lines []string, margin string, at func(line, col int) expr.Pos) error {
	rule := strings.ReplaceAll("\r\n"+strings.Join(lines, "\r\n"), "\r\n"+margin, "\r\n")[2:] + "\r\n"
	ok, err := s.parser.Accepts(rule)
	if !ok && err == nil {
		err = s.parser.Explain(rule)
	}
	e, explained := errors.AsType[*ast.SyntaxError](err)
	if !explained || len(e.In) == 0 {
		return err
	}
	before := rule[:min(e.Offset, len(rule)-len("\r\n"))]
	pos := at(strings.Count(before, "\n"), len(margin)+len(before)-strings.LastIndexByte(before, '\n'))
	what := strings.Replace(e.Unexpected(), `"\x0D"`, "the end of the line", 1)
	if i, again := s.about[what]; again {
		s.also[i] = append(s.also[i], strconv.Itoa(pos.Line))
		return nil
	}
	if !s.known[what] && !s.known[pos.Line] && (what != ast.EndOfInput || !s.known[pos.Line+1]) {
		s.about[what] = len(s.list)
		s.list = append(s.list, lint.Finding{Code: lint.Notation, Level: results.Warning, Pos: pos, Message: fmt.Sprintf(
			"RFC 5234 does not derive it: unexpected %s in %s; expected %s",
			what, s.parser.Grammar.Production(e.In[0]).Name, layout.List(e.Terms(), "or"))})
	}
	return nil
}
