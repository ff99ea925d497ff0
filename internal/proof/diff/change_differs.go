package diff

import "fmt"

// A differsChange says only that both define a production differently. The definition of the side
// that goes on is taken over as a whole: see [edit].
type differsChange struct {
	statement
}

func (differsChange) feature() Feature { return Differs }

func (differsChange) key(e *edit) string { return e.rule.ID }

// join is part of [change]; the other says nothing more.
func (c differsChange) join(change) change { return c }

// judge is part of [change]; nil, since the changed grammar decides.
func (differsChange) judge() func(string) bool { return nil }

// decide returns no class: the change is told of single strings, in a [Search].
func (differsChange) decide(*partings, Region, edits) ([]bool, *machine, edits) {
	return nil, nil, nil
}

func (differsChange) tell(e *edit, t telling) sentence {
	c := t.claim(e)
	return sentence{Claim: c, text: fmt.Sprintf(" and %s define %s differently", t.b, c.Where)}
}
