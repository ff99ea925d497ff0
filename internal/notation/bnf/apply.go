package bnf

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Source is an embedded grammar with its ledger.
type Source struct {
	// As ReadWith returns it; names that are nowhere defined are references, which package lint finds.
	Text     *expr.Grammar
	Printed  *expr.Grammar // as printed: the readings that give the notation a meaning, and no others
	Default  *expr.Grammar // with the readings that are on
	Readings []Reading
}

// Load reads an embedded grammar ("rfc1738") with its ledger. Every call reads it again. It fails if there is no
// grammar of that name, or no ledger for it, and as [ReadSource] does.
func Load(name string) (*Source, error) {
	file := name + ".bnf"
	if slices.Contains(References(), name) {
		file = name + reference
	}
	src, err := fs.ReadFile(grammar.Files, file)
	if err != nil {
		return nil, fmt.Errorf("no grammar %q: %w", name, err)
	}
	ledger, err := fs.ReadFile(grammar.Files, name+".readings")
	if err != nil {
		return nil, fmt.Errorf("no readings of %q: %w", name, err)
	}
	return ReadSource("grammar/"+file, src, "grammar/"+name+".readings", ledger)
}

// ReadSource reads a grammar file with its ledger. The text of a reading that is marked as notation, be it on or off,
// is read in place of the printed production; the other readings change only Printed and Default. It fails if one of
// the two files cannot be read, or a reading does not fit the text. The Source is of no use then.
func ReadSource(file string, src []byte, ledgerFile string, ledger []byte) (*Source, error) {
	s := &Source{}
	var err error
	if s.Readings, err = ParseReadings(ledgerFile, ledger); err != nil {
		return nil, err
	}
	n := Usual
	n.ProseNames = false // what prose means, the ledger has
	n.Instead = map[string]Replacement{}
	for _, r := range s.Readings {
		for _, to := range r.Replace {
			if r.Notation {
				n.Instead[to.Production] = to
			}
		}
	}
	if s.Text, err = ReadWith(file, src, n); err != nil {
		return nil, err
	}
	s.Readings = withIDs(s.Text, s.Readings)
	if s.Printed, err = Apply(s.Text, s.Readings, AsPrinted); err != nil {
		return nil, err
	}
	s.Default, err = Apply(s.Text, s.Readings, Default)
	return s, err
}

// reference is the ending of grammars that have no transcription, and so no parser.
const reference = ".reference"

// References names the embedded grammars that exist only to be compared with ("rfc3986"). They are about their first
// production.
func References() []string {
	files := mustBuiltIn(fs.Glob(grammar.Files, "*"+reference))
	for i := range files {
		files[i] = strings.TrimSuffix(files[i], reference)
	}
	return files
}

// Reading finds an entry of the ledger by its ID; false if there is none.
func (s *Source) Reading(id string) (Reading, bool) {
	for _, r := range s.Readings {
		if r.ID == id {
			return r, true
		}
	}
	return Reading{}, false
}

// With returns the default grammar with some readings switched on or off, by ID; the others stay as the ledger has
// them. It fails for an ID that is not in the ledger, for a reading that decides no strings, and as [Apply] does.
func (s *Source) With(changes map[string]bool) (*expr.Grammar, error) {
	for _, id := range slices.Sorted(maps.Keys(changes)) { // of several, the error is about the same one every time
		r, ok := s.Reading(id)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s has no reading %q; it has %s", s.Text.Name, id, s.switchableIDs())
		case r.Kind != Strings:
			return nil, fmt.Errorf("reading %q chooses a derivation and changes no strings; those that do are %s",
				id, s.switchableIDs())
		}
	}
	return Apply(s.Text, s.Readings, func(r Reading) bool {
		if on, ok := changes[r.ID]; ok {
			return on
		}
		return r.On
	})
}

// switchableIDs lists the IDs of the readings that change strings, which are those that can be switched on and off,
// with commas between them, for an error message.
func (s *Source) switchableIDs() string {
	var ids []string
	for _, r := range s.Readings {
		if r.Kind == Strings {
			ids = append(ids, r.ID)
		}
	}
	return strings.Join(ids, ", ")
}

// Apply returns the grammar as read: g, which must come from [ReadWith], with the readings for which on returns true.
// It is a new grammar; g is not changed. Replaced rules keep what is printed, with page and line. In ABNF the core
// rules that the readings use are supplied. A name that is nowhere defined derives nothing: an empty class with that
// name stands for it.
//
// Readings that are on must not replace the same production by different texts; that is an error, and so is a
// reading, on or off, that names a production which does not exist. A text or a printed line that has no meaning
// under the readings that are on is an error as well. After an error there is no grammar.
func Apply(g *expr.Grammar, readings []Reading, on func(Reading) bool) (*expr.Grammar, error) {
	how, ok := notations[g.Notation]
	if !ok {
		return nil, fmt.Errorf("%s is in no notation that readings apply to", g.Name)
	}
	if err := checkNames(g, readings); err != nil {
		return nil, err
	}
	replaced, err := replacements(readings, on)
	if err != nil {
		return nil, err
	}
	n, foldScheme := options(readings, on)
	out := g.With(nil)
	scope := newScope(g)
	for _, r := range g.Rules {
		c := *r
		out.Rules = append(out.Rules, &c)
		scope.add(&c)
	}
	// Only RFC 1738's notation has options; elsewhere, and where they are as usual, what ReadWith made of a line
	// stands. A line that has no meaning without a reading that is off has none.
	reread := g.Notation == RFC822 &&
		(n.RepeatBracketsGroup != Usual.RepeatBracketsGroup || n.BareSlashLiteral != Usual.BareSlashLiteral)
	meaningless := map[string]bool{}
	for _, r := range readings {
		for _, to := range r.Replace {
			if r.Notation && !on(r) {
				meaningless[to.Production] = true
			}
		}
	}
	for _, r := range out.Rules {
		if text, ok := replaced[r.ID]; ok {
			if r.Expr, err = how.right(printed{text: text.Text, pos: text.Pos},
				reading{Notation: n, codePoints: g.CodePoints}); err != nil {
				return nil, err
			}
			scope.resolve(r, scope.ruleAnywhere)
		} else if reread || meaningless[r.ID] {
			line := printed{text: r.Printed, pos: expr.Pos{File: r.Pos.File, Line: r.Pos.Line, Col: 1}}
			read, err := how.production(line, reading{Notation: n, codePoints: g.CodePoints})
			if err != nil {
				return nil, err
			}
			r.Expr = read.right
			scope.resolve(r, scope.rule)
		}
	}
	if g.Notation == ABNF {
		supplyCore(out, scope)
	}
	for _, r := range out.Rules {
		r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
			switch {
			case e.Op == expr.Literal && n.FoldLiterals:
				return foldLiteral(e, len(e.Lit))
			case e.Op == expr.Literal && foldScheme:
				return foldLiteral(e, len(schemeLiteral().FindString(e.Lit)))
			case e.Op == expr.Ref && out.Rule(e.Name) == nil:
				return &expr.Expr{Op: expr.Class, Name: e.Name, Pos: e.Pos}
			}
			return e
		})
	}
	return out, nil
}

// schemeLiteral is a scheme at the beginning of a literal: http: in "http://".
var schemeLiteral = pattern(`^[a-z][0-9a-z+.-]*:`)

// options returns [Usual] as the readings about the notation change it, and whether a scheme at the beginning of a
// literal matches either case. A reading that is off switches its option off; an option without a reading is as
// usual. Of several readings with one option the last counts. on reports whether a reading is on. ProseNames is off.
func options(readings []Reading, on func(Reading) bool) (n Notation, foldScheme bool) {
	n = Usual
	n.ProseNames = false
	for _, r := range readings {
		switch r.Option {
		case RepeatBracketsGroup:
			n.RepeatBracketsGroup = on(r)
		case BareSlashLiteral:
			n.BareSlashLiteral = on(r)
		case ExactLiterals:
			n.FoldLiterals = !on(r)
		case FoldScheme:
			foldScheme = on(r)
		}
	}
	return n, foldScheme
}

// replacements collects the texts of the readings that are on and stand for printed ones, by production, spelled as in
// the ledger. It is an error if two of them replace one production by texts that differ in more than white space
// outside of quotes; of equal ones the last is kept.
func replacements(readings []Reading, on func(Reading) bool) (map[string]Replacement, error) {
	by := map[string]string{}
	out := map[string]Replacement{}
	for _, r := range readings {
		if !on(r) {
			continue
		}
		for _, text := range r.Replace {
			id := text.Production
			if other, ok := out[id]; ok && inOneLine("", other.Text) != inOneLine("", text.Text) {
				return nil, expr.Errorf(text.Pos, "readings %q and %q are both on and replace %s by different texts",
					by[id], r.ID, id)
			}
			by[id], out[id] = r.ID, text
		}
	}
	return out, nil
}

// replacedTexts returns the texts that are read instead of productions, by name: those of the ledger's readings that
// are on, or n.Instead if there is no ledger. It fails if a reading in the ledger, on or off, has an option or chooses
// a derivation, since those of a file only replace productions, and if two that are on replace one differently.
func (n Notation) replacedTexts() (map[string]Replacement, error) {
	for _, r := range n.Readings {
		if r.Option != "" || len(r.Choose) > 0 {
			return nil, expr.Errorf(r.Pos, "reading %q replaces nothing; the readings of a file replace productions",
				r.ID)
		}
	}
	if len(n.Readings) == 0 {
		return n.Instead, nil
	}
	return replacements(n.Readings, Default)
}

// supplyReplaced notices each production that a reading which is on replaces, at its place, or at the file if the
// document lacks it, and appends those that it lacks to c.supplied. The productions that the document has were
// replaced when they were read: see [Notation.replacedTexts]. It fails as definitions does.
func (c *collector) supplyReplaced(n reading) error {
	all := n.Readings
	n = n.outsideDocument()
	n.Define = nil
	for _, reading := range all {
		if !reading.On {
			continue
		}
		for _, to := range reading.Replace {
			at := expr.Pos{File: c.grammar.File}
			if r := c.scope.ruleAnywhere("", to.Production); r != nil {
				at = r.Pos
			} else {
				n.Define = append(n.Define, to)
			}
			c.note.addf(at, "`%s` is read as reading %s at %s has it: %s", to.Production, reading.ID, reading.Pos,
				reading.ReadAs)
		}
	}
	return c.definitions(n)
}

// withIDs changes readings in place: each name of a production becomes its ID, where the ledger spells it in another
// case. A name that g does not have stays. It returns readings.
func withIDs(g *expr.Grammar, readings []Reading) []Reading {
	ids := map[string]string{}
	for _, r := range g.Rules {
		ids[g.Key(r.ID)] = r.ID
	}
	for i := range readings {
		for _, name := range readings[i].productionNames() {
			if to := ids[g.Key(*name)]; to != "" {
				*name = to
			}
		}
	}
	return readings
}

// productionNames returns pointers to all places in r that name a production, to be read or replaced.
func (r *Reading) productionNames() (names []*string) {
	for i := range r.Productions {
		names = append(names, &r.Productions[i])
	}
	for i := range r.Replace {
		names = append(names, &r.Replace[i].Production)
	}
	for i, c := range r.Choose {
		names = append(names, &r.Choose[i].Production)
		for k := range c.Clauses {
			names = append(names, &c.Clauses[k].Child)
		}
	}
	return names
}

// checkNames returns an error if a production that is named in readings does not exist.
func checkNames(g *expr.Grammar, readings []Reading) error {
	for _, r := range readings {
		for _, id := range r.productionNames() {
			if g.Rule(*id) == nil {
				return expr.Errorf(r.Pos, "reading %q names %q, which is no production of %s", r.ID, *id, g.Name)
			}
		}
	}
	return nil
}
