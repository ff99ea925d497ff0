package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A directive is a comment that speaks to this program, as "; bnfcheck:ignore unused it is where inputs begin". Any
// sign that begins a comment in some notation may stand before it, or nothing but blanks and "*" in its line, as in a
// comment of several lines. It ends with its line, before another directive in it, or where its comment is closed.
type directive struct {
	verb string   // the word after the colon: "ignore"
	rest string   // what follows, without blanks at its ends
	pos  expr.Pos // of "bnfcheck"
	at   expr.Pos // of rest

	rule    *expr.Rule // the production that it is about; nil if there is none
	missing string     // says that there is none
}

// verbsOfLint are the words of the directives that are read here, and Settings those of the ones that an editor reads.
var (
	verbsOfLint = []string{"accepts", "rejects", "ignore"}
	Settings    = []string{"start", "import", "define", "peg", "kind"}
)

// directiveSign matches what begins a directive in a line. The groups are the sign, the blanks after the colon and
// the verb.
var directiveSign = regexp.MustCompile(
	`(^[ \t]*\**|;+|#+|//+|--+|!!+|@|/\*+|\(\*+)[ \t]*bnfcheck:([ \t]*)([A-Za-z][\w-]*|)`)

// directives lists the directives of the text, in their order, and then those of the files that it includes. What has
// a blank after the colon, or no sign before it, is prose, unless lint knows the verb.
func (l *linter) directives() (list []directive) {
	list = l.directivesOf(l.report.Grammar.File, string(l.options.Text))
	for _, file := range l.report.Included {
		list = append(list, l.directivesOf(file, string(l.options.Included[file]))...)
	}
	return list
}

// directivesOf lists the directives of a file, in their order.
func (l *linter) directivesOf(file, text string) (list []directive) {
	if !strings.Contains(text, "bnfcheck:") {
		return nil
	}
	near := l.ownByPlace(file)
	pos := expr.Pos{File: file}
	for line := range strings.SplitSeq(text, "\n") {
		pos.Line++
		if strings.Contains(line, "bnfcheck:") {
			list = append(list, directivesIn(strings.TrimSuffix(line, "\r"), pos, near)...)
		}
	}
	return list
}

// around finds the productions of a file around a place: see [expr.ByPlace].
type around = func(expr.Pos) (before, after *expr.Rule)

// ownByPlace returns how the productions of a file that are looked at are found.
func (l *linter) ownByPlace(file string) around {
	isElsewhere := func(r *expr.Rule) bool { return r.Pos.File != file }
	return expr.ByPlace(slices.DeleteFunc(slices.Clone(l.own), isElsewhere))
}

// directivesIn lists the directives of a whole line, in their order, each with the production that commented finds.
// Of at, the file and the line count.
func directivesIn(line string, at expr.Pos, near around) (list []directive) {
	place := func(offset int) expr.Pos { return expr.Pos{File: at.File, Line: at.Line, Col: offset + 1} }
	outside := ""        // the line up to a comment, without the comments before it
	var leading []string // by comment: what outside was before it
	last := 0            // the offset at which the comment before ends
	openings := openingsIn(line)
	for i, o := range openings {
		outside += line[last:o.start]
		leading = append(leading, outside)
		limit := len(line)
		if i+1 < len(openings) {
			limit = openings[i+1].start
		}
		var end int
		end, last = o.ends(line[:limit])
		rest := strings.TrimLeft(line[o.end:end], " \t")
		list = append(list, directive{
			verb: o.verb, rest: strings.TrimRight(rest, " \t"), pos: place(o.word), at: place(end - len(rest)),
		})
	}
	outside += line[last:]
	for i := range list {
		d := &list[i]
		d.rule, d.missing = commented(near, d.pos, leading[i], outside)
	}
	return list
}

// An opening is the beginning of a directive in a line, up to its verb.
type opening struct {
	sign, verb string
	start      int // the offset of the sign, with the blanks before it at the beginning of a line
	word       int // the offset of "bnfcheck:"
	end        int // the offset after the verb
}

// openingsIn lists the beginnings of directives in a line, without what is prose: see [linter.directives].
func openingsIn(line string) (list []opening) {
	for _, m := range directiveSign.FindAllStringSubmatchIndex(line, -1) {
		// By twos from 2: the sign, the blanks after "bnfcheck:", the verb.
		sign, blanks, verb := line[m[2]:m[3]], line[m[4]:m[5]], line[m[6]:m[7]]
		isProse := verb == "" || blanks != "" || closingOf(sign) == closesEither
		if !isProse || slices.Contains(verbsOfLint, verb) {
			list = append(list, opening{sign, verb, m[2], m[4] - len("bnfcheck:"), m[7]})
		}
	}
	return list
}

// NextDirective returns the offset at which the next directive begins in the rest of a line, with its sign; the length
// of the rest if there is none.
func NextDirective(rest string) int {
	for _, o := range openingsIn(rest) {
		return o.start
	}
	return len(rest)
}

// ends returns the offsets at which the text of a directive and its comment end in the line: both that of its end if
// nothing closes the comment.
func (o opening) ends(line string) (text, comment int) {
	if closing := closingOf(o.sign); closing != nil {
		if found := closing.FindStringIndex(line[o.end:]); found != nil {
			return o.end + found[0], o.end + found[1]
		}
	}
	return len(line), len(line)
}

// The signs that close comments. A comment of several lines, whose first line is not looked at, ends with either.
var (
	closesC      = regexp.MustCompile(`\*+/`)
	closesPascal = regexp.MustCompile(`\*+\)`)
	closesEither = regexp.MustCompile(`\*+[/)]`)
)

// closingOf returns what closes a comment that a sign opens, nil for one that ends with its line.
func closingOf(sign string) *regexp.Regexp {
	switch strings.Trim(sign, " \t*") {
	case "/":
		return closesC
	case "(":
		return closesPascal
	case "":
		return closesEither
	}
	return nil
}

// commented returns the production that a comment at a place is about. If the comment has a line of its own, that is
// the first one that begins in a later line; otherwise it is the one that it stands in or after, or, before the first
// word of the line, the one that begins in this line, if one does. before is the text of the line up to the comment,
// and outside all of its text, both without comments of this kind. If there is no such production, the result is nil,
// and missing says so.
func commented(near around, pos expr.Pos, before, outside string) (r *expr.Rule, missing string) {
	if strings.TrimSpace(outside) == "" {
		if _, r = near(expr.Pos{Line: pos.Line, Col: expr.EndOfLine}); r == nil {
			return nil, "no production follows"
		}
		return r, ""
	}
	last, next := near(pos)
	switch leads := strings.TrimSpace(before) == ""; {
	case leads && next != nil && next.Pos.Line == pos.Line:
		return next, ""
	case last == nil:
		return nil, "no production stands before it"
	}
	return last, ""
}
