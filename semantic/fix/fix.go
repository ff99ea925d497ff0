// Package fix finds the nearest string that a grammar of URLs accepts, and says which edits lead there and why.
//
//	r, err := fix.Nearest(bnfcheck.RFC1738, "<URL:HTTP://host.dom/~me/>")
//	if err != nil {
//		return err
//	}
//	fmt.Println(r.URL)       // http://host.dom/%7Eme/
//	fmt.Println(r.Certain()) // true: each edit has a reason in the RFC, and the URL means what it meant
//	for _, e := range r.Edits {
//		fmt.Println(e)       // encode at offset 21: "~" -> "%7E" (the octet must be encoded, RFC 1738 section 2.2)
//	}
package fix

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/urls/hostname"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// MaxEdited is the length of the longest input for which [Nearest] looks for a smallest edit.
const MaxEdited = repair.MaxEdited

// Repair is a string that a grammar accepts, near one that it rejects.
type Repair struct {
	URL   string
	Edits []Edit // in the order in which they were made; none if the input is accepted as it is

	// Guess reports whether some edits have no reason in the RFC, but are only the smallest that lead to a string of
	// the grammar.
	Guess bool

	// Differs has the parts of URL that mean something else than those of the input, without its wrapper and its
	// white space. Letters of the scheme and the host in the other case mean the same, and so do an octet and its
	// escape if the octet is not reserved; an empty host or fragment means the same as none.
	Differs Parts

	// Errors are the findings of severity [semantic.Error] on URL, which the grammar derives and the prose forbids.
	Errors []semantic.Finding

	edits int // as its cost counts them: see [repair.Cost.Edits]
}

// Certain reports whether r may be applied without asking: every edit has a reason in the RFC, the URL means what it
// meant, and nothing in the RFC forbids it.
func (r Repair) Certain() bool {
	return !r.Guess && !r.Changes() && r.Differs == 0 && len(r.Errors) == 0
}

// Changes reports whether r has an edit with a reason in the RFC that may change the meaning of the URL. Edits that
// are guesses do not count.
func (r Repair) Changes() bool {
	return slices.ContainsFunc(r.Edits, func(e Edit) bool { return e.Changes && e.Kind < Delete })
}

// Wild reports whether r is a guess that is rarely what the author meant, and that a program may prefer not to show:
// one whose edits cost more than three characters, as [Nearest] counts them, and that changes the scheme or the host,
// or one at more than three places.
func (r Repair) Wild() bool {
	if !r.Guess {
		return false
	}
	places := 0
	for _, e := range r.Edits {
		if e.Kind == Delete || e.Kind == Substitute || e.Kind == Insert {
			places++
		}
	}
	return places > 3 || r.edits > 3 && r.Differs&(InScheme|InHost) != 0
}

// Kind is the kind of an [Edit].
type Kind uint8

const (
	Unwrap       Kind = iota + 1 // take off "<", ">", "URL:" and white space around a URL or between its lines
	FoldScheme                   // write the scheme in lower case
	DropFragment                 // leave out "#" and what follows
	EncodeOctet                  // write octets as escapes
	Delete                       // guess: leave out characters
	Substitute                   // guess: write other characters
	Insert                       // guess: add characters
)

var kinds = [...]string{"", "unwrap", "fold-scheme", "drop-fragment", "encode", "delete", "substitute", "insert"}

// String returns the kind in lower case.
func (k Kind) String() string { return quote.Name("Kind", k, kinds[:]...) }

// An Edit is one step of a [Repair]. Adjacent octets that are edited in the same way are one Edit. So are edits with a
// reason in the RFC where there are more than [MaxEdits] of a kind: Old and New then hold what stands between them as
// well, and Why every reason.
type Edit struct {
	Kind    Kind
	Offset  int    // in the input, of the first byte that is replaced
	Old     string // "" for an insertion
	New     string
	Octets  int    // how many of Old are edited; 0 for an insertion
	Changes bool   // the meaning of the URL may change
	Why     string // the reason, with its section
}

// MaxEdits is the number of edits that are made of an input in one go and listed one by one.
const MaxEdits = 20

// maxQuoted is the length of the longest text that String quotes.
const maxQuoted = 1000

// Summarized reports whether e is told by its number of octets and its place: it is several edits, or too long to be
// quoted.
func (e Edit) Summarized() bool {
	return e.Old != "" && e.Octets != len(e.Old) || max(len(e.Old), len(e.New)) > maxQuoted
}

var editedOctets = [...]string{
	Unwrap: "taken out", FoldScheme: "in lower case", DropFragment: "left out", EncodeOctet: "encoded",
	Delete: "deleted", Substitute: "substituted", Insert: "inserted",
}

// String returns the edit as one line: its kind, place, texts and reason. If it is [Edit.Summarized], it has the number
// of edited octets and their first and last offset instead of the texts; for an insertion both are its place.
func (e Edit) String() string {
	if e.Summarized() && int(e.Kind) < len(editedOctets) {
		n, last := e.Octets, e.Offset+len(e.Old)-1
		if e.Old == "" {
			n, last = len(e.New), e.Offset
		}
		return e.Kind.String() + ": " + quote.Thousands(n) + " octets " + editedOctets[e.Kind] + ", offsets " +
			strconv.Itoa(e.Offset) +
			" to " + strconv.Itoa(last) + " (" + e.Why + ")"
	}
	text := e.Kind.String() + " at offset " + strconv.Itoa(e.Offset) + ": "
	switch {
	case e.Old == "":
		text += ast.Quote(e.New)
	case e.New == "":
		text += ast.Quote(e.Old)
	default:
		text += ast.Quote(e.Old) + " -> " + ast.Quote(e.New)
	}
	return text + " (" + e.Why + ")"
}

// Parts is a set of the parts of a URL: those of RFC 3986, appendix B, with the authority taken apart.
type Parts uint8

const (
	InScheme Parts = 1 << iota
	InUser         // user name and password
	InHost
	InPort
	InPath
	InQuery
	InFragment
)

var partNames = [...]string{"scheme", "user", "host", "port", "path", "query", "fragment"}

// Names returns the names of the parts in the order of a URL.
func (p Parts) Names() (list []string) {
	for i, name := range partNames {
		if p>>i&1 == 1 {
			list = append(list, name)
		}
	}
	return list
}

// String returns the parts in words: "scheme, host and path".
func (p Parts) String() string { return quote.List(p.Names(), "and") }

// The errors of [Nearest].
var (
	ErrNoMachine = errors.New("fix: the grammar has no automaton to repair strings with")
	ErrTooLong   = errors.New("fix: encoding is not enough, and the input is too long to look for a smallest " +
		"edit (" + strconv.Itoa(MaxEdited) + " bytes)")
)

// Nearest returns the nearest string that g accepts, by the production of its scheme if the scheme has one. A string
// that only the generic production derives although its scheme has one of its own ([semantic.MatchGeneric]) is
// repaired, too. One that g accepts otherwise comes back as it is, without edits, but with its [Repair.Errors].
//
// Some edits have a reason in the RFC: the wrapper <URL:...> and white space are taken off, the scheme is written in
// lower case, a fragment is dropped if g is of the family of RFC 1738, an empty one also in that of RFC 1630, and
// octets that cannot stand where they are, but can as an escape, are encoded. If that is not enough the answer is a
// guess: single characters are deleted, substituted or inserted as well. What is nearest is found exactly, over all
// productions, by this cost. Each line of it weighs more than all below it:
//
//   - the scheme differs from the one that stood there;
//   - the host differs (an added or a lost one differs, an empty one is none);
//   - every character that is deleted, inserted or substituted; two more for a scheme that g does not know;
//   - every octet that is encoded, twice if it is reserved, and every letter of the scheme that is put in lower case;
//   - a first edit away from the place of the error: before the last byte of what can stay or be encoded;
//   - insertions, and twice substitutions, rather than deletions.
//
// The scheme that is missing before what looks like the name of a host ("www.host.dom/"), or a mail address, is one
// insertion. Reading a leading "URL:" as a scheme costs one edit. The scheme and the host are never encoded, nor is
// user information where the scheme has none. If the nearest string is no guess, but encodes octets and has
// [Repair.Errors], and the nearest one that encodes none has no such errors, that one is returned instead.
//
// The work for a guess grows with the length of the input times the number of states of the productions that are
// searched. The error is [ErrTooLong] for an input that needs one and, without its wrapper, is longer than [MaxEdited].
// It is [ErrNoMachine] if g is nil or has no automaton.
func Nearest(g *bnfcheck.Grammar, input string) (Repair, error) {
	if g == nil || g.Grammar == nil || g.Grammar.Tables == nil || g.Grammar.Parse == nil || g.Accept == nil {
		return Repair{}, ErrNoMachine
	}
	p := g.Parser()
	p.MaxLength, p.Unexplained = max(1, len(input)), true
	if v := p.Check(input); v.Value == bnfcheck.Conforming || v.Value == bnfcheck.NoProduction {
		return Repair{URL: input, Errors: errorsIn(v.Tree)}, nil
	}
	f := fixerOf(g.Grammar)
	if f.plain == nil {
		return Repair{}, ErrNoMachine
	}
	d, ok := f.fix(input, (*repair.Language).Encoded)
	if !ok {
		d, ok = f.fix(input, (*repair.Language).Nearest)
		if !ok {
			return Repair{}, ErrTooLong
		}
	}
	r := d.repair(p)
	encodes := func(e Edit) bool { return e.Kind == EncodeOctet }
	if len(r.Errors) > 0 && !r.Guess && slices.ContainsFunc(r.Edits, encodes) {
		if d, ok := f.fix(input, (*repair.Language).Unencoded); ok {
			if other := d.repair(p); len(other.Errors) == 0 {
				return other, nil
			}
		}
	}
	return r, nil
}

// errorRules selects the rules of severity [semantic.Error].
var errorRules = semantic.Select(func(r semantic.Rule) bool { return r.Severity == semantic.Error })

// errorsIn returns the findings of severity [semantic.Error] in a URL or a reference; none for a tree of anything
// else.
func errorsIn(tree *ast.Tree) []semantic.Finding {
	if r, err := semantic.ReferenceOf(tree); err == nil {
		return errorRules.ReferenceFindings(r)
	}
	u, err := semantic.Of(tree)
	if err != nil {
		return nil
	}
	return errorRules.Findings(u)
}

// A fixer repairs strings for one grammar.
type fixer struct {
	family   semantic.Family
	from     string           // the text that edits rest on; RFC 1630 has neither wrappers nor a word on upper case
	plain    *repair.Language // of the grammar
	prefixed *repair.Language // of what may follow RFC 1630's "url:"; nil elsewhere
	why      reasons
}

const urlPrefix = "url:" // of RFC 1630's prefixedurl

var fixers sync.Map // by *ast.Grammar

// fixerOf returns the fixer of a grammar. The first call for a grammar makes it, and it is kept for good. It is never
// nil, but its plain is if the grammar has no automaton. Several goroutines may call fixerOf.
func fixerOf(g *ast.Grammar) *fixer {
	if f, ok := fixers.Load(g); ok {
		return f.(*fixer)
	}
	// Two first calls at the same time each make one, and the later one is kept; they do the same.
	f := &fixer{family: semantic.FamilyOf(g), from: "RFC 1738"}
	o := repair.Options{Reserved: ast.ByteSetOf(";/?:@=&#")}
	switch f.family {
	case semantic.Family3986:
		f.from = g.Title
		o.Relative, _ = g.Kind("relative-ref")
		o.Reserved = ast.ByteSetOf(":/?#[]@!$&'()*+,;=")
	case semantic.Family1738:
		o.FoldScheme, f.from = true, g.Title
	case semantic.Family1630:
		o.Reserved = ast.ByteSetOf(";/?:@=&#*!+")
		o.Users = []string{"ftp", "telnet"} // elsewhere an "@" is part of the host to its BNF
		f.prefixed = repair.New(g, urlPrefix, o)
	}
	f.plain = repair.New(g, "", o)
	f.why = f.reasons()
	fixers.Store(g, f)
	return f
}

// fix returns the first of the cheapest drafts of the input, with its edits made and edited set. ok is false, and
// best nil, if nearest finds steps for none. nearest finds the steps that lead from a text to a language, and their
// cost, as the methods of [repair.Language] do.
func (f *fixer) fix(
	input string, nearest func(*repair.Language, string) ([]repair.Step, repair.Cost, bool),
) (best *draft, ok bool) {
	var bestCost repair.Cost
	var bestSteps []repair.Step
	for _, d := range f.drafts(input) {
		steps, cost, ok := nearest(d.language, d.text[d.lead:])
		cost += d.cost
		if ok && (best == nil || cost < bestCost) {
			best, bestCost, bestSteps = d, cost, steps
		}
	}
	if best == nil {
		return nil, false
	}
	best.apply(bestSteps)
	best.edited = bestCost.Edits()
	return best, true
}

// drafts returns the ways to read the input, in this order: with a leading "url:", in lower case, as part of it, if
// f.prefixed is set, as under RFC 1630; without a leading "URL:", in any case; with the scheme that is missing before
// the name of a host or a mail address, but not under RFC 3986; and as it is. The last one is always there. Each has
// been unwrapped and finished: see [draft.unwrap] and [draft.finish]. A scheme that is added costs an edit, and makes
// the draft a guess; to keep a leading "URL:" as a scheme costs an edit as well. The other drafts cost nothing yet.
func (f *fixer) drafts(input string) (list []*draft) {
	d := newDraft(f, input)
	d.unwrap()
	if f.prefixed != nil && strings.HasPrefix(d.text, urlPrefix) {
		p := d.clone()
		p.language, p.lead = f.prefixed, len(urlPrefix)
		p.finish()
		list = append(list, p)
	}
	if len(d.text) > len(urlPrefix) && strings.EqualFold(d.text[:len(urlPrefix)], urlPrefix) {
		p := d.clone()
		p.off(0, len(urlPrefix))
		p.trim()
		p.finish()
		list = append(list, p)
		d.cost = repair.Edit
	}
	if scheme := missingScheme(d.text); scheme != "" && d.family != semantic.Family3986 {
		p := d.clone()
		p.finish()
		p.rewrite(change{0, 0, scheme, Edit{Kind: Insert, Changes: true, Why: "a guess: what follows begins as " +
			"the name of a host or a mail address does"}})
		p.guess, p.cost = true, repair.Edit
		list = append(list, p)
	}
	d.finish()
	return append(list, d)
}

// missingScheme returns the scheme, and the slashes, that are missing before a text that begins as the name of a host
// does, or a mail address: "http://" for "www.host.dom/", "http:" for "//host.dom", "mailto:" for "me@host.dom". See
// RFC 3986, section 4.5, on suffix references. It is "" if nothing is missing, or nothing can be guessed.
func missingScheme(text string) string {
	p := repair.Split(text)
	if p.Scheme.Present {
		return ""
	}
	if p.Host.Present {
		if hostname.IsHost(p.Host.Text) {
			return schemeOfHost(p.Host.Text) + ":"
		}
		return ""
	}
	first, _, _ := strings.Cut(p.Path.Text, "/")
	if local, domain, ok := strings.Cut(first, "@"); ok && first == text {
		if local != "" && hostname.IsHost(domain) {
			return "mailto:"
		}
		return ""
	}
	if !hostname.IsHost(first) {
		return ""
	}
	return schemeOfHost(first) + "://"
}

// schemeOfHost returns the scheme that the name of a host suggests. It is "http" for any name that suggests no other.
func schemeOfHost(host string) string {
	first, _, _ := strings.Cut(strings.ToLower(host), ".")
	switch first {
	case "ftp", "gopher", "wais", "telnet":
		return first
	}
	return "http"
}

// draft is the text under repair. at holds where in the input each byte of text stands, and at last the input's
// length; it is nil once apply has made changes.
type draft struct {
	*fixer
	language *repair.Language // in which text[lead:] is to be
	lead     int
	cost     repair.Cost // of this way to read the input

	stood  string // what stood there: the input without its wrapper and the white space that is taken out
	text   string
	at     []int32
	edits  []Edit
	edited int // see [Repair.edits]

	guess   bool // an edit is a guess
	wrapped bool // there was a "<"
}

// newDraft returns a draft of an input to which nothing has been done.
func newDraft(f *fixer, input string) *draft {
	d := &draft{fixer: f, language: f.plain, text: input, at: make([]int32, len(input)+1)}
	for i := range d.at {
		d.at[i] = int32(i)
	}
	return d
}

// clone returns a copy of d. Texts and offsets are replaced, never modified, so the copy shares them.
func (d *draft) clone() *draft {
	c := *d
	c.edits = slices.Clone(d.edits)
	return &c
}

// change puts a text in place of text[from:to].
type change struct {
	from, to int
	text     string
	edit     Edit // Kind, Changes and Why
}

// rewrite makes changes, which stand in the order of the text and do not overlap, in one pass.
func (d *draft) rewrite(changes ...change) { d.rewriteAll(slices.Values(changes), len(d.text), false) }

// rewriteAll is rewrite, for changes that may be as many as the text has bytes. size is the most bytes that the text
// will have. last says that no further changes will be made: then d.at is not kept up, and nil afterwards. If there are
// more than [MaxEdits] changes, neighbors in the list of one kind become one [Edit], the first ones included, unless
// they are guesses; text between them becomes a part of it. rewriteAll sets d.text, and adds to d.edits. Without
// changes it does nothing. d.at must not be nil.
func (d *draft) rewriteAll(changes iter.Seq[change], size int, last bool) {
	type span struct{ from, to, newFrom, newTo int }
	var spans []span // of the edits
	first, done, many := len(d.edits), 0, false
	var text strings.Builder
	var at []int32
	for c := range changes {
		if len(spans) == 0 {
			text.Grow(size)
			if !last {
				at = make([]int32, 0, size+1)
			}
		}
		text.WriteString(d.text[done:c.from])
		s := span{c.from, c.to, text.Len(), text.Len() + len(c.text)}
		text.WriteString(c.text)
		if !last {
			at = append(at, d.at[done:c.from]...)
			for i := range len(c.text) {
				at = append(at, d.at[min(c.from+i, c.to)])
			}
		}
		done = c.to
		c.edit.Offset, c.edit.Octets = int(d.at[c.from]), c.to-c.from
		d.edits, spans = append(d.edits, c.edit), append(spans, s)
		if !many && len(spans) <= MaxEdits {
			continue
		}
		// Put together neighbors of one kind: all at first, then the last with the one before it.
		// The edit at k, counted from first, may still grow; those before it are done.
		k := 0
		if many {
			k = max(0, len(spans)-2)
		}
		many = true
		for i := k + 1; i < len(spans); i++ {
			e, next := &d.edits[first+k], d.edits[first+i]
			if e.Kind != next.Kind || e.Kind >= Delete {
				k++
				d.edits[first+k], spans[k] = next, spans[i]
				continue
			}
			spans[k].to, spans[k].newTo = spans[i].to, spans[i].newTo
			e.Octets += next.Octets
			e.Changes = e.Changes || next.Changes
			if !strings.Contains(e.Why, next.Why) {
				e.Why += "; " + next.Why
			}
		}
		d.edits, spans = d.edits[:first+k+1], spans[:k+1]
	}
	if len(spans) == 0 {
		return
	}
	before := d.text
	text.WriteString(before[done:])
	d.text = text.String()
	if last {
		d.at = nil
	} else {
		d.at = append(at, d.at[done:]...)
	}
	for i, s := range spans {
		e := &d.edits[first+i]
		e.Old, e.New = before[s.from:s.to], d.text[s.newFrom:s.newTo]
	}
}

// unwrapping returns the kind and the reason of an edit that takes off a wrapper or white space.
func (d *draft) unwrapping() Edit {
	why := "wrapper and white space are no part of the URL, " + d.from + " appendix"
	if d.family == semantic.Family3986 {
		why += " C"
	}
	return Edit{Kind: Unwrap, Why: why}
}

// off removes a piece of a wrapper.
func (d *draft) off(from, to int) {
	if from < to {
		d.rewrite(change{from, to, "", d.unwrapping()})
	}
}

// whiteSpace is what the appendices on URLs in text take out of them.
const whiteSpace = " \t\r\n\v\f"

// trim removes white space at both ends.
func (d *draft) trim() {
	d.off(0, len(d.text)-len(strings.TrimLeft(d.text, whiteSpace)))
	d.off(len(strings.TrimRight(d.text, whiteSpace)), len(d.text))
}

// unwrap removes the white space at both ends, the wrapper in it, and the white space at both ends of what is left.
// The wrapper is "<" and ">", as in the appendix of RFC 1738 and of the draft before it, but not the prefix "URL:". The
// ">" may be missing. A text of RFC 3986 in double quotes, as in its appendix C, loses these, and no "<" in them.
// unwrap sets d.wrapped if it has removed a "<".
func (d *draft) unwrap() {
	d.trim()
	if d.family == semantic.Family3986 && len(d.text) > 1 && d.text[0] == '"' && d.text[len(d.text)-1] == '"' {
		d.off(0, 1)
		d.off(len(d.text)-1, len(d.text))
		d.trim()
		return
	}
	d.wrapped = strings.HasPrefix(d.text, "<")
	if d.wrapped {
		d.off(0, len("<"))
		d.off(len(strings.TrimSuffix(d.text, ">")), len(d.text))
		d.trim()
	}
}

// finish takes out white space, all of it in a wrapper and otherwise that around line breaks (elsewhere it is an octet
// to be encoded). It takes out the fragment under RFC 1738, and only an empty one under RFC 1630; under RFC 3986 it
// takes out none. The reason for an empty one is that of RFC 1630 under both. It sets d.stood to the text before the
// fragment is taken out.
func (d *draft) finish() {
	d.rewriteAll(d.gaps(), len(d.text), false)
	d.stood = d.text
	i := strings.IndexByte(d.text, '#')
	if i < 0 || d.family == semantic.Family3986 {
		return
	}
	const void = "a void fragment refers to the whole object with or without \"#\", RFC 1630, Fragment-id"
	switch {
	case i == len(d.text)-1:
		d.rewrite(change{i, len(d.text), "", Edit{Kind: DropFragment, Why: void}})
	case d.family == semantic.Family1738:
		d.rewrite(change{i, len(d.text), "", Edit{Kind: DropFragment, Changes: true,
			Why: d.from + " has no fragments: the URL now designates the whole object; \"#\" as data is written " +
				"%23, section 2.2"}})
	}
}

// gaps returns the white space to take out, one change a run: every run if d.wrapped is set, and otherwise those with a
// line break in them.
func (d *draft) gaps() iter.Seq[change] {
	return func(yield func(change) bool) {
		text, edit := d.text, d.unwrapping()
		for i := 0; i < len(text); i++ {
			if strings.IndexByte(whiteSpace, text[i]) < 0 {
				continue
			}
			from := i
			for i+1 < len(text) && strings.IndexByte(whiteSpace, text[i+1]) >= 0 {
				i++
			}
			if (d.wrapped || strings.ContainsAny(text[from:i+1], "\r\n")) && !yield(change{from, i + 1, "", edit}) {
				return
			}
		}
	}
}

// apply makes the edits that steps ask for, given in the order of the text; their offsets count from d.lead. Steps
// next to each other that describe tells alike are one edit. apply sets d.guess if one is a guess. It is the last
// change of a draft: if there are steps, d.at is nil after it.
func (d *draft) apply(steps []repair.Step) {
	d.rewriteAll(func(yield func(change) bool) {
		for i := 0; i < len(steps); {
			at := d.lead + int(steps[i].Offset)
			c := change{from: at, to: at, edit: d.describe(steps[i].Kind, at)}
			first, size := i, 0
			for ; i < len(steps) && d.lead+int(steps[i].Offset) == c.to &&
				d.describe(steps[i].Kind, c.to) == c.edit; i++ {
				size++
				if steps[i].Kind == repair.Encode {
					size += len("XX")
				}
				if steps[i].Kind != repair.Insert {
					c.to++
				}
			}
			text := make([]byte, 0, size)
			for _, s := range steps[first:i] {
				switch s.Kind {
				case repair.Encode:
					text = percent.Append(text, d.text[d.lead+int(s.Offset)])
				case repair.Fold, repair.Substitute, repair.Insert:
					text = append(text, s.Byte)
				}
			}
			c.text = string(text)
			d.guess = d.guess || c.edit.Kind >= Delete
			if !yield(c) {
				return
			}
		}
	}, len(d.text)+2*len(steps), true)
}

var guesses = [...]Kind{repair.Delete: Delete, repair.Substitute: Substitute, repair.Insert: Insert}

// describe returns the edit for a step at an offset of the text, without its place and its texts. A guess may change
// the meaning, and lower case does not. An octet that is encoded may if it is reserved there, or if it is the "\" of a
// path of Windows.
func (d *draft) describe(kind repair.Kind, at int) Edit {
	switch kind {
	case repair.Delete, repair.Substitute, repair.Insert:
		return Edit{Kind: guesses[kind], Changes: true, Why: "a guess"}
	case repair.Fold:
		return Edit{Kind: FoldScheme, Why: d.why.fold}
	}
	e := Edit{Kind: EncodeOctet, Changes: d.language.Reserved(d.text, at)}
	switch {
	case d.family == semantic.Family1630 && d.text[at] == ';' && strings.HasPrefix(d.text[at:], ";type="):
		e.Why = "the prose has a type here, RFC 1630, FTP, which the BNF does not derive; encoded it is part of " +
			"the name"
	case e.Changes:
		e.Why = d.why.reserved
	default:
		e.Why = d.why.octet
	}
	// C:\ is a path of Windows, which reads as one with the scheme "c".
	if d.text[at] == '\\' && at-d.lead == len("C:") && repair.Split(d.text[d.lead:]).Scheme.Present {
		e.Changes = true
		e.Why += "; if it is a path after the letter of a drive, its URL begins with file:///"
	}
	return e
}

// reasons are the reasons of edits.
type reasons struct{ fold, reserved, octet string }

// reasons returns the reasons with the sections of f's text.
func (f *fixer) reasons() reasons {
	in := func(section string) string { return citation.Place{Title: f.from, Section: section}.String() }
	octet, reserved := in("2.2"), in("2.2")
	switch f.family {
	case semantic.Family1630:
		octet = citation.Place{Title: "RFC 1630", Section: "Conventional URI encoding scheme"}.String()
		reserved = "RFC 1630, Reduced or increased safe character sets"
	case semantic.Family3986:
		octet = in("2.1")
	}
	return reasons{
		fold: "upper-case letters are equivalent to lower-case ones in scheme names, " + in("2.1"),
		reserved: "it cannot stand here as a reserved character; encoded it is data, which may change the meaning, " +
			reserved,
		octet: "the octet must be encoded, " + octet,
	}
}

// repair returns the draft as a [Repair]; apply must have been called. It parses the text with p, whose MaxLength it
// sets, and looks for errors in the tree. There are none for a text that p rejects.
func (d *draft) repair(p *bnfcheck.Parser) Repair {
	r := Repair{URL: d.text, Edits: d.edits, Guess: d.guess, edits: d.edited}
	r.Differs = d.differs()
	p.MaxLength = max(1, len(r.URL))
	if tree, err := p.Parse(r.URL); err == nil {
		r.Errors = errorsIn(tree)
	}
	return r
}

// differs returns the parts that mean something else in the text than in d.stood, or that only one of them has: see
// [Repair.Differs]. Of both texts the first d.lead bytes are left out.
func (d *draft) differs() (parts Parts) {
	split := func(s string) [7]repair.Part {
		p := repair.Split(s[min(d.lead, len(s)):])
		return [...]repair.Part{p.Scheme, p.User, p.Host, p.Port, p.Path, p.Query, p.Fragment}
	}
	olds := split(d.stood)
	for i, now := range split(d.text) {
		part, same, old := Parts(1)<<i, d.sameData, olds[i]
		if part&(InScheme|InHost) != 0 {
			same = strings.EqualFold
		}
		absent := old.Present != now.Present && part&(InHost|InFragment) == 0 // of these a void one is none
		if absent || !same(old.Text, now.Text) {
			parts |= part
		}
	}
	return parts
}

// sameData reports whether two texts are equal, but for octets without a reserved meaning that only one has encoded.
func (d *draft) sameData(a, b string) bool {
	for a != "" && b != "" {
		x, n := d.unit(a)
		y, m := d.unit(b)
		if x != y {
			return false
		}
		a, b = a[n:], b[m:]
	}
	return a == b
}

// unit returns the octet with which s begins, and how many bytes it takes. For an escape that means something else
// than its character, the octet is 256 more. s must not be empty.
func (d *draft) unit(s string) (octet, length int) {
	b, ok := percent.At(s, 0)
	switch {
	case !ok:
		return int(s[0]), 1
	case d.language.Reserves(b):
		return 256 + int(b), len("%XX")
	}
	return int(b), len("%XX")
}
