//go:build !unix

package ui

import "context"

// stops is nothing on this system, see [canSuspend].
type stops struct{}

func hearStops(context.Context, func(), func()) *stops { return &stops{} }

func (*stops) stop() {}

// canSuspend is false: programs cannot be suspended on this system.
func canSuspend() bool { return false }
