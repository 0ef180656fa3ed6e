package api

import (
	"slices"

	"github.com/tidwall/gjson"

	"gatehouse/internal/secret"
)

// Masked returns Raw with the values of UserDomainToken, ConfirmKey and all else
// that is secret by [IsSecretName] replaced by "•••", at any depth; null stays
// null and every other byte stays what it is. It is nil when Raw is not JSON.
func (r LoginResult) Masked() []byte {
	raw := string(r.Raw)
	if !gjson.Valid(raw) {
		return nil
	}
	var masked []byte
	done := 0
	for _, value := range secretValues(gjson.Parse(raw), nil) {
		masked = append(masked, raw[done:value.Index]...)
		masked = append(masked, `"`+secret.Mask+`"`...)
		done = value.Index + len(value.Raw)
	}
	return append(masked, raw[done:]...)
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

// secretValues appends the secret values inside v in the order they stand there.
func secretValues(v gjson.Result, found []gjson.Result) []gjson.Result {
	if !v.IsObject() && !v.IsArray() {
		return found
	}
	v.ForEach(func(key, value gjson.Result) bool {
		if v.IsObject() && IsSecretName(key.Str) {
			if value.Type != gjson.Null {
				found = append(found, value)
			}
		} else {
			found = secretValues(value, found)
		}
		return true
	})
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
