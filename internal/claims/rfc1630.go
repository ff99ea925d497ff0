package claims

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// The claims of RFC 1630, in the order of its text. Productions of its generic BNF are uri and those that begin with
// uri_.
var claimsOfRFC1630 = []claim{
	{
		"1630/complete", "Design criteria", "186-187", "possible to encode any naming scheme",
		"every name, octet by octet, can be written as the path of a URI",
		func(t *rfc) []Assertion {
			names := t.many(`"%"`, hexSet, hexSet)
			return []Assertion{
				subset("every sequence of escapes is a path of the generic BNF", names, t.of("uri_path")),
				subset("every sequence of escapes is a path of the URL BNF", names, t.of("url_path")),
			}
		},
	},
	{
		"1630/printable", "Design criteria", "189-191", "7-bit ASCII characters",
		"every URI consists of 7-bit ASCII characters that can be seen",
		func(t *rfc) []Assertion { return t.all(t.many(visibleSet), "has visible ASCII characters only") },
	},
	{
		"1630/white-space", "Choices for a universal syntax", "265-266", "has all white spaces encoded",
		"no URI holds white space",
		func(t *rfc) []Assertion { return t.all(t.with(spaceSet).Complement(), "holds no white space") },
	},
	{
		"1630/scheme-first", "URI syntax", "293-294", "the first element is the name of the scheme",
		"every URI begins with the name of a scheme and a colon",
		func(t *rfc) []Assertion {
			return t.all(t.of("uri_scheme", `":"`, lang.All()), "begins with a scheme and a colon")
		},
	},
	{
		"1630/percent", "Reserved characters", "315-317", "never allowed for anything else",
		"a percent sign stands in no URI but at the beginning of an escape",
		func(t *rfc) []Assertion {
			return t.all(t.badEscape().Complement(), "has escapes only at its percent signs")
		},
	},
	{
		"1630/hash", "Reserved characters", "352-353", "reserved as a delimiter",
		"a hash sign separates a URI from a fragment identifier and stands nowhere else",
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no uri holds a hash sign", t.of("uri"), t.with(bytes("#"))),
				disjoint("no url holds a hash sign", t.of("url"), t.with(bytes("#"))),
				subset("in a fragmentaddress a fragmentid follows the only one", t.of("uri_fragmentaddress"),
					t.of(t.many(notBytes("#")), t.opt(`"#"`, "uri_fragmentid"))),
			}
		},
	},
	{
		"1630/question-mark", "Reserved characters", "357-359", "delimit the boundary",
		"a question mark separates a URI from the words of a search and stands nowhere else",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("in a uri a search follows the only one", t.of("uri"),
					t.of(t.many(notBytes("?")), t.opt(`"?"`, "uri_search"))),
				subset("in a url a search follows the only one", t.of("url"),
					t.of(t.many(notBytes("?")), t.opt(`"?"`, "url_search"))),
			}
		},
	},
	{
		"1630/query-plus", "Reserved characters", "363-364", "real plus signs must be encoded",
		"a plus sign in a search stands for a space between two words",
		func(t *rfc) []Assertion {
			words := func(xalphas string) *lang.DFA {
				w := t.of(xalphas).Minus(t.with(bytes("+")))
				return t.of(w, t.many(`"+"`, w))
			}
			return []Assertion{
				subset("in a search of the generic BNF every plus sign separates words", t.of("uri_search"), words("uri_xalphas")),
				subset("in a search of the URL BNF every plus sign separates words", t.of("url_search"), words("url_xalphas")),
			}
		},
	},
	{
		"1630/hex-digits", "Conventional URI encoding scheme", "422-424", "two hexadecimal digits",
		"the hexadecimal digits of an escape are 0-9 and A-F",
		func(t *rfc) []Assertion {
			return []Assertion{same("hex is 0-9 and A-F", t.of("uri_hex"), t.of(digitSet.Union(bytes("ABCDEF"))))}
		},
	},
	{
		"1630/safer", "Reduced or increased safe character sets", "434-437", `a URI may be made "safer"`,
		"encoding a character that is not reserved, nor a delimiter, makes a URI of a URI",
		func(t *rfc) []Assertion {
			// What safe and extra hold beside the reserved "*" and "!", and "@": that is a delimiter of logins and addr-specs.
			unsafe := bytes(`$-_.&"'(),`)
			return []Assertion{
				subset("a uri with a character of safe or extra encoded is a uri", t.encoded(t.of("uri"), unsafe), t.of("uri")),
				subset("a url with a character of safe or extra encoded is a url or at least a uri", t.encoded(t.of("url"), unsafe), t.of("url").Union(t.of("uri"))),
			}
		},
	},
	{
		"1630/reserved-percent", "Reduced or increased safe character sets", "455-458", "reserved for future extension",
		"the two URIs of example 3 are illegal",
		func(t *rfc) []Assertion {
			return []Assertion{rejects("neither is a fragmentaddress", t.of("uri_fragmentaddress"),
				"fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", "news:12345667123%asdghfh@info.cern.ch")}
		},
	},
	{
		"1630/absolute-form", "Partial (relative) form", "530-532", "must have a colon",
		"an absolute form has a colon before any slash, and what is left of it in a partial form has none",
		func(t *rfc) []Assertion {
			absolute := t.of(t.many(notBytes(":/")), `":"`, lang.All())
			return append(t.all(absolute, "has a colon before any slash"),
				disjoint("no path, with or without a search, has one", t.of("uri_path", t.opt(`"?"`, "uri_search")), absolute))
		},
	},
	{
		"1630/partial-rule", "Partial (relative) form", "543-556", "exactly the same number of",
		"the rule for partial forms gives what the table of examples has (lines 586 to 606)",
		func(*rfc) []Assertion { return partialForms() },
	},
	{
		"1630/fragment-follows", "Fragment-id", "628-629", "follows the URL of the whole object",
		"every URL can be followed by a hash sign and a fragment-id",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("after a uri that is a fragmentaddress", t.of("uri", `"#"`, "uri_fragmentid"), t.of("uri_fragmentaddress")),
				subset("after a url that is a fragmentaddress", t.of("url", `"#"`, "uri_fragmentid"), t.of("uri_fragmentaddress")),
			}
		},
	},
	{
		"1630/void-fragment", "Fragment-id", "629-631", "with or without the hash",
		"a void fragment-id can be written with the hash sign and without it",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every uri is a fragmentaddress", t.of("uri"), t.of("uri_fragmentaddress")),
				subset("every uri and a hash sign is a fragmentaddress", t.of("uri", `"#"`), t.of("uri_fragmentaddress")),
			}
		},
	},
	{
		"1630/schemes-covered", "Specific Schemes", "648-671", "The schemes covered are",
		"the BNF has the mapping of every scheme that is listed as covered",
		func(t *rfc) []Assertion {
			return t.defined("http", "ftp", "gopher", "mailto", "news", "telnet", "rlogin", "tn3270", "wais", "file")
		},
	},
	{
		"1630/schemes-proposed", "Specific Schemes", "679-685", "proposed as essential",
		"the BNF has the mapping of the schemes that are proposed, mid and cid",
		func(t *rfc) []Assertion { return t.defined("mid", "cid") },
	},
	{
		"1630/urn-reserved", "Specific Schemes", "692-693", `The "urn" prefix is reserved`,
		"no URL scheme is called urn",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no url begins with urn:", t.of("url"), t.of(`"urn:"`, lang.All()))}
		},
	},
	{
		"1630/http-slash", "HTTP", "705-706", "starts with the slash which follows the host details",
		"a slash follows the host of every HTTP URL",
		func(t *rfc) []Assertion {
			return []Assertion{subset("in every httpaddress a slash follows the hostport", t.of("httpaddress"),
				t.of(`"http://"`, "hostport", `"/"`, lang.All()))}
		},
	},
	{
		"1630/ftp-login", "FTP", "770-776", "a user name and even a",
		"an FTP URL can have a port, a user name, and a password",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every combination of them is an ftpaddress",
				t.of(`"ftp://"`, t.opt("user", t.opt(`":"`, "password"), `"@"`), "host", t.opt(`":"`, "port"), `"/"`, "url_path"),
				t.of("ftpaddress"))}
		},
	},
	{
		"1630/ftp-segments", "FTP", "803-806", "successive segment parts of",
		"the path of an FTP URL is segments with slashes between them",
		func(t *rfc) []Assertion {
			segment := t.opt("segment")
			return []Assertion{same("a path is segments, void or not, with slashes between them", t.of("url_path"),
				t.of(segment, t.many(`"/"`, segment)))}
		},
	},
	{
		"1630/ftp-type-code", "FTP", "828-829", `binary "I" or text "A"`,
		`the type codes are those of RFC 959, of which "I" and "A" are given as examples`,
		func(t *rfc) []Assertion {
			return []Assertion{derives("I and A are ftptypes", t.of("ftptype"), "I", "A")}
		},
	},
	{
		"1630/ftp-type", "FTP", "847-851", ";type = <type-code>",
		`the suffix ";type=" with a type code can stand after an FTP URL`,
		func(t *rfc) []Assertion {
			return []Assertion{subset("an ftpaddress with the suffix is an ftpaddress",
				t.of("ftpaddress", `";type="`, "ftptype"), t.of("ftpaddress"))}
		},
	},
	{
		"1630/ftp-directory", "FTP", "847-854", "Use FTP directory list commands",
		"the suffix / can stand after an FTP URL",
		func(t *rfc) []Assertion {
			return []Assertion{subset("an ftpaddress and a slash is an ftpaddress", t.of("ftpaddress", `"/"`), t.of("ftpaddress"))}
		},
	},
	{
		"1630/gopher-type", "Gopher", "866-867", "a single",
		"a slash and a gopher type follow the host, and after these any command string",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("a slash, a gtype and a gcommand make a gopheraddress",
					t.of(`"gopher://"`, "hostport", `"/"`, "gtype", "gcommand"), t.of("gopheraddress")),
				derives("the command may begin with a slash", t.of("gopheraddress"), "gopher://host/1/", "gopher://host/11/a"),
			}
		},
	},
	{
		"1630/gopher-empty", "Gopher", "880-882", "may be an",
		"the selector may be empty",
		func(t *rfc) []Assertion {
			return []Assertion{subset("a slash and a gtype make a gopheraddress",
				t.of(`"gopher://"`, "hostport", `"/"`, "gtype"), t.of("gopheraddress"))}
		},
	},
	{
		"1630/gopher-omitted", "Gopher", "884-886", "type character may be omi",
		"where the command string is void the type may be omitted too",
		func(t *rfc) []Assertion {
			return []Assertion{
				derives("with the slash", t.of("gopheraddress"), "gopher://a/"),
				derives("and without it", t.of("gopheraddress"), "gopher://a"),
			}
		},
	},
	{
		"1630/mailto", "Mailto", "905", "an RFC822 addr-spec mail address",
		"a mailto URL can hold any RFC 822 addr-spec",
		func(t *rfc) []Assertion {
			atom := t.of(alnumSet, t.many(alnumSet))
			spec := t.of(atom, t.many(`"."`, atom), `"@"`, atom, t.many(`"."`, atom))
			return []Assertion{subset("even letters and digits, with dots and an at sign", t.of(`"mailto:"`, spec), t.of("mailtoaddress"))}
		},
	},
	{
		"1630/news-at", "News", "913-914", `the presence of the commercial at`,
		"an at sign tells a message identifier from a news group name",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every article has one", t.of("article"), t.with(bytes("@"))),
				disjoint("no group has one", t.of("group"), t.with(bytes("@"))),
				disjoint("nothing is both an article and a group", t.of("article"), t.of("group")),
			}
		},
	},
	{
		"1630/news-partial", "News", "915-916", "in the partial form",
		"a news group or an article is a partial form as it stands",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no groupart looks like an absolute form: it has no colon before a slash",
				t.of("groupart"), t.of(t.many(notBytes(":/")), `":"`, lang.All()))}
		},
	},
	{
		"1630/wais-wpath", "WAIS", "1015-1019", `terminated by ";"`,
		"a wpath is fields, each digits, an equals sign, contents, and a semicolon at its end",
		func(t *rfc) []Assertion {
			field := t.of("digits", `"="`, t.many(notBytes("=;")), `";"`)
			return []Assertion{subset("every wpath is, and no field holds one of the signs", t.of("wpath"), t.of(field, t.many(field)))}
		},
	},
	{
		"1630/file-host", "file", "1039-1051", "A void host field",
		`a file URL has a host, which may be "localhost" or void`,
		func(t *rfc) []Assertion {
			return []Assertion{derives("both are uris", t.of("uri"), "file://localhost/a", "file:///a")}
		},
	},
	{
		"1630/mid", "Message-Id", "1071-1074", "the same as addr-spec format",
		"what follows mid: is an addr-spec, which mailto: can hold as well",
		func(t *rfc) []Assertion {
			return []Assertion{
				some("there are midaddresses", t.of("midaddress")),
				same("after the scheme, a midaddress is a mailtoaddress",
					t.production("midaddress").Derivative("mid:"), t.production("mailtoaddress").Derivative("mailto:")),
			}
		},
	},
	{
		"1630/cid", "Content-Id", "1083-1085", `is similar to "mid:"`,
		"what follows cid: is similar to what follows mid:",
		func(t *rfc) []Assertion {
			return []Assertion{
				some("there are cidaddresses", t.of("cidaddress")),
				same("after the scheme, a cidaddress is a midaddress",
					t.production("cidaddress").Derivative("cid:"), t.production("midaddress").Derivative("mid:")),
			}
		},
	},
	{
		"1630/nntp", "NNTP", "1139-1140", "The news server name, newsgroup name",
		"an nntp URL gives a server, a group, and a number",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every nntpaddress has a hostport, a group and digits", t.of("nntpaddress"),
					t.of(`"nntp:"`, t.opt(`"//"`), "hostport", `"/"`, "group", `"/"`, "digits")),
				aside(subset("every nntpaddress has a group and digits", t.of("nntpaddress"), t.of(`"nntp:"`, "group", `"/"`, "digits"))),
			}
		},
	},
	{
		"1630/prospero-host", "Prospero", "1160-1161", "The port part is optional",
		"a Prospero URL has a host, by name or number, and may have a port",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every prosperoaddress has", t.of("prosperoaddress"),
					t.of(`"prospero://"`, "host", t.opt(`":"`, "port"), `"/"`, lang.All())),
				derives("all four kinds are prosperoaddresses", t.of("prosperoaddress"),
					"prospero://a/", "prospero://a:0/", "prospero://0.0.0.0/", "prospero://0.0.0.0:0/"),
				aside(disjoint("nothing is both a hostname and a hostnumber", t.of("hostname"), t.of("hostnumber"))),
			}
		},
	},
	{
		"1630/prospero-version", "Prospero", "1164-1166", "the version number is separated",
		"%00 separates the object name from the version",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no hsoname holds %00 itself", t.of("hsoname"), t.with(`"%00"`))}
		},
	},
	{
		"1630/experimental", "Registration of naming schemes", "1173-1183", "and must start with the",
		`no URL scheme begins with "x-"; experimental ones do`,
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint(`no url begins with "x-"`, t.of("url"), t.of(`"x-"`, lang.All())),
				derives("x-a:b is a uri", t.of("uri"), "x-a:b"),
			}
		},
	},
	{
		"1630/words-described", "BNF of Generic URI Syntax", "1212-1213", "All words of more than one letter below are entities",
		"every name in the generic BNF is described in it",
		func(t *rfc) []Assertion { return t.described("generic") },
	},
	{
		"1630/same-uris", "BNF of Generic URI Syntax", "1215-1216", "a higher level parsing of the same",
		"the generic production derives the same URIs as the others: whatever they derive, at least",
		func(t *rfc) []Assertion {
			out := []Assertion{subset("every url is a uri", t.of("url"), t.of("uri"))}
			for _, s := range t.Schemes {
				out = append(out, subset(fmt.Sprintf("every %s is a uri", s.Production), t.of(s.Production), t.of("uri")))
			}
			return append(out, subset("every prefixedurl is a uri", t.of("prefixedurl"), t.of("uri")))
		},
	},
	{
		"1630/national-punctuation", "BNF of Generic URI Syntax", "1216-1218", "and therefore may not",
		"the characters of national and punctuation appear in no production, and in no URI",
		func(t *rfc) []Assertion {
			return []Assertion{
				t.unused("generic", "uri_national"),
				t.unused("generic", "uri_punctuation"),
				disjoint("no uri holds one of them", t.of("uri"), t.with(t.of("uri_national").Union(t.of("uri_punctuation")))),
				disjoint("no fragmentaddress holds one of them", t.of("uri_fragmentaddress"),
					t.with(t.of("uri_national").Union(t.of("uri_punctuation")))),
			}
		},
	},
	{
		"1630/url-words-described", "BNF for specific URL schemes", "1283-1284", "All words of more than one letter below are entities",
		"every name in the URL BNF is described in it",
		func(t *rfc) []Assertion { return t.described("url") },
	},
	{
		"1630/url-national-punctuation", "BNF for specific URL schemes", "1298-1299", "and therefore may not appear in URLs",
		"the characters of national and punctuation appear in no production, and in no URL",
		func(t *rfc) []Assertion {
			return []Assertion{
				t.unused("url", "url_national"),
				t.unused("url", "url_punctuation"),
				disjoint("no url holds one of them", t.of("url"), t.with(t.of("url_national").Union(t.of("url_punctuation")))),
				disjoint("no prefixedurl holds one of them", t.of("prefixedurl"), t.with(t.of("url_national").Union(t.of("url_punctuation")))),
			}
		},
	},
	{
		"1630/afsaddress", "BNF for specific URL schemes", "1301-1302", "but is not a url",
		"an afsaddress is not a url",
		func(t *rfc) []Assertion {
			return []Assertion{
				t.unused("url", "afsaddress"),
				disjoint("no afsaddress is a url", t.of("afsaddress"), t.of("url")),
			}
		},
	},
	{
		"1630/printed", "", "71-1541", "http://info.cern.ch",
		"every URI that the text prints is one, but for the two of example 3, which are illegal on purpose",
		func(t *rfc) []Assertion {
			return t.prints(t.of("uri_fragmentaddress").Union(t.of("url")),
				"fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", "news:12345667123%asdghfh@info.cern.ch")
		},
	},
}

// all asserts something of every kind of URI that RFC 1630 has.
func (t *rfc) all(property *lang.DFA, says string) []Assertion {
	var out []Assertion
	for _, id := range []string{"uri", "url", "prefixedurl", "uri_fragmentaddress"} {
		out = append(out, subset("every "+t.BNF.Rule(id).Name+" "+says, t.of(id), property))
	}
	return out
}

// defined asserts that url has strings of each of the schemes.
func (t *rfc) defined(schemes ...string) []Assertion {
	var out []Assertion
	for _, s := range schemes {
		out = append(out, some("url derives strings of "+s, t.of("url").Intersect(t.of(`"`+s+`:"`, lang.All()))))
	}
	return out
}

// described asserts that every name in a part of the text is defined in it.
func (t *rfc) described(part string) []Assertion {
	a := Assertion{Says: "every name is", Holds: true}
	if names := t.undefined(part); len(names) > 0 {
		a.Holds, a.Witness = false, new(octets.Word(names[0]))
	}
	return []Assertion{a}
}
