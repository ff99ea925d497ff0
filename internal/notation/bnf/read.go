package bnf

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Notation settles how the places of a notation are read that have more than one reading. The zero Notation is
// literal.
type Notation struct {
	// RepeatBracketsGroup: brackets after a repeat count only group, 1*[ x ] is one x or more. Otherwise they mean
	// "optional" there too, and 1*[ x ] derives the empty word. (rfc822)
	RepeatBracketsGroup bool
	// BareSlashLiteral: a slash without quotes is the literal "/". Otherwise it is an error. (rfc822)
	BareSlashLiteral bool
	// FoldLiterals: the letters of a literal match either case. (not abnf, where the text itself decides)
	FoldLiterals bool
	// Instead holds productions, by name, whose line has no meaning in the notation, and what is read for it.
	Instead map[string]Replacement
	// Readings are a ledger for the document: what it replaces while it is on is read instead, or supplied.
	Readings []Reading
	// Define supplies right-hand sides for names that no production has and for productions whose own is prose. A name
	// that has a production, that is a core rule of ABNF or that nothing uses is an error.
	Define []Replacement

	// ProseNames: a name in angle brackets is that production, and other prose a name that nothing defines. Otherwise
	// prose is an error, which a ledger of readings settles. (abnf)
	ProseNames bool
	// Values decides what a value stands for. (not rfc822 and rfc1630, where it is an octet)
	Values Values
	// Lists decides what 1#element means. (abnf)
	Lists Lists
	// Imports supply names that the document does not define. (abnf)
	Imports []Import
	// StandardNames: a name that neither the document nor an import defines is looked up in the RFCs that are built in.
	// (abnf)
	StandardNames bool
	// DefineMissing: names and prose that are still undefined then get a stand-in: see [StandIn]. (abnf)
	DefineMissing bool
	// Lines are the lines of the document that are read. Without any all are, in the text of an RFC those of ABNF.
	// (not rfc822 and rfc1630, which are read as a whole)
	Lines Lines
	// Text reports that the document is the text of an RFC, even if it does not look like one. (abnf)
	Text bool
	// Tokens: what the document says about its terminals is read: see [Terminals]. (ebnf)
	Tokens bool
	// Pass says what may stand between terminals where Tokens is set; "" leaves that to the document. (ebnf)
	Pass string
	// Keywords is which quoted strings match either case where Tokens is set. (ebnf)
	Keywords Keywords
	// Include reads a file that the document includes, by its name there. nil reads none.
	Include func(name string) ([]byte, error)
	// MaxSize is how many bytes a document may have; 0 is [DefaultMaxSize].
	MaxSize int
	// Budget caps the steps and the memory of computing with the grammar; nil is no cap.
	Budget *budget.Budget
}

// Usual is the reading of every implementation.
var Usual = Notation{RepeatBracketsGroup: true, BareSlashLiteral: true, ProseNames: true}

// A reading is a [Notation] together with the state of the document that is read with it.
type reading struct {
	Notation
	codePoints bool // values are code points
	document   *document
	from       *origins // of the text that is taken apart; nil for a text that is its file
	state      *state   // of the document; nil for a text that is not part of it
}

// A state collects facts about a document while it is read.
type state struct {
	detect     bool   // a value above 255 sets wide, instead of being refused
	wide       bool   // a value above 255 was found
	copied     int    // see maxCopied
	text       string // the document as it was given
	notes      notes
	quotes     bool            // a document in [Naur] quotes its terminals
	classes    bool            // such a document has classes of characters in brackets
	naur       styleNaur       // which signs such a document has
	names      map[string]bool // of the productions of a document in [EBNF]
	iso        *styleISO       // how a document in [ISO] is written
	unreadable map[string]bool // names, in lower case, of productions that could not be read
}

// markUnreadable records that a production of this name cannot be read, so that it is not taken from another document
// instead.
func (s *state) markUnreadable(name string) {
	if s.unreadable == nil {
		s.unreadable = map[string]bool{}
	}
	s.unreadable[strings.ToLower(name)] = true
}

// noteCandidateUnreadable is markUnreadable for a candidate in a text, with a notice that names its lines and c.err,
// which must be set.
func (s *state) noteCandidateUnreadable(c *candidate) {
	s.markUnreadable(c.name)
	first, last := c.printed.at(0), c.printed.at(len(c.printed.text))
	is := "are"
	if first.Line == last.Line {
		is = "is"
	}
	s.notes.single = append(s.notes.single, Notice{Pos: first, LeftOut: true,
		Message: fmt.Sprintf("%s like a production of `%s`, and %s left out: %v", linesLook(first.Line, last.Line),
			c.name, is, c.err)})
}

// detects reports whether a value above 255 is only recorded for now: the document is then read again, with code
// points.
func (r reading) detects() bool { return r.state != nil && r.state.detect }

// note returns the collector of notices. It is nil, which collects none, for a text outside the document.
func (r reading) note() *notes {
	if r.state == nil {
		return nil
	}
	return &r.state.notes
}

// outsideDocument returns r for a text that is not part of the document, so that its places and notices are not the
// document's.
func (r reading) outsideDocument() reading {
	r.state = nil
	r.from = nil
	return r
}

// The notations, by the name that grammar files have for them.
const (
	RFC1630 = "rfc1630"
	RFC822  = "rfc822"
	ABNF    = "abnf"
)

// A notation is one way of writing productions.
type notation struct {
	// production reads a production; its references hold the printed names. With an error it returns the name, and in
	// ABNF adds, as far as they are known, and nothing else.
	production func(printed, reading) (production, error)
	// right reads only a right-hand side.
	right func(printed, reading) (*expr.Expr, error)
	// split takes a document apart; nil for notations whose productions begin at lines, which [split] knows.
	split func(file string, lines []string, n reading) (*outline, error)
	// settle completes the rules of a grammar whose references are resolved; nil for notations that need nothing.
	settle func(*expr.Grammar, *notes)
	// foldNames: names are the same in either case.
	foldNames bool
	// inDocuments: productions may stand in a document in Markdown, XML or HTML. split, if it is there, gets the text
	// of its blocks.
	inDocuments bool
	// codePoints: values are code points unless [Notation.Values] says otherwise. octets: they never are.
	codePoints, octets bool
}

// A production is a printed production that has been read.
type production struct {
	name  string
	adds  bool // to another production of the same name: =/
	right *expr.Expr
}

var notations = map[string]notation{
	RFC1630: {production: readProduction1630, right: readRight1630, octets: true},
	RFC822:  {production: readProduction822, right: readRight822, foldNames: true, octets: true},
	ABNF:    {production: readProductionABNF, right: readRightABNF, foldNames: true, inDocuments: true},
}

// read reads a printed production. If [Notation.Instead] has a text for its name, it reads that text instead, under
// the printed name and as a definition, whatever the sign is. It fails if what it reads is not in the notation.
func (how notation) read(p printed, n reading) (production, error) {
	words := strings.Fields(p.text)
	if len(n.Instead) == 0 || len(words) == 0 {
		return how.production(p, n)
	}
	name, _, _ := strings.Cut(words[0], "=")
	name = strings.Trim(name, "<>")
	instead, ok := how.insteadOf(name, n)
	if !ok {
		return how.production(p, n)
	}
	e, err := how.right(printed{text: instead.Text, pos: instead.Pos}, n.outsideDocument())
	return production{name: name, right: e}, err
}

// insteadOf returns the text that [Notation.Instead] has for a name, or else, where case does not matter, for another
// spelling of it; of several, the one that sorts first. ok is false if it has none.
func (how notation) insteadOf(name string, n reading) (instead Replacement, ok bool) {
	if instead, ok = n.Instead[name]; ok || !how.foldNames {
		return instead, ok
	}
	for _, other := range slices.Sorted(maps.Keys(n.Instead)) {
		if strings.EqualFold(other, name) {
			return n.Instead[other], true
		}
	}
	return instead, false
}

// A Document is a grammar, and how it stands in the text that it was read from.
type Document struct {
	Grammar *expr.Grammar

	// Blocks are the parts of the text that hold productions, in their order; one for a document that is ABNF
	// throughout.
	Blocks []Block

	// Notices are remarks for the reader of the document, in the order of its lines. Those about files that it includes
	// or imports come after them.
	Notices []Notice

	// Terminals says what the document declares about its terminals, where [Notation.Tokens] is set; nil for others.
	Terminals *Terminals

	// Text is the text of the productions, if all of that is ABNF; nil otherwise.
	Text *Text

	// Included has the texts of the files that the document includes, by their names in places. It is nil in a notation
	// that is not read in documents.
	Included map[string][]byte
}

// ReadWith reads a grammar file, which names its notation. It fails as [ReadDocument] does. A name that is defined
// twice is an error, with both places; one that is not defined is a matter for package lint.
func ReadWith(file string, src []byte, n Notation) (*expr.Grammar, error) {
	return grammarOf(ReadDocument(file, src, "", n))
}

// ReadABNF reads plain ABNF (RFC 5234, RFC 7405), or the text of an RFC with ABNF in it; lines that start with "@"
// are allowed. The grammar is named after the file.
func ReadABNF(file string, src []byte) (*expr.Grammar, error) { return ReadABNFWith(file, src, Usual) }

// ReadABNFWith is [ReadABNF] under any reading of the notation.
func ReadABNFWith(file string, src []byte, n Notation) (*expr.Grammar, error) {
	return grammarOf(ReadDocument(file, src, ABNF, n))
}

// grammarOf returns the grammar of a document, or the error.
func grammarOf(d *Document, err error) (*expr.Grammar, error) {
	if err != nil {
		return nil, err
	}
	return d.Grammar, nil
}

// DefaultMaxSize is how many bytes of a document are read where [Notation.MaxSize] is 0: three times the longest RFC.
const DefaultMaxSize = 4 << 20

// maxSize returns MaxSize, or its default.
func (n Notation) maxSize() int { return cmp.Or(n.MaxSize, DefaultMaxSize) }

// bytesPerProduction caps the productions of a document: one for each 80 bytes that it may have, some 50,000 with the
// default size. Work on a production takes a few kilobytes of memory, however short its text is.
const bytesPerProduction = 80

// A SizeError is the error that a document is larger than [Notation.MaxSize], or has more productions than one for each
// 80 bytes that it may have.
type SizeError struct {
	File string
	Max  int
	Unit string // "bytes" or "productions"
}

// Error returns the limit.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%s has more than %d %s, the most that is read of a grammar; "+
		"--max-grammar-size raises the limit",
		e.File, e.Max, e.Unit)
}

// ReadAll reads a document from r, up to one byte beyond [Notation.MaxSize]. It fails with the error of r, together
// with what was read, or with a [*SizeError] and nothing if the document is larger.
func (n Notation) ReadAll(file string, r io.Reader) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(r, int64(n.maxSize())+1))
	if err == nil && len(src) > n.maxSize() {
		return nil, &SizeError{file, n.maxSize(), "bytes"}
	}
	return src, err
}

// ReadDocument reads a document in a notation that the package knows, such as [ABNF] or [EBNF], or "" for a file that
// names its own. It needs time and memory in proportion to src, which is limited. With AutoValues, a document that has
// a value above 255 is read a second time, with code points; its notices are those of that time. An error is a
// [*SizeError], or an [*expr.Error], which has the place and what was expected there, or several of these joined.
// There is no Document then.
func ReadDocument(file string, src []byte, notation string, n Notation) (*Document, error) {
	if len(src) > n.maxSize() {
		return nil, &SizeError{file, n.maxSize(), "bytes"}
	}
	lines, err := linesOf(file, src)
	if err != nil {
		return nil, err
	}
	if n.Instead, err = n.replacedTexts(); err != nil {
		return nil, err
	}
	points := n.Values == CodePoints || n.Values == AutoValues && notations[notation].codePoints
	r := reading{Notation: n, codePoints: points, state: &state{detect: n.Values == AutoValues, text: string(src)}}
	if notations[notation].inDocuments {
		if r.document, err = documentOf(file, strings.Join(lines, "\n"), r); err != nil {
			return nil, err
		}
	}
	l, err := takeApart(file, lines, notation, r)
	if err != nil {
		return nil, err
	}
	d, err := readLayout(file, l, r)
	// The values read so far were taken for octets, so read again with code points. Even an error may be due to that,
	// unless they were taken for code points already.
	if r.state.wide && (err == nil || r.detects()) {
		r.codePoints, r.state = true, &state{text: r.state.text}
		d = nil
		if l, err = takeApart(file, lines, notation, r); err == nil {
			d, err = readLayout(file, l, r)
		}
	}
	if err == nil && r.document != nil {
		d.Included = map[string][]byte{}
		for name, f := range r.document.included {
			d.Included[name] = []byte(f.text)
		}
	}
	return d, err
}

// readLayout makes the grammar of a document from its productions: it reads each, applies the readings, settles IDs
// and references, and supplies what names without a production stand for. The order of the steps matters: supplied
// rules can be referred to, and IDs must be known before imports are joined. n must have a state, which gets the
// notices of the document. Without a name in l the grammar is named after the file, and without a title its name is
// the title.
//
// The error joins the errors of all productions that cannot be read, or is that of a later step; there is no Document
// then. A refused production is no error, unless all are refused: Refused is set in its rule. But it is one if it has
// no name, adds to another with "=/", or is prose that Define has nothing for. No production, or too many, is an error
// as well.
func readLayout(file string, l *outline, n reading) (*Document, error) {
	g := &expr.Grammar{Name: l.name, Title: l.title, File: file, Notation: l.notation, Budget: n.Budget}
	how := notations[l.notation]
	g.CodePoints, g.FoldNames = n.codePoints && !how.octets, how.foldNames
	g.Name = cmp.Or(g.Name, strings.TrimSuffix(path.Base(file), path.Ext(file)))
	g.Title = cmp.Or(g.Title, g.Name)
	if len(l.productions) == 0 {
		binary := strings.Contains(n.state.text, "\x00")
		return nil, &expr.Error{
			Pos: expr.Pos{File: file, Line: 1, Col: 1}, Message: "no production", Empty: l.inText && !binary,
		}
	}
	if most := n.maxSize()/bytesPerProduction + 10; len(l.productions) > most {
		return nil, &SizeError{file, most, "productions"}
	}
	c := &collector{
		grammar: g, how: how, scope: newScope(g), parts: map[*expr.Rule]*part{},
		pieces: map[*expr.Rule]*pieces{}, standIns: map[*expr.Rule]bool{}, unread: map[string]*expr.Error{},
		note: n.note(),
	}
	if err := c.definitions(n.outsideDocument()); err != nil {
		return nil, err
	}
	var wrong []error
	for _, p := range l.productions {
		if err := c.take(p, n); err != nil {
			wrong = append(wrong, err) // go on, so that the reader of the errors sees them all
		}
	}
	if len(wrong) > 0 {
		return nil, joinErrors(wrong)
	}
	if len(c.unread) == len(g.Rules) && len(c.unread) > 0 {
		return nil, c.allRefused()
	}
	if err := c.supplyReplaced(n); err != nil {
		return nil, err
	}
	if err := c.finish(n.Imports); err != nil {
		return nil, err
	}
	// Until here references hold printed names. A supplied rule belongs to no part, so its names are looked up in all.
	for _, r := range g.Rules {
		find := c.scope.rule
		if r.Part == partSupplied {
			find = c.scope.ruleAnywhere
		}
		c.scope.resolve(r, find)
	}
	if l.notation == ABNF {
		c.reconcileCore()
		supplyCore(g, c.scope)
		for _, r := range g.Rules {
			c.scope.ids[c.scope.key(r.ID)] = true
		}
		if err := c.supplyImports(n); err != nil {
			return nil, err
		}
		if n.DefineMissing {
			c.supplyMissing()
		}
	}
	if how.settle != nil {
		how.settle(g, c.note)
	}
	if err := exclude(g, c.note); err != nil {
		return nil, err
	}
	if err := c.checkDefinitions(); err != nil {
		return nil, err
	}
	notices := n.state.notes.list(file, n.Lists)
	d := &Document{Grammar: g, Blocks: l.blocks, Notices: notices, Text: l.source}
	if n.Tokens && l.notation == EBNF {
		d.Terminals = takePass(g, l.terminals)
	}
	return d, nil
}

// A collector makes a grammar out of the productions of a file.
type collector struct {
	grammar *expr.Grammar
	how     notation
	scope   *scope
	parts   map[*expr.Rule]*part
	pieces  map[*expr.Rule]*pieces
	refused []error                // of productions without a stand-in, for finish
	unread  map[string]*expr.Error // productions that are refused, and why
	note    *notes

	supplied   []*expr.Rule          // what Notation.Define has, in its order
	suppliedAs map[string]*expr.Rule // the same, by the scope's key
	standIns   map[*expr.Rule]bool   // rules of the file with a stand-in for a right-hand side that is prose or refused
}

// pieces are the parts of a rule: the expression after "=", and each that "=/" adds.
type pieces struct {
	defined      *expr.Expr   // the expression after "="; nil if only "=/" was seen so far
	alternatives []*expr.Expr // defined and the expressions after "=/", in the order of the file
	printed      []string     // of each alternative
	collected    bool         // defined stands where the text collects its rules
	// An addition stands before the definition, or has none, or is left out since it adds nothing: for lint.
	loose bool
}

// maxErrors caps the errors of a document that are reported.
const maxErrors = 10

// joinErrors returns the first maxErrors errors as one, with how many more there are. A single one is returned as it
// is.
func joinErrors(list []error) error {
	if len(list) == 1 {
		return list[0]
	}
	if more := len(list) - maxErrors; more > 0 {
		list = append(list[:maxErrors:maxErrors], expr.Errorf(expr.Pos{}, "and %d more errors", more))
	}
	return errors.Join(list...)
}

// definitions reads what [Notation.Define] supplies, and appends it to c.supplied; finish puts it into the grammar. It
// fails if a right-hand side cannot be read, or two are for one name.
func (c *collector) definitions(n reading) error {
	for _, d := range n.Define {
		e, err := c.how.right(printed{text: d.Text, pos: d.Pos}, n)
		if err != nil {
			return err
		}
		if r := c.definition(d.Production); r != nil {
			return expr.Errorf(d.Pos, "`%s` is defined twice, first at %s", d.Production, r.Pos)
		}
		r := &expr.Rule{
			ID: d.Production, Name: d.Production, Part: partSupplied, Printed: d.Text, Expr: e, Pos: d.Pos,
		}
		c.supplied = append(c.supplied, r)
		if c.suppliedAs == nil {
			c.suppliedAs = map[string]*expr.Rule{}
		}
		c.suppliedAs[c.scope.key(d.Production)] = r
	}
	return nil
}

// definition returns the rule that Notation.Define has for a name, once definitions has read it; nil for none.
func (c *collector) definition(name string) *expr.Rule { return c.suppliedAs[c.scope.key(name)] }

// read reads one production of the file, and folds its literals if n.FoldLiterals is set, but in ABNF. A refused one
// gets a stand-in for its right-hand side (refuse), and prose that the notation refuses gets the empty string;
// isStandIn reports either, which Define may replace. A refusal of one without a name or with "=/", or of prose that
// Define has nothing for, goes into c.refused for finish, so that all such places are found at once. Of the first two
// there is no production: made.right is nil. Any other error is returned.
func (c *collector) read(p printed, n reading) (made production, isStandIn bool, err error) {
	made, err = c.how.read(p, n)
	if err == nil {
		if n.FoldLiterals && c.grammar.Notation != ABNF {
			made.right = foldLiterals(made.right)
		}
		return made, false, nil
	}
	why, _ := errors.AsType[*expr.Error](err)
	switch {
	case !why.Refused && !why.Prose:
		return production{}, false, err
	case why.Prose:
		if c.definition(made.name) == nil {
			c.refused = append(c.refused, err)
		}
		made.right = &expr.Expr{Op: expr.Empty, Pos: why.Pos}
	case made.name == "" || made.adds:
		c.refused = append(c.refused, err)
		return production{}, false, nil
	default:
		made.right = c.refuse(made.name, why, n)
	}
	return made, true, nil
}

// take adds one production of the file, as read reads it, to the grammar: as a rule of its own, or as a further piece
// of the rule of that name in its part. A production of quoteMark is passed over, and so is one without a right-hand
// side. It fails as read and addPiece do.
func (c *collector) take(p printed, n reading) error {
	read, isStandIn, err := c.read(p, n)
	if err != nil || read.right == nil || read.name == quoteMark {
		return err
	}
	at := p.at(len(p.text) - len(strings.TrimLeft(p.text, " \t\r\n")))
	r := c.scope.parts[p.part.name][c.scope.key(read.name)]
	if r == nil {
		r = &expr.Rule{Name: read.name, Part: p.part.name, Section: p.section, Page: p.page, Line: p.line, Pos: at}
		c.parts[r], c.pieces[r] = p.part, &pieces{}
		c.grammar.Rules = append(c.grammar.Rules, r)
		c.scope.add(r)
	}
	c.standIns[r] = c.standIns[r] || isStandIn
	return c.addPiece(r, read, p, at)
}

// addPiece adds read, which is printed as p at a place, to the pieces of the rule r. If it says the same as the
// definition, or adds what one of the last pieces says, it is noticed and left out. A second definition that differs
// is an error. In the text of an RFC it is none: the one where the text collects its rules is read, or else the later
// one, and the other is noticed. r gets the place of a definition that replaces another. An addition that is left
// out, or comes before the definition, sets loose.
func (c *collector) addPiece(r *expr.Rule, read production, p printed, at expr.Pos) error {
	all := c.pieces[r]
	switch {
	case read.adds && slices.ContainsFunc(all.lastAlternatives(),
		func(e *expr.Expr) bool { return c.sameMeaning(e, read.right) }):
		all.loose = true
		c.note.add(sameNotice, at, read.name)
		return nil
	case read.adds:
		all.loose = all.loose || all.defined == nil
	case all.defined == nil:
		all.defined, all.collected = read.right, p.collected
		r.Name = read.name
	case c.sameMeaning(all.defined, read.right):
		c.note.add(sameNotice, at, read.name)
		return nil
	case p.collected != all.collected:
		left := r.Pos
		if all.collected {
			left = at
		} else {
			r.Pos, r.Section, r.Page, r.Line = at, p.section, p.page, p.line
			all.replace(read.right, p.text)
			all.collected = true
		}
		c.note.addf(left, "`%s` differs from %s, where the text collects its rules, and is not read", read.name, r.Pos)
		return nil
	case p.block != nil && p.collected == all.collected: // in a text, the later of two definitions is the final one
		c.note.addf(r.Pos, "`%s` differs from %s; the later definition is read, unless --lines chooses others",
			r.Name, at)
		all.replace(read.right, p.text)
		r.Name, r.Pos, r.Section, r.Page, r.Line = read.name, at, p.section, p.page, p.line
		return nil
	default:
		as := ""
		if r.Name != read.name {
			as = " as `" + r.Name + "`"
		}
		return expr.Errorf(at, "`%s` is defined twice, first at %s%s", read.name, r.Pos, as)
	}
	all.alternatives = append(all.alternatives, read.right)
	all.printed = append(all.printed, p.text)
	return nil
}

// unread begins a reference that stands for a right-hand side which cannot be read.
const unread = prose + "cannot be read: "

// refuse returns a stand-in for the right-hand side of a production that is refused for its own sake. The stand-in has
// no language, nor has any production that uses it, but the rest of the document is read. refuse notices the refusal,
// and marks the name as unreadable and unread.
func (c *collector) refuse(name string, why *expr.Error, n reading) *expr.Expr {
	if n.state != nil {
		n.state.markUnreadable(name)
	}
	c.unread[name] = why
	c.note.refuse(why.Pos, name, why.Message)
	return placed(expr.To(unread+why.Message+">"), why.Pos)
}

// allRefused returns the error for a document whose productions are all refused. It joins the refusals as
// joinErrors does.
func (c *collector) allRefused() error {
	var list []error
	for _, r := range c.grammar.Rules {
		list = append(list, c.unread[r.Name])
	}
	return joinErrors(list)
}

// replace puts another definition, printed like this, in the place of the one after "=".
func (p *pieces) replace(main *expr.Expr, printed string) {
	i := slices.Index(p.alternatives, p.defined)
	p.defined, p.alternatives[i], p.printed[i] = main, main, printed
}

// lastAlternatives returns the last 16 pieces. An addition is compared with no more, so that a thousand of them take no
// time.
func (p *pieces) lastAlternatives() []*expr.Expr {
	return p.alternatives[max(0, len(p.alternatives)-16):]
}

// sameMeaning reports whether two expressions are written alike but for spelling, so that they mean the same.
func (c *collector) sameMeaning(a, b *expr.Expr) bool {
	return a.Op == b.Op && a.Lit == b.Lit && a.Set == b.Set && a.Min == b.Min && a.Max == b.Max &&
		c.scope.key(refName(a.Name)) == c.scope.key(refName(b.Name)) && slices.EqualFunc(a.Sub, b.Sub, c.sameMeaning)
}

// finish sets the expression, the printed text and the ID of each rule from its pieces, and puts the supplied rules
// into the grammar: each replaces the whole right-hand side of the rules of its name, which must have prose in it or
// be refused, or is a new rule. A rule that only adds begins with a reference to the one in imports that it adds to;
// if no import has it, it is read alone, which is noticed. finish fails with the refusals that take has kept, as
// imported does, for a rule that is supplied though it has a production, and for two rules with one ID.
func (c *collector) finish(imports []Import) error {
	if len(c.refused) > 0 {
		return joinErrors(c.refused)
	}
	for _, r := range c.grammar.Rules {
		all := c.pieces[r]
		if all.defined == nil {
			// Only "=/" was seen: an import has what it adds to, or the rule is read without that.
			switch _, err := c.imported(imports, r.Name); {
			case err == nil:
				all.alternatives = append([]*expr.Expr{placed(expr.To(base+r.Name), r.Pos)}, all.alternatives...)
			case errors.Is(err, errNotImported):
				c.note.addf(r.Pos,
					"`%s` adds to a rule of another document, and is read without it; --import %s=FILE joins it",
					r.Name, r.Name)
				c.note.lastIsAlone()
			default:
				return expr.Errorf(r.Pos, "%v", err)
			}
		}
		r.Expr, r.Printed, r.Rare = expr.Or(all.alternatives...), strings.Join(all.printed, "\n"), all.loose
		r.Refused = c.unread[r.Name]
	}
	giveIDs(c.grammar.Rules, c.parts)
	// A supplied rule takes the place of prose in the file, or is new.
	for _, d := range c.supplied {
		inFile := false
		for _, r := range c.scope.names[c.scope.key(d.Name)] {
			if !c.standIns[r] && !c.hasProse(r) {
				return expr.Errorf(d.Pos, "`%s` has a production, at %s", d.Name, r.Pos)
			}
			r.Expr, r.Refused, inFile = d.Expr, nil, true
		}
		if !inFile {
			c.grammar.Rules = append(c.grammar.Rules, d)
			c.scope.add(d)
		}
	}
	ids := map[string]*expr.Rule{}
	for _, r := range c.grammar.Rules {
		k := c.scope.key(r.ID)
		if first := ids[k]; first != nil {
			return expr.Errorf(r.Pos,
				"`%s` has the ID of `%s` at %s; a line \"@ ids PREFIX shared\" tells the parts of a text apart",
				r.Name, first.Name, first.Pos)
		}
		ids[k] = r
	}
	return nil
}

// hasProse reports whether a part of a rule is prose that names no production.
func (c *collector) hasProse(r *expr.Rule) bool {
	return expr.Find(r.Expr, func(e *expr.Expr) bool {
		return e.Op == expr.Ref && (isProse(e.Name) || e.Name == proseMinus) &&
			c.scope.ruleAnywhere(r.Part, refName(e.Name)) == nil
	}) != nil
}

// checkDefinitions returns an error if a supplied rule is used by the text of no production, or is a core rule. One
// that has taken the place of prose in the document is neither.
func (c *collector) checkDefinitions() error {
	if len(c.supplied) == 0 {
		return nil
	}
	isUsed := c.grammar.UsedByOthers()
	for _, d := range c.supplied {
		switch standsForProse := c.grammar.Rule(d.ID) != d; {
		case standsForProse:
			// Its expression has taken the place of prose in a rule of the document.
		case c.grammar.Notation == ABNF && IsCoreName(d.Name):
			return expr.Errorf(d.Pos, "`%s` is a core rule of ABNF", d.Name)
		case !isUsed[d.ID]:
			return expr.Errorf(d.Pos, "no production of %s uses `%s`", c.grammar.File, d.Name)
		}
	}
	return nil
}

// partSupplied is the part of the rules that [Notation.Define] supplies; no line of a file can name a part with a
// space.
const partSupplied = "supplied rules"

// giveIDs sets the ID of each rule: its name, with "-" for spaces, or, where the "@ ids" line of its part says so, the
// prefix and the name as it is. A rule whose name and "_" are the prefix keeps its name. parts has the part of every
// rule.
func giveIDs(rules []*expr.Rule, parts map[*expr.Rule]*part) {
	home := map[string]*part{}
	shared := map[string]bool{}
	for _, r := range rules {
		if p := home[r.Name]; p != nil && p != parts[r] {
			shared[r.Name] = true
		}
		home[r.Name] = parts[r]
	}
	for _, r := range rules {
		p := parts[r]
		r.ID = strings.ReplaceAll(r.Name, " ", "-") // an ID can stand on a command line
		// A production that the prefix is named after keeps its name: "uri" among "uri_path" and "uri_search".
		if (p.prefixAll || shared[r.Name]) && p.prefix != r.Name+"_" {
			r.ID = p.prefix + r.Name
		}
	}
}

// A scope knows which rule a name means.
type scope struct {
	key   func(name string) string         // see [expr.Grammar.Key]
	parts map[string]map[string]*expr.Rule // by part and key
	names map[string][]*expr.Rule          // of all parts, by key
	ids   map[string]bool                  // of the grammar
}

// newScope returns a scope that knows no rule yet, with the spelling of names of g.
func newScope(g *expr.Grammar) *scope {
	return &scope{g.Key, map[string]map[string]*expr.Rule{}, map[string][]*expr.Rule{}, map[string]bool{}}
}

// add enters a rule under its name, in its part and among all; of the rules of one name in a part the first is found.
// It leaves ids alone, since IDs are settled later.
func (s *scope) add(r *expr.Rule) {
	k := s.key(r.Name)
	if s.parts[r.Part] == nil {
		s.parts[r.Part] = map[string]*expr.Rule{}
	}
	if s.parts[r.Part][k] == nil {
		s.parts[r.Part][k] = r
	}
	s.names[k] = append(s.names[k], r)
}

// rule returns the rule that a name means in a part: the part's own, or one that was supplied; nil if there is none.
func (s *scope) rule(part, name string) *expr.Rule {
	if r := s.parts[part][s.key(name)]; r != nil {
		return r
	}
	return s.parts[partSupplied][s.key(name)]
}

// ruleAnywhere returns the rule that a name means seen from a part: the part's own or, if it has none, the only rule of
// that name in any part. It is nil if no rule has the name, or several other parts do.
func (s *scope) ruleAnywhere(part, name string) *expr.Rule {
	if r := s.rule(part, name); r != nil {
		return r
	}
	if all := s.names[s.key(name)]; len(all) == 1 {
		return all[0]
	}
	return nil
}

// A reference that is no plain name begins with a character that no name has.
const (
	prose = "<" // <name>, or any other prose
	base  = "+" // what =/ adds to
)

// isProse reports whether a reference is prose in angle brackets.
func isProse(name string) bool { return strings.HasPrefix(name, prose) }

// refName returns the name that a reference means: without the prefix that the constant white is or, for prose that
// consists of a name, that name. Any other reference is returned as it is.
func refName(name string) string {
	if strings.HasPrefix(name, white) {
		return name[len(white):]
	}
	if inner, ok := proseName(name); ok {
		return inner
	}
	return name
}

// resolve replaces the names in r's references by the IDs of the rules that find returns for them, without the angle
// brackets of prose. A name that it returns nil for stays, and so does a rule that is nothing but prose with its own
// name. It sets r.Expr; the expression that was there is not changed.
func (s *scope) resolve(r *expr.Rule, find func(part, name string) *expr.Rule) {
	self := r.Expr.Op == expr.Ref && isProse(r.Expr.Name) && s.key(refName(r.Expr.Name)) == s.key(r.Name)
	if self { // a = <a> refers to a production elsewhere, not to itself
		return
	}
	r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
		if e.Op == expr.Ref {
			if to := find(r.Part, refName(e.Name)); to != nil {
				return &expr.Expr{Op: expr.Ref, Name: to.ID, Pos: e.Pos}
			}
		}
		return e
	})
}

// placed sets the place of e, and returns e. It must be new: expressions that stand in a grammar are not changed.
func placed(e *expr.Expr, pos expr.Pos) *expr.Expr {
	e.Pos = pos
	return e
}

// bounds reads a count, which must be like one of these: "3", "1*", "*4", "1*4", "*". Without a first number least is
// 0, and without a second one most is expr.Unbounded. It panics with a refusal for a number above maxCount, and with
// an error if the second number is below the first.
func bounds(count string, pos expr.Pos) (least, most int) {
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil || n > maxCount {
			panic(expr.Refusef(pos, "unexpected count %s; expected a number up to %d", quote(count), maxCount))
		}
		return n
	}
	low, high, star := strings.Cut(count, "*")
	most = expr.Unbounded
	if low != "" {
		least = number(low)
	}
	if high != "" {
		most = number(high)
	}
	if !star {
		most = least
	}
	if most != expr.Unbounded && most < least {
		panic(expr.Errorf(pos, "unexpected count %q; expected its first number not to be above its second", count))
	}
	return least, most
}

// repeat returns e repeated as a count has it, and panics as bounds does. Zero times e is the empty word.
func repeat(e *expr.Expr, count string, pos expr.Pos) *expr.Expr {
	least, most := bounds(count, pos)
	if most == 0 {
		return &expr.Expr{Op: expr.Empty, Pos: pos}
	}
	return placed(expr.Times(e, least, most), pos)
}

// maxCount is the highest repeat count. Automata spell counts out, and refuse one that passes their limits.
const maxCount = math.MaxInt32

// rewrite returns e with every leaf replaced by the result of f, except below an expression for characters
// ([expr.Expr.Chars]). A leaf is an expression without Sub, and f is called for each, one with Chars too. A sequence
// that f returns for a part of a sequence is joined with it. Neither e nor its leaves are changed.
func rewrite(e *expr.Expr, f func(*expr.Expr) *expr.Expr) *expr.Expr {
	if len(e.Sub) == 0 {
		return f(e)
	}
	if e.Chars != "" { // its parts are octets, not names
		return e
	}
	c := e.Map(func(s *expr.Expr) *expr.Expr { return rewrite(s, f) })
	if c.Op == expr.Seq { // what f makes of a literal may be a sequence itself
		return placed(expr.Cat(c.Sub...), e.Pos)
	}
	return c
}

// foldLiterals returns e with literals that match either case. Classes stay, and so do the parts of an expression
// with Chars. e is not changed.
func foldLiterals(e *expr.Expr) *expr.Expr {
	return rewrite(e, func(e *expr.Expr) *expr.Expr {
		if e.Op != expr.Literal {
			return e
		}
		return foldLiteral(e, len(e.Lit))
	})
}

// foldLiteral returns a literal with the letters among its first n bytes in either case: a sequence of literals and
// of classes of two letters, whose Word is all of the literal. e is not changed.
func foldLiteral(e *expr.Expr, n int) *expr.Expr {
	var seq []*expr.Expr
	var letters [256]*expr.Expr // each is shared, so that a long literal takes less room
	for i := 0; i < len(e.Lit); {
		j := i
		for j < len(e.Lit) && !(j < n && isLetter(e.Lit[j])) {
			j++
		}
		if j > i {
			seq = append(seq, &expr.Expr{Op: expr.Literal, Lit: e.Lit[i:j], Pos: e.Pos, Word: e.Lit})
		}
		if j < len(e.Lit) {
			c := e.Lit[j] | 0x20
			if letters[c] == nil {
				letters[c] = &expr.Expr{
					Op: expr.Class, Set: expr.Bytes(string([]byte{c, c &^ 0x20})), Pos: e.Pos, Word: e.Lit,
				}
			}
			seq = append(seq, letters[c])
			j++
		}
		i = j
	}
	return expr.Cat(seq...)
}

// isLetter reports whether c is a letter of ASCII.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
