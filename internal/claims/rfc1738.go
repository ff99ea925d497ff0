package claims

import (
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// The claims of RFC 1738, in the order of its text.
//
// Its otherurl derives whatever has a scheme and a colon, so what a scheme's own production does not derive mostly is a
// url all the same. Where the text forbids something, that is said in an aside.
var claimsOfRFC1738 = []claim{
	{
		"1738/scheme-first", "2.1", "86-90", "name of the scheme being used",
		"a URL is a scheme, a colon, and a scheme-specific part",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every url begins with a scheme and a colon", t.of("url"), t.of("scheme", `":"`, lang.All()))}
		},
	},
	{
		"1738/scheme-characters", "2.1", "92-94", "The lower case",
		`scheme names are made of "a" to "z", digits, "+", "." and "-"`,
		func(t *rfc) []Assertion {
			s := expr.Range('a', 'z').Union(digitSet).Union(bytes("+.-"))
			return []Assertion{same("a scheme is one such character or more", t.of("scheme"), t.of(s, t.many(s)))}
		},
	},
	{
		"1738/octets-encoded", "2.2", "108-125", "octets may be encoded by a character triplet",
		"the parts of a URL that stand for octets, host names for one, may have octets encoded",
		func(t *rfc) []Assertion {
			escaped := t.with(`"%"`, hexSet, hexSet)
			var out []Assertion
			for _, id := range []string{"hostname", "user", "password", "fsegment", "hsegment", "database", "psegment"} {
				out = append(out, some("some "+id+" has an escape", t.of(id).Intersect(escaped)))
			}
			return out
		},
	},
	{
		"1738/hex-digits", "2.2", "123-125", "may also be used in hexadecimal",
		"the hexadecimal digits are 0-9, A-F, and a-f as well",
		func(t *rfc) []Assertion { return []Assertion{same("hex is these", t.of("hex"), t.of(hexSet))} },
	},
	{
		"1738/printable", "2.2", "135-138", "graphic printable characters",
		"no URL has octets that are not graphic characters of US-ASCII",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every url has visible ASCII characters only", t.of("url"), t.many(visibleSet))}
		},
	},
	{
		"1738/unsafe-encoded", "2.2", "142-157", "All unsafe characters must always be encoded",
		"no unsafe character stands in a URL; a percent sign does only where an encoding begins",
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no url has one", t.of("url"), t.with(bytes(` <>"#{}|\^~[]`+"`"))),
				disjoint("no url has a percent sign without two hexadecimal digits", t.of("url"), t.badEscape()),
			}
		},
	},
	{
		"1738/unsafe-list", "2.2", "142-155", `the quote mark`,
		"but for the space, the unsafe characters are those of national and punctuation",
		func(t *rfc) []Assertion {
			return []Assertion{same("they are", t.of("national").Union(t.of("punctuation")), t.of(bytes(`<>"#%{}|\^~[]`+"`")))}
		},
	},
	{
		"1738/reserved-list", "2.2", "180-183", "No other characters may",
		`the characters that may be reserved are ";", "/", "?", ":", "@", "=" and "&"`,
		func(t *rfc) []Assertion {
			return []Assertion{same("reserved is these", t.of("reserved"), t.of(bytes(";/?:@=&")))}
		},
	},
	{
		"1738/unencoded", "2.2", "190-192", "only alphanumerics, the special characters",
		`only alphanumerics, "$-_.+!*'()," and reserved characters stand in a URL unencoded`,
		func(t *rfc) []Assertion {
			special := bytes("$-_.+!*'(),")
			c := t.of(alnumSet.Union(special).Union(bytes(";/?:@=&"))).Union(t.of(`"%"`, hexSet, hexSet))
			return []Assertion{
				same("unreserved is the alphanumerics and these", t.of("unreserved"), t.of(alnumSet.Union(special))),
				subset("every url is made of them and of escapes", t.of("url"), t.many(c)),
			}
		},
	},
	{
		"1738/encoding-allowed", "2.2", "194-197", "may be encoded within the scheme-specific",
		"a character that need not be encoded may be encoded in the scheme-specific part",
		func(t *rfc) []Assertion { return t.encodingAllowed(alnumSet.Union(bytes("$-_.+!*'(),"))) },
	},
	{
		"1738/schemes-covered", "3", "234-246", "The schemes covered are",
		"the BNF defines the ten schemes that are listed",
		func(t *rfc) []Assertion {
			var out []Assertion
			for _, s := range []string{"ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"} {
				id := t.SchemeProduction(s)
				out = append(out, Assertion{Says: "url has a production of its own for " + s, Holds: id != ""})
			}
			return out
		},
	},
	{
		"1738/common-syntax", "3.1", "259-262", "may be excluded",
		"of //<user>:<password>@<host>:<port>/<url-path> some or all of four parts may be left out",
		func(t *rfc) []Assertion {
			return []Assertion{same("ip-schemepart is all these combinations", t.of("ip-schemepart"),
				t.of(`"//"`, t.opt("user", t.opt(`":"`, "password"), `"@"`), "host", t.opt(`":"`, "port"), t.opt(`"/"`, "urlpath")))}
		},
	},
	{
		"1738/double-slash", "3.1", "262-264", "to indicate that it complies",
		"what starts with a double slash complies with the common Internet scheme syntax",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every schemepart that starts so is an ip-schemepart",
				t.of("schemepart").Intersect(t.of(`"//"`, lang.All())), t.of("ip-schemepart"))}
		},
	},
	{
		"1738/login-encoded", "3.1", "276-277", "must be encoded",
		`":", "@" and "/" are encoded in a user name and a password`,
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no user has one of them", t.of("user"), t.with(bytes(":@/"))),
				disjoint("no password has one of them", t.of("password"), t.with(bytes(":@/"))),
			}
		},
	},
	{
		"1738/no-password-alone", "3.1", "287-289", "there is no way to specify a password",
		"a password cannot be given without a user name",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("in a login what stands before an @ is a user, and perhaps a password", t.of("login").Intersect(t.with(bytes("@"))),
					t.of("user", t.opt(`":"`, "password"), `"@"`, "hostport")),
				aside(disjoint("the user before a password is not empty", t.of("login"), t.of(`":"`, lang.All(), `"@"`, lang.All()))),
			}
		},
	},
	{
		"1738/empty-user", "3.1", "287-292", "is different than no user",
		"an empty user name or password can be told from none",
		func(t *rfc) []Assertion {
			return []Assertion{
				derives("all the examples are ftpurls", t.of("ftpurl"), "ftp://@host.com/", "ftp://host.com/", "ftp://foo:@host.com/"),
				disjoint("no hostport has an @", t.of("hostport"), t.with(bytes("@"))),
				disjoint("no user has a colon", t.of("user"), t.with(bytes(":"))),
			}
		},
	},
	{
		"1738/hostnumber", "3.1", "295-297", "a set of four decimal digit groups",
		`an IP address is four decimal digit groups with "." between them`,
		func(t *rfc) []Assertion {
			group := t.of(digitSet, t.many(digitSet))
			return []Assertion{same("hostnumber is that", t.of("hostnumber"), t.of(group, `"."`, group, `"."`, group, `"."`, group))}
		},
	},
	{
		"1738/hostname", "3.1", "297-302", "starting and ending with an alphanumerical character",
		`a domain name is labels with "." between them, each of alphanumericals and "-" with an alphanumerical at both ends`,
		func(t *rfc) []Assertion {
			label := t.of(alnumSet, t.opt(t.many(alnumSet.Union(bytes("-"))), alnumSet))
			last := label.Minus(t.of(digitSet, lang.All()))
			return []Assertion{same("hostname is that, with a rightmost label that does not start with a digit", t.of("hostname"),
				t.of(t.many(label, `"."`), last))}
		},
	},
	{
		"1738/host-toplabel", "3.1", "301-304", "syntactically distinguishes all domain names from the IP",
		"the rightmost label never starts with a digit, which tells every domain name from every IP address",
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no toplabel starts with a digit", t.of("toplabel"), t.of(digitSet, lang.All())),
				disjoint("nothing is both a hostname and a hostnumber", t.of("hostname"), t.of("hostnumber")),
			}
		},
	},
	{
		"1738/port-colon", "3.1", "306-310", "the colon is as well",
		"where the port is left out, so is the colon",
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no hostport ends in a colon", t.of("hostport"), t.of(lang.All(), `":"`)),
				aside(rejects("no url does, as http://a:", t.of("url"), "http://a:")),
			}
		},
	},
	{
		"1738/ftp-common", "3.2", "327", "follow the syntax described in Section 3.1",
		"an FTP URL follows the common syntax",
		func(t *rfc) []Assertion { return []Assertion{t.common("ftp")} },
	},
	{
		"1738/ftp-path", "3.2.2", "366-371", "parts may be",
		"the parts of an FTP path may be empty, and the path and its slash left out",
		func(t *rfc) []Assertion {
			return []Assertion{
				derives("all these are ftpurls", t.of("ftpurl"),
					"ftp://a", "ftp://a/", "ftp://a//", "ftp://a//b", "ftp://a/b/", "ftp://a/;type=a", "ftp://a//;type=d"),
				same("fpath is segments with slashes between them", t.of("fpath"), t.of("fsegment", t.many(`"/"`, "fsegment"))),
			}
		},
	},
	{
		"1738/ftp-typecode", "3.2.2", "367", "is one of the characters",
		`a typecode is one of "a", "i" and "d"`,
		func(t *rfc) []Assertion {
			return []Assertion{same("ftptype is these", t.of("ftptype"), t.of(bytes("aid")))}
		},
	},
	{
		"1738/ftp-reserved", "3.2.2", "386-387", "reserved and must be encoded",
		`"/" and ";" are encoded in the components of an FTP path`,
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no fsegment has one of them", t.of("fsegment"), t.with(bytes("/;")))}
		},
	},
	{
		"1738/http-form", "3.3", "465-472", "is optional, as is the",
		"path and search part are optional; the slash may be left out only with both",
		func(t *rfc) []Assertion {
			return []Assertion{
				derives("all these are httpurls", t.of("httpurl"), "http://a", "http://a/", "http://a/b", "http://a/b?c", "http://a/?c", "http://a:0/?c"),
				disjoint("no httpurl has a search part and no slash", t.of("httpurl"), t.of(`"http://"`, "hostport", `"?"`, lang.All())),
			}
		},
	},
	{
		"1738/http-login", "3.3", "468-469", "No user name or password is",
		"an HTTP URL has no user name and no password",
		func(t *rfc) []Assertion {
			login := t.of(t.many(notBytes("/?")), `"@"`, lang.All())
			return []Assertion{
				disjoint("no httpurl has an @ before its path", t.of("httpurl"), t.of(`"http://"`, login)),
				aside(disjoint("no url has that begins with http://", t.of("url"), t.of(`"http://"`, login))),
			}
		},
	},
	{
		"1738/http-reserved", "3.3", "474-475", "are",
		`"/", ";" and "?" are reserved in the path and the search part, hence no characters like others there`,
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no hsegment has one of them", t.of("hsegment"), t.with(bytes("/;?"))),
				disjoint("no search has one of them", t.of("search"), t.with(bytes("/;?"))),
			}
		},
	},
	{
		"1738/gopher-forms", "3.4.1", "495-515", "may also be empty, in",
		"a gopher path has one of three forms, or is empty, and then its slash is optional",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("all four are gopherurls, with the slash", t.of(`"gopher://"`, "hostport", `"/"`,
					t.opt("gtype", "selector", t.opt(`"%09"`, "search", t.opt(`"%09"`, "gopher+_string")))), t.of("gopherurl")),
				subset("and the empty one without", t.of(`"gopher://"`, "hostport"), t.of("gopherurl")),
			}
		},
	},
	{
		"1738/gopher-selector", "3.4.1", "517-520", "any octets except 09 hexadecimal",
		"a selector holds any octets but 09, 0A and 0D",
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint("no selector has one of these encoded", t.of("selector"), t.with(`"%0"`, bytes("9ADad"))),
				subset("every other octet can be encoded", t.of(`"%"`, hexSet, hexSet).Minus(t.of(`"%0"`, bytes("9ADad"))), t.of("selector")),
			}
		},
	},
	{
		"1738/gopher-reserved", "3.4.1", "525", "no characters are reserved",
		"no character is reserved in a gopher path",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("any characters after the slash make a gopherurl",
					t.of(`"gopher://"`, "hostport", `"/"`, t.many("xchar")), t.of("gopherurl")),
				aside(subset("any characters make a search", t.many("xchar"), t.of("search"))),
			}
		},
	},
	{
		"1738/gopher-plus-search", "3.4.3", "543-545", "may be the empty string",
		"before a Gopher+ string there is a search, which may be empty",
		func(t *rfc) []Assertion {
			return []Assertion{derives("an empty search stands between two encoded tabs", t.of("gopherurl"), "gopher://a/1b%09%09+")}
		},
	},
	{
		"1738/gopher-plus-strings", "3.4.4 to 3.4.9", "569-636", "+application/postscript%20Es_ES",
		"the Gopher+ strings that the text describes can be written",
		func(t *rfc) []Assertion {
			return []Assertion{derives("all of them are gopher+_strings", t.of("gopher+_string"),
				"+", "?", "!", "$", "!+ABSTRACT", "!+ABSTRACT%20+SMELL", "+application/postscript%20Es_ES",
				"+%091%0D%0A+-1%0D%0Aa%0D%0Aa%0D%0A.%0D%0A")}
		},
	},
	{
		"1738/mailto", "3.5", "656-659", "the encoding of an) addr-spec",
		"a mailto URL has an RFC 822 addr-spec",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every encoded822addr has an @", t.of("encoded822addr"), t.with(bytes("@")))}
		},
	},
	{
		"1738/mailto-reserved", "3.5", "659-660", "there are no reserved",
		"no character is reserved in a mailto URL",
		func(t *rfc) []Assertion {
			return []Assertion{same("encoded822addr is any characters", t.of("encoded822addr"), t.of("xchar", t.many("xchar")))}
		},
	},
	{
		"1738/news-group", "3.6", "689-690", "is a period-delimited hierarchical name",
		"a newsgroup name is names with periods between them",
		func(t *rfc) []Assertion {
			name := t.of(notBytes("."), t.many(notBytes(".")))
			return []Assertion{subset("in every group there is something between the periods", t.of("group"), t.of(name, t.many(`"."`, name)))}
		},
	},
	{
		"1738/news-message-id", "3.6", "690-692", "it takes the form",
		"a message-id is <unique>@<full_domain_name>",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every article has one @ only", t.of("article"), t.of(t.many(notBytes("@")), `"@"`, t.many(notBytes("@")))),
				subset("every article has a hostname after it", t.of("article"), t.of(t.many(notBytes("@")), `"@"`, "hostname")),
			}
		},
	},
	restated(claimsOfRFC1630, "news-at", "1738/", "3.6", "692-694", "message"),
	{
		"1738/news-reserved", "3.6", "694-695", "No additional characters",
		"but for the @ no character is reserved in a message-id",
		func(t *rfc) []Assertion {
			c := t.of("xchar").Minus(t.of(`"@"`))
			return []Assertion{same("any other characters may stand before the @", t.of("article"), t.of(c, t.many(c), `"@"`, "host"))}
		},
	},
	{
		"1738/news-all", "3.6", "697-698", "all available news groups",
		"news:* is a URL",
		func(t *rfc) []Assertion { return []Assertion{derives("it is a newsurl", t.of("newsurl"), "news:*")} },
	},
	{
		"1738/nntp-form", "3.7", "710-718", "is the numeric id of the article",
		"an nntp URL has a host, a group, and an article number",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every nntpurl has all of them", t.of("nntpurl"), t.of(`"nntp://"`, "hostport", `"/"`, "group", `"/"`, "digits")),
				subset("and all of them make an nntpurl", t.of(`"nntp://"`, "hostport", `"/"`, "group", `"/"`, "digits"), t.of("nntpurl")),
			}
		},
	},
	{
		"1738/telnet-form", "3.8", "742-746", "may be omitted",
		"in a telnet URL the slash, the port, the password, and the user may be left out",
		func(t *rfc) []Assertion {
			return []Assertion{
				same("telneturl is all these combinations", t.of("telneturl"),
					t.of(`"telnet://"`, t.opt("user", t.opt(`":"`, "password"), `"@"`), "host", t.opt(`":"`, "port"), t.opt(`"/"`))),
				t.common("telnet"),
			}
		},
	},
	{
		"1738/wais-forms", "3.9", "762-768", "takes one of the following forms",
		"a WAIS URL has one of three forms",
		func(t *rfc) []Assertion {
			database := t.of(`"wais://"`, "hostport", `"/"`, "database")
			forms := []*lang.DFA{database, t.of(database, `"?"`, "search"), t.of(database, `"/"`, "wtype", `"/"`, "wpath")}
			return []Assertion{
				same("waisurl is these", t.of("waisurl"), forms[0].Union(forms[1]).Union(forms[2])),
				aside(none("no string has two of them",
					forms[0].Intersect(forms[1]).Union(forms[0].Intersect(forms[2])).Union(forms[1].Intersect(forms[2])))),
			}
		},
	},
	{
		"1738/file-host", "3.10", "805-821", "or the empty",
		`a file URL has a host, "localhost", or none, and a path`,
		func(t *rfc) []Assertion {
			return []Assertion{
				derives("all three are fileurls", t.of("fileurl"), "file://host.dom/a", "file://localhost/a", "file:///a"),
				disjoint("no fileurl has no path", t.of("fileurl"), t.of(`"file://"`, t.many(notBytes("/")))),
			}
		},
	},
	{
		"1738/file-domain-name", "3.10", "807-808", "is the fully qualified domain name",
		"the host of a file URL is a domain name",
		func(t *rfc) []Assertion {
			return []Assertion{subset("every fileurl has a hostname, or none", t.of("fileurl"), t.of(`"file://"`, t.opt("hostname"), `"/"`, lang.All()))}
		},
	},
	{
		"1738/prospero-login", "3.11", "838-847", "No username or password",
		"a Prospero URL has no user name and no password",
		func(t *rfc) []Assertion {
			login := t.of(`"prospero://"`, t.many(notBytes("/")), `"@"`, lang.All())
			return []Assertion{
				disjoint("no prosperourl has an @ before its path", t.of("prosperourl"), login),
				aside(disjoint("no url has that begins with prospero://", t.of("url"), login)),
			}
		},
	},
	{
		"1738/prospero-semicolon", "3.11", "851-852", "may not",
		"a semicolon does not stand in the object name of a Prospero URL",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no ppath has one", t.of("ppath"), t.with(bytes(";")))}
		},
	},
	{
		"1738/prospero-slash", "3.11", "861-868", "begin with a slash",
		"an object name may hold slashes, and begin with one",
		func(t *rfc) []Assertion {
			return []Assertion{derives("both are prosperourls", t.of("prosperourl"), "prospero://host.dom/a/b", "prospero://host.dom//pros/name")}
		},
	},
	{
		"1738/prospero-fields", "3.11", "870-874", "are separated by a",
		`optional fields follow, with ";" before each and "=" between name and value`,
		func(t *rfc) []Assertion {
			return []Assertion{
				same("prosperourl is that", t.of("prosperourl"),
					t.of(`"prospero://"`, "hostport", `"/"`, "ppath", t.many(`";"`, "fieldname", `"="`, "fieldvalue"))),
				disjoint("no name and no value holds one of the signs", t.of("fieldname").Union(t.of("fieldvalue")), t.with(bytes(";="))),
			}
		},
	},
	{
		"1738/experimental", "4", "883-885", "starting with the characters",
		`no scheme that is defined starts with "x-"; experimental ones do`,
		func(t *rfc) []Assertion {
			x := lang.Empty()
			for _, s := range t.Schemes {
				x = x.Union(t.of(s.Production))
			}
			return []Assertion{
				disjoint(`no production of a scheme derives strings that start with "x-"`, x, t.of(`"x-"`, lang.All())),
				derives("x-a:b is a url", t.of("url"), "x-a:b"),
			}
		},
	},
	{
		"1738/proposed", "4", "912-922", "does not define their syntax or use",
		"the schemes that have been proposed have no syntax here, and names that are schemes",
		func(t *rfc) []Assertion {
			names := []string{"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"}
			out := []Assertion{derives("all the names are schemes", t.of("scheme"), names...)}
			for _, s := range names {
				out = append(out, Assertion{Says: s + " has no production of its own", Holds: t.SchemeProduction(s) == ""})
			}
			return out
		},
	},
	{
		"1738/generic", "5", "934-936", "The generic form of a URL is",
		"every URL has the generic form",
		func(t *rfc) []Assertion {
			return []Assertion{
				subset("every url is a genericurl", t.of("url"), t.of("genericurl")),
				aside(some("the productions of the schemes add strings to otherurl", t.of("url").Minus(t.of("otherurl")))),
			}
		},
	},
	{
		"1738/lower-case", "5", "949", "the scheme is in lower case",
		"no scheme has an upper case letter",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("none has", t.of("scheme"), t.with(expr.Range('A', 'Z')))}
		},
	},
	{
		"1738/ip-schemeparts", "5", "962", "URL schemeparts for ip based protocols",
		"the schemes of protocols over IP have an ip-schemepart",
		func(t *rfc) []Assertion {
			var out []Assertion
			for _, s := range []string{"ftp", "http", "gopher", "nntp", "telnet", "wais", "prospero"} {
				out = append(out, t.common(s))
			}
			return append(out, aside(t.common("file")))
		},
	},
	{
		"1738/url-prefix", "APPENDIX", "1190-1192", `characters "URL:"`,
		`the prefix "URL:" is no part of a URL`,
		func(t *rfc) []Assertion {
			return []Assertion{
				disjoint(`no url begins with "URL:"`, t.of("url"), t.of(`"URL:"`, lang.All())),
				aside(disjoint(`no url begins with "url:"`, t.of("url"), t.of(`"url:"`, lang.All()))),
			}
		},
	},
	{
		"1738/wrapper", "APPENDIX", "1200-1211", "This",
		"angle brackets, white space, and the # of a fragment can be told from a URL",
		func(t *rfc) []Assertion {
			return []Assertion{disjoint("no url has one of them", t.of("url"), t.with(bytes("<>#").Union(spaceSet)))}
		},
	},
	{
		"1738/printed", "", "49-1337", "http://www.acl.lanl.gov",
		"every URL that the text prints is one",
		func(t *rfc) []Assertion { return t.prints(t.of("url")) },
	},
}

// encodingAllowed asserts that characters of a set may be encoded in the scheme-specific part of every URL.
func (t *rfc) encodingAllowed(free expr.Set) []Assertion {
	part := t.of("schemepart")
	out := []Assertion{subset("a schemepart with one encoded is a schemepart", t.encoded(part, free), part)}
	for _, s := range t.Schemes {
		rest := t.production(s.Production).Derivative(s.Name + ":")
		out = append(out, subset("so is the rest of a "+s.Production, t.encoded(rest, free), rest))
	}
	return out
}

// common asserts that the production of a scheme has the common syntax after the scheme.
func (t *rfc) common(scheme string) Assertion {
	id := t.SchemeProduction(scheme)
	says := "the rest of every " + id + " is an ip-schemepart"
	if t.BNF.Rule("ip-schemepart") == nil {
		says = `the rest of every ` + id + ` is "//", a login, and perhaps a slash and more`
	}
	return subset(says, t.production(id).Derivative(scheme+":"), t.commonSyntax())
}

// commonSyntax gives the strings that have the common syntax of IP-based protocols: those of ip-schemepart, where there is one.
func (t *rfc) commonSyntax() *lang.DFA {
	if t.BNF.Rule("ip-schemepart") != nil {
		return t.of("ip-schemepart")
	}
	return t.of(`"//"`, "login", t.opt(`"/"`, t.many("xchar")))
}
