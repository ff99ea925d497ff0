package prove

import (
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Report is the result of [Prove].
type Report struct {
	Grammar string `json:"grammar"`
	Title   string `json:"title"`
	BNF     string `json:"bnf"` // the files
	PEG     string `json:"peg"`
	Start   string `json:"start"`

	codePoints bool // as in [expr.Grammar]

	// Verdict is the result. Asked counts the productions that were to be proven; core rules of ABNF count only if they
	// have a rule. Equal counts those whose rule matches exactly what they derive.
	Verdict Verdict `json:"verdict"`
	Asked   int     `json:"asked"`
	Equal   int     `json:"equal"`

	// Assumptions are the conditions that the result rests on. InPlace are productions without a rule, which
	// Options.AllowMissing permits. Defined are the definitions that the caller supplied for names without a
	// production.
	Assumptions []string             `json:"assumptions,omitempty"`
	InPlace     []string             `json:"in_place,omitempty"`
	Defined     []catalog.Definition `json:"defined,omitempty"`

	// Productions has a row for each production of the BNF that the PEG has a rule for, in the order of the text.
	Productions []Row `json:"productions"`

	// Certificate is nil unless [Report.Certify] has written one.
	Certificate *Certificate `json:"certificate,omitempty"`

	// Causes are the rules that are wrong by themselves, in the order of the text; a cycle is one cause. All other
	// wrong rules are wrong because they use one of these. Rules that are proven to a depth are not among them.
	Causes []Cause `json:"causes,omitempty"`

	// Untranscribed are the productions that need a rule and have none; each is a fault. Unprinted are the rules
	// without a production, apart from entries; for a published grammar each of these is a fault too. If productions
	// were asked for, only the rules that these use are listed.
	Untranscribed []string `json:"untranscribed,omitempty"`
	Unprinted     []string `json:"unprinted,omitempty"`

	// Undefined are names that the BNF uses and does not define, each of them a fault.
	Undefined []string `json:"undefined,omitempty"`

	// Unreached are the productions that Start does not lead to. It is empty if productions were asked for.
	Unreached []string `json:"unreached,omitempty"`

	// Lint lists oddities of the BNF that may be intended, each with its place: repetitions of something that can be
	// empty, productions that are added to before they are defined, and the notices of the pair for which no reading
	// was taken. Everything else that [lint.Form] finds is a fault, or in the lists above.
	Lint []string `json:"lint,omitempty"`

	// Read lists the parts of the text of an RFC that were read as productions, and those that look like productions
	// and were not.
	Read []string `json:"read,omitempty"`

	// Notes has the notices of the pair for which a reading was taken. For pairs without a ledger it also names
	// rules that transcribe no production, productions that nest and are not proven, and questions that were left
	// open: which alternatives are hidden, and what is ambiguous.
	Notes []string `json:"notes,omitempty"`

	// Hidden has the alternatives that others hide, in the order of the places of their choices. Ambiguities are in the
	// order of the productions.
	Hidden      []Hidden    `json:"hidden,omitempty"`
	Ambiguities []Ambiguity `json:"ambiguities,omitempty"`

	// Samples counts the strings that each parser was given. A parser's mistake is a fault.
	Samples []Sample `json:"samples,omitempty"`

	// Faults are the claims that do not hold or could not be decided: first those that are not due to another rule,
	// then those about rules that are wrong because of others. In each part those of kind Empty come first, then
	// those that refute, then all others; and in each of these names and rules that are missing, then the order of
	// the productions. At the end stands a fault for each row that is not proven and has no other.
	Faults []Fault `json:"faults"`
}

// A Row is the result for one production.
type Row struct {
	Production string `json:"production"` // its ID
	Name       string `json:"name"`
	Part       string `json:"part,omitempty"`
	Page       int    `json:"page,omitempty"`
	Line       int    `json:"line,omitempty"`
	Mark       string `json:"mark,omitempty"` // how its rule must be marked
	Place      string `json:"place"`          // in the BNF file
	RulePlace  string `json:"rule_place"`     // of its rule

	// Equal reports that the rule matches exactly what the production derives. If it does not, BNFOnly is the shortest
	// string that only the production derives, and PEGOnly the shortest that only the rule matches; either may be nil.
	Equal   bool        `json:"-"`
	BNFOnly *quote.Word `json:"bnf_only,omitempty"`
	PEGOnly *quote.Word `json:"peg_only,omitempty"`

	// Decided points to a copy of Equal if the rule is proven or refuted, and is nil if that is open.
	Decided *bool `json:"equal"`

	// Because are the causes that make the rule wrong, if it is not wrong by itself.
	Because []string `json:"because,omitempty"`

	// Depth is the depth at which the recursions of the production, or of the rule, were cut off: see
	// Options.Nesting. Equal then reports that the rule matches every string that the production derives
	// within it, and that the production derives every string whose match stays within it.
	Depth *int `json:"depth,omitempty"`

	// Structure reports that Equal was decided without automata: the rule, and every rule that it uses, is written as
	// its production, and the next byte decides each of their choices. Then nothing is hidden and nothing ambiguous.
	Structure bool `json:"structure,omitempty"`

	// BNFStates and PEGStates count the states of the minimal complete automata; a dead state counts. Classes is the
	// number of classes of bytes that the production tells apart. Each is 0 if it was not computed.
	BNFStates int `json:"bnf_states,omitempty"`
	PEGStates int `json:"peg_states,omitempty"`
	Classes   int `json:"classes,omitempty"`

	// Node reports that the production is a node of the tree, and Tree whether its trees are proven to be the
	// derivations that the ledger chooses. Without a ledger Tree is "".
	Node bool  `json:"node,omitempty"`
	Tree Proof `json:"tree,omitempty"`
}

// Language says whether the rule matches exactly what the production derives: "equal", also if that is proven to a depth
// only; "differs", also if no string that shows it was found; or "open", if it is neither proven nor refuted.
func (r Row) Language() string {
	switch {
	case r.Equal:
		return "equal"
	case r.Decided != nil:
		return "differs"
	}
	return "open"
}

// Proof is the state of a claim.
type Proof string

// How much is known.
const (
	Proven  Proof = "proven"
	Refuted Proof = "refuted"
	Open    Proof = "open" // not asked: the languages differ already, or a limit was passed
)

// An Ambiguity is a production that derives some string in several ways that the tree tells apart.
type Ambiguity struct {
	Production  string     `json:"production"`
	Word        quote.Word `json:"word"`               // the shortest such string
	Derivations []string   `json:"derivations"`        // at most maxDerivations
	Shown       string     `json:"shown,omitempty"`    // the one that the tree shows
	Readings    []string   `json:"readings,omitempty"` // the ledger's entries that choose it
	Chosen      bool       `json:"-"`                  // Readings leave one derivation of every string
	// Points to Chosen; nil if that is open, or trees were not asked for.
	Decided *bool `json:"chosen"`
}

// A Fault is a claim that was to be proven and does not hold, or could not be decided.
type Fault struct {
	Production string      `json:"production"`
	Kind       Kind        `json:"kind"`
	Place      string      `json:"place,omitempty"` // file, line and column of what it is about, mostly the rule
	Message    string      `json:"message"`
	Word       *quote.Word `json:"word,omitempty"`
	Because    []string    `json:"because,omitempty"` // the causes that make the rule wrong

	at    expr.Pos // the choice to blame; the zero Pos if there is none
	parts []string // the clauses of the message, which text shows on a line each; nil if there is one
}

// String returns the fault in one line, "file:line:column: production: message", without the place or the production
// if it has none.
func (f Fault) String() string {
	s := f.Message
	if f.Production != "" {
		s = f.Production + ": " + s
	}
	if f.Place != "" {
		s = f.Place + ": " + s
	}
	return s
}

// A Kind is the kind of claim that a [Fault] is about.
type Kind string

// The kinds of faults.
const (
	Empty         Kind = "empty"         // the production or the rule has no string
	Language      Kind = "language"      // the rule does not match what the production derives
	Transcription Kind = "transcription" // the .peg file is not the text's BNF rule by rule, or a mark is wrong
	Derivation    Kind = "derivation"    // an ambiguity that the ledger does not settle, or an entry without one
	TreeFault     Kind = "tree"          // a tree that is not the derivation that the ledger chooses
	Limit         Kind = "limit"         // an automaton that is too large
	Unsupported   Kind = "unsupported"   // a construct that the model does not cover
	Missing       Kind = "missing"       // a production without a rule
	UndefinedName Kind = "undefined"     // a name without a production
)
