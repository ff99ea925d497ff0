// Package outline finds the names, terminals and comments in the text of a grammar without understanding it. So an
// editor knows what is before and after the cursor even if the text is broken.
//
// A scanner for each family of notations divides the text into tokens and never fails. Anything that it does not know
// is an operator of one character. A string that is not closed ends at the end of its line; a comment or code that is
// not closed, at the end of the text. A production begins at a name that is followed by a sign that defines it. This
// takes time in proportion to the text, however broken it is.
//
// The meaning of a grammar is left to the readers in internal/notation. TestAgainstReaders holds this package against
// them: in the texts that they read, both find the same productions at the same places.
package outline

import (
	"sort"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

// A Kind is the kind of a [Token].
type Kind byte

// The kinds.
const (
	Name     Kind = iota // of a production
	Prose                // <text> that may be a name or prose: Name says which
	String               // a quoted string
	Value                // %x41-5A, #x41, a class of characters, ? any ? of ISO, or [42] of W3C
	Count                // 1*2
	Defines              // = or <-
	Slash                // / or |
	Open                 // a bracket
	Close                // a closing bracket
	Operator             // anything else
	Comment              // with its signs
	Label                // of a PEG, with the colon
	Code                 // of a PEG, with its braces
)

// A Token is a piece of the text.
type Token struct {
	Kind       Kind
	Start, End int // offsets in the text
}

// A Rule is a production. Its fields are indices of tokens: it has the tokens First to Last-1, Name is its name, and
// Comment is the first of the comments directly before it, each on lines of their own, or First if there is none.
type Rule struct {
	Name                 int
	First, Last, Comment int
	Adds                 bool // its sign is =/, which adds alternatives
}

// A Span is a part of the text: the bytes from Start to End-1.
type Span struct{ Start, End int }

// An Outline has the tokens of a text, and the productions that they form.
type Outline struct {
	Text   string // the one that was divided; a CR that ends a line by itself is LF in it, but for pigeon
	Tokens []Token
	Rules  []Rule
	fold   bool // names are the same in either case
}

// Of returns the outline of a text in a notation. spans are the parts that are grammar, in their order and without
// overlaps; no token or production goes beyond one. For a notation without a scanner the outline is empty.
func Of(kind catalog.Kind, text string, spans []Span) *Outline {
	family, ok := families[kind]
	if !ok {
		return &Outline{Text: text}
	}
	if kind != catalog.Pigeon { // to which only LF ends a line
		text = endLinesInLF(text)
	}
	o := &Outline{Text: text, fold: family.fold}
	for _, s := range spans {
		start := max(0, min(s.Start, len(text)))
		end := max(start, min(s.End, len(text)))
		sc := &scanner{family: family, text: text[:end], at: start, out: o}
		if family.prepare != nil {
			family.prepare(sc) // looks at what is left of the text, up to the end of the span
		}
		from := len(o.Tokens)
		for sc.at < len(sc.text) {
			sc.scanToken()
		}
		o.addRules(family, from)
	}
	return o
}

// endLinesInLF returns a text of the same length in which each CR that no LF follows is LF.
func endLinesInLF(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	b := []byte(text)
	for i, c := range b {
		if c == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			b[i] = '\n'
		}
	}
	return string(b)
}

// TextOf returns the text of token i.
func (o *Outline) TextOf(i int) string { return o.Text[o.Tokens[i].Start:o.Tokens[i].End] }

// NameOf returns the name that token i is, or "" if it is none. Angle brackets, and blanks next to them, are left out;
// prose in them counts as a name, unless it is blank. There must be a token i.
func (o *Outline) NameOf(i int) string {
	switch t := o.Tokens[i]; t.Kind {
	case Name:
		return o.TextOf(i)
	case Prose:
		return strings.TrimSpace(strings.Trim(o.TextOf(i), "<>"))
	}
	return ""
}

// NameSpan returns the place of the name of token i, without angle brackets and blanks next to them. For a token that
// is no name, as NameOf has it, it is the whole token.
func (o *Outline) NameSpan(i int) Span {
	t := o.Tokens[i]
	if t.Kind != Prose || o.NameOf(i) == "" {
		return Span{t.Start, t.End}
	}
	at := t.Start + strings.Index(o.TextOf(i), o.NameOf(i))
	return Span{at, at + len(o.NameOf(i))}
}

// Key returns the form of a name that names are compared in.
func (o *Outline) Key(name string) string {
	if o.fold {
		return strings.ToLower(name)
	}
	return name
}

// Folds reports whether names are the same in either case.
func (o *Outline) Folds() bool { return o.fold }

// At returns the index of the token that an offset is in or just after, or -1 if there is none. If two tokens meet
// there, it is the first one if that is a name, and otherwise the second.
func (o *Outline) At(offset int) int {
	i := sort.Search(len(o.Tokens), func(i int) bool { return o.Tokens[i].End >= offset })
	if i == len(o.Tokens) || o.Tokens[i].Start > offset {
		return -1
	}
	if i+1 < len(o.Tokens) && o.Tokens[i+1].Start == offset && o.NameOf(i) == "" {
		return i + 1
	}
	return i
}

// RuleAt returns the index of the production that an offset is in, or of the last one before it; -1 if there is
// none. The comments before a production are not in it.
func (o *Outline) RuleAt(offset int) int {
	return sort.Search(len(o.Rules), func(i int) bool { return o.Tokens[o.Rules[i].First].Start > offset }) - 1
}

// Span returns the place of a production, without the comments before and after it.
func (o *Outline) Span(r Rule) Span {
	last := r.Last - 1
	for last > r.First && o.Tokens[last].Kind == Comment {
		last--
	}
	return Span{o.Tokens[r.First].Start, o.Tokens[last].End}
}

// Definitions returns the indices of the productions with each name, by its key.
func (o *Outline) Definitions() map[string][]int {
	m := make(map[string][]int, len(o.Rules))
	for i, r := range o.Rules {
		key := o.Key(o.NameOf(r.Name))
		m[key] = append(m[key], i)
	}
	return m
}

// CommentOf returns the comments of a production, a line for each of theirs, or "": those directly before it, those
// at the ends of its lines, and those on lines of their own before its last element. Later ones on lines of their
// own belong to the next production. The signs of comments and the lines that are settings of bnfcheck are left out.
func (o *Outline) CommentOf(r Rule) string {
	lines := o.linesBefore(r)
	last := r.Last - 1
	for last > r.First && o.Tokens[last].Kind == Comment {
		last--
	}
	for i := r.First; i < r.Last; i++ {
		if o.Tokens[i].Kind == Comment && (i < last || !o.beginsLine(i, r.First)) {
			lines = append(lines, withoutSigns(o.TextOf(i))...)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// CommentBefore is [Outline.CommentOf] without the comments in and after the production.
func (o *Outline) CommentBefore(r Rule) string {
	return strings.TrimSpace(strings.Join(o.linesBefore(r), "\n"))
}

// linesBefore returns the lines of the comments directly before a production, without their signs.
func (o *Outline) linesBefore(r Rule) (lines []string) {
	for i := r.Comment; i < r.First; i++ {
		lines = append(lines, withoutSigns(o.TextOf(i))...)
	}
	return lines
}

// withoutSigns returns the lines of a comment without its signs and blanks at the ends, and without the lines that
// are settings of bnfcheck. Empty lines stay. Of signs that are one character, several may begin a comment: ";;". A
// "@" that begins a comment, and a "*" that begins a line of one, stay.
func withoutSigns(text string) (lines []string) {
	for _, line := range strings.Split(withoutSign(text), "\n") {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "bnfcheck:") {
			lines = append(lines, line)
		}
	}
	return lines
}

// withoutSign returns a comment without the sign that it begins with, all of them if it begins with several ";" or
// "#". A comment that is enclosed also loses the sign that it ends with. A "@" stays.
func withoutSign(text string) string {
	for _, pair := range [][2]string{{"(*", "*)"}, {"/*", "*/"}} {
		if inside, ok := strings.CutPrefix(text, pair[0]); ok {
			return strings.TrimSuffix(inside, pair[1])
		}
	}
	for _, sign := range []string{"//", "--"} {
		if rest, ok := strings.CutPrefix(text, sign); ok {
			return rest
		}
	}
	for _, sign := range []string{";", "#"} {
		if strings.HasPrefix(text, sign) {
			return strings.TrimLeft(text, sign)
		}
	}
	return text
}

// addRules appends to o.Rules the productions among the tokens from index from on, which are those of one span. A
// production ends where the comments of the next begin, and the last one with the span.
func (o *Outline) addRules(f *family, from int) {
	first := len(o.Rules)
	for i := from; i < len(o.Tokens); i++ {
		if o.NameOf(i) == "" {
			continue
		}
		sign := o.signAfter(f, i, from)
		if sign < 0 {
			continue
		}
		begins := i
		for begins > from && f.before != nil && f.before(o, begins-1) {
			begins--
		}
		o.Rules = append(o.Rules, Rule{
			Name: i, First: begins, Comment: o.commentBefore(begins, from),
			Adds: strings.HasSuffix(o.TextOf(sign), "=/"),
		})
		i = sign
	}
	for k := first; k < len(o.Rules); k++ {
		o.Rules[k].Last = len(o.Tokens)
		if k+1 < len(o.Rules) {
			o.Rules[k].Last = o.Rules[k+1].Comment
		}
	}
}

// signAfter returns the index of the sign that defines the name at i, or -1 if the name is used there. Comments may
// stand between them and, in a PEG, one string, the display name. Where the notation has each definition begin a line,
// the name must be the first in its line. from is the first token of the span.
func (o *Outline) signAfter(f *family, i, from int) int {
	shown := f.shown
	for k := i + 1; k < len(o.Tokens); k++ {
		switch t := o.Tokens[k]; {
		case t.Kind == Comment:
		case t.Kind == String && shown:
			shown = false
		case t.Kind == Defines:
			if f.atLine && !o.beginsLine(i, from) {
				return -1
			}
			return k
		default:
			return -1
		}
	}
	return -1
}

// beginsLine reports whether token i is the first in its line. The first token of a span, from, is taken for one.
func (o *Outline) beginsLine(i, from int) bool {
	for at := o.Tokens[i].Start - 1; at >= 0; at-- {
		switch o.Text[at] {
		case ' ', '\t', '\f', '\v':
		case '\n', '\r':
			return true
		default:
			return i == from // the first token of a span may follow a tag
		}
	}
	return true
}

// commentBefore returns the index of the first of the comments that stand on lines of their own directly before
// token i, without an empty line between, or i if there is none. It looks at no token before from. Only LF counts
// as the end of an empty line, although a comment after a CR stands on a line of its own (see beginsLine).
func (o *Outline) commentBefore(i, from int) int {
	k := i
	for k > from && o.Tokens[k-1].Kind == Comment && o.beginsLine(k-1, from) {
		between := o.Text[o.Tokens[k-1].End:o.Tokens[k].Start]
		if strings.Count(between, "\n") > 1 {
			break
		}
		k--
	}
	return k
}
