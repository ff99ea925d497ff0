package prove

import (
	"fmt"
	"path"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/peg"
)

// Published gives a published grammar, "rfc1738", with its transcription, its ledger and its parsers. The error is an
// unknown name, or a file of the grammar that cannot be read.
func Published(name string) (Pair, error) {
	for _, g := range bnfcheck.Grammars() {
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
		pigeon := gen.Pigeons[name]
		return Pair{
			BNF: ledger.Default, PEG: rules, Ledger: ledger,
			Start: g.Production(g.Default).ID,
			Parsers: []Parser{
				{"fast", func(id, s string) (*ast.Tree, error) { return g.Derive(start(id), s) }},
				{"pigeon", func(id, s string) (*ast.Tree, error) { return pigeon.Tree(start(id), s) }},
			},
		}, nil
	}
	return Pair{}, fmt.Errorf("no published grammar %q", name)
}

// Files makes a pair of anyone's grammars. The BNF is plain ABNF or, where abnf does not say so, a file as package bnf
// describes it, which names its notation. A rule of the PEG transcribes the production of the same name, read as
// [peg.Ident] writes it, or the one that names says: production to rule. The error is that of the file that cannot be
// read, or a name that is not there.
func Files(bnfFile string, bnfSrc []byte, abnf bool, pegFile string, pegSrc []byte, names map[string]string) (Pair, error) {
	read := bnf.Read
	if abnf || path.Ext(bnfFile) == ".abnf" {
		read = bnf.ReadABNF
	}
	b, err := read(bnfFile, bnfSrc)
	if err != nil {
		return Pair{}, err
	}
	rules, err := peg.Read(pegFile, pegSrc)
	if err != nil {
		return Pair{}, err
	}
	to := map[string]string{}
	for _, r := range b.Rules {
		to[peg.Ident(r.ID)] = r.ID
	}
	for production, rule := range names {
		r, err := b.Lookup(production)
		if err != nil {
			return Pair{}, err
		}
		if rules.Rule(rule) == nil {
			return Pair{}, fmt.Errorf("%s has no rule %q", pegFile, rule)
		}
		for ident, id := range to {
			if id == r.ID {
				delete(to, ident)
			}
		}
		to[rule] = r.ID
	}
	pair := Pair{BNF: b, PEG: renamed(rules, to)}
	pair.PEG.Name, pair.PEG.Title = b.Name, b.Title
	for _, r := range b.Rules {
		if pair.PEG.Rule(r.ID) != nil {
			pair.Start = r.ID
			break
		}
	}
	return pair, nil
}

// renamed is [peg.Rename], except that a rule whose name would then be taken by another gets one that cannot be taken.
func renamed(g *expr.Grammar, to map[string]string) *expr.Grammar {
	taken := map[string]bool{}
	for _, id := range to {
		taken[id] = true
	}
	all := map[string]string{}
	for _, r := range g.Rules {
		switch id, ok := to[r.ID]; {
		case ok:
			all[r.ID] = id
		case taken[r.ID]:
			all[r.ID] = r.ID + " (PEG)"
		}
	}
	return peg.Rename(g, all)
}
