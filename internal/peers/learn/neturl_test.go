package learn

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// netURL is what [Scheme.Oracle] of net/url is to be, said with nothing but net/url.
func netURL(scheme, word string) Answer {
	u, err := url.Parse(word)
	switch {
	case err != nil || u.Scheme != scheme || u.Hostname() == "":
		return Rejected
	case strings.HasPrefix(u.Host, "["):
		return Undecided
	}
	return Accepted
}

// TestNetURL learns Go's net/url for two schemes, and writes where it and RFC 1738 part.
func TestNetURL(t *testing.T) {
	sequential(t)
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("the golden files are about the net/url of Go 1.26")
	}
	for _, scheme := range []string{"ftp", "http"}[:longtest.Size(1, 2)] {
		t.Run(scheme, func(t *testing.T) {
			start := time.Now()
			s, err := NewScheme(scheme, bnfcheck.RFC1738)
			if err != nil {
				t.Fatal(err)
			}
			o, err := s.Options()
			if err != nil {
				t.Fatal(err)
			}
			o.Extra, o.MaxQueries = 1, 1_000_000 // as the command has them
			r, err := Learn(t.Context(), s.Oracle(conform.NetURL()), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d states, %d classes, %d questions, %d hypotheses, %d undecided, %v", r.DFA.States(),
				r.DFA.Classes(),
				r.Queries, r.Hypotheses, len(r.Undecided), time.Since(start))
			agrees(t, scheme, r)
			d, err := Diff(r, "net/url", "Go net/url", bnfcheck.RFC1738, scheme)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			fmt.Fprintf(&b, "A model of the net/url of Go 1.26 for %s, with a host that has no brackets: %d states, %d classes of bytes;\n%s.\n\n", scheme, r.DFA.States(), r.DFA.Classes(), r.Guarantee())
			if err := d.WriteText(&b, true); err != nil {
				t.Fatal(err)
			}
			goldentest.Check(t, "testdata/neturl-"+scheme+".golden", goldentest.Output("difference", b.String()))
		})
	}
}

// agrees holds the model against net/url on words that learning has not seen: what URLs are made of, thrown together.
func agrees(t *testing.T, scheme string, r *Result) {
	s, err := NewScheme(scheme, bnfcheck.RFC1738)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	bytes := "abz09AF258%%%%@@:://??##[[]&=.-+~_ !*'(),;<>\"\\^`{|}\x80\xff\x00\x7f"
	var words []string
	for range longtest.Size(10_000, 300_000) {
		w := scheme + "://"
		for range rng.IntN(12) {
			w += string([]byte{bytes[rng.IntN(len(bytes))]})
		}
		words = append(words, w)
	}
	answers, err := s.Oracle(conform.NetURL()).Ask(t.Context(), words)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range words {
		want := netURL(scheme, w)
		if answers[i] != want {
			t.Errorf("%q: asked %v, and net/url alone %v", w, answers[i], want)
		}
		if want != Undecided && (want == Accepted) != r.DFA.Match(w) {
			t.Errorf("%q: the model says %t", w, r.DFA.Match(w))
		}
	}
}
