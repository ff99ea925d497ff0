package adapters

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is a program of a few lines that a parser's maintainer can run to see what the parser makes of a string.
type Program struct {
	Language string   // the ending of its file
	Text     string   // with %s in the place of the string
	Run      []string // "{}" stands for its file
}

// NetURL is the program for Go's net/url, which needs no adapter.
var NetURL = Program{"go", `package main
import ("fmt"; "net/url")
func main() { u, err := url.Parse(%s); if err == nil { fmt.Printf("host %%q, user %%q, path %%q, ", u.Host, u.User, u.EscapedPath()) }; fmt.Println("error", err) }
`, []string{"go", "run", "{}"}}

// For returns the text of the program for an input.
func (p Program) For(input string) string { return fmt.Sprintf(p.Text, literal(p.Language, input)) }

// Line returns the line of the program that has the input.
func (p Program) Line(input string) string {
	for line := range strings.Lines(p.Text) {
		if strings.Contains(line, "%s") {
			return strings.TrimSpace(fmt.Sprintf(line, literal(p.Language, input)))
		}
	}
	return ""
}

// literal writes a string as a constant of a language. All of them have double quotes, a backslash before what would end them,
// and octal or hexadecimal escapes; they differ in what else has a meaning between the quotes.
func literal(language, s string) string {
	special := map[string]string{"pl": "$@", "php": "$", "rb": "#", "tcl": "$[]{}"}[language]
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch x := s[i]; {
		case x == '"' || x == '\\' || strings.IndexByte(special, x) >= 0:
			b.WriteByte('\\')
			b.WriteByte(x)
		case x >= ' ' && x <= '~':
			b.WriteByte(x)
		case language == "js" || language == "java" || language == "tcl":
			fmt.Fprintf(&b, `\u%04x`, x)
		case language == "hs":
			fmt.Fprintf(&b, `\x%02x\&`, x)
		case language == "pl" || language == "escript":
			fmt.Fprintf(&b, `\x{%02x}`, x)
		default:
			fmt.Fprintf(&b, `\%03o`, x)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Try runs the program of an adapter for an input in a folder of its own, and returns what it prints on both outputs, and
// the status that it ends with.
func (a Adapter) Try(ctx context.Context, dir, input string) (string, error) {
	file := filepath.Join(dir, "A."+a.Program.Language)
	if err := os.WriteFile(file, []byte(a.Program.For(input)), 0o600); err != nil {
		return "", err
	}
	argv := in(file, a.Program.Run)
	if len(a.Version) > 0 && argv[0] == a.Version[0] {
		program, _, err := a.interpreter(ctx, dir)
		if err != nil {
			return "", err
		}
		argv[0] = program
	}
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	return string(out), err
}
