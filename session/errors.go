package session

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"gatehouse/api"
	"gatehouse/internal/files"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
)

// ErrSignedOut means that nobody is signed in: the vault has no session, or it was
// signed out.
var ErrSignedOut error = signedOutError{}

type signedOutError struct{}

func (signedOutError) Error() string { return "not signed in" }

func (e signedOutError) Explain() problem.Explanation {
	return problem.Explanation{
		Kind: problem.SignIn,
		Text: e.Error(),
		Help: problem.HelpSignInFirst,
	}
}

const hintAgain = "Try again."

// EndedError means that a session can no longer be used: the user has to sign in again. With
// [EndMoved] the session itself has not ended, and works again once the profile is as it was.
type EndedError struct {
	Reason EndReason
	Answer string // what the service said, as a clause; "" if it was not asked
	MadeAt string // the URL of the authority that issued the session; only with [EndMoved]
	Err    error  // the error of the service or of the vault, or nil
}

func (e *EndedError) Error() string {
	text := "the session has ended: " + e.Reason.String()
	switch {
	case e.Reason == EndMoved:
		return "the saved session " + e.Reason.String() + "; it was made at " + e.MadeAt
	case e.Answer != "":
		return text + "; " + e.Answer
	}
	return text
}

func (e *EndedError) Unwrap() error { return e.Err }

func (e *EndedError) Explain() problem.Explanation {
	p := problem.Explanation{Kind: problem.SignIn, Text: e.Error(), Help: problem.HelpSignIn}
	if e.Reason == EndMoved {
		p.Hint, p.Help = "Correct the profile to use that session.", problem.HelpReplace
	}
	return p
}

// EndReason is why a session has ended. It is saved with the session, so that the next start of
// the program can show it.
type EndReason string

// The reasons. The values must not change, as they are in saved files.
const (
	// EndRefused: the service no longer accepts the refresh token.
	EndRefused EndReason = "refused"
	// EndLost: the same, after a renewal whose answer was lost.
	EndLost EndReason = "lost"
	// EndTooOld: the same, more than [RefreshLife] after the sign-in.
	EndTooOld EndReason = "too-old"
	// EndNotRenewable: the access token has expired and there is no refresh token.
	EndNotRenewable EndReason = "not-renewable"
	// EndSignedOut: another process has signed out.
	EndSignedOut EndReason = "signed-out"
	// EndReplaced: another user has signed in with this profile.
	EndReplaced EndReason = "replaced"
	// EndOtherAccount: a renewal was answered with the tokens of another account.
	EndOtherAccount EndReason = "other-account"
	// EndMoved: the profile names another installation or client.
	EndMoved EndReason = "moved"
)

var endReasons = map[EndReason]string{
	EndRefused:      "the service no longer accepts its refresh token",
	EndLost:         "the answer to its last renewal was lost, and the service no longer accepts the refresh token that was sent",
	EndTooOld:       "the sign-in is more than 30 days old",
	EndNotRenewable: "its access token has expired and cannot be renewed: the sign-in without offline_access gave no refresh token",
	EndSignedOut:    "it was signed out elsewhere",
	EndReplaced:     "another user signed in with this profile in another window",
	EndOtherAccount: "the service answered its renewal with the tokens of another account, which were not used",
	EndMoved:        "belongs to another authority, gateway or client than the profile now names",
}

// String returns the reason as a clause. Version 1.0 saved the clause itself, which is returned as
// it is.
func (r EndReason) String() string { return cmp.Or(endReasons[r], string(r)) }

// ClientChangedError means that the service refused a renewal after the client secret or
// client_auth of the profile had changed. The service does not say whether it refuses the client
// or the refresh token, so the session is kept.
type ClientChangedError struct{ Err error }

func (e *ClientChangedError) Error() string { return e.Err.Error() }

func (e *ClientChangedError) Unwrap() error { return e.Err }

func (e *ClientChangedError) Explain() problem.Explanation {
	p := problem.Explain(e.Err)
	p.Hint = "The client secret or client_auth of the profile has changed since the session was" +
		" last renewed: check them, or sign in again."
	p.OnScreen, p.Help = "", problem.HelpCheckClient
	return p
}

// errNotRenewable is the error of [Session.Renew] if there is no refresh token but the access
// token is still valid.
var errNotRenewable = errors.New("the session has no refresh token to renew it with")

// TokenFate is what is known about a refresh token after a renewal has failed.
type TokenFate uint8

const (
	// TokenInDoubt: it was sent, now or before, and the service may have replaced it.
	TokenInDoubt TokenFate = iota
	// TokenKept: it was not sent, or the service answered with an error.
	TokenKept
	// TokenElsewhere: another process has the lease on it, and the outcome is not known here.
	TokenElsewhere
	// TokenRefused: the service refused either the token or the client, and did not say which.
	TokenRefused
)

// fates explains a [TokenFate] to a person. About the others there is nothing to say.
var fates = map[TokenFate]string{
	TokenInDoubt: "It is not known whether the service has replaced the token. If it has, you have to sign in again.",
	TokenKept:    "Nothing is lost.",
}

// DelayedError means that a renewal failed, perhaps temporarily: the service was not reached or
// failed itself, or the vault cannot be written.
type DelayedError struct {
	RetryAt time.Time // no other attempt is made before; a program that stays tries again then
	Token   TokenFate
	Err     error
}

func (e *DelayedError) Error() string { return fmt.Sprintf("renewal is delayed: %v", e.Err) }

func (e *DelayedError) Unwrap() error { return e.Err }

// Explain says why the renewal failed and what is known about the token. A screen, which stays,
// says when the next attempt is; a command, which ends, says what helps.
func (e *DelayedError) Explain() problem.Explanation {
	cause := problem.Explain(e.Err)
	// The zone is shown, as a visitor of a server may be in another one.
	next := "The next attempt is at " + e.RetryAt.Local().Format("15:04:05 MST") + "."
	_, ofVault := errors.AsType[*VaultError](e.Err)
	switch {
	case e.isLasting():
		next = cmp.Or(cause.OnScreen, cause.Hint)
	case ofVault && cause.OnScreen != "": // somebody has to do something
		next = cause.OnScreen + " " + next
	}
	return problem.Explanation{
		Text:     "could not renew the session: " + e.cause(cause),
		Hint:     e.withFate(cmp.Or(cause.Hint, hintAgain)),
		OnScreen: e.withFate(next),
		Help:     cause.Help,
	}
}

// cause says why the renewal failed, without saying that a renewal failed.
func (e *DelayedError) cause(explained problem.Explanation) string {
	if answer := answerOf(e.Err); answer != "" {
		return answer
	}
	return explained.Text
}

// isLasting reports whether the service refuses for a reason that waiting does not change.
func (e *DelayedError) isLasting() bool {
	_, changed := errors.AsType[*ClientChangedError](e.Err)
	return changed || api.RefusalOf(e.Err) == api.RefusalOfClient
}

// withFate puts what is known about the token before a hint.
func (e *DelayedError) withFate(hint string) string {
	return strings.TrimSpace(fates[e.Token] + " " + hint)
}

// StaleVaultError means that the vault does not have the state that the session has in this
// process. If Erasing, it still holds a session that was signed out, and the next start would
// restore it. Otherwise it lacks the newest tokens, and the next start needs the password.
type StaleVaultError struct {
	Erasing bool
	Err     error // of the vault
}

func (e *StaleVaultError) Error() string {
	what := "the session could not be saved and ends with this program"
	if e.Erasing {
		what = "signed out, but the saved session could not be deleted"
	}
	return fmt.Sprintf("%s: %v", what, e.Err)
}

func (e *StaleVaultError) Unwrap() error { return e.Err }

func (e *StaleVaultError) Explain() problem.Explanation {
	cause := problem.Explain(e.Err)
	help := problem.HelpSignIn
	if e.Erasing {
		help = problem.HelpSignOut
	}
	return problem.Explanation{
		Text:     e.Error(),
		Hint:     cause.Hint,
		OnScreen: cmp.Or(cause.OnScreen, cause.Hint, hintAgain),
		Help:     help,
	}
}

// errUnfinished means that the program ends during a renewal or erasure, so that it is unknown
// what the vault contains.
var errUnfinished = problem.New(
	"the session was being renewed or erased when the program ended: the saved session may be out of date",
	"Start the program again to see who is signed in.",
)

// WrongPasswordError means that the token endpoint refused the e-mail address or the
// password (interface section 4.1) and gave no other reason. The service does not say which of
// the two is wrong.
type WrongPasswordError struct {
	Username, Host string
	Err            error // an *[api.TokenError], or an *[api.StatusError] if it was not OAuth
}

func (e *WrongPasswordError) Error() string {
	text := fmt.Sprintf("sign in as %s at %s: wrong e-mail address or password", e.Username, e.Host)
	if said := api.SaidBy(e.Err); said != "" {
		text += " (the service says: " + strings.TrimSuffix(said, ".") + ")"
	}
	return text
}

func (e *WrongPasswordError) Unwrap() error { return e.Err }

func (e *WrongPasswordError) Explain() problem.Explanation {
	return problem.Explanation{Text: "could not " + e.Error(), Hint: problem.Explain(e.Err).Hint}
}

// Missing is a value that a call needs.
type Missing uint8

// The values that may be missing.
const (
	MissingEmail Missing = iota
	MissingPassword
	MissingGlobal // the URL of the global service
	MissingDomain
	MissingReseller // the id of one
	MissingAPIKey
)

var missing = map[Missing]struct {
	what, hint string
	help       problem.Help
}{
	MissingEmail:    {"e-mail address", "Give the one to sign in with.", problem.HelpNone},
	MissingPassword: {"password", "Give the one of the account.", problem.HelpNone},
	MissingGlobal:   {"global service", "Set global_url, or choose another authority.", problem.HelpNone},
	MissingDomain:   {"domain", "The session names no primary domain.", problem.HelpNameDomain},
	MissingReseller: {"reseller id", "", problem.HelpNameReseller},
	MissingAPIKey:   {"API key", "It takes a reseller key or a company key.", problem.HelpAPIKey},
}

// MissingError means that a call needs a value that is not in its arguments, the profile
// or the session.
type MissingError struct{ What Missing }

func (e *MissingError) Error() string { return "no " + missing[e.What].what + " is given" }

func (e *MissingError) Explain() problem.Explanation {
	m := missing[e.What]
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: m.hint, Help: m.help}
}

// NotReachedError means that the access token does not list a domain. The token is therefore not
// sent to a host of that domain: after a typing error that might be anybody's.
type NotReachedError struct {
	Domain string
	Unread int // domains that the token lists beyond [MaxDomains]; this one may be among them
}

func (e *NotReachedError) Error() string {
	if e.Unread > 0 {
		return fmt.Sprintf("the domain %s is not among the first %s in the access token,"+
			" and only these are read", hostname.Readable(e.Domain), human.Number(MaxDomains))
	}
	return fmt.Sprintf("the account has no access to the domain %s", hostname.Readable(e.Domain))
}

func (e *NotReachedError) Explain() problem.Explanation {
	if e.Unread > 0 {
		hint := "Ask the operator of the authority for an access token with fewer domains."
		return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Hint: hint}
	}
	return problem.Explanation{
		Kind: problem.Usage,
		Text: e.Error(),
		Help: problem.HelpReload,
	}
}

// UnknownDomainError means that the access token has no claims, so it is unknown whether the token
// is meant for this domain. [Service.AllowDomain] allows to send it there.
type UnknownDomainError struct{ Domain string }

func (e *UnknownDomainError) Error() string {
	return fmt.Sprintf("the access token does not name its domains, so %s may not be one of them",
		hostname.Readable(e.Domain))
}

func (e *UnknownDomainError) Explain() problem.Explanation {
	return problem.Explanation{Kind: problem.Usage, Text: e.Error(), Help: problem.HelpTrustDomain}
}

// Explain says what to do about each error of a vault.
func (e *VaultError) Explain() problem.Explanation {
	p := problem.Explanation{Text: "could not " + e.Error(), Hint: e.Hint}
	_, damaged := errors.AsType[*DamagedError](e)
	switch {
	case p.Hint != "":
	case damaged, errors.Is(e, errBadKey):
		p.Kind, p.Help = problem.SignIn, problem.HelpSignIn
	case isTooLong(e):
		p.Hint, p.Help = "Tell the operator of the service how long its tokens are.", problem.HelpNoStore
	case files.IsNewer(e):
		p.Hint, p.Help = "Nothing was changed: upgrade this program.", problem.HelpForget
	case errors.Is(e, ErrForeignKey):
		p.Hint = "Choose that store, or sign in again."
	case errors.Is(e, ErrWrongPassphrase):
		p.Hint = "Try again with the passphrase that the session was saved with," +
			" or sign out and sign in with a new passphrase."
	case errors.Is(e, keyring.ErrSetDataTooBig):
		p.Help = problem.HelpSecretOutside
	case errors.Is(e, ErrKeeperUnavailable), errors.Is(e, ErrKeeperLocked):
		p.Hint, p.Help = "Choose another store.", problem.HelpOtherStore
		if kept, ok := errors.AsType[*keeperError](e); ok && kept.hint != "" {
			p.Hint = kept.hint
		}
	case files.IsDiskFull(e):
		p.Hint = "Free some space on that disk, then try again."
		p.OnScreen = "Free some space on that disk."
	case files.IsReadOnly(e):
		p.Hint, p.Help = "Its disk is read-only, perhaps after a fault: make it writable.", problem.HelpStateDir
		p.OnScreen = p.Hint
	case errors.Is(e, files.ErrNoLocks):
		p.Hint, p.Help = "Keep the session on a disk of this computer.", problem.HelpStateDir
		p.OnScreen = p.Hint
	case errors.Is(e, ErrBusy), errors.Is(e, ErrOutdated), errors.Is(e, errReadBack):
		p.Hint = hintAgain
	default:
		p.Hint = "Check that the directory exists, belongs to you and is writable."
	}
	return p
}
