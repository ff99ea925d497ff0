package semantic

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

//go:embed sentences.tsv
var sentencesTSV string

// Sentence is a sentence of one of the texts that prescribes something ("must", "should", "may not", "is reserved",
// "defaults to", "is interpreted as"), and what it became.
//
// Of a draft those are listed that became rules, and those that its RFC does not have, or not in these words; the
// others read as the RFC's.
type Sentence struct {
	Text        string // "1738", "draft06"
	First, Last int    // lines of the text
	Section     string
	Gist        string // in our own words
	Became      Outcome
	By          string // rule IDs; or what gives the default or value; or the productions; or the decision or reason
}

// Key names the sentence by text and line: "1738:94".
func (s Sentence) Key() string { return s.Text + ":" + strconv.Itoa(s.First) }

// Rules gives the IDs of the rules that the sentence became.
func (s Sentence) Rules() []string {
	if s.Became != BecameRule {
		return nil
	}
	return strings.Split(s.By, ",")
}

// Outcome says what became of a sentence.
type Outcome string

const (
	BecameRule      Outcome = "rule"        // rules, by their IDs
	BecameDefault   Outcome = "default"     // a value where the URL gives none
	BecameDerived   Outcome = "derived"     // a part, value or step of the typed URL
	BecameOperation Outcome = "operation"   // the behaviour of an operation
	BecameGrammar   Outcome = "grammar"     // nothing more to do: the BNF has it
	BecameDecision  Outcome = "decision"    // settled as By says
	Uncheckable     Outcome = "uncheckable" // for the reason that By gives
)

// Sentences lists them: RFC 1630's first, each text in its order. Made from the table in this package's sentences.tsv.
func Sentences() []Sentence { return slices.Clone(sentences) }

var sentences = readSentences()

func readSentences() []Sentence {
	list := make([]Sentence, 0, strings.Count(sentencesTSV, "\n"))
	for line := range strings.Lines(sentencesTSV) {
		if line[0] == '#' {
			continue
		}
		var s Sentence
		var lines, became string
		rest := strings.TrimSuffix(line, "\n")
		for _, column := range [...]*string{&s.Text, &lines, &s.Section, &s.Gist, &became, &s.By} {
			*column, rest, _ = strings.Cut(rest, "\t")
		}
		first, last, _ := strings.Cut(lines, "-")
		s.First, _ = strconv.Atoi(first)
		s.Last, _ = strconv.Atoi(last)
		s.Became = Outcome(became)
		list = append(list, s)
	}
	return list
}
