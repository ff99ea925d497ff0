// Package adapters holds programs that let `bnfcheck conform` ask other people's URL parsers: each a screenful, in the
// parser's own language, speaking the protocol of docs/adapter-protocol.md. Go's net/url needs none (conform.NetURL).
package adapters

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

//go:embed *.js *.py *.pl *.rb *.java c/*.c c/*.h
var sources embed.FS

// Adapter is how one is run. In Version, Build and Run, "{}" stands for the folder with the sources and what was built.
type Adapter struct {
	Name    string   // as on the command line and in reports
	Parser  string   // what it asks
	Source  string   // its file here
	Package string   // the Debian package that brings what it needs
	Version []string // prints the version of the parser, and fails where there is none
	Build   []string // nil where nothing is built
	Run     []string
}

// All lists the adapters.
func All() []Adapter { return all }

var all = []Adapter{
	{
		Name: "node-url", Parser: "Node, WHATWG URL", Source: "node-url.js", Package: "nodejs",
		Version: []string{"node", "--version"},
		Run:     []string{"node", "{}/node-url.js"},
	}, {
		Name: "node-url-parse", Parser: "Node, legacy url.parse", Source: "node-url-parse.js", Package: "nodejs",
		Version: []string{"node", "--version"},
		Run:     []string{"node", "--no-deprecation", "{}/node-url-parse.js"},
	}, {
		Name: "python-urllib", Parser: "Python, urllib.parse.urlsplit", Source: "python-urllib.py", Package: "python3",
		Version: []string{"python3", "-c", "import platform, urllib.parse; print(platform.python_version())"},
		Run:     []string{"python3", "{}/python-urllib.py"},
	}, {
		Name: "perl-uri", Parser: "Perl, URI", Source: "perl-uri.pl", Package: "liburi-perl",
		Version: []string{"perl", "-MURI", "-MJSON::PP", "-e", "print URI->VERSION"},
		Run:     []string{"perl", "{}/perl-uri.pl"},
	}, {
		Name: "java-uri", Parser: "Java, java.net.URI", Source: "JavaNet.java", Package: "default-jdk-headless",
		Version: []string{"javac", "--version"},
		Build:   []string{"javac", "-nowarn", "-d", "{}", "{}/JavaNet.java"},
		Run:     []string{"java", "-Xshare:auto", "-XX:+UseSerialGC", "-cp", "{}", "JavaNet", "uri"},
	}, {
		Name: "java-url", Parser: "Java, java.net.URL", Source: "JavaNet.java", Package: "default-jdk-headless",
		Version: []string{"javac", "--version"},
		Build:   []string{"javac", "-nowarn", "-d", "{}", "{}/JavaNet.java"},
		Run:     []string{"java", "-Xshare:auto", "-XX:+UseSerialGC", "-cp", "{}", "JavaNet", "url"},
	}, {
		Name: "curl", Parser: "curl, URL API", Source: "c/curl.c", Package: "libcurl4-openssl-dev",
		Version: []string{"curl-config", "--version"},
		Build:   []string{"cc", "-o", "{}/curl-url", "{}/c/curl.c", "-lcurl"},
		Run:     []string{"{}/curl-url"},
	}, {
		Name: "uriparser", Parser: "uriparser", Source: "c/uriparser.c", Package: "liburiparser-dev",
		Version: []string{"pkg-config", "--modversion", "liburiparser"},
		Build:   []string{"cc", "-o", "{}/uriparser", "{}/c/uriparser.c", "-luriparser"},
		Run:     []string{"{}/uriparser"},
	}, {
		Name: "ruby-uri", Parser: "Ruby, URI.parse", Source: "ruby-uri.rb", Package: "ruby",
		Version: []string{"ruby", "-ruri", "-rjson", "-e", "print RUBY_VERSION"},
		Run:     []string{"ruby", "{}/ruby-uri.rb"},
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

// Prepare writes the sources into dir, an empty folder of this adapter's own, builds what must be built, and gives the
// command to run with the version of the parser. The error says what is missing on this machine.
func (a Adapter) Prepare(ctx context.Context, dir string) (argv []string, version string, err error) {
	if err := os.CopyFS(dir, sources); err != nil {
		return nil, "", err
	}
	out, err := a.output(ctx, dir, a.Version)
	if err != nil {
		return nil, "", err
	}
	version, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if a.Build != nil {
		if _, err := a.output(ctx, dir, a.Build); err != nil {
			return nil, "", err
		}
	}
	return in(dir, a.Run), version, nil
}

// output runs a command and gives what it prints.
func (a Adapter) output(ctx context.Context, dir string, argv []string) ([]byte, error) {
	argv = in(dir, argv)
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
