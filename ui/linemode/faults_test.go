package linemode

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"

	"gatehouse/internal/prompt"
	"gatehouse/session"
	"gatehouse/ui"
)

func proxyTo(t *testing.T, address string) http.Handler {
	t.Helper()
	service, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return httputil.NewSingleHostReverseProxy(&url.URL{Scheme: service.Scheme, Host: service.Host})
}

// replaceService lets the variables point at a service made of one handler.
func (v variables) replaceService(t *testing.T, service http.Handler) {
	t.Helper()
	old, err := url.Parse(v["GATEHOUSE_AUTH_URL"])
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(service)
	t.Cleanup(front.Close)
	for name, value := range v {
		v[name] = strings.ReplaceAll(value, "http://"+old.Host, front.URL)
	}
}

// TestASessionThatHasEndedLeadsThroughSignInBackToTheList ends the session with
// the first request for shares.
func TestASessionThatHasEndedLeadsThroughSignInBackToTheList(t *testing.T) {
	v := demoVariables(t)
	ended := false // one request at a time
	v.before(t, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(text))
			form, _ := url.ParseQuery(string(text))
			switch grant := form.Get("grant_type"); {
			case grant == "password":
				ended = false
				service.ServeHTTP(w, r)
			case grant == "refresh_token":
				ended = true
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
			case ended:
				w.WriteHeader(http.StatusUnauthorized)
			default:
				service.ServeHTTP(w, r)
			}
		})
	})
	said := talk(t, v.options(t), signedIn("ada", "token", "renew", "1", "demo", "back", "2", "next")...)
	wants(t, said, "1. Renew", "The session has ended", "Sign in again", "Sign in.\n", "You are signed in as ada@harbor.example.\n", "harbor.example, Token.\n", "Numbers 11 to 20")
}

func TestHostileTextIsMadeSafe(t *testing.T) {
	v := demoVariables(t)
	v.before(t, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/connect/token") || strings.HasSuffix(r.URL.Path, ".aspx") {
				service.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"Message":"\u001b]0;owned\u0007","Data":[{"Name":"a\u001b[2J\u202eb","\u001b[31mcol":"x\r\ny\u0007","long":"`+
				strings.Repeat("z", 5000)+`","none":{},"list":[],"deep":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}]}`)
		})
	})
	// talk looks for what must not be there.
	said := talk(t, v.options(t), signedIn("ada", "1", "1", "tree", "columns", "sort \x1b[31mcol", "filter \x1b[2J", "\x1b[A", "2", "\x1b[2J", "")...)
	wants(t, said, "1 share.\n", "1. Name: a␛[2J‹U+202E›b.", "This is share 1 of 1:", "␛[31mcol: x␍␊y␇.", "zzz, and more.\n",
		"List: none.\n", "none: an empty object.\n", "list: an empty list.\n", "␛[31mcol.\n", "\"␛[A\" is not a command here.")
}

func TestAVaultThatCannotBeOpenedIsTriedAgainOrDoneWithout(t *testing.T) {
	locked := &session.VaultError{Op: "open", What: "the keyring", Err: session.ErrKeyringLocked}
	for answer, want := range map[string]string{"1": "E-mail", "2": "E-mail", "quit": "You have left Gatehouse.", "back": "You have left Gatehouse."} {
		o := demoVariables(t).options(t)
		o.Open = func(context.Context) (ui.Opened, error) { return ui.Opened{}, locked }
		wants(t, talk(t, o, answer), "The saved session could not be opened.\n", "keyring", "1. Try again: ", "2. Continue without saving: ", want)
	}
}

func TestTheOutputThatFailsEndsTheConversation(t *testing.T) {
	o := demoVariables(t).options(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	o.Console = prompt.NewConsole(strings.NewReader("ada@harbor.example\n"), write)
	if err := Run(t.Context(), o); err == nil {
		t.Error("nothing is said about it")
	}
}
