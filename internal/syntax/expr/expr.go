// Package expr is the one expression tree that every notation for grammars is read into: the BNFs of RFCs, ABNF,
// EBNF, the PEGs of pigeon and peggy, and regular expressions as far as they have no lookarounds. They differ in
// one bit of the grammar, [Grammar.Ordered]: in a PEG an [Alt] commits to its first alternative that matches, and a
// [Repeat] is greedy; in a BNF neither decides anything.
//
// Terminals are bytes, not characters. A notation of characters is read into the bytes of their UTF-8 encoding, and
// [Expr.Chars] keeps how the text writes them.
//
// The package also answers the questions about a grammar that need no automaton: the rules that a rule uses
// (analysis.go), recursion and what nests (component.go, nest.go), the bytes that can come first and next
// (first.go), short words (short.go). None of them copies or changes an expression of the grammar it is asked
// about.
//
// In this package g is a grammar, r a rule, e an expression, and id the ID of a rule.
package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Op is the operator of an [Expr].
type Op uint8

// The operators. The comment names the fields that an expression with that operator uses.
const (
	Empty   Op = iota // the empty word
	Class             // one byte of Set; an empty Set derives nothing at all
	Literal           // the bytes of Lit, exactly; Lit is never empty
	Ref               // the production called Name
	Seq               // Sub one after the other; at least two
	Alt               // one of Sub; at least two
	Repeat            // Sub[0], at least Min times and at most Max; Max is Unbounded for no limit
	And               // PEG only: Sub[0] matches here, nothing is consumed
	Not               // PEG only: Sub[0] does not match here, nothing is consumed
	Node              // PEG only: Sub[0], whose match becomes a tree node of the production Name
	Deep              // PEG only: a recursion that is not followed any deeper; the whole match ends here, undecided
)

var opNames = [...]string{"Empty", "Class", "Literal", "Ref", "Seq", "Alt", "Repeat", "And", "Not", "Node", "Deep"}

func (o Op) String() string { return quote.Name("Op", o, opNames[:]...) }

// Unbounded is the Max of a [Repeat] without an upper limit.
const Unbounded = -1

// Pos is a place in a grammar file. Line and Col count from 1, Col in bytes; the zero Pos is no place.
type Pos struct {
	File      string
	Line, Col int
}

func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// LineFrom returns the number of the line for one who reads a file, after the name of its own file if that is another:
// "7", "other.abnf:7".
func (p Pos) LineFrom(file string) string {
	if p.File == file {
		return strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Expr is an expression. Op determines which fields are used; the others are zero. An Expr in a [Grammar] is not
// changed: parts may be shared.
type Expr struct {
	Op       Op
	Sub      []*Expr
	Name     string // Ref, Node: the production's ID; an empty Class: the name without a production that it stands for
	Lit      string
	Set      Set
	Min, Max int
	Pos      Pos

	// Chars is the notation's own text for the characters whose UTF-8 this expression is, or is a part of:
	// "%x80-10FFFF". Messages print it in place of the bytes. It is "" for everything else.
	Chars string

	// Word is the quoted string of the text, in its own spelling, that a Class or a Literal is a part of: "NOTICE"
	// for each of the six classes that match it in either case. It is "" for any other expression. All parts of
	// one word have its Pos.
	Word string

	// Drops reports that an action of a PEG may drop nodes that Sub makes. In a Node, that action is the one that
	// makes it.
	Drops bool
}

// Rule is one production.
type Rule struct {
	ID      string // unique in the grammar, the RFC's spelling where that is unique: "hostport", "uri_path"
	Name    string // the RFC's spelling: "hostport", "path", "gopher+_string"
	Part    string // the one of the text's BNFs that it belongs to; "" if there is only one
	Section string // the section of the text, as it is cited
	Page    int    // the page that prints it; 0 in a text without pages
	Line    int    // the line of the text; 0 if there is no text
	Printed string // as printed, wrapped lines joined by "\n"; for a PEG the rule's source
	Comment string // PEG: the comment lines right above the rule, without "//"
	Expr    *Expr
	Pos     Pos // of the rule in the grammar file

	Assumes []Assumption // of a PEG or a stand-in: conditions that its language depends on, beyond the file
	StandIn bool         // ABNF: the expression stands for a production that the text lacks, or leaves to prose
	State   bool         // it is a state of an automaton: the text has no such production, and no reader knows it

	// Rare reports that the rule has a feature that certificates do not cover, since few grammars use it. In a
	// literal or a class of a PEG: a byte above 127 written by its number, U+FFFD in a literal, a carriage return
	// in a raw one, \p, or case folding of characters beyond ASCII. In ABNF: a production that is added to before
	// it is defined or without being defined, or an addition that adds nothing.
	Rare bool

	// Refused is the reason why the language of this rule is not compared with others, although other rules may use
	// it. It is nil if the language is compared.
	Refused *Error

	Idle []Label // PEG: the labels that no code of the rule reads

	// Computed has the IDs of rules that the text uses and Expr does not, since what they leave of each other was
	// computed: b and c of a = b - c. See [Rule.Uses].
	Computed []string
}

// A Label is the name of a part of a rule of a PEG, for its code.
type Label struct {
	Name string
	Pos  Pos
}

// An Assumption is a condition that a grammar file does not settle, and the place in the file that depends on it.
type Assumption struct {
	Text string // a sentence without a full stop
	Pos  Pos
}

// Uses returns the names that the text of r uses, each once: those in Expr, in their order, and then those in Computed.
func (r *Rule) Uses() []string {
	uses := Refs(r.Expr)
	if len(r.Computed) == 0 {
		return uses
	}
	seen := setOf(uses)
	for _, id := range r.Computed {
		if !seen[id] {
			seen[id] = true
			uses = append(uses, id)
		}
	}
	return uses
}

// Label returns the spelling of the text, or the ID of a rule without one.
func (r *Rule) Label() string {
	if r.Name != "" {
		return r.Name
	}
	return r.ID
}

// Place returns the place of r in the text with this title: "RFC 1738 section 5, page 17". It is how a
// transcription cites the text. A section that is a heading, without a number, is left out, and so is the page of
// a text without pages.
func (r *Rule) Place(title string) string {
	p := citation.Place{Title: title, Page: r.Page}
	if citation.Numbered(r.Section) {
		p.Section = r.Section
	}
	return p.String()
}

// Grammar is a set of productions in the order of their text.
type Grammar struct {
	Name    string // "rfc1738", as in messages
	Title   string // "RFC 1738"
	File    string
	Ordered bool // PEG semantics
	// Notation names the notation that the productions are printed in: "rfc1630", "rfc822", "abnf"; "" for a PEG.
	Notation string
	// FoldNames reports that names are the same in either case.
	FoldNames bool
	// CodePoints reports that the values in the text are code points; the terminals here are their octets in UTF-8.
	CodePoints bool
	// UTF8 reports that the inputs are well-formed text: strings that are not UTF-8 are in no language. (PEG)
	UTF8 bool
	// InvalidUTF8 reports that bytes that begin no character of UTF-8 count as U+FFFD. (PEG of pigeon)
	InvalidUTF8 bool
	// Supplied lists the names of the rules that the file uses without defining them, and the caller supplies. (PEG)
	Supplied []string
	Rules    []*Rule
	// Written has the text of the alternatives of a regular expression, by expression. It is "" for the parts that
	// stand for the text before and after a match.
	Written map[*Expr]string
	// Budget bounds the cost of computations with the grammar; nil for the grammars that are built in: no limit.
	Budget *budget.Budget

	byID atomic.Pointer[map[string]int]
}

// With returns a grammar like g that has these rules instead of g's.
func (g *Grammar) With(rules []*Rule) *Grammar {
	return &Grammar{
		Name: g.Name, Title: g.Title, File: g.File, Ordered: g.Ordered, Notation: g.Notation,
		FoldNames: g.FoldNames, CodePoints: g.CodePoints, UTF8: g.UTF8, InvalidUTF8: g.InvalidUTF8,
		Supplied: g.Supplied, Rules: rules, Written: g.Written, Budget: g.Budget,
	}
}

// Change returns a grammar like g in which the rule with this ID, if there is one, has the expression e.
func (g *Grammar) Change(id string, e *Expr) *Grammar {
	rules := slices.Clone(g.Rules)
	for i, r := range rules {
		if r.ID == id {
			changed := *r
			changed.Expr = e
			rules[i] = &changed
		}
	}
	return g.With(rules)
}

// Rewritten returns a grammar with the same productions, in which f has replaced the expression of each.
func (g *Grammar) Rewritten(f func(*Expr) *Expr) *Grammar {
	rules := make([]*Rule, len(g.Rules))
	for i, r := range g.Rules {
		c := *r
		c.Expr = f(r.Expr)
		rules[i] = &c
	}
	return g.With(rules)
}

// Part returns a grammar with the productions of these IDs and all that they use, directly or not, in the order of g.
func (g *Grammar) Part(ids ...string) *Grammar { return g.With(g.Those(g.Reached(ids...))) }

// IDs returns the IDs of rules.
func IDs(rules []*Rule) []string {
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return ids
}

// Those returns the productions whose IDs are keys of ids, whatever the values, in the order of g. It leaves out IDs
// without a production. Apart from the index of all rules, which is built once, its time depends only on the number of
// IDs.
func (g *Grammar) Those(ids map[string]bool) []*Rule {
	at := make([]int, 0, len(ids))
	for id := range ids {
		if i := g.index(id); i >= 0 {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	rules := make([]*Rule, len(at))
	for i, k := range at {
		rules[i] = g.Rules[k]
	}
	return rules
}

// Rule returns the production with this ID, or nil. It is safe for concurrent use, once Rules does not grow any more.
func (g *Grammar) Rule(id string) *Rule {
	if i := g.index(id); i >= 0 {
		return g.Rules[i]
	}
	return nil
}

// index returns the index in Rules of the production with this ID, or -1. It builds g.byID on first use, and again
// if Rules has grown since. If two rules have one ID, the first counts, and the map is not kept but built at each call.
func (g *Grammar) index(id string) int {
	known := g.byID.Load()
	if known == nil || len(*known) != len(g.Rules) {
		m := make(map[string]int, len(g.Rules))
		// Readers refuse an ID that is defined twice. Here the first one counts, since it is entered last.
		for i, r := range slices.Backward(g.Rules) {
			m[r.ID] = i
		}
		known = &m
		if len(m) == len(g.Rules) {
			g.byID.Store(known)
		}
	}
	if i, ok := (*known)[id]; ok {
		return i
	}
	return -1
}

// Key returns the form of a name that names are compared in: two spellings are one name exactly if their keys are
// equal.
func (g *Grammar) Key(name string) string {
	if g.FoldNames {
		return strings.ToLower(name)
	}
	return name
}

// Quote quotes a string for messages. If the values of the grammar are code points, it writes the string as code
// points.
func (g *Grammar) Quote(s string) string {
	if g.CodePoints {
		return quote.CodePoints(s)
	}
	return quote.Quote(s)
}

// Shown is like [Grammar.Quote], but leaves out the quotation marks of a string that can be read without them.
func (g *Grammar) Shown(s quote.Word) string {
	if g.CodePoints {
		return s.Points()
	}
	return s.String()
}

var (
	codePoints = regexp.MustCompile(`^(the rest of )?(?:%[xX]|\[?#x)([0-9A-Fa-f]+)(?:-(?:#x)?([0-9A-Fa-f]+))?\]?$`)
	character  = regexp.MustCompile(`(#x[0-9A-Fa-f]+|[^\x00-\x7F])([0-9A-Fa-f]?)`)
)

// Abridged returns chars or, if it is longer than 400 bytes, its first 300 and "...". A class can list thousands
// of characters, and each of its parts repeats the text.
func Abridged(chars string) string {
	const long, kept = 400, 300
	if len(chars) <= long {
		return chars
	}
	return strings.ToValidUTF8(chars[:kept], "") + "..."
}

// CodePoints converts a notation's text for characters ([Expr.Chars]) to the form of messages: %x610-61B and
// [#x610-#x61B] become U+0610-061B. In any other text only the characters beyond ASCII are replaced: [^U+00E9x].
func CodePoints(chars string) string {
	point := func(digits string) string {
		digits = strings.ToUpper(strings.TrimLeft(digits, "0"))
		return strings.Repeat("0", max(4-len(digits), 0)) + digits
	}
	if m := codePoints.FindStringSubmatch(chars); m != nil {
		out := m[1] + "U+" + point(m[2])
		if m[3] != "" {
			out += "-" + point(m[3])
		}
		return out
	}
	return character.ReplaceAllStringFunc(chars, func(s string) string {
		m := character.FindStringSubmatch(s)
		digits, ok := strings.CutPrefix(m[1], "#x")
		if !ok {
			digits = fmt.Sprintf("%X", []rune(m[1])[0])
		}
		if m[2] != "" {
			m[2] = " " + m[2]
		}
		return "U+" + point(digits) + m[2]
	})
}

// Lookup finds a production by its ID, else by the RFC's spelling, else by the [Grammar.Key] of the ID, else by that
// of the spelling. It fails if there is none, and with an [*AmbiguousError] if the first of these that finds any
// finds several.
func (g *Grammar) Lookup(name string) (*Rule, error) {
	if r := g.Rule(name); r != nil {
		return r, nil
	}
	key := g.Key(name)
	var found []*Rule
	for _, same := range []func(r *Rule) bool{
		func(r *Rule) bool { return r.Name == name },
		func(r *Rule) bool { return g.Key(r.ID) == key },
		func(r *Rule) bool { return g.Key(r.Name) == key },
	} {
		for _, r := range g.Rules {
			if same(r) {
				found = append(found, r)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%s has no production %q", g.Name, name)
	case 1:
		return found[0], nil
	}
	return nil, &AmbiguousError{Grammar: g.Name, Name: name, IDs: IDs(found)}
}

// Map returns a copy of e in which each direct subexpression s is replaced by f(s).
func (e *Expr) Map(f func(s *Expr) *Expr) *Expr {
	c := *e
	c.Sub = make([]*Expr, len(e.Sub))
	for i, s := range e.Sub {
		c.Sub[i] = f(s)
	}
	return &c
}

// With returns e with the subexpression part, found by its pointer, replaced by other. Subexpressions that do not
// contain part are shared with e.
func (e *Expr) With(part, other *Expr) *Expr {
	if e == part {
		return other
	}
	same := true
	c := e.Map(func(s *Expr) *Expr {
		x := s.With(part, other)
		same = same && x == s
		return x
	})
	if same {
		return e
	}
	return c
}

// OneByte returns the set of bytes that e matches if it is a [Class] or a [Literal] of one byte, and otherwise the
// empty set.
func (e *Expr) OneByte() (s Set) {
	switch {
	case e.Op == Class:
		s = e.Set
	case len(e.Lit) == 1:
		s = Bytes(e.Lit)
	}
	return s
}

// IsByteChoice reports whether e is a [Class], a [Literal] of one byte, a reference to a production whose ID isByte
// accepts, or a choice of such expressions.
func (e *Expr) IsByteChoice(isByte func(id string) bool) bool {
	switch e.Op {
	case Class:
		return true
	case Literal:
		return len(e.Lit) == 1
	case Ref:
		return isByte(e.Name)
	case Alt:
		return !slices.ContainsFunc(e.Sub, func(s *Expr) bool { return !s.IsByteChoice(isByte) })
	}
	return false
}

// Size returns the number of expressions in e, itself included.
func (e *Expr) Size() int {
	n := 1
	for _, s := range e.Sub {
		n += s.Size()
	}
	return n
}

// Limits on the depth and the size of an expression whose counts are written out, for notations without counts.
// Nested parentheses can be twice as deep.
const (
	DeepWithoutCounts = 500
	LongWithoutCounts = 1 << 13
)

// WithoutCounts returns about the depth and the size of e with its counts written out: the depth can be too small,
// and the size too large. Each stops at one more than its limit.
func (e *Expr) WithoutCounts() (deep, long int) {
	long = 1
	for _, s := range e.Sub {
		d, l := s.WithoutCounts()
		deep, long = max(deep, d), min(long+l, LongWithoutCounts+1)
	}
	deep++
	if e.Op == Repeat {
		deep += max(min(e.Max-e.Min, DeepWithoutCounts), 0)
		long = min(max(min(max(e.Min, e.Max), LongWithoutCounts+1), 1)*long, LongWithoutCounts+1)
	}
	return min(deep, DeepWithoutCounts+1), long
}

// Fits reports whether the size of e is at most size, with its counts written out and with each reference that put
// is true for replaced by its production. A literal counts for each of its bytes. If a production would be put inside
// itself, Fits is false.
func (g *Grammar) Fits(e *Expr, size int, put func(r *Rule) bool) bool {
	w := writingOut{Grammar: g, put: put}
	return w.left(e, size) >= 0
}

// A writingOut is a measurement of [Grammar.Fits].
type writingOut struct {
	*Grammar
	put    func(r *Rule) bool
	inside []*Rule // the productions that are being put in
}

// left returns size minus the size of e as [Grammar.Fits] counts it. It returns some negative number as soon as e is
// found to be larger, or to put a production inside itself. w.inside is the same afterwards.
func (w *writingOut) left(e *Expr, size int) int {
	switch e.Op {
	case Literal:
		return size - len(e.Lit)
	case Ref:
		r := w.Rule(e.Name)
		// a reference that stays is one; with no size left it need not be followed
		if r == nil || !w.put(r) || size <= 0 {
			return size - 1
		}
		if slices.Contains(w.inside, r) { // it would be put inside itself, which no size is enough for
			return -1
		}
		w.inside = append(w.inside, r)
		size = w.left(r.Expr, size-1)
		w.inside = w.inside[:len(w.inside)-1]
		return size
	}
	times := 1 // how often Sub is counted: for a repetition as often as its larger count says, and once for x*
	if e.Op == Repeat {
		times = max(1, e.Min, e.Max)
	}
	size-- // for e itself
	for range times {
		for _, s := range e.Sub {
			size = w.left(s, size)
			if size < 0 {
				return size
			}
		}
	}
	return size
}

// Walk calls f for e and everything below it, in pre-order. It does not go below an expression if f returns false
// for it.
func Walk(e *Expr, f func(*Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, s := range e.Sub {
		Walk(s, f)
	}
}

// Find returns the first expression, in pre-order from e on, for which is returns true. It returns nil if there is
// none.
func Find(e *Expr, is func(*Expr) bool) *Expr {
	if is(e) {
		return e
	}
	for _, s := range e.Sub {
		if found := Find(s, is); found != nil {
			return found
		}
	}
	return nil
}

// Refs lists the productions that e names, also in lookaheads, each once and in order of first use.
func Refs(e *Expr) []string {
	var out []string
	seen := map[string]bool{}
	Walk(e, func(e *Expr) bool {
		if e.Op == Ref && !seen[e.Name] {
			seen[e.Name] = true
			out = append(out, e.Name)
		}
		return true
	})
	return out
}
