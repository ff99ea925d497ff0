//go:build browser

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/bnfcheck/bnfcheck/internal/testkit/browsertest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file has the extension used in VS Code itself, as npm's code-server serves it to a browser. It is tried as a user
// tries it, and looked at where a user looks: in the page. Where code-server is, an environment variable says; .ci/long
// installs it.

// codeServer names the environment variable with the path of code-server's entry.js.
const codeServer = "BNFCHECK_CODE_SERVER"

// faulty is a grammar with an undefined name, and not in the form that "bnfcheck fmt" writes.
const faulty = "greeting = \"hi\" SP nam\nname    =    1*ALPHA\n"

// An editorPage is a browser with VS Code in it.
type editorPage struct {
	*browsertest.Tab
	t *testing.T
}

// The extension is installed, started by a grammar, and says what the server says: findings and colors while one types,
// what a lens returns, formatting, and what a command of the palette returns.
func TestExtensionInCodeServer(t *testing.T) {
	browsertest.Need(t)
	entry := os.Getenv(codeServer)
	if entry == "" {
		t.Skipf("skipped: %s names no code-server", codeServer)
	}
	workspace := t.TempDir()
	file := filepath.Join(workspace, "greeting.abnf")
	must.Do(t, os.WriteFile(file, []byte(faulty), 0o666))
	must.Do(t, os.WriteFile(filepath.Join(workspace, "greeting.peg"), []byte("{\npackage p\n}\ngreeting <- \"hi \" name\nname <- [a-z]i+\n"), 0o666))
	page := openCodeServer(t, entry, workspace, file)

	page.waitFor("a finding under the undefined name", `document.querySelector(".squiggly-error") !== null`)
	page.waitFor("colors: strings, names and comments are not one",
		`new Set([...document.querySelectorAll(".view-line span span")].map((s) => getComputedStyle(s).color)).size >= 3`)
	page.Screenshot("code-server-finding", "")

	// The name is completed, and the finding goes.
	page.Do(chromedp.Click(chromedp.CSS(".view-line span")), chromedp.KeyEvent(kb.End), chromedp.KeyEvent("e"))
	page.Do(chromedp.KeyEvent(kb.Escape)) // closes the list of names
	page.waitFor("no finding any more", `document.querySelector(".squiggly-error") === null`)

	page.runCommand("Format Document")
	page.waitForText(".view-lines", "name     = 1*ALPHA") // as fmt writes it

	// The lens says which PEG stands beside. A click on it is carried out by the server. To a PEG that ignores case
	// U+0130 is an "i", and so the proof fails and says what to write.
	page.waitFor("a lens that proves", `(() => {
		const lens = [...document.querySelectorAll(".codelens-decoration a")].find((a) => a.textContent.includes("greeting.peg"));
		lens?.setAttribute("data-test", "prove");
		return lens !== undefined;
	})()`)
	page.Do(chromedp.Click(chromedp.CSS(`[data-test="prove"]`)))
	page.waitForText(".panel", "write name <- [A-Za-z]+")
	page.Screenshot("code-server-proof", "")
}

// openCodeServer installs the extension, serves a folder, and opens a file of it in a browser.
func openCodeServer(t *testing.T, entry, workspace, file string) *editorPage {
	t.Helper()
	data := t.TempDir()
	t.Chdir(filepath.Join("..", "..", ".."))
	archive := writeExtension(t, data)
	writeSettings(t, data)
	run := func(args ...string) *exec.Cmd {
		common := []string{entry, "--user-data-dir", data, "--extensions-dir", filepath.Join(data, "extensions")}
		return exec.Command("node", append(common, args...)...)
	}
	if said, err := run("--install-extension", archive).CombinedOutput(); err != nil {
		t.Fatalf("the extension is not installed: %v\n%s", err, said)
	}
	address := freeAddress(t)
	serve(t, run("--auth", "none", "--bind-addr", address, "--disable-telemetry", "--disable-update-check", workspace))
	waitForServer(t, address)

	query := url.Values{"folder": {workspace}}
	query.Set("payload", fmt.Sprintf(`[["openFile","vscode-remote://%s%s"]]`, address, file))
	return &editorPage{browsertest.Open(t, "http://"+address+"/?"+query.Encode()), t}
}

// writeExtension packs the extension in a folder, and returns the path of the archive. It skips the test if the tools
// that pack it are not to be had.
func writeExtension(t *testing.T, folder string) string {
	t.Helper()
	packed, err := packExtension(t.TempDir(), "1.2.3", time.Date(2026, 11, 21, 20, 43, 58, 0, time.UTC))
	if errors.Is(err, errNoTools) {
		t.Skip(err)
	}
	must.Do(t, err)
	archive := filepath.Join(folder, "bnfcheck.vsix")
	must.Do(t, os.WriteFile(archive, packed, 0o666))
	return archive
}

// writeSettings builds the program in a folder of a user's data, and writes settings that name it and have VS Code show
// the file alone. The folder that is opened is not trusted.
func writeSettings(t *testing.T, data string) {
	t.Helper()
	program := filepath.Join(data, "bnfcheck")
	if said, err := exec.Command("go", "build", "-o", program, "./cmd/bnfcheck").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	settings := must.Of(json.Marshal(map[string]any{
		"bnfcheck.path":                                program,
		"security.workspace.trust.startupPrompt":       "never",
		"workbench.startupEditor":                      "none",
		"workbench.secondarySideBar.defaultVisibility": "hidden",
	}))(t)
	must.Do(t, os.MkdirAll(filepath.Join(data, "User"), 0o777))
	must.Do(t, os.WriteFile(filepath.Join(data, "User", "settings.json"), settings, 0o666))
}

// serve starts a server, which ends with the test. What it says is logged if the test fails.
func serve(t *testing.T, server *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	must.Do(t, server.Start())
	t.Cleanup(func() {
		server.Process.Signal(os.Interrupt)
		server.Wait()
		if t.Failed() {
			t.Logf("code-server says\n%s", &log)
		}
	})
}

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l := must.Of(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}

// waitForServer waits until something listens at an address.
func waitForServer(t *testing.T, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("code-server does not listen")
}

// waitFor waits until an expression is true in the page.
func (p *editorPage) waitFor(what, expression string) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if browsertest.Eval[bool](p.Tab, expression) {
			return
		}
	}
	p.Screenshot("code-server-failure", "")
	p.t.Fatalf("%s: not seen in\n%s", what, browsertest.Eval[string](p.Tab, "document.body.innerText"))
}

// waitForText waits until a part of the page, given by a selector, has some words. VS Code shows spaces as ones that do
// not break.
func (p *editorPage) waitForText(selector, words string) {
	p.t.Helper()
	p.waitFor(words, fmt.Sprintf(`document.querySelector(%q)?.innerText.replaceAll("\u00a0", " ").includes(%q) ?? false`, selector, words))
}

// runCommand carries out a command of the palette. The palette shows what was typed a moment later, so that is waited for.
func (p *editorPage) runCommand(title string) {
	p.t.Helper()
	const input = ".quick-input-widget .quick-input-filter input"
	p.Do(chromedp.KeyEvent(kb.F1), chromedp.WaitVisible(chromedp.CSS(input)), chromedp.KeyEvent(title))
	p.waitFor("the command "+title, fmt.Sprintf(`(() => {
		const typed = document.querySelector(%q)?.value ?? "";
		const row = document.querySelector(".quick-input-list .monaco-list-row.focused");
		return typed.endsWith(%[2]q) && row?.innerText.startsWith(%[2]q);
	})()`, input, title))
	// The palette closes as the key goes down. Of a key that is pressed and let go the letter would come after that, and
	// go to the editor.
	browsertest.Eval[bool](p.Tab, fmt.Sprintf(`document.querySelector(%q).dispatchEvent(
		new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }))`, input))
}
