package api

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

const guess = "canary-guess"

// passwordsOf starts a service that answers nothing useful, and counts the requests that hold the
// guess.
func passwordsOf(t *testing.T) (address string, arrived func() int) {
	t.Helper()
	var mu sync.Mutex
	n := 0
	service := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		all := r.URL.RawQuery + "\n" + string(body)
		encoded := url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(guess)))
		if strings.Contains(all, guess) || strings.Contains(all, encoded) {
			mu.Lock()
			n++
			mu.Unlock()
		}
		w.WriteHeader(http.StatusTeapot)
	})
	return service.URL, func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

// credentials are the methods whose secret is another one than a password.
var credentials = []string{"Gateway.Companies", "TokenClient.Refresh"}

// filled is a value of a type for a call: texts are fit for most fields, secrets are the guess.
func filled(ctx context.Context, of reflect.Type) reflect.Value {
	value := reflect.New(of).Elem()
	switch {
	case of == reflect.TypeFor[context.Context]():
		value.Set(reflect.ValueOf(ctx))
	case of == reflect.TypeFor[secret.Text]():
		value.Set(reflect.ValueOf(secret.New(guess)))
	case of.Kind() == reflect.String:
		value.SetString("ann@harbor.example")
	case of.Kind() == reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() && of.Field(i).Name != "DeviceType" {
				value.Field(i).Set(filled(ctx, of.Field(i).Type))
			}
		}
	}
	return value
}

// callAll calls every method of the clients of this package that asks a service, and returns the
// errors by name.
func callAll(ctx context.Context, through *Transport, address string) map[string]error {
	clients := []any{
		&TokenClient{HTTP: through, Authority: address, ClientID: "client", ClientSecret: secret.New("other")},
		&Gateway{HTTP: through, BaseURL: address},
		&Global{HTTP: through, URL: address},
	}
	errs := map[string]error{}
	for _, client := range clients {
		of := reflect.TypeOf(client)
		for i := range of.NumMethod() {
			method := of.Method(i)
			in := []reflect.Value{reflect.ValueOf(client)}
			for at := 1; at < method.Type.NumIn(); at++ {
				in = append(in, filled(ctx, method.Type.In(at)))
			}
			out := method.Func.Call(in)
			err, _ := out[len(out)-1].Interface().(error)
			errs[of.Elem().Name()+"."+method.Name] = err
		}
	}
	return errs
}

// TestNoMethodSendsAPasswordPastTheGate finds the methods that send a password by calling all of
// them, so a new one is among them.
func TestNoMethodSendsAPasswordPastTheGate(t *testing.T) {
	address, arrived := passwordsOf(t)
	base := NewBase(Options{})
	t.Cleanup(base.CloseIdleConnections)

	sending := 0
	for name, err := range callAll(t.Context(), NewTransport(Options{Base: base}), address) {
		if err == nil {
			t.Errorf("%s had an answer", name)
		}
		if _, invalid := errors.AsType[*RequestError](err); invalid {
			t.Errorf("%s was called with something that it does not send: %v", name, err)
		}
		if !slices.Contains(credentials, name) {
			sending++
		}
	}
	const known = 2 // password grant and device login; a renewal carries the guess as its token
	if got := arrived(); got != known+1 {
		t.Fatalf("%d of %d requests had the guess, want %d and a renewal", got, sending, known)
	}

	var asked []PasswordTry
	why := errors.New("too many")
	shut := NewTransport(Options{Base: base, Gate: func(_ context.Context, try PasswordTry) (func(PasswordOutcome), error) {
		asked = append(asked, try)
		return nil, why
	}})
	before, refused := arrived(), []string{}
	for name, err := range callAll(t.Context(), shut, address) {
		if _, kept := errors.AsType[*GateError](err); kept {
			refused = append(refused, name)
			if !errors.Is(err, why) {
				t.Errorf("%s does not say why: %v", name, err)
			}
		}
	}
	slices.Sort(refused)
	if want := []string{"Global.DeviceLogin", "TokenClient.Password"}; !slices.Equal(refused, want) {
		t.Errorf("the gate has refused %v, want %v", refused, want)
	}
	if got := arrived() - before; got != 1 {
		t.Errorf("%d requests had the guess while the gate was shut, want the renewal alone", got)
	}
	for _, try := range asked {
		if try.Account != "ann@harbor.example" {
			t.Errorf("asked for the account %q", try.Account)
		}
	}
}

// TestTheGateIsToldWhatTheAnswerShows has the answers of services, and what each of them shows.
func TestTheGateIsToldWhatTheAnswerShows(t *testing.T) {
	const (
		json  = "application/json"
		token = `{"access_token":"a.b.c","token_type":"Bearer"}`
	)
	result := func(code string) http.HandlerFunc {
		return answer(http.StatusOK, json, `{"PrimaryUserDomain":{"Domain":{"DomainName":"harbor.example"},"UserDomainToken":"t"},"DeviceId":"1","ErrorCode":"`+code+`"}`)
	}
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
	}
	for name, tt := range map[string]struct {
		serve         http.HandlerFunc
		signIn, login PasswordFate
		came          [2]string // of sign-in and device login
	}{
		"a token":           {answer(200, json, token), PasswordAccepted, PasswordUnclear, [2]string{"", "no code"}},
		"invalid_grant":     {answer(400, json, `{"error":"invalid_grant"}`), PasswordRejected, PasswordUnclear, [2]string{"400 invalid_grant", "400"}},
		"invalid_client":    {answer(401, json, `{"error":"invalid_client"}`), PasswordUnclear, PasswordRejected, [2]string{"401 invalid_client", "401"}},
		"a code of its own": {answer(400, json, `{"error":"locked: ann@harbor.example"}`), PasswordUnclear, PasswordUnclear, [2]string{"400 another code", "400"}},
		"busy":              {answer(429, json, `{"error":"invalid_grant"}`), PasswordUnclear, PasswordUnclear, [2]string{"429 invalid_grant", "429"}},
		"failing":           {answer(503, "text/html", "<html>"), PasswordUnclear, PasswordUnclear, [2]string{"503", "503"}},
		"forbidden":         {answer(403, json, `{}`), PasswordUnclear, PasswordUnclear, [2]string{"403", "403"}},
		"a page":            {answer(200, "text/html", "<html>"), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "an unreadable answer"}},
		"nothing":           {answer(200, json, ""), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "an unreadable answer"}},
		"a message":         {answer(200, json, `{"Message":"Denied."}`), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "a refusal without a code"}},
		"too much":          {answer(200, json, `"`+strings.Repeat("x", tokenLimit)), PasswordUnclear, PasswordUnclear, [2]string{"an answer that is too long", "an answer that is too long"}},
		"a long code":       {result("AZaz_0918" + strings.Repeat("x", 23)), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "AZaz_0918" + strings.Repeat("x", 23)}},
		"a longer code":     {result(strings.Repeat("x", 33)), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "another code"}},
		"a redirect":        {elsewhere, PasswordUnclear, PasswordUnclear, [2]string{"a redirect", "a redirect"}},
		"a cut":             {raw(""), PasswordUnanswered, PasswordUnanswered, [2]string{"other", "other"}},
		"no HTTP":           {raw("SSH-2.0-x\r\n"), PasswordUnanswered, PasswordUnanswered, [2]string{"other", "other"}},
		"U100":              {result("U100"), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "U100"}},
		"U103":              {result("U103"), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "U103"}},
		"U105":              {result("U105"), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "U105"}},
		"U107":              {result("U107"), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "U107"}},
		"an unknown code":   {result("U999"), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "U999"}},
		"another code":      {result(strings.Repeat("U", 99)), PasswordUnclear, PasswordUnclear, [2]string{"an unreadable answer", "another code"}},
	} {
		service := httptest.NewServer(tt.serve)
		for use, fate := range []PasswordFate{tt.signIn, tt.login} {
			want := PasswordOutcome{fate, tt.came[use]}
			if got := outcomeAt(t.Context(), t, PasswordUse(use), service.URL); got != want {
				t.Errorf("%s, %s: %+v, want %+v", name, PasswordUse(use), got, want)
			}
		}
		service.Close()
	}
}

func TestACodeOfOtherSignsIsNotLogged(t *testing.T) {
	for _, sign := range "/:@[`{é -." {
		if got := shortCode("a" + string(sign) + "b"); got != "another code" {
			t.Errorf("%q: %s", sign, got)
		}
	}
}

// A gate may ask others, which takes its time.
func TestAGateIsAskedAsLongAsTheCallLasts(t *testing.T) {
	for use := range sends {
		ctx, hangUp := cancellable(t)
		var why error
		through := NewTransport(Options{Gate: func(ctx context.Context, _ PasswordTry) (func(PasswordOutcome), error) {
			hangUp()
			why = ctx.Err()
			return nil, errors.New("shut")
		}})
		sends[use](ctx, through, "http://127.0.0.1:0")
		if !errors.Is(why, context.Canceled) {
			t.Errorf("%s: %v", PasswordUse(use), why)
		}
	}
}

func TestWhoMayBeGuessing(t *testing.T) {
	for fate, want := range map[PasswordFate]bool{
		PasswordUnanswered: true, PasswordUnclear: true, PasswordRejected: true, PasswordAccepted: false, PasswordUnsent: false,
	} {
		if fate.MayBeAGuess() != want {
			t.Errorf("%s: %v", fate, !want)
		}
	}
}

func TestAPasswordForNoServiceIsNotSent(t *testing.T) {
	for name, address := range map[string]string{"no URL": "auth.example", "http to another machine": "http://auth.example"} {
		if told := outcomeAt(t.Context(), t, PasswordSignIn, address); told.Fate != PasswordUnsent {
			t.Errorf("%s: %+v", name, told)
		}
		_, err := newGlobal(t, address).DeviceLogin(t.Context(), loginOf("ann@harbor.example"))
		if !isA[*RequestError](err) {
			t.Errorf("%s, device login: %v", name, err)
		}
	}
}

// Nobody knows what a transport of somebody else's has done with it.
func TestWhatAnotherTransportWasGivenMayHaveLeft(t *testing.T) {
	failing := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		return nil, io.EOF
	})
	calls := everyCallWith(over(failing), "https://a.example")
	for _, name := range onceCalls {
		failed, ok := errors.AsType[*TransportError](calls[name](t.Context()))
		if !ok || failed.Unsent || !MayHaveActed(failed) {
			t.Errorf("%s: %+v", name, failed)
		}
	}
}

// sends send the guess in each way.
var sends = [...]func(ctx context.Context, through *Transport, address string){
	PasswordSignIn: func(ctx context.Context, through *Transport, address string) {
		client := &TokenClient{HTTP: through, Authority: address, ClientID: "client"}
		_, _ = client.Password(ctx, "ann@harbor.example", secret.New(guess))
	},
	PasswordDeviceLogin: func(ctx context.Context, through *Transport, address string) {
		client := &Global{HTTP: through, URL: address}
		login := DeviceLoginRequest{DeviceName: "laptop", Email: "ann@harbor.example", Password: secret.New(guess)}
		_, _ = client.DeviceLogin(ctx, login)
	},
}

// outcomeAt is the outcome of the guess at an address.
func outcomeAt(ctx context.Context, t *testing.T, use PasswordUse, address string) (told PasswordOutcome) {
	t.Helper()
	base := NewBase(Options{})
	t.Cleanup(base.CloseIdleConnections)
	times := 0
	through := NewTransport(Options{Base: base, Gate: func(_ context.Context, try PasswordTry) (func(PasswordOutcome), error) {
		if try.Use != use {
			t.Errorf("asked for a %s, want a %s", try.Use, use)
		}
		return func(o PasswordOutcome) {
			told = o
			times++
		}, nil
	}})
	sends[use](ctx, through, address)
	if times != 1 {
		t.Errorf("the gate was told %d times what became of a password", times)
	}
	return told
}

// TestWhatWasNotSentIsKnown: only of these the password has certainly not left.
func TestWhatWasNotSentIsKnown(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	_ = listener.Close()
	stranger := httptest.NewUnstartedServer(answer(http.StatusOK, "text/plain", ""))
	stranger.Config.ErrorLog = quiet()
	stranger.TLS = tlsOf(testkit.NewAuthority(t))
	stranger.StartTLS()
	t.Cleanup(stranger.Close)
	given, cancel := context.WithCancel(t.Context())
	cancel()
	open := serve(t, answer(http.StatusOK, "text/plain", ""))

	for name, tt := range map[string]struct {
		ctx     context.Context
		address string
	}{
		"nobody listens":          {t.Context(), "http://" + closed},
		"an unknown certificate":  {t.Context(), stranger.URL},
		"no address":              {t.Context(), "http://127.0.0.1:0"},
		"cancelled before":        {given, open.URL},
		"cancelled while dialing": {given, "http://" + closed},
	} {
		for use := range sends {
			if told := outcomeAt(tt.ctx, t, PasswordUse(use), tt.address); told.Fate != PasswordUnsent {
				t.Errorf("%s, %s: %+v", name, PasswordUse(use), told)
			}
		}
	}
}

func TestWhoHangsUpBeforeTheAnswerHasSentThePassword(t *testing.T) {
	for use := range sends {
		ctx, hangUp := cancellable(t)
		service := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // which comes after the head
			hangUp()
			hang(w, r)
		})
		want := PasswordOutcome{PasswordUnanswered, "cancelled"}
		if told := outcomeAt(ctx, t, PasswordUse(use), service.URL); told != want {
			t.Errorf("%s: %+v, want %+v", PasswordUse(use), told, want)
		}
	}
}

func TestAPanicLeavesAPasswordCounted(t *testing.T) {
	for use := range sends {
		told := PasswordOutcome{Fate: PasswordAccepted}
		broken := roundTripFunc(func(*http.Request) (*http.Response, error) { panic("broken") })
		through := NewTransport(Options{Base: broken, Gate: func(context.Context, PasswordTry) (func(PasswordOutcome), error) {
			return func(o PasswordOutcome) { told = o }, nil
		}})
		func() {
			defer func() { _ = recover() }()
			sends[use](t.Context(), through, "http://127.0.0.1")
		}()
		if !told.Fate.MayBeAGuess() {
			t.Errorf("%s: %+v", PasswordUse(use), told)
		}
	}
}
