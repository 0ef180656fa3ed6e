package check

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/hostile"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// world is a cause, or a pair of them, and what is true in it. Worlds that look the same from here
// are one group: what the verdict claims as certain has to be true in all of them.
type world struct {
	name   string
	rules  []hostile.Rule
	dial   func(network, address string) error // nil: connections come about
	change func(*config.Profile)
	ask    func(*Request)
	true   []fact
	says   []fact // of true: what can be known from here, so that the verdict has to say it for certain
}

const worldUser = "ben@harbor.example" // harbor.example and pier.example

// at spoils what is asked at a part of the embedded service, such as "/auth".
func at(path string, fault hostile.Fault) hostile.Rule {
	return hostile.Rule{Fault: func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		if strings.HasPrefix(r.URL.Path, path) {
			fault(w, r, answer)
			return
		}
		answer.ServeHTTP(w, r)
	}}
}

func when(endpoint hostile.Endpoint, fault hostile.Fault) hostile.Rule {
	return hostile.Rule{Endpoint: endpoint, Fault: fault}
}

func says(status int, body string) hostile.Fault {
	return hostile.Respond(status, "application/json", body)
}

func oauth(status int, code, words string) hostile.Fault {
	body, _ := json.Marshal(map[string]string{"error": code, "error_description": words})
	return says(status, string(body))
}

// breaksOff sends the start of a longer answer, and closes the connection.
func breaksOff(start string) hostile.Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, start)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

const maintenancePage = "<html><head><title>Maintenance</title></head><body>Back soon</body></html>"

// claimsOf is a token with these claims; the embedded gateway does not know it.
func claimsOf(claims string) hostile.Fault {
	payload := base64.RawURLEncoding.EncodeToString([]byte(claims))
	return hostile.Token("access_token", `"eyJhbGciOiJub25lIn0.`+payload+`.c2ln"`)
}

func withClaims(claims string, others ...hostile.Rule) []hostile.Rule {
	return append(others, when(hostile.PasswordGrant, claimsOf(claims)))
}

func login(result string) hostile.Fault { return says(200, result) }

const loginDomain = `"PrimaryUserDomain":{"Domain":{"DomainId":"d1","DomainName":"harbor.example"},"UserDomainToken":"t"},"DeviceId":"0123456789abcdef0123456789abcdef"`

func byDevice(r *Request)               { r.DeviceName = "laptop" }
func byDeviceID(r *Request)             { r.DeviceID = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
func outside(r *Request)                { r.Password = secret.Text{} }
func wrongWord(r *Request)              { r.Password = secret.New("not the password") }
func asks(domain string) func(*Request) { return func(r *Request) { r.Domain = domain } }

func refuseAll(string, string) error { return syscall.ECONNREFUSED }
func noWay(string, string) error     { return syscall.ENETUNREACH }
func noNames(string, string) error {
	return &net.DNSError{Err: "server misbehaving", Name: "x", IsTemporary: true}
}

var shareList = `{"Data":[{"Id":"1","Name":"A"}],"Message":"Ok.","ResponseInfo":{"ResponseCode":1}}`

// worlds are all causes.
var worlds = []world{
	{name: "all is well", true: []fact{factPasswordRight, factGetsIn}, says: []fact{factGetsIn}},
	{name: "all is well, from outside", ask: outside, true: []fact{factPasswordRight, factGetsIn}},
	{name: "outside, the password has expired", ask: outside, true: []fact{factAccountBarred}},
	{name: "a domain of theirs is asked for", ask: asks("pier.example"), true: []fact{factPasswordRight, factGetsIn, factDomainMistaken}},
	{name: "a domain of others is asked for", ask: asks("fjord.example"), true: []fact{factPasswordRight, factDomainMistaken}},
	{name: "another domain, from outside", ask: func(r *Request) { outside(r); r.Domain = "fjord.example" }, true: []fact{factDomainMistaken}},

	// The look-up.
	{name: "look-up: unknown address", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+","))}, ask: outside, true: []fact{factLookupWrong}},
	{name: "look-up: no primary domain", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+","))}, true: []fact{factLookupWrong, factPasswordRight, factGetsIn}, says: []fact{factPasswordRight, factLookupWrong}},
	{name: "look-up: an old entry", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",old.example"))}, true: []fact{factLookupWrong, factPasswordRight, factGetsIn}, says: []fact{factGetsIn, factLookupWrong}},
	{name: "look-up: an old entry whose gateway is gone", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",old.example")), at("/gateway/old.example", hostile.Respond(503, "text/html", maintenancePage))}, true: []fact{factLookupWrong, factPasswordRight, factGetsIn}, says: []fact{factGetsIn, factLookupWrong}},
	{name: "look-up: an alias", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "benjamin@harbor.example,harbor.example"))}, ask: outside, true: []fact{factLookupWrong}},
	{name: "look-up: a cache that mixes people up", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "benjamin@harbor.example,harbor.example"))}, ask: outside, true: []fact{factHostDown}},
	{name: "look-up: a + read as a blank", rules: plusAsBlank, ask: plusOutside, true: []fact{factLookupWrong}, says: []fact{factLookupWrong}},
	{name: "everywhere: maintenance", rules: []hostile.Rule{at("/", hostile.Respond(503, "text/html", maintenanceUntil))}, true: []fact{factHostDown}, says: []fact{factHostDown}},
	{name: "everywhere: maintenance, from outside", rules: []hostile.Rule{at("/", hostile.Respond(503, "text/html", maintenanceUntil))}, ask: outside, true: []fact{factHostDown}, says: []fact{factHostDown}},
	{name: "shares: the token is too long for the gateway", rules: []hostile.Rule{when(hostile.Shares, tooLarge)}, true: []fact{factPasswordRight}, says: []fact{factPasswordRight}},
	{name: "shares: null", rules: []hostile.Rule{when(hostile.Shares, says(200, "null"))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "token: a primary domain in other capitals", rules: inOtherCapitals, true: []fact{factPasswordRight, factTokenWrong}},
	{name: "shares: refused to a token of another address", rules: ofAnother, true: []fact{factPasswordRight, factNoAccess}},
	{name: "look-up: two domains", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",harbor.example\n"+worldUser+",old.example"))}, ask: outside, true: []fact{factLookupWrong}, says: []fact{factLookupWrong}},
	{name: "look-up: two domains, and the person gets in", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",harbor.example\n"+worldUser+",old.example"))}, true: []fact{factLookupWrong, factPasswordRight, factGetsIn}, says: []fact{factLookupWrong}},
	{name: "look-up: a pair in JSON, and the person gets in", rules: []hostile.Rule{when(hostile.Lookup, says(200, `{"email":"ben@harbor.example","primaryDomain":"harbor.example"}`))}, true: []fact{factHostDown, factPasswordRight, factGetsIn}},
	{name: "look-up: a URL as a domain", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",https://harbor.example"))}, ask: outside, true: []fact{factLookupWrong}, says: []fact{factLookupWrong}},
	{name: "look-up: 500", rules: []hostile.Rule{when(hostile.Lookup, says(500, `{"Message":"Shard 3 is down"}`))}, ask: outside, true: []fact{factHostDown}},
	{name: "look-up: 500, and the person gets in", rules: []hostile.Rule{when(hostile.Lookup, says(500, ""))}, true: []fact{factHostDown, factPasswordRight, factGetsIn}},
	{name: "look-up: maintenance", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", maintenancePage))}, ask: outside, true: []fact{factHostDown}},
	{name: "look-up: silent", rules: []hostile.Rule{when(hostile.Lookup, hostile.Silence)}, ask: outside, true: []fact{factHostDown}},
	{name: "look-up: the answers are lost on the way", rules: []hostile.Rule{when(hostile.Lookup, hostile.Silence)}, ask: outside, true: []fact{factNetworkHere}},
	{name: "look-up: busy", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(429, "text/plain", "", "Retry-After", "30"))}, ask: outside, true: []fact{factHostUp}},
	{name: "look-up: 403 with words", rules: []hostile.Rule{when(hostile.Lookup, says(403, `{"Message":"This address is blocked."}`))}, ask: outside, true: []fact{factHostUp}},

	{name: "look-up: an alias, and the person gets in", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "benjamin@harbor.example,harbor.example"))}, true: []fact{factPasswordRight, factGetsIn, factLookupWrong}},
	{name: "look-up: a cache that mixes people up, and the person gets in", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "benjamin@harbor.example,harbor.example"))}, true: []fact{factPasswordRight, factGetsIn, factHostDown}},
	{name: "look-up: 401 for everybody", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(401, "text/html", "<title>401 - Unauthorized</title>", "WWW-Authenticate", "Negotiate"))}, true: []fact{factPasswordRight, factGetsIn, factHostUp}},
	{name: "look-up: an error in JSON", rules: []hostile.Rule{when(hostile.Lookup, says(200, `{"Message":"Database is being upgraded."}`))}, ask: outside, true: []fact{factHostDown}},

	// The authority.
	{name: "sign-in: wrong password", ask: wrongWord, true: []fact{factPasswordWrong}},
	{name: "sign-in: locked, and nobody says so", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "invalid_username_or_password"))}, true: []fact{factPasswordRight, factAccountBarred}},
	{name: "sign-in: wrong, with the same code", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "invalid_username_or_password"))}, true: []fact{factPasswordWrong}},
	{name: "sign-in: locked, and it says so", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "User account is locked. Try again in 15 minutes."))}, true: []fact{factAccountBarred}, says: []fact{factAccountBarred}},
	{name: "sign-in: locked, and the password is wrong", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "User account is locked. Try again in 15 minutes."))}, true: []fact{factAccountBarred, factPasswordWrong}, says: []fact{factAccountBarred}},
	{name: "sign-in: second factor", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(403, "mfa_required", "Multifactor authentication required"))}, true: []fact{factAccountBarred, factPasswordRight}, says: []fact{factAccountBarred}},
	{name: "sign-in: second factor before the password is looked at", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(403, "mfa_required", "Multifactor authentication required"))}, true: []fact{factAccountBarred, factPasswordWrong}},
	{name: "sign-in: single sign-on", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "unauthorized_client", "Password sign-in is disabled for sso.example. Use single sign-on."))}, true: []fact{factAccountBarred}, says: []fact{factAccountBarred}},
	{name: "sign-in: expired password", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Your password has expired."))}, true: []fact{factAccountBarred}, says: []fact{factAccountBarred}},
	{name: "sign-in: words that nobody knows", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Not on a Sunday."))}, true: []fact{factAccountBarred}},
	{name: "sign-in: wrong, with how many tries are left", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Invalid credentials. 2 attempts left before your account is locked."))}, true: []fact{factPasswordWrong}},
	{name: "sign-in: a problem with a title and a detail", rules: []hostile.Rule{when(hostile.PasswordGrant, says(400, `{"title":"Account suspended","detail":"Your subscription was cancelled."}`))}, true: []fact{factAccountBarred}},
	{name: "sign-in: sent to the sign-in page", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Respond(302, "text/html", "", "Location", "/Account/Login?ReturnUrl=x"))}, true: []fact{factHostDown}},
	{name: "sign-in: ends in the middle", rules: []hostile.Rule{when(hostile.PasswordGrant, breaksOff(`{"access_token":"e`))}, true: []fact{factHostDown}},
	{name: "sign-in: begins, and stands still", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Standstill)}, true: []fact{factHostDown}},
	{name: "sign-in: the client may not", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "unauthorized_client", ""))}, true: []fact{factClientWrong}},
	{name: "sign-in: wrong client", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(401, "invalid_client", ""))}, true: []fact{factClientWrong}, says: []fact{factClientWrong}},
	{name: "sign-in: wrong scope", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_scope", ""))}, true: []fact{factClientWrong}, says: []fact{factClientWrong}},
	{name: "sign-in: 403 for a wrong password", rules: []hostile.Rule{when(hostile.PasswordGrant, says(403, ""))}, true: []fact{factPasswordWrong}},
	{name: "sign-in: 403 for a locked account", rules: []hostile.Rule{when(hostile.PasswordGrant, says(403, ""))}, true: []fact{factAccountBarred}},
	{name: "sign-in: 403 for the client", rules: []hostile.Rule{when(hostile.PasswordGrant, says(403, ""))}, true: []fact{factClientWrong}},
	{name: "sign-in: plain text", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Respond(401, "text/plain", "Invalid username or password"))}, true: []fact{factPasswordWrong}},
	{name: "sign-in: 503", rules: []hostile.Rule{when(hostile.PasswordGrant, says(503, ""))}, true: []fact{factHostDown}},
	{name: "sign-in: silent", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Silence)}, true: []fact{factHostDown}},
	{name: "sign-in: a page", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Respond(200, "text/html", maintenancePage))}, true: []fact{factHostDown}},
	{name: "sign-in: 404", rules: []hostile.Rule{when(hostile.PasswordGrant, says(404, ""))}, true: []fact{factHostUp, factNetworkHere}},
	{name: "sign-in: cut", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Reset(0))}, true: []fact{factHostDown}},
	{name: "authority: fails for everything", rules: []hostile.Rule{at("/auth", says(500, ""))}, true: []fact{factHostDown}},
	{name: "authority: fails for harmless requests alone", rules: []hostile.Rule{at("/auth/connect", func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		answer.ServeHTTP(w, r)
	})}, true: []fact{factPasswordRight, factGetsIn}, says: []fact{factGetsIn}},

	{name: "sign-in: a wrong password in Japanese", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "パスワードが正しくありません。"))}, true: []fact{factPasswordWrong}},
	{name: "sign-in: locked, in Japanese", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "アカウントがロックされています。"))}, true: []fact{factAccountBarred}},
	{name: "sign-in: 423", rules: []hostile.Rule{when(hostile.PasswordGrant, says(423, ""))}, true: []fact{factAccountBarred}},

	// The token.
	{name: "token: of another type", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("token_type", `"DPoP"`))}, true: []fact{factPasswordRight, factTokenWrong}, says: []fact{factPasswordRight, factTokenWrong}},
	{name: "token: null", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("access_token", "null"))}, true: []fact{factPasswordRight, factHostDown}, says: []fact{factHostDown}},
	{name: "token: no primary domain", rules: withClaims(`{"sub":"ben@harbor.example"}`), true: []fact{factPasswordRight, factTokenWrong}, says: []fact{factPasswordRight}},
	{name: "token: a URL as a domain", rules: withClaims(`{"primary_domain":"https://harbor.example/x"}`), true: []fact{factPasswordRight, factTokenWrong}, says: []fact{factPasswordRight, factTokenWrong}},
	{name: "token: other domains that cannot be read", rules: withClaims(`{"primary_domain":"harbor.example","domains":{"a":{"b":1}}}`, when(hostile.Shares, says(200, shareList))), true: []fact{factPasswordRight, factGetsIn, factTokenWrong}},
	{name: "token: not a JWT", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("access_token", `"opaque"`)), when(hostile.Shares, says(200, shareList))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: ended", rules: withClaims(`{"primary_domain":"harbor.example","exp":900000000}`), true: []fact{factPasswordRight, factTokenWrong}, says: []fact{factPasswordRight, factTokenWrong}},
	{name: "token: no primary domain, and the gateway takes it", rules: withClaims(`{"sub":"ben@harbor.example"}`, when(hostile.Shares, says(200, shareList))), true: []fact{factPasswordRight, factGetsIn, factTokenWrong}},
	{name: "token: ended, and the gateway takes it", rules: withClaims(`{"primary_domain":"harbor.example","exp":900000000}`, when(hostile.Shares, says(200, shareList))), true: []fact{factPasswordRight, factGetsIn, factTokenWrong}},
	{name: "token: begins later", rules: withClaims(`{"primary_domain":"harbor.example","nbf":32503680000}`), true: []fact{factPasswordRight, factTokenWrong}},
	{name: "token: of another address", rules: withClaims(`{"sub":"benjamin@harbor.example","primary_domain":"harbor.example"}`, when(hostile.Shares, says(200, shareList))), true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: not renewable, and nothing is shared", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("refresh_token", `""`)), when(hostile.Shares, says(200, `{"Data":[]}`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: fewer scopes by the answer", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("scope", `"openid offline_access"`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: a life of minus one second", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("expires_in", "-1"))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: a life in words", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("expires_in", `"24h"`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: a life in a text", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("expires_in", `"86400"`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: fewer scopes, and no access", rules: withClaims(`{"primary_domain":"harbor.example","scope":"openid"}`, when(hostile.Shares, says(403, ""))), true: []fact{factPasswordRight, factNoAccess}},
	{name: "token: not renewable", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Token("refresh_token", `""`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: fewer scopes", rules: withClaims(`{"primary_domain":"harbor.example","scope":"openid"}`, when(hostile.Shares, says(200, shareList))), true: []fact{factPasswordRight, factGetsIn}},
	{name: "token: the gateway does not know it", rules: withClaims(`{"primary_domain":"harbor.example"}`), true: []fact{factPasswordRight, factTokenWrong}},
	{name: "token: the gateway has an old key", rules: []hostile.Rule{when(hostile.Shares, says(401, ""))}, true: []fact{factPasswordRight, factHostDown}},

	// The gateway.
	{name: "shares: 403", rules: []hostile.Rule{when(hostile.Shares, says(403, ""))}, true: []fact{factPasswordRight, factNoAccess}, says: []fact{factPasswordRight}},
	{name: "shares: 403 with words", rules: []hostile.Rule{when(hostile.Shares, says(403, `{"Message":"User has no access to this domain."}`))}, true: []fact{factPasswordRight, factNoAccess}},
	{name: "shares: 403 for everybody", rules: []hostile.Rule{at("/gateway/harbor.example", says(403, ""))}, true: []fact{factPasswordRight, factOthersToo}},
	{name: "shares: 403 for this network", rules: []hostile.Rule{at("/gateway/harbor.example", says(403, ""))}, true: []fact{factPasswordRight, factOthersToo, factNetworkHere}},
	{name: "shares: suspended", rules: []hostile.Rule{when(hostile.Shares, says(400, `{"Message":"The company has been suspended for unpaid invoices."}`))}, true: []fact{factPasswordRight}},
	{name: "shares: refused in an envelope", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":null,"Message":"Denied access.","ResponseInfo":{"ResponseCode":0}}`))}, true: []fact{factPasswordRight}, says: []fact{factPasswordRight}},
	{name: "shares: 401, and why in the header alone", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(401, "", "", "WWW-Authenticate", `Bearer error="invalid_token", error_description="The audience is invalid"`))}, true: []fact{factPasswordRight}},
	{name: "shares: 403 by the page of a filter", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(403, "text/html", "<title>Access Denied</title>"))}, true: []fact{factPasswordRight, factNetworkHere}},
	{name: "shares: 403 by a page of the gateway", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(403, "text/html", "<title>Access Denied</title>"))}, true: []fact{factPasswordRight, factNoAccess}},
	{name: "shares: 403 in XML", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(403, "application/xml", "<Error><Message>Company 7 is archived.</Message></Error>"))}, true: []fact{factPasswordRight, factNoAccess}},
	{name: "shares: 404 with words", rules: []hostile.Rule{when(hostile.Shares, says(404, `{"Message":"User not found."}`))}, true: []fact{factPasswordRight, factHostUp}},
	{name: "shares: none, and the gateway says why", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":null,"Message":"No licence for this module."}`))}, true: []fact{factPasswordRight, factNoAccess}, says: []fact{factPasswordRight}},
	{name: "shares: none, and the gateway says more", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[],"Message":"Harbor Ltd moves to a new site on Monday."}`))}, true: []fact{factPasswordRight, factGetsIn, factNoShares}, says: []fact{factGetsIn, factNoShares}},
	{name: "shares: none, and the words refuse", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[],"Message":"Access denied"}`))}, true: []fact{factPasswordRight, factNoAccess}, says: []fact{factPasswordRight}},
	{name: "sign-in: too many attempts", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Too many failed logins, try again in 12 minutes"))}, true: []fact{factHostUp, factPasswordRight}},
	{name: "sign-in: too many attempts, with a wrong password", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Too many failed logins, try again in 12 minutes"))}, true: []fact{factHostUp, factPasswordWrong}},
	{name: "sign-in: locked, with the status of a limit", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(429, "invalid_grant", "The user account is locked."))}, true: []fact{factAccountBarred}, says: []fact{factAccountBarred}},
	{name: "sign-in: terms of use", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(403, "access_denied", "You have to accept our new terms of use."))}, true: []fact{factAccountBarred}, says: []fact{factAccountBarred}},
	{name: "sign-in: not from this country", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(403, "access_denied", "Sign-ins are not allowed from your country."))}, true: []fact{factNetworkHere}},
	{name: "shares: none, but in another domain", rules: []hostile.Rule{at("/gateway/harbor.example/api/users", says(200, `{"Data":[],"Message":"Ok."}`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "look-up: 403 by a page", ask: outside, rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(403, "text/html", "<title>Access Denied</title>"))}, true: []fact{factNetworkHere}},
	{name: "shares: another server is down", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[],"Message":"Failed talking to server 3.","ResponseInfo":{"ResponseCode":8}}`))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "shares: a limit is reached", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[],"Message":"Storage limit exceeded.","ResponseInfo":{"ResponseCode":11}}`))}, true: []fact{factPasswordRight}},
	{name: "shares: refused, and read in another domain", rules: []hostile.Rule{at("/gateway/harbor.example/api/users", says(403, `{"Message":"No."}`))}, true: []fact{factPasswordRight, factNoAccess}},
	{name: "shares: 400", rules: []hostile.Rule{when(hostile.Shares, says(400, ""))}, true: []fact{factPasswordRight}},
	{name: "shares: none", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[]}`))}, true: []fact{factPasswordRight, factGetsIn, factNoShares}, says: []fact{factGetsIn, factNoShares}},
	{name: "shares: those of another address", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[]}`))}, true: []fact{factPasswordRight, factGetsIn, factNoShares}, says: []fact{factGetsIn, factNoShares}},
	{name: "shares: 503", rules: []hostile.Rule{at("/gateway/harbor.example", says(503, ""))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "shares: 503, from outside", ask: outside, rules: []hostile.Rule{at("/gateway/harbor.example", says(503, ""))}, true: []fact{factHostDown}},
	{name: "shares: maintenance", rules: []hostile.Rule{at("/gateway/harbor.example", hostile.Respond(200, "text/html", maintenancePage))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "shares: silent", rules: []hostile.Rule{when(hostile.Shares, hostile.Silence)}, true: []fact{factPasswordRight, factHostDown}},
	{name: "shares: busy", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(429, "", "", "Retry-After", "7"))}, true: []fact{factPasswordRight, factHostUp}},
	{name: "shares: cut", rules: []hostile.Rule{when(hostile.Shares, hostile.Cut)}, true: []fact{factPasswordRight, factHostDown}},
	{name: "shares: 404", rules: []hostile.Rule{when(hostile.Shares, says(404, ""))}, true: []fact{factPasswordRight, factHostUp, factNetworkHere}},
	{name: "shares: another domain refuses", rules: []hostile.Rule{at("/gateway/pier.example", says(403, ""))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "gateway: fails for harmless requests alone", rules: []hostile.Rule{at("/gateway/harbor.example/api", func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		if !strings.HasSuffix(r.URL.Path, "/shares") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		answer.ServeHTTP(w, r)
	})}, true: []fact{factPasswordRight, factGetsIn}, says: []fact{factGetsIn}},

	// The device.
	{name: "device: fine", ask: byDevice, true: []fact{factPasswordRight, factGetsIn, factNotExplained}},
	{name: "device: U103, contradicted", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U103"}`))}, true: []fact{factPasswordRight, factDeviceRefused}},
	{name: "device: U105", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U105",`+loginDomain+`}`))}, true: []fact{factPasswordRight, factDeviceRefused}, says: []fact{factDeviceRefused}},
	{name: "device: U105 and another domain", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U105","PrimaryUserDomain":{"Domain":{"DomainName":"quay.example"}}}`))}, true: []fact{factPasswordRight, factDeviceRefused}},
	{name: "device: U107 by name", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U107",`+loginDomain+`}`))}, true: []fact{factPasswordRight, factDeviceRefused}, says: []fact{factDeviceRefused}},
	{name: "device: U107 of somebody else's", ask: byDeviceID, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U107",`+loginDomain+`}`))}, true: []fact{factPasswordRight, factDeviceRefused}},
	{name: "device: wipe", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U100","Wipe":true,`+loginDomain+`}`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "device: U999", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U999"}`))}, true: []fact{factPasswordRight, factGetsIn, factDeviceRefused, factNotExplained}, says: []fact{factNotExplained}},
	{name: "device: U999, and it means that all is well", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U999"}`))}, true: []fact{factPasswordRight, factGetsIn, factNotExplained}, says: []fact{factNotExplained}},
	{name: "device: no code", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":""}`))}, true: []fact{factPasswordRight, factGetsIn, factNotExplained}, says: []fact{factNotExplained}},
	{name: "device: a message in place of a result", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"Message":"Service disabled."}`))}, true: []fact{factPasswordRight, factGetsIn, factHostUp}},
	{name: "device: another device, and an undocumented code", ask: byDeviceID, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U100",`+loginDomain+`}`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "device: another primary domain", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, login(`{"ErrorCode":"U100","PrimaryUserDomain":{"Domain":{"DomainId":"d1","DomainName":"quay.example"},"UserDomainToken":"t"},"DeviceId":"0123456789abcdef0123456789abcdef"}`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "device: 500", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, says(500, ""))}, true: []fact{factPasswordRight, factHostDown, factGetsIn}},
	{name: "device: silent", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, hostile.Silence)}, true: []fact{factPasswordRight, factHostDown, factGetsIn}},

	// The network.
	{name: "network: nothing listens here", dial: refuseAll, ask: outside, true: []fact{factNetworkHere}},
	{name: "network: no way", dial: noWay, ask: outside, true: []fact{factNetworkHere}},
	{name: "network: no name servers", dial: noNames, ask: outside, true: []fact{factNetworkHere}},
	{name: "network: a sign-in page", rules: []hostile.Rule{{Fault: hostile.Respond(511, "text/html", "<title>Hotel</title>")}}, ask: outside, true: []fact{factNetworkHere}, says: []fact{factNetworkHere}},
	{name: "network: nothing listens, with a password", dial: refuseAll, true: []fact{factNetworkHere}},
	{name: "network: every host is silent", rules: []hostile.Rule{{Fault: hostile.Silence}}, ask: outside, true: []fact{factHostDown}},
	{name: "network: every answer is lost", rules: []hostile.Rule{{Fault: hostile.Silence}}, ask: outside, true: []fact{factNetworkHere}},

	// Pairs across links.
	{name: "pair: unknown address and refused password", ask: wrongWord, rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+","))}, true: []fact{factLookupWrong, factPasswordWrong}},
	{name: "pair: an alias whose sign-in is refused", ask: wrongWord, rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "benjamin@harbor.example,harbor.example"))}, true: []fact{factLookupWrong, factPasswordRight}},
	{name: "pair: an alias and a wrong password", ask: wrongWord, rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "benjamin@harbor.example,harbor.example"))}, true: []fact{factLookupWrong, factPasswordWrong}},
	{name: "sign-in: the page of a filter", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Respond(403, "text/html", "<title>Web Page Blocked</title>"))}, true: []fact{factNetworkHere, factPasswordRight}},
	{name: "sign-in: the page of the authority", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Respond(403, "text/html", "<title>Web Page Blocked</title>"))}, true: []fact{factAccountBarred}},
	{name: "pair: no domain and a locked account", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",")), when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Account locked"))}, true: []fact{factLookupWrong, factAccountBarred}},
	{name: "pair: failing look-up and a wrong password", ask: wrongWord, rules: []hostile.Rule{when(hostile.Lookup, says(500, ""))}, true: []fact{factHostDown, factPasswordWrong}},
	{name: "pair: failing look-up and no access", rules: []hostile.Rule{when(hostile.Lookup, says(500, "")), when(hostile.Shares, says(403, ""))}, true: []fact{factHostDown, factPasswordRight, factNoAccess}},
	{name: "pair: failing gateway and a wrong password", ask: wrongWord, rules: []hostile.Rule{at("/gateway", says(503, ""))}, true: []fact{factHostDown, factPasswordWrong}},
	{name: "pair: no access and a refused device", ask: byDevice, rules: []hostile.Rule{when(hostile.Shares, says(403, "")), when(hostile.DeviceLogin, login(`{"ErrorCode":"U107"}`))}, true: []fact{factPasswordRight, factNoAccess, factDeviceRefused}},
	{name: "pair: silent gateway and a failing device login", ask: byDevice, rules: []hostile.Rule{when(hostile.Shares, hostile.Silence), when(hostile.DeviceLogin, says(500, ""))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "pair: old look-up and no access", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", worldUser+",old.example")), when(hostile.Shares, says(403, ""))}, true: []fact{factLookupWrong, factPasswordRight, factNoAccess}},

	// As people complain.
	{name: "second site: its gateway does not take the token", rules: []hostile.Rule{at("/gateway/pier.example/api/users", hostile.Respond(401, "application/json", `{"Message":"The audience is invalid."}`, "WWW-Authenticate", `Bearer error="invalid_token", error_description="The audience is invalid"`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "sign-in: expired, with where to change it", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_grant", "Your password has expired. Change it at https://id.example/change."))}, true: []fact{factAccountBarred}},
	{name: "sign-in: limited for 15 minutes", rules: []hostile.Rule{when(hostile.PasswordGrant, hostile.Respond(429, "text/plain", "", "Retry-After", "900"))}, true: []fact{factHostUp}},
	{name: "look-up: 404 for an address that works", rules: []hostile.Rule{when(hostile.Lookup, hostile.Respond(404, "text/plain", "No such user"))}, true: []fact{factPasswordRight, factGetsIn, factLookupWrong, factHostUp}},
	{name: "device: a page of an error", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, hostile.Respond(500, "text/html", "<title>Runtime Error</title>"))}, true: []fact{factPasswordRight, factHostDown, factGetsIn}},
	{name: "second site: its gateway closes each connection", rules: []hostile.Rule{at("/gateway/pier.example", hostile.Reset(0))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "shares: sent to a sign-in elsewhere", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(302, "text/html", "", "Location", "https://signin.elsewhere.example/"))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "sign-in: the client may not be renewed", rules: []hostile.Rule{when(hostile.PasswordGrant, oauth(400, "invalid_scope", "offline_access is not allowed for this client."))}, true: []fact{factClientWrong}},
	{name: "shares: refused in HTTP 200", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"success":false,"message":"The licence of this tenant has ended."}`))}, true: []fact{factPasswordRight}, says: []fact{factPasswordRight}},
	{name: "shares: a part, with a code of its own", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[{"Id":"1","Name":"A"}],"Message":"Partial result: server FS-2 did not answer","ResponseInfo":{"ResponseCode":8}}`))}, true: []fact{factPasswordRight, factGetsIn}, says: []fact{factGetsIn}},
	{name: "shares: all of them, with a code of its own", rules: []hostile.Rule{when(hostile.Shares, says(200, `{"Data":[{"Id":"1","Name":"A"}],"Message":"Partial result: server FS-2 did not answer","ResponseInfo":{"ResponseCode":8}}`))}, true: []fact{factPasswordRight, factGetsIn}},
	{name: "shares: a message and no list", rules: []hostile.Rule{when(hostile.Shares, says(202, `{"Message":"Your account is being prepared."}`))}, true: []fact{factPasswordRight}, says: []fact{factPasswordRight}},
	{name: "device: refused with words", ask: byDevice, rules: []hostile.Rule{when(hostile.DeviceLogin, says(403, `{"Message":"Device limit reached (5)."}`))}, true: []fact{factPasswordRight, factGetsIn, factHostUp}},
	{name: "shares: XML", rules: []hostile.Rule{when(hostile.Shares, hostile.Respond(200, "application/xml", `<?xml version="1.0"?><ArrayOfShare><Share><Name>Plans</Name></Share></ArrayOfShare>`))}, true: []fact{factPasswordRight, factHostDown}},
	{name: "shares: ends in the middle", rules: []hostile.Rule{when(hostile.Shares, breaksOff(`{"Data":[{"Id":"1","Name":"A"},{"Id":"2","Na`))}, true: []fact{factPasswordRight, factHostDown}},
}

// Faults that several tests have.
var (
	plusAsBlank      = []hostile.Rule{when(hostile.Lookup, hostile.Respond(200, "text/html", "ben files@harbor.example,"))}
	maintenanceUntil = "<html><head><title>Maintenance</title></head><body><h1>Sorry</h1><p>We are back at 14:00 UTC.</p></body></html>"
	tooLarge         = hostile.Respond(400, "text/html", "<html><head><title>400 Request Header Or Cookie Too Large</title></head></html>")
	inOtherCapitals  = withClaims(`{"sub":"ben@harbor.example","PrimaryDomain":"harbor.example"}`,
		when(hostile.Lookup, says(500, "")))
	ofAnother = withClaims(`{"sub":"bo@harbor.example","primary_domain":"harbor.example"}`,
		when(hostile.Shares, says(403, "")))
)

func plusOutside(r *Request) {
	outside(r)
	r.Email = "ben+files@harbor.example"
}

// TestWhatCardsName has what a card says, by the part of it, where that is a fact of its own.
func TestWhatCardsName(t *testing.T) {
	for _, tt := range []struct {
		world
		code                        Code
		scope                       Scope
		sentence, known, next, user string
	}{
		{world{name: "a + read as a blank", rules: plusAsBlank, ask: plusOutside}, ServiceFailing, ScopePerson,
			`reads the + in ben+files@harbor.example as a blank: it answered the look-up for "ben files@harbor.example"`, "%2B", "decode %2B once", "the + in your address"},
		{world{name: "maintenance", rules: []hostile.Rule{at("/", hostile.Respond(503, "text/html", maintenanceUntil))}}, ServiceFailing, ScopeInstallation,
			`"Maintenance: We are back at 14:00 UTC"`, "All parts", "Wait until", "14:00 UTC"},
		{world{name: "a token that is too long", rules: []hostile.Rule{when(hostile.Shares, tooLarge)}}, ServiceFailing, ScopePerson,
			"too large", "A token grows", "longer headers", "not your mistake"},
		{world{name: "431", rules: []hostile.Rule{when(hostile.Shares, says(431, ""))}}, ServiceFailing, ScopePerson,
			"too large", "A token grows", "longer headers", "not your mistake"},
		{world{name: "null", rules: []hostile.Rule{when(hostile.Shares, says(200, "null"))}}, ServiceFailing, ScopeDomain,
			"null in place of a list", "", "", ""},
		{world{name: "a claim in other capitals", rules: inOtherCapitals}, NoPrimaryDomain, ScopePerson,
			"names no primary domain", "Its claims are sub and PrimaryDomain", "", ""},
		{world{name: "a token of another address", rules: ofAnother}, NoAccess, ScopePerson,
			"refuses ben@harbor.example", "names another address, bo@harbor.example", "", ""},
	} {
		v := visit(t, tt.world)
		verdict := judge(v.scene, v.scene.checks)
		if verdict.Code != tt.code || verdict.Scope != tt.scope {
			t.Errorf("%s: %s %s %s", tt.name, verdict.Code, verdict.Scope, verdict.Sentence)
		}
		for said, want := range map[string]string{
			verdict.Sentence: tt.sentence, verdict.Known: tt.known, verdict.User: tt.user,
			fmt.Sprint(verdict.Next): tt.next,
		} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in %q", tt.name, want, said)
			}
		}
	}
}

// visited is a world as the program saw it.
type visited struct {
	world
	scene *scene
}

// visit runs a check through the real program over HTTP, in a bubble in which silence costs
// nothing.
func visit(t *testing.T, w world) (v visited) {
	t.Helper()
	hostile.Run(t, func(t *testing.T, service *hostile.World) {
		profile, err := config.Resolve(config.Sources{LookupEnv: service.LookupEnv})
		if err != nil {
			t.Fatal(err)
		}
		if w.change != nil {
			w.change(profile)
		}
		dial := service.Dial
		if w.dial != nil {
			dial = func(_ context.Context, network, address string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Net: network, Err: w.dial(network, address)}
			}
		}
		s := session.NewService(session.ServiceOptions{Profile: profile, Vault: session.NewMemoryVault(), Now: time.Now, Dial: dial})
		defer s.Close()
		service.Faults.Set(w.rules...)
		request := Request{Email: worldUser, Password: secret.New(hostile.Password)}
		if w.ask != nil {
			w.ask(&request)
		}
		checker := New(s)
		checker.Face = inWords
		report := checker.Run(t.Context(), request, nil)
		synctest.Wait()
		v = visited{w, newScene(&run{Request: request.trimmed(), Checker: checker, now: time.Now}, report)}
	})
	return v
}

// inWords is a face with commands and with words for what helps.
var inWords = Face{
	Command: func(step Step) string {
		if step.Kind == StepSignIn || step.Kind == StepOtherAddress {
			return "gatehouse check " + step.Email
		}
		return ""
	},
	Words: map[problem.Help]string{
		problem.HelpSetClientSecret: "Set the client secret.",
		problem.HelpCheckClient:     "The keyring has the secret.",
	},
}

// look is what a world looks like from here: all that was observed, but for times and ids.
func (v visited) look() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|%s|", v.scene.Domain, v.scene.DeviceID)
	for _, c := range v.scene.checks {
		o := c.seen()
		fmt.Fprintf(&b, "%s %d %d %d %d %q %q %q %q|", c.ID, o.outcome, o.cause, o.way.Stage, c.Status, o.code(), o.words(), o.Answered, o.AnsweredFor)
		fmt.Fprintf(&b, "%s %q %q %v %v %v %d|", o.PrimaryDomain, o.OtherDomains, o.NotDomains, o.Shares != nil && *o.Shares > 0, o.Wipe, o.Renewable, o.StatusWithoutToken)
		fmt.Fprintf(&b, "%d %q %q|", o.token, o.Several, o.Claims)
		fmt.Fprintf(&b, "%q %v %v %v %v\n", o.ScopesGranted, o.elsewhere, o.redirects, o.readable, !o.ExpiresAt.IsZero() && !o.ExpiresAt.After(v.scene.at))
	}
	return b.String()
}

// falseClaims are the certain claims of the verdicts by a list of rules that are not true in a
// world of their group, what a verdict has to say and does not, and the orders of evidence that they
// turn round.
func falseClaims(groups map[string][]visited, list []rule) (wrong []string) {
	for _, group := range groups {
		r, shows := group[0].scene.rule(list)
		for _, v := range group {
			for _, claim := range r.claims {
				if !claim.possible && !slices.Contains(v.true, claim.fact) {
					wrong = append(wrong, fmt.Sprintf("%s: %q is said (%s, %s), and not so", v.name, claim.fact, r.code, shows.ID))
				}
			}
			for _, known := range v.says {
				if !slices.Contains(r.claims, claim{fact: known}) {
					wrong = append(wrong, fmt.Sprintf("%s: %q is known, and not said (%s, %s)", v.name, known, r.code, shows.ID))
				}
				if !slices.Contains(v.true, known) {
					wrong = append(wrong, fmt.Sprintf("%s: %q is not true there", v.name, known))
				}
			}
			if r.code == LooksFine && r.state == OK && v.ask == nil && !slices.Contains(v.true, factGetsIn) {
				wrong = append(wrong, v.name+": it is called fine")
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

// TestAClaimHoldsInAllWorldsThatLookTheSame runs all worlds through the program, and holds every
// certain claim of each verdict against all worlds that were observed to be the same.
func TestAClaimHoldsInAllWorldsThatLookTheSame(t *testing.T) {
	groups := map[string][]visited{}
	for _, w := range worlds {
		var v visited
		t.Run(w.name, func(t *testing.T) { v = visit(t, w) })
		if v.scene == nil {
			t.Fatalf("%s was not visited", w.name)
		}
		groups[v.look()] = append(groups[v.look()], v)
		verdict := judge(v.scene, v.scene.checks)
		t.Logf("%s\n\t%s %s %s %s: %s\n\tknown: %s\n\tnext: %v\n\tuser: %s", w.name, verdict.State, verdict.Code, verdict.Scope, verdict.Title, verdict.Sentence, verdict.Known, verdict.Next, verdict.User)
		checkTexts(t, w.name, verdict)
	}
	if alike := len(worlds) - len(groups); alike < 8 {
		t.Errorf("only %d worlds look like another one", alike)
	}
	for _, wrong := range falseClaims(groups, rules) {
		t.Error(wrong)
	}
	for name, list := range wrongRules() {
		if len(falseClaims(groups, list)) == 0 {
			t.Errorf("nobody noticed: %s", name)
		}
	}
}

// wrongRules are lists of rules with a fault that the test has to find.
func wrongRules() map[string][]rule {
	asWrong := func(change func(*rule)) []rule {
		list := slices.Clone(rules)
		for i := range list {
			change(&list[i])
		}
		return list
	}
	without := func(isOut func(rule) bool) []rule { return slices.DeleteFunc(slices.Clone(rules), isOut) }
	return map[string][]rule{
		"an empty list is a list":               without(func(r rule) bool { return slices.Contains(r.claims, claim{fact: factNoShares}) }),
		"a locked account is any refusal":       without(func(r rule) bool { return r.cause.id == "account-locked" }),
		"an undocumented code is no news":       without(func(r rule) bool { return r.code == UndocumentedCode }),
		"an ended token is the gateway's fault": without(func(r rule) bool { return r.cause.id == "token-ended-on-arrival" }),
		"harmless requests outrank the sign-in": slices.Concat(impossible, networkRules,
			certainly(factHostDown, Gateway), rules),
		"a bare refusal is a wrong password": asWrong(func(r *rule) {
			if r.code == WrongPassword {
				r.claims = sure(factPasswordWrong)
			}
		}),
		"a second factor shows that the password is right": asWrong(func(r *rule) {
			if r.code == SignInRefused {
				r.claims = append(r.claims, claim{fact: factPasswordRight})
			}
		}),
		"403 without words is the client": asWrong(func(r *rule) {
			if r.cause.id == "refused-without-reason" {
				r.claims = sure(factClientWrong)
			}
		}),
		"an alias is a wrong entry": asWrong(func(r *rule) {
			if r.cause == otherAddressAnswered {
				r.claims = sure(factLookupWrong)
			}
		}),
		"silence is a host that is down": asWrong(func(r *rule) {
			if r.cause.id == "no-answer-in-time" {
				r.claims = sure(factHostDown)
			}
		}),
		"an undocumented code is a refused device": asWrong(func(r *rule) {
			if r.code == UndocumentedCode {
				r.claims = sure(factDeviceRefused)
			}
		}),
		"a 401 is a token of the authority": asWrong(func(r *rule) {
			if r.code == NoAccess && r.cause.id == "" {
				r.claims = append(r.claims, claim{fact: factTokenWrong})
			}
		}),
	}
}

// certainly is a rule that takes a failing probe for the cause, whatever outranks it.
func certainly(f fact, id string) []rule {
	return []rule{{code: ServiceFailing, state: Fail, claims: sure(f), when: func(s *scene) (Check, bool) {
		c := s.of(id)
		return c, c.seen().outcome == outcomeFailing
	}}}
}

// TestACardSaysWhatWasSeen has, of some worlds, what the verdict must say and must not.
func TestACardSaysWhatWasSeen(t *testing.T) {
	for name, want := range map[string]struct {
		code      Code
		scope     Scope
		says, not string // in the sentence, the evidence, the steps or to the user
	}{
		"look-up: a cache that mixes people up, and the person gets in": {UnknownAddress, ScopePerson, "Your account itself works, at harbor.example", "knows you as"},
		"look-up: 401 for everybody":                                    {ServiceFailing, ScopeInstallation, "asks for credentials", "what this means for"},
		"look-up: an error in JSON":                                     {ServiceFailing, ScopeInstallation, "Database is being upgraded", "titled"},
		"sign-in: wrong, with how many tries are left":                  {WrongPassword, ScopePerson, "2 attempts left", ""},
		"sign-in: a problem with a title and a detail":                  {SignInRefused, ScopePerson, "Account suspended: Your subscription was cancelled", ""},
		"sign-in: sent to the sign-in page":                             {ServiceFailing, ScopeAuthority, "/Account/Login", "put it into"},
		"sign-in: ends in the middle":                                   {ServiceFailing, ScopeAuthority, "began to answer the sign-in, and did not finish", "gave no answer"},
		"sign-in: begins, and stands still":                             {ServiceFailing, ScopeAuthority, "began to answer the sign-in, and did not finish within", "gave no answer"},
		"token: no primary domain, and the gateway takes it":            {NoPrimaryDomain, ScopePerson, "Your account works at harbor.example", "not fully set up"},
		"token: ended":                                     {ServiceFailing, ScopeAuthority, "1998-07-09", "no access to"},
		"token: ended, and the gateway takes it":           {LooksFine, ScopeAuthority, "sign the person out at once", "nothing that was checked is wrong"},
		"token: begins later":                              {Clock, ScopeAuthority, "after it was issued", "the gateway does not accept the authority's token"},
		"token: of another address":                        {LooksFine, ScopePerson, "benjamin@harbor.example", "nothing that was checked is wrong"},
		"token: not renewable, and nothing is shared":      {NotRenewable, ScopePerson, "No share is visible", "reads shares"},
		"token: fewer scopes, and no access":               {NoAccess, ScopePerson, "The token is not for profile, domain_api", ""},
		"token: fewer scopes by the answer":                {LooksFine, ScopePerson, "Missing: profile, domain_api", "nothing that was checked is wrong"},
		"token: a life of minus one second":                {LooksFine, ScopeAuthority, "as -1 (expires_in)", "nothing that was checked is wrong"},
		"token: a life in words":                           {LooksFine, ScopeAuthority, "as 24h (expires_in)", "nothing that was checked is wrong"},
		"token: a life in a text":                          {LooksFine, ScopeNone, "nothing that was checked is wrong", ""},
		"shares: 401, and why in the header alone":         {NoAccess, ScopePerson, "The audience is invalid", ""},
		"shares: 403 by the page of a filter":              {NoAccess, ScopeNone, "or something in between", "does not let you in"},
		"shares: 403 in XML":                               {NoAccess, ScopePerson, "Company 7 is archived", "in between"},
		"shares: 404 with words":                           {ServiceFailing, ScopePerson, "User not found", "has nothing at the address"},
		"shares: none, and the gateway says why":           {NoAccess, ScopePerson, "No licence for this module", "no share is visible"},
		"shares: none, and the gateway says more":          {LooksFine, ScopeNone, "moves to a new site", ""},
		"shares: none, and the words refuse":               {NoAccess, ScopePerson, `says: "Access denied". It probably refuses access`, "no share is visible"},
		"sign-in: too many attempts":                       {ServiceFailing, ScopeAuthority, "does not take more requests or attempts to sign in", "says that your account is locked"},
		"sign-in: locked, with the status of a limit":      {SignInRefused, ScopePerson, "unlock the account", "does not take more"},
		"sign-in: terms of use":                            {SignInRefused, ScopePerson, "accept the terms of use there", "administrator"},
		"sign-in: not from this country":                   {SignInRefused, ScopeHere, "sign in from another network", "locked"},
		"shares: none, but in another domain":              {LooksFine, ScopeNone, "there are shares in pier.example", "another e-mail address"},
		"look-up: 403 by a page":                           {ServiceFailing, ScopeInstallation, "may have refused it, or something in between", "about your account and says"},
		"shares: another server is down":                   {ServiceFailing, ScopeDomain, "Failed talking to server 3", "does not let you in"},
		"shares: a limit is reached":                       {ServiceFailing, ScopePerson, "Storage limit exceeded", "again in a minute"},
		"shares: refused, and read in another domain":      {NoAccess, ScopePerson, "reading the shares in pier.example", ""},
		"shares: silent":                                   {ServiceFailing, ScopeDomain, "gave no answer", "password may be right"},
		"device: a message in place of a result":           {ServiceFailing, ScopeInstallation, "Service disabled", ""},
		"device: silent":                                   {ServiceFailing, ScopeInstallation, "Whether the login was carried out", "again in a minute"},
		"device: another device, and an undocumented code": {UndocumentedCode, ScopePerson, "the answer is about another one", "with what a device needs"},
		"device: another primary domain":                   {OtherPrimaryDomain, ScopePerson, "names quay.example as the primary domain", ""},
	} {
		i := slices.IndexFunc(worlds, func(w world) bool { return w.name == name })
		if i < 0 {
			t.Errorf("there is no world %q", name)
			continue
		}
		v := visit(t, worlds[i])
		verdict := judge(v.scene, v.scene.checks)
		text := verdict.Sentence + " " + verdict.Known + " " + verdict.User
		for _, step := range verdict.Next {
			text += " " + step.Sentence()
		}
		if verdict.Code != want.code || verdict.Scope != want.scope || !strings.Contains(text, want.says) || want.not != "" && strings.Contains(text, want.not) {
			t.Errorf("%s: %s %s: %s", name, verdict.Code, verdict.Scope, text)
		}
	}
}

// unfilled matches what a template has and a text must not have.
var unfilled = regexp.MustCompile(`\{\pL[\pL\d-]*\}|\[[; .,:(]|[ .]\]`)

// checkTexts checks what has to hold for the texts of each verdict.
func checkTexts(t *testing.T, name string, v Verdict) {
	t.Helper()
	texts := []string{v.Sentence, v.Known, v.User}
	for _, step := range v.Next {
		texts = append(texts, step.Sentence())
		if slices.Contains([]StepKind{StepOtherDomain, StepAskToSignIn, StepOpenDomain}, step.Kind) && step.Domain == "" {
			t.Errorf("%s: no domain: %+v", name, step)
		}
		if isForPerson := slices.Contains([]StepKind{StepOther, StepAskToSignIn}, step.Kind); strings.HasPrefix(step.Text, "Ask the person ") && !isForPerson {
			t.Errorf("%s: a key of the program stands beside what a person does: %+v", name, step)
		}
	}
	if len(v.Next) == 0 {
		t.Errorf("%s: nothing is to be done next", name)
	}
	if phrase(v.Parts).String() != v.Sentence {
		t.Errorf("%s: the parts of %q are %v", name, v.Sentence, v.Parts)
	}
	for _, text := range texts {
		isSentence := strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?")
		if text == "" || unfilled.MatchString(text) || strings.Contains(text, "  ") || !isSentence {
			t.Errorf("%s: not a sentence: %q", name, text)
		}
		for _, flaw := range []string{"the domain the", "no reason is known", " ,", "..", " .", "()", `""`, ",,", " : ", "although and"} {
			if strings.Contains(text, flaw) {
				t.Errorf("%s: something is not filled in: %q", name, text)
			}
		}
	}
}
