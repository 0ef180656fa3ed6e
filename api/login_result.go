package api

import (
	"encoding/json"
	"net/http"

	"gatehouse/internal/secret"
)

// LoginResult is the answer of login2.aspx (interface section 2.4). A field that
// is absent, null or of an unexpected kind is empty here; Raw has them all. What
// repeats a secret of the request is "•••" in all of it, under whatever name it
// stands. It prints and encodes as [LoginResult.Masked].
type LoginResult struct {
	PrimaryUserDomain *PrimaryUserDomain // nil when there is none
	Wipe              bool               // the service wants the device wiped
	ErrorCode         string             // see [ExplainCode]
	Validated         json.Number        // meaning not shown
	User, Reseller    json.RawMessage    // objects of fields not shown, as they came
	UserDomains       []json.RawMessage  // the user's domains, as they came
	DeviceID          string             // hex digits, to be sent as DeviceID next time
	ConfirmKey        secret.Text
	UserNotification  *UserNotification // nil when there is none
	Raw               json.RawMessage   // the whole body, byte for byte but for those "•••" and a byte order mark
}

// PrimaryUserDomain is the domain a device login ended up in.
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

// UserNotification is something the service wants the user told.
type UserNotification struct {
	NotificationType json.Number // meaning not shown
	URL              string      // may be empty
}

// loginResult reads the answer of login2.aspx to a request with secrets.
func (c call) loginResult(header http.Header, body []byte, secrets []string) (*LoginResult, error) {
	raw := newRepeated(secrets).mask(withoutBOM(body))
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
		User:              f.raw("User"),
		Reseller:          f.raw("Reseller"),
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
