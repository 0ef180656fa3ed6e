package problem

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/format"
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
	if claimed, ok := errors.AsType[*session.ClaimedError](e.Err); ok {
		return what + claimed.Error()
	}
	if failed, ok := errors.AsType[*session.VaultError](e.Err); ok && ofAServer(failed) {
		_, cause, _ := strings.Cut(failed.Error(), ": ") // which step it was does not help
		return what + cause
	}
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

// Waiting says until when a renewal waits for another server, why, and what works meanwhile;
// "" where none waits. span writes a duration.
func Waiting(s session.Status, now time.Time, span func(time.Duration) string) string {
	if s.WaitsUntil.IsZero() {
		return ""
	}
	text := fmt.Sprintf("Another server began to renew this session and has not finished. This one waits until %s (%s), so that no token is sent twice.",
		claimEnd(s.WaitsUntil), span(max(s.WaitsUntil.Sub(now), 0)))
	switch left := s.ExpiresAt.Sub(now); {
	case s.ExpiresAt.IsZero():
		return text
	case left <= 0:
		return text + " The access token has expired: nothing is loaded until then."
	default:
		return text + " The access token works for " + span(left) + " more."
	}
}

// claimEnd is when the right of another server to renew a session ends, for people who may be
// anywhere.
func claimEnd(at time.Time) string { return at.UTC().Format("15:04:05 UTC") }

func delayedHint(e *session.DelayedError) string {
	if _, claimed := errors.AsType[*session.ClaimedError](e.Err); claimed {
		return "Nothing is lost. So that no token is sent twice, the next attempt is made at " + claimEnd(e.RetryAt) + "."
	}
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
		if ofAServer(failed) && hint == serverStoreHint(failed.Op) {
			hint = serverStoreHint("delete") // what is lost, the text says
		}
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
	if format.IsNewer(e) {
		return newerSession(e), true
	}
	if claimed, ok := errors.AsType[*session.ClaimedError](err); ok {
		return description{
			text: could(&session.VaultError{Kind: e.Kind, Op: "change", Err: claimed}),
			hint: "Nothing is lost. Try again in a minute and a half, when that server has finished, or may no longer send a token.",
		}, true
	}
	return description{text: could(e), hint: vaultHint(e)}, true
}

// newerSession says what to do about a session of a newer program, and how to do without it.
func newerSession(e *session.VaultError) description {
	if e.Kind != config.StoreKeyring && e.Kind != config.StoreFile { // of a server
		return description{text: could(e), hint: "It is left as it is. Tell whoever runs this server, or sign in without having the session kept."}
	}
	return description{
		text:     could(e),
		hint:     "It is left as it is: upgrade gatehouse. Without it, `gatehouse --store memory` opens the UI, and `gatehouse logout` deletes it for good.",
		onScreen: "It is left as it is: upgrade gatehouse. Until then you can go on without saving.",
	}
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
	case errors.Is(e, session.ErrLocked):
		return "Nothing was changed. While you stay connected it is tried again; a command has to be run again."
	case errors.Is(e, session.ErrKeyMissing):
		return "Nothing was deleted. Tell whoever runs this server, or sign in again."
	case errors.Is(e, session.ErrForeignKey), errors.Is(e, session.ErrForged):
		return "" // the error says what to do
	case errors.As(e, &damaged):
		return "Sign in again."
	case ofAServer(e):
		return serverStoreHint(e.Op)
	default:
		return "Check that the directory exists, belongs to you and can be written."
	}
}

// ofAServer reports whether a vault is the store of a server, whose visitors cannot mend it.
func ofAServer(e *session.VaultError) bool {
	return e.Kind != config.StoreKeyring && e.Kind != config.StoreFile
}

// serverStoreHint says what a visitor can do about a store that failed, and what is lost.
func serverStoreHint(op string) string {
	const tell = "if it goes on, tell whoever runs this server, whose log says more."
	switch op {
	case "read", "reach":
		return "Nothing is lost. Try again in a minute; " + tell
	case "delete":
		return "Try again in a minute; " + tell
	default:
		return "Nothing is lost while you stay connected, and it is tried again; " + tell
	}
}
