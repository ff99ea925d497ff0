package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	inject "github.com/bnfcheck/bnfcheck/internal/base/faults"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// writers are the commands that write files, by the arguments that do, in a folder that has a grammar "g.abnf".
func writers(in func(string) string) map[string][]string {
	return map[string][]string{
		"summary":     {"check", "--quiet", "--summary", in("summary"), "http://a/"},
		"vectors":     {"vectors", "--rfc", "1738", "--part", "transitions", "-o", in("vectors"), "mailto"},
		"report":      {"report", "-o", in("report"), in("g.abnf")},
		"markdown":    {"report", "--format", "markdown", "-o", in("markdown"), in("g.abnf")},
		"peg":         {"peg", "-o", in("peg"), in("g.abnf")},
		"regexp":      {"regexp", "-o", in("regexp"), in("g.abnf")},
		"certificate": {"prove", "--certificate", in("certificate"), in("g.abnf"), in("g.peg")},
	}
}

// prepared is a folder with a grammar and, for each command that writes, an old file.
func prepared(t *testing.T, folder string) func(string) string {
	t.Helper()
	in := func(name string) string { return filepath.Join(folder, name) }
	for name := range writers(in) {
		must.Do(t, os.WriteFile(in(name), []byte("old"), 0o666))
	}
	for name, text := range map[string]string{"g.abnf": "a = *\"b\" / \"c\"\n", "g.peg": "a <- \"c\" / \"b\"*\n"} {
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o666))
	}
	return in
}

// untouched reports what is wrong with the file of a command that failed: it is the old one, and none was left beside
// it.
func untouched(t *testing.T, what, file string) {
	t.Helper()
	if text, err := os.ReadFile(file); err != nil || string(text) != "old" {
		t.Errorf("%s: the old file is %.20q, %v", what, text, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("%s: left behind: %v, %v", what, left, err)
	}
}

// faulty runs the program once for each operation whose name begins so, which fails then, and calls after with what
// came of it; then once more without a fault, for which the operation is "". Beyond the first 100 faults, 10 in the
// short test, it goes on in growing steps.
func faulty(t *testing.T, operations []string, args []string, before func(), after func(operation string, status int, stdout, stderr string)) (faults int) {
	t.Helper()
	for n := 1; ; n++ {
		before()
		failed := ""
		var mu sync.Mutex
		count := 0
		end := inject.Inject(func(operation string) error {
			if !slices.Contains(operations, operation) {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			if count++; count == n {
				failed = operation
				return errInjected
			}
			return nil
		})
		var stdout, stderr bytes.Buffer
		status := run(args, strings.NewReader(""), &stdout, &stderr)
		end()
		after(failed, status, stdout.String(), stderr.String())
		if failed == "" {
			if faults == 0 {
				t.Errorf("%v: no fault was injected", args)
			}
			return faults
		}
		if faults++; n > longtest.Size(10, 100) {
			n += n / 4
		}
	}
}

// counted compares the number of faults that a test injected with that in docs/reliability.md, which is of the long
// test. Where that depends on how much is printed or computed, the page has a lower bound.
func counted(t *testing.T, faults int) {
	t.Helper()
	t.Logf("%d faults", faults)
	page := must.Of(os.ReadFile("../../../docs/reliability.md"))(t)
	row := regexp.MustCompile(`\| (at least )?([0-9,]+) times \| .*-run ` + t.Name() + ` `).FindSubmatch(page)
	if row == nil {
		t.Fatal("docs/reliability.md has no number of faults for this test")
	}
	want, err := strconv.Atoi(strings.ReplaceAll(string(row[2]), ",", ""))
	least := len(row[1]) > 0
	if err != nil || faults == 0 || faults > want && !least || longtest.Enabled() && (faults < want || faults > want && !least || faults > want+want/5) {
		t.Errorf("%d faults, and docs/reliability.md says %s%s, %v", faults, row[1], row[2], err)
	}
}

var (
	errInjected    = errors.New("injected")
	fileOperations = []string{"stat", "lstat", "readlink", "open", "chmod", "write", "sync", "close", "rename", "mkdir", "remove", "truncate"}
)

// For each command that writes a file, each operation on files fails in turn, until the command succeeds. Each
// failure is told and ends with the status of one, the old file stays, and nothing is left beside it.
func TestEveryFileOperationFails(t *testing.T) {
	survived := 0
	for name, args := range writers(prepared(t, t.TempDir())) {
		in := prepared(t, t.TempDir())
		args = writers(in)[name]
		survived += faulty(t, fileOperations, args, func() {}, func(failed string, status int, _, stderr string) {
			if failed == "" {
				if text, err := os.ReadFile(in(name)); status == statusFailed || stderr != "" || err != nil || string(text) == "old" {
					t.Errorf("%v: status %d, %q, %.20q, %v", args, status, stderr, text, err)
				}
				return
			}
			if status != statusFailed || !strings.HasSuffix(stderr, ": injected\n") || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%v: after a failed %s: status %d, %q", args, failed, status, stderr)
			}
			untouched(t, strings.Join(args, " ")+" after a failed "+failed, in(name))
		})
	}
	counted(t, survived)
}

// A command that writes several files into a folder writes all or none: after each failed operation the folder is as
// it was.
func TestFolderIsWholeOrUntouched(t *testing.T) {
	survived := 0
	in := prepared(t, t.TempDir())
	out := in("made")
	for i, args := range [][]string{{"generate", in("g.abnf"), "-o", out}, {"generate", in("g.abnf"), "-o", out}, {"init", in("g.abnf") + "#a", "-o", out}} {
		before := func() {
			must.Do(t, os.RemoveAll(out))
			must.Do(t, os.WriteFile(in("other.abnf"), []byte("a = *\"x\"\n"), 0o666))
			var stderr bytes.Buffer
			if i == 1 && run([]string{"generate", in("other.abnf"), "-o", out}, nil, io.Discard, &stderr) != statusOK {
				t.Fatal(&stderr)
			}
		}
		before()
		want := folderText(t, out)
		survived += faulty(t, fileOperations, args, before, func(failed string, status int, _, stderr string) {
			got := folderText(t, out)
			switch {
			case failed == "" && (status != statusOK || got == want):
				t.Errorf("%v: status %d, %s, %s", args, status, stderr, got)
			case failed != "" && (status != statusFailed || !strings.Contains(stderr, "injected")):
				t.Errorf("%v: after a failed %s: status %d, %q", args, failed, status, stderr)
			case failed != "" && got != want:
				t.Errorf("%v: after a failed %s the folder has\n%s\nand had\n%s", args, failed, got, want)
			}
		})
	}
	counted(t, survived)
}

// A signal ends the writing of a package, and nothing is left of it.
func TestInterruptedPackage(t *testing.T) {
	in := prepared(t, t.TempDir())
	defer inject.Inject(func(operation string) error {
		if operation != "write" {
			return nil
		}
		defer time.Sleep(10 * time.Millisecond) // until the program knows
		return must.Of(os.FindProcess(os.Getpid()))(t).Signal(os.Interrupt)
	})()
	if status := run([]string{"generate", in("g.abnf"), "-o", in("made")}, nil, io.Discard, io.Discard); status != statusFailed || folderText(t, in("made")) != "" {
		t.Errorf("status %d, and in the folder is %s", status, folderText(t, in("made")))
	}
}

// folderText returns the names and texts of a folder's files, "" if there is none.
func folderText(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		text := must.Of(os.ReadFile(filepath.Join(dir, f.Name())))(t)
		fmt.Fprintf(&b, "%s %q\n", f.Name(), text)
	}
	return b.String()
}

// Each charge of steps or of states fails in turn: the limit grows from one. The command ends as for a grammar that
// is too large, and says so, or its answer is the one that it has without a limit: what is refuted may be so with
// fewer details. No other end is possible.
func TestEveryChargeFails(t *testing.T) {
	in := prepared(t, t.TempDir())
	for name, text := range map[string]string{
		"wrong.peg":  "a <- \"b\"* / \"c\"\n",
		"nest.abnf":  "a = \"(\" *a \")\"\n",
		"text.abnf":  "a = 1*%x3b1-3c9 / \"c\"\n",
		"text.peggy": "a = \"c\" / [\\u03b1-\\u03c9]+\n",
	} {
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o666))
	}
	survived, claims := 0, "1630/percent"
	if longtest.Enabled() {
		claims = "1630"
	}
	for _, args := range [][]string{
		{"prove", in("g.abnf"), in("wrong.peg")}, {"prove", in("g.abnf"), in("g.peg")},
		{"prove", in("text.abnf"), in("text.peggy")},
		{"conform", "--builtin", "net/url", in("g.abnf#a")}, {"generate", in("nest.abnf"), "-o", in("made")}, {"claims", claims},
		{"learn", "--builtin", "net/url", "--queries", "300", "--random", "10", in("g.abnf#a")},
		{"prove", "--format", "json", in("g.abnf"), in("g.peg")},
		{"lint", in("g.abnf")}, {"vectors", in("g.abnf#a")}, {"generate", in("g.abnf"), "-o", in("made")},
		{"peg", in("g.abnf")}, {"fix", "-g", in("g.abnf#a"), "bbbd"}, {"report", in("g.abnf")},
	} {
		var want bytes.Buffer
		fine := run(args, strings.NewReader(""), &want, io.Discard)
		for limit, most := range map[string]int{" --limit-steps": 1 << 24, " --limit-states": 1 << 10} {
			for n := 1; n < most; n += 1 + n/longtest.Size(1, 20) {
				os.RemoveAll(in("made"))
				var stdout, stderr bytes.Buffer
				limit := fmt.Sprint(limit, "=", n)
				status := run(append(slices.Clone(args), limit[1:]), strings.NewReader(""), &stdout, &stderr)
				if status == fine && strings.Replace(stdout.String(), limit, "", 1) == want.String() {
					continue
				}
				survived++
				said := strings.Join(strings.Fields(stdout.String()+" "+stderr.String()), " ") // lines break anywhere
				told := strings.Contains(said, "too large") || args[0] == "prove" && status == fine && strings.Contains(stdout.String(), "refuted")
				if !told || status != statusOpen && status != statusFailed && status != fine {
					t.Errorf("%v%s: status %d, want %d\n%s%s", args, limit, status, fine, &stdout, &stderr)
				}
			}
		}
	}
	counted(t, survived)
}

// Each operation on a child process fails in turn, and each on the file of answers that learn keeps. A failure that
// the command cannot make good by another child is told, and one that it can is told or has no trace; no child is
// left alive, and no file open.
func TestEveryChildOperationFails(t *testing.T) {
	in := prepared(t, t.TempDir())
	must.Do(t, os.WriteFile(in("list"), []byte("mailto:a@b\nmailto:\nmailto:a\n"), 0o666))
	survived := 0
	for _, args := range [][]string{
		{"conform", "--rfc", "1738", "-f", in("list"), "--", "net-url"},
		{"conform", "--rfc", "1738", "--jobs", "2", "-f", in("list"), "--", "net-url"},
		{"learn", "--states", "0", "--random", "1", "--queries", "100", "--resume", in("known"), in("g.abnf#a"), "--", "net-url"},
	} {
		var want, stderr bytes.Buffer
		fine := run(args, strings.NewReader(""), &want, &stderr)
		if fine == statusFailed {
			t.Fatalf("%v: %s", args, &stderr)
		}
		open, told, made := openFiles(t), 0, 0
		survived += faulty(t, append([]string{"pipe", "start", "read", "truncate"}, "open", "write"), args, func() { os.Remove(in("known")) },
			func(failed string, status int, stdout, stderr string) {
				if now := openFiles(t); now != open {
					t.Errorf("%v: after a failed %s %d files are open, and were %d", args, failed, now, open)
				}
				if left := children(t); left != "" {
					t.Errorf("%v: after a failed %s children are left: %s", args, failed, left)
				}
				switch {
				case status == statusFailed && strings.Contains(stderr, "injected"), strings.Contains(stdout, "injected"):
					told++
				case status == fine && stdout == want.String():
					made++
				default:
					t.Errorf("%v: after a failed %s: status %d, want %d\n%s%s", args, failed, status, fine, stdout, stderr)
				}
			})
		t.Logf("%v: %d told, %d made good", args[0], told, made-1)
	}
	counted(t, survived)
}

// openFiles returns the number of files that this process has open, 0 where the system does not list them.
func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return len(files)
}

// children returns the numbers of this process's children, "" where the system does not list them.
func children(t *testing.T) string {
	t.Helper()
	lists := must.Of(filepath.Glob("/proc/self/task/*/children"))(t)
	var all []string
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
		all = append(all, strings.Fields(string(text))...)
	}
	return strings.Join(all, " ")
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

// For every command, each write to standard output fails in turn, until it succeeds. What had been written is the
// beginning of the whole output.
func TestEveryWriteFails(t *testing.T) {
	in := prepared(t, t.TempDir())
	list := strings.Repeat("http://a/~\n<URL:http://b/>\n", 300)
	survived := 0
	for _, args := range [][]string{
		{"check", "-f", "-"}, {"check", "--format", "sarif", "-f", "-"}, {"check", "-g", in("g.abnf#a"), "-f", "-"}, {"fix", "http://a/~"},
		{"fix", "-g", in("g.abnf#a"), "bbbd"}, {"parse", "http://a/"}, {"parse", "-g", in("g.abnf#a"), "bb"}, {"explain", "url"}, {"explain", in("g.abnf")},
		{"grammars"}, {"lint", in("g.abnf")}, {"resolve", "http://a/", "b"}, {"vectors", "--rfc", "1738", "--part", "transitions", "mailto"},
		{"vectors", in("g.abnf#a")}, {"diff", "mailto"}, {"extract", "-"}, {"conform", "--builtin", "net/url", "--rfc", "1738", "mailto"},
		{"learn", "--builtin", "net/url", "--queries", "200", "--random", "10", "mailto"}, {"report", in("g.abnf")}, {"completion", "bash"}, {"help"}, {"--version"},
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
			if n > longtest.Size(5, 200) { // of a long output, now and then
				n += n / 2
			}
		}
	}
	counted(t, survived)
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
