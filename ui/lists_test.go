package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
)

// dripping puts a gateway that drips in the place of the one of the demo.
func dripping(s *uitest.Service, body []byte, allowed int) *uitest.Drip {
	d := uitest.NewDrip(body, allowed)
	s.Gateway(d)
	return d
}

// clockwork is a clock that a test moves.
type clockwork struct{ passed atomic.Int64 }

func (c *clockwork) now() time.Time          { return uitest.Noon.Add(time.Duration(c.passed.Load())) }
func (c *clockwork) advance(d time.Duration) { c.passed.Add(int64(d)) }

// openLibrary opens the list of shares of a gateway with one body.
func openLibrary(t *testing.T, s *uitest.Service, body []byte, width, height int) *driver {
	t.Helper()
	dripping(s, body, uitest.Whole)
	d := open(t, s, width, height)
	d.goInto("ada")
	return d
}

// toColumn goes from the first column to another one.
func (d *driver) toColumn(title string) {
	for range slices.Index(uitest.LibraryColumns, title) {
		d.Press("right")
	}
}

func TestTheListLooksAsItShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			home := filepath.Join(os.TempDir(), fmt.Sprintf("gatehouse-%07d", os.Getpid())) // always as long
			if err := os.Mkdir(home, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(home) })
			t.Setenv("HOME", home)
			d := openLibrary(t, s, uitest.Library(200), size.width, size.height)
			golden := func(name string, texts ...string) {
				t.Helper()
				d.Expect(texts...)
				d.Golden(fmt.Sprintf("browse/%s-%dx%d", name, size.width, size.height), home)
			}
			d.Press("/").Type("owner:ann disk>100MB")
			golden("filtered", "33 of 200 shares")
			d.Press("enter", "esc").Gone("of 200 shares")
			d.toColumn("DiskUsage")
			d.Press("s").Expect("Disk ▲")
			d.Press("s").Expect("Disk ▼")
			d.Press("g")
			golden("sorted", "▌ Share 200")
			d.Press("left", "left", "b")
			golden("grouped", "3 values", "ann@harbor.example")
			d.Press("esc", "c")
			golden("picker", "8 of 9 shown", "empty")
			d.Press("esc", "e").Press("home").Type("~/")
			golden("export", "Export 200 shares", "sorted by Disk, largest first")
			d.Press("enter")
			golden("export-done", "Wrote 200 shares")
			d.Press("e", "home").Type("~/").Press("enter")
			golden("export-exists", "Replace it?")
			d.Press("esc", "esc").Expect("▌ Share 200")
			d.Press("enter", "/").Type("usage")
			golden("detail", "DiskUsage", "1 of 200")
		}))
	}
}

func TestWhereFilesAreOutOfReachTheRowsAreCopied(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, uitest.Library(3), 140, 24)
		d.model.root.env.Remote = true
		d.model.root.settle()
		d.Press("?").Expect("copy what is shown as CSV; a file would be")
		d.Press("esc").Settle().Press("e").Expect("Copied 3 shares as CSV")
	})
}

func TestRecordsAreShownWhileTheyArrive(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			body := uitest.Library(300)
			gateway := dripping(s, body, uitest.UpTo(t, body, 100))
			clock := &clockwork{}
			d := openAt(t, s, size.width, size.height, clock.now)
			d.signIn("ada")
			d.Press("enter").Expect("loading: 100 shares", "Share 1 ")
			clock.advance(2 * time.Second)
			d.Expect("loading: 100 shares, 33 %, 20.3 kB of 61.1 kB, 10.1 kB/s, 4s left")
			d.Golden(fmt.Sprintf("browse/loading-%dx%d", size.width, size.height))

			d.Press("down", "enter").Expect("Share 2", "2 of 100")
			d.Press("esc", "/").Type("name:9").Expect("▌ Share 9 ")
			gateway.Let(uitest.UpTo(t, body, 200))
			d.Expect("loading: 38 of 200 shares")
			d.Press("esc", "b").Expect("Not now: the list is not complete yet")
			d.Press("right", "right", "right", "s").Expect("sorted when all have arrived")
			gateway.Let(uitest.Whole)
			d.Expect("300 shares", "Disk ▲").Gone("loading")
		}))
	}
}

func TestABodyThatIsCutOffKeepsItsRecords(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			body := uitest.Library(200)
			gateway := dripping(s, body, uitest.UpTo(t, body, 120))
			d := open(t, s, size.width, size.height)
			d.signIn("ada")
			d.Press("enter").Expect("loading: 120 shares")
			gateway.Cut()
			d.Expect("cut off after", "complete")
			d.Golden(fmt.Sprintf("browse/cut-%dx%d", size.width, size.height))
			d.Press("e").Expect("Export 120 shares", "of an incomplete answer")
			d.Press("esc")
			gateway.Let(uitest.Whole)
			d.Press("r").Expect("200 shares").Gone("cut off")
		}))
	}
}
