// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write writes what write writes to the named file by way of another one beside it, which then takes its place, so that no
// reader finds half of it. A file that is not regular, such as a device, is written to directly. Once ctx has ended, writing
// fails and the file stays as it was.
func Write(ctx context.Context, name string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	flags, file := os.O_EXCL, fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	info, err := os.Stat(name)
	device := err == nil && !info.Mode().IsRegular()
	if device {
		flags, file = os.O_TRUNC, name
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|flags, 0o666)
	if err != nil {
		return err
	}
	if info != nil && !device { // keep the permissions
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = write(&interruptible{ctx, f})
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if device {
		return err
	}
	if err == nil {
		err = os.Rename(file, name)
	}
	if err != nil {
		os.Remove(file)
	}
	return err
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
	return i.w.Write(p)
}
