package inspect

import (
	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

// View is the verdict of one grammar on a URL.
type View struct {
	Grammar    string `json:"grammar"`
	Title      string `json:"title"`
	Draft      bool   `json:"draft"` // it is no RFC
	Verdict    string `json:"verdict"`
	Production string `json:"production,omitempty"` // the RFC's name of the one that matched
	Scheme     Octets `json:"scheme,omitempty"`

	Why        *Why        `json:"why,omitempty"`
	Suggestion *Suggestion `json:"suggestion,omitempty"`

	// Of a URL that the grammar accepts:
	Tree      List[Node]    `json:"tree"`
	Typed     string        `json:"typed,omitempty"` // the production that the typed URL is made of, and how it matched
	Fields    List[Field]   `json:"fields"`
	Findings  List[Finding] `json:"findings"`
	Steps     List[Step]    `json:"steps"`
	Canonical Octets        `json:"canonical,omitempty"`
}

// Why is why a URL is rejected or, where it is accepted by the generic production alone, why the scheme's own does not
// derive it.
type Why struct {
	Explains string `json:"explains,omitempty"` // the production that the explanation is about
	// of the byte that cannot stand there; -1 where it is no byte's fault
	Offset     int      `json:"offset"`
	Around     Octets   `json:"around"` // the bytes around it; the first one has the offset From
	From       int      `json:"from"`
	Unexpected string   `json:"unexpected,omitempty"`
	In         string   `json:"in,omitempty"` // the production that goes wrong there
	Expected   []string `json:"expected,omitempty"`
	Section    string   `json:"section,omitempty"`
	Message    string   `json:"message"`
}

// Suggestion is the nearest string that the grammar accepts.
type Suggestion struct {
	URL     Octets   `json:"url"`
	Guess   bool     `json:"guess"`
	Changes bool     `json:"changes"` // the meaning
	Differs []string `json:"differs"` // the parts that differ from the input
	Edits   []string `json:"edits"`
}

// Node is a node of a tree; the nodes stand in pre-order.
type Node struct {
	Name  string `json:"name"`
	ID    string `json:"id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Depth int    `json:"depth"`
	Text  Octets `json:"text"`
}

// Field is a part of the typed URL, or a value that follows from its parts.
type Field struct {
	Name    string  `json:"name"`
	Start   int     `json:"start"` // -1 of a value
	End     int     `json:"end"`
	Raw     Octets  `json:"raw"`
	Decoded *Octets `json:"decoded,omitempty"` // what Raw stands for, where that is something else
	Value   string  `json:"value,omitempty"`
}

// Finding is the result of one rule of the RFC's prose for a part of the URL.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Section  string `json:"section"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Message  string `json:"message"`
}

// Step is one thing that a client does to access what the URL designates. Where it sends octets, those are in Octets.
type Step struct {
	Verb    string `json:"verb"`
	Text    Octets `json:"text"`
	Octets  Octets `json:"octets,omitempty"`
	Section string `json:"section"`
}

// view looks closely at one URL, given a judge's verdict on it.
func view(j *check.Judgment, s string) View {
	g := j.Grammar
	v := View{
		Grammar: g.Name, Title: g.Title, Draft: g == bnfcheck.Draft06, Verdict: j.Answer.String(),
		Scheme: Octets(j.Scheme), Why: why(j, s),
	}
	if j.Production != 0 {
		v.Production = g.Production(j.Production).Name
	}
	if j.Tree != nil {
		v.accepted(j.Tree)
	}
	if j.Repair != nil {
		v.Suggestion = suggestion(j.Repair)
	}
	return v
}

func why(j *check.Judgment, s string) *Why {
	if j.Message == "" {
		return nil
	}
	w := &Why{Offset: j.Offset, Message: j.Message}
	if err := j.Cause; err != nil {
		w.Explains, w.Unexpected = err.Grammar.Production(err.Explained).Name, err.Unexpected()
		w.Expected, w.Section = err.Terms(), err.Section
		if len(err.In) > 0 {
			w.In = err.Grammar.Production(err.In[0]).Name
		}
	}
	if w.Offset >= 0 {
		w.show(s)
	}
	return w
}

// show cuts the surroundings of the offset out of s: more of the text before it than of the text after it.
func (w *Why) show(s string) {
	w.From = max(0, w.Offset-maxShown*3/4)
	w.Around = Octets(s[w.From:])
}

// suggestion returns a repair as the page shows it.
func suggestion(r *fix.Repair) *Suggestion {
	f := &Suggestion{URL: Octets(r.URL), Guess: r.Guess, Differs: r.Differs.Names()}
	for _, e := range r.Edits[:min(len(r.Edits), maxEntries)] {
		f.Changes = f.Changes || e.Changes
		f.Edits = append(f.Edits, clip(e.String()))
	}
	return f
}

// accepted sets the fields that describe an accepted URL.
func (v *View) accepted(tree *ast.Tree) {
	for depth, n := range tree.Root().All() {
		v.Tree.add(func() Node { return Node{n.Name(), n.ID(), n.Start(), n.End(), depth, Octets(n.Text())} })
	}
	if r, err := semantic.ReferenceOf(tree); err == nil {
		v.reference(r)
		return
	}
	u, err := semantic.Of(tree)
	if err != nil {
		return // every tree of a verdict is that of a URL or a reference
	}
	v.Typed = u.Production + " (" + u.Match.String() + ")"
	for _, f := range u.Fields() {
		v.Fields.add(func() Field { return field(f) })
	}
	v.found(u.Findings())
	for _, s := range u.Access() {
		v.Steps.add(func() Step { return Step{s.Verb.String(), Octets(s.Text), Octets(s.Octets), s.Citation()} })
	}
	v.Canonical = Octets(u.Canonical())
}

// reference sets the fields that describe a reference of RFC 3986. Its canonical form follows from syntax
// alone.
func (v *View) reference(r *semantic.Reference) {
	v.Typed = v.Production
	for _, f := range r.Fields() {
		v.Fields.add(func() Field { return field(f) })
	}
	v.found(r.Findings())
	v.Canonical = Octets(r.Normalize(semantic.DotRemoval).Reference)
}

func (v *View) found(list []semantic.Finding) {
	for _, f := range list {
		v.Findings.add(func() Finding {
			return Finding{f.Rule, f.Severity.String(), f.Section, f.Start, f.End, clip(f.Message)}
		})
	}
}

func field(f semantic.Field) Field {
	if !f.Part.Present() {
		return Field{Name: f.Name, Start: -1, End: -1, Value: clip(f.Value)}
	}
	j := Field{Name: f.Name, Start: f.Part.Start(), End: f.Part.End(), Raw: Octets(f.Part.Raw)}
	if d := f.Part.Decoded(); d != f.Part.Raw {
		decoded := Octets(d)
		j.Decoded = &decoded
	}
	return j
}
