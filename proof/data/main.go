// Data writes what the Rocq files in proof/ are about: for a published grammar its productions and the rules of its PEG, each
// below the lines that it was read from, and the certificate, as it stands.
//
//	data DIR GRAMMAR ...
//
// For rfc1738 the files are DIR/Rfc1738.v and DIR/Rfc1738Certificate.v.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: data DIR GRAMMAR ...")
		os.Exit(2)
	}
	for _, name := range os.Args[2:] {
		if err := write(os.Args[1], name); err != nil {
			fmt.Fprintln(os.Stderr, "data:", err)
			os.Exit(1)
		}
	}
}

func write(dir, name string) error {
	pair, err := catalog.Published(name)
	if err != nil {
		return err
	}
	var cert bytes.Buffer
	src := certificate.Source{BNF: pair.BNF, PEG: pair.PEG, Readings: pair.Ledger.Readings}
	if _, err := certificate.Write(&cert, src); err != nil {
		return err
	}
	module := strings.ToUpper(name[:1]) + name[1:]
	text, err := grammars(name, pair, cert.String())
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, module+".v"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, module+"Certificate.v"), []byte(quoted(cert.String())), 0o644)
}

// quoted returns a certificate as a list of texts. Rocq reads a long one slowly.
func quoted(cert string) string {
	const most = 4000
	var b strings.Builder
	b.WriteString("Require Import Grammar Reader.\nOpen Scope text_scope.\n\nDefinition certificate : list text := [\n")
	part := 0
	b.WriteString(`"`)
	for line := range strings.Lines(cert) {
		if part += len(line); part > most {
			b.WriteString("\";\n\"")
			part = len(line)
		}
		b.WriteString(strings.ReplaceAll(line, `"`, `""`))
	}
	b.WriteString("\"].\n")
	return b.String()
}

// grammars returns the productions, the rules, and which of them the certificate states to be equal.
func grammars(name string, pair catalog.Pair, cert string) (string, error) {
	rules, readings := map[string]string{}, map[string]string{}
	var pairs []string
	for line := range strings.Lines(cert) {
		switch words := strings.Fields(line); words[0] {
		case "equal":
			rules[words[1]] = words[2]
			pairs = append(pairs, fmt.Sprintf("(%s, %s)", quote(words[1]), quote(words[2])))
		case "assume":
			readings[words[1]] = strings.TrimSpace(strings.TrimPrefix(line, "assume "))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(** %s: grammar/%s.bnf and grammar/%s.peg, written by proof/data. Above each production and each rule stand\n", pair.BNF.Title, name, name)
	b.WriteString("    the lines that it was read from; where they have an odd number of quotation marks, Rocq wants one more. *)\n\n")
	b.WriteString("Require Import Grammar Notations.\n")
	for _, g := range []*expr.Grammar{pair.BNF, pair.PEG} {
		w := writer{ordered: g.Ordered, names: map[string]string{}}
		for _, r := range g.Rules {
			w.names[r.ID] = r.ID
			if to, ok := rules[r.ID]; ok && g.Ordered {
				w.names[r.ID] = to
			}
		}
		what, sign := "productions", "::="
		if g.Ordered {
			what, sign = "rules", "<-"
		}
		fmt.Fprintf(&b, "\nDefinition %s : grammar := [\n", what)
		for i, r := range g.Rules {
			source := strings.TrimRight(r.Printed, "\n")
			if assumed, ok := readings[r.ID]; ok && !g.Ordered {
				source += "\n   read as " + assumed
			}
			b.WriteString(comment(source))
			end := ";"
			if i == len(g.Rules)-1 {
				end = ""
			}
			fmt.Fprintf(&b, "%s %s %s%s\n", quote(w.names[r.ID]), sign, w.expr(r.Expr, choice), end)
			if w.err != nil {
				return "", fmt.Errorf("%s: %s: %w", g.File, r.ID, w.err)
			}
		}
		b.WriteString("].\n")
	}
	fmt.Fprintf(&b, "\n(** The productions and their rules. *)\nDefinition pairs : list (string * string) := [\n  %s\n]%%string.\n", strings.Join(pairs, ";\n  "))
	return b.String(), nil
}

// comment returns lines as a comment of Rocq's, in which strings must end and comments nest.
func comment(text string) string {
	text = strings.NewReplacer("(*", "( *", "*)", "* )").Replace(text)
	if strings.Count(text, `"`)%2 == 1 {
		text += ` "`
	}
	return "\n(* " + text + " *)\n"
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// What an expression stands in: an operand binds more tightly than an operator.
type context int

const (
	choice context = iota
	sequence
	operand
)

type writer struct {
	ordered bool
	names   map[string]string // by ID
	err     error
}

func (w *writer) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return ""
}

// expr returns an expression in the notations of Notations.v.
func (w *writer) expr(e *expr.Expr, in context) string {
	all := func(separator string, own context) string {
		var parts []string
		for _, sub := range e.Sub {
			parts = append(parts, w.expr(sub, own+1))
		}
		text := strings.Join(parts, separator)
		if in > own {
			return "( " + text + " )"
		}
		return text
	}
	switch e.Op {
	case expr.Empty:
		return `""`
	case expr.Literal:
		for _, b := range []byte(e.Lit) {
			if b < ' ' || b > '~' {
				return w.fail("a literal with the byte %02x has no notation here", b)
			}
		}
		return quote(e.Lit)
	case expr.Class:
		return w.class(e.Set, in)
	case expr.Ref:
		name, ok := w.names[e.Name]
		if !ok {
			return w.fail("%s is not defined", e.Name)
		}
		return "<" + quote(name) + ">"
	case expr.Seq:
		return all(" ", sequence)
	case expr.Alt:
		if w.ordered {
			return all(" / ", choice)
		}
		return all(" | ", choice)
	case expr.Repeat:
		return w.repeat(e)
	case expr.And:
		return "&" + w.expr(e.Sub[0], operand)
	case expr.Not:
		return "!" + w.expr(e.Sub[0], operand)
	case expr.Node:
		return w.expr(e.Sub[0], in)
	}
	return w.fail("%s has no notation here", e.Op)
}

func (w *writer) repeat(e *expr.Expr) string {
	var i int
	switch {
	case e.Min == 0 && e.Max == 1:
		i = 0
	case e.Min == 0 && e.Max == expr.Unbounded:
		i = 1
	case e.Min == 1 && e.Max == expr.Unbounded:
		i = 2
	default:
		return w.fail("the count %d to %d has no notation here", e.Min, e.Max)
	}
	switch {
	case w.ordered:
		return w.expr(e.Sub[0], operand) + []string{"?", "*", "+"}[i]
	case i == 0:
		return "[ " + w.expr(e.Sub[0], choice) + " ]"
	}
	return []string{1: "*", 2: "1*"}[i] + w.expr(e.Sub[0], operand)
}

// class returns a set: ranges of four and more, and what is left.
func (w *writer) class(s expr.Set, in context) string {
	if s == expr.AnyByte && w.ordered {
		return "any"
	}
	var parts []string
	single := ""
	for _, r := range s.Ranges() {
		if r[0] < ' ' || r[1] > '~' {
			return w.fail("a set with the bytes %02x to %02x has no notation here", r[0], r[1])
		}
		if r[1]-r[0] >= 3 {
			parts = append(parts, "{ "+quote(string(rune(r[0])))+"-"+quote(string(rune(r[1])))+" }")
			continue
		}
		for b := r[0]; b <= r[1]; b++ {
			single += string(rune(b))
		}
	}
	if single != "" || len(parts) == 0 {
		parts = append(parts, "{ "+quote(single)+" }")
	}
	or := " | "
	if w.ordered {
		or = " / "
	}
	if text := strings.Join(parts, or); len(parts) > 1 && in > choice {
		return "( " + text + " )"
	} else {
		return text
	}
}
