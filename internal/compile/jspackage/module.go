package jspackage

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	js "github.com/bnfcheck/bnfcheck/runtime/js"
)

// A module is a module in the making.
type module struct {
	*gopackage.Parts
	encoding    encoding
	start       ast.Kind
	states      string // the table of the ordered automaton; "" if that derives no production
	makesStates bool   // the module makes the states of the productions, instead of having the table
	rules       string // the productions, packed
}

// newModule returns the module of parts. It decides what the parts do not say: the encoding of strings, the kind of
// the start, and whether it makes the states of the ordered automaton. It fails for a text that is no packed table,
// or a line that is no production. The start must be a rule of the grammar: for another one the kind is 0, without
// an error.
func newModule(parts *gopackage.Parts) (*module, error) {
	m := &module{Parts: parts, encoding: encodingOf(parts.Grammar, parts.Start)}
	for i, r := range parts.Grammar.Rules {
		if r == parts.Start {
			m.start = ast.Kind(i + 1)
		}
	}
	var err error
	if m.rules, err = packRules(parts.Rules.Text); err != nil {
		return nil, err
	}
	if m.hasAutomaton() {
		if m.states, err = repackStates(parts.Tables.Automaton); err != nil {
			return nil, err
		}
	}
	isWorthIt := !m.usesGeneral() || len(m.states) >= leastLeftOut
	m.makesStates = m.hasAutomaton() && isWorthIt && m.statesFollow()
	return m, nil
}

// leastLeftOut is the shortest table of the ordered automaton that a module with the general parser leaves out. After
// gzip, a shorter table is smaller than rulestates.js, which would make its states.
const leastLeftOut = 4000

// isRegular reports whether the proven table accepts and explains rejections: no production nests.
func (m *module) isRegular() bool { return m.Explaining != nil }

// usesGeneral reports whether the engine is that with the general parser. It is wherever a production nests. Where
// none does, it still is if the ordered automaton of a production would have passed a limit.
func (m *module) usesGeneral() bool { return !m.isRegular() || m.Tables.General != "" }

// hasAutomaton reports whether the ordered automaton derives some production.
func (m *module) hasAutomaton() bool { return m.Tables.Automaton != "" }

// triesByStates reports whether alternatives are tried by automata that are made of the productions, none of which uses
// itself.
func (m *module) triesByStates() bool { return m.makesStates && !m.usesGeneral() }

// writeModule returns the text of the module. It fails for a table that was not packed, and for a file that the
// runtime does not have.
func (m *module) writeModule() ([]byte, error) {
	var b bytes.Buffer
	m.writeHeader(&b)
	m.writeIntroduction(&b)
	if err := m.writeRuntime(&b); err != nil {
		return nil, err
	}
	if err := m.writeTables(&b); err != nil {
		return nil, err
	}
	m.writeExports(&b)
	return b.Bytes(), nil
}

// writeIntroduction writes the comments that say what the module is, how it was made, and what is
// proven of it.
func (m *module) writeIntroduction(b *bytes.Buffer) {
	b.WriteString(m.Record)
	b.WriteString("\n")
	say := func(text string) { writeComment(b, "// ", text) }
	say(fmt.Sprintf("This module parses what %s derives. parse returns the tree of an input as derived by "+
		"the production %s, and throws a ParseError if it derives none. accepts only says whether it is "+
		"derived.", m.Grammar.Title,
		m.Start.Name))
	b.WriteString("//\n")
	switch m.encoding {
	case utf8:
		say("An input is a string or a Uint8Array. Of a string the UTF-8 is read; a lone surrogate is " +
			"rejected where it stands.")
	case latin1:
		say("An input is a string or a Uint8Array. The grammar has bytes that are no UTF-8, so that a string " +
			"is read as Latin-1: each character is a byte, and one above U+00FF is rejected where it stands.")
	}
	b.WriteString("//\n")
	if m.isRegular() {
		say("What was proven is that the table accepts what each production derives: it was compared, state " +
			"by state, with the automaton of the grammar. accepts runs it, with the loop acceptsString " +
			"below; its correctness, and that of the JavaScript engine, is assumed.")
	}
	say("The tables were executed by bnfcheck's library in Go before this file was written. What follows was " +
		"found there; the functions below do the same with the same tables, which bnfcheck's tests compare.")
	b.WriteString("//\n")
	for _, line := range m.Proof {
		writeComment(b, "//   - ", line)
	}
	b.WriteString("\n")
}

// writeComment writes the words of a text as lines of a comment, at most 120 columns wide if no word is longer. The
// first line begins with head, which ends with a blank, the others with "//" and blanks, so that the text is in one
// column.
func writeComment(b *bytes.Buffer, head, text string) {
	line := head
	first := true
	for _, word := range strings.Fields(strings.ToValidUTF8(text, "\ufffd")) {
		if !first && len(line)+1+len(word) > 120 {
			b.WriteString(line + "\n")
			line = "//" + strings.Repeat(" ", len(head)-2)
			first = true
		}
		if !first {
			line += " "
		}
		line += word
		first = false
	}
	b.WriteString(line + "\n")
}

// imports matches the import lines of a file of the runtime.
var imports = regexp.MustCompile(`(?m)^import \{[^}]*\} from '\./([a-z0-9]+\.js)';\n`)

// writeRuntime writes the files of the runtime that the module needs, each after those that it
// imports. Their comments stay in the repository. It fails for a file that the runtime does not have.
func (m *module) writeRuntime(b *bytes.Buffer) error {
	var need []string
	if m.isRegular() {
		need = append(need, "table.js")
	}
	if m.usesGeneral() {
		need = append(need, "nestedtree.js")
	} else {
		need = append(need, "regular.js")
	}
	if m.isRegular() {
		need = append(need, "explaintable.js")
	} else {
		need = append(need, "explainnested.js")
	}
	if m.makesStates {
		need = append(need, "rulestates.js")
	}
	if m.triesByStates() {
		need = append(need, "alternativestates.js")
	} else {
		need = append(need, "alternativecheck.js")
	}
	need = append(need, "parser.js")
	written := map[string]bool{}
	var write func(name string) error
	write = func(name string) error {
		if name == "encoding.js" {
			name = "encoding" + string(m.encoding) + ".js"
		}
		if written[name] {
			return nil
		}
		written[name] = true
		text, err := js.Files.ReadFile(name)
		if err != nil {
			return err
		}
		for _, found := range imports.FindAllSubmatch(text, -1) {
			if err := write(string(found[1])); err != nil {
				return err
			}
		}
		fmt.Fprintf(b, "// runtime/js/%s\n\n%s\n", name, plainScript(string(text)))
		return nil
	}
	for _, name := range need {
		if err := write(name); err != nil {
			return err
		}
	}
	return nil
}

// cast matches a type in a comment that stands before an expression, or after the line that it is of.
var cast = regexp.MustCompile(`/\*\* @(type|param) [^\n]*?\*/ ?`)

// plainScript returns a file of the runtime without imports and casts, the word export, and comments that have lines
// of their own; of blank lines in a row one stays. A comment is told by how its lines begin: with //, /** or *, a
// blank after it. So no line of code may begin with a * and a blank, and no comment with /* alone.
func plainScript(text string) string {
	text = imports.ReplaceAllString(text, "")
	text = cast.ReplaceAllString(text, "")
	var lines []string
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		isComment := strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "/**") ||
			strings.HasPrefix(trimmed, "* ") || trimmed == "*" || trimmed == "*/"
		isBlank := trimmed == "" && (len(lines) == 0 || strings.TrimSpace(lines[len(lines)-1]) == "")
		if !isComment && !isBlank {
			line = strings.TrimPrefix(line, "export ")
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "")) + "\n"
}

// publicErrors are the classes of the runtime that a module exports.
var publicErrors = []string{"ParseError", "TooDeepError", "TooLargeError"}

// writeTables writes the constants with the tables, and what holds them. Each is marked as pure, so
// that a bundler leaves out those that a program does not use. It fails for a table that was not packed.
func (m *module) writeTables(b *bytes.Buffer) error {
	var ids []string
	for _, p := range m.Productions[1:] {
		ids = append(ids, p.ID)
	}
	fmt.Fprintf(b, "const names = /*#__PURE__*/ new Names(%s, %s);\n\n", literal(m.Source.Package),
		literal(strings.Join(ids, "\n")))
	fmt.Fprintf(b, "const rules = /*#__PURE__*/ new Rules(%s);\n\n", literal(m.rules))
	if !m.usesGeneral() {
		m.writeRegularEngine(b)
	}
	m.writeGrammar(b)
	if m.isRegular() {
		m.writeProven(b)
	}
	if m.usesGeneral() {
		if err := m.writeNestedEngine(b); err != nil {
			return err
		}
	}
	if !m.isRegular() {
		return m.writeNestedExplainer(b)
	}
	return nil
}

// writeProven writes the proven table, and what explains rejections by it.
func (m *module) writeProven(b *bytes.Buffer) {
	tables, states := renumbered(m.Explaining, m.start)
	first, rest, shapes := tableParts(tables, m.start, states)
	notes, terms := packNotes(tables, shapes, m.Grammar.CodePoints)
	for i, term := range terms { // the runtime has strings of bytes
		terms[i] = latin1Text(term)
	}
	fmt.Fprintf(b, "const table = /*#__PURE__*/ new Table(%s);\n\n", literal(first))
	fmt.Fprintf(b, "const wholeTable = /*#__PURE__*/ new WholeTable(table, %s);\n\n", literal(rest))
	fmt.Fprintf(b, "const explainer = /*#__PURE__*/ new TableExplainer(wholeTable, %s, [%s], printed);\n\n",
		literal(notes), literals(terms))
}

// writeRegularEngine writes the engine that has the ordered automaton alone.
func (m *module) writeRegularEngine(b *bytes.Buffer) {
	fmt.Fprintf(b, "const engine = /*#__PURE__*/ new RegularEngine(%s);\n\n", m.stateMaker())
}

// stateMaker returns the text of a function of JavaScript that returns the states of the ordered automaton, or
// "null" if there is no such automaton.
func (m *module) stateMaker() string {
	switch {
	case m.makesStates:
		return "() => new RuleStates(rules)"
	case m.hasAutomaton():
		return fmt.Sprintf("() => new States(new ListReader(%s))", literal(m.states))
	}
	return "null"
}

// deepestRules is how deep expressions may be inside each other, with each production put in where it is used, for a
// module to make states of them: its functions call each other as deep, and stacks of JavaScript are short.
const deepestRules = 250

// statesFollow reports whether the states of the ordered automaton follow from the productions by the construction
// that rulestates.js has, so that the module need not have them: no alternative is preferred in the lock file, and
// of the productions that the automaton derives, none uses itself, nor one that does, and none is too deep. Without
// the general parser, that must hold of all productions.
func (m *module) statesFollow() bool {
	depth := map[string]int{} // by production; more than deepestRules if it uses one that uses itself
	uses := func(r *expr.Rule) []string { return expr.Refs(r.Expr) }
	for _, group := range expr.Groups(m.Grammar.Rules, uses) {
		for _, r := range group {
			depth[r.ID] = deepestRules + 1
			if len(group) == 1 && !slices.Contains(uses(r), r.ID) {
				depth[r.ID] = depthOf(r.Expr, depth)
			}
		}
	}
	for i, r := range m.Grammar.Rules {
		isByAutomaton := !m.usesGeneral() || m.Tables.Derives[i+1] == bnftogo.AutomatonEngine
		if isByAutomaton && depth[r.ID] > deepestRules {
			return false
		}
	}
	return !m.Prefers
}

// depthOf returns how deep e is in the words of [expr.Words], where each operator has two operands at most. The depths
// of the productions that e uses are known.
func depthOf(e *expr.Expr, known map[string]int) int {
	deepest := len(e.Lit)
	for i, s := range e.Sub {
		deepest = max(deepest, i+depthOf(s, known))
	}
	return 1 + deepest + known[e.Name]
}

// latin1Text returns the string whose characters are the bytes of a text.
func latin1Text(text string) string {
	characters := make([]rune, len(text))
	for i, b := range []byte(text) {
		characters[i] = rune(b)
	}
	return string(characters)
}

// writeNestedEngine writes the acceptor and the engine that have the general parser. It fails for a table that was not
// packed.
func (m *module) writeNestedEngine(b *bytes.Buffer) error {
	b.WriteString("const acceptor = /*#__PURE__*/ new NestedAcceptor(names, {\n")
	for _, t := range []struct{ name, packed string }{
		{"general", m.Tables.General},
		{"accepting", m.Tables.Accepting},
	} {
		text := ""
		if t.packed != "" {
			var err error
			if text, err = repackStates(t.packed); err != nil {
				return err
			}
		}
		fmt.Fprintf(b, "  %s: %s,\n", t.name, literal(text))
	}
	fmt.Fprintf(b, "  derives: %s,\n}, %s);\n\n", literal(m.Tables.Letters()), m.stateMaker())
	b.WriteString("const engine = /*#__PURE__*/ new NestedEngine(acceptor);\n\n")
	return nil
}

// writeNestedExplainer writes what explains rejections where productions nest. It fails for a table that was not
// packed.
func (m *module) writeNestedExplainer(b *bytes.Buffer) error {
	text, err := repackStates(m.ExplainingGeneral)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "const explainer = /*#__PURE__*/ new NestedExplainer(acceptor, %s, printed);\n\n", literal(text))
	return nil
}

// writeGrammar writes the facts about the grammar that are not in tables: how productions are spelled and where they
// are printed, the names of their alternatives, and the start.
func (m *module) writeGrammar(b *bytes.Buffer) {
	var files []string
	var fileOf, lines []int
	var spellings, sections []string
	for kind, p := range m.Productions {
		if kind == 0 { // which is no production
			continue
		}
		// A name or a section stands only where the runtime could not tell it.
		if p.Name != p.ID {
			spellings = append(spellings, fmt.Sprintf("%d: %s", kind, literal(p.Name)))
		}
		if p.Section != "" {
			sections = append(sections, fmt.Sprintf("%d: %s", kind,
				literal(citation.Place{Section: p.Section}.String())))
		}
		at := slices.Index(files, p.File)
		if at < 0 {
			at = len(files)
			files = append(files, p.File)
		}
		fileOf = append(fileOf, at)
		lines = append(lines, p.Line)
	}
	fmt.Fprintf(b, "const printed = /*#__PURE__*/ new Printed(names, rules, %t, {%s},\n  [%s], {%s}, %s);\n\n",
		m.Grammar.CodePoints, strings.Join(spellings, ", "), literals(files), strings.Join(sections, ", "),
		literal(pack(fileOf, lines)))
	trial := "trialByCheck"
	if m.triesByStates() {
		trial = "trialByStates"
	}
	fmt.Fprintf(b, "const alternatives = /*#__PURE__*/ new Alternatives(rules, names, %s, {",
		literal(pack(m.Rules.Counts, m.Rules.Parts)))
	for i, r := range m.Grammar.Rules {
		if labels := m.writtenLabels(i, r); len(labels) > 0 {
			fmt.Fprintf(b, "\n  %d: [%s],", i+1, strings.Join(labels, ", "))
		}
	}
	fmt.Fprintf(b, "\n}, %s);\n\n", trial)
	fmt.Fprintf(b, "const grammar = { names, start: %d, alternatives };\n\n", m.start)
}

// writtenLabels returns those [module.labels] of the production with index i that a module has, up to the last one: 0
// stands for a label that follows from the alternative, as runtime/js/alternative.js has it.
func (m *module) writtenLabels(i int, r *expr.Rule) []string {
	labels := m.labels(r)
	last := 0
	for k, name := range m.Alternatives(r) {
		isWhole := m.Rules.Parts[i] == 0 && r.Expr.Op == expr.Alt // or it stands in a sequence
		follows := fmt.Sprint(k + 1)
		if name.Production != "" && isWhole {
			follows = literal(name.Production)
		}
		if labels[k] == follows {
			labels[k] = "0"
		} else {
			last = k + 1
		}
	}
	return labels[:last]
}

// literals returns texts as string literals with commas between.
func literals(texts []string) string {
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = literal(t)
	}
	return strings.Join(list, ", ")
}

// literal returns a text as a string literal of JavaScript in ASCII. Bytes that are not UTF-8 become
// U+FFFD.
func literal(text string) string { return string(quote.AppendString(nil, text)) }

// writeExports writes what a user imports: the errors, the names of the productions, and the functions.
func (m *module) writeExports(b *bytes.Buffer) {
	fmt.Fprintf(b, `/** Says where and why an input is not derived, and which limits it passes. */
export { %s };

/** The names of the productions, in the order of the text. */
export const productions = /*#__PURE__*/ names.list();

`, strings.Join(publicErrors, ", "))
	accepts, acceptsAs := "table.accepts(input)", "wholeTable.accepts(names.kindOf(production), input)"
	if !m.isRegular() {
		accepts = fmt.Sprintf("acceptsInput(acceptor, %d, input)", m.start)
		acceptsAs = "acceptsInput(acceptor, names.kindOf(production), input)"
	}
	fmt.Fprintf(b, `/** Reports whether %[1]s derives an input. It builds no tree. */
export function accepts(input) {
  return %[2]s;
}

/** Is accepts for any production. */
export function acceptsAs(production, input) {
  return %[3]s;
}

/** Returns the root of the tree of an input, or throws a ParseError. */
export function parse(input, options = {}) {
  return parseInput(grammar, engine, explainer, input, options);
}

/** Is parse, but returns undefined instead of throwing a ParseError. */
export function tryParse(input, options = {}) {
  return tryParseInput(grammar, engine, input, options);
}

/** Returns the root of the tree of the longest prefix that is derived, or throws a ParseError. */
export function parsePrefix(input, options = {}) {
  return parsePrefixOf(grammar, engine, explainer, input, options);
}
`, m.commentText(m.Start.Name), accepts, acceptsAs)
}

// commentText returns a text that ends no comment.
func (m *module) commentText(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	return strings.ReplaceAll(text, "*/", "* /")
}

// labels returns the names of the alternatives of a production, as they stand in the module: a literal of the ID of the
// production or of the word in quotation marks that an alternative consists of, if no alternative before it has that
// name, and otherwise its number, without quotation marks. It is nil for a production without a choice.
func (m *module) labels(production *expr.Rule) (list []string) {
	taken := map[string]bool{}
	for i, a := range m.Alternatives(production) {
		label := ""
		switch {
		case a.Production != "":
			label = literal(a.Production)
		case a.IsWord:
			label = literal(`"` + a.Word + `"`)
		}
		if label == "" || taken[label] {
			label = fmt.Sprint(i + 1)
		}
		taken[label] = true
		list = append(list, label)
	}
	return list
}
