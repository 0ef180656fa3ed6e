package redact

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// spellings are what other programs make of a text that they repeat, as their manuals say.
var spellings = []struct{ secret, rule, text string }{
	{`O'Brien-2026!`, "capitals", `O'BRIEN-2026!`},
	{`O'Brien-2026!`, "SQL: a quote is doubled", `'O''Brien-2026!'`},
	{`O'Brien-2026!`, "PHP addslashes, then json_encode", `"O\\'Brien-2026!"`},
	{`O'Brien-2026!`, "PHP htmlspecialchars since 8.1", `O&#039;Brien-2026!`},
	{`O'Brien-2026!`, "PHP htmlspecialchars, twice", `O&amp;#039;Brien-2026!`},
	{`O'Brien-2026!`, ".NET WebUtility.HtmlEncode", `O&#39;Brien-2026!`},
	{`O'Brien-2026!`, ".NET System.Text.Json", `O\u0027Brien-2026!`},
	{`O'Brien-2026!`, ".NET System.Text.Json, a string in a string", `O\\u0027Brien-2026!`},
	{`O'Brien-2026!`, ".NET BitConverter.ToString", `4F-27-42-72-69-65-6E-2D-32-30-32-36-21`},
	{`O'Brien-2026!`, ".NET UrlEncode, which keeps ! and (", `O%27Brien-2026!`},
	{`O'Brien-2026!`, "Python html.escape", `O&#x27;Brien-2026!`},
	{`O'Brien-2026!`, "Python urllib.parse.quote, twice", `O%2527Brien-2026%2521`},
	{`O'Brien-2026!`, "XML 1.0 section 4.6", `O&apos;Brien-2026!`},
	{`O'Brien-2026!`, "PostgreSQL bytea, hex format", `\x4f27427269656e2d3230323621`},
	{`Horse&Batt'ry<9>"x`, "Go html.EscapeString", `Horse&amp;Batt&#39;ry&lt;9&gt;&#34;x`},
	{`Horse&Batt'ry<9>"x`, "Go encoding/json", `Horse\u0026Batt'ry\u003c9\u003e\"x`},
	{
		`pä ss\wörd/日本😀+1`,
		"a form, UTF-8",
		`p%C3%A4+ss%5Cw%C3%B6rd%2F%E6%97%A5%E6%9C%AC%F0%9F%98%80%2B1`,
	},
	{
		`pä ss\wörd/日本😀+1`,
		"a path, small letters",
		`p%c3%a4%20ss%5cw%c3%b6rd%2f%e6%97%a5%e6%9c%ac%f0%9f%98%80%2b1`,
	},
	{
		`日😀本🎉語`,
		"JSON of ASCII, pairs behind other letters",
		`\u65e5\ud83d\ude00\u672c\ud83c\udf89\u8a9e`,
	},
	{
		`pä ss\wörd/日本😀+1`,
		"JSON of ASCII, Python and PHP",
		`p\u00e4 ss\\w\u00f6rd\/\u65e5\u672c\ud83d\ude00+1`,
	},
	{`pä ss\wörd/日本😀+1`, "PHP htmlentities", `p&auml; ss\w&ouml;rd/日本😀+1`},
	{"Grün-Bücher-77", "a form, Latin 1", "Gr%FCn-B%FCcher-77"},
	{"Grün-Bücher-77", "UTF-8 read as Latin 1", "GrÃ¼n-BÃ¼cher-77"},
	{"Grün-Bücher-77", "JavaScript escape, ASP.NET UrlEncodeUnicode", "Gr%u00fcn-B%u00fccher-77"},
	{"Grün-Bücher-77", "Base64 of UTF-8", "R3LDvG4tQsO8Y2hlci03Nw=="},
	{
		"Grün-Bücher-77",
		"Base64 of the pair of a Basic header, RFC 7617",
		"YWRhQGhhcmJvci5leGFtcGxlOkdyw7xuLULDvGNoZXItNzc=",
	},
	{"Grün-Bücher-77", "Base64 in a path", "/sessions/R3LDvG4tQsO8Y2hlci03Nw"},
	{"Grün-Bücher-77", "Base64 for URLs in a query", "YTpHcsO8bi1Cw7xjaGVyLTc3Pz8_"},
	{"correcthorsebattery", "each letter, ASP.NET AntiXss", "&#99;&#111;rrecthorseb&#97;ttery"},
	{"demo", "a form", "%64emo"},
	{"demo", "hex", "64656D6F"},
	{"demo", "Base64", "ZGVtbw=="},
	{`a'b&c`, "Python html.escape", `a&#x27;b&amp;c`},
	{`a'b&c`, "JSON of Go", `a'b\u0026c`},
	{"a b", "a form", "a+b"},
	{"käse", "a form, behind another percent sign", "100% k%C3%A4se"},
	{"p@ss!w", "a path, behind another percent sign", "100%: p%40ss%21w"},
	{"secret.", "as it is", "secret."},
	{".secret", "as it is", ".secret"},
	{
		"0b6f7a3e-11aa-4c1d-9d0e-7f2f3a4b5c6d",
		"without its dashes, Python UUID.hex",
		"0b6f7a3e11aa4c1d9d0e7f2f3a4b5c6d",
	},
	{"a-refresh-token-of-40-characters-or-more", "its beginning", "a-refresh-token-of-40-ch..."},
}

func TestTheEndsOfALongSecretAreFoundInItsBase64AndHex(t *testing.T) {
	token := strings.Repeat("eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ._-7", 40)
	for length := 240; length < 300; length++ {
		var s Secrets
		s.Add(token[:length])
		for before := range 3 {
			around := strings.Repeat("?", before) + token[:length] + "?"
			encoded := base64.StdEncoding.EncodeToString([]byte(around))
			for _, part := range []string{encoded[:40], encoded[len(encoded)-40:], hex.EncodeToString([]byte(around))[len(around):]} {
				if !s.In("not known: " + part) {
					t.Errorf("of %d bytes after %d others, %s is not found", length, before, part)
				}
			}
		}
	}
}

func TestASecretThatWasSentIsFoundAsOthersSpellIt(t *testing.T) {
	for _, tt := range spellings {
		var s Secrets
		s.Add(tt.secret)
		if text := "no user with " + tt.text + " in it"; !s.In(text) {
			t.Errorf("%s of %s: it is not found in %s", tt.rule, tt.secret, text)
		}
		for _, text := range []string{
			"100 % of R&D use C:\\temp and demonstrate c+d in 5\\u00 &amp; more, see Y2FuYXJ5",
			`it''s "no" \ & % &# \u \x %u`,
			"The account is locked until 18:00. Trace 0b6f7a3e-22bb-4c1d-9d0e-7f2f3a4b5c77, node /auth/YWJjZGVmZ2hpamtsbW5vcA",
		} {
			if s.In(text) {
				t.Errorf("%s is found in %s", tt.secret, text)
			}
		}
	}
}

func TestAShortSecretIsFoundAsAWholeWordAlone(t *testing.T) {
	var s Secrets
	s.Add("harbor")
	for text, want := range map[string]bool{
		"harbor": true, "Harbor.": true, `not "harbor"`: true, "?p=harbor&x": true,
		"Re: harbor, again":               true,
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
		"password": true, "Password2": true, "user_password": true, "PasswordHash": true,
		"hashedPassword": true, "access_token": true, "accessToken": true,
		"UserDomainToken": true, "ConfirmKey": true, "CONFIRMKEY": true, "X-Api-Key": true,
		"ResellerApiKey": true, "Key": true, "Key2": true,
		"Pin": true, "sid": true, "SessionId": true, "Set-Cookie": true, "Authorization": true,
		"canaryToken": true, "IssuedToken": true,
		"": false, "-": false, "Name": false, "Spinner": false, "Passenger": false,
		"token_type": false, "TokenType": false, "MustChangePassword": false,
		"AccountKey": true, "PrimaryApiKey": true, "primaryaccesskey": true, "Key_Public": false,
		"PrivateKey": true, "hostkey": true,
		"PrimaryKey": false, "primary_key": false, "sortkey": false, "SshPublicKey2": false,
		"ForeignKey": false, "Monkey": false, "EscrowKey": true, "borrowkey": true,
		"ResortKey": true, "PrimaryKeyToken": true,
		"HasPassword": false, "PasswordExpires": false, "DeviceId": false, "Keys": false,
		"Url": false, "ErrorCode": false,
		strings.Repeat("x", maxNameBytes): false, strings.Repeat("x", maxNameBytes+1): true,
	} {
		if got := IsSecretName(name); got != want {
			t.Errorf("IsSecretName(%q) = %v", name, got)
		}
	}
}

func TestTheEndsAndPartsOfAVeryLongTokenAreFound(t *testing.T) {
	header, payload, signature := "eyJhbGciOiJSUzI1NiJ9", "eyJzdWIiOiJhbm4i"+strings.Repeat("QUJD", 1<<18), "c2lnbmF0dXJlLW9mLWFubg"
	token := header + "." + payload + "." + signature
	var s Secrets
	s.Add(token)
	for name, text := range map[string]string{
		"all of it":                  token,
		"its beginning":              "no: " + token[:40] + "...",
		"its end":                    "no: ..." + token[len(token)-40:],
		"the payload in quotes":      `no: "` + payload[:30] + `"`,
		"the signature in quotes":    `no: "` + signature + `"`,
		"its end in Base64":          base64.StdEncoding.EncodeToString([]byte("token " + token[len(token)-60:])),
		"its beginning, hexadecimal": hex.EncodeToString([]byte("token " + token[:60])),
	} {
		if !s.In(text) {
			t.Errorf("%s is not found", name)
		}
	}
}
