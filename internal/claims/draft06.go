package claims

import (
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// The claims of draft-ietf-uri-url-06, in the order of its text. Most are RFC 1738's, decided on the draft's grammar; those
// that are written out here say something else, or of productions that RFC 1738 has not.
var claimsOfDraft06 = []claim{
	inDraft06("scheme-first", "95-97", "name of the scheme being used"),
	inDraft06("scheme-characters", "99-100", "consist of lower case letters"),
	inDraft06("octets-encoded", "113-116", "bytes are encoded by representing"),
	{
		"draft06/hex-digits", "2.2", "115-116", "two hexadecimal digits (0-9,",
		"the hexadecimal digits are 0-9 and A-F",
		func(t *rfc) []Assertion {
			return []Assertion{same("hex is these", t.of("hex"), t.of(digitSet.Union(expr.Range('A', 'F'))))}
		},
	},
	inDraft06("printable", "118-119", "only printable ASCII characters are allowed"),
	{
		"draft06/percent", "2.2", "119-120", `the character "%" must always be encoded`,
		"a percent sign stands in a URL only where an encoding begins",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no url has one without two hexadecimal digits", t.of("url"), t.badEscape())}
		},
	},
	inDraft06("reserved-list", "127-129", "No other characters may"),
	{
		"draft06/unsafe-list", "2.2", "137-142", "the quote mark",
		"the characters that are unsafe because they delimit are those of punctuation",
		func(t *rfc) []Assertion {
			return []Assertion{same("they are", t.of("punctuation"), t.of(bytes(`<>"#`)))}
		},
	},
	{
		"draft06/unsafe-encoded", "2.2", "144-145", "All unsafe characters should",
		"no unsafe character stands in a URL",
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no url has one that delimits", t.of("url"), t.with(bytes(`<>"#`))),
				disjoint("no url has one that is not safe (lines 151-153)", t.of("url"), t.with(visibleSet.Minus(safeInDraft06).Minus(bytes("%")))),
			}
		},
	},
	{
		"draft06/unencoded", "2.2", "151-153", "are safe and may be",
		`only alphanumerics, "$-_.+" and reserved characters stand in a URL unencoded`,
		func(t *rfc) []Assertion {
			c := t.of(safeInDraft06).Union(t.of(`"%"`, hexSet, hexSet))
			return []Assertion{
				same(`unreserved is the alphanumerics and "$-_.+"`, t.of("unreserved"), t.of(alnumSet.Union(bytes("$-_.+")))),
				subset("every url is made of them and of escapes", t.of("url"), t.many(c)),
			}
		},
	},
	{
		"draft06/encoding-allowed", "2.2", "153-154", "within the scheme specific part",
		"a safe character may be encoded in the scheme-specific part",
		func(t *rfc) []Assertion { return t.encodingAllowed(alnumSet.Union(bytes("$-_.+"))) },
	},
	inDraft06("schemes-covered", "160-171", "The schemes covered are"),
	{
		"draft06/common-syntax", "3.1", "180-189", "common syntax for the initial part",
		"the schemes of IP-based protocols have a common syntax: a double slash, user, password, host and port, up to the next slash",
		func(t *rfc) []Assertion {
			var out []Assertion
			for _, s := range []string{"ftp", "http", "gopher", "nntp", "telnet", "wais", "prospero"} {
				out = append(out, t.common(s))
			}
			out = append(out, same("login is all combinations of the four parts", t.of("login"),
				t.of(t.opt("user", t.opt(`":"`, "password"), `"@"`), "host", t.opt(`":"`, "port"))))
			return append(out, aside(subset("every schemepart that starts with a double slash has it",
				t.of("schemepart").Intersect(t.of(`"//"`, lang.All())), t.commonSyntax())))
		},
	},
	inDraft06("login-encoded", "200-201", "must be encoded"),
	inDraft06("no-password-alone", "203-205", "there is no way to specify a password"),
	inDraft06("empty-user", "203-208", "is different than no user"),
	inDraft06("hostnumber", "211-212", "a set of four decimal digits separated by periods"),
	{
		"draft06/hostname", "3.1", "213-215", "a sequence of parts separated by",
		"a domain name is parts with periods between them, as RFC 1034 has them: letters, digits and hyphens, beginning with a letter, no hyphen at the end",
		func(t *rfc) []Assertion {
			part := t.of(letterSet, t.opt(t.many(alnumSet.Union(bytes("-"))), alnumSet))
			name := t.of(part, t.many(`"."`, part))
			return []Assertion{
				subset("every such name is a hostname", name, t.of("hostname")),
				subset("every hostname is such a name", t.of("hostname"), name),
				aside(disjoint("nothing is both a hostname and a hostnumber", t.of("hostname"), t.of("hostnumber"))),
			}
		},
	},
	inDraft06("ftp-common", "238", "follow the syntax described in Section 3.1"),
	inDraft06("ftp-typecode", "262-263", "is one of the characters"),
	inDraft06("ftp-reserved", "278-279", "reserved and must be encoded"),
	inDraft06("http-login", "336-337", "No user name or password is"),
	inDraft06("http-form", "338-340", "is optional, as is the"),
	inDraft06("http-reserved", "342-343", "are"),
	{
		"draft06/gopher-forms", "3.4.1", "365-376", "<gophertype><selector>%09<gopher+_string>",
		"a gopher path has one of four forms, or is empty, and then its slash is optional",
		func(t *rfc) []Assertion {
			path := func(parts ...any) *lang.DFA {
				return t.of(append([]any{`"gopher://"`, "hostport", `"/"`}, parts...)...)
			}
			return []Assertion{
				subset("the one of type and selector is a gopherurl", path("gtype", "selector"), t.of("gopherurl")),
				subset("so is that with a search", path("gtype", "selector", `"%09"`, "search"), t.of("gopherurl")),
				subset("so is that with a Gopher+ string alone", path("gtype", "selector", `"%09"`, "gopher+_string"), t.of("gopherurl")),
				subset("so is that with both", path("gtype", "selector", `"%09"`, "search", `"%09"`, "gopher+_string"), t.of("gopherurl")),
				subset("and the empty one, with the slash and without", t.of(`"gopher://"`, "hostport", t.opt(`"/"`)), t.of("gopherurl")),
				aside(subset("every Gopher+ string is a search, which the second form would be told apart by", t.of("gopher+_string"), t.of("search"))),
			}
		},
	},
	inDraft06("gopher-selector", "378-380", "any characters other than tab"),
	inDraft06("gopher-reserved", "384-385", "no additional characters"),
	inDraft06("gopher-plus-search", "404-405", "may be the empty string"),
	inDraft06("gopher-plus-strings", "432-489", "+application/postscript%20Es_ES"),
	inDraft06("mailto", "511-512", "the encoding of an) addr-spec"),
	inDraft06("mailto-reserved", "512-513", "no additional characters"),
	inDraft06("news-group", "533-534", "is a period-delimited hierarchical name"),
	inDraft06("news-message-id", "534-536", "it takes the form"),
	inDraft06("news-at", "536-538", "may be distinguished"),
	inDraft06("news-reserved", "538-539", "No additional"),
	inDraft06("news-all", "541-542", "all available news groups"),
	inDraft06("nntp-form", "556-563", "is the numeric id of the article"),
	inDraft06("telnet-form", "579-583", "completely optional"),
	inDraft06("wais-forms", "595-599", "one the following forms"),
	{
		"draft06/file-form", "3.10", "628-634", "A file URL takes the form",
		"a file URL has a host, a slash and a path",
		func(t *rfc) []Assertion {
			form := t.of(`"file://"`, "host", `"/"`, "fpath")
			return []Assertion{
				subset("every such string is a fileurl", form, t.of("fileurl")),
				subset("every fileurl is such a string", t.of("fileurl"), form),
			}
		},
	},
	{
		"draft06/file-domain-name", "3.10", "632-633", "is the fully qualified domain name",
		"the host of a file URL is a domain name",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every fileurl has a hostname", t.of("fileurl"), t.of(`"file://"`, "hostname", t.opt(`"/"`, lang.All())))}
		},
	},
	{
		"draft06/file-host", "3.10", "644-645", `can be the string "localhost" or the`,
		`the host of a file URL can be "localhost" or empty`,
		func(t *rfc) []Assertion {
			return []Assertion{
				derives("localhost can be the host of a fileurl", t.of("fileurl"), "file://localhost/a"),
				derives("it can be empty", t.of("fileurl"), "file:///a"),
				aside(derives("file:///a is a url all the same", t.of("url"), "file:///a")),
			}
		},
	},
	inDraft06("prospero-login", "662-664", "No username or password"),
	inDraft06("prospero-semicolon", "668-669", "may not"),
	inDraft06("prospero-slash", "678-685", "begin with a slash"),
	inDraft06("prospero-fields", "687-691", "are separated by a"),
	inDraft06("experimental", "700-702", "starting with the characters"),
	inDraft06("proposed", "721-732", "does not define their syntax or use"),
	inDraft06("url-prefix", "902-903", `characters "URL:"`),
	inDraft06("wrapper", "910-913", "angle brackets"),
	inDraft06("printed", "71-989", "http://www.acl.lanl.gov"),
}

// safeInDraft06 has the characters that "may be transmitted unencoded", the reserved ones for their purposes among them.
var safeInDraft06 = alnumSet.Union(bytes("$-_.+;/?:@&="))

// inDraft06 gives what RFC 1738 claims under a name, as the draft has it already.
func inDraft06(name, lines, quote string) claim {
	return restated(claimsOfRFC1738, name, "draft06/", "", lines, quote)
}
