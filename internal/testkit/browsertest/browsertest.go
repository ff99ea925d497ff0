//go:build browser

// Package browsertest lets tests open a page in a real Chromium without a window, as a reader does, and ask it things.
// Only tests import it.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// Screenshots names the environment variable with the folder that screenshots are written to; without it there are none.
const Screenshots = "BNFCHECK_SCREENSHOTS"

// A Tab is one tab of a browser of its own.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
	requests []string
}

// Open starts a browser and opens an address in it, in a light page of 1280 by 900 pixels. Where there is no browser it
// skips the test; else the browser ends with it.
func Open(t testing.TB, address string) *Tab {
	t.Helper()
	program := Need(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root with one
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	tab := &Tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.listen); err != nil {
		t.Fatalf("%s does not start: %v", program, err)
	}
	call(tab, network.Enable, network.EnableParams{})
	tab.Do(chromedp.Navigate(address))
	return tab
}

// patience is how long a test may use a browser.
const patience = 5 * time.Minute

// Need returns the path of the browser. It skips the test where long tests are not to run, or where there is no browser:
// that is an error where the engines are installed, see [longtest.Missing].
func Need(t testing.TB) string {
	t.Helper()
	longtest.Need(t, "it opens a page in a browser")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	longtest.Missing(t, "Chromium (Debian: apt-get install chromium)")
	return ""
}

func (tab *Tab) listen(event any) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem := "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			problem += " " + e.ExceptionDetails.Exception.Description
		}
		tab.problems = append(tab.problems, problem)
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
		default:
			return
		}
		var words []string
		for _, a := range e.Args {
			words = append(words, string(a.Value)+a.Description)
		}
		tab.problems = append(tab.problems, "console: "+strings.Join(words, " "))
	case *log.EventEntryAdded: // what the browser itself complains about: a policy, a resource
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			tab.problems = append(tab.problems, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		tab.requests = append(tab.requests, e.Request.URL)
	}
}

// Problems returns the browser's complaints so far: exceptions, errors and warnings.
func (tab *Tab) Problems() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.problems...)
}

// Requests returns the addresses that were asked for so far.
func (tab *Tab) Requests() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.requests...)
}

// Do carries out actions; the test ends where one fails.
func (tab *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	if err := chromedp.Do(tab.ctx, actions...); err != nil {
		tab.t.Fatalf("%v\n%s", err, strings.Join(tab.Problems(), "\n"))
	}
}

// ask carries out an action that gives a value.
func ask[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	value, err := chromedp.Run(tab.ctx, action)
	if err != nil {
		tab.t.Fatalf("%v\n%s", err, strings.Join(tab.Problems(), "\n"))
	}
	return value
}

// call carries out a command of the browser's protocol.
func call[P, R any](tab *Tab, command cdp.Command[P, R], params P) {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, command, params); err != nil {
		tab.t.Fatal(err)
	}
}

// Eval returns the value of a JavaScript expression; of a promise what it is resolved with.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	return ask(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Resize makes the page so wide and high, in CSS pixels, and light or dark.
func (tab *Tab) Resize(width, height int64, scheme string) {
	tab.t.Helper()
	tab.Do(chromedp.EmulateViewport(width, height))
	call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// Screenshot writes a picture of a part of the page, or of the whole page for the selector "", where screenshots are
// asked for.
func (tab *Tab) Screenshot(name, selector string) {
	tab.t.Helper()
	dir := os.Getenv(Screenshots)
	if dir == "" {
		return
	}
	var picture []byte
	if selector == "" {
		picture = ask(tab, chromedp.FullScreenshot(100))
	} else {
		picture = ask(tab, chromedp.Screenshot(chromedp.CSS(selector)))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		tab.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o666); err != nil {
		tab.t.Fatal(err)
	}
}
