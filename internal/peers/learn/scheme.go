package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// A Scheme is the question that a parser is asked: which URLs of one scheme it accepts.
type Scheme struct {
	Name     string
	Subjects []*vectors.Subject // its production in each of the grammars asked for that has one

	sides  []catalog.Language // the languages of these productions
	hosted bool               // none of the productions derives a URL without a host
	all    bool               // everything that the parser accepts is learned: the production is one of any grammar
}

// Against returns the question which strings a parser accepts, for one that should accept what a production
// of any grammar derives: s and l are that production.
func Against(name string, s *vectors.Subject, l catalog.Language) *Scheme {
	return &Scheme{Name: name, Subjects: []*vectors.Subject{s}, sides: []catalog.Language{l}, all: true}
}

// NewScheme returns a scheme with its production in each of the grammars that has one. It fails if none does,
// or if the subject or the language of a production cannot be made.
func NewScheme(name string, grammars ...*ast.Grammar) (*Scheme, error) {
	s := &Scheme{Name: name, hosted: true}
	for _, g := range grammars {
		if _, ok := g.Scheme(name); !ok {
			continue
		}
		production, err := vectors.NewSubject(g, name)
		if err != nil {
			return nil, err
		}
		side, err := catalog.Load(catalog.Version{}, g.Name)
		if err != nil {
			return nil, err
		}
		s.Subjects, s.sides = append(s.Subjects, production), append(s.sides, side[0].Language(production.ID()))
		s.hosted = s.hosted && alwaysHasHost(production)
	}
	if len(s.Subjects) == 0 {
		return nil, fmt.Errorf("no scheme %q", name)
	}
	return s, nil
}

// alwaysHasHost reports whether the shortest URL of a production has a host: if so, all of them have.
func alwaysHasHost(s *vectors.Subject) bool {
	w, _ := s.DFA.Shortest()
	tree, err := s.Grammar.Derive(s.Production, w)
	return err == nil && slices.ContainsFunc(vectors.Components(tree), func(c vectors.Component) bool {
		return c.Name == "host" && c.Value != ""
	})
}

// Options returns the options for learning about the scheme: the classes of bytes of the last grammar's
// production and, as words to try, a complete suite for each production and URLs with the ends of [seeds]. A suite
// may have gigabytes of words, and so is not made into a list. Options fails if a suite is too large.
func (s *Scheme) Options() (Options, error) {
	o := Options{Classes: s.Subjects[len(s.Subjects)-1].DFA}
	var suites []*vectors.Words
	for _, of := range s.Subjects {
		suite, err := vectors.CompleteSuite(of.DFA, vectors.HSI, 0, false)
		if err != nil {
			return Options{}, err
		}
		suites = append(suites, suite)
	}
	o.Try = func(yield func(string) bool) {
		for _, suite := range suites {
			for w := range suite.All() {
				if !yield(w) {
					return
				}
			}
		}
		if s.all {
			return
		}
		for _, end := range seeds {
			if !yield(s.Name + end) {
				return
			}
		}
	}
	return o, nil
}

// seeds are ends of URLs that parsers have code for, but that no vector of an RFC has and no random word
// hits. Of all escapes below %80, net/url allows only %25 in a host; so the way into such code is shown.
var seeds = []string{"://a%25b/", "://u:p@a:80/b?c#d", "://a/b?c#%aad"}

// Oracle returns an oracle that asks a parser about URLs of the scheme. A word counts as accepted if the
// parser accepts it and finds this scheme in it. If every URL of the scheme has a host by the RFC, the parser
// must also not say that there is none, so that there is something to connect to. (Many parsers accept nearly
// everything, as relative or opaque.)
//
// URLs with a host in square brackets are undecided. Those are RFC 2732's, five years younger than RFC 1738,
// and the syntax of an IPv6 address alone takes many times the states of all the rest.
func (s *Scheme) Oracle(parser conform.Implementation) Oracle { return &schemeOracle{s, parser} }

type schemeOracle struct {
	scheme *Scheme
	parser conform.Implementation
}

// Ask implements [Oracle], with as many questions at a time as the parser has workers. It fails as [conform.AskAll]
// does; the answers are then not complete.
func (o *schemeOracle) Ask(ctx context.Context, words []string) ([]Answer, error) {
	answers := make([]Answer, len(words))
	err := conform.AskAll(ctx, o.parser, words, func(i int,
		a conform.Answer) {
		answers[i] = o.scheme.answerFor(words[i], a)
	})
	return answers, err
}

// answerFor turns a parser's answer a about w into one that can be learned: see [Scheme.Oracle]. Of a URL
// with a host in square brackets only an acceptance is undecided; a rejection counts.
func (s *Scheme) answerFor(w string, a conform.Answer) Answer {
	found, rest, _ := strings.Cut(w, ":")
	if scheme := a.Components[conform.Scheme]; scheme.Said {
		found = scheme.Text
	}
	host := a.Components[conform.Host]
	switch {
	case a.Verdict == conform.Rejected:
		return Rejected
	case a.Verdict != conform.Accepted:
		return Undecided
	case s.all:
		return Accepted
	case !strings.EqualFold(found, s.Name), s.hosted && host.Said && host.Text == "":
		return Rejected
	case hasBracketedHost(rest):
		return Undecided
	}
	return Accepted
}

// hasBracketedHost reports whether the text after a scheme's colon has a host that begins with a bracket.
func hasBracketedHost(rest string) bool {
	authority, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return false
	}
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	return strings.HasPrefix(authority[strings.LastIndexByte(authority, '@')+1:], "[")
}
