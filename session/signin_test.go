package session

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

func TestAWrongPasswordIsSaidSoAndSentOnce(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	err := s.SignIn(t.Context(), SignIn{Username: user, Password: secret.New("canary-wrong")})
	wrong, ok := errors.AsType[*WrongPasswordError](err)
	if !ok || wrong.Username != user || wrong.Host == "" {
		t.Fatalf("the error is %v", err)
	}
	if refused, ok := errors.AsType[*api.TokenError](err); !ok || refused.Status != http.StatusBadRequest {
		t.Errorf("the answer of the service is lost: %v", err)
	}
	if strings.Contains(err.Error(), "canary") {
		t.Errorf("the error tells the password: %v", err)
	}
	if got := a.Requests(); len(got) != 1 {
		t.Errorf("grants asked for: %v", got)
	}
	wantState(t, s, SignedOut)
}

// TestAnotherReasonThanThePasswordIsNotCalledOne holds for every form in which services refuse a
// sign-in.
func TestAnotherReasonThanThePasswordIsNotCalledOne(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		wrong  bool
		says   string // part of what a person reads
	}{
		{400, `{"error":"invalid_grant"}`, true, "wrong e-mail address or password"},
		{400, `{"error":"invalid_grant","error_description":"invalid_username_or_password"}`, true, "wrong e-mail address or password"},
		{400, `{"error":"invalid_grant","error_description":"User account is locked. Try again in 15 minutes."}`, false, "User account is locked. Try again in 15 minutes."},
		{400, `{"error":"invalid_grant","error_description":["User account is locked."]}`, false, "User account is locked."},
		{401, `{"error":"access_denied","error_description":"Invalid username or password"}`, true, "wrong e-mail address or password"},
		{401, `Invalid username or password`, true, "wrong e-mail address or password"},
		{403, `{"error":"mfa_required","error_description":"Multifactor authentication required"}`, false, "Multifactor authentication required"},
		{403, `The account is disabled.`, false, "The account is disabled."},
		{403, ``, false, "answered 403 (forbidden)"},
		{500, `Invalid username or password`, false, "answered 500"},
	} {
		a := newAuthority(t)
		s := newSession(a, NewMemoryVault(), newClock())
		a.Next(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			_, _ = w.Write([]byte(tt.body))
		})
		err := s.SignIn(t.Context(), SignIn{Username: user, Password: secret.New(password)})
		_, wrong := errors.AsType[*WrongPasswordError](err)
		said := problem.Describe(err, problem.Face{})
		if wrong != tt.wrong || !strings.Contains(said.Sentence, tt.says) || said.Hint == "" {
			t.Errorf("%d %s: wrong %v: %s %s", tt.status, tt.body, wrong, said.Sentence, said.Hint)
		}
	}
}

func TestAFailedSignInIsNotRepeatedAndKeepsTheSessionBefore(t *testing.T) {
	a, _, s := signedIn(t, NewMemoryVault())
	for _, answer := range []http.HandlerFunc{
		status(http.StatusServiceUnavailable),
		status(http.StatusTooManyRequests),
		drop,
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
	} {
		a.Next(answer)
		before := len(a.Requests())
		err := s.SignIn(t.Context(), SignIn{Username: user, Password: secret.New(password)})
		if _, wrong := errors.AsType[*WrongPasswordError](err); err == nil || wrong {
			t.Errorf("the error is %v", err)
		}
		if sent := len(a.Requests()) - before; sent != 1 {
			t.Errorf("the password was sent %d times", sent)
		}
		wantState(t, s, Active)
		wantToken(t, s, a, 1)
	}
}

func TestASignInThatIsGivenUpChangesNothing(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	arrived := make(chan struct{})
	a.Next(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.SignIn(ctx, SignIn{Username: user, Password: secret.New(password)}) }()
	<-arrived
	wantState(t, s, SignedOut)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("SignIn: %v", err)
	}
	wantState(t, s, SignedOut)
}

func TestWhatIsMissingForASignInIsSaidWithoutARequest(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	for _, in := range []SignIn{
		{Username: " \t", Password: secret.New("x")},
		{Username: user},
	} {
		if _, ok := errors.AsType[*MissingError](s.SignIn(t.Context(), in)); !ok {
			t.Errorf("of %+v nothing is said to be missing", in)
		}
	}
	if err := s.SignIn(t.Context(), SignIn{Authority: "test", Username: user, Password: secret.New("x")}); err == nil {
		t.Error("an authority without a URL is used")
	}
	if got := a.Requests(); len(got) != 0 {
		t.Errorf("grants asked for: %v", got)
	}
}

func TestTheVaultIsTriedBeforeThePasswordIsSent(t *testing.T) {
	a := newAuthority(t)
	full := errors.New("no space left")
	v := hookedDisk()
	v.fail(full, "try")
	s := newSession(a, v, newClock())
	if err := s.SignIn(t.Context(), SignIn{Username: user, Password: secret.New(password)}); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	if got := a.Requests(); len(got) != 0 {
		t.Errorf("grants asked for: %v", got)
	}
}

func TestTheAuthorityOfADomainIsFoundByTheEMailAddress(t *testing.T) {
	a := newAuthority(t)
	domains := map[string]string{}
	lookups := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		email := r.URL.Query().Get("useremail")
		_, _ = w.Write([]byte(email + "," + domains[email] + "\r\n"))
	}))
	defer lookups.Close()
	profile := a.profile()
	profile.DomainAuthURL, profile.GlobalURL = a.URL+"/{domain}", lookups.URL
	v := diskVault{NewMemoryVault()}
	open := func() *Session {
		return NewService(ServiceOptions{Profile: profile, Vault: v, Now: newClock().Now}).Session
	}
	in := SignIn{Authority: config.AuthorityDomain, Username: "  " + user + "\n", Password: secret.New(password)}

	s := open()
	if _, ok := errors.AsType[*api.NoDomainError](s.SignIn(t.Context(), in)); !ok {
		t.Error("a user without a domain is signed in somewhere")
	}
	domains[user] = "evil.example/x"
	if err := s.SignIn(t.Context(), in); err == nil {
		t.Error("a path is taken for a domain")
	}
	domains[user], profile.SecretDomains = "Harbor.example", []string{"north.example"}
	if e, ok := errors.AsType[*config.DomainError](s.SignIn(t.Context(), in)); !ok || !strings.Contains(e.Text, "nothing was sent") {
		t.Error("the client secret goes to a domain that is not in the list")
	}
	if got := a.Requests(); len(got) != 0 {
		t.Fatalf("grants asked for: %v", got)
	}
	profile.SecretDomains = []string{"north.example", "harbor.example"}
	if err := s.SignIn(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	r, err := v.Load(t.Context())
	if err != nil || r.AuthorityURL != a.URL+"/harbor.example" || r.AuthorityDomain != "harbor.example" {
		t.Errorf("saved is %+v, %v", r, err)
	}
	if err := open().Restore(t.Context()); err != nil {
		t.Errorf("the next start: %v", err)
	}
	profile.SecretDomains = []string{"north.example"}
	if _, ok := errors.AsType[*EndedError](open().Restore(t.Context())); !ok {
		t.Error("a session goes on with a domain that is no longer in the list")
	}
}

func TestAnOpaqueTokenIsASessionWithoutClaims(t *testing.T) {
	a := newAuthority(t)
	a.Next(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"opaque","token_type":"Bearer","expires_in":60}`))
	})
	s := newSession(a, NewMemoryVault(), newClock())
	if err := s.SignIn(t.Context(), SignIn{Username: " Ann@Harbor.example ", Password: secret.New(password)}); err != nil {
		t.Fatal(err)
	}
	if got := s.Status(); got.Claims.Present || got.Username != "Ann@Harbor.example" {
		t.Errorf("Status: %+v", got)
	}
}

func TestASignInThatIsCancelledWhileItsAnswerComesSignsNobodyIn(t *testing.T) {
	a, v := newAuthority(t), hookedDisk()
	ctx, cancel := context.WithCancel(t.Context())
	s := NewService(ServiceOptions{
		Profile: a.profile(), Vault: v, Now: newClock().Now,
		Gate: func(context.Context, api.PasswordTry) (func(api.PasswordOutcome), error) {
			return func(api.PasswordOutcome) { cancel() }, nil // the answer is there
		},
	}).Session
	if err := s.SignIn(ctx, credentials); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	wantState(t, s, SignedOut)
	if r, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Errorf("the vault holds %+v, %v", r, err)
	}
}

// What comes between the answer and the vault does not cost the person another password.
func TestASignInIsSavedOverWhatIsThereByThen(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	save(t, v)
	s := newSession(newAuthority(t), v, newClock())
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := s.accept(left, fullRecord(), true); err != nil || !s.Status().Saved {
		t.Errorf("who leaves then: %v", err)
	}

	h := hookedDisk()
	s = newSession(newAuthority(t), h, newClock())
	for _, overtaken := range []int{outdatedTries - 1, outdatedTries} {
		tries := 0
		h.on(func() error {
			if tries++; tries <= overtaken {
				return &VaultError{Op: "write", What: theSession, Err: ErrOutdated}
			}
			return nil
		}, "put")
		err := s.accept(t.Context(), fullRecord(), true)
		if isSaved := overtaken < outdatedTries; isSaved != (err == nil) || isSaved != s.Status().Saved {
			t.Errorf("overtaken %d times: %v", overtaken, err)
		}
	}
}

func TestASignInTellsWhatTheAuthoritySaysAndWhyItIsNotSaved(t *testing.T) {
	a, v := newAuthority(t), hookedDisk()
	v.fail(errFull, saving...)
	s := newSession(a, v, newClock())
	var told error
	s.Subscribe(func(e Event) { told = e.Err })
	a.Next(answered(200, "application/json", `{"access_token":"x","scope":"a b","expires_in":"60"}`))
	var answer TokenAnswer
	in := credentials
	in.Answer = &answer
	if err := s.SignIn(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if answer.Life != "60" || strings.Join(answer.Scopes, " ") != "a b" {
		t.Errorf("the answer is %+v", answer)
	}
	if !errors.Is(told, errFull) || !errors.Is(s.Status().Reason, errFull) {
		t.Errorf("told is %v, the reason %v", told, s.Status().Reason)
	}
}

// A domain is asked for only where it is a part of the URL, and is not known.
func TestADomainIsLookedUpOnlyForItsAuthority(t *testing.T) {
	for name, tt := range map[string]struct {
		authority, template, known string
		want, domain               string
		lookups                    int
	}{
		"main":             {config.AuthorityMain, "https://auth.{domain}", "", "https://main.example", "", 0},
		"one for all":      {config.AuthorityDomain, "https://auth.example", "", "https://auth.example", "", 0},
		"known":            {config.AuthorityDomain, "https://auth.{domain}", "quay.example", "https://auth.quay.example", "quay.example", 0},
		"of the domain":    {config.AuthorityDomain, "https://auth.{domain}", "", "https://auth.harbor.example", "harbor.example", 1},
		"there is no such": {config.AuthorityTest, "https://auth.{domain}", "", "", "", 0},
	} {
		b := newBackend(t)
		p := newAuthority(t).profile()
		p.AuthURL, p.DomainAuthURL, p.GlobalURL = "https://main.example", tt.template, b.URL
		s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault()}).Session
		url, domain, err := s.authorityOf(t.Context(), tt.authority, user, tt.known)
		if url != tt.want || domain != tt.domain || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %s, %s, %v", name, url, domain, err)
		}
		if got := len(b.requests()); got != tt.lookups {
			t.Errorf("%s: %d domains were looked up", name, got)
		}
	}
}
