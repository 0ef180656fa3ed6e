package activity

import (
	"testing"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

func fullScreen(b *testing.B) *Model {
	log := &Log{}
	for range kept {
		log.Add(shares())
	}
	env := &screen.Env{Context: b.Context(), Theme: styles.New(styles.Options{}), Keys: screen.DefaultKeys(), Root: new(uitest.Root), Now: time.Now, State: files.MemoryState()}
	m := New(env, log, "")
	m.refresh()
	b.Cleanup(m.Close)
	return m
}

// A key on a full list: what it does, and the frame.
func BenchmarkKey(b *testing.B) {
	m, keys := fullScreen(b), screen.DefaultKeys()
	b.ReportAllocs()
	for b.Loop() {
		down, _ := screen.FindAction(keys.Fill(m.Actions()), "down", false)
		down.Run()
		m.Actions() // for the footer
		uitest.Draw(m, 120, 36)
	}
}

// A request more on a full list, and the frame.
func BenchmarkArrival(b *testing.B) {
	m := fullScreen(b)
	b.ReportAllocs()
	for b.Loop() {
		m.log.Add(shares())
		m.refresh()
		uitest.Draw(m, 120, 36)
	}
}
