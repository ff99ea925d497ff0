package editor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The snippet that docs/editor.md has for Emacs starts the server, and Eglot shows what it finds and has it format: see
// testdata/emacs.el.
func TestEmacsSnippet(t *testing.T) {
	emacs, err := exec.LookPath("emacs")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("Emacs is not installed, or the program cannot be a shell script")
	}
	folder := must.Of(filepath.EvalSymlinks(t.TempDir()))(t)
	writeServer(t, folder)
	write := fileWriter(t, folder)
	init := write("init.el", "(package-initialize)\n"+snippet(t, "### Emacs", "elisp")) // which Emacs does before it reads this file
	file := write("mail.abnf", neovimText)

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, emacs, "--batch", "-l", init, "-l", must.Of(filepath.Abs("testdata/emacs.el"))(t))
	cmd.Env = append(os.Environ(), "HOME="+folder, "FILE="+file, "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	said, err := cmd.CombinedOutput()
	if strings.Contains(string(said), "no Eglot") {
		t.Skip("Emacs has no Eglot (Debian: apt-get install elpa-eglot)")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	const formatted = "; bnfcheck:start mail\nmail  = 1*ALPHA \"@\" Domain\nspare = \"x\"\n"
	for _, want := range []string{"finding: bnfcheck [undefined]: `Domain` is not defined", "formatted: " + formatted} {
		if !strings.Contains(string(said), want) {
			t.Errorf("Emacs does not say %q, but\n%s", want, said)
		}
	}
}
