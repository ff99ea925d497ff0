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

// A program is a file in the making.
type program struct {
	grammar *expr.Grammar
	firsts  *expr.First
	facts   *expr.Facts
	opts    Options
	limits  lang.Limits     // of the automata that are walked
	rules   []*expr.Rule    // the productions
	starts  []*expr.Rule    // those that parse and accept know
	start   map[string]bool // the same, by production

	automata map[string]*lang.DFA // of the starts whose acceptors are made of them

	recursive map[string][]*expr.Rule // rules that use themselves
	deep      map[string]bool         // these, and rules that use them

	number map[string]uint    // by production: its kind, if they count from 1 in the order of rules
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
	parts    map[string]string // by partKey: the function that was written for it
	pending  []part            // asked for, not yet written
	taken    map[string]bool   // names that something has
	written  map[string]bool   // functions of rules that are no starts, once they are asked for
}

// A run is a function that skips a char as often as it comes.
type run struct {
	name string
	char char
}

// A part is an expression inside a production that has a function of its own: a node, or a lookahead of many comparisons.
type part struct {
	name string
	expr *expr.Expr
	tree bool
	rule *expr.Rule // not nil where it is all of a rule that is no start
}

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
	p.memo.mayFail, p.memo.builds, p.memo.first, p.memo.bytes = memo[bool]{}, memo[bool]{}, memo[expr.Set]{}, memo[expr.Set]{}
	p.check()
	return p, nil
}

// production writes the functions of a rule, and those of its parts that no earlier rule has in common with it.
func (p *program) production(r *expr.Rule) {
	p.rule = r.ID
	comment := p.comment(r)
	if !p.opts.Lexical(r.ID) {
		fmt.Fprintf(&p.out, "\n%s", comment)
		p.ofRule(r, p.buildName(r.ID), true)
	}
	if !p.onDemand(r.ID, false) {
		fmt.Fprintf(&p.out, "\n%s", comment)
		p.ofRule(r, p.acceptName(r.ID), false)
	}
	if a := p.automata[r.ID]; a != nil {
		p.acceptor(r, a)
	}
	for len(p.pending) > 0 {
		t := p.pending[0]
		p.pending = p.pending[1:]
		if t.rule != nil {
			p.rule = t.rule.ID
			fmt.Fprintf(&p.out, "\n%s", p.comment(t.rule))
			p.ofRule(t.rule, t.name, t.tree)
			continue
		}
		what := "a part of " + p.grammar.Rule(p.rule).Name
		if t.expr.Op == expr.Node {
			what = "the " + p.grammar.Rule(t.expr.Name).Name + " of " + r.Name
		}
		fmt.Fprintf(&p.out, "\n// %s is %s:\n//\n//\t%s\n", t.name, what, t.expr)
		p.function(t.name, t.expr, t.tree)
	}
}

// ofRule writes a function of a rule.
func (p *program) ofRule(r *expr.Rule, name string, tree bool) {
	if p.recursive[r.ID] != nil {
		inside := p.unique(name + "Inside")
		p.counted(name, inside, tree)
		fmt.Fprintf(&p.out, "// %s is %s, the depth apart.\n", inside, name)
		name = inside
	}
	p.function(name, r.Expr, tree)
}

// comment is the printed line of a rule as a comment, or where the options have none the rule itself.
func (p *program) comment(r *expr.Rule) string {
	printed := cmp.Or(p.opts.Printed[r.ID], r.ID+" <- "+r.Expr.String())
	var b strings.Builder
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(strings.TrimPrefix(line, "//"), " \n")
		fmt.Fprintf(&b, "//%s\n", strings.TrimRight(" "+strings.TrimPrefix(line, " "), " "))
	}
	return b.String()
}

// part returns the function for an expression inside a rule, and has it written after the rule.
func (p *program) part(e *expr.Expr, tree bool) string {
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
		base = lower(base)
	} else {
		base = "accept" + base
	}
	name := p.unique(base)
	p.parts[key] = name
	p.pending = append(p.pending, part{name: name, expr: e, tree: tree})
	return name
}

// buildName is the method that builds what a rule builds: its constant with a small first letter.
func (p *program) buildName(id string) string { return p.used(id, p.names[id].build, true) }

// acceptName is the function that recognises a rule.
func (p *program) acceptName(id string) string { return p.used(id, p.names[id].accept, false) }

// onDemand reports whether a function of a rule is only written if it is asked for. A start has its own, but for what an automaton
// does.
func (p *program) onDemand(id string, tree bool) bool {
	return !p.start[id] || !tree && p.automata[id] != nil && !p.opts.Lexical(id)
}

// used has a function of a rule written, once it is asked for.
func (p *program) used(id, name string, tree bool) string {
	if p.onDemand(id, tree) && !p.written[name] {
		p.written[name] = true
		r := p.grammar.Rule(id)
		p.pending = append(p.pending, part{name, r.Expr, tree, r})
	}
	return name
}

// demand is how much has been asked for.
type demand struct{ pending, runs, classes int }

func (p *program) asked() demand { return demand{len(p.pending), len(p.runs), len(p.classes.sets)} }

// forget forgets what has been asked for since then, for code that is not written after all.
func (p *program) forget(since demand) {
	gone := map[string]bool{}
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

// partKey is what expressions differ in. Only a part with nodes is another for what its nodes are called.
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

// run returns the function that skips c.
func (p *program) run(c char) string {
	for _, r := range p.runs {
		if r.char.key() == c.key() {
			return r.name
		}
	}
	name := p.unique("skip" + p.charName(c))
	p.runs = append(p.runs, run{name, c})
	p.member(c.class, "", true) // so that the class is named here
	return name
}

// charName is the name of the lexical production that c is, else of the production that first asks.
func (p *program) charName(c char) string {
	if r := p.ruleOf(c); r != nil {
		return p.names[r.ID].title
	}
	return p.names[p.rule].title
}

// ruleOf returns the production that is c, or nil.
func (p *program) ruleOf(c char) *expr.Rule {
	for _, r := range p.rules {
		if d, ok := p.charOf(r.Expr); ok && d.key() == c.key() {
			return r
		}
	}
	return nil
}

// runFuncs writes the functions that skip. Where a run can take a whole path, eight bytes are looked at for one branch;
// elsewhere runs are short, and a plain loop is best: the processor foresees where it ends or works ahead.
func (p *program) runFuncs() string {
	var b strings.Builder
	for _, r := range p.runs {
		fmt.Fprintf(&b, "\n// %s skips ( %s )*.\nfunc %s(s string, i uint) uint {\n", r.name, r.char.key(), r.name)
		if !r.char.single() {
			b.WriteString("for {\n")
		}
		if r.char.wide() {
			table, bit := p.class(r.char.class)
			b.WriteString(eight(table, bit))
		}
		fmt.Fprintf(&b, "for i < uint(len(s)) && %s {\ni++\n}\n", p.member(r.char.class, "s[i]", true))
		if r.char.single() {
			b.WriteString("return i\n}\n")
			continue
		}
		if len(r.char.long) == 1 {
			seq := r.char.long[0]
			fmt.Fprintf(&b, "if %s {\nreturn i\n}\ni += %d\n}\n}\n", p.noSequence(seq, "i"), len(seq))
			continue
		}
		b.WriteString("switch {\n")
		for _, seq := range r.char.long {
			fmt.Fprintf(&b, "case %s:\ni += %d\n", p.sequence(seq, "i", 0), len(seq))
		}
		b.WriteString("default:\nreturn i\n}\n}\n}\n")
	}
	return b.String()
}

// sequence is the Go expression for whether the classes come one after the other at v+off.
func (p *program) sequence(seq []expr.Set, v string, off int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s < uint(len(s))", plus(v, off+len(seq)-1))
	for k, t := range seq {
		if t != expr.AnyByte {
			fmt.Fprintf(&b, " && %s", p.member(t, "s["+plus(v, off+k)+"]", true))
		}
	}
	return b.String()
}

// noSequence is the Go expression for whether the classes do not come one after the other at v. What tells most often
// comes first: most runs end before a byte that begins no sequence, and there the rest of the input does not matter.
func (p *program) noSequence(seq []expr.Set, v string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s >= uint(len(s)) || %s", v, p.member(seq[0], "s["+v+"]", false))
	if len(seq) > 1 {
		fmt.Fprintf(&b, " || %s >= uint(len(s))", plus(v, len(seq)-1))
	}
	for k := 1; k < len(seq); k++ {
		if seq[k] == expr.AnyByte {
			continue
		}
		if t := seq[k]; k+1 < len(seq) && seq[k+1] == t && t.Len() > 2 { // two of one class are one test
			table, bit := p.class(t)
			fmt.Fprintf(&b, " || %[1]s[s[%[3]s]]&%[1]s[s[%[4]s]]&%[2]s == 0", table, bit, plus(v, k), plus(v, k+1))
			k++
			continue
		}
		fmt.Fprintf(&b, " || %s", p.member(seq[k], "s["+plus(v, k)+"]", false))
	}
	return b.String()
}

// classTables writes the classes and their tables.
func (p *program) classTables(b *bytes.Buffer) {
	for _, c := range []*classes{&p.classes, &p.accepted} {
		for from := 0; from < len(c.sets); from += maxBits {
			to := min(from+maxBits, len(c.sets))
			classTable(b, c.tableName(from), c.names[from:to], c.sets[from:to])
		}
	}
}

func classTable(b *bytes.Buffer, table string, names []string, sets []expr.Set) {
	fmt.Fprintf(b, "\n// Classes of bytes, as bits of the elements of %s.\nconst (\n", table)
	for k, name := range names {
		iota := ""
		if k == 0 {
			iota = " = 1 << iota"
		}
		fmt.Fprintf(b, "%s%s // %s\n", name, iota, sets[k])
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
		fmt.Fprintf(b, "%s: 0x%0*x,", quoteByte(byte(c)), bits/4, mask)
		if column++; column%8 == 0 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("\n}\n")
}

func plus(v string, off int) string {
	switch {
	case off > 0:
		return fmt.Sprintf("%s+%d", v, off)
	case off < 0:
		return fmt.Sprintf("%s-%d", v, -off)
	}
	return v
}

func lower(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}
