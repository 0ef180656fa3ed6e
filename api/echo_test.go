package api

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// A refusal of a password that repeats it says nothing but why its text is left out.
func TestARefusalDoesNotRepeatThePassword(t *testing.T) {
	var said string
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		text := "Zanzibar: " + said
		body, _ := json.Marshal(map[string]string{"error": "invalid_grant", "error_description": text, "Message": text})
		answer(400, "application/json", string(body))(w, nil)
	})
	observer := &exchangeLog{}
	client := clientObservedBy(t, observer)
	for _, password := range testkit.EchoedPasswords() {
		for _, echo := range testkit.Echoes(password) {
			said = echo.Text
			_, err := (&TokenClient{HTTP: client, Authority: server.URL, ClientID: "c"}).Password(t.Context(), "ann@harbor.example", secret.New(password))
			if refused, ok := errors.AsType[*TokenError](err); !ok || refused.Description != "" || refused.Omitted != RepeatsTyped {
				t.Errorf("%s of %s: %#v", echo.Way, password, err)
			}
			login := loginOf("ann@harbor.example")
			login.Password = secret.New(password)
			_, err = (&Global{HTTP: client, URL: server.URL}).DeviceLogin(t.Context(), login)
			if refused, ok := errors.AsType[*StatusError](err); !ok || refused.Message != "" || refused.Omitted != RepeatsTyped {
				t.Errorf("%s of %s: %#v", echo.Way, password, err)
			}
		}
	}
	for _, x := range observer.exchanges {
		if text := everything(x); strings.Contains(text, "Zanzibar") {
			t.Errorf("an exchange has it: %s", text)
		}
	}
}

func TestAnErrorSaysWhyATextIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		said, want string
		omitted    Omission
	}{
		{"no user with demo", "answered 400: invalid_grant (its description is left out: it repeats what was typed)", RepeatsTyped},
		{"not the secret canary-client-secret", "invalid_grant (its description is left out: it repeats a secret that was sent)", RepeatsSent},
		{"Bearer abcdefghijklmnopqrst", "invalid_grant (its description is left out: it may hold a secret)", LooksSecret},
		{"the account is locked", "invalid_grant (the account is locked)", ""},
		{"", "answered 400: invalid_grant", ""},
	} {
		server := serve(t, answer(400, "application/json", `{"error":"invalid_grant","error_description":"`+tt.said+`","Message":"`+tt.said+`"}`))
		client := newTokenClient(t, server.URL)
		client.ClientSecret = secret.New("canary-client-secret")
		_, err := client.Password(t.Context(), "ann@harbor.example", secret.New("demo"))
		refused, ok := errors.AsType[*TokenError](err)
		if !ok || refused.Omitted != tt.omitted || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%q: %v", tt.said, err)
		}
	}
	server := serve(t, answer(400, "application/json", `{"Message":"no user with demo"}`))
	login := loginOf("ann@harbor.example")
	login.Password = secret.New("demo")
	_, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), login)
	if err == nil || !strings.HasSuffix(err.Error(), "answered 400 (bad request) (its message is left out: it repeats what was typed)") {
		t.Errorf("got %v", err)
	}
	if reason := Omission("newer").Reason(); reason != "the reason is unknown" {
		t.Errorf("got %s", reason)
	}
}

// "invalid_grant" means a wrong password, even to somebody whose password is a part of it.
func TestARegisteredCodeIsNoRepetition(t *testing.T) {
	for code, want := range map[string]string{"invalid_grant": "invalid_grant", "invalid_client": "invalid_client", "grant_expired": ""} {
		for _, password := range []string{"grant", "invalid", "client"} {
			server := serve(t, answer(400, "application/json", `{"error":"`+code+`"}`))
			_, err := newTokenClient(t, server.URL).Password(t.Context(), "ann@harbor.example", secret.New(password))
			refused, ok := errors.AsType[*TokenError](err)
			repeats := want == "" && password == "grant"
			if ok == repeats || ok && want != "" && refused.Code != want {
				t.Errorf("%s with the password %s: %v", code, password, err)
			}
		}
	}
}

func TestNoOtherTextOfAnAnswerRepeatsThePassword(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"a content type": answer(200, "text/demo", "no JSON"),
		"a redirect":     status(302, "Location", "https://demo/"),
	} {
		client := newTokenClient(t, serve(t, handler).URL)
		if _, err := client.Password(t.Context(), "ann@harbor.example", secret.New("demo")); err == nil || strings.Contains(err.Error(), "demo") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A key may be the Base64 of what a service calls its caller.
func TestARefusalDoesNotRepeatWhatAKeyStandsFor(t *testing.T) {
	const pair = "seven:correct-horse"
	gateway := newGateway(t, serve(t, answer(403, "application/json", `{"Message":"no access for `+pair+`"}`)).URL)
	key := secret.New(base64.StdEncoding.EncodeToString([]byte(pair)))
	_, err := gateway.Companies(t.Context(), key, "reseller")
	if refused, ok := errors.AsType[*StatusError](err); !ok || refused.Message != "" || refused.Omitted != RepeatsSent {
		t.Errorf("got %#v", err)
	}
}
