package session

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zalando/go-keyring"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/problem"
)

func TestEachErrorSaysWhatHelps(t *testing.T) {
	const again = "Try again."
	inVault := func(err error) error { return &VaultError{Op: "read", What: theSession, Err: err} }
	for name, tt := range map[string]struct {
		err  error
		want problem.Explanation
	}{
		"nobody is signed in": {
			ErrSignedOut,
			problem.Explanation{Kind: problem.SignIn, Help: problem.HelpSignInFirst},
		},
		"the session has ended": {
			&EndedError{Reason: EndRefused},
			problem.Explanation{Kind: problem.SignIn, Help: problem.HelpSignIn},
		},
		"the session is of another installation": {
			&EndedError{Reason: EndMoved},
			problem.Explanation{Kind: problem.SignIn, Hint: "Correct the profile to use that session.", Help: problem.HelpReplace},
		},
		"the session could not be saved": {
			&StaleVaultError{Err: inVault(ErrOutdated)},
			problem.Explanation{Hint: again, OnScreen: again, Help: problem.HelpSignIn},
		},
		"the session could not be deleted": {
			&StaleVaultError{Err: inVault(ErrOutdated), Erasing: true},
			problem.Explanation{Hint: again, OnScreen: again, Help: problem.HelpSignOut},
		},
		"no API key": {
			&MissingError{What: MissingAPIKey},
			problem.Explanation{Kind: problem.Usage, Hint: "It takes a reseller key or a company key.", Help: problem.HelpAPIKey},
		},
		"a domain that the token does not list": {
			&NotReachedError{Domain: "quay.example"},
			problem.Explanation{Kind: problem.Usage, Help: problem.HelpReload},
		},
		"a domain that the token may list": {
			&NotReachedError{Domain: "quay.example", Unread: 1},
			problem.Explanation{Kind: problem.Usage, Hint: "Ask the operator of the authority for an access token with fewer domains."},
		},
		"a token without domains": {
			&UnknownDomainError{Domain: "quay.example"},
			problem.Explanation{Kind: problem.Usage, Help: problem.HelpTrustDomain},
		},
		"a vault that has a hint": {
			&VaultError{Err: ErrBusy, Hint: "Wait."},
			problem.Explanation{Hint: "Wait."},
		},
		"a damaged vault": {
			inVault(&DamagedError{}),
			problem.Explanation{Kind: problem.SignIn, Help: problem.HelpSignIn},
		},
		"a damaged key": {
			inVault(errBadKey),
			problem.Explanation{Kind: problem.SignIn, Help: problem.HelpSignIn},
		},
		"tokens that are too long": {
			inVault(&RecordSizeError{Size: 2, Limit: 1}),
			problem.Explanation{Hint: "Tell the operator of the service how long its tokens are.", Help: problem.HelpNoStore},
		},
		"a vault of a newer program": {
			inVault(&files.NewerError{Why: "it is newer"}),
			problem.Explanation{Hint: "Nothing was changed: upgrade this program.", Help: problem.HelpForget},
		},
		"a vault of another store": {
			inVault(ErrForeignKey),
			problem.Explanation{Hint: "Choose that store, or sign in again."},
		},
		"a wrong passphrase": {
			inVault(ErrWrongPassphrase),
			problem.Explanation{
				Hint: "Try again with the passphrase that the session was saved with, or sign out and sign in with a new passphrase.",
			},
		},
		"a secret that the keyring has no room for": {
			inVault(keyring.ErrSetDataTooBig),
			problem.Explanation{Help: problem.HelpSecretOutside},
		},
		"no keyring": {
			inVault(ErrKeyringUnavailable),
			problem.Explanation{Hint: "Choose another store.", Help: problem.HelpOtherStore},
		},
		"a locked keyring": {
			inVault(ErrKeyringLocked),
			problem.Explanation{
				Hint: "Unlock the keyring and try again, or choose another store.", Help: problem.HelpOtherStore,
			},
		},
		"a disk without locks": {
			inVault(files.ErrNoLocks),
			problem.Explanation{
				Hint:     "Keep the session on a disk of this computer.",
				OnScreen: "Keep the session on a disk of this computer.",
				Help:     problem.HelpStateDir,
			},
		},
		"another process": {inVault(ErrBusy), problem.Explanation{Hint: again}},
		"a vault that has lost what was saved": {
			inVault(errReadBack),
			problem.Explanation{Hint: again},
		},
		"no permission": {
			inVault(os.ErrPermission),
			problem.Explanation{Hint: "Check that the directory exists, belongs to you and is writable."},
		},
	} {
		wantExplained(t, name, tt.err, tt.want)
	}
}

// wantExplained compares an explanation without its text, which is that of the error.
func wantExplained(t *testing.T, name string, err error, want problem.Explanation) {
	t.Helper()
	got := problem.Explain(err)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(problem.Explanation{}, "Text")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestADiskThatIsFullOrReadOnlyIsNamedAsThat(t *testing.T) {
	const readOnly = "Its disk is read-only, perhaps after a fault: make it writable."
	for number, want := range map[syscall.Errno]problem.Explanation{
		testkit.DiskFull: {
			Hint:     "Free some space on that disk, then try again.",
			OnScreen: "Free some space on that disk.",
		},
		testkit.ReadOnly: {Hint: readOnly, OnScreen: readOnly, Help: problem.HelpStateDir},
	} {
		wantExplained(t, number.Error(), &VaultError{Op: "write", What: theSession, Err: number}, want)
	}
}

// Somebody has to do something about the vault. A screen says that, and when it tries again.
func TestARenewalThatWaitsForItsVaultSaysWhatToDo(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	full := &VaultError{Op: "write", What: theSession, Err: files.ErrNoLocks}
	got := problem.Explain(&DelayedError{RetryAt: at, Token: TokenKept, Err: full})
	const do = "Nothing is lost. Keep the session on a disk of this computer."
	next := do + " The next attempt is at " + at.Format("15:04:05 MST") + "."
	if got.OnScreen != next || got.Hint != do || got.Help != problem.HelpStateDir {
		t.Errorf("on a screen %q, for a command %q, help %v", got.OnScreen, got.Hint, got.Help)
	}
}

func TestWhatTookTooLongIsSaidToHave(t *testing.T) {
	slow := &VaultError{Op: "lock", What: theSession, Err: context.DeadlineExceeded}
	if got := slow.Error(); got != "lock the saved session: it took too long" {
		t.Errorf("it says %q", got)
	}
}
