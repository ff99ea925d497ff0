package conform

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

// Cover gives inputs that take every transition of the automata of the schemes' own productions, in every published
// grammar that has one for the scheme (see [lang.DFA.TransitionCover]). Without names, all schemes are taken.
func Cover(schemes ...string) ([]string, error) {
	var all []string
	found := map[string]bool{}
	for _, g := range bnfcheck.RFCs() {
		for _, s := range g.Schemes {
			if len(schemes) > 0 && !slices.Contains(schemes, s.Name) {
				continue
			}
			found[s.Name] = true
			subject, err := vectors.NewSubject(g, g.Production(s.Kind).ID)
			if err != nil {
				return nil, err
			}
			all = append(all, subject.DFA.TransitionCover()...)
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

// HostAlphabet is what [Words] is best given to find strings in which parsers see different hosts: two letters, so that
// there can be two hosts, a digit, and all that has ever been a delimiter near one.
const HostAlphabet = "ab1@:/\\?#;%[].\t"

// Words gives all inputs that are prefix followed by at most most bytes of the alphabet, so that what is found in them is
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
