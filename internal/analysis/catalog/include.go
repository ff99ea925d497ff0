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
// The function reads regular files in the document's folder and below it, or those of o.Revision, if that is set. It
// follows no link out of the folder. It fails with ErrInGit for a file that git keeps for itself, and for a file that
// is larger than a document may be; one of a revision is cut off one byte past that instead, which the caller reports.
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
			if err := checkFolder(folder, filepath.Dir(name)); err != nil {
				return nil, err
			}
			return readAtRevision(o.Revision, filepath.Join(folder, name), most)
		}
		text, err := readWithin(folder, name, most)
		return text, includeError(err)
	}
}

// includeError words an error about a file in a document's folder, if it is an [*fs.PathError], without the path.
func includeError(err error) error {
	if _, inFile := errors.AsType[*fs.PathError](err); !inFile {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such file")
	}
	return fmt.Errorf("it cannot be opened in the document's folder: %w", errors.Unwrap(err))
}

// checkFolder fails if a folder below a document's leads out of that through links. Git reads files of a revision in
// their own folder, which may be in another repository.
func checkFolder(folder, below string) error {
	root, err := os.OpenRoot(folder)
	if err == nil {
		defer root.Close()
		_, err = root.Stat(below)
	}
	return includeError(err)
}

// readWithin reads a file in a folder, as [infile.OpenInRoot] opens it. It fails with a [*bnf.SizeError] if the file
// has more than most bytes; text is then cut off.
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
