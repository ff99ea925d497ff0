package prove

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/bnftopeg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// mend returns what to write so that a rule is right: one change, several that each bring it nearer, or the rule that package
// bnftopeg would write. Each was tried. Where nothing mends the rule, the letters are named whose case is a part of it.
func (p *proof) mend(r *row, isWrong map[string]*row) change {
	if p.looked++; p.looked > maxMended {
		return change{}
	}
	m := &mender{proof: p, row: r, isWrong: isWrong, left: maxTried, known: map[*expr.Expr]lang.Language{}}
	m.findSample()
	tried := p.writings(r.peg.Expr, r)
	for _, c := range slices.Concat(tried, p.changes(r.peg)) {
		if m.right(c) {
			return c
		}
	}
	m.left = maxTried
	c, mended := m.nearer(tried)
	if mended {
		return c
	}
	rightIn := func(g *expr.Grammar, uses []string) bool {
		return expr.NewForm(g).WellFormed(r.Production) == nil && !slices.ContainsFunc(m.sample, func(w string) bool {
			end, _ := peg.Match(g, g.Rule(r.Production).Expr, w, 0)
			return m.space.Match(r.derivedLanguage, w) != (end == len(w))
		}) && p.rightAfresh(r, g, uses)
	}
	again := func(forms *bnftopeg.Forms) (change, bool) {
		for _, c := range p.replacements(r, forms) {
			if rightIn(changed(p.pair.PEG, r, c), p.wrongUses(r, c, isWrong)) {
				return c, true
			}
		}
		return change{}, false
	}
	if c, ok := again(p.forms()); ok {
		return c
	}
	reached := p.pair.PEG.Reached(r.Production)
	for _, u := range p.rows { // a rule that is right by itself can end too early in another
		if u.Equal && u != r && reached[u.Production] && len(m.sample) > 0 {
			for _, c := range p.replacements(u, p.forms()) {
				if g := changed(p.pair.PEG, u, c); rightIn(g, nil) && p.rightAfresh(u, g, nil) {
					return change{text: fmt.Sprintf("%s, since %s is right by itself, and takes too much or too little in %s", c.text, u.Production, r.Production)}
				}
			}
		}
	}
	left, alone := maxSpelled/4, *r.bnf
	if alone.Expr = p.inPlaceOf(r.bnf.Expr, &left, true); left > 0 {
		if c, ok := again(p.formsOf(p.pair.BNF.With([]*expr.Rule{&alone}))); ok {
			return c
		}
	}
	letters := slices.DeleteFunc(tried, func(c change) bool { return !c.letters })
	if c, _ = m.nearer(letters); c.text != "" {
		return change{text: c.text + "; that mends a part of it"}
	}
	return change{}
}

// maxMended is of how many wrong rules it is looked for what mends them: more than anyone mends before proving again.
const maxMended = 100

// mostMending is how many steps are taken to try changes, of all rules together.
const mostMending = 1 << 26

// maxTried is how many changes of one rule are tried.
const maxTried = 150

// longestText is how many bytes of a rule are printed.
const longestText = 2000

// maxSpelled is how large a rule may be, with its counts written out, that is written again.
const maxSpelled = 400

// A mender tries changes of the rule of a row.
type mender struct {
	*proof
	row     *row
	isWrong map[string]*row
	left    int // how many more to try
	known   map[*expr.Expr]lang.Language
	sample  []string        // of the words of which the rule is wrong, if it uses no wrong rules
	uses    map[string]bool // the rules that it uses
}

// matches returns what the rule matches after a change. ok is false if too much was tried already.
func (m *mender) matches(c change) (l lang.Language, ok bool) {
	if m.left--; m.left < 0 || !m.told(c.rule) {
		return l, false
	}
	if l, ok := m.known[c.rule]; ok {
		return l, true
	}
	bytes, steps := m.space.Left()
	if bytes < 1<<26 || steps < 1<<24 || m.pair.PEG.Budget.Taken()-m.began > mostMending { // what remains to be proven needs them
		return l, false
	}
	l, err := m.mended(m.row, m.isWrong, c)
	if err == nil {
		m.known[c.rule] = l
	}
	return l, err == nil
}

func (m *mender) right(c change) bool {
	if !m.mends(c, m.sample[:min(len(m.sample), 1)]...) {
		m.left--
		return false
	}
	l, ok := m.matches(c)
	return ok && l == m.row.derivedLanguage
}

// maxSample is how many words a change is tried with before what the rule matches is computed.
const maxSample = 32

// findSample finds words of which the rule is wrong: some of those that take each way through all of them.
func (m *mender) findSample() {
	r := m.row
	if len(m.recursive[r.Production]) > 0 || len(r.because) > 0 {
		return
	}
	m.uses = m.pair.PEG.Reached(r.Production)
	wrong, err := m.wrong(r.matched)
	if err != nil {
		return
	}
	if _, _, ok := m.space.States(wrong, maxEach); !ok {
		return
	}
	if a, err := m.space.DFA(wrong); err == nil {
		cover := slices.DeleteFunc(a.TransitionCover(), func(w string) bool { return !a.Match(w) })
		for i := range min(len(cover), maxSample) {
			m.sample = append(m.sample, cover[i*len(cover)/min(len(cover), maxSample)])
		}
	}
}

// mends reports whether after a change the rule is right of one of some words; true where that is not known.
func (m *mender) mends(c change, words ...string) bool {
	if len(words) == 0 || slices.ContainsFunc(expr.Refs(c.rule), func(id string) bool { return !m.uses[id] }) {
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool {
		end, _ := peg.Match(m.pair.PEG, c.rule, w, 0)
		return m.space.Match(m.row.derivedLanguage, w) == (end == len(w))
	})
}

// rightAfresh reports whether a rule is right in g, which may tell other bytes apart than the grammars do, if some that it uses are.
func (p *proof) rightAfresh(r *row, g *expr.Grammar, uses []string) bool {
	s := lang.NewSpace(lang.Limits{NFA: p.limits.NFA, DFA: p.limits.DFA, Bytes: 1 << 26, Steps: 1 << 24}, []*expr.Grammar{p.pair.BNF, g})
	derives, err := s.BNF(p.pair.BNF)
	if err != nil {
		return false
	}
	derived := func(id string) lang.Language {
		l, failed := derives.Of(id)
		if failed == nil && g.UTF8 {
			l, failed = s.TextOf(l)
		}
		err = cmp.Or(err, failed)
		return l
	}
	want, longest := derived(r.Production), map[string]lang.Language{}
	for _, id := range uses {
		longest[id] = derived(id)
	}
	if err != nil {
		return false
	}
	_, got, err := wholeOf(s, g, r.Production, longest, nil)
	return err == nil && got == want
}

// nearer makes one change after the other, as long as there is one that leaves less that differs, and nothing new: of several
// one than which no other leaves less.
func (m *mender) nearer(next []change) (all change, mended bool) {
	wrong, err := m.wrong(m.row.matched)
	if err != nil {
		return all, false
	}
	for {
		least, best := wrong, change{}
		for _, c := range next {
			if !m.mends(c, m.sample...) {
				m.left--
				continue
			}
			l, ok := m.matches(c)
			if !ok {
				continue
			}
			less, err := m.wrong(l)
			if err != nil || less == least {
				continue
			}
			if more, err := m.space.Minus(less, least); err == nil && more == lang.NoWord {
				least, best = less, c
			}
		}
		if best.rule == nil {
			return all, wrong == lang.NoWord
		}
		if all.rule != nil {
			best.text = all.text + ", and " + best.text
		}
		all, wrong = best, least
		letters := best.letters && len(next) > 0 && !slices.ContainsFunc(next, func(c change) bool { return !c.letters })
		next = slices.DeleteFunc(m.writings(best.rule, m.row), func(c change) bool { return letters && !c.letters })
	}
}

// wrong returns the words that either the production derives or a rule that has these words matches.
func (m *mender) wrong(matched lang.Language) (lang.Language, error) {
	lost, err := m.space.Minus(m.row.derivedLanguage, matched)
	if err != nil {
		return lost, err
	}
	more, err := m.space.Minus(matched, m.row.derivedLanguage)
	if err != nil {
		return more, err
	}
	return m.space.Union(lost, more)
}

// A writing is a text that stands for a part of a rule.
type writing struct {
	at    *expr.Expr
	below expr.Op // below what the part stands; Empty for the whole rule
	text  string  // in the notation of the PEG
	why   string
	rank  int // of classes: how many bytes change, more where the production has no such class, and most where it has no such byte
}

// writings lists the changes that put something else in the place of a part: literals in either case, other classes and bounds,
// what may be missing, and alternatives. Each is read again, so that what is printed is what was tried.
func (p *proof) writings(e *expr.Expr, r *row) (all []change) {
	if size(p.pair.PEG, e, 64) > maxTried {
		return nil
	}
	forms, bnf := p.forms(), p.inPlace(r.bnf.Expr)
	var letters, classes, list []writing
	add := func(list *[]writing, at *expr.Expr, below expr.Op, other *expr.Expr, why string) {
		*list = append(*list, writing{at, below, forms.Text(other, below), why, 0})
	}
	var sets []expr.Set
	var known, has expr.Set // of the production, and of the rule
	var counts, choices []*expr.Expr
	optional := map[string]bool{}
	expr.Walk(bnf, func(b *expr.Expr) bool {
		switch b.Op {
		case expr.Repeat:
			counts = append(counts, b)
			if b.Max == 1 {
				optional[plainForm(b.Sub[0], true).String()] = true
			}
		case expr.Alt:
			if b.Chars == "" {
				choices = append(choices, b)
			}
		}
		return b.Chars == ""
	})
	for _, of := range []*expr.Expr{bnf, r.bnf.Expr} { // the first has one class of several
		expr.Walk(of, func(b *expr.Expr) bool {
			if s := p.oneByte(b, 0); s.Len() > 0 && !slices.Contains(sets, s) {
				sets, known = append(sets, s), known.Union(s)
			}
			return b.Chars == ""
		})
	}
	expr.Walk(e, func(s *expr.Expr) bool { has = has.Union(s.OneByte()); return true })
	seen := map[expr.Pos]bool{}
	var visit func(at *expr.Expr, below expr.Op)
	visit = func(at *expr.Expr, below expr.Op) {
		if at.Op == expr.Node {
			visit(at.Sub[0], below)
			return
		}
		if at.Pos.Line == 0 { // a part of a character
			return
		}
		token, text := p.literalAt(r.peg, at)
		if token != "" && !seen[at.Pos] {
			seen[at.Pos] = true
			if n := letterCount(text); n > 0 {
				why := "which matches more than letters of ASCII"
				if !strings.HasSuffix(token, "i") {
					why = fmt.Sprintf("which is one spelling in a PEG and %d in %s", 1<<min(n, 62), strings.ToUpper(p.pair.BNF.Notation))
				}
				letters = append(letters, writing{at, below, forms.Text(eitherCase(text), below), why, 0})
			}
		}
		if isByte(at) {
			own := at.OneByte()
			for _, s := range sets {
				for i, s := range []expr.Set{s, s.Union(own)} {
					if s != own && (!s.Intersect(own).IsEmpty() || !own.Minus(known).IsEmpty() && !s.Minus(has).IsEmpty()) {
						add(&classes, at, below, expr.In(s), differs(own, s))
						classes[len(classes)-1].rank = i + 2*(s.Minus(own).Len()+own.Minus(s).Len()) + s.Minus(known).Len()<<10
					}
				}
			}
		}
		if at.Op == expr.Repeat {
			for _, c := range counts {
				if (c.Min != at.Min || c.Max != at.Max) && size(p.pair.PEG, expr.Times(at.Sub[0], c.Min, c.Max), 64) <= maxSpelled {
					add(&list, at, below, expr.Times(at.Sub[0], c.Min, c.Max), "since there may be "+bounds(c.Min, c.Max))
				}
			}
			if at.Max == 1 {
				add(&list, at, below, at.Sub[0], "since it must not be missing")
			}
		}
		if at.Op != expr.Repeat && below != expr.Repeat && optional[plainForm(at, true).String()] {
			add(&list, at, below, expr.Opt(at), "since it may be missing")
		}
		if at.Op == expr.Alt || below == expr.Empty || below == expr.Repeat {
			has := []*expr.Expr{at}
			if at.Op == expr.Alt {
				has = at.Sub
			}
			for _, c := range choices {
				for _, missing := range p.missingIn(has, c.Sub) {
					for _, alts := range [][]*expr.Expr{slices.Concat(has, missing), slices.Concat(missing, has)} {
						add(&list, at, below, expr.Or(alts...), "since "+forms.Text(expr.Or(missing...), expr.Empty)+" is missing")
					}
				}
				if len(has) == 1 {
					continue
				}
				for i, other := range has {
					if plain := plainForm(other, true).String(); slices.ContainsFunc(c.Sub, func(s *expr.Expr) bool { return plainForm(s, true).String() == plain }) {
						continue
					}
					add(&list, at, below, expr.Or(slices.Delete(slices.Clone(has), i, i+1)...), "since "+forms.Text(other, expr.Empty)+" is too much")
					for _, missing := range p.missingIn(has, c.Sub) {
						if len(missing) == 1 {
							add(&list, other, expr.Alt, missing[0], "as the production has it")
						}
					}
				}
			}
		}
		for _, s := range at.Sub {
			if token == "" {
				visit(s, at.Op)
			}
		}
	}
	visit(e, expr.Empty)
	slices.SortStableFunc(classes, func(a, b writing) int { return a.rank - b.rank })
	for i, group := range [][]writing{letters, classes, list} {
		for _, w := range group {
			if c, ok := p.written(e, r, w); ok && contains(r.peg.Expr, w.at) {
				c.letters = i == 0
				all = append(all, c)
			}
		}
	}
	if len(letters) > 1 {
		if c, ok := p.written(e, r, letters...); ok {
			c.letters = true
			all = append([]change{c}, all...)
		}
	}
	return all
}

// written returns a rule with other texts in the place of some parts. ok is false if the texts cannot be read, or a part is not there.
func (p *proof) written(e *expr.Expr, r *row, list ...writing) (c change, ok bool) {
	c.rule = e
	var texts []string
	for _, w := range list {
		read := p.read([][2]string{{"part", w.text}})
		if read == nil {
			return c, false
		}
		before := c.rule
		if c.rule = before.With(w.at, at(read[0].Expr, w.at.Pos)); c.rule == before {
			return c, false
		}
		old, _ := p.literalAt(r.peg, w.at)
		text := fmt.Sprintf("write %s for %s (%s)", w.text, cmp.Or(old, short(w.at.String())), w.at.Pos)
		if len(texts) == 0 {
			text += ", " + w.why
		}
		texts = append(texts, text)
	}
	c.text = strings.Join(texts, ", and ")
	return c, true
}

// replacements lists the rules that package bnftopeg writes for the production of a row.
func (p *proof) replacements(r *row, forms *bnftopeg.Forms) (all []change) {
	if _, _, ok := p.space.States(r.derivedLanguage, maxEach); !ok || size(p.pair.BNF, p.inPlace(r.bnf.Expr), 64) > maxSpelled {
		return nil
	}
	arrow := " <- "
	if p.pair.PEG.Notation == peg.Peggy {
		arrow = " = "
	}
	for _, form := range forms.Of(r.Production) {
		rules := p.read(form)
		if rules == nil {
			continue
		}
		var lines []string
		for _, rule := range form {
			lines = append(lines, rule[0]+arrow+rule[1])
		}
		if text := "write " + strings.Join(lines, "; "); len(text) < longestText {
			all = append(all, change{rule: rules[0].Expr, more: rules[1:], text: text})
		}
	}
	return all
}

// forms returns what writes rules for the productions as they are.
func (p *proof) forms() *bnftopeg.Forms {
	if p.former == nil {
		p.former = p.formsOf(p.pair.BNF.Rewritten(p.inPlace))
	}
	return p.former
}

// formsOf returns what writes rules for those of a BNF in the notation of the PEG, with its identifiers.
func (p *proof) formsOf(g *expr.Grammar) *bnftopeg.Forms {
	names, taken := map[string]string{}, map[string]bool{}
	for i, ident := range p.identifiers() {
		names[p.pair.PEG.Rules[i].ID], taken[ident] = ident, true
	}
	return bnftopeg.NewForms(g, names, taken)
}

// identifiers returns the names of the rules as the PEG has them, in the order of its rules.
func (p *proof) identifiers() []string {
	if p.idents == nil {
		for _, r := range p.pair.PEG.Rules {
			p.idents = append(p.idents, identifier.FindString(r.Printed))
		}
	}
	return p.idents
}

var (
	identifier  = regexp.MustCompile(`^[\pL_][\pL\p{Nd}_$]*`)
	identifiers = regexp.MustCompile(`[\pL_][\pL\p{Nd}_$]*`)
)

// inPlace returns an expression of the BNF with the productions in it that have no rule, as long as that is not too large.
func (p *proof) inPlace(e *expr.Expr) *expr.Expr {
	left := maxSpelled
	return p.inPlaceOf(e, &left, false)
}

func (p *proof) inPlaceOf(e *expr.Expr, left *int, all bool) *expr.Expr {
	if e.Op == expr.Ref {
		if r := p.pair.BNF.Rule(e.Name); r != nil && (all || p.pair.PEG.Rule(e.Name) == nil) && *left > 0 {
			*left--
			return p.inPlaceOf(r.Expr, left, all)
		}
	}
	if len(e.Sub) == 0 || e.Chars != "" {
		return e
	}
	*left -= len(e.Sub)
	e = e.Map(func(s *expr.Expr) *expr.Expr { return p.inPlaceOf(s, left, all) })
	if e.Op == expr.Alt && !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !isByte(s) }) {
		return expr.In(p.oneByte(e, 0))
	}
	return e
}

// isByte reports whether e is one byte as it is written.
func isByte(e *expr.Expr) bool { return e.Op == expr.Class || e.Op == expr.Literal && len(e.Lit) == 1 }

// read reads the texts of rules as the notation of the PEG has them. It returns nil if they are none.
func (p *proof) read(texts [][2]string) []*expr.Rule {
	arrow, read := " <- ", peg.Options{}.Read
	if p.pair.PEG.Notation == peg.Peggy {
		arrow, read = " = ", peg.Options{}.ReadPeggy
	}
	var b strings.Builder
	own, used := map[string]bool{}, map[string]bool{}
	for _, t := range texts {
		own[t[0]] = true
		for _, word := range identifiers.FindAllString(t[1], -1) {
			used[word] = true
		}
		fmt.Fprintf(&b, "%s%s%s\n", t[0], arrow, t[1])
	}
	to := map[string]string{}
	for i, ident := range p.identifiers() { // of the rules only the names matter
		if own[ident] || used[ident] {
			to[ident] = p.pair.PEG.Rules[i].ID
		}
		if !own[ident] && used[ident] {
			fmt.Fprintf(&b, "%s%s\"xx\" \"yy\"\n", ident, arrow)
		}
	}
	if own["part"] {
		delete(to, "part")
	}
	g, err := read("part", []byte(b.String()))
	if err != nil {
		return nil
	}
	return peg.Rename(g, to).Rules[:len(texts)]
}

// told reports whether the grammars tell apart the bytes that an expression does.
func (p *proof) told(e *expr.Expr) bool {
	shared := func(b byte) bool { return p.alphabet.bytes[p.alphabet.class[b]].Len() > 1 }
	return expr.Find(e, func(e *expr.Expr) bool {
		return slices.ContainsFunc([]byte(e.Lit), shared) || e.Op == expr.Class && p.alphabet.expand(p.alphabet.classes(e.Set)) != e.Set
	}) == nil
}

// textAt returns the text of a rule from a place on, "" where it is not in it.
func textAt(rule *expr.Rule, pos expr.Pos) string {
	if rule == nil {
		return ""
	}
	line := pos.Line - rule.Pos.Line
	lines := strings.Split(rule.Printed, "\n")
	if pos.Line == 0 || line < 0 || line >= len(lines) {
		return ""
	}
	col := pos.Col - 1
	if line == 0 {
		col -= rule.Pos.Col - 1
	}
	if col < 0 || col > len(lines[line]) {
		return ""
	}
	return lines[line][col:]
}

// spelled returns a part of a rule with its classes as the text has them, which are several expressions where they have more than ASCII.
func spelled(rule *expr.Rule, e *expr.Expr) string {
	var as func(e *expr.Expr) *expr.Expr
	as = func(e *expr.Expr) *expr.Expr {
		c, one := e.Map(as), true
		expr.Walk(e, func(s *expr.Expr) bool { one = one && (s.Pos.Line == 0 || s.Pos == e.Pos); return one })
		if token := classText.FindString(textAt(rule, e.Pos)); one && token != "" {
			c.Chars = token
		}
		return c
	}
	return as(e).String()
}

var classText = regexp.MustCompile(`^(\[([^\]\\]|\\.)*\]i?|\.)`)

// literalAt returns the quoted text that stands where e begins, and what it stands for, if that is e.
func (p *proof) literalAt(rule *expr.Rule, e *expr.Expr) (token, text string) {
	token = quotedText.FindString(textAt(rule, e.Pos))
	if token == "" {
		return "", ""
	}
	all, plain := p.read([][2]string{{"part", token}}), p.read([][2]string{{"part", strings.TrimSuffix(token, "i")}})
	if all == nil || plain == nil || all[0].Expr.String() != e.String() || plain[0].Expr.Op != expr.Literal {
		return "", ""
	}
	return token, plain[0].Expr.Lit
}

var quotedText = regexp.MustCompile("^(\"([^\"\\\\]|\\\\.)*\"|'([^'\\\\]|\\\\.)*'|`[^`]*`)i?")

// oneByte returns the bytes that e derives by themselves, in some alternative of it.
func (p *proof) oneByte(e *expr.Expr, depth int) (s expr.Set) {
	switch e.Op {
	case expr.Class, expr.Literal:
		return e.OneByte()
	case expr.Ref:
		if r := p.pair.BNF.Rule(e.Name); r != nil && depth < 8 {
			return p.oneByte(r.Expr, depth+1)
		}
	case expr.Alt:
		for _, sub := range e.Sub {
			s = s.Union(p.oneByte(sub, depth))
		}
	}
	return s
}

// missingIn lists the alternatives that are not among those that there are, all together and each by itself, if some are.
func (p *proof) missingIn(has, want []*expr.Expr) (list [][]*expr.Expr) {
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
		if !known[plainForm(e, true).String()] && !(isByte(e) && e.OneByte().Minus(bytes).IsEmpty()) {
			missing = append(missing, e)
		}
	}
	if len(missing) == 0 || len(missing) == len(want) {
		return nil
	}
	if list = append(list, missing); len(missing) > 1 {
		for _, e := range missing {
			list = append(list, []*expr.Expr{e})
		}
	}
	return list
}

// eitherCase returns the text with its letters of ASCII in either case.
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

func letterCount(text string) (n int) {
	for i := range len(text) {
		if isLetter(text[i]) {
			n++
		}
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// differs returns why one class should be another.
func differs(is, should expr.Set) string {
	var list []string
	if less := should.Minus(is); !less.IsEmpty() {
		list = append(list, "leaves out "+less.String())
	}
	if more := is.Minus(should); !more.IsEmpty() {
		list = append(list, "has "+more.String()+" too much")
	}
	return "since it " + strings.Join(list, " and ")
}

// bounds returns how often something may be there.
func bounds(least, most int) string {
	switch {
	case most == expr.Unbounded:
		return fmt.Sprintf("%d or more", least)
	case least == most:
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// at returns e with a place.
func at(e *expr.Expr, pos expr.Pos) *expr.Expr {
	c := e.Map(func(s *expr.Expr) *expr.Expr { return at(s, pos) })
	c.Pos = pos
	return c
}

func contains(e, part *expr.Expr) bool {
	return expr.Find(e, func(s *expr.Expr) bool { return s == part }) != nil
}

// A change is a rule's expression, changed, and the change in words.
type change struct {
	rule    *expr.Expr
	more    []*expr.Rule // that it uses
	text    string
	letters bool // it is about the case of letters alone
}

// changes lists the changes to try, the smallest first: one alternative put before another; a lookahead behind an alternative,
// an option or a repetition.
func (p *proof) changes(rule *expr.Rule) (all []change) {
	e := rule.Expr
	var choices, greedy []*expr.Expr
	var sets []*expr.Expr
	known := map[expr.Set]bool{}
	set := func(e *expr.Expr, name string) {
		if e.Op == expr.Class && !e.Set.IsEmpty() && !known[e.Set] && len(sets) < 8 {
			known[e.Set] = true
			c := *e
			c.Chars = name
			sets = append(sets, &c)
		}
	}
	expr.Walk(e, func(s *expr.Expr) bool {
		switch s.Op {
		case expr.Alt:
			if s.Chars == "" {
				choices = append(choices, s)
			}
		case expr.Repeat:
			greedy = append(greedy, s)
		case expr.Class:
			set(s, s.Chars)
		case expr.Ref:
			if rule := p.pair.PEG.Rule(s.Name); rule != nil {
				set(rule.Expr, strings.TrimSuffix(s.Name, " (PEG)"))
			}
		}
		return true
	})
	for _, c := range choices {
		n := len(c.Sub)
		for from := 1; from < n; from++ {
			for to := range from {
				if len(all) > maxTried {
					return all
				}
				order := slices.Clone(c.Sub)
				copy(order[to+1:from+1], c.Sub[to:from])
				order[to] = c.Sub[from]
				text := fmt.Sprintf("put %s before %s (%s)", short(spelled(rule, c.Sub[from])), short(spelled(rule, c.Sub[to])), c.Pos)
				all = append(all, change{e.With(c, &expr.Expr{Op: expr.Alt, Sub: order, Pos: c.Pos}), nil, text, false})
			}
		}
	}
	ahead := func(at *expr.Expr, where string) {
		for _, s := range sets {
			look := expr.Lookahead(s, true)
			text := fmt.Sprintf("write !%s behind %s%s (%s)", s, where, short(spelled(rule, at)), at.Pos)
			all = append(all, change{e.With(at, &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{at, look}, Pos: at.Pos}), nil, text, false})
		}
	}
	for _, c := range choices {
		for _, a := range c.Sub[:len(c.Sub)-1] {
			ahead(a, "the alternative ")
		}
	}
	for _, g := range greedy {
		ahead(g.Sub[0], "what is repeated, ")
	}
	return all
}
