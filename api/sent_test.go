package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/secret"
)

func TestAHeaderIsSeenOnlyWhereItIsKnownToBePublic(t *testing.T) {
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Set-Cookie", "sid=canary-session")
		h.Set("X-New-Token", "canary-new")
		h.Set("Server", "kestrel")
		h.Set("X-Request-Id", r.Header.Get("Authorization"))
		h.Set("Retry-After", "5")
		h["Date"] = nil
		w.WriteHeader(http.StatusNoContent)
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause}
	_, _ = gateway.Shares(t.Context(), Bearer(secret.New("canary-access")), "a")
	want := []Pair{
		{Name: "Retry-After", Value: "5", Secret: false}, {Name: "Server", Value: "kestrel", Secret: false}, {Name: "Set-Cookie", Value: "•••", Secret: true},
		{Name: "X-New-Token", Value: "•••", Secret: true}, {Name: "X-Request-Id", Value: "•••", Secret: true},
	}
	if diff := cmp.Diff(want, log.exchanges[0].AnswerHeader); diff != "" {
		t.Fatalf("the headers differ (-want +got):\n%s", diff)
	}
}

func TestAnAddressThatAServiceRedirectsToShowsNoSecret(t *testing.T) {
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		key := url.QueryEscape(strings.TrimPrefix(r.Header.Get("Authorization"), "ApiKey "))
		if r.URL.Path == "/api/resellers/r/companies" {
			http.Redirect(w, r, "/to/"+key+"?"+key+"=1&x="+key, http.StatusFound)
		}
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause}
	_, _ = gateway.Companies(t.Context(), APIKey(secret.New("canary key")), "r")
	if len(log.exchanges) != 2 {
		t.Fatalf("%d exchanges, want 2", len(log.exchanges))
	}
	got := log.exchanges[1]
	want := []Pair{{Name: "•••", Value: "•••", Secret: true}, {Name: "x", Value: "•••", Secret: true}}
	if diff := cmp.Diff(want, got.Query); diff != "" || got.Path != "/to/•••" {
		t.Fatalf("the path is %s, and the query differs (-want +got):\n%s", got.Path, diff)
	}
}

func TestABodyOfAnUnknownKindIsTakenForSecret(t *testing.T) {
	log := &exchangeLog{}
	server := httptest.NewServer(answer(200, "text/plain", "canary"))
	t.Cleanup(server.Close)
	resp, err := clientObservedBy(t, log).Post(server.URL, "text/plain", strings.NewReader("canary"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	if got := log.exchanges[0].Body; got.Text != "" || got.Omitted == "" {
		t.Fatalf("the body was kept: %+v", got)
	}
}
