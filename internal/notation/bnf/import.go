package bnf

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	quoting "github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An Import supplies productions of another grammar to a document, with all that these use.
type Import struct {
	// Name is the name in the document that is supplied; "" stands for every name that the document lacks and the
	// grammar has.
	Name string

	From *expr.Grammar

	// Production is the name that the production has in From, if that is not Name.
	Production string
}

// wanted returns the name of the production in i.From that the document's name means.
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

// errNotImported says only that a search found nothing; no other failure has it.
var errNotImported = errors.New("no import has it")

// imported returns the production that the imports have for a name. The first import for this very name wins; if its
// grammar lacks the production, that is an error. Otherwise all imports without a name that have the production must
// agree, and the first of them supplies it; core rules and productions that are nothing but prose do not count there.
// It fails with errNotImported if no import has the name; any other error, such as that two differ, is one for the
// user.
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
		if !c.sameMeaning(other.rule.Expr, found[0].rule.Expr) {
			return source{}, fmt.Errorf("`%s` has different productions, at %s and %s; --import %s=FILE chooses one",
				name, found[0].rule.Pos, other.rule.Pos, name)
		}
	}
	return found[0], nil
}

// onlyProse reports whether a rule has nothing but prose on its right-hand side, be it the name of another rule in
// angle brackets.
func onlyProse(r *expr.Rule) bool { return r.Expr.Op == expr.Ref && isProse(r.Expr.Name) }

// proseNames returns the name that prose may mean, as a slice: all of the prose, or its first word, as in <host, see
// [URI], Section 3.2.2>. It is nil if there is none.
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
	imports   []Import
	copies    map[*expr.Rule]string    // the ID here of each production of an import
	cores     map[string]string        // the ID here of each core rule that an import has brought, by name
	askedName map[*expr.Rule]string    // the names of those that the document asks for
	missing   map[string]bool          // names that the document uses and has not
	used      map[string]bool          // imports by name that were of use
	taken     map[*expr.Grammar]*taken // what came from each grammar
	order     []*expr.Grammar          // the keys of taken, in the order of their first productions
	todo      []source                 // productions that have an ID, and are still to be copied

	standard bool           // names that the imports have not are those of the standards
	cites    map[string]int // RFCs in the document, by number
	// Names that are not, since the document has them: productions that could not be read, or are spelled with "_".
	notStandard map[string]bool
}

// taken counts the productions that came from one grammar: the names that the document lacks, and the number of further
// productions that these use.
type taken struct {
	names []string
	more  int
}

// String lists the names, and says how many more there are. Without names it only says how many there are.
func (t *taken) String() string {
	switch {
	case len(t.names) == 0: // only productions of another grammar use them
		return fmt.Sprintf("%d that %s", t.more, layout.Agree(t.more, "another of these uses", "others of these use"))
	case t.more > 0:
		return fmt.Sprintf("%s, and %d more that these use", strings.Join(t.names, ", "), t.more)
	}
	return strings.Join(t.names, ", ")
}

// supplyImports supplies what the document lacks, as far as the imports and the standards have it: it appends their
// productions to the grammar, with all that these use, and resolves the references to them. A rule that is nothing but
// prose gets the right-hand side of the production for that name, or a reference to the rule that got it first.
// Standards serve only if n.StandardNames and n.state are set, and never for a name that the document has in a
// production that cannot be read, or with "_" for "-". One notice for each grammar says what was taken from it. It
// fails as [collector.imported] does, and for an import by name that nothing needed.
func (c *collector) supplyImports(n reading) error {
	imports := n.Imports
	m := &importer{
		collector: c,
		imports:   imports,
		copies:    map[*expr.Rule]string{},
		cores:     map[string]string{},
		used:      map[string]bool{},
		taken:     map[*expr.Grammar]*taken{},
		askedName: map[*expr.Rule]string{},
		missing:   map[string]bool{},
		standard:  n.StandardNames && n.state != nil,
	}
	if len(imports) == 0 && (!m.standard || len(Missing(c.grammar)) == 0) {
		return nil
	}
	own := c.grammar.Rules
	if m.standard {
		m.cites, m.notStandard = citations(n.state.text), map[string]bool{}
		maps.Copy(m.notStandard, n.state.unreadable)
	}
	for _, r := range own {
		if m.standard && strings.Contains(r.Name, "_") {
			m.notStandard[strings.ToLower(strings.ReplaceAll(r.Name, "_", "-"))] = true
		}
		for _, e := range c.grammar.Undefined(r.Expr) {
			m.missing[c.scope.key(refName(e.Name))] = true
		}
	}
	// Rules that are prose as a whole are looked up first: each keeps its ID, and is the copy of what it stands for.
	// Of several for one production the first is the copy, to which the others will refer.
	wholes := map[*expr.Rule]source{}
	for _, r := range own {
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
			if err := m.resolveMissing(r); err != nil {
				return err
			}
		}
	}
	// Their right-hand sides are replaced only now, so that the loop above has seen the references of the document
	// alone.
	for _, r := range own {
		src, whole := wholes[r]
		switch {
		case whole && m.copies[src.rule] == r.ID:
			m.countTaken(src, src.rule.Name)
			r.Expr = m.mapped(src.from, src.rule.Expr)
		case whole:
			r.Expr = &expr.Expr{Op: expr.Ref, Name: m.copies[src.rule], Pos: r.Pos}
		}
	}
	// Copying a production asks for those that it uses, which are appended to m.todo.
	for len(m.todo) > 0 {
		next := m.todo[0]
		m.todo = m.todo[1:]
		m.copy(next)
	}
	// An import for a name that nothing needed is a mistake of the user.
	for _, i := range imports {
		if i.Name == "" || m.used[c.scope.key(i.Name)] {
			continue
		}
		if r := c.scope.ruleAnywhere("", i.Name); r != nil {
			return expr.Errorf(r.Pos, "`%s` has a production here, so that none is imported", r.Name)
		}
		return expr.Errorf(expr.Pos{File: c.grammar.File}, "no production uses `%s`, which --import is to supply",
			i.Name)
	}
	for _, g := range m.order {
		from, standard := g.File, standardOf(g) != nil
		if standard {
			from = g.Title + ", which is built in"
		}
		c.note.addf(expr.Pos{File: c.grammar.File}, "taken from %s: %s", from, m.taken[g])
		if standard {
			c.note.single[len(c.note.single)-1].Taken = g.File
		}
	}
	return nil
}

// resolveMissing resolves the references in r that the document does not define, as far as an import or a standard has
// them. The productions found are put on m.todo, to be copied; other references stay as they are. It returns the first
// error of find other than errNotImported.
func (m *importer) resolveMissing(r *expr.Rule) error {
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
		return &expr.Expr{Op: expr.Ref, Name: m.idFor(src, true), Pos: e.Pos}
	})
	return failed
}

// find returns the production that an import, or else a standard, has for a name. prose is the text, if a rule or a
// reference is nothing but prose, and "" otherwise. An import by name that is asked counts as used. find fails with
// errNotImported if there is no such production, and otherwise as [collector.imported] does.
func (m *importer) find(name, prose string) (source, error) {
	src, err := m.findImport(name, prose)
	if errors.Is(err, errNotImported) && m.standard && !m.notStandard[strings.ToLower(name)] {
		if src, ok := standardName(name, prose, m.cites); ok {
			return src, nil
		}
	}
	return src, err
}

// findImport returns the production that an import has for a name, or else for the name in prose, and marks that name
// as used. It fails with errNotImported if no import has one, and otherwise as [collector.imported] does; the name
// counts as used then, too.
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

// idFor returns the ID that a production of an import has in the document. The first call for a production chooses a
// free ID and puts the production on m.todo, to be copied. The ID is its own or, if that is taken, begins with the
// name of its grammar, and may end in a number. A core rule that uses core rules alone is not copied if the document
// or another import has brought it: its ID there is returned.
//
// asked reports that the document itself refers to the production. Only then may the ID be a name that the document
// lacks: otherwise the document's own references would be led to it. In the call that chooses the ID it also enters
// the name in m.askedName, for the notice; in later calls it has no effect.
func (m *importer) idFor(src source, asked bool) string {
	if id := m.copies[src.rule]; id != "" {
		return id
	}
	core := allCore(src.from, src.rule)
	if core {
		if id := m.cores[src.rule.Name]; id != "" { // every RFC has the same
			m.copies[src.rule] = id
			return id
		}
		for _, r := range m.grammar.Rules {
			if r.Name == src.rule.Name && allCore(m.grammar, r) {
				m.copies[src.rule] = r.ID
				return r.ID
			}
		}
	}
	id := src.rule.ID
	for n := 1; m.scope.ids[m.scope.key(id)] || !asked && m.missing[m.scope.key(id)]; n++ {
		id = src.from.Name + "_" + src.rule.ID
		if n > 1 {
			id = fmt.Sprintf("%s_%d", id, n)
		}
	}
	m.scope.ids[m.scope.key(id)] = true
	m.copies[src.rule] = id
	if core {
		m.cores[src.rule.Name] = id
	}
	if asked {
		m.askedName[src.rule] = src.rule.Name
	}
	m.todo = append(m.todo, src)
	return id
}

// countTaken records that a production came from its grammar: under name if the document asks for it, or, if name is
// "", as one more that others use. Core rules are not counted. It must be called once for each production.
func (m *importer) countTaken(src source, name string) {
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

// copy appends a production of an import to the grammar, under the ID that idFor has given it, and counts it as
// taken. Its references are mapped, which may put further productions on m.todo. Unless it is a core rule, its part
// becomes that of imported rules, and its section is cited with its RFC.
func (m *importer) copy(src source) {
	m.countTaken(src, m.askedName[src.rule])
	c := *src.rule
	c.ID = m.copies[src.rule]
	if !IsCore(&c) {
		c.Part = partImported
		c.Section = citedSection(src.from.Title, c.Section)
	}
	c.Expr = m.mapped(src.from, src.rule.Expr)
	m.grammar.Rules = append(m.grammar.Rules, &c)
}

// citedSection returns a section of the text with this title as another text cites it: "RFC 3339 section 5.6". A
// message about a production that was taken from an RFC would otherwise name a section of the wrong text.
func citedSection(title, section string) string {
	if section == "" || !strings.HasPrefix(title, "RFC ") {
		return section
	}
	return citation.Place{Title: title, Section: section}.String()
}

// mapped returns an expression of an import with its references renamed to their IDs here; idFor puts the productions
// that are not copied yet on m.todo. A name that the import itself lacks, or for which it has nothing but prose, is
// looked up in the other imports, in the document, and at last in the standards; in the expression of a standard,
// only in standards. An import by name that is asked counts as used, and imports that disagree count as having none.
// A production that is nothing but prose is copied if nothing else has the name, and a name that nothing has stays.
func (m *importer) mapped(from *expr.Grammar, e *expr.Expr) *expr.Expr {
	return rewrite(e, func(e *expr.Expr) *expr.Expr {
		if e.Op != expr.Ref {
			return e
		}
		src := source{from, from.Rule(e.Name)}
		if src.rule == nil || onlyProse(src.rule) { // the import does not define it itself
			name, prose := refName(e.Name), ""
			if src.rule != nil {
				prose = src.rule.Expr.Name
			} else if isProse(e.Name) {
				name, prose = "", e.Name
			}
			// A standard is completed by standards alone, so that it does not depend on the document.
			if s := standardOf(from); s != nil {
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
		return &expr.Expr{Op: expr.Ref, Name: m.idFor(src, false), Pos: e.Pos}
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

// Missing lists the names and the prose that productions of g use and g does not define, each once, in the order of
// their first uses. A name counts, too, for which [Apply] has put an empty class. With ids, only these productions
// and those that they need are looked at. A production that is nothing but prose, or that could not be read, is an
// entry of its own, whose uses are those of the production. Neither the list nor the uses have a limit.
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
			if isDifference(e) { // its sides come next
				return true
			}
			if e.Op == expr.Class && e.Set.IsEmpty() && e.Name != "" || e.Op == expr.Ref && g.Rule(e.Name) == nil {
				m := missing(e.Name, MissingName{Name: e.Name, Pos: e.Pos})
				// A list such as 1#element holds its element twice, at one place.
				if u := (Use{r, e.Pos}); !slices.Contains(m.Uses, u) {
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

// A MissingError is returned where names have no production.
type MissingError struct {
	File  string
	Names []*MissingName
}

// CheckMissing returns a [*MissingError] if g leaves something undefined that the productions with these IDs need;
// without IDs it looks at all productions.
func CheckMissing(g *expr.Grammar, ids ...string) error {
	if list := Missing(g, ids...); len(list) > 0 {
		return &MissingError{g.File, list}
	}
	return nil
}

// Error lists the names, at most namesMost of them, with some of the places that use them, and says what can supply
// them, with the lines of proposals. There must be a name.
func (e *MissingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d %s no production:", e.File, len(e.Names),
		layout.Agree(len(e.Names), "name has", "names have"))
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
	fmt.Fprintf(&b, "\n--import FILE takes them from other grammars, --import %s=FILE#RULE one of them; --define "+
		"%s=EXPRESSION supplies one", quoting.Bounded(name), quoting.Bounded(name))
	for _, line := range e.proposals() {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// proposals returns lines that say how the first namesMost names can be supplied: one for each standard that certainly
// has some of them, since it alone has a production of the name, or all standards that have one agree; then one for
// each name that several standards have with different productions. The last line has flags, ready to paste, that
// define the names that no standard certainly has, but for those longer than longestID.
func (e *MissingError) proposals() (lines []string) {
	have := map[*standard][]string{}
	var defines, choices []string
	told := map[string]bool{}
	for _, m := range e.Names[:min(len(e.Names), namesMost)] {
		name := refName(m.label())
		if told[name] { // a name may be missing plain and in angle brackets
			continue
		}
		told[name] = true
		defined := name
		all := standardsWith(name)
		for _, other := range proseNames(m.Name) { // a production that is nothing but the name of another
			if len(all) != 1 && isProse(m.Name) {
				name, all = other, standardsWith(other)
			}
		}
		if len(all) > 1 {
			choices = append(choices,
				fmt.Sprintf("`%s` differs in %s: cite the one that is meant, or write --import %s",
					name, layout.List(titles(all), "and"), all[0].grammar.Name))
		}
		if len(all) == 1 {
			s := all[0]
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
	lines = append(lines, choices...)
	if len(defines) > 0 {
		lines = append(lines, "to supply them, paste this and write what each is for 1*VCHAR: "+strings.Join(defines,
			" "))
	}
	return lines
}

// standardsWith returns the standards that have a production of this name: the first of those that have the same one.
// Core rules and productions that are nothing but prose do not count.
func standardsWith(name string) (list []*standard) {
	var meanings []*expr.Expr
	for _, s := range standards() {
		r, err := s.grammar.Lookup(name)
		if err != nil || IsCore(r) || onlyProse(r) {
			continue
		}
		same := func(e *expr.Expr) bool {
			return SameMeaning(r.Expr, e, strings.ToLower) || SameMeaning(e, r.Expr, strings.ToLower)
		}
		if !slices.ContainsFunc(meanings, same) {
			meanings = append(meanings, r.Expr)
			list = append(list, s)
		}
	}
	return list
}

// titles returns the titles of standards.
func titles(all []*standard) (list []string) {
	for _, s := range all {
		list = append(list, s.grammar.Title)
	}
	return list
}

// namesMost caps the names that a message lists, and usesMost the places of each.
const (
	namesMost = 20
	usesMost  = 5
)

// String returns the name, the prose that stands for it, and who uses it, at most usesMost of them. For a name such
// as a-z it says how that is written as a range. For a production that could not be read it has the place and the
// reason.
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
