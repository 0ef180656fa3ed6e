package ui

import (
	"testing"

	"gatehouse/internal/testkit/uitest"
)

func TestQClosesWhatIsInnermostAndAsksBeforeASessionIsLost(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("enter").Expect("General")
		d.Press("q").Gone("General").Expect("row 1 of 42")
		d.Press("?").Expect("Keys on").Press("esc")
		d.Press("c").Expect("› Columns").Press("q").Gone("› Columns")
		d.Press("/").Type("q").Expect("q").Press("enter", "q").Expect("42 shares")
		d.Press("q").Expect("4 domains")
		d.Press("o").Expect("URLs of").Press("q").Gone("URLs of")
		d.Press("q").Expect("lose this session")
		if d.Quit {
			t.Fatal("it has quit")
		}
		d.Press("esc").Gone("lose this session").Press("q").Expect("lose this session").Press("q")
		d.Until("the end", func() bool { return d.Quit })
	})
}

func TestCtrlCQuitsAtOnceFromAnywhere(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("enter", "ctrl+c")
		d.Until("the end", func() bool { return d.Quit })
	})
}
