//go:build windows || darwin

package session

// hasCollection is true: these systems keep secrets without one.
func hasCollection() bool { return true }
