package ui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
	"gatehouse/ui/traffic"
)

// theKey is the visitor's.
var theKey = session.Key{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}

// connect opens the UI as a visitor whose session can be kept, as often as the test likes.
func connect(t testing.TB, s *uitest.Service, k *uitest.Keeper, width, height int) *driver {
	t.Helper()
	vault := k.Connect(profile(t, s))
	return connectWith(t, s, vault, vault, width, height)
}

func connectWith(t testing.TB, s *uitest.Service, vault session.Vault, places Places, width, height int) *driver {
	t.Helper()
	requests, to := &traffic.Log{}, profile(t, s)
	begun := time.Now()
	now := func() time.Time { return uitest.Noon.Add(time.Since(begun)) }
	opened := session.NewService(session.ServiceOptions{
		Profile: to, Vault: vault, Observe: requests.Add, Now: now, Dial: s.Dial,
	})
	return start(t, Options{
		Activity: requests, Now: now, Remote: true, Key: &theKey, Places: places,
		Open: func(context.Context) (Opened, error) { return Opened{Service: opened}, nil },
	}, width, height)
}

// hangUp ends the connection.
func (d *driver) hangUp() {
	d.Settle()
	d.model.root.close()
}

// signInKeeping signs in and has the session kept.
func (d *driver) signInKeeping(name string) {
	d.t.Helper()
	d.Expect("E-mail").Type(name+"@harbor.example").Press("tab").Type("demo").Press("tab", "space")
	d.Expect("[x] Keep me signed in").Press("enter").Expect("Domains", "primary")
}

func TestAKeptSessionComesBackToItsPlace(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 42")
		d.Press("/").Type("o").Press("enter", "s", "down", "down", "down").Expect("row 4 of")
		before := rowUnderCursor(d)
		d.hangUp()

		d = connect(t, s, k, 100, 30)
		d.Expect("Signed in as ada@harbor.example from your last visit.", "/ o", "row 4 of")
		if got := rowUnderCursor(d); got != before {
			t.Errorf("the row is %q, want %q", got, before)
		}
		d.Press("esc", "esc").Expect("primary")
	})
}

func TestTheCompaniesComeBackWhenTheirKeyIsTypedAgain(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		key, reseller := s.Env["GATEHOUSE_API_KEY"], s.Env["GATEHOUSE_RESELLER_ID"]
		delete(s.Env, "GATEHOUSE_API_KEY")
		delete(s.Env, "GATEHOUSE_RESELLER_ID")
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 42").Press("2").Expect("Reseller id")
		d.Press("enter").Type(reseller).Press("tab").Type(key).Press("enter").Expect("row 1 of 25")
		d.Press("/").Type("o").Press("enter", "down").Expect("row 2 of").Settle()
		before := rowUnderCursor(d)
		d.hangUp()
		if place, _ := k.Place(profile(t, s)); strings.Contains(place, key) || !strings.Contains(place, reseller) {
			t.Errorf("the place is %s", place)
		}
		for range 2 { // also after one who did not type it
			d = connect(t, s, k, 100, 30)
			d.Expect("from your last visit", reseller).Settle()
			d.hangUp()
		}
		d = connect(t, s, k, 100, 30)
		d.Expect("from your last visit", "API key").Press("enter").Type(key).Press("enter").Expect("/ o", "row 2 of").Settle()
		if got := rowUnderCursor(d); got != before {
			t.Errorf("the row is %q, want %q", got, before)
		}
	})
}

// rowUnderCursor is the line that the cursor is on.
func rowUnderCursor(d *driver) string {
	d.t.Helper()
	lines := strings.Split(d.Settle().Frame(), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "▌") })
	if at < 0 {
		d.t.Fatalf("there is no cursor in\n%s", d.Frame())
	}
	return strings.TrimSpace(lines[at])
}

// shifted is a gateway with the shares of a library, of which the first are gone.
func shifted(shares, gone int) http.Handler {
	body := string(uitest.Library(shares))
	if gone > 0 {
		at := strings.Index(body, fmt.Sprintf(`{"Id":"%08d-`, gone))
		body = `{"Data":[` + body[at:]
	}
	return uitest.NewDrip([]byte(body), uitest.Whole)
}

func TestTheRowIsFoundInAnotherAnswer(t *testing.T) {
	for _, c := range []struct {
		name  string
		after http.Handler
		want  string
	}{
		{"the same", shifted(300, 0), "Share 6 "},
		{"others are gone before it", shifted(300, 3), "Share 6 "},
		{"it is gone", shifted(300, 100), "Share 106 "},
		{"there are fewer", shifted(2, 0), "Share 2 "},
		{"there are none", shifted(0, 0), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				k := uitest.NewKeeper(t)
				s.Gateway(shifted(300, 0))
				d := connect(t, s, k, 100, 30)
				d.signInKeeping("ada")
				d.Press("enter").Expect("row 1 of 300").Press("down", "down", "down", "down", "down").Expect("row 6 of")
				d.hangUp()
				s.Gateway(c.after)
				k.Change(profile(t, s), func(r *session.Record) { r.BaseURL = s.Env["GATEHOUSE_BASE_URL"] })
				d = connect(t, s, k, 100, 30)
				d.Expect("from your last visit").Settle()
				if c.want == "" {
					d.Expect("Nothing is shared")
				} else if got := rowUnderCursor(d); !strings.Contains(got, c.want) {
					t.Errorf("the row is %q, want %q", got, c.want)
				}
			})
		})
	}
}

func TestTheRowIsFoundInASortedListThatArrivesSlowly(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k, library := uitest.NewKeeper(t), uitest.Library(3000)
		drip := uitest.NewDrip(library, uitest.Whole)
		s.Gateway(drip)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 3,000")
		d.Press("/").Type("share").Press("enter", "s", "s", "down", "down").Expect("row 3 of").Settle()
		before := rowUnderCursor(d)
		d.hangUp()
		for _, shares := range []int{60, 700, 2000, 0} {
			if shares == 0 {
				drip.Let(uitest.Whole)
				d.Expect("row 3 of 3,000")
				break
			}
			drip.Let(uitest.UpTo(t, library, shares))
			if shares == 60 {
				d = connect(t, s, k, 100, 30)
			}
			d.Expect("Share 1").Pass(time.Second)
		}
		if got := rowUnderCursor(d); got != before {
			t.Errorf("the row is %q, want %q", got, before)
		}
	})
}

func TestAPersonWhoMovesIsNotMovedBack(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		drip := uitest.NewDrip(uitest.Library(300), uitest.Whole)
		s.Gateway(drip)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 300").Press("G").Expect("row 300 of")
		d.hangUp()
		drip.Let(uitest.UpTo(t, uitest.Library(300), 100))
		d = connect(t, s, k, 100, 30)
		d.Expect("loading: 100 shares").Press("down", "down")
		drip.Let(uitest.Whole)
		d.Expect("row 3 of 300")
	})
}

func TestThePlaceIsSavedAWhileAfterItChangesAndNotMoreOften(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 42")
		d.Pass(time.Minute)
		_, before := k.Place(profile(t, s))
		for range 20 {
			d.Press("down").Pass(100 * time.Millisecond)
		}
		d.Pass(10 * time.Second)
		place, after := k.Place(profile(t, s))
		if after != before+1 || !strings.Contains(place, `"row":20`) {
			t.Errorf("saved %d times: %s", after-before, place)
		}
		d.Pass(time.Hour)
		d.hangUp()
		if _, saves := k.Place(profile(t, s)); saves != after {
			t.Errorf("saved %d times though nothing changed", saves-after)
		}
	})
}

func TestAPlaceThatCannotBeSavedDisturbsNobody(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 42")
		k.Away(errors.New("connection refused"))
		d.Press("down").Pass(time.Minute).Expect("row 2 of 42")
		if strings.Contains(d.Frame(), "session store") {
			t.Errorf("the person is told:\n%s", d.Frame())
		}
		k.Away(nil)
		d.Press("down").Pass(time.Minute)
		if place, _ := k.Place(profile(t, s)); !strings.Contains(place, `"row":2`) {
			t.Errorf("it was not saved when the store was back: %s", place)
		}
		d.hangUp()
	})
}

// unreadable are places that can be saved and not read.
type unreadable struct{ Places }

func (unreadable) LoadPlace(context.Context) ([]byte, error) {
	return nil, errors.New("it took too long")
}

func TestAPlaceThatCannotBeReadStays(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of 42").Press("down").Pass(time.Minute)
		d.hangUp()
		before, saves := k.Place(profile(t, s))

		vault := k.Connect(profile(t, s))
		d = connectWith(t, s, vault, unreadable{vault}, 100, 30)
		d.Expect("4 domains").Press("down").Pass(time.Minute)
		d.hangUp()
		if place, after := k.Place(profile(t, s)); place != before || after != saves {
			t.Errorf("it was %s and is %s", before, place)
		}
	})
}

func TestASessionThatIsNotKeptLeavesNoPlace(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.goInto("ada")
		d.Press("esc", "esc").Expect("quit and lose this session (not kept for your key)").Press("esc")
		d.Pass(time.Minute)
		d.hangUp()
		if place, saves := k.Place(profile(t, s)); place != "" || saves != 0 || k.Kept() {
			t.Errorf("it is kept: %q", place)
		}
		connect(t, s, k, 100, 30).Expect("E-mail", "[ ] Keep me signed in")
	})
}

func TestSigningOutForgetsTheKeptSession(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.Press("esc", "o").Expect("E-mail", "[ ] Keep me")
		d.hangUp()
		if place, _ := k.Place(profile(t, s)); k.Kept() || place != "" {
			t.Errorf("something is kept: %v %q", k.Kept(), place)
		}
	})
}

func TestAKeyForgetsTheKeptSession(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		keptToken()(d, s)
		k.Away(errors.New("down"))
		d.Press("F").Expect("The kept session could not be forgotten.")
		k.Away(nil)
		d.Press("F").Expect("You stay signed in", "memory only, lost when you leave; sign in again to keep it")
		if k.Kept() {
			t.Error("it is kept")
		}
		d.Press("q", "q", "q").Expect("quit and lose this session")
	})
}

func TestAStoreThatIsAwayLeavesTheForm(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		k := uitest.NewKeeper(t)
		d := connect(t, s, k, 100, 30)
		d.signInKeeping("ada")
		d.hangUp()
		k.Away(errors.New("connection refused"))
		d = connect(t, s, k, 100, 30)
		d.Expect("A session may be kept for your key.", "session store", "tries again")
		d.Press("ctrl+r").Expect("session store", "E-mail")
		k.Away(nil)
		d.Press("ctrl+r").Expect("from your last visit")
		d.hangUp()

		k.Away(errors.New("connection refused"))
		d = connect(t, s, k, 100, 30)
		d.Expect("session store").Type("ben@harbor.example").Press("tab").Type("demo").Press("enter").Expect("ben@harbor.example", "2 domains")
		d.hangUp()
	})
}

func TestAPlaceOfAnotherAccountIsNotShown(t *testing.T) {
	now := session.Status{Username: "ada@harbor.example", Authority: "main", Claims: session.Claims{PrimaryDomain: "harbor.example"}}
	for _, c := range []struct {
		stored string
		ok     bool
		domain string
	}{
		{`{"version":1,"username":"ada@harbor.example","authority":"main","domain":"harbor.example","tab":"root.tab4","list":{}}`, true, "harbor.example"},
		{`{"version":1,"username":"ben@harbor.example","authority":"main","domain":"harbor.example"}`, false, ""},
		{`{"version":1,"username":"ada@harbor.example","authority":"test","domain":"harbor.example"}`, false, ""},
		{`{"version":2,"username":"ada@harbor.example","authority":"main"}`, false, ""},
		{`{"version":1,"username":"ada@harbor.example","authority":"main","domain":"evil.example"}`, false, ""},
		{`{"version":1,"username":"ada@harbor.example","authority":"main"}` + strings.Repeat(" ", maxPlace), false, ""},
		{`[]`, false, ""},
		{``, false, ""},
	} {
		if p, ok := readPlace([]byte(c.stored), now); ok != c.ok || p.Domain != c.domain {
			t.Errorf("%.120s: %v %+v", c.stored, ok, p)
		}
	}
}

func FuzzPlace(f *testing.F) {
	f.Add([]byte(`{"version":1,"username":"ada@harbor.example","authority":"main","domain":"harbor.example","tab":"root.tab1","list":{"filter":"size>1","sort":[{"column":"Name"}],"row":3,"record":"a"}}`))
	f.Add([]byte(`{"version":1,"username":"ADA@harbor.example","authority":"main","tab":"\u001b[2J","list":{"filter":"\u202e\u0007","row":-9,"record":"\" or 1"}}`))
	now := session.Status{Username: "ada@harbor.example", Authority: "main", Claims: session.Claims{PrimaryDomain: "harbor.example"}}
	f.Fuzz(func(t *testing.T, stored []byte) {
		p, ok := readPlace(stored, now)
		if !ok {
			return
		}
		if p.Domain != "" && p.Domain != "harbor.example" || p.List.Row < 0 || strings.ContainsAny(p.List.Filter+p.List.Record+p.Tab, "\x00\x07\x1b\u202e\n") {
			t.Errorf("%q is trusted: %+v", stored, p)
		}
		text := p.encode()
		if again, ok := readPlace(text, now); len(text) > maxPlace || len(text) > 0 && !ok {
			t.Errorf("%q does not come back: %+v", text, again)
		}
	})
}
