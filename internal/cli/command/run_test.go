package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/neturl"
)

func TestMain(m *testing.M) {
	bnftogo.Strict = true  // a self-check that fails is an error here, also in the programs that tests run
	setGarbageCollection() // as the program has it
	testscript.Main(m, map[string]func(){"bnfcheck": Main, "bnfcheck-measured": measured, "bnfcheck-runaway": runaway, "net-url": neturl.Main})
}

// run carries out a command line in this process, and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newStreams(stdin, stdout, stderr).run(args)
}

// failing is a writer that fails after some bytes.
type failing struct {
	room int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, f.err
	}
	return len(p), nil
}

// Whenever the output fails: a closed pipe ends the program quietly, with the exit status of the work done so far,
// and any other error is reported.
func TestFailingOutput(t *testing.T) {
	list := strings.Repeat("http://a/~\nhttp://b/\n", 1000)
	bnf, peg := filepath.Join(t.TempDir(), "a.abnf"), filepath.Join(t.TempDir(), "a.peg")
	for name, text := range map[string]string{bnf: "a = \"0\" / \"01\"\n", peg: "a <- \"0\" / \"01\"\n"} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	commands := [][]string{
		{"check", "-f", "-"}, {"check", "-f", "-", "--format", "json"}, {"check", "-f", "-", "-q"}, {"check",
			"http://a/"},
		{"parse", "http://a/"}, {"fix", "http://a/ "}, {"fix", "http://a:/#"},
		{"explain", "--access", "http://a/~"}, {"check", "-f", "-", "--format", "junit"}, {"resolve", "http://a/", "b"},
		{"prove", bnf, peg},
		{"conform", "--rfc", "1738", "--builtin", "net/url", "-f", "-"}, {"parse", "--format", "json",
			"http://a/"}, {"explain", "url"}, {"grammars"}, {"grammars", "1630"},
		{"help"}, {"check", "--help"}, {"--version"}, {"completion", "bash"},
	}
	for _, args := range commands {
		for _, room := range []int{0, 20000} {
			var whole bytes.Buffer
			earned := run(args, strings.NewReader(list), &whole, &bytes.Buffer{}) // the first line is rejected
			if whole.Len() <= room {
				continue
			}
			for _, c := range []struct {
				err    error
				status int
				stderr string
			}{
				{syscall.EPIPE, earned, ""},
				{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, earned, ""},
				{syscall.ENOSPC, statusFailed, "bnfcheck: standard output: no space left on device\n"},
			} {
				var stderr bytes.Buffer
				status := run(args, strings.NewReader(list), &failing{room, c.err}, &stderr)
				if status != c.status || stderr.String() != c.stderr {
					t.Errorf("%v with room for %d bytes and then %v: status %d, %q; want %d, %q", args, room, c.err, status, &stderr, c.status, c.stderr)
				}
			}
		}
	}
}

// A brokenReader returns some lines and then an error.
type brokenReader struct{ *strings.Reader }

func (r brokenReader) Read(p []byte) (int, error) {
	if r.Len() == 0 {
		return 0, errors.New("input/output error")
	}
	return r.Reader.Read(p)
}

func TestFailingInput(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run([]string{"check", "--rfc", "1738", "-f", "-"}, brokenReader{strings.NewReader("http://a/\nhttp://b/\nhttp://c")}, &stdout, &stderr)
	if want := "bnfcheck: standard input: input/output error\n"; status != statusFailed || stderr.String() != want {
		t.Errorf("status %d, %q; want %d, %q", status, &stderr, statusFailed, want)
	}
	if !strings.Contains(stdout.String(), "http://a/") || !strings.Contains(stdout.String(), "2 URLs") {
		t.Errorf("what was read before the error is not answered:\n%s", &stdout)
	}
	if strings.Contains(stdout.String(), "http://c") {
		t.Errorf("half a line is answered:\n%s", &stdout)
	}
}

// No flag of any command may be given an empty text: each is refused when it is read, or before the command begins.
func TestEmptyValues(t *testing.T) {
	root := newRoot(newStreams(strings.NewReader(""), io.Discard, io.Discard))
	tried := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			visit(c)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			fresh, _, err := newRoot(newStreams(strings.NewReader(""), io.Discard, io.Discard)).Find(strings.Fields(cmd.CommandPath())[1:])
			must.Do(t, err)
			if err = fresh.ParseFlags([]string{"--" + f.Name + "="}); err == nil {
				err = checkValues(fresh)
			}
			if tried++; err == nil {
				t.Errorf("%s --%s is empty, and no error", cmd.CommandPath(), f.Name)
			}
		})
	}
	visit(root)
	if tried < 100 {
		t.Errorf("only %d flags", tried)
	}
}
