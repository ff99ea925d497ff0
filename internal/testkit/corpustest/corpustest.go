// Package corpustest reads the test data in the folder that the environment variable BNFCHECK_CORPUS names: lists of real URLs, and
// other projects' test cases.
package corpustest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Dir returns the folder. Without one it skips the test.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BNFCHECK_CORPUS")
	if dir == "" {
		t.Skip("BNFCHECK_CORPUS is not set: there is no corpus to read")
	}
	return dir
}

// Rows returns the tab-separated columns of each line of a file, in raw bytes.
func Rows(t testing.TB, file string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(string(must.Of(os.ReadFile(file))(t))) {
		rows = append(rows, strings.Split(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), "\t"))
	}
	return rows
}

// Peers returns the files that hold the test cases of other projects: an input that is escaped, an expectation, a source.
func Peers(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Dir(t), "peers", "*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no test cases of other projects (%v)", err)
	}
	return files
}

// Unescape undoes the escapes \\ \t \n \r \xHH \uXXXX in test cases of other projects. Go has them too, except for
// half a surrogate pair, which becomes U+FFFD. It fails for a backslash before anything else.
func Unescape(t testing.TB, s string) string {
	t.Helper()
	return must.Of(unescape(s))(t)
}

func unescape(s string) (string, error) {
	var b []byte
	for rest := s; rest != ""; {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, 0)
		switch {
		case err != nil && len(rest) >= len(`\uD800`) && strings.HasPrefix(rest, `\uD`):
			b, tail = utf8.AppendRune(b, utf8.RuneError), rest[len(`\uD800`):]
		case err != nil:
			return "", fmt.Errorf("%q: %w", s, err)
		case multibyte:
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, byte(r))
		}
		rest = tail
	}
	return string(b), nil
}
