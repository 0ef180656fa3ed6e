package signin

import (
	"errors"
	"strings"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/hostname"
)

// AuthorityTitle names an authority, as one who chooses among them reads it.
func AuthorityTitle(authority string) string {
	switch authority {
	case config.AuthorityMain:
		return "main authority"
	case config.AuthorityDomain:
		return "the domain's own authority"
	case config.AuthorityTest:
		return "development authority"
	}
	return authority
}

// foundLabel stands before the primary domain that a look-up has found.
const foundLabel = "Primary domain: "

// LookedUp says what a look-up of the primary domain before signing in has found:
// a person sees where the password will go. Unknown is true where the service knows
// no domain for the address. The domain is not safe on a terminal.
func LookedUp(domain string, err error) (text string, unknown bool) {
	if _, unknown := errors.AsType[*api.NoDomainError](err); unknown {
		return "No primary domain is known for this address. Is it spelt right?", true
	}
	if err != nil {
		return "The primary domain could not be looked up; signing in may work all the same.", false
	}
	return foundLabel + hostname.Readable(domain), false
}

// IsWhole tells whether a text can be a whole e-mail address: something, an at
// sign, and a name with a dot that has something behind it.
func IsWhole(email string) bool {
	local, host, ok := strings.Cut(strings.TrimSpace(email), "@")
	dot := strings.LastIndexByte(host, '.')
	return ok && local != "" && dot > 0 && len(host)-dot > 2 && !strings.ContainsAny(host, "@ ")
}
