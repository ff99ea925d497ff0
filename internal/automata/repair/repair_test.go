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
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

var length = flag.Int("length", 2, "how many characters the strings of the comparison with brute force have after their beginning")

// appendixB is the regular expression of RFC 3986, appendix B.
var appendixB = regexp.MustCompile(`^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`)

var (
	bracketed = regexp.MustCompile(`^(\[[^\]]*\])?[^:]*`)
	anEscape  = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)
)

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
	if m := bracketed.FindStringIndex(s[p.hostStart:to]); m != nil {
		p.hostEnd = p.hostStart + m[1]
	}
	p.host = s[p.hostStart:p.hostEnd]
	return p
}

// A cost is what [repair.Cost] says in words, computed for two given strings.
type cost struct {
	scheme, host    bool
	edits, escapes  int
	early           bool
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
	if c.early != o.early {
		return o.early
	}
	return c.preference < o.preference
}

func (c cost) String() string {
	text := fmt.Sprintf("%d edits, %d escapes, preference %d", c.edits, c.escapes, c.preference)
	if c.early {
		text += ", early"
	}
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
	places  map[string]int      // see place
	ends    map[string][]string // see completed
}

func references() (list []reference) {
	for _, g := range bnfcheck.Grammars() {
		o := repair.Options{FoldScheme: g != bnfcheck.RFC1630, Reserved: setOf(";/?:@=&#")}
		switch g {
		case bnfcheck.RFC1630:
			o.Users = []string{"ftp", "telnet"}
		case bnfcheck.RFC3986:
			o.FoldScheme, o.Relative = false, rfc3986.KindRelativeRef
		}
		list = append(list, reference{g, o, map[string]int{}, map[string][]string{}})
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
	if !b.hasScheme && (a.hasScheme || r.options.Relative == 0) {
		return none
	}
	if !sameScheme && b.hasScheme {
		base.scheme = true
		if !r.knows(t, b.scheme) {
			base.edits += 2
		}
	}
	base.host = (a.hasScheme || a.hasHost) && (!strings.EqualFold(a.host, b.host) || b.hasUser && !a.hasUser)
	fault := r.place(s)
	rows := make([][]cost, len(s)+1)
	cells := make([]cost, len(rows)*(len(t)+1))
	for i := range rows {
		rows[i], cells = cells[:len(t)+1], cells[len(t)+1:]
		for j := range rows[i] {
			best := none
			try := func(c cost) {
				if c.less(best) {
					best = c
				}
			}
			edit := func(from cost, offset, preference int) {
				from.early = from.early || from.edits == base.edits && offset < fault-1
				try(from.plus(1, 0, preference))
			}
			if i == 0 && j == 0 {
				try(base)
			}
			if i > 0 {
				edit(rows[i-1][j], i-1, 0)
			}
			if j > 0 {
				edit(rows[i][j-1], i, 1)
			}
			if i > 0 && j > 0 {
				switch x, y := s[i-1], t[j-1]; {
				case x == y:
					try(rows[i-1][j-1])
				case r.options.FoldScheme && i <= len(a.scheme) && strings.ToLower(string(x)) == string(y):
					try(rows[i-1][j-1].plus(0, 1, 0))
				default:
					edit(rows[i-1][j-1], i-1, 2)
				}
			}
			if i > 0 && j > 2 && t[j-3:j] == percent.Of(s[i-1]) && r.encodesFrom(a, i-1) && encodesTo(b, j-3) {
				n := 1
				if r.options.Reserved.Has(s[i-1]) || s[i-1] == '%' && anEscape.MatchString(s[i-1:]) {
					n = 2
				}
				try(rows[i-1][j-3].plus(0, n, 0))
			}
			rows[i][j] = best
		}
	}
	return rows[len(s)][len(t)]
}

// encodesFrom reports whether the byte at i may be encoded, as far as it depends on where it stands.
func (r reference) encodesFrom(a parts, i int) bool {
	if !a.hasHost || i >= a.hostEnd {
		return i >= a.pathAt || a.hasHost
	}
	return a.hasUser && a.userStart <= i && i <= a.userEnd && // the "@" as well
		(r.options.Users == nil || slices.Contains(r.options.Users, strings.ToLower(a.scheme)))
}

// encodesTo reports whether an escape may stand at j.
func encodesTo(b parts, j int) bool {
	return b.hasUser && b.userStart <= j && j < b.userEnd || j >= b.schemeEnd && (!b.hasHost || j >= b.authorityEnd)
}

// place returns the place of the error of s: the length of the longest beginning that, kept, encoded or put in lower case, begins
// an accepted string.
func (r reference) place(s string) int {
	if n, ok := r.places[s]; ok {
		return n
	}
	a, furthest := apart(s), 0
	isSearched := func(t string) bool { return apart(t).hasScheme || r.options.Relative != 0 && !a.hasScheme }
	var from func(i int, text string, escapes []int)
	from = func(i int, text string, escapes []int) {
		if !slices.ContainsFunc(r.completed(text), func(t string) bool {
			return isSearched(t) && !slices.ContainsFunc(escapes, func(j int) bool { return !encodesTo(apart(t), j) })
		}) {
			return
		}
		if furthest = max(furthest, i); i == len(s) {
			return
		}
		from(i+1, text+s[i:i+1], escapes)
		if low := strings.ToLower(s[i : i+1]); r.options.FoldScheme && i < len(a.scheme) && low != s[i:i+1] {
			from(i+1, text+low, escapes)
		}
		if r.encodesFrom(a, i) {
			from(i+1, text+percent.Of(s[i]), append(slices.Clip(escapes), len(text)))
		}
	}
	from(0, "", nil)
	r.places[s] = furthest
	return furthest
}

// completed returns accepted strings that begin with text: none only if there are none.
func (r reference) completed(text string) []string {
	list, ok := r.ends[text]
	if ok {
		return list
	}
	for _, w := range endings {
		if r.accepts(text + w) {
			list = append(list, text+w)
		}
	}
	r.ends[text] = list
	return list
}

var endings = slices.Concat(words([]string{"a", ":", "/", "@a", "=", "4"}, 2), []string{
	"://a", "://a/", "//a", "//a/", "//a/a", "/a/a", "a/a", "::]", ":]", "]", "//@a/a", ".4.4.4", ".4.4", ".a", ".a/a", ".4.4.4/a",
})

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
			b.WriteString(percent.Of(s[at]))
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
					if j >= 2 && t[j-2:j+1] == percent.Of(s[i-1]) {
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
			{[]string{"http://h:1", "ftp://h:", "telnet://h:", "a://h:", "//h:"}, ` t"/@`, *length,
				[]string{"http://h", "http://h:1/", "ftp://h/", "ftp://", "telnet://h", "a://h", "//h"},
				[]string{":", "1", "/", "t", "h", "@", "%20", "%22", "%40"}, *length + 1},
			{[]string{"ftp://u@h:", "FTP://u:@h", "http://u@", "gopher://"}, `h "/:`, *length,
				[]string{"ftp://u@h/", "ftp://", "ftp://u", "FTP://u", "http://", "gopher://"},
				[]string{":", "/", "u", "h", "@", "%20", "%22", "%40"}, *length + 1},
			{[]string{"ht~tp:", "1http:", "HTTP", " http:", "f:p"}, "/~:a", *length,
				[]string{"http:", "ftp:", "HTTP:", "f:", "a:", "fp:", "htp:", ""}, []string{":", "/", "a", "%7E", "p"}, *length + 1},
			{[]string{"[", "//[", "//u@[", "//[::1]"}, "a]:/ ", *length, []string{"a:", "//[::1]", "//[", "//u@[", "//", "a://[", ""},
				[]string{":", "::", "/", "a", "@", "]", "%5B", "%5D", "%20"}, *length + 1},
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
	if *length == 2 && strs != 5024 {
		t.Errorf("%d strings, want 5024", strs)
	}
}
