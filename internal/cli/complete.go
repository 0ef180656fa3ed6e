package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/internal/serve"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/domains"
)

// addCompletions adds what the shell offers for arguments and the values of flags, if that is
// what it asks for. It asks nobody: no service, no keyring; it writes nothing, and an error is
// nothing to offer.
func (a *app) addCompletions(root *cobra.Command) {
	asked := len(a.args) > 0 && (a.args[0] == cobra.ShellCompRequestCmd || a.args[0] == cobra.ShellCompNoDescRequestCmd)
	if !asked {
		return
	}
	newOffers(a).addTo(root)
}

// offers are what the shell offers: for "--flag" of any command, for "command --flag", and for
// the arguments of a "command". Flags and commands that are not listed take nothing that can be
// known.
type offers map[string]cobra.CompletionFunc

// addTo adds them to a command and those below it.
func (o offers) addTo(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		// It fails where one is registered already, which is the same one.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, o.first(cmd.Name()+" --"+f.Name, "--"+f.Name))
	})
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = o.first(cmd.Name())
	}
	for _, child := range cmd.Commands() {
		o.addTo(child)
	}
}

// first returns the offer of the first name that is listed.
func (o offers) first(names ...string) cobra.CompletionFunc {
	for _, name := range names {
		if offer := o[name]; offer != nil {
			return offer
		}
	}
	return cobra.NoFileCompletions
}

// described is a value that the shell offers, with what it means.
func described(value, meaning string) string { return cobra.CompletionWithDesc(value, meaning) }

// offers returns what this program offers.
func newOffers(a *app) offers {
	list := offers{
		"--output":         values(outputs...),
		"check --output":   values(slices.Concat(outputs, []string{described(formatMarkdown, "for a ticket")})...),
		"--authority":      values(described(config.AuthorityMain, "users of every installation"), described(config.AuthorityDomain, "users of one installation"), described(config.AuthorityTest, "for development")),
		"--store":          values(described(config.StoreKeyring, "a file whose key is in the keyring"), described(config.StoreFile, "a file under a passphrase"), described(config.StoreMemory, "nothing is saved")),
		"--device-type":    values(deviceTypes()...),
		"--log-format":     values(serve.LogText, serve.LogJSON),
		"--forget":         values(described("all", "every session and ticket")),
		"--sessions":       cobra.FixedCompletions(stores, more),
		"--theme":          known(a.knownThemes),
		"--profile":        known(a.knownProfiles),
		"--domain":         known(a.knownDomains),
		"shares --columns": cobra.FixedCompletions(shareColumns, more|cobra.ShellCompDirectiveNoFileComp),
		"shares --sort":    cobra.FixedCompletions(shareColumns, more|cobra.ShellCompDirectiveNoFileComp),
		"--config":         cobra.FixedCompletions([]cobra.Completion{"toml"}, cobra.ShellCompDirectiveFilterFileExt),
		"set-secret":       onlyFirst(described(string(clientSecret.name), "of the program, for the authority"), described(string(apiKey.name), "of a reseller or a company")),
		"man":              cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	for flag, value := range placeholders {
		if value == "FILE" && list["--"+flag] == nil {
			list["--"+flag] = anyFile
		}
	}
	return list
}

// outputs are the formats, with what they are for.
var outputs = []string{
	described(formatTable, "columns for people"), described(formatJSON, "one document, as the service sent it"),
	described(formatNDJSON, "one element a line, as soon as it is known"), described(formatCSV, "for spreadsheets"),
}

// more lets the person go on behind a value.
const more = cobra.ShellCompDirectiveNoSpace

// stores are where a server keeps sessions. For a directory the shell offers its own.
var stores = []string{
	described(sessionstore.InMemory, "until the visitor disconnects"), described("/", "a directory, for one server"), described("postgres://", "for any number of servers"),
}

// shareColumns are the columns of shares that services are known to send, by names that
// find them. Of companies none are known.
var shareColumns = []string{
	described("name", "of the share"), described("owner", "e-mail address"), described("disk", "space used"),
	described("history", "space of older versions"), described("deleted", "space of deleted files"), described("createtime", "when it was created"),
	described("updatetime", "when it changed"), described("createdby", "who created it"), "category", "associationtype", "sharetype", "companyid", "id",
}

// values offers these and no file names.
func values(all ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)
}

// anyFile offers the names of files, which the shell knows.
func anyFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
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
			names = append(names, described(p.Name, safetext.Line(p.Host)))
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
		names = append(names, described(safetext.Line(theme.Name), "of the profile file"))
	}
	return names
}

// knownDomains are those of the session, as the latest sign-in or list has left them: to read
// the session itself the keyring would be asked, which may ask a person.
func (a *app) knownDomains() []string {
	profile, err := a.place.profile()
	if err != nil {
		return nil
	}
	var known []string
	openState(profile).Get(domains.KnownKey, &known)
	var names []string
	for i, name := range known {
		if _, err := config.CheckDomain(name); err != nil {
			continue
		}
		meaning := ""
		if readable := hostname.Readable(name); readable != name {
			meaning = safetext.Line(readable)
		}
		if i == 0 {
			meaning = strings.TrimSpace("primary domain " + meaning)
		}
		names = append(names, described(name, meaning))
	}
	return names
}

// keepKnown keeps the domains of a session for [app.knownDomains] while it is open, on a screen
// or in lines.
func keepKnown(state *files.State, s *session.Session) {
	s.Subscribe(func(e session.Event) {
		switch e.Kind {
		case session.EventSignedIn, session.EventRenewed, session.EventSignedOut:
			state.Set(domains.KnownKey, domains.Known(s.Status().Claims))
		}
	})
}
