package serve

import (
	"context"
	"encoding/hex"
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

// Tries are counted within an hour.
const tryWithin = time.Hour

const (
	openTries = 5 // checks without a key, from an address and of an account: they send passwords
	// wrongTries is how many sign-ins with a wrong password a visitor may make with a key and for
	// an account. Those that are under way count until it is known how they end.
	wrongTries = 20
)

// signingIn counts a sign-in of a visitor before its password is sent, and refuses it after too
// many wrong passwords. One that is not wrong is taken back. Those who have a key are let in where
// the store cannot count: it may be away for long.
func (v *Visitor) signingIn(ctx context.Context, username string) (ended func(error), err error) {
	who := v.subject("that signs in")
	whom := v.Shared.Desk.Keys.SubjectID("account that is signed in to", account(username))
	log := v.Log.With("fingerprint", v.Fingerprint, "account", hex.EncodeToString(whom[:8]))
	counting, cancel := context.WithTimeout(ctx, signInLimit)
	defer cancel()
	tried := []sessionstore.ID{who, whom}
	wait, uncounted := v.Shared.Desk.Store.Try(counting, tried, wrongTries, tryWithin)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case wait > 0:
		log.Warn("sign-in refused", "reason", "too many wrong passwords", "wait", wait.Round(time.Second).String())
		return nil, problem.New(fmt.Sprintf("no password was sent: the limit is %d wrong passwords an hour for your key and for this account", wrongTries),
			again(v.Shared.Now(), wait))
	case uncounted != nil:
		log.Error("sign-in not counted", "error", uncounted.Error())
	}
	return func(err error) {
		_, wrong := errors.AsType[*session.WrongPasswordError](err)
		switch {
		case wrong:
			v.Shared.WrongPasswords.Add(1)
			log.Warn("sign-in refused", "reason", "wrong password")
		case uncounted == nil:
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signInLimit)
			defer cancel()
			if err := v.Shared.Desk.Store.TakeBack(ctx, tried); err != nil {
				log.Error("sign-in counted as wrong", "error", err.Error())
			}
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
		return problem.BadUsage("without a key you can check one address at a time", "Give one address.")
	}
	email, err := hostname.ParseEmail(emails[0])
	if err != nil {
		reason, _ := errors.AsType[*hostname.EmailError](err)
		return problem.BadUsage("this is not an e-mail address: "+reason.Reason, "Give the address you sign in with.")
	}
	ctx, cancel := context.WithTimeout(ctx, deskLimit)
	defer cancel()
	keys := v.Shared.Desk.Keys
	err = v.limit(ctx, "open check", openTries, keys.SubjectID("network of a check", v.Network.String()), keys.SubjectID("account of a check", account(email)))
	if err == nil {
		v.Log.Info("open check")
	}
	return err
}

// subject is whose tries are counted: those of a key or, without one, of a network.
func (v *Visitor) subject(kind string) sessionstore.ID {
	if v.Fingerprint == "" {
		return v.Shared.Desk.Keys.SubjectID("network "+kind, v.Network.String())
	}
	return v.Shared.Desk.Keys.SubjectID("key "+kind, v.Fingerprint)
}

// limit counts a try of something, such as a "ticket", and refuses it where there were too many
// within an hour or where it cannot be counted. The error is a [problem.Error].
func (v *Visitor) limit(ctx context.Context, what string, maxTries int, who ...sessionstore.ID) error {
	wait, err := v.Shared.Desk.Store.Try(ctx, who, maxTries, tryWithin)
	switch {
	case err != nil:
		v.Log.Error(what+" refused", "reason", "the tries cannot be counted", "error", err.Error())
		return problem.New("nothing was done: the store of this server, which counts "+what+"s, did not answer or failed", hintOperator)
	case wait > 0:
		v.Log.Warn(what+" refused", "reason", "too many tries", "wait", wait.Round(time.Second).String())
		return problem.New(fmt.Sprintf("the limit is %d %ss an hour, from an address or key and for an account", maxTries, what), again(v.Shared.Now(), wait))
	default:
		return nil
	}
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
