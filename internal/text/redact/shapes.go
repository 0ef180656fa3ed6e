package redact

import (
	"regexp"
	"strings"
	"sync"
)

// secretShape is what secrets look like, by their form or by a name next to them.
type secretShape struct {
	// has are characters of which each such text has one. To look for them costs much less than to
	// look for the shape.
	has   string
	shape *regexp.Regexp
}

// secretShapes are compiled when they are needed first: most commands show no traffic.
var secretShapes = sync.OnceValue(func() []secretShape {
	const shortNames = `\b(?:sig|code|sid|key)` // whole words
	assigned := secretWordPattern + `|` + shortNames
	return []secretShape{
		// A JWT begins with the Base64 of "{" and a quote, a space or a line break.
		{".", regexp.MustCompile(`e(?:yJ|yA|wo|w0K)[\w-]{6,}\.\.?[\w-]{4,}`)},
		{" \t\r\n\f", regexp.MustCompile(`(?i:\b(?:bearer|basic|apikey)\s+[\w+/.~=-]{16,})`)},
		// In a query, a form, a cookie, a connection string, an attribute.
		{"=", regexp.MustCompile(`(?i:(?:` + assigned + `)[\w-]*\s*=\s*["']?[^&\s"';])`)},
		// In JSON or what looks like it.
		{`"'`, regexp.MustCompile(`(?i:(?:` + secretWordPattern + `)[\w-]*\\*["']\s*:)`)},
		// In a URL: a user's password, a cookieless session of ASP.NET.
		{"@", regexp.MustCompile(`://[^/\s:@"']*:[^/\s@"']+@`)},
		{"(", regexp.MustCompile(`/\((?i:[afsx]\([\w-]{6,}\))+\)`)},
	}
})

// markup matches how an element, an end or a comment of HTML or XML begins.
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
