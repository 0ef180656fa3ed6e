//go:build !linux

package sessionstore

// warningsOf returns no warnings: file systems are told apart on Linux only.
func warningsOf(string) []string { return nil }
