package semantic

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/percent"
	"github.com/bnfcheck/bnfcheck/semantic/gopherplus"
)

var encodingRules = []Rule{
	{
		ID: "1738/hex-lower-case", Severity: Note, about: lowerCaseEscape,
		Title:       "hexadecimal digits in lower case",
		Requirement: "The digits of an escape are from \"0123456789ABCDEF\"; \"abcdef\" may also be used.",
		also: twin{"1630/hex-lower-case", Note,
			"The text has the hexadecimal digits \"0-9, A-F\"; the BNF has the lower-case letters as well."},
		check: checkHexCase,
	},
	{
		ID: "1738/encoding-unneeded", Severity: Note, about: graphicEscape,
		Title:       "an encoding that need not be",
		Requirement: "Characters that need not be encoded may be, and mean the same as long as they are not reserved.",
		also: twin{"1630/encoding-unneeded", Note,
			"A URI may be made safer by encoding characters that are allowed, and this can be undone: both are " +
				"the same URI at different encoding levels."},
		check: checkUnneeded,
	},
	{
		ID: "draft06/unsafe", Severity: Warning, about: unsafeCharacter,
		Title: "a character that is not safe to be transmitted unencoded",
		Requirement: "Only alphanumerics, \"$\", \"-\", \"_\", \".\", \"+\", and reserved characters for their " +
			"purposes are safe; gateways are known to modify others, and all unsafe characters should always be " +
			"encoded. The BNF takes \"!\", \"*\", \"~\" and more.",
		check: func(u *URL, r *report) {
			for _, d := range u.recodings() {
				if d.encodes {
					r.composed(u.span(d.start, d.end), func() string {
						return fmt.Sprintf("write %s: this character is not safe to be transmitted unencoded", d.text)
					})
					return
				}
			}
		},
	},
	{
		ID: "1738/encoded-delimiter", Severity: Note, about: graphicEscape,
		Title: "an encoded character that is reserved here",
		Requirement: "Encoding a character that is reserved in the scheme may change what the URL means. A " +
			"character that cannot stand in its component bare, as \"/\" in a directory of an ftp URL, has no " +
			"other spelling, and is not reported.",
		check: func(u *URL, r *report) {
			u.reportReserved((*Component).ambiguous, r)
		},
	},
	{
		ID: "1738/encoded-control", Severity: Warning, about: controlEscape,
		Title: "an encoded control character",
		Requirement: "Encoded delimiters of a protocol, CR and LF for example, must not be decoded before " +
			"transmission: they could simulate an extra operation or parameter.",
		check: func(u *URL, r *report) {
			var form Part
			if g, ok := u.Specific.(*Gopher); ok && g.Plus().Form == gopherplus.FilledForm {
				form = g.PlusString // its line ends are what the client sends
			}
			u.eachEscape(controls, func(at Part, octet byte) bool {
				inside := at.Start() >= form.Start() && at.End() <= form.End()
				if u.splitsGopher(at) || form.Present() && inside {
					return true
				}
				r.composed(at, func() string {
					return fmt.Sprintf("refuse this URL, or find out what the octet %02X is for: decoded, it "+
						"would reach the protocol", octet)
				})
				return false
			})
		},
	},
	{
		ID: "1738/encoded-nul", Severity: Warning, about: nulEscape,
		Title: "an encoded NUL",
		Requirement: "An encoded octet that ends a string in many programs is a delimiter that must not be " +
			"decoded before transmission.",
		check: func(u *URL, r *report) {
			u.eachEscape(nul, func(at Part, _ byte) bool {
				r.at(at, "refuse this URL: many programs end the string at a NUL")
				return false
			})
		},
	},
	{
		ID: "1630/encoded-reserved", Severity: Note, about: graphicEscape,
		Title: "an encoded reserved character",
		Requirement: "Reserved characters have a different significance when encoded, and may never be encoded " +
			"and unencoded like others. So have \".\" and \"..\" as segments of a path.",
		check: func(u *URL, r *report) {
			u.reportReserved(func(c *Component) ast.ByteSet { return c.Reserved }, r)
		},
	},
	{
		ID: "1630/reserved-star-bang", Severity: Note, about: starOrBang,
		Title: "\"*\" and \"!\" are reserved",
		Requirement: "The asterisk and the exclamation mark are reserved for use with a special significance " +
			"within specific schemes.",
		check: func(u *URL, r *report) {
			// The news scheme gives "*" a significance. Hosts and newsgroups have neither character: see host-name and
			// news-group.
			for p, c := range u.components {
				if i := strings.IndexAny(p.Raw, "*!"); i >= 0 && c.Reserved.Has('*') && c.Name != "newsgroup" &&
					c.Name != "fragment" {
					r.composed(p.sub(i, i+1), func() string {
						return fmt.Sprintf("write %%%02X if this is data: "+
							"the character is reserved", p.Raw[i])
					})
					return
				}
			}
		},
	},
	{
		ID: "1630/dot-segment", Severity: Warning, about: dotInFront,
		Title:       "\".\" and \"..\" are reserved as path segments",
		Requirement: "Substrings of single or double dots between slashes are reserved, for partial forms.",
		check: func(u *URL, r *report) {
			p, _ := u.specificPart().cut('?')
			for segment := range p.Split('/') {
				if segment.Raw == "." || segment.Raw == ".." {
					r.at(segment, "write the path without this segment, or encode it if it is data: it has a "+
						"meaning in partial forms only")
					return
				}
			}
		},
	},
}

// checkHexCase reports the first escape with a digit in lower case.
func checkHexCase(u *URL, r *report) {
	u.eachEscape(everyOctet, func(at Part, _ byte) bool {
		if at.Raw == strings.ToUpper(at.Raw) {
			return true
		}
		r.composed(at, func() string {
			return fmt.Sprintf("this may be written %s: the digits mean the same in either case",
				strings.ToUpper(at.Raw))
		})
		return false
	})
}

// checkUnneeded reports the first escape of a character that the canonical form decodes and that no other rule wants
// out.
func checkUnneeded(u *URL, r *report) {
	for _, d := range u.recodings() {
		if d.decodes && !u.unwanted(d.start, d.text) {
			r.composed(u.span(d.start, d.end), func() string {
				return fmt.Sprintf("%s may be written for this: it "+
					"means the same", ast.Quote(d.text))
			})
			return
		}
	}
}

// unwanted reports whether another rule asks to remove the character at an offset of u, bare or encoded.
func (u *URL) unwanted(at int, character string) bool {
	if m, ok := u.Specific.(*Mailto); ok && u.Family == Family1738 {
		return isInPart(m.extra(), at) // 1738/mailto-extra
	}
	return isInPart(u.group(), at) && !inGroupNames(character[0]) // 1630/news-group
}

// isInPart reports whether an offset of the URL lies in p. It does not lie in an absent part.
func isInPart(p Part, offset int) bool { return p.Start() <= offset && offset < p.End() }

// eachEscape calls f for the escapes of certain octets in u, until f returns false.
func (u *URL) eachEscape(of ast.ByteSet, f func(at Part, octet byte) bool) {
	for i, octet := range percent.All(u.Source) {
		if of.Has(octet) && !f(u.span(i, i+len("%XX")), octet) {
			return
		}
	}
}

// splitsGopher reports whether an escape is one of the encoded tabs that delimit the parts of a gopher URL.
func (u *URL) splitsGopher(at Part) bool {
	g, ok := u.Specific.(*Gopher)
	return ok && (g.Search.Present() && at.End() == g.Search.Start() || g.PlusString.Present() &&
		at.End() == g.PlusString.Start())
}

// reportReserved reports to r the first escape in u of an octet that is reserved in its component, as of returns them,
// or of a period that, decoded, would make a segment of a path "." or "..". It passes over newsgroups.
func (u *URL) reportReserved(of func(*Component) ast.ByteSet, r *report) {
	for p, c := range u.components {
		reserved := of(c)
		if c.Name == "newsgroup" {
			continue // names of newsgroups have no reserved character at all: see news-group
		}
		for i, octet := range percent.All(p.Raw) {
			switch at := p.sub(i, i+len("%XX")); {
			case reserved.Has(octet):
				r.composed(at, func() string {
					return fmt.Sprintf("keep this encoded: a bare %s may mean something else here",
						ast.Quote(string(rune(octet))))
				})
				return
			case c.Dots && octet == '.' && dotSegment(p.Raw, i+len("%XX")-1):
				r.at(at, "keep this encoded: \".\" and \"..\" mean something else as segments of a path")
				return
			}
		}
	}
}

var (
	nul        = ast.ByteSet{1}
	controls   = ast.ByteSet{1<<' ' - 2, 1 << 63}            // 01-1F and 7F
	graphic    = ast.ByteSet{^uint64(1<<'!' - 1), 1<<63 - 1} // 21-7E
	everyOctet = ast.ByteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
)

// intersect reports whether two sets have an octet in common.
func intersect(a, b ast.ByteSet) bool {
	return a[0]&b[0]|a[1]&b[1]|a[2]&b[2]|a[3]&b[3] != 0
}
