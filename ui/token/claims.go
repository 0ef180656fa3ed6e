package token

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/session"
)

// words name the standard claims and the two of interface section 2.2.
var words = map[string]string{
	"iss": "issued by", "sub": "user", "aud": "meant for", "exp": "expires", "nbf": "not valid before", "iat": "issued",
	"jti": "token id", "scope": "allows", "client_id": "for the client", "azp": "for the client", "amr": "signed in with",
	"acr": "assurance", "auth_time": "signed in", "idp": "identity provider", "sid": "session id", "name": "name", "email": "e-mail",
	"preferred_username": "user name", "given_name": "first name", "family_name": "last name", "role": "role",
	"primary_domain": "primary domain", "domains": "other domains",
}

// claims shows the claims in the order in which the token has them.
func (w *writer) claims(c session.Claims) {
	w.title("Claims")
	if !c.Present {
		w.said(muted, "This access token is not a JWT that can be read, so it shows no claims.")
		return
	}
	w.said(warned, w.glyphs.Warning+" Claims: decoded, not verified. They are as old as the sign-in.")
	gjson.ParseBytes(c.JSON).ForEach(func(name, value gjson.Result) bool {
		w.claim(name.Str, value)
		return true
	})
}

// claim shows one claim; the items of an array stand below one another.
func (w *writer) claim(name string, value gjson.Result) {
	l := line{label: words[name], name: name, text: value.Raw, copied: copied(value), what: "the claim " + name}
	items := value.Array()
	if !value.IsArray() || len(items) == 0 {
		l.text, l.remark = shown(name, value), w.remark(name, value)
		w.add(l)
		return
	}
	for i, item := range items {
		if i > 0 {
			l.label, l.name, l.below = "", "", true
		}
		l.text, l.copied = shown(name, item), copied(item)
		w.add(l)
	}
}

// shown is a value to look at: the text of a claim with a known meaning, and all
// else exactly as it was sent.
func shown(name string, value gjson.Result) string {
	if _, known := words[name]; known && value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

func copied(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return value.Raw
}

// lastSecond is the last one with a year of four digits.
const lastSecond = 253402300799

// remark says when it is that a claim with a time speaks of.
func (w *writer) remark(name string, value gjson.Result) string {
	switch name {
	case "exp", "nbf", "iat", "auth_time":
	default:
		return ""
	}
	whole, _, _ := strings.Cut(copied(value), ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		return ""
	}
	t := time.Unix(seconds, 0)
	return stamp(t) + ", " + relative(t, w.now)
}
