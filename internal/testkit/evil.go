package testkit

import (
	"encoding/base64"
	"strings"
)

// EvilDomains are what a claim may hold in the place of a domain, none of which
// may become part of an address.
func EvilDomains() []string {
	return []string{
		"", " ", ".", "..", "...", "a..b", "a.example..", ".a.example", "a.example.", "a.example。", "。a.example", "a．．example",
		"evil.example/", "/evil.example", "//evil.example", `evil.example\`, `\\evil.example`, "evil.example/..", "../evil.example", "..%2f",
		"evil.example?", "evil.example#", "evil.example;", "evil.example,a.example", "evil.example&a", "evil.example|a", "evil.example'", `evil.example"`,
		"a@b", "a@b.example", "user:password@evil.example", "x:80", "x.example:80", "x.example:", ":80", "https://x.example", "javascript:alert(1)",
		"{domain}", "{domain}.example", "a.{domain}", "${HOME}.example", "$(id).example", "`id`.example", "%s.example", "a%2f.example", "a%2e.example", "%00.example",
		"127.0.0.1", "127.1", "127.0.0.1.", "1.2.3.4.5", "0x7f.0x1", "0X7F.1", "a.0x", "017700000001", "2130706433", "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1",
		"[::1]", "::1", "[::1]:80", "::ffff:127.0.0.1", "fe80::1%eth0", "[v1.x]", "intranet", "com", "a_b.example", "*.example", "~a.example",
		"-a.example", "a-.example", "a.-b", "a b.example", "a.example ", " a.example", "a\t.example", "a.example\n", "a.example\r\nX-Evil: 1", "a\x00.example", "a\x7f.example", "a\u0085.example", "a\u2028.example",
		"a\u202eb.example", "a\u2066b.example", "\u200f.example", "ａ／b.example", "a℀b.example", "a＠b.example", "a：80.example", "a？b.example", "a＃b.example", "a％2fb.example",
		"a\xff.example", "a\ufffd.example", "\xc0\xaf.example", "xn--a.example", "xn--zzzzzz.example", "xn--.example", "א1a.example",
		strings.Repeat("a", 64) + ".example", strings.Repeat("ü", 63) + ".example", strings.Repeat("a", 300), strings.Repeat("a.", 150) + "example",
		strings.Repeat("a234567.", 31) + "abcdef", strings.Repeat("a.", 1<<10),
	}
}

// JWT is an access token with these claims, which nobody has signed.
func JWT(claims string) string {
	segment := base64.RawURLEncoding.EncodeToString
	return segment([]byte(`{"alg":"none"}`)) + "." + segment([]byte(claims)) + "." + segment([]byte("no signature"))
}
