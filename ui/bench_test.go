package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit/uitest"
)

// movements are a key and the one that takes it back, on a screen.
var movements = []struct {
	name        string
	into        way
	there, back string
}{
	{"domains", func(d *driver, _ *uitest.Service) { d.signIn("ada") }, "down", "up"},
	{"addresses", func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("o") }, "down", "up"},
	{"shares", func(d *driver, _ *uitest.Service) { d.goInto("gus"); d.Expect("100,000 shares") }, "down", "up"},
	{"share", keys("enter"), "down", "up"},
	{"palette", keys("ctrl+p"), "down", "up"},
	{"help", keys("?"), "down", "up"},
	{"form", keys("3"), "tab", "shift+tab"},
	{"device answer", func(d *driver, _ *uitest.Service) { d.goInto("ada"); d.deviceLogin(); d.Expect("result 1") }, "down", "up"},
	{"device results", func(d *driver, _ *uitest.Service) { d.twoResults(); d.Press("ctrl+r") }, "down", "up"},
	{"device comparison", func(d *driver, _ *uitest.Service) {
		d.twoResults()
		d.Press("c").Expect("Nothing differs")
		d.Press("a")
	}, "down", "up"},
	{"token", keys("4"), "down", "up"},
	{"activity", requests(), "down", "up"},
	{"request", requests("enter"), "down", "up"},
}

// moving goes into a screen and returns what presses one of two keys after the
// other.
func moving(t testing.TB, s *uitest.Service, into way, there, back string) func() {
	d := open(t, s, 120, 40)
	into(d, s)
	d.Settle()
	keys := []tea.Msg{uitest.Key(t, there), uitest.Key(t, back)}
	turn := 0
	return func() {
		d.model.Update(keys[turn%2])
		turn++
	}
}

// BenchmarkKey measures what a key costs until its frame is drawn: at most 1 ms in
// the best case, which other programs do not disturb. Painting it comes on top.
func BenchmarkKey(b *testing.B) {
	for _, m := range movements {
		b.Run(m.name, func(b *testing.B) {
			press := moving(b, uitest.Start(b), m.into, m.there, m.back)
			b.ReportAllocs()
			best := time.Hour
			for b.Loop() {
				began := time.Now()
				press()
				best = min(best, time.Since(began))
			}
			b.ReportMetric(float64(best.Nanoseconds()), "ns/best")
		})
	}
}

// BenchmarkKeyAmongAMillion is BenchmarkKey in a list of 1,000,000 shares.
func BenchmarkKeyAmongAMillion(b *testing.B) {
	d := open(b, uitest.Start(b), 120, 40)
	d.signIn("ivy")
	d.Press("enter").Expect("1,000,000 shares").Gone("loading")
	keys := map[string][]string{"row": {"down", "up"}, "page": {"pgdown", "pgup"}, "end": {"G", "g"}, "column": {"right", "left"}}
	for name, pair := range keys {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			turn := 0
			for b.Loop() {
				d.model.Update(uitest.Key(b, pair[turn%2]))
				turn++
			}
		})
	}
	b.Run("filter", func(b *testing.B) {
		d.Press("/")
		b.ReportAllocs()
		turn := 0
		for b.Loop() {
			d.model.Update(uitest.Key(b, []string{"a", "backspace"}[turn%2]))
			turn++
		}
		d.Press("esc")
	})
	b.Run("detail", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.model.Update(uitest.Key(b, "enter"))
			d.model.Update(uitest.Key(b, "esc"))
		}
	})
}
