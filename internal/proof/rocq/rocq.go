// Package rocq writes a pair of grammars and their certificate as files for Rocq: the productions and the rules, each
// below the lines that it was read from, and the theorems, which the theory in package proof makes of a certificate
// that is right. Nothing here is trusted but what a reader of the files sees: Rocq checks all of it.
package rocq

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/proof/certificate"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/proof"
)

// A File is a file for Rocq or its tools.
type File struct {
	Name string
	Text []byte
}

// Project returns the files that Rocq compiles into the theorems of a pair: the theory; the grammars, and
// their certificate for the productions with these IDs, or for all if there are none; theorems; and a list of
// all files for coq_makefile. from says where the grammars are from. Project fails if the certificate cannot
// be written, or if a production that it is about has no notation here.
func Project(from string, src certificate.Source, ids ...string) ([]File, *certificate.Summary, error) {
	var cert bytes.Buffer
	src = src.WithEmptyPEG()
	summary, err := certificate.Write(&cert, src, ids...)
	if err != nil {
		return nil, nil, err
	}
	text, err := grammarTexts(from, src, cert.String())
	if err != nil {
		return nil, nil, err
	}
	var files []File
	list := "-R . Bnfcheck\n-arg -w -arg -notation-overridden\n"
	for _, name := range proof.Names {
		text, err := proof.Theory.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, File{name, text})
	}
	files = slices.Concat(files, []File{{"Pair.v", []byte(text)}}, certificateTexts(cert.String()),
		[]File{{"PairTheorems.v", []byte(theorems)}})
	for _, f := range files {
		list += f.Name + "\n"
	}
	return append(files, File{"_CoqProject", []byte(list)}), summary, nil
}

const theorems = `(** The theorems about the grammars in Pair.v, whose words are defined in Grammar.v and Total.v. *)

Require Import Grammar Reader Total.
Require Pair PairCertificate.

Lemma verified :
  verifies Pair.productions Pair.rules PairCertificate.certificate Pair.pairs Pair.different Pair.tabled [] = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** For each of these pairs and every word: the rule succeeds or fails, and the production derives the word exactly if the rule
    matches it from its first byte to its last. *)
Theorem equal : equal_pairs Pair.productions Pair.rules Pair.pairs.
Proof. exact (proj1 (verifies_right _ _ _ _ _ _ _ verified)). Qed.

(** For each of these pairs and its word: the production derives the word and the rule does not match it, or the other way. *)
Theorem differ : different_pairs Pair.productions Pair.rules Pair.different.
Proof. exact (proj1 (proj2 (verifies_right _ _ _ _ _ _ _ verified))). Qed.

(** For each of these productions and every word: the table in the certificate, run by the loop in Table.v, accepts the word exactly if
    the production derives it. Where there is no table, there are no productions. *)
Theorem table : table_equal Pair.productions (table_in PairCertificate.certificate) Pair.tabled.
Proof. exact (proj1 (proj2 (proj2 (verifies_right _ _ _ _ _ _ _ verified)))). Qed.

Print Assumptions equal.
Print Assumptions differ.
Print Assumptions table.
`

// most caps the bytes of a certificate in one file: Rocq keeps much for each byte while it reads one.
const most = 400000

// certificateTexts returns a certificate as files: each defines a list of texts, and the last file the list
// of all of them.
func certificateTexts(cert string) []File {
	const short = 4000 // Rocq reads short texts faster
	var files []File
	var b strings.Builder
	all, part, text := "", "", "Require Import Grammar Reader.\n"
	flush := func() {
		b.WriteString("\"" + strings.ReplaceAll(part, `"`, `""`) + "\"")
		part = ""
	}
	finish := func() {
		flush()
		name := fmt.Sprintf("PairCertificate%d", len(files)+1)
		all, text = all+name+".part ++ ", text+"Require "+name+".\n"
		files = append(files,
			File{
				name + ".v",
				[]byte("Require Import Grammar Reader.\nOpen Scope text_scope.\n\n" +
					"Definition part : list text := [\n" + b.String() + "].\n"),
			})
		b.Reset()
	}
	for line := range strings.Lines(cert) {
		if b.Len() > most {
			finish()
		} else if len(part)+len(line) > short {
			flush()
			b.WriteString(";\n")
		}
		part += line
	}
	finish()
	return append(files, File{
		"PairCertificate.v", []byte(text + "\nDefinition certificate : list text := " + all + "[].\n"),
	})
}

// grammarTexts returns the file with the productions, the rules, and the lists of those that the certificate
// states to be equal, to differ, or to be in the table. It fails if one of these uses a production that has
// no notation here; others without a notation are left out.
func grammarTexts(from string, src certificate.Source, cert string) (string, error) {
	readings := map[string]string{}
	var pairs, different, tabled []string
	stated := map[string]bool{}
	for line := range strings.Lines(cert) {
		switch words := strings.Fields(line); words[0] {
		case "equal":
			pairs = append(pairs, fmt.Sprintf("(%s, %s)", quote(words[1]), quote(words[2])))
			stated[words[1]] = true
		case "differ":
			word, _ := hex.DecodeString(strings.TrimPrefix(words[3], "-"))
			different = append(different, fmt.Sprintf("(%s, %s, %s)", quote(words[1]), quote(words[2]), byteList(word)))
			stated[words[1]] = true
		case "table":
			tabled = append(tabled, quote(words[1]))
			stated[words[1]] = true
		case "assume":
			readings[words[1]] = strings.TrimSpace(strings.TrimPrefix(line, "assume "))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(** %s. Above each production and each rule stand\n", withoutCommentSigns(from))
	b.WriteString("    the lines that it was read from; where they have an odd number of quotation marks, " +
		"Rocq wants one more. *)\n\n")
	b.WriteString("Require Import Grammar Notations.\n")
	for _, g := range []*expr.Grammar{src.BNF, src.PEG} {
		w := writer{ordered: g.Ordered, names: map[string]string{}}
		for _, r := range g.Rules {
			w.names[r.ID] = r.ID
			if g.Ordered {
				w.names[r.ID] = certificate.Ident(r)
			}
		}
		what, sign := "productions", "::="
		if g.Ordered {
			what, sign = "rules", "<-"
		}
		var all []string
		left := map[string]error{}
		for _, r := range g.Rules {
			source := strings.TrimRight(r.Printed, "\n")
			if assumed, ok := readings[r.ID]; ok && !g.Ordered {
				source += "\n   read as " + assumed
			}
			w.err = nil
			text := w.exprText(r.Expr, choice)
			if w.err != nil {
				left[r.ID] = fmt.Errorf("%s: %s: %w", g.File, r.ID, w.err)
				continue
			}
			all = append(all, fmt.Sprintf("%s%s %s %s", commentText(source), quote(w.names[r.ID]), sign, text))
		}
		for _, r := range src.BNF.Rules { // a theorem needs all the rules that it is about
			for _, used := range g.Reach(r.ID) {
				if stated[r.ID] && left[used] != nil {
					return "", left[used]
				}
			}
		}
		fmt.Fprintf(&b, "\nDefinition %s : grammar := [\n%s\n].\n", what, strings.Join(all, ";\n"))
	}
	fmt.Fprintf(&b, "\n(** The productions and their rules. *)\nDefinition pairs : list (string * string) "+
		":= [\n  %s\n]%%string.\n", strings.Join(pairs, ";\n  "))
	fmt.Fprintf(&b, "\n(** Those that differ, each with a word that only one of the two has. *)\nDefinition "+
		"different : list (string * string * word) := [%s]%%string.\n",
		strings.Join(different, "; "))
	fmt.Fprintf(&b, "\n(** The productions that the table has. *)\nDefinition tabled : list string := [%s]%%string.\n", strings.Join(tabled, "; "))
	return b.String(), nil
}

// byteList returns a word as a list of bytes.
func byteList(word []byte) string {
	var all []string
	for _, b := range word {
		all = append(all, fmt.Sprintf("x%02x", b))
	}
	return "[" + strings.Join(all, "; ") + "]"
}

// commentText returns lines as a comment of Rocq. In such a comment strings must end, and comments nest.
func commentText(text string) string {
	text = withoutCommentSigns(text)
	if strings.Count(text, `"`)%2 == 1 {
		text += ` "`
	}
	return "\n(* " + text + " *)\n"
}

// withoutCommentSigns returns the text in a form that neither begins nor ends a comment, as valid UTF-8
// without control characters other than line feeds and tabs.
func withoutCommentSigns(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "(*", "( *"), "*)", "* )")
	return strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}

// quote returns s as a string of Rocq: a quotation mark in it is doubled.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// The place that an expression is in. An operand binds more tightly than an operator.
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

// fail records an error in w.err, if it is the first, and returns the empty text.
func (w *writer) fail(format string, args ...any) string {
	w.err = cmp.Or(w.err, fmt.Errorf(format, args...))
	return ""
}

// exprText returns an expression in the notations of Notations.v, in parentheses if the place in requires
// them. If it has no notation, w.err is set and the text means nothing.
func (w *writer) exprText(e *expr.Expr, in context) string {
	all := func(separator string, own context) string {
		var parts []string
		for _, sub := range e.Sub {
			parts = append(parts, w.exprText(sub, own+1))
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
		return w.literalText(e.Lit, in)
	case expr.Class:
		return w.classText(e.Set, in)
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
		return "&" + w.exprText(e.Sub[0], operand)
	case expr.Not:
		return "!" + w.exprText(e.Sub[0], operand)
	case expr.Node:
		return w.exprText(e.Sub[0], in)
	}
	return w.fail("%s has no notation here", e.Op)
}

// literalText returns a text in quotation marks; bytes that do not print are values between the pieces.
func (w *writer) literalText(text string, in context) string {
	var parts []string
	for text != "" {
		n := strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			n = 1
			parts = append(parts, fmt.Sprintf("{ # %#02x }", text[0]))
		} else {
			parts = append(parts, quote(text[:n]))
		}
		text = text[n:]
	}
	if len(parts) > 1 && in > sequence {
		return "( " + strings.Join(parts, " ") + " )"
	}
	return strings.Join(parts, " ")
}

// repeat returns a repetition in the notations of Notations.v; its form depends on the bounds.
func (w *writer) repeat(e *expr.Expr) string {
	sign := -1
	switch {
	case e.Min == 0 && e.Max == 1:
		sign = 0
	case e.Min == 0 && e.Max == expr.Unbounded:
		sign = 1
	case e.Min == 1 && e.Max == expr.Unbounded:
		sign = 2
	}
	inner := e.Sub[0].InsideNodes()
	body := w.exprText(inner, operand)
	if inner.Op == expr.And || inner.Op == expr.Not || inner.Op == expr.Repeat && sign < 0 {
		body = "( " + body + " )"
	}
	switch {
	case sign < 0 && e.Max == expr.Unbounded:
		return fmt.Sprintf("{ %d * } %s", e.Min, body)
	case sign < 0:
		return fmt.Sprintf("{ %d * %d } %s", e.Min, e.Max, body)
	case w.ordered:
		return body + []string{"?", "*", "+"}[sign]
	case sign == 0:
		return "[ " + w.exprText(e.Sub[0], choice) + " ]"
	}
	return []string{1: "*", 2: "1*"}[sign] + body
}

// classText returns a set as a choice: bytes that print, with a range for each four or more neighbors, and
// the values of all others.
func (w *writer) classText(s expr.Set, in context) string {
	if s == expr.AnyByte && w.ordered {
		return "any"
	}
	var parts, values []string
	single := ""
	for _, r := range s.Ranges() {
		for low := int(r[0]); low <= int(r[1]); {
			high := int(r[1])
			// the last byte of each sort: control characters, and those that print
			for _, end := range []int{' ' - 1, '~'} {
				if low <= end {
					high = min(high, end)
					break
				}
			}
			switch {
			case low < ' ' || low > '~':
				values = append(values, fmt.Sprintf("{ # %#02x - %#02x }", low, high))
			case high-low >= 3:
				parts = append(parts, "{ "+quote(string(rune(low)))+"-"+quote(string(rune(high)))+" }")
			default:
				for b := low; b <= high; b++ {
					single += string(rune(b))
				}
			}
			low = high + 1
		}
	}
	if single != "" || len(parts)+len(values) == 0 {
		parts = append(parts, "{ "+quote(single)+" }")
	}
	parts = append(parts, values...)
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
