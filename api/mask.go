package api

import (
	"encoding/json"
	"slices"
)

// Masked returns Raw with the values of UserDomainToken, ConfirmKey and all else
// that is secret by [IsSecretName] replaced by "•••", at any depth; null stays
// null and every other byte stays what it is. It is nil when Raw is not JSON.
func (r LoginResult) Masked() []byte {
	if !json.Valid(r.Raw) {
		return nil
	}
	text := string(r.Raw)
	return maskSpans(text, secretValues(text))
}

// Sealed returns the result as it can be kept: in Raw and in all fields, the
// secrets are "•••" as in [LoginResult.Masked]. The tokens are not in it.
func (r LoginResult) Sealed() *LoginResult {
	sealed, ok := decodeLoginResult(r.Masked())
	if !ok {
		return &LoginResult{}
	}
	return sealed
}

// secretValues are the secret values in a JSON text.
func secretValues(text string) []span {
	var found []span
	done := 0
	for scalar := range scalars(text) {
		at, isName := valueOf(text, scalar)
		if !isName || scalar.at < done || text[at] == 'n' || !IsSecretName(decoded(text, scalar)) {
			continue
		}
		done = valueEnd(text, at)
		found = append(found, span{at, done})
	}
	return found
}

// secretMembers are those of interface section 2.4, and what all other secrets of
// the interface are called: the records in a login result are not shown there, and
// could hold them. In letters alone.
var secretMembers = []string{
	"userdomaintoken", "confirmkey", "password", "password2", "accesstoken", "refreshtoken", "idtoken", "clientsecret",
	"apikey", "resellerkey", "companykey",
}

// IsSecretName reports whether a member of a login result of this name holds a
// secret, wherever it stands and however its words are written.
func IsSecretName(name string) bool { return slices.Contains(secretMembers, letters(name)) }

// String implements [fmt.Stringer]; no way of printing a result shows a token.
func (r LoginResult) String() string { return string(r.Masked()) }

// GoString implements [fmt.GoStringer].
func (r LoginResult) GoString() string { return r.String() }

// MarshalJSON implements [encoding/json.Marshaler].
func (r LoginResult) MarshalJSON() ([]byte, error) {
	if masked := r.Masked(); masked != nil {
		return masked, nil
	}
	return []byte("null"), nil
}
