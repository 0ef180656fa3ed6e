package testkit

import "os"

// LongVariable is the variable that, set to 1, makes tests run in full which are
// otherwise made short: fewer cases, a shorter time, less data. What they check is
// the same.
const LongVariable = "GATEHOUSE_LONG"

// Long reports whether tests are to run in full.
func Long() bool { return os.Getenv(LongVariable) == "1" }

// Either is one value for tests in full, and another one for short ones.
func Either[T any](long, short T) T {
	if Long() {
		return long
	}
	return short
}
