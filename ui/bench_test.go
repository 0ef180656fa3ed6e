package ui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/paint"
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
	{"device results", func(d *driver, _ *uitest.Service) { d.twoResults(); d.Press("ctrl+l") }, "down", "up"},
	{"device comparison", func(d *driver, _ *uitest.Service) {
		d.twoResults()
		d.Press("c").Expect("No differences")
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

// BenchmarkKeyAmongAMillion measures a key in a list of 1,000,000 shares until its frame
// is drawn, with the preview of a record beside the list and without: at most 2 and 8 ms
// (p50 and p99) with it, 1 and 5 ms without.
func BenchmarkKeyAmongAMillion(b *testing.B) {
	d := open(b, uitest.Start(b), 120, 40)
	d.signIn("ivy")
	d.Press("enter").Expect("1,000,000 shares").Gone("loading")
	keys := []struct{ name, there, back string }{
		{"row", "down", "up"}, {"page", "pgdown", "pgup"}, {"end", "G", "g"}, {"column", "right", "left"},
	}
	for _, preview := range []string{"preview", "no preview"} {
		for _, key := range keys {
			b.Run(preview+"/"+key.name, func(b *testing.B) { benchKeys(b, d, key.there, key.back) })
		}
		d.Press("p")
	}
	b.Run("filter", func(b *testing.B) {
		d.Press("/")
		benchKeys(b, d, "a", "backspace")
		d.Press("esc")
	})
	b.Run("detail", func(b *testing.B) { benchKeys(b, d, "enter", "esc") })
}

// benchKeys presses two keys in turn, and measures each until its frame is drawn.
func benchKeys(b *testing.B, d *driver, there, back string) {
	pressed := []tea.Msg{uitest.Key(b, there), uitest.Key(b, back)}
	var took []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		d.model.Update(pressed[i%2])
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkTick measures what the clock costs each time while nobody does anything, until its
// frame is drawn.
func BenchmarkTick(b *testing.B) {
	now := uitest.Noon
	d := openAt(b, uitest.Start(b), 120, 40, func() time.Time { return now })
	d.goInto("ada")
	d.Settle()
	d.model.Update(pauseMsg{})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		now = uitest.Noon.Add(time.Minute * time.Duration(i%50))
		d.model.Update(clockMsg{})
	}
}

// BenchmarkBytesOfAStep measures what a step down a list sends to the terminal: at most 350 bytes where
// the cursor alone moves, and 1,500 where a preview follows it with the key.
func BenchmarkBytesOfAStep(b *testing.B) {
	now := uitest.Noon
	d := openAt(b, uitest.Start(b), 120, 40, func() time.Time { return now })
	d.goInto("gus")
	d.Expect("100,000 shares")
	var shown paint.Screen
	shown.Enter()
	down := uitest.Key(b, "down")
	for _, preview := range []string{"preview", "no preview"} {
		shown.Paint(d.model.root.frame)
		b.Run(preview, func(b *testing.B) {
			sent := 0
			for b.Loop() {
				now = now.Add(60 * time.Millisecond) // a key of its own, not one that repeats
				d.model.Update(down)
				sent += len(shown.Paint(d.model.root.frame))
			}
			b.ReportMetric(float64(sent)/float64(b.N), "B/down")
		})
		d.Press("p").Settle()
	}
}
