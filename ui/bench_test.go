package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// movements are a key and the one that takes it back, on a screen.
var movements = []struct {
	name      string
	into      []string
	there     string
	backAgain string
}{
	{"domains", nil, "down", "up"},
	{"shares", []string{"enter"}, "down", "up"},
	{"share", []string{"enter", "enter"}, "down", "up"},
	{"palette", []string{"enter", "ctrl+p"}, "down", "up"},
	{"help", []string{"enter", "?"}, "down", "up"},
	{"form", []string{"enter", "3"}, "tab", "shift+tab"},
	{"token", []string{"enter", "4"}, "down", "up"},
	{"activity", []string{"enter", "5"}, "down", "up"},
}

// moving opens a screen of an account with 100,000 shares and returns what presses
// one of the two keys after the other.
func moving(t testing.TB, service variables, into []string, there, back string) func() {
	d := open(t, service, 120, 40)
	d.signIn("gus")
	if len(into) > 0 {
		d.press(into[0])
		d.wait("100,000 shares")
		d.press(into[1:]...)
	}
	d.drain()
	keys := []tea.Msg{keyPress(there), keyPress(back)}
	turn := 0
	return func() {
		d.model.Update(keys[turn%2])
		d.model.View()
		turn++
	}
}

func TestAKeyAllocatesLittle(t *testing.T) {
	service := demoVariables(t)
	for _, m := range movements {
		press := moving(t, service, m.into, m.there, m.backAgain)
		if n := testing.AllocsPerRun(20, press); n > 1000 {
			t.Errorf("%s: a key takes %.0f allocations", m.name, n)
		}
	}
}

// BenchmarkKey measures what a key costs us, Update and View: at most 1 ms. What the
// library does with the frame comes on top.
func BenchmarkKey(b *testing.B) {
	for _, m := range movements {
		b.Run(m.name, func(b *testing.B) {
			press := moving(b, demoVariables(b), m.into, m.there, m.backAgain)
			b.ReportAllocs()
			for b.Loop() {
				press()
			}
		})
	}
}

// BenchmarkKeyAmongAMillion is BenchmarkKey in a list of 1,000,000 shares.
func BenchmarkKeyAmongAMillion(b *testing.B) {
	d := open(b, demoVariables(b), 120, 40)
	d.signIn("ivy")
	d.press("enter")
	d.wait("1,000,000 shares")
	d.gone("loading")
	keys := map[string][]string{"row": {"down", "up"}, "page": {"pgdown", "pgup"}, "end": {"G", "g"}, "column": {"right", "left"}}
	for name, pair := range keys {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			turn := 0
			for b.Loop() {
				d.model.Update(keyPress(pair[turn%2]))
				d.model.View()
				turn++
			}
		})
	}
	b.Run("filter", func(b *testing.B) {
		d.press("/")
		b.ReportAllocs()
		turn := 0
		for b.Loop() {
			d.model.Update(keyPress([]string{"a", "backspace"}[turn%2]))
			d.model.View()
			turn++
		}
		d.press("esc")
	})
	b.Run("detail", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d.model.Update(keyPress("enter"))
			d.model.View()
			d.model.Update(keyPress("esc"))
			d.model.View()
		}
	})
}
