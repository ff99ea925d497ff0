package command

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// TestSourceOfLongLine: a message about a line shows a window of it, and does not convert the rest. A report may have
// thousands of messages about one line of megabytes.
func TestSourceOfLongLine(t *testing.T) {
	s := &streams{fits: 40}
	s.keepText("long.abnf", []byte(strings.Repeat("a", 500000)+"?"+strings.Repeat("b", 500000)))
	pos := expr.Pos{File: "long.abnf", Line: 1, Col: 500001}
	var got string
	allocations := testing.AllocsPerRun(3, func() { got = string(s.appendSourceLine(nil, pos, layout.Plain)) })
	shown, caret, _ := strings.Cut(strings.TrimSuffix(got, "\n"), "\n")
	if at := strings.Index(shown, "?"); at < 0 || at != strings.Index(caret, "^") || len(shown) > 40 {
		t.Errorf("shown as\n%s", got)
	}
	if allocations > 20 {
		t.Errorf("%v allocations: all of the line was converted", allocations)
	}
}
