package command

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
)

// roomForHelp caps the columns of help: on a wider terminal its lines are not longer.
const roomForHelp = 90

// finishHelp gives the commands of root the help that this file writes, laid out for the terminal when it is shown,
// and has help and completion refuse unknown names, as all commands do. It adds these two, so all other commands must
// have been added before.
func finishHelp(root *cobra.Command, s *streams) {
	root.SetOut(s.out) // before InitDefaultCompletionCmd, which keeps the writer for its scripts
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Run, c.RunE = nil, help
		case "completion":
			c.Args, c.RunE = nil, noSuchShell
		}
	}
	show := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		s.out.fit = &layout.Fitter{W: s.out.w, Width: s.fits}
		cmd.Long = wrapParagraphs(cmd.Long, min(s.fits, roomForHelp))
		if !cmd.HasParent() || cmd.HasSubCommands() {
			show(cmd, args)
			return
		}
		if !cmd.Runnable() { // a topic, which is laid out
			fmt.Fprintln(s.out, cmd.Long)
			return
		}
		writeHelp(s.out, cmd, min(s.fits, roomForHelp))
	})
	if s.fits < roomForHelp {
		root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "lags.FlagUsages",
			fmt.Sprintf("lags.FlagUsagesWrapped %d", s.fits)))
	}
}

// writeHelp writes the help of a command: how it is called, examples, and then the reference, with its flags. Flags
// that mean the same everywhere are left to the help of grammars, to which it refers, and hidden ones are left out.
// What is said of flags is wrapped to width; the rest is written as it is.
func writeHelp(w io.Writer, cmd *cobra.Command, width int) {
	fmt.Fprintf(w, "%s.\n\nUsage:\n  %s\n", cmd.Short, cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.Long != "" {
		fmt.Fprintf(w, "\n%s\n", cmd.Long)
	}
	fmt.Fprint(w, "\nFlags:\n")
	common := false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, everyCommand := f.Annotations[everywhere]; everyCommand && cmd.Name() != "grammars" {
			common = true
			return
		}
		if f.Hidden {
			return
		}
		name, usage := flagHelp(f)
		const indent = "\n          "
		fmt.Fprintf(w, "%s%s%s\n", name, indent, strings.ReplaceAll(wrap(usage, width-len(indent)+1), "\n", indent))
	})
	if common {
		fmt.Fprint(w, "\n"+wrap("bnfcheck help grammars explains how a GRAMMAR is named, and the flags by which "+
			"it is read.", width)+"\n")
	}
}

// flagHelp returns how a flag is written, and what it is for, with its default.
func flagHelp(f *pflag.Flag) (name, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "0", "false", "[]":
	default:
		usage += " (default " + f.DefValue + ")"
	}
	name = "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	return strings.TrimRight(name+" "+value, " "), usage
}

// help writes the help of the command that args name, of the program if there are none. An unknown command is an error.
func help(c *cobra.Command, args []string) error {
	cmd, rest, err := c.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("unknown command %q for %q", rest[0], cmd.CommandPath())
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

// noSuchShell runs where no known shell is named: it writes the help without an argument, and otherwise fails with the
// list of shells. The scripts themselves are cobra's subcommands.
func noSuchShell(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	var shells []string
	for _, sub := range c.Commands() {
		shells = append(shells, sub.Name())
	}
	return fmt.Errorf("no completion for %s: choose from %s", ast.Quote(args[0]), strings.Join(shells, ", "))
}

// wrapParagraphs wraps the paragraphs of a command's description to a width. A paragraph that has an indented line is a
// table, and keeps its lines.
func wrapParagraphs(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = wrap(p, width)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// wrap returns a paragraph in lines of at most width columns. A longer word has a line of its own.
func wrap(text string, width int) string {
	return strings.Join(layout.Fold(strings.Join(strings.Fields(text), " "), width, width, false), "\n")
}

// takes returns a check that there are exactly these arguments; the names are those of the command's usage line.
func takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return fmt.Errorf("%s takes %s, and got %d arguments", cmd.Name(), strings.Join(names, " and "), len(args))
	}
}

// takesAtMost returns a check that there are no more arguments than these; all may be missing.
func takesAtMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) <= len(names):
			return nil
		case len(names) == 0:
			return fmt.Errorf("%s takes no arguments, and got %d", cmd.Name(), len(args))
		}
		return fmt.Errorf("%s takes no more than %s, and got %d", cmd.Name(), strings.Join(names, " and "), len(args))
	}
}

// atLeast returns an error if the value of a flag is less than the least that it can be, 0 or 1.
func atLeast[N int | time.Duration](flag string, n, least N) error {
	switch {
	case n >= least:
		return nil
	case least > 0:
		return fmt.Errorf("invalid argument \"%v\" for \"--%s\" flag: it must be positive", n, flag)
	}
	return fmt.Errorf("invalid argument \"%v\" for \"--%s\" flag: it must not be negative", n, flag)
}

// longestText caps --longest, in bytes: the parsers of this program refuse longer texts.
const longestText = 1 << 20

// atMost returns an error if the value of a flag is above its limit.
func atMost(flag string, n, most int) error {
	if n <= most {
		return nil
	}
	return fmt.Errorf("invalid argument \"%d\" for \"--%s\" flag: it must be at most %d", n, flag, most)
}
