// Package redact takes the secrets out of what is kept and shown of the traffic with the
// service: requests, heads of answers, and bodies. There is one policy:
//
//   - What may be seen of a request and of a head is listed by name; every other value
//     is hidden.
//   - An answer to a request that carried a password or a token keeps its shape and
//     loses every value that is not listed. Of any other, all is shown but the values
//     whose name or shape speaks of a secret.
//   - A secret that was sent, or that stands under such a name, is hidden wherever
//     else it stands in the same exchange.
//
// What is hidden is [secret.Mask] everywhere. Records that a person has asked for are
// never passed through here: they are the person's own.
package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gatehouse/internal/secret"
)

// What may be seen, by name. The members are those of a token answer (interface section
// 2.1), of a refusal (RFC 6749 section 5.2) and of a login result (2.4).
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
	publicFields  = []string{"grant_type", "username", "scope", "client_id"} // of a form, interface section 4.1
	publicMembers = []string{
		"expires_in", "token_type", "scope", "error", "error_description", "error_uri", "Message",
		"DomainId", "Url", "DomainName", "ResellerId", "DataSetup", "Wipe", "ErrorCode", "Validated", "DeviceId", "NotificationType",
	}
)

// secretWords are in the names of secrets, in lower case. A service has names of its
// own, so there is no list of all that are harmless.
const secretWords = `password|passwd|pwd|passphrase|secret|token|api[_-]?key|confirmkey|privatekey|` +
	`credential|authorization|cookie|jwt|signature|session[_-]?id|authticket|viewstate|assertion`

var (
	secretWord = regexp.MustCompile(secretWords)

	// secretNames are too short to be looked for inside of others.
	secretNames = []string{"pin", "otp", "sid", "sas", "sig", "auth", "pass", "session"}

	// A name that begins or ends with one of these words tells something about a secret
	// and is not the name of one: "MustChangePassword", "token_type".
	aboutFirst = []string{"must", "has", "is", "can", "needs", "requires"}
	aboutLast  = []string{"type", "expires", "expiry", "expired", "changed", "policy", "length", "required", "count"}
)

// IsSecretName reports whether what has this name is taken for a secret, whatever holds
// it and however its words are written: "UserDomainToken", "X-Api-Key", "password_hash".
// Every kind of key counts.
func IsSecretName(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 || len(words) > 1 && (slices.Contains(aboutFirst, words[0]) || slices.Contains(aboutLast, words[len(words)-1])) {
		return false
	}
	joined := strings.Join(words, "")
	return strings.HasSuffix(strings.TrimRight(joined, "0123456789"), "key") ||
		slices.Contains(secretNames, joined) || secretWord.MatchString(joined)
}

// wordsOf are the words of a name in lower case: those that other characters than
// letters and digits separate, and those that begin with a capital letter.
func wordsOf(name string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	wasLower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			wasLower = false
			continue
		case unicode.IsUpper(r) && wasLower:
			end()
		}
		wasLower = unicode.IsLower(r)
		word.WriteRune(unicode.ToLower(r))
	}
	end()
	return words
}

// speaksOfSecrets reports whether there is a word for a secret in a text.
func speaksOfSecrets(text string) bool { return secretWord.MatchString(strings.ToLower(text)) }

// secretShape finds what is secret by its shape, or by a name beside it.
var secretShape = regexp.MustCompile(
	// A JWT begins with the Base64 of "{", the quote, a blank or a line break.
	`e(?:yJ|yA|wo|w0K)[\w-]{6,}\.\.?[\w-]{4,}` +
		`|(?i:\b(?:bearer|basic|apikey)\s+[\w+/.~=-]{16,})` +
		// In a query, a form, a cookie, a connection string, an attribute.
		`|(?i:(?:` + secretWords + `|\b(?:sig|code|sid|key))[\w-]*\s*=\s*["']?[^&\s"';])` +
		// In JSON or what looks like it.
		`|(?i:(?:` + secretWords + `)[\w-]*\\*["']\s*:)` +
		// In an address: a user's password, a session of ASP.NET without cookies.
		`|://[^/\s:@"']*:[^/\s@"']+@` +
		`|/\((?i:[afsx]\([\w-]{6,}\))+\)`)

var markup = regexp.MustCompile(`<[A-Za-z/!?]`)

// looksSecret reports whether a text has the shape of a secret, or may hold one in its
// markup.
func looksSecret(text string) bool {
	// Each shape has one of these, and most texts have none.
	if !strings.ContainsAny(text, ".=:(<") && !strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	return secretShape.MatchString(text) || markup.MatchString(text) && speaksOfSecrets(text)
}

// mask is what stands in the place of a secret.
const mask = secret.Mask
