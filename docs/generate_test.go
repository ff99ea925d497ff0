package docs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// guide is the page whose commands are one session, in a module of its own.
const guide = "generate.md"

// TestGuide runs the commands of generate.md one after the other in an empty folder, and compares what they print. Go gets
// this module from a proxy that has the files as they are here, and all others from the module cache, which may lack what
// only a download by name brings, and else from where Go usually does.
func TestGuide(t *testing.T) {
	longtest.Need(t, "builds the program in a module of its own")
	for _, name := range []string{"BNFCHECK_RFC", "BNFCHECK_ZOO"} {
		if os.Getenv(name) == "" {
			t.Skip(name + " is not set: no texts to generate from")
		}
	}
	dir := t.TempDir()
	cache := goEnv(t, "GOMODCACHE")
	env := append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOPROXY=file://"+proxy(t)+",file://"+filepath.Join(cache, "cache", "download")+","+goEnv(t, "GOPROXY"),
		"GOMODCACHE="+filepath.Join(dir, "cache"), "GOFLAGS=-modcacherw", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK=off", "COLUMNS=100", "TERM=dumb")
	folder := filepath.Join(dir, "work")
	must.Do(t, os.Mkdir(folder, 0o777))
	where := filepath.Join(dir, "where")
	has := read(t, guide)
	want := session.ReplaceAllStringFunc(has, func(block string) string {
		var b strings.Builder
		b.WriteString("```console\n")
		for _, command := range commands(session.FindStringSubmatch(block)[1]) {
			c := exec.Command("sh", "-c", command+"\nstatus=$?; pwd >\"$WHERE\"; exit $status")
			c.Dir, c.Env = folder, append(env, "WHERE="+where)
			var out bytes.Buffer
			c.Stdout, c.Stderr = &out, &out
			began := time.Now()
			err := c.Run()
			t.Logf("%v: %s", time.Since(began).Round(time.Second), command)
			if exit, ok := err.(*exec.ExitError); ok {
				fmt.Fprintf(&out, "exit status %d\n", exit.ExitCode())
			} else if err != nil {
				t.Fatal(command, err)
			}
			if to, err := os.ReadFile(where); err == nil {
				folder = strings.TrimSpace(string(to))
			}
			b.WriteString("$ " + command + "\n" + settled(out.String()))
		}
		return b.String() + "```"
	})
	goldentest.Whole(t, guide, want)
}

// commands returns the commands of a session, with the lines of what they read up to END.
func commands(body string) (list []string) {
	inside := false
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case inside:
			list[len(list)-1] += "\n" + line
			inside = line != "END"
		case ok:
			list = append(list, command)
			inside = strings.HasSuffix(command, "<<'END'")
		}
	}
	return list
}

// settled returns an output without what is another at every run: the time of a test, and the folders of the data.
func settled(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "ok  \t") {
			fields := strings.Fields(line)
			line = fields[0] + "  " + fields[1] + "\n"
		}
		b.WriteString(line)
	}
	for _, name := range []string{"BNFCHECK_RFC", "BNFCHECK_ZOO"} {
		out = strings.ReplaceAll(b.String(), os.Getenv(name), "$"+name)
		b.Reset()
		b.WriteString(out)
	}
	return out
}

func goEnv(t *testing.T, name string) string {
	out := must.Of(exec.Command("go", "env", name).Output())(t)
	return strings.TrimSpace(string(out))
}

// servedVersion is the version of this module in the guide's module.
const servedVersion = "v1.0.0"

// proxy returns a folder that serves this module to Go as servedVersion.
func proxy(t *testing.T) string {
	const version = servedVersion
	root := t.TempDir()
	dir := filepath.Join(root, filepath.FromSlash(modulePath), "@v")
	must.Do(t, os.MkdirAll(dir, 0o777))
	put := func(name string, text []byte) {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	put("list", []byte(version+"\n"))
	put(version+".info", []byte(`{"Version":"`+version+`","Time":"2026-01-01T00:00:00Z"}`))
	put(version+".mod", []byte(read(t, "../go.mod")))
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel("..", path)
		_, noModule := os.Stat(filepath.Join(path, "go.mod"))
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || rel == "golden" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() && rel != "." && noModule == nil: // a module of its own is no part of this
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := z.Create(modulePath + "@" + version + "/" + filepath.ToSlash(rel))
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	put(version+".zip", packed.Bytes())
	return root
}
