package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/longtest"
)

// measured is the program with a last act: it writes the most memory that it had, in KB, to a file. The system counts with a
// child what its parent had when it was started.
func measured() {
	status := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, _, _ := strings.Cut(rest, " kB")
	if err := os.WriteFile(os.Getenv("BNFCHECK_PEAK"), []byte(kb), 0o666); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// No line takes more than 512 MB or 10 s of processor time, one that fix only encodes not more than 80 MB, and a device without an end is
// refused. The table of docs/reliability.md is what this test logs:
//
//	BNFCHECK_LONG=1 go test -run TestBudgets -v ./cmd/bnfcheck
func TestBudgets(t *testing.T) {
	longtest.Need(t, "a hundred runs on lines of a megabyte")
	sequential(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program, peak := filepath.Join(folder, "bnfcheck-measured"), filepath.Join(folder, "peak")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		if err := os.WriteFile(in(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return in(name)
	}
	grammar := write("g.abnf", "t = \"(\" [ t ] \")\"\ns = *( \"a\" / \"b\" / \"(\" *( \"a\" / \"~\" ) \")\" )\n")
	const n, small, large = 1 << 20, 80, 512 // small: 64 MB, and what the collector of garbage may leave
	type row struct {
		what   string
		most   int // MB
		status int
		args   []string
	}
	var rows []row
	for i, line := range []struct{ what, head, text string }{
		{"~", "http://h/", "~"}, {"~a", "http://h/", "~a"}, {"%", "http://h/", "%"}, {"a", "", "a"}, {"/", "", "/"}, {"a.", "http://", "a."}, {"@", "http://", "@"},
		{":", "", ":"}, {"../", "http://h/", "../"}, {"<", "", "<"}, {"\\xff", "", "\xff"},
	} {
		file := write(fmt.Sprint("line", i), line.head+strings.Repeat(line.text, (n-len(line.head))/len(line.text))+"\n")
		title := fmt.Sprintf("1 MB of %s after %q", line.what, line.head)
		fix := large
		if line.text == "~" || line.text == "~a" {
			fix = small
		}
		rows = append(rows,
			row{title, large, -1, []string{"check", "-f", file}}, row{title, large, -1, []string{"check", "--format", "json", "-f", file}},
			row{title, fix, -1, []string{"fix", "-f", file}}, row{title, fix, -1, []string{"fix", "--format", "json", "-f", file}},
			row{title, large, -1, []string{"extract", file}}, row{title, large, -1, []string{"check", "-g", grammar + "#s", "-f", file}},
			row{title, large, -1, []string{"fix", "-g", grammar + "#s", "-f", file}})
	}
	nested := write("nested", strings.Repeat("(", n/2)+strings.Repeat(")", n/2)+"\n")
	zero := "/dev/zero"
	rows = append(rows,
		row{"500,000 parentheses in each other", large, statusOpen, []string{"check", "-g", grammar + "#t", "-f", nested}},
		row{zero, large, statusFailed, []string{"prove", "--abnf", zero, "--peg", zero}}, row{zero, large, statusFailed, []string{"lint", zero}},
		row{zero, large, statusFailed, []string{"conform", "--suite", zero, "--builtin", "net/url"}},
		row{zero, large, statusFailed, []string{"conform", "-f", zero, "--builtin", "net/url"}},
		row{zero, large, statusFailed, []string{"report", "--conform", zero}}, row{zero, large, statusFailed, []string{"summary", zero}},
		row{zero, large, statusFailed, []string{"learn", "--resume", zero, "--builtin", "net/url", "http"}})
	t.Log("| input | command | status | s | MB |")
	for _, r := range rows {
		cmd := exec.Command(program, r.args...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "BNFCHECK_PEAK="+peak)
		watch := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		cmd.Run()
		watch.Stop()
		text, err := os.ReadFile(peak)
		if err != nil {
			t.Fatal(err) // the program was killed
		}
		kb, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(peak)
		cpu := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		mb, status := float64(kb)/1024, cmd.ProcessState.ExitCode()
		shown := strings.ReplaceAll(strings.Join(r.args, " "), folder+"/", "")
		t.Logf("| %s | %s | %d | %.2f | %.0f |", r.what, shown, status, cpu, mb)
		if mb > float64(r.most) || cpu > 10 || status < 0 || r.status >= 0 && status != r.status || r.status < 0 && status > statusNegative {
			t.Errorf("%s: %s: status %d, %.2f s, %.0f MB; want at most 10 s, %d MB", r.what, shown, status, cpu, mb, r.most)
		}
	}
}
