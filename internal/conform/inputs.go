package conform

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

// Cover returns inputs for judges: strings that take every transition of the automata of the schemes' own productions, in every
// RFC that has one for the scheme (see [lang.DFA.TransitionCover]), and of RFC 3986's references where one of the judges
// judges these, each also behind "http:". Without names, all schemes are taken; with names, the references are left out.
func Cover(judges []Judge, schemes ...string) ([]string, error) {
	var all []string
	found := map[string]bool{}
	cover := func(g *bnfcheck.Grammar, kind ast.Kind) error {
		subject, err := vectors.NewSubject(g, g.Production(kind).ID)
		if err == nil {
			all = append(all, subject.DFA.TransitionCover()...)
		}
		return err
	}
	for _, g := range bnfcheck.RFCs() {
		for _, s := range g.Schemes {
			if len(schemes) > 0 && !slices.Contains(schemes, s.Name) {
				continue
			}
			found[s.Name] = true
			if len(schemes) == 0 && !slices.ContainsFunc(judges, Judge.urls) {
				continue
			}
			if err := cover(g, s.Kind); err != nil {
				return nil, err
			}
		}
	}
	for _, j := range judges {
		if j.generic() && len(schemes) == 0 {
			from := len(all)
			if err := cover(j.Grammar, j.start()); err != nil {
				return nil, err
			}
			for _, w := range all[from:] { // a parser may know some schemes only
				all = append(all, "http:"+w)
			}
		}
	}
	for _, name := range schemes {
		if !found[name] {
			return nil, fmt.Errorf("no grammar has a production for the scheme %s", quote(name))
		}
	}
	slices.SortFunc(all, lang.Compare)
	return slices.Compact(all), nil
}

// ByProduction returns judges by a production, for the grammars that have it or a counterpart of it (see
// [vectors.NewSubject]), and inputs that take every transition of their automata. The error says that none has it.
func ByProduction(name string, grammars ...*bnfcheck.Grammar) ([]Judge, []string, error) {
	kinds := map[*bnfcheck.Grammar]ast.Kind{}
	var problem error
	for _, g := range grammars {
		s, err := vectors.NewSubject(g, name)
		if err != nil {
			problem = err
			continue
		}
		for _, j := range s.Judges {
			if _, ok := kinds[j.Grammar]; !ok || j.Grammar == g { // its own before any counterpart
				kinds[j.Grammar] = j.Production
			}
		}
	}
	var judges []Judge
	var inputs []string
	for _, g := range grammars {
		kind, ok := kinds[g]
		if !ok {
			continue
		}
		s, err := vectors.NewSubject(g, g.Production(kind).ID)
		if err != nil {
			return nil, nil, err
		}
		judges = append(judges, Judge{Grammar: g, Production: kind})
		inputs = append(inputs, s.DFA.TransitionCover()...)
	}
	if len(judges) == 0 {
		return nil, nil, problem
	}
	return judges, inputs, nil
}

// HostAlphabet is what [Words] is best given to find strings in which parsers see different hosts: two letters, so that
// there can be two hosts, a digit, and all that has ever been a delimiter near one.
const HostAlphabet = "ab1@:/\\?#;%[].\t"

// Words returns all inputs that are prefix followed by at most most bytes of the alphabet, so that what is found in them is
// the shortest there is.
func Words(prefix, alphabet string, most int) []string {
	words := []string{prefix}
	for from := 0; most > 0; most-- {
		last := words[from:]
		from = len(words)
		for _, w := range last {
			for i := range len(alphabet) {
				words = append(words, w+alphabet[i:i+1])
			}
		}
	}
	return words
}
