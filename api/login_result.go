package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"gatehouse/internal/redact"
	"gatehouse/internal/secret"
)

// LoginResult is the answer of login2.aspx (interface section 2.4). A field that is
// absent, null or of an unexpected type is empty here; Raw has all fields. Whatever
// repeats a secret of the request is "•••" everywhere in it. It prints and encodes as
// [LoginResult.Masked].
type LoginResult struct {
	PrimaryUserDomain *PrimaryUserDomain // may be nil
	Wipe              bool               // the service wants the device wiped
	ErrorCode         string             // see [LoginResult.Explain]
	Validated         json.Number        // meaning not shown
	UserDomains       []json.RawMessage  // unchanged
	DeviceID          string             // hex digits, to be sent as DeviceID next time
	ConfirmKey        secret.Text
	UserNotification  *UserNotification // may be nil
	Raw               json.RawMessage   // the whole body, unchanged except for "•••" and a byte order mark
}

// PrimaryUserDomain is the domain of a device login.
type PrimaryUserDomain struct {
	Domain          Domain
	UserDomainToken secret.Text
}

// Domain is a domain as a device login describes it.
type Domain struct {
	DomainID   string // GUID
	URL        string
	DomainName string
	ResellerID string      // GUID
	DataSetup  json.Number // meaning not shown
}

// UserNotification is something the service wants to tell the user.
type UserNotification struct {
	NotificationType json.Number // meaning not shown
	URL              string      // may be empty
}

// loginResult parses the answer of login2.aspx; sent are the secrets of the request.
func (c call) loginResult(header http.Header, body []byte, sent *redact.Secrets) (*LoginResult, error) {
	raw := sent.Repeated(withoutBOM(body))
	result, ok := decodeLoginResult(raw)
	switch {
	case ok:
		return result, nil
	case len(raw) == 0:
		return nil, c.unexpected(header, emptyAnswer)
	case isHTML(header, raw):
		return nil, c.unexpected(header, htmlForJSON)
	case json.Valid(raw):
		return nil, c.unexpected(header, "JSON that is not an object")
	}
	return nil, c.unexpected(header, "something that is not JSON")
}

func decodeLoginResult(raw []byte) (*LoginResult, bool) {
	f := objectFields(raw)
	if f == nil {
		return nil, false
	}
	return &LoginResult{
		PrimaryUserDomain: f.primaryUserDomain(),
		Wipe:              f.flag("Wipe"),
		ErrorCode:         f.text("ErrorCode"),
		Validated:         f.number("Validated"),
		UserDomains:       f.list("UserDomains"),
		DeviceID:          f.text("DeviceId"),
		ConfirmKey:        secret.New(f.text("ConfirmKey")),
		UserNotification:  f.userNotification(),
		Raw:               raw,
	}, true
}

func (f fields) primaryUserDomain() *PrimaryUserDomain {
	primary := objectFields(f.raw("PrimaryUserDomain"))
	if primary == nil {
		return nil
	}
	domain := objectFields(primary.raw("Domain"))
	return &PrimaryUserDomain{
		Domain: Domain{
			DomainID:   domain.text("DomainId"),
			URL:        domain.text("Url"),
			DomainName: domain.text("DomainName"),
			ResellerID: domain.text("ResellerId"),
			DataSetup:  domain.number("DataSetup"),
		},
		UserDomainToken: secret.New(primary.text("UserDomainToken")),
	}
}

func (f fields) userNotification() *UserNotification {
	n := objectFields(f.raw("UserNotification"))
	if n == nil {
		return nil
	}
	return &UserNotification{NotificationType: n.number("NotificationType"), URL: n.text("Url")}
}

// Masked returns Raw in which UserDomainToken, ConfirmKey and all other values with a
// secret name, at any depth, and whatever repeats one of them, are replaced by "•••"; see
// [redact.Result]. It is nil if Raw is not JSON.
func (r LoginResult) Masked() []byte { return redact.Result(r.Raw) }

// Sealed returns the result without its tokens: in Raw and in all fields the secrets are
// "•••", as in [LoginResult.Masked]; tokens that are empty stay empty.
func (r LoginResult) Sealed() *LoginResult {
	sealed, ok := decodeLoginResult(r.Masked())
	if !ok {
		return &LoginResult{}
	}
	if r.ConfirmKey.IsEmpty() {
		sealed.ConfirmKey = secret.Text{}
	}
	if p := r.PrimaryUserDomain; p != nil && p.UserDomainToken.IsEmpty() && sealed.PrimaryUserDomain != nil {
		sealed.PrimaryUserDomain.UserDomainToken = secret.Text{}
	}
	return sealed
}

// String implements [fmt.Stringer]: no verb prints a token.
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

// fields are the members of a JSON object, parsed leniently: a member of another type
// than requested is empty. nil is no object.
type fields map[string]json.RawMessage

// objectFields returns nil if raw is not an object.
func objectFields(raw []byte) fields {
	var f fields
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

// raw is a member unchanged, nil if it is absent or null.
func (f fields) raw(name string) json.RawMessage {
	if string(f[name]) == "null" {
		return nil
	}
	return f[name]
}

// anyCase is a member unchanged, whatever the letter case of its name; nil if it is
// absent.
func (f fields) anyCase(name string) json.RawMessage {
	if value, ok := f[name]; ok {
		return value
	}
	for _, other := range slices.Sorted(maps.Keys(f)) {
		if strings.EqualFold(other, name) {
			return f[other]
		}
	}
	return nil
}

// text is a string, or the JSON text of a number or boolean.
func (f fields) text(name string) string {
	value := f.raw(name)
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '{', '[':
		return ""
	case '"':
		var s string
		_ = json.Unmarshal(value, &s) // the object is valid, so this is too
		return s
	}
	return string(value)
}

// number is a number exactly as written, quoted or not.
func (f fields) number(name string) json.Number {
	var n json.Number // accepts both
	if json.Unmarshal(f[name], &n) != nil {
		return ""
	}
	return n
}

// flag is true for true and 1, quoted or not, in any letter case.
func (f fields) flag(name string) bool {
	text := f.text(name)
	return strings.EqualFold(text, "true") || text == "1"
}

func (f fields) list(name string) []json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(f[name], &items) != nil {
		return nil
	}
	return items
}
