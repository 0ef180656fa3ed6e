package api

import (
	"net/http"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/text/secret"
)

const (
	clientID     = "client+id/ö"
	clientSecret = "s:cr%t & +"
)

func newTokenClient(t *testing.T, url string) *TokenClient {
	t.Helper()
	return &TokenClient{
		HTTP:         newTestClient(t),
		Authority:    url,
		ClientID:     clientID,
		ClientSecret: secret.New(clientSecret),
		Scope:        "openid  offline_access",
	}
}

func TestTokenIsReadInFull(t *testing.T) {
	served := time.Date(2026, 3, 1, 12, 0, 7, 0, time.UTC)
	asked := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", served.Format(http.TimeFormat))
		answer(http.StatusOK, "application/json; charset=utf-8", string(recorded(t, "token.json")))(w, r)
	})
	client := newTokenClient(t, server.URL)
	client.HTTP = NewTransport(Options{Now: func() time.Time { return asked }})

	got, err := client.Password(t.Context(), "ann@harbor.example", secret.New("p"))
	if err != nil {
		t.Fatal(err)
	}
	want := Token{
		Access:      secret.New("header.payload.signature"),
		Refresh:     secret.New("0123456789abcdef"),
		ID:          secret.New("header.id.signature"),
		ExpiresIn:   24 * time.Hour,
		RequestedAt: asked,
		ServerTime:  served,
		Scopes:      []string{"openid", "profile", "domain_api", "offline_access"},
		Life:        "86400",
	}
	if !reflect.DeepEqual(*got, want) {
		t.Fatalf("got %+v, want %+v", *got, want)
	}
}

func TestALifeIsCountedFromTheSendingOfTheRequest(t *testing.T) {
	asked := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var late atomic.Int64 // what the clock is ahead of asked
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		late.Store(int64(25 * time.Second)) // the service takes its time
		answer(http.StatusOK, "application/json", `{"access_token":"a","expires_in":60}`)(w, r)
	})
	client := newTokenClient(t, server.URL)
	client.HTTP = NewTransport(Options{Now: func() time.Time { return asked.Add(time.Duration(late.Load())) }})
	for grant, call := range bothGrants(client) {
		late.Store(0)
		token, err := call(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !token.RequestedAt.Equal(asked) {
			t.Errorf("%s: its life is counted from %v, want %v", grant, token.RequestedAt, asked)
		}
	}
}

func TestExpiresInIsReadExactlyOrNotAtAll(t *testing.T) {
	for _, tt := range []struct {
		json string
		want time.Duration
	}{
		{`86400`, 86400 * time.Second},
		{`"86400"`, 86400 * time.Second},
		{`86400.0`, 86400 * time.Second},
		{`1.9`, time.Second},
		{`20`, 20 * time.Second},
		{`0`, 0},
		{`-5`, 0},
		{`null`, 0},
		{`""`, 0},
		{`"soon"`, 0},
		{`true`, 0},
		{`[1]`, 0},
		{`{}`, 0},
		{`1e3`, 0},
		{`1.5e3`, 0},
		{`"12 hours"`, 0},
		{`99999999999`, maxLifetime},
		{`99999999999999999999999`, maxLifetime},
		{`-99999999999999999999999`, 0},
	} {
		t.Run(tt.json, func(t *testing.T) {
			got := signIn(t, `{"access_token":"a","expires_in":`+tt.json+`,"refresh_token":"r"}`)
			if got.ExpiresIn != tt.want {
				t.Fatalf("ExpiresIn = %v, want %v", got.ExpiresIn, tt.want)
			}
			if got.Access != secret.New("a") || got.Refresh != secret.New("r") {
				t.Fatalf("the tokens are lost: %+v", got)
			}
		})
	}
}

// signIn gets a token out of body.
func signIn(t *testing.T, body string) *Token {
	t.Helper()
	server := serve(t, answer(http.StatusOK, "application/json", body))
	token, err := newTokenClient(t, server.URL).Password(t.Context(), "ann@harbor.example", secret.New("p"))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestTokenAnswersThatAreNotQuiteRightAreTolerated(t *testing.T) {
	for _, tt := range []struct{ name, contentType, body string }{
		{"called plain text", "text/plain", `{"access_token":"a"}`},
		{"called a form", "application/x-www-form-urlencoded", `{"access_token":"a"}`},
		{"called HTML", "text/html", `{"access_token":"a"}`},
		{"called nothing", "", `{"access_token":"a"}`},
		{"with a byte order mark", "application/json", "\uFEFF" + `{"access_token":"a"}` + "\r\n"},
		{"with a lower-case type", "application/json", `{"access_token":"a","token_type":"bearer"}`},
		{"with an empty type", "application/json", `{"access_token":"a","token_type":""}`},
		{"with a null type", "application/json", `{"access_token":"a","token_type":null}`},
		{"with an id_token that is no string", "application/json", `{"access_token":"a","id_token":5}`},
		{"with EXPIRES_IN in capitals", "application/json", `{"access_token":"a","EXPIRES_IN":1.5}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := serve(t, answer(http.StatusOK, tt.contentType, tt.body))
			token, err := newTokenClient(t, server.URL).Password(t.Context(), "ann@harbor.example", secret.New("p"))
			if err != nil {
				t.Fatal(err)
			}
			if token.Access != secret.New("a") || !token.Refresh.IsEmpty() || !token.ID.IsEmpty() {
				t.Fatalf("got %+v", token)
			}
		})
	}
}

func TestARefreshReturnsTheTokenToRefreshWithNext(t *testing.T) {
	for body, want := range map[string]string{
		`{"access_token":"a2"}`: "r1", // which was sent
		`{"access_token":"a2","refresh_token":"r2","id_token":"i2"}`:                 "r2",
		"{\"access_token\":\"a2\",\"refresh_token\":\"r\xff2\",\"id_token\":\"i2\"}": "r\uFFFD2", // as a vault gives it back
	} {
		token, err := newTokenClient(t, serve(t, answer(http.StatusOK, "application/json", body)).URL).Refresh(t.Context(), secret.New("r1"))
		if err != nil || token.Refresh != secret.New(want) || token.Access != secret.New("a2") || token.ID.IsEmpty() != (want == "r1") {
			t.Errorf("%s: got %+v, %v", body, token, err)
		}
	}
}
