package form

import (
	"errors"
	"strings"

	"gatehouse/internal/text/hostname"
)

// TypeEmail asks for an e-mail address if there is none, or only a part of one.
const TypeEmail = "type an address such as ann@harbor.example"

// CheckEmail is the Check of a [Field] for an e-mail address that has been cleaned by its Complete.
// It accepts an empty value; Required decides on that.
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

// minTopLevel is the length of the shortest top-level domains, such as "de".
const minTopLevel = 2

// IsWholeEmail reports whether a text can be an e-mail address that is typed to its end: its domain
// ends in what can be a top-level domain. An address that is still being typed is not looked up.
func IsWholeEmail(text string) bool {
	email, err := hostname.ParseEmail(text)
	_, host, _ := strings.Cut(email, "@")
	dot := strings.LastIndexByte(host, '.')
	topLevel := host[dot+1:]
	return err == nil && dot > 0 && len(topLevel) >= minTopLevel
}
