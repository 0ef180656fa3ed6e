package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"gatehouse/internal/text/redact"
	"gatehouse/internal/text/secret"
)

// loginResultLimit is in bytes, with room for thousands of domains. Masking a MiB takes a second.
const loginResultLimit = 1 << 20

// DeviceLoginRequest holds the parameters of login2.aspx (interface section 4.5).
// Empty ones are not sent.
type DeviceLoginRequest struct {
	DeviceName           string      // devicename: of the device to create; required without DeviceID
	DeviceID             string      // deviceid: of a known device; required without DeviceName
	Email                string      // useremail: required
	Password             secret.Text // password2: required; its UTF-8 bytes are sent in Base64
	PlainPassword        secret.Text // password: sent in clear, for services that need it
	ActiveDirectoryToken secret.Text // Ad
	ResellerID           string      // resellerid
	DeviceIP             string      // deviceip
	DeviceType           string      // devicetype: one of DeviceTypes
	DeviceGeo            string      // devicegeo: location of the device as JSON
	Latitude             string      // devicelat
	Longitude            string      // devicelon
	Domain               string      // domain: the DomainId of the Domain.Config file
}

// DeviceLogin logs in a device (interface section 4.5) and returns the service's answer,
// whatever its code, see [LoginResult.Explain]. The request may create a device, so it is sent
// once and follows no redirect. After an error, [MayHaveActed] says whether the service may have
// acted on it.
//
// Errors: [*RequestError] and [*GateError] (nothing was sent), [*TransportError], [*StatusError],
// [*RedirectError], [*BodyError], [*LimitError].
func (g *Global) DeviceLogin(ctx context.Context, login DeviceLoginRequest) (*LoginResult, error) {
	if err := login.check(); err != nil {
		return nil, err
	}
	u, err := endpoint("global_url", g.URL, "login2.aspx")
	if err != nil {
		return nil, err
	}
	u.RawQuery = login.query().Encode()
	op := "log in the device of " + login.Email
	try := PasswordTry{Use: PasswordDeviceLogin, Account: login.Email}
	return sendingPassword(ctx, g.HTTP, op, try, func() (*LoginResult, error) {
		return g.sendDeviceLogin(ctx, op, u, login)
	}, deviceLoginOutcome)
}

func (g *Global) sendDeviceLogin(
	ctx context.Context, op string, u *url.URL, login DeviceLoginRequest,
) (*LoginResult, error) {
	c := newCall(op, g.HTTP, u)
	typed := []string{
		login.Password.Reveal(),
		password2(login.Password),
		login.PlainPassword.Reveal(),
	}
	c.sends(typed, login.ActiveDirectoryToken.Reveal())
	r := newGet(u)
	r.Header.Set("Accept", "application/json")
	deadline := time.Now().Add(callTimeout)
	ctx, stop := inTime(ctx, callTimeout, errLate)
	defer stop()
	mayHaveLeft := false
	send := func(r *http.Request) (resp *http.Response, err error) {
		resp, mayHaveLeft, err = sendOnce(g.HTTP, c.traced(r), deadline)
		return resp, err
	}
	answer, text, err := c.exchange(ctx, r, send, loginResultLimit)
	switch failed := err.(type) {
	case nil:
		return c.loginResult(answer, text)
	case *StatusError:
		failed.Credential = credentialPassword
	case *TransportError:
		failed.Unsent = !mayHaveLeft
	}
	return nil, err
}

// check returns a [*RequestError] if a parameter is missing or not valid.
func (r DeviceLoginRequest) check() error {
	switch {
	case r.DeviceName == "" && r.DeviceID == "":
		return &RequestError{Field: "devicename", Reason: "is missing, and so is deviceid"}
	case strings.TrimSpace(r.Email) == "":
		return &RequestError{Field: "useremail", Reason: "is missing"}
	case r.Password.IsEmpty():
		return &RequestError{Field: "password2", Reason: "is missing"}
	case r.DeviceType != "" && !slices.Contains(DeviceTypes, r.DeviceType):
		return &RequestError{Field: "devicetype", Reason: fmt.Sprintf("is not one of %v", DeviceTypes)}
	}
	return nil
}

// query returns the parameters that are set, by their names in the interface.
func (r DeviceLoginRequest) query() url.Values {
	query := url.Values{}
	for name, value := range map[string]string{
		"devicename": r.DeviceName,
		"deviceid":   r.DeviceID,
		"useremail":  r.Email,
		"password2":  password2(r.Password),
		"password":   r.PlainPassword.Reveal(),
		"Ad":         r.ActiveDirectoryToken.Reveal(),
		"resellerid": r.ResellerID,
		"deviceip":   r.DeviceIP,
		"devicetype": r.DeviceType,
		"devicegeo":  r.DeviceGeo,
		"devicelat":  r.Latitude,
		"devicelon":  r.Longitude,
		"domain":     r.Domain,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// password2 returns the value of that parameter: the Base64 of the password's UTF-8 bytes.
func password2(password secret.Text) string {
	return base64.StdEncoding.EncodeToString([]byte(password.Reveal()))
}

// DeviceTypes are the device types, spelled and ordered as in interface section 4.5.
var DeviceTypes = []string{
	"Pc", "AndroidPhone", "AndroidTable", "Ipad", "IpadMine", "Iphone",
	"WindowsPhone", "WindowsTablet", "Mac", "Unknown",
}

// LoginResult is the answer of login2.aspx (interface section 2.4). A field that is absent, null or
// of an unexpected type is empty here; Raw has all fields. Every repetition of a secret of the
// request is replaced by "•••". A LoginResult prints and encodes as [LoginResult.Masked].
type LoginResult struct {
	PrimaryUserDomain *PrimaryUserDomain // may be nil
	Wipe              bool               // the service wants the device wiped
	ErrorCode         string             // see [LoginResult.Explain]
	Validated         json.Number        // meaning not shown
	DeviceID          string             // hex digits, to be sent as DeviceID next time
	ConfirmKey        secret.Text
	UserNotification  *UserNotification // may be nil
	// Raw is the whole body, unchanged except for "•••" and a byte order mark. Of an object that came
	// encoded as a JSON string it is the object.
	Raw json.RawMessage
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
func (c *call) loginResult(resp *http.Response, body []byte) (*LoginResult, error) {
	raw := c.secrets.Repeated(unwrapped(withoutBOM(body)))
	result, ok := decodeLoginResult(raw)
	if !ok {
		return nil, c.notExpected(resp, raw, "JSON that is not an object")
	}
	if result.isBlank() {
		if words, omitted := c.said(resp, raw); words != "" || omitted != "" {
			return nil, &EnvelopeError{Op: c.op, Host: c.host, Message: words, Omitted: omitted}
		}
	}
	return result, nil
}

// unwrapped is the object in a JSON string, and any other body as it is: some services encode their
// answer twice.
func unwrapped(body []byte) []byte {
	if len(body) == 0 || body[0] != '"' || !gjson.ValidBytes(body) {
		return body
	}
	if inner := gjson.ParseBytes(body).Str; strings.HasPrefix(inner, "{") && gjson.Valid(inner) {
		return []byte(inner)
	}
	return body
}

// isBlank reports whether an object has no field of a login result.
func (r *LoginResult) isBlank() bool {
	return r.ErrorCode == "" &&
		r.DeviceID == "" &&
		r.PrimaryUserDomain == nil &&
		r.Validated == "" &&
		!r.Wipe
}

// decodeLoginResult decodes a body; ok is false if it is not a JSON object.
func decodeLoginResult(raw []byte) (result *LoginResult, ok bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	f := gjson.ParseBytes(raw)
	wipe := textOf(f.Get("Wipe"))
	result = &LoginResult{
		Wipe:       strings.EqualFold(wipe, "true") || wipe == "1", // quoted or not
		ErrorCode:  textOf(f.Get("ErrorCode")),
		Validated:  numberOf(f.Get("Validated")),
		DeviceID:   textOf(f.Get("DeviceId")),
		ConfirmKey: secret.New(textOf(f.Get("ConfirmKey"))),
		Raw:        raw,
	}
	if p := f.Get("PrimaryUserDomain"); p.IsObject() {
		d := p.Get("Domain")
		result.PrimaryUserDomain = &PrimaryUserDomain{
			Domain: Domain{
				DomainID:   textOf(d.Get("DomainId")),
				URL:        textOf(d.Get("Url")),
				DomainName: textOf(d.Get("DomainName")),
				ResellerID: textOf(d.Get("ResellerId")),
				DataSetup:  numberOf(d.Get("DataSetup")),
			},
			UserDomainToken: secret.New(textOf(p.Get("UserDomainToken"))),
		}
	}
	if n := f.Get("UserNotification"); n.IsObject() {
		result.UserNotification = &UserNotification{
			NotificationType: numberOf(n.Get("NotificationType")),
			URL:              textOf(n.Get("Url")),
		}
	}
	return result, f.IsObject()
}

// Masked returns Raw with "•••" in place of UserDomainToken, ConfirmKey and every other value with a
// secret name, at any depth, and wherever one of these values is repeated; see [redact.Result]. It
// is nil if Raw is not JSON.
func (r LoginResult) Masked() []byte { return redact.Result(r.Raw) }

// Sealed returns the result without its tokens: in Raw and in all fields the secrets are "•••", as
// in [LoginResult.Masked]. A token that is empty stays empty.
func (r LoginResult) Sealed() *LoginResult {
	sealed, ok := decodeLoginResult(r.Masked())
	if !ok {
		return &LoginResult{}
	}
	if r.ConfirmKey.IsEmpty() {
		sealed.ConfirmKey = secret.Text{}
	}
	domain := r.PrimaryUserDomain
	hasNoToken := domain != nil && domain.UserDomainToken.IsEmpty()
	if hasNoToken && sealed.PrimaryUserDomain != nil {
		sealed.PrimaryUserDomain.UserDomainToken = secret.Text{}
	}
	return sealed
}

// String implements [fmt.Stringer]: no verb prints a token.
func (r LoginResult) String() string { return string(r.Masked()) }

// GoString implements [fmt.GoStringer]: %#v prints no token either.
func (r LoginResult) GoString() string { return r.String() }

// MarshalJSON encodes a result as [LoginResult.Masked], or as null if that is nil.
func (r LoginResult) MarshalJSON() ([]byte, error) {
	if masked := r.Masked(); masked != nil {
		return masked, nil
	}
	return []byte("null"), nil
}

// textOf returns a string, the JSON text of a number or boolean, or "" for anything else.
func textOf(value gjson.Result) string {
	switch value.Type {
	case gjson.String:
		return value.Str
	case gjson.Number, gjson.True, gjson.False:
		return value.Raw
	}
	return ""
}

// numberOf returns a number exactly as it was written, quoted or not, or "" for anything else.
func numberOf(value gjson.Result) json.Number {
	var n json.Number // accepts both
	if json.Unmarshal([]byte(value.Raw), &n) != nil {
		return ""
	}
	return n
}
