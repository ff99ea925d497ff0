package command

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What holds no text is called by its name, by every command that reads a file, and nothing of it is judged.
func TestFilesWithoutText(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	var text, packed bytes.Buffer
	for rng := rand.New(rand.NewPCG(1, 2)); text.Len() < 100_000; {
		text.WriteString("http://a/" + strings.Repeat("b", rng.IntN(60)) + "\n")
	}
	w := gzip.NewWriter(&packed)
	must.Of(w.Write(text.Bytes()))(t)
	must.Do(t, w.Close())
	damaged := bytes.Clone(packed.Bytes())
	damaged[len(damaged)-5] ^= 1
	for name, text := range map[string]string{
		"xz": "\xfd7zXZ\x00\x00\x04\xe6\xd6", "bz2": "BZh91AY&SY\x01\x02", "zip": "PK\x03\x04\x14\x00\x00", "u16": "\xff\xfeh\x00t\x00t\x00p\x00",
		"u16le": "h\x00t\x00t\x00p\x00:\x00", "cut.gz": packed.String()[:packed.Len()/2], "damaged.gz": string(damaged), "no.gz": "http://a/\n",
	} {
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o666))
		must.Do(t, os.WriteFile(in(name+".abnf"), []byte(text), 0o666))
	}
	files := map[string]string{
		"xz": "compressed by xz", "bz2": "compressed by bzip2", "zip": "a zip archive", "u16": "UTF-16", "u16le": "UTF-16",
		"cut.gz": "damaged at byte ", "damaged.gz": "damaged at byte ", "no.gz": "damaged at byte ",
	}
	if runtime.GOOS != "windows" {
		must.Do(t, os.Symlink(in("loop"), in("loop")))
		must.Do(t, os.Symlink(in("loop.abnf"), in("loop.abnf")))
		files["loop"] = "a loop of symbolic links"
	}
	for name, want := range files {
		for _, command := range []string{
			"check -f F", "check -q -f F", "fix -f F", "extract F", "conform -f F --builtin net/url", "conform --suite F --builtin net/url", "report --conform F",
			"lint G", "check G a", "check -g G a", "parse G a", "diff G G", "grammars G", "peg G", "regexp G", "vectors G", "generate G -o D", "init G -o D", "report G", "prove G G",
			"check -f -",
		} {
			if strings.Contains(name, ".gz") && !strings.Contains(command, "-f F") { // is decompressed only as a list
				continue
			}
			var args []string
			var stdin io.Reader = strings.NewReader("")
			for _, a := range strings.Fields(command) {
				switch a {
				case "F":
					a = in(name)
				case "G":
					a = in(name + ".abnf")
				case "D":
					a = in("made")
				}
				args = append(args, a)
			}
			if command == "check -f -" {
				if name == "loop" {
					continue
				}
				stdin = bytes.NewReader(must.Of(os.ReadFile(in(name)))(t))
			}
			var out, msg bytes.Buffer
			if status := run(args, stdin, &out, &msg); status != statusFailed || !strings.Contains(msg.String(), want) {
				t.Errorf("%s of %s: status %d, %.300s", command, name, status, msg.String())
			}
			if judged := strings.Contains(out.String(), `\x00`) || strings.Contains(out.String(), `\xFD`); judged {
				t.Errorf("%s of %s: it is judged as strings: %.300s", command, name, &out)
			}
		}
	}
}
