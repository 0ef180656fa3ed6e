//go:build !linux

package sessionstore

func warningsOf(string) []string { return nil }
