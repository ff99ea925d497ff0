package semantic

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Canonical gives one spelling for all URLs that u's text says mean the same as u. "Before two URIs can be compared, it is
// ... necessary to bring them to the same encoding level. However, the reserved characters ... may NEVER be encoded and
// unencoded in this way" (RFC 1630, "Reduced or increased safe character sets"; RFC 1738 section 2.2).
//
// Octets that mean the same bare and encoded are written bare, but for those that the text wants encoded all the same
// ([Component.Unsafe]); other escapes have upper-case digits. The scheme and the host are in lower case, the default
// port and leading zeros are left out, and so is RFC 1630's prefix "url:", which only labels what follows. What may be
// omitted without a difference is written in one way: the "/" of an http URL without a path is there, the one at the
// end of a telnet URL is not, a gopher URL has its type. Nothing else changes: of a URL that only the generic
// production derives, though its scheme has one of its own, only the digits of escapes and the case of scheme and host
// do.
//
// The canonical form is derived by the production that derives u, and its own canonical form is itself.
func (u *URL) Canonical() string {
	e := &editor{src: u.Source}
	e.replace(0, u.Scheme.Start(), "")
	if u.RFC == RFC1738 || u.Match == OwnProduction {
		e.lower(u.Scheme)
	}
	u.canonicalHost(e)
	u.canonicalLogin(e)
	u.Specific.canonical(u, e)
	if u.Fragment.Present() {
		e.recode(u.Fragment, u.component("", "fragment"))
		if u.Fragment.Raw == "" { // "A void fragment-id with or without the hash sign means that the URL refers to the whole object."
			e.replace(u.End(), len(u.Source), "")
		}
	}
	return e.apply()
}

// Equal reports whether two URLs mean the same under the text that both were read by. URLs read by different texts are not
// compared: it is false.
func Equal(a, b *URL) bool {
	return a.text.name == b.text.name && a.Canonical() == b.Canonical()
}

func (u *URL) canonicalHost(e *editor) {
	if f, ok := u.Specific.(*File); ok && f.Local(u) && f.mayBeWithoutHost(u) {
		e.replace(u.Host.Start(), u.Host.End(), "") // "A void host field is equivalent to "localhost"."
		return
	}
	if addr, ok := u.Host.Addr(); ok {
		if s := addr.String(); s != u.Host.Raw {
			e.replace(u.Host.Start(), u.Host.End(), s)
		}
	} else {
		e.recode(u.Host.Part, u.component("", "host"))
	}
	if !u.Port.Present() || u.Match == GenericOnly {
		return
	}
	if n, ok := u.Port.Number(); ok && n == u.Port.Default {
		e.replace(u.Port.Start()-len(":"), u.Port.End(), "")
		return
	}
	e.number(u.Port.Part)
}

func (u *URL) canonicalLogin(e *editor) {
	if u.Match == GenericOnly || !u.Login.User.Present() {
		return
	}
	scheme := u.name
	if u.component(scheme, "user") == nil {
		scheme = ""
	}
	e.recode(u.Login.User, u.component(scheme, "user"))
	e.recode(u.Login.Password, u.component(scheme, "password"))
}

// editor collects the edits that lead to the canonical form, in any order; they do not overlap.
type editor struct {
	src   string
	edits []edit
}

type edit struct {
	start, end int
	text       string
	decodes    bool // an escape becomes the character that it stands for
	encodes    bool // a character becomes an escape
}

func (e *editor) replace(start, end int, text string) {
	if start < end {
		e.edits = append(e.edits, edit{start: start, end: end, text: text})
	}
}

func (e *editor) insert(at int, text string) {
	e.edits = append(e.edits, edit{start: at, end: at, text: text})
}

func (e *editor) lower(p Part) {
	if s := strings.ToLower(p.Raw); s != p.Raw {
		e.replace(p.Start(), p.End(), s)
	}
}

func (e *editor) number(p Part) {
	if s := withoutZeros(p.Raw); p.Present() && s != p.Raw {
		e.replace(p.Start(), p.End(), s)
	}
}

// recode brings p to the encoding level of a component.
func (e *editor) recode(p Part, c *Component) {
	if c == nil || !c.FoldCase && c.Unsafe == (ast.ByteSet{}) && strings.IndexByte(p.Raw, '%') < 0 {
		return
	}
	for i := 0; i < len(p.Raw); i++ {
		octet, ok := escaped(p.Raw, i)
		if !ok {
			switch b := p.Raw[i]; {
			case c.FoldCase && 'A' <= b && b <= 'Z':
				e.replace(p.Start()+i, p.Start()+i+1, string(rune(b|0x20)))
			case c.Unsafe.Has(b):
				e.edits = append(e.edits, edit{start: p.Start() + i, end: p.Start() + i + 1, text: escapeTexts[3*int(b) : 3*int(b)+3], encodes: true})
			}
			continue
		}
		at := p.sub(i, i+3)
		i += 2
		switch {
		case c.Bare.Has(octet) && !(c.Dots && octet == '.' && dotSegment(p.Raw, i)):
			if c.FoldCase && 'A' <= octet && octet <= 'Z' {
				octet |= 0x20
			}
			e.edits = append(e.edits, edit{start: at.Start(), end: at.End(), text: string(rune(octet)), decodes: true})
		default:
			e.upper(at)
		}
	}
}

func (e *editor) upperEscapes(p Part) {
	for i := range escapes(p.Raw) {
		e.upper(p.sub(i, i+3))
	}
}

func (e *editor) upper(escape Part) {
	if s := strings.ToUpper(escape.Raw); s != escape.Raw {
		e.replace(escape.Start(), escape.End(), s)
	}
}

// dotSegment reports whether the segment of a path around an offset would be "." or "..", were it decoded. It looks no
// further than such a segment can be long.
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
	segment := decode(path[from:to])
	return segment == "." || segment == ".."
}

func (e *editor) sorted() []edit {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return a.start - b.start })
	return e.edits
}

func (e *editor) apply() string {
	if len(e.edits) == 0 {
		return e.src
	}
	b := make([]byte, 0, len(e.src)+8)
	at := 0
	for _, d := range e.sorted() {
		b = append(b, e.src[at:d.start]...)
		b = append(b, d.text...)
		at = d.end
	}
	return string(append(b, e.src[at:]...))
}
