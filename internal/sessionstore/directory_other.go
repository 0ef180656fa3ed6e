//go:build !linux

package sessionstore

func warningsOf(string) []string { return nil }

// isLocal is false where nobody has looked at what locks of files are worth.
func isLocal(string) bool { return false }
