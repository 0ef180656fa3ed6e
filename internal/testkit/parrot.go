package testkit

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"path"
	"strings"
)

// Way says where the answers of a [Parrot] have its text.
type Way byte

// The ways. A person can sign in with all but the last two.
const (
	Spelled       Way = iota // in the fields of good answers, as a JSON string
	Raw                      // in the same fields as it is, so that they may not be JSON
	Refused                  // in the fields of an error, its reason phrase and its headers
	Body                     // as the whole body
	Redirect                 // as the target of a redirect
	Wire                     // in place of the status line and the headers
	SignInRefused            // Refused, for sign-ins as well
	SignInBody               // Body, for sign-ins as well

	// Ways is the number of ways.
	Ways = int(SignInBody) + 1
)

// Parrot is a service whose answers have one text wherever there is room for it. A person can sign
// in with any name and password, and has the primary domain harbor.example.
type Parrot struct {
	Text string
	Way  Way
}

// Variables are the variables that point the program at a Parrot with a URL.
func (p Parrot) Variables(url string) map[string]string {
	return map[string]string{
		"GATEHOUSE_AUTH_URL":      url + "/auth",
		"GATEHOUSE_BASE_URL":      url + "/gateway/{domain}",
		"GATEHOUSE_GLOBAL_URL":    url + "/global",
		"GATEHOUSE_CLIENT_ID":     "client",
		"GATEHOUSE_CLIENT_SECRET": "client-secret",
		"GATEHOUSE_API_KEY":       "key",
		"GATEHOUSE_RESELLER_ID":   "reseller",
	}
}

// ServeHTTP implements [http.Handler].
func (p Parrot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call := path.Base(r.URL.Path)
	switch signsIn := call == "token"; {
	case signsIn && p.Way == SignInRefused:
		p.Way = Refused
	case signsIn && p.Way == SignInBody:
		p.Way = Body
	case signsIn && p.Way != Raw:
		p.Way = Spelled
	}
	switch p.Way {
	case Refused, SignInRefused:
		p.raw(w, p.refusal())
	case Redirect:
		p.raw(w, "HTTP/1.1 302 Found\r\nLocation: "+p.Text+"\r\nConnection: close\r\n\r\n")
	case Wire:
		p.raw(w, p.Text+"\r\n\r\n")
	case Body, SignInBody:
		_, _ = w.Write([]byte(p.Text))
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(p.answer(call, r.URL.Query().Get("useremail"))))
	}
}

// refusal is an error with the text in its status line, its headers and its body. A header cannot
// have control characters.
func (p Parrot) refusal() string {
	value := strings.Map(func(r rune) rune {
		if r < ' ' || r == '\x7f' {
			return -1
		}
		return r
	}, p.Text)
	return "HTTP/1.1 418 " + value + "\r\n" +
		"Content-Type: " + value + "\r\n" +
		"X-Reason: " + value + "\r\n" +
		"Date: " + value + "\r\n" +
		"Connection: close\r\n\r\n" +
		p.fill(`{"error":TEXT,"error_description":TEXT,"Message":TEXT}`)
}

// raw answers with bytes that no server would send.
func (p Parrot) raw(w http.ResponseWriter, answer string) {
	connection, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = buffer.WriteString(answer)
	_ = buffer.Flush()
	_ = connection.Close()
}

// Answers of the service, with TEXT in place of the text. There are three shares, so that a cursor
// can move over them.
const (
	parrotShare = `{"Id":TEXT,"Name":TEXT,"k":TEXT,TEXT:1,"Size":5,` +
		`"Sub":{"List":[TEXT,null,{TEXT:1}]}}`

	parrotShares = `{"Data":[` + parrotShare + `,` + parrotShare + `,{"Name":"last"}],` +
		`"Message":TEXT}`

	parrotLogin = `{"PrimaryUserDomain":{"Domain":{"DomainId":TEXT,"Url":TEXT,"DomainName":TEXT,` +
		`"ResellerId":TEXT},"UserDomainToken":"secret"},"Wipe":false,"ErrorCode":TEXT,` +
		`"DeviceId":TEXT,"User":{TEXT:TEXT},"UserNotification":{"Url":TEXT}}`

	parrotClaims = `{"primary_domain":"harbor.example","domains":["minato.example",TEXT],` +
		`"sub":TEXT,"name":TEXT,TEXT:[1,{"x":TEXT}]}`
)

// answer is the good answer to a call.
func (p Parrot) answer(call, email string) string {
	switch call {
	case "token":
		return `{"access_token":"` + JWT(p.fill(parrotClaims)) + `","token_type":"Bearer",` +
			`"expires_in":86400,"refresh_token":"r1","scope":` + p.fill("TEXT") + `}`
	case "shares":
		return p.fill(parrotShares)
	case "companies":
		return p.fill(`[{"CompanyName":TEXT,"Id":TEXT}]`)
	case "login2.aspx":
		return p.fill(parrotLogin)
	case "getuserdomain.aspx":
		return email + "," + p.Text
	}
	return ""
}

// fill writes the text of the parrot in place of TEXT, as a JSON string.
func (p Parrot) fill(answer string) string {
	quoted := `"` + p.Text + `"`
	if p.Way != Raw {
		spelled, _ := json.Marshal(p.Text) // it cannot fail for a text
		quoted = string(spelled)
	}
	return strings.ReplaceAll(answer, "TEXT", quoted)
}

// HostileTexts are texts for a [Parrot], of each kind that a terminal would obey, or that hides or
// reorders other text.
func HostileTexts() []string {
	return []string{
		"ordinary", "日本 👍🏽 é",
		"\x1b]0;owned\a\x1b]2;owned\x1b\\\x1b]52;c;b3duZWQ=\a\x1b]8;;http://x\ax\x1b]8;;\a",
		"\x1bP+q544e\x1b\\\x1b_x\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\\x1bc",
		"\x1b[2J\x1b[H\x1b[31m\x1b[6n\x1b[?1049l", "\u009b31m\u009d0;x\u009c\u0090q\u0085",
		"\x9b31m\x9d0;x\x9c\xff\xc0\xaf", "\x00\x01\a\b\t\n\v\f\r\x7f",
		"\u202egpj\u2066\u2067\u2068\u202a\u202b\u202c",
		"a\u200bb\ufeffc\u00add\u2060e\u180ef\u3164g", "a\ufe0fb\u0301\u0301☃\ufe0e🏽",
		"\U000e0041\U000e0001x\u2028y\u2029z\ufdd0", "a\nb\r\nc", "=1+1", "../../x",
		"evil.example/", strings.Repeat("長", 300), strings.Repeat("h\u0335", 100),
		"h" + strings.Repeat("\u0335", 100), "http://other.example/\x1b[31m",
		"HTTP/1.1 200 \x1b[2J\r\nX: \x1b]0;x\a", `{"error":"\u001b[31m"}`, `<html>` + "\x1b[2J",
	}
}

// EvilDomains are texts that a claim may have in place of a domain. None of them may become part of
// a URL.
func EvilDomains() []string {
	return []string{
		"", " ", ".", "..", "...", "a..b", "a.example..", ".a.example", "a.example.", "a.example。",
		"。a.example", "a．．example", "evil.example/", "/evil.example", "//evil.example",
		`evil.example\`, `\\evil.example`, "evil.example/..", "../evil.example", "..%2f",
		"evil.example?", "evil.example#", "evil.example;", "evil.example,a.example",
		"evil.example&a", "evil.example|a", "evil.example'", `evil.example"`, "a@b", "a@b.example",
		"user:password@evil.example", "x:80", "x.example:80", "x.example:", ":80",
		"https://x.example", "javascript:alert(1)", "{domain}", "{domain}.example", "a.{domain}",
		"${HOME}.example", "$(id).example", "`id`.example", "%s.example", "a%2f.example",
		"a%2e.example", "%00.example", "127.0.0.1", "127.1", "127.0.0.1.", "1.2.3.4.5", "0x7f.0x1",
		"0X7F.1", "a.0x", "017700000001", "2130706433", "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1",
		"[::1]", "::1", "[::1]:80", "::ffff:127.0.0.1", "fe80::1%eth0", "[v1.x]", "intranet",
		"com", "a_b.example", "*.example", "~a.example", "-a.example", "a-.example", "a.-b",
		"a b.example", "a.example ", " a.example", "a\t.example", "a.example\n",
		"a.example\r\nX-Evil: 1", "a\x00.example", "a\x7f.example", "a\u0085.example",
		"a\u2028.example", "a\u202eb.example", "a\u2066b.example", "\u200f.example", "ａ／b.example",
		"a℀b.example", "a＠b.example", "a：80.example", "a？b.example", "a＃b.example",
		"a％2fb.example", "a\xff.example", "a\ufffd.example", "\xc0\xaf.example", "xn--a.example",
		"xn--zzzzzz.example", "xn--.example", "א1a.example", strings.Repeat("a", 64) + ".example",
		strings.Repeat("ü", 63) + ".example", strings.Repeat("a", 300),
		strings.Repeat("a.", 150) + "example", strings.Repeat("a234567.", 31) + "abcdef",
		strings.Repeat("a.", 1<<10),
	}
}

// JWT is an access token with some claims, which is not signed.
func JWT(claims string) string {
	segment := func(text string) string {
		return base64.RawURLEncoding.EncodeToString([]byte(text))
	}
	return segment(`{"alg":"none"}`) + "." + segment(claims) + "." + segment("no signature")
}
