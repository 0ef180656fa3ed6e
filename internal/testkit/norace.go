//go:build !race

package testkit

// raced is set where the race detector is on.
const raced = false
