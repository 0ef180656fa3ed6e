//go:build !linux

package sessionstore

func warningsOf(string) []string { return nil }

// isLocal is false: what file locks are worth was checked on Linux alone.
func isLocal(string) bool { return false }
