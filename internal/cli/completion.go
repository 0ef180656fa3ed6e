package cli

import "github.com/spf13/cobra"

// completeValues makes the shell offer these values for a flag.
func (a *app) completeValues(cmd *cobra.Command, flag string, values ...string) {
	a.completeWith(cmd, flag, func() []string { return values })
}

// completeWith leaves guests out, who have no shell here: cobra never forgets what
// completes a flag, nor all that its command leads to.
func (a *app) completeWith(cmd *cobra.Command, flag string, values func() []string) {
	if a.guest != nil {
		return
	}
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag of that name does not exist: wrong in the source
	}
}

// completeOne offers these values for the only argument of a command.
func completeOne(values ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeNothing keeps the shell from offering the names of files.
func (a *app) completeNothing(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		a.completeValues(cmd, flag)
	}
}

// profileNames lists the profiles of the profile file, none if it is not in order.
func (a *app) profileNames() []string {
	names, err := a.sources().ProfileNames()
	if err != nil {
		return nil
	}
	return names
}
