package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// errOutside reports that a document includes a file outside its folder.
var errOutside = errors.New("it is outside of the document's folder")

// ErrInGit reports that a document names a file that belongs to git (see [infile.IsInGit]). The configuration there may
// hold a token, and errors show lines.
var ErrInGit = errors.New("it belongs to git")

// includer returns the function that reads the files that the document in a file includes, or nil for standard input.
// The function reads regular files in the document's folder and below it, and follows no link out of it; or the files
// of o.Revision, if that is set. It fails with ErrInGit for a file that git keeps for itself, and for a file that is
// larger than a document may be; one of a revision is cut off one byte past that instead, which the caller reports.
func includer(file string, o Options) func(name string) ([]byte, error) {
	if file == "-" {
		return nil
	}
	folder := filepath.Dir(file)
	most := max(o.Notation.MaxSize, bnf.DefaultMaxSize)
	return func(name string) ([]byte, error) {
		name = filepath.FromSlash(name)
		if !filepath.IsLocal(name) {
			return nil, errOutside
		}
		if infile.IsInGit(filepath.Join(folder, name)) {
			return nil, ErrInGit
		}
		if o.Revision != "" {
			return readAtRevision(o.Revision, filepath.Join(folder, name), most)
		}
		text, err := readWithin(folder, name, most)
		if _, inFile := errors.AsType[*fs.PathError](err); inFile {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, errors.New("there is no such file")
			}
			err = fmt.Errorf("it cannot be opened in the document's folder: %w", errors.Unwrap(err))
		}
		return text, err
	}
}

// readWithin reads a file in a folder, as [infile.OpenInRoot] opens it. It fails with a [*bnf.SizeError] if the file has
// more than most bytes; text is then cut off.
func readWithin(folder, name string, most int) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := infile.OpenInRoot(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(text) > most {
		err = &bnf.SizeError{File: name, Max: most, Unit: "bytes"}
	}
	return text, err
}
