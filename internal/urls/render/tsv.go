package render

import (
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/urls/check"
)

// AppendTSV appends the line with a column for each answer, all separated by tabs: of each grammar the verdict, the ID
// of the production, unless one judges alone, and the offset of the first byte that cannot follow, the last two empty
// where there is none.
func AppendTSV(b []byte, l check.Line, judged []check.Judgment) []byte {
	b = append(b, l.Row...)
	for i := range judged {
		j := &judged[i]
		b = append(append(b, '\t'), j.Answer.String()...)
		if j.By == nil {
			b = append(b, '\t')
		}
		if j.Production != 0 {
			b = append(b, j.Grammar.Production(j.Production).ID...)
		}
		b = append(b, '\t')
		if j.Offset >= 0 {
			b = strconv.AppendInt(b, int64(j.Offset), 10)
		}
	}
	return append(b, '\n')
}
