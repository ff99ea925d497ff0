//go:build unix

package conform

import (
	"context"
	"errors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// newChild returns a command that runs this test binary as a child. At the end of the test it is closed, and nothing of it
// is left.
func newChild(t *testing.T, how string, o Options) *Command {
	t.Helper()
	self := must.Of(os.Executable())(t)
	o.Env = append(os.Environ(), append(o.Env, "CONFORM_CHILD="+how)...)
	before := runtime.NumGoroutine()
	c := must.Of(NewCommand("child", []string{self}, o))(t)
	t.Cleanup(func() {
		c.Close()
		nothingLeft(t, before)
	})
	return c
}

// nothingLeft waits until there are no more goroutines than before, and asks the system for children: there are none.
func nothingLeft(t *testing.T, goroutines int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), goroutines, stacks[:runtime.Stack(stacks, true)])
		}
	}
	if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Fatalf("a child is left: %d %v", pid, err)
	}
}

// TestMisbehavior asks a child to misbehave, between two questions that it answers well.
func TestMisbehavior(t *testing.T) {
	rows := []struct {
		input   string
		kind    FaultKind // "" for none
		detail  string    // a part of the fault's detail
		verdict Verdict   // of the question itself
		next    FaultKind // fault of the question after it, which is answered all the same
	}{
		{"exit", Crash, `exit status 3, saying "out of luck"`, NoAnswer, ""},
		{"exit after the answer", "", "", Accepted, Crash},
		{"is killed", Crash, "signal: terminated", NoAnswer, ""},
		{"hang", TimeOut, "no answer within", NoAnswer, ""},
		{"hang with a child of its own", TimeOut, "no answer within", NoAnswer, ""},
		{"half a line", TimeOut, "it printed `{\"id\":2,\"a`", NoAnswer, ""},
		{"closes its output", Crash, "killed", NoAnswer, ""},
		{"garbage", Garbage, `it printed "hello"`, NoAnswer, ""},
		{"not UTF-8", Garbage, "not UTF-8", NoAnswer, ""},
		{"empty line", Garbage, "end of JSON", NoAnswer, ""},
		{"no verdict", Garbage, `"accepted" is neither`, NoAnswer, ""},
		{"verdict in words", Garbage, `"accepted" is neither`, NoAnswer, ""},
		{"no id", Garbage, `no "id"`, NoAnswer, ""},
		{"unknown component", Garbage, `unknown component "hostname"`, NoAnswer, ""},
		{"wrong id", WrongID, "answered", NoAnswer, ""},
		{"line without end", TooMuch, "more than 65536 bytes", NoAnswer, ""},
		{"answers twice", "", "", Accepted, TooMuch},
		{"talks on standard error", "", "", Accepted, ""},
		{"undecided", "", "", Undecided, ""},
		{"more members", "", "", Accepted, ""},
	}
	for _, row := range rows {
		t.Run(row.input, func(t *testing.T) {
			pid := filepath.Join(t.TempDir(), "pid")
			timeout := 20 * time.Second
			if row.kind == TimeOut {
				timeout = 300 * time.Millisecond
			}
			c := newChild(t, "well", Options{Timeout: timeout, MaxLine: 1 << 16, Env: []string{"CONFORM_PID=" + pid}})
			well(t, c, "before")
			w := "!" + row.input
			a := must.Of(c.Ask(t.Context(), w))(t)
			if a.Verdict != row.verdict {
				t.Errorf("%v, want %v", a.Verdict, row.verdict)
			}
			check(t, a.Fault, row.kind, w)
			if a.Fault != nil && !strings.Contains(a.Fault.Detail, row.detail) {
				t.Errorf("detail %q lacks %q", a.Fault.Detail, row.detail)
			}
			if a.Fault != nil && a.Fault.Repeated != (a.Fault.Kind != TimeOut) {
				t.Errorf("repeated: %v", a.Fault.Repeated)
			}
			if row.next == "" {
				well(t, c, "after")
			} else {
				a, err := c.Ask(t.Context(), "after")
				if err != nil || a.Verdict != Accepted {
					t.Fatalf("%v %v", a, err)
				}
				check(t, a.Fault, row.next, "after")
				if f := a.Fault; f != nil && (f.Repeated || f.Previous == nil || string(*f.Previous) != w) {
					t.Errorf("the fault blames %+v", f)
				}
			}
			if data, err := os.ReadFile(pid); err == nil {
				gone(t, string(data))
			}
		})
	}
}

func well(t *testing.T, c *Command, w string) {
	t.Helper()
	a, err := c.Ask(t.Context(), w)
	if err != nil || a.Fault != nil || a.Verdict != Accepted || a.Components[Host] != Is(w) {
		t.Fatalf("%q: %+v %v", w, a, err)
	}
}

func check(t *testing.T, f *Fault, kind FaultKind, w string) {
	t.Helper()
	switch {
	case f == nil && kind == "":
	case f == nil:
		t.Errorf("no fault, want %s", kind)
	case f.Kind != kind || string(f.Input) != w:
		t.Errorf("fault %v, want %s on %q", f, kind, w)
	}
}

// gone waits until a process that a child started is gone, or dead and waiting for its new parent.
func gone(t *testing.T, pid string) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		n := must.Of(strconv.Atoi(pid))(t)
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if syscall.Kill(n, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %s, started by a child, still runs", pid)
		}
	}
}

// TestHopelessChildren checks that a command which never answers is given up, soon and for good.
func TestHopelessChildren(t *testing.T) {
	for how, kind := range map[string]FaultKind{
		"exits at once": Crash, "closes its input": Crash, "never reads": TimeOut,
		"prints without being asked": Garbage,
	} {
		t.Run(how, func(t *testing.T) {
			// Only what times out needs a short time: the others answer in their own, however busy the machine is.
			patience := Options{Timeout: time.Minute, Startup: time.Minute}
			if kind == TimeOut {
				patience = Options{Timeout: 50 * time.Millisecond, Startup: 100 * time.Millisecond}
			}
			c := newChild(t, how, patience)
			for range 2 * barren {
				a, err := c.Ask(t.Context(), strings.Repeat("x", 1<<17)) // more than a pipe holds
				var gaveUp *GaveUpError
				if errors.As(err, &gaveUp) {
					if n := c.started.Load(); n > barren+1 || gaveUp.Last.Kind != kind {
						t.Errorf("%d children; %v", n, err)
					}
					return
				}
				if err != nil || a.Verdict != NoAnswer {
					t.Fatalf("%+v %v", a, err)
				}
				check(t, a.Fault, kind, string(a.Fault.Input))
			}
			t.Error("never given up")
		})
	}
}

// TestRestarts checks that a command is replaced a bounded number of times.
func TestRestarts(t *testing.T) {
	c := newChild(t, "well", Options{Restarts: 10})
	for range 100 {
		well := "well"
		if _, err := c.Ask(t.Context(), well); err != nil {
			break
		}
		c.Ask(t.Context(), "!exit")
	}
	if n := c.started.Load(); n < 10 || n > 13 {
		t.Errorf("%d children", n)
	}
	if _, err := c.Ask(t.Context(), "well"); err == nil {
		t.Error("it was not given up")
	}
}

// TestGoodForOneAnswer checks that a command whose children fail after every answer is given up soon, and one that fails at every
// second question, whoever is asked, is not.
func TestGoodForOneAnswer(t *testing.T) {
	for _, row := range []struct {
		questions []string
		detail    string // "" if it is not given up
	}{
		{[]string{"!answers twice"}, "output that nobody asked for"},
		{[]string{"!exit after the answer"}, "exit status"},
		{[]string{"well", "!exit"}, ""},
	} {
		c := newChild(t, "well", Options{})
		var err error
		for i := 0; i < 40 && err == nil; i++ {
			_, err = c.Ask(t.Context(), row.questions[i%len(row.questions)])
		}
		if n := c.started.Load(); row.detail == "" {
			if err != nil {
				t.Errorf("%q: %v", row.questions, err)
			}
		} else if err == nil || n > 10 || !strings.Contains(err.Error(), "each is good for one answer") || !strings.Contains(err.Error(), row.detail) {
			t.Errorf("%q: %d children, %v", row.questions, n, err)
		}
	}
}

// TestMissingCommand checks that one learns of a missing program at once.
func TestMissingCommand(t *testing.T) {
	for _, argv := range [][]string{nil, {"no-such-program-anywhere"}} {
		if c, err := NewCommand("x", argv, Options{}); err == nil {
			t.Errorf("%q: %v", argv, c)
		}
	}
}

// TestCancel checks that the end of the context ends a question at once, and everything that runs.
func TestCancel(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	c := newChild(t, "well", Options{Timeout: time.Minute, Env: []string{"CONFORM_PID=" + pid}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for { // until the child has started one of its own
			if data, err := os.ReadFile(pid); err == nil && len(data) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	start := time.Now()
	if a, err := c.Ask(ctx, "!hang with a child of its own"); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v %v", a, err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	data := must.Of(os.ReadFile(pid))(t)
	gone(t, string(data))
	well(t, c, "another context, a fresh child")
}

// TestWorkers asks several children at a time, some of which crash.
func TestWorkers(t *testing.T) {
	c := newChild(t, "well", Options{Workers: 4, Restarts: 1000})
	var crashes atomic.Int64
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 50 {
				w := strconv.Itoa(i*100 + j)
				if j%10 == 9 {
					w = "!exit"
				}
				a, err := c.Ask(t.Context(), w)
				switch {
				case err != nil:
					t.Error(err)
					return
				case a.Fault != nil:
					crashes.Add(1)
					check(t, a.Fault, Crash, "!exit")
				case a.Components[Host] != Is(w):
					t.Errorf("%q: %+v", w, a)
				}
			}
		})
	}
	wait.Wait()
	if crashes.Load() != 40 {
		t.Errorf("%d crashes", crashes.Load())
	}
}

// TestBytes checks that every byte travels to a child and back.
func TestBytes(t *testing.T) {
	c := newChild(t, "well", Options{})
	for x := range 256 {
		well(t, c, "a"+string([]byte{byte(x)})+"b")
		well(t, c, "a"+string(rune(x))+"\u2028b")
	}
	well(t, c, "")
	well(t, c, strings.Repeat("\xff", 1<<18))
}
