package expr

// A Form decides which rules of an ordered grammar are well-formed (Ford, "Parsing Expression Grammars", 2004,
// section 3.6): no rule calls itself before it has read anything, and nothing that can match the empty word is
// repeated without limit. A parser of a rule that is not may never end. Whether something can match the empty word
// is decided as in Ford, from the form alone; the decision errs on the side of "it can".
type Form struct {
	Facts *Facts

	g     *Grammar
	fault map[string]error // by rule: why it is not well-formed by itself
}

// NewForm returns the form of an ordered grammar. It looks for the faults of all rules at once.
func NewForm(g *Grammar) *Form {
	f := &Form{Facts: Analyze(g.Rules), g: g, fault: map[string]error{}}
	atStart := Circles(g.Rules, f.Facts.Leftmost)
	for _, r := range g.Rules {
		if err := f.ofRule(r, atStart[r.ID]); err != nil && f.fault[r.ID] == nil {
			f.fault[r.ID] = err
		}
	}
	return f
}

// OfExpr returns an error if e is not well-formed by itself: if a rule that it uses is not defined, or something that
// can match the empty word is repeated without limit. It does not look into the rules that e uses.
func (f *Form) OfExpr(e *Expr) error {
	bad := Find(e, func(e *Expr) bool { return e.Op == Ref && f.g.Rule(e.Name) == nil || f.Facts.RepeatsEmpty(e) })
	switch {
	case bad == nil:
		return nil
	case bad.Op == Ref:
		return Errorf(bad.Pos, "rule `%s` is not defined", bad.Name)
	default:
		return Errorf(bad.Pos, "%s repeats something that can match the empty word", bad)
	}
}

// ofRule returns an error if a rule is not well-formed by itself. circle has the rules of its left recursion; it
// is nil if there is none.
func (f *Form) ofRule(r *Rule, circle []*Rule) error {
	if err := f.OfExpr(r.Expr); err != nil {
		return err
	}
	if circle != nil {
		way := f.Way(circle, r.ID, r.ID, f.Facts.Leftmost)
		return Errorf(r.Pos, "rule `%s` can call itself%s before it has read anything", r.ID, Through(way[1:]))
	}
	return nil
}

// OfRule returns an error if the rule with this ID is not well-formed by itself.
func (f *Form) OfRule(id string) error { return f.fault[id] }

// WellFormed returns an error if a rule, or one that it uses, is not well-formed. Everything that runs a PEG, or
// computes with it, asks this.
func (f *Form) WellFormed(id string) error {
	for _, id := range f.g.Reach(id) {
		if err := f.fault[id]; err != nil {
			return err
		}
	}
	return nil
}

// Way returns a shortest path from one rule of a circle to another, as [Grammar.Path] does. In a circle of more
// than a thousand rules it does not search, and returns from alone, as if that used the other rule itself.
func (f *Form) Way(circle []*Rule, from, to string, uses func(*Expr) []string) []string {
	const most = 1000
	if len(circle) <= most {
		if way := f.g.Path(from, to, uses); way != nil {
			return way
		}
	}
	return []string{from}
}
