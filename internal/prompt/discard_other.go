//go:build !linux && !windows && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package prompt

// discardTyped does nothing where no way is known.
func discardTyped(int) {}
