package activity

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/action"
	"gatehouse/ui/keymap"
	"gatehouse/ui/screen"
)

func fullScreen(b *testing.B) *Model {
	log := &Log{}
	for range kept {
		log.Add(shares())
	}
	env := &screen.Env{Context: b.Context(), Theme: styles.New(styles.Options{}), Tell: func(any) tea.Cmd { return nil }}
	m := New(env, log, "")
	b.Cleanup(m.Close)
	return m
}

// A key on a full list: what it does, and the frame.
func BenchmarkKey(b *testing.B) {
	m, keys := fullScreen(b), keymap.Default()
	b.ReportAllocs()
	for b.Loop() {
		down, _ := action.Find(keys.Fill(m.Actions()), "down", false)
		down.Run()
		m.Actions() // for the footer
		m.View(120, 36)
	}
}

// A request more on a full list, and the frame.
func BenchmarkArrival(b *testing.B) {
	m := fullScreen(b)
	b.ReportAllocs()
	for b.Loop() {
		m.log.Add(shares())
		m.View(120, 36)
	}
}
