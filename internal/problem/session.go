package problem

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/session"
)

// describeSession describes errors of the session.
func describeSession(err error) (description, bool) {
	if errors.Is(err, session.ErrSignedOut) {
		return description{kind: SignIn, text: "not signed in", hint: hintLogin, onScreen: "Sign in first."}, true
	}
	if e, ok := errors.AsType[*session.EndedError](err); ok {
		return description{kind: SignIn, text: "the session has ended: " + e.Reason, hint: hintLogin, onScreen: hintLoginOnScreen}, true
	}
	if e, ok := errors.AsType[*session.WrongPasswordError](err); ok {
		return description{text: could(e), hint: hintPassword}, true
	}
	if e, ok := errors.AsType[*session.DelayedError](err); ok {
		return description{text: notRenewed(e), hint: delayedHint(e)}, true
	}
	if e, ok := errors.AsType[*session.NotErasedError](err); ok {
		return describeNotErased(e), true
	}
	if e, ok := errors.AsType[*session.NotForgottenError](err); ok {
		return describeNotForgotten(e), true
	}
	if e, ok := errors.AsType[*session.NotSavedError](err); ok {
		return describeNotSaved(e), true
	}
	if e, ok := errors.AsType[*session.UnfinishedError](err); ok {
		return description{text: e.Error(), hint: "Start the program again to see who is signed in."}, true
	}
	if e, ok := errors.AsType[*session.MissingError](err); ok {
		return description{kind: Usage, text: "there is no " + e.What, hint: Sentence(e.How)}, true
	}
	if e, ok := errors.AsType[*session.NotReachedError](err); ok {
		return description{
			kind:     Usage,
			text:     e.Error(),
			hint:     "`gatehouse domains` lists those it reaches. If it is new, run `gatehouse login` again: the list is as old as the sign-in.",
			onScreen: "If it is new, sign in again: the list of domains is as old as the sign-in.",
		}, true
	}
	if e, ok := errors.AsType[*session.UnknownDomainError](err); ok {
		return description{kind: Usage, text: e.Error(), hint: "Use `--any-domain` if you trust its gateway with the token."}, true
	}
	return description{}, false
}

// notRenewed says why a renewal failed.
func notRenewed(e *session.DelayedError) string {
	const what = "could not renew the session: "
	cause := describe(e.Err).text
	if strings.HasPrefix(cause, what) {
		return cause
	}
	return what + cause
}

// Delay says how long the access token of a session still lives whose renewal failed, and
// when that is tried again; "" for a session in another state. span writes a duration.
func Delay(s session.Status, now time.Time, span func(time.Duration) string) string {
	delayed, ok := errors.AsType[*session.DelayedError](s.Reason)
	if !ok || s.State != session.Delayed {
		return ""
	}
	next := "the next attempt is at " + delayed.RetryAt.Local().Format(time.TimeOnly)
	switch left := s.ExpiresAt.Sub(now); {
	case s.ExpiresAt.IsZero():
		return Sentence(next)
	case left <= 0:
		return Sentence("the access token has expired; " + next)
	default:
		return Sentence("the access token lives " + span(left) + " more; " + next)
	}
}

func delayedHint(e *session.DelayedError) string {
	if refused, ok := errors.AsType[*api.TokenError](e.Err); ok && !errors.Is(refused, api.ErrServer) && !errors.Is(refused, api.ErrRateLimited) {
		return tokenRefusal(refused).hint // waiting does not help
	}
	return "Nothing is lost. The next attempt can be made at " + e.RetryAt.Local().Format(time.TimeOnly) + "."
}

// describeNotSaved names both: what to mend, and that the password is needed then.
func describeNotSaved(e *session.NotSavedError) description {
	hint := ""
	if failed, ok := errors.AsType[*session.VaultError](e.Err); ok {
		hint = vaultHint(failed)
	}
	return description{text: e.Error(), hint: strings.TrimSpace(hint + " Then run `gatehouse login`."), onScreen: hint}
}

// describeNotErased names both: what failed, and how to sign out again.
func describeNotErased(e *session.NotErasedError) description {
	const again = "Run `gatehouse logout`."
	hint := ""
	if failed, ok := errors.AsType[*session.VaultError](e.Err); ok {
		hint = vaultHint(failed)
	}
	return description{text: e.Error(), hint: strings.TrimSpace(hint + " " + again), onScreen: cmp.Or(hint, hintAgain)}
}

// describeNotForgotten says what failed, and what has not changed.
func describeNotForgotten(e *session.NotForgottenError) description {
	hint := "You are still signed in."
	if failed, ok := errors.AsType[*session.VaultError](e.Err); ok {
		hint = strings.TrimSpace(hint + " " + vaultHint(failed))
	}
	return description{text: e.Error(), hint: hint}
}

// describeVault describes errors of the vault.
func describeVault(err error) (description, bool) {
	e, ok := errors.AsType[*session.VaultError](err)
	if !ok {
		return description{}, false
	}
	return description{text: could(e), hint: vaultHint(e)}, true
}

func vaultHint(e *session.VaultError) string {
	var damaged *session.DamagedError
	switch {
	case errors.Is(e, session.ErrWrongPassphrase):
		return "Try again with the passphrase that the session was saved with, or sign out and sign in with a new one."
	case errors.Is(e, session.ErrKeyringUnavailable):
		return "Choose another store: `--store file` keeps the session in a file under a passphrase (GATEHOUSE_STORE_PASSPHRASE)."
	case errors.Is(e, session.ErrKeyringLocked):
		return "Unlock the keyring and try again, or choose `--store file`."
	case errors.Is(e, session.ErrBusy), errors.Is(e, session.ErrOutdated):
		return hintAgain
	case errors.Is(e, session.ErrKeyMissing):
		return "Nothing was deleted. Tell whoever runs this server, or sign in again."
	case errors.Is(e, session.ErrForeignKey), errors.Is(e, session.ErrForged), errors.Is(e, session.ErrNewerVersion):
		return "" // the error says what to do
	case errors.As(e, &damaged):
		return "Sign in again."
	case e.Kind != config.StoreKeyring && e.Kind != config.StoreFile:
		return "Nothing is lost while you stay connected. If it goes on, tell whoever runs this server."
	default:
		return "Check that the directory exists, belongs to you and can be written."
	}
}
