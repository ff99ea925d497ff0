package bnf

import (
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A standard is an RFC whose names others take.
type standard struct {
	numbers []string // of the RFC, and of those that it replaced
	names   []string // that mean its productions even in a text that does not cite it
	grammar *expr.Grammar
	cites   map[string]int  // how often its text names other RFCs, by number
	known   map[string]bool // the keys of the names and IDs of all productions; see [expr.Grammar.Key]
}

// standards returns the built-in standards in the order of preference. The first call reads them; they must not be
// changed. init assigns the variable, since reading the standards calls functions that use it.
var standards func() []*standard

func init() { standards = sync.OnceValue(readStandards) }

// readStandards reads the index of RFCs whose names are built in, and their grammars, in the order of the index. It
// panics if a file that is built in is wrong.
func readStandards() (list []*standard) {
	for line := range strings.Lines(string(mustBuiltIn(grammar.Names.ReadFile("names/index")))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		numbers, names, _ := strings.Cut(line, ":")
		s := &standard{numbers: strings.Fields(numbers), names: strings.Fields(names)}
		file := "names/rfc" + s.numbers[0] + ".abnf"
		if text, err := grammar.Names.ReadFile(file); err == nil {
			s.cites = citations(string(text))
			delete(s.cites, s.numbers[0]) // its title names itself
			s.grammar = mustBuiltIn(ReadABNF("grammar/"+file, text))
		} else {
			s.grammar = mustBuiltIn(Load("rfc" + s.numbers[0])).Default
		}
		s.known = map[string]bool{}
		for _, r := range s.grammar.Rules {
			s.known[s.grammar.Key(r.ID)] = true
			s.known[s.grammar.Key(r.Name)] = true
		}
		list = append(list, s)
	}
	return list
}

// Standard returns the built-in productions of an RFC whose names others take, such as rfc9110; nil if there are none.
func Standard(name string) *expr.Grammar {
	if s := standardWith(func(s *standard) bool { return s.grammar.Name == name }); s != nil {
		return s.grammar
	}
	return nil
}

// Standards returns the built-in productions of all RFCs whose names others take, in the order of preference. They are
// not to be changed.
func Standards() (list []*expr.Grammar) {
	for _, s := range standards() {
		list = append(list, s.grammar)
	}
	return list
}

// standardOf returns the standard that has g as its grammar; nil if there is none.
func standardOf(g *expr.Grammar) *standard {
	return standardWith(func(s *standard) bool { return s.grammar == g })
}

// standardWith returns the first standard that satisfies is; nil if there is none.
func standardWith(is func(*standard) bool) *standard {
	if i := slices.IndexFunc(standards(), is); i >= 0 {
		return standards()[i]
	}
	return nil
}

// citedRFC matches the name of an RFC in a text.
var citedRFC = pattern(`\bRFC[ -]?(\d+)\b`)

// citations counts the RFCs that a text names, by number.
func citations(text string) map[string]int {
	counts := map[string]int{}
	for _, m := range citedRFC().FindAllStringSubmatch(text, -1) {
		counts[m[1]]++
	}
	return counts
}

// What counts more than any number of citations: that a name is written in the same case, and, even more, that the RFC is
// cited at all. In a text that cites SMTP alone, quoted-string is SMTP's Quoted-string, and not HTTP's quoted-string.
const (
	sameCase = 1 << 20
	isCited  = 1 << 21
)

// standardName returns the production that a standard has for a name; core rules do not count. prose is the text of a
// rule or a reference that is nothing but prose, "" otherwise. Without prose, name is looked up. Prose means the name
// that it consists of, or begins with if a comma follows; if it cites an RFC, it may also mean its first word or, at
// last, name. If it cites some, only these RFCs count. Otherwise the text must cite the standard, or the standard
// must lend the name to all; counts has the citations by number. Of several standards one that is cited wins, then
// one that has the name in the same case, then the one that is cited most, then the first. A production that is
// nothing but prose leads on to the standard that it means. ok is false if no production is left.
func standardName(name, prose string, counts map[string]int) (src source, ok bool) {
	// The candidates, the likeliest first: the name that the prose consists of or begins with, and then that of the rule
	// itself. Prose that cites no RFC means a name only if it is one.
	names, cited := proseNames(prose), citations(prose)
	if prose == "" || len(cited) > 0 {
		names = append(names, strings.TrimRight(firstWord(strings.Trim(prose, "< ")), ",>"), name)
	}
	for _, name := range names {
		var cites map[string]int
		most := 0
		for _, s := range standards() {
			if !s.known[s.grammar.Key(name)] { // a text may have thousands of names that no standard has
				continue
			}
			r, err := s.grammar.Lookup(name)
			if err != nil || IsCore(r) {
				continue
			}
			n := 1 // one more than the citations of s in the text
			for _, number := range s.numbers {
				n += counts[number]
			}
			isCitedHere := func(number string) bool { return cited[number] > 0 }
			switch {
			case len(cited) > 0 && !slices.ContainsFunc(s.numbers, isCitedHere):
				continue // the prose cites others
			case len(cited) == 0 && n == 1 && !slices.Contains(s.names, r.Name):
				continue // nothing cites s, and it does not lend the name to all
			}
			rank := n
			if r.Name == name {
				rank += sameCase
			}
			if n > 1 {
				rank += isCited
			}
			if rank > most {
				most, src, cites = rank, source{s.grammar, r}, s.cites
			}
		}
		switch {
		case most > 0 && onlyProse(src.rule): // the standard takes the name from another one
			return standardName(src.rule.Name, src.rule.Expr.Name, cites)
		case most > 0:
			return src, true
		}
	}
	return source{}, false
}
