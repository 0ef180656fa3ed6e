package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/safetext"
)

var authorityTitles = map[string]string{
	config.AuthorityMain:   "main authority",
	config.AuthorityDomain: "the domain's own authority",
	config.AuthorityTest:   "development authority",
}

// AuthorityTitle is the name of an authority for a person who chooses one.
func AuthorityTitle(authority string) string { return cmp.Or(authorityTitles[authority], authority) }

// LookedUp says what the look-up of the primary domain before signing in has found, so that
// a person sees where the password will go. The text is not yet safe for a terminal.
func LookedUp(domain string, err error) string {
	if _, unknown := errors.AsType[*api.NoDomainError](err); unknown {
		return "No primary domain was found for this address. Is it spelled correctly?"
	}
	if err != nil {
		return "The primary domain could not be looked up; signing in may still work."
	}
	return "Primary domain: " + hostname.Readable(domain)
}

// Notes are sentences about what the program leaves out of the claims, or has to choose among them.
func (c Claims) Notes() (notes []string) {
	if c.Unread > 0 {
		const text = "Only the first %s of the %s other domains in the access token were read."
		read, all := human.Number(MaxDomains), human.Number(MaxDomains+c.Unread)
		notes = append(notes, fmt.Sprintf(text, read, all))
	}
	if len(c.Rejected) > 0 {
		const text = "The access token names as a domain what cannot be read as one: "
		notes = append(notes, text+quotedList(c.Rejected)+".")
	}
	for _, name := range c.Ambiguous {
		const text = "The access token has the claim %s twice, with different values. The last one counts."
		notes = append(notes, fmt.Sprintf(text, name))
	}
	return notes
}

// quotedList are values from outside in quotes, the first few of them, safe for a terminal.
func quotedList(values []string) string {
	const maxValues, maxWidth = 3, 80
	var quoted []string
	for _, value := range values[:min(len(values), maxValues)] {
		quoted = append(quoted, `"`+safetext.Clip(redact.OneLine(value, maxWidth), maxWidth)+`"`)
	}
	if more := len(values) - len(quoted); more > 0 {
		quoted = append(quoted, human.Number(more)+" more")
	}
	return human.List(quoted)
}

// Tip is an account to try in a demo, and what it shows.
type Tip struct {
	Account, Shows string
	// Unlisted is set for one that is not offered. Its name completes to its address all the
	// same.
	Unlisted bool
}

// Name is the account's part before the at sign.
func (t Tip) Name() string {
	name, _, _ := strings.Cut(t.Account, "@")
	return name
}

// Complete turns what was typed into the address of an account: "ada", the name of one of the tips,
// or "Ada <ada@harbor.example>" (see [hostname.CleanEmail]). Anything else, such as several
// addresses, stays as it is.
func Complete(typed string, tips []Tip) string {
	name := strings.TrimSpace(typed)
	isNamed := func(t Tip) bool { return strings.EqualFold(name, t.Name()) }
	if i := slices.IndexFunc(tips, isNamed); i >= 0 {
		return tips[i].Account
	}
	if email, err := hostname.ParseEmail(typed); err == nil {
		return email
	}
	return typed
}

// Key is what a kept session is bound to: the key that the connection was opened with, or
// the certificate.
type Key struct {
	Fingerprint string // SHA256:...
	// KeyID and Authority, the fingerprint of the authority's key, come from a
	// certificate. They come from outside.
	KeyID, Authority string
}

// Kind is "key" or "certificate".
func (k Key) Kind() string {
	if k.KeyID != "" {
		return "certificate"
	}
	return "key"
}

// Name is the key as people know it, safe for a terminal.
func (k Key) Name() string {
	const maxWidth = 60 // of each part
	if k.KeyID == "" {
		return safetext.Clip(k.Fingerprint, maxWidth)
	}
	return safetext.Clip(k.KeyID, maxWidth) + ", certified by " + safetext.Clip(k.Authority, maxWidth)
}
