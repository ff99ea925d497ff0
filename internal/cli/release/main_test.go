package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What goes in comes out, with the time of the commit, and the same bytes come of the same files.
func TestArchives(t *testing.T) {
	when := time.Date(2026, 11, 21, 20, 43, 58, 0, time.UTC)
	files := []file{{"bnfcheck", []byte("program"), executable}, {"man/man1/bnfcheck.1", []byte(".TH"), plain}}
	want := []string{
		"a_1/bnfcheck -rwxr-xr-x 2026-11-21T20:43:58Z program",
		"a_1/man/man1/bnfcheck.1 -rw-r--r-- 2026-11-21T20:43:58Z .TH",
	}
	for _, c := range []struct {
		name   string
		pack   func(string, []file, time.Time) ([]byte, error)
		unpack func(*testing.T, []byte) []string
	}{{"tar.gz", packTar, untar}, {"zip", packZip, unzip}} {
		t.Run(c.name, func(t *testing.T) {
			a := must.Of(c.pack("a_1", files, when))(t)
			if got := c.unpack(t, a); !slices.Equal(got, want) {
				t.Errorf("packed:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if b, err := c.pack("a_1", files, when.In(time.FixedZone("", 3600))); err != nil || !bytes.Equal(a, b) {
				t.Error("packed again it is something else", err)
			}
		})
	}
}

func untar(t *testing.T, archive []byte) (list []string) {
	z := must.Of(gzip.NewReader(bytes.NewReader(archive)))(t)
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, entry(t, h.Name, h.FileInfo(), r))
	}
}

func unzip(t *testing.T, archive []byte) (list []string) {
	z := must.Of(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	for _, f := range z.File {
		r := must.Of(f.Open())(t)
		list = append(list, entry(t, f.Name, f.FileInfo(), r))
	}
	return list
}

func entry(t *testing.T, name string, info os.FileInfo, r io.Reader) string {
	text := must.Of(io.ReadAll(r))(t)
	return fmt.Sprintf("%s %v %s %s", name, info.Mode(), info.ModTime().UTC().Format(time.RFC3339), text)
}

// Only known platforms can be chosen, each once.
func TestWrongPlatforms(t *testing.T) {
	for _, c := range []struct {
		chosen []string
		want   string
	}{
		{[]string{"linux/amd64", "cp/m"}, `no platform "cp/m"`},
		{[]string{"linux/amd64", "linux/arm", "linux/amd64"}, "the platform linux/amd64 is given twice"},
	} {
		if err := release(t.TempDir(), c.chosen, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.chosen, err)
		}
	}
}

// An argument without meaning is an error, and is not ignored.
func TestOptions(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", ""},
		{"-o out -only linux/amd64,linux/arm -extension=false", ""},
		{"-program bnfcheck", ""},
		{"linux/amd64", `unexpected argument "linux/amd64"; platforms stand after -only`},
		{"-only linux/amd64 linux/arm", `unexpected argument "linux/arm"`},
		{"-program bnfcheck -o out", "-program builds the program alone"},
		{"-output out", "flag provided but not defined: -output"},
	} {
		var said bytes.Buffer
		_, err := optionsOf(strings.Fields(c.args), &said)
		if (err == nil) != (c.want == "") || !strings.Contains(said.String(), c.want) {
			t.Errorf("%s: %v, and it said %q", c.args, err, &said)
		}
	}
	o, err := optionsOf([]string{"-o", "out", "-only", "linux/amd64,linux/arm", "-extension=false"}, io.Discard)
	if want := (options{"out", []string{"linux/amd64", "linux/arm"}, "", false}); err != nil || !reflect.DeepEqual(o, want) {
		t.Errorf("%+v, %v", o, err)
	}
}

// Neither the environment of a builder nor what "go env -w" has written changes what is compiled.
func TestEnvironment(t *testing.T) {
	mine := []string{
		"GOFLAGS=-race", "GOWORK=/none", "GOFIPS140=latest", "GOEXPERIMENT=boringcrypto",
		"GOAMD64=v3", "GO386=softfloat", "GOARM=5", "GOARM64=v9.0",
	}
	file := filepath.Join(t.TempDir(), "env")
	must.Do(t, os.WriteFile(file, []byte(strings.Join(mine, "\n")+"\n"), 0o666))
	for _, set := range [][]string{mine, {"GOENV=" + file}} {
		t.Run(set[0], func(t *testing.T) {
			for _, s := range set {
				name, value, _ := strings.Cut(s, "=")
				t.Setenv(name, value)
			}
			for _, s := range settings {
				name, want, _ := strings.Cut(s, "=")
				cmd := exec.Command("go", "env", name)
				cmd.Env = environment("linux", "amd64")
				if got := strings.TrimSpace(string(must.Of(cmd.Output())(t))); got != want {
					t.Errorf("%s is %q, not %q", name, got, want)
				}
			}
		})
	}
}

// The version and the time are read from the output of --version.
func TestDescribe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for _, c := range []struct{ says, version, fault string }{
		{"bnfcheck v1.2.3, 2026-11-21T20:43:58Z (go1.26.8)", "1.2.3", ""},
		{"bnfcheck devel (go1.26.8)", "", "has no time of a commit"},
		{"bnfcheck v1, yesterday (go1.26.8)", "", "yesterday"},
	} {
		program := filepath.Join(t.TempDir(), "program")
		must.Do(t, os.WriteFile(program, []byte("#!/bin/sh\necho '"+c.says+"'\n"), 0o777))
		version, when, err := versionOf(program)
		switch {
		case c.fault == "" && (err != nil || version != c.version || when.Unix() != 1795293838):
			t.Errorf("%s: %s, %v, %v", c.says, version, when, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %v", c.says, err)
		}
	}
}
