//go:build !linux

package sessionstore

func fileSystemWarning(string) string { return "" }
