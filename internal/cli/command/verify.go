package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/cli/version"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/language"
	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// newVerify returns the command verify, which verifies that generated packages are still what generate makes
// of their grammars.
func newVerify(s *streams) *cobra.Command {
	v := &verifying{streams: s}
	cmd := &cobra.Command{
		Use:   "verify [FOLDER ...]",
		Short: "Verify that generated packages are what their grammars make",
		Long: `verify regenerates in memory each package that bnfcheck generate wrote, and compares:
the proof must hold, every file must be current to the byte, the certificate must have
the hash in the package, and no choice in the lock file may have changed. It is for
continuous integration.

With --certificate, or with --rocq for Rocq, it writes a proof about the tables in the
package, the automaton that explains rejections: its loop accepts a string exactly if the
production derives it. A production of which that is not so is found. What the code of
the parser does was walked when it was generated, and is held against strings by --words.

With --words the Go compiler makes a program of each package that is current, and what
it returns is held against the grammar, as its automata and interpreters read it, on that
many strings: words of every length, each with the same probability, words along every
transition of each production's automaton, and near misses, which are one edit away. Of
each it must accept what is derived, and make a tree that is a derivation and is the one
that is chosen; an error must be at the first byte that cannot stand there, or at the
character with it. A string on which that is not true is made as short as it can be. The
same --seed draws the same strings. With --trees the checker that is proven in Rocq judges
each tree too. This needs the go command; nothing is written into the folder. The limits are those of each package.

What else is compiled with a package can change what it does. Of a package that is current
verify lists what it does not cover: files in the folder that are not the package's own
and have a function init, name a variable of the package, or are not Go; and a library
that is replaced, vendored, taken from a workspace or of another version than this program.
It asks the go command, which fetches nothing.

A package in JavaScript is compared in the same way, but for its package.json, which is
the user's; once it is current its test is run, if node is installed. With --words it is
not covered: strings are for packages in Go.

A FOLDER may hold several packages. One that ends in /... stands for all folders below
it as well; ./... is the default.`,
		Example: `  bnfcheck verify ./...
  bnfcheck verify uri
  bnfcheck verify uri --certificate uri.cert
  bnfcheck verify --words 100000 --seed 7 uri`,
		RunE: func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	flags := cmd.Flags()
	v.format = addChoice(cmd, "format", "how to print", append([]string{"text"}, results.Formats...)...)
	flags.StringVar(&v.certificate, "certificate", "",
		"of one package: write the proof that its tables accept what its grammar derives to `FILE`")
	flags.StringVar(&v.rocq, "rocq", "",
		"of one package: write that proof into `FOLDER` as files that Rocq compiles into theorems")
	flags.IntVar(&v.words, "words", 0,
		"compile the package, and hold what it returns against the grammar on about `N` strings")
	flags.Uint64Var(&v.seed, "seed", 1, "the `SEED` of the strings of --words")
	flags.StringVar(&v.trees, "trees", "",
		"with --words: ask the `PROGRAM` proof/check, which is proven, about each tree as well")
	v.add(s, cmd)
	return cmd
}

// verifying carries out one verify command.
type verifying struct {
	*streams
	format *choice
	words  int
	seed   uint64
	limiting

	certificate, rocq, trees string // a file, a folder and a program

	omitted []string // the productions of the last folder without strings drawn, each with the reason
	// scanners are those of the last folder, each with a sentence.
	scanners []string
}

// run verifies each generated package that the patterns match, and prints for each whether it is current, or what
// differs, and what is not covered. It returns v.earned, the worst of all packages. A refused grammar and a wrong PEG
// are verdicts; any other failure ends the run. It fails if there is no package.
func (v *verifying) run(patterns []string) error {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var folders []string
	for _, pattern := range patterns {
		found, err := foldersOf(pattern)
		if err != nil {
			return err
		}
		folders = append(folders, found...)
	}
	slices.Sort(folders)
	var packages []recorded
	for _, folder := range slices.Compact(folders) {
		found := recordsIn(folder)
		if file := unrecordedIn(folder, found); file != "" {
			found = append(found, recorded{folder: folder, name: file, file: file})
		}
		packages = append(packages, found...)
	}
	if len(packages) == 0 {
		return &inputError{fmt.Errorf("%s: no package that bnfcheck generate has written", strings.Join(patterns, " "))}
	}
	if v.certificate+v.rocq != "" && len(packages) != 1 {
		return errors.New("--certificate and --rocq are for one package")
	}
	if v.trees != "" && v.words == 0 {
		return errors.New("--trees is for --words")
	}
	if err := atLeast("words", v.words, 0); err != nil {
		return err
	}
	// A package is verified as a whole before the next one. With --format the lines of text become results, which are
	// written at the end.
	var list []results.Result
	var text io.Writer = v.out
	if v.format.value != "text" {
		text = io.Discard
	}
	for _, p := range packages {
		add := func(o results.Outcome, name, message string) {
			list = append(list, results.Result{Suite: "verify", Name: name, Outcome: o, Message: message,
				Rule:  "verify",
				Title: "A generated package is what its grammar makes",
				Place: p.place()})
		}
		v.omitted, v.scanners = nil, nil
		findings, drawn, err := v.verify(p)
		status := error(nil)
		switch {
		case err != nil: // a refused grammar or a wrong PEG is a verdict on this package; anything else ends the run
			if status = v.fail(fmt.Errorf("%s: %w", p.name, err)); !errors.Is(status, errNegative) &&
				!errors.Is(status, errOpen) {
				return status
			}
			outcome := results.Failed
			if errors.Is(status, errOpen) {
				outcome = results.Skipped
			}
			add(outcome, p.name, strings.TrimSpace(err.Error()))
		case len(findings) > 0:
			status = errNegative
			for _, f := range findings {
				fmt.Fprintf(text, "%s: %s\n", layout.Printable(p.name), f)
				add(results.Failed, p.name+": "+f, f)
			}
		default:
			fmt.Fprintf(text, "%s: current%s\n", layout.Printable(p.name), drawn)
			add(results.Passed, p.name, "current"+drawn)
			var uncovered []string
			if p.language.IsGo() {
				if uncovered, err = gopackage.Uncovered(p.folder,
					gopackage.Build{Version: version.Module()}); err != nil {
					return &inputError{err}
				}
			}
			uncovered = append(uncovered, v.scanners...)
			for _, o := range v.omitted {
				uncovered = append(uncovered, "no strings were drawn of "+o)
			}
			for _, u := range uncovered {
				status = errPartly
				fmt.Fprintf(text, "%s: not covered: %s\n", layout.Printable(p.name), layout.Printable(u))
				list = append(list, notCovered(p, u))
			}
		}
		v.earned = worse(v.earned, status)
	}
	if v.format.value != "text" {
		if err := results.Write(v.out, v.format.value, list); err != nil {
			return err
		}
	}
	return v.earned
}

// notCovered returns the result, a skipped one, that something in the build of a package that is current is not covered
// by the proof.
func notCovered(p recorded, what string) results.Result {
	return results.Result{Suite: "verify", Name: p.name + ": " + what, Outcome: results.Skipped,
		Message: "not covered: " + what, Rule: "verify/not-covered",
		Title: "Nothing else is compiled with a generated package that could change what it does",
		Place: p.place()}
}

// exists reports whether there is a file or folder, as far as that can be seen.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// foldersOf returns the folders that a pattern stands for: a folder, or FOLDER/... for it and all below it, without
// testdata, vendor and folders that Go passes over. It fails if there is no such folder or one cannot be read; for a
// file there are none.
func foldersOf(pattern string) (folders []string, err error) {
	root, below := strings.CutSuffix(filepath.ToSlash(pattern), "...")
	if root = filepath.Clean(filepath.FromSlash(root)); !below {
		if _, err := os.Stat(root); err != nil {
			return nil, err
		}
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case path != root && (!below || isPassedOver(d.Name())):
			return fs.SkipDir
		}
		folders = append(folders, path)
		return nil
	})
	return folders, err
}

// A recorded is a generated package that has its record, or a file of one that has lost it.
type recorded struct {
	folder   string
	name     string // for messages: the folder, or the file with the record if the folder holds several packages
	file     string // that has the record, or would be recorded
	text     []byte // of the file; nil if there is no record
	language language.Language
}

// place returns the place of results about a package: the first line of the file with its record.
func (r recorded) place() results.Place {
	return results.Place{File: filepath.ToSlash(r.file), Line: 1}
}

// recordsIn returns the packages in a folder, in the order of the languages and of their files. A file that cannot be
// read, or is of none, is passed over.
func recordsIn(folder string) (list []recorded) {
	for _, l := range language.Languages {
		files, _ := gopackage.FilesIn(folder, l.Recorded("*")) // a pattern of ours, which is not malformed
		for _, file := range files {
			text, err := infile.ReadFile(file, maxOwnFile)
			if err == nil && gopackage.IsGenerated(text) && l.Records(text) {
				list = append(list, recorded{folder, folder, file, text, l})
			}
		}
	}
	if len(list) > 1 {
		for i := range list {
			list[i].name = list[i].file
		}
	}
	return list
}

// unrecordedIn returns the first file in a folder that bnfcheck generate has written and that belongs to none of the
// packages there, which recordsIn has found; "" if there is none. The file with the record may have been edited, or be
// gone. A file that cannot be read is passed over.
func unrecordedIn(folder string, found []recorded) string {
	var owned, candidates []string
	for _, p := range found {
		name := strings.TrimSuffix(filepath.Base(p.file), filepath.Ext(p.file))
		owned = append(owned, p.language.Files(name)...)
	}
	for _, l := range language.Languages {
		for _, pattern := range l.Files("*") {
			files, _ := gopackage.FilesIn(folder, pattern) // a pattern of ours, which is not malformed
			candidates = append(candidates, files...)
		}
	}
	for _, file := range candidates {
		text, err := infile.ReadFile(file, maxOwnFile)
		if err == nil && gopackage.IsGenerated(text) && !slices.Contains(owned, filepath.Base(file)) {
			return file
		}
	}
	return ""
}

// isPassedOver reports whether the go command passes over a folder of this name in a pattern with dots.
func isPassedOver(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor"
}

// verify makes a package once more, from the arguments that it records, and compares. findings are sentences about what
// differs, that there is no record, or that the package's test fails, and nil if the package is current; drawn then is
// a clause to be appended to "current" that says what else was proven or tried. Only for a package whose files are
// current does it write the proofs that flags ask for, run its test and draw strings, and these may still have
// findings. It sets v.omitted and v.scanners, as far as it comes to them, and gives each package a new budget.
func (v *verifying) verify(p recorded) (findings []string, drawn string, err error) {
	folder, l := p.folder, p.language
	if p.text == nil {
		return []string{"bnfcheck generate has written it, and no file beside it has the record of its package"}, "", nil
	}
	record, err := gopackage.ReadRecord(p.text)
	if err != nil {
		return nil, "", expr.Errorf(expr.Pos{File: p.file}, "%v", err)
	}
	if upgrade := l.Upgrade(record); upgrade != "" {
		return []string{upgrade}, "", nil
	}
	// The arguments are those of a command that runs in the folder.
	g := &generating{streams: v.streams}
	cmd := newGenerateOf(g)
	err = cmd.ParseFlags(record.Args)
	if n := cmd.Flags().NArg(); err == nil && (n < 1 || n > 2) {
		err = fmt.Errorf("it has %s instead of a grammar and perhaps a PEG", layout.Plural(n, "operand"))
	}
	if err != nil {
		return nil, "", expr.Errorf(expr.Pos{File: p.file},
			"the line //bnfcheck:generate is not as bnfcheck generate writes it (%v)", err)
	}
	g.pegFile = cmd.Flags().Arg(1)                           // "" for none
	g.base, g.folder, g.naming.silent = folder, folder, true // the package says what it takes
	v.made = nil
	if _, err = v.budget(); err != nil {
		return nil, "", err
	}
	g.naming.limiting = v.limiting
	for i, v := range g.naming.imports {
		if before, file, after := importParts(v); exists(g.path(file)) {
			g.naming.imports[i] = before + g.path(file) + after
		}
	}
	if g.naming.readings != "" {
		g.naming.readings = g.path(g.naming.readings)
	}
	src, err := g.readSource(g.operand(cmd.Flags().Arg(0)))
	if err != nil {
		return nil, "", err
	}
	tables, err := infile.ReadFile(filepath.Join(folder, gopackage.TablesName), maxOwnFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	src.Plain = !bytes.Contains(tables, []byte("Packed:")) // either form says the same
	src.Defect = v.defect
	files, err := l.Make(src)
	if err != nil {
		return nil, "", err
	}
	if v.scanners, err = gopackage.OpaqueScanners(src); err != nil {
		return nil, "", err
	}
	// What differs: an input, the hash of the proof, and then each file. A file that cannot be read as an input has
	// been read above, if it still matters.
	for _, in := range record.Inputs {
		if now, err := infile.ReadFile(filepath.Join(folder, filepath.FromSlash(in.Path)), maxOwnFile); err == nil &&
			in.Sum != gopackage.Sum(now) {
			findings = append(findings, fmt.Sprintf("%s has changed since the package was made", in.Path))
		}
	}
	again := l.Again(record)
	made := map[string][]byte{}
	for _, f := range files {
		made[f.Name] = f.Text
	}
	// The file with the record may have another name now than the one that it is made with.
	now, err := gopackage.ReadRecord(made[l.Recorded(src.Package)])
	if err != nil {
		return nil, "", err
	}
	if now.Certificate != record.Certificate {
		findings = append(findings, fmt.Sprintf("the certificate of the proof has the hash %s, and the package has %q",
			cmp.Or(now.Certificate, "of none"), record.Certificate))
	}
	for _, name := range l.Files(src.Package) {
		if l.IsKept(name) {
			continue
		}
		has, err := infile.ReadFile(filepath.Join(folder, name), maxOwnFile)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing:
			return nil, "", err
		case missing && made[name] != nil:
			findings = append(findings, name+" is missing: "+again)
		case missing || bytes.Equal(has, made[name]):
		case made[name] == nil:
			if gopackage.IsGenerated(has) && !src.Plain {
				findings = append(findings, name+" is left from an earlier package: "+again)
			}
		case name == gopackage.LockName:
			findings = append(findings, gopackage.ChangedChoices(has, made[name], again)...)
		default:
			findings = append(findings, name+" is not what its grammar makes: "+again)
		}
	}
	if len(findings) > 0 {
		return findings, "", nil
	}
	// The package is what generate makes of its grammar. The checks below are about that package, so they
	// take src and not the files.
	if v.certificate+v.rocq != "" {
		if findings, drawn, err = v.certify(folder, src); err != nil || len(findings) > 0 {
			return findings, "", err
		}
	}
	if l.Run != nil {
		said, err := l.Run(folder, src.Package)
		if err != nil {
			return []string{err.Error()}, "", nil
		}
		drawn += said
	}
	if v.words == 0 {
		return nil, drawn, nil
	}
	if !l.IsGo() {
		v.omitted = []string{"the package: --words is for packages in " + language.Languages[0].Title}
		return nil, drawn, nil
	}
	sampled, err := gopackage.Sample(src, folder, v.words, v.seed, v.trees)
	if err != nil {
		return nil, "", &inputError{err}
	}
	v.omitted = sampled.Omitted
	if len(sampled.Findings) > 0 {
		sampled.Findings = append(sampled.Findings,
			fmt.Sprintf("found on %s, --words %d --seed %d", layout.Plural(sampled.Words, "string"), v.words, v.seed))
	}
	if sampled.Words == 0 {
		return sampled.Findings, drawn, nil
	}
	return sampled.Findings, drawn + sampled.Judged + fmt.Sprintf("; on %s the package returns what the grammar "+
		"has (--seed %d)", layout.Plural(sampled.Words, "string"), v.seed), nil
}

// certify writes the files of --certificate and --rocq, at least one of which is given: the proof that the package's
// tables accept what its grammar derives. findings are sentences about productions whose tables are wrong; proven is a
// clause about the others, with the "; " that joins it to what stands before.
func (v *verifying) certify(folder string, src gopackage.Source) (findings []string, proven string, err error) {
	of, ids, err := gopackage.Certified(src)
	if err != nil {
		return nil, "", err
	}
	var sum *certificate.Summary
	if v.rocq != "" {
		if sum, err = writeRocq(v.rocq, "the package in "+filepath.Base(folder), of, ids); err != nil {
			return nil, "", err
		}
	}
	if v.certificate != "" {
		if err := streamWhole(v.certificate, func(w io.Writer) (err error) {
			sum, err = certificate.Write(w, of, ids...)
			return err
		}); err != nil {
			return nil, "", err
		}
	}
	for _, id := range sum.Wrong {
		findings = append(findings, fmt.Sprintf("the tables do not accept exactly what %s derives", id))
	}
	return findings, fmt.Sprintf("; the tables accept exactly what %s derive (certificate sha256 %s)",
		layout.Plural(len(sum.Tabled), "production"), sum.Hash), nil
}
