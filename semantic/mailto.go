package semantic

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Mailto is a mail address (RFC 1738 section 3.5; RFC 1630, Mailto).
type Mailto struct {
	Address Part // the encoding of an RFC 822 addr-spec
}

func (u *URL) readMailto(n ast.Node) {
	// mailtourl     = "mailto:" encoded822addr          (RFC 1738 section 5)
	// mailtoaddress = m a i l t o : xalphas @ hostname  (RFC 1630, URL BNF)
	u.Specific = storeIn(&u.reader.mailto, Mailto{u.span(n.Start()+len("mailto:"), n.End())})
}

// Split returns the local part and the domain of the address, decoded; ok is false where there is no "@".
func (m *Mailto) Split() (local, domain string, ok bool) { return splitAddress(m.Address.Decoded()) }

// splitAddress splits at the last "@": an addr-spec is local-part "@" domain, and a quoted local part may hold one
// (RFC 822 section 6.1). Without an "@", ok is false and local is s.
func splitAddress(s string) (local, domain string, ok bool) {
	i := strings.LastIndexByte(s, '@')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func (m *Mailto) fields(u *URL, list *fieldList) {
	list.part("addr-spec", m.Address)
	if local, domain, ok := m.Split(); ok {
		list.value("local part", ast.Quote(local))
		list.value("domain", ast.Quote(domain))
	}
}

func (m *Mailto) canonical(u *URL, e *editor) {
	// Domains mean the same in either case.
	at := max(strings.LastIndexByte(m.Address.Raw, '@'), strings.LastIndex(m.Address.Raw, "%40"))
	e.recodePart(m.Address, u.component("mailto", "addr-spec"), recoding{fold: at >= 0, from: at})
}

func (m *Mailto) access(u *URL, d *dialogue) {
	// "There is no sense in which it designates an object."
	d.note(Advise, "a message can be sent to "+ast.Quote(m.Address.Decoded()), "3.5", "Mailto")
}

var mailtoRules = []Rule{
	{
		ID: "1738/mailto-addr-spec", Schemes: []string{"mailto"}, Severity: Error,
		Title: "a mailto URL holds an RFC 822 addr-spec",
		Requirement: "What follows \"mailto:\" is the encoding of an addr-spec as RFC 822 has it: local part, " +
			"\"@\" and domain.",
		also: twin{"1630/mailto-addr-spec", Error,
			"A mailto URL specifies an RFC 822 addr-spec."},
		check: on(checkMailto),
	},
	{
		ID: "1738/mailto-extra", Schemes: []string{"mailto"}, Severity: Warning,
		Title: "a mailto URL holds nothing but an address",
		Requirement: "No information other than a mail address is present or implied. No character is reserved, " +
			"so that a \"?\" after the domain, and what follows it, are part of the address.",
		check: on(func(u *URL, m *Mailto, r *report) {
			if extra := m.extra(); extra.Present() {
				r.at(extra, "remove this: the text has no header fields here, and reads it as a part of the domain")
			}
		}),
	},
}

// extra returns the first "?" after an "@", bare or encoded, and what follows it; absent if there is none. RFC 822
// takes them as a part of the domain, and so does RFC 1738.
func (m *Mailto) extra() Part {
	domain := false
	for p, octet := range m.Address.octets() {
		if octet == '?' && domain {
			return m.Address.sub(p.Start()-m.Address.Start(), len(m.Address.Raw))
		}
		domain = domain || octet == '@'
	}
	return Part{}
}

func checkMailto(u *URL, m *Mailto, r *report) {
	if why := addrSpec(m.Address.Decoded()); why != "" {
		r.at(m.Address, why)
	}
}

// addrSpec returns the reason why s is not an addr-spec of RFC 822, and "" if it is one.
//
//	addr-spec   = local-part "@" domain          (RFC 822 section 6.1)
//	local-part  = word *("." word)
//	domain      = sub-domain *("." sub-domain)
//	word        = atom / quoted-string           (section 3.3)
//	sub-domain  = atom / domain-literal
//
// White space and comments, which RFC 822 allows between them, are not accepted: they are not part of the address.
// net/mail.ParseAddress is no substitute: it reads RFC 5322's mailboxes, so it takes "A <a@b>" and UTF-8, and refuses
// control characters in a quoted string, which RFC 822 has.
func addrSpec(s string) string {
	i := 0
	for {
		n := word(s[i:], '"', '"')
		if n == 0 {
			return "make this an addr-spec: its local part is words joined by dots"
		}
		i += n
		if i == len(s) {
			return "append \"@\" and the domain: an addr-spec has both"
		}
		if s[i] == '@' {
			break
		}
		if s[i] != '.' {
			return "make this an addr-spec: " + ast.Quote(s[i:i+1]) + " cannot stand in a local part outside quotes"
		}
		i++
	}
	for {
		i++ // "@" or "."
		n := word(s[i:], '[', ']')
		if n == 0 {
			return "make this an addr-spec: its domain is atoms joined by dots"
		}
		i += n
		if i == len(s) {
			return ""
		}
		if s[i] != '.' {
			return "make this an addr-spec: " + ast.Quote(s[i:i+1]) + " cannot stand in a domain"
		}
	}
}

// word returns the length of the atom that s begins with or, if s begins with the opening character, of the text up to
// and with the closing one. A backslash quotes the character after it. The length is 0 if s begins with neither, if the
// text is not closed, or if a CR, a byte from 0x80 on or another opening character comes first.
func word(s string, opening, closing byte) int {
	if s == "" {
		return 0
	}
	if s[0] != opening {
		i := 0
		for i < len(s) && s[i] > ' ' && s[i] < 0x7F && strings.IndexByte("()<>@,;:\\\".[]", s[i]) < 0 {
			i++
		}
		return i
	}
	for i := 1; i < len(s) && s[i] < 0x80; i++ {
		switch s[i] {
		case closing:
			return i + 1
		case '\\':
			i++
		case '\r', opening:
			return 0
		}
	}
	return 0
}
