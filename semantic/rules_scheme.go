package semantic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// The schemes that RFC 1630 describes in its prose only, those that only it describes, and those that RFC 1738 section
// 4 proposes to reserve.
var (
	inProse1630 = []string{"afs", "file", "rlogin", "tn3270", "urn"} // without a production of url

	only1630 = []string{"cid", "mid", "rlogin", "tn3270", "urn"}
	proposed = []string{"afs", "cid", "mailserver", "mid", "nfs", "tn3270", "z39.50"}
)

var schemeRules = []Rule{
	{
		ID: "1738/generic-only", Severity: Error, about: genericOnly,
		Title: "a predefined scheme has the syntax of its own production",
		Requirement: "Each scheme that the RFC covers maps onto URLs by its own production. The BNF's otherurl " +
			"derives this string, but that is meant for new schemes.",
		check: checkOwnProduction,
	},
	{
		ID: "1630/generic-only", Severity: Error, about: genericOnly,
		Title: "a scheme of the URL BNF has the syntax of its own production",
		Requirement: "The mapping of the existing schemes is outlined in the BNF for specific schemes. The " +
			"generic BNF derives this string, the scheme's own production does not.",
		check: checkOwnProduction,
	},
	{
		ID: "1738/scheme-case", Severity: Note, about: upperCaseScheme,
		Title:       "scheme names are in lower case",
		Requirement: "Scheme names have lower-case letters; programs should read upper-case ones as equivalent.",
		check: func(u *URL, r *report) {
			r.composed(u.Scheme, func() string {
				return fmt.Sprintf("write %q: the BNF has scheme names in lower case", u.name)
			})
		},
	},
	{
		ID: "1630/scheme-case", Severity: Warning, about: upperCaseScheme,
		Title: "a scheme name in upper case is none of the text's",
		Requirement: "Single letters of the BNF stand for themselves, so that its scheme names are in lower case, " +
			"and nothing in the text makes the cases equivalent.",
		check: func(u *URL, r *report) {
			if lower := strings.ToLower(u.Scheme.Raw); u.describes1630(lower) {
				r.composed(u.Scheme, func() string {
					return fmt.Sprintf("write %q if that is meant: the text does not make upper case equivalent", lower)
				})
			}
		},
	},
	{
		ID: "1738/scheme-experimental", Severity: Note, about: experimentalScheme,
		Title: "an experimental scheme",
		Requirement: "Scheme names that start with \"x-\" are reserved for experiments; their URLs may be used by " +
			"mutual agreement.",
		also: twin{"1630/scheme-experimental", Note,
			"Experimental prefixes must start with \"x-\", and may be used by mutual agreement."},
		check: checkExperimental,
	},
	{
		ID: "1738/scheme-proposed", Schemes: proposed, Severity: Note,
		Title: "a scheme name kept for the future",
		Requirement: "These schemes have been proposed; the RFC defines neither syntax nor use, and suggests that " +
			"IANA reserve their names.",
		check: func(u *URL, r *report) {
			r.at(u.Scheme, "this name is kept for the future: the text defines no syntax for it")
		},
	},
	{
		ID: "1738/scheme-only-1630", Schemes: only1630, Severity: Note,
		Title:       "a scheme that RFC 1630 alone describes",
		Requirement: "The schemes covered are ftp, http, gopher, mailto, news, nntp, telnet, wais, file and prospero.",
		check: func(u *URL, r *report) {
			r.composed(u.Scheme, func() string {
				return fmt.Sprintf("see RFC 1630 for this scheme: it is none of the ten of %s", u.text.title())
			})
		},
	},
	{
		ID: "1738/common-syntax", Severity: Warning, about: unknownScheme,
		Title: "\"//\" indicates the common Internet syntax",
		Requirement: "The data of a scheme start with \"//\" to indicate that they comply with the common syntax: " +
			"login, host and port, and a url-path after \"/\". The BNF takes any characters after it as well.",
		check: func(u *URL, r *report) {
			if p := u.specificPart(); !u.Host.Present() && strings.HasPrefix(p.Raw, "//") {
				host, _ := p.sub(len("//"), len(p.Raw)).cut('/')
				r.at(host, "write a host here, with login and port if need be, or leave out the \"//\" that "+
					"announces it")
			}
		},
	},
	{
		ID: "1738/scheme-unknown", Severity: Note, about: unknownScheme,
		Title:       "a scheme of some other specification",
		Requirement: "Other schemes may be specified by future specifications.",
		also: twin{"1630/scheme-unknown", Note,
			"New schemes may be registered at a later time."},
		check: checkUnknown,
	},
}

// checkOwnProduction reports the place where the scheme's own production, which does not derive u, cannot go on. It
// leaves a URL that the prose describes to other rules.
func checkOwnProduction(u *URL, r *report) {
	if _, ok := u.Specific.(*Other); !ok {
		return // the prose has it, and the BNF does not: see 1630/gopher-type and draft06/file-empty-host
	}
	own, _ := u.Grammar.Scheme(u.name)
	name := u.Grammar.Production(own).Name
	url := u.span(u.Scheme.Start(), u.End())
	text := u.name + url.Raw[len(u.name):] // as it was parsed, if the scheme was folded
	if u.Grammar.Accept(own, text) {
		return
	}
	r.explained(func() (Part, string) {
		e := u.Grammar.Explain(own, text)
		if e == nil { // never: the production does not accept the text
			return url, "change this: " + name + " does not derive it"
		}
		at := url.sub(min(e.Offset, len(url.Raw)), min(e.Offset+1, len(url.Raw)))
		if e.Offset >= len(url.Raw) {
			return at, "complete the URL: " + name + " cannot end here"
		}
		return at, "change " + ast.Quote(at.Raw) + " or what is before it: " + name + " cannot go on with it here"
	})
}

func checkExperimental(u *URL, r *report) {
	r.at(u.Scheme, "use this scheme by mutual agreement only: it is experimental")
}

// checkUnknown reports the scheme of u as one that the text does not define, unless another rule reports it.
func checkUnknown(u *URL, r *report) {
	listed := u.number != 0 || u.text.roles.others || hasUpper(u.name) // as every scheme is that a text knows
	switch {
	case strings.HasPrefix(u.name, "x-"): // scheme-experimental
	case listed && u.Family == Family1630 && u.describes1630(strings.ToLower(u.name)):
		// Another rule says it: 1630/scheme-case, or that of a scheme of the prose.
	case listed && u.Family == Family1738 && (slices.Contains(only1630, u.name) || slices.Contains(proposed, u.name)):
		// Another rule reports a scheme that only RFC 1630 has, or that was proposed.
	default:
		r.at(u.Scheme, "see the specification of this scheme: the text does not define it")
	}
}

// describes1630 reports whether RFC 1630 has a production for a scheme, or describes it in its prose.
func (u *URL) describes1630(scheme string) bool {
	_, own := u.Grammar.Scheme(scheme)
	return own || slices.Contains(inProse1630, scheme)
}
