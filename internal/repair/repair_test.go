package repair_test

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/repair"
)

var length = flag.Int("length", 2, "how many characters the strings of the comparison with brute force have after their beginning")

// appendixB is the regular expression of RFC 3986, appendix B.
var appendixB = regexp.MustCompile(`^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`)

// parts takes a string apart with it, and the authority into user information, host and port.
type parts struct {
	scheme, host         string
	hasScheme, hasHost   bool
	hasUser              bool
	schemeEnd            int // after "scheme:"
	userStart, userEnd   int
	hostStart, hostEnd   int
	authorityEnd, pathAt int
}

func apart(s string) (p parts) {
	m := appendixB.FindStringSubmatchIndex(s)
	at := func(i int) (int, int, bool) { return m[2*i], m[2*i+1], m[2*i] >= 0 }
	if from, to, ok := at(2); ok {
		p.scheme, p.hasScheme, p.schemeEnd = s[from:to], true, to+1
	}
	p.pathAt, _, _ = at(5)
	from, to, ok := at(4)
	if !ok {
		return p
	}
	p.hasHost, p.authorityEnd = true, to
	p.hostStart, p.hostEnd = from, to
	if i := strings.LastIndex(s[from:to], "@"); i >= 0 {
		p.hasUser, p.userStart, p.userEnd = true, from, from+i
		p.hostStart = from + i + 1
	}
	if i := strings.Index(s[p.hostStart:to], ":"); i >= 0 {
		p.hostEnd = p.hostStart + i
	}
	p.host = s[p.hostStart:p.hostEnd]
	return p
}

// A cost is what [repair.Cost] says in words, computed for two given strings.
type cost struct {
	scheme, host    bool
	edits, escapes  int
	preference      int
	cannotBeReached bool
}

func (c cost) less(o cost) bool {
	if c.cannotBeReached != o.cannotBeReached {
		return o.cannotBeReached
	}
	if c.scheme != o.scheme {
		return o.scheme
	}
	if c.host != o.host {
		return o.host
	}
	if c.edits != o.edits {
		return c.edits < o.edits
	}
	if c.escapes != o.escapes {
		return c.escapes < o.escapes
	}
	return c.preference < o.preference
}

func (c cost) String() string {
	text := fmt.Sprintf("%d edits, %d escapes, preference %d", c.edits, c.escapes, c.preference)
	if c.host {
		text = "host, " + text
	}
	if c.scheme {
		text = "scheme, " + text
	}
	return text
}

func (c cost) plus(edits, escapes, preference int) cost {
	c.edits += edits
	c.escapes += escapes
	c.preference += preference
	return c
}

// A reference is a grammar with the options with which it is searched.
type reference struct {
	*bnfcheck.Grammar
	options repair.Options
}

func references() (list []reference) {
	for _, g := range bnfcheck.Grammars() {
		o := repair.Options{FoldScheme: g != bnfcheck.RFC1630, Reserved: setOf(";/?:@=&#")}
		if g == bnfcheck.RFC1630 {
			o.Users = []string{"ftp", "telnet"}
		}
		list = append(list, reference{g, o})
	}
	return list
}

func setOf(s string) (set ast.ByteSet) {
	for i := range len(s) {
		set[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return set
}

// accepts reports whether the production of its scheme derives s or, where the scheme has none, the generic one.
func (r reference) accepts(s string) bool {
	v := r.Check(s).Value
	return v == bnfcheck.Conforming || v == bnfcheck.NoProduction
}

// knows reports whether a production of the grammar names the scheme of an accepted string.
func (r reference) knows(t, scheme string) bool {
	_, ok := r.Scheme(scheme)
	return ok || scheme == "url" && r.Grammar == bnfcheck.RFC1630 && r.Check(t).Value == bnfcheck.Conforming
}

// between returns what it costs to come from s to t: the smallest cost of an alignment, and what follows from the parts of both. With
// relaxed it is a lower bound of that for every string that begins with t.
func (r reference) between(s, t string) cost {
	a, b := apart(s), apart(t)
	none := cost{cannotBeReached: true}
	base := cost{}
	sameScheme := a.hasScheme && b.hasScheme && len(a.scheme) == len(b.scheme)
	for i := 0; sameScheme && i < len(a.scheme); i++ {
		sameScheme = a.scheme[i] == b.scheme[i] || strings.ToLower(a.scheme)[i] == b.scheme[i]
	}
	if !sameScheme {
		base.scheme = true
		if !r.knows(t, b.scheme) {
			base.edits += 2
		}
	}
	base.host = (a.hasScheme || a.hasHost) && (!strings.EqualFold(a.host, b.host) || b.hasUser && !a.hasUser)
	users := r.options.Users == nil || slices.Contains(r.options.Users, strings.ToLower(a.scheme))
	mayEncode := func(i, j int) bool {
		fromUser := users && a.hasUser && a.userStart <= i && i <= a.userEnd // the "@" as well
		from := i >= a.pathAt || fromUser || users && a.hasUser && a.hostEnd <= i
		inUser := b.hasUser && b.userStart <= j && j < b.userEnd
		inRest := j >= b.schemeEnd && (!b.hasHost || j >= b.authorityEnd)
		return from && (inUser || inRest)
	}
	rows := make([][]cost, len(s)+1)
	for i := range rows {
		rows[i] = make([]cost, len(t)+1)
		for j := range rows[i] {
			best := none
			try := func(c cost) {
				if c.less(best) {
					best = c
				}
			}
			if i == 0 && j == 0 {
				try(base)
			}
			if i > 0 {
				try(rows[i-1][j].plus(1, 0, 0))
			}
			if j > 0 {
				try(rows[i][j-1].plus(1, 0, 1))
			}
			if i > 0 && j > 0 {
				switch x, y := s[i-1], t[j-1]; {
				case x == y:
					try(rows[i-1][j-1])
				case r.options.FoldScheme && i <= len(a.scheme) && strings.ToLower(string(x)) == string(y):
					try(rows[i-1][j-1].plus(0, 1, 0))
				default:
					try(rows[i-1][j-1].plus(1, 0, 2))
				}
			}
			if i > 0 && j > 2 && t[j-3:j] == fmt.Sprintf("%%%02X", s[i-1]) && mayEncode(i-1, j-3) {
				n := 1
				if r.options.Reserved.Has(s[i-1]) || s[i-1] == '%' && regexp.MustCompile(`^%[0-9A-Fa-f]{2}`).MatchString(s[i-1:]) {
					n = 2
				}
				try(rows[i-1][j-3].plus(0, n, 0))
			}
			rows[i][j] = best
		}
	}
	return rows[len(s)][len(t)]
}

// apply makes steps.
func apply(t *testing.T, s string, steps []repair.Step) string {
	var b strings.Builder
	at := 0
	for _, x := range steps {
		if int(x.Offset) < at {
			t.Errorf("%q: %v is out of order", s, steps)
			return ""
		}
		b.WriteString(s[at:x.Offset])
		at = int(x.Offset)
		switch x.Kind {
		case repair.Encode:
			b.WriteString(repair.Escape(s[at]))
		case repair.Fold, repair.Substitute, repair.Insert:
			b.WriteByte(x.Byte)
		}
		if x.Kind != repair.Insert {
			at++
		}
	}
	return b.String() + s[at:]
}

// search returns the nearest string, as a user gets it.
func search(t *testing.T, l *repair.Language, s string) (string, repair.Cost) {
	steps, c, ok := l.Encoded(s)
	if full, fullCost, fullOK := l.Nearest(s); !fullOK || ok && fullCost != c {
		t.Errorf("%q: found at %v by encoding, at %v (%v) by everything", s, c, fullCost, fullOK)
	} else if !ok {
		steps, c = full, fullCost
	}
	return apply(t, s, steps), c
}

// words lists all strings of up to n of the tokens.
func words(tokens []string, n int) []string {
	list := []string{""}
	for from := 0; n > 0; n-- {
		to := len(list)
		for _, w := range list[from:to] {
			for _, x := range tokens {
				list = append(list, w+x)
			}
		}
		from = to
	}
	return list
}

// candidates are accepted strings in their order.
type candidates []string

func (r reference) candidates(heads []string, tokens []string, n int) (list candidates) {
	for _, w := range words(tokens, n) {
		for _, h := range heads {
			if r.accepts(h + w) {
				list = append(list, h+w)
			}
		}
	}
	sort.Strings(list)
	return slices.Compact(list)
}

// nearer returns a candidate that is nearer to s than best, if there is one. It walks the candidates with the rows of the plain
// edit distance, of which those of a common beginning are computed once, and what begins with a string that is too far is left
// out.
func (list candidates) nearer(r reference, s string, best cost) (found string, compared int) {
	rows := [][]int{make([]int, len(s)+1)}
	for i := range rows[0] {
		rows[0][i] = i
	}
	last := ""
	for n := 0; n < len(list); {
		t := list[n]
		common := 0
		for common < len(t) && common < len(last) && t[common] == last[common] {
			common++
		}
		rows = rows[:common+1]
		last = t[:common]
		far := false
		for j := common; j < len(t) && !far; j++ {
			row := make([]int, len(s)+1)
			least := 1 << 30
			for i := range row {
				row[i] = rows[j][i] + 1
				if i > 0 {
					row[i] = min(row[i], row[i-1]+1, rows[j][i-1]+1)
					if s[i-1] == t[j] || strings.EqualFold(s[i-1:i], t[j:j+1]) {
						row[i] = min(row[i], rows[j][i-1])
					}
					if j >= 2 && t[j-2:j+1] == repair.Escape(s[i-1]) {
						row[i] = min(row[i], rows[j-2][i-1])
					}
				}
				least = min(least, row[i])
			}
			rows = append(rows, row)
			last = t[:j+1]
			// An escape of which only the beginning was read may yet lead to less.
			far = least > best.edits+2
		}
		if far {
			for n < len(list) && strings.HasPrefix(list[n], last) {
				n++
			}
			continue
		}
		n++
		if rows[len(t)][len(s)] > best.edits && !best.scheme && !best.host {
			continue
		}
		compared++
		if c := r.between(s, t); c.less(best) {
			return t, compared
		}
	}
	return "", compared
}

// The result of the search costs what it says, and no candidate costs less: all strings up to a length over several small alphabets,
// of every grammar, with intact and damaged beginnings.
func TestNearestIsCheapest(t *testing.T) {
	strs, pairs := 0, 0
	for _, r := range references() {
		l := repair.New(r.Grammar.Grammar, "", r.options)
		var schemes []string
		for _, s := range r.Schemes {
			schemes = append(schemes, s.Name+":")
		}
		for _, c := range []struct {
			heads  []string // of the strings
			tokens string   // of which the strings consist after that
			n      int
			to     []string // the beginnings of the candidates
			others []string // of which the candidates consist after that
			m      int
		}{
			{[]string{"ftp://", "http://", "FTP://"}, "a:@/^", *length, []string{"ftp://", "http://", "FTP://"},
				[]string{"a", ":", "@", "/", "%5E", "%3A", "%40", "%2F", "1"}, *length + 1},
			{[]string{"news:", "nntp://", "mailto:", "gopher://", "mid:"}, `a1@/"`, *length,
				[]string{"news:", "nntp:", "nntp://", "mailto:", "gopher://", "mid:"},
				[]string{"a", "1", "@", "/", "%22", "%2F", "%40", `"`}, *length + 1},
			{[]string{"wais://a/", "prospero://a/", "file:", "telnet:"}, "a;=?/", *length,
				[]string{"wais://a/", "wais:", "prospero://a/", "prospero://", "file:", "telnet:"},
				[]string{"a", ";", "=", "?", "/", "%3B", "%3F", "%3D", "%2F"}, *length + 1},
			{[]string{"http:", "http:/", "http://a"}, ":/%4#~", *length, []string{"http:", "ftp:", "a:"},
				[]string{"a", ":", "/", "%25", "%7E", "%44", "#", "4"}, *length + 1},
			{[]string{""}, "a:/@~", *length + 1, append([]string{"a:", "1:", "aa:"}, schemes...),
				[]string{"a", ":", "/", "@", "%7E"}, *length + 1},
			{[]string{"htt p:", "fp:", "new:s", "ht", "Gopher//", "url:", "//"}, "a:/", *length,
				append([]string{"a:", "fp:", "new:", "ht:", "url:"}, schemes...),
				[]string{"a", ":", "/", "1", "%3A", "s"}, *length + 1},
		} {
			tokens := strings.Split(c.tokens, "")
			list := r.candidates(c.to, c.others, c.m)
			for _, head := range c.heads {
				for _, w := range words(tokens, c.n) {
					s := head + w
					got, claimed := search(t, l, s)
					if !r.accepts(got) {
						t.Errorf("%s %q: %q is not accepted", r.Name, s, got)
					}
					best := r.between(s, got)
					if best.String() != claimed.String() {
						t.Errorf("%s %q: %q costs %v, and is said to cost %v", r.Name, s, got, best, claimed)
						continue
					}
					found, n := list.nearer(r, s, best)
					if found != "" {
						t.Errorf("%s %q: %q costs %v, more than %q: %v", r.Name, s, got, best, found, r.between(s, found))
					}
					strs++
					pairs += n
				}
			}
		}
	}
	t.Logf("%d strings, %d pairs compared", strs, pairs)
}
