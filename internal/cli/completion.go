package cli

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/api"
	"gatehouse/internal/lists"
	"gatehouse/session"
)

// described returns a value of a flag with a description, as cobra wants them for completion.
func described(value, about string) string { return value + "\t" + about }

// flagValues are the values that the shell offers for flags that take one of some words.
var flagValues = map[string][]string{
	"authority": {
		described("main", "users of every installation"),
		described("domain", "users of one installation"),
		described("test", "for development"),
	},
	"device-type": api.DeviceTypes,
	"shell": {
		described("sh", "bash, zsh, dash"),
		described("cmd", "the command prompt of Windows"),
		described("powershell", "PowerShell"),
	},
}

// shareColumns are the columns of shares. Those of companies are only known from a list.
var shareColumns = []string{
	"name",
	"owner",
	described("disk", "space used"),
	described("history", "space of older versions"),
	described("deleted", "space of deleted files"),
	described("createtime", "when it was created"),
	described("updatetime", "when it changed"),
	"category",
	"associationtype",
	"sharetype",
	"companyid",
	"id",
}

// addCompletions adds the values of flags to what cobra completes, if a shell has called the
// program to complete a command line.
func (a *app) addCompletions(root *cobra.Command) {
	requests := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if len(a.args) == 0 || !slices.Contains(requests, a.args[0]) {
		return
	}
	for _, cmd := range append(root.Commands(), root) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			_, flag.Usage = pflag.UnquoteUsage(flag) // shells show the text unchanged
			values := a.valuesOf(cmd, flag.Name)
			if values == nil {
				return
			}
			directive := cobra.ShellCompDirectiveNoFileComp
			if namesColumns(cmd, flag.Name) {
				directive |= cobra.ShellCompDirectiveNoSpace // more names may follow
			}
			offer := func(
				cmd *cobra.Command, _ []string, _ string,
			) ([]string, cobra.ShellCompDirective) {
				return values(cmd.Context()), directive
			}
			// It fails if values are registered already.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, offer)
		})
	}
}

// namesColumns reports whether a flag takes names of the columns of shares.
func namesColumns(cmd *cobra.Command, flag string) bool {
	return cmd.Name() == "shares" && (flag == "columns" || flag == "sort")
}

// valuesOf returns a function that lists the values of a flag; nil if any text may be its value.
func (a *app) valuesOf(cmd *cobra.Command, flag string) func(context.Context) []string {
	values := slices.Clone(flagValues[flag])
	switch {
	case flag == "profile":
		return func(context.Context) []string {
			names, _ := a.sources().Profiles()
			return names
		}
	case flag == "domain":
		return a.knownDomains
	case flag == "store":
		for _, store := range session.Stores() {
			values = append(values, described(store.Name, store.About))
		}
	case flag == "output":
		for _, format := range lists.Outputs(a.accepts(cmd)) {
			values = append(values, described(format.Name, format.About))
		}
	case namesColumns(cmd, flag):
		values = shareColumns
	case values == nil:
		return nil
	}
	return func(context.Context) []string { return values }
}

// knownDomains returns the domains of the saved session. It asks no service, and it asks nothing at
// the terminal, which the shell uses. A locked keyring may still show its owner a dialogue of the
// desktop.
func (a *app) knownDomains(ctx context.Context) []string {
	a.env.Ask, a.env.Stderr = nil, io.Discard
	service, err := a.open(ctx, storedVault(session.VaultOptions{Quiet: true}))
	if err != nil || service.Session.Restore(ctx) != nil {
		return nil
	}
	return service.Session.Status().Claims.AllDomains()
}
