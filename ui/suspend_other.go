//go:build !unix

package ui

// canSuspend reports that no program can be stopped here.
func canSuspend() bool { return false }
