package published

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestComponents(t *testing.T) {
	for _, test := range []struct {
		grammar     *bnfcheck.Grammar
		name, input string
		want        string // the components that are there, in their order
	}{
		{bnfcheck.RFC1738, "http", "http://a.b:80/c/d?e", "scheme=http host=a.b port=80 path=/c/d search=e"},
		{bnfcheck.RFC1738, "http", "http://a", "scheme=http host=a path="},
		{bnfcheck.RFC1738, "http", "http://a/?", "scheme=http host=a path=/ search="},
		{bnfcheck.RFC1738, "ftp", "ftp://u:p@a:21/b/c;type=i",
			"scheme=ftp user=u password=p host=a port=21 path=/b/c;type=i"},
		{bnfcheck.RFC1738, "ftp", "ftp://:@a", "scheme=ftp user= password= host=a path="},
		{bnfcheck.RFC1738, "file", "file:///a", "scheme=file host= path=/a"},
		{bnfcheck.RFC1738, "file", "file://h/a", "scheme=file host=h path=/a"},
		{bnfcheck.RFC1738, "gopher", "gopher://a/0s%09q%09g", "scheme=gopher host=a path=/0s search=q"},
		{bnfcheck.RFC1738, "wais", "wais://a/d?s", "scheme=wais host=a path=/d search=s"},
		{bnfcheck.RFC1738, "news", "news:a@b", "scheme=news path=a@b"},
		{bnfcheck.RFC1738, "mailto", "mailto:a@b", "scheme=mailto path=a@b"},
		{bnfcheck.RFC1738, "otherurl", "x:a/b", "scheme=x path=a/b"},
		{bnfcheck.RFC1738, "otherurl", "x://u@a/b", "scheme=x user=u host=a path=/b"},
		{bnfcheck.RFC1738, "hostport", "a:1", "host=a port=1"},
		{bnfcheck.RFC1630, "http", "http://a:80/b?c+d", "scheme=http host=a port=80 path=/b search=c+d"},
		{bnfcheck.RFC1630, "telnet", "telnet://u:p@a", "scheme=telnet user=u password=p host=a path="},
		{bnfcheck.RFC1630, "uri", "x:a/b?c", "scheme=x path=a/b search=c"},
		{bnfcheck.RFC1630, "fragmentaddress", "http://a/b#c", "scheme=http host=a path=/b fragment=c"},
		{bnfcheck.RFC1630, "fragmentaddress", "url:http://a/b?c#d", "scheme=http host=a path=/b search=c fragment=d"},
		{bnfcheck.RFC1630, "mailto", "mailto:a@b", "scheme=mailto path=a@b"},
		{bnfcheck.RFC3986, "URI", "a://u:p@h:1/b?c#d", "scheme=a userinfo=u:p host=h port=1 path=/b query=c fragment=d"},
		{bnfcheck.RFC3986, "URI", "a://[::1]", "scheme=a host=::1 path="},
	} {
		kind, ok := test.grammar.Scheme(test.name)
		if !ok {
			kind = must.Of(test.grammar.Lookup(test.name))(t)
		}
		tree, err := test.grammar.Derive(kind, test.input)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for name, value := range catalog.PublishedAs(test.grammar.Grammar).Components(tree) {
			got = append(got, name+"="+value)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s %q: %s; want %s", test.grammar.Name, test.input, got, test.want)
		}
	}
}
