package bnf

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Block is a run of productions in a text, with nothing but comments and page breaks between them.
type Block struct {
	First, Last int // lines, from 1
	Productions int
	Section     string // that it stands in: "3.2.2", "Appendix A"; "" where that is not known
	Heading     string // of that section

	// File is the included file that the lines are of; "" for those of the document.
	File string

	// LeftOut is why the block is not read, though it looks like ABNF; "" for one that is read.
	LeftOut string
}

// String returns "lines 2750-2812, 40 productions, Appendix A", after the file of an included block, and before the
// reason why a block is left out.
func (b Block) String() string {
	s := fmt.Sprintf("lines %d-%d, %s", b.First, b.Last, layout.Plural(b.Productions, "production"))
	if b.File != "" {
		s = b.File + ": " + s
	}
	switch {
	case strings.HasPrefix(b.Section, "Appendix"):
		s += ", " + b.Section
	case b.Section != "":
		s += ", section " + b.Section
	}
	if b.LeftOut != "" {
		s += ": left out, " + b.LeftOut
	}
	return s
}

// Lines are lines of a document: some of them, or all but some. The zero value is all lines.
type Lines struct{ only, except [][2]int }

// Set adds lines as people write them: "2750-2812", "12,20-30", or "!100-120" for all others. After an error l may have
// some of them.
func (l *Lines) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		numbers, not := strings.CutPrefix(strings.TrimSpace(part), "!")
		first, last, isRange := strings.Cut(numbers, "-")
		if !isRange {
			last = first
		}
		a, err1 := strconv.Atoi(strings.TrimSpace(first))
		b, err2 := strconv.Atoi(strings.TrimSpace(last))
		if err1 != nil || err2 != nil || a < 1 || b < a {
			return fmt.Errorf("invalid lines %q; expected lines such as 2750-2812, or !2750-2812 for all others", part)
		}
		if not {
			l.except = append(l.except, [2]int{a, b})
		} else {
			l.only = append(l.only, [2]int{a, b})
		}
	}
	return nil
}

// String returns l as [Lines.Set] reads it.
func (l Lines) String() string {
	var parts []string
	for i, list := range [][][2]int{l.only, l.except} {
		for _, r := range list {
			parts = append(parts, fmt.Sprintf("%s%d-%d", []string{"", "!"}[i], r[0], r[1]))
		}
	}
	return strings.Join(parts, ",")
}

// has reports whether the line with this number is one of l.
func (l Lines) has(number int) bool {
	in := func(list [][2]int) bool {
		return slices.ContainsFunc(list, func(r [2]int) bool { return r[0] <= number && number <= r[1] })
	}
	return (len(l.only) == 0 || in(l.only)) && !in(l.except)
}

// Of returns lines with those that l does not have left empty. It returns lines itself if l is the zero value, and
// otherwise a copy.
func (l Lines) Of(lines []string) []string {
	if len(l.only) == 0 && len(l.except) == 0 {
		return lines
	}
	out := slices.Clone(lines)
	for i := range out {
		if !l.has(i + 1) {
			out[i] = ""
		}
	}
	return out
}

// isText reports whether a document may be the text of an RFC.
func isText(file string, lines []string) bool {
	return strings.EqualFold(path.Ext(file), ".txt") || beginsLikeRFC(lines)
}

// beginsLikeRFC reports whether a document has the head of an RFC or of an Internet-Draft.
func beginsLikeRFC(lines []string) bool {
	return slices.ContainsFunc(lines[:min(rfcHeadLines, len(lines))], rfcHead().MatchString)
}

// rfcHeadLines caps the lines that are searched for the head of an RFC.
const rfcHeadLines = 40

var (
	rfcHead = pattern(`^\s*(Network Working Group\b|Internet Engineering Task Force\b|Internet Architecture Board\b|` +
		`Internet Research Task Force\b|Independent Submission\b|Request for Comments:|(?i:Internet[- ]Draft)\b)`)
	rfcNumber = pattern(`^\s*(?:Request for Comments:|RFC:?)\s*(\d+)`)

	pageFooter = pattern(`^[^\s;=][^="]*\s\[[Pp]age\s+([0-9]+|[ivxlc]+)\]\s*$`)
	pageHeader = pattern(`^(RFC\s+[0-9]+|(?i:Internet[- ]Draft))\s{2,}\S.*\s(1[89]|20|21)[0-9][0-9]\s*$`)
	threeParts = pattern(`^[^\s;][^"]*?\S {2,}\S[^"]*? {2,}\S`)
)

// withoutFurniture returns lines with the ends and beginnings of pages left empty: a copy, or lines itself if there
// are none. The first line after a form feed counts as the head of a page if it has three parts with spaces between
// them, and does not begin like a rule.
func withoutFurniture(lines []string) []string {
	out := lines
	blank := func(i int) {
		if &out[0] == &lines[0] {
			out = slices.Clone(lines)
		}
		out[i] = ""
	}
	newPage := false // a form feed was seen, and no text after it
	for i, line := range lines {
		if strings.IndexByte(line, '\f') >= 0 {
			newPage = true
			line = strings.ReplaceAll(line, "\f", "")
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		switch {
		case pageFooter().MatchString(line), pageHeader().MatchString(line),
			newPage && threeParts().MatchString(line) && !beginsRule().MatchString(line):
			blank(i)
		}
		newPage = false
	}
	return out
}

// A section is where in a text a line stands.
type section struct {
	number, heading string
	collected       bool // it collects the rules of the text
}

var (
	heading   = pattern(`^(?:(\d+(?:\.\d+)*)\.?|(?:(?i:Appendix)\s+)?([A-Z](?:\.\d+)*)(?:\.|:)|(?i:Appendix)\s+([A-Z])\b\.?)\s+(\S.*?)\s*$`)
	collected = pattern(`(?i)\b(collected|complete|summary|full)\b.*\b(a?bnf|grammar|syntax)\b|\b(a?bnf|grammar|syntax)\b.*\b(collected|summary|summarized)\b`)
)

// A candidate is a part of a text that may be a production.
type candidate struct {
	name        string
	first, last int // lines, from 0
	printed     printed
	err         error    // why it is no production; nil if it is one
	refs        []string // names in lower case that it uses
	adds        bool     // it adds to another production, by =/
	terminal    bool     // a quoted string, a value or a core rule stands in it
	operator    bool     // it has more than names, prose and quoted strings
	words       bool     // it has nothing but names or prose
	statement   bool     // it is words and a semicolon after them, like a statement of a program
	taken       bool
	alone       bool   // it is connected to no other, and is taken only next to one that is taken
	why         string // why it is not taken, as the end of a sentence
	doubt       int    // the number of a line below that may belong to it, and is not read; 0 if there is none
}

// A finder looks for ABNF in a text.
type finder struct {
	file    string
	lines   []string
	reading reading
	pages   []int           // on which the lines stand; 0 in a text without pages
	names   map[string]bool // in lower case, that lines begin with and define
}

// pagesOf returns the page that each line stands on, by the footers of the RFC format. A footer stands on the page
// that it names, and the lines after the last footer are on the next page. In a text without footers, and on a page
// with a Roman number, it is 0.
func pagesOf(lines []string) []int {
	pages := make([]int, len(lines))
	first, last := 0, 0
	for i, line := range lines {
		if m := pageFooter().FindStringSubmatch(line); m != nil {
			page, _ := strconv.Atoi(m[1]) // 0 for a Roman number
			for ; first <= i; first++ {
				pages[first] = page
			}
			last = page
		}
	}
	for ; last > 0 && first < len(pages); first++ {
		pages[first] = last + 1
	}
	return pages
}

// extract finds the productions in the lines of a document, each on the page that pages has for its line, and notices
// as layOut does. It blanks the lines that n.Lines excludes first, unless n has from. It also takes the number of an
// RFC from the first hundred lines, for the name and the title. l is never nil, but may hold no production. isText
// reports whether at least leastProse lines stand outside of all that begins like a production, blank lines and
// comments not counted: the document is then a text, and no grammar file.
func extract(file string, lines []string, pages []int, n reading) (l *outline, isText bool) {
	if n.from == nil {
		lines = n.Lines.Of(lines)
	}
	f := &finder{file: file, lines: lines, reading: n, pages: pages, names: map[string]bool{}}
	for i := range f.lines {
		if name, ok := beginsABNF(f.lines, i); ok {
			f.names[strings.ToLower(name)] = true
		}
	}
	all := f.candidates()
	f.chooseCandidates(all)
	markCollected(all)
	l = &outline{notation: ABNF, parts: []*part{{}}}
	for _, line := range lines[:min(100, len(lines))] {
		if m := rfcNumber().FindStringSubmatch(line); m != nil && l.title == "" {
			l.name, l.title = "rfc"+m[1], "RFC "+m[1]
		}
	}
	f.layOut(l, all)
	// The lines between candidates tell whether the document is a text.
	prose := 0
	next := 0 // the first line that is not counted yet
	count := func(to int) {
		for ; next < to; next++ {
			if text := strings.TrimSpace(lines[next]); text != "" && text[0] != ';' {
				prose++
			}
		}
	}
	for _, c := range all {
		count(c.first)
		next = c.last + 1
	}
	count(len(lines))
	return l, prose >= leastProse
}

// leastProse is the number of lines outside productions that makes a document a text. ABNF with a mistake in it has
// fewer.
const leastProse = 4

// candidates returns every part of the text that begins like a production, up to its end, in their order, with its
// section and its page. Those that turn out to be no ABNF have err set. printed.collected is set in a section whose
// heading says that it collects the rules, and in its subsections.
func (f *finder) candidates() (all []*candidate) {
	var at section
	collects := "" // the number of the section that collects the rules, while the lines are in it or in its subsections
	for i := 0; i < len(f.lines); i++ {
		line := f.lines[i]
		if m := heading().FindStringSubmatch(line); m != nil && !strings.Contains(line, "....") &&
			!strings.Contains(line, " = ") {
			number, appendix, lettered, title := m[1], m[2], m[3], m[4]
			at = section{number: number, heading: title}
			if appendix+lettered != "" {
				at.number = "Appendix " + appendix + lettered
			}
			if collects == "" || !strings.HasPrefix(at.number+".", collects+".") {
				collects = ""
				if collected().MatchString(at.heading) {
					collects = at.number
				}
			}
			at.collected = collects != ""
			continue
		}
		name, ok := beginsABNF(f.lines, i)
		if !ok {
			continue
		}
		c := f.candidate(i, name)
		c.printed.section, c.printed.collected = at.number, at.collected
		c.printed.block = &Block{Section: at.number, Heading: at.heading}
		c.printed.page, c.printed.line = f.pages[i], f.reading.from.line(i+1)
		all = append(all, c)
		i = c.last
	}
	return all
}

// candidate returns the production that may begin in the line first, as read sets it. It goes on as far as it can be
// read: of the ends of paragraphs that may belong to it, the last is tried first, then the one before, and then only
// the first, so that reading takes time in proportion to the text. If none can be read the candidate has the error of
// the last try. doubt is the line, from 1, of a paragraph that goesOn doubts, 0 without one.
func (f *finder) candidate(first int, name string) *candidate {
	c := &candidate{name: name, first: first, last: first}
	margin := column(f.lines[first])
	var rest restABNF
	rest.add(f.lines[first])
	ends := []int{} // the last lines of the paragraphs that may belong to the production
	i := first + 1
	for ; i < len(f.lines); i++ {
		text := strings.TrimSpace(f.lines[i])
		if text == "" {
			ends = append(ends, i-1)
			for i < len(f.lines) && strings.TrimSpace(f.lines[i]) == "" {
				i++
			}
			goesOn, doubt := f.goesOn(i, margin, rest.open())
			if doubt {
				c.doubt = i + 1
			}
			if !goesOn {
				break
			}
			i--
			continue
		}
		if _, begins := beginsABNF(f.lines, i); begins {
			ends = append(ends, i-1)
			break
		}
		if text[0] != ';' && column(f.lines[i]) <= margin && !rest.open() && text[0] != '/' && text[0] != '|' {
			ends = append(ends, i-1)
			break
		}
		rest.add(f.lines[i])
	}
	if i == len(f.lines) {
		ends = append(ends, i-1)
	}
	slices.Reverse(ends)
	// The longest that can be read; after two failures only the first paragraph is tried.
	for try, end := range slices.Compact(ends) {
		if try == 2 {
			end = ends[len(ends)-1]
		}
		if c.read(f, end); c.err == nil || try == 2 {
			break
		}
	}
	return c
}

// goesOn reports whether the paragraph that begins in line i can belong to a production above it. margin is the
// indent of the production's first line; open reports that the production lacks something. The paragraph must be
// indented farther than margin, define no name and be made of tokens, in its first maxGap lines. If open, such a
// paragraph belongs whatever its words. Otherwise one that has only words that are not all names of productions
// belongs if the next paragraph does. After maxDoubt such paragraphs in a row none belongs. doubt reports that there
// was such a paragraph, and that it does not belong.
func (f *finder) goesOn(i, margin int, open bool) (goesOn, doubt bool) {
	for range maxDoubt { // one paragraph a round, to which i goes
		if i >= len(f.lines) || column(f.lines[i]) <= margin {
			return false, doubt
		}
		if _, begins := beginsABNF(f.lines, i); begins {
			return false, doubt
		}
		var text []string
		for ; i < len(f.lines) && strings.TrimSpace(f.lines[i]) != "" && len(text) < maxGap; i++ {
			text = append(text, f.lines[i])
		}
		known, code, ok := f.tokens(strings.Join(text, "\n"))
		if !ok {
			return false, doubt
		}
		if open || known || code {
			return true, false
		}
		doubt = true // such words belong to the production if the paragraph after them does
		for i < len(f.lines) && strings.TrimSpace(f.lines[i]) == "" {
			i++
		}
	}
	return false, doubt
}

// maxDoubt caps the paragraphs of words in a row that may belong to a production.
const maxDoubt = 4

// tokens looks at a text as ABNF. ok says that it is made of tokens; if so, known says that all its words are names of
// productions, and code that there is more than words, prose and brackets.
func (f *finder) tokens(text string) (known, code, ok bool) {
	known = true
	for l := (lexerABNF{text: text}); ; {
		t, err := l.scan()
		switch {
		case err != nil:
			return false, false, false
		case t.kind == endToken:
			return known, code, true
		case t.kind == nameToken:
			known = known && (f.names[strings.ToLower(t.text)] || IsCoreName(t.text))
		case t.kind != '(' && t.kind != ')' && t.kind != '[' && t.kind != ']' && t.kind != proseToken:
			code = true
		}
	}
}

// read reads c's lines from c.first up to last. It sets c.printed, c.last, the last line without trailing comments,
// and c.err; without an error also all else that the text says of the production, but for c.name, which is set
// already. A production that is refused has no error: it counts as ABNF with a terminal and an operator, and c.adds
// and c.statement stay as they are. read may be called again with another line.
func (c *candidate) read(f *finder, last int) {
	lines := withoutTail(f.lines[c.first : last+1])
	c.last = c.first + len(lines) - 1
	c.printed = printed{
		text: strings.Join(lines, "\n"), pos: expr.Pos{File: f.file, Line: c.first + 1, Col: 1},
		from: f.reading.from,
	}
	n := f.reading
	n.state = &state{detect: true}
	p, err := notations[ABNF].read(c.printed, n)
	// A refusal is about text that is ABNF.
	if e, ok := errors.AsType[*expr.Error](err); ok && e.Refused && e.Production != "" {
		c.err, c.refs, c.terminal, c.operator, c.words = nil, nil, true, true, false
		return
	}
	if c.err = err; err != nil {
		return
	}
	c.refs, c.terminal, c.operator, c.words = nil, false, false, true
	expr.Walk(p.right, func(e *expr.Expr) bool {
		switch e.Op {
		case expr.Ref:
			c.refs = append(c.refs, strings.ToLower(refName(e.Name)))
			c.terminal = c.terminal || IsCoreName(e.Name)
		case expr.Literal, expr.Class:
			c.terminal, c.words = true, false
		case expr.Alt, expr.Repeat:
			c.operator = true
		}
		return true
	})
	c.adds = p.adds
	_, replaced := n.Instead[c.name] // only a production has a reading
	c.operator = c.operator || p.adds || replaced
	// Brackets, counts and values leave no trace in the tree, so the tokens are searched for them.
	for l := (&lexerABNF{text: c.printed.text}); !c.operator; {
		t, err := l.scan()
		if err != nil || t.kind == endToken {
			break
		}
		c.operator = t.kind == valueToken || t.kind == countToken || t.kind == listToken || t.kind == '(' ||
			t.kind == '['
	}
	c.words = c.words && !c.operator
	c.statement = c.words && strings.HasSuffix(strings.TrimRight(c.printed.text, " \t"), ";")
}

// chooseCandidates sets taken in the candidates that are productions, alone in some, and why in all that it does not
// take at first; why stays if one is taken after all. It takes those that hang together, or could be nothing but ABNF,
// since an assignment in a program can be read as a production, too.
//
// Candidates hang together if they use each other's names: the groups are found by union-find. A group counts if it
// reaches a terminal, and has more than one name or a sign that only ABNF has. A candidate that is probably a sentence
// or a statement is left out where a better one has its name. One of words alone that no other uses is left out if it
// ends like a statement, has three unknown names or has prose. A candidate that is connected to no other is taken next
// to one that is taken at the same margin, and so on from there. If nothing is taken in a text that speaks of ABNF,
// what has terminals is taken anyway, and so is what has less than three unknown names and stands right after such
// words; statements never are.
func (f *finder) chooseCandidates(all []*candidate) {
	// union-find: the parent of each name in lower case; the names of a group use each other.
	group := map[string]string{}
	find := func(name string) string {
		for group[name] != name {
			group[name] = group[group[name]]
			name = group[name]
		}
		return name
	}
	used := map[string]bool{}
	read := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.err != nil })
	for _, c := range read {
		group[strings.ToLower(c.name)] = strings.ToLower(c.name)
	}
	for _, c := range read {
		own := strings.ToLower(c.name)
		for _, ref := range c.refs {
			if group[ref] != "" && ref != own {
				used[ref] = true
				group[find(ref)] = find(own)
			}
		}
	}
	// What the members of a group have together decides whether the group counts.
	type facts struct {
		terminal, operator bool
		names              map[string]bool
	}
	groups := map[string]*facts{}
	for _, c := range read {
		g := find(strings.ToLower(c.name))
		if groups[g] == nil {
			groups[g] = &facts{names: map[string]bool{}}
		}
		groups[g].terminal = groups[g].terminal || c.terminal
		groups[g].operator = groups[g].operator || c.operator
		groups[g].names[strings.ToLower(c.name)] = true
	}
	unknown := func(c *candidate) (n int) {
		for _, ref := range c.refs {
			if group[ref] == "" && !IsCoreName(ref) {
				n++
			}
		}
		return n
	}
	// A weak candidate is probably a sentence or a statement, and is left out where a strong one has the same name.
	weak := func(c *candidate) bool { return c.statement || c.words && unknown(c) == len(c.refs) }
	strong := map[string]bool{}
	for _, c := range read {
		if !weak(c) && !c.adds {
			strong[strings.ToLower(c.name)] = true
		}
	}
	some := false
	for _, c := range all {
		if c.err != nil {
			c.why = "since it is no ABNF"
			continue
		}
		name := strings.ToLower(c.name)
		g := groups[find(strings.ToLower(c.name))]
		switch {
		case weak(c) && strong[name]:
			c.why = "since the production stands elsewhere"
		case !g.terminal:
			c.alone = len(c.refs) == 1 && len(g.names) == 1
			c.why = "since no terminal is reached from it"
		case len(g.names) == 1 && !g.operator:
			c.alone = true
			c.why = "since no production uses it, and it uses none"
		case !used[name] && c.words && (c.statement || unknown(c) >= 3 || strings.Contains(c.printed.text, "<")):
			c.why = "since no production uses it, and it is words"
		default:
			c.taken, some = true, true
		}
	}
	for k := range 2 * len(all) { // forward and then backward, so that takes spread both ways
		k = min(k, 2*len(all)-1-k)
		if c := all[k]; c.alone && !c.taken && f.hasTakenNeighbor(all, k) {
			c.taken = true
		}
	}
	if some || !f.mentions(0, len(f.lines)) {
		return
	}
	// Nothing is taken, and the text says that it has ABNF: its productions may use none of the others.
	for _, c := range read {
		if !c.statement && (c.terminal || unknown(c) < 3 && f.announced(c.first)) {
			c.taken = true
		}
	}
}

// mentionsABNF matches what a text calls its grammar.
var mentionsABNF = pattern(`(?i)\b(a?bnf|augmented backus|backus-naur|formal syntax|grammar)\b`)

// announced reports whether one of the twelve lines above a production speaks of a grammar.
func (f *finder) announced(line int) bool { return f.mentions(max(0, line-12), line) }

// mentions reports whether one of the lines from from up to to speaks of a grammar.
func (f *finder) mentions(from, to int) bool {
	return slices.ContainsFunc(f.lines[from:to], mentionsABNF().MatchString)
}

// markCollected sets printed.collected of all candidates in one chapter: the one where most names of the text are
// defined, at least three fifths of them and ten. What stands elsewhere are examples, and parts of it. Only names of
// candidates that are taken count. Of two chapters with as many names the one that reaches this number last wins. If
// a heading says which chapter collects the rules, or most names stand before the first heading, nothing changes.
func markCollected(all []*candidate) {
	names := map[string]bool{}
	in := map[string]map[string]bool{} // the names that a chapter defines, by its number
	chapter := func(c *candidate) string {
		top, _, _ := strings.Cut(c.printed.section, ".")
		return top
	}
	most := ""
	for _, c := range all {
		if c.taken && c.printed.collected {
			return
		}
		if !c.taken {
			continue
		}
		name, at := strings.ToLower(c.name), chapter(c)
		names[name] = true
		if in[at] == nil {
			in[at] = map[string]bool{}
		}
		in[at][name] = true
		if len(in[at]) >= len(in[most]) {
			most = at
		}
	}
	if most == "" || len(in[most])*5 < len(names)*3 || len(in[most]) < 10 {
		return
	}
	for _, c := range all {
		c.printed.collected = c.printed.collected || chapter(c) == most
	}
}

// signsABNF matches what hardly stands after an equals sign in anything but ABNF.
var signsABNF = pattern(`%[bdxBDX][0-9A-Fa-f]|"[^"\n]*"\s*/|/\s*"|\*[(]|[\])]\s*/\s|\s/\s*[\[(]|<">`)

// layOut appends the productions that are taken to l, with their blocks. Those with nothing but comments between them
// share one. A candidate that is left out gets a block of its own, with the reason, if it is ABNF, has signs of ABNF or
// is missed: no production taken has its name, and one uses it, or it stands among them. One that is missed and cannot
// be read is also noticed, and marked as unreadable. layOut notices lines in doubt, and what noteFunctions notices.
// f.reading must have a state.
func (f *finder) layOut(l *outline, all []*candidate) {
	wanted := map[string]bool{} // names that the productions taken use
	has := map[string]bool{}
	for _, c := range all {
		if c.taken {
			has[strings.ToLower(c.name)] = true
			for _, ref := range c.refs {
				wanted[ref] = true
			}
		}
	}
	var last *candidate
	for k, c := range all {
		if !c.taken {
			// missed: the productions taken seem to need it.
			name := strings.ToLower(c.name)
			between := last != nil && k+1 < len(all) && all[k+1].taken && f.isNear(last, c) && f.isNear(c, all[k+1])
			missed := !has[name] && (wanted[name] || between || f.hasTakenNeighbor(all, k) &&
				signsABNF().MatchString(c.printed.text))
			if c.err != nil && missed {
				f.reading.state.noteCandidateUnreadable(c)
			}
			if c.err == nil || missed || signsABNF().MatchString(c.printed.text) {
				b := *c.printed.block
				b.First, b.Last, b.Productions, b.LeftOut = f.reading.from.line(c.first+1),
					f.reading.from.line(c.last+1), 1, c.why
				l.blocks = append(l.blocks, b)
			}
			continue
		}
		// A production goes on with the block before it, unless text or one that is left out stands between.
		if last == nil || !f.isNear(last, c) || len(l.blocks) == 0 || l.blocks[len(l.blocks)-1].LeftOut != "" {
			l.blocks = append(l.blocks, *c.printed.block)
			l.blocks[len(l.blocks)-1].First = f.reading.from.line(c.first + 1)
		}
		b := &l.blocks[len(l.blocks)-1]
		b.Last = f.reading.from.line(c.last + 1)
		b.Productions++
		c.printed.part = l.parts[0]
		if c.doubt > 0 {
			f.reading.note().addf(f.reading.from.place(expr.Pos{File: f.file, Line: c.doubt, Col: 1}),
				"the line is indented like the rest of `%s`, and taken for prose; --lines decides otherwise", c.name)
		}
		f.noteFunctions(c)
		l.productions = append(l.productions, c.printed)
		last = c
	}
}

// noteFunctions notices the first name in a production that a "(" follows at once, as in unq(username), if neither
// the document nor RFC 5234's core rules define the name: that may be a function in a formula, which can be read as
// ABNF.
func (f *finder) noteFunctions(c *candidate) {
	name, end := "", 0 // the last token if it is a name, and the offset behind it
	for l := (&lexerABNF{text: c.printed.text}); ; {
		t, err := l.scan()
		if err != nil || t.kind == endToken {
			return
		}
		isApplied := name != "" && t.kind == '(' && l.at-1 == end
		if isApplied && !f.names[strings.ToLower(name)] && !IsCoreName(name) {
			f.reading.note().addChoice(c.printed.at(end-len(name)), "`%s(` is read as a name and a group, as in ABNF; "+
				"where it applies a function, `%s` is a formula and no production", name, c.name)
			return
		}
		if name = ""; t.kind == nameToken {
			name, end = t.text, l.at
		}
	}
}

// hasTakenNeighbor reports whether a production that is taken stands next to the candidate at k, at the same margin.
func (f *finder) hasTakenNeighbor(all []*candidate, k int) bool {
	c := all[k]
	with := func(o *candidate) bool { return o.taken && column(f.lines[o.first]) == column(f.lines[c.first]) }
	return k > 0 && with(all[k-1]) && f.isNear(all[k-1], c) || k+1 < len(all) && with(all[k+1]) && f.isNear(c, all[k+1])
}

// isNear reports whether nothing but comments stands between two candidates; b must be the later one.
func (f *finder) isNear(a, b *candidate) bool {
	return !slices.ContainsFunc(f.lines[a.last+1:b.first], func(line string) bool {
		text := strings.TrimSpace(line)
		return text != "" && text[0] != ';'
	})
}
