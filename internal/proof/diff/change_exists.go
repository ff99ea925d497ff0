package diff

import "fmt"

// An existsChange says that the side that stops has no strings at all.
type existsChange struct{ statement }

func (existsChange) feature() Feature { return Exists }

func (existsChange) key(e *edit) string { return e.rule.ID }

// join is part of [change]; the other says nothing more.
func (c existsChange) join(change) change { return c }

// judge is part of [change]; it explains every string.
func (existsChange) judge() func(string) bool { return always }

// decide returns all classes of the region.
func (existsChange) decide(s *partings, region Region, es edits) ([]bool, *machine, edits) {
	of := make([]bool, len(s.list))
	for i := range of {
		of[i] = s.region[i] == region
	}
	return of, nil, es
}

func (existsChange) tell(e *edit, t telling) sentence {
	return sentence{Claim: t.claim(e), text: fmt.Sprintf(" has strings, %s has none", t.b)}
}
