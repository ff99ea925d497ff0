package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/claims"
	"github.com/bnfcheck/bnfcheck/internal/diff"
	"github.com/bnfcheck/bnfcheck/internal/prove"
	"github.com/bnfcheck/bnfcheck/internal/results"
)

// documents are the formats that are written by package report, as one document.
var documents = []string{"markdown", "junit", "sarif"}

func (c *choice) isDocument() bool { return slices.Contains(documents, c.value) }

// citation gives the place where a grammar prints a production, or of the grammar alone where it has none of that name.
func citation(grammar, title, production string) results.Citation {
	g, err := bnfcheck.Find(grammar)
	if err != nil {
		for _, p := range referenced(grammar) {
			if p.ID == production || p.Name == production {
				return results.Cite(&ast.Grammar{Name: grammar, Title: title}, p)
			}
		}
		return results.Citation{Grammar: grammar, Title: title, Production: production}
	}
	kind, err := g.Lookup(production)
	if err != nil {
		return results.Citation{Grammar: grammar, Title: title}
	}
	return results.Cite(g.Grammar, g.Production(kind))
}

// referenced gives the productions of a grammar that others are only held against; none of any other.
func referenced(grammar string) (list []ast.Production) {
	if !slices.Contains(bnf.References(), grammar) {
		return nil
	}
	src, err := bnf.Load(grammar)
	if err != nil {
		return nil // who compares with it is told
	}
	for _, r := range src.Text.Rules {
		list = append(list, ast.Production{ID: r.ID, Name: r.Name, Section: r.Section, Page: r.Page, Line: r.Line})
	}
	return list
}

// proofResults has a result for each production, one for each fault, and one for each assumption and note.
func proofResults(reports []*prove.Report) (list []results.Result) {
	for _, r := range reports {
		suite := "prove " + r.Grammar
		faulty := map[string]bool{}
		for i, f := range r.Faults {
			faulty[f.Production] = true
			x := results.Result{
				Suite: suite, Name: strings.TrimPrefix(fmt.Sprintf("%s, %s %d", f.Production, f.Kind, i+1), ", "), Outcome: results.Failed,
				Message: f.Message, Rule: "prove/" + string(f.Kind), Title: proofRules[f.Kind],
				RFC: citation(r.Grammar, r.Title, f.Production), Place: place(f.Place),
			}
			if k := f.Kind; k == prove.Limit || k == prove.Missing || k == prove.UndefinedName || k == prove.Unsupported {
				x.Outcome = results.Broken
			}
			if f.Word != nil {
				x.Witness, x.Shown = string(*f.Word), true
			}
			list = append(list, x)
		}
		for _, row := range r.Productions {
			if faulty[row.Production] {
				continue
			}
			x := results.Result{
				Suite: suite, Name: row.Production, Outcome: results.Passed, Rule: "prove/" + string(prove.Language),
				Title: proofRules[prove.Language], RFC: citation(r.Grammar, r.Title, row.Production),
			}
			if !row.Equal {
				x.Outcome, x.Message = results.Skipped, "not decided: it uses a name that no production defines"
			}
			list = append(list, x)
		}
		note := func(kind, title string, says []string) {
			for i, s := range says {
				list = append(list, results.Result{
					Suite: suite, Name: fmt.Sprintf("%s %d", kind, i+1), Outcome: results.Noted, Level: results.Note,
					Message: s, Rule: "prove/" + kind, Title: title, RFC: citation(r.Grammar, r.Title, r.Start),
				})
			}
		}
		note("verdict", "how the proof ends", []string{r.Summary()})
		note("assumption", "what the result rests on", r.AllAssumed())
		note("note", "what was found beside the proof", slices.Concat(r.Notes, r.Lint))
	}
	return list
}

// place reads file:line:column.
func place(s string) results.Place {
	rest, column, _ := lastCut(s)
	file, line, ok := lastCut(rest)
	if !ok {
		return results.Place{}
	}
	return results.Place{File: file, Line: line, Column: column}
}

func lastCut(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}

var proofRules = map[prove.Kind]string{
	prove.Language:      "every rule matches what its production derives",
	prove.Transcription: "the file is the printed text, rule by rule",
	prove.Derivation:    "the ledger settles every ambiguity",
	prove.TreeFault:     "every tree is the derivation that the ledger chooses",
	prove.Limit:         "every automaton can be built",
	prove.Unsupported:   "the model covers everything in the grammars",
	prove.Missing:       "every production has a rule",
	prove.UndefinedName: "every name has a production",
}

// differenceResults has a result for each cause, or one that passed where two productions are equal. It rests on the
// production of the side that stops.
func differenceResults(list []*diff.Difference) (out []results.Result) {
	for _, d := range list {
		suite := "diff " + d.A.String() + ", " + d.B.String()
		if len(d.Causes) == 0 {
			out = append(out, results.Result{
				Suite: suite, Name: "all strings", Outcome: results.Passed, Rule: "diff/equal", Title: "both derive the same strings",
				RFC: citation(d.B.Grammar, d.B.Title, d.B.Production),
			})
		}
		for _, c := range d.Causes {
			goes, stops, on, off := d.A, d.B, c.A, c.B
			rule := "diff/only-first"
			if c.Region == diff.OnlyB {
				goes, stops, on, off = d.B, d.A, c.B, c.A
				rule = "diff/only-second"
			}
			out = append(out, results.Result{
				Suite: suite, Name: "from " + c.Witness.String(), Outcome: results.Failed,
				Message: fmt.Sprintf("offset %d: %s reads %s; %s expects %s", c.Offset, goes, strings.Join(on.Terms, ", "), stops, strings.Join(off.Terms, ", ")),
				Detail:  fmt.Sprintf("goes on in %s\nstops in %s", strings.Join(on.Path, " > "), strings.Join(off.Path, " > ")),
				Rule:    rule, Title: "no string is derived by one of the two alone",
				RFC: whereItStops(stops, off.Path), Witness: string(c.Witness), Shown: true,
			})
		}
	}
	return out
}

// whereItStops gives the place of the innermost production of a path. Where a grammar has two of its name, it is that of the
// section that the start production stands in; where the path branches at its end, the start production.
func whereItStops(side diff.Party, path []string) results.Citation {
	if len(path) > 0 {
		productions := referenced(side.Grammar)
		if g, err := bnfcheck.Find(side.Grammar); err == nil {
			productions = g.Productions()
		}
		var found []ast.Production
		for _, p := range productions {
			if p.Name == path[len(path)-1] {
				found = append(found, p)
			}
		}
		if at := slices.IndexFunc(found, func(p ast.Production) bool { return len(found) == 1 || p.Section == side.Section }); at >= 0 {
			return results.Cite(&ast.Grammar{Name: side.Grammar, Title: side.Title}, found[at])
		}
	}
	return citation(side.Grammar, side.Title, side.Production)
}

// claimResults has a result for each claim, by the grammar as it is read.
func claimResults(claims []claims.Claim) (list []results.Result) {
	for _, c := range claims {
		first, _, _ := strings.Cut(c.Lines, "-")
		line, _ := strconv.Atoi(first) // 0 where the lines are no number: the citation is then without one
		r := results.Result{
			Suite: "claims " + c.Grammar, Name: c.ID, Outcome: results.Passed, Message: c.Says, Rule: "claims/" + c.ID, Title: c.Says,
			RFC: results.Citation{Grammar: c.Grammar, Title: c.Title, Section: c.Section, Line: line},
		}
		var detail []string
		for _, a := range c.AsRead.Assertions {
			if a.Holds || a.Aside {
				continue
			}
			r.Outcome = results.Failed
			detail = append(detail, "refuted: "+a.Says)
			if a.Witness != nil && !r.Shown {
				r.Witness, r.Shown = string(*a.Witness), true
			}
		}
		r.Detail = strings.Join(detail, "\n")
		list = append(list, r)
	}
	return list
}
