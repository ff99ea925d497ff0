// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bnfcheck/bnfcheck/internal/faults"
)

// Write writes what write writes to the named file by way of another one beside it, which then takes its place, so that no
// reader finds half of it, not even after a power cut. A link is followed, also where it leads to nothing yet. A file that is
// not regular, such as a device, is written to directly. Once ctx has ended, writing fails and the file stays as it was.
func Write(ctx context.Context, name string, write func(io.Writer) error) (err error) {
	name, info, err := target(name)
	if err != nil {
		return err
	}
	device := info != nil && !info.Mode().IsRegular()
	flags, file := os.O_EXCL, fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	if device {
		flags, file = os.O_TRUNC, name
	}
	if err := faults.Injected("open"); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|flags, 0o666)
	if err != nil {
		return err
	}
	if !device {
		defer func() {
			if err != nil {
				os.Remove(file)
			}
		}()
	}
	err = fill(ctx, f, info, device, write)
	closing := faults.Injected("close")
	if closed := f.Close(); closing == nil {
		closing = closed
	}
	if err == nil {
		err = closing
	}
	if err != nil || device {
		return err
	}
	if err := faults.Injected("rename"); err != nil {
		return err
	}
	return os.Rename(file, name)
}

// target follows links and returns the file to write and what is known of it, nil where it does not exist. A link to what is
// not regular is not followed: what /dev/stdout leads to may have no name.
func target(name string) (string, fs.FileInfo, error) {
	if err := faults.Injected("stat"); err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return name, info, nil
	}
	for range 40 { // as many links as Linux follows
		if err := faults.Injected("lstat"); err != nil {
			return "", nil, err
		}
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil, nil
		case err != nil:
			return "", nil, err
		case info.Mode()&fs.ModeSymlink == 0:
			return name, info, nil
		}
		if err := faults.Injected("readlink"); err != nil {
			return "", nil, err
		}
		next, err := os.Readlink(name)
		if err != nil {
			return "", nil, err
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(name), next)
		}
		name = next
	}
	return "", nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("too many links")}
}

// fill writes the text into f, with the permissions of the file that it takes the place of, and waits until it is on the disk.
func fill(ctx context.Context, f *os.File, old fs.FileInfo, device bool, write func(io.Writer) error) error {
	if old != nil && !device {
		if err := faults.Injected("chmod"); err != nil {
			return err
		}
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := write(&interruptible{ctx, f}); err != nil || device {
		return err
	}
	if err := faults.Injected("sync"); err != nil {
		return err
	}
	return f.Sync()
}

// An interruptible is a writer that fails once its context has ended.
type interruptible struct {
	ctx context.Context
	w   io.Writer
}

func (i *interruptible) Write(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	if err := faults.Injected("write"); err != nil {
		return 0, err
	}
	return i.w.Write(p)
}
