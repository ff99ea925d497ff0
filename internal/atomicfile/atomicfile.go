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
)

// Write writes what write writes to the named file by way of another one beside it, which then takes its place, so that no
// reader finds half of it, not even after a power cut. A link is followed, also where it leads to nothing yet. A file that is
// not regular, such as a device, is written to directly. Once ctx has ended, writing fails and the file stays as it was.
func Write(ctx context.Context, name string, write func(io.Writer) error) error {
	return system{Fail}.write(ctx, name, write)
}

// Fail is nil but in tests of programs: it is called before each operation on a file, which fails with its error.
var Fail func(operation string) error

// A system is the operating system's files. Before each operation it calls fail, if that is not nil, and returns its error
// instead of carrying the operation out; tests make operations fail so.
type system struct {
	fail func(operation string) error
}

func (s system) failing(operation string) error {
	if s.fail == nil {
		return nil
	}
	return s.fail(operation)
}

func (s system) write(ctx context.Context, name string, write func(io.Writer) error) (err error) {
	name, info, err := s.target(name)
	if err != nil {
		return err
	}
	device := info != nil && !info.Mode().IsRegular()
	flags, file := os.O_EXCL, fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	if device {
		flags, file = os.O_TRUNC, name
	}
	if err := s.failing("open"); err != nil {
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
	err = s.fill(ctx, f, info, device, write)
	closing := s.failing("close")
	if closed := f.Close(); closing == nil {
		closing = closed
	}
	if err == nil {
		err = closing
	}
	if err != nil || device {
		return err
	}
	if err := s.failing("rename"); err != nil {
		return err
	}
	return os.Rename(file, name)
}

// target follows links and returns the file to write and what is known of it, nil where it does not exist. A link to what is
// not regular is not followed: what /dev/stdout leads to may have no name.
func (s system) target(name string) (string, fs.FileInfo, error) {
	if err := s.failing("stat"); err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return name, info, nil
	}
	for range 40 { // as many links as Linux follows
		if err := s.failing("lstat"); err != nil {
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
		if err := s.failing("readlink"); err != nil {
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
func (s system) fill(ctx context.Context, f *os.File, old fs.FileInfo, device bool, write func(io.Writer) error) error {
	if old != nil && !device {
		if err := s.failing("chmod"); err != nil {
			return err
		}
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := write(&interruptible{ctx, s, f}); err != nil || device {
		return err
	}
	if err := s.failing("sync"); err != nil {
		return err
	}
	return f.Sync()
}

// An interruptible is a writer that fails once its context has ended.
type interruptible struct {
	ctx context.Context
	s   system
	w   io.Writer
}

func (i *interruptible) Write(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	if err := i.s.failing("write"); err != nil {
		return 0, err
	}
	return i.w.Write(p)
}
