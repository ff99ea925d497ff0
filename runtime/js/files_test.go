package js

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// declaration matches a declaration at the top of a file.
var declaration = regexp.MustCompile(`(?m)^(?:export )?(?:const|let|class|function\*?) (\w+)`)

// encodings are two files that declare the same names. A module has one of them in place of encoding.js.
var encodings = []string{"encodinglatin1.js", "encodingutf8.js"}

// The files of the runtime are put into one module, so that each name is declared once.
func TestNamesAreDeclaredOnce(t *testing.T) {
	declared := map[string]string{}
	for _, file := range must.Of(fs.Glob(Files, "*.js"))(t) {
		text := must.Of(Files.ReadFile(file))(t)
		for _, m := range declaration.FindAllSubmatch(text, -1) {
			name := string(m[1])
			other := declared[name]
			areVariants := slices.Contains(encodings, file) && slices.Contains(encodings, other)
			if other != "" && !areVariants {
				t.Errorf("%s declares %s, and %s does", file, name, other)
			}
			declared[name] = file
		}
	}
	if len(declared) < 50 {
		t.Errorf("%d names are declared", len(declared))
	}
}

// The types in the comments are right: TypeScript finds nothing.
func TestTypes(t *testing.T) {
	longtest.Program(t, "tsc")
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, Files))
	must.Do(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600))
	files := must.Of(filepath.Glob(filepath.Join(dir, "*.js")))(t)
	args := append([]string{"--allowJs", "--checkJs", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"}, files...)
	if out, err := exec.Command("tsc", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
