package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/human"
	"gatehouse/internal/mailaddress"
	"gatehouse/internal/sessionstore"
)

const (
	// openTries is how many checks somebody without a key may run within openWithin, from an
	// address and of an account. They send passwords.
	openTries  = 5
	openWithin = time.Hour
)

// withoutKey is the annotation of a command that somebody without a key may run.
const withoutKey = "visitors without a key may run it"

// isOpen reports whether the visitor was let in without a key, for checks alone.
func (v *visitor) isOpen() bool { return v != nil && v.connection != nil && v.connection.Open }

// withoutKeyLong is the help for them.
const withoutKeyLong = `Finds out why an account does not open, for whoever has its password and no key here. The password
is typed into this connection and sent to the authority once; nobody else learns it. Five
checks may be made in an hour.`

// admitCheck counts a check of somebody without a key before anything is asked or sent, and
// refuses it where too many have been made, or where they cannot be counted. Those with a key
// are known, and not limited.
func (a *app) admitCheck(ctx context.Context, emails []string) error {
	v := a.visitor
	if !v.isOpen() {
		return nil
	}
	if len(emails) != 1 {
		return usage("without a key one address is checked at a time", "Give one address.")
	}
	email, err := mailaddress.Parse(emails[0])
	if err != nil {
		reason, _ := errors.AsType[*mailaddress.Error](err)
		return usage("this is not an e-mail address: "+reason.Reason, "Give the address that you sign in with.")
	}
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	wait, err := v.shared.desk.tickets.Try(ctx, openTries, openWithin,
		sessionstore.Subject{Kind: "network of a check", Value: v.connection.Network.String()},
		sessionstore.Subject{Kind: "account of a check", Value: account(email)})
	switch {
	case err != nil:
		v.log.Error("open check refused", "reason", "the tries cannot be counted", "error", err.Error())
		return deskProblem("no check was made: the store of this server, which counts how many are made, did not answer or failed", hintOperator)
	case wait > 0:
		v.log.Warn("open check refused", "reason", "too many tries", "wait", wait.Round(time.Second).String())
		return deskProblem(fmt.Sprintf("%d checks were made within an hour from your address or for this account", openTries), a.again(wait))
	}
	v.log.Info("open check")
	return nil
}

// again says when something that is limited may be tried again.
func (a *app) again(wait time.Duration) string {
	at := a.env.Now().Add(wait + time.Minute - time.Nanosecond).UTC().Truncate(time.Minute)
	return fmt.Sprintf("Try again in %s, at %s.", human.InWords((wait + time.Second - time.Nanosecond).Truncate(time.Second)), at.Format("15:04 UTC"))
}

// account is an e-mail address as the limit of tries counts it: however it is written, it
// is one account.
func account(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	if name, err := config.CheckDomain(strings.TrimSuffix(domain, ".")); err == nil {
		domain = name
	}
	return strings.ToLower(strings.ToUpper(local + "@" + domain)) // also of letters that are two ways small
}
