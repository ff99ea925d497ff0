package command

import (
	"bytes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The list that the benchmarks check: the corpus of the time where there is one, else the example.
func benchmarkList(b *testing.B) []byte {
	name := "../../../examples/urls.txt"
	if folder := os.Getenv("BNFCHECK_CORPUS"); folder != "" {
		name = filepath.Join(folder, "era.tsv")
	} else {
		b.Log("BNFCHECK_CORPUS is not set: the example list stands in for the corpus")
	}
	text := must.Of(os.ReadFile(name))(b)
	var list bytes.Buffer
	for list.Len() < 1<<20 {
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), "\t")
			list.WriteString(line + "\n")
		}
	}
	return list.Bytes()
}
