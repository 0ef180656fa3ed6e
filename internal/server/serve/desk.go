package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
)

const (
	// OpenUser is the name under which somebody without a key runs a check. Clients ask to be
	// let in without a key before they offer one, so only a name keeps the two apart.
	OpenUser = "check"
	// TicketCommand is the name of the command that shows a ticket.
	TicketCommand = "ticket"
	// deskLimit bounds what is asked of the store.
	deskLimit = 10 * time.Second
)

// Tries are counted within an hour.
const (
	tryWithin   = time.Hour
	openTries   = 5  // checks without a key, from an address and of an account: they send passwords
	ticketTries = 60 // tickets that somebody may ask for
)

// openDesk opens the keys of the desk and the name that is open, and says what strangers may
// do then. Without the flags there is no desk.
func (s *Visitors) openDesk(f *serveFlags, operator operator, o *sshd.Options) (err error) {
	if f.deskKeys != "" {
		if s.Staff, err = sshd.OpenKeyFile(f.deskKeys, "keys of the support desk", o.Log); err != nil {
			return err
		}
	}
	if f.deskKeys != "" || f.openCheck {
		o.Commands = append(o.Commands, TicketCommand)
	}
	if !f.openCheck {
		return nil
	}
	o.Access.Open = OpenUser
	sentence := fmt.Sprintf("Anyone can run a check with `ssh -t %s@HOST check EMAIL --sign-in`, without a key, and so try passwords: %d an hour from an address, and %[2]d for an account.", OpenUser, openTries)
	operator.tell(slog.LevelWarn, "open check", sentence, "user", OpenUser, "tries", openTries, "within", tryWithin.String())
	return nil
}

// desk keeps tickets in the store.
func (s *Visitors) desk() *sessionstore.Desk {
	return &sessionstore.Desk{Store: s.Store, Keys: s.Keys, Now: s.Now}
}

// HasDesk reports whether results are kept for a support desk.
func (v *Visitor) HasDesk() bool { return v.Shared.Staff != nil }

// isStaff reports whether the visitor's key is one of the support desk's.
func (v *Visitor) isStaff() bool {
	return v.HasDesk() && v.Shared.Staff.Holds(v.Connection, v.Shared.Now())
}

// ownerOf is who holds the key of a connection, or a certificate with a key id.
func ownerOf(c *sshd.Connection) sessionstore.Owner {
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
		ends, err = v.Shared.desk().Leave(ctx, report.ID, ownerOf(v.Connection), v.Network.String(), text)
	}
	if err != nil {
		v.Log.Error("no ticket left", "error", err.Error())
		if !errors.Is(err, sessionstore.ErrTicketSize) {
			err = errors.New("the store of this server did not answer or failed; its log says why")
		}
		return ends, err
	}
	v.Log.Info("ticket left", "ticket", v.Shared.desk().Name(report.ID))
	return ends, nil
}

// ReadTicket returns the report of a ticket, and when the ticket ends, to the support desk. The
// error is a [problem.Error].
func (v *Visitor) ReadTicket(ctx context.Context, code string) (report check.Report, ends time.Time, err error) {
	err = v.atTicket(ctx, code, "read", func(ctx context.Context, desk *sessionstore.Desk) error {
		if !v.isStaff() {
			return sessionstore.ErrNoRow
		}
		left, err := desk.Read(ctx, code)
		if err == nil {
			ends = left.Ends
			report, err = check.ReadKept(left.Result)
		}
		return err
	})
	return report, ends, err
}

// DeleteTicket deletes a ticket for the support desk, or for the person who left it. The error is a
// [problem.Error].
func (v *Visitor) DeleteTicket(ctx context.Context, code string) error {
	return v.atTicket(ctx, code, "deleted", func(ctx context.Context, desk *sessionstore.Desk) error {
		return desk.Delete(ctx, code, ownerOf(v.Connection), v.isStaff())
	})
}

// atTicket does something with a ticket, and logs that it was done, as in "read". How many tickets
// somebody may ask for is limited: who guesses does not get far. That there is none, and that it is
// somebody else's, is the same to whoever asks.
func (v *Visitor) atTicket(ctx context.Context, code, done string, do func(context.Context, *sessionstore.Desk) error) error {
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	if err := v.limit(ctx, "ticket", ticketTries, v.subject("for tickets")); err != nil {
		return err
	}
	desk := v.Shared.desk()
	log := v.Log.With("ticket", desk.Name(code))
	err := do(ctx, desk)
	newer, isNewer := errors.AsType[*files.NewerError](err)
	switch {
	case err == nil:
		log.Info("ticket "+done, "fingerprint", v.Fingerprint)
		return nil
	case errors.Is(err, sessionstore.ErrNoRow):
		log.Warn("ticket refused", "fingerprint", v.Fingerprint)
		return problem.New("no ticket with this id, or it is not yours",
			"Only the support desk can read tickets. The person who left one can delete it with `--delete` and the same key. Tickets expire after "+human.InWords(sessionstore.TicketLife)+".")
	}
	log.Error("ticket not opened", "error", err.Error())
	if isNewer {
		return problem.New("the ticket was not changed: "+newer.Error(), "Read it at a server with the same version, or ask the operator to upgrade this one.")
	}
	return problem.New(fmt.Sprintf("the ticket could not be %s: the store of this server failed, or holds a ticket that this server cannot open", done), hintOperator)
}

// hintOperator is what to do about a store that fails.
const hintOperator = "Try again in a minute. If that keeps failing, tell the operator of this server; its log says more."

// AdmitCheck counts a check of somebody without a key before anything is asked or sent, and
// refuses it where too many have been made, or where they cannot be counted. Those with a key
// are known, and not limited.
func (v *Visitor) AdmitCheck(ctx context.Context, emails []string) error {
	if !v.Open {
		return nil
	}
	if len(emails) != 1 {
		return problem.BadUsage("without a key you can check one address at a time", "Give one address.")
	}
	email, err := hostname.ParseEmail(emails[0])
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	network := v.Shared.Keys.StrangerID("network of a check", v.Network.String())
	of := v.Shared.Keys.StrangerID("account of a check", account(email))
	err = v.limit(ctx, "open check", openTries, network, of)
	if err == nil {
		v.Log.Info("open check")
	}
	return err
}

// subject is whose tries are counted: those of a key or, without one, of a network.
func (v *Visitor) subject(kind string) sessionstore.ID {
	if v.Fingerprint == "" {
		return v.Shared.Keys.StrangerID("network "+kind, v.Network.String())
	}
	return v.Shared.Keys.SubjectID("key "+kind, v.Fingerprint)
}

// limit counts a try of something, such as a "ticket", and refuses it where there were too many
// within an hour or where it cannot be counted. The error is a [problem.Error].
func (v *Visitor) limit(ctx context.Context, what string, maxTries int, who ...sessionstore.ID) error {
	wait, err := v.Shared.Store.Try(ctx, who, maxTries, tryWithin)
	switch {
	case err != nil:
		v.Log.Error(what+" refused", "reason", "the tries cannot be counted", "error", err.Error())
		return problem.New("nothing was done: the store of this server, which counts "+what+"s, did not answer or failed", hintOperator)
	case wait > 0:
		v.Log.Warn(what+" refused", "reason", "too many tries", "wait", wait.Round(time.Second).String())
		return problem.New(fmt.Sprintf("the limit is %d %ss an hour, from an address or key and for an account", maxTries, what), again(v.Shared.Now(), wait))
	}
	return nil
}

// again says when something that is limited may be tried again.
func again(now time.Time, wait time.Duration) string {
	at := now.Add(wait + time.Minute - time.Nanosecond).UTC().Truncate(time.Minute)
	return fmt.Sprintf("Try again in %s, at %s.", human.InWords((wait + time.Second - time.Nanosecond).Truncate(time.Second)), at.Format("15:04 UTC"))
}
