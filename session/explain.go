package session

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/problem"
)

// signedOutError is the type of [ErrSignedOut].
type signedOutError struct{}

func (signedOutError) Error() string { return "not signed in" }

func (signedOutError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.SignIn, Text: "not signed in", Hint: hintLogin, OnScreen: "Sign in first."}
}

const hintLogin = "Run `gatehouse login`."

func (e *EndedError) Explain() problem.Explanation {
	p := problem.Explanation{Kind: problem.SignIn, Text: e.what() + e.Reason, Hint: hintLogin, OnScreen: "Sign in again."}
	if e.Elsewhere {
		p.Hint = "Correct the profile to use that session, or run `gatehouse login` to replace it."
		p.OnScreen = "Correct the profile to use that session, or sign in to replace it."
	}
	return p
}

func (e *WrongPasswordError) Explain() problem.Explanation {
	return problem.Explanation{Text: "could not " + e.Error(), Hint: e.Err.Explain().Hint}
}

func (e *UnfinishedError) Explain() problem.Explanation {
	return problem.Explanation{Text: e.Error(), Hint: "Start the program again to see who is signed in."}
}

func (e *MissingError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: "there is no " + e.What, Hint: problem.Sentence(e.How)}
}

func (e *NotReachedError) Explain() problem.Explanation {
	return problem.Explanation{
		Kind:     problem.Usage,
		Text:     e.Error(),
		Hint:     "`gatehouse domains` lists its domains. If this one is new, run `gatehouse login` again to update the list.",
		OnScreen: "If the domain is new, sign in again to update the list.",
	}
}

func (e *UnknownDomainError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: "Use `--any-domain` if you trust its gateway with the token."}
}

// Explain says why the renewal failed, and when it is tried again.
func (e *DelayedError) Explain() problem.Explanation {
	const what = "could not renew the session: "
	cause := problem.Explain(e.Err)
	p := problem.Explanation{
		Text: what + strings.TrimPrefix(cause.Text, what),
		Hint: "Nothing is lost. The next attempt can be made at " + e.RetryAt.Local().Format(time.TimeOnly) + ".",
	}
	claimed, isClaimed := errors.AsType[*ClaimedError](e.Err)
	failed, isVault := errors.AsType[*VaultError](e.Err)
	refused, isRefused := errors.AsType[*api.TokenError](e.Err)
	switch {
	case isClaimed:
		p.Text = what + claimed.Error()
		p.Hint = "Nothing is lost. To avoid sending a token twice, the next attempt is at " + e.RetryAt.UTC().Format("15:04:05 UTC") + "." // people may be anywhere
	case isVault && failed.ofAServer(): // which step failed does not help
		_, reason, _ := strings.Cut(failed.Error(), ": ")
		p.Text = what + reason
	case isRefused && refused.Status < 500 && refused.Status != http.StatusTooManyRequests:
		p.Hint = refused.Explain().Hint // waiting does not help
	}
	return p
}

// NextAttempt says how long the access token of a [Delayed] session still lives, and when its
// renewal is tried again; "" for a session in another state. span writes a duration.
func (s Status) NextAttempt(now time.Time, span func(time.Duration) string) string {
	delayed, ok := errors.AsType[*DelayedError](s.Reason)
	if !ok || s.State != Delayed {
		return ""
	}
	next := "the next attempt is at " + delayed.RetryAt.Local().Format(time.TimeOnly)
	switch left := s.ExpiresAt.Sub(now); {
	case s.ExpiresAt.IsZero():
		return problem.Sentence(next)
	case left <= 0:
		return problem.Sentence("the access token has expired; " + next)
	default:
		return problem.Sentence("the access token is valid for " + span(left) + " more; " + next)
	}
}

// Explain implements [problem.Explainer]: what to mend, and that the password is needed then.
func (e *NotSavedError) Explain() problem.Explanation {
	hint := hintOf(e.Err)
	if failed, ok := errors.AsType[*VaultError](e.Err); ok && failed.ofAServer() && hint == storeHint(failed.Op) {
		hint = storeHint("delete") // what is lost, the text says
	}
	return problem.Explanation{Text: e.Error(), Hint: strings.TrimSpace(hint + " Then run `gatehouse login`."), OnScreen: hint}
}

// Explain implements [problem.Explainer]: what failed, and how to sign out again.
func (e *NotErasedError) Explain() problem.Explanation {
	hint := hintOf(e.Err)
	return problem.Explanation{Text: e.Error(), Hint: strings.TrimSpace(hint + " Run `gatehouse logout`."), OnScreen: cmp.Or(hint, hintAgain)}
}

const hintAgain = "Try again."

// hintOf is what to do about a vault that failed, "" for another error.
func hintOf(err error) string {
	if failed, ok := errors.AsType[*VaultError](err); ok {
		return failed.hint()
	}
	return ""
}

func (e *VaultError) Explain() problem.Explanation {
	p := problem.Explanation{Text: "could not " + e.Error(), Hint: e.hint()}
	claimed, isClaimed := errors.AsType[*ClaimedError](e)
	switch {
	case files.IsNewer(e) && e.ofAServer():
		p.Hint = "Nothing was changed. Tell the operator of this server, or sign in without keeping the session."
	case files.IsNewer(e):
		p.Hint = "Nothing was changed: upgrade gatehouse. `gatehouse --store memory` opens the UI without this session, and `gatehouse logout` deletes it for good."
		p.OnScreen = "Nothing was changed: upgrade gatehouse. Until then you can continue without saving."
	case isClaimed:
		p.Text = "could not " + (&VaultError{Kind: e.Kind, Op: "change", Err: claimed}).Error()
		p.Hint = "Nothing is lost. Try again in 90 seconds: by then that server has finished or its claim has expired."
	}
	return p
}

func (e *VaultError) hint() string {
	var damaged *DamagedError
	switch {
	case errors.Is(e, ErrWrongPassphrase):
		return "Try again with the passphrase that the session was saved with, or sign out and sign in with a new one."
	case errors.Is(e, ErrKeyringUnavailable):
		return "Choose another store: `--store file` keeps the session in a file under a passphrase (GATEHOUSE_STORE_PASSPHRASE)."
	case errors.Is(e, ErrKeyringLocked):
		return "Unlock the keyring and try again, or choose `--store file`."
	case errors.Is(e, ErrBusy), errors.Is(e, ErrOutdated):
		return hintAgain
	case errors.Is(e, ErrLocked):
		return "Nothing was changed. The server tries again while you stay connected; run a command again."
	case errors.Is(e, ErrKeyMissing):
		return "Nothing was deleted. Tell the operator of this server, or sign in again."
	case errors.Is(e, ErrForeignKey), errors.Is(e, ErrForged):
		return "" // the error says what to do
	case errors.As(e, &damaged):
		return "Sign in again."
	case e.ofAServer():
		return storeHint(e.Op)
	default:
		return "Check that the directory exists, belongs to you and is writable."
	}
}

// ofAServer reports whether a vault is the store of a server, whose visitors cannot mend it.
func (e *VaultError) ofAServer() bool {
	return e.Kind != config.StoreKeyring && e.Kind != config.StoreFile
}

// storeHint says what a visitor can do about a store that failed, and what is lost.
func storeHint(op string) string {
	const tell = "if that keeps failing, tell the operator of this server; its log says more."
	switch op {
	case "read", "reach":
		return "Nothing is lost. Try again in a minute; " + tell
	case "delete":
		return "Try again in a minute; " + tell
	default:
		return "Nothing is lost while you stay connected, and the server tries again; " + tell
	}
}
