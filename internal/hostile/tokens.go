package hostile

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
)

// tokenCases are access tokens as no good service issues them. A token is opaque
// by its nature: with all of them the session can be used.
func tokenCases() []Case {
	var cases []Case
	for _, token := range StrangeTokens() {
		cases = append(cases, Case{
			Name: token.Name, Fault: AccessToken(token.Token), On: tokenCalls, Opaque: true,
			Want: same(Outcome{Ending: Works, Sent: 1, Within: shortly}),
		})
	}
	for _, expiresIn := range []string{"0", "-5", "1e400", `"soon"`, "null", "[]", "86400.5", "99999999999999999999"} {
		cases = append(cases, Case{
			Name: "expires_in " + expiresIn, Fault: Tokens(map[string]json.RawMessage{"expires_in": json.RawMessage(expiresIn)}), On: tokenCalls,
			Want: same(Outcome{Ending: Works, Sent: 1, Within: shortly}),
		})
	}
	return append(cases, Case{
		Name: "a token of another kind", Fault: Tokens(map[string]json.RawMessage{"token_type": json.RawMessage(`"mac"`)}), On: tokenCalls,
		Want: lost(func(at Endpoint) Outcome { return strange(at, "a token that is not a Bearer token") }),
	})
}

// StrangeToken is an access token, and what can be known of it.
type StrangeToken struct {
	Name, Token string
	Domain      string    // the primary domain; "" where nobody can tell
	Expires     time.Time // zero where nobody can tell
}

// StrangeTokens are access tokens as no good service issues them.
func StrangeTokens() []StrangeToken {
	const harbor = "harbor.example"
	jwt := func(claims string) string { return unsignedJWT(claims, nil) }
	with := func(exp string) string {
		return jwt(`{"sub":"hal@harbor.example","primary_domain":"harbor.example","exp":` + exp + `}`)
	}
	domains := make([]string, 3000)
	for i := range domains {
		domains[i] = fmt.Sprintf(`"d%d.example"`, i)
	}
	noon := time.Date(2005, time.March, 1, 12, 0, 0, 0, time.UTC)
	longest := time.Date(2009, time.December, 29, 0, 0, 0, 0, time.UTC) // ten years of days: more is not believed
	whole := strings.Split(with("1109678400"), ".")
	return []StrangeToken{
		{Name: "no JWT", Token: "canary-opaque-access-token"},
		{Name: "no JWT, with dots", Token: "canary.opaque.token"},
		{Name: "one part", Token: whole[1]},
		{Name: "two parts", Token: whole[0] + "." + whole[1]},
		{Name: "four parts", Token: strings.Join(whole, ".") + ".canary-part"},
		{Name: "five parts", Token: strings.Join(whole, ".") + ".canary.part"},
		{Name: "empty parts", Token: ".."},
		{Name: "with padding", Token: unsignedJWT(`{"primary_domain":"harbor.example","exp":1109678400}`, base64.URLEncoding), Domain: harbor, Expires: noon},
		{Name: "64 KB of domains", Token: jwt(`{"primary_domain":"harbor.example","exp":1109678400,"domains":[` + strings.Join(domains, ",") + `]}`), Domain: harbor, Expires: noon},
		{Name: "claims of wrong types", Token: jwt(`{"sub":[1],"primary_domain":{"a":1},"domains":{"b":[null]},"exp":{},"iat":true}`)},
		{Name: "claims that are a list", Token: jwt(`["harbor.example"]`)},
		{Name: "claims that are null", Token: jwt(`null`)},
		{Name: "claims that are nested deeply", Token: jwt(`{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`)},
		{Name: "domains that are none", Token: jwt(`{"primary_domain":"evil.example/x","domains":["a@b",7,null,"\u001b[2J"],"exp":1109678400}`), Expires: noon},
		{Name: "exp in the past", Token: with("946684000"), Domain: harbor, Expires: time.Unix(946684000, 0).UTC()},
		{Name: "exp in the year 9999", Token: with("253402300799"), Domain: harbor, Expires: longest},
		{Name: "exp far behind the year 9999", Token: with("1e300"), Domain: harbor, Expires: longest},
		{Name: "exp as a float", Token: with("1109678400.25"), Domain: harbor, Expires: noon},
		{Name: "exp as a text", Token: with(`"1109678400"`), Domain: harbor, Expires: noon},
		{Name: "exp as a word", Token: with(`"tomorrow"`), Domain: harbor},
		{Name: "exp below zero", Token: with("-1"), Domain: harbor, Expires: time.Unix(0, 0).UTC()},
	}
}

// Tokens gives the right answer of the token endpoint with other fields in the
// place of those that it names; an empty value takes the field away.
func Tokens(fields map[string]json.RawMessage) Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		kept := keep(r, answer)
		var object map[string]json.RawMessage
		if kept.status != http.StatusOK || json.Unmarshal(kept.body.Bytes(), &object) != nil {
			kept.sendTo(w) // a refusal, which has no tokens
			return
		}
		maps.Copy(object, fields)
		maps.DeleteFunc(object, func(_ string, value json.RawMessage) bool { return len(value) == 0 })
		respondJSON(w, http.StatusOK, object)
	}
}

// AccessToken is [Tokens] with another access token, whose own claims alone tell
// how long it lives.
func AccessToken(token string) Fault {
	quoted, _ := json.Marshal(token) // a string always can be
	return Tokens(map[string]json.RawMessage{"access_token": quoted, "expires_in": nil})
}

// unsignedJWT is a JWT with these very claims and no signature that anybody could
// check. The encoding is that of its parts; nil is the one of RFC 7519.
func unsignedJWT(claims string, encoding *base64.Encoding) string {
	if encoding == nil {
		encoding = base64.RawURLEncoding
	}
	part := func(text string) string { return encoding.EncodeToString([]byte(text)) }
	return part(`{"alg":"RS256","typ":"JWT"}`) + "." + part(claims) + "." + part("canary-signature")
}
