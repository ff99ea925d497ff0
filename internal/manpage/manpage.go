// Package manpage writes the manual pages of a program's commands, with the macros of man(7), from the texts that their
// --help prints.
package manpage

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Documented returns the commands below root that have a page: those that help lists, without help itself.
func Documented(root *cobra.Command) (list []*cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			list = append(list, cmd)
		}
	}
	return list
}

// Name returns the name of a command's page: "bnfcheck-check".
func Name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// A Manual has the texts that all pages of a program share. Paragraphs are separated by empty lines.
type Manual struct {
	Version     string
	Date        string // "2026-11-21", or "" if it is not known
	ExitStatus  string
	Environment string
	SeeAlso     string // after the other pages
}

// Append appends the page of one command.
func (m *Manual) Append(b []byte, cmd *cobra.Command) []byte {
	line := func(parts ...string) { b = append(b, strings.Join(parts, "")+"\n"...) }
	line(`.TH "`, roff(strings.ToUpper(Name(cmd))), `" 1 "`, m.Date, `" "`, cmd.Root().Name(), " ", roff(m.Version), `" "User Commands"`)
	line(`.nh`)
	line(`.ad l`)
	line(".SH NAME")
	line(roff(Name(cmd)), ` \- `, roff(cmd.Short))
	line(".SH SYNOPSIS")
	line(`\fB`, roff(cmd.CommandPath()), `\fR `, roff(synopsis(cmd)))
	if cmd.Example != "" {
		line(".SH EXAMPLES")
		b = appendText(b, cmd.Example)
	}
	line(".SH DESCRIPTION")
	b = appendText(b, cmd.Long)
	if list := Documented(cmd); len(list) > 0 {
		line(".SH COMMANDS")
		for _, sub := range list {
			line(".TP")
			line(`\fB`, roff(sub.Name()), `\fR`)
			line(roff(sub.Short))
		}
	}
	b = appendFlags(b, cmd.Flags())
	line(".SH EXIT STATUS")
	b = appendText(b, m.ExitStatus)
	line(".SH ENVIRONMENT")
	b = appendText(b, m.Environment)
	line(".SH SEE ALSO")
	return appendText(b, seeAlso(cmd)+"\n\n"+m.SeeAlso)
}

// synopsis returns what follows the name of the command on a command line.
func synopsis(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "COMMAND [flags] [arguments]"
	}
	return strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath()+" ")
}

// seeAlso names the commands of the same group, and all commands on the program's own page.
func seeAlso(cmd *cobra.Command) string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, Name(cmd.Parent())+"(1)")
	}
	for _, sub := range Documented(cmd.Root()) {
		if sub != cmd && (!cmd.HasParent() || sub.GroupID == cmd.GroupID) {
			pages = append(pages, Name(sub)+"(1)")
		}
	}
	return strings.Join(pages, ", ")
}

func appendFlags(b []byte, flags *pflag.FlagSet) []byte {
	heading := ".SH OPTIONS\n"
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := describe(f)
		b = append(b, heading+".TP\n"...)
		heading = ""
		if f.Shorthand != "" {
			b = append(b, `\fB`+roff("-"+f.Shorthand)+`\fR, `...)
		}
		b = append(b, `\fB`+roff("--"+f.Name)+`\fR`...)
		if value != "" {
			b = append(b, ` \fI`+roff(value)+`\fR`...)
		}
		b = append(b, "\n"+roff(usage)+"\n"...)
	})
	return b
}

// Flag returns how a flag is written, as --help prints it, and what it is for.
func Flag(f *pflag.Flag) (name, usage string) {
	value, usage := describe(f)
	name = "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	return strings.TrimRight(name+" "+value, " "), usage
}

// describe returns the name of a flag's value, and what the flag is for, with its default.
func describe(f *pflag.Flag) (value, usage string) {
	value, usage = pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "0", "false", "[]":
	default:
		usage += " (default " + f.DefValue + ")"
	}
	return value, usage
}

// appendText appends paragraphs. One that has an indented line is a table or an example, and keeps its lines.
func appendText(b []byte, text string) []byte {
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b = append(b, ".PP\n"...)
		}
		verbatim := strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ")
		if verbatim {
			b = append(b, ".nf\n"...)
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			b = append(b, roff(line)+"\n"...)
		}
		if verbatim {
			b = append(b, ".fi\n"...)
		}
	}
	return b
}

// roff escapes text so that every character stands for itself.
func roff(text string) string {
	text = roffEscapes.Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, `"`, `\(dq`, "`", `\(ga`, `~`, `\(ti`, `^`, `\(ha`)
