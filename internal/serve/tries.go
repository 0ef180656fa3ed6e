package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

const (
	// openTries is how many checks somebody without a key may run within openWithin, from an
	// address and of an account. They send passwords.
	openTries  = 5
	openWithin = time.Hour
)

// wrongTries is how many sign-ins with a wrong password a visitor may make within openWithin, with
// a key and for an account. Those that are under way count until it is known how they end.
const wrongTries = 20

// signingIn counts a sign-in of a visitor before its password is sent, and refuses it after too
// many wrong passwords. One that is not wrong is taken back. Those who have a key are let in where
// the store cannot count: it may be away for long.
func (v *Visitor) signingIn(ctx context.Context, username string) (ended func(error), err error) {
	who := sessionstore.Subject{Kind: "key that signs in", Value: v.Fingerprint}
	if who.Value == "" {
		who = sessionstore.Subject{Kind: "network that signs in", Value: v.Network.String()}
	}
	whom := sessionstore.Subject{Kind: "account that is signed in to", Value: account(username)}
	log := v.Log.With("fingerprint", v.Fingerprint, "account", v.Shared.Tries.SubjectName(whom))
	counting, cancel := context.WithTimeout(ctx, signInLimit)
	defer cancel()
	wait, err := v.Shared.Tries.Try(counting, wrongTries, openWithin, who, whom)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case wait > 0:
		log.Warn("sign-in refused", "reason", "too many wrong passwords", "wait", wait.Round(time.Second).String())
		return nil, deskProblem(fmt.Sprintf("no password was sent: %d sign-ins with your key or for this account were wrong within an hour, or are under way", wrongTries),
			again(v.Shared.Now(), wait))
	}
	counted := err == nil
	if !counted {
		log.Error("sign-in not counted", "error", err.Error())
	}
	return func(err error) {
		if _, wrong := errors.AsType[*session.WrongPasswordError](err); wrong {
			v.Shared.WrongPasswords.Add(1)
			log.Warn("sign-in refused", "reason", "wrong password")
			return
		}
		if !counted {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signInLimit)
		defer cancel()
		if err := v.Shared.Tries.TakeBack(ctx, who, whom); err != nil {
			log.Error("sign-in counted as wrong", "error", err.Error())
		}
	}, nil
}

// signInLimit bounds how long a sign-in waits for what counts it.
const signInLimit = 3 * time.Second

// AdmitCheck counts a check of somebody without a key before anything is asked or sent, and
// refuses it where too many have been made, or where they cannot be counted. Those with a key
// are known, and not limited. The error is a [problem.Error].
func (v *Visitor) AdmitCheck(ctx context.Context, emails []string) error {
	if !v.Open {
		return nil
	}
	if len(emails) != 1 {
		return problem.BadUsage("without a key one address is checked at a time", "Give one address.")
	}
	email, err := hostname.ParseEmail(emails[0])
	if err != nil {
		reason, _ := errors.AsType[*hostname.EmailError](err)
		return problem.BadUsage("this is not an e-mail address: "+reason.Reason, "Give the address that you sign in with.")
	}
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	wait, err := v.Shared.Desk.Tickets.Try(ctx, openTries, openWithin,
		sessionstore.Subject{Kind: "network of a check", Value: v.Network.String()},
		sessionstore.Subject{Kind: "account of a check", Value: account(email)})
	switch {
	case err != nil:
		v.Log.Error("open check refused", "reason", "the tries cannot be counted", "error", err.Error())
		return deskProblem("no check was made: the store of this server, which counts how many are made, did not answer or failed", hintOperator)
	case wait > 0:
		v.Log.Warn("open check refused", "reason", "too many tries", "wait", wait.Round(time.Second).String())
		return deskProblem(fmt.Sprintf("%d checks were made within an hour from your address or for this account", openTries), again(v.Shared.Now(), wait))
	}
	v.Log.Info("open check")
	return nil
}

// again says when something that is limited may be tried again.
func again(now time.Time, wait time.Duration) string {
	at := now.Add(wait + time.Minute - time.Nanosecond).UTC().Truncate(time.Minute)
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
