package files

import (
	"errors"
	"fmt"
)

// Everything that the program writes and reads again in a later run, files and rows alike, has a
// version of its format, from 1. If it names none, that is version 1. The version increases with
// every change that an older program would misread. An older program leaves newer data as it is: it
// neither reads a part of it, nor replaces it or sets it aside.

// NewerError means that a newer program has written something. It completes a message that
// names what.
type NewerError struct {
	// Why says how that is known: "it has version 2 of its format, and this one reads version 1".
	Why string
}

// Error says who wrote it, and why this program does not read it.
func (e *NewerError) Error() string { return "a newer gatehouse wrote it: " + e.Why }

// CheckVersion compares the version of something with the newest that this program reads. The
// error is a *[NewerError].
func CheckVersion(version, newest int) error {
	if version <= newest {
		return nil
	}
	return &NewerError{Why: fmt.Sprintf(
		"it has version %d of its format, and this one reads version %d", version, newest)}
}

// IsNewer reports whether an error wraps a *[NewerError].
func IsNewer(err error) bool {
	_, newer := errors.AsType[*NewerError](err)
	return newer
}
