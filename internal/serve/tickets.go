package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gatehouse/internal/check"
	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
)

const (
	// TicketCommand is the name of the command that shows a ticket.
	TicketCommand = "ticket"
	// ticketTries is how many tickets somebody may ask for in an hour.
	ticketTries = 60
	// deskLimit bounds what is asked of the store.
	deskLimit = 10 * time.Second
)

// HasDesk reports whether results are kept for a support desk.
func (v *Visitor) HasDesk() bool { return v.Shared.Staff != nil }

// isStaff reports whether the visitor's key is one of the support desk's.
func (v *Visitor) isStaff() bool {
	return v.HasDesk() && v.Shared.Staff.Holds(v.Connection, v.Shared.Now())
}

// ticketOwner is who left a ticket: the holder of the key, or of a certificate with a key id.
func ticketOwner(c *sshd.Connection) sessionstore.Owner {
	if c.Certificate != nil && c.Certificate.KeyID != "" {
		return sessionstore.Owner{KeyID: c.Certificate.KeyID, Authority: c.Certificate.Authority}
	}
	return sessionstore.Owner{Fingerprint: c.Fingerprint}
}

// LeaveTicket keeps the report of a check for the support desk until the given time, as a
// ticket with the id of the report. The text of an error is for the visitor; the log has more.
func (v *Visitor) LeaveTicket(ctx context.Context, report check.Report) (ends time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	text, err := report.Keep()
	if err == nil {
		ends, err = v.Shared.Desk.Leave(ctx, report.ID, ticketOwner(v.Connection), v.Network.String(), text)
	}
	switch {
	case errors.Is(err, sessionstore.ErrTicketSize), errors.Is(err, sessionstore.ErrTooManyTickets):
		v.Log.Error("no ticket left", "error", err.Error())
		return ends, err
	case err != nil:
		v.Log.Error("no ticket left", "error", err.Error())
		return ends, errors.New("the store of this server did not answer or failed; its log says why")
	}
	v.Log.Info("ticket left", "ticket", v.Shared.Desk.Name(report.ID))
	return ends, nil
}

// ReadTicket returns the report of a ticket, and when the ticket ends, to the support desk. The
// error is a [problem.Error].
func (v *Visitor) ReadTicket(ctx context.Context, code string) (report check.Report, ends time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	if err := v.countTicket(ctx); err != nil {
		return report, ends, err
	}
	if !v.isStaff() {
		v.logTicket(slog.LevelWarn, "ticket refused", code)
		return report, ends, noTicket()
	}
	left, err := v.Shared.Desk.Read(ctx, code)
	if err == nil {
		report, err = check.ReadKept(left.Result)
	}
	if err != nil {
		return report, ends, v.ticketProblem(code, "read", err)
	}
	v.logTicket(slog.LevelInfo, "ticket read", code)
	return report, left.Ends, nil
}

// DeleteTicket deletes a ticket for the support desk, or for the person who left it. The error is a
// [problem.Error].
func (v *Visitor) DeleteTicket(ctx context.Context, code string) error {
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	if err := v.countTicket(ctx); err != nil {
		return err
	}
	if err := v.Shared.Desk.Delete(ctx, code, ticketOwner(v.Connection), v.isStaff()); err != nil {
		return v.ticketProblem(code, "deleted", err)
	}
	v.logTicket(slog.LevelInfo, "ticket deleted", code)
	return nil
}

// countTicket limits how many tickets somebody may ask for: who guesses does not get far.
func (v *Visitor) countTicket(ctx context.Context) error {
	return v.limit(ctx, "ticket", ticketTries, v.subject("for tickets"))
}

// ticketProblem explains why there is no ticket to show. That there is none, and that it is
// somebody else's, is the same to whoever asks. doing is what was being done to it, as in "read".
func (v *Visitor) ticketProblem(code, doing string, err error) error {
	if errors.Is(err, sessionstore.ErrNoRow) {
		v.logTicket(slog.LevelWarn, "ticket refused", code)
		return noTicket()
	}
	v.Log.Error("ticket not opened", "ticket", v.Shared.Desk.Name(code), "error", err.Error())
	newer, isNewer := errors.AsType[*files.NewerError](err)
	switch {
	case isNewer:
		return problem.New("the ticket was not changed: "+newer.Error(), "Read it at a server with the same version, or ask the operator to upgrade this one.")
	case errors.Is(err, sessionstore.ErrUnknownKey), errors.Is(err, sessionstore.ErrForged):
		return problem.New("the ticket cannot be opened: it was changed in the store, or sealed with a key that this server lacks",
			"Tell the operator, whose log says which. Ask the person to run the check again.")
	}
	return problem.New(fmt.Sprintf("the ticket could not be %s: the store of this server did not answer or failed", doing), hintOperator)
}

// noTicket is the one answer to whoever may not have what they ask for, or asks for nothing.
func noTicket() error {
	return problem.New("no ticket with this id, or it is not yours",
		"Only the support desk can read tickets. The person who left one can delete it with `--delete` and the same key. Tickets expire after "+human.InWords(sessionstore.TicketLife)+".")
}

func (v *Visitor) logTicket(level slog.Level, message, code string) {
	v.Log.Log(context.Background(), level, message, "ticket", v.Shared.Desk.Name(code), "fingerprint", v.Fingerprint)
}

// hintOperator is what to do about a store that fails.
const hintOperator = "Nothing was lost. Try again in a minute. If that keeps failing, tell the operator of this server; its log says more."
