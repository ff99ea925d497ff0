package ast

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// This file reads the descriptions of a grammar's productions in generated code. A large grammar
// has hundreds of productions, and their text is most of what a program would carry. So a table
// holds their names and places, and the rest stays packed until it is asked for.

// Ditto in a table of productions repeats the field of the line above.
const Ditto = `"`

// ReadProductions is for generated code: it returns the productions of a table, after the zero
// Production, as [Grammar.Productions] holds them. Each line is a production: its ID, section,
// page, line, "lexical" if it is, name if it is not the ID, file and part, separated by tabs. Empty
// fields at the end are left out, and empty lines are skipped. A section or file that is a [Ditto]
// repeats that of the line above.
func ReadProductions(table string) []Production {
	section, file := "", ""
	list := make([]Production, 1, 1+strings.Count(table, "\n"))
	for line := range strings.Lines(table) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if fields[0] == "" {
			continue // the line break before the first
		}
		field := func(i int) string {
			if i < len(fields) {
				return fields[i]
			}
			return ""
		}
		if field(1) != Ditto {
			section = field(1)
		}
		if field(6) != Ditto {
			file = field(6)
		}
		p := Production{ID: field(0), Section: section, Name: field(5), File: file, Part: field(7)}
		p.Page, _ = strconv.Atoi(field(2)) // "" stands for 0
		p.Line, _ = strconv.Atoi(field(3))
		p.Lexical = field(4) != ""
		if p.Name == "" {
			p.Name = p.ID
		}
		list = append(list, p)
	}
	return list
}

// unpackedRules is the unpacked form of [Grammar.Rules].
type unpackedRules struct {
	Checker
	printed []string // by kind, from 1
}

// rules returns the rules of g, which the first call unpacks. They must not be changed. They are
// empty if g has none, or if they are damaged.
func (g *Grammar) rules() *unpackedRules {
	if g == nil || g.Rules == "" {
		return &unpackedRules{}
	}
	known, ok := unpacked.Load(g)
	if !ok {
		known, _ = unpacked.LoadOrStore(g, readRules(g.Rules))
	}
	return known.(*unpackedRules)
}

// readRules reads packed rules: the text that [NewChecker] reads, and for each production in it the
// number of its alternatives, the element of its sequence that is the choice, and its printed text.
// It returns empty rules if the packed ones are damaged; printed texts that are too short are cut off.
func readRules(packed string) *unpackedRules {
	r := newPackedReader(packed)
	text, counts, parts := r.list(), r.list(), r.list()
	lengths, printed := r.list(), string(narrow[uint8](r.list()))
	c, err := newChecker(string(narrow[uint8](text)), func(kind int, e *checked) (list []*checked) {
		if kind >= len(counts) || kind >= len(parts) || counts[kind] < 2 {
			return nil
		}
		return alternativesOf(e, int(parts[kind]), int(counts[kind]))
	})
	if err != nil || !r.ok {
		return &unpackedRules{}
	}
	all := &unpackedRules{Checker: *c, printed: []string{""}}
	for _, n := range lengths {
		n := min(int(n), len(printed))
		all.printed = append(all.printed, printed[:n])
		printed = printed[n:]
	}
	return all
}

// NewChecker returns a checker of g's trees. It fails if g has no rules: see [Grammar.Rules].
func (g *Grammar) NewChecker() (*Checker, error) {
	c := g.rules()
	if len(c.rules) < 2 {
		return nil, errors.New("the grammar has no rules to check a tree by")
	}
	return &Checker{rules: slices.Clip(c.rules)}, nil
}
