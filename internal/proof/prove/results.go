package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
)

// Results returns, report by report, one result for each fault, then for each row without a fault, then for the
// verdict, for each assumption and for each note; no report may be nil. The oddities (Report.Lint) count as notes. A
// fault is Failed, or Broken if it means that the two were not compared. A row is Passed, or Skipped if it is not
// decided. The others are Noted.
func Results(reports []*Report) (list []results.Result) {
	for _, r := range reports {
		suite := "prove " + r.Grammar
		faulty := r.faulty()
		for i, f := range r.Faults {
			x := results.Result{
				Suite: suite, Name: strings.TrimPrefix(fmt.Sprintf("%s, %s %d", f.Production, f.Kind, i+1), ", "),
				Outcome: results.Failed,
				Message: f.Message, Rule: "prove/" + string(f.Kind), Title: proofRules[f.Kind],
				RFC: catalog.Cite(r.Grammar, r.Title, f.Production), Place: catalog.PlaceOf(parsePlace(f.Place)),
			}
			// Of these the two were not compared, so that nothing has failed.
			if k := f.Kind; k == Empty || k == Limit || k == Missing || k == UndefinedName || k == Unsupported {
				x.Outcome = results.Broken
			}
			if f.Word != nil {
				x.Witness, x.Shown, x.CodePoints = string(*f.Word), true, r.codePoints
			}
			list = append(list, x)
		}
		for _, row := range r.Productions {
			if faulty[row.Production] {
				continue
			}
			x := results.Result{
				Suite: suite, Name: row.Production, Outcome: results.Passed, Rule: "prove/" + string(Language),
				Title: proofRules[Language], RFC: catalog.Cite(r.Grammar, r.Title, row.Production),
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
					Message: s, Rule: "prove/" + kind, Title: title, RFC: catalog.Cite(r.Grammar, r.Title, r.Start),
				})
			}
		}
		note("verdict", "how the proof ends", []string{r.Summary()})
		note("assumption", "what the result rests on", r.AllAssumed())
		note("note", "what was found beside the proof", slices.Concat(r.Notes, r.Lint))
	}
	return list
}

// proofRules gives for each kind of fault the claim that it is about.
var proofRules = map[Kind]string{
	Empty:         "every production and every rule has a string",
	Language:      "every rule matches what its production derives",
	Transcription: "the file is the printed text, rule by rule",
	Derivation:    "the ledger settles every ambiguity",
	TreeFault:     "every tree is the derivation that the ledger chooses",
	Limit:         "every automaton can be built",
	Unsupported:   "the model covers everything in the grammars",
	Missing:       "every production has a rule",
	UndefinedName: "every name has a production",
}
