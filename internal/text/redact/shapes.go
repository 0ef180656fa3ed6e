package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// secretShape is what secrets look like, by their form or by a name next to them.
type secretShape struct {
	// has are parts of which each such text has one, and minLength is its minimum length in bytes.
	// To look for them costs much less than to look for the shape, and each value that is shown of
	// an exchange is looked at.
	has       []string
	minLength int
	shape     *regexp.Regexp
}

// isIn reports whether a text has the shape.
func (s secretShape) isIn(text string) bool {
	isPart := func(part string) bool { return strings.Contains(text, part) }
	return len(text) >= s.minLength && slices.ContainsFunc(s.has, isPart) &&
		s.shape.MatchString(text)
}

// secretShapes are compiled when they are needed first: most commands show no traffic.
var secretShapes = sync.OnceValue(func() []secretShape {
	const shortNames = `\b(?:sig|code|sid|key)` // whole words
	assigned := secretWordPattern + `|` + shortNames
	return []secretShape{
		// A JWT begins with the Base64 of "{" and a quote, a space or a line break.
		{
			[]string{"eyJ", "eyA", "ewo", "ew0K"}, len("eyJ123456.1234"),
			regexp.MustCompile(`e(?:yJ|yA|wo|w0K)[\w-]{6,}\.\.?[\w-]{4,}`),
		},
		{
			[]string{" ", "\t", "\r", "\n", "\f"}, len("basic ") + 16,
			regexp.MustCompile(`(?i:\b(?:bearer|basic|apikey)\s+[\w+/.~=-]{16,})`),
		},
		// In a query, a form, a cookie, a connection string, an attribute.
		{
			[]string{"="}, len("sig=1"),
			regexp.MustCompile(`(?i:(?:` + assigned + `)[\w-]*\s*=\s*["']?[^&\s"';])`),
		},
		// In JSON or what looks like it.
		{
			[]string{`"`, `'`}, len(`":`),
			regexp.MustCompile(`(?i:(?:` + secretWordPattern + `)[\w-]*\\*["']\s*:)`),
		},
		// In a URL: a user's password, a cookieless session of ASP.NET.
		{
			[]string{"://"}, len("://:1@"),
			regexp.MustCompile(`://[^/\s:@"']*:[^/\s@"']+@`),
		},
		{
			[]string{"/("}, len("/(s(123456))"),
			regexp.MustCompile(`/\((?i:[afsx]\([\w-]{6,}\))+\)`),
		},
	}
})

// markup matches how an element, an end or a comment of HTML or XML begins.
var markup = regexp.MustCompile(`<[A-Za-z/!?]`)

// looksSecret reports whether a text has the form of a secret, or may contain one in its
// markup.
func looksSecret(text string) bool {
	for _, s := range secretShapes() {
		if s.isIn(text) {
			return true
		}
	}
	return strings.Contains(text, "<") && markup.MatchString(text) &&
		secretWord().MatchString(strings.ToLower(text))
}
