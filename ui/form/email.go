package form

import (
	"errors"
	"strings"

	"gatehouse/internal/text/hostname"
)

// TypeEmail asks for an e-mail address where there is none, or no whole one.
const TypeEmail = "type an address such as ann@harbor.example"

// CheckEmail is the Check of a [Field] for an e-mail address, which its Complete has cleaned. An
// empty one is left to Required.
func CheckEmail(value string) error {
	if value == "" {
		return nil
	}
	if !strings.Contains(value, "@") {
		return errors.New(TypeEmail)
	}
	_, err := hostname.CleanEmail(value)
	if refused, ok := errors.AsType[*hostname.EmailError](err); ok {
		return errors.New(refused.Reason())
	}
	if err == nil && !IsWholeEmail(value) {
		return errors.New(TypeEmail)
	}
	return err
}

// IsWholeEmail reports whether a text can be a whole e-mail address: one with a dot in its domain
// that has something after it. Half an address is not looked up.
func IsWholeEmail(text string) bool {
	email, err := hostname.ParseEmail(text)
	_, host, _ := strings.Cut(email, "@")
	dot := strings.LastIndexByte(host, '.')
	return err == nil && dot > 0 && len(host)-dot > 2
}
