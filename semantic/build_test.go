package semantic_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/semantic"
)

func TestBuilder(t *testing.T) {
	for _, c := range []struct {
		b    semantic.Builder
		want string // "" for an error
	}{
		{semantic.Builder{Scheme: "https", Host: "example.com", Path: []string{"a b", "c/d", "é"}, Query: [][2]string{{"q", "1&2=3+4"}, {"r", ""}}, Fragment: "f#g"},
			"https://example.com/a%20b/c%2Fd/%C3%A9?q=1%262%3D3%2B4&r=#f%23g"},
		{semantic.Builder{Scheme: "http", Userinfo: "u:p@w", Host: "::1", Port: 8080}, "http://u:p%40w@[::1]:8080"},
		{semantic.Builder{Scheme: "http", Host: "192.0.2.1", Path: []string{""}}, "http://192.0.2.1/"},
		{semantic.Builder{Scheme: "mailto", Path: []string{"joe@example.com"}}, "mailto:joe@example.com"},
		{semantic.Builder{Path: []string{"a:b", "c:d"}}, "a%3Ab/c:d"},
		{semantic.Builder{Path: []string{"", "a"}}, "/a"},
		{semantic.Builder{Scheme: "file", Path: []string{"", "etc", "motd"}}, "file:/etc/motd"},
		{semantic.Builder{Query: [][2]string{}}, "?"},
		{semantic.Builder{Host: "h", Path: []string{"%2e", ".a"}}, "//h/%252e/.a"},
		{semantic.Builder{}, ""}, // the empty reference, which is one
		{semantic.Builder{Scheme: "1a", Host: "h"}, "!"},
		{semantic.Builder{Host: "h", Path: []string{"a", ".."}}, "!"},
		{semantic.Builder{Path: []string{"", "", "a"}}, "!"}, // would be read as an authority
		{semantic.Builder{Port: 80}, "!"},
		{semantic.Builder{Host: "h", Port: 65536}, "!"},
	} {
		r, err := c.b.Reference()
		if c.want == "!" {
			if !errors.Is(err, semantic.ErrComponents) {
				t.Errorf("%+v: %v, %v; want an error", c.b, r, err)
			}
			continue
		}
		if err != nil || r.String() != c.want {
			t.Errorf("%+v: %v, %v; want %s", c.b, r, err, c.want)
			continue
		}
		if got := r.QueryPairs(); !slices.Equal(got, c.b.Query) {
			t.Errorf("%s: pairs %q, want %q", r, got, c.b.Query)
		}
		if got := r.PathSegments(); !slices.Equal(got, c.b.Path) {
			t.Errorf("%s: segments %q, want %q", r, got, c.b.Path)
		}
		if got := r.Hostname(); got != c.b.Host {
			t.Errorf("%s: host %q, want %q", r, got, c.b.Host)
		}
	}
}

// What is built is read back as it was, whatever the octets.
func FuzzBuilder(f *testing.F) {
	f.Add("a b", "c/d", "q&=+;", "1#?", "x y")
	f.Add("", ".", "", "", "%")
	f.Fuzz(func(t *testing.T, one, two, name, value, fragment string) {
		b := semantic.Builder{Scheme: "s", Host: "h", Path: []string{one, two}, Query: [][2]string{{name, value}}, Fragment: fragment}
		r, err := b.Reference()
		if err != nil {
			if !slices.ContainsFunc(b.Path, func(s string) bool { return s == "." || s == ".." }) {
				t.Fatalf("%+v: %v", b, err)
			}
			return
		}
		if !slices.Equal(r.PathSegments(), b.Path) || r.Fragment.Decoded() != fragment || !slices.Equal(r.QueryPairs(), b.Query) {
			t.Fatalf("%+v is %s, with %q and %q", b, r, r.PathSegments(), r.QueryPairs())
		}
	})
}

func TestJoinPath(t *testing.T) {
	for _, c := range []struct {
		base     string
		elements []string
		want     string
	}{
		{"http://h", []string{"a"}, "http://h/a"},
		{"http://h/a/", []string{"b", "c d"}, "http://h/a/b/c%20d"},
		{"http://h/a?q#f", []string{"../b/"}, "http://h/b/?q#f"},
		{"http://h/a/b", []string{"..", "..", ".."}, "http://h/"},
		{"http://h/a", nil, "http://h/a"},
		{"http://h/a/", nil, "http://h/a/"},
		{"a", []string{"b%"}, "a/b%25"},
		{"", []string{"b"}, "b"},
		{"mailto:x", []string{"é"}, "mailto:x/%C3%A9"},
	} {
		r, err := semantic.ParseReference(c.base)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.JoinPath(c.elements...); err != nil || got.String() != c.want {
			t.Errorf("%s joined with %q: %v, %v; want %s", c.base, c.elements, got, err, c.want)
		}
	}
}

// Without a rung, a reference is normalized as is right for every scheme.
func TestUsualRung(t *testing.T) {
	r, err := semantic.ParseReference("HTTP://Ex.com:80/a/../%7Eb")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Normalize().String(); got != "http://ex.com:80/~b" || got != r.Normalize(semantic.DotRemoval).Reference {
		t.Error(got)
	}
	if got := r.Normalize(semantic.SchemeRules).String(); got != "http://ex.com/~b" {
		t.Error(got)
	}
}
