package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkKey measures what a key costs us, Update and View: at most 1 ms and 1,000
// allocations. What the library does with the frame comes on top.
func BenchmarkKey(b *testing.B) {
	for _, screen := range []struct {
		name    string
		into    []string
		up, way string
	}{
		{"domains", nil, "up", "down"},
		{"shares", []string{"enter"}, "up", "down"},
		{"share", []string{"enter", "enter"}, "up", "down"},
		{"palette", []string{"enter", "ctrl+p"}, "up", "down"},
		{"help", []string{"enter", "?"}, "up", "down"},
		{"form", []string{"enter", "3"}, "shift+tab", "tab"},
		{"token", []string{"enter", "4"}, "up", "down"},
		{"activity", []string{"enter", "5"}, "up", "down"},
	} {
		b.Run(screen.name, func(b *testing.B) {
			d := open(b, demoVariables(b), 120, 40)
			d.signIn("gus")
			if len(screen.into) > 0 {
				d.press(screen.into[0])
				d.wait("100,000 shares")
				d.press(screen.into[1:]...)
			}
			d.drain()
			keys := []tea.Msg{keyPress(screen.way), keyPress(screen.up)}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.model.Update(keys[i%2])
				d.model.View()
			}
		})
	}
}
