package ui

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
)

func TestWhatOnePersonAskedForIsNotShownToTheNext(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		var calls atomic.Int64
		moving := func() time.Time { return noon.Add(time.Duration(calls.Add(1)) * time.Millisecond) }
		d := openAt(t, s, 120, 30, moving)
		d.goInto("ada")
		d.Press("5").Expect("/…/shares", "client secret, password")
		d.Press("esc", "esc", "o")
		d.signIn("ben")
		d.Press("enter").Expect("row 1 of")
		d.Press("5").Expect("client secret, password")
		if frame := d.Frame(); strings.Contains(frame, "ada@") || strings.Contains(frame, "failed") || strings.Count(frame, "client secret, password") != 1 {
			t.Errorf("the list still has what another person did:\n%s", frame)
		}
		d.Press("enter").Expect("Timing", "first byte after")
	})
}
