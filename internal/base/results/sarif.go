package results

import (
	"bufio"
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// The objects of SARIF 2.1.0 that are used, with those of their properties that it sets. The names and the sections
// are those of the standard.
type (
	sarifLog struct { // section 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // section 3.14
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
		Tool       sarifTool     `json:"tool"` // last, since its rules are known when all results are
	}
	sarifTool struct { // section 3.18
		Driver sarifComponent `json:"driver"`
	}
	sarifComponent struct { // section 3.19
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct { // section 3.49: a reportingDescriptor
		ID               string       `json:"id"`
		Name             string       `json:"name"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	sarifMessage struct { // sections 3.11 and 3.12
		Text string `json:"text"`
	}
	sarifResult struct { // section 3.27
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Kind                string            `json:"kind"`
		Level               string            `json:"level"`
		Message             sarifMessage      `json:"message"`
		Locations           []sarifLocation   `json:"locations,omitempty"`
		RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct { // section 3.28
		PhysicalLocation sarifPlace    `json:"physicalLocation"`
		Message          *sarifMessage `json:"message,omitempty"`
	}
	sarifPlace struct { // section 3.29
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // section 3.4
		URI string `json:"uri"`
	}
	sarifRegion struct { // section 3.30
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// A sarifWriter writes SARIF 2.1.0: one run, with each result as it comes, and what is known of all of them, the
// rules, after them. A result lies where its subject stands in a file; without one, at the production in the text of
// the RFC (rfc1738.txt), which is related to it otherwise. Its fingerprint is made of what it checks, so that it
// stays the same when lines move.
type sarifWriter struct {
	out   *bufio.Writer
	rules []sarifRule
	index map[string]int // of the rules, by their IDs
	begun bool           // a result is written
}

// splitFrame returns the log without its results, as the text before and after them, with the brackets of the list. The
// rules that are known now are in after.
func (s *sarifWriter) splitFrame() (before, after string, err error) {
	text, err := quote.AppendIndented(nil, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{{"unicodeCodePoints", []sarifResult{}, sarifTool{sarifComponent{"bnfcheck", s.rules}}}},
	}, "", indent)
	before, after, _ = strings.Cut(string(text), resultsKey+"[]")
	return before + resultsKey + "[", "]" + after + "\n", err
}

// Write writes results as they come, and keeps only their rules. The error is that of the writer below, as soon as it
// is known.
func (s *sarifWriter) Write(results []Result) error {
	for _, r := range results {
		if s.begun {
			s.out.WriteByte(',')
		} else if err := s.writeBeginning(); err != nil {
			return err
		}
		s.out.WriteString("\n" + resultIndent)
		id, title := r.ruleWords()
		if _, ok := s.index[id]; !ok {
			s.index[id] = len(s.rules)
			s.rules = append(s.rules, sarifRule{id, id, sarifMessage{title}})
		}
		text, err := quote.AppendIndented(nil, r.asSARIF(id, s.index[id]), resultIndent, indent)
		if err != nil {
			return err
		}
		if _, err := s.out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// writeBeginning writes everything that precedes the results, and notes that they have begun.
func (s *sarifWriter) writeBeginning() error {
	s.begun = true
	before, _, err := s.splitFrame()
	s.out.WriteString(before)
	return err
}

// Close writes the rules of all results, and the end of the document. Without a result the document has an empty run.
func (s *sarifWriter) Close() error {
	if s.begun {
		s.out.WriteString("\n" + resultIndent[len(indent):]) // the bracket that closes the list is indented less
	} else if err := s.writeBeginning(); err != nil {
		return err
	}
	_, after, err := s.splitFrame()
	if err != nil {
		return err
	}
	s.out.WriteString(after)
	return s.out.Flush()
}

// resultsKey stands before the results of a run, and in none of its texts, whose quotes are escaped; resultIndent
// before each of their lines.
const (
	resultsKey   = `"results": `
	resultIndent = "        "
)

// ruleWords returns the ID and the title of a result's rule, as SARIF shows them.
func (r Result) ruleWords() (id, title string) {
	id = cmp.Or(r.Rule, "bnfcheck")
	return Visible(id), plainText(cmp.Or(r.Title, id))
}

// plainText returns text as a message that has no link. Viewers show [text](target) as a link, whatever is in front of
// it (section 3.11.6), and a grammar of somebody else may be quoted.
func plainText(text string) string { return strings.ReplaceAll(Visible(text), "](", `\x5D(`) }

// asSARIF returns r as a result of SARIF whose rule has this ID and this index in the run. SARIF has levels for
// failures alone, so a noted result becomes a failure with the level of the note. One that could not be carried out is
// for review, and one that was skipped is not applicable.
func (r Result) asSARIF(id string, index int) sarifResult {
	result := sarifResult{
		RuleID:              id,
		RuleIndex:           index,
		Kind:                "pass",
		Level:               "none", // no kind but fail has another
		Message:             sarifMessage{plainText(r.Name + "\n" + r.textLines())},
		PartialFingerprints: map[string]string{"bnfcheck/v1": Visible(r.Suite + "/" + id + "/" + r.Name)},
	}
	switch r.Outcome {
	case Failed:
		result.Kind, result.Level = "fail", string(cmp.Or(r.Level, Error))
	case Noted:
		result.Kind, result.Level = "fail", string(cmp.Or(r.Level, Note))
	case Broken:
		result.Kind = "review"
	case Skipped:
		result.Kind = "notApplicable"
	}
	var places []sarifLocation
	if r.Place.File != "" {
		places = append(places, sarifPlaceOf(r.Place, ""))
	}
	if r.RFC.Grammar != "" {
		places = append(places, sarifPlaceOf(Place{File: r.RFC.fileName(), Line: r.RFC.Line}, r.RFC.String()))
	}
	if len(places) > 0 {
		result.Locations, result.RelatedLocations = places[:1], places[1:]
	}
	return result
}

// sarifPlaceOf returns a place as SARIF has it, with a text about it if that is not "".
func sarifPlaceOf(p Place, text string) sarifLocation {
	l := sarifLocation{PhysicalLocation: sarifPlace{ArtifactLocation: sarifArtifact{uriReference(p.File)}}}
	if p.Line > 0 {
		l.PhysicalLocation.Region = &sarifRegion{p.Line, max(p.Column, 0)}
	}
	if text != "" {
		l.Message = &sarifMessage{plainText(text)}
	}
	return l
}

// uriReference returns a file's name as a URI reference, percent-encoded; SARIF must hold URIs as RFC 3986
// has them. A name that begins with a slash becomes a file URI. Any other keeps no "./" unless its first
// segment would be read as a scheme.
func uriReference(file string) string {
	u := url.URL{Path: file}
	if path.IsAbs(file) {
		u.Scheme = "file"
	}
	text := strings.TrimPrefix(u.String(), "./")
	if first, _, _ := strings.Cut(text, "/"); u.Scheme == "" && strings.Contains(first, ":") {
		return "./" + text // it would be a scheme otherwise (RFC 3986 section 4.2)
	}
	return text
}
