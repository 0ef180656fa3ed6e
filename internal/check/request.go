package check

import (
	"net/mail"
	"strings"

	"gatehouse/internal/config"
)

// trimmed is the request as a person means it.
func (r Request) trimmed() Request {
	r.Email = strings.TrimSpace(r.Email)
	r.Domain = strings.TrimSpace(r.Domain)
	if name, err := config.CheckDomain(r.Domain); err == nil {
		r.Domain = name
	}
	r.DeviceName, r.DeviceID = strings.TrimSpace(r.DeviceName), strings.TrimSpace(r.DeviceID)
	return r
}

// wantsDevice reports whether a device login is asked for, which needs the password.
func (r Request) wantsDevice() bool {
	return !r.Password.IsEmpty() && (r.DeviceName != "" || r.DeviceID != "")
}

// isAddress reports whether a text is an e-mail address and nothing else.
func isAddress(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}

// needsDomain is what has to be known to ask a host: the primary domain, where it is part
// of the URL.
func (r *run) needsDomain(template string) []string {
	if strings.Contains(template, "{domain}") {
		return []string{Profile, Lookup}
	}
	return []string{Profile}
}
