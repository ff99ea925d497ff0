package infile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WithinVariable names the environment variable that confines what is read. It lists folders, separated like those in
// PATH. If it is set and not empty, the functions of this package open no file that, once links are resolved, lies
// outside these folders, or in a folder .git below them. It is for those who check documents that others have written:
// a document, a link or the record that a generated package keeps of its grammar may name any file, and error messages
// quote lines of the files that are read. A file that is replaced between the check and its opening is not noticed.
const WithinVariable = "BNFCHECK_WITHIN"

var errNotWithin = errors.New("reading it is not allowed by " + WithinVariable)

var errNotRegular = errors.New("it is no regular file")

// Confined reports whether [WithinVariable] is set and not empty.
func Confined() bool { return os.Getenv(WithinVariable) != "" }

// CheckWithin fails if [WithinVariable] forbids reading the file. For a name that leads to no file it returns nil: to
// open it then gives the better error. A folder in the list that is not there allows nothing.
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
		if err != nil || folder == "" { // an empty entry, as in "/a:", is not the working directory
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

// OpenInRoot opens a regular file below root, and follows no link out of it. It fails for what [CheckWithin] forbids,
// and for a file that is not regular: opening a pipe would wait. Errors of the operating system are [*fs.PathError]s;
// these two are not. A ".." in name goes back by one element of the name, also where that is a link.
func OpenInRoot(root *os.Root, name string) (*os.File, error) {
	name = filepath.Clean(name) // the name that is checked is the one that is opened
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

// realPath resolves all links in a name, and makes it absolute. The working directory may be known by a name with links
// ($PWD), so the name is made absolute first, and without [filepath.Abs], which would take "link/.." for nothing.
func realPath(name string) (string, error) {
	if !filepath.IsAbs(name) {
		folder, err := os.Getwd()
		if err != nil {
			return "", err
		}
		name = folder + string(filepath.Separator) + name
	}
	return filepath.EvalSymlinks(name)
}

// hasGit reports whether an element of a path is named .git, in any case, since some file systems ignore it. What git
// keeps there may hold a token.
func hasGit(path string) bool {
	isGit := func(element string) bool { return strings.EqualFold(element, ".git") }
	return slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), isGit)
}

// IsInGit reports whether a file lies in a folder .git, by its name or by where links lead. A document must not name
// such a file, with or without [WithinVariable]: who opens a file for a document asks this first.
func IsInGit(file string) bool {
	to, err := filepath.EvalSymlinks(file)
	return hasGit(file) || err == nil && hasGit(to)
}
