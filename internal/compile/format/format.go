// Package format lays grammars out in one form, as gofmt does programs: what is left to taste is
// settled, and a change in a grammar shows as a change of its meaning alone.
//
// [ABNF] formats the text of a grammar, [Document] the blocks of ABNF in a document, and [PEG] a grammar of pigeon;
// [File] chooses. The form of ABNF:
//
//   - Names stand at the margin, and the signs "=" of a group of rules in one column. A group ends
//     at a comment line and at two blank lines.
//   - A rule that fits in a line stands in one, unless its author began each alternative on a line
//     of its own; one with comments between its alternatives keeps all its breaks between them.
//     Otherwise it is broken before "/", which stands under "=", or where that does not
//     suffice between elements, which go on two columns to the right of it. A line has at most
//     [Width] columns, as RFCs need, if its longest element lets it.
//   - Comments keep their text and their place among the elements. Comments at the ends of
//     neighboring lines begin in one column.
//   - A name is spelled as it is defined, hexadecimal digits are capitals, and %X, %D, %B, %S and
//     %I are small.
//
// The form of a PEG is described in peg.go.
//
// The result is read again. It must have the same tokens, apart from spelling, in the same order,
// or nothing is changed.
package format

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// File returns the text of a file of this kind in one form. It fails at the place where the text is not in
// the notation, and for a PEG of peggy, which has no form here. A file of any other kind but a PEG of pigeon is
// formatted as [Document] does.
func File(file string, src []byte, kind catalog.Kind, n bnf.Notation) ([]byte, error) {
	switch kind {
	case catalog.Pigeon:
		return PEG(file, src)
	case catalog.Peggy:
		const message = "a PEG of peggy is not formatted; ABNF and PEGs of pigeon are"
		return nil, expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1}, message)
	}
	return Document(file, src, n)
}

// Width is the number of columns of a line: RFCs have 72, and a margin of 3.
const Width = 69

// ABNF returns the text of a grammar in one form. Names are spelled as known has them, which maps a name in
// lower case to its spelling, or else as the text first defines them; core rules that neither has are spelled
// in capitals. A byte order mark is dropped, and if a line ends in CR LF, all lines do. It fails with the
// place where the text is not ABNF.
func ABNF(file string, src []byte, known map[string]string) ([]byte, error) {
	text, end := string(src), "\n"
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	tokens, err := bnf.Tokens(file, text)
	if err != nil {
		return nil, err
	}
	g, err := parse(file, tokens)
	if err != nil {
		return nil, err
	}
	g.respell(known)
	out := g.layout()
	if err := checkSameTokens(file, tokens, out); err != nil {
		return nil, err
	}
	return []byte(strings.ReplaceAll(out, "\n", end)), nil
}

// checkSameTokens returns an error unless text, the result, has the tokens of before: the same elements in
// the same order and the same comments in the same order, apart from the spelling of names and values. A
// difference is a defect of this package.
func checkSameTokens(file string, before []bnf.Token, text string) error {
	after, err := bnf.Tokens(file, text)
	if err != nil {
		return unreadable(file, "ABNF", err)
	}
	isComment := func(t bnf.Token) bool { return t.Kind == bnf.CommentToken }
	same := func(a, b bnf.Token) bool { return a.Kind == b.Kind && sameText(a, b) }
	if at, differs := differentToken(before, after, isComment, same); differs {
		return expr.Errorf(posOf(file, at), "the result differs here, "+defect)
	}
	return nil
}

// sameText reports whether two tokens of one kind mean the same. Comments and strings in double quotes are compared
// exactly, and so are marked strings (%s"text"), except that the mark may be of either case. Prose is compared by its
// words, since it may go over lines; all else, names and values above all, without regard to case.
func sameText(a, b bnf.Token) bool {
	switch {
	case a.Kind == bnf.CommentToken, strings.HasPrefix(a.Text, `"`):
		return a.Text == b.Text
	case strings.HasPrefix(a.Text, "<"):
		return slices.Equal(strings.Fields(a.Text), strings.Fields(b.Text))
	case strings.HasPrefix(a.Text, "%") && strings.Contains(a.Text, `"`):
		return strings.EqualFold(a.Text[:2], b.Text[:2]) && a.Text[2:] == b.Text[2:]
	}
	return strings.EqualFold(a.Text, b.Text)
}
