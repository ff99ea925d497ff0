package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Each platform has a package that npm installs there alone, and the command depends on all of them.
func TestPackages(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	when := time.Date(2026, 11, 21, 20, 43, 58, 0, time.UTC)
	command := must.Of(packCommand(platforms, "1.2.3+dirty", when))(t)
	if command.file != "bnfcheck-1.2.3.tgz" {
		t.Errorf("the command is in %s", command.file)
	}
	depends := readManifest(t, command).OptionalDependencies
	for _, c := range []struct{ platform, name, os, cpu, program string }{
		{"linux/amd64", "@bnfcheck/linux-x64", "linux", "x64", "bnfcheck"},
		{"linux/386", "@bnfcheck/linux-ia32", "linux", "ia32", "bnfcheck"},
		{"linux/arm", "@bnfcheck/linux-arm", "linux", "arm", "bnfcheck"},
		{"darwin/arm64", "@bnfcheck/darwin-arm64", "darwin", "arm64", "bnfcheck"},
		{"windows/amd64", "@bnfcheck/win32-x64", "win32", "x64", "bnfcheck.exe"},
	} {
		p := must.Of(packPlatform(c.platform, "1.2.3+dirty", []byte("program"), when))(t)
		m := readManifest(t, p)
		if m.Name != c.name || m.Version != "1.2.3" || !slices.Equal(m.OS, []string{c.os}) || !slices.Equal(m.CPU, []string{c.cpu}) {
			t.Errorf("%s: %+v", c.platform, m)
		}
		if want := "package/bin/" + c.program + " -rwxr-xr-x 2026-11-21T20:43:58Z program"; !slices.Contains(untar(t, p.archive), want) {
			t.Errorf("%s has no %s", c.platform, want)
		}
		if depends[c.name] != "1.2.3" {
			t.Errorf("the command depends on %s in version %q", c.name, depends[c.name])
		}
	}
	if len(depends) != len(platforms) {
		t.Errorf("the command depends on %d packages for %d platforms", len(depends), len(platforms))
	}
}

// readManifest returns the package.json of a package.
func readManifest(t *testing.T, p npmPackage) (m manifest) {
	t.Helper()
	for _, entry := range untar(t, p.archive) {
		if text, ok := strings.CutPrefix(entry, "package/package.json -rw-r--r-- 2026-11-21T20:43:58Z "); ok {
			must.Do(t, json.Unmarshal([]byte(text), &m))
			return m
		}
	}
	t.Fatalf("%s has no package.json", p.file)
	return m
}

// The script hands over arguments, streams, the exit status and signals, and says what is missing where there is no
// program.
func TestLauncher(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("node is not installed, or the program cannot be a shell script")
	}
	platform := string(must.Of(exec.Command(node, "-p", "process.platform + '-' + process.arch").Output())(t))
	platform = strings.TrimSpace(platform)
	install := func(t *testing.T, manifest, program string) string {
		dir := t.TempDir()
		bin := filepath.Join(dir, "node_modules", "bnfcheck", "bin")
		must.Do(t, os.MkdirAll(bin, 0o777))
		must.Do(t, os.WriteFile(filepath.Join(bin, "bnfcheck.js"), npmLauncher, 0o777))
		must.Do(t, os.WriteFile(filepath.Join(bin, "..", "package.json"), []byte(manifest), 0o666))
		if program != "" {
			own := filepath.Join(dir, "node_modules", "@bnfcheck", platform, "bin")
			must.Do(t, os.MkdirAll(own, 0o777))
			must.Do(t, os.WriteFile(filepath.Join(own, "bnfcheck"), []byte("#!/bin/sh\n"+program), 0o777))
		}
		return filepath.Join(bin, "bnfcheck.js")
	}
	known := `{"optionalDependencies": {"@bnfcheck/` + platform + `": "1.2.3"}}`
	for _, c := range []struct {
		name, manifest, program string
		status                  int
		says                    string
	}{
		{"the status", known, `cat; echo "$@"; exit 3`, 3, "in a b c\n"},
		{"a signal", known, "kill -TERM $$", 128 + 15, ""},
		{"a signal to the script", known, `trap 'echo ended; exit 1' TERM; kill -TERM $PPID; while :; do sleep 0.1; done`, 1, "ended\n"},
		{"no package", known, "", 2, "bnfcheck: the package @bnfcheck/" + platform + " is not installed: "},
		{"no platform", `{"optionalDependencies": {}}`, "", 2, "bnfcheck: there is no program for " + platform + ": "},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			run := exec.CommandContext(ctx, node, install(t, c.manifest, c.program), "a b", "c")
			run.WaitDelay = time.Second // a program that is left alone keeps the pipe
			run.Stdin = strings.NewReader("in ")
			said, err := run.CombinedOutput()
			status := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				status = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if status != c.status || !strings.HasPrefix(string(said), c.says) {
				t.Errorf("status %d, %q; want %d, %q", status, said, c.status, c.says)
			}
		})
	}
}
