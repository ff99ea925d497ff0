package command

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/jspackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/runtimesuite"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
)

// The formats that package vectors does not have: the sweep with a class of bytes a line, and the suite for runtimes.
const (
	sweepRows    = "sweep"
	runtimeSuite = "runtime"
)

// newVectors returns the command vectors, which makes test vectors for other parsers.
func newVectors(s *streams) *cobra.Command {
	v := &vectoring{streams: s}
	cmd := &cobra.Command{
		Use:   "vectors GRAMMAR|PRODUCTION|SCHEME",
		Short: "Make test vectors for other parsers, with a guarantee",
		Long: `vectors makes test vectors from the minimal automaton of a production, or of the
production of a scheme: strings, and whether each RFC derives them. The header states
what they guarantee. The parts are

  boundary     productions at their limits: absent, empty, long, repeated
  negative     one edit away from a derived string, by the production
               that breaks
  mutants      strings that kill every mutant of the printed grammar: an
               alternative left out, an option mandatory or never taken,
               a bound of a repetition changed by one, two neighbors
               exchanged, a byte of a class lost or gained, in each
               definition and at each of its uses; and, of a GRAMMAR
               that is not built in, strings with one more
               character at each place
  complete     a suite by the method W, Wp or HSI: an automaton that
               passes it, has at most --states more states than the
               production's own and does not distinguish the bytes of a
               class accepts exactly the same strings
  sweep        each of the 256 bytes after every state: an automaton that
               confuses bytes in any of the states fails

of what nests, or has an automaton that is too large:

  derivations  every alternative, both bounds of every repetition and the
               edges of every class, each in a shortest string that uses
               them, and strings one step beyond

and, if --part names it, since a complete suite includes as much:

  transitions  every transition of the automaton

--format sweep writes only the sweep, with a class of bytes a line. --dry-run lists the
sizes, which are known without making the vectors.

--format runtime writes the suite that a runtime for the tables of generated parsers must
pass, in any language: the tables of the GRAMMAR, and for inputs of each production the
answer, the tree and the error. docs/table-format.md describes it.

What nests is read to a depth, that of --nesting or else as deep as the steps go, at most
2, or the least at which something is derived, and the guarantees are about strings that
nest no deeper; the header says so. Where there is no automaton, there are derivations
alone, the header says why, and the exit status is 3. The
verdicts are those of the grammar itself.

The production of any GRAMMAR can be had; of a PEG only the parts complete and sweep. It
alone judges then. The components of a string are the first texts
of the productions that --component names.

Where a mutant may live, since it was not looked at or may derive the same, the first line
says so, and the exit status is 3. So it is if a part is too large and left out, which no
part is that --part names.

A Go test file calls accepts(s string) bool of package vectors; --package and --function
give other names. The formats js and python are a list of cases for a table test, and
json-schema-test-suite is a file in the form of that suite's optional/format.`,
		Example: `  bnfcheck vectors --rfc 1738 http
  bnfcheck vectors --rfc 1738 --states 1 --part complete --dry-run ftp
  bnfcheck vectors --format go -o httpurl_test.go rfc1738#httpurl
  bnfcheck vectors --component host --component port uri.abnf#URI
  bnfcheck vectors --format go --function Valid -o a_test.go uri.abnf#URI
  bnfcheck vectors --format js --most 200 -o cases.js uri.abnf#URI
  bnfcheck vectors --format json-schema-test-suite \
    --schema-format uri --most 100 uri.abnf#URI
  bnfcheck vectors --format runtime -o suite.json uri.abnf#URI`,
		Args: takes("one GRAMMAR, PRODUCTION or SCHEME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if v.format.value == runtimeSuite {
				return v.runSuite(cmd, args[0])
			}
			return v.run(cmd, args[0])
		},
	}
	parts := spelled(vectors.Parts)
	flags := cmd.Flags()
	v.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = orFiles(atMostOne(words(v.rfcs.schemes, v.rfcs.productions)))
	v.naming = addNaming(s, cmd)
	v.components = addComponents(cmd)
	flags.IntVar(&v.states, "states", 0, "find faults that add up to `K` states")
	v.method = addChoice(cmd, "method", "of the complete suite", "hsi", "wp", "w")
	flags.BoolVar(&v.everyByte, "every-byte", false, "make the complete suite over all bytes, without classes")
	flags.StringSliceVar(&v.parts, "part", nil, "only this `PART`: "+strings.Join(parts, ", ")+"; may be repeated")
	flags.IntVar(&v.longest, "longest", 1024, "the longest text among the boundaries, in `BYTES`")
	v.format = addChoice(cmd, "format", "how to print", append(spelled(vectors.Formats), sweepRows, runtimeSuite)...)
	flags.BoolVar(&v.dryRun, "dry-run", false, "list the sizes only")
	flags.IntVar(&v.most, "most", 0, "of the part mutants only the `N` strings that kill the most")
	flags.StringVar(&v.schema, "schema-format", "",
		"with --format json-schema-test-suite: the `FORMAT` that the schema asks for, such as uri")
	v.code = addCode(cmd)
	flags.StringVarP(&v.file, "output", "o", "", "write to `FILE`, whole or not at all")
	return cmd
}

// vectoring carries out one vectors command.
type vectoring struct {
	*streams
	rfcs           *rfcs
	naming         *naming
	components     *[]string
	code           *code
	states         int
	method, format *choice
	everyByte      bool
	parts          []string
	longest        int
	dryRun         bool
	most           int
	schema         string
	file           string
}

// run checks the flags, makes the vectors of a grammar and writes them. Each reason why the guarantee does not hold in
// full is a complaint, and makes it fail with errOpen after the vectors are written.
func (v *vectoring) run(cmd *cobra.Command, name string) error {
	o := vectors.Options{Extra: v.states, EveryByte: v.everyByte, Longest: v.longest,
		Command: commandLine(cmd, name, "output", "dry-run")}
	o.Package, o.Function, o.Most, o.Schema = v.code.pkg, v.code.function, v.most, v.schema
	if v.schema != "" && v.format.value != string(vectors.SchemaSuite) {
		return fmt.Errorf("--schema-format is for --format %s", vectors.SchemaSuite)
	}
	err := cmp.Or(
		v.code.check(v.format.value),
		atLeast("states", v.states, 0),
		atLeast("most", v.most, 0),
		atLeast("longest", v.longest, 1),
		atMost("longest", v.longest, longestText),
	)
	if err != nil {
		return err
	}
	if o.Method, err = vectors.ParseMethod(v.method.value); err != nil {
		return err
	}
	for _, p := range v.parts {
		if !slices.Contains(vectors.Parts, vectors.Part(p)) {
			return fmt.Errorf("invalid argument %q for \"--part\" flag: choose from %s",
				p, strings.Join(spelled(vectors.Parts), ", "))
		}
		o.Parts = append(o.Parts, vectors.Part(p))
	}
	if v.most > 0 || v.schema != "" { // a size that a person reads
		if slices.ContainsFunc(o.Parts, func(p vectors.Part) bool { return p != vectors.Mutants }) {
			return errors.New("--most and --schema-format are for the part mutants")
		}
		o.Parts = []vectors.Part{vectors.Mutants}
	}
	if v.format.value == sweepRows {
		if slices.ContainsFunc(o.Parts, func(p vectors.Part) bool { return p != vectors.Sweep }) {
			return errors.New("--format sweep has no other part than sweep")
		}
		o.Parts = []vectors.Part{vectors.Sweep}
	}
	o.AtDepth = v.naming.nesting != noNesting
	o.Progress = func(done, total int) { v.doing.set("mutants", done, total) }
	p, err := v.plan(name, o)
	if err != nil {
		return err
	}
	reasons := p.Undecided()
	if len(reasons) > 0 {
		v.earned = errOpen
	}
	if err := v.output(v.file, func(w io.Writer) error { return v.write(w, p) }); err != nil {
		return err
	}
	for _, reason := range reasons { // also where the format has no header
		v.complain("bnfcheck: undecided: %s", reason)
	}
	return v.earned
}

// withoutSuite are the flags that --format runtime has no use for.
var withoutSuite = []string{
	"component", "states", "method", "every-byte", "part", "longest", "dry-run", "most", "schema-format", "package",
	"function",
}

// runSuite writes the suite for runtimes of a grammar: see package runtimesuite. It fails for a flag or a
// grammar that is not for suites, and for an error in the grammar.
func (v *vectoring) runSuite(cmd *cobra.Command, name string) error {
	for _, flag := range withoutSuite {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s is not for --format %s", flag, runtimeSuite)
		}
	}
	opened, err := v.naming.open(name)
	if err != nil {
		return err
	}
	// Of an expression with lookarounds the productions are the states of its automaton, and no grammar.
	isModel := opened.Kind == catalog.Regexp && opened.Models()
	if opened.Grammar == nil || opened.Grammar.Ordered || isModel {
		const message = "%s: expected a grammar whose alternatives have no order, of which generate makes tables"
		return fmt.Errorf(message, name)
	}
	file, _ := catalog.Split(name)
	src := gopackage.Source{Package: packageOf(file), Grammar: opened.Grammar, Start: opened.Asked,
		Inputs: []gopackage.Input{{Path: filepath.Base(file), Text: opened.Text}}}
	parts, err := gopackage.MakeParts(src, jspackage.Language, runtimesuite.Format)
	if err != nil {
		return v.naming.fail(err)
	}
	suite, err := runtimesuite.Make(parts, commandLine(cmd, name, "output"))
	if err != nil {
		return v.naming.fail(err)
	}
	return v.output(v.file, suite.Write)
}

// plan returns the plan of the vectors for a grammar, a production or a scheme; their strings are made when it is
// written. If name begins with a published grammar, *v.rfcs becomes that alone. It fails for a name of none of these,
// and for --component without a production of a file.
func (v *vectoring) plan(name string, o vectors.Options) (p *vectors.Plan, err error) {
	planned := func(s *vectors.Subject, _ *anygrammar.Parser) (err error) {
		p, err = s.Plan(o)
		return err
	}
	if v.naming.isOperand(name) {
		g, r, err := v.naming.start(name)
		if err != nil {
			return nil, err
		}
		if published.Of(g) == nil {
			err = v.naming.withSubject(name, *v.components, planned)
			return p, err
		}
		name, *v.rfcs = r.ID, rfcs{published.Of(g)}
	}
	if len(*v.components) > 0 {
		return nil, errors.New("--component is for a production of a file: those of URLs are known")
	}
	s, err := subjectOf(*v.rfcs, name)
	if err != nil {
		return nil, err
	}
	err = planned(s, nil)
	return p, v.naming.undecided(err)
}

// write makes the vectors of p and writes them in their format, or with --dry-run only a table of their sizes.
func (v *vectoring) write(w io.Writer, p *vectors.Plan) error {
	switch {
	case v.dryRun:
		t := layout.Table{Header: []string{"part", "vectors", "bytes"}, Right: 1<<1 | 1<<2}
		for _, size := range p.Sizes() {
			t.Add(string(size.Part), size.Vectors.String(), size.Bytes.String())
		}
		if to := p.Subject.ReadTo; to != "" {
			fmt.Fprintf(w, "read %s: the guarantees are about strings that nest no deeper\n", to)
		}
		_, err := w.Write(t.Append(nil, &v.streams.Screen))
		return err
	case v.format.value == sweepRows:
		return p.WriteSweep(w)
	}
	return p.Write(w, vectors.Format(v.format.value))
}

// A code is the names in a Go test file, as flags give them; "" for the usual ones.
type code struct{ pkg, function string }

// addCode adds the flags --package and --function, and returns their values.
func addCode(cmd *cobra.Command) *code {
	c := &code{}
	cmd.Flags().StringVar(&c.pkg, "package", "", "with --format go: the package `NAME`, instead of vectors")
	cmd.Flags().StringVar(&c.function, "function", "",
		"with --format go: the function `NAME` of that package, instead of accepts")
	return c
}

// check returns an error if a flag was given that the format has no use for, or that is no identifier.
func (c *code) check(format string) error {
	for _, flag := range [][2]string{{"package", c.pkg}, {"function", c.function}} {
		switch name := flag[1]; {
		case name == "":
		case format != string(vectors.GoTest):
			return fmt.Errorf("--%s is for --format go", flag[0])
		case !token.IsIdentifier(name) || name == "_":
			return fmt.Errorf("invalid argument %q for \"--%s\" flag: expected an identifier of Go", name, flag[0])
		}
	}
	return nil
}

// addComponents adds the flag --component, and returns the list that it sets.
func addComponents(cmd *cobra.Command) *[]string {
	list := &[]string{}
	cmd.Flags().StringArrayVar(list, "component", nil,
		"with a file: a `PRODUCTION` whose text is a component of a string; may be repeated")
	return list
}

// spelled returns parts or formats as they are typed.
func spelled[T ~string](list []T) (words []string) {
	for _, w := range list {
		words = append(words, string(w))
	}
	return words
}

// subjectOf finds a production or scheme in the one grammar that has it; it is an error if none or several have it.
func subjectOf(grammars []*bnfcheck.Grammar, name string) (*vectors.Subject, error) {
	var found *vectors.Subject
	var problems []error
	for _, g := range grammars {
		s, err := vectors.NewSubject(g.Grammar, name)
		switch {
		case err != nil:
			problems = append(problems, err)
		case found != nil:
			return nil, fmt.Errorf("%s and %s have it: choose one with --rfc", found.Grammar.Name, g.Name)
		default:
			found = s
		}
	}
	if found == nil {
		all := rfcs(grammars)
		return nil, didYouMean(oneLine(problems), name, all.productions, all.schemes)
	}
	return found, nil
}

// commandLine returns the command line of cmd with the flags that were set and the operand name, not quoted for a
// shell, to be stated in the output as its origin. The flags in without, which do not change the output, are left
// out. What cannot be printed is replaced.
func commandLine(cmd *cobra.Command, name string, without ...string) string {
	words := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch list, ok := f.Value.(pflag.SliceValue); {
		case slices.Contains(without, f.Name):
		case ok && f.Value.Type() == "stringArray": // may hold commas
			for _, v := range list.GetSlice() {
				words = append(words, "--"+f.Name+"="+v)
			}
		case ok: // its String has brackets around the list
			value := f.Value.String()
			words = append(words, "--"+f.Name+"="+value[1:len(value)-1])
		default:
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	if name != "" {
		words = append(words, name)
	}
	return layout.Printable(strings.Join(words, " "))
}
