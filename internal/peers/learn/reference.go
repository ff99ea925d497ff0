package learn

import (
	"context"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// References is what is asked of a parser of RFC 3986: which references it accepts, or which URIs.
type References struct {
	Absolute bool // only those with a scheme, of a parser that has no form for the others

	// Brackets reports whether hosts in square brackets are asked about as well. The syntax of an IPv6 address alone takes many
	// times the states of all the rest, and more in a parser that counts its groups.
	Brackets bool
}

// Production returns the ID of the production of RFC 3986 that they are.
func (r References) Production() string {
	g := bnfcheck.RFC3986
	if r.Absolute {
		return g.Production(g.Whole()).ID
	}
	return g.Production(g.Default).ID
}

// Options returns what learning about references begins with: the classes of bytes of RFC 3986, and for words to try its
// complete suite.
func (r References) Options() (Options, error) {
	s, err := vectors.NewSubject(bnfcheck.RFC3986, r.Production())
	if err != nil {
		return Options{}, err
	}
	suite, err := vectors.CompleteSuite(s.DFA, vectors.HSI, 0, false)
	if err != nil {
		return Options{}, err
	}
	o := Options{Classes: s.DFA}
	for w := range suite.All() {
		if r.Brackets || !bracketedReference(w) {
			o.Try = append(o.Try, w)
		}
	}
	return o, nil
}

// Oracle asks a parser about references. A word counts as accepted if the parser accepts it.
func (r References) Oracle(parser conform.Implementation) Oracle { return &referenceOracle{r, parser} }

type referenceOracle struct {
	of     References
	parser conform.Implementation
}

// Ask implements [Oracle], with as many questions at a time as the parser has workers.
func (o *referenceOracle) Ask(ctx context.Context, words []string) ([]Answer, error) {
	answers := make([]Answer, len(words))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	n := max(o.parser.Workers(), 1)
	for from := range n {
		wait.Go(func() {
			for i := from; i < len(words); i += n {
				if !o.of.Brackets && bracketedReference(words[i]) {
					answers[i] = Undecided
					continue
				}
				a, err := o.parser.Ask(ctx, words[i])
				if err != nil {
					cancel(err)
					return
				}
				switch a.Verdict {
				case conform.Accepted:
					answers[i] = Accepted
				case conform.Rejected:
					answers[i] = Rejected
				default:
					answers[i] = Undecided
				}
			}
		})
	}
	wait.Wait()
	return answers, context.Cause(ctx)
}

// bracketedReference reports whether a reference has a host that begins with a bracket, or a bracket before any other
// delimiter, where a parser may look for one.
func bracketedReference(w string) bool {
	if strings.HasPrefix(w, "//") {
		return bracketed(w)
	}
	_, rest, ok := strings.Cut(w, ":")
	return ok && bracketed(rest)
}
