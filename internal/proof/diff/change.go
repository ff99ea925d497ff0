package diff

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file says what a kind of change is, and lists the kinds.
//
// A kind is a type that implements [change], in a file of its own, change_NAME.go, and a row in
// [kinds]. The file says what the kind changes, what names it, how it is applied to a grammar, what
// decides it, and what it says in a sentence and in JSON. TestKinds fails for a type without a row,
// for a row without an example, and for an example whose sentence or grammar is another.

// A change is the content of an [edit]. A value is never modified: a change that says more is another value.
type change interface {
	// feature is the word for the change in JSON.
	feature() Feature

	// key names what e changes, among the edits of its kind. Causes whose edits have one key are
	// told together.
	key(e *edit) string

	// join returns the change that does what other, of the same key, does as well.
	join(other change) change

	// spelled returns the parts of a text that the sentence spells. Of several explanations of one
	// rank that with most parts is told.
	spelled() []*expr.Expr

	// rewrite returns the changes that e makes to the grammar of the side that stops. The names of productions that it
	// adds begin with prefix; goes is the grammar of the other side.
	rewrite(e *edit, goes *expr.Grammar, prefix string) rewriting

	// judge returns a function that reports whether the change explains a string by itself; nil if
	// the changed grammar decides that.
	judge() func(s string) bool

	// decide returns the classes without a group that es explain, by number, and the changed grammar if it is needed
	// again. told are es with the changes that can be told of these classes. es[0] has this change. If no class is
	// returned, the edits do not hold.
	decide(s *partings, region Region, es edits) (of []bool, m *machine, told edits)

	// isClear reports whether a reader of the side that stops knows where the change is.
	isClear(e *edit, goes, stops *tracker) bool

	// places returns the states of the side that stops at which e begins to matter; ok is false for
	// a change that matters in no particular place. See [partings.sharedPlaces].
	places(e *edit, stops *tracker) (states []int32, ok bool)

	// tell returns e in words.
	tell(e *edit, t telling) sentence
}

// A kind is a row of the registry.
type kind struct {
	change   change
	features []Feature // the values of [change.feature]; the first is that of the zero value

	// find adds edits of this kind that may explain the cause of x, whose common production must be set, to x.found. It
	// is nil for kinds that are found elsewhere: by comparing texts ([walk.textualEdits]), or where nothing else holds.
	find func(x *explainer)
}

// kinds lists all kinds. Of edits with the same rank and size the one whose kind comes first is told.
var kinds = []kind{
	{existsChange{}, []Feature{Exists}, nil},
	{schemeChange{}, []Feature{Scheme}, nil},
	{repeatsChange{}, []Feature{Repeats}, nil},
	{hasChange{}, []Feature{Has}, nil},
	{replacesChange{}, []Feature{Replaces}, nil},
	{omitsChange{}, []Feature{Omits}, (*explainer).findOmits},
	{allowsChange{}, []Feature{Allows}, (*explainer).findAllows},
	{addsChange{}, []Feature{Adds}, (*explainer).findAdds},
	{derivesChange{}, []Feature{Derives}, (*explainer).findDerives},
	{differsChange{}, []Feature{Differs}, nil},
	{partsChange{}, []Feature{Parts, Ends, After, Within}, nil},
}

// A telling is the part of a comparison that a sentence depends on.
type telling struct {
	goes, stops *tracker
	a, b        string // how sentences call the side that goes on and the other
}

// A sentence is an edit in words.
type sentence struct {
	Claim
	text  string // the sentence after the name of the side that goes on
	whole bool   // text is all of the sentence, without its full stop
	alone bool   // the production of the side that stops is not shown
}

// claim returns the claim of most sentences: a feature of a production of the side that goes on, and the other side's
// production.
func (t telling) claim(e *edit) Claim {
	return Claim{Feature: e.change.feature(), Where: e.other.Label(), Other: e.rule.Label()}
}

// A rewriting is a change of a grammar. Each function may be nil, and then changes nothing.
type rewriting struct {
	// rule returns the new expression of production r; body is the old one with its parts rewritten.
	rule func(r *expr.Rule, body *expr.Expr) *expr.Expr

	// part returns the replacement for old, which is no sequence; body is old with its parts rewritten.
	part func(old, body *expr.Expr) *expr.Expr

	// added returns the expression to put after the i-th element of a sequence; nil for nothing.
	added func(sequence *expr.Expr, i int) *expr.Expr

	// omitted returns elements, from the i-th of a sequence on, that may be missing; nil for none.
	// The first bytes of the literal that begins them stay.
	omitted func(sequence *expr.Expr, i int) (run []*expr.Expr, stays int)

	rules []*expr.Rule // productions that are added

	// everywhere returns the grammar with a change in a production and in all that it uses. It is called last, since it
	// copies what the other functions have made. Names of copies begin with prefix.
	everywhere func(g *expr.Grammar, prefix string) *expr.Grammar
}

// A grammarChange is embedded in the kinds that change a grammar; the changed grammar decides about them.
type grammarChange struct{}

// judge is part of [change]; nil, since the changed grammar decides.
func (grammarChange) judge() func(s string) bool { return nil }

// decide is [partings.decideByGrammar], with es as what is told.
func (grammarChange) decide(s *partings, region Region, es edits) ([]bool, *machine, edits) {
	of, m := s.decideByGrammar(region, es)
	return of, m, es
}

// isClear is part of [change]; it is clear everywhere.
func (grammarChange) isClear(*edit, *tracker, *tracker) bool { return true }

// places is part of [change]; it matters in no particular place.
func (grammarChange) places(*edit, *tracker) ([]int32, bool) { return nil, false }

// A statement is embedded in the kinds that change no grammar and only say something.
type statement struct{}

// spelled is part of [change]; nothing is spelled.
func (statement) spelled() []*expr.Expr { return nil }

// rewrite is part of [change]; nothing is changed.
func (statement) rewrite(*edit, *expr.Grammar, string) rewriting { return rewriting{} }

// isClear is part of [change]; it is clear everywhere.
func (statement) isClear(*edit, *tracker, *tracker) bool { return true }

// places is part of [change]; it matters in no particular place.
func (statement) places(*edit, *tracker) ([]int32, bool) { return nil, false }

// always is the [change.judge] of a change that explains every string.
func always(string) bool { return true }

// A reading is the bytes and the code points that one side reads where the other does not.
type reading struct {
	set   expr.Set
	words []string // code points beyond ASCII, as their UTF-8
}

func (r reading) isEmpty() bool { return r.set.IsEmpty() && r.words == nil }

func (r reading) join(other reading) reading {
	return reading{r.set.Union(other.set), joinWords(r.words, other.words)}
}

// joinWords returns words followed by those of more that are not among them. It changes neither list.
func joinWords(words, more []string) []string {
	words = slices.Clip(words)
	for _, word := range more {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// listed returns a reading in words, the last two joined by joint, "and" or "or": bytes as listBytes writes them, and
// at most three code points. It is "" for an empty reading.
func (r reading) listed(joint string) string {
	var out []string
	if !r.set.IsEmpty() {
		out = append(out, listBytes(r.set, joint))
	}
	if len(r.words) > 0 {
		out = append(out, listSome(r.words, quote.CodePoints))
	}
	return strings.Join(out, " "+joint+" ")
}
