package claims

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// refutation returns the sentence that refutes a, an assertion of st about these languages. It speaks of the terms that are
// productions. Where another term has to do with it, the words of the statement come first, in parentheses.
func (s *scope) refutation(st statement, a Assertion, of []*lang.DFA) string {
	words := func(i int) string { return s.words(st.of[i]) }
	first, second := "", ""
	if len(st.of) > 0 {
		first = words(0)
	}
	if len(st.of) > 1 {
		second = words(1)
	}
	said := func(complete bool, sentence string) string {
		if complete {
			return sentence
		}
		return fmt.Sprintf("(%s): %s", a.Says, sentence)
	}
	if a.Witness == nil {
		if st.kind.name == "some" && first != "" {
			return "nothing is " + first
		}
		return said(false, "there is none")
	}
	w := shown(*a.Witness)
	isNot := func(is, isNot string) string {
		switch {
		case is != "" && isNot != "":
			return said(true, fmt.Sprintf("%s is %s, and not %s", w, is, isNot))
		case is != "":
			return said(false, fmt.Sprintf("%s is %s", w, is))
		case isNot != "":
			return said(false, fmt.Sprintf("%s is not %s", w, isNot))
		}
		return said(false, w+" is an exception")
	}
	switch st.kind.name {
	case "subset":
		return isNot(first, second)
	case "equal":
		if of[0].Match(string(*a.Witness)) {
			return isNot(first, second)
		}
		return isNot(second, first)
	case "disjoint":
		if first != "" && second != "" {
			return fmt.Sprintf("%s is both %s and %s", w, first, second)
		}
		return isNot(first+second, "")
	case "none", "rejects":
		if first == "" {
			return isNot("", "")
		}
		return fmt.Sprintf("%s is %s", w, first)
	case "accepts":
		if first == "" {
			return isNot("", "")
		}
		return fmt.Sprintf("%s is not %s", w, first)
	case "printed":
		line := strings.TrimSuffix(a.Says, " is")
		if first == "" {
			first = "one"
		}
		if line, more, ok := strings.Cut(a.Says, " is, "); ok {
			return fmt.Sprintf("%s, %s, is not %s: %s", line, more, first, w)
		}
		return fmt.Sprintf("%s is not %s: %s", line, first, w)
	}
	return isNot("", "")
}

// words returns a term in words, with an article: a production, or the rest of one. Any other term has none.
func (s *scope) words(t *term) string {
	switch {
	case t.op == "rest":
		if w := s.words(t.sub[0]); w != "" {
			return "the rest of " + w
		}
	case t.op == "name":
		name := t.text
		if name == "$" {
			name = s.item
		}
		if r := s.BNF.Rule(name); r != nil {
			return article(r.Name)
		}
	}
	return ""
}

// article returns a production's name with the indefinite article.
func article(name string) string {
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "ur") || strings.HasPrefix(lower, "us"): // as in "you"
		return "a " + name
	case strings.IndexByte("aeio", lower[0]) >= 0, strings.HasPrefix(lower, "u"),
		strings.HasPrefix(lower, "h16"), strings.HasPrefix(lower, "ls"), strings.HasPrefix(lower, "hs"), strings.HasPrefix(lower, "ft"),
		strings.HasPrefix(lower, "ht"), strings.HasPrefix(lower, "fs"), strings.HasPrefix(lower, "nn"): // spelled letter by letter
		return "an " + name
	}
	return "a " + name
}

// shown returns a word as it stands in a sentence: in quotation marks if it has no letter and no digit.
func shown(w octets.Word) string {
	if strings.IndexFunc(string(w), func(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' }) < 0 {
		return octets.Quote(string(w))
	}
	return w.String()
}
