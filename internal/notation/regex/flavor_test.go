package regex

import (
	"reflect"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestRows: a row of the table answers every question. Every feature is one that it has or lacks, and no field is without a value.
func TestRows(t *testing.T) {
	names := namesOf(func(*row) bool { return true })
	slices.Sort(names)
	if len(slices.Compact(names)) != len(table) {
		t.Errorf("a name is there twice: %q", names)
	}
	dialects := 0
	for _, r := range table {
		if r.read == nil && r.write == nil {
			t.Errorf("%s is neither read nor written", r.name)
		}
		if r.page && r.write == nil {
			t.Errorf("the page cannot write %s", r.name)
		}
		if r.write != nil && (dialectOf(r.write.ReadAs) == nil || r.write.Point == nil || r.write.Source == nil || r.write.Reads == nil || len(r.write.Modes) == 0) {
			t.Errorf("what is said of writing %s is incomplete", r.name)
		}
		if r.read == nil {
			continue
		}
		dialects++
		complete(t, r.name, r.read)
	}
	if dialects < 7 {
		t.Errorf("%d flavors are read", dialects)
	}
	complete(t, "js with u", strictJavascript(javascript, false))
	complete(t, "js with v", strictJavascript(javascript, true))
}

// TestNoLazyQuantifiers: a flavor that lacks lazy quantifiers does not read one, whatever else it has.
func TestNoLazyQuantifiers(t *testing.T) {
	for _, stackable := range []bool{false, true} {
		d := golang
		d.has[lazyQuantifiers], d.has[stacked] = false, stackable
		r := &Regex{Flavor: "go", Text: "a*?", dialect: &d, Unicode: must.Of(runes.UnicodeOf(d.unicode))(t)}
		err := func() (err error) {
			defer expr.Catch(&err)
			r.parse(bare(r.Text))
			return nil
		}()
		if stackable {
			if err != nil || r.root.op != opRepeat || r.root.sub[0].op != opRepeat || r.root.lazy {
				t.Errorf("a*? is not a quantifier of a quantifier: %v", err)
			}
		} else if err == nil {
			t.Error("a*? is read by a flavor that has neither")
		}
	}
}

// complete fails where a dialect has no answer.
func complete(t *testing.T, name string, d *dialect) {
	t.Helper()
	for f := range featureCount {
		if d.has[f] == d.lacks[f] {
			t.Errorf("%s: feature %d of flavor.go is both or neither of had and lacked", name, f)
		}
	}
	v := reflect.ValueOf(*d)
	for i := range v.NumField() {
		if v.Field(i).IsZero() && v.Type().Field(i).Name != "fold" { // whose zero is FoldASCII
			t.Errorf("%s: nothing is said of %s", name, v.Type().Field(i).Name)
		}
	}
}

// TestIncompleteRow: complete finds each field and each feature that a row leaves out.
func TestIncompleteRow(t *testing.T) {
	fields := reflect.TypeFor[dialect]().NumField()
	for i := range fields {
		if reflect.TypeFor[dialect]().Field(i).Name == "fold" {
			continue
		}
		d := golang
		f := reflect.ValueOf(&d).Elem().Field(i)
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().SetZero()
		if inner := new(testing.T); !failed(inner, &d) {
			t.Errorf("a row without %s is complete", reflect.TypeFor[dialect]().Field(i).Name)
		}
	}
	for f := range featureCount {
		d := golang
		d.has[f], d.lacks[f] = false, false
		if inner := new(testing.T); !failed(inner, &d) {
			t.Errorf("a row that says nothing of feature %d is complete", f)
		}
	}
}

// failed reports whether complete fails for a dialect.
func failed(t *testing.T, d *dialect) bool {
	complete(t, "a row", d)
	return t.Failed()
}
