package diff

import (
	"cmp"
	"fmt"
)

// A partsChange says only where the two sides part, and what is read there. It is told if no change explains the
// causes: see places.go.
type partsChange struct {
	statement
	reading
	stand stand
	alone bool // only the production of the side that stops tells where it is
}

// A stand says how a [partsChange] describes the place.
type stand string

const (
	standEnded  stand = "ended"
	standAfter  stand = "after"
	standInside stand = "inside"
)

// feature returns the word for the stand; [Parts] if there is none.
func (c partsChange) feature() Feature {
	switch c.stand {
	case standEnded:
		return Ends
	case standAfter:
		return After
	case standInside:
		return Within
	}
	return Parts
}

// key does not depend on the production of the side that stops, unless the sentence names it.
func (c partsChange) key(e *edit) string {
	key := fmt.Sprint(c.stand != standEnded && c.isEmpty())
	if e.rule != nil && (c.stand != "" || c.alone) {
		key += " " + e.rule.ID
	}
	if e.other != nil {
		key += " " + e.other.ID
	}
	return key
}

func (c partsChange) join(other change) change {
	c.reading = c.reading.join(other.(partsChange).reading)
	return c
}

// judge is part of [change]; it explains every string.
func (partsChange) judge() func(string) bool { return always }

// decide returns no class: this change is told only of the classes that are left.
func (partsChange) decide(*partings, Region, edits) ([]bool, *machine, edits) { return nil, nil, nil }

// tell says where the two part, in a whole sentence: by the production that ended, by one that both are in, or by one
// of each side.
func (c partsChange) tell(e *edit, t telling) sentence {
	goes, stops, a, b := t.goes, t.stops, t.a, t.b
	claim := Claim{Feature: c.feature(), Bytes: classText(c.set)}
	if e.other != nil {
		claim.Where = e.other.Label()
	}
	if e.rule != nil {
		claim.Other = e.rule.Label()
	}
	atEnd := claim.Bytes == "" && c.words == nil // the side that goes on reads nothing: it ends
	if c.stand == standEnded {
		claim.Bytes = ""
	}
	named := cmp.Or(claim.Where, claim.Other)
	in, at := goes.whereIn(claim.Where), stops.whereIn(claim.Other)
	if goes.side.Model {
		in = ""
	}
	// In these cases the production of the side that stops tells nothing.
	if c.stand == "" && (stops.side.Model || e.several || e.rule == stops.rule) {
		at, claim.Other = "", ""
	}
	read := c.listed("or")
	var text string
	switch {
	case c.stand == standEnded:
		text = fmt.Sprintf("%s can end %s where %s needs more of it", a, named, b)
	case c.stand == standAfter && atEnd:
		text = fmt.Sprintf("After %s, %s can end; %s needs more", named, a, b)
	case c.stand == standAfter:
		text = fmt.Sprintf("After %s, %s goes on with %s", named, a, read)
	case c.stand == standInside && atEnd:
		text = fmt.Sprintf("In %s, %s can end where %s needs more", named, a, b)
	case c.stand == standInside:
		text = fmt.Sprintf("In %s, %s goes on with %s where %s stops", named, a, read, b)
	case atEnd && at == "":
		text = fmt.Sprintf("%s can end%s where %s needs more", a, in, b)
	case atEnd:
		text = fmt.Sprintf("%s can end%s where %s is still%s", a, in, b, at)
	case at == "":
		text = fmt.Sprintf("%s goes on with %s%s where %s stops", a, read, in, b)
	default:
		text = fmt.Sprintf("%s goes on with %s%s where %s is still%s", a, read, in, b, at)
	}
	return sentence{
		Claim: claim,
		text:  capitalize(text),
		whole: true,
		alone: c.stand == "" && e.several,
	}
}
