package samehost_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/semantic/samehost"
)

func TestCompare(t *testing.T) {
	naive := func(s string) (string, error) { // as many have written it
		_, rest, _ := strings.Cut(s, "://")
		host, _, _ := strings.Cut(rest, "/")
		if i := strings.IndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		host, _, _ = strings.Cut(host, ":")
		return host, nil
	}
	for _, c := range []struct {
		s    string
		b    samehost.Reader
		want samehost.Agreement
	}{
		{"http://EXAMPLE.com/", naive, samehost.Same},
		{"http://ex%41mple.com/", naive, samehost.Same},
		{"http://[::0:1]/", func(string) (string, error) { return "::1", nil }, samehost.Same},
		{"mailto:a@b", samehost.NetURL, samehost.Same},
		{"http://a?@b/", naive, samehost.Different},
		{"http://a#@b/", naive, samehost.Different},
		{`http://a\@b/`, naive, samehost.OneRefuses},
		{"http://a b/", samehost.NetURL, samehost.BothRefuse},
	} {
		got := samehost.Compare(c.s, samehost.RFC3986, c.b)
		if got.Agreement != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.s, got.Agreement, c.want, got)
		}
	}
}
