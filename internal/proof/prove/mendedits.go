package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/proof/bnftopeg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The smallest proposals are edits of the text of a rule: one part of it is replaced by another, which the production
// suggests. There are three groups, tried in this order:
//
//   - letters: a literal that matches in either case, since ABNF's literals do and a PEG's do not;
//   - classes: a class of the production in place of one of the rule, those that change fewer bytes first;
//   - the rest: bounds of repetitions, options made mandatory and the reverse, alternatives added, removed or
//     exchanged.
//
// An edit is a text in the notation of the PEG. It is read back before it is tried, so that what the report prints is
// what was tried.

// A textEdit replaces one part of a rule.
type textEdit struct {
	at     *expr.Expr // the part
	parent expr.Op    // the operator that at is an operand of; expr.Empty for the whole rule
	text   string     // to write instead, in the notation of the PEG
	why    string     // a clause that gives the reason

	// rank orders edits of classes: those with fewer bytes that the production has nowhere come first, and of these
	// those that change fewer bytes.
	rank int
}

// An editor collects the edits of one rule.
type editor struct {
	*proof
	rule  *expr.Rule
	forms *bnftopeg.Forms

	// Parts of the production, with the productions that have no rule written in place.
	counts   []*expr.Expr    // repetitions
	choices  []*expr.Expr    // alternatives, apart from those that are one class as written
	optional map[string]bool // operands of options, by their plain form
	sets     []expr.Set      // classes
	known    expr.Set        // all bytes of sets
	has      expr.Set        // all bytes that the rule has as classes or one-byte literals

	done                   map[expr.Pos]bool // literals by their place: one literal may be several expressions
	letters, classes, rest []textEdit
}

// textEdits lists changes of the expression e, which is the rule of r or a change of it: first those of letters, which
// have c.letters set, then those of classes by rank, then the rest. Each replaces one part of e; only if several
// literals have letters, a change that replaces all of these comes before the others. A part that a former change has
// put there is not replaced again, and an edit whose text does not read back is left out. The list is empty for a
// large expression.
func (p *proof) textEdits(e *expr.Expr, r *row) (all []change) {
	if estimateStates(p.pair.PEG, e, 64) > maxTried {
		return nil
	}
	ed := &editor{
		proof:    p,
		rule:     r.peg,
		forms:    p.formsInPlace(),
		optional: map[string]bool{},
		done:     map[expr.Pos]bool{},
	}
	ed.collectProduction(r.bnf.Expr)
	expr.Walk(e, func(s *expr.Expr) bool {
		ed.has = ed.has.Union(s.OneByte())
		return true
	})
	ed.visit(e, expr.Empty)
	slices.SortStableFunc(ed.classes, func(a, b textEdit) int { return a.rank - b.rank })
	for i, group := range [][]textEdit{ed.letters, ed.classes, ed.rest} {
		for _, edit := range group {
			if c, ok := p.applyTextEdits(e, r, edit); ok && containsPart(r.peg.Expr, edit.at) {
				c.letters = i == 0
				all = append(all, c)
			}
		}
	}
	if len(ed.letters) > 1 { // an author who overlooks the case of one literal mostly overlooks it in all
		if c, ok := p.applyTextEdits(e, r, ed.letters...); ok {
			c.letters = true
			all = append([]change{c}, all...)
		}
	}
	return all
}

// collectProduction records the parts of a production that edits draw on, in counts, choices, optional, sets and
// known: those that it has once productions without a rule are written in place, and the classes that it has as it
// stands. optional must be a map.
func (ed *editor) collectProduction(production *expr.Expr) {
	inlined := ed.inlineUnruled(production)
	expr.Walk(inlined, func(b *expr.Expr) bool {
		switch b.Op {
		case expr.Repeat:
			ed.counts = append(ed.counts, b)
			if b.Max == 1 {
				ed.optional[plainForm(b.Sub[0], true).String()] = true
			}
		case expr.Alt:
			if b.Chars == "" {
				ed.choices = append(ed.choices, b)
			}
		}
		return b.Chars == ""
	})
	// Inlining joins neighboring classes into one; the production as written still has each by itself.
	for _, e := range []*expr.Expr{inlined, production} {
		expr.Walk(e, func(b *expr.Expr) bool {
			if s := ed.singleBytes(b, 0); s.Len() > 0 && !slices.Contains(ed.sets, s) {
				ed.sets = append(ed.sets, s)
				ed.known = ed.known.Union(s)
			}
			return b.Chars == ""
		})
	}
}

// visit collects the edits of a part and of the parts inside it in ed.letters, ed.classes and ed.rest. What they draw
// on must have been collected. A literal is one part, whose bytes are not visited by themselves; its place goes into
// ed.done. A part without a place is passed over, with all inside it. parent is the operator that at is an operand of,
// expr.Empty for none.
func (ed *editor) visit(at *expr.Expr, parent expr.Op) {
	if at.Op == expr.Node {
		ed.visit(at.Sub[0], parent)
		return
	}
	if at.Pos.Line == 0 {
		return // a byte of the encoding of a character, which nobody wrote
	}
	token, text := ed.literalToken(ed.rule, at)
	if token != "" && !ed.done[at.Pos] {
		ed.done[at.Pos] = true
		ed.editLetters(at, parent, token, text)
	}
	if isByte(at) {
		ed.editClass(at, parent)
	}
	if at.Op == expr.Repeat {
		ed.editBounds(at, parent)
	} else if parent != expr.Repeat && ed.optional[plainForm(at, true).String()] {
		ed.addRest(at, parent, expr.Opt(at), "since it may be missing")
	}
	if at.Op == expr.Alt || parent == expr.Empty || parent == expr.Repeat {
		ed.editAlternatives(at, parent)
	}
	if token != "" {
		return
	}
	for _, s := range at.Sub {
		ed.visit(s, at.Op)
	}
}

// addRest adds an edit that replaces the part at by other to the third group. why is a clause for the proposal.
func (ed *editor) addRest(at *expr.Expr, parent expr.Op, other *expr.Expr, why string) {
	ed.rest = append(ed.rest, textEdit{at: at, parent: parent, text: ed.forms.Text(other, parent), why: why})
}

// editLetters adds to ed.letters an edit that lets a literal match in either case: it becomes a class for
// each letter. It adds none for a literal without letters. text is the string that the literal matches.
// token, the literal as it is written, only decides the reason given.
func (ed *editor) editLetters(at *expr.Expr, parent expr.Op, token, text string) {
	n := letterCount(text)
	if n == 0 {
		return
	}
	why := "which matches more than letters of ASCII" // "..."i folds all letters of Unicode
	if !strings.HasSuffix(token, "i") {
		notation := strings.ToUpper(ed.pair.BNF.Notation)
		why = fmt.Sprintf("which is one spelling in a PEG and %d in %s", 1<<min(n, 62), notation)
	}
	instead := ed.forms.Text(eitherCase(text), parent)
	ed.letters = append(ed.letters, textEdit{at: at, parent: parent, text: instead, why: why})
}

// editClass adds to ed.classes the classes of the production, in place of at, a class or a one-byte literal: each by
// itself, and each with the bytes that the rule has here. By itself, one that shares no byte with the rule's class is
// left out, unless the rule's class has a byte that the production lacks, and the other one that the rule lacks: then
// one may have been written for the other. What equals the rule's class is left out.
func (ed *editor) editClass(at *expr.Expr, parent expr.Op) {
	own := at.OneByte()
	for _, s := range ed.sets {
		for i, set := range []expr.Set{s, s.Union(own)} {
			related := !set.Intersect(own).IsEmpty()
			mistaken := !own.Minus(ed.known).IsEmpty() && !set.Minus(ed.has).IsEmpty()
			if set == own || !related && !mistaken {
				continue
			}
			differing := set.Minus(own).Len() + own.Minus(set).Len()
			unknown := set.Minus(ed.known).Len()
			ed.classes = append(ed.classes, textEdit{
				at: at, parent: parent, text: ed.forms.Text(expr.In(set), parent), why: explainSetDifference(own, set),
				// i: of two equally good edits, the one without the rule's own bytes first.
				rank: i + 2*differing + unknown<<10,
			})
		}
	}
}

// editBounds adds to ed.rest edits of a repetition: the bounds of each repetition of the production, unless that takes
// more than maxSpelled states, and for an option also its operand alone.
func (ed *editor) editBounds(at *expr.Expr, parent expr.Op) {
	for _, c := range ed.counts {
		other := expr.Times(at.Sub[0], c.Min, c.Max)
		if (c.Min != at.Min || c.Max != at.Max) && estimateStates(ed.pair.PEG, other, 64) <= maxSpelled {
			ed.addRest(at, parent, other, "since there may be "+boundsInWords(c.Min, c.Max))
		}
	}
	if at.Max == 1 {
		ed.addRest(at, parent, at.Sub[0], "since it must not be missing")
	}
}

// editAlternatives compares a choice, or a part that stands where a choice could, with each choice of the production:
// alternatives that are missing are added, at the end or at the beginning; of a choice, one that the production does
// not have is removed, even if the two have nothing in common, or replaced by one that is missing. It adds each of
// these as an edit to ed.rest.
func (ed *editor) editAlternatives(at *expr.Expr, parent expr.Op) {
	has := []*expr.Expr{at}
	if at.Op == expr.Alt {
		has = at.Sub
	}
	for _, c := range ed.choices {
		for _, missing := range missingAlternatives(has, c.Sub) {
			why := "since " + ed.forms.Text(expr.Or(missing...), expr.Empty) + " is missing"
			ed.addRest(at, parent, expr.Or(slices.Concat(has, missing)...), why)
			ed.addRest(at, parent, expr.Or(slices.Concat(missing, has)...), why)
		}
		if len(has) == 1 { // nothing would be left
			continue
		}
		for i, other := range has {
			plain := plainForm(other, true).String()
			if slices.ContainsFunc(c.Sub, func(s *expr.Expr) bool { return plainForm(s, true).String() == plain }) {
				continue
			}
			without := slices.Delete(slices.Clone(has), i, i+1)
			ed.addRest(at, parent, expr.Or(without...), "since "+ed.forms.Text(other, expr.Empty)+" is too much")
			for _, missing := range missingAlternatives(has, c.Sub) {
				if len(missing) == 1 {
					ed.addRest(other, expr.Alt, missing[0], "as the production has it")
				}
			}
		}
	}
}

// missingAlternatives lists what to add to the alternatives has so that it has those of want: all that are missing
// together, then each by itself. A class or a literal of one byte is not missing if those of has together have all
// its bytes. The list is empty if none are missing, and if all are, since the two are then unrelated.
func missingAlternatives(has, want []*expr.Expr) (list [][]*expr.Expr) {
	known := map[string]bool{}
	var bytes expr.Set
	for _, e := range has {
		known[plainForm(e, true).String()] = true
		if isByte(e) {
			bytes = bytes.Union(e.OneByte())
		}
	}
	var missing []*expr.Expr
	for _, e := range want {
		covered := isByte(e) && e.OneByte().Minus(bytes).IsEmpty()
		if !known[plainForm(e, true).String()] && !covered {
			missing = append(missing, e)
		}
	}
	if len(missing) == 0 || len(missing) == len(want) {
		return nil
	}
	list = append(list, missing)
	if len(missing) > 1 {
		for _, e := range missing {
			list = append(list, []*expr.Expr{e})
		}
	}
	return list
}

// applyTextEdits returns the change that makes all the edits, one after the other, in e: the expression of r's rule,
// or of a change of it. The change's text says what each edit writes, and why for the first alone. Whether the change
// is one of letters is left to the caller. ok is false if a text cannot be read back, or the part of an edit is not
// in what the edits before left of e; c is then of no use.
func (p *proof) applyTextEdits(e *expr.Expr, r *row, edits ...textEdit) (c change, ok bool) {
	c.rule = e
	var texts []string
	for _, edit := range edits {
		read := p.readRules([][2]string{{p.partName(), edit.text}})
		if read == nil {
			return c, false
		}
		before := c.rule
		c.rule = before.With(edit.at, withPlace(read[0].Expr, edit.at.Pos))
		if c.rule == before {
			return c, false
		}
		old, _ := p.literalToken(r.peg, edit.at)
		text := fmt.Sprintf("write %s for %s (%s)", edit.text, cmp.Or(old, shorten(edit.at.String())), edit.at.Pos)
		if len(texts) == 0 {
			text += ", " + edit.why
		}
		texts = append(texts, text)
	}
	c.text = strings.Join(texts, ", and ")
	return c, true
}

// formsInPlace returns the writer of rules for the BNF with the productions that have no rule written in place.
func (p *proof) formsInPlace() *bnftopeg.Forms {
	if p.cachedForms == nil {
		p.cachedForms = p.formsOf(p.pair.BNF.Rewritten(p.inlineUnruled))
	}
	return p.cachedForms
}

// formsOf returns the writer of rules for a BNF, in the notation of the PEG and with the names of its rules.
func (p *proof) formsOf(g *expr.Grammar) *bnftopeg.Forms {
	names, taken := map[string]string{}, map[string]bool{}
	for i, name := range p.ruleNames() {
		names[p.pair.PEG.Rules[i].ID], taken[name] = name, true
	}
	return bnftopeg.NewForms(g, names, taken)
}

// inlineUnruled returns an expression of the BNF with productions that have no rule written in place, up to about
// [maxSpelled] parts.
func (p *proof) inlineUnruled(e *expr.Expr) *expr.Expr {
	left := maxSpelled
	return p.inlineRefs(e, &left, false)
}

// inlineRefs returns e with references replaced by the expressions of the BNF's productions: all references, or only
// those to productions that have no rule in the PEG. References without a production remain. left caps the parts that
// it writes, and is lowered by each; it can end below 0. When it is used up, some references remain, too. A choice
// that has become one among single bytes is a class in the result, unless it stands for a class of code points.
func (p *proof) inlineRefs(e *expr.Expr, left *int, all bool) *expr.Expr {
	if e.Op == expr.Ref {
		r := p.pair.BNF.Rule(e.Name)
		if r != nil && (all || p.pair.PEG.Rule(e.Name) == nil) && *left > 0 {
			*left--
			return p.inlineRefs(r.Expr, left, all)
		}
	}
	if len(e.Sub) == 0 || e.Chars != "" {
		return e
	}
	*left -= len(e.Sub)
	e = e.Map(func(s *expr.Expr) *expr.Expr { return p.inlineRefs(s, left, all) })
	if e.Op == expr.Alt && !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !isByte(s) }) {
		return expr.In(p.singleBytes(e, 0))
	}
	return e
}

// singleBytes returns the bytes that e, or an alternative of it, is written as, by a class or a one-byte literal.
// References are followed to a depth of 8, counted from depth.
func (p *proof) singleBytes(e *expr.Expr, depth int) (s expr.Set) {
	switch e.Op {
	case expr.Class, expr.Literal:
		return e.OneByte()
	case expr.Ref:
		if r := p.pair.BNF.Rule(e.Name); r != nil && depth < 8 {
			return p.singleBytes(r.Expr, depth+1)
		}
	case expr.Alt:
		for _, sub := range e.Sub {
			s = s.Union(p.singleBytes(sub, depth))
		}
	}
	return s
}

// isByte reports whether e is written as one byte: a class, or a literal of length 1.
func isByte(e *expr.Expr) bool { return e.Op == expr.Class || e.Op == expr.Literal && len(e.Lit) == 1 }

// alphabetSuffices reports whether the proof's alphabet tells apart all bytes that the terminals of e do. If not,
// the language of e cannot be computed in the proof's space.
func (p *proof) alphabetSuffices(e *expr.Expr) bool {
	shared := func(b byte) bool { return p.alphabet.bytes[p.alphabet.class[b]].Len() > 1 }
	splitsClass := func(e *expr.Expr) bool {
		if slices.ContainsFunc([]byte(e.Lit), shared) {
			return true
		}
		return e.Op == expr.Class && p.alphabet.expand(p.alphabet.classes(e.Set)) != e.Set
	}
	return expr.Find(e, splitsClass) == nil
}

// eitherCase returns an expression that matches text with its ASCII letters in either case.
func eitherCase(text string) *expr.Expr {
	var seq []*expr.Expr
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && !isLetter(text[end]) {
			end++
		}
		if end == i {
			end++
			seq = append(seq, expr.In(bothCases(expr.Bytes(text[i:end]))))
		} else {
			seq = append(seq, expr.Lit(text[i:end]))
		}
		i = end
	}
	return expr.Cat(seq...)
}

// letterCount counts the letters of ASCII in text.
func letterCount(text string) (n int) {
	for i := range len(text) {
		if isLetter(text[i]) {
			n++
		}
	}
	return n
}

// isLetter reports whether c is a letter of ASCII; the bit 0x20 distinguishes the two cases.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// explainSetDifference says how one class differs from the class it should be: the bytes it lacks and those it should
// not have. The two must differ.
func explainSetDifference(is, should expr.Set) string {
	var list []string
	if less := should.Minus(is); !less.IsEmpty() {
		list = append(list, "leaves out "+less.String())
	}
	if more := is.Minus(should); !more.IsEmpty() {
		list = append(list, "has "+more.String()+" too much")
	}
	return "since it " + strings.Join(list, " and ")
}

// boundsInWords returns how often something may occur: "2", "2 or more", "2 to 3".
func boundsInWords(least, most int) string {
	switch {
	case most == expr.Unbounded:
		return fmt.Sprintf("%d or more", least)
	case least == most:
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// withPlace returns a copy of e all of whose parts stand at pos.
func withPlace(e *expr.Expr, pos expr.Pos) *expr.Expr {
	c := e.Map(func(s *expr.Expr) *expr.Expr { return withPlace(s, pos) })
	c.Pos = pos
	return c
}

// containsPart reports whether part itself, not an equal expression, is in e.
func containsPart(e, part *expr.Expr) bool {
	return expr.Find(e, func(s *expr.Expr) bool { return s == part }) != nil
}
