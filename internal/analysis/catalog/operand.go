package catalog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Form is one way of naming a grammar as an operand of a command.
type Form struct {
	Written, About string // for help

	// is reports whether an operand is of this form.
	is func(name string, o Options) bool
	// open opens an operand of this form.
	open func(name string, o Options) (*Opened, error)
}

// Forms lists the ways of naming a grammar; a new one is a row. The first form that an operand has opens it.
var Forms = []Form{
	{"rfc3986#URI", "a grammar that is built in, and a production of it; without #URI it is the one that the " +
		"grammar starts from, and for judging strings the one for whole URLs",
		func(name string, _ Options) bool { return IsBuilt(name) }, openBuilt},
	{"js:/^[a-z]+$/i", "a regular expression of a flavor: " + strings.Join(regex.Flavors(), ", ") +
		`; bare, or as a program has it: pcre:~a~u, python:r"a", ruby:%r{a}m; js:@FILE for the one in a file`,
		func(name string, _ Options) bool { return IsRegexp(name) }, openRegexp},
	{"FILE#RULE", "a file with a grammar, and a production of it; without #RULE it is the one that no other uses, " +
		"or the first if it uses all others", isGrammarFile, openFile},
}

// IsGrammar reports whether an operand names a grammar where strings can stand as well: the part before "#" is the
// name of a grammar that is built in, or of a regular file that exists, or has the ending of a kind.
func IsGrammar(name string, o Options) bool {
	return slices.ContainsFunc(Forms, func(f Form) bool { return f.is(name, o) })
}

// IsOperand reports whether a name is that of a grammar, at a place where a production or a scheme of the grammars
// that are built in can stand too, but no string. Such a production takes precedence over a file without an ending.
// IsOperand accepts what [IsGrammar] does, and also "-", a name with "#", a path that is absolute or begins with "."
// or ".." as an element, any other path that exists and does not begin with the name of a grammar that is built in,
// and, if the options have a kind, everything that is no production.
func IsOperand(name string, o Options) bool {
	if IsRegexp(name) {
		return true
	}
	file, rule := Split(name)
	_, told := KindOf(file)
	// Only a bare name without an ending can be a production or a scheme as well.
	isBare := !told && rule == "" && !IsBuilt(name) && !strings.ContainsAny(name, `/\`)
	if IsGrammar(name, o) && !(isBare && isBuiltInName(name)) {
		return true
	}
	grammar, _, below := strings.Cut(name, "/")
	switch {
	case file == "-" || rule != "" || strings.HasSuffix(name, "#"): // standard input, or a rule of a file
		return true
	case below && builtName(grammar) != "": // IDs of rules and claims begin so
		return false
	case filepath.IsAbs(name) || grammar == "." || grammar == "..": // a path, even if no file is there
		return true
	case below || strings.ContainsRune(name, filepath.Separator): // a path only if a file is there
		if _, err := os.Stat(name); err == nil {
			return true
		}
	}
	// Anything else is a file only to someone who said what kind of file.
	return o.Kind != "" && !isBuiltInName(name)
}

// isBuiltInName reports whether a name is that of a production or of a scheme of the grammars that are built in, even
// if several have it.
func isBuiltInName(name string) bool {
	_, err := openProduction(name, Options{})
	_, unknown := errors.AsType[*UnknownError](err)
	return !unknown || hasScheme(name)
}

// Open opens a grammar that a person names: by an operand of one of the [Forms], or by
//
//   - "-": standard input; the options have its kind
//   - "httpurl": a production, if only one of the built-in grammars has it
//
// Any other name that is a folder or looks like a path is opened as a file, so that the error is about that.
//
// Open fails with an [*io/fs.PathError]; with an [*expr.Error], or several joined, if a file is not in its notation;
// and with any other error if the name means nothing. For an unknown production of a built-in grammar, Open returns
// the grammar together with an [*UnknownError]. A file that cannot be read to the depth of the options, or as tokens,
// is also returned together with the error. Whether a file has the production, or several could be meant, is for
// [Opened.Start] to find out.
func Open(name string, o Options) (*Opened, error) {
	for _, f := range Forms {
		if f.is(name, o) {
			return f.open(name, o)
		}
	}
	if IsOperand(name, o) {
		return openFile(name, o)
	}
	n, err := openProduction(name, o)
	if _, unknown := errors.AsType[*UnknownError](err); !unknown || n != nil {
		return n, err
	}
	if info, stat := os.Stat(name); stat == nil && info.IsDir() || strings.ContainsAny(name, `./\`) {
		return openFile(name, o)
	}
	return nil, err
}

// Split separates the name of a production from that of its file: "uri.abnf#URI" is "uri.abnf" and "URI". The text
// after the last "#" belongs to the file's name if it contains a dot or a slash, which no production's name does.
func Split(name string) (file, rule string) {
	at := strings.LastIndexByte(name, '#')
	if at < 0 || strings.ContainsAny(name[at:], "./\\") {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// builtName returns the full name of a built-in grammar, "rfc1738", for that name or its short form, or "" if there
// is none.
func builtName(name string) string {
	for _, n := range Names() {
		if name == n || name == Short(n) {
			return n
		}
	}
	return ""
}

// IsBuilt reports whether an operand names a grammar that is built in.
func IsBuilt(name string) bool {
	grammar, _ := Split(name)
	return builtName(grammar) != ""
}

// openBuilt opens a grammar that is built in. If it has no production of the given name, openBuilt returns both the
// grammar and an [*UnknownError]. Other errors are those of [Load]. name must name such a grammar.
func openBuilt(name string, o Options) (*Opened, error) {
	grammar, production := Split(name)
	subjects, err := Load(o.Version)
	if err != nil {
		return nil, err
	}
	s := Named(subjects, grammar)
	n := &Opened{Grammar: s.BNF, Within: s.BNF, Built: s}
	if production != "" {
		if n.Asked, err = s.Lookup(production); err != nil {
			return n, newUnknownError(err, production, s.BNF)
		}
	}
	return n, nil
}

// openProduction opens a production of a grammar that is built in, by its name alone. If no RFC has it, it opens that
// of the first draft or reference that does: [Load] returns the preferred grammars first. It fails with an
// [*UnknownError] if no grammar has it, and with another error if several RFCs do.
func openProduction(name string, o Options) (*Opened, error) {
	subjects, err := Load(o.Version)
	if err != nil {
		return nil, err
	}
	var found []*Opened
	var places []string
	unknown := &UnknownError{Err: fmt.Errorf("none of the grammars that are built in has a production %q, and "+
		"there is no such file", name), Name: name}
	for _, s := range subjects {
		id, err := s.Lookup(name)
		// A draft or a reference is meant only if no RFC has the production.
		if err == nil && (len(found) == 0 || isPreferred(s.Name)) {
			found = append(found, &Opened{Grammar: s.BNF, Within: s.BNF, Built: s, Asked: id})
			places = append(places, s.Name+"#"+name)
		}
		unknown.Known = append(unknown.Known, expr.IDs(s.BNF.Rules)...)
	}
	switch len(found) {
	case 0:
		return nil, unknown
	case 1:
		return found[0], nil
	}
	return nil, errors.New("several grammars have it: choose from " + strings.Join(places, ", "))
}

// beginsWithScheme matches a name that begins like a URL. A drive of Windows is one letter, and does not match.
var beginsWithScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)

// isGrammarFile reports whether a name, with or without a "#" and a production, is that of a file with a grammar.
// That is a regular file, a pipe or a link that loops, whatever its ending; or a file that is missing, or cannot be
// looked at, but has an ending for grammars and does not begin like a URL.
func isGrammarFile(name string, _ Options) bool {
	file, _ := Split(name)
	if info, err := os.Stat(file); err == nil {
		return info.Mode().IsRegular() || infile.IsPipeOrLoop(file)
	}
	if infile.IsPipeOrLoop(file) { // a loop, which Stat fails for; opening it reports that
		return true
	}
	_, told := KindOf(file)
	return told && !beginsWithScheme.MatchString(file)
}

// openFile opens a file with a grammar, and reads it to the depth of the options, or as tokens. The file's name is
// the title of a grammar that has none. If the depth or the tokens fail, openFile returns both the Opened and the
// error.
func openFile(name string, o Options) (*Opened, error) {
	file, rule := Split(name)
	text, err := ReadFile(file, o)
	if err != nil {
		return nil, err
	}
	o.Notation.Include, o.Notation.Tokens = includer(file, o), o.Tokens
	if o.Revision != "" {
		file = o.Revision + ":" + file // as git writes it
	}
	n, err := Read(file, text, o)
	if err != nil {
		return nil, err
	}
	g := n.Grammar
	n.Asked = rule
	if g.Title == g.Name || g.Title == "" { // no title of its own
		g.Title = n.File
	}
	if o.Tokens {
		return n, n.readTokens()
	}
	if o.Nesting == nil {
		return n, nil
	}
	return n, n.LimitNesting(*o.Nesting)
}

// LimitNesting makes automata follow the recursions of n that nest only to a depth: it sets Within and, if anything
// nests, Depth. If it fails, Within is nil, and Depth is set.
func (n *Opened) LimitNesting(depth int) (err error) {
	n.Within, err = n.Grammar.Nesting().To(depth)
	if n.Within != n.Grammar {
		n.Depth = &depth
	}
	return err
}

// Name returns the operand that names the production with this ID: "uri.abnf#URI".
func (n *Opened) Name(id string) string {
	if n.Built != nil {
		return n.Built.Name + "#" + id
	}
	return fmt.Sprintf("%s#%s", n.File, id)
}

// IsRegexp reports whether an operand is a regular expression: whether it begins with the name of a flavor and a
// colon. An empty expression after the colon counts too; [Open] refuses it.
func IsRegexp(name string) bool {
	flavor, _, ok := strings.Cut(name, ":")
	return ok && slices.Contains(regex.Flavors(), flavor)
}

// RegexpFile splits the operand FLAVOR:@FILE, which stands for the regular expression in a file. ok is false for any
// other operand.
func RegexpFile(name string) (flavor, file string, ok bool) {
	flavor, text, _ := strings.Cut(name, ":")
	file, inFile := strings.CutPrefix(text, "@")
	return flavor, file, inFile && IsRegexp(name)
}

// openRegexp reads a regular expression, FLAVOR:TEXT or FLAVOR:@FILE. It fails if the text is empty, or if there is
// also a file with this name.
func openRegexp(name string, o Options) (*Opened, error) {
	flavor, text, _ := strings.Cut(name, ":")
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is an expression here, and also the name of a file, which is ./%[1]s",
			layout.Printable(name))
	}
	if text == "" { // perhaps from a variable that is not set
		return nil, fmt.Errorf("%q is followed by no expression; the empty one is %[1]s%[2]s", name,
			regex.Group(flavor, ""))
	}
	file := flavor
	if _, named, ok := RegexpFile(name); ok {
		file = layout.Printable(named)
		var err error
		if text, err = ReadRegexpFile(named, o); err != nil {
			return nil, err
		}
	}
	return Expression(flavor, file, text, o)
}

// ReadRegexpFile returns the regular expression in a file: its text without a line end at the end.
func ReadRegexpFile(file string, o Options) (string, error) {
	text, err := ReadFile(file, o)
	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), err
}

// whyTooLarge returns err. If err is a passed limit that the expression, which must not be nil, would not pass with
// anchors, it adds that. It takes steps of b.
func whyTooLarge(r *regex.Regex, err error, b *budget.Budget) error {
	if !errors.Is(err, budget.ErrTooLarge) {
		return err
	}
	states, ok := r.SizeOfMatch(b)
	if !ok {
		return err
	}
	return fmt.Errorf("%w. A match may begin at many places, and the automaton has to follow all that have begun; "+
		"anchored at both ends it has %d states", err, states)
}

// Expression reads a regular expression of a flavor, as [regex.ReadAs] does, for the strings that o.Match selects.
// file is the name in places. If no grammar derives exactly these strings, as with a lookaround, Grammar has the
// states of their automaton. It fails for an error in the text, or if a limit is passed.
func Expression(flavor, file, text string, o Options) (*Opened, error) {
	r, err := regex.ReadAs(o.Unicode, flavor, file, text, o.Notation.Budget, o.Match)
	if err != nil {
		return nil, err
	}
	g, exact, err := r.Grammar(o.Notation.Budget, o.Match)
	if err != nil && o.Match == regex.Search {
		err = whyTooLarge(r, err, o.Notation.Budget)
	}
	if _, placed := errors.AsType[*budget.Exceeded](err); err != nil && !placed {
		return nil, fmt.Errorf("%s: %w", expr.Pos{File: file, Line: 1, Col: 1}, err)
	} else if err != nil {
		return nil, err
	}
	n := &Opened{Grammar: g, Within: g, Kind: Regexp, File: file, Text: []byte(text), Asked: regex.Start, exact: exact,
		expression: r, match: o.Match}
	if r.Relies {
		n.Unicode = r.AssumedUnicode()
	}
	for _, notice := range r.Notices {
		n.Notices = append(n.Notices, bnf.Notice{Pos: notice.Pos, Message: notice.Message})
	}
	if exact != nil {
		n.places = g
		n.Grammar = r.States(exact)
		n.Within = n.Grammar
	}
	return n, nil
}
