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

	// Verdict is the result. Asked is the number of productions that were to be proven, without the core rules of ABNF that
	// have no rule, and Equal the number of those whose rule matches exactly what they derive.
	Verdict Verdict `json:"verdict"`
	Asked   int     `json:"asked"`
	Equal   int     `json:"equal"`

	// Assumptions are what the result rests on. InPlace are the productions that may be without a rule by
	// Options.AllowMissing, and Defined is what was supplied for names without a production.
	Assumptions []string             `json:"assumptions,omitempty"`
	InPlace     []string             `json:"in_place,omitempty"`
	Defined     []catalog.Definition `json:"defined,omitempty"`

	// Productions has a row for each production of the BNF that the PEG has a rule for, in the order of the text.
	Productions []Row `json:"productions"`

	// Certificate is nil unless [Report.Certify] has written one.
	Certificate *Certificate `json:"certificate,omitempty"`

	// Causes are the wrong rules that are wrong by themselves, in the order of the text. The other wrong rules are wrong because
	// they use them.
	Causes []Cause `json:"causes,omitempty"`

	// Untranscribed are the productions that need a rule and have none, each of them a fault, and Unprinted the rules without
	// a production, entries apart. For a published grammar these are faults too.
	Untranscribed []string `json:"untranscribed,omitempty"`
	Unprinted     []string `json:"unprinted,omitempty"`

	// Undefined are names that the BNF uses and does not define, each of them a fault.
	Undefined []string `json:"undefined,omitempty"`

	// Unreached are the productions that Start does not lead to.
	Unreached []string `json:"unreached,omitempty"`

	// Lint is what is odd in the BNF though it may be right, each with its place: a repetition of what can be empty, so
	// that every count of it derives the same, and a production that is added to before it is defined. What else
	// [lint.Form] finds is a fault, or in the lists above.
	Lint []string `json:"lint,omitempty"`
	// Read are the parts of the text of an RFC that hold productions, and those that were left out though they look so.
	Read []string `json:"read,omitempty"`

	// Notes are about pairs without a ledger, each with its place: rules that transcribe no production, and questions beside
	// the proof that could not be answered, which alternatives are hidden and what is ambiguous.
	Notes []string `json:"notes,omitempty"`

	Hidden      []Hidden    `json:"hidden,omitempty"`
	Ambiguities []Ambiguity `json:"ambiguities,omitempty"`

	// Samples counts what each parser was given. What it did wrong is among the faults.
	Samples []Sample `json:"samples,omitempty"`

	// Faults is what was to be proven and does not hold, in the order of the productions.
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

	// Equal reports that the rule matches what the production derives and nothing else. Where it does not, BNFOnly is the
	// shortest string that only the production derives, and PEGOnly the shortest one that only the rule matches.
	Equal   bool        `json:"-"`
	BNFOnly *quote.Word `json:"bnf_only,omitempty"`
	PEGOnly *quote.Word `json:"peg_only,omitempty"`

	// Decided is Equal where the rule is proven or refuted, and nil where that is open.
	Decided *bool `json:"equal"`

	// Because are the causes that make the rule wrong, where it is not wrong by itself.
	Because []string `json:"because,omitempty"`

	// Depth is the depth to which the recursions of the production, or of the rule, were read: see Options.Nesting. Equal
	// then reports that the rule matches every string that the production derives within it, and that the production
	// derives every string whose match stays within it.
	Depth *int `json:"depth,omitempty"`

	// Structure reports that Equal was decided without automata: the rule is written as its production, and so is every
	// rule that it uses, and the next byte decides each of their choices. Nothing is hidden then, and nothing ambiguous.
	Structure bool `json:"structure,omitempty"`

	// BNFStates and PEGStates are the sizes of the minimal automata, complete and so with a dead state if they need
	// one, and Classes the number of classes of bytes that the production tells apart; 0 where they were not computed.
	BNFStates int `json:"bnf_states,omitempty"`
	PEGStates int `json:"peg_states,omitempty"`
	Classes   int `json:"classes,omitempty"`

	// Node reports that the production is a node of the tree, and Tree whether its trees are proven to be the derivations
	// that the BNF has and the ledger chooses. Without a ledger nothing is known about trees.
	Node bool  `json:"node,omitempty"`
	Tree Proof `json:"tree,omitempty"`
}

// Proof is the state of a claim.
type Proof string

// How much is known.
const (
	Proven  Proof = "proven"
	Refuted Proof = "refuted"
	Open    Proof = "open" // not asked: the languages differ already, or a limit was passed
)

// An Ambiguity is a production with a string that it derives in several ways, as far as the tree would show it.
type Ambiguity struct {
	Production  string     `json:"production"`
	Word        quote.Word `json:"word"` // the shortest such string
	Derivations []string   `json:"derivations"`
	Shown       string     `json:"shown,omitempty"`    // the one that the tree shows
	Readings    []string   `json:"readings,omitempty"` // the ledger's entries that choose it
	Chosen      bool       `json:"-"`                  // for every string they leave one derivation
	Decided     *bool      `json:"chosen"`             // Chosen, nil where the trees of the production were not asked for or are open
}

// A Fault is something that was to be proven and does not hold.
type Fault struct {
	Production string      `json:"production"`
	Kind       Kind        `json:"kind"`
	Place      string      `json:"place,omitempty"` // file, line and column of the rule, or of what else it is about
	Message    string      `json:"message"`
	Word       *quote.Word `json:"word,omitempty"`
	Because    []string    `json:"because,omitempty"` // the causes that make the rule wrong

	at    expr.Pos // the choice that is to blame, if it is one
	parts []string // of the message, one a line of text; nil if it is one
}

// String returns the fault in one line, "file:line:column: production: message".
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

// Kind is what a [Fault] is about.
type Kind string

// The kinds of faults.
const (
	Empty         Kind = "empty"         // the production or the rule has no string
	Language      Kind = "language"      // the rule does not match what the production derives
	Transcription Kind = "transcription" // the .peg file is not the text's BNF rule by rule, or a mark is wrong
	Derivation    Kind = "derivation"    // an ambiguity that the ledger does not settle, or an entry without one
	TreeFault     Kind = "tree"          // a tree that is not the derivation that the ledger chooses
	Limit         Kind = "limit"         // an automaton that is too large
	Unsupported   Kind = "unsupported"   // something that the model does not cover
	Missing       Kind = "missing"       // a production without a rule
	UndefinedName Kind = "undefined"     // a name without a production
)
