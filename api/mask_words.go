package api

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// secretWords are in the names of what is secret, in lower case. A service has
// names of its own, so there is no list of all that are harmless.
const secretWords = `password|passwd|pwd|passphrase|secret|token|api[_-]?key|confirmkey|privatekey|` +
	`credential|authorization|cookie|jwt|signature|session[_-]?id|authticket|viewstate|assertion`

var (
	secretWord = regexp.MustCompile(secretWords)

	// secretNames are too short to be looked for inside of others.
	secretNames = []string{"pin", "otp", "sid", "sas", "sig", "auth", "pass", "session"}
)

// speaksOfSecrets reports whether there is a word for a secret in a text.
func speaksOfSecrets(text string) bool { return secretWord.MatchString(strings.ToLower(text)) }

// soundsSecret reports whether a name speaks of a secret, in any spelling of its
// words: "accessToken", "X-Api-Key". All kinds of keys count.
func soundsSecret(name string) bool {
	name = letters(name)
	switch {
	case name == "tokentype":
		return false
	case strings.HasSuffix(strings.TrimRight(name, "0123456789"), "key"), slices.Contains(secretNames, name):
		return true
	}
	return secretWord.MatchString(name)
}

// letters is a name without its letter case and what separates its words.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

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

// looksSecret reports whether a text has the shape of a secret, or may hold one
// in its markup.
func looksSecret(text string) bool {
	// Each shape has one of these, and most texts have none.
	if !strings.ContainsAny(text, ".=:(<") && !strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	return secretShape.MatchString(text) || markup.MatchString(text) && speaksOfSecrets(text)
}
