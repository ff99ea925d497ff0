package diff

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An Effect tells what one entry of a grammar's ledger changes in the strings that are derived, with all other
// entries as they are by default.
type Effect struct {
	Grammar string `json:"grammar"` // "rfc1738"
	Title   string `json:"title"`   // "RFC 1738"

	// Reading is the entry's ID, or [AllReadings].
	Reading  string `json:"reading"`
	On       bool   `json:"on"` // part of the default grammar
	Printed  string `json:"printed,omitempty"`
	ReadAs   string `json:"read_as"`
	Evidence string `json:"evidence,omitempty"`
	Lines    []int  `json:"lines,omitempty"` // of the RFC

	// Meaningless is the reason why the printed text derives nothing definite without the entry; then there are no
	// Changes.
	Meaningless string `json:"meaningless,omitempty"`

	// Changes lists the productions that derive other strings with the entry than without it, in the order of the
	// text.
	Changes []Change `json:"changes"`
}

// AllReadings stands for all readings that are on by default together, except for those without which the notation
// has no meaning. Their effect compares the grammar as it is read with the grammar as printed.
const AllReadings = "all"

// A Change is the difference that an [Effect] makes to one production.
type Change struct {
	Production string   `json:"production"` // its ID
	Name       string   `json:"name"`
	Relation   Relation `json:"relation"` // of the production with the reading (A) to that without it (B)
	Gained     Part     `json:"gained"`   // strings derived only with the reading
	Kept       Part     `json:"kept"`
	Lost       Part     `json:"lost"` // strings derived only without it
}

// EffectsOf returns the effects of readings of all grammars that are built in: those that v sets, or all if v is the
// text as printed. It fails for a reading that is set and that no grammar has among those that decide strings.
func EffectsOf(v catalog.Version, o Options) (list []Effect, err error) {
	seen := map[string]bool{}
	for _, name := range catalog.Names() {
		effects, err := ReadingEffects(name, o)
		if err != nil {
			return nil, err
		}
		for _, e := range effects {
			_, named := v.Set[e.Reading]
			seen[e.Reading] = true
			if v.AsPrinted || named {
				list = append(list, e)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.Set)) { // of several, the error is about the same one every time
		if !seen[id] {
			return nil, fmt.Errorf("no reading %s changes what is derived; bnfcheck diff "+
				"--as-printed lists those that do", ast.Quote(id))
		}
	}
	return list, nil
}

// ReadingEffects returns the effect of each entry of a grammar's ledger that decides strings, in the order of the
// ledger, followed by their effect together. It fails if there is no such grammar, if it is too large, or if it cannot
// be read with an entry switched that is not one of the notation.
func ReadingEffects(name string, o Options) ([]Effect, error) {
	g, err := catalog.New(name)
	if err != nil {
		return nil, err
	}
	src, err := bnf.Load(g.Name)
	if err != nil {
		return nil, err
	}
	normal, err := languagesOf(src.Default, o.Limits)
	if err != nil {
		return nil, err
	}
	var effects []Effect
	for _, r := range src.Readings {
		if r.Kind != bnf.Strings {
			continue
		}
		e := Effect{
			Grammar: g.Name, Title: src.Text.Title, Reading: r.ID, On: r.On,
			Printed: r.Printed, ReadAs: r.ReadAs, Evidence: r.Evidence, Lines: r.Lines,
		}
		switched, err := src.With(map[string]bool{r.ID: !r.On})
		switch {
		case err != nil && r.Notation: // without it some line cannot be read at all
			e.Meaningless = err.Error()
		case err != nil:
			return nil, err
		default:
			other, err := languagesOf(switched, o.Limits)
			if err != nil {
				return nil, err
			}
			with, without := normal, other
			if !r.On {
				with, without = other, normal
			}
			e.Changes = changesOf(src.Default, with, without, o)
		}
		effects = append(effects, e)
	}
	printed, err := languagesOf(src.Printed, o.Limits)
	if err != nil {
		return nil, err
	}
	all := Effect{
		Grammar: g.Name, Title: src.Text.Title, Reading: AllReadings, On: true,
		ReadAs: "every entry that is on, against the grammar as printed",
	}
	all.Changes = changesOf(src.Default, normal, printed, o)
	return append(effects, all), nil
}

// languagesOf returns the strings of every production, by its ID. It fails if one is not regular or too large.
func languagesOf(g *expr.Grammar, limits lang.Limits) (map[string]*lang.DFA, error) {
	all := map[string]*lang.DFA{}
	for _, r := range g.Rules {
		var err error
		if all[r.ID], err = languageOf(g, r.ID, limits); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
	}
	return all, nil
}

// changesOf compares the languages of all productions of g with a reading and without it, and returns those that
// differ, in the order of g. Both maps must have every production of g.
func changesOf(g *expr.Grammar, with, without map[string]*lang.DFA, o Options) []Change {
	var out []Change
	for _, r := range g.Rules {
		a, b := with[r.ID], without[r.ID]
		if a.Equal(b) {
			continue
		}
		max := o.maxLength()
		out = append(out, Change{
			Production: r.ID, Name: r.Name, Relation: relationOf(a, b),
			Gained: newPart(a.Minus(b), max), Kept: newPart(a.Intersect(b), max), Lost: newPart(b.Minus(a), max),
		})
	}
	return out
}

// Compare returns the comparison of the two versions of a production, A without the reading and B with it, for
// [Comparison.Diff] to tell where exactly they part. It fails if the grammar cannot be loaded; a production that does
// not exist fails only in Diff.
func (e *Effect) Compare(production string) (Comparison, error) {
	without := catalog.Version{Set: map[string]bool{e.Reading: false}}
	with := catalog.Version{Set: map[string]bool{e.Reading: true}}
	if e.Reading == AllReadings {
		without, with = catalog.Version{AsPrinted: true}, catalog.Version{}
	}
	a, err := catalog.Load(without, e.Grammar)
	if err != nil {
		return Comparison{}, err
	}
	b, err := catalog.Load(with, e.Grammar)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Topic: production, A: a[0].Language(production), B: b[0].Language(production)}
	if e.Reading == AllReadings {
		c.B.Reading = "as read"
	}
	return c, nil
}
