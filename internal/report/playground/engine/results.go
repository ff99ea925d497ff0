package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/proof/bnftopeg"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// maxGroups caps the groups of a difference that are listed.
const maxGroups = 30

// A Comparison is how two grammars differ.
type Comparison struct {
	Equal    bool    `json:"equal"`
	Sentence string  `json:"sentence"`
	Length   int     `json:"length"` // the length up to which strings are counted
	Parts    [3]Part `json:"parts"`  // only the first, both, only the other
	Groups   []Group `json:"groups"`
	Count    int     `json:"count"` // of all groups
	Text     string  `json:"text"`  // what the command prints
}

// A Part is the strings of one side. Shortest is nil if there is none.
type Part struct {
	Shortest *[]byte `json:"shortest"`
	Shown    string  `json:"shown"`
	Total    string  `json:"total"`
}

// A Group holds the strings that one difference of the texts explains. Side is 0 for strings of the first
// only, and 2 for those of the other.
type Group struct {
	Side     int    `json:"side"`
	Sentence string `json:"sentence"`
	Witness  []byte `json:"witness"`
	Shown    string `json:"shown"`
	Total    string `json:"total"`
}

// withTitle returns g under a title that is shorter than an expression.
func withTitle(title string, g *expr.Grammar) *expr.Grammar {
	g = g.With(g.Rules)
	g.Title = title
	return g
}

// diff compares the languages of the productions that two sources start from, and lists at most maxGroups groups. The
// language of an expression is that of the strings in which it matches somewhere. The session then keeps the grammar
// of b. An error about one source names its side; one that is only about the comparison names none.
func (s *Session) diff(a, b Source) (*Comparison, error) {
	var sides [2]catalog.Language
	for i, side := range [...]struct {
		name, which, title string
		src                Source
	}{{fileName, "first", "the grammar", a}, {"other", "second", "the other", b}} {
		h, err := s.open(side.name, side.src, regex.Search)
		if err == nil {
			sides[i], err = h.Language()
		}
		if err != nil {
			return nil, fmt.Errorf("the %s grammar: %w", side.which, err)
		}
		sides[i].Grammar = withTitle(side.title, sides[i].Grammar)
	}
	d, err := diff.Compare(sides[0], sides[1], diff.Options{})
	if err != nil {
		return nil, err
	}
	out := &Comparison{
		Equal: d.Relation == diff.Equal, Sentence: d.Sentence(), Length: diff.DefaultMaxLength,
		Groups: []Group{}, Count: len(d.Groups),
	}
	for i, p := range []diff.Part{d.OnlyA, d.Both, d.OnlyB} {
		out.Parts[i].Total = p.Total().String()
		if p.Shortest != nil {
			word := []byte(*p.Shortest)
			out.Parts[i].Shortest, out.Parts[i].Shown = &word, d.Shown(*p.Shortest)
		}
	}
	for i := range d.Groups[:min(len(d.Groups), maxGroups)] {
		g := &d.Groups[i]
		side := 0
		if g.Region == diff.OnlyB {
			side = 2
		}
		group := Group{side, g.Sentence, []byte(g.Witness), d.Shown(g.Witness), g.Total().String()}
		out.Groups = append(out.Groups, group)
	}
	var text strings.Builder
	err = d.WriteText(&text, 0, false)
	out.Text = text.String()
	return out, err
}

// A File is something that was made. Problem is why it was not.
type File struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Note    string `json:"note,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// Flavors lists the flavors that regular expressions can be written in.
var Flavors = regex.OnPage()

// mostVectors caps the strings of a table of vectors that kill mutants. Other parts of a suite have no cap.
const mostVectors = 200

// mostMutated caps the states of an automaton whose mutants are all tried. A page would take a minute for RFC
// 3986's automaton, for which bnfcheck vectors takes some seconds.
const mostMutated = 100

// make makes what was asked for of a grammar: regular expressions, one for each of Flavors, a PEG, the files of a Go
// package, or vectors. An expression is read as the whole string, except for vectors and where no grammar describes
// it. What fails in one flavor of regular expressions is the Problem of its file, even if that is so in all. make
// fails for a PEG or Go of a PEG, for anything else than these four, and if the automaton, the PEG, the package or
// the vectors cannot be made.
func (s *Session) make(q Question) (files []File, err error) {
	h, err := s.open(fileName, q.Grammar, regex.Search)
	if err != nil {
		return nil, err
	}
	if h.Kind == catalog.Regexp && q.Make != "vectors" && !h.Models() {
		if h, err = s.open(fileName, q.Grammar, regex.Full); err != nil {
			return nil, err
		}
	}
	start, err := h.Start()
	if err != nil {
		return nil, err
	}
	if h.Grammar.Ordered && (q.Make == "peg" || q.Make == "go") {
		return nil, errors.New("the grammar is a PEG: this is made of a grammar whose alternatives have no order")
	}
	switch q.Make {
	case "regexp":
		language, err := h.Automaton(start)
		if err != nil {
			return nil, err
		}
		for _, flavor := range Flavors {
			f := File{Name: flavor + ".txt"}
			x, err := bnftoregexp.New(h.Within, start, language, bnftoregexp.Of(flavor), bnftoregexp.Options{})
			switch {
			case err != nil:
				f.Problem = err.Error()
			default:
				f.Text = x.String() + "\n"
				var notes []string
				if x.Assumed != "" {
					notes = append(notes, "assumed: "+x.Assumed)
				}
				if x.Ambiguous != nil {
					notes = append(notes, h.Grammar.Quote(*x.Ambiguous)+" can be matched in two ways")
				}
				f.Note = strings.Join(notes, "; ")
			}
			files = append(files, f)
		}
		return files, nil
	case "peg":
		result, err := bnftopeg.PEG(h.Grammar, start.ID, "grammar")
		if err != nil {
			return nil, err
		}
		f := File{Name: "grammar.peg", Text: string(result.Text)}
		if !result.Proven() {
			f.Note = "not every rule is proven: see the marks ? in it"
		}
		return []File{f}, nil
	case "go":
		input := gopackage.Input{Path: "grammar." + string(h.Kind), Text: []byte(q.Grammar.Text)}
		src := gopackage.Source{
			Package: "grammar", Grammar: h.Grammar, Start: start.ID, Inputs: []gopackage.Input{input},
		}
		src.LockFile = gopackage.LockName
		src.Args = gopackage.Args(src, ".")
		made, err := gopackage.Make(src)
		if err != nil {
			return nil, err
		}
		for _, f := range made {
			files = append(files, File{Name: f.Name, Text: string(f.Text)})
		}
		return files, nil
	case "vectors":
		subject, _, err := conform.Subject(h.Opened)
		if err != nil {
			return nil, err
		}
		o := vectors.Options{Parts: []vectors.Part{vectors.Mutants}, Most: mostVectors}
		switch {
		case subject.Model != nil: // which has no productions to change
			o.Parts, o.Most = []vectors.Part{vectors.Transitions}, 0 // Most is for mutants
		case subject.DFA.States() > mostMutated:
			o.Parts, o.Most = []vectors.Part{vectors.Negative, vectors.Transitions}, 0
		}
		plan, err := subject.Plan(o)
		if err != nil {
			return nil, err
		}
		format := vectors.Format(cmp.Or(q.Format, string(vectors.Lines)))
		var text bytes.Buffer
		if err := plan.Write(&text, format); err != nil {
			return nil, err
		}
		return []File{{Name: "vectors." + endings[format], Text: text.String()}}, nil
	}
	return nil, fmt.Errorf("nothing is called %q that could be made", q.Make)
}

// endings are those of the names of files with vectors.
var endings = map[vectors.Format]string{
	vectors.Lines:       "txt",
	vectors.JSONLines:   "jsonl",
	vectors.CSV:         "csv",
	vectors.GoTest:      "go",
	vectors.JS:          "js",
	vectors.Python:      "py",
	vectors.SchemaSuite: "json",
}
