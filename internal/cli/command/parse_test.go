package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A tree whose nodes have too much text together is refused before it is written: 100,000 brackets in each other took
// 4 GB. One of 6,000 is a tree in JSON, too, which encoding/json does not take.
func TestDeepTrees(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.abnf")
	must.Do(t, os.WriteFile(file, []byte("s = \"(\" [ s ] \")\"\n"), 0o666))
	for _, row := range []struct {
		depth, status int
		flags         string
		begin         string
	}{
		{6_000, statusOK, "--format=json", `{"version":1,"grammar":"g","input":"((`},
		{6_000, statusOpen, "--limit-memory=32", ""},
		{100_000, statusOpen, "--format=json", ""},
		{100_000, statusOpen, "--format=text", ""},
	} {
		input := strings.NewReader(strings.Repeat("(", row.depth) + strings.Repeat(")", row.depth))
		var out, complaint bytes.Buffer
		status := run([]string{"parse", row.flags, "-g", file, "-f", "-"}, input, &out, &complaint)
		begins := strings.HasPrefix(out.String(), row.begin) && (out.Len() > 0) == (row.begin != "")
		limit := strings.Contains(complaint.String(), "of text, and may have")
		if status != row.status || !begins || limit != (status == statusOpen) {
			t.Errorf("%d, %s: status %d, %.100s, %s", row.depth, row.flags, status, out.String(), complaint.String())
		}
	}
}
