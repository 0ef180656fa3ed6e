package form

import (
	"errors"

	"gatehouse/internal/text/hostname"
)

// CheckEmail is the Check of a [Field] for an e-mail address, which its Complete has cleaned. An
// empty one is left to Required.
func CheckEmail(value string) error {
	if value == "" {
		return nil
	}
	_, err := hostname.CleanEmail(value)
	if refused, ok := errors.AsType[*hostname.EmailError](err); ok {
		return errors.New(refused.Reason())
	}
	return err
}
