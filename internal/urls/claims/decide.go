package claims

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// An rfc is a grammar that claims are decided on, with the languages computed for that. It is not safe for concurrent
// use.
type rfc struct {
	*catalog.Subject
	printed *expr.Grammar        // as the file has it, names that are nowhere defined included
	fold    bool                 // literals match either case
	memo    map[string]*lang.DFA // of constants and productions, by name
	lets    map[string]*lang.DFA // of the claim that is being decided
	item    string               // what $ stands for in the statement that is being decided; "" if it is not repeated
	err     error                // the first; it stays, and all that is returned after it means nothing

	others    map[string]*catalog.Subject // that claims compare with, by their names
	languages map[*expr.Grammar]*languages
}

// languages holds the languages of one grammar's productions. It computes each one once.
type languages struct {
	space *lang.Space
	bnf   *lang.BNF
}

// newText returns the grammar of a text, for claims to be decided on. s is the grammar as it was read; on
// must report of each reading whether it was on then. Only the one about exact literals is asked here, for
// the strings in terms. In a text without that reading literals are exact.
func newText(s *catalog.Subject, src *bnf.Source, on func(bnf.Reading) bool) *rfc {
	fold := slices.ContainsFunc(src.Readings, func(r bnf.Reading) bool {
		return r.Option == bnf.ExactLiterals && !on(r)
	})
	return &rfc{
		Subject: s, printed: src.Text, fold: fold, memo: map[string]*lang.DFA{},
		others: map[string]*catalog.Subject{}, languages: map[*expr.Grammar]*languages{},
	}
}

// recordError notes an error; the first one is kept.
func (t *rfc) recordError(err error) { t.err = cmp.Or(t.err, err) }

// decideClaim decides c: all its statements, each once for each item that it is repeated for. The error names the
// statement. After an error t decides no other claim: t.err stays.
func (t *rfc) decideClaim(c claim) (Outcome, error) {
	t.lets = map[string]*lang.DFA{}
	o := Outcome{Holds: true}
	for _, st := range c.statements {
		items := st.each
		if len(items) == 0 {
			items = []string{""}
		}
		for _, t.item = range items {
			for _, a := range t.decideStatement(st) {
				a.Aside = a.Aside || st.aside
				o.Holds = o.Holds && (a.Holds || a.Aside)
				o.Assertions = append(o.Assertions, a)
			}
		}
		if t.err != nil {
			return Outcome{}, fmt.Errorf("%s: claim %s: %w", st.pos, c.ID, t.err)
		}
	}
	return o, nil
}

// decideStatement returns the assertions that st makes for t.item: those of assertPrinted and assertPartialForms for
// the two kinds that are about forms, none for a let, which enters its name in t.lets, and otherwise a single one. An
// error in the statement, such as a malformed term, or a let whose name a production, a constant or a let before it
// has, sets t.err, as does a limit that is passed. The result then means nothing.
func (t *rfc) decideStatement(st statement) []Assertion {
	says := st.says
	if t.item != "" {
		shown := t.item
		if r := t.BNF.Rule(t.item); r != nil {
			shown = r.Name
		}
		says = strings.ReplaceAll(says, "$", shown)
	}
	// A kind has at most two terms. Any other operand is a list of strings, as the second of accepts and rejects is.
	var of [2]*lang.DFA
	var words [2]string
	for i, text := range st.of {
		if i == 0 || operands[st.kind] == 2 && st.kind != "accepts" && st.kind != "rejects" {
			of[i], words[i] = t.languageOfTerm(text), t.inWords(text)
		}
	}
	relation := func(bad *lang.DFA) []Assertion { return assertNone(st.kind, says, bad, of[0], words) }
	switch st.kind {
	case "let":
		name, text, _ := strings.Cut(st.says, " = ")
		if t.BNF.Rule(name) != nil || constants[name] != "" || t.lets[name] != nil {
			t.recordError(fmt.Errorf("let %s: the name is taken", name))
		}
		t.lets[name] = t.languageOfTerm(text)
		return nil
	case "subset":
		return relation(of[0].Minus(of[1]))
	case "disjoint":
		return relation(of[0].Intersect(of[1]))
	case "equal":
		return relation(of[0].SymmetricDifference(of[1]))
	case "none":
		return relation(of[0])
	case "some":
		a := Assertion{Says: says, Holds: !of[0].IsEmpty(), Refutation: fmt.Sprintf("(%s): there is none", says)}
		if words[0] != "" {
			a.Refutation = "nothing is " + words[0]
		}
		return []Assertion{a}
	case "accepts", "rejects":
		for w := range strings.FieldsSeq(st.of[1]) {
			if of[0].Match(w) == (st.kind == "rejects") {
				is, isNot := words[0], ""
				if st.kind == "accepts" {
					is, isNot = isNot, is
				}
				return []Assertion{refuted(says, w, sentence(says, w, is, isNot, true))}
			}
		}
		return []Assertion{{Says: says, Holds: true}}
	case "printed":
		return t.assertPrinted(of[0], cmp.Or(words[0], "one"), strings.Fields(strings.Join(st.of[1:], " ")))
	case "unused":
		return t.assertUnused(st.says)
	case "described":
		return t.assertDescribed(st.says)
	}
	return t.assertPartialForms() // the last kind of operands
}

// assertNone asserts that there is no string in bad: the strings that refute a statement of this kind. says is the
// wording of the statement, and first the language of its first term. words has both terms in words; "" for one that
// has none. The shortest string in bad refutes it. The sentence says which term it is in: for disjoint both, for
// equal the one that has it, and otherwise the first.
func assertNone(kind, says string, bad, first *lang.DFA, words [2]string) []Assertion {
	w, found := bad.Shortest()
	if !found {
		return []Assertion{{Says: says, Holds: true}}
	}
	is, isNot := words[0], words[1]
	switch {
	case kind == "equal" && !first.Match(w): // it is in the second term
		is, isNot = isNot, is
	case kind == "disjoint" && is != "" && isNot != "":
		both := fmt.Sprintf("%s is both %s and %s", shownInSentence(quote.Word(w)), is, isNot)
		return []Assertion{refuted(says, w, both)}
	case kind == "disjoint": // it is in both, and one of them has words at most
		is, isNot = is+isNot, ""
	}
	return []Assertion{refuted(says, w, sentence(says, w, is, isNot, kind == "none"))}
}

// refuted returns an assertion that does not hold, with the string that refutes it and the sentence, its
// Refutation, about that string.
func refuted(says, witness, sentence string) Assertion {
	return Assertion{Says: says, Witness: new(quote.Word(witness)), Refutation: sentence}
}

// sentence returns in words what w is and is not; either is "" if there is no such term, or it has no words. With both
// it is "A is B, and not C". With one it is "A is B" if whole is set, since the statement then has only one term, and
// otherwise "(S): A is B", where S is says, the words of the statement. With neither it is "(S): A is an exception".
func sentence(says, w, is, isNot string, whole bool) string {
	text := shownInSentence(quote.Word(w))
	switch {
	case is != "" && isNot != "":
		return fmt.Sprintf("%s is %s, and not %s", text, is, isNot)
	case is != "":
		text += " is " + is
	case isNot != "":
		text += " is not " + isNot
	default:
		text, whole = text+" is an exception", false
	}
	if whole {
		return text
	}
	return fmt.Sprintf("(%s): %s", says, text)
}

// inWords returns a term in words, with an article: a production of this grammar, "a host", or "the rest of" one. It
// is "" for any other term, and for the name of a let.
func (t *rfc) inWords(text string) string {
	text = strings.ReplaceAll(text, "$", t.item)
	if name, ok := strings.CutPrefix(text, "rest("); ok && t.BNF.Rule(strings.TrimSuffix(name, ")")) != nil {
		return "the rest of " + t.inWords(strings.TrimSuffix(name, ")"))
	}
	if r := t.BNF.Rule(text); r != nil && t.lets[text] == nil {
		return article(r.Name)
	}
	return ""
}

// article returns a production's name with the indefinite article, as the names that the RFCs have are spoken. The
// name must not be empty.
func article(name string) string {
	lower := strings.ToLower(name)
	starts := func(with string) bool { return strings.HasPrefix(lower, with) }
	if !starts("ur") && !starts("us") && strings.IndexByte("aeiou", lower[0]) >= 0 || // "ur" and "us" as in "you"
		slices.ContainsFunc([]string{"h16", "ls", "hs", "ft", "ht", "fs", "nn"}, starts) { // spelled letter by letter
		return "an " + name
	}
	return "a " + name
}

// shownInSentence returns a word as it stands in a sentence: in quotation marks if it has no letter and no digit of
// ASCII.
func shownInSentence(w quote.Word) string {
	if strings.IndexFunc(string(w), func(r rune) bool {
		return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}) < 0 {
		return quote.Quote(string(w))
	}
	return w.String()
}

// assertDescribed asserts that the printed text defines the names that a part of it uses; part is "" for the
// productions that are in none. The first name that the text nowhere defines refutes it. A part that no production is
// in sets t.err.
func (t *rfc) assertDescribed(part string) []Assertion {
	t.checkPart(part)
	for _, r := range t.printed.Rules {
		for _, id := range expr.Refs(r.Expr) {
			if r.Part == part && t.printed.Rule(id) == nil {
				return []Assertion{refuted("every name is", id, id+" is not described")}
			}
		}
	}
	return []Assertion{{Says: "every name is", Holds: true}}
}

// checkPart sets t.err if no production of the printed text is in a part: any claim about an empty part would hold.
func (t *rfc) checkPart(part string) {
	if !slices.ContainsFunc(t.printed.Rules, func(r *expr.Rule) bool { return r.Part == part }) {
		t.recordError(fmt.Errorf("no production is in a part %q", part))
	}
}

// assertUnused asserts that in the text as it is printed no production of a part uses the one with an ID. It takes
// "PART ID", or "ID" alone for the productions that are in no part. The last production that uses it refutes it. An
// unknown ID, and a part that no production is in, set t.err.
func (t *rfc) assertUnused(of string) []Assertion {
	part, id, ok := strings.Cut(of, " ")
	if !ok {
		part, id = "", part
	}
	unused := t.printed.Rule(id)
	if unused == nil {
		t.recordError(fmt.Errorf("%s is no production", id))
		return nil
	}
	t.checkPart(part)
	says := "no production uses " + unused.Name
	for _, r := range slices.Backward(t.printed.Rules) {
		if r.Part == part && slices.Contains(expr.Refs(r.Expr), id) {
			return []Assertion{refuted(says, r.Name, r.Name+" uses "+unused.Name)}
		}
	}
	return []Assertion{{Says: says, Holds: true}}
}

// assertPartialForms asserts of each row of RFC 1630's table, lines 592 to 600, that the rule for partial forms gives
// it, once in the context of line 588 and once in that of line 604. The last assertion is an aside: that without one
// of its conditions the rule would give every row. If that does not hold, it has neither a witness nor a refutation.
// The assertions are those of RFC 1630 whatever text t is of, and a form that cannot be resolved sets t.err.
func (t *rfc) assertPartialForms() (list []Assertion) {
	without := Assertion{Holds: true, Aside: true}
	without.Says = `without "no greater number of consecutive slashes anywhere to the right" the rule gives every row`
	for _, context := range []string{"magic://a/b/c//d/e/f", "magic://a/b/c//d/e/"} {
		for _, row := range [][2]string{
			{"g", "magic://a/b/c//d/e/g"}, {"/g", "magic://a/g"}, {"//g", "magic://g"}, {"../g", "magic://a/b/c//d/g"},
			{"g:h", "g:h"},
		} {
			r, err := partial.Resolve(bnfcheck.RFC1630, context, row[0])
			if err != nil {
				t.recordError(err)
			}
			a := Assertion{Says: fmt.Sprintf("%s in %s is %s", row[0], context, row[1]), Holds: true}
			if r.AsWorded != row[1] {
				a = refuted(a.Says, r.AsWorded,
					fmt.Sprintf("%s in %s is %s, and not %s", row[0], context, quote.Word(r.AsWorded), row[1]))
			}
			list = append(list, a)
			without.Holds = without.Holds && r.URI == row[1]
		}
	}
	return append(list, without)
}
