package infile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WithinVariable names the environment variable that confines what is read. It lists folders, separated as those of
// PATH. If it is set, the functions of this package open no file that is, through links, outside of these folders, or in
// a folder .git below them. It is for those who check documents that others have written: a document, a link or the
// record of a package may name any file, and errors show lines of files.
const WithinVariable = "BNFCHECK_WITHIN"

var errNotWithin = errors.New("it is outside of the folders that " + WithinVariable + " allows")

var errNotRegular = errors.New("it is no regular file")

// Confined reports whether [WithinVariable] is set.
func Confined() bool { return os.Getenv(WithinVariable) != "" }

// CheckWithin fails if [WithinVariable] forbids to read a file. For a name that leads to no file it returns nil, so that
// opening it words the error.
func CheckWithin(name string) error {
	if !Confined() {
		return nil
	}
	to, err := realPath(name)
	if err != nil {
		// Such as /dev/fd/3, whose link is not the name of a file although there is one to open.
		if _, err := os.Stat(name); err != nil {
			return nil
		}
		return errNotWithin
	}
	allows := func(folder string) bool {
		root, err := realPath(folder)
		if err != nil {
			return false
		}
		below, err := filepath.Rel(root, to)
		return err == nil && filepath.IsLocal(below) && !hasGit(below)
	}
	if !slices.ContainsFunc(filepath.SplitList(os.Getenv(WithinVariable)), allows) {
		return errNotWithin
	}
	return nil
}

// OpenInRoot opens a regular file below root, and follows no link out of it. It fails for what [CheckWithin] forbids, and
// for a file that is not regular: opening a pipe would wait. The errors of the system are [*fs.PathError]s, and its own
// are not.
func OpenInRoot(root *os.Root, name string) (*os.File, error) {
	if err := CheckWithin(filepath.Join(root.Name(), name)); err != nil {
		return nil, err
	}
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return root.Open(name)
}

// realPath resolves all links in a name, and makes it absolute.
func realPath(name string) (string, error) {
	to, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(to)
}

// hasGit reports whether a folder of a path is one that git keeps for itself: its configuration may hold a token.
func hasGit(path string) bool {
	inGit := func(folder string) bool { return strings.EqualFold(folder, ".git") } // some file systems ignore case
	return slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), inGit)
}

// IsInGit reports whether a file lies in a folder .git, or is a link to one there. A document must not name such a file,
// with or without [WithinVariable].
func IsInGit(file string) bool {
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	return hasGit(file)
}
