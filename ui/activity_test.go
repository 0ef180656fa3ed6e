package ui

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestWhatOnePersonAskedForIsNotShownToTheNext(t *testing.T) {
	var calls atomic.Int64
	moving := func() time.Time { return noon.Add(time.Duration(calls.Add(1)) * time.Millisecond) }
	d := openAt(t, demoVariables(t), 120, 30, moving)
	d.goInto("ada")
	d.press("5")
	d.wait("/…/shares", "client secret, password")
	d.press("esc", "esc", "o")
	d.signIn("ben")
	d.press("enter")
	d.wait("row 1 of")
	d.press("5")
	d.wait("client secret, password")
	if frame := d.frame(); strings.Contains(frame, "ada@") || strings.Contains(frame, "failed") || strings.Count(frame, "client secret, password") != 1 {
		t.Errorf("the list still has what another person did:\n%s", frame)
	}
	d.press("enter")
	d.wait("Timing", "first byte after")
}
