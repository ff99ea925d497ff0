package editor

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The settings that a command line would have stand in comments of the grammar, or in a program next to it:
//
//	; bnfcheck:start mail
//	; bnfcheck:import host=uri.abnf#host
//	; bnfcheck:define domain = 1*ALPHA
//	; bnfcheck:peg mail.peg
//	; bnfcheck:kind abnf
//
// A setting that no comment has is taken from the head of the package that bnfcheck generate wrote for the file, or
// else from a line "//go:generate ... generate FILE#RULE ..." of a Go file in the folder or one folder below. The
// lock of such a package, bnfcheck.lock, chooses among several trees: see choices.

// settings decide how a document is read. Each that is not given is zero.
type settings struct {
	start, peg string
	kind       catalog.Kind
	imports    []setting     // NAME=FILE#RULE, as --import has it
	defines    []setting     // NAME=EXPRESSION
	from       []string      // where they come from, in words
	choices    []choice      // those of the lock
	wrong      []*expr.Error // settings in comments that make no sense
}

// A choice is an entry of a lock: it tells, where the grammar gives a string two trees, which one the package has.
type choice struct {
	lock  string // the file
	entry bnf.Reading
}

// A setting is a value and its place, which has no line if it is in another file.
type setting struct {
	text string
	pos  expr.Pos
}

// settingSign matches the beginning of a setting in a comment, up to its value.
var settingSign = regexp.MustCompile(`bnfcheck:(` + strings.Join(lint.Settings, "|") + `)\b[ \t]*`)

// closing matches what closes a comment, as lint reads it.
var closing = regexp.MustCompile(`\*+[/)]$`)

// A commentSetting is a setting in a comment, and the part of the comment that is its value.
type commentSetting struct {
	key   string
	value outline.Span
}

// settingsIn lists the settings in a comment. The value of each ends with its line, before another directive, or
// before what closes the comment.
func settingsIn(comment string) (list []commentSetting) {
	text := closing.ReplaceAllString(comment, "")
	for _, m := range settingSign.FindAllStringSubmatchIndex(text, -1) {
		line, _, _ := strings.Cut(text[m[1]:], "\n")
		value := strings.TrimRight(line[:lint.NextDirective(line)], " \t\r")
		list = append(list, commentSetting{text[m[2]:m[3]], outline.Span{Start: m[1], End: m[1] + len(value)}})
	}
	return list
}

// settingsOf returns the settings of the document: those in the comments of o and, for each of start, kind, peg,
// imports and defines that no comment gives, those from the Go files next to it, as they were when they were first
// looked for (see settled). The choices are those of the lock of a generated package there, whatever comments say.
// The first call for a document takes the server's lock.
func (n *snapshot) settingsOf(o *outline.Outline) (s settings) {
	for i, t := range o.Tokens {
		if t.Kind != outline.Comment || !strings.Contains(o.TextOf(i), "bnfcheck:") {
			continue
		}
		for _, in := range settingsIn(o.TextOf(i)) {
			p := n.lines.position(t.Start)
			pos := expr.Pos{File: n.name, Line: int(p.Line) + 1, Col: t.Start - n.lines.starts[p.Line] + 1}
			s.set(in.key, o.TextOf(i)[in.value.Start:in.value.End], pos)
		}
	}
	if s.start != "" || s.peg != "" || s.kind != "" || len(s.imports)+len(s.defines) > 0 {
		s.from = append(s.from, "comments of this file")
	}
	// A kind of setting is taken from beside only if no comment has any of it. The source is named once, after the
	// comments, however many kinds come from it.
	beside := n.settled.settingsFor(n)
	if beside == nil {
		return s
	}
	s.choices = beside.choices
	before := len(s.from)
	if s.start == "" && beside.start != "" {
		s.start = beside.start
		s.from = append(s.from[:before], beside.from...)
	}
	if s.kind == "" && beside.kind != "" {
		s.kind = beside.kind
		s.from = append(s.from[:before], beside.from...)
	}
	if s.peg == "" && beside.peg != "" {
		s.peg = beside.peg
		s.from = append(s.from[:before], beside.from...)
	}
	if len(s.imports) == 0 && len(beside.imports) > 0 {
		s.imports = beside.imports
		s.from = append(s.from[:before], beside.from...)
	}
	if len(s.defines) == 0 && len(beside.defines) > 0 {
		s.defines = beside.defines
		s.from = append(s.from[:before], beside.from...)
	}
	return s
}

// set takes a setting of a comment. One without a value, and a kind that no notation has, is added to s.wrong
// instead. Of several starts, PEGs or kinds the last counts; imports and defines are added to those before.
func (s *settings) set(key, value string, pos expr.Pos) {
	if value == "" {
		s.wrong = append(s.wrong, expr.Errorf(pos, "bnfcheck:%s says nothing", key).(*expr.Error))
		return
	}
	switch key {
	case "start":
		s.start = value
	case "peg":
		s.peg = value
	case "import":
		s.imports = append(s.imports, setting{value, pos})
	case "define":
		s.defines = append(s.defines, setting{value, pos})
	case "kind":
		if !isKind(value) {
			s.wrong = append(s.wrong, expr.Errorf(pos, "%q is no kind of grammar", value).(*expr.Error))
			return
		}
		s.kind = catalog.Kind(value)
	}
}

// isKind reports whether a word is the name of a notation, as --kind takes it.
func isKind(word string) bool {
	return slices.ContainsFunc(catalog.Notations, func(n catalog.Notation) bool { return string(n.Kind) == word })
}

// apply adds the defines and imports of the settings to o; the other settings are applied elsewhere. It returns
// s.wrong and, after them, an error for each define without a name or a "=", and for each import that fails, at its
// place. A setting from another file counts as standing at the beginning of the document. Whether the right-hand
// side of a define can be read is not asked here. It has the effects of open for the files that are imported.
func (s settings) apply(n *snapshot, o *catalog.Options) (wrong []*expr.Error) {
	wrong = slices.Clone(s.wrong)
	fail := func(at setting, format string, args ...any) {
		at.pos.File = n.name
		at.pos.Line, at.pos.Col = max(at.pos.Line, 1), max(at.pos.Col, 1)
		wrong = append(wrong, expr.Errorf(at.pos, format, args...).(*expr.Error))
	}
	for _, d := range s.defines {
		name, right, ok := strings.Cut(d.text, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			fail(d, "expected NAME = EXPRESSION")
			continue
		}
		o.Notation.Define = append(o.Notation.Define, bnf.Replacement{
			Production: name, Text: strings.TrimSpace(right),
			Pos: expr.Pos{File: n.name, Line: max(d.pos.Line, 1), Col: max(d.pos.Col, 1)},
		})
	}
	for _, i := range s.imports {
		imported, err := n.importOf(i.text)
		if err != nil {
			fail(i, "import %s: %v", i.text, err)
			continue
		}
		o.Notation.Imports = append(o.Notation.Imports, imported)
	}
	return wrong
}

// importOf returns the import that a setting describes, of a built-in grammar or of a file: NAME=FILE#RULE for one
// rule, or FILE for all. NAME=FILE gives an import with a name and no production, for package bnf to judge. Blanks
// around NAME and what follows "=" do not count. It fails for FILE#RULE, and as grammarNamed does, and has the
// effects of that.
func (n *snapshot) importOf(text string) (bnf.Import, error) {
	name, from, ok := strings.Cut(text, "=")
	if !ok {
		name, from = "", text
	}
	name, from = strings.TrimSpace(name), strings.TrimSpace(from)
	file, rule := catalog.Split(from)
	if rule != "" && name == "" {
		return bnf.Import{}, fmt.Errorf("for one rule expected NAME=%s", from)
	}
	g, err := n.grammarNamed(file)
	return bnf.Import{Name: name, From: g, Production: rule}, err
}

// grammarNamed returns a grammar that is built in, by its name or the number of its RFC, or that of a file, which is
// ABNF if its name does not tell. It fails for a PEG, and if the file cannot be read. For a file it has the effects
// of open.
func (n *snapshot) grammarNamed(name string) (*expr.Grammar, error) {
	if catalog.IsBuilt(name) {
		if !strings.HasPrefix(name, "rfc") && strings.Trim(name, "0123456789") == "" { // a number stands for its RFC
			name = "rfc" + name
		}
		src, err := bnf.Load(name)
		if err != nil {
			return nil, err
		}
		return src.Default, nil
	}
	if g := bnf.Standard(name); g != nil {
		return g, nil
	}
	_, text, err := n.open(name)
	if err != nil {
		return nil, err
	}
	o := catalog.Usual
	o.Notation.Budget = newBudget(n.ctx, 4)
	o.Notation.Include = n.include
	if _, told := catalog.KindOf(name); !told {
		o.Kind = catalog.ABNF
	}
	opened, err := catalog.Read(name, text, o)
	if err != nil {
		return nil, err
	}
	if opened.Grammar.Ordered {
		return nil, fmt.Errorf("%s is a PEG, which nothing can be imported from", name)
	}
	return opened.Grammar, nil
}

// settled holds the settings for a document in Go files next to it. They are read once, when the document is opened,
// and again when the editor says that one of these files has changed.
type settled struct {
	once sync.Once
	say  *settings
}

// settingsFor returns the settings for a document in other files, or nil if there are none. The first call looks for
// them, and takes the server's lock; any other waits for it.
func (s *settled) settingsFor(n *snapshot) *settings {
	s.once.Do(func() { s.say = n.findSettings() })
	return s.say
}

// The limits on Go files that are looked at: their number, and the bytes at the beginning of each.
const (
	mostFiles = 200
	mostHead  = 16 << 10
)

// generateLine matches a line that makes a parser for a grammar: in the head of a generated file, or a go:generate
// line.
var generateLine = regexp.MustCompile(`(?m)^//(bnfcheck:generate|go:generate.*\bbnfcheck\S*[ \t]+generate)[ \t]+(.*)$`)

// findSettings looks for settings in the Go files in the folder of the document and then in the folders one level
// below, but not in those whose names begin with a dot: in the order of their names, at most mostFiles files, the first
// mostHead bytes of each, and at most the mostFiles entries of a folder that the system lists first. The first head of
// a generated package, with the choices of its lock, wins; if there is none, the first go:generate line does. It
// returns nil if nothing is found, or if the document is no file. It takes the server's lock.
func (n *snapshot) findSettings() *settings {
	root := n.rootOf()
	if root == "" {
		return nil
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	defer r.Close()
	below, err := filepath.Rel(root, filepath.Dir(n.path))
	if err != nil {
		return nil
	}
	// look looks at the Go files of a folder, and returns the folders in it. It sets best to the first line that it
	// finds, if there is none yet. If it finds the head of a generated package it sets best to that, sets decided, and
	// returns early, so that nothing else is looked at.
	left := mostFiles
	var best *settings
	decided := false
	look := func(folder string) (folders []string) {
		f, err := r.Open(folder)
		if err != nil {
			return nil
		}
		defer f.Close()
		entries, _ := f.ReadDir(mostFiles)
		slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
		for _, e := range entries {
			name := filepath.Join(folder, e.Name())
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				folders = append(folders, name)
			}
			if !e.Type().IsRegular() || filepath.Ext(name) != ".go" || left == 0 {
				continue
			}
			left--
			text, err := readRegular(r, name)
			if err != nil {
				continue
			}
			for _, m := range generateLine.FindAllStringSubmatch(string(text[:min(len(text), mostHead)]), -1) {
				lock := m[1] == "bnfcheck:generate"
				found := parseGenerate(m[2], filepath.Join(root, folder), n.path)
				if found == nil || best != nil && !lock {
					continue
				}
				found.from = []string{"the line go:generate of " + filepath.ToSlash(name)}
				if lock {
					found.from = []string{"the head of " + filepath.ToSlash(name)}
				}
				best = found
				if lock {
					best.choices = readLock(r, filepath.Join(folder, gopackage.LockName))
					decided = true
					return nil
				}
			}
		}
		return folders
	}
	for _, folder := range look(below) {
		if left == 0 || decided {
			break
		}
		look(folder)
	}
	return best
}

// readLock returns the entries of a lock. It returns none if there is no lock or if it cannot be read, which generate
// and verify report.
func readLock(r *os.Root, name string) (list []choice) {
	text, err := readRegular(r, name)
	if err != nil {
		return nil
	}
	name = filepath.ToSlash(name)
	entries, err := bnf.ParseReadings(name, text)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		list = append(list, choice{name, e})
	}
	return list
}

// mayHoldSettings reports whether a file may have settings for grammars next to it.
func mayHoldSettings(path string) bool {
	return filepath.Ext(path) == ".go" || filepath.Base(path) == gopackage.LockName
}

// parseGenerate returns the settings in a line, the arguments of bnfcheck generate, whose paths are relative to
// folder. In the result they are relative to the folder of path. Of several PEGs or kinds the last counts. Flags that
// are no settings, and a kind that there is not, are left out. It returns nil if the line is not about the grammar at
// path.
func parseGenerate(line, folder, path string) *settings {
	words := splitWords(line)
	s := &settings{}
	ours := false
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, joined := strings.Cut(word, "=")
		takes := func() string { // returns the value of this flag, after "=" or in the next word
			if joined {
				return value
			}
			if i++; i < len(words) {
				return words[i]
			}
			return ""
		}
		switch {
		case !strings.HasPrefix(word, "-"):
			file, rule := catalog.Split(word)
			kind, _ := catalog.KindOf(file)
			switch {
			case filepath.Join(folder, filepath.FromSlash(file)) == path:
				ours, s.start = true, rule
			case kind.IsPEG():
				s.peg = nameSeenFrom(filepath.Dir(path), folder, word)
			}
		case name == "--import":
			s.imports = append(s.imports, setting{text: importFrom(filepath.Dir(path), folder, takes())})
		case name == "--define":
			s.defines = append(s.defines, setting{text: takes()})
		case name == "--kind":
			if word := takes(); isKind(word) {
				s.kind = catalog.Kind(word)
			}
		// The value of another flag is no file. That of --language, "js" or the like, would not be taken for one.
		case slices.Contains([]string{"-o", "--package", "--readings", "--nesting", "--values", "--lists", "--lines"},
			name):
			takes()
		}
	}
	if !ours {
		return nil
	}
	return s
}

// nameSeenFrom returns the name that a file has in the folder here, given the one that it has in the folder there. An
// absolute name stays as it is.
func nameSeenFrom(here, there, name string) string {
	rel, err := filepath.Rel(here, filepath.Join(there, filepath.FromSlash(name)))
	if err != nil || filepath.IsAbs(name) {
		return name
	}
	return filepath.ToSlash(rel)
}

// importFrom is nameSeenFrom for the argument of --import. The names of built-in grammars stay as they are.
func importFrom(here, there, text string) string {
	name, from, ok := strings.Cut(text, "=")
	if !ok {
		name, from = "", text
	}
	file, rule := catalog.Split(from)
	if !catalog.IsBuilt(file) && bnf.Standard(file) == nil {
		file = nameSeenFrom(here, there, file)
	}
	if rule != "" {
		file += "#" + rule
	}
	if name != "" {
		return name + "=" + file
	}
	return file
}

// splitWords splits a line as go generate does: at spaces and tabs, except in strings in double quotes. What only
// looks like such a string is split as well.
func splitWords(line string) (words []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t") {
		if line[0] == '"' {
			if quoted, err := strconv.QuotedPrefix(line); err == nil {
				word, _ := strconv.Unquote(quoted)
				words, line = append(words, word), line[len(quoted):]
				continue
			}
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		words, line = append(words, line[:end]), line[end:]
	}
	return words
}
