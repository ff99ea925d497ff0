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
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
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
	longtest.Sequential(t)
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("the golden files are about the net/url of Go 1.26")
	}
	for _, scheme := range []string{"ftp", "http"}[:longtest.Size(1, 2)] {
		t.Run(scheme, func(t *testing.T) {
			start := time.Now()
			s := must.Of(NewScheme(scheme, bnfcheck.RFC1738.Grammar))(t)
			o := must.Of(s.Options())(t)
			o.Extra, o.MaxQueries = 1, 1_000_000 // as the command has them
			r := must.Of(Learn(t.Context(), s.Oracle(conform.NetURL()), o))(t)
			t.Logf("%d states, %d classes, %d questions, %d hypotheses, %d undecided, %v", r.DFA.States(),
				r.DFA.Classes(),
				r.Queries, r.Hypotheses, len(r.Undecided), time.Since(start))
			agrees(t, scheme, r)
			d := must.Of(diff.Compare(languageOf(r, "net/url", "Go net/url"), s.sides[0], diff.Options{}))(t)
			var b bytes.Buffer
			fmt.Fprintf(&b, "A model of the net/url of Go 1.26 for %s, with a host that has no brackets: %d states, %d classes of bytes;\n%s.\n\n", scheme, r.DFA.States(), r.DFA.Classes(), r.Guarantee())
			must.Do(t, d.WriteText(&b, 0, true))
			goldentest.Check(t, "testdata/neturl-"+scheme+".golden", goldentest.Output("difference", b.String()))
		})
	}
}

// agrees checks the model against net/url on words that learning has not seen: what URLs are made of, thrown together.
func agrees(t *testing.T, scheme string, r *Result) {
	s := must.Of(NewScheme(scheme, bnfcheck.RFC1738.Grammar))(t)
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
	answers := must.Of(s.Oracle(conform.NetURL()).Ask(t.Context(), words))(t)
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
