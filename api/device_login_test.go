package api

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
)

// loginQuery is the query that a login sends.
func loginQuery(t *testing.T, login DeviceLoginRequest) url.Values {
	t.Helper()
	var got url.Values
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/login2.aspx" {
			t.Errorf("got %s %s", r.Method, r.URL.Path)
		}
		var err error
		if got, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			t.Error(err)
		}
		answer(200, "application/json", "{}")(w, r)
	})
	if _, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), login); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestADeviceLoginSendsEveryParameterOfTheInterface(t *testing.T) {
	got := loginQuery(t, DeviceLoginRequest{
		DeviceName:           "Ann's läptop",
		DeviceID:             "00ff",
		Email:                "ann+x@harbor.example",
		Password:             secret.New("pässword?~"),
		PlainPassword:        secret.New("plain&=+"),
		ActiveDirectoryToken: secret.New("ad"),
		ResellerID:           "r-1",
		DeviceIP:             "::1",
		DeviceType:           "AndroidTable",
		DeviceGeo:            `{"city":"Århus"}`,
		Latitude:             "56.15",
		Longitude:            "-10.2",
		Domain:               "6f1d",
	})
	want := url.Values{
		"devicename": {"Ann's läptop"},
		"deviceid":   {"00ff"},
		"useremail":  {"ann+x@harbor.example"},
		"password2":  {"cMOkc3N3b3JkP34="},
		"password":   {"plain&=+"},
		"Ad":         {"ad"},
		"resellerid": {"r-1"},
		"deviceip":   {"::1"},
		"devicetype": {"AndroidTable"},
		"devicegeo":  {`{"city":"Århus"}`},
		"devicelat":  {"56.15"},
		"devicelon":  {"-10.2"},
		"domain":     {"6f1d"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the query differs (-want +got):\n%s", diff)
	}
}

func TestADeviceLoginFailsInTheManyWaysOfACall(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"a busy service", status(503, "Retry-After", "0"), "answered 503 (service unavailable)"},
		{"a refusal", answer(400, "application/json", `{"Message":"No."}`), "answered 400 (bad request): No."},
		{"a page", answer(200, "text/html", "<html>"), "sent an HTML page instead of JSON (content type text/html)"},
		{"nothing", answer(200, "application/json", ""), "sent an empty answer (content type application/json)"},
		{"an array", answer(200, "application/json", "[{}]"), "sent JSON that is not an object (content type application/json)"},
		{"null", answer(200, "application/json", "null"), "sent JSON that is not an object (content type application/json)"},
		{"half an object", answer(200, "application/json", `{"ErrorCode":`), "sent something that is not valid JSON (content type application/json)"},
		{"two objects", answer(200, "application/json", `{}{}`), "sent something that is not valid JSON (content type application/json)"},
		{"a cut object", raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"), "sent an answer that was cut off after 1 of 50 bytes"},
		{"too much", answer(200, "application/json", `"`+strings.Repeat("x", loginResultLimit)), "sent more than the limit of 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			handler, requests := counted(tt.handler)
			server := serve(t, handler)
			_, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), loginOf("a@b.c"))
			if want := "log in the device of a@b.c: " + host(server) + " " + tt.want; err == nil || err.Error() != want {
				t.Fatalf("got  %v\nwant %s", err, want)
			}
			if n := requests.Load(); n != 1 {
				t.Fatalf("%d requests were sent, want 1", n)
			}
		})
	}
}

func TestAKnownDeviceNeedsNoName(t *testing.T) {
	login := DeviceLoginRequest{DeviceID: "00ff", Email: "ann@harbor.example", Password: secret.New("p")}
	want := url.Values{"deviceid": {"00ff"}, "useremail": {"ann@harbor.example"}, "password2": {"cA=="}}
	if diff := cmp.Diff(want, loginQuery(t, login)); diff != "" {
		t.Errorf("the query differs (-want +got):\n%s", diff)
	}
}
