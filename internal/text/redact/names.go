// Package redact decides what is shown of the traffic with the service. In requests, headers
// and answers it shows only values with listed names, and hides even these if they repeat a
// secret: one that was sent, or a value with a secret name in the answer.
//
// In a device login's result it shows everything except values with secret names and values
// that repeat them. Records that a person asked for never pass through here: they are the
// person's own. Hidden values are replaced by [secret.Mask].
package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"gatehouse/internal/text/secret"
)

// The names of values that may be shown. The members are of a token answer (interface section
// 2.1), of refusals (RFC 6749 section 5.2, RFC 9457) and of a login result (2.4).
var (
	publicHeaders = []string{ // in canonical form
		"Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Allow", "Cache-Control", "Connection",
		"Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length", "Content-Type", "Date", "Expires", "Keep-Alive",
		"Last-Modified", "Pragma", "Retry-After", "Server", "Strict-Transport-Security", "Transfer-Encoding", "User-Agent", "Vary",
		"Www-Authenticate", "X-Content-Type-Options", "X-Frame-Options", "X-Powered-By", "X-Correlation-Id", "X-Request-Id",
	}
	publicParameters = []string{ // of a query, interface sections 4.4 and 4.5
		"useremail", "devicename", "deviceid", "devicetype", "deviceip", "devicegeo", "devicelat", "devicelon", "domain", "resellerid",
	}
	publicFields     = []string{"grant_type", "username", "scope", "client_id"}                  // of a form, interface section 4.1
	secretParameters = []string{"password", "password2", "Ad", "client_secret", "refresh_token"} // of both
	publicMembers    = []string{
		"expires_in", "token_type", "scope", "error", "error_description", "error_uri", "Message", "message", "title", "status", "detail", "code",
		"DomainId", "Url", "DomainName", "ResellerId", "DataSetup", "Wipe", "ErrorCode", "Validated", "DeviceId", "NotificationType",
	}
)

// secretWords occur in the names of secrets, in lower case; "_" stands for a sign or none. Services
// have names of their own, so there can be no list of all harmless names.
const secretWords = `password|passwd|pwd|passphrase|secret|token|api_key|confirmkey|privatekey|` +
	`credential|authorization|cookie|jwt|signature|session_id|authticket|viewstate|assertion`

var (
	// bareSecretWords are the words without signs. To look for each takes a small part of the time
	// of a regular expression.
	bareSecretWords = strings.Split(strings.ReplaceAll(secretWords, "_", ""), "|")

	secretWordPattern = strings.ReplaceAll(secretWords, "_", "[_-]?")
	secretWord        = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(secretWordPattern)
	})

	// secretNames are too short to be matched inside other names.
	secretNames = []string{"pin", "otp", "sid", "sas", "sig", "auth", "pass", "session"}

	// A name that begins or ends with one of these words is about a secret but not the
	// name of one: "MustChangePassword", "token_type".
	aboutFirst = []string{"must", "has", "is", "can", "needs", "requires"}
	aboutLast  = []string{"type", "expires", "expiry", "expired", "changed", "policy", "length", "required", "count"}

	// harmlessKey ends the name of a key that opens nothing.
	harmlessKey = regexp.MustCompile(`(?:\b(?:primary|foreign|public|sort|partition|row) ?|\bmon)key\d*$`)
)

// IsSecretName reports whether a value with this name counts as a secret, in any
// spelling: "UserDomainToken", "X-Api-Key", "password_hash". Names that end in "key" do, as
// most keys of a service open something. So does a name that is longer than any: it is a text, and to
// look for words in it takes long.
func IsSecretName(name string) bool {
	if len(name) > maxNameBytes {
		return true
	}
	words := wordsOf(name)
	if len(words) == 0 || slices.Contains(aboutFirst, words[0]) ||
		slices.Contains(aboutLast, words[len(words)-1]) {
		return false
	}
	bare := strings.TrimRight(strings.Join(words, ""), "0123456789")
	isKey := strings.HasSuffix(bare, "key")
	return isKey && !harmlessKey.MatchString(strings.Join(words, " ")) ||
		slices.Contains(secretNames, bare) || containsAny(bare, bareSecretWords)
}

// maxNameBytes is in bytes, and far beyond what a service calls a member.
const maxNameBytes = 1000

// wordsOf splits a name into words in lower case, at capital letters and at characters
// other than letters and digits.
func wordsOf(name string) []string {
	var spaced strings.Builder
	wasLower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && wasLower:
			spaced.WriteByte(' ')
		}
		wasLower = unicode.IsLower(r)
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(spaced.String())
}

// secretShape matches secrets by their form, or by a name next to them. Looking for it costs much
// more than for a character that it has.
type secretShape struct {
	has   string // one of these
	shape *regexp.Regexp
}

var secretShapes = sync.OnceValue(func() []secretShape {
	return []secretShape{
		// A JWT begins with the Base64 of "{" and a quote, a space or a line break.
		{".", regexp.MustCompile(`e(?:yJ|yA|wo|w0K)[\w-]{6,}\.\.?[\w-]{4,}`)},
		{" \t\r\n\f", regexp.MustCompile(`(?i:\b(?:bearer|basic|apikey)\s+[\w+/.~=-]{16,})`)},
		// In a query, a form, a cookie, a connection string, an attribute.
		{"=", regexp.MustCompile(`(?i:(?:` + secretWordPattern + `|\b(?:sig|code|sid|key))[\w-]*\s*=\s*["']?[^&\s"';])`)},
		// In JSON or what looks like it.
		{`"'`, regexp.MustCompile(`(?i:(?:` + secretWordPattern + `)[\w-]*\\*["']\s*:)`)},
		// In a URL: a user's password, a cookieless session of ASP.NET.
		{"@", regexp.MustCompile(`://[^/\s:@"']*:[^/\s@"']+@`)},
		{"(", regexp.MustCompile(`/\((?i:[afsx]\([\w-]{6,}\))+\)`)},
	}
})

var markup = regexp.MustCompile(`<[A-Za-z/!?]`)

// looksSecret reports whether a text has the form of a secret, or may contain one in its
// markup.
func looksSecret(text string) bool {
	for _, s := range secretShapes() {
		if strings.ContainsAny(text, s.has) && s.shape.MatchString(text) {
			return true
		}
	}
	return markup.MatchString(text) && secretWord().MatchString(strings.ToLower(text))
}

// mask replaces a secret.
const mask = secret.Mask
