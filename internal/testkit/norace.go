//go:build !race

package testkit

// raced reports whether the race detector is on.
const raced = false
