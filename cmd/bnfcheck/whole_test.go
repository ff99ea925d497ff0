package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// A file is written whole, whatever stood there, and nothing else is left in its folder.
func TestWriteWhole(t *testing.T) {
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
		names = append(names, "link")
	}
	for _, name := range names {
		err := writeWhole(in(name), []byte(name))
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
	if text, err := os.ReadFile(in("old")); len(names) == 4 && (err != nil || string(text) != "link") {
		t.Errorf("the link was replaced, and not what it leads to: %v, %q", err, text)
	}
	list, err := os.ReadDir(dir)
	must(err)
	if len(list) != len(names) {
		t.Errorf("left in the folder: %v", list)
	}
	if err := writeWhole(in("nowhere/new"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
}

// A device stays one, and a full disk is said.
func TestWriteWholeToADevice(t *testing.T) {
	for name, want := range map[string]error{"/dev/full": syscall.ENOSPC, "/dev/null": nil} {
		info, err := os.Stat(name)
		if err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Skip("no " + name)
		}
		if err := writeWhole(name, []byte("x")); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeDevice == 0 {
			t.Fatalf("%s is a device no more: %v", name, err)
		}
	}
}
