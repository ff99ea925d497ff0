// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bnfcheck/bnfcheck/internal/base/faults"
)

// Write calls write to write the content of the named file. The content goes to another file in the same
// folder, which then takes the place of the named one, so that no reader finds half of it, not even after a
// power cut. A link is followed, even if it leads to nothing yet. A file that is not regular, such as a
// device, is written to directly. Once ctx has ended, writing fails. If anything fails, a regular file stays
// as it was.
func Write(ctx context.Context, name string, write func(io.Writer) error) error {
	name, info, err := followLinks(name)
	if err != nil {
		return err
	}
	if info != nil && !info.Mode().IsRegular() {
		f, err := openForWriting(name, os.O_TRUNC)
		if err != nil {
			return err
		}
		return closeWith(f, write(&interruptible{ctx, f}))
	}
	s, err := Stage(ctx, name, write)
	if err != nil {
		return err
	}
	defer s.Discard()
	return s.Commit()
}

// Text returns a function that writes text.
func Text(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// A Staged is a file with all of its content under a temporary name. It is locked as long as it has that
// name.
type Staged struct {
	name, temporary string
	unlock          func()
}

// Stage calls write to write the content of a new file in the folder of the named one, with the permissions
// of that one, and waits until it is on the disk. If it fails, or write panics, nothing is left. The caller
// must discard the file, whether it is committed or not.
//
// Stage also removes such files that killed processes have left in the folder: a living process keeps its own
// locked.
func Stage(ctx context.Context, name string, write func(io.Writer) error) (*Staged, error) {
	sweep(filepath.Dir(name), filePrefix, fileSuffix, 0)
	s := &Staged{name: name, unlock: func() {}}
	var f *os.File
	var err error
	for f == nil {
		s.temporary = filepath.Join(filepath.Dir(name), newName(filePrefix, fileSuffix))
		note(s.temporary)
		if f, err = openForWriting(s.temporary, os.O_EXCL); err != nil {
			forget(s.temporary)
			return nil, err
		}
		unlock, ok := lock(s.temporary)
		if !ok { // it was swept before it was locked
			forget(s.temporary)
			f.Close()
			f = nil
			continue
		}
		s.unlock = unlock
	}
	whole := false
	defer func() { // even if write panics, as it does at a passed limit
		if !whole {
			f.Close()
			s.Discard()
		}
	}()
	if err := closeWith(f, fillFile(ctx, f, name, write)); err != nil {
		return nil, err
	}
	whole = true
	return s, nil
}

// Commit renames the file to its own name, and so replaces the old one. If it fails, the file keeps its
// temporary name.
func (s *Staged) Commit() error {
	if err := faults.Injected("rename"); err != nil {
		return err
	}
	err := os.Rename(s.temporary, s.name)
	if err == nil {
		forget(s.temporary)
		s.temporary = ""
	}
	return err
}

// Discard removes the file, unless it was committed, and unlocks it.
func (s *Staged) Discard() {
	if s.temporary != "" {
		drop(s.temporary)
	}
	s.unlock()
}

// openForWriting opens a file for writing, and creates it if need be.
func openForWriting(name string, flags int) (*os.File, error) {
	if err := faults.Injected("open"); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flags, 0o666)
}

// closeWith closes f and returns the first error: err, or that of closing.
func closeWith(f *os.File, err error) error {
	return cmp.Or(err, faults.Injected("close"), f.Close())
}

// followLinks follows links. It returns the name of the file to write, and its info, which is nil if it does
// not exist yet. A link to something that is not a regular file is not followed: the target of /dev/stdout
// may have no name. It fails if something on the way cannot be looked at, or if there are too many links.
func followLinks(name string) (string, fs.FileInfo, error) {
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

// fillFile calls write to write the content of f, gives f the permissions of the named file if there is one,
// and waits until it is on the disk.
func fillFile(ctx context.Context, f *os.File, name string, write func(io.Writer) error) error {
	if old, err := os.Lstat(name); err == nil && old.Mode().IsRegular() {
		if err := faults.Injected("chmod"); err != nil {
			return err
		}
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := write(&interruptible{ctx, f}); err != nil {
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

// Write fails if the context has ended; otherwise it writes.
func (i *interruptible) Write(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	if err := faults.Injected("write"); err != nil {
		return 0, err
	}
	return i.w.Write(p)
}
