package repair

import "strings"

// A Part is a piece of a string. If it is not Present it is absent, which is not the same as empty.
type Part struct {
	Text    string
	Start   int
	Present bool
}

// End returns the offset after p.
func (p Part) End() int { return p.Start + len(p.Text) }

// Parts are the parts of any string, accepted or not: those of the regular expression in RFC 3986, appendix
// B. The authority is taken apart at its last "@", and at the first ":" after that and after the "]" of an
// address in brackets.
type Parts struct {
	Scheme, User, Host, Port, Path, Query, Fragment Part
}

// Split returns the parts of s.
func Split(s string) (p Parts) {
	at := 0
	if i := strings.IndexAny(s, ":/?#"); i > 0 && s[i] == ':' {
		p.Scheme = Part{s[:i], 0, true}
		at = i + 1
	}
	upTo := func(stops string) Part {
		end := len(s)
		if i := strings.IndexAny(s[at:], stops); i >= 0 {
			end = at + i
		}
		part := Part{s[at:end], at, true}
		at = end
		return part
	}
	if strings.HasPrefix(s[at:], "//") {
		at += len("//")
		p.Host = upTo("/?#")
		if i := strings.LastIndexByte(p.Host.Text, '@'); i >= 0 {
			p.User = Part{p.Host.Text[:i], p.Host.Start, true}
			p.Host = Part{p.Host.Text[i+1:], p.Host.Start + i + 1, true}
		}
		address := 0 // the offset where an address in brackets ends, which has colons of its own
		if strings.HasPrefix(p.Host.Text, "[") {
			address = max(0, strings.IndexByte(p.Host.Text, ']'))
		}
		if i := strings.IndexByte(p.Host.Text[address:], ':'); i >= 0 {
			host, port := p.Host.Text[:address+i], p.Host.Text[address+i+1:]
			p.Host.Text = host
			p.Port = Part{port, p.Host.End() + 1, true}
		}
	}
	p.Path = upTo("?#")
	if at < len(s) && s[at] == '?' {
		at++
		p.Query = upTo("#")
	}
	if at < len(s) {
		p.Fragment = Part{s[at+1:], at + 1, true}
	}
	return p
}
