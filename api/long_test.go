package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// longBodies are answers of a size that are made to keep their reader busy.
func longBodies(size int) map[string]string {
	record := func(i int) string { return fmt.Sprintf(`{"DomainId":"%d","UserDomainToken":"a %x"}`, i, i%(1<<20)) }
	return map[string]string{
		"a page":                  "<!DOCTYPE html><title>" + testkit.Fill(size, "No ") + "</title>",
		"a text":                  testkit.Fill(size, "no "),
		"commas":                  "a@b.c" + testkit.Fill(size, ","),
		"white space":             testkit.Fill(size, " \n"),
		"deep lists":              `{"User":` + testkit.Fill(size/2, "[") + testkit.Fill(size/2, "]") + "}",
		"deep lists without end":  `{"error":` + testkit.Fill(size, "["),
		"deep objects":            `{"error":` + strings.Repeat(`{"a":`, 9000) + testkit.Fill(size, " ") + "1" + strings.Repeat("}", 9001),
		"tokens of a login":       `{"ErrorCode":"U100","UserDomains":[` + testkit.Items(size, record) + `]}`,
		"many members":            `{"error":"no",` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"error_description%d":1`, i) }) + `}`,
		"one member many times":   `{` + testkit.Items(size, func(i int) string { return fmt.Sprintf(`"Message":"%d"`, i) }) + `}`,
		"a long name":             `{"` + testkit.Fill(size, "aB") + `":1}`,
		"a long message":          `{"error":"no","ErrorCode":"U107","access_token":"x","error_description":"` + testkit.Fill(size/2, "no ") + `","Message":"` + testkit.Fill(size/2, "no ") + `"}`,
		"a message full of signs": `{"error":"no","error_description":"` + testkit.Fill(size/2, `\\u`) + `","Message":"` + testkit.Fill(size/2, "&amp;") + `"}`,
		"a long error":            `{"error":"` + testkit.Fill(size, "no") + `"}`,
		"a long life":             `{"access_token":"x","expires_in":` + testkit.Fill(size, "9") + `}`,
		"a JSON in a JSON":        `{"Message":"` + testkit.Fill(size, `[\"pin\",`) + `"}`,
	}
}

func TestALongAnswerKeepsNobodyWaiting(t *testing.T) {
	size, limit := testkit.LongAnswer(t)
	for name, body := range longBodies(size) {
		for _, code := range []int{http.StatusOK, http.StatusBadRequest} {
			t.Run(fmt.Sprintf("%s/%d", name, code), func(t *testing.T) {
				server := serve(t, answer(code, "application/json", body))
				tokens := &TokenClient{HTTP: newTestClient(t), Authority: server.URL, ClientID: "c", ClientSecret: secret.New("client secret")}
				global, gateway := newGlobal(t, server.URL), newGateway(t, server.URL)
				gateway.Tokens = testkit.Token("a b")
				for call, work := range map[string]func(){
					"a sign-in": func() {
						_, err := tokens.Password(t.Context(), "ann", secret.New("a b 9"))
						requireReadWhole(t, err)
					},
					"a renewal": func() {
						_, err := tokens.Refresh(t.Context(), secret.New("canary-refresh"))
						requireReadWhole(t, err)
					},
					"a look-up": func() { _, _ = global.UserDomain(t.Context(), "a@b.c") },
					"a device login": func() {
						result, err := global.DeviceLogin(t.Context(), loginOf("a@b.c"))
						requireReadWhole(t, err)
						if err == nil {
							_, _ = result.Masked(), result.Sealed()
						}
					},
					"shares": func() {
						if body, err := gateway.Shares(t.Context(), "a@b.c"); err == nil {
							_, _ = body.ReadAll()
						}
					},
				} {
					testkit.RequireCPU(t, limit, call, work)
				}
			})
		}
	}
}

// requireReadWhole fails a test whose answer was too long to be read.
func requireReadWhole(t *testing.T, err error) {
	t.Helper()
	if _, ok := errors.AsType[*LimitError](err); ok {
		t.Error(err)
	}
}

func TestOfARefusalOnlyTheBeginningIsRead(t *testing.T) {
	for room, want := range map[int]string{refusalLimit - 100: "no", refusalLimit: ""} {
		body := `{"Message":"no","more":"` + strings.Repeat("x", room) + `"}`
		server := serve(t, answer(http.StatusBadRequest, "application/json", body))
		_, lookedUp := newGlobal(t, server.URL).UserDomain(t.Context(), "a@b.c")
		_, loggedIn := newGlobal(t, server.URL).DeviceLogin(t.Context(), loginOf("a@b.c"))
		tokens := &TokenClient{HTTP: newTestClient(t), Authority: server.URL, ClientID: "c"}
		_, signedIn := tokens.Password(t.Context(), "ann", secret.New("a b 9"))
		for call, err := range map[string]error{"a look-up": lookedUp, "a device login": loggedIn, "a sign-in": signedIn} {
			refused, ok := errors.AsType[*StatusError](err)
			if !ok || refused.Status != http.StatusBadRequest || refused.Message != want {
				t.Errorf("%s, %d bytes: %v", call, len(body), err)
			}
		}
	}
}
