package explain

import "github.com/bnfcheck/bnfcheck/internal/notation/bnf"

// The JSON forms of productions and readings.
type (
	// printed identifies a production and the place where it is printed.
	printed struct {
		ID      string `json:"id"`
		Name    string `json:"name"`
		Part    string `json:"part,omitempty"`
		Section string `json:"section"`
		Page    int    `json:"page,omitempty"`
		Line    int    `json:"line,omitempty"`
		Lexical bool   `json:"lexical"`
		File    string `json:"file,omitempty"` // the user's grammar that the line belongs to
		Nests   string `json:"nests,omitempty"`
	}

	// entry is a production in a list.
	entry struct {
		printed
		Unused  bool   `json:"unused"`
		Printed string `json:"printed"`
	}

	// explained is all that is known about a production.
	explained struct {
		Grammar string `json:"grammar"`
		printed
		Printed  string   `json:"printed"`
		Rule     *Rule    `json:"rule,omitempty"` // none in a reference
		Readings []touch  `json:"readings,omitempty"`
		Uses     []string `json:"uses,omitempty"`
		UsedBy   []string `json:"used_by,omitempty"`
	}

	// touch is a reading in the description of a production that it concerns.
	touch struct {
		ID     string `json:"id"`
		On     bool   `json:"on"`
		ReadAs string `json:"read_as"`
		Lines  []int  `json:"lines,omitempty"`
	}

	// reading is an entry of the ledger, apart from any production.
	reading struct {
		touch
		Kind        string   `json:"kind"`
		Notation    bool     `json:"notation"`
		Productions []string `json:"productions"`
		Printed     string   `json:"printed,omitempty"`
		Evidence    string   `json:"evidence"`
	}
)

// newPrinted returns the identity of a production as JSON.
func newPrinted(p *Production) printed {
	return printed{p.ID, p.Name, p.Part, p.Section, p.Page, p.Line, p.Lexical, p.File, p.Nests}
}

// newTouch returns a reading as the description of a production has it.
func newTouch(r bnf.Reading) touch { return touch{r.ID, r.On, r.ReadAs, r.Lines} }

// Entry returns the JSON form of a production in a list, as a value for package json.
func (p *Production) Entry() any { return entry{newPrinted(p), p.Unused, p.Printed} }

// JSON returns the JSON form of all that is known about a production, but for whether it is unused, as a value for
// package json. Cite is given by its parts, without the title of the text.
func (p *Production) JSON() any {
	out := explained{Grammar: p.Grammar, printed: newPrinted(p), Printed: p.Printed, Rule: p.Rule, Uses: p.Uses,
		UsedBy: p.UsedBy}
	for _, r := range p.Readings {
		out.Readings = append(out.Readings, newTouch(r))
	}
	return out
}

// ReadingJSON returns the JSON form of an entry of the ledger, as a value for package json.
func ReadingJSON(r bnf.Reading) any {
	return reading{newTouch(r), string(r.Kind), r.Notation, r.Productions, r.Printed, r.Evidence}
}
