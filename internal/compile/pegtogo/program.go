package pegtogo

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A program is the state while one file is written.
//
// Throughout this package e is always an expression of the PEG, a a position in the generated code (see
// [position]), and id the ID of a rule. A function that refuses a grammar, or uses up the budget, panics unless its
// comment says that it fails; [Go] turns the panic into its error.
type program struct {
	grammar *expr.Grammar
	firsts  *expr.First
	facts   *expr.Facts
	opts    Options
	limits  lang.Limits     // for the automata that are walked
	rules   []*expr.Rule    // the productions
	starts  []*expr.Rule    // the productions that parse and accept know
	start   map[string]bool // the same, by production

	automata map[string]*lang.DFA // of the starts whose acceptors are made from them

	recursive map[string][]*expr.Rule // rules that use themselves
	deep      map[string]bool         // these, and rules that use them

	number map[string]uint    // by production: its kind, counted from 1 in the order of rules
	names  map[string]*naming // by rule
	rule   string             // the rule that is being written

	memo struct {
		mayFail, builds memo[bool]
		first, bytes    memo[expr.Set]
	}

	out      bytes.Buffer
	classes  classes
	accepted classes           // of the acceptors made of automata: elements of the other tables stay small
	runs     []run             // in the order of first use
	parts    map[string]string // by partKey: the name of the function written for it
	pending  []part            // requested, not yet written
	taken    map[string]bool   // names in use
	written  map[string]bool   // names of functions of rules that are written on demand, once requested
}

// A run is a generated function that skips a char as often as it comes.
type run struct {
	name string
	char char
}

// A part is a generated function that was requested and is still to be written: for an expression inside a
// production (a node, or a lookahead of many comparisons), or for a whole rule.
type part struct {
	name string
	expr *expr.Expr
	tree bool
	rule *expr.Rule // the rule, if the function is for all of one; nil for a part
}

// newProgram analyzes the grammar and names everything. It fails if the grammar cannot be compiled (checkGrammar says
// when), or if the budget is used up. It keeps g and opts.
func newProgram(g *expr.Grammar, opts Options) (p *program, err error) {
	defer budget.Catch(&err)
	p = &program{
		grammar:  g,
		facts:    expr.Analyze(g.Rules),
		opts:     opts,
		number:   map[string]uint{},
		start:    map[string]bool{},
		automata: map[string]*lang.DFA{},
		names:    map[string]*naming{},
		classes:  classes{table: "class", index: map[expr.Set]int{}},
		accepted: classes{table: "accepted", index: map[expr.Set]int{}},
		parts:    map[string]string{},
		taken:    map[string]bool{},
		written:  map[string]bool{},
	}
	p.firsts = p.facts.First(g.Rules)
	p.memo.mayFail, p.memo.builds = memo[bool]{}, memo[bool]{}
	p.memo.first, p.memo.bytes = memo[expr.Set]{}, memo[expr.Set]{}
	p.checkGrammar()
	return p, nil
}

// writeProduction appends to p.out the functions of a start, and then all that they requested and no earlier
// production did, so that nothing is pending. It sets p.rule.
func (p *program) writeProduction(r *expr.Rule) {
	p.rule = r.ID
	comment := p.ruleComment(r)
	if !p.opts.Lexical(r.ID) {
		fmt.Fprintf(&p.out, "\n%s", comment)
		p.writeRuleFunc(r, p.buildName(r.ID), true)
	}
	if !p.onDemand(r.ID, false) {
		fmt.Fprintf(&p.out, "\n%s", comment)
		p.writeRuleFunc(r, p.acceptName(r.ID), false)
	}
	if a := p.automata[r.ID]; a != nil && !p.opts.Small {
		p.writeAutomatonAcceptor(r, a)
	}
	for len(p.pending) > 0 { // writing a part may ask for others
		t := p.pending[0]
		p.pending = p.pending[1:]
		if t.rule != nil {
			p.rule = t.rule.ID
			fmt.Fprintf(&p.out, "\n%s", p.ruleComment(t.rule))
			p.writeRuleFunc(t.rule, t.name, t.tree)
			continue
		}
		what := "a part of " + p.grammar.Rule(p.rule).Name
		if t.expr.Op == expr.Node {
			what = "the " + p.grammar.Rule(t.expr.Name).Name + " of " + r.Name
		}
		fmt.Fprintf(&p.out, "\n// %s is %s:\n", t.name, what)
		if !p.opts.Small {
			fmt.Fprintf(&p.out, "//\n//\t%s\n", t.expr)
		}
		p.writeFunc(t.name, t.expr, t.tree)
	}
}

// writeRuleFunc appends one function of a rule to p.out, below the comment that the caller has written: with tree the
// one that builds nodes, without it the one that only accepts. For a rule that uses itself it writes two: the first
// counts the depth and calls the second, which has a comment of its own.
func (p *program) writeRuleFunc(r *expr.Rule, name string, tree bool) {
	if p.recursive[r.ID] != nil {
		inside := p.takeName(name + "Inside")
		p.writeDepthCounter(name, inside, tree)
		fmt.Fprintf(&p.out, "// %s is %s without the count of the depth.\n", inside, name)
		name = inside
	}
	p.writeFunc(name, r.Expr, tree)
}

// ruleComment returns the comment above the functions of a rule. In a small file that is its label; otherwise
// its printed line or, if the options have none, the rule as a PEG.
func (p *program) ruleComment(r *expr.Rule) string {
	if p.opts.Small {
		return "// " + r.Label() + "\n"
	}
	printed := cmp.Or(p.opts.Printed[r.ID], r.ID+" <- "+r.Expr.String())
	var b strings.Builder
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(strings.TrimPrefix(line, "//"), " \n")
		fmt.Fprintf(&b, "//%s\n", strings.TrimRight(" "+strings.TrimPrefix(line, " "), " "))
	}
	return b.String()
}

// requestPart returns the name of the function for an expression inside the current rule: with tree the one
// that builds its nodes; without tree, or if it makes none, the one that only recognizes it. A new function
// is put on p.pending, to be written after the rule.
func (p *program) requestPart(e *expr.Expr, tree bool) string {
	tree = tree && p.builds(e)
	key := partKey(e, tree)
	if name, ok := p.parts[key]; ok {
		return name
	}
	base := p.names[p.rule].title
	if e.Op == expr.Node {
		base += p.names[e.Name].title
	} else {
		base += "Part"
	}
	if tree {
		base = lowerFirst(base)
	} else {
		base = "accept" + base
	}
	name := p.takeName(base)
	p.parts[key] = name
	p.pending = append(p.pending, part{name: name, expr: e, tree: tree})
	return name
}

// buildName returns the name of the method that builds the nodes of a rule, and requests it if need be.
func (p *program) buildName(id string) string { return p.requestRule(id, p.names[id].build, true) }

// acceptName returns the name of the function that recognizes a rule, and requests it if need be.
func (p *program) acceptName(id string) string { return p.requestRule(id, p.names[id].accept, false) }

// onDemand reports whether a function of a rule is written only if something calls it. The
// functions of a start are always written, except for an acceptor that its automaton replaces, and
// in a small file one of a production that is a node.
func (p *program) onDemand(id string, tree bool) bool {
	if p.opts.Small && !tree && !p.opts.Lexical(id) {
		return true
	}
	return !p.start[id] || !tree && p.automata[id] != nil && !p.opts.Lexical(id)
}

// requestRule returns name. If the function is written on demand, the first call also puts it on p.pending.
func (p *program) requestRule(id, name string, tree bool) string {
	if p.onDemand(id, tree) && !p.written[name] {
		p.written[name] = true
		r := p.grammar.Rule(id)
		p.pending = append(p.pending, part{name, r.Expr, tree, r})
	}
	return name
}

// A demand records how much had been requested at some moment.
type demand struct{ pending, runs, classes int }

// demandSoFar returns how much has been requested by now.
func (p *program) demandSoFar() demand {
	return demand{len(p.pending), len(p.runs), len(p.classes.sets)}
}

// retract undoes all requests for functions, runs and classes since a moment, for code that is not written
// after all, and frees their names. Only the names of rules' functions stay taken.
func (p *program) retract(since demand) {
	gone := map[string]bool{} // by the name that is no longer requested: whether another thing may have it
	for _, t := range p.pending[since.pending:] {
		gone[t.name] = t.rule == nil // the name of a rule's function stays its own
		delete(p.written, t.name)
	}
	for _, r := range p.runs[since.runs:] {
		gone[r.name] = true
	}
	for i, name := range p.classes.names[since.classes:] {
		gone[name] = true
		delete(p.classes.index, p.classes.sets[since.classes+i])
	}
	for key, name := range p.parts {
		if gone[name] {
			delete(p.parts, key)
		}
	}
	for name, free := range gone {
		if free {
			delete(p.taken, name)
		}
	}
	p.pending, p.runs = p.pending[:since.pending], p.runs[:since.runs]
	p.classes.sets, p.classes.names = p.classes.sets[:since.classes], p.classes.names[:since.classes]
}

// partKey returns a string that is equal for expressions that one function can serve. The text of an expression
// leaves out its nodes; if the function builds them, their names and texts are added.
func partKey(e *expr.Expr, tree bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%t %s", tree, e)
	if tree {
		expr.Walk(e, func(e *expr.Expr) bool {
			if e.Op == expr.Node {
				fmt.Fprintf(&b, " %s:%s", e.Name, e)
			}
			return true
		})
	}
	return b.String()
}

// requestRun returns the name of the function that skips c; chars with the same key share one. If there is none yet, it
// is entered in p.runs, and written at the end of the file. The class of c gets its bit at once, unless memberTest
// tests it by comparisons.
func (p *program) requestRun(c char) string {
	for _, r := range p.runs {
		if r.char.key() == c.key() {
			return r.name
		}
	}
	name := p.takeName("skip" + p.charName(c))
	p.runs = append(p.runs, run{name, c})
	p.memberTest(c.class, "", true) // for its request alone, so that the class is named here
	return name
}

// charName returns the title of the first lexical production that is c or, without one, of the current rule.
func (p *program) charName(c char) string {
	if r := p.ruleOf(c); r != nil {
		return p.names[r.ID].title
	}
	return p.names[p.rule].title
}

// ruleOf returns the first production that is c, or nil.
func (p *program) ruleOf(c char) *expr.Rule {
	for _, r := range p.rules {
		if d, ok := p.asChar(r.Expr); ok && d.key() == c.key() {
			return r
		}
	}
	return nil
}

// writeRuns returns the text of the functions that skip, one for each of p.runs. If a run can span a whole
// path, its function looks at eight bytes before it branches. Other runs are short, and a plain loop is best:
// the processor predicts where it ends. The tests of sequences can request classes, so the tables of classes must be
// written after it.
func (p *program) writeRuns() string {
	var b strings.Builder
	for _, r := range p.runs {
		fmt.Fprintf(&b, "\n// %s skips ( %s )*.\nfunc %s(s string, i uint) uint {\n", r.name, r.char.key(), r.name)
		if !r.char.isOneByte() {
			b.WriteString("for {\n")
		}
		if r.char.spansPaths() {
			table, bit := p.classBit(r.char.class)
			b.WriteString(skipEight(table, bit))
		}
		fmt.Fprintf(&b, "for i < uint(len(s)) && %s {\ni++\n}\n", p.memberTest(r.char.class, "s[i]", true))
		if r.char.isOneByte() {
			b.WriteString("return i\n}\n")
			continue
		}
		if len(r.char.long) == 1 {
			seq := r.char.long[0]
			fmt.Fprintf(&b, "if %s {\nreturn i\n}\ni += %d\n}\n}\n", p.noSequenceTest(seq, "i"), len(seq))
			continue
		}
		b.WriteString("switch {\n")
		for _, seq := range r.char.long {
			fmt.Fprintf(&b, "case %s:\ni += %d\n", p.sequenceTest(seq, "i", 0), len(seq))
		}
		b.WriteString("default:\nreturn i\n}\n}\n}\n")
	}
	return b.String()
}

// sequenceTest returns the Go condition that bytes of the classes follow one another from v+off on. It requests the
// classes that it tests.
func (p *program) sequenceTest(seq []expr.Set, v string, off int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s < uint(len(s))", addOffset(v, off+len(seq)-1))
	for k, t := range seq {
		if t != expr.AnyByte {
			fmt.Fprintf(&b, " && %s", p.memberTest(t, "s["+addOffset(v, off+k)+"]", true))
		}
	}
	return b.String()
}

// noSequenceTest returns the negation of sequenceTest for off 0, and requests classes as it does. The test that fails
// most often comes first: most runs end before a byte that begins no sequence, whatever the rest of the input.
func (p *program) noSequenceTest(seq []expr.Set, v string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s >= uint(len(s)) || %s", v, p.memberTest(seq[0], "s["+v+"]", false))
	if len(seq) > 1 {
		fmt.Fprintf(&b, " || %s >= uint(len(s))", addOffset(v, len(seq)-1))
	}
	for k := 1; k < len(seq); k++ {
		if seq[k] == expr.AnyByte {
			continue
		}
		if t := seq[k]; k+1 < len(seq) && seq[k+1] == t && t.Len() > 2 { // two of one class are one test
			table, bit := p.classBit(t)
			fmt.Fprintf(&b, " || %[1]s[s[%[3]s]]&%[1]s[s[%[4]s]]&%[2]s == 0", table, bit, addOffset(v, k),
				addOffset(v, k+1))
			k++
			continue
		}
		fmt.Fprintf(&b, " || %s", p.memberTest(seq[k], "s["+addOffset(v, k)+"]", false))
	}
	return b.String()
}

// writeClassTables writes the classes of bytes and their tables to b.
func (p *program) writeClassTables(b *bytes.Buffer) {
	for _, c := range []*classes{&p.classes, &p.accepted} {
		for from := 0; from < len(c.sets); from += maxBits {
			to := min(from+maxBits, len(c.sets))
			writeClassTable(b, c.tableName(from), c.names[from:to], c.sets[from:to])
		}
	}
}

// writeClassTable writes one table with up to [maxBits] classes, and the constants for their bits. Its elements are the
// smallest integers, of 8 bits or more, that have a bit for each class. Bytes in no class are left out.
func writeClassTable(b *bytes.Buffer, table string, names []string, sets []expr.Set) {
	fmt.Fprintf(b, "\n// Classes of bytes, as bits of the elements of %s.\nconst (\n", table)
	for k, name := range names {
		value := ""
		if k == 0 {
			value = " = 1 << iota"
		}
		fmt.Fprintf(b, "%s%s // %s\n", name, value, sets[k])
	}
	bits := 8
	for bits < len(sets) {
		bits *= 2
	}
	fmt.Fprintf(b, ")\n\n// %s maps each byte to its classes.\nvar %[1]s = [256]uint%d{\n", table, bits)
	column := 0
	for c := range 256 {
		var mask uint64
		for k, t := range sets {
			if t.Has(byte(c)) {
				mask |= 1 << k
			}
		}
		if mask == 0 {
			continue
		}
		digits := bits / 4
		if len(sets) > 32 { // most classes hold few bytes, and their digits would be zeros
			digits = 0
		}
		fmt.Fprintf(b, "%s: 0x%0*x,", quoteByte(byte(c)), digits, mask)
		if column++; column%8 == 0 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("\n}\n")
}

// addOffset returns the Go expression v+off, without a zero.
func addOffset(v string, off int) string {
	switch {
	case off > 0:
		return fmt.Sprintf("%s+%d", v, off)
	case off < 0:
		return fmt.Sprintf("%s-%d", v, -off)
	}
	return v
}

// lowerFirst returns name with its first letter in lower case.
func lowerFirst(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}
