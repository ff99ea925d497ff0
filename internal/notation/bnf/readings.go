package bnf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Reading is an entry of a ledger: how one place of a text is read that could be read otherwise, and why.
type Reading struct {
	ID          string // "1738-brackets"
	Kind        Kind
	On          bool     // part of the default grammar; readings that are off are known and can be switched on
	Notation    bool     // without it a printed line has no meaning; so it belongs to the grammar as printed too
	Productions []string // IDs of those it is about
	Printed     string   // what the text has there
	ReadAs      string   // how it is read, in words
	Replace     []Replacement
	Option      Option
	Choose      []Choice
	Lines       []int // of the text, where the evidence is
	Evidence    string
	Pos         expr.Pos
}

// A Kind says what a reading decides.
type Kind string

// The kinds of readings.
const (
	Strings    Kind = "strings"    // which strings a production derives
	Derivation Kind = "derivation" // which derivation of a string is meant where there are several
)

// A Replacement is a right-hand side, in the notation of the text, that stands for a production's printed one.
type Replacement struct {
	Production string // its ID
	Text       string
	Pos        expr.Pos // of Text
}

// An Option is a reading that is about the notation or all productions and not about the text of one.
type Option string

// The options; "" is none. All but FoldScheme settle how the notation is read: see [Notation].
const (
	RepeatBracketsGroup Option = "repeat-brackets-group"
	BareSlashLiteral    Option = "bare-slash-literal"
	ExactLiterals       Option = "exact-literals" // literals match as printed; where this is off, either case
	// A literal that begins with a scheme and ":" matches either case up to there.
	FoldScheme Option = "fold-scheme"
)

// A Choice chooses among the derivations of a string by one production: each clause in turn keeps those that it
// prefers.
type Choice struct {
	Production string // its ID
	Clauses    []Clause
}

// A Clause is a preference about the children of one production among the children of the node. Right-recursive
// productions count as flat: all repetitions are children of one node.
type Clause struct {
	Child  string // the production's ID
	Prefer Preference
}

// A Preference is a choice of the derivations that a [Clause] keeps.
type Preference string

// The preferences. Shortest and Longest compare the first such child by length, then the second, and so on.
const (
	Present  Preference = "present"
	Absent   Preference = "absent"
	Shortest Preference = "shortest"
	Longest  Preference = "longest"
	First    Preference = "first" // of a lock file: the Child is an alternative, and goes before the others
)

// Default reports whether a reading is part of the default grammar.
func Default(r Reading) bool { return r.On }

// AsPrinted reports whether a reading is part of the grammar as printed: it gives the notation a meaning.
func AsPrinted(r Reading) bool { return r.Notation }

// ParseReadings reads a ledger. An entry is a run of lines "key: value"; a blank line ends it, an indented line carries
// the value above it on, and a line that starts with "#" is a comment. The keys:
//
//	id:          once, first; unique
//	kind:        strings or derivation
//	state:       on or off
//	notation:    yes, if it belongs to the grammar as printed
//	production:  IDs, separated by commas
//	printed:     what stands in the text
//	read-as:     how it is read
//	replace:     ID = right-hand side in the notation of the .bnf file; may be repeated
//	option:      repeat-brackets-group, bare-slash-literal, exact-literals or fold-scheme
//	choose:      ID: CHILD present|absent|shortest|longest, ...; may be repeated, in the order of application;
//	             in a lock file, ID: CHILD first
//	line:        numbers, separated by commas
//	evidence:    why
//
// Errors are of type [*expr.Error]. Whether the productions exist is seen by [Apply].
func ParseReadings(file string, src []byte) ([]Reading, error) {
	p := ledger{file: file, seen: map[string]bool{}}
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimRight(line, " \t\r")
		pos := expr.Pos{File: file, Line: i + 1, Col: 1}
		var err error
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			err = p.endEntry(pos)
		case line[0] == ' ' || line[0] == '\t': // it carries the value above on
			if len(p.fields) == 0 {
				err = expr.Errorf(pos, `unexpected indentation; expected "id: ..."`)
				break
			}
			p.fields[len(p.fields)-1].value += "\n" + line
		default:
			key, value, ok := strings.Cut(line, ":")
			if !ok {
				err = expr.Errorf(pos, `unexpected %q; expected "key: value", an indented line or a blank one`, line)
				break
			}
			indent := len(value) - len(strings.TrimLeft(value, " \t"))
			p.fields = append(p.fields, field{
				key, value[indent:], pos, expr.Pos{File: file, Line: i + 1, Col: len(key) + 2 + indent},
			})
		}
		if err == nil && i == strings.Count(string(src), "\n") { // the last line, which no blank one follows
			err = p.endEntry(pos)
		}
		if err != nil {
			return nil, err
		}
	}
	return p.readings, nil
}

// A ledger is a ledger of readings as it is read.
type ledger struct {
	file     string
	readings []Reading
	seen     map[string]bool // IDs
	fields   []field         // of the entry at hand
}

// A field is a line "key: value" with the lines that carry it on.
type field struct {
	key, value  string
	pos, valpos expr.Pos
}

// words is the value with all white space as single spaces.
func (f field) words() string { return strings.Join(strings.Fields(f.value), " ") }

// expected returns the error that the value of f is not what was expected.
func (f field) expected(what string) error {
	return expr.Errorf(f.valpos, "unexpected %q; expected %s", f.words(), what)
}

// endEntry makes a reading of the fields, checks it, appends it to l.readings and empties l.fields. It does nothing
// if there are no fields. It fails for a field that is wrong, missing or there twice, for an ID that the ledger has
// already, and if the fields are not those of the kind. end is the place of the line that ends the entry, for the
// error that something is missing.
func (l *ledger) endEntry(end expr.Pos) error {
	if len(l.fields) == 0 {
		return nil
	}
	r := Reading{Pos: l.fields[0].pos}
	given := map[string]bool{}
	for i, f := range l.fields {
		if given[f.key] && f.key != "replace" && f.key != "choose" {
			return expr.Errorf(f.pos, "%q is given twice", f.key)
		}
		if i == 0 && f.key != "id" {
			return expr.Errorf(f.pos, "unexpected %q; expected an entry to begin with its id", f.key)
		}
		given[f.key] = true
		if f.words() == "" {
			return f.expected("a value for " + f.key)
		}
		if err := r.set(f); err != nil {
			return err
		}
	}
	if l.seen[r.ID] {
		return expr.Errorf(r.Pos, "a reading %q stands in this ledger already", r.ID)
	}
	l.seen[r.ID] = true
	// A missing key is reported at the end of the entry, where it can be added.
	for _, key := range []string{"kind", "state", "production", "read-as", "evidence"} {
		if !given[key] {
			return expr.Errorf(end, "reading %q ends without %q", r.ID, key)
		}
	}
	switch decides := len(r.Replace) > 0 || r.Option != ""; {
	case r.Kind == Strings && (len(r.Choose) > 0 || !decides):
		return expr.Errorf(r.Pos, "reading %q is about strings: expected replace or option, and no choose", r.ID)
	case r.Kind == Derivation && (decides || len(r.Choose) == 0):
		return expr.Errorf(r.Pos, "reading %q is about derivations: expected choose, and neither replace nor option",
			r.ID)
	}
	l.readings = append(l.readings, r)
	l.fields = nil
	return nil
}

// set sets in r what the field says; a second production, replace, choose or line is added to the first. An unknown
// key and a value that the key does not have are errors.
func (r *Reading) set(f field) error {
	switch value := f.words(); f.key {
	case "id":
		if strings.ContainsAny(value, " ,=") {
			return f.expected("one word")
		}
		r.ID = value
	case "kind":
		r.Kind = Kind(value)
		if r.Kind != Strings && r.Kind != Derivation {
			return f.expected("strings or derivation")
		}
	case "state":
		r.On = value == "on"
		if !r.On && value != "off" {
			return f.expected("on or off")
		}
	case "notation":
		r.Notation = value == "yes"
		if !r.Notation && value != "no" {
			return f.expected("yes or no")
		}
	case "production":
		for id := range strings.SplitSeq(value, ",") {
			r.Productions = append(r.Productions, strings.TrimSpace(id))
		}
	case "printed":
		r.Printed = value
	case "read-as":
		r.ReadAs = value
	case "replace":
		id, right, ok := strings.Cut(f.value, "=")
		if !ok || strings.TrimSpace(right) == "" {
			return f.expected("PRODUCTION = right-hand side")
		}
		pos := f.valpos // of the right-hand side, after the ID and "="
		pos.Col += len(id) + 1
		r.Replace = append(r.Replace, Replacement{Production: strings.TrimSpace(id), Text: right, Pos: pos})
	case "option":
		r.Option = Option(value)
		if !slices.Contains([]Option{RepeatBracketsGroup, BareSlashLiteral, ExactLiterals, FoldScheme}, r.Option) {
			return f.expected("repeat-brackets-group, bare-slash-literal, exact-literals or fold-scheme")
		}
	case "choose":
		c, err := parseChoice(f)
		if err != nil {
			return err
		}
		r.Choose = append(r.Choose, c)
	case "line":
		for n := range strings.SplitSeq(value, ",") {
			line, err := strconv.Atoi(strings.TrimSpace(n))
			if err != nil || line < 1 {
				return f.expected("line numbers")
			}
			r.Lines = append(r.Lines, line)
		}
	case "evidence":
		r.Evidence = value
	default:
		return expr.Errorf(f.pos,
			"unexpected key %q; expected id, kind, state, notation, production, printed, read-as, replace, "+
				"option, choose, line or evidence", f.key)
	}
	return nil
}

// parseChoice reads "gopherurl: search present, selector shortest". It also takes first, which lock files have. It
// fails for a text in any other form.
func parseChoice(f field) (Choice, error) {
	id, clauses, ok := strings.Cut(f.words(), ":")
	c := Choice{Production: id}
	for clause := range strings.SplitSeq(clauses, ",") {
		child, prefer, _ := strings.Cut(strings.TrimSpace(clause), " ")
		p := Preference(prefer)
		if !ok || !slices.Contains([]Preference{Present, Absent, Shortest, Longest, First}, p) {
			return c, f.expected("PRODUCTION: CHILD present, absent, shortest or longest, and " +
				"more of these after commas")
		}
		c.Clauses = append(c.Clauses, Clause{child, p})
	}
	return c, nil
}

// String writes the entry as [ParseReadings] reads it: each field that is set in one line, and in the texts that
// replace one blank for each run of white space outside of quotes. Only a text whose lines may end in comments keeps
// its lines.
func (r Reading) String() string {
	var b strings.Builder
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s%s\n", key+":", value)
		}
	}
	put("id", r.ID)
	put("kind", string(r.Kind))
	state, notation := "off", ""
	if r.On {
		state = "on"
	}
	if r.Notation {
		notation = "yes"
	}
	put("state", state)
	put("notation", notation)
	put("production", strings.Join(r.Productions, ", "))
	put("printed", r.Printed)
	put("read-as", r.ReadAs)
	for _, to := range r.Replace {
		text := inOneLine("", to.Text)
		if strings.Contains(text, ";") {
			text = strings.TrimSpace(to.Text)
		}
		put("replace", to.Production+" = "+text)
	}
	put("option", string(r.Option))
	for _, c := range r.Choose {
		put("choose", c.String())
	}
	lines := make([]string, len(r.Lines))
	for i, n := range r.Lines {
		lines[i] = strconv.Itoa(n)
	}
	put("line", strings.Join(lines, ", "))
	put("evidence", r.Evidence)
	return b.String()
}

// String returns the choice as the ledger has it.
func (c Choice) String() string {
	clauses := make([]string, len(c.Clauses))
	for i, clause := range c.Clauses {
		clauses[i] = clause.Child + " " + string(clause.Prefer)
	}
	return c.Production + ": " + strings.Join(clauses, ", ")
}
