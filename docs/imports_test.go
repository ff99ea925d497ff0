package docs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

const modulePath = "github.com/bnfcheck/bnfcheck"

// A listedPackage is what go list knows of a package, and the row that architecture.md has for it.
type listedPackage struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

// TestLayers holds the table "Layers" of architecture.md against go list: every package stands in it once, and imports, of
// this module, only packages that stand before it.
func TestLayers(t *testing.T) {
	place := layers(t)
	for _, p := range goList(t) {
		name := shortPath(p.ImportPath)
		at, ok := place[name]
		if !ok {
			t.Errorf("%s stands in no layer of architecture.md", name)
			continue
		}
		for _, path := range p.Imports {
			if !isOurs(path) {
				continue
			}
			if to, ok := place[shortPath(path)]; ok && to >= at {
				t.Errorf("%s imports %s, which stands behind it in architecture.md", name, shortPath(path))
			}
		}
		delete(place, name)
	}
	for name := range place {
		t.Errorf("architecture.md has a place for %s, which is no package", name)
	}
}

// TestMachineKnowsNoURLs holds the column of URLs beside the machine: no package of the rows up to "peers" depends, directly
// or through others, on one of the rows "published" and "urls".
func TestMachineKnowsNoURLs(t *testing.T) {
	row := map[string]string{} // by package
	for _, cells := range tableBelow(t, "| layer | packages") {
		for _, name := range strings.Split(cells[1], ", ") {
			row[strings.Trim(name, "`")] = cells[0]
		}
	}
	machine := []string{"base", "data", "syntax", "automata", "notation", "analysis", "proof", "compile", "peers"}
	column := []string{"published", "urls"}
	depends := map[string][]string{}
	for _, p := range goList(t) {
		for _, path := range p.Imports {
			if isOurs(path) {
				depends[shortPath(p.ImportPath)] = append(depends[shortPath(p.ImportPath)], shortPath(path))
			}
		}
	}
	looked := 0
	for name, layer := range row {
		if !slices.Contains(machine, layer) {
			continue
		}
		looked++
		seen := map[string]bool{}
		todo := []string{name}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, to := range depends[at] {
				if slices.Contains(column, row[to]) {
					t.Errorf("%s depends on %s, by %s", name, to, at)
				}
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	if looked < 40 {
		t.Errorf("looked at %d packages of the machine: the rows have other names", looked)
	}
}

// layers reads the table "Layers": the place of each package in it, counted from 0.
func layers(t *testing.T) map[string]int {
	t.Helper()
	place := map[string]int{}
	for _, cells := range tableBelow(t, "| layer | packages") {
		for _, name := range strings.Split(cells[1], ", ") {
			name = strings.Trim(name, "`")
			if _, twice := place[name]; twice {
				t.Errorf("%s stands in architecture.md twice", name)
			}
			place[name] = len(place)
		}
	}
	return place
}

// TestWhatProgramsImport holds the library to its word: apart from each other, the packages that programs import need only
// five small packages, the texts, and the search for the nearest string.
func TestWhatProgramsImport(t *testing.T) {
	library := []string{".", "ast", "semantic", "semantic/extract", "semantic/fix", "semantic/gopherplus", "semantic/partial",
		"semantic/samehost", "gen/draft06", "gen/rfc1630", "gen/rfc1738", "gen/rfc3986"}
	allowed := slices.Concat(library, []string{"base/quote", "base/citation", "base/opcode", "base/percent",
		"urls/hostname", "grammar", "automata/repair"})
	for _, p := range goList(t) {
		if !slices.Contains(library, shortPath(p.ImportPath)) {
			continue
		}
		for _, path := range p.Imports {
			if isOurs(path) && !slices.Contains(allowed, shortPath(path)) {
				t.Errorf("%s imports %s", shortPath(p.ImportPath), shortPath(path))
			}
		}
	}
}

// TestImportsOfOthers holds the table of imports of other modules against go list: a package imports exactly what its row
// has, and one without a row imports none.
func TestImportsOfOthers(t *testing.T) {
	rows := map[string][]string{}
	for _, cells := range tableBelow(t, "| package | imports of others |") {
		rows[strings.Trim(cells[0], "`")] = strings.Split(cells[1], ", ")
	}
	for _, p := range goList(t) {
		name := shortPath(p.ImportPath)
		others := slices.DeleteFunc(p.Imports, func(path string) bool {
			first, _, _ := strings.Cut(path, "/")
			return isOurs(path) || !strings.Contains(first, ".")
		})
		if !equalSets(others, rows[name]) {
			t.Errorf("%s imports, of others' modules, %s; architecture.md has %s", name, strings.Join(others, ", "), strings.Join(rows[name], ", "))
		}
		delete(rows, name)
	}
	for name := range rows {
		t.Errorf("architecture.md has imports of %s, which is no package", name)
	}
}

// tableBelow returns the cells of the rows of the table in architecture.md whose head begins with these words.
func tableBelow(t *testing.T, head string) (rows [][]string) {
	t.Helper()
	_, table, ok := strings.Cut(read(t, "architecture.md"), "\n"+head)
	if !ok {
		t.Fatalf("architecture.md has no table %q", head)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for _, line := range strings.Split(table, "\n")[2:] { // behind the rest of the head and the line below it
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// isOurs reports whether an import path is of this module.
func isOurs(path string) bool { return path == modulePath || strings.HasPrefix(path, modulePath+"/") }

// shortPath returns an import path as the table has it: below the module's, "." for the module itself.
func shortPath(path string) string {
	if path == modulePath {
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, modulePath+"/"), "internal/")
}

func equalSets(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func goList(t *testing.T) (list []listedPackage) {
	t.Helper()
	cmd := exec.Command("go", "list", "-tags", "browser,schema,man", "-json=ImportPath,Imports,Standard", "../...")
	out := must.Of(cmd.Output())(t)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// TestWalks holds the walks of architecture.md against the code: each file has its function, and no walk more files than it may.
func TestWalks(t *testing.T) {
	_, text, _ := strings.Cut(read(t, "architecture.md"), "## Five walks\n")
	text, _, _ = strings.Cut(text, "\n## ")
	walks := strings.Split(text, "\n### ")[1:]
	row := regexp.MustCompile("(?m)^\\| \\[(\\S+)\\]\\(\\S+\\) \\| `(\\w+)` \\|")
	for _, walk := range walks {
		title, _, _ := strings.Cut(walk, "\n")
		_, limit, _ := strings.Cut(title, ": at most ")
		most := 0
		_, err := fmt.Sscanf(limit, "%d files", &most)
		rows := row.FindAllStringSubmatch(walk, -1)
		if err != nil || len(rows) == 0 || len(rows) > most || len(rows) != strings.Count(walk, "\n| [") {
			t.Errorf("%s: %d files (%v)", title, len(rows), err)
		}
		for _, r := range rows {
			if code := must.Of(os.ReadFile("../" + r[1]))(t); !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + r[2] + `[\[(]`).Match(code) {
				t.Errorf("%s: %s has no function %s", title, r[1], r[2])
			}
		}
	}
	if len(walks) != 5 {
		t.Errorf("%d walks", len(walks))
	}
}
