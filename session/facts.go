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

// AuthorityTitle returns the title of an authority (main, domain or test) for a person who chooses
// one.
func AuthorityTitle(authority string) string {
	return cmp.Or(authorityTitles[authority], authority)
}

// LookedUp describes the result of the look-up that precedes a sign-in, so that people see where
// their password will go. The text must be made safe before it is shown on a terminal.
func LookedUp(domain string, err error) string {
	if _, unknown := errors.AsType[*api.NoDomainError](err); unknown {
		return "No primary domain was found for this address. Is it spelled correctly?"
	}
	if err != nil {
		return "The primary domain could not be looked up; signing in may still work."
	}
	return "Primary domain: " + hostname.Readable(domain)
}

// Notes returns sentences about claims that were not read, or read only in part. There are none
// if every claim was clear.
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
		notes = append(notes, fmt.Sprintf("The access token has the claim %s twice,"+
			" with different values. The last one counts.", name))
	}
	return notes
}

// quotedList lists the first few of some untrusted values in quotes, safe for a terminal.
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

// Tip suggests an account of the demo.
type Tip struct {
	Account  string // its e-mail address
	Shows    string // the situation that it shows
	Unlisted bool   // it is not offered, but its name is completed like any other
}

// Name returns the part of the address before the at sign.
func (t Tip) Name() string {
	name, _, _ := strings.Cut(t.Account, "@")
	return name
}

// Complete turns what a person typed into the address of an account: "ada", the name of one of the
// tips, or "Ada <ada@harbor.example>" (see [hostname.ParseEmail]). Anything else, such as several
// addresses, is returned as it is.
func Complete(typed string, tips []Tip) string {
	name := strings.TrimSpace(typed)
	hasName := func(t Tip) bool { return strings.EqualFold(name, t.Name()) }
	if i := slices.IndexFunc(tips, hasName); i >= 0 {
		return tips[i].Account
	}
	if email, err := hostname.ParseEmail(typed); err == nil {
		return email
	}
	return typed
}

// Key is the SSH key or certificate of a connection to a server. A session that a visitor saves
// there is bound to it.
type Key struct {
	Fingerprint string // SHA256:...
	// KeyID and Authority are what a certificate says: its id, and the fingerprint of the key
	// that signed it. They are not safe for a terminal, and empty for a plain key.
	KeyID, Authority string
}

// Kind returns "key" or "certificate".
func (k Key) Kind() string {
	if k.KeyID != "" {
		return "certificate"
	}
	return "key"
}

// Name returns the name that people know the key by, safe for a terminal.
func (k Key) Name() string {
	const maxWidth = 60 // of each part
	if k.KeyID == "" {
		return safetext.Clip(k.Fingerprint, maxWidth)
	}
	id, authority := safetext.Clip(k.KeyID, maxWidth), safetext.Clip(k.Authority, maxWidth)
	return id + ", certified by " + authority
}
