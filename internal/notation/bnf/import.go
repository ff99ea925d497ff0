package bnf

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	quoting "github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An Import is a grammar that a document takes productions from, with all that these use.
type Import struct {
	// Name is the name in the document that is supplied. "" is every name that the document lacks and the grammar has.
	Name string

	From *expr.Grammar

	// Production is what From calls the production that Name means, where that is another name.
	Production string
}

// wanted is the name that an import has for a name of the document.
func (i Import) wanted(name string) string {
	if i.Name != "" && i.Production != "" {
		return i.Production
	}
	return name
}

// A source is a production of an import.
type source struct {
	from *expr.Grammar
	rule *expr.Rule
}

// errNotImported is the error of a search that found nothing, and of no other failure.
var errNotImported = errors.New("no import has it")

// imported returns the production that the imports have for a name. An import for this very name wins; otherwise all
// that have the name must agree. The error is errNotImported if none has it, and any other one is to be reported.
func (c *collector) imported(imports []Import, name string) (source, error) {
	var found []source
	for _, i := range imports {
		switch {
		case i.Name != "" && c.scope.key(i.Name) == c.scope.key(name):
			r, err := i.From.Lookup(i.wanted(name))
			if err != nil {
				return source{}, fmt.Errorf("--import %s: %w", i.Name, err)
			}
			return source{i.From, r}, nil
		case i.Name == "":
			if r, err := i.From.Lookup(name); err == nil && !IsCore(r) && !onlyProse(r) {
				found = append(found, source{i.From, r})
			}
		}
	}
	if len(found) == 0 {
		return source{}, errNotImported
	}
	for _, other := range found[1:] {
		if !c.same(other.rule.Expr, found[0].rule.Expr) {
			return source{}, fmt.Errorf("`%s` has different productions, at %s and %s; --import %s=FILE chooses one",
				name, found[0].rule.Pos, other.rule.Pos, name)
		}
	}
	return found[0], nil
}

// onlyProse reports whether a rule is prose, or nothing but the name of another in angle brackets that has no
// production.
func onlyProse(r *expr.Rule) bool { return r.Expr.Op == expr.Ref && isProse(r.Expr.Name) }

// proseNames returns the one name that prose may mean, all of it or its first word, as in <host, see [URI], Section
// 3.2.2>, or nil.
func proseNames(prose string) []string {
	text := strings.TrimSpace(strings.Trim(prose, "<>"))
	if n := span(text, isNameByte); n > 0 && isLetter(text[0]) && (n == len(text) || text[n] == ',') {
		return []string{text[:n]}
	}
	return nil
}

// An importer copies productions into a grammar.
type importer struct {
	*collector
	imports []Import
	copies  map[*expr.Rule]string // the ID here of each production of an import
	asked   map[*expr.Rule]string // the names of those that the document asks for
	lacking map[string]bool       // names that the document uses and has not
	used    map[string]bool       // imports by name that were of use
	taken   map[*expr.Grammar]*taken
	order   []*expr.Grammar
	todo    []source

	standard bool            // names that the imports have not are those of the standards
	cites    map[string]int  // RFCs in the document, by number
	own      map[string]bool // names that are not, since the document has them: productions that could not be read, or are spelt with "_"
}

// taken is what came from a grammar: names that the document lacks, and how many more productions these use.
type taken struct {
	names []string
	more  int
}

// supplyImports supplies what the document lacks, as far as the imports and the standards have it: it appends their
// productions to the grammar, with all that these use, and resolves the references to them. It notices what was taken
// from where. An import for a name that is not missing is an error.
func (c *collector) supplyImports(n reading) error {
	imports := n.Imports
	m := &importer{
		collector: c, imports: imports, copies: map[*expr.Rule]string{}, used: map[string]bool{}, taken: map[*expr.Grammar]*taken{},
		asked: map[*expr.Rule]string{}, lacking: map[string]bool{}, standard: n.StandardNames && n.state != nil,
	}
	if len(imports) == 0 && !m.standard || len(imports) == 0 && len(Missing(c.grammar)) == 0 {
		return nil
	}
	own := c.grammar.Rules
	if m.standard {
		m.cites, m.own = citations(n.state.text), map[string]bool{}
		maps.Copy(m.own, n.state.left)
	}
	for _, r := range own {
		if m.standard && strings.Contains(r.Name, "_") {
			m.own[strings.ToLower(strings.ReplaceAll(r.Name, "_", "-"))] = true
		}
		for _, e := range c.grammar.Undefined(r.Expr) {
			m.lacking[c.scope.key(refName(e.Name))] = true
		}
	}
	wholes := map[*expr.Rule]source{}
	for _, r := range own { // first, so that their names are not given to others
		if !onlyProse(r) || c.grammar.Rule(r.Expr.Name) != nil {
			continue
		}
		src, err := m.find(r.Name, r.Expr.Name)
		switch {
		case err == nil:
			wholes[r] = src
			m.copies[src.rule] = cmp.Or(m.copies[src.rule], r.ID)
		case !errors.Is(err, errNotImported):
			return expr.Errorf(r.Pos, "%v", err)
		}
	}
	for _, r := range own {
		if _, whole := wholes[r]; !whole && !IsCore(r) {
			if err := m.supply(r); err != nil {
				return err
			}
		}
	}
	for _, r := range own {
		src, whole := wholes[r]
		switch {
		case whole && m.copies[src.rule] == r.ID:
			m.notice(src, src.rule.Name)
			r.Expr = m.mapped(src.from, src.rule.Expr)
		case whole:
			r.Expr = &expr.Expr{Op: expr.Ref, Name: m.copies[src.rule], Pos: r.Pos}
		}
	}
	for len(m.todo) > 0 {
		next := m.todo[0]
		m.todo = m.todo[1:]
		if err := m.copy(next); err != nil {
			return err
		}
	}
	for _, i := range imports {
		if i.Name == "" || m.used[c.scope.key(i.Name)] {
			continue
		}
		if r := c.scope.ruleAnywhere("", i.Name); r != nil {
			return expr.Errorf(r.Pos, "`%s` has a production here, so that none is imported", r.Name)
		}
		return expr.Errorf(expr.Pos{File: c.grammar.File}, "no production uses `%s`, which --import is to supply", i.Name)
	}
	for _, g := range m.order {
		from, more, standard := g.File, "", isStandard(g) != nil
		if standard {
			from = g.Title + ", which is built in"
		}
		if n := m.taken[g].more; n > 0 {
			more = fmt.Sprintf(", and %d more that these use", n)
		}
		c.note.addf(expr.Pos{File: c.grammar.File}, "taken from %s: %s%s", from, strings.Join(m.taken[g].names, ", "), more)
		if standard {
			c.note.single[len(c.note.single)-1].Taken = g.File
		}
	}
	return nil
}

// supply resolves those references of a rule of the document that it lacks, as far as an import or a standard has them;
// what is found is on m.todo then, to be copied. What none has stays as it is.
func (m *importer) supply(r *expr.Rule) error {
	var failed error
	r.Expr = rewrite(r.Expr, func(e *expr.Expr) *expr.Expr {
		if e.Op != expr.Ref || m.grammar.Rule(e.Name) != nil {
			return e
		}
		name, prose := strings.TrimPrefix(refName(e.Name), base), ""
		if isProse(e.Name) {
			name, prose = "", e.Name
		}
		src, err := m.find(name, prose)
		if err != nil {
			if !errors.Is(err, errNotImported) && failed == nil {
				failed = expr.Errorf(e.Pos, "%v", err)
			}
			return e
		}
		return &expr.Expr{Op: expr.Ref, Name: m.id(src, true), Pos: e.Pos}
	})
	return failed
}

// find returns the production that an import, or else a standard, has for a name, or for the prose that is all of the
// production of that name; prose is "" for a name without one. The error is errNotImported if there is none.
func (m *importer) find(name, prose string) (source, error) {
	src, err := m.findImport(name, prose)
	if errors.Is(err, errNotImported) && m.standard && !m.own[strings.ToLower(name)] {
		if src, ok := standardName(name, prose, m.cites); ok {
			return src, nil
		}
	}
	return src, err
}

// findImport returns the production that an import has for a name or for one of the names in prose, and marks the
// name as used. The error is errNotImported if no import has one.
func (m *importer) findImport(name, prose string) (source, error) {
	for _, name := range append([]string{name}, proseNames(prose)...) {
		src, err := m.imported(m.imports, name)
		if !errors.Is(err, errNotImported) {
			m.used[m.scope.key(name)] = true
			return src, err
		}
	}
	return source{}, errNotImported
}

// id returns the ID that a production of an import has in the document. The first call for it chooses a free one and
// puts the production on m.todo, to be copied. asked says that the document itself asks for it: only then may it have a
// name that the document lacks, for to other productions of that name the document's references would lead astray.
func (m *importer) id(src source, asked bool) string {
	if id := m.copies[src.rule]; id != "" {
		return id
	}
	if allCore(src.from, src.rule) {
		for _, r := range m.grammar.Rules {
			if r.Name == src.rule.Name && allCore(m.grammar, r) {
				m.copies[src.rule] = r.ID
				return r.ID
			}
		}
	}
	id := src.rule.ID
	for n := 1; m.scope.ids[m.scope.key(id)] || !asked && m.lacking[m.scope.key(id)]; n++ {
		id = src.from.Name + "_" + src.rule.ID
		if n > 1 {
			id = fmt.Sprintf("%s_%d", id, n)
		}
	}
	m.scope.ids[m.scope.key(id)] = true
	m.copies[src.rule] = id
	if asked {
		m.asked[src.rule] = src.rule.Name
	}
	m.todo = append(m.todo, src)
	return id
}

// notice counts a production as taken from its grammar: by its name if the document asks for it, or else, with the name
// "", as one that others use. Core rules are not counted.
func (m *importer) notice(src source, name string) {
	if IsCore(src.rule) {
		return
	}
	all := m.taken[src.from]
	if all == nil {
		all = &taken{}
		m.taken[src.from] = all
		m.order = append(m.order, src.from)
	}
	if name != "" {
		all.names = append(all.names, name)
	} else {
		all.more++
	}
}

// copy adds a production of an import, under the ID that it was given.
func (m *importer) copy(src source) error {
	m.notice(src, m.asked[src.rule])
	c := *src.rule
	c.ID = m.copies[src.rule]
	if !IsCore(&c) {
		c.Part = partImported
	}
	c.Expr = m.mapped(src.from, src.rule.Expr)
	m.grammar.Rules = append(m.grammar.Rules, &c)
	return nil
}

// mapped returns an expression of an import with the IDs that its references have here. What the import lacks comes
// from others, or the document.
func (m *importer) mapped(from *expr.Grammar, e *expr.Expr) *expr.Expr {
	return rewrite(e, func(e *expr.Expr) *expr.Expr {
		if e.Op != expr.Ref {
			return e
		}
		src := source{from, from.Rule(e.Name)}
		if src.rule == nil || onlyProse(src.rule) {
			name, prose := refName(e.Name), ""
			if src.rule != nil {
				prose = src.rule.Expr.Name
			} else if isProse(e.Name) {
				name, prose = "", e.Name
			}
			if s := isStandard(from); s != nil {
				if other, ok := standardName(name, prose, s.cites); ok {
					src = other
				}
			} else if other, err := m.findImport(name, prose); err == nil {
				src = other
			} else if r := m.scope.ruleAnywhere("", refName(e.Name)); r != nil {
				return &expr.Expr{Op: expr.Ref, Name: r.ID, Pos: e.Pos}
			} else if other, err := m.find(name, prose); err == nil {
				src = other
			}
		}
		if src.rule == nil {
			return e
		}
		return &expr.Expr{Op: expr.Ref, Name: m.id(src, false), Pos: e.Pos}
	})
}

// partImported is the part of rules from other grammars.
const partImported = "imported rules"

// A MissingName is a name, or prose, that productions use and nothing defines.
type MissingName struct {
	Name string // "<any text>" for prose
	In   string // for prose that is all of a production, the production's name
	Pos  expr.Pos
	Uses []Use
}

// A Use is a place where a production uses a name.
type Use struct {
	By  *expr.Rule
	Pos expr.Pos
}

// Missing lists what productions of g use and g does not define: all productions, or those that the ones with these
// IDs need.
func Missing(g *expr.Grammar, ids ...string) (list []*MissingName) {
	rules := g.Rules
	if len(ids) > 0 {
		rules = g.Part(ids...).Rules
	}
	known := map[string]*MissingName{}
	missing := func(key string, m MissingName) *MissingName {
		key = g.Key(key)
		if known[key] == nil {
			known[key] = &m
			list = append(list, &m)
		}
		return known[key]
	}
	users := map[string][]Use{} // of rules that are prose
	for _, r := range rules {
		if onlyProse(r) && g.Rule(r.Expr.Name) == nil {
			missing(r.ID, MissingName{Name: r.Expr.Name, In: r.Name, Pos: r.Pos})
			continue
		}
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op == expr.Class && e.Set.IsEmpty() && e.Name != "" || e.Op == expr.Ref && g.Rule(e.Name) == nil {
				m := missing(e.Name, MissingName{Name: e.Name, Pos: e.Pos})
				if u := (Use{r, e.Pos}); !slices.Contains(m.Uses, u) { // a list has it twice
					m.Uses = append(m.Uses, u)
				}
			} else if e.Op == expr.Ref && onlyProse(g.Rule(e.Name)) {
				users[e.Name] = append(users[e.Name], Use{r, e.Pos})
			}
			return true
		})
	}
	for _, m := range list {
		if m.In != "" {
			for _, r := range g.Rules {
				if r.Name == m.In && onlyProse(r) {
					m.Uses = append(m.Uses, users[r.ID]...)
				}
			}
		}
	}
	return list
}

// A MissingError is the error that names have no production.
type MissingError struct {
	File  string
	Names []*MissingName
}

// CheckMissing returns a [*MissingError] if the productions with these IDs, or without IDs all, need what g does not
// define.
func CheckMissing(g *expr.Grammar, ids ...string) error {
	if list := Missing(g, ids...); len(list) > 0 {
		return &MissingError{g.File, list}
	}
	return nil
}

// Error lists each name once, with the places that use it, and what supplies it.
func (e *MissingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d %s no production:", e.File, len(e.Names), layout.Agree(len(e.Names), "name has", "names have"))
	for i, m := range e.Names {
		if i == namesMost {
			fmt.Fprintf(&b, "\n  ... and %s more", quoting.Thousands(len(e.Names)-i))
			break
		}
		b.WriteString("\n  " + quoting.Bounded(m.String()))
	}
	first := e.Names[0]
	name := strings.Trim(first.Name, "<>")
	if first.In != "" {
		name = first.In
	}
	if span(name, isNameByte) < len(name) {
		name = "NAME"
	}
	fmt.Fprintf(&b, "\n--import FILE takes them from other grammars, --import %s=FILE#RULE one of them; --define %s=EXPRESSION supplies one", quoting.Bounded(name), quoting.Bounded(name))
	for _, line := range e.proposals() {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// proposals returns a line for each standard that certainly has some of the names: one of them has
// such a production, or all that have one have the same. The last line has flags that define the
// names, ready to paste.
func (e *MissingError) proposals() (lines []string) {
	have := map[*standard][]string{}
	var defines []string
	told := map[string]bool{}
	for _, m := range e.Names[:min(len(e.Names), namesMost)] {
		name := refName(m.label())
		if told[name] { // a name, and the same in angle brackets
			continue
		}
		told[name] = true
		defined := name
		s := certainStandard(name)
		for _, other := range proseNames(m.Name) { // a production that is nothing but the name of another
			if s == nil && isProse(m.Name) {
				name, s = other, certainStandard(other)
			}
		}
		if s != nil {
			have[s] = append(have[s], "`"+name+"`")
		} else if len(defined) <= longestID {
			quoted := strings.ReplaceAll(defined, "'", `'\''`) // for a shell
			defines = append(defines, "--define '"+quoted+"=1*VCHAR'")
		}
	}
	for _, s := range standards() {
		if names := have[s]; names != nil {
			lines = append(lines, fmt.Sprintf("%s has %s: cite it in the text, or write --import %s",
				s.grammar.Title, layout.List(names, "and"), s.grammar.Name))
		}
	}
	if len(defines) > 0 {
		lines = append(lines, "to supply them, paste this and write what each is for 1*VCHAR: "+strings.Join(defines, " "))
	}
	return lines
}

// certainStandard returns the first standard that has a production of this name, nil if there is
// none, or if others have different ones.
func certainStandard(name string) *standard {
	var first *standard
	var meaning *expr.Expr
	for _, s := range standards() {
		r, err := s.grammar.Lookup(name)
		switch {
		case err != nil || IsCore(r) || onlyProse(r):
		case first == nil:
			first, meaning = s, r.Expr
		case !SameMeaning(r.Expr, meaning, strings.ToLower) && !SameMeaning(meaning, r.Expr, strings.ToLower):
			return nil
		}
	}
	return first
}

// namesMost caps the names that a message lists, and usesMost the places of each.
const (
	namesMost = 20
	usesMost  = 5
)

// String returns the name, the prose that stands for it, and who uses it.
func (m *MissingName) String() string {
	s := "`" + m.Name + "`"
	switch {
	case strings.HasPrefix(m.Name, unread):
		return fmt.Sprintf("`%s`, at %s, %s", m.In, m.Pos, strings.TrimSuffix(m.Name[len(prose):], ">"))
	case m.In != "":
		s = fmt.Sprintf("`%s`, at %s, is prose: %s", m.In, m.Pos, m.Name)
	case isProse(m.Name):
		if _, ok := proseName(m.Name); !ok {
			s = "prose " + s
		}
	}
	var by []string
	for i, u := range m.Uses {
		if i == usesMost {
			by = append(by, fmt.Sprintf("%d more", len(m.Uses)-i))
			break
		}
		by = append(by, fmt.Sprintf("%s (%s)", u.By.Name, u.Pos))
	}
	if ranges := expr.AsRanges(m.Name); ranges != "" {
		s += ", whose characters are written " + ranges
	}
	if len(by) > 0 {
		s += "; used by " + layout.List(by, "and")
	}
	return s
}
