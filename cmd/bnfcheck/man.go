package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man [FOLDER]",
		Short: "Write the manual pages",
		Long: `man writes a manual page for each command into a folder: bnfcheck.1, bnfcheck-check.1
and so on. They say what --help says. Without a folder it prints the page of bnfcheck
itself. Their date is that of the commit that the program was built from, so that the
same program always writes the same pages.`,
		Example: `  bnfcheck man ~/.local/share/man/man1
  bnfcheck man | man -l -`,
		Args:              takesAtMost("one FOLDER"),
		ValidArgsFunction: atMost(1, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := s.out.Write(appendManPage(nil, cmd.Root()))
				return err
			}
			return writeManPages(args[0], cmd.Root())
		},
	}
}

func writeManPages(folder string, root *cobra.Command) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return &ioError{folder, err}
	}
	for _, cmd := range append([]*cobra.Command{root}, documented(root)...) {
		file := filepath.Join(folder, manName(cmd)+".1")
		if err := writeWhole(file, appendManPage(nil, cmd)); err != nil {
			return &ioError{file, err}
		}
	}
	return nil
}

// documented gives the commands that have a page: those that help lists, without help itself.
func documented(root *cobra.Command) (list []*cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			list = append(list, cmd)
		}
	}
	return list
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// What every page ends with, in the form of a command's Long text.
const (
	exitStatus = `0; 1 where something was rejected or does not hold, unless the description says otherwise;
2 for wrong usage, and where reading or writing failed. A reader that closes the pipe
early ends the program quietly, with the status that the work so far has earned.`

	environment = `NO_COLOR and TERM=dumb turn colours off, which are used on terminals alone; FORCE_COLOR
turns them on. COLUMNS says how wide a line may be, where that is not the width of the
terminal.`
)

// appendManPage writes the page of one command with the macros of man(7).
func appendManPage(b []byte, cmd *cobra.Command) []byte {
	line := func(parts ...string) { b = append(b, strings.Join(parts, "")+"\n"...) }
	line(`.TH "`, roff(strings.ToUpper(manName(cmd))), `" 1 "`, buildDate(), `" "bnfcheck `, roff(release()), `" "User Commands"`)
	line(`.nh`)
	line(`.ad l`)
	line(".SH NAME")
	line(roff(manName(cmd)), ` \- `, roff(cmd.Short))
	line(".SH SYNOPSIS")
	line(`\fB`, roff(cmd.CommandPath()), `\fR `, roff(synopsis(cmd)))
	line(".SH DESCRIPTION")
	b = appendManText(b, cmd.Long)
	if list := documented(cmd); len(list) > 0 {
		line(".SH COMMANDS")
		for _, sub := range list {
			line(".TP")
			line(`\fB`, roff(sub.Name()), `\fR`)
			line(roff(sub.Short))
		}
	}
	b = appendManFlags(b, cmd.Flags())
	if cmd.Example != "" {
		line(".SH EXAMPLES")
		b = appendManText(b, cmd.Example)
	}
	line(".SH EXIT STATUS")
	b = appendManText(b, exitStatus)
	line(".SH ENVIRONMENT")
	b = appendManText(b, environment)
	line(".SH SEE ALSO")
	return appendManText(b, seeAlso(cmd))
}

// synopsis is what a command line has behind the command's name.
func synopsis(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "COMMAND [flags] [arguments]"
	}
	return strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath()+" ")
}

// seeAlso names the commands of the same group, and from the program's own page all.
func seeAlso(cmd *cobra.Command) string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, manName(cmd.Parent())+"(1)")
	}
	for _, sub := range documented(cmd.Root()) {
		if sub != cmd && (!cmd.HasParent() || sub.GroupID == cmd.GroupID) {
			pages = append(pages, manName(sub)+"(1)")
		}
	}
	return strings.Join(pages, ", ") + "\n\nRFC 1630, RFC 1738"
}

func appendManFlags(b []byte, flags *pflag.FlagSet) []byte {
	heading := ".SH OPTIONS\n"
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		b = append(b, heading+".TP\n"...)
		heading = ""
		if f.Shorthand != "" {
			b = append(b, `\fB`+roff("-"+f.Shorthand)+`\fR, `...)
		}
		b = append(b, `\fB`+roff("--"+f.Name)+`\fR`...)
		if value != "" {
			b = append(b, ` \fI`+roff(value)+`\fR`...)
		}
		b = append(b, '\n')
		switch f.DefValue {
		case "", "0", "false", "[]":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		b = append(b, roff(usage)+"\n"...)
	})
	return b
}

// appendManText writes paragraphs. One that has an indented line is a table or an example, and stays as it is.
func appendManText(b []byte, text string) []byte {
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

// roff writes text so that every character stands for itself.
func roff(text string) string {
	text = roffEscapes.Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `'`, `\(aq`, `"`, `\(dq`, "`", `\(ga`, `~`, `\(ti`, `^`, `\(ha`)
