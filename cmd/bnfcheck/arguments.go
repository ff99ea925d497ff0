package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// takes wants exactly these arguments; the names are those of the command's usage line.
func takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return fmt.Errorf("%s takes %s, and got %d arguments", cmd.Name(), strings.Join(names, " and "), len(args))
	}
}

// takesAtMost wants no more than these arguments, and perhaps none.
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
