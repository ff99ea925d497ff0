package catalog

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A document includes files of its own folder, and nothing from outside of it: not by "..", an absolute path or a link.
func TestIncludeStaysInFolder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	outside := write("secret.abnf", "s = \"secret\"\n")
	write("docs/in.abnf", "b = %x42\n")
	write("docs/sub/in.abnf", "b = %x42\n")
	must.Do(t, os.Symlink(outside, filepath.Join(folder, "docs", "link.abnf")))
	must.Do(t, os.Symlink("in.abnf", filepath.Join(folder, "docs", "near.abnf")))
	must.Do(t, os.Mkdir(filepath.Join(folder, "docs", "folder.abnf"), 0o777))
	write("docs/.git/config", "token = \"secret\"\n")
	must.Do(t, os.Symlink(".git/config", filepath.Join(folder, "docs", "config.abnf")))
	for _, c := range []struct{ name, want string }{
		{".git/config", "belongs to git"}, {"sub/../.GIT/config", "belongs to git"}, {"config.abnf", "belongs to git"},
		{"in.abnf", ""}, {"sub/in.abnf", ""}, {"sub/../in.abnf", ""}, {"near.abnf", ""},
		{"../secret.abnf", "outside of the document's folder"}, {outside, "outside of the document's folder"},
		{"link.abnf", "escapes"}, {"none.abnf", "no such file"}, {"folder.abnf", "no regular file"},
	} {
		file := write("docs/d.md", "~~~ abnf\na = %x41\n{::include "+c.name+"}\n~~~\n")
		n := must.Of(Open(file, Usual))(t)
		left := n.LeftOut()
		switch {
		case c.want == "" && (len(left) != 0 || n.Grammar.Rule("b") == nil):
			t.Errorf("%s is not included: %v", c.name, left)
		case c.want != "" && (len(left) != 1 || !strings.Contains(left[0].Message, c.want) || len(n.Grammar.Rules) != 1):
			t.Errorf("%s: %v", c.name, left)
		}
	}
}

// Nor does a revision have a file from outside: git would read it in the repository that a link leads to.
func TestIncludeAtRevisionStaysInFolder(t *testing.T) {
	dir := t.TempDir()
	document := filepath.Join(dir, "own", "d.md")
	for name, text := range map[string]string{
		"own/d.md":        "~~~ abnf\na = %x41\n{::include link/in.abnf}\n{::include sub/in.abnf}\n~~~\n",
		"own/sub/in.abnf": "b = %x42\n",
		"other/in.abnf":   "s = \"secret\"\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
	must.Do(t, os.Symlink("../other", filepath.Join(dir, "own", "link")))
	for _, repository := range []string{"own", "other"} {
		for _, args := range [][]string{
			{"init", "-q", "."}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"},
		} {
			c := exec.Command("git", args...)
			c.Dir = filepath.Join(dir, repository)
			if said, err := c.CombinedOutput(); err != nil {
				t.Skipf("git %v: %v: %s", args, err, said)
			}
		}
	}
	o := Usual
	o.Revision = "HEAD"
	n := must.Of(Open(document, o))(t)
	if n.Grammar.Rule("s") != nil || n.Grammar.Rule("b") == nil {
		t.Errorf("read: %v", n.Grammar.Rules)
	}
	if left := n.LeftOut(); len(left) != 1 || !strings.Contains(left[0].Message, "escapes") {
		t.Errorf("left out: %v", left)
	}
	t.Setenv(infile.WithinVariable, filepath.Join(dir, "other"))
	if _, err := Open(document, o); err == nil || !strings.Contains(err.Error(), infile.WithinVariable) {
		t.Errorf("a document that must not be read: %v", err)
	}
}

// Files that include themselves or each other, many times, are read once or up to a size, and what is not is noticed.
func TestIncludesEnd(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	const block = "~~~ abnf\na = %x41\n~~~\n"
	many := strings.Repeat("{::include b.md}\n", 500)
	for _, c := range []struct{ main, b, want string }{
		{strings.Repeat("{::include d.md}\n", 500), "", "it would include itself"},
		{many, many, "it would include itself"},
		{many, strings.Repeat("{::include c.md}\n", 500), "nor is any other file"},
		{many, strings.Repeat("{::include d.md}\n", 500), "nor is any other file"},
	} {
		write("b.md", c.b)
		write("c.md", many)
		n := must.Of(Open(write("d.md", block+c.main), Usual))(t)
		left := n.LeftOut()
		found := false
		for _, l := range left {
			found = found || strings.Contains(l.Message, c.want)
		}
		if !found || len(left) > 2000 || n.Grammar.Rule("a") == nil {
			t.Errorf("%.20q, %.20q: %d notices, none of which says that %q", c.main, c.b, len(left), c.want)
		}
	}
}
