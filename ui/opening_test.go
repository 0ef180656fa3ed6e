package ui

import (
	"context"
	"strings"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

// opened waits until something is drawn.
func (d *driver) opened() *driver {
	d.t.Helper()
	d.Until("a frame", func() bool { return d.model.frame.Content != "" })
	return d
}

func TestTheFirstFrameOfAKeptSessionIsTheList(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 120, 40)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 42")
		d.hangUp()
		d = connect(t, s, k, 120, 40).opened()
		if first := d.Frame(); !strings.Contains(first, "row 1 of 42") || !strings.Contains(first, "from your last visit") {
			t.Errorf("the first frame is\n%s", first)
		}
	})
}

// opensLate waits for the end.
func opensLate(ctx context.Context) (Opened, error) {
	<-ctx.Done()
	return Opened{}, ctx.Err()
}

func TestWhoWaitsOverANetworkIsToldSo(t *testing.T) {
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		waiting := "opening the session"
		if d := start(t, Options{Open: opensLate}, 80, 24); !strings.Contains(d.Frame(), waiting) {
			t.Errorf("without a network the first frame is\n%s", d.Frame())
		}
		d := start(t, Options{Open: opensLate, Remote: true}, 80, 24)
		if d.Settle().Frame() != "" {
			t.Errorf("at once there is\n%s", d.Frame())
		}
		if d.Pass(slowGap); !strings.Contains(d.Frame(), waiting) {
			t.Errorf("after %v there is\n%s", slowGap, d.Frame())
		}
		d = start(t, Options{Open: opensLate, Remote: true}, 80, 24)
		if d.Hurry("?"); !strings.Contains(d.Frame(), "Keys") {
			t.Errorf("a key for the help shows\n%s", d.Frame())
		}
	})
}
