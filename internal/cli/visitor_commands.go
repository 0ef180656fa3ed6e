package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
)

// visitorCommands are the names of the commands that visitors may run. They change nothing except
// the session that is kept for the visitor's key, and touch nothing that belongs to the server.
var visitorCommands = []string{
	"check",
	"companies",
	"domains",
	"help",
	"login",
	"logout",
	"lookup",
	"sessions",
	"shares",
	"whoami",
}

// rootCommand returns the tree of the commands for the visitor.
func (v *visit) rootCommand() *cobra.Command {
	a := v.app
	root := a.newRoot()
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: a.called.command}
	v.introduce(root)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Name() == cobra.ShellCompRequestCmd { // no shell completes command lines here
			return knownCommand(root, []string{cmd.CalledAs()})
		}
		opensUI := cmd == root || cmd.Name() == "check" && a.asksOnScreen(cmd, args)
		if !opensUI && v.watch != nil { // the UI reads the keys itself
			v.watch()
		}
		return a.start(cmd, args)
	}
	check := checkCommand(a)
	check.Example = ""
	add(root, groupCheck, check)
	if v.HasDesk() {
		add(root, groupCheck, v.ticketCommand())
	}
	if v.Open {
		return root
	}
	lookup := lookupCommand(a)
	lookup.Example = ""
	add(root, groupCheck, lookup)
	for _, command := range []*cobra.Command{v.loginCommand(), v.logoutCommand(), v.sessionsCommand()} {
		command.Hidden = v.Kept.Vault == nil
		command.PreRunE = func(*cobra.Command, []string) error { return v.Kept.Refusal }
		add(root, groupAccount, command)
	}
	add(root, groupAccount, v.signingIn(whoamiCommand(a)))
	companies := v.signingIn(companiesCommand(a))
	if !v.Demo { // it would use the API key of the operator
		companies.Hidden = true
		companies.PreRunE = func(*cobra.Command, []string) error {
			return usage(
				"this server lists no companies: that needs an API key, and visitors have none",
				"Run `gatehouse companies` on your own machine.",
			)
		}
	}
	add(root, groupLists, v.signingIn(domainsCommand(a)), v.signingIn(sharesCommand(a)), companies)
	root.AddCommand(filtersTopic())
	return root
}

// introduce sets the help of the root.
func (v *visit) introduce(root *cobra.Command) {
	if v.Open {
		root.Long = `Finds out why you cannot get into your account. You need its password, but no key. You type
the password into this connection; it is sent to the authority once, and nobody else sees it.
The limit is five checks an hour.`
		root.Example = "  ssh -t " + serve.OpenUser + "@HOST check ada@harbor.example --sign-in"
		return
	}
	kept, example := "No session is kept between connections.", ""
	if v.Kept.Vault != nil {
		kept = "`login --keep` keeps a session for your key."
		example = `
  ssh -t HOST login -u ada@harbor.example --keep
  ssh HOST shares -o csv > shares.csv`
	}
	root.Long = `This server runs Gatehouse, a terminal program for a file-sharing service: it shows your
domains, shares and companies, and tells you why you cannot get in.

Without a command it opens the terminal UI. The commands do the same for scripts; with
--email (-u), a command signs in just for itself. ` + kept + `
Commands write data to stdout and messages to stderr. The exit code is 0 if all went well,
1 if something failed, 2 if the call is wrong, and 3 if you need to sign in.`
	root.Example = `  ssh HOST                             open the terminal UI
  ssh -t HOST --accessible             plain lines in place of screens, for screen readers
  ssh HOST lookup ada@harbor.example -o json
  ssh -t HOST whoami -u ada@harbor.example
  printf %s "$PASSWORD" | ssh HOST shares -u ada@harbor.example --password-stdin` + example
}

// signingIn adds the flags to sign in with to a command, and returns it without its example, which
// is for the person's own machine.
func (v *visit) signingIn(cmd *cobra.Command) *cobra.Command {
	cmd.Example = ""
	v.login.add(cmd, "`EMAIL` address to sign in with, for this command alone")
	return cmd
}

func (v *visit) loginCommand() *cobra.Command {
	var flags loginFlags
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Sign in and keep the session for your key",
		Long: `Signs in with an e-mail address and a password and keeps the session for the key, or the
certificate, of this connection. The other commands and the UI use it until it ends or you
sign out. Prompts for the address and the password if they are not given.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.logIn(cmd.Context(), flags) },
	}
	flags.add(cmd, "`EMAIL` address to sign in with")
	cmd.Flags().BoolVar(&flags.keep, "keep", false, "keep the session for your key (required)")
	return cmd
}

// logIn signs in and keeps the session for the key of the connection. It tries the vault before the
// person is asked for the password, and says whose session the new one replaces.
func (v *visit) logIn(ctx context.Context, flags loginFlags) error {
	var before *session.Record
	vault := func(ctx context.Context, _ *app, _ *config.Profile) (session.Vault, string, error) {
		if !flags.keep {
			return nil, "", usage("the session would end with this command",
				"Use `--keep` to keep it for "+v.Kept.Name+".")
		}
		before, _ = v.Kept.Vault.Load(ctx) // nil if there is none, or it cannot be read
		return v.Kept.Vault, "", v.Kept.Vault.Try(ctx, true)
	}
	return signIn(ctx, v.app, flags, vault, func(string) string {
		where := "for " + v.Kept.Name
		if before == nil || before.Ended != nil {
			return where
		}
		return fmt.Sprintf("%s, in place of that of %s, kept since %s UTC",
			where, safetext.Line(before.Username), human.Time(before.SignedInAt, time.UTC))
	})
}

func (v *visit) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "logout",
		Short: "Sign out and delete the session that is kept for your key",
		Long: `Deletes the session that is kept for the key, or the certificate, of this connection, even
one that can no longer be read. Without a session it does nothing.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := v.app.open(cmd.Context(), savedVault)
			if err != nil {
				return err
			}
			if err = service.Session.SignOut(cmd.Context()); err == nil {
				v.app.say("Signed out. No session is kept for %s.", v.Kept.Name)
			}
			return err
		},
	}
}

func (v *visit) ticketCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   serve.TicketCommand + " ID",
		Short: "Show or delete the result of a check that is kept for the support desk",
		Long: `Shows the support desk the result of somebody's check, as that person saw it. The ID, twelve
digits and letters, is on the last line that check prints. O is read as 0, and I and L as 1.

With --delete, the support desk or the person who ran the check deletes the ticket.`,
		Args: oneTicket,
		RunE: func(cmd *cobra.Command, args []string) error {
			code, _ := sessionstore.ParseCode(args[0])
			if !remove {
				return v.showTicket(cmd.Context(), code)
			}
			err := v.DeleteTicket(cmd.Context(), code)
			if err == nil {
				v.app.say("The ticket %s is deleted.", code)
			}
			return err
		},
	}
	v.app.writes(cmd, lists.Reports)
	cmd.Flags().BoolVar(&remove, "delete", false, "delete the ticket")
	return cmd
}

// oneTicket returns an error unless there is one argument that may be the id of a ticket.
func oneTicket(_ *cobra.Command, args []string) error {
	const hint = "An id such as K7QD-M2XA-9FHT is on the last line that check prints. An id of eight" +
		" characters belongs to a report that this server does not have:" +
		" ask the person for the report itself."
	if len(args) == 1 {
		if _, ok := sessionstore.ParseCode(args[0]); ok {
			return nil
		}
	}
	return usage("the id of one ticket is needed", hint)
}

// showTicket prints the report of a ticket.
func (v *visit) showTicket(ctx context.Context, code string) error {
	report, ends, err := v.ReadTicket(ctx, code)
	if err != nil {
		return err
	}
	form := v.app.reportForm([]string{report.Email})
	if err := show(ctx, v.app, form, checked{Report: report}); err != nil {
		return err
	}
	v.app.say("The ticket %s is kept until %s.", code, human.Time(ends, time.UTC)+" UTC")
	v.sayHowToDelete(code)
	return nil
}

func (v *visit) sessionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions that are kept for your key",
		Long: `Lists the sessions that are kept for the key, or the certificate, of this connection: whose,
at which authority, until when, how often they were renewed, and how often a refresh token
was sent again because nobody knew whether the first attempt had succeeded.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kept, err := v.listKept(cmd.Context())
			if err != nil {
				return err
			}
			return show(cmd.Context(), v.app, v.formOfSessions(), kept...)
		},
	}
}

// keptSession is one element of the JSON of sessions.
type keptSession struct {
	Account   string  `json:"account"`
	Authority string  `json:"authority"`
	EndsAt    *string `json:"ends_at"` // RFC 3339 in UTC, null if it is not known
	Renewals  int     `json:"renewals"`
	InDoubt   int     `json:"in_doubt"` // how often a refresh token was sent again, in doubt
}

// ends returns the cell that says for people when the session ends.
func (s keptSession) ends() tableCell {
	if s.EndsAt == nil {
		return textCell("unknown")
	}
	at, _ := time.Parse(time.RFC3339, *s.EndsAt)
	return textCell(human.Time(at, time.UTC) + " UTC")
}

// countCell returns the cell of a count.
func countCell(n int) tableCell { return tableCell{kind: lists.Number, text: strconv.Itoa(n)} }

// formOfSessions returns how the kept sessions are written.
func (v *visit) formOfSessions() form[keptSession] {
	return form[keptSession]{
		columns: []column[keptSession]{
			{
				name: "account", title: "Account",
				text: func(s keptSession) string { return s.Account },
			},
			{
				name: "authority", title: "Authority",
				text: func(s keptSession) string { return s.Authority },
			},
			{
				name: "ends_at", title: "Ends",
				text: func(s keptSession) string { return *cmp.Or(s.EndsAt, new(string)) },
				cell: keptSession.ends,
			},
			{
				name: "renewals", title: "Renewals",
				text: func(s keptSession) string { return strconv.Itoa(s.Renewals) },
				cell: func(s keptSession) tableCell { return countCell(s.Renewals) },
			},
			{
				name: "in_doubt", title: "In doubt",
				text: func(s keptSession) string { return strconv.Itoa(s.InDoubt) },
				cell: func(s keptSession) tableCell { return countCell(s.InDoubt) },
			},
		},
		empty: "No session is kept for " + v.Kept.Name + ".",
	}
}

// listKept returns the sessions that are kept for the key of the connection: at most one.
func (v *visit) listKept(ctx context.Context) ([]keptSession, error) {
	service, err := v.app.open(ctx, savedVault)
	if err != nil {
		return nil, err
	}
	err = service.Session.Restore(ctx)
	if errors.Is(err, session.ErrSignedOut) {
		return nil, nil
	}
	if err != nil {
		return nil, serve.NotRestored(err)
	}
	record, err := v.Kept.Vault.Load(ctx)
	if err != nil {
		return nil, err
	}
	row, err := v.Shared.Store.Get(ctx, sessionstore.Session, v.Shared.Keys.ID(v.Kept.Owner))
	if err != nil {
		return nil, err
	}
	status := service.Session.Status()
	kept := keptSession{
		Account:   status.Username,
		Authority: status.Authority,
		Renewals:  record.Renewals,
		InDoubt:   row.Doubts,
	}
	ends := status.RefreshEndsAt
	if !status.Renewable {
		ends = status.ExpiresAt
	}
	if !ends.IsZero() {
		at := ends.UTC().Format(time.RFC3339)
		kept.EndsAt = &at
	}
	return []keptSession{kept}, nil
}
