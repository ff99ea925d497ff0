package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeWhole writes a file by way of another one beside it, which then takes its place, so that nobody ever finds half
// of it. What is no regular file, a device say, is written to as it is.
func writeWhole(name string, text []byte) error {
	return streamWhole(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// streamWhole does the same for what is too large to be made in memory. A signal that would end the program ends the
// writing, and nothing is left of it.
func streamWhole(name string, write func(io.Writer) error) (err error) {
	ctx, stop := untilStopped()
	defer stop()
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = &inputError{errors.New("interrupted")}
		}
	}()
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
	if info != nil && !device { // who may read it is as it was
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

// interruptible is a writer that fails once its context has ended.
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
