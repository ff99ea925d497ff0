package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The extension is packed with everything that it needs, in the version of the release, and the same bytes come of the
// same files.
func TestExtension(t *testing.T) {
	longtest.Need(t, "installs tools of npm")
	t.Chdir(filepath.Join("..", "..", ".."))
	when := time.Date(2026, 11, 21, 20, 43, 58, 0, time.UTC)
	pack := func() []byte {
		archive, err := packExtension(t.TempDir(), "1.2.3-0.20261121204358-abcdef012345+dirty", when)
		if errors.Is(err, errNoTools) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return archive
	}
	archive := pack()
	entries := strings.Join(unzip(t, archive), "\n")
	for _, want := range []string{"extension/package.json ", `"version": "1.2.3-0.20261121204358-abcdef012345"`, "extension/syntaxes/abnf.tmLanguage.json ", "2026-11-21T20:43:58Z"} {
		if !strings.Contains(entries, want) {
			t.Errorf("the extension has no %s", want)
		}
	}
	if !bytes.Equal(archive, pack()) {
		t.Error("packed again it is something else")
	}
}

// The version of the release is that of the extension alone. A dependency keeps its own, which npm looks for.
func TestCopyExtension(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	folder := filepath.Join(t.TempDir(), "vscode")
	must.Do(t, copyExtension(folder, "1.2.3"))
	type lock struct {
		Version  string
		Packages map[string]struct{ Version string }
	}
	read := func(folder, name string) (l lock) {
		must.Do(t, json.Unmarshal(must.Of(os.ReadFile(filepath.Join(folder, name)))(t), &l))
		return l
	}
	if got := read(folder, "package.json").Version; got != "1.2.3" {
		t.Errorf("package.json has the version %s", got)
	}
	got, before := read(folder, "package-lock.json"), read(extensionFolder, "package-lock.json")
	if got.Version != "1.2.3" || len(before.Packages) < 2 {
		t.Errorf("package-lock.json has the version %s and %d packages", got.Version, len(before.Packages))
	}
	for name, p := range before.Packages {
		want := p.Version
		if name == "" {
			want = "1.2.3"
		}
		if now := got.Packages[name].Version; now != want {
			t.Errorf("%s has the version %s; want %s", name, now, want)
		}
	}
}

// What lacks a file that its package.json names is no extension, nor what has one too many.
func TestCheckExtension(t *testing.T) {
	const manifest = `{"main": "./dist/extension.js", "contributes": {"languages": [{"configuration": "./languages/abnf.json"}], "grammars": [{"path": "./syntaxes/abnf.json"}]}}`
	whole := []string{"readme.md", "LICENSE.txt", "dist/extension.js", "languages/abnf.json", "syntaxes/abnf.json"}
	check := func(files []string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		must.Of(must.Of(w.Create("extension/package.json"))(t).Write([]byte(manifest)))(t)
		for _, name := range files {
			must.Of(w.Create("extension/" + name))(t)
		}
		must.Do(t, w.Close())
		if err := checkExtension(b.Bytes()); err != nil {
			return err.Error()
		}
		return ""
	}
	if fault := check(whole); fault != "" {
		t.Error(fault)
	}
	for i, missing := range whole {
		files := append(append([]string{}, whole[:i]...), whole[i+1:]...)
		if got, want := check(files), "the extension has no "+missing; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got, want := check(append(whole, "src/extension.js")), "the extension has src/extension.js, which it does not need"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if checkExtension([]byte("PK")) == nil {
		t.Error("what is no archive passes")
	}
}
