package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/check"
	"gatehouse/internal/format"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
)

const (
	ticketName = "ticket"
	// ticketTries is how many tickets somebody may ask for in an hour.
	ticketTries = 60
	// deskLimit bounds what is asked of the store.
	deskLimit = 10 * time.Second
)

// ticketCommand is the command of a visitor who was told the id of a ticket, or left it.
func (a *app) ticketCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   ticketName + " ID",
		Short: "Show the result of a check that was left for the support desk, or delete it",
		Long: `Shows to the support desk the result of a check that somebody has left, as check showed it to
them. The ID is that of the report, and the last line of what check says: twelve digits and
letters, in which an O is the digit 0 and I and L are the digit 1.

With --delete the ticket is deleted, by the support desk or by whoever left it.`,
		Example: `  gatehouse ticket K7QD-M2XA-9FHT
  gatehouse ticket K7QD-M2XA-9FHT -o markdown
  gatehouse ticket K7QD-M2XA-9FHT --delete`,
		Args:        oneTicket,
		Annotations: forVisitors(writesMarkdown, withoutKey),
		RunE: func(cmd *cobra.Command, args []string) error {
			code, _ := sessionstore.ParseCode(args[0])
			if err := a.countTicket(cmd.Context()); err != nil {
				return err
			}
			if remove {
				return a.deleteTicket(cmd.Context(), code)
			}
			return a.readTicket(cmd.Context(), code)
		},
	}
	cmd.Flags().StringVarP(&a.flags.output, "output", "o", "", "table, json, ndjson, csv or markdown (default: table on a terminal, json elsewhere)")
	cmd.Flags().BoolVar(&remove, "delete", false, "delete the ticket")
	return cmd
}

// oneTicket accepts what may be the id of a ticket.
func oneTicket(_ *cobra.Command, args []string) error {
	const hint = "An id is like K7QD-M2XA-9FHT, the last line of what the command check has said. One of eight digits is that of a report that was not left here: ask for the report itself."
	if len(args) != 1 {
		return usage("the id of one ticket is needed", hint)
	}
	if _, ok := sessionstore.ParseCode(args[0]); !ok {
		return usage("this is not the id of a ticket", hint)
	}
	return nil
}

// hasDesk reports whether results are kept for a support desk.
func (v *visitor) hasDesk() bool {
	return v != nil && v.shared != nil && v.shared.desk != nil && v.shared.desk.staff != nil
}

// isStaff reports whether the visitor's key is one of the support desk's.
func (v *visitor) isStaff() bool {
	return v.hasDesk() && v.shared.desk.staff.Holds(v.connection)
}

// ticketOwner is who left a ticket: whoever holds the key, or is certified under a key id.
func ticketOwner(c *sshd.Connection) sessionstore.Owner {
	if c.Certificate != nil && c.Certificate.KeyID != "" {
		return sessionstore.Owner{KeyID: c.Certificate.KeyID, Authority: c.Certificate.Authority}
	}
	return sessionstore.Owner{Fingerprint: c.Fingerprint}
}

// leaveTicket keeps the report of a check for the support desk, if the server has one, and
// says so. The last line is the id of the ticket, which is the report's.
func (a *app) leaveTicket(ctx context.Context, report check.Report) {
	v := a.visitor
	if !v.hasDesk() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	text, err := report.Keep()
	var ends time.Time
	if err == nil {
		ends, err = v.shared.desk.tickets.Leave(ctx, report.ID, ticketOwner(v.connection), v.connection.Network.String(), text)
	}
	if err != nil {
		v.log.Error("no ticket left", "error", err.Error())
		reason := "the store of this server did not answer, or failed; its log says why"
		if errors.Is(err, sessionstore.ErrTicketSize) {
			reason = err.Error()
		}
		a.say("This result was not kept for the support desk: %s.", reason)
		a.say("The check itself is done: copy what is above to them, or run it again with -o markdown.")
		return
	}
	v.log.Info("ticket left", "ticket", v.shared.desk.tickets.Name(report.ID))
	if a.env.StdoutIsTerminal { // right below the card
		a.say("")
	}
	a.say("This result is kept encrypted until %s (%s),", ends.Format("2006-01-02 15:04 UTC"), human.InWords(sessionstore.TicketLife))
	a.say("without any password, for the support desk of this server. Tell them its id.")
	a.say("To delete it before:  %s", a.hint("gatehouse ticket "+report.ID+" --delete"))
	a.say("Ticket %s", report.ID)
}

// readTicket prints the report of a ticket for the support desk.
func (a *app) readTicket(ctx context.Context, code string) error {
	v := a.visitor
	if !v.isStaff() {
		v.logTicket(slog.LevelWarn, "ticket refused", code)
		return a.noTicket()
	}
	reading, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	left, err := v.shared.desk.tickets.Read(reading, code)
	var report check.Report
	if err == nil {
		report, err = check.ReadKept(left.Result)
	}
	if err != nil {
		return a.ticketProblem(code, "read", err)
	}
	v.logTicket(slog.LevelInfo, "ticket read", code)
	printer := a.reportPrinter(ctx, []string{report.Email})
	if err := errors.Join(printer.print(report), printer.close()); err != nil {
		return err
	}
	a.say("The ticket %s is kept until %s.", code, left.Ends.Format("2006-01-02 15:04 UTC"))
	a.say("To delete it before:  %s", a.hint("gatehouse ticket "+code+" --delete"))
	return nil
}

// deleteTicket deletes a ticket for the support desk, or for whoever left it.
func (a *app) deleteTicket(ctx context.Context, code string) error {
	v := a.visitor
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	if err := v.shared.desk.tickets.Delete(ctx, code, ticketOwner(v.connection), v.isStaff()); err != nil {
		return a.ticketProblem(code, "deleted", err)
	}
	v.logTicket(slog.LevelInfo, "ticket deleted", code)
	a.say("The ticket %s is deleted.", code)
	return nil
}

// countTicket limits how many tickets somebody may ask for: who guesses does not get far.
func (a *app) countTicket(ctx context.Context) error {
	v := a.visitor
	who := sessionstore.Subject{Kind: "key for tickets", Value: v.connection.Fingerprint}
	if who.Value == "" {
		who = sessionstore.Subject{Kind: "network for tickets", Value: v.connection.Network.String()}
	}
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	wait, err := v.shared.desk.tickets.Try(ctx, ticketTries, openWithin, who)
	switch {
	case err != nil:
		return a.ticketProblem("", "counted", err)
	case wait > 0:
		v.log.Warn("ticket refused", "reason", "too many tries", "wait", wait.Round(time.Second).String())
		return deskProblem(fmt.Sprintf("%d tickets were asked for within an hour", ticketTries), again(a.env.Now(), wait))
	}
	return nil
}

// ticketProblem explains why there is no ticket to show. That there is none, and that it is
// somebody else's, is the same to whoever asks. doing is what was being done to it, as in "read".
func (a *app) ticketProblem(code, doing string, err error) error {
	v := a.visitor
	missing := errors.Is(err, sessionstore.ErrNoRow)
	spoilt := errors.Is(err, sessionstore.ErrForged) || errors.Is(err, sessionstore.ErrUnknownKey) || format.IsNewer(err)
	switch {
	case missing && !spoilt:
		v.logTicket(slog.LevelWarn, "ticket refused", code)
		return a.noTicket()
	case missing:
		v.log.Error("ticket not opened", "ticket", v.shared.desk.tickets.Name(code), "error", err.Error())
		return a.noTicket()
	case code == "":
		v.log.Error("ticket refused", "error", err.Error())
		return deskProblem("the ticket was not looked for: the store of this server, which counts how many are asked for, did not answer or failed", hintOperator)
	}
	v.log.Error("ticket not opened", "ticket", v.shared.desk.tickets.Name(code), "error", err.Error())
	switch newer, is := errors.AsType[*format.NewerError](err); {
	case is:
		return deskProblem("the ticket is left as it is: "+newer.Error(), "Read it at a server that is as new, or tell the operator to upgrade this one.")
	case errors.Is(err, sessionstore.ErrUnknownKey):
		return deskProblem("the ticket cannot be opened: the key file of this server does not hold the key that it is sealed with",
			"Ask the operator for the key file that it was sealed with, or whoever left it to run the check again.")
	case errors.Is(err, sessionstore.ErrForged):
		return deskProblem("the ticket was changed in the store, and is not shown", "Tell the operator, who finds it in the log. Ask whoever left it to run the check again.")
	}
	return deskProblem(fmt.Sprintf("the ticket could not be %s: the store of this server did not answer, or failed", doing), hintOperator)
}

// noTicket is the one answer to whoever may not have what they ask for, or asks for nothing.
func (a *app) noTicket() error {
	return deskProblem("there is no such ticket for you",
		"The support desk alone reads tickets, and whoever left one may delete it, with the same key, by adding `--delete`. They end after "+human.InWords(sessionstore.TicketLife)+".")
}

func (v *visitor) logTicket(level slog.Level, message, code string) {
	v.log.Log(context.Background(), level, message, "ticket", v.shared.desk.tickets.Name(code), "fingerprint", v.connection.Fingerprint)
}

// hintOperator is what to do about a store that fails.
const hintOperator = "Nothing was lost. Try again in a minute; if it goes on, tell whoever runs this server, whose log says more."

func deskProblem(sentence, hint string) error {
	return &problem.Error{Problem: problem.Problem{Kind: problem.Failed, Sentence: sentence, Hint: hint}}
}
