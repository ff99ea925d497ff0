package format

import (
	"go/scanner"
	"go/token"
	"reflect"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The form of a PEG follows gofmt where the two can agree, because its readers write Go in the same file. Lines are
// broken where their author broke them, as far as that shows the structure of a rule:
//
//   - Rules on neighboring lines have their arrows in one column. A blank line, a comment and a rule of several lines
//     end such a group. All arrows of a file are spelled like its first one.
//   - A rule stands in one line if its author wrote it in one and it is not wider than [WidthPEG], code aside. A line
//     break between two alternatives is kept, and "/" begins the line, under the arrow or the bracket. Where the
//     alternatives have code, and several lines, each begins one.
//   - An arrow or a bracket at the end of a line opens a block, as a brace does in Go: what it holds is indented by a
//     tab and keeps its line breaks, and the closing bracket begins a line.
//   - Code is kept to the byte. What follows the brace that closes code of several lines stays on its line, as Go's
//     else does.
//   - Comments keep their text and their place among the elements. Semicolons after rules are dropped, and at most one
//     blank line stands between two rules.
//
// Ford's paper of 2004 has "/" under the second character of the arrow, so that alternatives begin in one column. So
// has this form.

// WidthPEG is the number of columns of a line with a rule of a PEG, not counting code. A tab counts as
// tabWidth.
const WidthPEG = 120

// PEG returns the text of a grammar in pigeon's notation in one form. If a line outside of code ends in CR
// LF, all such lines do. It fails with the place where the text is not in pigeon's notation.
func PEG(file string, src []byte) ([]byte, error) {
	before, err := readPEG(file, src)
	if err != nil {
		return nil, err
	}
	tokens, err := peg.Tokens(file, string(src))
	if err != nil {
		return nil, err
	}
	if err := checkCode(file, tokens); err != nil {
		return nil, err
	}
	out := []byte(layoutPEG(parsePEG(tokens), lineEnd(string(src), tokens)))
	if err := checkSamePEG(file, before, tokens, out); err != nil {
		return nil, err
	}
	return out, nil
}

// checkSamePEG returns an error unless a result has the rules and the tokens of the original. Semicolons do
// not count, nor does the spelling of arrows. A difference is a defect of this package.
func checkSamePEG(file string, before *expr.Grammar, tokens []peg.Token, result []byte) error {
	after, err := readPEG(file, result)
	if err != nil {
		return unreadable(file, "a PEG", err)
	}
	again, err := peg.Tokens(file, string(result))
	if err != nil {
		return unreadable(file, "a PEG", err)
	}
	isComment := func(t peg.Token) bool { return t.Kind == peg.CommentToken }
	same := func(a, b peg.Token) bool { return a.Kind == b.Kind && (a.Kind == peg.ArrowToken || a.Text == b.Text) }
	if at, differs := differentToken(withoutEnds(tokens), withoutEnds(again), isComment, same); differs {
		pos := expr.Pos{File: file, Line: at.Line, Col: at.Col}
		return expr.Errorf(pos, "the result differs here, "+defect)
	}
	if r := differentRule(before, after); r != nil {
		return expr.Errorf(r.Pos, "the result has another rule here, "+defect)
	}
	return nil
}

// withoutEnds returns the tokens without semicolons.
func withoutEnds(tokens []peg.Token) (list []peg.Token) {
	for _, t := range tokens {
		if t.Kind != peg.EndToken {
			list = append(list, t)
		}
	}
	return list
}

// readPEG reads a PEG for its structure alone: code is taken to return values.
func readPEG(file string, src []byte) (*expr.Grammar, error) {
	return peg.Options{ActionsSucceed: true}.Read(file, src)
}

// checkCode returns an error at the first code in which Go's scanner finds a mistake, such as a quote that is never
// closed. To pigeon, such a quote is a character, unless another one follows in its line: so the code must not get new
// neighbors.
func checkCode(file string, tokens []peg.Token) error {
	for _, t := range tokens {
		if t.Kind != peg.CodeToken {
			continue
		}
		var s scanner.Scanner
		files := token.NewFileSet()
		s.Init(files.AddFile("", files.Base(), len(t.Text)), []byte(t.Text), nil, 0)
		for next := token.ILLEGAL; next != token.EOF; {
			_, next, _ = s.Scan()
		}
		if s.ErrorCount > 0 {
			return expr.Errorf(expr.Pos{File: file, Line: t.Line, Col: t.Col}, "the code is not Go")
		}
	}
	return nil
}

// lineEnd returns CR LF if a line that ends outside of tokens ends in that, and LF if not. Code and comments
// of several lines keep the ends that they have.
func lineEnd(src string, tokens []peg.Token) string {
	at := 0
	for _, t := range tokens {
		if strings.Contains(src[at:t.Start], "\r\n") {
			return "\r\n"
		}
		at = t.Start + len(t.Text)
	}
	if strings.Contains(src[at:], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// differentRule returns the first rule of a that differs from the rule with the same index in b, apart from
// positions in the texts. It returns the last rule of a if b only has more, and nil if none differs.
func differentRule(a, b *expr.Grammar) *expr.Rule {
	for i, r := range a.Rules {
		if i >= len(b.Rules) {
			return r
		}
		s := b.Rules[i]
		if r.ID != s.ID || r.Name != s.Name || (r.Refused == nil) != (s.Refused == nil) || !sameExpr(r.Expr, s.Expr) {
			return r
		}
	}
	if len(b.Rules) > len(a.Rules) {
		return a.Rules[len(a.Rules)-1]
	}
	return nil
}

// sameExpr reports whether two expressions are equal apart from their places.
func sameExpr(a, b *expr.Expr) bool {
	if len(a.Sub) != len(b.Sub) {
		return false
	}
	for i := range a.Sub {
		if !sameExpr(a.Sub[i], b.Sub[i]) {
			return false
		}
	}
	x, y := *a, *b
	x.Sub, y.Sub = nil, nil
	x.Pos, y.Pos = expr.Pos{}, expr.Pos{}
	return reflect.DeepEqual(x, y)
}
