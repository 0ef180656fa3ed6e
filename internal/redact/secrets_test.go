package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

// spelled are the ways in which software writes down what it was sent.
func spelled(s string) map[string]string {
	quoted, _ := json.Marshal(s)
	return map[string]string{
		"as it is":                  s,
		"in capitals":               strings.ToUpper(s),
		"for a query":               url.QueryEscape(s),
		"for a path":                url.PathEscape(s),
		"with small letters":        strings.ToLower(url.QueryEscape(s)),
		"for a query, as .NET does": asDotNet(s),
		"for JSON":                  strings.Trim(string(quoted), `"`),
		"for a page":                html.EscapeString(s),
		"in hex":                    strings.ToUpper(hex.EncodeToString([]byte(s))),
		"in Base64":                 base64.StdEncoding.EncodeToString([]byte(s)),
		"in Base64, for a query":    url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(s))),
		"in Base64, for addresses":  base64.RawURLEncoding.EncodeToString([]byte(s)),
	}
}

// asDotNet escapes a text as HttpUtility.UrlEncode does, which keeps brackets and "!".
func asDotNet(s string) string {
	return strings.NewReplacer("%28", "(", "%29", ")", "%21", "!", "%2A", "*").Replace(url.QueryEscape(s))
}

func TestASecretThatWasSentIsFoundInEverySpelling(t *testing.T) {
	for _, sent := range []string{`pa(ss) & "wörd"!<+/%41\>`, "demo", "a b", "0b6f7a3e-11aa-4c1d-9d0e-7f2f3a4b5c6d"} {
		var s Secrets
		s.Add(sent)
		for name, text := range spelled(sent) {
			if !s.In("a text with " + text + " in it") {
				t.Errorf("%s, %q is not found in %s", name, sent, text)
			}
		}
		if s.In("100 % of R&D use C:\\temp and demonstrate c+d in 5\\u00 &amp; more, see Y2FuYXJ5") {
			t.Errorf("%q is found where it is not", sent)
		}
	}
	var s Secrets
	s.Add("a-refresh-token-of-40-characters-or-more")
	if !s.In("no such token: a-refresh-token-of-40-ch...") {
		t.Error("the beginning of a long secret is not found")
	}
}

func TestAShortSecretIsFoundAsAWholeWordAlone(t *testing.T) {
	var s Secrets
	s.Add("harbor")
	for text, want := range map[string]bool{
		"harbor": true, "Harbor.": true, `not "harbor"`: true, "?p=harbor&x": true, "Re: harbor, again": true,
		"bind failed for QUAY/ada/harbor": true, `QUAY\\harbor`: true, "?p%3Dharbor": true,
		"harbor.example": false, "harbors": false, "ann@harbor.example": false, "": false,
	} {
		if got := s.In(text); got != want {
			t.Errorf("In(%q) = %v", text, got)
		}
	}
}

func TestWhichNamesAreThoseOfSecrets(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "Password2": true, "user_password": true, "PasswordHash": true, "hashedPassword": true, "access_token": true, "accessToken": true,
		"UserDomainToken": true, "ConfirmKey": true, "CONFIRMKEY": true, "X-Api-Key": true, "ResellerApiKey": true, "Key": true, "Key2": true,
		"Pin": true, "sid": true, "SessionId": true, "Set-Cookie": true, "Authorization": true, "canaryToken": true, "IssuedToken": true,
		"": false, "-": false, "Name": false, "Spinner": false, "Passenger": false, "token_type": false, "TokenType": false, "MustChangePassword": false,
		"AccountKey": true, "PrimaryApiKey": true, "primaryaccesskey": true, "Key_Public": false, "PrivateKey": true, "hostkey": true,
		"PrimaryKey": false, "primary_key": false, "sortkey": false, "SshPublicKey2": false, "ForeignKey": false, "Monkey": false, "PrimaryKeyToken": true,
		"HasPassword": false, "PasswordExpires": false, "DeviceId": false, "Keys": false, "Url": false, "ErrorCode": false,
	} {
		if got := IsSecretName(name); got != want {
			t.Errorf("IsSecretName(%q) = %v", name, got)
		}
	}
}

// Whatever a service sends, it is masked in a time that goes with its length: deep
// answers, those with as many secrets as they have room for, and those whose secrets
// all begin alike or are nearly repeated everywhere.
func TestALongAnswerOfAnyShapeIsMasked(t *testing.T) {
	for name, text := range longAnswers(2 << 20) {
		var sent Secrets
		sent.Add("canary-password", "demo", strings.Repeat("A", 1000)+"B")
		masked := Result(sent.Repeated([]byte(text)))
		if masked == nil || strings.Contains(string(masked), "canary") {
			t.Errorf("%s: it is not masked", name)
		}
	}
}

func longAnswers(size int) map[string]string {
	const levels = 9000 // the reader of JSON allows 10,000
	inside := `"canary-password",` + strings.Repeat(`"x\u0020",`, 200_000) + `1`
	secrets := func(value string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, `{"Name":"x","Key":"`+value+`"},`, i)
		}
		return `[` + b.String() + `1]`
	}
	return map[string]string{
		"deep":                    `{"a":` + strings.Repeat(`{"a":[`, levels/2) + inside + strings.Repeat(`]}`, levels/2) + `}`,
		"many secrets":            secrets("canary%07d"),
		"many that begin alike":   secrets("eyJhbGciOiJ-canary-%07d"),
		"many short ones":         secrets("%05d"),
		"nearly repeated":         `{"Token":"` + strings.Repeat("A", 1<<20) + `B","x":"` + strings.Repeat("A", size) + `"}`,
		"one word of many":        `{"Pin":"4711","x":"` + strings.Repeat("4710 ", size/5) + `"}`,
		"ordinary":                `[` + strings.Repeat(`{"Id":"287278d0-9148-4595-8270-15840653bf9a","Name":"Contracts (signed)","Size":123456,"Token":"canary-token"},`, size/110) + `1]`,
		"with nothing but escape": `["` + strings.Repeat(`\u00e9`, size/6) + `"]`,
	}
}

func BenchmarkResult(b *testing.B) {
	for name, text := range longAnswers(8 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Result([]byte(text))
			}
		})
	}
}

func FuzzRepeatedSecrets(f *testing.F) {
	f.Add("password", []byte(`{"a":"password","password":["x password"]}`))
	f.Add("pin", []byte(`[{"a":"pin","b":123,"c":"\u0070in"}]`))
	f.Fuzz(func(t *testing.T, secret string, body []byte) {
		var s Secrets
		s.Add(secret)
		masked := s.Repeated(body)
		if json.Valid(masked) != json.Valid(body) {
			t.Fatalf("%s becomes %s", body, masked)
		}
		plain := json.Valid(body) && len(secret) >= window && !strings.ContainsAny(secret, `"\`)
		if plain && strings.TrimSpace(secret) == secret && !strings.ContainsAny(secret, "[]{},:•") && strings.Contains(string(masked), secret) {
			t.Fatalf("%q is still in %s", secret, masked)
		}
	})
}
