package grammar

import (
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"strings"
	"testing"
)

// Every table is read without an error, and none is empty.
func TestTables(t *testing.T) {
	read := 0
	for _, table := range []struct {
		kind string
		read func(name string) (int, error)
	}{
		{".printed", func(name string) (int, error) { l, err := PrintedURLs(name); return len(l), err }},
		{".sentences", func(name string) (int, error) { l, err := Sentences(name); return len(l), err }},
	} {
		for _, name := range []string{"rfc1630", "rfc1738", "draft06", "rfc3986"} {
			n, err := table.read(name)
			if err != nil || n == 0 {
				t.Errorf("%s%s: %d rows, %v", name, table.kind, n, err)
			}
			read++
		}
		if n, err := table.read("no-such-text"); n != 0 || err != nil {
			t.Errorf("a text without a table: %d rows, %v", n, err)
		}
	}
	files := must.Of(sentences.ReadDir("."))(t)
	more := must.Of(printed.ReadDir("."))(t)
	if len(files)+len(more) != read {
		t.Errorf("%d tables are embedded, and %d are read", len(files)+len(more), read)
	}
	if _, err := readTable(sentences, "rfc1738.sentences", 7); err == nil || !strings.HasPrefix(err.Error(), "rfc1738.sentences:2: 5 columns, not 7") {
		t.Errorf("a table with too few columns: %v", err)
	}
}
