package device

import (
	"encoding/json"
	"errors"

	"gatehouse/api"
	"gatehouse/internal/secret"
	"gatehouse/ui/form"
)

// fields are the query parameters of interface section 4.5 that a person can know.
func fields(username string) []form.Field {
	return []form.Field{
		{Key: "email", Label: "E-mail", Value: username, Check: needed("type the user's e-mail address")},
		{Key: "name", Label: "Device name", Value: "gatehouse", Hint: "the name of the device to create; not used when an id is given"},
		{Key: "id", Label: "Device id", Hint: "of a device that has logged in before; leave empty to create one by name"},
		{Key: "type", Label: "Device type", Hint: "←/→ choose", Options: deviceTypes()},
		{Key: "domain", Label: "Domain id", Folded: true, Hint: "DomainId from the Domain.Config file"},
		{Key: "reseller", Label: "Reseller id", Folded: true},
		{Key: "ip", Label: "Device IP", Folded: true, Hint: "the IP address of the device"},
		{Key: "lat", Label: "Latitude", Folded: true},
		{Key: "lon", Label: "Longitude", Folded: true},
		{Key: "geo", Label: "Location", Folded: true, Hint: `location metadata of the device, as JSON`, Check: jsonOrEmpty},
		{Key: "ad", Label: "Active Directory token", Folded: true, Secret: true},
		{Key: "plain", Label: "Password field", Folded: true, Hint: "password2 is always sent; some services want password as well", Options: []form.Option{
			{Label: "password2 alone", Value: ""}, {Label: "password2 and password", Value: "both"},
		}},
		{Key: "password", Label: "Password", Secret: true, Check: needed("type the password")},
	}
}

func deviceTypes() []form.Option {
	options := []form.Option{{Label: "not sent", Value: ""}}
	for _, t := range api.DeviceTypes() {
		options = append(options, form.Option{Label: string(t), Value: string(t)})
	}
	return options
}

// sent are the values of the form that are no secrets, by their keys.
func (m *Model) sent() map[string]string {
	values := map[string]string{}
	for _, f := range fields("") {
		if !f.Secret {
			values[f.Key] = m.form.Value(f.Key)
		}
	}
	return values
}

// fill puts values back into the form, and brings out the lesser fields if one
// of them is among the values.
func (m *Model) fill(values map[string]string) {
	for _, f := range fields("") {
		if f.Secret {
			continue
		}
		m.form.Set(f.Key, values[f.Key])
		if f.Folded && values[f.Key] != "" {
			m.form.Unfold()
		}
	}
}

// request moves the form's values into a request; the secrets leave the form.
func (m *Model) request() api.DeviceLoginRequest {
	r := api.DeviceLoginRequest{
		DeviceName: m.form.Value("name"),
		DeviceID:   m.form.Value("id"),
		Email:      m.form.Value("email"),
		DeviceType: api.DeviceType(m.form.Value("type")),
		Domain:     m.form.Value("domain"),
		ResellerID: m.form.Value("reseller"),
		DeviceIP:   m.form.Value("ip"),
		Latitude:   m.form.Value("lat"),
		Longitude:  m.form.Value("lon"),
		DeviceGeo:  m.form.Value("geo"),

		ActiveDirectoryToken: m.form.Take("ad"),
		Password:             m.form.Take("password"),
	}
	if r.DeviceID != "" {
		r.DeviceName = ""
	}
	if m.form.Value("plain") == "both" {
		r.PlainPassword = r.Password
	}
	return r
}

func needed(message string) func(string) error {
	return func(value string) error {
		if secret.New(value).IsEmpty() {
			return errors.New(message)
		}
		return nil
	}
}

func jsonOrEmpty(value string) error {
	if value != "" && !json.Valid([]byte(value)) {
		return errors.New("this is not valid JSON")
	}
	return nil
}
