package catalog

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/report/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/peg"
)

// A Kind is how the grammar in a file is written.
type Kind string

// The kinds.
const (
	ABNF   Kind = "abnf"  // RFC 5234 and RFC 7405
	BNF    Kind = "bnf"   // a grammar file of package bnf, which names its notation
	Pigeon Kind = "peg"   // pigeon's notation for PEGs
	Peggy  Kind = "peggy" // peggy's, and PEG.js's
	RFC    Kind = "rfc"   // the text of an RFC, with ABNF in it
	EBNF   Kind = "ebnf"  // the notation of W3C's specifications, also a page of HTML with productions in it
)

// A reader reads the files of one kind.
type reader struct {
	kind    Kind
	endings []string // of the names of such files
	read    func(file string, src []byte, o Options) (*bnf.Document, error)
}

// readers lists the kinds; a new one is a row.
var readers = []reader{
	{ABNF, []string{".abnf"}, readABNF},
	{BNF, []string{".bnf"}, func(file string, src []byte, o Options) (*bnf.Document, error) {
		return bnf.ReadDocument(file, src, "", o.Notation)
	}},
	{Pigeon, []string{".peg"}, func(file string, src []byte, o Options) (*bnf.Document, error) {
		g, err := o.PEG.Read(file, src)
		return &bnf.Document{Grammar: g}, err
	}},
	{Peggy, []string{".peggy", ".pegjs"}, func(file string, src []byte, o Options) (*bnf.Document, error) {
		g, err := o.PEG.ReadPeggy(file, src)
		return &bnf.Document{Grammar: g}, err
	}},
	{RFC, []string{".txt"}, func(file string, src []byte, o Options) (*bnf.Document, error) {
		o.Notation.Text = o.Kind == RFC // a person has said so; otherwise it is seen
		d, err := readABNF(file, src, o)
		if err != nil && !o.Notation.Text { // a text that does not look like one
			o.Notation.Text = true
			if d, err := readABNF(file, src, o); err == nil {
				return d, nil
			}
		}
		if err != nil && bnf.HasEBNF(src) {
			if d, err := readEBNF(file, src, o); err == nil {
				return d, nil
			}
		}
		return d, err
	}},
	{EBNF, []string{".ebnf", ".html", ".htm"}, readEBNF},
}

func readEBNF(file string, src []byte, o Options) (*bnf.Document, error) {
	return bnf.ReadDocument(file, src, bnf.EBNF, o.Notation)
}

func readABNF(file string, src []byte, o Options) (*bnf.Document, error) {
	return bnf.ReadDocument(file, src, bnf.ABNF, o.Notation)
}

// Kinds lists the kinds of files.
func Kinds() (list []Kind) {
	for _, r := range readers {
		list = append(list, r.kind)
	}
	return list
}

// Endings lists the endings that tell the kind of a file: ".abnf".
func Endings() (list []string) {
	for _, r := range readers {
		list = append(list, r.endings...)
	}
	return list
}

// KindOf returns the kind that the ending of a file's name tells; ok is false if it tells none.
func KindOf(file string) (kind Kind, ok bool) {
	ending := strings.ToLower(path.Ext(filepath.ToSlash(file)))
	for _, r := range readers {
		if slices.Contains(r.endings, ending) {
			return r.kind, true
		}
	}
	return "", false
}

// Options control how a grammar is opened. They are passed through to the readers; most callers start from [Usual].
type Options struct {
	// Kind is the kind of every file. "" leaves it to the endings of their names.
	Kind Kind

	// Version is the choice of readings for the grammars that are built in.
	Version Version

	Notation bnf.Notation // how BNF is read
	PEG      peg.Options  // how PEGs are read

	// Nesting is the depth to which automata follow the recursions of a file that nest: see [expr.Nesting]. nil is no depth, so
	// that what nests has no automaton.
	Nesting *int

	// Stdin is what the name "-" stands for; it is read once. nil is an empty file.
	Stdin io.Reader
}

// Usual reads files as every implementation of their notation does.
var Usual = Options{Notation: bnf.Usual}

// An Opened is a grammar that a person has named, and the production in it that was meant.
type Opened struct {
	// Grammar is unordered, unless the file holds a PEG.
	Grammar *expr.Grammar

	// Within is Grammar with each recursion that nests read to the depth of the options, of which automata are made. Depth is
	// that depth, nil where none was asked for or nothing nests; Within is then Grammar.
	Within *expr.Grammar
	Depth  *int

	// Built is the grammar if it is built in; nil for a file.
	Built *Subject

	Kind Kind   // of the file
	File string // its name, printable; "" if there is no file
	Text []byte // what it holds

	// Notices are what was noticed while the file was read, and Blocks its parts that hold productions.
	Notices []bnf.Notice
	Blocks  []bnf.Block

	// Asked is the production as it was asked for; "" where only the grammar was named.
	Asked string
}

// IsFile reports whether [Open] takes a name for that of a file. It does for a name with "#" or with the ending of a kind,
// for "-", and for a path: one that begins with "/", "./" or "../", or at whose end there is a file. If the options have a
// kind, it does for all that is no name of a built-in grammar or one of its productions.
func IsFile(name string, o Options) bool {
	file, rule := Split(name)
	if file == "-" || rule != "" || strings.HasSuffix(name, "#") {
		return true
	}
	grammar, _, below := strings.Cut(name, "/")
	if below && slices.ContainsFunc(Names(), func(n string) bool { return grammar == n || grammar == Short(n) }) {
		return false
	}
	if _, ok := KindOf(file); ok || filepath.IsAbs(name) || grammar == "." || grammar == ".." {
		return true
	}
	if below || strings.ContainsRune(name, filepath.Separator) {
		if _, err := os.Stat(name); err == nil {
			return true
		}
	}
	if o.Kind == "" {
		return false
	}
	_, err := openBuilt(name, Options{})
	return err != nil
}

// Split takes the name of a production in a file apart: "uri.abnf#URI" is "uri.abnf" and "URI". What follows the last "#" is
// part of the file's name if it cannot be a production's, because it has a dot or a slash in it.
func Split(name string) (file, rule string) {
	at := strings.LastIndexByte(name, '#')
	if at < 0 || strings.ContainsAny(name[at:], "./\\") {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// Open opens what a person names:
//
//	uri.abnf#URI       a production in a file
//	uri.abnf           a file; the production is the only one that no other uses
//	1738/httpurl       a production of a grammar that is built in
//	httpurl            the same, if only one grammar has it
//	1738               a grammar that is built in, and the production that it starts from
//
// The error is an [*io/fs.PathError]; an [*expr.Error], or several joined, where a file is not in its notation; or any other
// where the name means nothing. That a file has no such production, or several that could be meant, is for [Opened.Start]
// to find out.
func Open(name string, o Options) (*Opened, error) {
	if !IsFile(name, o) {
		return openBuilt(name, o)
	}
	file, rule := Split(name)
	kind := o.Kind
	if kind == "" {
		var ok bool
		if kind, ok = KindOf(file); !ok {
			return nil, fmt.Errorf("%s: the name does not tell what kind of grammar it is: end it in %s, or choose with --kind", file, oneOf(Endings()))
		}
	}
	at := slices.IndexFunc(readers, func(r reader) bool { return r.kind == kind })
	if at < 0 {
		return nil, fmt.Errorf("no kind %q of grammar", kind)
	}
	text, err := readFile(file, o.Stdin)
	if err != nil {
		return nil, err
	}
	shown := layout.Printable(file)
	if file == "-" {
		shown = "standard input"
	}
	document, err := readers[at].read(shown, text, o)
	if err != nil {
		return nil, err
	}
	g := document.Grammar
	if g.Title == g.Name || g.Title == "" { // no title of its own
		g.Title = shown
	}
	for _, r := range g.Rules {
		if r.Name == "" { // a rule of a PEG
			r.Name = r.ID
		}
	}
	n := &Opened{
		Grammar: g, Within: g, Kind: kind, File: shown, Text: text, Asked: rule,
		Notices: document.Notices, Blocks: document.Blocks,
	}
	if o.Nesting == nil {
		return n, nil
	}
	n.Within, err = g.Nesting().To(*o.Nesting)
	if n.Within != g {
		n.Depth = o.Nesting
	}
	return n, err
}

// ReadTo returns in words to which depth a production is read, "" if it nests nowhere or no depth was asked for.
func (n *Opened) ReadTo(id string) string {
	if n.Depth == nil || !n.Grammar.Nesting().Users()[id] {
		return ""
	}
	return fmt.Sprintf("to a nesting of %d", *n.Depth)
}

// Nests returns in a sentence what nests in the production with this ID and in what it uses, and how to have it read to a
// depth. It is "" if nothing nests there.
func (n *Opened) Nests(id string) string {
	nesting := n.Grammar.Nesting()
	users := nesting.Users()
	reach := n.Grammar.Reach(id)
	heads := slices.DeleteFunc(nesting.Heads(), func(r *expr.Rule) bool { return !slices.Contains(reach, r.ID) })
	not, all := 0, 0
	for _, r := range n.Grammar.Rules {
		if bnf.IsCore(r) {
			continue
		}
		all++
		if users[r.ID] {
			not++
		}
	}
	return NestingNote(heads, not, all, "reads them to that depth")
}

// namedHeads is how many rules [NestingNote] names.
const namedHeads = 4

// NestingNote returns the sentence that rules nest, so that some of all rules are not regular, and what a depth does about it:
// "comment (mail.abnf:34) nests, so that 99 of 149 rules are not regular: --nesting 3 reads them to that depth". It is "" if
// none nests.
func NestingNote(heads []*expr.Rule, not, all int, does string) string {
	if len(heads) == 0 {
		return ""
	}
	var names []string
	for _, r := range heads[:min(len(heads), namedHeads)] {
		names = append(names, fmt.Sprintf("%s (%s:%d)", r.Label(), r.Pos.File, r.Pos.Line))
	}
	verb := func(n int, one, more string) string {
		if n == 1 {
			return one
		}
		return more
	}
	return fmt.Sprintf("%s %s, so that %d of %d %s %s not regular: --nesting 3 %s", strings.Join(names, " and "),
		verb(len(names), "nests", "nest"), not, all, verb(all, "rule", "rules"), verb(not, "is", "are"), does)
}

// LongestFile is how many bytes of a grammar are read; a longer file is refused.
const LongestFile = 64 << 20

// readFile reads a file whole.
func readFile(file string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	if in == nil {
		return nil, nil
	}
	text, err := io.ReadAll(io.LimitReader(in, LongestFile+1))
	switch {
	case err != nil:
		return nil, &os.PathError{Op: "read", Path: file, Err: err}
	case len(text) > LongestFile:
		return nil, &os.PathError{Op: "read", Path: file, Err: fmt.Errorf("longer than %d bytes", LongestFile)}
	}
	return text, nil
}

// openBuilt opens what is built in.
func openBuilt(name string, o Options) (*Opened, error) {
	subjects, err := Load(o.Version)
	if err != nil {
		return nil, err
	}
	grammar, production, qualified := strings.Cut(name, "/")
	if s := Named(subjects, grammar); s != nil {
		n := &Opened{Grammar: s.BNF, Within: s.BNF, Built: s}
		if qualified {
			n.Asked, err = s.Lookup(production)
		}
		return n, err
	}
	side, err := Side(subjects, name)
	if err != nil {
		return nil, err
	}
	s := subjects[slices.IndexFunc(subjects, func(s *Subject) bool { return s.BNF == side.Grammar })]
	return &Opened{Grammar: s.BNF, Within: s.BNF, Built: s, Asked: side.Production}, nil
}

// Start returns the production that is meant: the one that was asked for or, in a grammar that is built in, its start, or the
// only one of a file that no other production uses. Without such, the error lists what can be chosen. A name that the production
// needs and the file does not define is a [*bnf.MissingError].
func (n *Opened) Start() (*expr.Rule, error) {
	r, err := n.Meant()
	if err == nil && n.Built == nil && !n.Grammar.Ordered {
		err = bnf.CheckMissing(n.Grammar, r.ID)
	}
	if err == nil && r.Refused != nil {
		err = r.Refused
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Meant is [Opened.Start] for those who only look at the production: names may be undefined.
func (n *Opened) Meant() (*expr.Rule, error) {
	switch {
	case n.Asked != "":
		return n.Lookup(n.Asked)
	case n.Built != nil:
		return n.Grammar.Rule(n.Built.Start), nil
	}
	switch unused := Unused(n.Grammar); len(unused) {
	case 1:
		return unused[0], nil
	case 0:
		var names []string
		for _, r := range n.Grammar.Rules { // those that all others can be reached from
			if len(n.Grammar.Reach(r.ID)) >= len(n.Grammar.Rules) {
				names = append(names, r.ID)
			}
		}
		if len(names) == 0 {
			names = []string{n.Grammar.Rules[0].ID}
		}
		return nil, fmt.Errorf("%s: every production is used by another: choose one, as in %s#%s; there are %s",
			n.File, n.File, names[0], strings.Join(names, ", "))
	default:
		var names []string
		for _, r := range unused {
			names = append(names, r.ID)
		}
		return nil, fmt.Errorf("%s: %d productions are used by no other: choose one, as in %s#%s; there are %s",
			n.File, len(names), n.File, names[0], strings.Join(names, ", "))
	}
}

// Lookup finds a production of the grammar by its ID or, where that is unique, by its name, in either case where the
// notation makes no difference. A rule of a PEG is found by the name of the production that it transcribes, too.
func (n *Opened) Lookup(name string) (*expr.Rule, error) {
	r, err := n.Grammar.Lookup(name)
	switch {
	case err == nil:
		return r, nil
	case n.Grammar.Ordered:
		if r := n.Grammar.Rule(peg.Ident(name)); r != nil {
			return r, nil
		}
		same := slices.DeleteFunc(slices.Clone(n.Grammar.Rules), func(r *expr.Rule) bool { return !SameName(r.ID, name) })
		switch {
		case len(same) == 1:
			return same[0], nil
		case len(same) > 1:
			return nil, fmt.Errorf("%s: %q can be the rule %s (%s) or %s (%s)", n.File, name, same[0].ID, same[0].Pos, same[1].ID, same[1].Pos)
		}
		err = fmt.Errorf("%s has no rule %q", n.File, name)
	case n.File != "":
		err = fmt.Errorf("%s has no production %q", n.File, name)
	}
	unknown := &UnknownError{Err: err, Name: name}
	for _, r := range n.Grammar.Rules {
		unknown.Known = append(unknown.Known, r.ID)
	}
	return nil, unknown
}

// An UnknownError is that a grammar has no production of a name.
type UnknownError struct {
	Err   error
	Name  string
	Known []string // the IDs that there are
}

func (e *UnknownError) Error() string { return e.Err.Error() }
func (e *UnknownError) Unwrap() error { return e.Err }

// Language returns what [Opened.Start] derives.
func (n *Opened) Language() (Language, error) {
	r, err := n.Start()
	switch {
	case err != nil:
		return Language{}, err
	case n.Built != nil:
		return n.Built.Language(r.ID), nil
	}
	l := Language{Grammar: n.Within, Production: r.ID, Reading: n.ReadTo(r.ID), File: true}
	if l.Reading != "" {
		l.Deeper = func(w string) bool { return n.derives(r, w) }
	}
	return l, nil
}

// derives reports whether r derives, or matches, all of w. It is false where that takes too much memory.
func (n *Opened) derives(r *expr.Rule, w string) bool {
	if n.Grammar.Ordered {
		end, _ := peg.Match(n.Grammar, expr.To(r.ID), w, 0)
		return end == len(w)
	}
	d, err := interpreter.New(n.Grammar, r.ID, func(string) bool { return false })
	if err != nil {
		return false
	}
	yes, err := d.Accepts(w)
	return yes && err == nil
}

// Automaton returns the minimal automaton of what the production r derives, or what the rule r of a PEG matches. The error is
// that it is not regular and no depth was asked for, or too large.
func (n *Opened) Automaton(r *expr.Rule) (*lang.DFA, error) {
	if n.Grammar.Ordered {
		return lang.FromPEG(n.Within, r.ID)
	}
	return lang.FromBNF(n.Within, r.ID)
}

// Unused returns the productions that no other production uses, in their order. What was supplied for a name that the file
// uses, such as the core rules of ABNF, is used.
func Unused(g *expr.Grammar) (list []*expr.Rule) {
	used := map[string]bool{}
	for _, r := range g.Rules {
		for _, id := range expr.Refs(r.Expr) {
			used[id] = used[id] || id != r.ID
		}
	}
	for _, r := range g.Rules {
		if !used[r.ID] {
			list = append(list, r)
		}
	}
	return list
}

func oneOf(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
