package api

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

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
