package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/faults"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// text returns a function that writes s.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// Write replaces a file and follows a link, keeps the permissions, and leaves no other file behind.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(in("old"), []byte("what was there, and longer than what comes"), 0o600))
	must(os.Mkdir(in("folder"), 0o777))
	names := []string{"folder", "new", "old"}
	if os.Symlink("old", in("link")) == nil {
		must(os.Symlink(in("unborn"), in("dangling")))
		names = append(names, "link", "dangling")
	}
	for _, name := range names {
		err := Write(t.Context(), in(name), text(name))
		if name == "folder" {
			if err == nil {
				t.Error("a folder was written to")
			}
			continue
		}
		text, reading := os.ReadFile(in(name))
		if err != nil || reading != nil || string(text) != name {
			t.Errorf("%s: %v, %v, %q", name, err, reading, text)
		}
	}
	if info, err := os.Stat(in("old")); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("who may read the file was changed: %v, %v", info.Mode(), err)
	}
	if len(names) > 3 {
		for file, want := range map[string]string{"old": "link", "unborn": "dangling"} {
			if text, err := os.ReadFile(in(file)); err != nil || string(text) != want {
				t.Errorf("a link was replaced, and not what it leads to: %v, %q", err, text)
			}
		}
		names = append(names, "unborn")
		must(os.Symlink("circle", in("circle")))
		if err := Write(t.Context(), in("circle"), text("")); err == nil || !strings.Contains(err.Error(), "too many links") {
			t.Errorf("a link to itself: %v", err)
		}
		must(os.Remove(in("circle")))
	}
	list, err := os.ReadDir(dir)
	must(err)
	if len(list) != len(names) {
		t.Errorf("left in the folder: %v", list)
	}
	if err := Write(t.Context(), in("nowhere/new"), text("")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
}

// A file that a killed process has left does not block the next one, which removes it. The file of a living process
// stays, and so does everything that this package has not made.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, file := range []string{".bnfcheck-ABCDEFGHIJ27.tmp", fmt.Sprintf("file.%d.tmp", os.Getpid())} {
		must.Do(t, os.WriteFile(filepath.Join(dir, file), nil, 0o666))
	}
	foreign := []string{".bnfcheck-DEAD.tmp", ".bnfcheck-notes.tmp", ".bnfcheck-abcdefghij27.tmp", ".bnfcheck-ABCDEFGHIJ2.tmp", "bnfcheck-ABCDEFGHIJ27.tmp", ".bnfcheck-ABCDEFGHIJ27"}
	for _, file := range foreign {
		must.Do(t, os.WriteFile(filepath.Join(dir, file), nil, 0o666))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, ".bnfcheck-FOLDERFOLDER.tmp"), 0o777))
	err := Write(t.Context(), name, func(w io.Writer) error {
		return errors.Join(text("outer")(w), Write(t.Context(), name, text("inner")))
	})
	if got, reading := os.ReadFile(name); err != nil || reading != nil || string(got) != "outer" {
		t.Errorf("%q, %v, %v", got, err, reading)
	}
	if _, err := os.Stat(filepath.Join(dir, ".bnfcheck-ABCDEFGHIJ27.tmp")); err == nil && runtime.GOOS != "windows" {
		t.Error("the file of a killed process is left")
	}
	for _, file := range append(foreign, ".bnfcheck-FOLDERFOLDER.tmp") {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Errorf("%s was removed", file)
		}
	}
}

// A temporary folder that a killed process has left is removed by the next; that of a living one stays until it
// removes it.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	dead := filepath.Join(dir, "bnfcheck-ABCDEFGHIJ27.folder")
	must.Do(t, os.MkdirAll(filepath.Join(dead, "in it"), 0o777))
	one, removeOne, err := Folder()
	must.Do(t, err)
	two, removeTwo, err := Folder()
	must.Do(t, err)
	for name, stays := range map[string]bool{one: true, two: true, dead: runtime.GOOS == "windows"} {
		if _, err := os.Stat(name); (err == nil) != stays {
			t.Errorf("%s: %v, and stays: %t", name, err, stays)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(one, "file"), nil, 0o666))
	must.Do(t, removeOne())
	must.Do(t, removeTwo())
	if list := must.Of(os.ReadDir(dir))(t); len(list) != 0 && runtime.GOOS != "windows" {
		t.Errorf("left: %v", list)
	}
}

// Whatever ends the writing, no temporary file is left: an error, a panic, or the end of the process.
func TestEveryWayOut(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"an error": func(io.Writer) error { return errors.New("no") },
		"a panic":  func(io.Writer) error { panic("a limit") },
		"the end of the process": func(io.Writer) error {
			DiscardAll()
			panic("what follows is not waited for")
		},
	} {
		dir := t.TempDir()
		func() {
			defer func() { _ = recover() }()
			_ = Write(t.Context(), filepath.Join(dir, "file"), func(w io.Writer) error { return errors.Join(text("half")(w), write(w)) })
		}()
		if list := must.Of(os.ReadDir(dir))(t); len(list) != 0 {
			t.Errorf("%s leaves %v", name, list)
		}
	}
}

// A device stays a device, and a full disk is an error.
func TestWriteToADevice(t *testing.T) {
	for name, want := range map[string]error{"/dev/full": syscall.ENOSPC, "/dev/null": nil} {
		info, err := os.Stat(name)
		if err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Skip("no " + name)
		}
		if err := Write(t.Context(), name, text("x")); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		link := filepath.Join(t.TempDir(), "link")
		if os.Symlink(name, link) == nil {
			if err := Write(t.Context(), link, text("x")); !errors.Is(err, want) {
				t.Errorf("a link to %s: %v, want %v", name, err, want)
			}
		}
		if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Fatalf("%s is a device no more: %v", name, err)
		}
	}
}

// Once the context has ended, the old file stays and nothing is left beside it.
func TestInterrupted(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(name, []byte("old"), 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	err := Write(ctx, name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		cancel()
		_, err := io.WriteString(w, "rest")
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	if list, err := os.ReadDir(filepath.Dir(name)); err != nil || len(list) != 1 {
		t.Errorf("left in the folder: %v, %v", list, err)
	}
}

// Every operation fails in turn, until the file is written: each time the error is that of the operation, the old file
// is as it was, and no other is left beside it.
func TestEveryOperationFails(t *testing.T) {
	for _, test := range []struct{ name, old, want string }{
		{"a new file", "", "stat lstat open write write sync close rename"},
		{"an old file", "old", "stat lstat open chmod write write sync close rename"},
	} {
		var operations []string
		for n := 0; ; n++ {
			name := filepath.Join(t.TempDir(), "file")
			if test.old != "" {
				must.Do(t, os.WriteFile(name, []byte(test.old), 0o666))
			}
			injected, failed := errors.New("injected"), ""
			count := 0
			end := faults.Inject(func(operation string) error {
				count++
				if count == n+1 {
					failed = operation
					return injected
				}
				return nil
			})
			err := Write(t.Context(), name, func(w io.Writer) error {
				return errors.Join(text("new ")(w), text("text")(w))
			})
			end()
			got, reading := os.ReadFile(name)
			list, listing := os.ReadDir(filepath.Dir(name))
			if listing != nil {
				t.Fatal(listing)
			}
			if failed == "" {
				if err != nil || string(got) != "new text" || len(list) != 1 {
					t.Errorf("%s: %v, %q, %v", test.name, err, got, list)
				}
				break
			}
			operations = append(operations, failed)
			if !errors.Is(err, injected) || string(got) != test.old || (reading == nil) != (test.old != "") || (len(list) == 1) != (test.old != "") {
				t.Errorf("%s: after a failed %s: %v, %q, %v", test.name, failed, err, got, list)
			}
		}
		if got := strings.Join(operations, " "); got != test.want {
			t.Errorf("%s: operations %s, want %s", test.name, got, test.want)
		}
	}
}

// A lock is held by one at a time; whoever waits for it ends with the context, and gets it once it is free.
func TestLock(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("skipped: no locks that end with a process")
	}
	name := filepath.Join(t.TempDir(), "lock")
	unlock := must.Of(Lock(t.Context(), name))(t)
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Lock(short, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("locked twice: %v", err)
	}
	time.AfterFunc(100*time.Millisecond, unlock)
	must.Of(Lock(t.Context(), name))(t)()
	if _, err := Lock(t.Context(), filepath.Join(name, "in a file")); err == nil {
		t.Error("locked what cannot be made")
	}
}
