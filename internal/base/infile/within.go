package infile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WithinVariable names the environment variable that confines what is read: folders, separated as those of PATH. If it
// is set, [Open] and [ReadFile] read no file that is, through links, outside of these folders, or in a folder .git
// below them. Who checks a document that others have written sets it, because a document, a link or the record of a
// package may name any file, and errors show lines of files.
const WithinVariable = "BNFCHECK_WITHIN"

var errNotWithin = errors.New("it is outside of the folders that " + WithinVariable + " allows")

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

// realPath returns the absolute name, without links, of what a name leads to.
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

// IsInGit reports whether a file lies in a folder .git, or is a link to one there.
func IsInGit(file string) bool {
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	return hasGit(file)
}
