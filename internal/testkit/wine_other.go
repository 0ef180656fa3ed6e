//go:build !windows

package testkit

// UnderWine reports whether Wine runs the test in place of Windows.
func UnderWine() bool { return false }
