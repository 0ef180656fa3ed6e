//go:build linux

package sshload

import (
	"context"
	"testing"
	"time"
)

// mostGoroutines is how many goroutines a visitor has who looks at a list, when connections to
// the service are closed: their stacks are a seventh of what the visitor takes.
const mostGoroutines = 9

// TestAVisitorWhoOnlyLooksHasFewGoroutines is about the goroutines that stay.
func TestAVisitorWhoOnlyLooksHasFewGoroutines(t *testing.T) {
	const visitors = 5
	s := startServer(t, startService(t).environ, append(unlimited, "--anyone", "--expose-sign-in")...)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	before := s.goroutines()
	for range visitors {
		v, err := visit(ctx, "", s.address)
		if err == nil {
			err = v.browse(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer v.client.Close()
	}
	for ctx.Err() == nil {
		if s.goroutines()-before <= visitors*mostGoroutines {
			return
		}
		waitFor(ctx, 100*time.Millisecond)
	}
	t.Errorf("%d visitors have %.0f goroutines, want at most %d", visitors, s.goroutines()-before, visitors*mostGoroutines)
}
