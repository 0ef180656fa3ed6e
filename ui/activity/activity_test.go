package activity

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/traffic"
)

func TestEveryStateLooksAsItShould(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		newDesk(t).golden("empty")
		d := busyDay(t)
		d.golden("list")
		d.press("/")
		d.Type("login2")
		d.golden("filter")
		d.Type("zzz")
		d.golden("filter-nothing")
		d.press("esc", "enter")
		d.golden("detail-note")
		d.press("esc", "j", "enter")
		d.golden("detail-failed")
		d.press("esc", "j", "enter")
		d.golden("detail-json")
		d.press("esc", "j", "enter")
		d.golden("detail-not-kept")
		d.press("esc", "right", "right", "right", "s")
		d.golden("sorted")
		d.press("e")
		d.golden("export")
	})
}

func TestASmallScreenIsEnough(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := busyDay(t)
		check := func(name string, wants ...string) {
			t.Helper()
			frame := d.frame(40, 6)
			for _, want := range wants {
				if !strings.Contains(frame, want) {
					t.Errorf("%s at 40x6 lacks %q:\n%s", name, want, frame)
				}
			}
		}
		check("list", "6 entries", "Trying again", "trouble")
		d.press("e")
		check("export", "Export 4 requests", "File")
		d.press("esc", "j", "enter")
		check("detail", "https://global", "Answer")
	})
}

func TestTheCursorStaysWithTheNewestUntilItIsMoved(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := newDesk(t)
		request := func(n int) {
			x := shares()
			x.Path, x.Start = fmt.Sprint("/", n), at(n)
			d.log.Add(x)
			d.frame(80, 20)
		}
		wants := func(path string) {
			t.Helper()
			if got := d.selected().Exchange.Path; got != path {
				t.Fatalf("the cursor is on %s, want %s", got, path)
			}
		}
		request(1)
		request(2)
		wants("/2")
		d.press("j")
		request(3)
		wants("/1")
		d.press("g")
		wants("/3")
		request(4)
		wants("/4")
	})
}

func TestTheCursorStaysOnItsRequestWhileOldOnesGo(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := newDesk(t)
		for n := range traffic.Kept {
			x := shares()
			x.Path = fmt.Sprint("/", n)
			d.log.Add(x)
		}
		d.frame(80, 20)
		d.press("G", "k") // the last but one
		for range 500 {
			d.log.Add(signIn())
		}
		d.press("g", "G")
		if got := d.selected().Exchange.Path; got != "/500" {
			t.Errorf("the oldest that is remembered is %s", got)
		}
		if got := d.m.Arrived(); got != traffic.Kept {
			t.Errorf("%d entries are remembered", got)
		}
	})
}

func TestAFilterFindsWordsAndColumnsAndASortPutsNotesLast(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := busyDay(t)
		d.press("/")
		d.Type("HARBOR try=2 status<300")
		d.press("enter")
		if frame := d.frame(200, 20); !strings.Contains(frame, "1 of 6 entries") || !strings.Contains(frame, "try 2") {
			t.Errorf("the filter does not find the second try:\n%s", frame)
		}
		d.press("esc", "right", "right")
		column := func() (list []int64) {
			d.press("g")
			for range d.m.Arrived() {
				took := int64(-1)
				if e := d.selected(); e.Exchange != nil {
					took = e.Exchange.Duration.Milliseconds()
				}
				list = append(list, took)
				d.press("j")
			}
			return list
		}
		d.press("s")
		if diff := cmp.Diff([]int64{12, 182, 1200, 30000, -1, -1}, column()); diff != "" {
			t.Errorf("up (-want +got):\n%s", diff)
		}
		d.press("s")
		if diff := cmp.Diff([]int64{30000, 1200, 182, 12, -1, -1}, column()); diff != "" {
			t.Errorf("down (-want +got):\n%s", diff)
		}
	})
}

func TestNothingOfOnePersonIsLeftForAnother(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := busyDay(t)
		d.frame(80, 20)
		d.press("enter")
		d.log.Clear(at(4000))
		for range 6 {
			d.log.Note(at(4500), "of somebody else", false)
		}
		if frame := d.frame(80, 20); !d.onList() || strings.Contains(frame, "login2") {
			t.Fatalf("something is left:\n%s", frame)
		}
		d.log.Clear(at(5000))
		d.log.Add(shares()) // begun before, over now
		if frame := d.frame(80, 20); !strings.Contains(frame, "No entries") {
			t.Fatalf("something is left:\n%s", frame)
		}
		x := signIn()
		x.Start = at(5000)
		d.log.Add(x)
		if frame := d.frame(80, 20); !strings.Contains(frame, "1 entry") {
			t.Fatalf("what comes afterwards is not shown:\n%s", frame)
		}
	})
}

func TestARequestIsCopiedAsACommand(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := busyDay(t)
		d.press("y", "Y", "l", "Y", "l", "Y", "l", "l", "Y", "h", "h", "h", "h", "j", "y", "enter", "y", "Y")
		login := deviceLogin()
		want := []any{
			uitest.Copy{Text: "Trying again in 30s. The service did not answer.", What: "the note"},
			uitest.Copy{Text: "Trying again in 30s. The service did not answer.", What: "Request"},
			uitest.Copy{Text: "trouble", What: "Status"},
			uitest.Say{Text: "Not copied: this entry has no Took."},
			uitest.Copy{Text: "2026-03-02T12:00:33Z", What: "Time"},
			uitest.Copy{Text: curl(&login), What: "the request as a curl command"},
			uitest.Copy{Text: "GET https://global.example.com/login2.aspx?devicename=O'Brien's \x1b[31m 📱&password2=•••&useremail=ada@harbor.example", What: "request"},
			uitest.Copy{Text: curl(&login), What: "the request as a curl command"},
		}
		if diff := cmp.Diff(want, d.Told); diff != "" {
			t.Fatalf("what was copied differs (-want +got):\n%s", diff)
		}
	})
}

func TestTheListedRequestsAreSavedAndNoFileIsReplacedUnasked(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		t.Chdir(t.TempDir())
		const name = "gatehouse-requests-2026-03-02-120000.har"
		if err := os.WriteFile(name, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		d := busyDay(t)
		d.press("/")
		d.Type("shares")
		d.press("enter", "e")
		d.Press("enter").Settle()
		if text, _ := os.ReadFile(name); string(text) != "precious" {
			t.Fatal("the file was replaced without asking")
		}
		d.press("y")
		text, err := os.ReadFile(name)
		if err != nil || strings.Count(string(text), `"request"`) != 2 || !strings.Contains(string(text), "v1.2.3") {
			t.Fatalf("the file holds %s, %v", text, err)
		}
		if frame := d.frame(100, 20); !strings.Contains(frame, "2 of 6 entries") {
			t.Errorf("the list is not there again:\n%s", frame)
		}
	})
}

func TestChangesAreShownTenTimesASecondAtMost(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		d := newDesk(t)
		d.Settle()
		updates := 0
		pass := func(long time.Duration) {
			before := d.m.seen
			if d.Pass(long); d.m.seen != before {
				updates++
			}
		}
		for range 1000 { // for two seconds
			d.log.Add(shares())
			pass(2 * time.Millisecond)
		}
		pass(time.Second)
		if updates < 15 || updates > 21 {
			t.Errorf("%d updates for 1,000 requests in two seconds", updates)
		}
		if _, version, _ := d.log.All(); version != d.m.seen {
			t.Error("the last requests are not shown, though nothing happens any more")
		}
	})
}

func TestAnUnknownCredentialIsNamedAsItIs(t *testing.T) {
	x := &api.Exchange{Credential: "Basic", Form: []api.Pair{hidden("client_secret"), hidden("refresh_token")}, Query: []api.Pair{hidden("sid")}}
	if diff := cmp.Diff([]string{"client secret", "sid", "refresh token"}, Credentials(x)); diff != "" {
		t.Fatalf("the kinds differ (-want +got):\n%s", diff)
	}
}

func TestTheRequestsAreTheNewestFirstWithoutNotes(t *testing.T) {
	log := new(traffic.Log)
	log.Add(api.Exchange{Path: "/first"})
	log.Note(time.Time{}, "a note", false)
	log.Add(api.Exchange{Path: "/second"})
	var paths []string
	for _, x := range log.Requests() {
		paths = append(paths, x.Path)
	}
	if diff := cmp.Diff([]string{"/second", "/first"}, paths); diff != "" {
		t.Error(diff)
	}
}
