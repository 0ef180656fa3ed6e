//go:build !unix

package ui

// canSuspend is false: programs cannot be suspended on this system.
func canSuspend() bool { return false }
