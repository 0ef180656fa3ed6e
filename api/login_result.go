package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

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

// loginResult parses the answer of login2.aspx.
func (c call) loginResult(header http.Header, body []byte) (*LoginResult, error) {
	raw := c.secrets.Repeated(withoutBOM(body))
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
	if !json.Valid(raw) {
		return nil, false
	}
	f := gjson.ParseBytes(raw)
	result := &LoginResult{
		Wipe:       flagOf(f.Get("Wipe")),
		ErrorCode:  textOf(f.Get("ErrorCode")),
		Validated:  numberOf(f.Get("Validated")),
		DeviceID:   textOf(f.Get("DeviceId")),
		ConfirmKey: secret.New(textOf(f.Get("ConfirmKey"))),
		Raw:        raw,
	}
	if domains := f.Get("UserDomains"); domains.IsArray() {
		result.UserDomains = []json.RawMessage{}
		for _, item := range domains.Array() {
			result.UserDomains = append(result.UserDomains, json.RawMessage(item.Raw))
		}
	}
	if p := f.Get("PrimaryUserDomain"); p.IsObject() {
		d := p.Get("Domain")
		result.PrimaryUserDomain = &PrimaryUserDomain{
			Domain: Domain{
				DomainID: textOf(d.Get("DomainId")), URL: textOf(d.Get("Url")), DomainName: textOf(d.Get("DomainName")),
				ResellerID: textOf(d.Get("ResellerId")), DataSetup: numberOf(d.Get("DataSetup")),
			},
			UserDomainToken: secret.New(textOf(p.Get("UserDomainToken"))),
		}
	}
	if n := f.Get("UserNotification"); n.IsObject() {
		result.UserNotification = &UserNotification{NotificationType: numberOf(n.Get("NotificationType")), URL: textOf(n.Get("Url"))}
	}
	return result, f.IsObject()
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

func (r LoginResult) GoString() string { return r.String() }

func (r LoginResult) MarshalJSON() ([]byte, error) {
	if masked := r.Masked(); masked != nil {
		return masked, nil
	}
	return []byte("null"), nil
}

// textOf is a string, or the JSON text of a number or boolean.
func textOf(value gjson.Result) string {
	switch value.Type {
	case gjson.String:
		return value.Str
	case gjson.Number, gjson.True, gjson.False:
		return value.Raw
	}
	return ""
}

// numberOf is a number exactly as written, quoted or not.
func numberOf(value gjson.Result) json.Number {
	var n json.Number // accepts both
	if json.Unmarshal([]byte(value.Raw), &n) != nil {
		return ""
	}
	return n
}

// flagOf is true for true and 1, quoted or not, in any letter case.
func flagOf(value gjson.Result) bool {
	text := textOf(value)
	return strings.EqualFold(text, "true") || text == "1"
}
