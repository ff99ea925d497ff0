package semantic

import (
	"slices"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// Canonical returns one spelling for all URLs that mean the same as u under its text. "Before two URIs can be
// compared, it is ... necessary to bring them to the same encoding level. However, the reserved characters ... may
// NEVER be encoded and unencoded in this way" (RFC 1630, "Reduced or increased safe character sets"; RFC 1738 section
// 2.2).
//
// Octets that mean the same bare and encoded are written bare, except those that the text wants encoded nevertheless
// ([Component.Unsafe]). The digits of other escapes are in upper case. The scheme and the host are in lower case. The
// default port, leading zeros and RFC 1630's prefix "url:" are left out. A part that may be omitted without a
// difference in meaning is written in one way: the "/" of an http URL without a path is there, the one at the end of a
// telnet URL is not, a gopher URL has its type. Nothing else changes. In a URL that only the generic production
// derives, though its scheme has one of its own, only the digits of escapes and the case of scheme and host change.
//
// The following laws hold for every u of every grammar. Let c be the typed URL of u's canonical form, parsed from the
// same start without options.
//
//   - c exists, and c.Production, c.Match and c.SchemeName() are those of u, apart from the case of digits.
//   - c has the same typed parts: they decode to the same octets, apart from the spellings listed above.
//   - c.Canonical() is c.Source: the form is idempotent.
//   - u.Equal(c) is true.
//
// They hold because the form is parsed again before it is returned. If it would be parsed differently, Canonical
// returns the form without changes of the encoding level or, failing that, with changes of scheme, prefix and digits
// only.
func (u *URL) Canonical() string {
	s, _ := u.canonical(nil)
	return s
}

// Equal reports whether u and v mean the same under their text, that is, whether their canonical forms are the same
// string. It is an equivalence relation. URLs of different texts are never equal.
func (u *URL) Equal(v *URL) bool {
	return u.text.name == v.text.name && u.Canonical() == v.Canonical()
}

// A level says which edits lead to a canonical form. A higher level has fewer.
type level uint8

const (
	everything level = iota // all
	spelling                // all but those that encode or decode a character
	digitsOnly              // those of the scheme, of the prefix and of the digits of escapes
	levels
)

// canonical returns the canonical form, and the level of the edits that lead to it. To edits it appends those that
// encode or decode, in their order, where edits is not nil.
//
// The form of a form is the form itself. Let E(L, u) be u with the edits of level L, and P(L, u) the places of u's
// parts there. The form is E(L, u) for the first L that is stable: read as a URL v, it has the production, match and
// scheme of u, and E(K, v) = E(K, u) and P(K, v) = P(K, u) for every K up to L. So E(L, v) = v, and its parts are those
// of u. Level L is stable for v too, and a level below it, which is not stable for u, is not stable for v: what is
// compared is the same for both. Hence the form of v is v. Without edits a level is stable, and the last one always is:
// to a grammar, the digits of an escape are the same in either case.
func (u *URL) canonical(edits *[]edit) (string, level) {
	w := canonicalWorks.Get().(*canonicalWork)
	defer canonicalWorks.Put(w)
	for l := everything; ; l++ {
		e := &w.of[l]
		e.reset(u.Source, l)
		u.edit(e)
		w.forms[l] = e.apply()
		if len(e.edits) == 0 || l == digitsOnly || u.stable(w, l) {
			for _, d := range e.edits {
				if edits != nil && (d.encodes || d.decodes) {
					*edits = append(*edits, d)
				}
			}
			return w.forms[l], l
		}
	}
}

// recodings returns the edits that encode or decode a character on the way to the canonical form, in their order.
func (u *URL) recodings() []edit {
	var list []edit
	u.canonical(&list)
	return list
}

// components calls f for each part of u that has a component, with the component, in the order of the URL, until f
// returns false. The parts of a URL that only the generic production derives, though its scheme has one of its own, are
// unknown: f is called for its host only.
func (u *URL) components(f func(Part, *Component) bool) {
	w := canonicalWorks.Get().(*canonicalWork)
	defer canonicalWorks.Put(w)
	// The parts are those that an editor goes through. At this level it inserts and removes nothing in them; only what
	// stands before the scheme falls away, so that their offsets count from the scheme.
	w.again.reset(u.Source, digitsOnly)
	u.edit(&w.again)
	for _, p := range w.again.parts {
		if at := u.Scheme.Start(); p.component != nil && !f(u.span(p.start+at, p.end+at), p.component) {
			return
		}
	}
}

// canonicalWork is the scratch memory of a canonical form.
type canonicalWork struct {
	of     [levels]editor
	forms  [levels]string
	again  editor
	reader Reader
	tree   ast.Tree
}

var canonicalWorks = sync.Pool{New: func() any { return new(canonicalWork) }}

// stable reports whether w.forms[l] is read as u is, and has the same forms. w must have the edits and forms of u at
// all levels up to l; the rest of w is used as memory.
func (u *URL) stable(w *canonicalWork, l level) bool {
	nodes, ok := u.Grammar.Parse(w.tree.Nodes[:0], u.start, w.forms[l])
	if !ok {
		return false
	}
	w.tree = ast.Tree{Grammar: u.Grammar, Source: w.forms[l], Nodes: nodes}
	w.reader.use(u.text)
	v, err := w.reader.Of(&w.tree)
	if err != nil || v.Production != u.Production || v.Match != u.Match || !strings.EqualFold(v.name, u.name) {
		return false
	}
	for k := everything; k <= l; k++ {
		w.again.reset(v.Source, k)
		v.edit(&w.again)
		if !slices.Equal(w.again.parts, w.of[k].parts) || w.again.apply() != w.forms[k] {
			return false
		}
	}
	return true
}

// edit collects the edits that lead to the canonical form, part by part from left to right. e has been reset.
func (u *URL) edit(e *editor) {
	u.canonicalScheme(e)
	u.canonicalLogin(e)
	u.canonicalHost(e)
	u.Specific.canonical(u, e)
	if u.Fragment.Present() {
		e.recode(u.Fragment, u.component("", "fragment"))
		// "A void fragment-id with or without the hash sign means that the URL refers to the whole object."
		if u.Fragment.Raw == "" {
			e.replace(u.End(), len(u.Source), "")
		}
	}
}

// canonicalScheme collects the edits before and in the scheme, which leave out a prefix. A scheme that was folded
// is put in lower case; of any other only the digits of escapes change.
func (u *URL) canonicalScheme(e *editor) {
	if at := u.Scheme.Start(); at > 0 {
		e.add(edit{end: at})
	}
	if u.folded {
		e.add(edit{start: u.Scheme.Start(), end: u.Scheme.End(), text: strings.ToLower(u.Scheme.Raw)})
		e.keep(u.Scheme)
	} else {
		e.upperEscapes(u.Scheme) // RFC 1630 has them here too
	}
}

// canonicalHost collects the edits in host and port. A host name is put in lower case, and its characters are encoded
// and decoded as in any part, unless only the generic production derives the URL or the name has an "@". An address
// gets its usual form. The host of a file URL on this machine is left out if the BNF allows that. The default port is
// left out below the level digitsOnly; any other loses its leading zeros. Of a URL that only the generic production
// derives, the port stays.
func (u *URL) canonicalHost(e *editor) {
	if !u.Host.Present() {
		return
	}
	if f, ok := u.Specific.(*File); ok && f.Local(u) && f.mayBeWithoutHost(u) {
		e.spell(u.Host.Part, "") // "A void host field is equivalent to "localhost"."
	} else if addr, ok := u.Host.Addr(); ok {
		e.spell(u.Host.Part, addr.String())
	} else {
		c := u.component("", "host")
		// Where a host name can hold an "@", what stands before it would be a user, were it decoded.
		keep := u.Match == MatchGeneric || strings.IndexByte(u.Host.Raw, '@') >= 0
		e.recodePart(u.Host.Part, c, recoding{fold: true, keep: keep})
	}
	if !u.Port.Present() {
		return
	}
	if u.Match == MatchGeneric {
		e.keep(u.Port)
		return
	}
	if n, ok := u.PortNumber(); ok && n == u.defaultPort && e.level < digitsOnly {
		e.replace(u.Port.Start()-len(":"), u.Port.End(), "")
		return
	}
	e.number(u.Port)
}

// canonicalLogin collects the edits in user name and password, which are brought to the encoding level of the scheme's
// components or, if it has none, to that of the components for other schemes. In a URL that only the generic production
// derives, the edits are in the digits of escapes.
func (u *URL) canonicalLogin(e *editor) {
	if !u.User.Present() {
		return
	}
	if u.Match == MatchGeneric {
		e.upperEscapes(u.User)
		e.upperEscapes(u.Password)
		return
	}
	scheme := u.name
	if u.component(scheme, "user") == nil {
		scheme = ""
	}
	e.recode(u.User, u.component(scheme, "user"))
	e.recode(u.Password, u.component(scheme, "password"))
}

// An editor collects the edits of a level, and the parts with the places that the edits move them to. Its methods are
// called from left to right. An edit that begins before the end of the previous one is dropped, so edits never
// overlap.
type editor struct {
	src   string
	level level
	edits []edit
	parts []located
	moved int // how much longer the URL is after the edits so far
}

// An edit puts text in place of a piece of the URL.
type edit struct {
	start, end int
	text       string
	decodes    bool // an escape becomes the character that it stands for
	encodes    bool // a character becomes an escape
}

// A located part has its place in the edited URL, and its component, nil if it has none.
type located struct {
	component  *Component
	start, end int
}

// reset empties e for the edits of a level in src. Its slices keep their memory.
func (e *editor) reset(src string, l level) {
	e.src, e.level, e.edits, e.parts, e.moved = src, l, e.edits[:0], e.parts[:0], 0
}

// add adds an edit, unless it begins before the end of the last one.
func (e *editor) add(d edit) {
	if n := len(e.edits); n > 0 && d.start < e.edits[n-1].end {
		return
	}
	e.edits = append(e.edits, d)
	e.moved += len(d.text) - (d.end - d.start)
}

// replace replaces a piece of the URL that belongs to no part. Like insert and made, it does nothing at the level
// digitsOnly.
func (e *editor) replace(start, end int, text string) {
	if start < end && e.level < digitsOnly {
		e.add(edit{start: start, end: end, text: text})
	}
}

// insert inserts text that may be omitted.
func (e *editor) insert(at int, text string) {
	if e.level < digitsOnly {
		e.add(edit{start: at, end: at, text: text})
	}
}

// made records that the last n bytes of the text inserted at an offset are a part, with its component.
func (e *editor) made(at, n int, c *Component) {
	if e.level < digitsOnly {
		e.parts = append(e.parts, located{c, at + e.moved - n, at + e.moved})
	}
}

// keep records a part that stays as it is, with its place after the edits so far.
func (e *editor) keep(p Part) {
	if p.Present() {
		e.parts = append(e.parts, located{nil, p.Start() + e.moved, p.End() + e.moved})
	}
}

// spell records a part whose text is to become s; at the level digitsOnly it stays as it is. An absent part is not
// recorded.
func (e *editor) spell(p Part, s string) {
	if !p.Present() {
		return
	}
	start := p.Start() + e.moved
	if s != p.Raw && e.level < digitsOnly {
		e.add(edit{start: p.Start(), end: p.End(), text: s})
	}
	e.parts = append(e.parts, located{nil, start, p.End() + e.moved})
}

// lower records a part that is to be in lower case.
func (e *editor) lower(p Part) { e.spell(p, strings.ToLower(p.Raw)) }

// number records a part that is to be without leading zeros.
func (e *editor) number(p Part) { e.spell(p, withoutZeros(p.Raw)) }

// recode brings p to the encoding level of a component; with nil only the digits of its escapes change.
func (e *editor) recode(p Part, c *Component) {
	e.recodePart(p, c, recoding{fold: c != nil && c.FoldCase})
}

// upperEscapes writes the digits of the escapes in p in upper case.
func (e *editor) upperEscapes(p Part) { e.recodePart(p, nil, recoding{}) }

// A recoding has the options for bringing a part to the encoding level of its component.
type recoding struct {
	fold bool // letters become lower case
	from int  // the offset in the part where fold begins
	keep bool // no character changes its level
	till int  // nor does any from this offset on, if it is not 0
}

// recodePart records p, and brings it to the encoding level of c as far as how and e.level allow. If c is nil no
// character becomes an escape, or an escape a character. The digits of escapes are put in upper case at every level.
// An absent part is not recorded.
func (e *editor) recodePart(p Part, c *Component, how recoding) {
	if !p.Present() {
		return
	}
	start := p.Start() + e.moved
	fold := how.fold && e.level < digitsOnly
	keep := how.keep || c == nil || e.level > everything
	if fold || !keep && c.Unsafe != (ast.ByteSet{}) || strings.IndexByte(p.Raw, '%') >= 0 {
		for i := 0; i < len(p.Raw); i++ {
			keep = keep || how.till != 0 && i >= how.till
			e.recodeAt(p, &i, c, fold && i >= how.from, keep)
		}
	}
	e.parts = append(e.parts, located{c, start, p.End() + e.moved})
}

// recodeAt brings the character or escape at the offset *at of p to the encoding level of c, and moves *at to its last
// byte. fold puts a letter in lower case; keep leaves a character a character and an escape an escape, and c may then
// be nil.
func (e *editor) recodeAt(p Part, at *int, c *Component, fold, keep bool) {
	i := *at
	from := p.Start() + i
	octet, ok := percent.At(p.Raw, i)
	if !ok {
		switch b := p.Raw[i]; {
		case fold && 'A' <= b && b <= 'Z':
			e.add(edit{start: from, end: from + 1, text: octetTexts[int(b|0x20) : int(b|0x20)+1]})
		case !keep && c.Unsafe.Has(b):
			e.add(edit{start: from, end: from + 1, text: percent.Of(b), encodes: true})
		}
		return
	}
	*at += len("%XX") - 1
	if !keep && c.Bare.Has(octet) && !(c.Dots && octet == '.' && dotSegment(p.Raw, i)) {
		if fold && 'A' <= octet && octet <= 'Z' {
			octet |= 0x20
		}
		e.add(edit{start: from, end: from + len("%XX"), text: octetTexts[int(octet) : int(octet)+1], decodes: true})
	} else if text := percent.Of(octet); text != p.Raw[i:i+3] {
		e.add(edit{start: from, end: from + len("%XX"), text: text})
	}
}

// octetTexts holds every octet in order; a one-byte string is a slice of it, which allocates nothing.
var octetTexts = func() string {
	var b [256]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()

// dotSegment reports whether the segment of a path around an offset would be "." or "..", were it decoded. It reads no
// more bytes than such a segment can have, so that a caller may ask for each escape of a long path.
func dotSegment(path string, at int) bool {
	const longest = len("%2E%2E")
	from, to := at, at
	for from > 0 && path[from-1] != '/' {
		from--
		if at-from > longest {
			return false
		}
	}
	for to < len(path) && path[to] != '/' {
		to++
		if to-from > longest {
			return false
		}
	}
	segment := percent.Decode(path[from:to])
	return segment == "." || segment == ".."
}

// apply returns the source with the edits made.
func (e *editor) apply() string {
	if len(e.edits) == 0 {
		return e.src
	}
	b := make([]byte, 0, len(e.src)+e.moved)
	at := 0
	for _, d := range e.edits {
		b = append(b, e.src[at:d.start]...)
		b = append(b, d.text...)
		at = d.end
	}
	return string(append(b, e.src[at:]...))
}
