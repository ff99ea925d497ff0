package published

// disputedReferences are references that parsers have been found to differ about, and that the others hold no example
// of.
var disputedReferences = []string{
	"http://a:0/", "http://a:00080/", "http://a:65535/", "http://a:65536/", "http://a:99999999999999999999/",
	"http://a:/", "http://a:+80/", "http://a:-1/", "http://a:8o/", "http://a:80:80/", "http://127.1/",
	"http://0x7f.1/", "http://010.0.0.1/", "http://1.2.3.256/", "http://2130706433/", "http://1.2.3.4./",
	"http://[::1]/", "http://[::ffff:1.2.3.4]/", "http://[::1.2.3.04]/", "http://[::1.2.3.256]/",
	"http://[1:2:3:4:5:6:7]/", "http://[1:2:3:4:5:6:7:8:9]/", "http://[::12345]/", "http://[::1]a/",
	"http://[::1]:80/", "http://a[::1]/", "http://[::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[v1.a:b]/",
	"http://[v1F.a]/", "http://[vG.a]/", "http://[v1.]/", "http://[]/", "http://[::1", "http://::1/", "http://%61/",
	"http://a%2fb/", "http://a%40b/", "http://a%3a80/", "http://a%00b/", "http://a%/", "http://%C3%A4/",
	"http://%E4/", "http://u%40v@a/", "http://u:p@a/", "http://u:p:q@a/", "http://u@v@a/", "http://:@a/",
	"http://@a/", "http://a#@b/", "http://a?@b/", "http://a\\@b/", "http://a;b@c/", "http://a b/", "http://a/ b",
	" http://a/", "http://a/\n", "http://a\t/", "HTTP://A/", "http:/a", "http:a", "http:///a", "http:?a", "http:#a",
	"http:", "://a", ":a", "1a:b", "a+b:c", "a_b://c/", "//a", "//a:80/b?c#d", "///a", "a:b:c", "./a:b", "a/b:c",
	"mailto:a@b", "urn:a:b", "file:///a", "file://a/b", "file:/a", "data:,a", "?", "#", "?#", "a?b?c", "a#b#c",
	"/a/./b/../c", "http://a/./b/../c", "http://a/b|c", "http://a/b^c", "http://a/\"b\"", "http://a/<b>",
	"http://a/{b}", "http://a/`b", "http://a/[b]", "http://a/?[b]", "http://a/?b#[c]", "http://a/%", "http://a/%4",
	"http://a/%4g", "http://a/%zz", "http://a/\xc3\xa4", "http://\xc3\xa4/", "http://a/\xff", "http://a_b/",
	"http://a..b/", "http://-a/", "http://a-/", "http://a!$&'()*+,;=b/", "http://~/",
}
