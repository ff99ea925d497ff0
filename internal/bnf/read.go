package bnf

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A Notation settles how the places of a notation are read that have more than one reading. The zero Notation takes the
// words of the RFCs literally; [Read] uses [Usual].
type Notation struct {
	// RepeatBracketsGroup: brackets after a repeat count only group, 1*[ x ] is one x or more. Otherwise they mean
	// "optional" there too, and 1*[ x ] derives the empty word. (rfc822)
	RepeatBracketsGroup bool
	// BareSlashLiteral: a slash without quotes is the literal "/". Otherwise it is an error. (rfc822)
	BareSlashLiteral bool
	// FoldLiterals: the letters of a literal match either case. (rfc822, rfc1630; in ABNF the text itself decides)
	FoldLiterals bool
	// Instead holds productions, by name, whose printed line has no meaning in the notation, and the right-hand side that
	// is read for it.
	Instead map[string]Replacement
	// Define supplies right-hand sides for names that no production has and for productions whose own is prose. A name
	// that has a production, that is a core rule of ABNF or that nothing uses is an error.
	Define []Replacement
}

// Usual is the reading of every implementation.
var Usual = Notation{RepeatBracketsGroup: true, BareSlashLiteral: true}

// A notation is one way of writing productions.
type notation struct {
	// production reads a production, in which references hold printed names. Beside an error it returns the name, if it
	// could be read.
	production func(printed, Notation) (production, error)
	// right reads only a right-hand side.
	right func(printed, Notation) (*expr.Expr, error)
	// foldNames: names are the same in either case.
	foldNames bool
}

// A production is a printed production that has been read.
type production struct {
	name  string
	adds  bool // to another production of the same name: =/
	right *expr.Expr
}

var notations = map[string]notation{
	"rfc1630": {production: readProduction1630, right: readRight1630},
	"rfc822":  {production: readProduction822, right: readRight822, foldNames: true},
	"abnf":    {production: readProductionABNF, right: readRightABNF, foldNames: true},
}

// read reads a printed production, or what is read instead.
func (how notation) read(p printed, n Notation) (production, error) {
	if words := strings.Fields(p.text); len(words) > 0 {
		if instead, ok := n.Instead[words[0]]; ok {
			e, err := how.right(printed{text: instead.Text, pos: instead.Pos}, n)
			return production{name: words[0], right: e}, err
		}
	}
	return how.production(p, n)
}

// Read reads a grammar file under the usual reading of its notation, which the file names. Every error is an [*expr.Error], or
// several joined: a place and what was expected there. A name that is defined twice is an error, with both places; one that
// is not defined is a matter for [Lint].
func Read(file string, src []byte) (*expr.Grammar, error) { return ReadWith(file, src, Usual) }

// ReadWith is [Read] under any reading of the notation.
func ReadWith(file string, src []byte, n Notation) (*expr.Grammar, error) {
	l, err := takeApart(file, src, "")
	if err != nil {
		return nil, err
	}
	return readLayout(file, l, n)
}

// ReadABNF reads plain ABNF (RFC 5234, RFC 7405); lines that start with "@" are allowed and not needed. The grammar is
// named after the file.
func ReadABNF(file string, src []byte) (*expr.Grammar, error) { return ReadABNFWith(file, src, Usual) }

// ReadABNFWith is [ReadABNF] under any reading of the notation.
func ReadABNFWith(file string, src []byte, n Notation) (*expr.Grammar, error) {
	l, err := takeApart(file, src, "abnf")
	if err != nil {
		return nil, err
	}
	return readLayout(file, l, n)
}

func readLayout(file string, l *layout, n Notation) (*expr.Grammar, error) {
	g := &expr.Grammar{Name: l.name, Title: l.title, File: file, Notation: l.notation}
	if g.Name == "" {
		g.Name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	if g.Title == "" {
		g.Title = g.Name
	}
	if len(l.productions) == 0 {
		return nil, expr.Errorf(expr.Pos{File: file, Line: 1, Col: 1}, "no production")
	}
	how := notations[l.notation]
	c := &collector{grammar: g, how: how, scope: newScope(how), parts: map[*expr.Rule]*part{}, added: map[*expr.Rule]bool{}, prose: map[*expr.Rule]bool{}}
	if err := c.definitions(n); err != nil {
		return nil, err
	}
	for _, p := range l.productions {
		if err := c.take(p, n); err != nil {
			return nil, err
		}
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	for _, r := range g.Rules {
		find := c.scope.rule
		if r.Part == partSupplied {
			find = c.scope.ruleAnywhere
		}
		c.scope.resolve(r, find)
	}
	if l.notation == "abnf" {
		if err := supplyCore(g, c.scope); err != nil {
			return nil, err
		}
	}
	return g, c.checkDefinitions()
}

// A collector makes a grammar out of the productions of a file.
type collector struct {
	grammar *expr.Grammar
	how     notation
	scope   *scope
	parts   map[*expr.Rule]*part
	added   map[*expr.Rule]bool // rules seen only with =/ so far
	refused []error

	supplied []*expr.Rule        // what Notation.Define has, in its order
	prose    map[*expr.Rule]bool // rules of the file whose right-hand side is prose
}

// definitions reads what is supplied for names without a production.
func (c *collector) definitions(n Notation) error {
	for _, d := range n.Define {
		e, err := c.how.right(printed{text: d.Text, pos: d.Pos}, n)
		if err != nil {
			return err
		}
		for _, r := range c.supplied {
			if c.scope.key(r.Name) == c.scope.key(d.Production) {
				return expr.Errorf(d.Pos, "`%s` is defined twice, first at %s", d.Production, r.Pos)
			}
		}
		c.supplied = append(c.supplied, &expr.Rule{ID: d.Production, Name: d.Production, Part: partSupplied, Printed: d.Text, Expr: e, Pos: d.Pos})
	}
	return nil
}

func (c *collector) definition(name string) *expr.Rule {
	for _, r := range c.supplied {
		if c.scope.key(r.Name) == c.scope.key(name) {
			return r
		}
	}
	return nil
}

// take adds one production of the file. What is refused is kept for finish, so that all such places are found at once.
func (c *collector) take(p printed, n Notation) error {
	read, err := c.how.read(p, n)
	place, _ := errors.AsType[*expr.Error](err)
	switch {
	case err == nil:
	case place.Refused && !place.Prose:
		c.refused = append(c.refused, err)
		return nil
	case !place.Prose:
		return err
	case c.definition(read.name) == nil:
		c.refused = append(c.refused, err)
		read.right = &expr.Expr{Op: expr.Empty, Pos: place.Pos}
	}
	if n.FoldLiterals && c.grammar.Notation != "abnf" && read.right != nil {
		read.right = fold(read.right)
	}
	at := p.at(len(p.text) - len(strings.TrimLeft(p.text, " \t")))
	earlier := c.scope.parts[p.part.name][c.scope.key(read.name)]
	switch {
	case earlier != nil && !read.adds && !c.added[earlier]:
		as := ""
		if earlier.Name != read.name {
			as = " as `" + earlier.Name + "`"
		}
		return expr.Errorf(at, "`%s` is defined twice, first at %s%s", read.name, earlier.Pos, as)
	case earlier != nil:
		if read.right != nil {
			earlier.Expr = expr.Or(earlier.Expr, read.right)
		}
		earlier.Printed += "\n" + p.text
		if !read.adds {
			earlier.Name = read.name
			delete(c.added, earlier)
		}
	default:
		earlier = &expr.Rule{
			Name: read.name, Part: p.part.name, Section: p.section, Page: p.page, Line: p.line,
			Printed: p.text, Expr: read.right, Pos: at,
		}
		if read.right == nil {
			earlier.Expr = &expr.Expr{Op: expr.Empty, Pos: at}
		}
		if read.adds {
			c.added[earlier] = true
		}
		c.parts[earlier] = p.part
		c.grammar.Rules = append(c.grammar.Rules, earlier)
		c.scope.add(earlier)
	}
	if read.right == nil {
		c.prose[earlier] = true
	}
	return nil
}

// finish returns the rules their IDs, and adds what is supplied.
func (c *collector) finish() error {
	if len(c.refused) > 0 {
		return errors.Join(c.refused...)
	}
	for _, r := range c.grammar.Rules {
		if c.added[r] {
			return expr.Errorf(r.Pos, `unexpected =/, which adds to a rule; expected "%s = ..." in the same file`, r.Name)
		}
	}
	giveIDs(c.grammar.Rules, c.parts)
	for _, d := range c.supplied {
		inFile := false
		for _, r := range c.grammar.Rules {
			if c.scope.key(r.Name) != c.scope.key(d.Name) {
				continue
			}
			if !c.prose[r] {
				return expr.Errorf(d.Pos, "`%s` has a production, at %s", d.Name, r.Pos)
			}
			r.Expr, inFile = d.Expr, true
		}
		if !inFile {
			c.grammar.Rules = append(c.grammar.Rules, d)
			c.scope.add(d)
		}
	}
	ids := map[string]*expr.Rule{}
	for _, r := range c.grammar.Rules {
		k := c.scope.key(r.ID)
		if first := ids[k]; first != nil {
			return expr.Errorf(r.Pos, "`%s` has the ID of `%s` at %s; a line \"@ ids PREFIX shared\" tells the parts of a text apart", r.Name, first.Name, first.Pos)
		}
		ids[k] = r
	}
	return nil
}

// checkDefinitions refuses what is supplied for no use.
func (c *collector) checkDefinitions() error {
	for _, d := range c.supplied {
		switch standsForProse := c.grammar.Rule(d.ID) != d; {
		case standsForProse:
		case c.grammar.Notation == "abnf" && isCore(d.Name):
			return expr.Errorf(d.Pos, "`%s` is a core rule of ABNF", d.Name)
		case !slices.ContainsFunc(c.grammar.Rules, func(r *expr.Rule) bool { return r != d && slices.Contains(expr.Refs(r.Expr), d.ID) }):
			return expr.Errorf(d.Pos, "no production of %s uses `%s`", c.grammar.File, d.Name)
		}
	}
	return nil
}

// partSupplied is the part of the rules that [Notation.Define] supplies; no line of a file can name a part with a space.
const partSupplied = "supplied rules"

// giveIDs makes the IDs from the names, by the "@ ids" lines of the parts.
func giveIDs(rules []*expr.Rule, parts map[*expr.Rule]*part) {
	home := map[string]*part{}
	shared := map[string]bool{}
	for _, r := range rules {
		if p := home[r.Name]; p != nil && p != parts[r] {
			shared[r.Name] = true
		}
		home[r.Name] = parts[r]
	}
	for _, r := range rules {
		p := parts[r]
		r.ID = r.Name
		// A production that the prefix is named after keeps its name: "uri" among "uri_path" and "uri_search".
		if (p.prefixAll || shared[r.Name]) && p.prefix != r.Name+"_" {
			r.ID = p.prefix + r.Name
		}
	}
}

// A scope knows which rule a name means.
type scope struct {
	how   notation
	parts map[string]map[string]*expr.Rule
	names map[string][]*expr.Rule
}

func newScope(how notation) *scope {
	return &scope{how, map[string]map[string]*expr.Rule{}, map[string][]*expr.Rule{}}
}

func (s *scope) key(name string) string {
	if s.how.foldNames {
		return strings.ToLower(name)
	}
	return name
}

func (s *scope) add(r *expr.Rule) {
	k := s.key(r.Name)
	if s.parts[r.Part] == nil {
		s.parts[r.Part] = map[string]*expr.Rule{}
	}
	if s.parts[r.Part][k] == nil {
		s.parts[r.Part][k] = r
	}
	s.names[k] = append(s.names[k], r)
}

// rule returns the rule that a name means in a part, or nil: the part's own, or what was supplied for a name without one.
func (s *scope) rule(part, name string) *expr.Rule {
	if r := s.parts[part][s.key(name)]; r != nil {
		return r
	}
	return s.parts[partSupplied][s.key(name)]
}

// ruleAnywhere returns the rule that a name means when it is used outside of its part: the part's own first, then the
// only one of that name.
func (s *scope) ruleAnywhere(part, name string) *expr.Rule {
	if r := s.rule(part, name); r != nil {
		return r
	}
	if all := s.names[s.key(name)]; len(all) == 1 {
		return all[0]
	}
	return nil
}

// resolve replaces the names in r's references by the IDs of the rules that find returns for them. A reference without a
// rule keeps its name.
func (s *scope) resolve(r *expr.Rule, find func(part, name string) *expr.Rule) {
	r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
		if e.Op == expr.Ref {
			if to := find(r.Part, e.Name); to != nil {
				return &expr.Expr{Op: expr.Ref, Name: to.ID, Pos: e.Pos}
			}
		}
		return e
	})
}

// supplyCore adds the core rules of RFC 5234 that are used and not defined.
func supplyCore(g *expr.Grammar, s *scope) error {
	l, err := takeApart(fileCore, []byte(coreABNF), "abnf")
	if err != nil {
		return err
	}
	core := map[string]*expr.Rule{}
	var order []*expr.Rule
	for _, p := range l.productions {
		read, err := s.how.production(p, Usual)
		if err != nil {
			return err
		}
		r := &expr.Rule{ID: read.name, Name: read.name, Part: p.part.name, Section: p.section, Printed: p.text, Expr: read.right, Pos: p.at(0)}
		core[s.key(read.name)] = r
		order = append(order, r)
	}
	used := map[*expr.Rule]bool{}
	var use func(r *expr.Rule)
	use = func(r *expr.Rule) {
		r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
			to := core[s.key(e.Name)]
			if e.Op != expr.Ref || to == nil || s.ruleAnywhere(r.Part, e.Name) != nil {
				return e
			}
			if !used[to] {
				used[to] = true
				use(to)
			}
			return &expr.Expr{Op: expr.Ref, Name: to.ID, Pos: e.Pos}
		})
	}
	for _, r := range g.Rules {
		use(r)
	}
	for _, r := range order {
		if used[r] {
			g.Rules = append(g.Rules, r)
			s.add(r)
		}
	}
	return nil
}

// placed returns e a place. It must be new: expressions that stand in a grammar are not changed.
func placed(e *expr.Expr, pos expr.Pos) *expr.Expr {
	e.Pos = pos
	return e
}

// repeat reads a count: "3", "1*", "*4", "1*4", "*".
func repeat(e *expr.Expr, count string, pos expr.Pos) (*expr.Expr, error) {
	low, high, star := strings.Cut(count, "*")
	least, most := 0, expr.Unbounded
	var err error
	if low != "" {
		if least, err = strconv.Atoi(low); err != nil || least > maxCount {
			return nil, expr.Refusef(pos, "unexpected count %q; expected a number up to %d", count, maxCount)
		}
	}
	if high != "" {
		if most, err = strconv.Atoi(high); err != nil || most > maxCount {
			return nil, expr.Refusef(pos, "unexpected count %q; expected a number up to %d", count, maxCount)
		}
	}
	if !star {
		most = least
	}
	switch {
	case most != expr.Unbounded && most < least:
		return nil, expr.Errorf(pos, "unexpected count %q; expected its first number not to be above its second", count)
	case most == 0:
		return &expr.Expr{Op: expr.Empty, Pos: pos}, nil
	}
	return placed(expr.Times(e, least, most), pos), nil
}

// maxCount is the highest repeat count: automata spell counts out.
const maxCount = 10000

// rewrite returns e with every leaf replaced by what f makes of it. Neither e nor its leaves are changed.
func rewrite(e *expr.Expr, f func(*expr.Expr) *expr.Expr) *expr.Expr {
	if len(e.Sub) == 0 {
		return f(e)
	}
	c := e.Map(func(s *expr.Expr) *expr.Expr { return rewrite(s, f) })
	if c.Op == expr.Seq { // what f makes of a literal may be a sequence itself
		return placed(expr.Cat(c.Sub...), e.Pos)
	}
	return c
}

// fold returns e with literals that match either case.
func fold(e *expr.Expr) *expr.Expr {
	return rewrite(e, func(e *expr.Expr) *expr.Expr {
		if e.Op != expr.Literal {
			return e
		}
		return foldLiteral(e, len(e.Lit))
	})
}

// foldLiteral returns the literal e with the letters among its first n bytes in either case.
func foldLiteral(e *expr.Expr, n int) *expr.Expr {
	var seq []*expr.Expr
	for i := 0; i < len(e.Lit); {
		j := i
		for j < len(e.Lit) && !(j < n && isLetter(e.Lit[j])) {
			j++
		}
		if j > i {
			seq = append(seq, &expr.Expr{Op: expr.Literal, Lit: e.Lit[i:j], Pos: e.Pos})
		}
		if j < len(e.Lit) {
			c := e.Lit[j]
			seq = append(seq, &expr.Expr{Op: expr.Class, Set: expr.Bytes(string([]byte{c | 0x20, c &^ 0x20})), Pos: e.Pos})
			j++
		}
		i = j
	}
	return expr.Cat(seq...)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// Lookup finds a production by its ID or, where that is unique, by its name, in either case where the notation makes no
// difference between them.
func Lookup(g *expr.Grammar, name string) (*expr.Rule, error) {
	r, err := g.Lookup(name)
	if err == nil || !notations[g.Notation].foldNames {
		return r, err
	}
	for _, r := range g.Rules {
		if strings.EqualFold(r.ID, name) {
			return r, nil
		}
	}
	return nil, err
}

// IsCore reports whether r is one of the core rules of ABNF, which need no definition.
func IsCore(r *expr.Rule) bool { return r.Pos.File == fileCore }

// fileCore is what the places of core rules name.
const fileCore = "RFC 5234"
