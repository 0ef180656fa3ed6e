package demo

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
)

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
		writeJSON(w, http.StatusOK, object)
	}
}

// AccessToken is [Tokens] with another access token, whose own claims alone tell
// how long it lives.
func AccessToken(token string) Fault {
	quoted, _ := json.Marshal(token) // a string always can be
	return Tokens(map[string]json.RawMessage{"access_token": quoted, "expires_in": nil})
}

// UnsignedJWT is a JWT with these very claims and no signature that anybody could
// check. The encoding is that of its parts; nil is the one of RFC 7519.
func UnsignedJWT(claims string, encoding *base64.Encoding) string {
	if encoding == nil {
		encoding = base64.RawURLEncoding
	}
	part := func(text string) string { return encoding.EncodeToString([]byte(text)) }
	return part(`{"alg":"RS256","typ":"JWT"}`) + "." + part(claims) + "." + part("canary-signature")
}
