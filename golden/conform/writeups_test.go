package conform_test

// writeUps are the disagreements that docs/conformance.md explains: another host or port first, then what is accepted, then what is
// rejected. Each is about a parser that claims RFC 3986, in whole or in part.
var writeUps = []chosen{
	{parser: "fast-uri", input: "http://010.0.0.1/", component: "host", note: `By section 3.2.2 a host that is no ` + "`IPv4address`" + ` of four decimal octets without leading zeros is a ` + "`reg-name`" + `. Section 7.4
describes this very attack: a filter that compares ` + "`010.0.0.1`" + ` with 10.0.0.0/8 lets the string pass, and the connection goes to 8.0.0.1. The same holds
for ` + "`http://2130706433/`" + `, which becomes 127.0.0.1. For http the package hands the host to the URL of Node.js, which follows WHATWG: the claim is loose there.`},
	{parser: "qt-qurl", input: "http://010.0.0.1/", component: "host", note: `As with fast-uri, a name that looks like a number is read as inet_aton does, in every scheme and in strict mode too: ` + "`//1`" + ` has the
host 0.0.0.1. Other parsers of RFC 3986 keep the name, so that a check before QUrl sees another host than the request after it.`},
	{parser: "uri-js", input: "http://010.0.0.1/", component: "host", note: `Here the zero is dropped, so that this parser, fast-uri and inet_aton see three different things: ` + "`10.0.0.1`" + `, ` + "`8.0.0.1`" + ` and a name.
Comparing the original string with the host is what a caller can do until then.`},
	{parser: "uri-js", input: "http://[::ffff:0.1.2.3]/", component: "host", note: `The leading zeros of every group are taken away by a pattern that is meant for hexadecimal groups. Of an octet 0 at the beginning of
the IPv4 part it leaves nothing: the host that comes out is no address any more.`},
	{parser: "ruby-addressable", input: "http://a:0/", component: "port", note: `The port 0 becomes nil, as if there were none, and a program connects to the default port.`},
	{parser: "tcl-uri", input: "mailto:a@b", component: "host", note: `RFC 3986 has an authority only behind "//" (section 3.2); what follows in ` + "`mailto:`" + ` is a path. A generic split by section 3 does not
depend on the scheme. What the package does is of use for mail, but is not the generic syntax that its manual claims.`},
	{parser: "erlang-uri-string", input: "http://[::1]a/", note: `What follows the bracket is taken into the host, so that ` + "`inet:parse_address`" + ` fails on it where a parser that stops at the bracket goes to
the loopback address: Python's urllib sees ` + "`::1`" + `. ` + "`IP-literal`" + ` is all of a host or none of it.`},
	{parser: "ruby-addressable", input: "http://[::1", note: `The unclosed bracket is split at its last colon, so that there is a host ` + "`[:`" + ` and a port 1 in a string that no production derives. A
check for an unclosed "[" before the port is looked for would reject it.`},
	{parser: "uri-js", input: "http://[::1", note: `The parser rejects nothing for its syntax: its pattern matches every string, and ` + "`error`" + ` is set for an http URI without a host and the
like only. So ` + "`[`" + ` is a host and ` + "`:1`" + ` a path here. A program cannot use the parser for validation, which its README offers.`},
	{parser: "glib-guri", input: "http://u@v@a/", note: `The first "@" ends the userinfo, and the host is ` + "`v@a`" + `. Parsers that look for the last one (Go's net/url, Python's urllib) see ` + "`a`" + `.
Neither ` + "`userinfo`" + ` nor ` + "`reg-name`" + ` holds an "@" (section 3.2), and so rejecting it is the only reading that no other contradicts.`},
	{parser: "go-net-url", input: "http://u@v@a/", note: `The last "@" ends the userinfo, where GLib takes the first and sees the host ` + "`v@a`" + `. The package's documentation leaves room for
deviations; this one decides about hosts.`},
	{parser: "python-rfc3986", input: "http://a\\@b/", note: `The string is percent-encoded before it is validated, and the backslash ends the authority: the host is ` + "`a`" + `. uri-js, hyperlink,
Addressable, GLib and curl see ` + "`b`" + `. A backslash is in no production; the validator never sees it.`},
	{parser: "python-hyperlink", input: "http://a\\@b/", note: `The same string as above, and the other host. The userinfo is not validated.`},
	{parser: "haskell-network-uri", input: "http://[::1.2.3.04]/", note: `Of all strings asked, this one and its like are the only ones that the parser accepts and the text does not: ` + "`dec-octet`" + ` has no leading
zero. glibc's and Go's parsers of addresses reject it; those that read "04" as octal agree by chance, and for "010" do not.`},
	{parser: "erlang-uri-string", input: "http://a/%zz", note: `A "%" that begins no escape is accepted everywhere but in a host. What decodes the path later fails, or keeps it, or drops it, each in its own way.`},
	{parser: "python-hyperlink", input: "http://a:/", production: "authority", term: `":"`, offset: 8, note: `The port may be empty: section 3.2.3 has ` + "`port = *DIGIT`" + `, and section 6.2.3 names "http://example.com:/" as equivalent to the URI without the colon.`},
	{parser: "haskell-network-uri", input: "http://[v1F.a]/", production: "IPvFuture", term: "HEXDIG", offset: 10, note: `The version of an ` + "`IPvFuture`" + ` may have several digits, and the address may hold a ":"; the parser reads one digit, and no colon
(` + "`http://[v1.a:b]/`" + `). Of the parsers here Qt shares the first.`},
	{parser: "glib-guri", input: "http://a:65536/", production: "port", term: "DIGIT", offset: 13, note: `Here the parser is right and the claim loose: the text sets no limit to a port (section 3.2.3), TCP does, and a parser that hands out
a number has to have one. fast-uri, Python's urllib and rfc3986, Qt and curl reject it too. The documentation could say so.`},
	{parser: "ruby-uri", input: "http:a?b", component: "query", note: `URI.parse calls the parser of RFC 3986, whose result then goes into classes of RFC 2396. A path that begins without "/" (` + "`path-rootless`" + `) is kept as "opaque", as RFC 2396 had it, and takes the query with it. RFC 3986 has
no opaque part: every URI has a path and may have a query (section 3; the change is in appendix D.2). ` + "`urn:a?b`" + ` is read in the same way.`},
}

// right is the section on what is no mistake.
const right = `## Where the parser is right, or claims something else

- **uriparser** agrees with RFC 3986 on every string here, and its model below is equal to the text.
- **A limit for ports.** The text has none; that of fast-uri, urllib, rfc3986, GLib, Qt and curl is sensible; not all document it.
- **WHATWG.** Node's URL claims the WHATWG standard, which reads "http:a" as "http://a/" and 010.0.0.1 as 8.0.0.1 on purpose. fast-uri calls it
  for http, and so mixes two standards in one answer.
- **curl** says "RFC 3986 plus" and documents what it adds: it takes one to three slashes behind the scheme, so that "http:/a" has the host a, and
  reads numbers as inet_aton does. Beside a strict parser these are two hosts all the same.
- **RFC 2396.** Perl's URI and Java's URI claim the RFC before, in which the authority may be "registry-based". Java's reports no host then, for
  "//a_b" and "//." as well, which a program may take for nothing to check.
- **No claim.** PHP's parse_url, the legacy url.parse, url-parse and yarl claim no RFC. parse_url reads "a:0" as a host and a port, and not as a scheme
  and a path.
- **An empty host in http.** The generic syntax allows it, and RFC 9110 (section 4.2.1) does not; fast-uri and uri-js reject "http://u@/".
`
