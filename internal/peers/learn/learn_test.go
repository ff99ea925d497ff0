package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// random returns the language of a random automaton over the bytes a to e, each of which may stand for more.
func random(rng *rand.Rand, states int) *lang.DFA {
	n := lang.NFA{States: make([]lang.NFAState, states+1), Final: int32(states)}
	letters := make([]expr.Set, 2+rng.IntN(4))
	for x := range 256 {
		if x >= 'a' && x-'a' < len(letters) {
			letters[x-'a'].Add(byte(x))
		} else {
			letters[rng.IntN(len(letters))].Add(byte(x))
		}
	}
	for q := range states {
		if rng.IntN(3) == 0 {
			n.States[q].Epsilon = []int32{n.Final}
		}
		for _, set := range letters {
			n.States[q].Edges = append(n.States[q].Edges, lang.Edge{Set: set, To: int32(rng.IntN(states))})
		}
	}
	a, err := n.Determinize(lang.Limits{})
	if err != nil {
		panic(err)
	}
	return a
}

func accepts(a *lang.DFA) function {
	return func(w string) (bool, bool) { return a.Match(w), true }
}

func TestRandomAutomataAreLearnedExactly(t *testing.T) {
	longtest.Sequential(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range longtest.Size(4, 30) {
		a := random(rng, 1+rng.IntN(30))
		for _, o := range []Options{{}, {Classes: a}, {Classes: random(rng, 5)}} {
			r := must.Of(Learn(t.Context(), accepts(a), o))(t)
			if !r.Exact || !r.DFA.Equal(a) {
				w, _ := r.DFA.SymmetricDifference(a).Shortest()
				t.Errorf("%d: %d states learned of %d; %q", i, r.DFA.States(), a.States(), w)
			}
		}
	}
}

// What was learned is right, or lies beyond what the guarantee says.
func TestGuaranteeWithoutLuck(t *testing.T) {
	longtest.Sequential(t)
	rng := rand.New(rand.NewPCG(5, 6))
	beyond := 0
	sample := longtest.Size(60, 200)
	for range sample {
		a := random(rng, 1+rng.IntN(12))
		for extra := range 3 {
			r := must.Of(Learn(t.Context(), accepts(a), Options{Classes: a, Random: -1, Extra: extra}))(t)
			switch {
			case r.DFA.Equal(a):
			case a.States() > r.DFA.States()+extra:
				beyond++
			case !alike(a, r.DFA):
				beyond++
			default:
				t.Errorf("k = %d: %d states learned wrongly of %d", extra, r.DFA.States(), a.States())
			}
		}
	}
	t.Logf("%d of %d lie beyond what was looked for", beyond, 3*sample)
}

// From one class and without luck, a parser with no more states than the model is the model: the check of every byte
// after every state sees to it.
func TestGuaranteeOverAllBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	right := 0
	for range 300 {
		a := random(rng, 1+rng.IntN(8))
		r, err := Learn(t.Context(), accepts(a), Options{Random: -1})
		switch {
		case err != nil:
			t.Fatal(err)
		case r.DFA.Equal(a):
			right++
		case a.States() <= r.DFA.States():
			t.Errorf("%d states learned wrongly of %d", r.DFA.States(), a.States())
		}
	}
	if right < 100 {
		t.Errorf("only %d of 300 are right", right)
	}
}

// alike reports whether a reads the bytes of each class of b alike.
func alike(a, b *lang.DFA) bool {
	for q := range a.States() {
		for x := range 256 {
			if a.Next(q, byte(x)) != a.Next(q, b.Readable(b.ClassOf(byte(x)))) {
				return false
			}
		}
	}
	return true
}

func httpurl(t testing.TB) *lang.DFA {
	source := must.Of(bnf.Load("rfc1738"))(t)
	return must.Of(lang.FromBNF(source.Default, "httpurl"))(t)
}

// The parser generated from RFC 1738, asked as a black box, gives back the automaton of the BNF. With the vectors this is
// no luck: a hypothesis of no more states that agrees with them is right. Without them, one URL and some thousand random
// words are enough.
func TestHTTPURLComesBack(t *testing.T) {
	a := httpurl(t)
	suite := must.Of(vectors.CompleteSuite(a, vectors.HSI, 0, false))(t)
	parser := function(func(w string) (bool, bool) { return rfc1738.Grammar.Accept(rfc1738.KindHttpurl, w), true })
	for name, o := range map[string]Options{
		"from its vectors": {Classes: a, Try: suite.All(), Random: -1},
		"from one URL":     {Try: slices.Values([]string{"http://0.0.0.0:80/%20/?%20"})},
	} {
		t.Run(name, func(t *testing.T) {
			r := must.Of(Learn(t.Context(), parser, o))(t)
			if !r.Exact || !r.DFA.Equal(a) {
				w, _ := r.DFA.SymmetricDifference(a).Shortest()
				t.Errorf("%d states, not %d; %q", r.DFA.States(), a.States(), w)
			}
			t.Logf("%d questions, %d hypotheses", r.Queries, r.Hypotheses)
		})
	}
}

// Of honest parsers a fraction of the questions is asked again, and one wrong answer makes no model, wherever it comes.
func TestOneWrongAnswer(t *testing.T) {
	longtest.Sequential(t)
	a := httpurl(t)
	learn := func(wrong int, cache *Cache) (*Result, error) {
		asked := 0
		return Learn(t.Context(), function(func(w string) (bool, bool) {
			asked++
			return a.Match(w) != (asked == wrong), true
		}), Options{Try: slices.Values([]string{"http://0.0.0.0:80/%20/?%20"}), Cache: cache, MaxStates: 60})
	}
	honest, err := learn(0, nil)
	if err != nil || !honest.DFA.Equal(a) {
		t.Fatalf("%+v, %v", honest, err)
	}
	if honest.Again == 0 || 10*honest.Again > honest.Queries {
		t.Errorf("%d of %d questions were asked again", honest.Again, honest.Queries)
	}
	t.Logf("%d of %d questions were asked again", honest.Again, honest.Queries)
	found, faults := 0, longtest.Size(3, 30)
	for i := range faults {
		wrong := 1 + i*honest.Queries/faults
		var cache Cache
		r, err := learn(wrong, &cache)
		var contradiction *InconsistentError
		switch {
		case errors.As(err, &contradiction):
			found++
			if i%6 == 5 { // the later answer is kept, and here it is the right one
				for err != nil && errors.As(err, &contradiction) {
					r, err = learn(0, &cache)
				}
				if err != nil || !r.DFA.Equal(a) {
					t.Errorf("answer %d wrong: no model from the answers kept: %v", wrong, err)
				}
			}
		case err != nil:
			t.Errorf("answer %d wrong: %v", wrong, err)
		case !r.DFA.Equal(a):
			t.Errorf("answer %d wrong: a wrong model of %d states", wrong, r.DFA.States())
		}
	}
	if found < faults {
		t.Errorf("%d of %d wrong answers are found out", found, faults)
	}
}

// A run that is cut off goes on where it was: with its answers, another asks only the rest, and comes to the same end, be
// the runs as short as they may.
func TestResume(t *testing.T) {
	a := httpurl(t)
	whole := must.Of(Learn(t.Context(), accepts(a), Options{Classes: a}))(t)
	for _, limit := range []int{1, 500, whole.Queries - whole.Again, whole.Queries - 1} {
		var log bytes.Buffer
		first, err := Learn(t.Context(), accepts(a), Options{Classes: a, MaxQueries: limit, Cache: &Cache{Log: &log}})
		if !errors.Is(err, ErrQueries) || first != nil && (first.Exact || first.Queries != limit) {
			t.Fatalf("at most %d questions: %+v, %v", limit, first, err)
		}
		log.WriteString(`{"input":"cut o`)
		var cache Cache
		must.Do(t, cache.Load(&log))
		known := cache.Len()
		again := 0
		if first != nil {
			again = first.Again
		}
		if known != limit-again {
			t.Errorf("at most %d questions: %d answers are kept", limit, known)
		}
		second := must.Of(Learn(t.Context(), accepts(a), Options{Classes: a, Cache: &cache}))(t)
		if !second.DFA.Equal(whole.DFA) || second.Known != known || second.Queries-second.Again+known != whole.Queries-whole.Again ||
			limit+second.Queries > whole.Queries {
			t.Errorf("%d and then %d questions; %d in one run", limit, second.Queries, whole.Queries)
		}
	}
	var cache Cache
	for runs := 1; ; runs++ {
		r, err := Learn(t.Context(), accepts(a), Options{Classes: a, MaxQueries: 2000, Cache: &cache})
		if err == nil && r.DFA.Equal(whole.DFA) {
			t.Logf("%d runs", runs)
			break
		}
		if !errors.Is(err, ErrQueries) || runs*2000 > whole.Queries+2000 {
			t.Fatalf("run %d: %v", runs, err)
		}
	}
}

func TestCache(t *testing.T) {
	var b bytes.Buffer
	c, back := Cache{Log: &b}, Cache{}
	words := []string{"a", "", "\xff", "<&>", "\n"}
	must.Do(t, c.Add(words, []Answer{Accepted, Rejected, Undecided, Accepted, Rejected}))
	if err := c.Add(words[3:], []Answer{Accepted, Accepted}); err != nil { // one confirmed, one not
		t.Fatal(err)
	}
	if len(c.confirmed) != 1 || !c.confirmed["<&>"] {
		t.Errorf("confirmed: %v", c.confirmed)
	}
	want := `{"input":"a","accept":true}
{"input":"","accept":false}
{"base64":"/w==","accept":null}
{"input":"<&>","accept":true}
{"input":"\n","accept":false}
{"input":"<&>","accept":true}
{"input":"\n","accept":true}
`
	if b.String() != want {
		t.Errorf("saved\n%s", b.String())
	}
	must.Do(t, back.Load(&b))
	for _, w := range words {
		x, _ := c.Answer(w)
		if y, ok := back.Answer(w); x != y || !ok {
			t.Errorf("%q: %v, back %v, %t", w, x, y, ok)
		}
	}
	if !maps.Equal(back.confirmed, c.confirmed) {
		t.Errorf("confirmed: %v, back %v", c.confirmed, back.confirmed)
	}
	for _, bad := range []string{"x\n", "{}\n", `{"input":"a","base64":"/w==","accept":true}` + "\n"} {
		if err := new(Cache).Load(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is loaded", bad)
		}
	}
}

// A line that was cut off is removed, and a file of anything else stays as it is.
func TestOpenCacheKeepsOtherFiles(t *testing.T) {
	const first, second = `{"answers_of":"p"}` + "\n", `{"input":"a","accept":true}` + "\n"
	for text, want := range map[string]string{
		"":                          "",
		`{"ans`:                     "",
		`{"answers_of":"p`:          "",
		first:                       first,
		first + second + "\x00\x00": first + second,
		first + `{"inp`:             first,
		"my only notes":             "refused",
		`{"accept":`:                "refused",
		"\x7fELF\x00":               "refused",
		"notes\n" + `{"input":`:     "refused",
	} {
		name := filepath.Join(t.TempDir(), "answers")
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
		_, end, err := OpenCache(name, "p")
		if err == nil {
			end()
		}
		got := string(must.Of(os.ReadFile(name))(t))
		switch {
		case want == "refused" && (err == nil || got != text):
			t.Errorf("%q: %v, and then %q", text, err, got)
		case want != "refused" && (err != nil || got != want):
			t.Errorf("%q: %v, and then %q, want %q", text, err, got, want)
		}
	}
	name := filepath.Join(t.TempDir(), "answers")
	must.Do(t, os.WriteFile(name, []byte(first), 0o666))
	t.Setenv(infile.WithinVariable, t.TempDir())
	if _, _, err := OpenCache(name, "p"); err == nil || !strings.Contains(err.Error(), infile.WithinVariable) {
		t.Errorf("a file that must not be read: %v", err)
	}
}

// The answers of one parser are not taken for another's.
func TestWhoseAnswers(t *testing.T) {
	var log bytes.Buffer
	c := Cache{Log: &log, Of: "curl, ftp"}
	for _, w := range []string{"a", "b"} {
		must.Do(t, c.Add([]string{w}, []Answer{Accepted}))
	}
	want := `{"answers_of":"curl, ftp"}
{"input":"a","accept":true}
{"input":"b","accept":true}
`
	if log.String() != want {
		t.Errorf("logged\n%s", &log)
	}
	for of, ok := range map[string]bool{"curl, ftp": true, "": true, "curl, http": false} {
		back := Cache{Of: of}
		err := back.Load(strings.NewReader(want))
		if (err == nil) != ok || ok && back.Len() != 2 {
			t.Errorf("answers of %q: %v, %d", of, err, back.Len())
		}
		if again := (&bytes.Buffer{}); ok {
			back.Log = again
			if err := back.Add([]string{"c"}, []Answer{Rejected}); err != nil || again.String() != `{"input":"c","accept":false}`+"\n" {
				t.Errorf("added %q, %v", again, err)
			}
		}
	}
	named := Cache{Of: "curl, ftp"}
	if err := named.Load(strings.NewReader(`{"input":"a","accept":true}` + "\n")); err == nil {
		t.Error("answers of nobody are taken for curl's")
	}
}

// A slow parser is asked a few questions at a time, so that little is lost when it is cut off, and a fast one many.
func TestPieces(t *testing.T) {
	var most int
	for slow, want := range map[bool][2]int{false: {1000, batch}, true: {1, 2 * firstPiece}} {
		most = 0
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		var known Cache
		_, err := Learn(ctx, askFunc(func(words []string) []Answer {
			most = max(most, len(words))
			if asked += len(words); slow {
				time.Sleep(time.Duration(len(words)) * 5 * time.Millisecond)
				if asked > 100 {
					cancel()
				}
			}
			return make([]Answer, len(words))
		}), Options{Cache: &known})
		cancel()
		if most < want[0] || most > want[1] || slow != errors.Is(err, context.Canceled) {
			t.Errorf("slow %t: at most %d at a time, %v", slow, most, err)
		}
		if lost := asked - known.Len() - len(known.confirmed); lost != 0 {
			t.Errorf("slow %t: %d answers lost", slow, lost)
		}
	}
}

type askFunc func(words []string) []Answer

func (f askFunc) Ask(_ context.Context, words []string) ([]Answer, error) { return f(words), nil }

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	_, err := Learn(ctx, function(func(w string) (bool, bool) {
		if asked++; asked == 1000 {
			cancel()
		}
		return len(w)%7 == 3, true
	}), Options{})
	if !errors.Is(err, context.Canceled) || asked > 1000+batch {
		t.Errorf("%v after %d", err, asked)
	}
}

type failing struct{}

func (failing) Ask(context.Context, []string) ([]Answer, error) { return nil, errors.New("gone") }

type short struct{}

func (short) Ask(context.Context, []string) ([]Answer, error) { return nil, nil }

func TestErrors(t *testing.T) {
	for _, oracle := range []Oracle{failing{}, short{}} {
		if r, err := Learn(t.Context(), oracle, Options{}); err == nil || r != nil {
			t.Errorf("%T: %v, %v", oracle, r, err)
		}
	}
	for _, o := range []Options{{Extra: -1}, {MaxQueries: -1}, {MaxStates: -1}} {
		if r, err := Learn(t.Context(), accepts(lang.All()), o); err == nil || r != nil {
			t.Errorf("%+v: %v, %v", o, r, err)
		}
	}
	counter := function(func(w string) (bool, bool) { return strings.Count(w, "a")*2 == len(w), true }) // not regular
	r, err := Learn(t.Context(), counter, Options{MaxStates: 20})
	if !errors.Is(err, ErrStates) || r == nil || r.Exact || r.DFA.States() > 20 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The words with answers take a bounded part of the memory, whatever the number of questions allowed.
func TestWordsAreBounded(t *testing.T) {
	defer func(old int64) { fewestQueries = old }(fewestQueries)
	fewestQueries = 1000
	long := strings.Repeat("a", 5000)
	try := func(yield func(string) bool) {
		for n := 0; yield(fmt.Sprint(long, n)); n++ {
		}
	}
	asked := 0
	box := function(func(w string) (bool, bool) {
		asked += len(w)
		return true, true
	})
	for _, queries := range []int{1000, 4000} {
		asked = 0
		r, err := Learn(t.Context(), box, Options{Try: try, MaxQueries: queries})
		most := queries * bytesPerQuery
		if !errors.Is(err, ErrQueries) || r == nil || r.Exact || asked < most || asked > most+batch*len(long) {
			t.Errorf("%d questions: %d bytes asked about, want %d and one piece at most; %+v, %v", queries, asked, most, r, err)
		}
	}
}

// A box that changes its mind has no model. It is found out soon, with a word and its two answers, and the last model is
// kept; or no wrong answer was believed, and the model is right. Here right is what the box answers mostly.
func TestContradiction(t *testing.T) {
	longtest.Need(t, "it learns from boxes that change their minds")
	longtest.Sequential(t)
	http := httpurl(t)
	other := lang.OfString("http://a.b/").Complement()
	options := Options{Classes: http, Try: slices.Values([]string{"http://0.0.0.0:80/%20/?%20"}), Extra: 1, MaxStates: 60}
	rows := []struct {
		name  string
		seeds int
		found int // at least so often
		box   func(rng *rand.Rand, asked int, w string) bool
	}{
		{"a coin", 5, 5, func(rng *rand.Rand, _ int, _ string) bool { return rng.IntN(2) == 0 }},
		{"one in 1,000 wrong", 5, 5, func(rng *rand.Rand, _ int,
			w string) bool {
			return http.Match(w) != (rng.IntN(1000) == 0)
		}},
		{"one in 150,000 wrong", 5, 1, func(rng *rand.Rand, _ int,
			w string) bool {
			return http.Match(w) != (rng.IntN(150_000) == 0)
		}},
		{"another language after a time", 5, 5, func(rng *rand.Rand, asked int, w string) bool {
			if asked > 5000 {
				return other.Match(w)
			}
			return http.Match(w)
		}},
		{"a coin after a time", 5, 5, func(rng *rand.Rand, asked int, w string) bool {
			return http.Match(w) != (asked > 5000 && rng.IntN(2) == 0)
		}},
		{"one byte more after a time", 5, 5, func(rng *rand.Rand, asked int, w string) bool {
			if asked > 150_000 {
				w = strings.ReplaceAll(w, "~", "a")
			}
			return http.Match(w)
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			found := 0
			for seed := range row.seeds {
				answers := map[string][2]bool{} // given so far
				asked := 0
				r, err := Learn(t.Context(), function(func(w string) (bool, bool) {
					asked++
					yes := row.box(rand.New(rand.NewPCG(uint64(seed), uint64(asked))), asked, w)
					given := answers[w]
					if yes {
						given[1] = true
					} else {
						given[0] = true
					}
					answers[w] = given
					return yes, true
				}), options)
				var contradiction *InconsistentError
				switch {
				case errors.As(err, &contradiction):
					found++
					if answers[contradiction.Word] != [2]bool{true, true} || contradiction.First == contradiction.Again {
						t.Errorf("seed %d: %v: it was not so", seed, err)
					}
					if r != nil && (r.Exact || r.DFA == nil) {
						t.Errorf("seed %d: %+v", seed, r)
					}
				case err != nil:
					t.Errorf("seed %d: after %d questions: %v", seed, asked, err)
				case !r.Exact || !r.DFA.Equal(http):
					t.Errorf("seed %d: a wrong model of %d states", seed, r.DFA.States())
				}
				if asked > 250_000 {
					t.Errorf("seed %d: %d questions", seed, asked)
				}
			}
			if found < row.found {
				t.Errorf("found out in %d of %d", found, row.seeds)
			}
			t.Logf("found out in %d of %d", found, row.seeds)
		})
	}
}

func TestUndecided(t *testing.T) {
	r := must.Of(Learn(t.Context(), function(func(w string) (bool, bool) { return w == "a", !strings.Contains(w, "b") }), Options{}))(t)
	if !r.DFA.Equal(lang.OfString("a")) || len(r.Undecided) == 0 || r.Undecided[0] != "b" {
		t.Errorf("%d states, undecided %q", r.DFA.States(), r.Undecided[:min(3, len(r.Undecided))])
	}
}

func TestProgress(t *testing.T) {
	var phases []string
	_, err := Learn(t.Context(), accepts(httpurl(t)), Options{Classes: httpurl(t), Try: slices.Values([]string{"http://a"}), Progress: func(p Progress) {
		if !slices.Contains(phases, p.Phase) {
			phases = append(phases, p.Phase)
		}
	}})
	if err != nil || len(phases) < 5 {
		t.Errorf("phases %q, %v", phases, err)
	}
}

// The grammar of a model derives what the model accepts.
func TestGrammar(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	models := []*lang.DFA{lang.Empty(), lang.All(), lang.Epsilon(), httpurl(t)}
	for range 20 {
		models = append(models, random(rng, 1+rng.IntN(10)))
	}
	for i, a := range models {
		b, err := lang.FromBNF(Grammar(a, "model", "the model"), Start)
		if err != nil || !a.Equal(b) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func ExampleLearn() {
	even := function(func(w string) (bool, bool) { return strings.Count(w, "a")%2 == 0, true })
	r, err := Learn(context.Background(), even, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.DFA.States(), r.DFA.ClassSet(r.DFA.ClassOf('a')), r.Guarantee())
	// Output: 2 [a] exact if the parser is a deterministic automaton with at most n = 2 states, or with at most n + k = 2 + 0 states and reads the bytes of each of the 2 classes alike
}

// A function is an Oracle. It says whether the word is accepted; decided is false if it cannot tell.
type function func(word string) (accepted, decided bool)

func (f function) Ask(ctx context.Context, words []string) ([]Answer, error) {
	answers := make([]Answer, len(words))
	for i, w := range words {
		switch accepted, decided := f(w); {
		case !decided:
			answers[i] = Undecided
		case accepted:
			answers[i] = Accepted
		}
	}
	return answers, ctx.Err()
}
