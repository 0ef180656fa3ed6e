//go:build !unix

package testkit

import "time"

var began = time.Now()

// ProcessorTime is the time that has passed: nothing tells here how long this process has computed.
func ProcessorTime() time.Duration { return time.Since(began) }
