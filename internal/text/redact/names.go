package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The names of values that may be shown.
var (
	// publicHeaders are in canonical form.
	publicHeaders = []string{
		"Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Allow",
		"Cache-Control", "Connection", "Content-Disposition", "Content-Encoding",
		"Content-Language", "Content-Length", "Content-Type", "Date", "Expires", "Keep-Alive",
		"Last-Modified", "Pragma", "Retry-After", "Server", "Strict-Transport-Security",
		"Transfer-Encoding", "User-Agent", "Vary", "Www-Authenticate", "X-Content-Type-Options",
		"X-Frame-Options", "X-Powered-By", "X-Correlation-Id", "X-Request-Id",
	}

	// publicParameters are those of a query (interface sections 4.4 and 4.5).
	publicParameters = []string{
		"useremail", "devicename", "deviceid", "devicetype", "deviceip", "devicegeo",
		"devicelat", "devicelon", "domain", "resellerid",
	}

	// publicFields are those of a form (interface section 4.1).
	publicFields = []string{"grant_type", "username", "scope", "client_id"}

	// publicMembers are those of a token answer (interface section 2.1), of refusals (RFC 6749
	// section 5.2, RFC 9457) and of a login result (2.4).
	publicMembers = []string{
		"expires_in", "token_type", "scope",
		"error", "error_description", "error_uri",
		"Message", "message", "title", "status", "detail", "code",
		"DomainId", "Url", "DomainName", "ResellerId", "DataSetup",
		"Wipe", "ErrorCode", "Validated", "DeviceId", "NotificationType",
	}
)

// secretParameters are the names of secrets in a query or a form that the program sends.
var secretParameters = []string{"password", "password2", "Ad", "client_secret", "refresh_token"}

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
	aboutLast  = []string{
		"type", "expires", "expiry", "expired", "changed", "policy", "length", "required", "count",
	}

	// harmlessKey ends the name of a key that opens nothing, and "monkey".
	harmlessKey = regexp.MustCompile(
		`(?:\b(?:primary|foreign|public|sort|partition|row) ?|\bmon)key\d*$`)
)

// maxNameBytes is in bytes, and far beyond what a service calls a member.
const maxNameBytes = 1000

// IsSecretName reports whether a value with this name counts as a secret, in any
// spelling: "UserDomainToken", "X-Api-Key", "password_hash". Names that end in "key" do, as
// most keys of a service open something. So does a name that is longer than any: it is a text, and
// to look for words in it takes long.
func IsSecretName(name string) bool {
	if len(name) > maxNameBytes {
		return true
	}
	words := wordsOf(name)
	if len(words) == 0 || isAboutSecret(words) {
		return false
	}
	joined := strings.TrimRight(strings.Join(words, ""), "0123456789")
	isKey := strings.HasSuffix(joined, "key")
	opens := isKey && !harmlessKey.MatchString(strings.Join(words, " "))
	return opens || slices.Contains(secretNames, joined) || containsAny(joined, bareSecretWords)
}

// isAboutSecret reports whether a name of these words says something about a secret.
func isAboutSecret(words []string) bool {
	return slices.Contains(aboutFirst, words[0]) ||
		slices.Contains(aboutLast, words[len(words)-1])
}

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
