package learn

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sebdah/goldie/v2"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/vectors"
)

// known are ends of URLs that net/url has code for and no random word hits upon: of all escapes below %80 a host may have
// %25 alone. So the way into them is shown.
var known = []string{"://a%25b/", "://u:p@a:80/b?c#d", "://a/b?c#%aad"}

// TestNetURL learns Go's net/url for two schemes, and writes where it and RFC 1738 part.
func TestNetURL(t *testing.T) {
	sequential(t)
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("the golden files are about the net/url of Go 1.26")
	}
	for _, scheme := range []string{"http", "ftp"} {
		t.Run(scheme, func(t *testing.T) {
			start := time.Now()
			s, err := vectors.NewSubject(bnfcheck.RFC1738, scheme)
			if err != nil {
				t.Fatal(err)
			}
			suite, err := vectors.CompleteSuite(s.DFA, vectors.HSI, 0, false)
			if err != nil {
				t.Fatal(err)
			}
			try := slices.Collect(suite.All())
			for _, end := range known {
				try = append(try, scheme+end)
			}
			r, err := Learn(t.Context(), NetURL(scheme), Options{Classes: s.DFA, Try: try, Random: 50000, Extra: 1, MaxQueries: 1_000_000})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d states, %d classes, %d questions, %d hypotheses, %d undecided, %v", r.DFA.States(), r.DFA.Classes(),
				r.Queries, r.Hypotheses, len(r.Undecided), time.Since(start))
			agrees(t, scheme, r)
			d, err := Diff(r, "net/url", "Go net/url", bnfcheck.RFC1738, scheme)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			fmt.Fprintf(&b, "A model of the net/url of Go 1.26 for %s, with a host that has no brackets: %d states, %d classes of bytes;\n%s.\n\n", scheme, r.DFA.States(), r.DFA.Classes(), r.Guarantee())
			if err := d.WriteText(&b); err != nil {
				t.Fatal(err)
			}
			goldie.New(t, goldie.WithDiffEngine(goldie.ClassicDiff)).Assert(t, "neturl-"+scheme, b.Bytes())
		})
	}
}

// agrees holds the model against net/url on words that learning has not seen: what URLs are made of, thrown together.
func agrees(t *testing.T, scheme string, r *Result) {
	parser := NetURL(scheme)
	rng := rand.New(rand.NewPCG(11, 12))
	bytes := "abz09AF258%%%%@@:://??##[]&=.-+~_ !*'(),;<>\"\\^`{|}\x80\xff\x00\x7f"
	for range 300000 {
		w := scheme + "://"
		for range rng.IntN(12) {
			w += string([]byte{bytes[rng.IntN(len(bytes))]})
		}
		if accepted, decided := parser(w); decided && accepted != r.DFA.Match(w) {
			t.Errorf("%q: the model says %t", w, !accepted)
		}
	}
}
