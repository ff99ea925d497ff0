package catalog

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Pair is a grammar in a BNF and its transcription as a PEG. [PublishedPair], [PairOf] and [Files] make pairs.
type Pair struct {
	BNF *expr.Grammar // unordered
	PEG *expr.Grammar // ordered; a rule for a production has the production's ID

	// Start is the ID of the production that an input is usually parsed as; "" is the first.
	Start string

	// Ledger is the published text with its readings; BNF is its default grammar. It is nil for a pair from files.
	Ledger *bnf.Source

	// Parsers are made from the PEG and build trees.
	Parsers []Parser

	// Defined are the right-hand sides that were supplied for names without a production.
	Defined []Definition

	// Notices were given while the file of the BNF was read, and Blocks are its parts that hold productions.
	Notices []bnf.Notice
	Blocks  []bnf.Block
}

// A Parser is a parser made from the PEG of a [Pair]. Parse returns the tree of s as derived by the production with
// the ID start, or an error if it is not derived. It may be called by several goroutines.
type Parser struct {
	Name  string
	Parse func(start, s string) (*ast.Tree, error)
}

// A Definition is a right-hand side that was supplied for a name.
type Definition struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
}

// PublishedPair returns a published grammar, "rfc1738", with its transcription, its ledger and its parsers. It fails
// for an unknown name, also for the short form "1738".
func PublishedPair(name string) (Pair, error) {
	for _, g := range published {
		if g.Name != name {
			continue
		}
		ledger, err := bnf.Load(name)
		if err != nil {
			return Pair{}, err
		}
		rules, err := peg.Load(ledger.Default)
		if err != nil {
			return Pair{}, err
		}
		start := func(id string) ast.Kind {
			k, _ := g.Kind(id)
			return k
		}
		return Pair{
			BNF: ledger.Default, PEG: rules, Ledger: ledger,
			Start: g.Production(g.Default).ID,
			Parsers: []Parser{
				{"fast", func(id, s string) (*ast.Tree, error) { return g.Derive(start(id), s) }},
				{"pigeon", func(id, s string) (*ast.Tree, error) { return g.Pigeon(start(id), s) }},
			},
		}, nil
	}
	return Pair{}, fmt.Errorf("no published grammar %q", name)
}

// FileOptions control how a pair is made of files.
type FileOptions struct {
	Rules  [][2]string // a production and the rule that transcribes it, if the names differ
	Define [][2]string // a name without a production, or with one that is prose, and a right-hand side in the notation

	// ActionsSucceed is the caller's word that the code of the PEG does nothing but return values.
	ActionsSucceed bool

	// InvalidUTF8 reads a PEG of pigeon as its parser does with AllowInvalidUTF8(true).
	InvalidUTF8 bool
}

// Options returns o with the settings of f for reading the files of a pair. It appends to o.Notation.Define.
func (f FileOptions) Options(o Options) Options {
	o.PEG.ActionsSucceed, o.PEG.InvalidUTF8 = f.ActionsSucceed, f.InvalidUTF8
	for _, d := range f.Define {
		o.Notation.Define = append(o.Notation.Define,
			bnf.Replacement{Production: d[0], Text: d[1], Pos: expr.Pos{File: "--define " + d[0], Line: 1, Col: 1}})
	}
	return o
}

// Files returns the pair of two texts with the names of their files. It fails where [Read] or [PairOf] does.
func Files(bnfFile string, bnfSrc []byte, pegFile string, pegSrc []byte, o FileOptions) (Pair, error) {
	g, err := Read(bnfFile, bnfSrc, o.Options(Usual))
	if err != nil {
		return Pair{}, err
	}
	rules, err := Read(pegFile, pegSrc, o.Options(Usual))
	if err != nil {
		return Pair{}, err
	}
	return PairOf(g, rules, o)
}

// PairOf returns a pair of anyone's grammars. A rule of the PEG transcribes the production of the same name, see
// [SameName], or the one that o.Rules names; each production has one rule at most, and each rule one production. In
// Pair.PEG, a copy, the rules have the IDs of their productions, and the grammar has the name and title of g. It fails
// if a name fits several, if o.Rules has an unknown name or one twice, or if g is a PEG or rules is not. It only
// records o.Define: g must have been read with o.Options. If the title of g is the name of its file, PairOf sets
// g.Grammar to a grammar with its name as the title.
func PairOf(g, rules *Opened, o FileOptions) (Pair, error) {
	switch {
	case g.Grammar.Ordered:
		return Pair{}, fmt.Errorf("%s is a PEG: give the grammar that it transcribes first", g.File)
	case !rules.Grammar.Ordered:
		return Pair{}, fmt.Errorf("%s is no PEG, and can transcribe no grammar", cmp.Or(rules.File, rules.Grammar.Name))
	}
	if g.Grammar.Title == g.File { // in a report that names the file as well
		named := g.Grammar.With(g.Grammar.Rules)
		named.Title = named.Name
		g.Grammar = named
	}
	pair := Pair{BNF: g.Grammar, Notices: g.Notices, Blocks: g.Blocks}
	for _, d := range o.Define {
		pair.Defined = append(pair.Defined, Definition{d[0], d[1]})
	}
	to, err := pairRules(pair.BNF, rules.Grammar, o.Rules)
	if err != nil {
		return Pair{}, err
	}
	pair.PEG = renameWithoutClash(rules.Grammar, to)
	pair.PEG.Name, pair.PEG.Title = pair.BNF.Name, pair.BNF.Title
	return pair, nil
}

// pairRules returns the IDs of the productions that rules transcribe, by the ID of the rule: those in names, each a
// production, by any name that [Lookup] finds, and the ID of its rule; and those of one name. A rule that transcribes
// none is not in the map. It fails if a name is unknown, comes twice, or fits several.
func pairRules(b, rules *expr.Grammar, names [][2]string) (map[string]string, error) {
	to := map[string]string{}
	ruleOf := map[string]string{}
	for _, name := range names {
		production, err := Lookup(b, name[0])
		if err != nil {
			return nil, err
		}
		rule := rules.Rule(name[1])
		switch {
		case rule == nil:
			return nil, fmt.Errorf("%s has no rule %q", rules.File, name[1])
		case ruleOf[production.ID] != "":
			return nil, fmt.Errorf("%s: two rules are to transcribe `%s`: %s and %s", production.Pos, production.Name,
				ruleOf[production.ID], rule.ID)
		case to[rule.ID] != "":
			return nil, fmt.Errorf("%s: rule %s is to transcribe two productions: `%s` and `%s`", rule.Pos, rule.ID,
				to[rule.ID], production.ID)
		}
		to[rule.ID], ruleOf[production.ID] = production.ID, rule.ID
	}
	return to, pairByName(b, rules, to, ruleOf)
}

// pairByName pairs the rules and productions that have one name and are not paired yet: it adds them to ruleOf, by
// the ID of the production, and to to, by the ID of the rule. The name is the production's ID, or the one that
// [peg.Ident] writes for it or, if no rule has that, equal by [SameName]. If the rule of that name is paired with
// another production, this one gets no rule. It fails if a name fits several.
func pairByName(b, rules *expr.Grammar, to, ruleOf map[string]string) error {
	take := func(r *expr.Rule, rule string) {
		ruleOf[r.ID] = rule
		to[rule] = cmp.Or(to[rule], r.ID)
	}
	first := map[string]*expr.Rule{}
	for _, r := range b.Rules {
		ident := peg.Ident(r.ID)
		if rules.Rule(r.ID) != nil {
			ident = r.ID
		}
		if ruleOf[r.ID] != "" || rules.Rule(ident) == nil {
			continue
		}
		if first := first[ident]; first != nil {
			return fmt.Errorf("%s: `%s` and `%s` (%s) are both called %s in a .peg file; --map "+
				"%s=RULE tells them apart",
				r.Pos, r.Name, first.Name, first.Pos, ident, r.Name)
		}
		first[ident] = r
		take(r, ident)
	}
	for _, plain := range []func(string) string{withoutSeparators, plainName} { // case counts as long as it decides
		if err := pairBySimilarName(b, rules, to, ruleOf, plain); err != nil {
			return err
		}
	}
	return nil
}

// pairBySimilarName is pairByName for names that are equal once plain has simplified them. It looks only at rules and
// productions that are not paired yet. If it fails, it has paired none.
func pairBySimilarName(b, rules *expr.Grammar, to, ruleOf map[string]string, plain func(string) string) error {
	same := map[string][]*expr.Rule{} // rules that are free, by their plain name
	for _, rule := range rules.Rules {
		if to[rule.ID] == "" {
			same[plain(rule.ID)] = append(same[plain(rule.ID)], rule)
		}
	}
	productions := map[string]*expr.Rule{} // productions that are free and have such a rule, by their plain name
	for _, r := range b.Rules {
		name := plain(r.ID)
		free := same[name]
		if ruleOf[r.ID] != "" || len(free) == 0 {
			continue
		}
		if len(free) > 1 {
			return fmt.Errorf("%s: `%s` can be the rule %s (%s) or %s (%s); --map %s=RULE decides",
				r.Pos, r.Name, free[0].ID, free[0].Pos, free[1].ID, free[1].Pos, r.Name)
		}
		if first := productions[name]; first != nil {
			return fmt.Errorf("%s: rule %s can be `%s` (%s) or `%s` (%s); --map PRODUCTION=%s decides",
				free[0].Pos, free[0].ID, first.Name, first.Pos, r.Name, r.Pos, free[0].ID)
		}
		productions[name] = r
	}
	for name, r := range productions {
		rule := same[name][0].ID
		ruleOf[r.ID] = rule
		to[rule] = r.ID
	}
	return nil
}

// SameName reports whether two names are one name in different notations, like version-core, version_core and
// VersionCore.
func SameName(a, b string) bool { return plainName(a) == plainName(b) }

// plainName returns a name in lower case, without the signs that separate its words.
func plainName(name string) string { return strings.ToLower(withoutSeparators(name)) }

// withoutSeparators returns a name without the signs that separate its words, and with "+" as a word.
func withoutSeparators(name string) string {
	return strings.NewReplacer("-", "", "_", "", "+", "plus", ".", "").Replace(name)
}

// NoProduction ends the ID of a rule in [Pair.PEG] that transcribes no production, if its identifier is the ID of
// another's.
const NoProduction = " (PEG)"

// Lookup is [expr.Grammar.Lookup] with an error that names the file.
func Lookup(g *expr.Grammar, name string) (*expr.Rule, error) {
	r, err := g.Lookup(name)
	if err != nil && g.File != "" {
		err = fmt.Errorf("%s: %w", g.File, err)
	}
	return r, err
}

// renameWithoutClash is [peg.Rename], with new IDs by old ones, except that a rule without a new ID, whose own is now
// another's, gets NoProduction at the end of it. Any other rule without a new ID keeps its own.
func renameWithoutClash(g *expr.Grammar, to map[string]string) *expr.Grammar {
	taken := map[string]bool{} // IDs
	for _, id := range to {
		taken[id] = true
	}
	all := map[string]string{}
	for _, r := range g.Rules {
		switch id, ok := to[r.ID]; {
		case ok:
			all[r.ID] = id
		case taken[r.ID]:
			all[r.ID] = r.ID + NoProduction
		}
	}
	return peg.Rename(g, all)
}
