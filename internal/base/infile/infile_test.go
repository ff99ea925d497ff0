package infile_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// One row a text or a format: how the error begins, "" for text.
func TestText(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must.Of(w.Write([]byte("a")))(t)
	must.Do(t, w.Close())
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"http://a/\n", ""},
		{"\xEF\xBB\xBFhttp://a/\n", ""},
		{"BZh is the beginning of a text", ""},
		{"PK", ""},
		{"\x00\x00\x00\x00\x00\x00", ""},
		{"a\x00", ""},
		{"a\x00b", ""},
		{"a\x00b\x00\xff\x00", ""},
		{packed.String(), "compressed by gzip, and no text"},
		{"\xfd7zXZ\x00\x00\x04", "compressed by xz"},
		{"BZh91AY&SY\x00", "compressed by bzip2"},
		{"PK\x03\x04\x14\x00", "a zip archive"},
		{"\x28\xb5\x2f\xfd\x04", "compressed by zstd"},
		{"%PDF-1.7\n", "a PDF document"},
		{tarred(t, tar.FormatUSTAR), "a tar archive"},
		{tarred(t, tar.FormatPAX), "a tar archive"},
		{tarred(t, tar.FormatGNU), "a tar archive"},
		{strings.Repeat("a", 257) + "ustar is the name of a format", ""},
		{"!<arch>\ndebian-binary   1342943816  0     0     100644  4         `\n2.0\n", "an archive of ar"},
		{"!<arch> is the beginning of a text", ""},
		{"\x7fELF\x02\x01\x01\x00", "a program"},
		{"\x89PNG\r\n\x1a\n\x00", "an image"},
		{"\xff\xd8\xff\xe0", "an image"},
		{"\xff\xfea\x00", "text in UTF-16"},
		{"\xfe\xff\x00a", "text in UTF-16"},
		{"\xff\xfe\x00\x00a\x00\x00\x00", "text in UTF-32"},
		{"h\x00t\x00t\x00p\x00", "text in UTF-16"},
		{"\x00h\x00t\x00t\x00p", "text in UTF-16"},
		{"h\x00\x00\x00t\x00\x00\x00", "text in UTF-32"},
		{"\x00\x00\x00h\x00\x00\x00t", "text in UTF-32"},
	} {
		got, err := io.ReadAll(infile.Text(strings.NewReader(c.text)))
		switch {
		case c.want == "" && (err != nil || string(got) != c.text):
			t.Errorf("%q: %q, %v", c.text, got, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want) || len(got) > 0):
			t.Errorf("%q: %q, %v; want %s", c.text, got, err, c.want)
		}
	}
}

// tarred returns an archive with one file.
func tarred(t *testing.T, format tar.Format) string {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	header := &tar.Header{Name: "urls.txt", Size: 10, Format: format}
	if format == tar.FormatPAX {
		header.PAXRecords = map[string]string{"BNFCHECK.comment": "one"}
	}
	must.Do(t, w.WriteHeader(header))
	must.Of(w.Write([]byte("http://a/\n")))(t)
	must.Do(t, w.Close())
	return out.String()
}

// Devices are refused, except those that end: the empty one is an empty list.
func TestDevices(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	for name, want := range map[string]bool{"/dev/urandom": false, "/dev/zero": false, "/dev/full": false, os.DevNull: true} {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		names := []string{name}
		if os.Symlink(name, link) == nil {
			names = append(names, link)
		}
		for _, name := range names {
			f, err := infile.Open(name)
			if err == nil {
				f.Close()
			}
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "a device, and no file") {
				t.Errorf("%s: %v", name, err)
			}
		}
		os.Remove(link)
	}
}

// Where folders are named, only files in them are opened, wherever links lead, and none that git keeps. What a root
// opens is no exception.
func TestWithin(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no links")
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"a/file", "a/below/file", "a/.git/config", "a/b/.GIT/config", "ab/file", "c/file", "out"} {
		must.Do(t, os.MkdirAll(filepath.Dir(in(name)), 0o777))
		must.Do(t, os.WriteFile(in(name), []byte("text"), 0o666))
	}
	for name, to := range map[string]string{"a/in": "below/file", "a/up": "../out", "a/folder": "..", "to": "a", "c/a": "../a/file"} {
		must.Do(t, os.Symlink(to, in(name)))
	}
	t.Setenv(infile.WithinVariable, in("to")+string(filepath.ListSeparator)+in("none"))
	for name, want := range map[string]bool{
		"a/file": true, "a/below/file": true, "a/in": true, "to/file": true, "c/a": true, "a/../a/file": true,
		"a/.git/config": false, "a/b/.GIT/config": false, "ab/file": false, "c/file": false, "out": false,
		"a/up": false, "a/folder/out": false, "a/folder/a/file": true, "a/../out": false,
	} {
		f, err := infile.Open(in(name))
		if err == nil {
			f.Close()
		}
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), infile.WithinVariable) {
			t.Errorf("%s: %v, want it opened: %t", name, err, want)
		}
	}
	root := must.Of(os.OpenRoot(dir))(t)
	defer root.Close()
	for name, want := range map[string]bool{"a/file": true, "c/a": true, "a/.git/config": false, "out": false} {
		f, err := infile.OpenInRoot(root, filepath.FromSlash(name))
		if err == nil {
			f.Close()
		}
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), infile.WithinVariable) {
			t.Errorf("%s in a root: %v, want it opened: %t", name, err, want)
		}
	}
	if _, err := infile.OpenInRoot(root, "a"); err == nil {
		t.Error("a folder is opened as a file")
	}
	if _, err := infile.Open(in("a/none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if pipe, w, err := os.Pipe(); err == nil {
		defer pipe.Close()
		defer w.Close()
		if _, err := infile.Open(fmt.Sprintf("/dev/fd/%d", pipe.Fd())); err == nil {
			t.Error("an open file without a name is opened")
		}
	}
	// What is checked is what is opened: the name without "..", not where the link before it leads.
	must.Do(t, os.MkdirAll(in("a/.git/hooks"), 0o777))
	must.Do(t, os.Symlink(".git/hooks", in("a/hooks")))
	if f, err := infile.OpenInRoot(root, filepath.FromSlash("a/hooks/../config")); err == nil {
		f.Close()
		t.Error("a link and .. lead into .git")
	}
	if _, err := infile.Open(in("a") + filepath.FromSlash("/hooks/../config")); err == nil {
		t.Error("a link and .. lead into .git, without a root")
	}
	t.Setenv(infile.WithinVariable, "")
	if _, err := infile.ReadFile(in("out"), 9); err != nil {
		t.Errorf("without folders: %v", err)
	}
}

// Where the working directory is reached by a link, relative names and folders mean what they mean to the system. An
// empty entry of the list is no folder.
func TestWithinWorkingDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no links")
	}
	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "far", "inner"), 0o777))
	must.Do(t, os.Symlink(filepath.Join("far", "inner"), filepath.Join(dir, "link")))
	for _, name := range []string{"far/inner/own", "far/near", "near"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(name), 0o666))
	}
	t.Chdir(filepath.Join(dir, "link")) // sets PWD to the name with the link
	list := string(filepath.ListSeparator)
	for _, c := range []struct {
		within, name string
		want         bool
	}{
		{".", "own", true},
		{".", "../near", false},
		{"..", "../near", true}, // far/near, since .. of the working directory is far
		{filepath.Join(dir, "far"), "../near", true},
		{filepath.Join(dir, "link", "own"), "own", true},
		{"none", "own", false},
		{list, "own", false},
		{list + "none", "own", false},
		{"none" + list + ".", "own", true},
	} {
		t.Setenv(infile.WithinVariable, c.within)
		text, err := infile.ReadFile(filepath.FromSlash(c.name), 99)
		if (err == nil) != c.want || err == nil && c.name == "../near" && string(text) != "far/near" {
			t.Errorf("%s within %s: %q, %v; want it read: %t", c.name, c.within, text, err, c.want)
		}
	}
}

// A file of git is one by its name or by where links lead.
func TestIsInGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no links")
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"real/config", "worktree/.git/config", "plain"} {
		must.Do(t, os.MkdirAll(filepath.Dir(in(name)), 0o777))
		must.Do(t, os.WriteFile(in(name), []byte("text"), 0o666))
	}
	must.Do(t, os.Symlink("real", in(".git"))) // as where git's folder is kept elsewhere
	must.Do(t, os.Symlink("worktree/.git/config", in("innocent")))
	for name, want := range map[string]bool{
		"plain": false, "real/config": false, "none": false, ".git/config": true, ".GIT/none": true,
		"worktree/.git/config": true, "innocent": true,
	} {
		if got := infile.IsInGit(in(name)); got != want {
			t.Errorf("%s is in .git: %t", name, got)
		}
	}
}

// A loop of links, a named pipe and names with line ends are refused by their names, and opening never waits.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.WriteFile(in("file"), []byte("text"), 0o666))
	if runtime.GOOS == "windows" {
		t.Skip("no links and no named pipes")
	}
	must.Do(t, os.Symlink("loop", in("loop")))
	must.Do(t, os.Symlink("there", in("back")))
	must.Do(t, os.Symlink("back", in("there")))
	must.Do(t, os.Symlink("file", in("link")))
	makePipe(t, in("pipe"))
	must.Do(t, os.WriteFile(in("a\nb"), []byte("text"), 0o666))
	for name, want := range map[string]string{
		"file": "", "link": "", "loop": "a loop of symbolic links", "back": "a loop of symbolic links", "pipe": "a named pipe", "none": "no such file",
		"a\nb": `a\nb: the name has a line end`, "a\u2028b": `a\u2028b: the name has a line end`, "a\rb": `a\rb: the name`,
	} {
		f, err := infile.Open(in(name))
		if err == nil {
			f.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
		if want := name == "loop" || name == "back" || name == "pipe"; infile.IsPipeOrLoop(in(name)) != want {
			t.Errorf("%s is a pipe or a loop: %t", name, !want)
		}
	}
	if _, err := infile.ReadFile(in("file"), 3); err == nil || !strings.Contains(err.Error(), "more than 3 bytes") {
		t.Errorf("a file of 4 bytes: %v", err)
	}
	if text, err := infile.ReadFile(in("file"), 4); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := infile.ReadFile("/dev/zero", 1<<10); err == nil {
			t.Error("a device without an end was read")
		}
	}
}
