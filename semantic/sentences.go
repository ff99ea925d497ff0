package semantic

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/grammar"
)

// A sentence is a sentence of one of the texts that prescribes something ("must", "should", "may not", "is reserved",
// "defaults to", "is interpreted as"), and what it became.
//
// For a draft the list has the sentences that became rules, and those that its RFC does not have, or not in these
// words. The others read as in the RFC.
type sentence struct {
	Text        string // "1738", "draft06"
	First, Last int    // lines of the text
	Section     string // the section, or the heading where the text numbers none
	Gist        string // in our own words
	Became      outcome
	By          string // rule IDs, a default or value, productions, or the decision or reason in words
}

// Key names the sentence by text and line: "1738:94".
func (s sentence) Key() string { return s.Text + ":" + strconv.Itoa(s.First) }

// Rules returns the IDs of the rules that the sentence became.
func (s sentence) Rules() []string {
	stated, seen := s.rules()
	return append(stated, seen...)
}

// rules returns the IDs of the rules that the sentence states, and of those that it supports and another states: By
// has "see" before these. There are none unless it became a rule.
func (s sentence) rules() (stated, seen []string) {
	if s.Became != becameRule {
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

// An outcome is what became of a sentence.
type outcome string

const (
	becameRule      outcome = "rule"        // rules, by their IDs
	becameDefault   outcome = "default"     // a value where the URL has none
	becameDerived   outcome = "derived"     // a part, value or step of the typed URL
	becameOperation outcome = "operation"   // the behavior of an operation
	becameGrammar   outcome = "grammar"     // nothing more to do: the BNF has it
	becameDecision  outcome = "decision"    // settled as By explains
	uncheckable     outcome = "uncheckable" // for the reason in By
)

// sentences are those of all texts: those of RFC 1630 first, each text in its order. Tests hold them against the texts.
var sentences = readSentences()

// readSentences returns the sentences of the published texts.
func readSentences() (list []sentence) {
	for _, g := range bnfcheck.Grammars() {
		of, _ := grammar.Sentences(g.Name) // a test reads every table
		for _, s := range of {
			list = append(list, sentence{textName(g), s.First, s.Last, s.Section, s.Gist, outcome(s.Became), s.By})
		}
	}
	return list
}

// textName returns the name of a grammar's text: "1738", "draft06".
func textName(g *bnfcheck.Grammar) string { return strings.TrimPrefix(g.Name, "rfc") }
