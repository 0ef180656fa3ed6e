package ui

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
)

func TestCompaniesAskForAKeyWhereThereIsNone(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		delete(s.Env, "GATEHOUSE_API_KEY")
		d := open(t, s, 100, 30)
		d.signIn("ada")
		d.Press("enter", "2").Expect("API key")
		d.Type("no-such-key").Press("enter").Expect("401")
		d.Press("i").Expect("API key")
		d.Type("demo-company-key").Press("enter").Expect("companies", "row 1 of")
		if strings.Contains(d.Frame(), "demo-company-key") {
			t.Error("the key is shown")
		}
	})
}

func TestComingBackFindsTheListAsItWas(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 100, 30)
		d.goInto("ada")
		d.Press("down", "down").Expect("row 3 of")
		d.Press("2", "1").Expect("row 3 of")
		d.Press("esc").Expect("4 domains")
		d.Press("enter").Expect("row 3 of")
	})
}

func TestLoadingCanBeCancelled(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		s.Gateway(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		d := open(t, s, 80, 24)
		d.signIn("ada")
		d.Press("enter").Expect("loading the shares")
		d.Press("esc").Expect("was cancelled", "Press r")
		d.Press("esc").Expect("4 domains")
	})
}

func TestABadAnswerIsOneSentenceAndAWayOn(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    []string
	}{
		"an HTML page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<html><body>proxy</body></html>")
		}, []string{"HTML"}},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = fmt.Fprint(w, `{"Data":[{"Id":1`)
		}, []string{"cut"}},
		"not JSON": {func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"Data":[}`) }, []string{"JSON"}},
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `{"Message":"no such \u001b[31muser"}`)
		}, []string{"400", "no such [31muser"}},
	} {
		t.Run(name, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			s.Gateway(c.handler)
			d := open(t, s, 160, 24)
			d.signIn("ada")
			d.Press("enter").Expect(append(c.want, "refresh")...)
			d.Press("r").Expect(c.want...)
			d.Press("esc").Expect("4 domains")
		}))
	}
}

func TestAFailedReloadSaysWhyAndWhatNext(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 80, 24)
		d.signIn("ada")
		d.Press("enter").Expect("row 1 of 42")
		s.Faults.Set(busy())
		d.Press("r").Expect("Shown as of", "503", "try again later", "42 shares")
	})
}

// dripping puts a gateway that drips in the place of the one of the demo.
func dripping(s *uitest.Service, body []byte, allowed int) *uitest.Drip {
	d := uitest.NewDrip(body, allowed)
	s.Gateway(d)
	return d
}

// clockwork is a clock that a test moves.
type clockwork struct{ passed atomic.Int64 }

func (c *clockwork) now() time.Time          { return noon.Add(time.Duration(c.passed.Load())) }
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
			golden("picker", "8 of 9 shown", "only nulls")
			d.Press("esc", "e").Press("home").Type("~/")
			golden("export", "Export 200 shares", "sorted by Disk down")
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

func TestTheHelpExplainsTheFilter(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := openLibrary(t, s, uitest.Library(60), 100, 100)
		d.Press("?").Expect("Filters for this list", "Filter syntax", "owner:ann", "created>7d")
	})
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
			d.Expect("4s left")
			d.Golden(fmt.Sprintf("browse/loading-%dx%d", size.width, size.height))

			d.Press("down", "enter").Expect("Share 2", "2 of 100")
			d.Press("esc", "/").Type("name:9").Expect("▌ Share 9 ")
			gateway.Let(uitest.UpTo(t, body, 200))
			d.Expect("loading: 38 of 200 shares")
			d.Press("esc", "b").Expect("Not now: the shares are still arriving")
			d.Press("right", "right", "right", "s").Expect("sorted when all have arrived")
			gateway.Let(uitest.Whole)
			d.Expect("300 shares", "Disk ▲").Gone("loading")
		}))
	}
}

func TestACancelledLoadingKeepsWhatCame(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			body := uitest.Library(200)
			dripping(s, body, uitest.UpTo(t, body, 120))
			d := open(t, s, size.width, size.height)
			d.signIn("ada")
			d.Press("enter").Expect("loading: 120 shares")
			d.Press("esc").Expect("120 shares kept; loading was cancelled", "refreshes.")
			d.Golden(fmt.Sprintf("browse/kept-%dx%d", size.width, size.height))
			d.Press("s").Expect("Name ▲")
		}))
	}
}

func TestAListThatCouldNotBeLoadedSaysSoInItsPane(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := open(t, s, size.width, size.height)
			d.signIn("ada")
			s.Faults.Set(busy())
			d.Press("enter").Expect("Could not get the shares", "503")
			d.Golden(fmt.Sprintf("browse/failed-%dx%d", size.width, size.height))
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
			d.Expect("cut off after", "inside record 121", "complete")
			d.Golden(fmt.Sprintf("browse/cut-%dx%d", size.width, size.height))
			d.Press("e").Expect("Export 120 shares", "of an incomplete answer")
			d.Press("esc")
			gateway.Let(uitest.Whole)
			d.Press("r").Expect("200 shares").Gone("cut off")
		}))
	}
}
