package render

import (
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
)

// AppendTSV appends the line with a column for each answer, all separated by tabs: of each grammar the verdict, the ID of the
// production and the offset of the first byte that cannot follow, the last two empty where there is none.
func AppendTSV(b []byte, l check.Line, judged []check.Judgement) []byte {
	b = append(b, l.Row...)
	for i := range judged {
		j := &judged[i]
		b = append(append(b, '\t'), j.Answer.String()...)
		b = append(b, '\t')
		if j.Production != 0 {
			b = append(b, j.Grammar.Production(j.Production).ID...)
		}
		b = appendOffset(append(b, '\t'), j.Offset)
	}
	return append(b, '\n')
}

// AppendTSV appends the line with the verdict and the offset of the first byte that cannot follow, separated by tabs.
func (f *Foreign) AppendTSV(b []byte, l check.Line, a Answer) []byte {
	b = append(append(b, l.Row...), '\t')
	b = append(append(b, a.Verdict.String()...), '\t')
	offset := -1
	if e, ok := a.Err.(*ast.SyntaxError); ok {
		offset = e.Offset
	}
	return append(appendOffset(b, offset), '\n')
}

func appendOffset(b []byte, offset int) []byte {
	if offset < 0 {
		return b
	}
	return strconv.AppendInt(b, int64(offset), 10)
}
