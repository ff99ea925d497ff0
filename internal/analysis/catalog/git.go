package catalog

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
)

// readAtRevision returns the text that a file has in a revision of git. A text of more than size bytes is cut off
// after size+1, without an error. It fails for a folder that [infile.CheckWithin] forbids. Every error is an
// [*fs.PathError].
func readAtRevision(revision, file string, size int) ([]byte, error) {
	failed := func(err error) ([]byte, error) {
		return nil, &fs.PathError{Op: "git show", Path: revision + ":" + file, Err: err}
	}
	if err := infile.CheckWithin(filepath.Dir(file)); err != nil {
		return failed(err)
	}
	c := exec.Command("git", "-C", filepath.Dir(file), "show", "--end-of-options", revision+":./"+filepath.Base(file))
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		return failed(err)
	}
	if err := c.Start(); err != nil {
		return failed(err)
	}
	text, err := io.ReadAll(io.LimitReader(out, int64(size)+1))
	if len(text) > size { // too large, as the caller finds out
		_ = c.Process.Kill()
		_ = c.Wait()
		return text, nil
	}
	if wait := c.Wait(); err == nil {
		err = wait
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); err != nil && line != "" {
		err = errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	if err != nil {
		return failed(err)
	}
	return text, nil
}
