package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/safetext"
	"gatehouse/internal/serve"
	"gatehouse/internal/sessionstore"
	"gatehouse/styles"
)

// addCompletions adds what the shell offers for arguments and the values of flags, if that is
// what it asks for. It asks nobody: no service, no keyring; it writes nothing, and an error is
// nothing to offer.
func (a *app) addCompletions(root *cobra.Command) {
	if len(a.args) == 0 || a.args[0] != cobra.ShellCompRequestCmd && a.args[0] != cobra.ShellCompNoDescRequestCmd {
		return
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	complete(root, a.flagValues(), map[string]cobra.CompletionFunc{
		"set-secret": onlyFirst("client-secret\tof the program, for the authority", "api-key\tof a reseller or a company"),
		"man":        cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	})
}

// complete registers the completions of flags, by "--flag" or "command --flag", and of arguments,
// by the name of the command.
func complete(cmd *cobra.Command, flags, arguments map[string]cobra.CompletionFunc) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		offer := flags["--"+f.Name]
		if own := flags[cmd.Name()+" --"+f.Name]; own != nil {
			offer = own
		}
		if offer != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, offer) // fails where it is registered already
		}
	})
	if offer := arguments[cmd.Name()]; offer != nil {
		cmd.ValidArgsFunction = offer
	}
	for _, child := range cmd.Commands() {
		complete(child, flags, arguments)
	}
}

// flagValues are the completions of flags.
func (a *app) flagValues() map[string]cobra.CompletionFunc {
	const partial = cobra.ShellCompDirectiveNoSpace // more may follow
	offers := map[string]cobra.CompletionFunc{
		"--output":         values(outputs...),
		"check --output":   values(slices.Concat(outputs, []string{"markdown\tfor a ticket"})...),
		"--authority":      values("main\tusers of every installation", "domain\tusers of one installation", "test\tfor development"),
		"--store":          values("keyring\ta file whose key is in the keyring", "file\ta file under a passphrase", "memory\tnothing is saved"),
		"--device-type":    values(deviceTypes()...),
		"--log-format":     values(serve.LogText, serve.LogJSON),
		"--forget":         values("all\tevery session and ticket"),
		"--sessions":       cobra.FixedCompletions([]string{sessionstore.InMemory + "\tuntil the visitor disconnects", "/\ta directory, for one server", "postgres://\tfor any number of servers"}, partial),
		"--theme":          known(a.knownThemes),
		"--profile":        known(a.knownProfiles),
		"shares --columns": cobra.FixedCompletions(shareColumns, partial|cobra.ShellCompDirectiveNoFileComp),
		"shares --sort":    cobra.FixedCompletions(shareColumns, partial|cobra.ShellCompDirectiveNoFileComp),
	}
	for flag, value := range placeholders {
		if value == "FILE" {
			offers["--"+flag] = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
		}
	}
	return offers
}

// outputs are the formats, with what they are for.
var outputs = []string{
	"table\tcolumns for people", "json\tone document, as the service sent it",
	"ndjson\tone element a line, as soon as it is known", "csv\tfor spreadsheets",
}

// shareColumns are the columns of shares that services are known to send, by names that
// find them. Of companies none are known.
var shareColumns = []string{
	"name\tof the share", "owner\te-mail address", "disk\tspace used", "history\tspace of older versions", "deleted\tspace of deleted files",
	"createtime\twhen it was created", "updatetime\twhen it changed", "createdby\twho created it", "category", "associationtype", "sharetype", "companyid", "id",
}

// values offers these and no file names.
func values(all ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)
}

// onlyFirst offers these for the only argument of a command.
func onlyFirst(all ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// known offers what can be read now.
func known(list func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list(), cobra.ShellCompDirectiveNoFileComp
	}
}

// knownProfiles lists the profiles of the profile file, with their hosts.
func (a *app) knownProfiles() []string {
	listed, err := a.sources().Profiles()
	if err != nil {
		return nil
	}
	var names []string
	for _, p := range listed {
		if _, err := config.CheckProfileName(p.Name); err == nil {
			names = append(names, cobra.CompletionWithDesc(p.Name, safetext.Line(p.Host)))
		}
	}
	return names
}

// knownThemes lists the built-in themes and those of the profile file.
func (a *app) knownThemes() []string {
	names := styles.Themes()
	preferences, err := config.ReadPreferences(a.sources())
	if err != nil {
		return names
	}
	for _, theme := range preferences.Themes {
		names = append(names, cobra.CompletionWithDesc(safetext.Line(theme.Name), "of the profile file"))
	}
	return names
}
