package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/faults"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A command that writes a file and reaches a limit leaves nothing beside it, at whatever step the limit is.
func TestALimitLeavesNoFile(t *testing.T) {
	grammar := filepath.Join(t.TempDir(), "g.abnf")
	var pairs []string
	for i := 0x21; i < 0x7d; i += 2 {
		pairs = append(pairs, fmt.Sprintf("%%x%x s %%x%x", i, i+1))
	}
	must.Do(t, os.WriteFile(grammar, []byte("s = *( "+strings.Join(pairs, " / ")+" )\n"), 0o666))
	limited := 0
	for _, command := range []string{
		"vectors RULE -o FILE", "vectors RULE --format jsonl -o FILE", "peg RULE -o FILE", "regexp --nesting 1 RULE -o FILE", "report GRAMMAR -o FILE",
	} {
		limits := []int{100, 10_000, 1_000_000}
		if command == "vectors RULE -o FILE" {
			limits = append(limits, budget.DefaultSteps) // is reached when half of the file is written
		}
		for _, steps := range limits {
			folder := t.TempDir()
			var args []string
			for _, a := range strings.Fields(command) {
				switch a {
				case "GRAMMAR":
					a = grammar
				case "RULE":
					a = grammar + "#s"
				case "FILE":
					a = filepath.Join(folder, "file.html")
				}
				args = append(args, a)
			}
			args = append(args, "--limit-steps", fmt.Sprint(steps))
			if status := run(args, strings.NewReader(""), io.Discard, io.Discard); status == statusOpen {
				limited++
			}
			for _, f := range must.Of(os.ReadDir(folder))(t) {
				if f.Name() != "file.html" {
					t.Errorf("%v leaves %s", args, f.Name())
				}
			}
		}
	}
	if limited < 6 {
		t.Errorf("only %d runs reached a limit", limited)
	}
}

// runaway is the program with a fault: its first write into a file computes, or takes memory, or calls itself,
// without end and without charging anything. What it may take is less, so that the test is quick.
func runaway() {
	watchCPU, watchHeap, signalsGrace = 100*time.Millisecond, 16<<20, time.Second
	var deep func(n int) int
	deep = func(n int) int { return deep(n+1) + n }
	faults.Inject(func(operation string) error {
		if operation != "write" {
			return nil
		}
		switch os.Getenv("BNFCHECK_RUNAWAY") {
		case "time":
			for x := 1; x != 0; x |= 1 {
				runtime.Gosched()
			}
		case "memory":
			for all := [][]byte{}; ; all = append(all, make([]byte, 1<<20)) {
				all = append(all, make([]byte, 1<<20))
			}
		case "recursion":
			watchCPU = time.Hour
			return fmt.Errorf("%d", deep(0))
		}
		return nil
	})
	Main()
}

// A computation that runs away is ended by the program itself, with status 3, no file beside the one to write, and a
// message that says what it was doing and how much that took. A flag that raises a limit raises what it may take.
func TestWatchEndsWhatRunsAway(t *testing.T) {
	self := must.Of(os.Executable())(t)
	program := filepath.Join(t.TempDir(), "bnfcheck-runaway")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	grammar := filepath.Join(t.TempDir(), "g.abnf")
	must.Do(t, os.WriteFile(grammar, []byte("s = 1*\"a\"\n"), 0o666))
	for _, c := range []struct {
		kind, want string
		status     int
		least      time.Duration // of processor time
		flags      []string
	}{
		{"nothing", "", 0, 0, nil},
		{"time", "vectors: ended after ", 3, 400 * time.Millisecond, nil},
		{"time", "vectors: ended after ", 3, 800 * time.Millisecond, []string{"--limit-memory", "512"}},
		{"memory", " MB of memory", 3, 0, nil},
		{"recursion", "vectors: ended when its recursion had taken ", 3, 0, []string{"--limit-steps", "4000000000"}}, // so that time is not up first
	} {
		folder := t.TempDir()
		cmd := exec.Command(program, append([]string{"vectors", grammar + "#s", "-o", filepath.Join(folder, "file")}, c.flags...)...)
		cmd.Env = append(os.Environ(), "BNFCHECK_RUNAWAY="+c.kind)
		watch := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		out, err := cmd.CombinedOutput()
		watch.Stop()
		status := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			status = exit.ExitCode()
		}
		if status != c.status || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "goroutine") {
			t.Errorf("%s: status %d, %.400s", c.kind, status, out)
		}
		if c.status == statusOpen && !strings.Contains(string(out), "please report it") {
			t.Errorf("%s: it is not said that this is a defect: %s", c.kind, out)
		}
		if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took < c.least {
			t.Errorf("%s: ended after %v, before it had taken %v", c.kind, took, c.least)
		}
		for _, f := range must.Of(os.ReadDir(folder))(t) {
			if f.Name() != "file" || c.status != statusOK {
				t.Errorf("%s leaves %s", c.kind, f.Name())
			}
		}
	}
}

// A signal ends a command that computes and does not look at its context, and nothing is left of what it was writing.
func TestSignalEndsWhatRunsAway(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	self := must.Of(os.Executable())(t)
	program := filepath.Join(t.TempDir(), "bnfcheck-runaway")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	grammar := filepath.Join(t.TempDir(), "g.abnf")
	must.Do(t, os.WriteFile(grammar, []byte("s = 1*\"a\"\n"), 0o666))
	cmd := exec.Command(program, "vectors", grammar+"#s", "-o", filepath.Join(folder, "file"), "--limit-steps", "1000000000000")
	cmd.Env = append(os.Environ(), "BNFCHECK_RUNAWAY=time")
	must.Do(t, cmd.Start())
	watch := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	for len(must.Of(os.ReadDir(folder))(t)) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	start := time.Now()
	_ = cmd.Wait()
	if !watch.Stop() || time.Since(start) > 30*time.Second {
		t.Error("the signal did not end it")
	}
	if list := must.Of(os.ReadDir(folder))(t); len(list) > 0 {
		t.Errorf("left: %v", list)
	}
}

// A command that takes many files gives a sign of life for each: together they may take more than one of them.
func TestEachFileIsASignOfLife(t *testing.T) {
	folder := t.TempDir()
	var files []string
	for i := range 5 {
		name := filepath.Join(folder, fmt.Sprintf("g%d.abnf", i))
		must.Do(t, os.WriteFile(name, []byte("s = 1*\"a\"\n"), 0o666))
		files = append(files, name)
	}
	for _, command := range []string{"lint --format sarif", "lint --level error", "fmt -d", "fmt -l", "fmt -w"} {
		s := newStreams(strings.NewReader(""), io.Discard, io.Discard)
		signs := 0
		s.doing.alive = func() { signs++ }
		if status := s.run(append(strings.Fields(command), files...)); status != statusOK || signs < len(files) {
			t.Errorf("%s: status %d, %d signs of life for %d files", command, status, signs, len(files))
		}
	}
}
