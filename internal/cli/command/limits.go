package command

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/spf13/cobra"
)

// limiting is the flags that bound what a command computes with grammars, and the budget that comes of them.
type limiting struct {
	limits    budget.Limits
	megabytes int64
	timeout   time.Duration
	cmd       *cobra.Command
	shown     *streams       // gets the budget, to show what it is spent on
	made      *budget.Budget // by the first call of budget; nil before
}

// add adds the flags; conform and learn, which wait for programs, have a --timeout of their own. Help lists all flags
// of cmd in the order in which they were added. l keeps cmd and s.
func (l *limiting) add(s *streams, cmd *cobra.Command) {
	l.cmd, l.shown = cmd, s
	flags := cmd.Flags()
	flags.SortFlags = false // help has them in their order here
	flags.IntVar(&l.limits.States, "limit-states", 0,
		"give up what takes an automaton of more than `N` states (default: by what it is for)")
	flags.Int64Var(&l.megabytes, "limit-memory", budget.DefaultBytes>>20, "give up what takes more than `MB` megabytes")
	flags.Int64Var(&l.limits.Steps, "limit-steps", budget.DefaultSteps, "give up what takes more than `N` steps")
	names := []string{"limit-states", "limit-memory", "limit-steps"}
	if cmd.Name() != "conform" && cmd.Name() != "learn" {
		flags.DurationVar(&l.timeout, "timeout", 0, "give up after this `DURATION`")
		flags.Lookup("timeout").DefValue = "0" // none: nothing is shown
		names = append(names, "timeout")
	}
	for _, name := range names {
		_ = flags.SetAnnotation(name, everywhere, nil)
	}
}

// askedBudget returns the budget for computing with built-in texts: that of the command if one of its flags is set,
// and otherwise nil, no limit, since what they cost is known. In either case it has the effects and the errors of
// budget.
func (l *limiting) askedBudget() (*budget.Budget, error) {
	b, err := l.budget()
	for _, name := range []string{"limit-states", "limit-memory", "limit-steps", "timeout"} {
		if f := l.cmd.Flag(name); f != nil && f.Changed && (name != "timeout" || l.timeout > 0) {
			return b, err
		}
	}
	return nil, err
}

// budget returns the budget of the command, made of its flags by the first call; later ones return the same. That
// call also starts the clock of --timeout, sets the command's context and shows the budget to the watch. It fails
// for a limit below 0, and for one of 0 on the memory or the steps.
func (l *limiting) budget() (*budget.Budget, error) {
	if l.made != nil {
		return l.made, nil
	}
	for _, f := range []struct {
		name     string
		tooSmall bool
		mustBe   string
	}{
		{"limit-states", l.limits.States < 0, "0 or more"},
		{"limit-memory", l.megabytes < 1, "above 0"},
		{"limit-steps", l.limits.Steps < 1, "above 0"},
		{"timeout", l.timeout < 0, "0 or more"},
	} {
		if f.tooSmall {
			value := l.cmd.Flag(f.name).Value.String()
			return nil, fmt.Errorf("invalid argument %q for \"--%s\" flag: it must be %s", value, f.name, f.mustBe)
		}
	}
	l.limits.Bytes = budget.Megabytes(l.megabytes)
	ctx := cmp.Or(l.cmd.Context(), context.Background())
	if l.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, l.timeout)
		context.AfterFunc(ctx, stop) // the budget outlives this call, so stop cannot be deferred
	}
	l.made = budget.New(ctx, l.limits)
	l.shown.spent.Store(l.made)
	l.cmd.SetContext(ctx)
	return l.made, nil
}
