package problem_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
)

const (
	op   = "get the shares of ann@x.example"
	host = "gateway.x.example"
)

func refusal(status int) error { return refusalOf("Bearer", status) }

func refusalOf(credential string, status int) error {
	return &api.StatusError{Op: op, Host: host, Credential: credential, Status: status}
}

func noAnswer(cause error) error { return &api.TransportError{Op: op, Host: host, Err: cause} }

func vault(cause error) error {
	return &session.VaultError{Op: "read", What: "the session file /state/main.age", Err: cause}
}

func notJSON() error {
	_, err := lists.Parse([]byte(`{"Data": oops}`))
	return err
}

// named is a face that names some of what helps.
var named = problem.Face{Words: map[problem.Help]string{
	problem.HelpSignIn:        "gatehouse login",
	problem.HelpSignInFirst:   "gatehouse login",
	problem.HelpReplace:       "gatehouse login replaces it",
	problem.HelpReload:        "gatehouse login again",
	problem.HelpAPIKey:        "GATEHOUSE_API_KEY",
	problem.HelpClientSecret:  "GATEHOUSE_CLIENT_SECRET",
	problem.HelpOtherStore:    "--store file",
	problem.HelpSetUp:         "gatehouse demo",
	problem.HelpWholeDocument: "-o json",
}}

// diskIsFullSays is the text of [testkit.DiskFull] as a part of a sentence, which Windows ends with
// a full stop.
var diskIsFullSays = strings.TrimSuffix(testkit.DiskFull.Error(), ".")

func TestEveryErrorHasASentenceAKindAndAHint(t *testing.T) {
	for _, tc := range []struct {
		name     string
		err      error
		kind     problem.Kind
		sentence string // all of it
		hint     string // a part of it; "-": there is none
	}{
		{"signed out", session.ErrSignedOut, problem.SignIn, "Not signed in.", "gatehouse login"},
		{"session over, whatever the service answered", &session.EndedError{Reason: session.EndSignedOut, Err: refusal(503)}, problem.SignIn,
			"The session has ended: it was signed out elsewhere.", "gatehouse login"},
		{"a session for another address", &session.EndedError{Reason: session.EndMoved, MadeAt: "https://auth.example"}, problem.SignIn,
			"The saved session belongs to another authority, gateway or client than the profile now names; it was made at https://auth.example.", "Correct the profile to use that session. gatehouse login replaces it"},
		{"wrong password", wrongPassword(), problem.Failed,
			"Could not sign in as ann@x.example at auth.x.example: wrong e-mail address or password.", "Check the e-mail address"},
		{"renewal delayed", &session.DelayedError{RetryAt: time.Now(), Err: refusal(503)}, problem.Failed,
			"Could not renew the session: gateway.x.example answered 503 (service unavailable).", "It is not known"},
		{"a busy token endpoint", &api.TokenError{Op: "sign in", Host: host, Grant: "password", Status: 429, Code: "slow_down", RetryAfter: 90 * time.Second}, problem.Failed,
			"Could not sign in: gateway.x.example answered 429: slow_down.", "Wait 1 minute and 30 seconds"},
		{"something missing", &session.MissingError{What: session.MissingAPIKey}, problem.Usage,
			"No API key is given.", "GATEHOUSE_API_KEY"},
		{"no client secret", &api.TokenError{Op: "sign in", Host: host, Grant: "password", Status: 401, Code: "invalid_client", NoSecret: true}, problem.Failed,
			"Could not sign in: gateway.x.example answered 401: invalid_client.", "No client secret is set"},
		{"a wrong client", &api.TokenError{Op: "sign in", Host: host, Grant: "password", Status: 401, Code: "invalid_client"}, problem.Failed,
			"Could not sign in: gateway.x.example answered 401: invalid_client.", "client_id"},
		{"a refused refresh token", &api.TokenError{Op: "renew", Host: host, Grant: "refresh_token", Status: 400, Code: "invalid_grant"}, problem.SignIn,
			"Could not renew: gateway.x.example answered 400: invalid_grant.", "gatehouse login"},

		{"400", &api.StatusError{Op: op, Host: host, Status: 400, Message: "No such field."}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 400 (bad request): No such field.", "Check the domain, id or e-mail address in the request"},
		{"404 with words", &api.StatusError{Op: op, Host: host, Credential: "Bearer", Status: 404, Message: "User not found."}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 404 (not found): User not found.", "administrator of the domain about what the service says"},
		{"403 with a page", &api.StatusError{Op: op, Host: host, Credential: "Bearer", Status: 403, Message: "Blocked", Page: true}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 403 (forbidden): Blocked.", "something in between"},
		{"a sign-in that a page refuses", &api.StatusError{Op: "sign in", Host: host, Grant: "password", Status: 403, Message: "Blocked", Page: true}, problem.Failed,
			"Could not sign in: gateway.x.example answered 403 (forbidden): Blocked.", "something in between"},
		{"a sign-in where nothing takes it", &api.StatusError{Op: "sign in", Host: host, Grant: "password", Status: 405}, problem.Failed,
			"Could not sign in: gateway.x.example answered 405 (method not allowed).", "Nothing takes sign-ins at this address"},
		{"a sign-in that is locked without a word", &api.StatusError{Op: "sign in", Host: host, Grant: "password", Status: 423}, problem.Failed,
			"Could not sign in: gateway.x.example answered 423 (locked).", "a locked account"},
		{"a client without the password grant", &api.TokenError{Op: "sign in", Host: host, Grant: "password", Status: 400, Code: "unsupported_grant_type"}, problem.Failed,
			"Could not sign in: gateway.x.example answered 400: unsupported_grant_type.", "does not let it sign people in with a password"},
		{"a bare code", &api.TokenError{Op: "sign in", Host: host, Grant: "password", Status: 400, Code: "invalid_request"}, problem.Failed,
			"Could not sign in: gateway.x.example answered 400: invalid_request.", "gives no reason that programs know"},
		{"a token of another type", &api.BodyError{Op: "sign in", Host: host, Detail: "a token that is not a Bearer token", Token: api.TokenOfOtherType}, problem.Failed,
			"Could not sign in: gateway.x.example sent a token that is not a Bearer token.", "Bearer tokens"},
		{"a wrong password with words", &session.WrongPasswordError{Username: "ann@x.example", Host: host, Err: &api.TokenError{Grant: "password", Status: 400, Code: "invalid_grant", Description: "Invalid username or password. 2 attempts remaining."}}, problem.Failed,
			"Could not sign in as ann@x.example at gateway.x.example: wrong e-mail address or password (the service says: Invalid username or password. 2 attempts remaining).", "Check the e-mail address"},
		{"a wrong password in Japanese", &api.TokenError{Op: "sign in", Host: host, Grant: "password", Status: 400, Code: "invalid_grant", Description: "アカウントがロックされています。"}, problem.Failed,
			"Could not sign in: gateway.x.example answered 400: invalid_grant (アカウントがロックされています。).", "in its own words"},
		{"a proxy with words", &api.TransportError{Op: op, Host: host, Err: &net.OpError{Op: "proxyconnect", Err: syscall.ECONNREFUSED}, Way: api.Way{Proxy: &api.Proxy{Kind: "http", Host: "proxy.example:3128", Status: 403, Reply: "Blocked: file sharing."}}}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example (through the HTTP proxy proxy.example:3128): its proxy: the connection was refused: Blocked: file sharing.", "NO_PROXY"},
		{"401", refusal(401), problem.SignIn,
			"Could not get the shares of ann@x.example: gateway.x.example answered 401 (unauthorized).", "gatehouse login"},
		{"401 with a page", &api.StatusError{Op: op, Host: host, Credential: "Bearer", Status: 401, Message: "Sign in", Page: true}, problem.SignIn,
			"Could not get the shares of ann@x.example: gateway.x.example answered 401 (unauthorized): Sign in.", "proxy or the sign-in page of a network may have sent"},
		{"401 to a key", refusalOf("ApiKey", 401), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 401 (unauthorized).", "GATEHOUSE_API_KEY"},
		{"401 to a call without a credential", refusalOf("", 401), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 401 (unauthorized).", "operator"},
		{"403", refusal(403), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 403 (forbidden).", "another domain"},
		{"404", refusal(404), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 404 (not found).", "Check the domain, id"},
		{"429", &api.StatusError{Op: op, Host: host, Status: 429, RetryAfter: 90 * time.Second}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 429 (too many requests).", "Wait 1 minute and 30 seconds"},
		{"500", refusal(500), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example answered 500 (internal server error).", "try again later"},

		{"a user nobody knows", &api.NoDomainError{Email: "zoe@x.example", Host: "global.x.example"}, problem.Failed,
			"Could not look up the primary domain of zoe@x.example: global.x.example has no primary domain for this user.", "Check the address"},
		{"a request that cannot be right", &api.RequestError{Field: "useremail", Reason: "is missing"}, problem.Usage,
			"The request was not sent: useremail is missing.", "-"},
		{"an HTML page", &api.BodyError{Op: op, Host: host, ContentType: "text/html", Detail: "an HTML page instead of JSON"}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example sent an HTML page instead of JSON (content type text/html).", "proxy"},
		{"a list that is too long", &api.LimitError{Op: op, Host: host, Limit: api.DefaultBodyLimit, List: true}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example sent more than the limit of 416 MiB.", "Choose a shorter list"},
		{"a list without memory", &lists.CutError{Expected: -1, Err: &lists.FullError{Limit: 512 << 20}}, problem.Failed,
			"There is no memory left for this list: the open lists on this server may take 512 MiB together.", "Try again in a while"},
		{"a record without end", &lists.CutError{Expected: -1, Err: &lists.HoldError{Reason: "a record is too long for a line"}}, problem.Failed,
			"A record is too long for a line.", "-o json"},
		{"a redirect", &api.RedirectError{Op: op, From: host, To: "evil.example", Kind: api.RedirectElsewhere}, problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example redirects to evil.example, which is not followed: it leads to another host.", "the new address"},
		{"a body that is not JSON", notJSON(), problem.Failed, "", "proxy"},

		{"a name that does not resolve", noAnswer(&net.DNSError{Err: "no such host", IsNotFound: true}), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example: its name has no address.", "spelling"},
		{"a refused connection", noAnswer(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example: the connection was refused.", "Check the network"},
		{"an expired certificate", noAnswer(x509.CertificateInvalidError{Reason: x509.Expired}), problem.Failed,
			"Could not get the shares of ann@x.example: gateway.x.example: its certificate has expired or is not valid yet.", "clock"},
		{"a wait for a renewal", context.DeadlineExceeded, problem.Failed, "It took too long and was cancelled.", "Try again in a minute."},
		{"a cancelled request", noAnswer(context.Canceled), problem.Cancelled, "Cancelled.", "-"},

		{"a wrong passphrase", vault(session.ErrWrongPassphrase), problem.Failed,
			"Could not read the session file /state/main.age: wrong passphrase.", "passphrase"},
		{"a busy vault", vault(session.ErrBusy), problem.Failed,
			"Could not read the session file /state/main.age: another process is using it.", "Try again"},
		{"a damaged vault", vault(&session.DamagedError{MovedTo: "/state/main.age.damaged"}), problem.SignIn,
			"Could not read the session file /state/main.age: it is damaged and was set aside as /state/main.age.damaged.", "gatehouse login"},
		{"no keyring", &session.VaultError{Op: "open", What: "the keyring", Err: session.ErrKeyringUnavailable}, problem.Failed,
			"", "--store file"},
		{"a locked keyring", &session.VaultError{Op: "open", What: "the keyring", Err: session.ErrKeyringLocked}, problem.Failed, "", "Unlock"},

		{"a renewal while the disk is full", &session.DelayedError{Token: session.TokenKept, Err: vault(testkit.DiskFull)}, problem.Failed,
			"Could not renew the session: could not read the session file /state/main.age: " + diskIsFullSays + ".", "Nothing is lost. Free some space on that disk, then try again."},
		{"a renewal where nothing is locked", &session.DelayedError{Token: session.TokenKept, Err: vault(files.ErrNoLocks)}, problem.Failed,
			"Could not renew the session: could not read the session file /state/main.age: its file system does not lock files.", "Nothing is lost. Keep the session on a disk of this computer"},
		{"a renewal that another server has begun", renewalElsewhere(), problem.Failed,
			"Could not renew the session: could not read the session file /state/main.age: another server is renewing it.", "Try again."},

		{"no profile", fmt.Errorf("%w: there is none in /x", config.ErrNoProfile), problem.Usage, "No profile is set up.", "gatehouse demo"},
		{"a wrong value", &config.Error{Origin: config.Origin{Flag: "--store"}, Key: "store", Value: "disk", Want: "use keyring, file or memory"}, problem.Usage,
			`Flag --store: store is "disk"; use keyring, file or memory.`, "-"},

		{"a full disk", &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}, problem.Failed,
			"Could not write /dev/stdout: no space left on device.", "-"},
		{"a file that exists", &files.ExportError{Path: "/home/ann/shares.csv", Err: files.ErrExists}, problem.Failed,
			"Could not write /home/ann/shares.csv: a file with that name exists.", "another name"},
		{"a full disk in an export", &files.ExportError{Path: "x.csv", Err: testkit.DiskFull}, problem.Failed,
			"Could not write x.csv: the disk is full.", "Free some space"},
		{"a cancelled export", &files.ExportError{Path: "x.csv", Err: context.Canceled}, problem.Cancelled, "", "-"},
		{"an error of its own", &problem.Error{Problem: problem.Problem{Kind: problem.Usage, Sentence: "no", Hint: "do"}}, problem.Usage, "No.", "do"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, err := range []error{tc.err, fmt.Errorf("around it: %w", tc.err)} {
				got := problem.Describe(err, named)
				if got.Kind != tc.kind {
					t.Errorf("kind is %v, want %v", got.Kind, tc.kind)
				}
				if tc.sentence != "" && got.Sentence != tc.sentence {
					t.Errorf("sentence is\n%s\nwant\n%s", got.Sentence, tc.sentence)
				}
				if tc.hint == "-" && got.Hint != "" || tc.hint != "-" && !strings.Contains(got.Hint, tc.hint) {
					t.Errorf("hint is %q, want one with %q", got.Hint, tc.hint)
				}
			}
		})
	}
}

func wrongPassword() error {
	return &session.WrongPasswordError{
		Username: "ann@x.example",
		Host:     "auth.x.example",
		Err:      &api.TokenError{Op: "sign in", Host: "auth.x.example", Grant: "password", Status: 400, Code: "invalid_grant"},
	}
}

// renewalElsewhere is the error of a renewal that another server has begun.
func renewalElsewhere() error {
	return &session.DelayedError{
		RetryAt: time.Date(2026, 3, 2, 14, 3, 27, 0, time.Local),
		Token:   session.TokenElsewhere,
		Err:     vault(&session.ClaimedError{Left: time.Minute}),
	}
}

func TestOnlyAScreenSaysWhenItTriesAgain(t *testing.T) {
	const next = "The next attempt is at 14:03:27 "
	if got := problem.Describe(renewalElsewhere(), problem.Face{Stays: true}); !strings.HasPrefix(got.Hint, next) {
		t.Errorf("hint on the screen is %q", got.Hint)
	}
	if got := problem.Describe(renewalElsewhere(), problem.Face{}); strings.Contains(got.Hint, next) {
		t.Errorf("hint of a command is %q", got.Hint)
	}
}

func TestNothingOfAnUnknownErrorIsShown(t *testing.T) {
	for _, err := range []error{
		errors.New("hunter2"),
		&url.Error{Op: "Get", URL: "https://x.example/login2.aspx?password2=aHVudGVyMg", Err: errors.New("hunter2")},
		errors.New("wrong verb %!v(hunter2)"),
	} {
		got := problem.Describe(err, problem.Face{})
		if text := got.Sentence + got.Hint; strings.Contains(text, "hunter2") || strings.Contains(text, "password2") || strings.Contains(text, "%!") {
			t.Errorf("shown: %+v", got)
		}
		if got.Sentence == "" || got.Hint == "" {
			t.Errorf("nothing is said: %+v", got)
		}
	}
}

func TestWordsOfTheServiceAreMadeSafeAndCut(t *testing.T) {
	err := &api.StatusError{Op: op, Host: host, Status: 400, Message: "\x1b]0;owned\a\u202Eevil\n" + strings.Repeat("long ", 200)}
	got := problem.Describe(err, problem.Face{Stays: true}).Sentence
	if strings.ContainsAny(got, "\x1b\a\n\u202E") {
		t.Errorf("not safe: %q", got)
	}
	if !strings.HasSuffix(got, "…") || len([]rune(got)) > 500 {
		t.Errorf("not cut: %d runes, %q", len([]rune(got)), got)
	}
}

func TestASentenceBeginsWithACapitalAndEndsWithAStop(t *testing.T) {
	for text, want := range map[string]string{
		"":            "",
		"not found":   "Not found.",
		"Is it?":      "Is it?",
		"æble":        "Æble.",
		" two\nlines": "Two␊lines.",
	} {
		if got := problem.Sentence(text); got != want {
			t.Errorf("Sentence(%q) is %q, want %q", text, got, want)
		}
	}
}
