package api

import (
	"strings"
	"testing"
)

func TestCodesAreExplainedAsFarAsTheInterfaceDoes(t *testing.T) {
	for _, tt := range []struct {
		code  string
		known bool
		says  string
	}{
		{"U103", true, "has no primary domain"},
		{"U105", true, "differs from the domain in the request"},
		{"U107", true, "is not validated"},
		{" U107\r\n", true, "is not validated"},
		{"U100", false, "lists no meaning for U100"},
		{"", false, "has no code"},
		{"u103", false, "This code is not documented"},
		{"U104", false, "is not documented"},
	} {
		got := (&LoginResult{ErrorCode: tt.code}).Explain("")
		if got.Known != tt.known || !strings.Contains(got.Meaning, tt.says) || got.NextStep == "" {
			t.Errorf("%q: got %+v", tt.code, got)
		}
		if got.Code != strings.TrimSpace(tt.code) {
			t.Errorf("%q: Code = %q", tt.code, got.Code)
		}
	}
}

func TestAResultSaysWhichDomainsDiffer(t *testing.T) {
	const body = `{"ErrorCode":"U105","PrimaryUserDomain":{"Domain":{"DomainId":"p-1","DomainName":"harbor.example"},"UserDomainToken":"t"}}`
	result, ok := decodeLoginResult([]byte(body))
	if !ok {
		t.Fatal("the result cannot be read")
	}
	for asked, want := range map[string]string{
		"":    "The user's primary domain differs from the domain in the request. The request named no domain; the user's primary domain is harbor.example.",
		"m-2": "The user's primary domain differs from the domain in the request. The request named the domain m-2; the user's primary domain is harbor.example.",
	} {
		got := result.Explain(asked)
		if got.Title != "Wrong domain" || got.Meaning != want || !strings.Contains(got.NextStep, "domain id p-1") {
			t.Errorf("asked for %q: got %+v", asked, got)
		}
	}
}

func TestAResultThatContradictsItsCodeSaysSo(t *testing.T) {
	result, _ := decodeLoginResult([]byte(`{"ErrorCode":"U105","PrimaryUserDomain":{"Domain":{"DomainId":"p-1","DomainName":"harbor.example"}}}`))
	if got := result.Explain("P-1"); !strings.Contains(got.Meaning, "names it as") || !strings.Contains(got.NextStep, "contradicts") {
		t.Errorf("got %+v", got)
	}
}

func TestAnUndocumentedCodeLooksFineOnlyWithAllThatALoginIsFor(t *testing.T) {
	const whole = `"PrimaryUserDomain":{"Domain":{"DomainName":"harbor.example"},"UserDomainToken":"t"},"DeviceId":"d"`
	for body, fine := range map[string]bool{
		`{"ErrorCode":"U100",` + whole + `}`:                                                true,
		`{"ErrorCode":"U999",` + whole + `}`:                                                true,
		`{` + whole + `}`:                                                                   true,
		`{"ErrorCode":"U100","Wipe":true,` + whole + `}`:                                    false,
		`{"ErrorCode":"U107",` + whole + `}`:                                                false,
		`{"ErrorCode":"U100","DeviceId":"d"}`:                                               false,
		`{"ErrorCode":"U100",` + strings.Replace(whole, `"DeviceId":"d"`, `"X":1`, 1) + `}`: false,
		`{"ErrorCode":"U100",` + strings.Replace(whole, `"t"`, `""`, 1) + `}`:               false,
	} {
		result, ok := decodeLoginResult([]byte(body))
		if !ok {
			t.Fatalf("%s cannot be read", body)
		}
		for _, r := range []*LoginResult{result, result.Sealed()} {
			got := r.Explain("")
			if got.Fine != fine || fine != (got.Title == "Looks fine; the code is undocumented") || got.Known && fine {
				t.Errorf("%s: got %+v", body, got)
			}
		}
	}
}

func TestWhichRefusalsPass(t *testing.T) {
	for status, want := range map[int]bool{
		400: false, 401: false, 403: false, 404: false, 408: true, 425: true, 429: true, 499: false, 500: true, 503: true,
	} {
		if got := isPassing(status); got != want {
			t.Errorf("%d: %v", status, got)
		}
	}
}
