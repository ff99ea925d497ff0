package language_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/language"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// source returns a small grammar, with an input, for a package of this name.
func source(t *testing.T, name string) gopackage.Source {
	const text = "@ notation abnf\n\ngreeting = \"hello\" SP name\nname = 1*ALPHA\n"
	b := must.Of(bnf.ReadSource("greeting.abnf", []byte(text), "", nil))(t)
	src := gopackage.Source{
		Grammar: b.Default, Start: "greeting", Package: name,
		Inputs: []gopackage.Input{{Path: "greeting.abnf", Text: []byte(text)}},
	}
	src.Args = gopackage.Args(src, ".")
	return src
}

// mayBeNil are the fields of a row that need no value.
var mayBeNil = []string{"Kept", "Run"}

// TestRows: a row of the table answers every question, and its answers agree with each other and with the files that
// Make returns.
func TestRows(t *testing.T) {
	for i, l := range language.Languages {
		t.Run(l.Name, func(t *testing.T) {
			if lacking := lacks(l); len(lacking) > 0 {
				t.Fatalf("nothing is said of %s", strings.Join(lacking, ", "))
			}
			if found, err := language.Lookup(l.Name); err != nil || found.Title != l.Title {
				t.Errorf("the name is that of %s: %v", found.Title, err)
			}
			name := l.NameOf(filepath.Join("some", "greetings"))
			src := source(t, name)
			files := must.Of(l.Make(src))(t)
			all := l.Files(name)
			checkNames(t, l, all, name)
			for _, f := range files {
				if !slices.Contains(all, f.Name) {
					t.Errorf("Make returns %s, which would not be written: it is none of Files", f.Name)
				}
				if mine := l.IsKept(f.Name) || f.Name == gopackage.LockName; !mine && !gopackage.IsGenerated(f.Text) {
					t.Errorf("%s does not begin as a generated file does, and could not be replaced", f.Name)
				}
				if l.IsKept(f.Name) && gopackage.IsGenerated(f.Text) {
					t.Errorf("%s is the user's, and says that it is generated", f.Name)
				}
			}
			checkRecord(t, l, i == 0, textOf(files, l.Recorded(name)))
			checkSave(t, l, name, files)
			checkBegin(t, l, src)
			for _, other := range language.Languages {
				if other.Name != l.Name && other.Records(textOf(files, l.Recorded(name))) {
					t.Errorf("the record is taken for one of %s", other.Title)
				}
			}
		})
	}
}

// lacks lists the fields of a row that have no value and need one.
func lacks(l language.Language) (fields []string) {
	v := reflect.ValueOf(l)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(mayBeNil, name) {
			fields = append(fields, name)
		}
	}
	return fields
}

// TestIncompleteRow: lacks finds each field that a row leaves out.
func TestIncompleteRow(t *testing.T) {
	for i := range reflect.TypeFor[language.Language]().NumField() {
		l := language.Languages[0]
		reflect.ValueOf(&l).Elem().Field(i).SetZero()
		name := reflect.TypeFor[language.Language]().Field(i).Name
		if found := slices.Contains(lacks(l), name); found == slices.Contains(mayBeNil, name) {
			t.Errorf("a row without %s lacks it: %t", name, found)
		}
	}
}

// checkNames checks the names of the files of a package.
func checkNames(t *testing.T, l language.Language, all []string, name string) {
	for _, want := range append(slices.Clone(l.Kept), l.Recorded(name), gopackage.LockName) {
		if !slices.Contains(all, want) {
			t.Errorf("%s is none of Files", want)
		}
	}
	for i, file := range all {
		if filepath.Base(file) != file || slices.Contains(all[:i], file) {
			t.Errorf("%s is not in the folder itself, or is there twice", file)
		}
	}
	if matches, err := filepath.Match(l.Recorded("*"), l.Recorded(name)); err != nil || !matches {
		t.Errorf("%s does not match %s, as verify looks for it", l.Recorded(name), l.Recorded("*"))
	}
}

// checkRecord checks the record in a text, which Make has returned.
func checkRecord(t *testing.T, l language.Language, first bool, text []byte) {
	r := must.Of(gopackage.ReadRecord(text))(t)
	if said := r.Language; (said == "") != first || !first && said != l.Name || !l.Records(text) {
		t.Errorf("the record says that the language is %q", said)
	}
	if len(r.Args) == 0 || len(r.Inputs) != 1 || l.Again(r) == "" {
		t.Errorf("the record does not say how the package is made again: %+v", r)
	}
	if said := l.Upgrade(r); said != "" {
		t.Errorf("a package that was just made is said to be %s", said)
	}
	for _, change := range []int{-1, 1} {
		r := r
		if r.Format += change; l.Upgrade(r) == "" {
			t.Errorf("nothing is said of format %d", r.Format)
		}
	}
}

// checkSave saves files twice and checks that what is kept stays as it is in between, even if it begins as a generated
// file does.
func checkSave(t *testing.T, l language.Language, name string, files []gopackage.File) {
	folder := filepath.Join(t.TempDir(), name)
	ctx := context.Background()
	if n := must.Of(l.Save(ctx, folder, name, files))(t); n != len(files) {
		t.Errorf("%d of %d files were written", n, len(files))
	}
	const mine = "// Code generated by bnfcheck generate as I like it.\n"
	for _, kept := range l.Kept {
		must.Do(t, os.WriteFile(filepath.Join(folder, kept), []byte(mine), 0o666))
	}
	if n := must.Of(l.Save(ctx, folder, name, files))(t); n != 0 {
		t.Errorf("%d files were written again", n)
	}
	for _, kept := range l.Kept {
		if text := must.Of(os.ReadFile(filepath.Join(folder, kept)))(t); string(text) != mine {
			t.Errorf("%s was replaced", kept)
		}
	}
}

// checkBegin checks that a package begins with files, which are the user's, and with the next steps.
func checkBegin(t *testing.T, l language.Language, src gopackage.Source) {
	folder := filepath.Join(t.TempDir(), src.Package)
	files, steps, err := l.Begin(folder, gopackage.Beginning{Grammar: src.Grammar, Start: src.Start})
	must.Do(t, err)
	if len(files) == 0 || len(steps) == 0 {
		t.Errorf("a package begins with %d files and %d steps", len(files), len(steps))
	}
	for _, f := range files {
		if gopackage.IsGenerated(f.Text) || slices.Contains(l.Files(src.Package), f.Name) && !l.IsKept(f.Name) {
			t.Errorf("%s would be replaced by generate", f.Name)
		}
	}
}

// textOf returns the text of a file.
func textOf(files []gopackage.File, name string) []byte {
	for _, f := range files {
		if f.Name == name {
			return f.Text
		}
	}
	return nil
}
