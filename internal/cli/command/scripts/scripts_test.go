package scripts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bnfcheck/bnfcheck/internal/cli/command"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/report/webengine"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/neturl"
)

func TestMain(m *testing.M) {
	bnftogo.Strict = true // a self-check that fails is an error in the program that the scripts run
	testscript.Main(m, map[string]func(){"bnfcheck": command.Main, "net-url": neturl.Main})
}

// anEngine writes a packed engine, for pages that no browser opens, and returns the name of its file.
func anEngine(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "an.engine")
	e := webengine.Engine{Program: []byte("a program"), Glue: "// glue"}
	must.Do(t, os.WriteFile(file, e.Pack(), 0o666))
	return file
}

func TestScripts(t *testing.T) {
	engine := anEngine(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TERM", "xterm") // the scripts that are about terminals set it
			e.Setenv(webengine.FileVariable, engine)
			e.Setenv("COLUMNS", "100000") // TestNoLineIsWiderThanTheTerminal is about the width
			return nil
		},
		UpdateScripts: goldentest.Update(),
		Condition: func(name string) (bool, error) {
			switch name {
			case "long":
				return longtest.Enabled(), nil
			case "hangup": // nohup has the program and its children ignore that signal
				return !signal.Ignored(syscall.SIGHUP), nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"repeat": repeat, "status": wantStatus},
	})
}

// wantStatus runs bnfcheck and wants an exit status:
//
//	status NUMBER ARGUMENT ...
func wantStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status NUMBER ARGUMENT ...")
	}
	got := 0
	err := ts.Exec("bnfcheck", args[1:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d", got)
	}
}

// repeat writes a file that holds a text many times:
//
//	repeat FILE COUNT TEXT
//
// In the text \n, \0 and the like are read as in a Go string.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat FILE COUNT TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text, err := strconv.Unquote(`"` + args[2] + `"`)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	ts.Check(err)
	_, err = f.WriteString(strings.Repeat(text, n))
	ts.Check(err)
	ts.Check(f.Close())
}
