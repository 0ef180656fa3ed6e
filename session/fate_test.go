package session

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/text/problem"
)

// answered is an answer with a body, after the service has replaced the token or not.
func answered(code int, mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

func unavailable(code int) http.HandlerFunc {
	return answered(code, "application/json", `{"error":"temporarily_unavailable"}`)
}

// cutOff is an answer that ends before it is whole.
func cutOff(start string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "99")
		_, _ = w.Write([]byte(start))
	}
}

// failToRenew is the error of a renewal of an expired session.
func failToRenew(t *testing.T, s *Session) *DelayedError {
	t.Helper()
	_, err := s.Token(t.Context())
	delayed, ok := errors.AsType[*DelayedError](err)
	if !ok {
		t.Fatalf("Token: %v", err)
	}
	return delayed
}

func TestWhatIsKnownOfTheTokenAfterAFailure(t *testing.T) {
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   TokenFate
		marked bool // in the vault: the next attempt is a repetition
	}{
		"the connection is dropped":       {drop, TokenInDoubt, true},
		"the answer is cut off":           {cutOff("{"), TokenInDoubt, true},
		"a page is cut off":               {cutOff("<html>"), TokenInDoubt, true},
		"the answer is no JSON":           {answered(200, "application/json", "garbage"), TokenInDoubt, true},
		"the answer is a page":            {answered(200, "text/html", "<html>"), TokenInDoubt, false},
		"the answer has no token":         {answered(200, "application/json", "{}"), TokenInDoubt, true},
		"a gateway had no answer":         {status(502), TokenInDoubt, true},
		"a gateway had no answer in time": {unavailable(504), TokenInDoubt, true},
		"a gateway lost the service":      {status(503), TokenInDoubt, false},
		"the service failed":              {status(500), TokenInDoubt, false},
		"the service is busy":             {status(429), TokenKept, false},
		"the service says that it cannot": {unavailable(503), TokenKept, false},
		"the client is refused":           {answered(401, "application/json", `{"error":"invalid_client"}`), TokenKept, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := fastVault(t, vaultPath(t))
			a, _, s := expired(t, v)
			a.Next(tt.answer)
			if got := failToRenew(t, s); got.Token != tt.want {
				t.Errorf("%d is known of the token, want %d: %v", got.Token, tt.want, got)
			}
			if r, err := v.Load(t.Context()); err != nil || r.InDoubt != tt.marked {
				t.Errorf("the vault holds %+v, %v", r, err)
			}
		})
	}
}

func TestWhatIsKnownOfTheTokenWhereNothingWasSent(t *testing.T) {
	for name, tt := range map[string]struct {
		call string
		err  error
		want TokenFate
	}{
		"the vault cannot be read":      {"load", errors.New("gone"), TokenKept},
		"the vault cannot be written":   {"begin", errFull, TokenKept},
		"somebody else renews it":       {"begin", &VaultError{Op: "lock", What: theSession, Err: ErrBusy}, TokenElsewhere},
		"another server has claimed it": {"begin", &VaultError{Op: "claim", What: theSession, Err: &ClaimedError{Left: maxBackoff}}, TokenElsewhere},
	} {
		t.Run(name, func(t *testing.T) {
			v := hookedDisk()
			a, _, s := expired(t, v)
			v.fail(tt.err, tt.call)
			_ = s.renew(t.Context(), s.current.Load().epoch, demand{byHand: true})
			got, ok := errors.AsType[*DelayedError](s.Status().Reason)
			if !ok || got.Token != tt.want {
				t.Errorf("%v, want %d", s.Status().Reason, tt.want)
			}
			wantRefreshes(t, a, 0)
		})
	}
}

// A token that is in doubt stays so, whatever the next attempt comes to.
func TestADoubtIsNotForgottenWhenTheNextAttemptIsNotSent(t *testing.T) {
	for name, makeVault := range map[string]func(t *testing.T) Vault{
		"file":   func(t *testing.T) Vault { return fastVault(t, vaultPath(t)) },
		"memory": func(*testing.T) Vault { return NewMemoryVault() },
	} {
		t.Run(name, func(t *testing.T) {
			v := makeVault(t)
			a, c, s := expired(t, v)
			a.loseAnswer(false)
			failToRenew(t, s)
			c.Advance(firstBackoff)
			a.Close() // now nothing can be sent
			if got := failToRenew(t, s); got.Token != TokenInDoubt {
				t.Errorf("%d is known of the token: %v", got.Token, got)
			}
			if r, err := v.Load(t.Context()); err != nil || !r.InDoubt {
				t.Errorf("the vault holds %+v, %v", r, err)
			}
		})
	}
}

func TestAPanicAfterTheTokenWasSentLeavesItInDoubt(t *testing.T) {
	a, _, s := expired(t, fastVault(t, vaultPath(t)))
	s.http = api.NewTransport(api.Options{Base: panicking{s.http}})
	if got := failToRenew(t, s); got.Token != TokenInDoubt || a.refreshes() != 1 {
		t.Errorf("%d is known of the token after %d requests: %v", got.Token, a.refreshes(), got)
	}
}

// panicking panics when an answer has come.
type panicking struct{ http.RoundTripper }

func (p panicking) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := p.RoundTripper.RoundTrip(r)
	if err == nil {
		_ = resp.Body.Close()
	}
	panic("canary")
}

func TestAFailedRenewalSaysWhatIsKnownAndWhatComesNext(t *testing.T) {
	const safe, unsure, elsewhere = "Nothing is lost.", "It is not known whether", "is renewing it"
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		fail   error
		want   string
		not    []string
		next   string // of a command
		stays  bool   // a screen says when it tries again
	}{
		"dropped":     {answer: drop, want: unsure, not: []string{safe}, next: "Check the network", stays: true},
		"busy":        {answer: status(429), want: safe, not: []string{unsure}, next: "Wait a minute", stays: true},
		"no client":   {answer: answered(401, "application/json", `{"error":"invalid_client"}`), want: safe, not: []string{unsure}, next: "client_id"},
		"claimed":     {fail: &ClaimedError{Left: maxBackoff}, want: elsewhere, not: []string{safe, unsure}, next: hintAgain, stays: true},
		"a full disk": {fail: errFull, want: safe, not: []string{unsure}, next: "Check that the directory", stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			v := hookedDisk()
			a, _, s := expired(t, v)
			if tt.answer != nil {
				a.Next(tt.answer)
			}
			if tt.fail != nil {
				v.fail(&VaultError{Op: "claim", What: theSession, Err: tt.fail}, "begin")
			}
			_ = s.renew(t.Context(), s.current.Load().epoch, demand{byHand: true})
			for _, onScreen := range []bool{false, true} {
				stays := onScreen && tt.stays
				p := problem.Describe(s.Status().Reason, problem.Face{Stays: onScreen})
				text := p.Sentence + " " + p.Hint
				if strings.Count(text, "renew") > strings.Count(tt.want, "renew")+1 {
					t.Errorf("it says twice what failed: %s", text)
				}
				if !strings.Contains(text, tt.want) || strings.Contains(text, "next attempt") != stays || !stays && !strings.Contains(text, tt.next) {
					t.Errorf("on a screen %v: %s", onScreen, text)
				}
				for _, not := range tt.not {
					if strings.Contains(text, not) {
						t.Errorf("on a screen %v it says %q: %s", onScreen, not, text)
					}
				}
			}
		})
	}
}
