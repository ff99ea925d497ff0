package anygrammar

import (
	"errors"
	"fmt"
	"regexp"
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

// strict returns a parser of ABNF by RFC 5234, with the strings of RFC 7405. The grammars that it parses are
// strings of "rulelist".
var strict = sync.OnceValues(func() (*Parser, error) {
	g := bnf.Standard("rfc5234")
	either := expr.Or(expr.Lit("i"), expr.Lit("s"), expr.Lit("I"), expr.Lit("S"))
	g = g.Change("char-val", expr.Cat(expr.Opt(expr.Cat(expr.Lit("%"), either)), g.Rule("char-val").Expr))
	g.CodePoints = true // in messages
	return New(&catalog.Opened{Grammar: g, Within: g, Asked: "rulelist"})
})

// firstRule matches the beginning of a text's first rule; its group is the indent.
var firstRule = regexp.MustCompile(`(?m)^([ \t]*)[A-Za-z]`)

// LintOptions returns the options with which lint looks at an opened grammar, but for Start, Nesting, Limits and
// Ordered, which depend on who asks. It fails where [Noticed] does.
func LintOptions(n *catalog.Opened) (o lint.Options, err error) {
	o = lint.Options{
		Text: n.Text, Included: n.Included, Reread: bnf.RightOf, Backtracks: n.Backtracks(), Modeled: n.Models(),
	}
	o.Noticed, err = Noticed(n)
	return o, err
}

// Noticed returns findings about the text of a grammar: first everything that was noticed while it was read. Text
// that was refused is an error, other text that was left out a warning. The rest are notes; in a text that is to be
// ABNF, what is beyond RFC 5234 and a rule that only adds to another are warnings.
// If its author says that the text is ABNF, in a file of its own or in blocks of a document, there is also a
// warning for each rule that RFC 5234 does not derive, unless a refusal or something beyond RFC 5234 was noticed
// in that line or about that character. An unexpected character is reported only once; Detail has the lines where
// it comes again. The indent of the first rule counts as none, and the end of a line as CR LF. If Noticed fails, it
// returns the findings so far.
func Noticed(n *catalog.Opened) (list []lint.Finding, err error) {
	plain := n.Source != nil && (n.Kind == catalog.ABNF || n.Source.Marked)
	known := map[any]bool{} // as strictReader.known
	for _, notice := range n.Notices {
		f := lint.Finding{Code: lint.Notation, Level: results.Note, Pos: notice.Pos, Message: notice.Message}
		if notice.LeftOut {
			f.Code, f.Level = lint.Unread, results.Warning
			if notice.Refused != "" {
				f.Level, known[lineOf(notice.Pos)] = results.Error, true
			}
		}
		if notice.Alone {
			f.Code = lint.AddedAlone
			if plain {
				f.Level = results.Warning
			}
		}
		if plain && notice.Beyond != "" {
			f.Level, known[lineOf(notice.Pos)] = results.Warning, true
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

// A strictReader finds rules that RFC 5234 does not derive.
type strictReader struct {
	parser *Parser
	known  map[any]bool // lines (see lineOf) and quoted characters (string) about which a finding says enough
	list   []lint.Finding
	about  map[string]int   // by character: the index in list of the finding about it
	also   map[int][]string // by index in list: the lines where the character comes again
}

// lineOf returns the line of a place as a place without a column.
func lineOf(pos expr.Pos) expr.Pos { return expr.Pos{File: pos.File, Line: pos.Line} }

// read reads a text of ABNF rule by rule, so that a fault in one hides none in the next, and adds to s.list
// and s.also. at returns the place of a line and column of lines, both counted as readRule does. It fails if
// readRule does.
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
		// The lines from first to before next are one rule: next begins another, or is the end.
		inRule := func(line, col int) expr.Pos { return at(first+line, col) }
		if err := s.readRule(lines[first:next], margin, inRule); err != nil {
			return err
		}
		first = next
	}
	return nil
}

// readRule reads the lines of a rule, with the comments and empty lines after it. If RFC 5234 does not derive
// them it adds a line to s.also, for a character that has a finding, and otherwise a finding, unless something is known
// about the character or the line. margin is the indent of the first rule of the text. It is cut from each line that
// begins with it; columns count it. at returns the place of a line, from 0, and a column, from 1. readRule fails if
// the rule is too long to be parsed or explained.
func (s *strictReader) readRule(lines []string, margin string, at func(line, col int) expr.Pos) error {
	// The rule without the margin, each line with CR LF at its end. The CR LF in front gives the first line a margin
	// too.
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
	line, column := strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
	if line < len(lines) && strings.HasPrefix(lines[line], margin) {
		column += len(margin)
	}
	pos := at(line, column)
	what := strings.Replace(e.Unexpected(), `"\x0D"`, "the end of the line", 1)
	if i, again := s.about[what]; again {
		s.also[i] = append(s.also[i], pos.LineFrom(s.list[i].Pos.File))
		return nil
	}
	// At the end of a rule, the notice may be about the line after it.
	here := lineOf(pos)
	next := here
	next.Line++
	noticed := s.known[what] || s.known[here] || what == ast.EndOfInput && s.known[next]
	if !noticed {
		s.about[what] = len(s.list)
		s.list = append(s.list, lint.Finding{
			Code: lint.Notation, Level: results.Warning, Pos: pos,
			Message: fmt.Sprintf(
				"RFC 5234 does not derive it: unexpected %s in %s; expected %s",
				what, s.parser.Grammar.Production(e.In[0]).Name, layout.List(e.Terms(), "or")),
		})
	}
	return nil
}
