package serve

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/problem"
)

// asLines is a log without times.
func asLines(to *bytes.Buffer) *slog.Logger {
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
}

// broken is a store that fails.
type broken struct{ sessionstore.Store }

var errBroken = errors.New("the disk is gone")

func (broken) Try(context.Context, []sessionstore.ID, int, time.Duration) (time.Duration, error) {
	return 0, errBroken
}

func (broken) Get(context.Context, sessionstore.Kind, sessionstore.ID) (sessionstore.Row, error) {
	return sessionstore.Row{}, errBroken
}

func (broken) Put(context.Context, sessionstore.Row, uint64) error { return errBroken }

func (broken) TakeBack(context.Context, []sessionstore.ID) error { return errBroken }

// unread is a store that counts, and cannot be read.
type unread struct {
	sessionstore.Store
	err error
}

func (s unread) Get(context.Context, sessionstore.Kind, sessionstore.ID) (sessionstore.Row, error) {
	return sessionstore.Row{}, s.err
}

// forgetful is a store that counts, and takes nothing back.
type forgetful struct{ sessionstore.Store }

func (forgetful) TakeBack(context.Context, []sessionstore.ID) error { return errBroken }

// deskOf is a visitor with the key of a desk, on a server whose clock stands still.
func deskOf(t *testing.T, log *bytes.Buffer) *Visitor {
	t.Helper()
	key, authorized := visitorKey(t)
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	clock := func() time.Time { return at }
	staff, err := sshd.OpenKeyFile(authorized, "keys of the support desk", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	shared := &Visitors{
		Program: &Program{Now: clock},
		Keys:    sessionstore.NewKeys(),
		Store:   sessionstore.NewMemory(clock),
		Staff:   staff,
	}
	v := visitorFrom(shared, "192.0.2.1/32", fingerprintOf(key))
	v.Log = asLines(log)
	return v
}

// leave leaves a ticket, and returns its code.
func leave(t *testing.T, v *Visitor) (code string) {
	t.Helper()
	code = sessionstore.NewCode()
	if _, err := v.LeaveTicket(t.Context(), check.Report{ID: code}); err != nil {
		t.Fatal(err)
	}
	return code
}

func TestTheLogSaysWhatBecameOfATicketAndWhoWantedIt(t *testing.T) {
	newer := &files.NewerError{Why: "it has version 2"}
	stranger := func(v *Visitor) *Visitor {
		other := visitorFrom(v.Shared, "192.0.2.7/32", "SHA256:other")
		other.Log = v.Log
		return other
	}
	for name, tt := range map[string]struct {
		do   func(v *Visitor, code string) error
		log  string // of the ticket that %[1]s names, and the visitor %[2]s
		said string
		hint string
	}{
		"left": {
			func(v *Visitor, code string) error {
				_, err := v.LeaveTicket(t.Context(), check.Report{ID: code})
				return err
			},
			`level=INFO msg="ticket left" ticket=%[1]s`, "", "",
		},
		"not left": {
			func(v *Visitor, code string) error {
				v.Shared.Store = broken{v.Shared.Store}
				_, err := v.LeaveTicket(t.Context(), check.Report{ID: code})
				return err
			},
			`level=ERROR msg="no ticket left" error="the disk is gone"`,
			"the store of this server did not answer or failed; its log says why", "",
		},
		"too long": {
			func(v *Visitor, code string) error {
				long := check.Report{ID: code, Email: strings.Repeat("x", 256<<10)}
				_, err := v.LeaveTicket(t.Context(), long)
				return err
			},
			`level=ERROR msg="no ticket left" error="the result is longer than 256 KiB"`,
			"the result is longer than 256 KiB", "",
		},
		"read": {
			func(v *Visitor, code string) error {
				report, ends, err := v.ReadTicket(t.Context(), code)
				if want := v.Shared.Now().Add(7 * 24 * time.Hour); report.ID != code || !ends.Equal(want) {
					t.Errorf("the ticket has the report %q and ends %v, want %v", report.ID, ends, want)
				}
				return err
			},
			`level=INFO msg="ticket read" ticket=%[1]s fingerprint=%[2]s`, "", "",
		},
		"deleted": {
			func(v *Visitor, code string) error { return v.DeleteTicket(t.Context(), code) },
			`level=INFO msg="ticket deleted" ticket=%[1]s fingerprint=%[2]s`, "", "",
		},
		"read by somebody else": {
			func(v *Visitor, code string) error {
				_, _, err := stranger(v).ReadTicket(t.Context(), code)
				return err
			},
			`level=WARN msg="ticket refused" ticket=%[1]s fingerprint=SHA256:other`,
			"no ticket with this id, or it is not yours", "Tickets expire after 7 days.",
		},
		"deleted by somebody else": {
			func(v *Visitor, code string) error { return stranger(v).DeleteTicket(t.Context(), code) },
			`level=WARN msg="ticket refused" ticket=%[1]s fingerprint=SHA256:other`,
			"no ticket with this id, or it is not yours", "Only the support desk can read tickets.",
		},
		"of a newer program": {
			func(v *Visitor, code string) error {
				v.Shared.Store = unread{v.Shared.Store, newer}
				_, _, err := v.ReadTicket(t.Context(), code)
				return err
			},
			`level=ERROR msg="ticket not opened" ticket=%[1]s error="a newer gatehouse wrote it: it has version 2"`,
			"the ticket was not changed: a newer gatehouse wrote it: it has version 2",
			"Read it at a server with the same version, or ask the operator to upgrade this one.",
		},
		"in a store that fails": {
			func(v *Visitor, code string) error {
				v.Shared.Store = unread{v.Shared.Store, errBroken}
				_, _, err := v.ReadTicket(t.Context(), code)
				return err
			},
			`level=ERROR msg="ticket not opened" ticket=%[1]s error="the disk is gone"`,
			"the ticket could not be read: the store of this server failed, " +
				"or holds a ticket that this server cannot open", hintOperator,
		},
		"in a store that does not count": {
			func(v *Visitor, code string) error {
				v.Shared.Store = broken{v.Shared.Store}
				return v.DeleteTicket(t.Context(), code)
			},
			`level=ERROR msg="ticket refused" reason="the tries cannot be counted" error="the disk is gone"`,
			"nothing was done: the store of this server, which counts tickets, did not answer or failed",
			hintOperator,
		},
		"once too often": {
			func(v *Visitor, code string) error {
				for range 60 {
					if _, _, err := v.ReadTicket(t.Context(), code); err != nil {
						t.Error(err)
					}
				}
				v.Log.Info("enough")
				return v.DeleteTicket(t.Context(), code)
			},
			strings.Repeat(`level=INFO msg="ticket read" ticket=%[1]s fingerprint=%[2]s`+"\n", 60) +
				"level=INFO msg=enough\n" +
				`level=WARN msg="ticket refused" reason="too many tries" wait=1h0m0s`,
			"the limit is 60 tickets an hour, from an address or key and for an account",
			"Try again in 1 hour, at 10:27 UTC.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			v := deskOf(t, &log)
			code := leave(t, v)
			if name == "left" || name == "not left" || name == "too long" {
				code = sessionstore.NewCode()
			}
			log.Reset()
			err := tt.do(v, code)
			requireProblem(t, err, tt.said, tt.hint)
			want := fmt.Sprintf(tt.log+"\n%.0[1]s%.0[2]s", v.Shared.desk().Name(code), v.Fingerprint)
			if log.String() != want {
				t.Errorf("the log is\n%swant\n%s", &log, want)
			}
		})
	}
}

// requireProblem checks the sentence of an error, and that its hint has some words; no error is
// wanted for an empty sentence.
func requireProblem(t *testing.T, err error, sentence, hint string) {
	t.Helper()
	if (err != nil) != (sentence != "") {
		t.Fatalf("the error is %v", err)
	}
	if err == nil {
		return
	}
	p := problem.Explain(err)
	if got := err.Error(); got != sentence || !strings.Contains(p.Hint, hint) {
		t.Errorf("it is said %q with the hint %q,\nwant %q with %q", got, p.Hint, sentence, hint)
	}
}

func TestTheLogSaysWhatBecameOfAPasswordAndOfWhichAccount(t *testing.T) {
	const ann = "ann@harbor.example"
	try := func(v *Visitor, o api.PasswordOutcome) error {
		ended, err := v.admitPassword(t.Context(), api.PasswordTry{Account: ann, Use: api.PasswordSignIn})
		if err == nil {
			ended(o)
		}
		return err
	}
	outcome := func(fate api.PasswordFate) func(v *Visitor) error {
		return func(v *Visitor) error { return try(v, api.PasswordOutcome{Fate: fate, Came: "status 503"}) }
	}
	for name, tt := range map[string]struct {
		do   func(v *Visitor) error
		log  []string // messages with their fields; %s stands for those of the visitor and the account
		said string
		hint string
	}{
		"accepted": {outcome(api.PasswordAccepted), []string{`level=INFO msg="sign-in accepted"%s`}, "", ""},
		"not sent": {outcome(api.PasswordUnsent), nil, "", ""},
		"rejected": {
			outcome(api.PasswordRejected),
			[]string{`level=WARN msg="sign-in refused"%s reason="wrong password" came="status 503"`}, "", "",
		},
		"unclear": {
			outcome(api.PasswordUnclear),
			[]string{`level=WARN msg="sign-in counted"%s reason="unclear answer" came="status 503"`}, "", "",
		},
		"unanswered": {
			outcome(api.PasswordUnanswered),
			[]string{`level=WARN msg="sign-in counted"%s reason="no answer" came="status 503"`}, "", "",
		},
		"accepted, and stays counted": {
			func(v *Visitor) error {
				v.Shared.Store = forgetful{v.Shared.Store}
				return outcome(api.PasswordAccepted)(v)
			},
			[]string{
				`level=INFO msg="sign-in accepted"%s`,
				`level=ERROR msg="sign-in stays counted"%s error="the disk is gone"`,
			}, "", "",
		},
		"counted by the server": {
			func(v *Visitor) error {
				v.Shared.Store = broken{v.Shared.Store}
				return outcome(api.PasswordAccepted)(v)
			},
			[]string{
				`level=ERROR msg="sign-in counted by this server alone"%s error="the disk is gone"`,
				`level=INFO msg="sign-in accepted"%s`,
			}, "", "",
		},
		"without room": {
			func(v *Visitor) error {
				v.Shared.Store = full{v.Shared.Store}
				return outcome(api.PasswordAccepted)(v)
			},
			[]string{`level=WARN msg="sign-in refused"%s reason="the tries cannot be counted" error="the store is full"`},
			"no password was sent: this server cannot count any more of them", hintOperator,
		},
		"once too often": {
			func(v *Visitor) error {
				for range maxGuesses {
					if err := outcome(api.PasswordUnsent)(v); err != nil {
						t.Error(err)
					}
				}
				log := v.Log
				v.Log = slog.New(slog.DiscardHandler)
				for range 20 {
					if err := outcome(api.PasswordRejected)(v); err != nil {
						t.Error(err)
					}
				}
				v.Log = log
				return outcome(api.PasswordRejected)(v)
			},
			[]string{`level=WARN msg="sign-in refused"%s reason="too many passwords" wait=1h0m0s`},
			"no password was sent: the limit is 20 an hour that are not known to be right, " +
				"for your key or address and for this account",
			"Try again in 1 hour, at 10:27 UTC.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			v := deskOf(t, &log)
			requireProblem(t, tt.do(v), tt.said, tt.hint)
			account := v.Shared.Keys.SubjectID("account that is signed in to", ann)
			whose := fmt.Sprintf(" fingerprint=%s account=%s", v.Fingerprint, hex.EncodeToString(account[:8]))
			var want strings.Builder
			for _, line := range tt.log {
				fmt.Fprintf(&want, line+"\n", whose)
			}
			if log.String() != want.String() {
				t.Errorf("the log is\n%swant\n%s", &log, &want)
			}
		})
	}
}

// full is a store that has no room for another count.
type full struct{ sessionstore.Store }

func (full) Try(context.Context, []sessionstore.ID, int, time.Duration) (time.Duration, error) {
	return 0, sessionstore.ErrFull
}

func TestTheLogSaysThatACheckWasMadeWithoutAKey(t *testing.T) {
	var log bytes.Buffer
	v := visitorFrom(inMemory(), "192.0.2.1/32", "")
	v.Log = asLines(&log)
	if err := v.AdmitCheck(t.Context(), []string{"ann@harbor.example"}); err != nil {
		t.Fatal(err)
	}
	if err := v.AdmitCheck(t.Context(), []string{"no address"}); err == nil {
		t.Error("a check of no address is admitted")
	}
	v.Open = false // their key is known
	for range 2 * openTries {
		if err := v.AdmitCheck(t.Context(), []string{"no address", "another"}); err != nil {
			t.Errorf("a check with a key: %v", err)
		}
	}
	if got, want := log.String(), "level=INFO msg=\"open check\"\n"; got != want {
		t.Errorf("the log is %s, want %s", got, want)
	}
}

// A visitor learns only that a store failed; the operator learns what it said, and whose row it was
// about.
func TestTheLogSaysHowAStoreFailedForAKeptSession(t *testing.T) {
	var log bytes.Buffer
	shared := inMemory()
	shared.KeepsSessions = true
	shared.Store = broken{shared.Store}
	shared.Vaults = sessionstore.VaultOptions{
		Kind:    sessionstore.InMemory,
		Seen:    sessionstore.NewSeen(),
		Metrics: sessionstore.NewMetrics(sessionstore.InMemory),
	}
	connection := &sshd.Connection{Fingerprint: "SHA256:one", Log: asLines(&log).With("connection", "ABC")}
	kept := shared.keptFor(connection, &config.Profile{})
	if _, err := kept.Vault.Load(t.Context()); err == nil || strings.Contains(err.Error(), errBroken.Error()) {
		t.Errorf("the visitor reads %v", err)
	}
	want := "level=WARN msg=\"session store\" connection=ABC op=read error=\"the disk is gone\"\n"
	if log.String() != want {
		t.Errorf("the log is\n%swant\n%s", &log, want)
	}
}

// rows is a store that notes which sessions are asked for.
type rows struct {
	sessionstore.Store
	asked []sessionstore.ID
}

func (s *rows) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	s.asked = append(s.asked, id)
	return s.Store.Get(ctx, kind, id)
}

func TestASessionIsKeptForItsOwnerUnderANameForPeople(t *testing.T) {
	long := strings.Repeat("x", 70)
	for name, tt := range map[string]struct {
		of    sshd.Connection
		owner sessionstore.Owner
		want  string
	}{
		"a key": {
			sshd.Connection{Fingerprint: "SHA256:one"},
			sessionstore.Owner{Fingerprint: "SHA256:one"}, "the key SHA256:one",
		},
		"a certificate": {
			sshd.Connection{Fingerprint: "SHA256:one", Certificate: &sshd.Certificate{KeyID: "ann", Authority: "SHA256:ca"}},
			sessionstore.Owner{KeyID: "ann", Authority: "SHA256:ca"}, `the certificate "ann"`,
		},
		"a certificate with a long id": {
			sshd.Connection{Fingerprint: "SHA256:one", Certificate: &sshd.Certificate{KeyID: long, Authority: "SHA256:ca"}},
			sessionstore.Owner{KeyID: long, Authority: "SHA256:ca"},
			`the certificate "` + long[:63] + `…"`,
		},
		"a certificate with sequences in its id": {
			sshd.Connection{Fingerprint: "SHA256:one", Certificate: &sshd.Certificate{KeyID: "a\x1b[2Jb", Authority: "SHA256:ca"}},
			sessionstore.Owner{KeyID: "a\x1b[2Jb", Authority: "SHA256:ca"}, "the certificate \"a\u241b[2Jb\"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			shared := inMemory()
			shared.KeepsSessions = true
			asked := &rows{Store: shared.Store}
			shared.Store = asked
			shared.Vaults = sessionstore.VaultOptions{
				Seen: sessionstore.NewSeen(), Metrics: sessionstore.NewMetrics(sessionstore.InMemory),
			}
			tt.of.Log = slog.New(slog.DiscardHandler)
			kept := shared.keptFor(&tt.of, &config.Profile{})
			if kept.Owner != tt.owner || kept.Name != tt.want {
				t.Errorf("it is kept for %+v, called %s", kept.Owner, kept.Name)
			}
			_, _ = kept.Vault.Load(t.Context())
			if want := []sessionstore.ID{shared.Keys.ID(tt.owner)}; !slices.Equal(asked.asked, want) {
				t.Errorf("the rows are %x, want %x", asked.asked, want)
			}
		})
	}
}

// A time that is too early would have people try in vain.
func TestThePauseBeforeTheNextTryIsNeverTooShort(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 59, 0, 0, time.UTC)
	for _, tt := range []struct {
		now  time.Time
		wait time.Duration
		want string
	}{
		{at, 1, "Try again in 1 second, at 10:00 UTC."},
		{at, time.Second, "Try again in 1 second, at 10:00 UTC."},
		{at, time.Second + 1, "Try again in 2 seconds, at 10:00 UTC."},
		{at, time.Minute, "Try again in 1 minute, at 10:00 UTC."},
		{at, time.Minute + 1, "Try again in 1 minute and 1 second, at 10:01 UTC."},
		{at.Add(30 * time.Second), 30 * time.Second, "Try again in 30 seconds, at 10:00 UTC."},
		{at.Add(30 * time.Second), 31 * time.Second, "Try again in 31 seconds, at 10:01 UTC."},
		{at.In(time.FixedZone("elsewhere", 3600)), time.Hour, "Try again in 1 hour, at 10:59 UTC."},
	} {
		if got := tryAgain(tt.now, tt.wait); got != tt.want {
			t.Errorf("%v after %s: %s want %s", tt.wait, tt.now.Format(time.TimeOnly), got, tt.want)
		}
	}
}
