package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
)

func deviceLogin(t *testing.T, body string) *LoginResult {
	t.Helper()
	return deviceLoginWith(t, loginOf("ada@harbor.example"), body)
}

func deviceLoginWith(t *testing.T, login DeviceLoginRequest, body string) *LoginResult {
	t.Helper()
	server := serve(t, answer(200, "application/json", body))
	result, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestALoginResultIsReadInFull(t *testing.T) {
	body := recorded(t, "login2.json")
	got := deviceLogin(t, "\uFEFF"+string(body))
	trimmed := strings.TrimSpace(string(body))
	want := &LoginResult{
		PrimaryUserDomain: &PrimaryUserDomain{
			Domain: Domain{
				DomainID:   "6f1d2c3b-4a59-4d68-9e70-81a2b3c4d5e6",
				URL:        "harbor.example",
				DomainName: "Harbor & Søn",
				ResellerID: "0a1b2c3d-1111-2222-3333-444455556666",
				DataSetup:  "3",
			},
			UserDomainToken: secret.New("canary-user-domain-token"),
		},
		ErrorCode:        "U100",
		Validated:        "1",
		DeviceID:         "00112233445566778899aabbccddeeff",
		UserNotification: &UserNotification{NotificationType: "0"},
		Raw:              json.RawMessage(trimmed),
	}
	// The result's own JSON is masked, so go-cmp must look at the fields.
	type plain LoginResult
	equalText := cmp.Comparer(func(a, b secret.Text) bool { return a == b })
	if diff := cmp.Diff((*plain)(want), (*plain)(got), equalText); diff != "" {
		t.Fatalf("the result differs (-want +got):\n%s", diff)
	}
}

func TestALoginResultOfOddKindsStaysReadable(t *testing.T) {
	for _, tt := range []struct {
		body  string
		check func(*LoginResult) bool
	}{
		{`{}`, func(r *LoginResult) bool {
			return r.PrimaryUserDomain == nil && r.UserNotification == nil && r.ErrorCode == "" && r.Validated == ""
		}},
		{`{"PrimaryUserDomain":null,"User":null,"UserDomains":null,"UserNotification":null,"ErrorCode":null,"DeviceId":null,"Wipe":null,"Validated":null}`, func(r *LoginResult) bool {
			return r.PrimaryUserDomain == nil && r.UserNotification == nil && r.ErrorCode == "" && !r.Wipe && r.Validated == ""
		}},
		{`{"PrimaryUserDomain":"x","UserDomains":{"a":1},"UserNotification":[1],"ErrorCode":{"a":1},"Validated":[]}`, func(r *LoginResult) bool {
			return r.PrimaryUserDomain == nil && r.UserNotification == nil && r.ErrorCode == "" && r.Validated == ""
		}},
		{`{"PrimaryUserDomain":{}}`, func(r *LoginResult) bool {
			return r.PrimaryUserDomain != nil && r.PrimaryUserDomain.Domain == Domain{}
		}},
		{`{"PrimaryUserDomain":{"Domain":[],"UserDomainToken":7}}`, func(r *LoginResult) bool {
			return r.PrimaryUserDomain.UserDomainToken == secret.New("7")
		}},
		{`{"Wipe":true}`, func(r *LoginResult) bool { return r.Wipe }},
		{`{"Wipe":"True"}`, func(r *LoginResult) bool { return r.Wipe }},
		{`{"Wipe":1}`, func(r *LoginResult) bool { return r.Wipe }},
		{`{"Wipe":"1"}`, func(r *LoginResult) bool { return r.Wipe }},
		{`{"Wipe":0}`, func(r *LoginResult) bool { return !r.Wipe }},
		{`{"Wipe":"no"}`, func(r *LoginResult) bool { return !r.Wipe }},
		{`{"Wipe":{"true":true}}`, func(r *LoginResult) bool { return !r.Wipe }},
		{`{"ErrorCode":103}`, func(r *LoginResult) bool { return r.ErrorCode == "103" }},
		{`{"Validated":123456789012345678901}`, func(r *LoginResult) bool { return r.Validated == "123456789012345678901" }},
		{`{"Validated":"2"}`, func(r *LoginResult) bool { return r.Validated == "2" }},
		{`{"Validated":"yes"}`, func(r *LoginResult) bool { return r.Validated == "" }},
		{`{"ConfirmKey":"k"}`, func(r *LoginResult) bool { return r.ConfirmKey == secret.New("k") }},
	} {
		if got := deviceLogin(t, tt.body); !tt.check(got) || string(got.Raw) != tt.body {
			type plain LoginResult
			t.Errorf("%s is read as %+v", tt.body, plain(*got))
		}
	}
}

// A service that knows no code of this interface says no in its own way.
func TestAnAnswerWithNothingButAMessageIsARefusal(t *testing.T) {
	for body, want := range map[string]*EnvelopeError{ // nil: it is a result
		`{"Message":"Denied."}`:                     {Message: "Denied."},
		`{"Message":"Denied.","Wipe":false}`:        {Message: "Denied."},
		`{"Message":"Bearer abcdefghijklmnopqrst"}`: {Omitted: LooksSecret},
		`{}`:             nil,
		`{"Message":""}`: nil,
		`{"Message":"Hello.","ErrorCode":"U100"}`:       nil,
		`{"Message":"Hello.","DeviceId":"00"}`:          nil,
		`{"Message":"Hello.","PrimaryUserDomain":{}}`:   nil,
		`{"Message":"Hello.","Validated":1}`:            nil,
		`{"Message":"The device is gone.","Wipe":true}`: nil,
	} {
		server := serve(t, answer(200, "application/json", body))
		result, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), loginOf("ann@harbor.example"))
		if want == nil {
			if err != nil || result == nil {
				t.Errorf("%s: %v", body, err)
			}
			continue
		}
		want.Op, want.Host = "log in the device of ann@harbor.example", host(server)
		refused, ok := errors.AsType[*EnvelopeError](err)
		if !ok || result != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if diff := cmp.Diff(want, refused); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestNoWayOfPrintingALoginResultShowsAToken(t *testing.T) {
	result := deviceLogin(t, string(recorded(t, "login2.json")))
	asJSON, err := json.Marshal(map[string]any{"pointer": result, "value": *result})
	if err != nil {
		t.Fatal(err)
	}
	printed := string(asJSON)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		printed += fmt.Sprintf(verb, result) + fmt.Sprintf(verb, *result) + fmt.Sprintf(verb, []any{*result})
	}
	bytesOfCanary := strings.Trim(fmt.Sprint([]byte("canary")), "[]")
	if strings.Contains(printed, "canary") || strings.Contains(printed, bytesOfCanary) {
		t.Fatalf("a token is shown: %s", printed)
	}
	if !strings.Contains(printed, "U100") {
		t.Fatal("the rest is not shown")
	}
}

func TestASealedResultHasNoToken(t *testing.T) {
	result := deviceLogin(t, string(recorded(t, "login2.json")))
	sealed := result.Sealed()
	if strings.Contains(string(sealed.Raw), "canary") {
		t.Errorf("the body still has a token: %s", sealed.Raw)
	}
	if got := sealed.PrimaryUserDomain.UserDomainToken.Reveal(); got != secret.Mask {
		t.Errorf("the token of the domain is %q", got)
	}
	if sealed.ErrorCode != result.ErrorCode || sealed.DeviceID != result.DeviceID {
		t.Error("the rest is lost")
	}
	if empty := (LoginResult{}).Sealed(); empty == nil || empty.Raw != nil {
		t.Errorf("of nothing there is %v", empty)
	}
	for body, want := range map[string][2]string{ // the token of the domain and the key
		`{"PrimaryUserDomain":{"UserDomainToken":"t"},"ConfirmKey":"k"}`: {secret.Mask, secret.Mask},
		`{"PrimaryUserDomain":{"UserDomainToken":""},"ConfirmKey":""}`:   {"", ""},
		`{"PrimaryUserDomain":{}}`:                                       {"", ""},
	} {
		sealed := deviceLogin(t, body).Sealed()
		got := [2]string{sealed.PrimaryUserDomain.UserDomainToken.Reveal(), sealed.ConfirmKey.Reveal()}
		if got != want {
			t.Errorf("%s: sealed, the token and the key are %q", body, got)
		}
	}
	if text, err := json.Marshal(LoginResult{}); err != nil || string(text) != "null" {
		t.Errorf("as JSON nothing is %s, %v", text, err)
	}
}

func TestANoticeOfALoginResultMayHaveAnAddress(t *testing.T) {
	result := deviceLogin(t, `{"UserNotification":{"NotificationType":2,"Url":"https://harbor.example/news"}}`)
	want := UserNotification{NotificationType: "2", URL: "https://harbor.example/news"}
	if result.UserNotification == nil || *result.UserNotification != want {
		t.Errorf("got %+v", result.UserNotification)
	}
}
