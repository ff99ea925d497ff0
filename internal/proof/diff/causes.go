package diff

import (
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Cause is one way in which two languages part, as a reader sees it: at one of the same bytes, or at the end, in
// the same productions of either grammar. Its strings are all those that part in this way.
type Cause struct {
	Region Region `json:"region"` // OnlyA or OnlyB: the side that goes on
	At     At     `json:"at"`
	Bytes  string `json:"bytes,omitempty"` // as a character class: the bytes at which the other side stops

	Witness quote.Word `json:"witness"` // the first of its strings, shortest and then most readable
	Offset  int        `json:"offset"`  // where in Witness the two part

	A Place `json:"a"` // the terms are those at Offset: what the side that goes on reads, what the other expects
	B Place `json:"b"`

	// Reads has the terms that the side that goes on reads at the bytes, in all strings. Expects has the terms that
	// the other side expects after every beginning; Sometimes has those that it expects after some beginnings only.
	Reads     []string `json:"reads"`
	Expects   []string `json:"expects"`
	Sometimes []string `json:"sometimes,omitempty"`

	Counts  Counts  `json:"counts"` // the number of its strings of each length from 0
	Classes []Class `json:"classes"`

	bytes expr.Set
}

// A Class is one cell of the exact partition that a [Cause] sums up: the strings that part after the same pair of
// states, at the same bytes, into the same state. States are those of the two minimal automata.
type Class struct {
	A       int        `json:"a"` // the state of either side before the parting byte, or at the end
	B       int        `json:"b"`
	Bytes   string     `json:"bytes,omitempty"`
	To      int        `json:"to"` // the state after it of the side that goes on
	Witness quote.Word `json:"witness"`
	Group   int        `json:"group"` // the place of its group in Difference.Groups

	key    classKey
	cause  int // the place of its cause in Difference.Causes
	offset int // where in Witness the two part
}

// ofClass returns a copy of c with the witness, the offset and the set of bytes of one of its classes. All else in it,
// its counts and places among them, is that of c.
func (c *Cause) ofClass(k *Class) *Cause {
	of := *c
	of.Witness, of.Offset, of.bytes = k.Witness, k.offset, k.key.part
	return &of
}

// placeOfGoes returns the place of the side that goes on.
func (c *Cause) placeOfGoes() Place {
	if c.Region == OnlyA {
		return c.A
	}
	return c.B
}

// placeOfStops returns the place of the side that stops.
func (c *Cause) placeOfStops() Place {
	if c.Region == OnlyA {
		return c.B
	}
	return c.A
}

// Total returns the number of strings of all lengths counted.
func (c Cause) Total() *big.Int { return Part{Counts: c.Counts}.Total() }

// ReadsText returns in words what the side that goes on reads: its terms, "nothing more" if the two part at the end,
// and "anything" if the other side has no strings.
func (c *Cause) ReadsText() string {
	switch c.At {
	case AtEnd:
		return "nothing more"
	case AtStart:
		return "anything"
	}
	return strings.Join(c.Reads, ", ")
}

// ExpectsText returns in words what the side that stops expects: the terms after every beginning, and those after
// some; "nothing" if there are none.
func (c *Cause) ExpectsText() string {
	always, sometimes := strings.Join(c.Expects, ", "), strings.Join(c.Sometimes, ", ")
	switch {
	case always == "" && sometimes == "":
		return "nothing"
	case always == "":
		return "sometimes " + sometimes
	case sometimes == "":
		return always
	}
	return always + "; sometimes also " + sometimes
}

// A causeKey identifies a cause while the catalog is being made.
type causeKey struct {
	group int
	bytes expr.Set
}

// A classKey names a class.
type classKey struct {
	causeKey
	part     expr.Set // of the cause's bytes
	a, b, to int
}

// classKeyOf returns the key of the class of the strings that part after p by the exit x, at those of its
// bytes that are in all, the bytes of their cause.
func (w *walk) classKeyOf(p *pair, x exit, all expr.Set) classKey {
	return classKey{causeKey{x.group, all}, all.Intersect(x.bytes), w.a.state[p.a], w.b.state[p.b], x.to}
}

// makeCauses returns the catalog of causes, in the order of their witnesses, with their strings counted up to
// the length max. It sets causeClasses and leadingCounts of w, and the cause of each class.
func (w *walk) makeCauses(max int) []Cause {
	w.causeClasses, w.leadingCounts = w.causeBytes(), w.countLeading(max)
	causes := map[causeKey]*Cause{}
	reads, expects, always := map[*Cause]*terms{}, map[*Cause]*terms{}, map[*Cause][]string{}
	seen := map[classKey]bool{}
	for i := range w.pairs { // in the order of the access words
		p := &w.pairs[i]
		for _, x := range p.exits {
			g := w.groups[x.group]
			for _, all := range classesMeeting(w.causeClasses[x.group], x.bytes) {
				k := w.classKeyOf(p, x, all)
				witness := w.firstWitness(p, g, k.part, x.to)
				c := causes[k.causeKey]
				if c == nil {
					w.chargeHeld(1<<10 + 64*max)
					c = &Cause{Region: g.region, At: g.at, Bytes: classText(all), bytes: all, Counts: zeros(max)}
					causes[k.causeKey] = c
					reads[c], expects[c] = &terms{}, &terms{}
				}
				read, expected := w.termsAt(p.a, p.b, g, k.part)
				if always[c] == nil {
					always[c] = expected.names
				}
				notHere := func(name string) bool { return !expected.has(name) }
				always[c] = slices.DeleteFunc(slices.Clone(always[c]), notHere)
				reads[c].add(read)
				expects[c].add(expected)
				if c.A.Path == nil || lang.Compare(string(witness), string(c.Witness)) < 0 {
					c.Witness, c.Offset = witness, p.depth
					c.A, c.B = w.placesAt(p.a, p.b, g, k.part)
				}
				if !seen[k] {
					seen[k] = true
					w.chargeHeld(512 + 2*len(witness))
					c.Classes = append(c.Classes, Class{
						A:       k.a,
						B:       k.b,
						Bytes:   classText(k.part),
						To:      x.to,
						Witness: witness,
						key:     k,
						offset:  p.depth,
					})
				}
			}
		}
	}
	w.countClasses(func(k classKey) Counts { return causes[k.causeKey].Counts })
	out := make([]Cause, 0, len(causes))
	for _, c := range causes {
		c.Reads, c.Expects = reads[c].shownNames(), expects[c].restrictedTo(always[c]).shownNames()
		isAlways := func(name string) bool { return slices.Contains(always[c], name) }
		c.Sometimes = slices.DeleteFunc(slices.Clone(expects[c].shownNames()), isAlways)
		slices.SortStableFunc(c.Classes, func(x, y Class) int {
			return lang.Compare(string(x.Witness), string(y.Witness))
		})
		out = append(out, *c)
	}
	// A string parts once, so no two witnesses are equal.
	slices.SortFunc(out, func(c, d Cause) int { return lang.Compare(string(c.Witness), string(d.Witness)) })
	for i := range out {
		for k := range out[i].Classes {
			out[i].Classes[k].cause = i
		}
	}
	return out
}

// Cause returns the cause, in d.Causes, that s parts by; ok is false for a string that both sides accept, or
// neither. It must not be called after [Difference.Forget].
func (d *Difference) Cause(s string) (c *Cause, ok bool) {
	k, ok := d.walk.causeKeyOf(s)
	for i := range d.Causes {
		if other, _ := d.walk.causeKeyOf(string(d.Causes[i].Witness)); ok && other == k {
			return &d.Causes[i], true
		}
	}
	return nil, false
}

// causeKeyOf returns the key of the cause that s parts by. ok is false for a string that both sides accept,
// or neither.
func (w *walk) causeKeyOf(s string) (k causeKey, ok bool) {
	if w.a.dfa.Match(s) == w.b.dfa.Match(s) {
		return causeKey{}, false
	}
	i := 0
	for n := 0; ; n++ {
		p := w.pairs[i]
		for _, x := range p.exits {
			switch at := w.groups[x.group].at; {
			case at == AtStart, at == AtEnd && n == len(s):
				return causeKey{x.group, expr.Set{}}, true
			case at == AtByte && n < len(s) && x.bytes.Has(s[n]):
				for _, all := range w.causeClasses[x.group] {
					if all.Has(s[n]) {
						return causeKey{x.group, all}, true
					}
				}
			}
		}
		// Exactly one side accepts s, so the two have not parted, and both can read the next byte.
		i = w.index[[2]int{w.a.step(p.a, s[n]), w.b.step(p.b, s[n])}]
	}
}

// causeBytes returns, by group, the bytes of its causes. They are the coarsest classes such that, after every pair,
// the bytes of a class either all part in this group or none does. So no two causes share a string, and what is said
// of a cause holds at all its bytes. A group that parts by no byte has no classes: see classesMeeting.
func (w *walk) causeBytes() [][]expr.Set {
	parts, all := make([]*expr.Partition, len(w.groups)), make([]expr.Set, len(w.groups))
	for g := range parts {
		parts[g] = expr.NewPartition()
	}
	for i := range w.pairs {
		at := map[int]expr.Set{}
		for _, x := range w.pairs[i].exits {
			at[x.group] = at[x.group].Union(x.bytes)
		}
		for g, bytes := range at {
			parts[g].Split(bytes)
			all[g] = all[g].Union(bytes)
		}
	}
	classes := make([][]expr.Set, len(w.groups))
	for g, p := range parts {
		classes[g] = slices.DeleteFunc(p.Sets(), func(c expr.Set) bool { return c.Intersect(all[g]).IsEmpty() })
	}
	return classes
}

// classesMeeting returns the classes that have bytes in s. For an empty s, an exit by the end, it returns the one
// without bytes.
func classesMeeting(classes []expr.Set, s expr.Set) []expr.Set {
	if s.IsEmpty() {
		return []expr.Set{{}}
	}
	return slices.DeleteFunc(slices.Clone(classes), func(c expr.Set) bool { return c.Intersect(s).IsEmpty() })
}

// classText prints bytes as a character class; "" if there are none.
func classText(bytes expr.Set) string {
	if bytes.IsEmpty() {
		return ""
	}
	return bytes.String()
}

// firstWitness returns the first string that parts after p at one of the bytes, or at the end, and then has the side
// that goes on in state to. If the other side has no strings it is the first of this one.
func (w *walk) firstWitness(p *pair, g group, bytes expr.Set, to int) quote.Word {
	if g.at == AtEnd {
		return quote.Word(w.firstWord(p))
	}
	s := w.firstWord(p)
	if g.at == AtByte {
		s += string(lang.InOrder(bytes)[:1])
	}
	goes, _ := w.sidesOf(g.region)
	rest, _ := goes.endings(to)
	return quote.Word(s + rest)
}
