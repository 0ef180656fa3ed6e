package ui

import (
	"bytes"
	"regexp"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/hostile"
)

// left are the ways out of a screen that waits for an answer, by the names of the
// meetings. What somebody has asked for ends when they leave, or sooner.
var left = map[string]func(*driver){
	"Sign in":      func(d *driver) { d.press("esc") },
	"Shares":       func(d *driver) { d.press("esc", "esc"); d.wait("4 domains") },
	"Companies":    func(d *driver) { d.press("esc", "1") },
	"Device login": func(d *driver) { d.press("esc", "1") },
	"Domains":      func(d *driver) { d.press("x") },
}

// TestNoGoroutineOutlivesItsScreen leaves each screen in the middle of a load.
func TestNoGoroutineOutlivesItsScreen(t *testing.T) {
}
