//go:build !windows

package shell

func ancestors() []string { return nil }
