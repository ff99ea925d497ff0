package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/atomicfile"
)

// writers are the commands that write files, by the arguments that do, in a folder that has a grammar "g.abnf".
func writers(in func(string) string) map[string][]string {
	return map[string][]string{
		"summary":        {"check", "--quiet", "--summary", in("summary"), "http://a/"},
		"vectors":        {"vectors", "--rfc", "1738", "--part", "transitions", "-o", in("vectors"), "mailto"},
		"report":         {"report", "-o", in("report"), in("g.abnf")},
		"markdown":       {"report", "--format", "markdown", "-o", in("markdown"), in("g.abnf")},
		"man/bnfcheck.1": {"man", in("man")},
	}
}

// prepared is a folder with a grammar and, for each command that writes, an old file.
func prepared(t *testing.T, folder string) func(string) string {
	t.Helper()
	in := func(name string) string { return filepath.Join(folder, name) }
	if err := os.MkdirAll(in("man"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name := range writers(in) {
		if err := os.WriteFile(in(name), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(in("g.abnf"), []byte("a = *\"b\" / \"c\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return in
}

// untouched reports what is wrong with the file of a command that failed: it is the old one, and none was left beside it.
func untouched(t *testing.T, what, file string) {
	t.Helper()
	if text, err := os.ReadFile(file); err != nil || string(text) != "old" {
		t.Errorf("%s: the old file is %.20q, %v", what, text, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("%s: left behind: %v, %v", what, left, err)
	}
}

// For each command that writes a file, each operation on files fails in turn, until the command succeeds. Each failure is told and
// ends with the status of one, the old file stays, and nothing is left beside it.
func TestEveryFileOperationFails(t *testing.T) {
	injected, survived := errors.New("injected"), 0
	for name, args := range writers(prepared(t, t.TempDir())) {
		folder := t.TempDir()
		in := prepared(t, folder)
		args = writers(in)[name]
		for n := 0; ; n++ {
			if n == 500 {
				t.Fatalf("%v: no end", args)
			}
			failed, count := "", 0
			atomicfile.Fail = func(operation string) error {
				if count++; count == n+1 {
					failed = operation
					return injected
				}
				return nil
			}
			var out, stderr bytes.Buffer
			status := run(args, strings.NewReader(""), &out, &stderr)
			atomicfile.Fail = nil
			if failed == "" {
				if text, err := os.ReadFile(in(name)); status == statusFailed || stderr.Len() > 0 || err != nil || string(text) == "old" {
					t.Errorf("%v: status %d, %q, %.20q, %v", args, status, &stderr, text, err)
				}
				break
			}
			survived++
			if status != statusFailed || !strings.HasSuffix(stderr.String(), ": injected\n") || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("%v: after a failed %s: status %d, %q", args, failed, status, &stderr)
			}
			if what := strings.Join(args, " ") + " after a failed " + failed; args[0] != "man" { // it has more files than one
				untouched(t, what, in(name))
			} else if left, err := filepath.Glob(in("man/*.tmp")); err != nil || len(left) > 0 {
				t.Errorf("%s: left behind: %v, %v", what, left, err)
			}
		}
	}
	t.Logf("%d faults", survived)
}

// nth is a writer whose nth call fails, as do all after it.
type nth struct {
	bytes.Buffer
	left int
}

func (w *nth) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, syscall.ENOSPC
	}
	return w.Buffer.Write(p)
}

// For every command, each write to standard output fails in turn, until it succeeds. What had been written is the beginning of the whole
// output.
func TestEveryWriteFails(t *testing.T) {
	in := prepared(t, t.TempDir())
	list := strings.Repeat("http://a/~\n<URL:http://b/>\n", 300)
	survived := 0
	for _, args := range [][]string{
		{"check", "-f", "-"}, {"check", "--format", "sarif", "-f", "-"}, {"check", "-g", in("g.abnf#a"), "-f", "-"}, {"fix", "http://a/~"},
		{"fix", "-g", in("g.abnf#a"), "bbbd"}, {"parse", "http://a/"}, {"parse", "-g", in("g.abnf#a"), "bb"}, {"explain", "url"}, {"explain", in("g.abnf")},
		{"grammars"}, {"lint", in("g.abnf")}, {"resolve", "http://a/", "b"}, {"vectors", "--rfc", "1738", "--part", "transitions", "mailto"},
		{"vectors", in("g.abnf#a")}, {"diff", "mailto"}, {"extract", "-"}, {"conform", "--builtin", "net/url", "--rfc", "1738", "mailto"},
		{"learn", "--builtin", "net/url", "--queries", "200", "--random", "10", "mailto"}, {"report", in("g.abnf")}, {"man"}, {"completion", "bash"}, {"help"}, {"--version"},
	} {
		var whole, stderr bytes.Buffer
		status := run(args, strings.NewReader(list), &whole, &stderr)
		if status == statusFailed || whole.Len() == 0 {
			t.Errorf("%v: status %d, %s", args, status, &stderr)
			continue
		}
		for n := 0; ; n++ {
			w := &nth{left: n}
			var stderr bytes.Buffer
			got := run(args, strings.NewReader(list), w, &stderr)
			if w.left >= 0 {
				if got != status || w.Len() != whole.Len() {
					t.Errorf("%v: status %d, %d bytes; want %d, %d", args, got, w.Len(), status, whole.Len())
				}
				break
			}
			survived++
			if got != statusFailed || !strings.HasSuffix(stderr.String(), "bnfcheck: standard output: no space left on device\n") {
				t.Errorf("%v: when write %d failed: status %d, %q", args, n, got, &stderr)
			}
			if n > 8 { // of a long output, now and then
				n += n / 2
			}
		}
	}
	t.Logf("%d faults", survived)
}

// A disk that is full leaves the old file as it was.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := mountSmall(folder); err != nil {
		t.Skip("no small file system can be mounted: " + err.Error())
	}
	defer func() {
		if err := unmount(folder); err != nil {
			t.Error(err)
		}
	}()
	in := prepared(t, folder)
	filler, err := os.Create(in("filler"))
	if err != nil {
		t.Fatal(err)
	}
	for page := make([]byte, 4096); err == nil; {
		_, err = filler.Write(page)
	}
	if filler.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	all := writers(in)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var out, stderr bytes.Buffer
		status := run(all[name], strings.NewReader(""), &out, &stderr)
		if status != statusFailed || !strings.HasSuffix(stderr.String(), ": no space left on device\n") {
			t.Errorf("%v: status %d, %q", all[name], status, &stderr)
		}
		untouched(t, name, in(name))
	}
}
