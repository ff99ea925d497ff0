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

// TestImports holds the table "Who may import whom" of architecture.md against go list: every package has a row, imports no
// other package of this module than the row allows, and all that the row allows; and imports others' modules only as the
// row has them.
func TestImports(t *testing.T) {
	rows := importTable(t)
	for _, p := range goList(t) {
		name := shortPath(p.ImportPath)
		row, ok := rows[name]
		if !ok {
			t.Errorf("architecture.md has no row for %s", name)
			continue
		}
		delete(rows, name)
		var ours, others []string
		for _, path := range p.Imports {
			switch first, _, _ := strings.Cut(path, "/"); {
			case path == modulePath || strings.HasPrefix(path, modulePath+"/"):
				ours = append(ours, shortPath(path))
			case strings.Contains(first, "."):
				others = append(others, path)
			}
		}
		if got, want := ours, row.ours; !equalSets(got, want) {
			t.Errorf("%s imports %s; architecture.md allows %s", name, strings.Join(got, ", "), strings.Join(want, ", "))
		}
		if got, want := others, row.others; !equalSets(got, want) {
			t.Errorf("%s imports, of others' modules, %s; architecture.md allows %s", name, strings.Join(got, ", "), strings.Join(want, ", "))
		}
	}
	for name := range rows {
		t.Errorf("architecture.md has a row for %s, which is no package", name)
	}
}

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

type importRow struct{ ours, others []string }

// importTable reads the table: package, what it may import of this module, what of others.
func importTable(t *testing.T) map[string]importRow {
	t.Helper()
	_, table, ok := strings.Cut(read(t, "architecture.md"), "## Who may import whom\n")
	if !ok {
		t.Fatal("architecture.md has no table")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	rows := map[string]importRow{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		words := func(cell string) []string {
			return strings.Fields(strings.NewReplacer("`", "", ",", " ", "-", "-").Replace(cell))
		}
		name := words(cells[0])[0]
		if _, twice := rows[name]; twice {
			t.Errorf("architecture.md has two rows for %s", name)
		}
		rows[name] = importRow{words(cells[1]), words(cells[2])}
	}
	return rows
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
