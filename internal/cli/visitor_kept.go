package cli

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/internal/serve"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

func (v *visit) loginCommand() *cobra.Command {
	c := login{app: v.app, report: v.reportKept}
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Sign in and keep the session for your key",
		Long: `Signs in with an e-mail address and a password and keeps the session for the key, or the
certificate, of this connection. The other commands and the UI use it until it ends or you
sign out. Prompts for the address and the password if they are not given.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	// The vault is tried before the password is asked for.
	c.vault = func(ctx context.Context, _ *app, _ *config.Profile) (session.Vault, string, error) {
		switch k := v.Kept; {
		case k.Vault == nil:
			return nil, "", k.Refusal
		case !c.flags.keep:
			return nil, "", usage("the session would end with this command", "Use `--keep` to keep it for "+k.Name+".")
		default:
			return k.Vault, "", k.Vault.Try(ctx, true)
		}
	}
	c.flags.add(cmd)
	cmd.Flags().BoolVar(&c.flags.keep, "keep", false, "keep the session for your key (required)")
	return cmd
}

// reportKept says whose session is kept for whom, and until when.
func (v *visit) reportKept(s session.Status) {
	until := ""
	if !s.RefreshEndsAt.IsZero() {
		until = ", until " + human.Time(s.RefreshEndsAt, time.UTC) + " UTC"
	}
	v.app.say("Signed in as %s. The session is kept for %s%s.", s.Username, v.Kept.Name, until)
}

func (v *visit) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "logout",
		Short: "Sign out and delete the session that is kept for your key",
		Long: `Deletes the session that is kept for the key, or the certificate, of this connection, even
one that can no longer be read. Without a session it does nothing.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.logout(cmd.Context()) },
	}
}

func (v *visit) logout(ctx context.Context) error {
	w, err := v.openKept(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	_, err = v.Kept.Vault.Load(ctx)
	none := errors.Is(err, session.ErrNoRecord)
	err = w.service.Session.SignOut(ctx)
	if left, is := errors.AsType[*session.NotErasedError](err); is {
		return problem.New(problem.Describe(left.Err, problem.Screen).Sentence,
			"Until it is deleted, anyone who connects with "+v.Kept.Name+" can use it. Run `ssh HOST logout` again. If that keeps failing, tell the operator of this server.")
	}
	if err != nil {
		return err
	}
	if none {
		v.app.say("No session was kept for %s.", v.Kept.Name)
	} else {
		v.app.say("Signed out. The session that was kept for %s is deleted.", v.Kept.Name)
	}
	return nil
}

// openKept opens the service with the vault of the key, where a session can be kept for it.
func (v *visit) openKept(ctx context.Context) (*work, error) {
	if v.Kept.Vault == nil {
		return nil, v.Kept.Refusal
	}
	return v.app.open(ctx, savedVault)
}

func (v *visit) ticketCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   serve.TicketCommand + " ID",
		Short: "Show or delete the result of a check that is kept for the support desk",
		Long: `Shows the support desk the result of somebody's check, as that person saw it. The ID, twelve
digits and letters, is on the last line that check prints. O is read as 0, and I and L as 1.

With --delete, the support desk or the person who ran the check deletes the ticket.`,
		Args:        oneTicket,
		Annotations: map[string]string{writesMarkdown: "true"},
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
	cmd.Flags().StringVarP(&v.app.flags.output, "output", "o", "", "`FORMAT`: table, json, ndjson, csv or markdown (default: table on a terminal, json elsewhere)")
	cmd.Flags().BoolVar(&remove, "delete", false, "delete the ticket")
	return cmd
}

// oneTicket accepts what may be the id of a ticket.
func oneTicket(_ *cobra.Command, args []string) error {
	const hint = "An id such as K7QD-M2XA-9FHT is on the last line that check prints. An id of eight characters belongs to a report that this server does not have: ask the person for the report itself."
	if len(args) != 1 {
		return usage("the id of one ticket is needed", hint)
	}
	if _, ok := sessionstore.ParseCode(args[0]); !ok {
		return usage("this is not the id of a ticket", hint)
	}
	return nil
}

// showTicket prints the report of a ticket.
func (v *visit) showTicket(ctx context.Context, code string) error {
	report, ends, err := v.ReadTicket(ctx, code)
	if err != nil {
		return err
	}
	if err := show(ctx, v.app, v.app.reportForm([]string{report.Email}), report); err != nil {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return v.sessions(cmd.Context()) },
	}
}

// keptSession is one element of the JSON of sessions.
type keptSession struct {
	Account   string  `json:"account"`
	Authority string  `json:"authority"`
	EndsAt    *string `json:"ends_at"` // RFC 3339 in UTC, null if it is not known
	Renewals  int     `json:"renewals"`
	InDoubt   int     `json:"in_doubt"`
}

// sessions lists what is kept for the key of the connection: one session at most.
func (v *visit) sessions(ctx context.Context) error {
	w, err := v.openKept(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	kept, err := v.listKept(ctx, w.service.Session)
	if err != nil {
		return err
	}
	return show(ctx, v.app, form[keptSession]{
		columns: []string{"account", "authority", "ends_at", "renewals", "in_doubt"},
		row:     func(s keptSession) []cell { return s.cells(*cmp.Or(s.EndsAt, new(string))) },
		titles:  []string{"Account", "Authority", "Ends", "Renewals", "In doubt"},
		cells:   keptSession.readable,
		empty:   "No session is kept for " + v.Kept.Name + ".",
	}, kept...)
}

// cells are the values, with the time in some format.
func (s keptSession) cells(ends string) []cell {
	return []cell{textCell(s.Account), textCell(s.Authority), textCell(ends), numberCell(s.Renewals), numberCell(s.InDoubt)}
}

func (s keptSession) readable() []cell {
	ends := "unknown"
	if s.EndsAt != nil {
		at, _ := time.Parse(time.RFC3339, *s.EndsAt)
		ends = human.Time(at, time.UTC) + " UTC"
	}
	return s.cells(ends)
}

// listKept lists the session that is kept. The list is never nil.
func (v *visit) listKept(ctx context.Context, s *session.Session) ([]keptSession, error) {
	err := s.Restore(ctx)
	if errors.Is(err, session.ErrSignedOut) {
		return []keptSession{}, nil
	}
	if err != nil {
		return nil, serve.NotRestored(err)
	}
	record, err := v.Kept.Vault.Load(ctx)
	if err != nil {
		return nil, err
	}
	row, err := v.Kept.Row(ctx)
	if errors.Is(err, sessionstore.ErrNoRow) {
		return []keptSession{}, nil // signed out meanwhile
	}
	if err != nil {
		return nil, err
	}
	status := s.Status()
	kept := keptSession{Account: status.Username, Authority: status.Authority, Renewals: record.Renewals, InDoubt: row.Doubts}
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

func numberCell(n int) cell { return cell{kind: records.Number, text: strconv.Itoa(n)} }
