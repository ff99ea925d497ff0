package semantic

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/percent"
)

// A Rung is a step of the comparison ladder of RFC 3986 section 6.2. Each takes more work than the one below it, and
// finds more URIs equivalent.
type Rung uint8

const (
	SimpleString  Rung = iota // the strings are the same, section 6.2.1
	CaseFolding               // scheme and host in lower case, escapes in upper case, section 6.2.2.1
	EscapeRemoval             // escapes of unreserved characters decoded, section 6.2.2.2
	DotRemoval                // the segments "." and ".." removed, section 6.2.2.3
	SchemeRules               // what the scheme has to say, section 6.2.3
)

var rungs = [...]struct{ name, section string }{
	{"simple string", "6.2.1"}, {"case", "6.2.2.1"}, {"percent-encoding", "6.2.2.2"},
	{"path segments", "6.2.2.3"}, {"scheme", "6.2.3"},
}

// String returns the rung in words: "percent-encoding".
func (r Rung) String() string {
	if int(r) < len(rungs) {
		return rungs[r].name
	}
	return "Rung(" + strconv.Itoa(int(r)) + ")"
}

// Section returns the section of RFC 3986 that describes the rung.
func (r Rung) Section() string {
	if int(r) < len(rungs) {
		return rungs[r].section
	}
	return ""
}

// A Normalization is a normal form of a reference, and the steps that lead to it.
type Normalization struct {
	Reference string
	Steps     []NormalStep
}

// String returns the normal form.
func (n Normalization) String() string { return n.Reference }

// A NormalStep is what one rung changes in one component. A component that is absent before or after the step is "".
type NormalStep struct {
	Rung          Rung
	Component     string // "scheme", "userinfo", "host", "port", "path", "query", "fragment"
	Before, After string
}

// String returns the step in one line: "case: host Example.COM becomes example.com". A component that is absent is
// "nothing".
func (s NormalStep) String() string {
	return fmt.Sprintf("%s: %s %s becomes %s", s.Rung, s.Component, cmp.Or(s.Before, "nothing"),
		cmp.Or(s.After, "nothing"))
}

// Normalize returns the normal form of r up to a rung, with every rung below it. upTo has at most one rung. Without
// one it is [DotRemoval]: what section 6.2.2 calls syntax-based normalization, which programs typically apply and
// which is right for every scheme. The laws: the form is derived by the production that derives r, it is the form
// of itself, and a form up to a higher rung is that of the lower one as well. Dot segments of a relative reference
// stay: they mean something until it is resolved.
//
// The rules of schemes are those that section 6.2.3 names: an empty port and the scheme's default port are left out;
// after an authority an empty path is "/"; the authority of a file URI without user and port may be "localhost",
// which is left out; and the domains of mailto addresses are in lower case.
func (r *Reference) Normalize(upTo ...Rung) Normalization {
	last := DotRemoval
	if len(upTo) > 0 {
		last = upTo[len(upTo)-1]
	}
	p := piecesOf(r)
	var n Normalization
	for rung := CaseFolding; rung <= last && rung <= SchemeRules; rung++ {
		before := *p
		p.climb(rung)
		for i := range p {
			if p[i] != before[i] {
				n.Steps = append(n.Steps, NormalStep{rung, pieceNames[i], before[i].text, p[i].text})
			}
		}
	}
	n.Reference = p.recompose()
	return n
}

// Compare returns the lowest rung on which two references are equivalent, and reports whether there is one; if not, the
// rung means nothing.
// "Applications should not directly compare relative references; the references should be converted to their
// respective target URIs before comparison" (section 6.1): of two that are compared nevertheless, the dot segments
// stay.
func (r *Reference) Compare(s *Reference) (Rung, bool) {
	if r.Source == s.Source {
		return SimpleString, true
	}
	p, q := piecesOf(r), piecesOf(s)
	for rung := CaseFolding; rung <= SchemeRules; rung++ {
		p.climb(rung)
		q.climb(rung)
		if *p == *q {
			return rung, true
		}
	}
	return 0, false
}

// Pieces are the components of a reference, with the authority taken apart. A reference has an authority exactly if it
// has a host.
type pieces [7]piece

// A piece is a component that is present, perhaps empty, or absent.
type piece struct {
	text    string
	present bool
}

// The indexes of [pieces].
const (
	aScheme = iota
	aUserinfo
	aHost
	aPort
	aPath
	aQuery
	aFragment
)

var pieceNames = [...]string{"scheme", "userinfo", "host", "port", "path", "query", "fragment"}

// piecesOf returns the components of r.
func piecesOf(r *Reference) *pieces {
	p := new(pieces)
	for i, part := range [...]Part{r.Scheme, r.Userinfo, r.Host.Part, r.Port, r.Path, r.Query, r.Fragment} {
		p[i] = piece{part.Raw, part.present}
	}
	return p
}

// recompose returns the components put together, as a string.
func (p *pieces) recompose() string {
	part := func(i int) Part { return Part{Raw: p[i].text, present: p[i].present} }
	c := FiveComponents{Scheme: part(aScheme), Path: part(aPath), Query: part(aQuery), Fragment: part(aFragment)}
	if p[aHost].present {
		authority := p[aHost].text
		if p[aUserinfo].present {
			authority = p[aUserinfo].text + "@" + authority
		}
		if p[aPort].present {
			authority += ":" + p[aPort].text
		}
		c.Authority = Part{Raw: authority, present: true}
	}
	return c.Recompose()
}

// climb changes p, which must have the form of the rung below, to the form of the rung to. For SimpleString, which
// changes nothing, it does nothing. Dots stay in a relative reference, and where the path without them would be read as
// an authority.
func (p *pieces) climb(to Rung) {
	switch to {
	case CaseFolding:
		p[aScheme].text = strings.ToLower(p[aScheme].text)
		for i := aUserinfo; i <= aFragment; i++ {
			p[i].text = percent.Normalize(p[i].text, percent.Changes{Fold: i == aHost})
		}
	case EscapeRemoval:
		for i := aUserinfo; i <= aFragment; i++ {
			p[i].text = percent.Normalize(p[i].text, percent.Changes{Fold: i == aHost, Decode: true})
		}
	case DotRemoval:
		if !p[aScheme].present {
			return
		}
		if path := removeDotSegments(p[aPath].text); p[aHost].present || !strings.HasPrefix(path, "//") {
			p[aPath].text = path // otherwise the path would become an authority
		}
	case SchemeRules:
		p.schemeRules()
	}
}

// schemeRules applies what section 6.2.3 says of schemes: see [Reference.Normalize]. Without a scheme it does nothing.
func (p *pieces) schemeRules() {
	scheme := strings.ToLower(p[aScheme].text)
	if scheme == "" {
		return
	}
	port, ok := defaultPorts[scheme]
	if p[aPort].text == "" || ok && withoutZeros(p[aPort].text) == strconv.Itoa(port) {
		p[aPort] = piece{}
	}
	if p[aHost].present && p[aPath].text == "" {
		p[aPath].text = "/"
	}
	switch scheme {
	case "file":
		if !p[aUserinfo].present && !p[aPort].present && strings.EqualFold(p[aHost].text, "localhost") {
			p[aHost].text = ""
		}
	case "mailto":
		addresses := strings.Split(p[aPath].text, ",")
		for i, a := range addresses {
			if at := strings.LastIndexByte(a, '@'); at >= 0 {
				addresses[i] = a[:at] + percent.Normalize(a[at:], percent.Changes{Fold: true})
			}
		}
		p[aPath].text = strings.Join(addresses, ",")
	}
}
