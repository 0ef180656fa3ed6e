package ui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/ui/uitest"
)

func TestRecordsAreShownWhileTheyArrive(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			body := library(300)
			gateway := dripping(s, body, upTo(t, body, 100))
			clock := &clockwork{}
			d := openAt(t, s, size.width, size.height, clock.now)
			d.signIn("ada")
			d.Press("enter")
			d.Expect("loading: 100 shares", "Share 1 ")
			clock.advance(2 * time.Second)
			d.Expect("4s left")
			d.Golden(fmt.Sprintf("browse/loading-%dx%d", size.width, size.height))

			d.Press("down", "enter")
			d.Expect("Share 2", "2 of 100")
			d.Press("esc", "/")
			d.Type("name:9")
			d.Expect("›Share 9 ")
			gateway.let(upTo(t, body, 200))
			d.Expect("loading: 38 of 200 shares")
			d.Press("esc", "b")
			d.Expect("Not now: the shares are still arriving")
			d.Press("right", "right", "s")
			d.Expect("to be sorted when all are here")
			gateway.let(whole)
			d.Expect("300 shares", "DiskUsage ↑")
			d.Gone("loading")
		}))
	}
}

func TestACancelledLoadingKeepsWhatCame(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			body := library(200)
			dripping(s, body, upTo(t, body, 120))
			d := open(t, s, size.width, size.height)
			d.signIn("ada")
			d.Press("enter")
			d.Expect("loading: 120 shares")
			d.Press("esc")
			d.Expect("120 shares kept of a body that was cancelled", "r loads again")
			d.Golden(fmt.Sprintf("browse/kept-%dx%d", size.width, size.height))
			d.Press("s")
			d.Expect("Name ↑")
		}))
	}
}

func TestABodyThatIsCutOffKeepsItsRecords(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			body := library(200)
			gateway := dripping(s, body, upTo(t, body, 120))
			d := open(t, s, size.width, size.height)
			d.signIn("ada")
			d.Press("enter")
			d.Expect("loading: 120 shares")
			gateway.change(func() { gateway.cut = true })
			d.Expect("cut off after", "inside record 121", "complete")
			d.Golden(fmt.Sprintf("browse/cut-%dx%d", size.width, size.height))
			d.Press("e")
			d.Expect("Export 120 shares", "of an answer that is not whole")
			d.Press("esc")
			gateway.let(whole)
			d.Press("r")
			d.Expect("200 shares")
			d.Gone("cut off")
		}))
	}
}

func TestASyntaxErrorKeepsTheRecordsBeforeIt(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := bytes.Replace(library(90), []byte(`"Name":"Share 81"`), []byte(`"Name":oops`), 1)
		dripping(s, body, whole)
		d := open(t, s, 120, 24)
		d.signIn("ada")
		d.Press("enter")
		d.Expect("not valid JSON", "line 1, column", "80 shares", "are complete")
	})
}

func TestAReloadShowsTheOldRowsUntilTheNewAreWhole(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := library(90)
		gateway := dripping(s, body, whole)
		d := open(t, s, 80, 24)
		d.goInto("ada")
		d.Press("down", "down")
		longer := library(140)
		gateway.change(func() { gateway.body, gateway.length, gateway.allowed = longer, false, upTo(t, longer, 60) })
		d.Press("r")
		d.Expect("loading the shares again: 60", "›Share 3 ")
		if frame := d.Frame(); !strings.Contains(frame, "Share 12 ") {
			t.Errorf("the old rows are gone:\n%s", frame)
		}
		gateway.let(whole)
		d.Expect("140 shares", "›Share 3 ")
	})
}

func TestAReloadThatIsCancelledLeavesTheListAsItWas(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		body := library(90)
		gateway := dripping(s, body, whole)
		d := open(t, s, 80, 24)
		d.goInto("ada")
		gateway.let(upTo(t, body, 60))
		d.Press("r")
		d.Expect("again: 60")
		d.Press("esc")
		d.Expect("90 shares")
		d.Gone("loading")
		if strings.Contains(d.Frame(), "kept") {
			t.Errorf("the list is said to be in part:\n%s", d.Frame())
		}
	})
}
