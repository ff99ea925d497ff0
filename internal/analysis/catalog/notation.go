package catalog

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// A Kind names the notation of the grammar in a file.
type Kind string

// The kinds.
const (
	ABNF   Kind = "abnf"      // RFC 5234 and RFC 7405
	BNF    Kind = "bnf"       // a grammar file of package bnf, which names its notation
	Pigeon Kind = "peg"       // pigeon's notation for PEGs
	Peggy  Kind = "peggy"     // peggy's, and PEG.js's
	RFC    Kind = "rfc"       // the text of an RFC, with ABNF in it
	Naur   Kind = "plain-bnf" // BNF with names in angle brackets
	ISO    Kind = "iso-ebnf"  // ISO/IEC 14977
	RBNF   Kind = "rbnf"      // RFC 5511
	GBNF   Kind = "gbnf"      // llama.cpp's
	EBNF   Kind = "ebnf"      // the notation of W3C's specifications, also a page of HTML with productions in it

	Regexp Kind = "regexp" // a regular expression, which is no notation of files
)

// A Notation is one way of writing the grammar in a file.
type Notation struct {
	Kind    Kind
	Name    string   // for people
	Endings []string // endings of the names of such files
	About   string   // what such a file holds

	read func(file string, src []byte, o Options) (*bnf.Document, error)

	// signs match signs of this notation in a text that may be taken for another one. It is nil if it is enough that
	// the text can be read.
	signs *regexp.Regexp

	// also are endings of another notation that files of this one have too. Signs tell the two apart.
	also []string
}

// Notations lists the notations; a new one is a row. If several have an ending, the first whose signs are in a text
// is tried first.
var Notations = []Notation{
	{
		Kind: ABNF, Name: "ABNF", Endings: []string{".abnf"},
		About: "ABNF, by RFC 5234 and RFC 7405",
		read:  readABNF,
		also:  []string{".bnf"},
	},
	{
		Kind: BNF, Name: "BNF", Endings: []string{".bnf"},
		About: `a BNF that the first line names: "@ notation rfc1630", "rfc822" or "abnf"`,
		read:  readIn(""),
		signs: regexp.MustCompile(`(?m)^@ `),
	},
	{
		Kind: Pigeon, Name: "PEG (pigeon)", Endings: []string{".peg"},
		About: "a PEG in pigeon's notation",
		read: func(file string, src []byte, o Options) (*bnf.Document, error) {
			g, err := o.PEG.Read(file, src)
			return &bnf.Document{Grammar: g}, err
		},
		signs: regexp.MustCompile(`<-|←`),
		also:  []string{".bnf", ".ebnf"},
	},
	{
		Kind: Peggy, Name: "PEG (peggy)", Endings: []string{".peggy", ".pegjs"},
		About: "a PEG in peggy's notation",
		read: func(file string, src []byte, o Options) (*bnf.Document, error) {
			g, err := o.PEG.ReadPeggy(file, src)
			return &bnf.Document{Grammar: g}, err
		},
		signs: regexp.MustCompile(`[\w\])"'][*+?](?:\s|$)`),
	},
	{
		Kind: RFC, Name: "RFC text", Endings: []string{".txt", ".xml", ".md"},
		About: "the text of an RFC, its source for xml2rfc or Markdown, with ABNF in it",
		read:  readText,
	},
	{
		Kind: GBNF, Name: "GBNF", Endings: []string{".gbnf"},
		About: "llama.cpp's GBNF",
		read:  readIn(bnf.GBNF),
		signs: regexp.MustCompile(`(?m)^root[ \t]*::=`),
		also:  []string{".bnf", ".ebnf"},
	},
	{
		Kind: RBNF, Name: "RBNF", Endings: []string{".rbnf"},
		About: "Routing BNF, by RFC 5511",
		read:  readIn(bnf.RBNF),
		signs: regexp.MustCompile(`(?s)<[^<>\n]+>\s*::=.*[>)\]][ \t]*\.\.\.`),
		also:  []string{".bnf"},
	},
	{
		Kind: Naur, Name: "plain BNF",
		About: "BNF with names in angle brackets, as in .bnf files without a first line that names another",
		read:  readIn(bnf.Naur),
		signs: regexp.MustCompile(`(?m)^[ \t]*(?:\[?[0-9]+[\].)]?[ \t]+)?<[^<>\n]+>\s*(?:::=|:=|=|->|→|⇒)`),
		also:  []string{".bnf", ".ebnf"},
	},
	{
		Kind: EBNF, Name: "W3C EBNF", Endings: []string{".ebnf", ".html", ".htm"},
		About: "the EBNF of W3C's specifications, also in a page of HTML",
		read:  readEBNF,
		signs: regexp.MustCompile(`::=`),
		also:  []string{".bnf"},
	},
	{
		Kind: ISO, Name: "ISO EBNF",
		About: "the EBNF of ISO/IEC 14977, as in .ebnf files that define with \"=\"",
		read:  readIn(bnf.ISO),
		signs: regexp.MustCompile(`(?m)^[ \t]*[A-Za-z_][\w \t-]*[ \t\r\n]*(?:=|:|->|→|⇒|<-|←)`),
		also:  []string{".ebnf", ".bnf"},
	},
}

// sharing are the notations, other than PEGs, that share an ending with others and have signs.
var sharing []Notation

func init() { // a reader of the table uses it
	for _, n := range Notations {
		if n.also != nil && n.signs != nil && !n.Kind.IsPEG() {
			sharing = append(sharing, n)
		}
	}
}

// readIn returns the reader of a notation of package bnf.
func readIn(notation string) func(file string, src []byte, o Options) (*bnf.Document, error) {
	return func(file string, src []byte, o Options) (*bnf.Document, error) {
		return bnf.ReadDocument(file, src, notation, o.Notation)
	}
}

// readText reads the text of a specification, or the document that it is made from: the blocks that are marked as a
// notation other than ABNF; or else as GBNF, if the text has its signs and can be read so; or else as ABNF. A text
// that ABNF cannot read goes to [readOtherwise]. So does one that it can read, which may be in part only, unless
// o.Kind is RFC or the text begins with prose.
func readText(file string, src []byte, o Options) (*bnf.Document, error) {
	if marked := bnf.MarkedAs(file, src); marked != "" && marked != bnf.ABNF {
		return bnf.ReadDocument(file, src, marked, o.Notation)
	}
	if bnf.HasGBNF(src) { // ABNF reads the sign of GBNF too
		if d, err := bnf.ReadDocument(file, src, bnf.GBNF, o.Notation); err == nil {
			return d, nil
		}
	}
	o.Notation.Text = o.Kind == RFC // a person has said so; otherwise the reader finds out
	d, err := readABNF(file, src, o)
	if err != nil && !o.Notation.Text { // a text that does not look like one
		o.Notation.Text = true
		found, inText := readABNF(file, src, o)
		if inText == nil {
			d, err = found, nil
		} else if e, ok := errors.AsType[*expr.Error](inText); ok && e.Empty {
			err = e
		}
	}
	if err == nil && (o.Kind == RFC || beginsWithProse(src)) {
		return d, nil
	}
	return readOtherwise(file, src, o, d, err)
}

// readOtherwise tries the other notations of BNFs whose signs a text has. d and err are the results of the reader of
// ABNF. If that failed, the first notation that can be read is chosen. If it read a part, a notation is chosen that
// leaves nothing out and finds more productions. If none is chosen, readOtherwise returns d, and the error of the
// reader that came furthest. For a text in a notation that is not read, or a PEG, it also returns d and err, for
// [explainMisreading] to name it.
func readOtherwise(file string, src []byte, o Options, d *bnf.Document, err error) (*bnf.Document, error) {
	for _, n := range sharing {
		if !n.signs.Match(src) {
			continue
		}
		found, other := n.read(file, src, o)
		if other != nil {
			if err != nil && understandsMore(other, err) {
				err = other
			}
			continue
		}
		if err == nil && !readsMore(found, d) {
			continue
		}
		// These are looked for only now, since that takes longer than most readings.
		if foreignNotationOf("", src) != nil || arrow.Match(src) {
			return d, err
		}
		return found, nil
	}
	return d, err
}

// readsMore reports whether another reading of a text leaves nothing out, and finds more productions than d has.
func readsMore(other, d *bnf.Document) bool {
	return !leavesOut(other) && len(other.Grammar.Rules) > len(d.Grammar.Rules)
}

// beginsWithProse reports whether a text begins with prose: whether its first line with words is no comment, and
// neither that line nor the next has a sign that defines or encloses a name. It is true for a blank text. No notation
// reads all of such a text, and to look for signs in it would take as long as to look for ABNF.
func beginsWithProse(src []byte) bool {
	first := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\uFEFF")), " \t\r\n\f")
	for _, comment := range []string{"#", ";", "//", "--", "(*", "/*", "!"} {
		if bytes.HasPrefix(first, []byte(comment)) {
			return false
		}
	}
	line, rest, _ := bytes.Cut(first, []byte("\n"))
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	opens := bytes.HasPrefix(bytes.TrimLeft(next, " \t"), []byte(":")) // the name is alone on the first line
	return !bytes.ContainsAny(line, "=:→←<>") && !bytes.ContainsAny(next, "=→←<>") && !opens
}

// leavesOut reports whether a part of a document looks like grammar and is not read.
func leavesOut(d *bnf.Document) bool {
	return slices.ContainsFunc(d.Notices, func(n bnf.Notice) bool { return n.LeftOut })
}

// readEBNF reads a file of EBNF, or a document with productions of EBNF. If o.Kind is not set, a document with blocks
// that are marked as ABNF is read as ABNF, and so is a page of HTML that has no production of EBNF. If that fails
// too, the error is that of EBNF. If brackets seem to hold optional parts and not characters, or if something is left
// out, the document is read as ISO 14977's EBNF, as long as all of it can be.
func readEBNF(file string, src []byte, o Options) (*bnf.Document, error) {
	if o.Kind == "" && bnf.MarkedAs(file, src) == bnf.ABNF {
		return readABNF(file, src, o)
	}
	d, err := bnf.ReadDocument(file, src, bnf.EBNF, o.Notation)
	if err != nil && o.Kind == "" && !bnf.HasEBNF(src) && bnf.IsPage(file, src) {
		if d, err := readABNF(file, src, o); err == nil {
			return d, nil
		}
	}
	doubtful := func(n bnf.Notice) bool { return n.Doubtful || n.LeftOut }
	if err != nil || o.Kind != "" || !slices.ContainsFunc(d.Notices, doubtful) {
		return d, err
	}
	other, inISO := bnf.ReadDocument(file, src, bnf.ISO, o.Notation)
	if inISO != nil || leavesOut(other) || len(other.Grammar.Rules) < len(d.Grammar.Rules) {
		return d, nil
	}
	return other, nil
}

// readABNF reads a file of ABNF, or the text of an RFC with ABNF in it: see [bnf.Notation].
func readABNF(file string, src []byte, o Options) (*bnf.Document, error) {
	return bnf.ReadDocument(file, src, bnf.ABNF, o.Notation)
}

// Endings lists the endings that tell the kind of a file, such as ".abnf".
func Endings() (list []string) {
	for _, n := range Notations {
		list = append(list, n.Endings...)
	}
	return list
}

// KindOf returns the kind that the ending of a file's name tells; ok is false if it tells none.
func KindOf(file string) (kind Kind, ok bool) {
	ending := strings.ToLower(path.Ext(filepath.ToSlash(file)))
	for _, n := range Notations {
		if slices.Contains(n.Endings, ending) {
			return n.Kind, true
		}
	}
	return "", false
}

// IsPEG reports whether files of the kind hold PEGs.
func (k Kind) IsPEG() bool { return k == Pigeon || k == Peggy }

// Read reads the text of a file with a grammar, in the kind of the options, or else the one that the file's name
// tells. If the name tells none, or several notations share its ending, it tries several, in the order of rowsFor. If
// none can read the text, the error is that of the notation that came furthest, and also says what the text is if
// that is recognized. An error in the text is an [*expr.Error], or several joined.
func Read(file string, text []byte, o Options) (*Opened, error) {
	shown := layout.Printable(file)
	if file == "-" {
		shown = "standard input"
	}
	kind, told := o.Kind, true
	if kind == "" {
		kind, told = KindOf(file)
	}
	rows := rowsFor(file, text, told, o)
	switch {
	case len(rows) == 0 && told:
		return nil, fmt.Errorf("no kind %q of grammar", kind)
	case len(rows) == 0:
		return nil, unknownKindError(shown, text)
	}
	triesISO := slices.ContainsFunc(rows, func(n Notation) bool { return n.Kind == ISO })
	if o.Kind == "" && triesISO && isPest(text) {
		return nil, pest.error(shown)
	}
	var d *bnf.Document
	var err error
	for i, row := range rows {
		var other error
		d, other = row.read(shown, text, o)
		_, inFile := errors.AsType[*expr.Error](other)
		if i == 0 || other == nil || inFile && understandsMore(other, err) {
			kind, err = row.Kind, other
		}
		if other == nil || !inFile {
			break
		}
	}
	if err != nil {
		return nil, explainMisreading(err, shown, kind, text, o)
	}
	for _, r := range d.Grammar.Rules {
		r.Name = cmp.Or(r.Name, r.ID) // a rule of a PEG has none
	}
	on := slices.DeleteFunc(slices.Clone(o.Notation.Readings), func(r bnf.Reading) bool { return !r.On })
	switch {
	case kind == EBNF && d.Grammar.Notation == bnf.ABNF:
		kind = RFC
	case d.Grammar.Notation == bnf.ISO && kind != RFC:
		kind = ISO
	}
	return &Opened{
		Grammar: d.Grammar, Within: d.Grammar, Kind: kind, File: shown, Text: text, Included: d.Included,
		Notices: d.Notices, Blocks: d.Blocks, Source: d.Text, Readings: on, terminals: d.Terminals,
	}, nil
}

// understandsMore reports whether the reader with the error one came further in a text than the reader with the error
// other: whether its first error is in a later line. An error without a place comes before all.
func understandsMore(one, other error) bool { return firstLine(one) > firstLine(other) }

// firstLine returns the first line that an error, or any that it joins, is about, or 0 for an error without a place.
func firstLine(err error) (first int) {
	for _, e := range expr.Errors(err) {
		if first == 0 || e.Pos.Line < first {
			first = e.Pos.Line
		}
	}
	return first
}

// rowsFor returns the notations that a file may be in, in the order in which they are tried: that of the options, or
// else those with its ending, beginning with those whose signs the text has, each in the order of the table. If the
// name tells nothing, told is false. Then these are the notations that share endings (see Notation.also) and whose
// signs it has. ISO 14977 and PEGs are left out, whose signs are in many texts, and there are none for a text that is
// recognized as something else.
func rowsFor(file string, text []byte, told bool, o Options) (rows []Notation) {
	if o.Kind != "" {
		return slices.DeleteFunc(slices.Clone(Notations), func(n Notation) bool { return n.Kind != o.Kind })
	}
	if !told && (foreignContent(text) != "" || foreignNotationOf(file, text) != nil) {
		return nil
	}
	ending := strings.ToLower(path.Ext(filepath.ToSlash(file)))
	var own, others []Notation
	for _, n := range Notations {
		switch signed := n.signs != nil && n.signs.Match(text); {
		case !told && (n.also == nil || !signed || n.Kind == ISO || n.Kind.IsPEG()): // see above
		case signed && (!told || slices.Contains(n.Endings, ending) || slices.Contains(n.also, ending)):
			rows = append(rows, n)
		case slices.Contains(n.Endings, ending):
			own = append(own, n)
		case slices.Contains(n.also, ending):
			others = append(others, n)
		}
	}
	return slices.Concat(rows, own, others)
}

// Likely returns the kind that [Read] tries first for a text, or "" if it tries none. It looks at the file's name and
// at signs in the text, and reads nothing.
func Likely(file string, text []byte, o Options) Kind {
	_, told := KindOf(file)
	if rows := rowsFor(file, text, told, o); len(rows) > 0 {
		return rows[0].Kind
	}
	return ""
}

// KindOfText returns the kind of the options, if they have one, without reading the text. Otherwise it calls [Read],
// and returns the kind in which that reads the text or, if it fails, the one that the file's name tells, or else the
// one that [Seen] returns.
func KindOfText(file string, text []byte, o Options) Kind {
	if o.Kind != "" {
		return o.Kind
	}
	if opened, err := Read(file, text, o); err == nil {
		return opened.Kind
	}
	if kind, told := KindOf(file); told {
		return kind
	}
	return Seen(text)
}

// endingsInWords lists the endings that tell the kind of a file.
func endingsInWords() string { return layout.List(Endings(), "or") }

// Seen returns the kind of a text without a name, by its signs: EBNF or pigeon's PEG by the sign that defines
// productions, and otherwise ABNF. The reader of ABNF finds out whether it is in the text of an RFC.
func Seen(text []byte) Kind {
	switch {
	case bnf.HasEBNF(text):
		return EBNF
	case arrow.Match(text):
		return Pigeon
	}
	return ABNF
}

// arrow matches the beginning of a rule of pigeon.
var arrow = regexp.MustCompile(`(?m)^[ \t]*[A-Za-z_]\w*[ \t]*(?:"[^"\n]*"[ \t]*)?(?:<-|←)`)

// explainMisreading returns the error for a text that could not be read as one kind. If the text is recognized as
// something else, the error says what it is, or which kind would read it. Errors that do not concern the notation
// stay as they are.
func explainMisreading(err error, file string, kind Kind, text []byte, o Options) error {
	if e, inFile := errors.AsType[*expr.Error](err); !inFile || e.Refused {
		return err
	}
	if what := foreignContent(text); what != "" && (kind != EBNF || what != html) {
		return expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1}, "this is %s, and no grammar", what)
	}
	if n := foreignNotationOf(file, text); n != nil {
		return n.error(file)
	}
	for _, n := range Notations {
		if !n.mayBeInsteadOf(kind, file, text) {
			continue
		}
		if _, other := n.read(file, text, o); other == nil {
			named := "choose"
			if len(n.Endings) > 0 {
				named = "end the name in " + n.Endings[0] + ", or choose"
			}
			return fmt.Errorf("%w; it can be read as %s: %s with --kind %s", err, n.About, named, n.Kind)
		}
	}
	return err
}

// mayBeInsteadOf reports whether it is worth trying to read a text in the notation n, after it could not be read as
// kind.
func (n Notation) mayBeInsteadOf(kind Kind, file string, text []byte) bool {
	switch {
	case n.Kind == kind, n.Kind == RFC, n.Kind == ABNF && kind == RFC:
		return false // tried already, or a text that only may have ABNF in it
	case n.Kind == ABNF && kind == Peggy: // they share "=", so an error in a text of peggy does not suggest ABNF
		return false
	case n.signs != nil && !n.signs.Match(text):
		return false
	}
	// ISO 14977 shares its sign with ABNF, so that a file that is named as ABNF is not taken for it.
	_, told := KindOf(file)
	return n.Kind != ISO || !told || slices.Contains(n.also, path.Ext(file))
}

// isNamedByReaders reports whether the readers of grammars have a message of their own for a text, as they have for
// PDF.
func isNamedByReaders(text []byte) bool { return bytes.HasPrefix(text, []byte("%PDF-")) }

// ReadFile reads all of a file that is text: a file of a revision if the options name one, or the standard input of
// the options for "-". It is for files that hold no grammar, or are not read as one; [Open] reads grammars. Every
// error is an [*fs.PathError], also one about a folder, an archive or a text in UTF-16 or UTF-32, with one exception:
// a file of more than o.Notation.MaxSize bytes is a [*bnf.SizeError], and the text is then cut off.
func ReadFile(file string, o Options) ([]byte, error) {
	in := o.Stdin
	switch {
	case o.Revision != "":
		text, err := readAtRevision(o.Revision, file, max(o.Notation.MaxSize, bnf.DefaultMaxSize))
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(text)
	case file != "-":
		f, err := infile.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("a folder, and no grammar")}
		}
		in = f
	}
	text, err := o.Notation.ReadAll(file, cmp.Or[io.Reader](in, strings.NewReader("")))
	if err != nil {
		_, tooLarge := errors.AsType[*bnf.SizeError](err)
		_, hasPath := errors.AsType[*fs.PathError](err)
		if !tooLarge && !hasPath {
			err = &fs.PathError{Op: "read", Path: file, Err: err}
		}
		return text, err
	}
	if foreign := infile.Foreign(text); foreign != nil && !isNamedByReaders(text) {
		return nil, &fs.PathError{Op: "read", Path: file, Err: foreign}
	}
	return text, nil
}

// Options control how a grammar is opened. They are passed on to the readers; most callers start from [Usual].
type Options struct {
	// Kind is the kind of every file. "" leaves it to the endings of their names.
	Kind Kind

	// Version is the choice of readings for the grammars that are built in.
	Version Version

	Notation bnf.Notation // how BNF is read
	PEG      peg.Options  // how PEGs are read

	// Tokens: files in W3C's EBNF are grammars of tokens: see package tokens.
	Tokens bool

	// Nesting is the depth to which automata follow recursions of a file that nest: see [expr.Nesting]. nil stands
	// for no depth.
	Nesting *int

	// Revision is the revision of git that files are read from; "" for the files as they are.
	Revision string

	// Match tells which strings a regular expression stands for.
	Match regex.Match

	// Unicode has the tables of the engine of a regular expression; nil for those that the flavor's engine has.
	Unicode *runes.Unicode

	// Stdin is the text that the name "-" stands for; it is read once. nil is an empty file.
	Stdin io.Reader
}

// Usual reads files as every implementation of their notation does.
var Usual = Options{Notation: bnf.Usual}
