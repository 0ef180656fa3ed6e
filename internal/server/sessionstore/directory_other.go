//go:build !linux

package sessionstore

// isLocal reports false: what file locks are worth is known of Linux only.
func isLocal(string) bool { return false }
