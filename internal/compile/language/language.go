// Package language has a row for each language in which a package of a grammar can be written. A new
// language is a package beside jspackage, which writes what [gopackage.MakeParts] makes, a runtime that walks
// its tables, and a row. TestRows fails for a row that is not complete.
package language

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/jspackage"
)

// A Language is a language in which packages are written.
type Language struct {
	Name  string // the value of --language
	Title string // in sentences

	// NameOf derives the name of a package from the path of its folder. It may be none that Make accepts.
	NameOf func(folder string) string

	// Make returns the files of a package: see [gopackage.Make].
	Make func(src gopackage.Source) ([]gopackage.File, error)

	// Begin returns the files with which a package begins in a folder, and the commands to run there next: see
	// [gopackage.Begin].
	Begin func(folder string, b gopackage.Beginning) (files []gopackage.File, steps []string, err error)

	// Files returns the names of all files that Make can return for a package of this name. They lie in the folder
	// itself: there are no folders below it.
	Files func(name string) []string

	// Recorded returns the name of the file that has the record of a package of this name.
	Recorded func(name string) string

	// Kept are the files that are the user's once they are there: they are neither replaced nor removed
	// nor compared.
	Kept []string

	// Upgrade returns a clause on the format of a package and what to do about it: see
	// [gopackage.Record.Upgrade].
	Upgrade func(r gopackage.Record) string

	// Again says how a package is made again, as a clause.
	Again func(r gopackage.Record) string

	// Run runs the test of a package in a folder, where what runs it is installed. It returns a clause to
	// be appended to "current". It is nil where the tests of the language run packages by other means.
	Run func(folder, name string) (said string, err error)
}

// Languages lists the languages. The first is the one that is written if none is asked for.
var Languages = []Language{
	{
		Name:     "go",
		Title:    "Go",
		NameOf:   gopackage.NameOf,
		Make:     gopackage.Make,
		Begin:    gopackage.Begin,
		Files:    func(string) []string { return gopackage.Files },
		Recorded: func(string) string { return "grammar.go" },
		Upgrade:  gopackage.Record.Upgrade,
		Again:    func(gopackage.Record) string { return "run go generate" },
	},
	{
		Name:     jspackage.Language,
		Title:    "JavaScript",
		NameOf:   jspackage.NameOf,
		Make:     jspackage.Make,
		Begin:    jspackage.Begin,
		Files:    jspackage.Files,
		Recorded: jspackage.ModuleName,
		Kept:     []string{jspackage.PackageJSON},
		Upgrade:  jspackage.Upgrade,
		Again:    jspackage.Again,
		Run:      jspackage.RunTest,
	},
}

// Lookup returns the language with a name; "" stands for the first.
func Lookup(name string) (Language, error) {
	if name == "" {
		return Languages[0], nil
	}
	for _, l := range Languages {
		if l.Name == name {
			return l, nil
		}
	}
	return Language{}, fmt.Errorf("%q is no language; take %s", name, strings.Join(Names(), " or "))
}

// Titles lists the titles of the languages.
func Titles() (titles []string) {
	for _, l := range Languages {
		titles = append(titles, l.Title)
	}
	return titles
}

// Names lists the names of the languages.
func Names() (names []string) {
	for _, l := range Languages {
		names = append(names, l.Name)
	}
	return names
}

// IsKept reports whether a file is the user's once it is there.
func (l Language) IsKept(name string) bool { return slices.Contains(l.Kept, name) }

// Save writes the files of a package of this name into a folder, and returns how many it has changed: see
// [gopackage.SaveNamed]. A file that is kept and is there stays as it is, whatever it begins with.
func (l Language) Save(ctx context.Context, folder, name string, files []gopackage.File) (changed int, err error) {
	stays := func(file string) bool {
		_, err := os.Lstat(filepath.Join(folder, file))
		return err == nil && l.IsKept(file)
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f gopackage.File) bool { return stays(f.Name) })
	return gopackage.SaveNamed(ctx, folder, files, slices.DeleteFunc(slices.Clone(l.Files(name)), stays))
}

// IsGo reports whether the language is Go.
func (l Language) IsGo() bool { return l.Name == Languages[0].Name }

// Records reports whether a text has the record of a package in this language.
func (l Language) Records(text []byte) bool {
	r, _ := gopackage.ReadRecord(text) // a record that cannot be read is one of the first language
	return cmp.Or(r.Language, Languages[0].Name) == l.Name
}
