package learn

import (
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// The suite that a model is tried on is not made into a list: here its words alone are five times the rest.
func TestSuiteIsNoList(t *testing.T) {
	text := "s = " + strings.Repeat("%x21-7E ( %x41-5A / \"0\" ) ( \"b\" / %x63-65 \"d\" ) ", 60) + "\n"
	a := must.Of(lang.FromBNF(must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t), "s"))(t)
	suite := must.Of(vectors.CompleteSuite(a, vectors.HSI, 0, false))(t)
	_, size := suite.Size()
	scheme := &Scheme{Subjects: []*vectors.Subject{{DFA: a}}, all: true}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o := must.Of(scheme.Options())(t)
	for range o.Try {
		break
	}
	runtime.ReadMemStats(&after)
	if took := int64(after.TotalAlloc - before.TotalAlloc); 3*took > size.Int64() {
		t.Errorf("took %d bytes for a suite of %v", took, size)
	}
}

// A URL counts as one of a scheme if there is what the RFC says that all of them have.
func TestSchemes(t *testing.T) {
	host := func(v conform.Value) conform.Answer {
		a := conform.Answer{Verdict: conform.Accepted}
		a.Components[conform.Host] = v
		return a
	}
	none, silent, there := host(conform.None), host(conform.Value{}), host(conform.Is("h"))
	other := there
	other.Components[conform.Scheme] = conform.Is("gopher")
	capital := there
	capital.Components[conform.Scheme] = conform.Is("HTTP")
	rows := []struct {
		scheme, word string
		answer       conform.Answer
		want         Answer
	}{
		{"http", "http://h/", there, Accepted},
		{"http", "http://h/", silent, Accepted}, // a parser that gives no components
		{"http", "http:a", none, Rejected},
		{"http", "http:///a", host(conform.Is("")), Rejected},
		{"http", "http://h/", other, Rejected},
		{"http", "HTTP://h/", capital, Accepted},
		{"http", "ftp://h/", silent, Rejected},
		{"http", "http://[::1]/", there, Undecided},
		{"http", "http://u:p@[::1]/", there, Undecided},
		{"http", "http://h/a@[", there, Accepted},
		{"http", "http://h//[", there, Accepted},
		{"http", "http://h?//[", there, Accepted},
		{"http", "http://[/", conform.Answer{Verdict: conform.Rejected}, Rejected},
		{"http", "http://h/", conform.Answer{Verdict: conform.Undecided}, Undecided},
		{"http", "http://h/", conform.Answer{}, Undecided}, // no answer came
		{"file", "file:///a", host(conform.Is("")), Accepted},
		{"mailto", "mailto:a@b", none, Accepted},
		{"news", "news:*", none, Accepted},
	}
	for _, row := range rows {
		s := must.Of(NewScheme(row.scheme, bnfcheck.RFC1738.Grammar))(t)
		if got := s.answerFor(row.word, row.answer); got != row.want {
			t.Errorf("%s, %q: %v, want %v", row.scheme, row.word, got, row.want)
		}
	}
	if s, err := NewScheme("nope", published.Texts(bnfcheck.RFCs())...); err == nil {
		t.Errorf("a scheme %v", s)
	}
	if s, err := NewScheme("ftp", published.Texts(bnfcheck.RFCs())...); err != nil || len(s.Subjects) != 2 || !s.hosted {
		t.Errorf("%+v, %v", s, err)
	}
}
