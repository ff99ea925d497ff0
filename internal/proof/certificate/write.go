package certificate

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Source is the subject of a certificate.
type Source struct {
	BNF, PEG *expr.Grammar // a rule for a production has the production's ID
	Readings []bnf.Reading // of the ledger; those that are on and change strings are written as assumptions
	Defined  [][2]string   // names without a production, and what is read for them
	Limits   lang.Limits

	// Parser is a parser of BNF whose table, which explains rejections, the certificate is about as well; or nil. With
	// one, PEG may be nil.
	Parser *ast.Grammar
}

// WithEmptyPEG returns s with a PEG without rules if it has none.
func (s Source) WithEmptyPEG() Source {
	if s.PEG == nil {
		s.PEG = s.BNF.With(nil)
		s.PEG.Ordered = true
	}
	return s
}

// A Summary says what a certificate states about each production.
type Summary struct {
	Equal, Differ, Open []string // IDs; an open one is not covered
	Why                 []string // of each open one
	// IDs of productions whose strings are exactly those that the table accepts, or are not
	Tabled, Wrong []string
	Hash          string // SHA-256 of the certificate, in hexadecimal digits
}

// Write writes the certificate for the productions with these IDs and all that they use, or for all that have
// a rule if there are no IDs. Productions that cannot be covered are in Summary.Open. It fails only if w
// does.
func Write(w io.Writer, src Source, ids ...string) (*Summary, error) {
	wanted := src.BNF.Reached(ids...)
	src = src.WithEmptyPEG()
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	c := newCertificate(out, src)
	for _, r := range src.BNF.Rules {
		if rule := src.PEG.Rule(r.ID); rule != nil && (len(ids) == 0 || wanted[r.ID]) {
			c.stateProduction(r, rule)
		}
	}
	if src.Parser != nil {
		c.stateTable(src.Parser, func(id string) bool { return len(ids) == 0 || wanted[id] })
	}
	c.writeLines()
	if err := out.Flush(); err != nil {
		return nil, err
	}
	c.summary.Hash = hex.EncodeToString(sum.Sum(nil))
	return &c.summary, nil
}

// Ident returns the name of a rule in its file. It can differ from the rule's ID, which is the name
// of its production.
func Ident(r *expr.Rule) string {
	const endsName = " \t\r\n<=←⟵\"'`/"
	if i := strings.IndexAny(r.Printed, endsName); i > 0 {
		return r.Printed[:i]
	}
	return peg.Ident(r.ID)
}

// A certificate collects the lines to write: statements about productions, and what these rest on,
// each once.
type certificate struct {
	*engine
	w       *bufio.Writer
	src     Source
	summary Summary
	tabled  *table

	statements []string
	triples    []triple
	operations []operation
	terms      []int32
	languages  []int32
	number     struct {
		triple    map[triple]bool
		operation map[operation]int32
		term      map[int32]bool
		language  map[int32]int32 // as they are numbered in the certificate
	}
}

// An operation is a union or difference of two languages.
type operation struct {
	name string
	a, b int32
}

// newCertificate prepares a certificate, with the terms of both grammars and without any statement. Unless
// src.Limits.Steps is set, it may take an eighth of the budget's steps, since the proof stands without it.
func newCertificate(w *bufio.Writer, src Source) *certificate {
	// less than the proof, which stands without it
	src.Limits.Steps = cmp.Or(src.Limits.Steps, int64(src.BNF.Budget.Share(3)))
	t := newTerms()
	b := newSide(t, src.BNF, func(r *expr.Rule) string { return r.ID })
	p := newSide(t, src.PEG, Ident)
	b.findFaults()
	p.findFaults()
	c := &certificate{engine: newEngine(b, p, src.Limits), w: w, src: src}
	c.number.triple = map[triple]bool{}
	c.number.operation = map[operation]int32{}
	c.number.term = map[int32]bool{}
	c.number.language = map[int32]int32{}
	for l := range int32(3) {
		c.number.language[l] = l
	}
	return c
}

// stateProduction states whether the rule p is equal to the production b; if not, with a word that shows it, and if
// that cannot be computed, why. It adds the statement and what that rests on to c, and the production to c.summary.
func (c *certificate) stateProduction(b, p *expr.Rule) {
	rule := Ident(p)
	// An error is about this pair alone: the next one begins without it.
	c.err = nil
	clear(c.pending)
	x := c.intern(term{kind: ruleKind, name: "bnf " + b.ID})
	y := c.intern(term{kind: ruleKind, name: "peg " + rule})
	var l, m int32
	var word []byte
	if err := c.Within(func() {
		l = c.languageOf(x, emptyWord, false)
		m = c.languageOf(y, emptyWord, true)
		if c.err == nil && l != m {
			word = c.shortestWord(c.Union(c.Minus(l, m), c.Minus(m, l)))
		}
		if c.err == nil {
			c.addTriple(triple{x, emptyWord, false})
			c.addTriple(triple{y, emptyWord, true})
		}
	}); err != nil && c.err == nil {
		c.err = err
	}
	if c.err != nil {
		why := strings.Join(strings.Fields(c.err.Error()), " ")
		c.statements = append(c.statements, fmt.Sprintf("open %s %s because %s", b.ID, rule, why))
		c.summary.Open, c.summary.Why = append(c.summary.Open, b.ID), append(c.summary.Why, why)
		return
	}
	if l == m {
		c.statements = append(c.statements, fmt.Sprintf("equal %s %s %d", b.ID, rule, c.numberOf(l)))
		c.summary.Equal = append(c.summary.Equal, b.ID)
		return
	}
	derived, matched := c.pathOf(l, word), c.pathOf(m, word)
	c.statements = append(c.statements,
		fmt.Sprintf("differ %s %s %s bnf %s peg %s", b.ID, rule, hexWord(word), derived, matched))
	c.summary.Differ = append(c.summary.Differ, b.ID)
}

// ruleKind is the kind rule, where a variable has that name.
const ruleKind = rule

// shortestWord returns a shortest word of a language, which must not be empty.
func (c *certificate) shortestWord(l int32) []byte {
	type way struct {
		from int
		l    int32
		byte byte
	}
	ways := []way{{-1, l, 0}}
	seen := map[int32]bool{l: true}
	for i := 0; i < len(ways); i++ {
		if c.Accepts(ways[i].l) {
			var word []byte
			for ; ways[i].from >= 0; i = ways[i].from {
				word = append(word, ways[i].byte)
			}
			slices.Reverse(word)
			return word
		}
		for x, b := range c.first {
			if to := c.Derive(ways[i].l, x); !seen[to] {
				seen[to] = true
				ways = append(ways, way{i, to, b})
			}
		}
	}
	return nil
}

// pathOf returns the numbers of the languages that a word leads through from l on, separated by dashes. Those that
// have no number yet get one.
func (c *certificate) pathOf(l int32, word []byte) string {
	run := []string{fmt.Sprint(c.numberOf(l))}
	for _, b := range word {
		l = c.Derive(l, int(c.class[b]))
		run = append(run, fmt.Sprint(c.numberOf(l)))
	}
	return strings.Join(run, "-")
}

// numberOf returns the number of a language in the certificate, which is added if it is new.
func (c *certificate) numberOf(l int32) int32 {
	n, ok := c.number.language[l]
	if !ok {
		n = int32(len(c.languages)) + 3
		c.number.language[l] = n
		c.languages = append(c.languages, l)
	}
	return n
}

// addTerm adds a term and its parts. The parts come before it in c.terms.
func (c *certificate) addTerm(x int32) {
	if c.number.term[x] {
		return
	}
	c.number.term[x] = true
	switch n := c.all[x]; n.kind {
	case seq, alt:
		c.addTerm(n.a)
		c.addTerm(n.b)
	case star, not:
		c.addTerm(n.a)
	}
	c.terms = append(c.terms, x)
}

// addTriple adds a triple and everything that proves it. The language of first must be known. It follows the cases of
// computeLanguage.
func (c *certificate) addTriple(first triple) {
	for todo := []triple{first}; len(todo) > 0; {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t.term == emptyTerm || c.number.triple[t] {
			continue
		}
		c.number.triple[t] = true
		c.triples = append(c.triples, t)
		c.addTerm(t.term)
		whole := c.known[t]
		c.numberOf(whole)
		c.numberOf(t.rest)
		// of returns the language of a triple that this one rests on, and puts it on todo, to be added as well.
		of := func(x, rest int32) int32 {
			todo = append(todo, triple{x, rest, t.ordered})
			return c.languageOf(x, rest, t.ordered)
		}
		n := c.all[t.term]
		fails := func(l int32) int32 { return c.addOperation("minus", l, of(n.a, everyWord)) }
		switch n.kind {
		case seq:
			of(n.a, of(n.b, t.rest))
		case alt:
			b := of(n.b, t.rest)
			if t.ordered {
				b = fails(b)
			}
			c.addOperation("union", of(n.a, t.rest), b)
		case not:
			fails(t.rest)
		case star:
			end := t.rest
			if t.ordered {
				end = fails(end)
			}
			c.addOperation("union", of(n.a, whole), end)
		case rule:
			of(c.grammarSide(t.ordered).body[n.name[len("bnf "):]], t.rest)
		}
	}
}

// addOperation returns the result of an operation. Unless the operation is trivial, it adds it and,
// transitively, the operations on the derivatives, which prove it.
func (c *certificate) addOperation(name string, a, b int32) int32 {
	first := c.applyOperation(name, a, b)
	for todo := []operation{{name, a, b}}; len(todo) > 0; {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if isTrivial(o) {
			continue
		}
		if _, ok := c.number.operation[o]; ok {
			continue
		}
		l := c.applyOperation(o.name, o.a, o.b)
		c.number.operation[o] = l
		c.operations = append(c.operations, o)
		c.numberOf(o.a)
		c.numberOf(o.b)
		c.numberOf(l)
		for x := range c.classes {
			todo = append(todo, operation{o.name, c.Derive(o.a, x), c.Derive(o.b, x)})
		}
	}
	return first
}

// applyOperation returns the union of two languages if that is the name, and otherwise their difference.
func (c *certificate) applyOperation(name string, a, b int32) int32 {
	if name == "union" {
		return c.Union(a, b)
	}
	return c.Minus(a, b)
}

// isTrivial reports whether the checker knows the result of an operation without a line.
func isTrivial(o operation) bool {
	return o.a == o.b || o.a == noWord || o.b <= everyWord || o.a == everyWord && o.name != "minus"
}

// writeLines writes the certificate. Before that it adds all languages that those with a number lead to.
func (c *certificate) writeLines() {
	for i := 0; i < len(c.languages); i++ { // what the languages lead to
		for x := range c.classes {
			c.numberOf(c.Derive(c.languages[i], x))
		}
	}
	lines := 0
	line := func(format string, args ...any) {
		lines++
		fmt.Fprintf(c.w, format+"\n", args...)
	}
	line("bnfcheck certificate 2")
	for _, a := range c.assumedReadings() {
		line("assume %s", a)
	}
	for x, s := range c.classSets() {
		line("class %d %s", x, hexSet(s))
	}
	number := map[int32]int{emptyTerm: 0}
	for _, x := range c.terms {
		if x == emptyTerm {
			continue
		}
		number[x] = len(number)
		n := c.all[x]
		switch n.kind {
		case bytes:
			line("term %d bytes %s", number[x], hexSet(n.set))
		case rule:
			line("term %d rule %s", number[x], n.name)
		case seq, alt:
			line("term %d %s %d %d", number[x], kindNames[n.kind], number[n.a], number[n.b])
		default:
			line("term %d %s %d", number[x], kindNames[n.kind], number[n.a])
		}
	}
	for i, l := range c.languages {
		accepts := '-'
		if c.Accepts(l) {
			accepts = '+'
		}
		step := func(x int) int { return int(c.numberOf(c.Derive(l, x))) }
		line("language %d %c%s", i+3, accepts, formatSteps(c.classes, step))
	}
	for _, o := range c.operations {
		line("%s %d %d is %d", o.name, c.numberOf(o.a), c.numberOf(o.b), c.numberOf(c.number.operation[o]))
	}
	for _, t := range c.triples {
		side := "bnf"
		if t.ordered {
			side = "peg"
		}
		line("%s %d before %d is %d", side, number[t.term], c.numberOf(t.rest), c.numberOf(c.known[t]))
	}
	c.writeTable(line)
	for _, s := range c.statements {
		line("%s", s)
	}
	line("end %d", lines)
}

// classSets returns the bytes of each class.
func (c *certificate) classSets() []expr.Set {
	sets := make([]expr.Set, c.classes)
	for b, x := range c.class {
		sets[x].Add(byte(b))
	}
	return sets
}

// hexWord writes a word in hexadecimal, the empty one as a dash.
func hexWord(word []byte) string { return cmp.Or(hex.EncodeToString(word), "-") }

// hexSet writes a set as ranges, as in "2d,30-39", or "none".
func hexSet(s expr.Set) string {
	var parts []string
	for _, r := range s.Ranges() {
		if r[0] == r[1] {
			parts = append(parts, fmt.Sprintf("%02x", r[0]))
		} else {
			parts = append(parts, fmt.Sprintf("%02x-%02x", r[0], r[1]))
		}
	}
	return cmp.Or(strings.Join(parts, ","), "none")
}

// assumedReadings lists the assumptions of the certificate: right-hand sides that are read in place
// of printed ones, core rules, and definitions from the caller.
func (c *certificate) assumedReadings() []string {
	var list []string
	add := func(name, text, why string) {
		list = append(list, fmt.Sprintf("%s = %s because %s", name, strings.Join(strings.Fields(text), " "), why))
	}
	for _, r := range c.src.Readings {
		if r.Kind == bnf.Strings && r.On {
			for _, to := range r.Replace {
				add(to.Production, to.Text, "reading "+r.ID)
			}
		}
	}
	for _, r := range c.src.BNF.Rules {
		if _, right, ok := strings.Cut(r.Printed, "="); ok && bnf.IsCore(r) {
			add(r.ID, right, r.Section)
		}
	}
	for _, d := range c.src.Defined {
		add(d[0], d[1], "--define")
	}
	return list
}
