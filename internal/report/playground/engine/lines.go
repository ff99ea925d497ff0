package engine

import (
	"errors"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Line is the verdict on a line of a text: whether the grammar accepts it as a whole, and the parts that it accepts
// by themselves. An expression accepts a line in which it matches somewhere. Undecided is the reason if the whole is
// not judged or not all parts were looked for; Parts are those that were found.
type Line struct {
	Accepted  bool     `json:"accepted"`
	Undecided string   `json:"undecided,omitempty"`
	Parts     [][2]int `json:"parts"` // where each begins and ends
}

// Lines are the lines of a text. Apart is why no parts were looked for; "" if they were.
type Lines struct {
	Lines []Line `json:"lines"`
	Apart string `json:"apart,omitempty"`
}

// lines judges the strings of a question as the lines of a text. It looks for parts if the source is a grammar and has
// an automaton, but not for those of an expression: where that matches depends on what stands around the match, and on
// the engine. An error about one line is in its verdict.
func (s *Session) lines(q Question) (*Lines, error) {
	h, err := s.open(fileName, q.Grammar, regex.Search)
	if err != nil {
		return nil, err
	}
	out := &Lines{Lines: []Line{}}
	var a *lang.DFA
	if h.Kind == catalog.Regexp {
		out.Apart = "which part an expression matches is for its engine to say"
	} else if a, err = s.automaton(h, true); err != nil {
		out.Apart = err.Error()
		if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
			out.Apart = "the grammar nests"
		}
	}
	for _, line := range q.Strings {
		judged := Line{Parts: [][2]int{}}
		if err := s.judgeLine(h, a, string(line), &judged); err != nil {
			judged.Undecided = err.Error()
		}
		out.Lines = append(out.Lines, judged)
	}
	return out, nil
}

// judgeLine sets in l whether the line is accepted, and its parts. The automaton also judges the whole; if it is nil
// no parts are looked for, and the parser judges. Without an automaton the error is the reason why the line is
// undecided. With one it says that time ran out for the parts: l.Accepted is then the verdict, true or false, and
// l.Parts are those found so far.
func (s *Session) judgeLine(h *held, a *lang.DFA, line string, l *Line) (err error) {
	defer budget.Catch(&err)
	if a != nil {
		l.Accepted = a.Match(line)
		l.Parts, err = s.partsOf(a, line)
		return err
	}
	p, err := h.parserOf(line, false)
	if err != nil {
		return err
	}
	l.Accepted, err = s.accepts(h, p, line)
	return err
}

// partsOf returns the parts of a line that an automaton accepts: from left to right, each the longest that
// begins at its place, and none of them empty. Where none begins, the search goes on at the next character. It fails if
// the time of the question has passed, and returns the parts so far.
func (s *Session) partsOf(a *lang.DFA, line string) (list [][2]int, err error) {
	list = [][2]int{}
	for from := 0; from < len(line); {
		if err := s.Err(); err != nil {
			return list, err
		}
		end := from
		for q, at := 0, from; at < len(line); at++ {
			if q = a.Next(q, line[at]); !a.Live(q) {
				break
			}
			if a.Accepts(q) {
				end = at + 1
			}
		}
		if end > from {
			list = append(list, [2]int{from, end})
			from = end
			continue
		}
		_, n := utf8.DecodeRuneInString(line[from:]) // a part inside of a character would be of no use
		from += n
	}
	return list, nil
}
