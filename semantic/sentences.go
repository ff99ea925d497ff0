package semantic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/grammar"
)

// Sentence is a sentence of one of the texts that prescribes something ("must", "should", "may not", "is reserved",
// "defaults to", "is interpreted as"), and what it became.
//
// For a draft the list has the sentences that became rules, and those that its RFC does not have, or not in these words.
// The others read as in the RFC.
type Sentence struct {
	Text        string // "1738", "draft06"
	First, Last int    // lines of the text
	Section     string // the section, or the heading where the text numbers none
	Gist        string // in our own words
	Became      Outcome
	By          string // rule IDs, a default or value, productions, or the decision or reason in words
}

// Key names the sentence by text and line: "1738:94".
func (s Sentence) Key() string { return s.Text + ":" + strconv.Itoa(s.First) }

// Rules returns the IDs of the rules that the sentence became.
func (s Sentence) Rules() []string {
	stated, seen := s.rules()
	return append(stated, seen...)
}

// rules returns the IDs of the rules that the sentence states, and of those that it supports and another states: By has "see"
// before these.
func (s Sentence) rules() (stated, seen []string) {
	if s.Became != BecameRule {
		return nil, nil
	}
	for id := range strings.SplitSeq(s.By, ",") {
		if other, see := strings.CutPrefix(id, "see "); see {
			seen = append(seen, other)
		} else {
			stated = append(stated, id)
		}
	}
	return stated, seen
}

// Outcome is what became of a sentence.
type Outcome string

const (
	BecameRule      Outcome = "rule"        // rules, by their IDs
	BecameDefault   Outcome = "default"     // a value where the URL has none
	BecameDerived   Outcome = "derived"     // a part, value or step of the typed URL
	BecameOperation Outcome = "operation"   // the behaviour of an operation
	BecameGrammar   Outcome = "grammar"     // nothing more to do: the BNF has it
	BecameDecision  Outcome = "decision"    // settled as By explains
	Uncheckable     Outcome = "uncheckable" // for the reason in By
)

// Sentences returns the sentences of all texts: those of RFC 1630 first, each text in its order.
func Sentences() []Sentence { return slices.Clone(sentences) }

var sentences = readSentences()

func readSentences() (list []Sentence) {
	for _, g := range bnfcheck.Grammars() {
		of, _ := grammar.Sentences(g.Name) // a test reads every table
		for _, s := range of {
			list = append(list, Sentence{textName(g), s.First, s.Last, s.Section, s.Gist, Outcome(s.Became), s.By})
		}
	}
	return list
}

// textName returns the name of a grammar's text: "1738", "draft06".
func textName(g *bnfcheck.Grammar) string { return strings.TrimPrefix(g.Name, "rfc") }
