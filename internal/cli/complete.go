package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/api"
)

// flagValues are what the shell offers for flags that take one of some words.
var flagValues = map[string][]string{
	"output":      {"table\tcolumns for people", "json\tone document, as the service sent it", "ndjson\tone element per line, as soon as it is known", "csv\tfor spreadsheets"},
	"authority":   {"main\tusers of every installation", "domain\tusers of one installation", "test\tfor development"},
	"store":       {"keyring\ta file whose key is in the keyring", "file\ta file under a passphrase", "memory\tnothing is saved"},
	"device-type": api.DeviceTypes,
}

// addCompletions adds values of flags to what cobra completes, if the shell asks. It asks nobody:
// no service, no keyring.
func (a *app) addCompletions(root *cobra.Command) {
	if len(a.args) == 0 || a.args[0] != cobra.ShellCompRequestCmd && a.args[0] != cobra.ShellCompNoDescRequestCmd {
		return
	}
	for _, cmd := range append(root.Commands(), root) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			offer := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				offered := flagValues[f.Name]
				switch {
				case f.Name == "profile":
					offered, _ = a.sources().Profiles()
				case f.Name == "output" && cmd.Annotations[writesMarkdown] != "":
					offered = slices.Concat(offered, []string{"markdown\tfor a ticket"})
				}
				return offered, cobra.ShellCompDirectiveNoFileComp
			}
			if flagValues[f.Name] != nil || f.Name == "profile" {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, offer) // fails where it is registered already
			}
		})
	}
}
