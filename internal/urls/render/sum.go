package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
)

// A summaryJSON is a tally as JSON: the numbers of the tables, with a row for every scheme.
type summaryJSON struct {
	Version  int                  `json:"version,omitzero"` // 1; summaries of before there were versions have none
	Grammars []string             `json:"grammars"`
	URLs     int                  `json:"urls"`
	Skipped  int                  `json:"skipped"`
	Schemes  []schemeSummaryJSON  `json:"schemes"`
	Findings []findingSummaryJSON `json:"findings"`

	// How many of the URLs were searched for findings. An older summary does not say, which counts as all: nil.
	FindingsOf *int `json:"findings_of,omitempty"`
}

// A schemeSummaryJSON is a row of the tally.
type schemeSummaryJSON struct {
	Scheme   string                    `json:"scheme"`
	Verdicts map[string]map[string]int `json:"verdicts"` // by grammar and verdict
}

// A findingSummaryJSON has the numbers of findings of a rule.
type findingSummaryJSON struct {
	Rule     string         `json:"rule"`
	Severity string         `json:"severity"`
	Counts   map[string]int `json:"counts"` // by grammar
}

// otherSchemes stands for [check.OtherSchemes] in JSON; no scheme can have this name.
const otherSchemes = "(other)"

// AppendSummaryJSON appends a tally as one object, which [ReadSummary] reads, and a line feed. Schemes come most
// frequent first, and so do the rules that found something. Counts of 0 are left out of both.
func AppendSummaryJSON(b []byte, t *check.Tally) []byte {
	v := summaryJSON{Version: 1, URLs: t.Lines, Skipped: t.Skipped, Schemes: []schemeSummaryJSON{},
		Findings: []findingSummaryJSON{}, FindingsOf: &t.Searched}
	for _, g := range t.Grammars {
		v.Grammars = append(v.Grammars, g.Name)
	}
	for _, r := range t.Sorted() {
		if r.Scheme == check.OtherSchemes {
			r.Scheme = otherSchemes
		}
		of := schemeSummaryJSON{r.Scheme, map[string]map[string]int{}}
		for i, g := range t.Grammars {
			of.Verdicts[g.Name] = map[string]int{}
			for a, n := range r.Counts[i] {
				if n > 0 {
					of.Verdicts[g.Name][check.Answer(a).String()] = n
				}
			}
		}
		v.Schemes = append(v.Schemes, of)
	}
	for _, f := range t.FoundRules() {
		of := findingSummaryJSON{f.Rule.ID, f.Rule.Severity.String(), map[string]int{}}
		for i, g := range t.Grammars {
			if f.Counts[i] > 0 {
				of.Counts[g.Name] = f.Counts[i]
			}
		}
		v.Findings = append(v.Findings, of)
	}
	return JSON(b, v)
}

// maxSummary caps the bytes of a summary that is read; one of 4096 schemes has less than a tenth of it.
const maxSummary = 16 << 20

// ReadSummary reads the tally that [AppendSummaryJSON] wrote. It fails if that is malformed or too long, has unknown
// members, grammars, verdicts or rules, a grammar twice or a negative number, or was written by a later version, and
// if more follows it. Counts under a grammar that "grammars" does not list are ignored.
func ReadSummary(r io.Reader) (*check.Tally, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSummary+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSummary {
		return nil, fmt.Errorf("more than %d bytes: no summary is that long", maxSummary)
	}
	var v summaryJSON
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("no summary of bnfcheck check: %w", err)
	}
	if v.Version > 1 {
		return nil, fmt.Errorf("a summary of version %d, which another bnfcheck wrote; this one reads version 1",
			v.Version)
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("offset %d: more follows the summary", d.InputOffset())
	}
	var grammars []*bnfcheck.Grammar
	for _, name := range v.Grammars {
		g, err := bnfcheck.Find(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(grammars, g) {
			return nil, fmt.Errorf("the grammar %s is there twice", name)
		}
		grammars = append(grammars, g)
	}
	t := &check.Tally{}
	t.Reset(grammars)
	for _, s := range v.Schemes {
		name := s.Scheme
		if name == otherSchemes {
			name = check.OtherSchemes
		}
		for i, g := range grammars {
			counts := s.Verdicts[g.Name]
			for _, verdict := range slices.Sorted(maps.Keys(counts)) { // so that of several errors it is always one
				if err := t.AddCount(i, name, verdict, counts[verdict]); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, f := range v.Findings {
		for i, g := range grammars {
			if err := t.AddFindings(i, f.Rule, f.Counts[g.Name]); err != nil {
				return nil, err
			}
		}
	}
	if v.URLs < 0 || v.Skipped < 0 {
		return nil, fmt.Errorf("a number of lines is negative")
	}
	t.Lines, t.Skipped, t.Searched = v.URLs, v.Skipped, v.URLs
	if v.FindingsOf != nil {
		t.Searched = *v.FindingsOf
	}
	if t.Searched < 0 || t.Searched > t.Lines {
		return nil, fmt.Errorf("findings were looked for in %d of %d URLs", t.Searched, t.Lines)
	}
	return t, nil
}
