package editor

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestMain makes the program of the tests a server where a client starts it as one.
func TestMain(m *testing.M) {
	if os.Getenv("BNFCHECK_EDITOR_SERVES") != "" {
		if err := serveRecorded(os.Stdin, os.Stdout, Options{Log: os.Stderr}, os.Getenv("RECORD"), os.Getenv("FOLDER")); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// neovimText is the grammar that TestNeovim opens.
const neovimText = "; bnfcheck:start mail\nmail = 1*ALPHA \"@\" Domain\nspare = \"x\"\n"

// runNeovim runs Neovim without a screen, and with a folder in place of the home of the person who runs the test.
func runNeovim(t *testing.T, nvim, folder string, env []string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, append([]string{"--headless", "-i", "NONE", "-n"}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+folder,
		"XDG_STATE_HOME="+folder, "XDG_CACHE_HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	cmd.Env = append(cmd.Env, env...)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// TestNeovim has Neovim do what a person does: see testdata/neovim.lua. With -update the conversation is what TestTrace
// replays.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("Neovim is not installed")
	}
	folder := must.Of(filepath.EvalSymlinks(t.TempDir()))(t)
	file, out := filepath.Join(folder, "mail.abnf"), filepath.Join(folder, "out")
	must.Do(t, os.WriteFile(file, []byte(neovimText), 0o644))
	env := []string{
		"FILE=" + file, "OUT=" + out, "SERVER=" + must.Of(os.Executable())(t),
		"FOLDER=" + folder, "RECORD=" + filepath.Join(folder, "trace"),
	}
	runNeovim(t, nvim, folder, env, "-u", "NONE", "-c", "luafile testdata/neovim.lua")
	keepTrace(t, filepath.Join(folder, "trace"))
	got := map[string]any{}
	for line := range strings.Lines(string(must.Of(os.ReadFile(out))(t))) {
		name, value, _ := strings.Cut(line, ": ")
		var v any
		must.Do(t, json.Unmarshal([]byte(value), &v))
		got[name] = v
	}
	lines := func(list ...any) []any { return list }
	want := map[string]any{
		"opened":  "2 undefined, 3 unused",
		"typed":   "4 unused",
		"jumped":  lines(3.0, 0.0),
		"hover":   "Accepts strings of 1 byte and more, without limit",
		"renamed": lines("; bnfcheck:start mail", `mail = 1*ALPHA "@" host`, `host = 1*ALPHA *( "." 1*ALPHA )`, `spare = "x"`),
		"formatted": lines("; bnfcheck:start mail", `mail  = 1*ALPHA "@" host`, `host  = 1*ALPHA *( "." 1*ALPHA )`,
			`spare = "x"`),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Neovim says\n%v\nand not\n%v", got, want)
	}
}

// snippet returns the next block of a language that docs/editor.md has after some words.
func snippet(t *testing.T, after, language string) string {
	t.Helper()
	_, text, ok := strings.Cut(string(must.Of(os.ReadFile("../../docs/editor.md"))(t)), after)
	_, text, begins := strings.Cut(text, "```"+language+"\n")
	block, _, ends := strings.Cut(text, "```")
	if !ok || !begins || !ends {
		t.Fatalf("docs/editor.md has no %s after %q", language, after)
	}
	return block
}

// fileWriter returns a function that writes a file of a folder and returns its path.
func fileWriter(t *testing.T, folder string) func(name, text string) string {
	return func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
}

// writeServer writes a program bnfcheck in a folder, of which "lsp" is the only argument: it is the program of the tests.
func writeServer(t *testing.T, folder string) {
	t.Helper()
	script := "#!/bin/sh\ntest \"$*\" = lsp && BNFCHECK_EDITOR_SERVES=1 RECORD='" + folder + "/trace' FOLDER='" + folder +
		"' exec '" + must.Of(os.Executable())(t) + "'\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, "bnfcheck"), []byte(script), 0o755))
}

// The snippet that docs/editor.md has for Neovim 0.7 starts the server, with nothing else in init.lua.
func TestNeovimSnippet(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("Neovim is not installed, or the program cannot be a shell script")
	}
	folder := must.Of(filepath.EvalSymlinks(t.TempDir()))(t)
	write := fileWriter(t, folder)
	writeServer(t, folder)
	init := write("init.lua", snippet(t, "Neovim 0.7 has", "lua"))
	file := write("mail.abnf", neovimText)
	wait := write("wait.lua", `vim.wait(60000, function() return #vim.diagnostic.get(0) == 2 end, 20)
vim.fn.writefile({ tostring(#vim.diagnostic.get(0)) }, os.getenv("OUT"))
vim.cmd("qall!")`)
	out := filepath.Join(folder, "out")
	env := []string{"OUT=" + out, "PATH=" + folder + string(filepath.ListSeparator) + os.Getenv("PATH")}
	runNeovim(t, nvim, folder, env, "-u", init, file, "-c", "luafile "+wait)
	if got := strings.TrimSpace(string(must.Of(os.ReadFile(out))(t))); got != "2" {
		t.Errorf("Neovim shows %s diagnostics, not 2", got)
	}
}
