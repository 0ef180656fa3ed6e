package api

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/secret"
	"gatehouse/internal/testkit"
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
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause, Tokens: testkit.Token("canary-access")}
	_, _ = gateway.Shares(t.Context(), "a")
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
	_, _ = gateway.Companies(t.Context(), secret.New("canary key"), "r")
	if len(log.exchanges) != 2 {
		t.Fatalf("%d exchanges, want 2", len(log.exchanges))
	}
	got := log.exchanges[1]
	want := []Pair{{Name: "•••", Value: "•••", Secret: true}, {Name: "•••", Value: "•••", Secret: true}}
	if diff := cmp.Diff(want, got.Query); diff != "" || got.Path != "/•••/•••" {
		t.Fatalf("the path is %s, and the query differs (-want +got):\n%s", got.Path, diff)
	}
}

func TestABodyOfAnUnknownKindIsTakenForSecret(t *testing.T) {
	log := &exchangeLog{}
	server := httptest.NewServer(answer(200, "text/plain", "canary"))
	t.Cleanup(server.Close)
	resp, err := (&http.Client{Transport: clientObservedBy(t, log)}).Post(server.URL, "text/plain", strings.NewReader("canary"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	if got := log.exchanges[0].Body; got.Text != "" || got.Omitted == "" {
		t.Fatalf("the body was kept: %+v", got)
	}
}

// everything is a whole exchange in print.
func everything(x Exchange) string { return fmt.Sprintf("%+v", x) }

func TestNoPlaceOfAnExchangeShowsAnAddressWithASecret(t *testing.T) {
	for name, target := range map[string]string{
		"a secret in a public parameter":    "/x?domain=canary-access-token",
		"a JWT in a public parameter":       "/x?domain=eyJhbGciOiJub25lIn0.canary.x",
		"a JWT in the path":                 "/x/eyJhbGciOiJub25lIn0.canary.x/y",
		"a session of ASP.NET in the path":  "/(S(canary4e5f6a))/api",
		"a session of Java in the path":     "/x;jsessionid=canary",
		"an opaque ticket in the path":      "/ticket/canary0f9e8d7c6b5a4938",
		"a JWT for a name":                  "/x?eyJhbGciOiJub25lIn0.canary.x",
		"an opaque ticket for a name":       "/x?canary0f9e8d7c6b5a4938",
		"a secret in the path in Base64":    "/x/" + base64.RawURLEncoding.EncodeToString([]byte("x=canary-access-token")),
		"a secret that is escaped, in part": "/x/canary%2daccess-token",
	} {
		log := &exchangeLog{}
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/shares") {
				w.Header().Set("Location", target)
				w.WriteHeader(http.StatusFound)
			}
		})
		gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause, Tokens: testkit.Token("canary-access-token")}
		_, _ = gateway.Shares(t.Context(), "a")
		if len(log.exchanges) != 2 {
			t.Fatalf("%s: %d exchanges", name, len(log.exchanges))
		}
		if text := everything(log.exchanges[1]); strings.Contains(text, "canary") || strings.Contains(text, "Y2FuYXJ5") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestOfARedirectIsShownWhatWasAskedFor(t *testing.T) {
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v2/") {
			http.Redirect(w, r, "/v2"+r.URL.EscapedPath()+"/login.aspx?domain=d-1&state=x", http.StatusFound)
		}
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause, Tokens: testkit.Token("canary-access-token")}
	_, _ = gateway.Shares(t.Context(), "0f9e8d7c6b5a4938@a.example")
	if got, want := log.exchanges[1].Path, "/•••/api/users/0f9e8d7c6b5a4938%40a.example/shares/•••"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(log.exchanges[1].Query), "[{domain d-1 false} {••• ••• true}]"; got != want {
		t.Errorf("the query is %s, want %s", got, want)
	}
}

// A key that was pasted into the wrong field is a secret there, too.
func TestASecretInTheWrongFieldIsHidden(t *testing.T) {
	log := &exchangeLog{}
	client := clientObservedBy(t, log)
	server := serve(t, status(404))
	gateway := &Gateway{HTTP: client, BaseURL: server.URL, pause: noPause}
	_, _ = gateway.Companies(t.Context(), secret.New("canary-key"), "canary-key")
	_, _ = (&Global{HTTP: client, URL: server.URL}).DeviceLogin(t.Context(), DeviceLoginRequest{
		DeviceName: "canary-password", Email: "ann@harbor.example", Password: secret.New("canary-password"),
	})
	for _, x := range log.exchanges {
		if text := everything(x); strings.Contains(text, "canary") {
			t.Errorf("it shows: %s", text)
		}
	}
}

// However much a service sends, an exchange stays small: many are kept.
func TestAnExchangeStaysSmall(t *testing.T) {
	log := &exchangeLog{}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for i := range 100 {
			w.Header().Set(fmt.Sprintf("Server-%d-%s", i, strings.Repeat("x", 2000)), strings.Repeat("y", 2000))
		}
		w.Header().Set("Server", strings.Repeat("z", 2000))
		if !strings.HasPrefix(r.URL.Path, "/long") {
			w.Header().Set("Location", "/long/"+strings.Repeat("a/", 50_000)+"?"+strings.Repeat("a=b&", 50_000)+"domain="+strings.Repeat("c", 100_000))
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = w.Write([]byte("[" + strings.Repeat(`{"token":1},`, 10_000) + "1]"))
	})
	gateway := &Gateway{HTTP: clientObservedBy(t, log), BaseURL: server.URL, pause: noPause, Tokens: testkit.Token("canary")}
	body, err := gateway.Shares(t.Context(), "a")
	if err := drained(body, err); err != nil {
		t.Fatal(err)
	}
	for _, x := range log.exchanges {
		if size := len(everything(x)); size > 20<<10 {
			t.Errorf("%s takes %d bytes", x.Path[:min(len(x.Path), 20)], size)
		}
	}
}

// An answer's own words are checked like an excerpt of it.
func TestTheMessageOfARefusalShowsNoSecret(t *testing.T) {
	const key = "canary (key)!"
	messages := []string{"token eyJhbGciOiJub25lIn0.canary.x refused"}
	for _, text := range []string{key, url.QueryEscape(key), base64.StdEncoding.EncodeToString([]byte(key))} {
		messages = append(messages, "key "+text+" refused")
	}
	for _, message := range messages {
		body, _ := json.Marshal(map[string]string{"Message": message})
		server := serve(t, answer(403, "application/json", string(body)))
		_, err := newGateway(t, server.URL).Companies(t.Context(), secret.New(key), "r")
		if err == nil || strings.Contains(err.Error(), "refused") {
			t.Errorf("%q: %v", message, err)
		}
	}
}
