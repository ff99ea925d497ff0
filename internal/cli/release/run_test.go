package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Whoever unpacks an archive has a program that runs, with everything beside it that belongs to it. In the short test
// that is the archive of one platform, in the long test one of each kind, of which this machine runs its own. A build
// for all platforms would compile everything twelve times; .ci/long type-checks for other platforms in less.
func TestUnpackedArchives(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	chosen := []string{"linux/amd64"}
	if longtest.Enabled() {
		chosen = append(chosen, "windows/amd64")
	}
	dist := t.TempDir()
	if err := release(dist, chosen, false); err != nil {
		if strings.Contains(err.Error(), "has no time of a commit") {
			t.Skip("skipped outside a clone: ", err)
		}
		t.Fatal(err)
	}
	sums := must.Of(os.ReadFile(filepath.Join(dist, "checksums.txt")))(t)
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	if want := 2*len(chosen) + 1; len(lines) != want { // an archive and a package of npm for each, and the command of npm
		t.Fatalf("%d sums of %d files:\n%s", len(lines), want, sums)
	}
	ran := false
	var packages []string // of npm
	for i, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		archive := must.Of(os.ReadFile(filepath.Join(dist, name)))(t)
		if got := fmt.Sprintf("%x", sha256.Sum256(archive)); got != sum {
			t.Errorf("%s: the sum of the archive is %s, not %s", name, got, sum)
		}
		if strings.HasPrefix(name, "npm/") {
			packages = append(packages, filepath.Join(dist, name))
			continue
		}
		entries := untar
		if strings.HasSuffix(name, ".zip") {
			entries = unzip
		}
		list := strings.Join(entries(t, archive), "\n")
		for _, want := range []string{"/LICENSE -rw", "/README.md -rw", "/man/man1/bnfcheck-check.1 -rw", "/completions/_bnfcheck -rw"} {
			if !strings.Contains(list, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		if chosen[i/2] != runtime.GOOS+"/"+runtime.GOARCH || strings.HasSuffix(name, ".zip") {
			continue
		}
		to := t.TempDir()
		if said, err := exec.Command("tar", "-xzf", filepath.Join(dist, name), "-C", to).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		ran = true
		program := filepath.Join(to, strings.TrimSuffix(name, ".tar.gz"), "bnfcheck")
		tryProgram(t, exec.Command(program, "check", "-"))
		tryPage(t, program)
	}
	if ran {
		tryNPM(t, packages)
	}
	if !ran && !t.Failed() {
		t.Skipf("no archive of %s/%s was built; the others were unpacked and not run", runtime.GOOS, runtime.GOARCH)
	}
}

// tryNPM installs packages in an empty folder, with npm's own client and no network, and runs the command, with what
// the page of the package shows. They are optional, as those of a platform are to the package with the command: npm
// skips the ones of other platforms, where it refuses them as dependencies.
func tryNPM(t *testing.T, packages []string) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Log("the packages of npm were not installed: there is no npm")
		return
	}
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte("{\"private\": true}\n"), 0o666))
	must.Do(t, os.WriteFile(filepath.Join(dir, "grammar.abnf"), []byte("a = \"x\"\n"), 0o666))
	args := []string{
		"install", "--save-optional", "--offline", "--ignore-scripts", "--no-audit", "--no-fund",
		"--cache", filepath.Join(dir, "cache"),
	}
	install := exec.Command("npm", append(args, packages...)...)
	install.Dir = dir
	if said, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, said)
	}
	tryProgram(t, exec.Command(filepath.Join(dir, "node_modules", ".bin", "bnfcheck"), "check", "-"))
	shown := regexp.MustCompile("(?m)^npx (bnfcheck .*?)(?: +#.*)?$").FindAllSubmatch(npmReadme, -1)
	if len(shown) == 0 {
		t.Error("the page of the package shows no command")
	}
	for _, m := range shown {
		run := exec.Command("sh", "-c", "npx --offline --no "+string(m[1]))
		run.Dir = dir
		var exit *exec.ExitError
		if said, err := run.CombinedOutput(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Errorf("%s: %v\n%s", m[1], err, said)
		}
	}
}

// tryPage has a program write a page, whose engine it must have in itself: there is no Go, no source, and no cache.
func tryPage(t *testing.T, program string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(program, "playground", "-o", dir)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir}
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	page := must.Of(os.ReadFile(filepath.Join(dir, "index.html")))(t)
	if len(page) < 4<<20 || !strings.Contains(string(page), `id="engine-program">`) {
		t.Errorf("a page of %d bytes", len(page))
	}
}

// tryProgram runs a check command on one URL that a grammar rejects.
func tryProgram(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("http://info.cern.ch/~timbl/\n"), &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(out.String(), `unexpected "~" in hsegment`) {
		t.Errorf("%v: %v\n%s", cmd.Args, err, &out)
	}
}

// The image that Containerfile describes runs the command.
func TestContainer(t *testing.T) {
	longtest.Need(t, "it builds an image")
	builder := ""
	for _, name := range []string{"podman", "docker"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "info").Run() == nil {
			builder = path
			break
		}
	}
	if builder == "" {
		t.Skip("no container builder runs here: neither podman nor docker")
	}
	cmd := exec.Command(builder, "build", "-q", "-f", "Containerfile", ".")
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Stderr = io.Discard
	image, err := cmd.Output()
	if err != nil {
		t.Skipf("%s cannot build here, without the image that Containerfile begins with: %v", builder, err)
	}
	id := strings.TrimSpace(string(image))
	defer exec.Command(builder, "rmi", id).Run() // best effort
	run := exec.Command(builder, "run", "--rm", "-i", id, "check", "-")
	tryProgram(t, run)
}
