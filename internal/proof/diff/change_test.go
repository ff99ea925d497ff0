package diff

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// kindExamples has for each feature a small pair of grammars and the sentence that tells it. The
// second grammar is the side that stops.
var kindExamples = map[Feature]struct {
	goes, stops string
	sentence    string
	grammar     bool // the sentence claims a change of the grammar
}{
	Exists:   {`s = "a"`, `s = "a" s`, `old has strings, new has none.`, false},
	Scheme:   {`url = "http:" / "ftp:"`, `url = "http:"`, "old also has the scheme `ftp:`.", false},
	Repeats:  {`s = 1*4DIGIT "."`, `s = 1*3DIGIT "."`, `old repeats DIGIT in s 1 to 4 times, new 1 to 3 times.`, true},
	Has:      {"s = \"<\" v \">\"\nv = n / n \".\" n\nn = DIGIT", "s = \"<\" v \">\"\nv = n\nn = DIGIT", `old has the alternative n "." n in v.`, true},
	Replaces: {"s = 1*v\nv = \"a\" / \"25\" DIGIT", "s = 1*v\nv = \"a\" / \"q5\" DIGIT", `old has "25" in v where new has "q5".`, true},
	Omits:    {`s = ["a"] "b"`, `s = "a" "b"`, `old: "a" may be missing in s.`, true},
	Allows:   {"s = 1*c\nc = %x61-62", "s = 1*c\nc = %x61", `old allows "b" in c.`, true},
	Adds:     {`s = "a" "b" ["c"]`, `s = "a" "b"`, `old adds ["c"] in s.`, true},
	Derives:  {"s = \"<\" v \">\"\nv = \"a\" / \"bc\"", "s = \"<\" v \">\"\nv = \"a\"", `old derives "bc" from v.`, true},
	Parts:    {`s = "m:" 1*(%x61 / "/")`, "s = \"m:\" to \"@\" to\nto = 1*%x61", `old goes on with "/" in s where new is still in to.`, false},
	Ends:     {"v = DIGIT 1*2(\".\" h)\nh = 3*4HEXDIG", "v = DIGIT \".\" h\nh = 4HEXDIG", `old can end h where new needs more of it.`, false},
	After:    {"s = h \".\" x\nh = 1*DIGIT\nx = ALPHA x / ALPHA", "s = h \"/\" \"c\" h\nh = 1*DIGIT", `After h, old goes on with ".".`, false},
	Within: {"s = \"(\" h \")\"\nh = ALPHA *( ALPHA / \"+\" ALPHA ALPHA )", "s = \"(\" h \")\"\nh = *ALPHA \"-\" ALPHA",
		`In h, old goes on with "+" where new stops.`, false},
	Differs: {"s = a b\na = \"(\" [a] \")\"\nb = \"[\" [b] \"]\"", "s = b a\na = \"(\" [a] \")\"\nb = \"[\" [b] \"]\"",
		`old and new define s differently.`, false}, // what nests is told by a Search
}

// TestKinds holds the registry: each type of change has a row, and its own file; each feature
// belongs to one kind, and has an example, whose sentence is told and whose grammar derives the
// witness.
func TestKinds(t *testing.T) {
	features := map[Feature]bool{}
	types := map[string]bool{}
	for _, k := range kinds {
		name := reflect.TypeOf(k.change).Name()
		types[name] = true
		file := "change_" + strings.ToLower(strings.TrimSuffix(name, "Change")) + ".go"
		text := must.Of(os.ReadFile(file))(t)
		for _, method := range []string{"feature", "key", "join", "tell"} {
			own := regexp.MustCompile(`(?m)^func \((\w+ )?` + name + `\) ` + method + `\(`)
			if !own.Match(text) {
				t.Errorf("%s: %s has no method %s of its own", file, name, method)
			}
		}
		if !regexp.MustCompile(`(?m)^// (A|An) ` + name + ` `).Match(text) {
			t.Errorf("%s does not say what a %s is", file, name)
		}
		if len(k.features) == 0 || k.change.feature() != k.features[0] {
			t.Errorf("%s: its first feature is not that of its zero value", name)
		}
		for _, f := range k.features {
			if features[f] {
				t.Errorf("two kinds have the feature %s", f)
			}
			features[f] = true
			checkExample(t, f)
		}
	}
	for _, name := range declaredTypes(t) {
		if !types[name] {
			t.Errorf("%s has no row in kinds", name)
		}
	}
	for _, f := range declaredFeatures(t) {
		if !features[f] {
			t.Errorf("no kind has the feature %s", f)
		}
	}
}

// checkExample tells the example of a feature.
func checkExample(t *testing.T, f Feature) {
	t.Helper()
	x, ok := kindExamples[f]
	if !ok {
		t.Errorf("the feature %s has no example", f)
	}
	a, b := abnf(t, x.goes), abnf(t, x.stops)
	a.Grammar.Title, b.Grammar.Title = "old", "new"
	if f == Differs {
		s := must.Of(Nested(a, b))(t)
		if s.Sentence != x.sentence || s.Cause == nil || s.Cause.Feature != f {
			t.Errorf("%s: told %q", f, s.Sentence)
		}
		return
	}
	d := diff(t, a, b)
	var told []string
	for i := range d.Groups {
		g := &d.Groups[i]
		told = append(told, g.Sentence)
		if g.Sentence != x.sentence {
			continue
		}
		if g.Region != OnlyA || g.Feature != f {
			t.Errorf("%s: the feature of %q is %s, %s", f, g.Sentence, g.Feature, g.Region)
		}
		edited, ok := d.Edited(g)
		if ok != x.grammar {
			t.Errorf("%s: %q claims a change of the grammar: %v", f, g.Sentence, ok)
		}
		if ok && !pegtest.Derives(edited, edited.Rules[0].ID, string(g.Witness)) {
			t.Errorf("%s: with the change of %q, %q is not derived", f, g.Sentence, g.Witness)
		}
		if e := g.edits[0]; e.key() != joined(e).key() {
			t.Errorf("%s: an edit joined with itself has another key", f)
		}
	}
	if !slices.Contains(told, x.sentence) {
		t.Errorf("%s: told %q, want %q", f, told, x.sentence)
	}
}

// TestColonFollows: a colon need not follow in any state of a cycle that is also left otherwise.
func TestColonFollows(t *testing.T) {
	for _, tt := range []struct {
		word string // after which it is asked
		want bool
	}{
		{"x", true}, {"x:", false}, {"0", false}, {"0a", false}, {"0ab", false}, {"1", true}, {"1a", true}, {"", false},
	} {
		side := abnf(t, `s = "x:" / "0" *("a" "b") "~" / "1" *("a" "b") ":" "~"`)
		a := must.Of(lang.FromBNF(side.Grammar, "s"))(t)
		q := 0
		for _, x := range []byte(tt.word) {
			q = a.Next(q, x)
		}
		if got := colonFollows(a, func(int) {})[q]; got != tt.want {
			t.Errorf("after %q: %t", tt.word, got)
		}
	}
}

// joined returns an edit joined with itself.
func joined(e edit) *edit {
	e.join(e)
	return &e
}

// declaredTypes lists the types of this package whose names end in Change, which are those of
// changes.
func declaredTypes(t *testing.T) (names []string) {
	eachDeclaration(t, func(spec ast.Spec) {
		s, ok := spec.(*ast.TypeSpec)
		if ok && strings.HasSuffix(s.Name.Name, "Change") && !s.Name.IsExported() && s.Name.Name != "grammarChange" {
			names = append(names, s.Name.Name)
		}
	})
	return names
}

// declaredFeatures lists the constants of the type Feature.
func declaredFeatures(t *testing.T) (features []Feature) {
	eachDeclaration(t, func(spec ast.Spec) {
		s, ok := spec.(*ast.ValueSpec)
		if !ok || s.Type == nil {
			return
		}
		if of, ok := s.Type.(*ast.Ident); ok && of.Name == "Feature" {
			value := s.Values[0].(*ast.BasicLit).Value
			features = append(features, Feature(strings.Trim(value, `"`)))
		}
	})
	if len(features) < 14 {
		t.Errorf("found %d features", len(features))
	}
	return features
}

// eachDeclaration calls f for each declaration of a type, constant or variable outside of functions.
func eachDeclaration(t *testing.T, f func(spec ast.Spec)) {
	t.Helper()
	for _, name := range must.Of(filepath.Glob("*.go"))(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := must.Of(parser.ParseFile(gotoken.NewFileSet(), name, nil, 0))(t)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					f(spec)
				}
			}
		}
	}
}
