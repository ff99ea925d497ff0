package docs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agnivade/levenshtein"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// This file looks for what is wrong in the grammars that RFCs print. A program finds candidates; a person has read each
// against the text, and testdata/rfc-defects.tsv says which are kept. The page rfc-defects.md is made of the kept ones, as
// far as they are found again.
//
// Only such classes are looked for in which few candidates are false. A name without a production is a defect only where the
// text has one for a name that is spelled nearly so, since a name can be another document's without a word about it.

// A defect is something wrong in a published grammar.
type defect struct {
	number     int    // of the RFC
	line       int    // of its text
	class      string // a key of defectClasses
	production string
	what       string
	command    string // shows it, in a folder with the texts
	shown      string // part of what the command prints
}

// textSteps caps the steps that the examples of one text may take, so that none holds up the others.
const textSteps = 1 << 25

// A seeker looks for defects in one text.
type seeker struct {
	number    int
	name      string // of the file
	lines     []string
	inGrammar []bool // by line, from 1: whether it belongs to a block of productions
	notices   []bnf.Notice
	grammar   *expr.Grammar // with the productions of other RFCs that the text uses
	own       []*expr.Rule  // the productions of the text itself
	found     []defect

	limited  *expr.Grammar                   // the same grammar, with the budget for examples
	derivers map[string]*interpreter.Deriver // of limited, by ID; nil for a production that cannot be interpreted
	lacking  map[string]bool                 // the answers of lacks, by ID
}

// seek returns the defects of a text; the error is that of a text in which no production is found.
func seek(text rfcText) ([]defect, error) {
	d, whole, err := readDocument(text.name, text.src)
	if err != nil {
		return nil, err
	}
	s := &seeker{
		number:   text.number,
		name:     text.name,
		lines:    strings.Split(strings.ReplaceAll(string(text.src), "\r\n", "\n"), "\n"),
		notices:  whole.Notices,
		grammar:  d.grammar,
		own:      d.rules,
		derivers: map[string]*interpreter.Deriver{},
		lacking:  map[string]bool{},
	}
	s.limited = s.grammar.With(s.grammar.Rules)
	s.limited.Budget = budget.New(context.Background(), budget.Limits{Steps: textSteps})
	s.inGrammar = make([]bool, len(s.lines)+2)
	for _, b := range whole.Blocks {
		for line := b.First; line <= b.Last && line < len(s.inGrammar); line++ {
			s.inGrammar[line] = true
		}
	}
	s.seekInForm()
	s.seekInNotices()
	s.seekInChoices()
	s.seekFields()
	s.seekTokens()
	return s.found, nil
}

// add adds a defect that lint shows.
func (s *seeker) add(class string, line int, production, shown, format string, args ...any) {
	s.found = append(s.found, defect{s.number, line, class, production, fmt.Sprintf(format, args...), "bnfcheck lint " + s.name, shown})
}

var quotedName = regexp.MustCompile("^`([^`]*)` is not defined")

// seekInForm looks for what the form of productions shows: names without a production where one is spelled nearly so, and
// productions that derive nothing.
func (s *seeker) seekInForm() {
	for _, f := range lint.Form(s.grammar) {
		switch f.Code {
		case lint.Undefined:
			m := quotedName.FindStringSubmatch(f.Message)
			if m == nil || strings.HasPrefix(m[1], "<") {
				continue
			}
			if near := s.nearName(m[1]); near != nil {
				s.add("undefined", f.Pos.Line, f.Production, m[0], "%s; line %d defines `%s`", m[0], near.Pos.Line, near.Name)
			}
		case lint.DerivesNothing:
			s.add("endless", f.Pos.Line, f.Production, fmt.Sprintf("`%s` derives nothing", f.Production),
				"every derivation of `%s` needs another one", f.Production)
		}
	}
}

// maxMentions caps how many lines of a text may have a name that is a slip of the pen.
const maxMentions = 3

// nearName returns a production whose name is spelled nearly so: that differs by hyphens and underscores alone, by a letter
// or, in longer names, by two. It returns nil for a name that many lines of the text have, since that is no slip.
func (s *seeker) nearName(name string) *expr.Rule {
	const long = 8
	most := 1
	if len(name) >= long {
		most = 2
	}
	mention := regexp.MustCompile(`(?i)(?:^|[^A-Za-z0-9_-])` + regexp.QuoteMeta(name) + `(?:$|[^A-Za-z0-9_-])`)
	mentions := 0
	for _, line := range s.lines {
		if mention.MatchString(line) {
			mentions++
		}
	}
	if len(name) < 4 || mentions > maxMentions {
		return nil
	}
	plain := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	for _, r := range s.own {
		if plain(r.Name) == plain(name) || levenshtein.ComputeDistance(strings.ToLower(r.Name), strings.ToLower(name)) <= most {
			return r
		}
	}
	return nil
}

var (
	differs  = regexp.MustCompile("^`([^`]*)` differs from [^:]*:(\\d+):")
	unread   = regexp.MustCompile("looks? like a production of `([^`]*)`, and (?:is|are) left out: ([^:]*:(\\d+):\\d+): (.*)$")
	brackets = regexp.MustCompile(`^unclosed "[(\[]"|^unexpected "[)\]]"`)
)

// seekInNotices looks at what was noticed when the text was read: a second production of one name, and productions whose
// brackets do not match. A name of one letter is that of a line, as in SDP, and one with many productions is an example's.
func (s *seeker) seekInNotices() {
	second := map[string][]bnf.Notice{}
	for _, n := range s.notices {
		if m := differs.FindStringSubmatch(n.Message); m != nil && len(m[1]) > 1 {
			key := strings.ToLower(m[1])
			second[key] = append(second[key], n)
		}
		if m := unread.FindStringSubmatch(n.Message); m != nil && brackets.MatchString(m[4]) {
			line, _ := strconv.Atoi(m[3])
			what, _, _ := strings.Cut(m[4], "; expected")
			s.add("brackets", line, m[1], m[2], "%s", what)
		}
	}
	for _, list := range second {
		if m := differs.FindStringSubmatch(list[0].Message); len(list) == 1 {
			s.add("twice", list[0].Pos.Line, m[1], m[0], "defined in lines %d and %s, and not alike", list[0].Pos.Line, m[2])
		}
	}
}

// seekInChoices looks at the alternatives of each choice: one that stands there twice, and one that begins with the whole
// of an earlier one. Where the first alternative that matches is taken, that one never is.
func (s *seeker) seekInChoices() {
	for _, r := range s.own {
		if s.lacks(r.ID) { // lint would not show it
			continue
		}
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op != expr.Alt {
				return true
			}
			for j, later := range e.Sub {
				s.compare(r, later, e.Sub[:j])
			}
			return true
		})
	}
}

// compare compares an alternative with those before it.
func (s *seeker) compare(r *expr.Rule, later *expr.Expr, before []*expr.Expr) {
	for _, earlier := range before {
		a, b := parts(earlier), parts(later)
		if earlier.Op == expr.Empty || len(a) > len(b) || !slices.EqualFunc(a, b[:len(a)], sameExpr) {
			continue
		}
		line, text := later.Pos.Line, lint.Text(s.grammar, later)
		if len(a) == len(b) {
			s.add("repeated", line, r.Name, fmt.Sprintf("%s:%d:", s.name, line), "`%s` is an alternative twice", text)
		} else {
			s.add("hidden", line, r.Name, fmt.Sprintf("`%s` read as an ordered choice loses", r.Name),
				"`%s` hides `%s`", lint.Text(s.grammar, earlier), text)
		}
		return
	}
}

// parts returns the elements of a concatenation.
func parts(e *expr.Expr) []*expr.Expr {
	if e.Op == expr.Seq {
		return e.Sub
	}
	return []*expr.Expr{e}
}

// sameExpr reports whether two expressions are written alike.
func sameExpr(a, b *expr.Expr) bool {
	return a.Op == b.Op && a.Lit == b.Lit && a.Set == b.Set && a.Min == b.Min && a.Max == b.Max && a.Name == b.Name &&
		slices.EqualFunc(a.Sub, b.Sub, sameExpr)
}

// lacks reports whether a production needs what the text does not have, or what cannot be read.
func (s *seeker) lacks(id string) bool {
	lacking, known := s.lacking[id]
	if !known {
		lacking = len(bnf.Missing(s.grammar, id)) > 0
		for _, reached := range s.grammar.Reach(id) {
			if r := s.grammar.Rule(reached); r != nil && r.Refused != nil {
				lacking = true
			}
		}
		s.lacking[id] = lacking
	}
	return lacking
}

// derives reports whether a production derives one of the strings. known is false if that stays open, because a limit is
// passed or the production cannot be interpreted.
func (s *seeker) derives(r *expr.Rule, words []string) (yes, known bool) {
	d, made := s.derivers[r.ID]
	if !made {
		d, _ = interpreter.New(s.limited, r.ID, func(string) bool { return false })
		s.derivers[r.ID] = d
	}
	if d == nil {
		return false, false
	}
	for _, w := range words {
		yes, err := d.Accepts(w)
		if err != nil {
			return false, false
		}
		if yes {
			return true, true
		}
	}
	return false, true
}

// blanksBetween matches signs with the blanks around them, which some texts print for a reader alone.
var blanksBetween = regexp.MustCompile(`[ \t]*([=;,:/<>@"()])[ \t]*`)

// rejects reports whether each of the productions certainly rejects all of the strings, which are the ways to read one
// example: as they are, with the end of a line, and without the blanks around signs.
func (s *seeker) rejects(rules []*expr.Rule, words []string) bool {
	all := slices.Clone(words)
	for _, w := range words {
		all = append(all, w+"\r\n", w+"\n", blanksBetween.ReplaceAllString(w, "$1"))
	}
	for _, r := range rules {
		if yes, known := s.derives(r, all); yes || !known {
			return false
		}
	}
	return true
}

// looksLikeProse matches lines of prose: four words in a row, without a sign between them.
var looksLikeProse = regexp.MustCompile(`(?:^|[ (])(?:[A-Za-z]{2,} ){3}[a-z]{2,}|[a-z]{2,} [a-z]{2,}\.$`)

// maxContinuation caps the lines of one example.
const maxContinuation = 12

// seekFields looks for lines such as "Name: value", of a production with that name, that the production derives neither
// with the name nor without it.
func (s *seeker) seekFields() {
	for _, r := range s.own {
		bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(r.Name, "-header"), "-field"), "-value")
		if len(bare) < 3 || s.lacks(r.ID) {
			continue
		}
		field := regexp.MustCompile(`(?i)^[ \t]+` + regexp.QuoteMeta(bare) + `[ \t]*:[ \t]*(\S.*)$`)
		for i, line := range s.lines {
			m := field.FindStringSubmatch(line)
			if m == nil || s.inGrammar[i+1] || looksLikeProse.MatchString(m[1]) || isPlaceholder(m[1]) {
				continue
			}
			word := strings.TrimSpace(m[1])
			if s.rejects([]*expr.Rule{r}, s.continued(i, strings.TrimSpace(line), word)) {
				s.addField(r, i+1, strings.TrimSpace(line), word)
			}
		}
	}
}

// isPlaceholder reports whether a value stands for any value, such as "<name>, ...".
func isPlaceholder(value string) bool {
	return strings.ContainsAny(value, "<[") && strings.Contains(value, "...")
}

// addField adds a field that a production rejects: the whole line where the production begins with the name, and
// otherwise its value.
func (s *seeker) addField(r *expr.Rule, line int, whole, value string) {
	name, _, _ := strings.Cut(strings.ToLower(whole), ":")
	if s.beginsWith(r.Expr, strings.TrimSpace(name), 0) {
		value = whole
	}
	s.addExample(r, line, value)
}

// addExample adds an example that a production rejects, unless the line has one already.
func (s *seeker) addExample(r *expr.Rule, line int, word string) {
	isKnown := func(d defect) bool { return d.class == "example" && d.line == line && d.production == r.Name }
	if slices.ContainsFunc(s.found, isKnown) {
		return
	}
	shell := "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	command := fmt.Sprintf("bnfcheck check '%s#%s' %s", s.name, r.Name, shell)
	if s.endsLine(r.Expr, 0) {
		command = fmt.Sprintf(`printf '%%s\r\n' %s | bnfcheck check '%s#%s' --whole -f -`, shell, s.name, r.Name)
	}
	s.found = append(s.found, defect{s.number, line, "example", r.Name, "rejects the example " + quote.Quote(word), command, "rejected"})
}

// beginsWith reports whether an alternative of e begins with these letters.
func (s *seeker) beginsWith(e *expr.Expr, letters string, depth int) bool {
	if begins, _ := s.fixed(e, depth); strings.HasPrefix(begins, letters) {
		return true
	}
	switch e.Op {
	case expr.Alt:
		return slices.ContainsFunc(e.Sub, func(sub *expr.Expr) bool { return s.beginsWith(sub, letters, depth) })
	case expr.Seq:
		return s.beginsWith(e.Sub[0], letters, depth)
	case expr.Ref:
		r := s.grammar.Rule(e.Name)
		return r != nil && depth < deepest && s.beginsWith(r.Expr, letters, depth+1)
	}
	return false
}

// endsLine reports whether every alternative of e ends with CRLF.
func (s *seeker) endsLine(e *expr.Expr, depth int) bool {
	switch e.Op {
	case expr.Alt:
		return !slices.ContainsFunc(e.Sub, func(sub *expr.Expr) bool { return !s.endsLine(sub, depth) })
	case expr.Seq:
		return s.endsLine(e.Sub[len(e.Sub)-1], depth)
	case expr.Ref:
		r := s.grammar.Rule(e.Name)
		return strings.EqualFold(e.Name, "CRLF") || r != nil && depth < deepest && s.endsLine(r.Expr, depth+1)
	}
	return false
}

// continued returns the strings that the line with this index may stand for: each of its readings, alone or with lines that
// follow it and are indented as far or farther, joined in several ways.
func (s *seeker) continued(line int, readings ...string) (words []string) {
	indent := func(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }
	words = slices.Clone(readings)
	for _, w := range readings {
		words = append(words, " "+w, strings.Replace(w, ": ", ":", 1))
	}
	soFar := slices.Clone(readings) // with the lines up to next, joined by blanks
	for next := line + 1; next < min(len(s.lines), line+maxContinuation); next++ {
		text := strings.TrimSpace(s.lines[next])
		if text == "" || indent(s.lines[next]) < indent(s.lines[line]) {
			break
		}
		for i, w := range soFar {
			w = strings.TrimRight(w, ` \`)
			for _, between := range []string{" ", "", "\r\n "} {
				words = append(words, w+between+text, " "+w+between+text)
			}
			soFar[i] = w + " " + text
		}
	}
	return words
}

// seekTokens looks for tokens that begin as all strings of a production do, such as a scheme with its colon, and that it
// does not derive.
func (s *seeker) seekTokens() {
	byBeginning := map[string][]*expr.Rule{}
	for _, r := range s.own {
		letters, whole := s.fixed(r.Expr, 0)
		if i := strings.LastIndexAny(letters, ":=/"); !whole && i >= 2 {
			byBeginning[letters[:i+1]] = append(byBeginning[letters[:i+1]], r)
		}
	}
	for beginning, rules := range byBeginning {
		if slices.ContainsFunc(rules, func(r *expr.Rule) bool { return s.lacks(r.ID) }) {
			continue
		}
		for i, line := range s.lines {
			at := tokenAt(line, beginning)
			if at < 0 || s.inGrammar[i+1] {
				continue
			}
			rest := strings.TrimSpace(line[at:])
			if looksLikeProse.MatchString(rest) {
				continue
			}
			token := firstToken(rest)
			if s.rejects(rules, s.tokenReadings(i, rest, token)) {
				word := rest // an example that is a line of its own, as in SDP
				if strings.TrimSpace(line[:at]) != "" || strings.ContainsAny(rest, `"<>|`) {
					word = strings.TrimRight(token, ".,;:)'")
				}
				s.addExample(rules[0], i+1, strings.TrimRight(word, ` \`))
			}
		}
	}
}

// tokenAt returns where a token with a beginning, in lower case, stands in a line: after a sign that comes before tokens, and
// going on with one that can be a part of it. It returns -1 if the first place of the beginning is none.
func tokenAt(line, beginning string) int {
	at := strings.Index(strings.ToLower(line), beginning)
	if at < 0 || at > 0 && !strings.ContainsAny(line[at-1:at], " \"<(") {
		return -1
	}
	end := at + len(beginning)
	if end >= len(line) || strings.ContainsAny(line[end:end+1], " \"<[{).'") {
		return -1
	}
	return at
}

// maxBroken caps the lines over which a token is broken.
const maxBroken = 4

// tokenReadings returns the strings that may be meant by a token in the line with this index, of which rest is what begins
// with the token: those of continued, and the token without the signs at its end or with the lines over which it is broken.
func (s *seeker) tokenReadings(line int, rest, token string) []string {
	words := append(s.continued(line, rest, token), trimmed(token)...)
	text := rest
	for next := line + 1; next < min(len(s.lines), line+maxBroken); next++ {
		follows := strings.TrimSpace(s.lines[next])
		if follows == "" {
			break
		}
		broken := text + firstToken(follows)
		words = append(append(words, broken), trimmed(broken)...)
		text += follows
	}
	return words
}

// firstToken returns a text up to a blank, a quotation mark or a bracket of a URI.
func firstToken(text string) string {
	if i := strings.IndexAny(text, " \t\"<>"); i >= 0 {
		return text[:i]
	}
	return text
}

// trimmed returns a token without one, two, or more of the signs of punctuation that end it.
func trimmed(token string) (list []string) {
	for token != "" && strings.ContainsAny(token[len(token)-1:], ".,;:)'\"]}!?") {
		token = token[:len(token)-1]
		list = append(list, token)
	}
	return list
}

// deepest caps the productions within each other that are followed to find how a string begins or ends.
const deepest = 8

// fixed returns the letters, in lower case, with which every string of e begins. whole reports that the strings have no
// others.
func (s *seeker) fixed(e *expr.Expr, depth int) (letters string, whole bool) {
	switch e.Op {
	case expr.Empty:
		return "", true
	case expr.Literal:
		return strings.ToLower(e.Lit), true
	case expr.Class:
		only := ""
		for b := range 256 {
			if letter := strings.ToLower(string(rune(b))); e.Set.Has(byte(b)) && letter != only {
				if only != "" {
					return "", false
				}
				only = letter
			}
		}
		return only, only != ""
	case expr.Ref:
		r := s.grammar.Rule(e.Name)
		if r == nil || depth > deepest {
			return "", false
		}
		return s.fixed(r.Expr, depth+1)
	case expr.Seq:
		for _, part := range e.Sub {
			more, all := s.fixed(part, depth)
			if letters += more; !all {
				return letters, false
			}
		}
		return letters, true
	}
	return "", false
}

// A defectClass is a kind of defect.
type defectClass struct {
	name, means string
}

// defectClasses are the classes in the order of the page.
var defectClasses = []defectClass{
	{"undefined", "a name without a production, where the text has one for a name that is spelled nearly so"},
	{"brackets", "a bracket that is not closed, or was not opened: the production is no ABNF"},
	{"twice", "two productions of one name that are not alike, and of which neither is an example, an old version or another format's"},
	{"endless", "a production that uses itself in every derivation, and so derives nothing"},
	{"repeated", "an alternative that stands in one choice twice; letters in quotation marks match either case"},
	{"hidden", "an alternative that begins with the whole of an earlier one: a parser that takes the first alternative that matches, as a PEG does, never takes it, and loses what it derives"},
	{"example", "an example in the text that the production of its name rejects"},
}

// A defectJudgment is what a person has found about the candidates of one production.
type defectJudgment struct {
	keep  bool
	lines []int // of those that are kept
	why   string
}

// defectKey identifies the candidates of a production.
type defectKey struct {
	class      string
	number     int
	production string
}

// readDefectJudgments reads testdata/rfc-defects.tsv.
func readDefectJudgments(t *testing.T) map[defectKey]defectJudgment {
	t.Helper()
	judged := map[defectKey]defectJudgment{}
	for i, line := range strings.Split(strings.TrimSuffix(read(t, "testdata/rfc-defects.tsv"), "\n"), "\n")[2:] {
		c := strings.Split(line, "\t")
		if len(c) != 6 || c[0] != "keep" && c[0] != "drop" || (c[0] == "keep") != (c[5] == "") {
			t.Fatalf("testdata/rfc-defects.tsv: row %d: %q", i+1, line)
		}
		key := defectKey{c[1], must.Of(strconv.Atoi(c[2]))(t), c[3]}
		j := defectJudgment{keep: c[0] == "keep", why: c[5]}
		if j.keep {
			for n := range strings.SplitSeq(c[4], ",") {
				j.lines = append(j.lines, must.Of(strconv.Atoi(n))(t))
			}
		}
		if _, again := judged[key]; again {
			t.Fatalf("testdata/rfc-defects.tsv: row %d: judged twice", i+1)
		}
		judged[key] = j
	}
	return judged
}

// A defectRow is a row of the page: the defects of one class in one production.
type defectRow struct {
	defect       // the first
	also   []int // the lines of others
}

// keptDefects returns the rows of the candidates that are kept, in the order of the page, and how many productions have
// candidates of each class. A candidate that nobody has judged and a judgment without a candidate are errors.
func keptDefects(t *testing.T, found []defect, judged map[defectKey]defectJudgment) (rows []defectRow, counts map[string]int) {
	t.Helper()
	by := map[defectKey][]defect{}
	for _, d := range found {
		key := defectKey{d.class, d.number, d.production}
		by[key] = append(by[key], d)
	}
	counts = map[string]int{}
	for key, list := range by {
		counts[key.class]++
		j, known := judged[key]
		if !known {
			t.Errorf("nobody has judged: %s, RFC %d, line %d: `%s` %s", key.class, key.number, list[0].line, key.production, list[0].what)
		}
		slices.SortStableFunc(list, func(a, b defect) int { return cmp.Compare(a.line, b.line) })
		var row *defectRow
		for _, d := range list {
			switch {
			case !slices.Contains(j.lines, d.line):
			case row == nil:
				row = &defectRow{defect: d}
			case d.line != row.line && !slices.Contains(row.also, d.line):
				row.also = append(row.also, d.line)
			}
		}
		if row != nil {
			rows = append(rows, *row)
		}
	}
	for key, j := range judged {
		if len(by[key]) == 0 {
			t.Errorf("no candidate any more: %s, RFC %d, `%s`", key.class, key.number, key.production)
		} else if j.keep && !slices.ContainsFunc(by[key], func(d defect) bool { return d.line == j.lines[0] }) {
			t.Errorf("not found any more: %s, RFC %d, line %d: `%s`", key.class, key.number, j.lines[0], key.production)
		}
	}
	slices.SortFunc(rows, func(a, b defectRow) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.line, b.line),
			cmp.Compare(a.class, b.class), cmp.Compare(a.production, b.production))
	})
	return rows, counts
}

// defectTables returns the two tables of the page.
func defectTables(rows []defectRow, counts map[string]int) (classes, table string) {
	kept := map[string]int{}
	for _, r := range rows {
		kept[r.class]++
	}
	var b strings.Builder
	b.WriteString("| class | what | candidates | kept |\n|---|---|--:|--:|\n")
	for _, c := range defectClasses {
		fmt.Fprintf(&b, "| %s | %s | %d | %d |\n", c.name, c.means, counts[c.name], kept[c.name])
	}
	classes = b.String() + "\n"
	b.Reset()
	b.WriteString("| RFC | line | production | class | what | command |\n|--:|--:|---|---|---|---|\n")
	for _, r := range rows {
		also := ""
		if len(r.also) > 0 {
			var lines []string
			for _, n := range r.also {
				lines = append(lines, strconv.Itoa(n))
			}
			also = "; also in " + layout.Agree(len(lines), "line ", "lines ") + layout.List(lines, "and")
		}
		what := strings.ReplaceAll(r.what, "|", `\|`)
		fmt.Fprintf(&b, "| %d | %d | `%s` | %s | %s%s | %s |\n", r.number, r.line, r.production, r.class, what, also, results.Code(r.command))
	}
	return classes, b.String() + "\n"
}

var (
	tableOfDefects = regexp.MustCompile(`(?ms)^\| RFC \| line .*?\n\n`)
	tableOfClasses = regexp.MustCompile(`(?ms)^\| class \| what .*?\n\n`)
)

// TestRFCDefects makes the page of defects from the texts in BNFCHECK_RFCS, and runs the command of each row.
func TestRFCDefects(t *testing.T) {
	longtest.Need(t, "reads the texts of all RFCs, and runs a command for each defect")
	folder := folderOfRFCs(t)
	var found []defect
	for text := range textsWithABNF(t, folder) {
		list, err := seek(text)
		if err != nil {
			t.Log(err)
		}
		found = append(found, list...)
	}
	rows, counts := keptDefects(t, found, readDefectJudgments(t))
	runDefectCommands(t, folder, rows)
	if t.Failed() {
		return
	}
	classes, table := defectTables(rows, counts)
	page := read(t, "rfc-defects.md")
	page = tableOfClasses.ReplaceAllLiteralString(page, classes)
	goldentest.Whole(t, "rfc-defects.md", tableOfDefects.ReplaceAllLiteralString(page, table))
}

// runDefectCommands runs the command of each row in the folder of the texts, each once, and looks for what it has to show.
func runDefectCommands(t *testing.T, folder string, rows []defectRow) {
	t.Helper()
	bin := filepath.Dir(program(t))
	path := "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")
	printed := map[string]string{}
	for _, r := range rows {
		out, ran := printed[r.command]
		if !ran {
			ctx, stop := context.WithTimeout(t.Context(), commandTime)
			c := exec.CommandContext(ctx, "sh", "-c", r.command)
			c.Dir, c.Env = folder, append(os.Environ(), path)
			both, _ := c.CombinedOutput() // lint and check end with a status of their own where they find something
			stop()
			out = strings.Join(strings.Fields(string(both)), " ")
			printed[r.command] = out
		}
		if !strings.Contains(out, strings.Join(strings.Fields(r.shown), " ")) {
			t.Errorf("RFC %d, line %d: %s does not show %q", r.number, r.line, r.command, r.shown)
		}
	}
}

// TestRFCDefectsPage holds the form of the page, without the texts: a row for each judgment that keeps something, in
// order, and the counts of the classes.
func TestRFCDefectsPage(t *testing.T) {
	judged := readDefectJudgments(t)
	page := read(t, "rfc-defects.md")
	kept := map[string]int{}
	before, beforeLine := 0, 0
	cell := regexp.MustCompile("^\\| (\\d+) \\| (\\d+) \\| `([^`]+)` \\| ([a-z]+) \\| .+ \\| `(?:` )?(?:bnfcheck|printf) .*` \\|$")
	for i, line := range strings.Split(strings.TrimSpace(tableOfDefects.FindString(page)), "\n") {
		if i < 2 {
			continue
		}
		m := cell.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a row: %s", line)
			continue
		}
		number, at := must.Of(strconv.Atoi(m[1]))(t), must.Of(strconv.Atoi(m[2]))(t)
		j := judged[defectKey{m[4], number, m[3]}]
		if !j.keep || j.lines[0] != at {
			t.Errorf("no judgment keeps it: %s", line)
		}
		if number < before || number == before && at < beforeLine {
			t.Errorf("not in order: %s", line)
		}
		before, beforeLine = number, at
		kept[m[4]]++
	}
	want := map[string]int{}
	candidates := map[string]int{}
	for key, j := range judged {
		candidates[key.class]++
		if j.keep {
			want[key.class]++
		}
	}
	for _, c := range defectClasses {
		row := fmt.Sprintf("| %s | %s | %d | %d |", c.name, c.means, candidates[c.name], want[c.name])
		if !strings.Contains(page, row) || kept[c.name] != want[c.name] {
			t.Errorf("the table has %d rows of %s, and the page has not %s", kept[c.name], c.name, row)
		}
	}
}

// TestSeek gives the program a text with a defect of each class, and next to each something that is none.
func TestSeek(t *testing.T) {
	const text = `RFC 1                          Defects                     January 2026

1.  Grammar

   The grammar uses the ABNF of RFC 5234.

     message      = field-one / field-two
     field-one    = "One:" SP token-list CRLF
     field-two    = "Two:" SP number / "Two:" SP number unit / "Too:" number
     token-list   = tokken *( "," token )
     token        = 1*ALPHA
     number       = 1*DIGIT
     unit         = "m" / "cm" / "M"
     ring         = "(" ring ")"
     nest         = "(" [ nest ] ")"

2.  Again

     letters      = 1*ALPHA
     value        = "value:" letters
     letters      = 1*( ALPHA / DIGIT )

   An open bracket:

     broken       = ( "a" / "b"
     whole        = ( "a" / "b" )

3.  Examples

      value: 12
      value:a b
      value:12
      value:!?
`
	found, err := seek(rfcText{1, "rfc1.txt", []byte(text)})
	must.Do(t, err)
	var got []string
	for _, d := range found {
		got = append(got, fmt.Sprintf("%s %d %s: %s", d.class, d.line, d.production, d.what))
	}
	slices.Sort(got)
	want := []string{
		"brackets 25 broken: unclosed \"(\"",
		"endless 14 ring: every derivation of `ring` needs another one",
		"example 31 value: rejects the example \"value:a b\"",
		"example 33 value: rejects the example \"value:!?\"",
		"hidden 9 field-two: `\"Two:\" SP number` hides `\"Two:\" SP number unit`",
		"repeated 13 unit: `\"M\"` is an alternative twice",
		"twice 19 letters: defined in lines 19 and 21, and not alike",
		"undefined 10 token-list: `tokken` is not defined; line 11 defines `token`",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("found:\n%s", strings.Join(got, "\n"))
	}
}
