package api

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

func TestAnIDStaysOneSegmentBelowThePathOfTheGateway(t *testing.T) {
	var got string
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.RequestURI + " " + r.Header.Get("Authorization") })
	for _, tt := range []struct{ base, id, want string }{
		{"", "../a/b?c#d%2F é", "/api/resellers/..%2Fa%2Fb%3Fc%23d%252F%20%C3%A9/companies ApiKey k-1"},
		{"/gate%2Fway/", "r", "/gate%2Fway/api/resellers/r/companies ApiKey k-1"},
	} {
		gateway := newGateway(t, server.URL+tt.base)
		gateway.Tokens = testkit.Token("tok.en") // a key goes before it
		body, err := gateway.Companies(t.Context(), secret.New("k-1"), tt.id)
		if err := drained(body, err); err != nil || got != tt.want {
			t.Errorf("got %s, %v, want %s", got, err, tt.want)
		}
	}
}

func TestABaseURLIsAHostAndAPathAlone(t *testing.T) {
	server := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	for _, base := range []string{
		server.URL + "?", server.URL + "/x?y=z", server.URL + "#x", "http://ann@" + host(server), host(server), "ftp://" + host(server),
	} {
		_, err := newGateway(t, base).Shares(t.Context(), "a")
		if refused, ok := errors.AsType[*RequestError](err); !ok || refused.Field != "base_url" || refused.Reason == "" {
			t.Errorf("%s: the error is %v", base, err)
		}
	}
}

func TestGatewayRefusalsAreTyped(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		header http.Header
		want   StatusError
	}{
		{400, `{"Message":"Illegal characters."}`, nil, StatusError{Message: "Illegal characters."}},
		{401, ``, nil, StatusError{}},
		{403, `{"message":"Denied\r\n\u001baccess."}`, nil, StatusError{Message: "Denied access."}},
		{404, "\uFEFF" + `{"Message":"No such user."}`, nil, StatusError{Message: "No such user."}},
		{404, `{"Message":{"no":"text"}}`, nil, StatusError{}},
		{404, `<html>Not here`, nil, StatusError{Message: "Not here", Page: true}},
		{429, ``, http.Header{"Retry-After": {"120"}}, StatusError{RetryAfter: 2 * time.Minute}},
		{500, `{"Message":null}`, nil, StatusError{}},
		{503, ``, http.Header{"Retry-After": {"99999999999999"}}, StatusError{RetryAfter: maxWait}},
	} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for name, values := range tt.header {
				w.Header()[name] = values
			}
			answer(tt.status, "application/json", tt.body)(w, r)
		})
		_, err := newGateway(t, server.URL).Shares(t.Context(), "ann@harbor.example")
		got, ok := errors.AsType[*StatusError](err)
		if !ok {
			t.Errorf("%d %s: got %v, want a StatusError", tt.status, tt.body, err)
			continue
		}
		tt.want.Status = tt.status
		if diff := cmp.Diff(&tt.want, got, cmpopts.IgnoreFields(StatusError{}, "Op", "Host")); diff != "" {
			t.Errorf("%d %s: the error differs (-want +got):\n%s", tt.status, tt.body, diff)
		}
	}
}

func TestAPageInPlaceOfJSONIsAnError(t *testing.T) {
	for _, tt := range []struct {
		name, contentType, body string
		isPage                  bool
	}{
		{"a page", "text/html; charset=utf-8", "<html>", true},
		{"a page called JSON", "application/json", "<!DOCTYPE html>", true},
		{"a page after blanks", "application/json", "\uFEFF\r\n  <html>", true},
		{"text called a page", "text/html", "Sign in first", true},
		{"JSON called a page", "text/html", `{"Data":[]}`, false},
		{"an array called a page", "TEXT/HTML", ` []`, false},
		{"JSON", "application/json", `"<html>"`, false},
		{"nothing", "application/json", ``, false},
		{"nothing called a page", "text/html", ``, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := serve(t, answer(200, tt.contentType, tt.body))
			body, err := newGateway(t, server.URL).Shares(t.Context(), "a")
			if wrong, ok := errors.AsType[*BodyError](err); ok != tt.isPage || ok && wrong.Detail != htmlForJSON {
				t.Fatalf("got %v", err)
			}
			if tt.isPage {
				return
			}
			if text, err := body.ReadAll(); err != nil || string(text) != tt.body {
				t.Fatalf("got %q and %v, want the whole body", text, err)
			}
		})
	}
}
