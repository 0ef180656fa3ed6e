package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/secret"
)

// paddedTo is JSON of so many bytes.
func paddedTo(size int, text string) string { return text + strings.Repeat(" ", size-len(text)) }

func TestAnAnswerOfAsManyBytesAsTheLimitIsRead(t *testing.T) {
	const mib = 1 << 20
	for beyond, isRead := range map[int]bool{0: true, 1: false} {
		server := serve(t, answer(200, "application/json", paddedTo(mib+beyond, `{"access_token":"a"}`)))
		_, err := newTokenClient(t, server.URL).Refresh(t.Context(), secret.New("r"))
		if _, tooLong := errors.AsType[*LimitError](err); tooLong == isRead || isRead && err != nil {
			t.Errorf("a token with %d bytes more: %v", beyond, err)
		}
		server = serve(t, answer(200, "application/json", paddedTo(mib+beyond, `{"ErrorCode":"U107"}`)))
		_, err = newGlobal(t, server.URL).DeviceLogin(t.Context(), loginOf("ann@harbor.example"))
		if _, tooLong := errors.AsType[*LimitError](err); tooLong == isRead || isRead && err != nil {
			t.Errorf("a device login with %d bytes more: %v", beyond, err)
		}
		const pair = "ann@harbor.example,harbor.example"
		server = serve(t, answer(200, "text/plain", paddedTo(64<<10+beyond, pair)))
		_, err = newGlobal(t, server.URL).UserDomain(t.Context(), "ann@harbor.example")
		if _, tooLong := errors.AsType[*LimitError](err); tooLong == isRead || isRead && err != nil {
			t.Errorf("a look-up with %d bytes more: %v", beyond, err)
		}
	}
}

// What is shown of a token answer is short, and repeats nothing that was sent.
func TestWhatIsShownOfATokenAnswerIsShortAndRepeatsNothing(t *testing.T) {
	long, longest := strings.Repeat("9", 41), strings.Repeat("s", 64)
	for name, tt := range map[string]struct {
		life, scope, wantLife string
		want                  []string
	}{
		"as usual":      {`60`, "a b", "60", []string{"a", "b"}},
		"quoted":        {`"60"`, "", "60", nil},
		"as long as is": {`"` + long[:40] + `"`, longest, long[:40], []string{longest}},
		"the password":  {`"pässwort"`, "a pässwort b", "", []string{"a", "b"}},
		"the client":    {`"` + clientSecret + `"`, "s:cr%t", "", nil},
	} {
		body, err := json.Marshal(map[string]any{
			"access_token": "t", "expires_in": json.RawMessage(tt.life), "scope": tt.scope,
		})
		if err != nil {
			t.Fatal(err)
		}
		client := newTokenClient(t, serve(t, answer(200, "application/json", string(body))).URL)
		token, err := client.Password(t.Context(), "ann@harbor.example", secret.New("pässwort"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		isCut := name == "the client" && len(token.Scopes) <= 1 // a part of the secret may be shown
		if token.Life != tt.wantLife || !slices.Equal(token.Scopes, tt.want) && !isCut {
			t.Errorf("%s: life %q, scopes %q", name, token.Life, token.Scopes)
		}
	}
	body := `{"access_token":"t","expires_in":"` + long + `","scope":"` + longest + `s"}`
	client := newTokenClient(t, serve(t, answer(200, "application/json", body)).URL)
	token, err := client.Refresh(t.Context(), secret.New("r"))
	if err != nil || len([]rune(token.Life)) > 40 || token.Life == long || token.Scopes[0] == longest+"s" {
		t.Errorf("life %q, scopes %q, %v", token.Life, token.Scopes, err)
	}
}

// A code is what a service calls a refusal, and not what was sent to it.
func TestAnErrorCodeIsShortAndRepeatsNothing(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte(clientID + ":" + clientSecret))
	for name, tt := range map[string]struct{ code, want string }{
		"as long as is": {strings.Repeat("x", 64), strings.Repeat("x", 64)},
		"longer":        {strings.Repeat("x", 65), strings.Repeat("x", 64)},
		"the password":  {"swordfish", ""},
		"the header":    {basic, ""},
		"the secret":    {clientSecret, ""},
	} {
		body, _ := json.Marshal(map[string]string{"error": tt.code})
		client := newTokenClient(t, serve(t, answer(400, "application/json", string(body))).URL)
		_, err := client.Password(t.Context(), "ann@harbor.example", secret.New("swordfish"))
		refused, ok := errors.AsType[*TokenError](err)
		if ok != (tt.want != "") || ok && refused.Code != tt.want {
			t.Errorf("%s: %#v", name, err)
		}
		if tt.want == "" && strings.Contains(err.Error(), tt.code) {
			t.Errorf("%s is in %v", name, err)
		}
	}
}

// What a gate has let pass still has its error.
func TestAGateDoesNotHideARefusal(t *testing.T) {
	var outcome PasswordOutcome
	gate := func(context.Context, PasswordTry) (func(PasswordOutcome), error) {
		return func(o PasswordOutcome) { outcome = o }, nil
	}
	server := serve(t, answer(400, "application/json", `{"error":"invalid_grant"}`))
	client := &TokenClient{HTTP: NewTransport(Options{Gate: gate}), Authority: server.URL}
	token, err := client.Password(t.Context(), "ann@harbor.example", secret.New("x"))
	if refused, ok := errors.AsType[*TokenError](err); !ok || !refused.WrongPassword() || token != nil {
		t.Errorf("the error is %v", err)
	}
	if outcome.Fate != PasswordRejected {
		t.Errorf("the outcome is %+v", outcome)
	}
}

// An object that says something and has no list is no list, unless it could be a record.
func TestAMessageIsNoList(t *testing.T) {
	for body, isMessage := range map[string]bool{
		`{"Message":"No shares yet."}`:                            true,
		`{"message":"No shares yet.","status":200,"TraceId":"x"}`: true,
		`{"timestamp":1,"message":"No shares yet."}`:              true,
		`{"message":""}`:                           false,
		`{"message":7}`:                            false,
		`{"msg":"No shares yet."}`:                 false,
		`{"message":"No shares yet.","data":[]}`:   false,
		`{"data":null,"message":"No shares yet."}`: false,
		`{"message":"a note","owner":"ann"}`:       false,
		`{"message":"x","ResponseCode":"1"}`:       false,
		`["message"]`:                              false,
		`{"message":"cut`:                          false,
		``:                                         false,
	} {
		gateway := newGateway(t, serve(t, answer(200, "application/json", body)).URL)
		list, err := gateway.Shares(t.Context(), "ann@harbor.example")
		if err == nil {
			_ = list.Close()
		}
		told, ok := errors.AsType[*BodyError](err)
		if isMessage != (ok && told.NoList) || isMessage && told.Words == "" || !isMessage && err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestNullIsNoList(t *testing.T) {
	for body, isNull := range map[string]bool{"null": true, " \r\nnull\n": true, "null,": false, "nullx": false} {
		for _, length := range []string{"", "known"} {
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if length == "" {
					w.(http.Flusher).Flush() // and so it is not announced
				}
				_, _ = io.WriteString(w, body)
			})
			list, err := newGateway(t, server.URL).Shares(t.Context(), "ann@harbor.example")
			if err == nil {
				_ = list.Close()
			}
			if _, refused := errors.AsType[*BodyError](err); refused != isNull {
				t.Errorf("%q, its length %q: %v", body, length, err)
			}
		}
	}
}

// Some services encode their answer twice.
func TestADeviceLoginInAStringIsRead(t *testing.T) {
	for body, code := range map[string]string{
		`{"ErrorCode":"U107"}`:         "U107",
		`"{\"ErrorCode\":\"U107\"}"`:   "U107",
		`"{\"ErrorCode\":\"U107\""`:    "",
		`"[{\"ErrorCode\":\"U107\"}]"`: "",
		`"U107"`:                       "",
		`"`:                            "",
	} {
		server := serve(t, answer(200, "application/json", body))
		result, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), loginOf("ann@harbor.example"))
		if (err == nil) != (code != "") || err == nil && (result.ErrorCode != code || string(result.Raw) != `{"ErrorCode":"U107"}`) {
			t.Errorf("%s: %+v, %v", body, result, err)
		}
	}
	if text, err := json.Marshal(LoginResult{}); err != nil || string(text) != "null" {
		t.Errorf("nothing is %s, %v", text, err)
	}
	_, err := newGlobal(t, serve(t, answer(401, "", "")).URL).DeviceLogin(t.Context(), loginOf("ann@harbor.example"))
	if refused, ok := errors.AsType[*StatusError](err); !ok || refused.Credential != credentialPassword {
		t.Errorf("a refusal: %#v", err)
	}
}

func TestABlankForAPlusIsReadInTheOnlyLine(t *testing.T) {
	for _, tt := range []struct {
		lines []string
		asked string
		want  bool
	}{
		{[]string{"a b@x.example,x.example"}, "a+b@x.example", true},
		{[]string{"A B@x.example,"}, "a+b@x.example", true},
		{[]string{"a b@x.example"}, "a+b@x.example", false},
		{[]string{"a c@x.example,x.example"}, "a+b@x.example", false},
		{[]string{"a b@x.example,x.example", "more"}, "a+b@x.example", false},
		{[]string{"ab@x.example,x.example"}, "ab@x.example", false},
		{nil, "a+b@x.example", false},
	} {
		if _, isRead := blankForPlus(tt.lines, tt.asked); isRead != tt.want {
			t.Errorf("%q for %s: %v", tt.lines, tt.asked, isRead)
		}
	}
}

// How much of a body is known decides what an observer may show of it.
func TestHowMuchOfABodyIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		read, length int64
		err          error
		want         redact.Extent
	}{
		"all of it":           {redact.MaxHead, -1, io.EOF, redact.Whole},
		"one beyond":          {redact.MaxHead + 1, -1, io.EOF, redact.TooLong},
		"nothing":             {0, 5, nil, redact.Whole},
		"as announced":        {5, 5, nil, redact.Whole},
		"less than announced": {4, 5, nil, redact.Partial},
		"not announced":       {4, -1, nil, redact.Partial},
		"cut off":             {4, 5, io.ErrUnexpectedEOF, redact.Partial},
	} {
		w := &watch{length: tt.length}
		w.exchange.Bytes = tt.read
		if got := w.extent(tt.err); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

// Only an object with a token, and with nothing that contradicts it, is a token.
func TestAnAnswerThatIsHalfATokenIsNone(t *testing.T) {
	for body, missing := range map[string]bool{
		`null`:                                false,
		`[]`:                                  false,
		`{}`:                                  true,
		`{"access_token":""}`:                 true,
		`{"access_token":"a","token_type":5}`: false,
		`{"access_token":"a","error":"sch\u00f6n"}`: true,
	} {
		client := newTokenClient(t, serve(t, answer(200, "application/json", body)).URL)
		token, err := client.Refresh(t.Context(), secret.New("r"))
		told, ok := errors.AsType[*BodyError](err)
		if !ok || token != nil || (told.Token == TokenMissing) != missing {
			t.Errorf("%s: %#v", body, err)
		}
	}
}

// A person has typed a password, and not a refresh token.
func TestARefusalThatRepeatsARefreshTokenRepeatsWhatWasSent(t *testing.T) {
	body := `{"error":"invalid_grant","error_description":"unknown: canary-refresh-token"}`
	client := newTokenClient(t, serve(t, answer(400, "application/json", body)).URL)
	_, err := client.Refresh(t.Context(), secret.New("canary-refresh-token"))
	if refused, ok := errors.AsType[*TokenError](err); !ok || refused.Omitted != RepeatsSent || refused.Description != "" {
		t.Errorf("%#v", err)
	}
}

func TestATokenOfAnotherTypeIsNamedByItsType(t *testing.T) {
	for kind, named := range map[string]string{"mac": "mac", "canary-refresh-token": ""} {
		body := `{"access_token":"a","token_type":"` + kind + `"}`
		client := newTokenClient(t, serve(t, answer(200, "application/json", body)).URL)
		_, err := client.Refresh(t.Context(), secret.New("canary-refresh-token"))
		told, ok := errors.AsType[*BodyError](err)
		if !ok || told.Token != TokenOfOtherType || told.TokenType != named {
			t.Fatalf("%s: %#v", kind, err)
		}
		if isSaid := strings.HasSuffix(told.Detail, "of the type mac"); isSaid != (named != "") {
			t.Errorf("%s: %s", kind, told.Detail)
		}
	}
}
