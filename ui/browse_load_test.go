package ui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRecordsAreShownWhileTheyArrive(t *testing.T) {
	service := demoVariables(t)
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			body := library(300)
			gateway := dripping(t, service, body, upTo(t, body, 100))
			clock := &clockwork{}
			d := openAt(t, service, size.width, size.height, clock.now)
			d.signIn("ada")
			d.press("enter")
			d.wait("loading: 100 shares", "Share 1 ")
			clock.advance(2 * time.Second)
			d.wait("4s left")
			d.golden(fmt.Sprintf("browse/loading-%dx%d", size.width, size.height))

			d.press("down", "enter")
			d.wait("Share 2", "2 of 100")
			d.press("esc", "/")
			d.write("name:9")
			d.wait("›Share 9 ")
			gateway.let(upTo(t, body, 200))
			d.wait("loading: 38 of 200 shares")
			d.press("esc", "b")
			d.wait("Not now: the shares are still arriving")
			d.press("right", "right", "s")
			d.wait("to be sorted when all are here")
			gateway.let(whole)
			d.wait("300 shares", "DiskUsage ↑")
			d.gone("loading")
		})
	}
}

func TestACancelledLoadingKeepsWhatCame(t *testing.T) {
	service := demoVariables(t)
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			body := library(200)
			dripping(t, service, body, upTo(t, body, 120))
			d := open(t, service, size.width, size.height)
			d.signIn("ada")
			d.press("enter")
			d.wait("loading: 120 shares")
			d.press("esc")
			d.wait("120 shares kept of a body that was cancelled", "r loads again")
			d.golden(fmt.Sprintf("browse/kept-%dx%d", size.width, size.height))
			d.press("s")
			d.wait("Name ↑")
		})
	}
}

func TestABodyThatIsCutOffKeepsItsRecords(t *testing.T) {
	service := demoVariables(t)
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			body := library(200)
			gateway := dripping(t, service, body, upTo(t, body, 120))
			d := open(t, service, size.width, size.height)
			d.signIn("ada")
			d.press("enter")
			d.wait("loading: 120 shares")
			gateway.change(func() { gateway.cut = true })
			d.wait("cut off after", "inside record 121", "complete")
			d.golden(fmt.Sprintf("browse/cut-%dx%d", size.width, size.height))
			d.press("e")
			d.wait("Export 120 shares", "of an answer that is not whole")
			d.press("esc")
			gateway.let(whole)
			d.press("r")
			d.wait("200 shares")
			d.gone("cut off")
		})
	}
}

func TestASyntaxErrorKeepsTheRecordsBeforeIt(t *testing.T) {
	body := bytes.Replace(library(90), []byte(`"Name":"Share 81"`), []byte(`"Name":oops`), 1)
	v := demoVariables(t)
	dripping(t, v, body, whole)
	d := open(t, v, 120, 24)
	d.signIn("ada")
	d.press("enter")
	d.wait("not valid JSON", "line 1, column", "80 shares", "are complete")
}

func TestAReloadShowsTheOldRowsUntilTheNewAreWhole(t *testing.T) {
	v := demoVariables(t)
	body := library(90)
	gateway := dripping(t, v, body, whole)
	d := open(t, v, 80, 24)
	d.goInto("ada")
	d.press("down", "down")
	longer := library(140)
	gateway.change(func() { gateway.body, gateway.length, gateway.allowed = longer, false, upTo(t, longer, 60) })
	d.press("r")
	d.wait("loading the shares again: 60", "›Share 3 ")
	if frame := d.frame(); !strings.Contains(frame, "Share 12 ") {
		t.Errorf("the old rows are gone:\n%s", frame)
	}
	gateway.let(whole)
	d.wait("140 shares", "›Share 3 ")
}

func TestAReloadThatIsCancelledLeavesTheListAsItWas(t *testing.T) {
	v := demoVariables(t)
	body := library(90)
	gateway := dripping(t, v, body, whole)
	d := open(t, v, 80, 24)
	d.goInto("ada")
	gateway.let(upTo(t, body, 60))
	d.press("r")
	d.wait("again: 60")
	d.press("esc")
	d.wait("90 shares")
	d.gone("loading")
	if strings.Contains(d.frame(), "kept") {
		t.Errorf("the list is said to be in part:\n%s", d.frame())
	}
}
