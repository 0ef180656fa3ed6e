//go:build race

package ui

// raced is set where the race detector allocates as well.
const raced = true
