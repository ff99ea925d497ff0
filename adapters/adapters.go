// Package adapters holds programs that let `bnfcheck conform` ask other people's URL parsers: each of 20 to 70 lines, in the
// parser's own language, speaking the protocol of docs/adapter-protocol.md. Go's net/url needs none (conform.NetURL).
package adapters

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed *.js *.py *.pl *.rb *.java *.php *.escript *.tcl *.hs c npm/package.json npm/package-lock.json
var sources embed.FS

// Adapter is how one is run. In commands, "{}" stands for the folder with the sources and what was built.
type Adapter struct {
	Name    string   // as on the command line and in reports
	Parser  string   // what it asks
	Source  string   // its file here
	Package string   // what brings what it needs: a package of Debian or, after "npm ", of npm
	Version []string // prints the version of the parser, and fails where there is none
	Build   []string // nil where nothing is built
	Run     []string

	// Absolute reports whether the parser has no form for a relative reference.
	Absolute bool

	// Claim is what the parser's documentation says of itself, in whole sentences, and From is where they stand. Standard is the
	// text that it claims to follow, with what the claim says of how closely; "" is none.
	Standard, Claim, From string

	// Program is a program of a few lines that shows what the parser makes of a string.
	Program Program
}

// npm is where npm's packages are pinned.
const npm = "npm (npm ci --prefix adapters/npm, and its node_modules in NODE_PATH)"

// All lists the adapters.
func All() []Adapter { return all }

var all = []Adapter{
	{
		Name: "node-url", Parser: "Node, WHATWG URL", Source: "node-url.js", Package: "nodejs", Absolute: true,
		Version:  []string{"node", "--version"},
		Run:      []string{"node", "{}/node-url.js"},
		Standard: "WHATWG URL", From: "Node.js documentation, URL",
		Claim: "The node:url module provides two APIs for working with URLs: a legacy API that is Node.js " +
			"specific, and a newer API that implements the same WHATWG URL Standard used by web browsers.",
		Program: Program{"js", `console.log(new URL(%s))
`, []string{"node", "{}"}},
	}, {
		Name: "node-url-parse", Parser: "Node, legacy url.parse", Source: "node-url-parse.js", Package: "nodejs",
		Version: []string{"node", "--version"},
		Run:     []string{"node", "--no-deprecation", "{}/node-url-parse.js"},
		Claim: "url.parse() uses a lenient, non-standard algorithm for parsing URL strings. It is prone to " +
			"security issues such as host name spoofing and incorrect handling of usernames and " +
			"passwords. Do not use with untrusted input.",
		From: "Node.js documentation, url.parse",
		Program: Program{"js", `const url = require('url')
console.log(url.parse(%s, false, true))
`, []string{"node", "--no-deprecation", "{}"}},
	}, {
		Name: "fast-uri", Parser: "npm, fast-uri", Source: "fast-uri.js", Package: npm,
		Version:  []string{"node", "-p", "require('fast-uri/package.json').version"},
		Run:      []string{"node", "{}/fast-uri.js"},
		Standard: "RFC 3986", From: "its SECURITY.md",
		Claim: "`fast-uri` implements URI parsing and normalization according to RFC 3986. It does not " +
			"implement the WHATWG URL Standard.",
		Program: Program{"js", `const uri = require('fast-uri')
console.log(uri.parse(%s))
`, []string{"node", "{}"}},
	}, {
		Name: "uri-js", Parser: "npm, uri-js", Source: "uri-js.js", Package: npm,
		Version:  []string{"node", "-p", "require('uri-js/package.json').version"},
		Run:      []string{"node", "{}/uri-js.js"},
		Standard: "RFC 3986", From: "its README",
		Claim: "URI.js is an RFC 3986 compliant, scheme extendable URI parsing/validating/resolving library " +
			"for all JavaScript environments (browsers, Node.js, etc). It is also compliant with the IRI " +
			"(RFC 3987), IDNA (RFC 5890), IPv6 Address (RFC 5952), IPv6 Zone Identifier (RFC 6874) " +
			"specifications.",
		Program: Program{"js", `const uri = require('uri-js')
console.log(uri.parse(%s))
`, []string{"node", "{}"}},
	}, {
		Name: "url-parse", Parser: "npm, url-parse", Source: "url-parse.js", Package: npm,
		Version: []string{"node", "-p", "require('url-parse/package.json').version"},
		Run:     []string{"node", "{}/url-parse.js"},
		Claim: "The `URL` interface is available in all supported Node.js release lines and basically all " +
			"browsers. Consider using it for better security and accuracy.",
		From: "its README",
		Program: Program{"js", `const URLParse = require('url-parse')
console.log(new URLParse(%s, {}))
`, []string{"node", "{}"}},
	}, {
		Name: "python-urllib", Parser: "Python, urllib.parse.urlsplit", Source: "python-urllib.py", Package: "python3",
		Version:  []string{"python3", "-c", "import platform, urllib.parse; print(platform.python_version())"},
		Run:      []string{"python3", "{}/python-urllib.py"},
		Standard: "RFC 3986, in part", From: "the module's docstring",
		Claim: "RFC 3986 is considered the current standard and any future changes to urlparse module should " +
			"conform with it. The urlparse module is currently not entirely compliant with this RFC due " +
			"to defacto scenarios for parsing, and for backward compatibility purposes, some parsing " +
			"quirks from older RFCs are retained.",
		Program: Program{"py", `from urllib.parse import urlsplit
u = urlsplit(%s)
print(u, u.hostname, u.port)
`, []string{"python3", "{}"}},
	}, {
		Name: "python-rfc3986", Parser: "Python, rfc3986", Source: "python-rfc3986.py", Package: "python3-rfc3986",
		Version:  []string{"python3", "-c", "import rfc3986; print(rfc3986.__version__)"},
		Run:      []string{"python3", "{}/python-rfc3986.py"},
		Standard: "RFC 3986",
		Claim:    "An implementation of semantics and validations described in RFC 3986.",
		From:     "the package's docstring",
		Program: Program{"py", `from rfc3986 import uri_reference, validators
u = uri_reference(%s)
print(u, u.authority_info()); validators.Validator().check_validity_of("scheme", "userinfo", "host", "port", "path", "query", "fragment").validate(u)
`, []string{"python3", "{}"}},
	}, {
		Name: "python-hyperlink", Parser: "Python, hyperlink", Source: "python-hyperlink.py", Package: "python3-hyperlink",
		Version:  []string{"python3", "-c", "import hyperlink, importlib.metadata as m; print(m.version('hyperlink'))"},
		Run:      []string{"python3", "{}/python-hyperlink.py"},
		Standard: "based on RFC 3986", From: "its README",
		Claim: "Based on RFC 3986 and 3987, the Hyperlink URL makes working with both URIs and IRIs easy.",
		Program: Program{"py", `from hyperlink import URL
u = URL.from_text(%s)
print(repr(u), repr(u.host), u.port)
`, []string{"python3", "{}"}},
	}, {
		Name: "python-yarl", Parser: "Python, yarl", Source: "python-yarl.py", Package: "python3-yarl",
		Version: []string{"python3", "-c", "import yarl; print(yarl.__version__)"},
		Run:     []string{"python3", "{}/python-yarl.py"},
		Claim:   "The module provides handy URL class for URL parsing and changing.",
		From:    "its documentation",
		Program: Program{"py", `from yarl import URL
u = URL(%s)
print(repr(u), repr(u.host), u.explicit_port)
`, []string{"python3", "{}"}},
	}, {
		Name: "perl-uri", Parser: "Perl, URI", Source: "perl-uri.pl", Package: "liburi-perl",
		Version:  []string{"perl", "-MURI", "-MJSON::PP", "-e", "print URI->VERSION"},
		Run:      []string{"perl", "{}/perl-uri.pl"},
		Standard: "RFC 2396", From: "its documentation, perldoc URI",
		Claim: `This module implements the URI class. Objects of this class represent "Uniform Resource ` +
			`Identifier references" as specified in RFC 2396 (and updated by RFC 2732).`,
		Program: Program{"pl", `use URI;
my $u = URI->new(%s);
print join(" ", map { "$_=" . ($u->can($_) ? $u->$_ // "undef" : "(none)") } qw(scheme userinfo host port path query fragment)), "\n";
`, []string{"perl", "{}"}},
	}, {
		Name: "ruby-uri", Parser: "Ruby, URI.parse", Source: "ruby-uri.rb", Package: "ruby",
		Version:  []string{"ruby", "-ruri", "-rjson", "-e", "print RUBY_VERSION"},
		Run:      []string{"ruby", "{}/ruby-uri.rb"},
		Standard: "RFC 2396", From: "the module's documentation, which lists RFC 3986 among eight related RFCs",
		Claim: "URI is a module providing classes to handle Uniform Resource Identifiers (RFC2396).",
		Program: Program{"rb", `require 'uri'
u = URI.parse(%s)
p scheme: u.scheme, userinfo: u.userinfo, host: u.host, port: u.port, opaque: u.opaque, path: u.path, query: u.query
`, []string{"ruby", "{}"}},
	}, {
		Name: "ruby-addressable", Parser: "Ruby, Addressable", Source: "ruby-addressable.rb", Package: "ruby-addressable",
		Version:  []string{"ruby", "-raddressable/version", "-rjson", "-e", "print Addressable::VERSION::STRING"},
		Run:      []string{"ruby", "{}/ruby-addressable.rb"},
		Standard: "closely RFC 3986",
		Claim:    "Addressable closely conforms to RFC 3986, RFC 3987, and RFC 6570 (level 4).",
		From:     "its README",
		Program: Program{"rb", `require 'addressable/uri'
u = Addressable::URI.parse(%s)
p u.to_hash
`, []string{"ruby", "{}"}},
	}, {
		Name: "java-uri", Parser: "Java, java.net.URI", Source: "JavaNet.java", Package: "default-jdk-headless",
		Version:  []string{"javac", "--version"},
		Build:    []string{"javac", "-nowarn", "-d", "{}", "{}/JavaNet.java"},
		Run:      []string{"java", "-Xshare:auto", "-XX:+UseSerialGC", "-cp", "{}", "JavaNet", "uri"},
		Standard: "RFC 2396", From: "the class's documentation",
		Claim: "Aside from some minor deviations noted below, an instance of this class represents a URI " +
			"reference as defined by RFC 2396: Uniform Resource Identifiers (URI): Generic Syntax, " +
			"amended by RFC 2732: Format for Literal IPv6 Addresses in URLs.",
		Program: Program{"java", `class A { public static void main(String[] a) throws Exception {
    java.net.URI u = new java.net.URI(%s);
    System.out.println(u + " " + u.getUserInfo() + " " + u.getHost() + " " + u.getPort() + " " + u.getPath() + " " + u.getQuery()); } }
`, []string{"java", "{}"}},
	}, {
		Name: "java-url", Parser: "Java, java.net.URL", Source: "JavaNet.java", Package: "default-jdk-headless", Absolute: true,
		Version:  []string{"javac", "--version"},
		Build:    []string{"javac", "-nowarn", "-d", "{}", "{}/JavaNet.java"},
		Run:      []string{"java", "-Xshare:auto", "-XX:+UseSerialGC", "-cp", "{}", "JavaNet", "url"},
		Standard: "RFC 2396", From: "the class's documentation",
		Claim: "The syntax of URL is defined by RFC 2396: Uniform Resource Identifiers (URI): Generic " +
			"Syntax, amended by RFC 2732: Format for Literal IPv6 Addresses in URLs.",
		Program: Program{"java", `class A { public static void main(String[] a) throws Exception {
    java.net.URL u = new java.net.URL(%s);
    System.out.println(u + " " + u.getUserInfo() + " " + u.getHost() + " " + u.getPort() + " " + u.getPath() + " " + u.getQuery()); } }
`, []string{"java", "{}"}},
	}, {
		Name: "php-parse-url", Parser: "PHP, parse_url", Source: "php-parse-url.php", Package: "php-cli",
		Version: []string{"php", "-r", "echo PHP_VERSION;"},
		Run:     []string{"php", "{}/php-parse-url.php"},
		Claim: "This function is not meant to validate the given URL, it only breaks it up into the parts " +
			"listed below.",
		From: "the PHP manual, parse_url",
		Program: Program{"php", `<?php
var_dump(parse_url(%s));
`, []string{"php", "{}"}},
	}, {
		Name: "erlang-uri-string", Parser: "Erlang, uri_string:parse", Source: "erlang-uri-string.escript", Package: "erlang-base",
		Version: []string{"erl", "-noshell", "-eval", `{ok, V} = application:get_key(stdlib, vsn), io:format("stdlib ~s, OTP ~s~n", [V, erlang:system_info(otp_release)]), halt().`,
			"-s", "application", "load", "stdlib"},
		Run:      []string{"escript", "{}/erlang-uri-string.escript"},
		Standard: "RFC 3986", From: "the module's documentation",
		Claim: "This module contains functions for parsing and handling URIs (RFC 3986) and form-urlencoded " +
			"query strings (HTML 5.2).",
		Program: Program{"escript", `#!/usr/bin/env escript
main(_) ->
    io:format("~p~n", [uri_string:parse(<<%s>>)]).
`, []string{"escript", "{}"}},
	}, {
		Name: "curl", Parser: "curl, URL API", Source: "c/curl.c", Package: "libcurl4-openssl-dev", Absolute: true,
		Version:  []string{"curl-config", "--version"},
		Build:    []string{"cc", "-o", "{}/curl-url", "{}/c/curl.c", "-lcurl"},
		Run:      []string{"{}/curl-url"},
		Standard: "RFC 3986 plus", From: "docs/URL-SYNTAX.md",
		Claim: `curl recognizes a URL syntax that we call "RFC 3986 plus". It is grounded on the well ` +
			`established RFC 3986 to make sure previously written command lines and curl using scripts ` +
			`will remain working.`,
		Program: Program{"c", `#include <stdio.h>
#include <curl/curl.h>
int main(void) { CURLU *u = curl_url(); char *s = NULL; int e = curl_url_set(u, CURLUPART_URL, %s, CURLU_NON_SUPPORT_SCHEME); curl_url_get(u, CURLUPART_HOST, &s, 0); return printf("error %%d, host %%s\n", e, s) < 0; }
`, []string{"sh", "-c", "cc -o {}.out {} -lcurl && {}.out"}},
	}, {
		Name: "uriparser", Parser: "uriparser", Source: "c/uriparser.c", Package: "liburiparser-dev",
		Version:  []string{"pkg-config", "--modversion", "liburiparser"},
		Build:    []string{"cc", "-o", "{}/uriparser", "{}/c/uriparser.c", "-luriparser"},
		Run:      []string{"{}/uriparser"},
		Standard: "RFC 3986",
		Claim:    "uriparser - RFC 3986 URI parsing library",
		From:     "uriparser/Uri.h",
		Program: Program{"c", `#include <stdio.h>
#include <uriparser/Uri.h>
int main(void) { UriUriA u; const char *at; int e = uriParseSingleUriA(&u, %s, &at); return printf("error %%d, host %%.*s\n", e, e ? 0 : (int)(u.hostText.afterLast - u.hostText.first), u.hostText.first) < 0; }
`, []string{"sh", "-c", "cc -o {}.out {} -luriparser && {}.out"}},
	}, {
		Name: "glib-guri", Parser: "GLib, g_uri_split", Source: "c/glib-guri.c", Package: "libglib2.0-dev",
		Version:  []string{"pkg-config", "--modversion", "glib-2.0"},
		Build:    []string{"sh", "-c", "cc -o {}/glib-guri {}/c/glib-guri.c $(pkg-config --cflags --libs glib-2.0)"},
		Run:      []string{"{}/glib-guri"},
		Standard: "RFC 3986", From: "the documentation of GUri",
		Claim: "Note that GUri scope is to help manipulate URIs in various applications, following RFC 3986. " +
			"In particular, it doesn't intend to cover web browser needs, and doesn't implement the " +
			"WHATWG URL standard.",
		Program: Program{"c", `#include <glib.h>
int main(void) { char *h = NULL, *p = NULL, *q = NULL; int port = -1; GError *e = NULL; g_uri_split(%s, G_URI_FLAGS_NONE, NULL, NULL, &h, &port, &p, &q, NULL, &e);
	g_print("host %%s, port %%d, path %%s, query %%s, error %%s\n", h, port, p, q, e ? e->message : "none"); return 0; }
`, []string{"sh", "-c", "cc -o {}.out {} $(pkg-config --cflags --libs glib-2.0) && {}.out"}},
	}, {
		Name: "qt-qurl", Parser: "Qt, QUrl in strict mode", Source: "c/qt-qurl.cpp", Package: "qtbase5-dev",
		Version:  []string{"pkg-config", "--modversion", "Qt5Core"},
		Build:    []string{"sh", "-c", "c++ -fPIC -o {}/qt-qurl {}/c/qt-qurl.cpp $(pkg-config --cflags --libs Qt5Core)"},
		Run:      []string{"{}/qt-qurl"},
		Standard: "RFC 3986", From: "the documentation of QUrl",
		Claim: "QUrl conforms to the URI specification from RFC 3986 (Uniform Resource Identifier: Generic " +
			"Syntax), and includes scheme extensions from RFC 1738 (Uniform Resource Locators).",
		Program: Program{"cpp", `#include <QUrl>
#include <QDebug>
int main() { QUrl u(%s, QUrl::StrictMode); qDebug() << u.isValid() << u.errorString() << u.userInfo() << u.host() << u.port() << u.path() << u.query(); }
`, []string{"sh", "-c", "c++ -fPIC -o {}.out {} $(pkg-config --cflags --libs Qt5Core) && {}.out"}},
	}, {
		Name: "haskell-network-uri", Parser: "Haskell, network-uri", Source: "NetworkUri.hs", Package: "libghc-network-uri-dev",
		Version:  []string{"ghc-pkg", "--simple-output", "list", "network-uri"},
		Build:    []string{"ghc", "-v0", "-outputdir", "{}", "-o", "{}/network-uri", "{}/NetworkUri.hs"},
		Run:      []string{"{}/network-uri"},
		Standard: "RFC 3986", From: "the documentation of Network.URI, after it names RFC 3986",
		Claim: "This latter specification has been used as the primary reference for constructing the URI " +
			"parser implemented here, and it is intended that there is a direct relationship between the " +
			"syntax definition in that document and this parser implementation.",
		Program: Program{"hs", `import Network.URI
main :: IO ()
main = print (parseURIReference %s >>= \u -> Just (u, uriAuthority u))
`, []string{"runghc", "{}"}},
	}, {
		Name: "tcl-uri", Parser: "Tcl, uri::split", Source: "tcl-uri.tcl", Package: "tcllib", Absolute: true,
		Version:  []string{"sh", "-c", "echo 'puts [package require uri]' | tclsh"},
		Run:      []string{"tclsh", "{}/tcl-uri.tcl"},
		Standard: "RFC 3986, with a loophole", From: "its manual page, uri(3tcl)",
		Claim: "The commands of the package conform to RFC 3986 " +
			"(https://www.rfc-editor.org/rfc/rfc3986.txt), with the exception of a loophole arising from " +
			"RFC 1630 and described in RFC 3986 Sections 5.2.2 and 5.4.2. The loophole allows a relative " +
			"URI to include a scheme if it is the same as the scheme of the base URI against which it is " +
			"resolved. RFC 3986 recommends avoiding this usage.",
		Program: Program{"tcl", `package require uri
puts [uri::split %s ""]
`, []string{"tclsh", "{}"}},
	},
}

// Find finds an adapter by its name. The error lists all names.
func Find(name string) (Adapter, error) {
	var names []string
	for _, a := range all {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Adapter{}, fmt.Errorf("no adapter %q; there are %s", name, strings.Join(names, ", "))
}

// Prepare writes the sources into dir, an empty folder of this adapter's own, builds what must be built, and returns the
// command to run with the version of the parser. The error says what is missing on this machine.
func (a Adapter) Prepare(ctx context.Context, dir string) (argv []string, version string, err error) {
	if err := os.CopyFS(dir, sources); err != nil {
		return nil, "", err
	}
	program, out, err := a.interpreter(ctx, dir)
	if err != nil {
		return nil, "", err
	}
	version, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if a.Build != nil {
		if _, err := a.output(ctx, in(dir, a.Build)); err != nil {
			return nil, "", err
		}
	}
	argv = in(dir, a.Run)
	if argv[0] == a.Version[0] {
		argv[0] = program
	}
	return argv, version, nil
}

// interpreter returns the first program on the path that knows the parser's version, with what it prints: a machine can
// have several Pythons, and a package only one of them.
func (a Adapter) interpreter(ctx context.Context, dir string) (program string, out []byte, err error) {
	argv := in(dir, a.Version)
	program = argv[0]
	if out, err = a.output(ctx, argv); err == nil {
		return program, out, nil
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		other := filepath.Join(folder, program)
		if out, err := a.output(ctx, append([]string{other}, argv[1:]...)); err == nil {
			return other, out, nil
		}
	}
	return "", nil, err
}

// output runs a command and returns what it prints.
func (a Adapter) output(ctx context.Context, argv []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("%s needs the package %s: %w %s", a.Name, a.Package, err, said)
	}
	return out, nil
}

func in(dir string, argv []string) []string {
	var list []string
	for _, arg := range argv {
		list = append(list, strings.ReplaceAll(arg, "{}", dir))
	}
	return list
}
