package catalog

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Imports returns the grammars that a person names for names that a document lacks:
//
//	rfc3986            a grammar that is built in, or another RFC whose names others take, for every name that it has
//	uri.abnf           a file, in the same way
//	grammars           a folder, and all the .abnf, .bnf and .txt files in it
//	host=rfc3986       one of these, for one name only
//	uri-host=uri.abnf#host     the same, for a name that the file has as host
//	uri-host=rfc3986#host      the same in a grammar that is built in
//
// Each file has at most maxSize bytes. It fails if a name means nothing, or if a file cannot be read, also one in a
// folder.
func Imports(args []string, maxSize int) (list []bnf.Import, err error) {
	for _, arg := range args {
		one, err := importOf(arg, maxSize)
		if err != nil {
			return nil, err
		}
		list = append(list, one...)
	}
	return list, nil
}

// importOf reads the argument of a flag --import, in one of the forms that [Imports] has. For a folder it returns an
// import for each file or, with a NAME, for the only file that has that rule; it is an error if none or several have
// it. A folder with one file is like that file, which is not asked whether it has the rule. maxSize bounds each file.
func importOf(arg string, maxSize int) ([]bnf.Import, error) {
	name, from, ok := strings.Cut(arg, "=")
	if !ok {
		name, from = "", arg
	}
	if from == "" || ok && name == "" {
		return nil, fmt.Errorf("invalid argument %q for \"--import\" flag: expected FILE, FOLDER, rfc3986 or "+
			"NAME=FILE#RULE", arg)
	}
	file, rule := Split(from)
	if rule != "" && name == "" {
		return nil, fmt.Errorf("invalid argument %q for \"--import\" flag: for one rule expected NAME=%s, where "+
			"NAME is what the document calls it", arg, from)
	}
	if built := builtName(file); built != "" {
		src, err := bnf.Load(built)
		if err != nil {
			return nil, err
		}
		return []bnf.Import{{Name: name, From: src.Default, Production: rule}}, nil
	}
	if g := bnf.Standard(file); g != nil {
		return []bnf.Import{{Name: name, From: g, Production: rule}}, nil
	}
	files := []string{file}
	if info, err := os.Stat(file); err != nil {
		return nil, err
	} else if info.IsDir() {
		if files, err = grammarsIn(file); err != nil {
			return nil, err
		}
	}
	var list []bnf.Import
	for _, file := range files {
		g, err := readImport(file, maxSize)
		if err != nil {
			return nil, err
		}
		if name != "" && len(files) > 1 { // the only one in the folder that has it
			if _, err := g.Lookup(cmp.Or(rule, name)); err != nil {
				continue
			}
		}
		list = append(list, bnf.Import{Name: name, From: g, Production: rule})
	}
	if len(list) == 0 || name != "" && len(list) > 1 {
		return nil, fmt.Errorf("--import %s: %d files in the folder have it; expected one", arg, len(list))
	}
	return list, nil
}

// grammarsIn lists the .abnf, .bnf and .txt files of a folder, each with the folder's path, in the order of their
// names. The endings count in lower case only. It fails if there are none.
func grammarsIn(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		// Files with other endings may hold anything.
		if slices.Contains([]string{".abnf", ".bnf", ".txt"}, filepath.Ext(e.Name())) && !e.IsDir() {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no .abnf, .bnf or .txt file in the folder", folder)
	}
	return files, nil
}

// Readings returns the ledger in a file, which has at most maxSize bytes. For the name "" it returns nothing.
func Readings(file string, maxSize int) ([]bnf.Reading, error) {
	if file == "" {
		return nil, nil
	}
	o := Usual
	o.Notation.MaxSize = maxSize
	text, err := ReadFile(file, o)
	if err != nil {
		return nil, err
	}
	return bnf.ParseReadings(layout.Printable(file), text)
}

// readImport reads the grammar of a file that rules are imported from. The file is read as ABNF unless its name tells
// another kind. It fails for a PEG.
func readImport(file string, maxSize int) (*expr.Grammar, error) {
	o := Usual
	o.Notation.MaxSize = maxSize
	if _, told := KindOf(file); !told {
		o.Kind = ABNF
	}
	text, err := ReadFile(file, o)
	if err != nil {
		return nil, err
	}
	o.Notation.Include = includer(file, o)
	n, err := Read(file, text, o)
	if err == nil && n.Grammar.Ordered {
		err = expr.Errorf(expr.Pos{File: n.File, Line: 1, Col: 1}, "a PEG, which nothing can be imported from")
	}
	if err != nil {
		return nil, err
	}
	return n.Grammar, nil
}
