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
	// OpenUser is the user name under which anybody can run a check without a key, see
	// [sshd.Access].
	OpenUser = "check"
	// TicketCommand is the name of the command that shows a ticket.
	TicketCommand = "ticket"
	// deskTimeout bounds each use of the store for tickets and checks.
	deskTimeout = 10 * time.Second
)

const (
	// tryWithin is the time within which tries are counted.
	tryWithin = time.Hour
	// openTries is how many checks can be made without a key, from an address and of an account. It
	// is low, as each check sends a password.
	openTries = 5
	// ticketTries is how many tickets can be asked for with a key or from an address.
	ticketTries = 60
)

// openDesk reads the keys of the support desk and lets in visitors without a key, as far as the
// flags say so. It warns the operator about the latter.
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
	const format = "Anyone can run a check with `ssh -t %s@HOST check EMAIL --sign-in`, without a key, " +
		"and so try passwords: %d an hour from an address, and %[2]d for an account."
	operator.tell(slog.LevelWarn, "open check", fmt.Sprintf(format, OpenUser, openTries),
		"user", OpenUser, "tries", openTries, "within", tryWithin.String())
	return nil
}

// desk is where tickets are kept.
func (s *Visitors) desk() *sessionstore.Desk {
	return &sessionstore.Desk{Store: s.Store, Keys: s.Keys, Now: s.Now}
}

// HasDesk reports whether the server keeps tickets for a support desk.
func (v *Visitor) HasDesk() bool { return v.Shared.Staff != nil }

// isStaff reports whether the visitor has a key of the support desk.
func (v *Visitor) isStaff() bool {
	return v.HasDesk() && v.Shared.Staff.Holds(v.Connection, v.Shared.Now())
}

// ownerOf is the owner of what a visitor keeps: the holder of their key or, with a certificate,
// of its key id.
func ownerOf(c *sshd.Connection) sessionstore.Owner {
	if c.Certificate != nil && c.Certificate.KeyID != "" {
		return sessionstore.Owner{KeyID: c.Certificate.KeyID, Authority: c.Certificate.Authority}
	}
	return sessionstore.Owner{Fingerprint: c.Fingerprint}
}

// LeaveTicket keeps the report of a check for the support desk, as a ticket whose code is the id
// of the report, and returns when the ticket ends. The error is for the visitor; the log says
// more.
func (v *Visitor) LeaveTicket(ctx context.Context, report check.Report) (ends time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, deskTimeout)
	defer cancel()
	desk := v.Shared.desk()
	text, err := report.Keep()
	if err == nil {
		ends, err = desk.Leave(ctx, report.ID, ownerOf(v.Connection), v.Network.String(), text)
	}
	if err != nil {
		v.Log.Error("no ticket left", "error", err.Error())
		if !errors.Is(err, sessionstore.ErrTicketSize) {
			err = errors.New("the store of this server did not answer or failed; its log says why")
		}
		return ends, err
	}
	v.Log.Info("ticket left", "ticket", desk.Name(report.ID))
	return ends, nil
}

// ReadTicket returns the report in the ticket of a code, and when the ticket ends. Only the support
// desk can read tickets. The error is a [problem.Error].
func (v *Visitor) ReadTicket(
	ctx context.Context, code string,
) (report check.Report, ends time.Time, err error) {
	err = v.withTicket(ctx, code, "read", func(ctx context.Context, desk *sessionstore.Desk) error {
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

// DeleteTicket deletes the ticket of a code, for the support desk or the person who left it. The
// error is a [problem.Error].
func (v *Visitor) DeleteTicket(ctx context.Context, code string) error {
	return v.withTicket(ctx, code, "deleted", func(ctx context.Context, desk *sessionstore.Desk) error {
		return desk.Delete(ctx, code, ownerOf(v.Connection), v.isStaff())
	})
}

// withTicket calls do for the ticket of a code, and logs that it was done; done is a participle,
// such as "read". The number of calls is limited, so that codes cannot be guessed. For the same
// reason the error does not tell a ticket of somebody else from one that does not exist.
func (v *Visitor) withTicket(
	ctx context.Context, code, done string, do func(context.Context, *sessionstore.Desk) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, deskTimeout)
	defer cancel()
	if err := v.countTry(ctx, "ticket", ticketTries, v.subject("for tickets")); err != nil {
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
			"Only the support desk can read tickets. "+
				"The person who left one can delete it with `--delete` and the same key. "+
				"Tickets expire after "+human.InWords(sessionstore.TicketLife)+".")
	}
	log.Error("ticket not opened", "error", err.Error())
	if isNewer {
		return problem.New("the ticket was not changed: "+newer.Error(),
			"Read it at a server with the same version, or ask the operator to upgrade this one.")
	}
	const format = "the ticket could not be %s: the store of this server failed, " +
		"or holds a ticket that this server cannot open"
	return problem.New(fmt.Sprintf(format, done), hintOperator)
}

// hintOperator tells a visitor what to do about a store that fails.
const hintOperator = "Try again in a minute. If that keeps failing, tell the operator of this server; its log says more."

// AdmitCheck counts the check of a visitor without a key before anything is asked or sent. The
// error refuses it, as too many were made or they cannot be counted. Visitors with a key are
// known, and not limited.
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
	ctx, cancel := context.WithTimeout(ctx, deskTimeout)
	defer cancel()
	network := v.Shared.Keys.StrangerID("network of a check", v.Network.String())
	account := v.Shared.Keys.StrangerID("account of a check", accountName(email))
	err = v.countTry(ctx, "open check", openTries, network, account)
	if err == nil {
		v.Log.Info("open check")
	}
	return err
}

// subject is whose tries are counted for a visitor: the holder of their key or, without one,
// everybody in their network. kind is what is tried, such as "for tickets".
func (v *Visitor) subject(kind string) sessionstore.ID {
	if v.Fingerprint == "" {
		return v.Shared.Keys.StrangerID("network "+kind, v.Network.String())
	}
	return v.Shared.Keys.SubjectID("key "+kind, v.Fingerprint)
}

// countTry counts a try of something, such as a "ticket", for some subjects. It refuses the try
// if one of them has made maxTries within an hour, or if it cannot be counted. The error is a
// [problem.Error].
func (v *Visitor) countTry(
	ctx context.Context, what string, maxTries int, subjects ...sessionstore.ID,
) error {
	wait, err := v.Shared.Store.Try(ctx, subjects, maxTries, tryWithin)
	switch {
	case err != nil:
		v.Log.Error(what+" refused", "reason", "the tries cannot be counted", "error", err.Error())
		return problem.New("nothing was done: the store of this server, which counts "+what+
			"s, did not answer or failed", hintOperator)
	case wait > 0:
		v.Log.Warn(what+" refused",
			"reason", "too many tries",
			"wait", wait.Round(time.Second).String())
		const format = "the limit is %d %ss an hour, from an address or key and for an account"
		return problem.New(fmt.Sprintf(format, maxTries, what), tryAgain(v.Shared.Now(), wait))
	}
	return nil
}

// tryAgain says when something that is limited may be tried again.
func tryAgain(now time.Time, wait time.Duration) string {
	seconds := roundUp(wait, time.Second)
	at := now.Add(wait + time.Minute - time.Nanosecond).UTC().Truncate(time.Minute)
	return fmt.Sprintf("Try again in %s, at %s.", human.InWords(seconds), at.Format("15:04 UTC"))
}

// roundUp rounds a positive duration up to a multiple of unit.
func roundUp(d, unit time.Duration) time.Duration {
	return (d + unit - time.Nanosecond).Truncate(unit)
}
