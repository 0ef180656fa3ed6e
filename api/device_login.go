package api

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gatehouse/internal/secret"
)

const loginResultLimit = 16 << 20

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
// whatever its code: see [LoginResult.Explain]. The request may create a device, so it is sent
// once and follows no redirect. After a [*TransportError] it is unknown whether the
// service acted on it.
//
// Errors: [*RequestError] (nothing was sent), [*TransportError], [*StatusError],
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
	c := newCall("log in the device of "+login.Email, u)
	c.secrets.Add(login.Password.Reveal(), password2(login.Password), login.PlainPassword.Reveal(), login.ActiveDirectoryToken.Reveal())

	ctx, cancel := withLimit(ctx, callTimeout)
	defer cancel(nil)

	resp, _, err := sendOnce(g.HTTP, newGet(ctx, u))
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	text, err := c.text(ctx, cancel, resp, loginResultLimit)
	if refused, ok := err.(*StatusError); ok {
		refused.Credential = credentialPassword
	}
	if err != nil {
		return nil, err
	}
	return c.loginResult(resp.Header, text)
}

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

// password2 is the Base64 of the password's UTF-8 bytes.
func password2(password secret.Text) string {
	return base64.StdEncoding.EncodeToString([]byte(password.Reveal()))
}

// DeviceTypes are the device types, spelled and ordered as in interface section 4.5.
var DeviceTypes = []string{
	"Pc", "AndroidPhone", "AndroidTable", "Ipad", "IpadMine", "Iphone", "WindowsPhone", "WindowsTablet", "Mac", "Unknown",
}
