package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/demo"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// scene is a situation of the UI and the ways into it: a key of the scene does
// something in at least one of them.
type scene struct {
	name string
	ways []way
	// signedOut is set where nobody is signed in at first.
	signedOut bool
	// open opens the UI in another way; nil opens it with a vault in memory.
	open func(t testing.TB, s *uitest.Service) *driver
}

type way func(d *driver, s *uitest.Service)

// play starts the UI, with a session of ada's where the scene has one, and goes one
// way into the scene.
func (in scene) play(t testing.TB, s *uitest.Service, enter way) *driver {
	t.Helper()
	s.Faults.Set()
	if in.open != nil {
		d := in.open(t, s)
		enter(d, s)
		return d
	}
	vault := session.NewMemoryVault()
	if !in.signedOut {
		before := session.NewService(session.ServiceOptions{Profile: profile(t, s), Vault: vault, Now: func() time.Time { return uitest.Noon }, Dial: s.Dial})
		defer before.Close()
		if err := before.Session.SignIn(t.Context(), session.SignIn{Username: "ada@harbor.example", Password: secret.New(demo.Password)}); err != nil {
			t.Fatal(err)
		}
	}
	d := openSaved(t, s, vault, 100, 30, func() time.Time { return uitest.Noon })
	d.saved = !in.signedOut
	enter(d, s)
	return d
}

// stall lets everybody wait from now on.
func stall(s *uitest.Service) { s.Faults.Set(hostile.Rule{Fault: hostile.Silence}) }

// keys is a way that is pressed, after ada has gone into her first domain.
func keys(names ...string) way {
	return func(d *driver, _ *uitest.Service) {
		d.goInto("ada")
		d.Press(names...)
	}
}

// requests is a way to the list of at least two requests.
func requests(names ...string) way {
	return func(d *driver, _ *uitest.Service) {
		d.goInto("ada")
		d.Press("2").Expect("25 companies")
		d.Press("5").Press(names...)
	}
}

// exporting is a way to the prompt for a file in a directory of its own.
func exporting(file string, names ...string) way {
	return func(d *driver, s *uitest.Service) {
		directory := d.t.TempDir()
		if err := os.WriteFile(filepath.Join(directory, "there.har"), nil, 0o600); err != nil {
			d.t.Fatal(err)
		}
		requests("e", "ctrl+u")(d, s)
		d.Type(filepath.Join(directory, file)).Hurry(names...)
	}
}

// scenes are all situations of the UI that differ in what can be done.
func scenes() []scene {
	return []scene{
		{name: "sign in", signedOut: true, ways: []way{
			func(d *driver, _ *uitest.Service) { d.Expect("E-mail"); d.Type("ada@harbor.example") },
			func(d *driver, _ *uitest.Service) { d.Expect("E-mail"); d.Type("ada@harbor.example"); d.Press("tab") },
		}},
		{name: "signing in", signedOut: true, ways: []way{func(d *driver, s *uitest.Service) {
			d.Expect("E-mail")
			d.Type("ada@harbor.example").Press("tab")
			stall(s)
			d.submit()
			d.Expect("signing in")
		}}},
		{name: "sign in to be kept", open: visiting, ways: []way{
			func(d *driver, _ *uitest.Service) {
				d.Expect("E-mail").Type("ada@harbor.example").Press("tab").Type("demo").Press("tab")
			},
			func(d *driver, _ *uitest.Service) {
				d.Expect("E-mail").Type("ada@harbor.example").Press("tab").Type("demo")
			},
		}},
		{name: "sign in while the store is away", open: visitingWithout, ways: []way{
			func(d *driver, _ *uitest.Service) { d.Expect("tries").Type("ada@harbor.example") },
			func(d *driver, _ *uitest.Service) { d.Expect("tries").Type("ada@harbor.example").Press("tab") },
		}},
		{name: "kept token", open: visiting, ways: []way{keptToken("down", "down"), keptToken()}},
		{name: "sign in again", ways: []way{func(d *driver, _ *uitest.Service) {
			d.signIn("ada")
			d.Press("down", "ctrl+r").Expect("Password")
			d.Press("shift+tab")
		}}},
		{name: "domains", ways: []way{
			func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("down") },
			func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("G") },
		}},
		{name: "domains being asked", ways: []way{func(d *driver, s *uitest.Service) {
			s.Faults.Set(hostile.Rule{Endpoint: hostile.Shares, Fault: hostile.Silence})
			d.Expect("asking 3 gateways")
			d.Press("down")
		}}},
		{name: "addresses", ways: []way{func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("o") }, func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("o", "down") }}},
		{name: "domains filtered", ways: []way{func(d *driver, _ *uitest.Service) {
			d.signIn("ada")
			d.Press("/").Type("a").Press("enter", "down")
		}}},
		{name: "shares", ways: []way{keys("pgdown", "right")}},
		{name: "filter of shares", ways: []way{keys("/", "a")}},
		{name: "filters of shares recalled", ways: []way{keys("/", "a", "enter", "esc", "/", "e", "enter", "esc", "/", "up")}},
		{name: "filter of shares misunderstood", ways: []way{func(d *driver, s *uitest.Service) {
			keys("/")(d, s)
			d.Type("dusk>1GB").Expect("did you mean disk?")
		}}},
		{name: "shares filtered", ways: []way{keys("/", "a", "enter", "down", "right")}},
		{name: "shares marked", ways: []way{
			func(d *driver, _ *uitest.Service) { keys("space", "space", "right")(d, nil); d.Expect("2 marked,") },
			func(d *driver, _ *uitest.Service) {
				keys("space", "down", "space", "pgdown")(d, nil)
				d.Expect("2 marked,")
			},
		}},
		{name: "shares loading", ways: []way{func(d *driver, s *uitest.Service) {
			d.signIn("ada")
			stall(s)
			d.Press("enter").Expect("loading")
		}}},
		{name: "shares of a session that is over", ways: []way{func(d *driver, s *uitest.Service) {
			d.goInto("ada")
			revoke(&s.Faults)
			d.Press("r").Expect("Password", "session")
			d.Press("esc", "down", "right").Expect("from 12:00:00.")
		}}},
		{name: "shares that are refused", ways: []way{func(d *driver, _ *uitest.Service) {
			d.signIn("ada")
			d.Press("G", "enter").Expect("forbidden")
		}}},
		{name: "a share", ways: []way{keys("enter", "pgdown", "up"), keys("enter", "down", "down"), keys("enter", "G")}},
		{name: "a share as a tree", ways: []way{
			keys("enter", "t", "-", "down", "down", "down", "down", "down", "down"), keys("enter", "t", "down", "down"), keys("enter", "t", "G"),
		}},
		{name: "columns of shares", ways: []way{keys("c", "down", "down"), keys("c", "down", "space", ">", "down"), keys("c", "pgdown", "/", "n", "enter")}},
		{name: "values of shares", ways: []way{
			func(d *driver, _ *uitest.Service) { d.countValues(); d.Press("down") },
			func(d *driver, _ *uitest.Service) { d.countValues(); d.Press("/", "1", "enter", "down") },
		}},
		{name: "export of shares", ways: []way{keys("e"), keys("e", "shift+tab")}},
		{name: "shares exported again", ways: []way{func(d *driver, _ *uitest.Service) {
			dir := d.t.TempDir()
			d.export(dir)
			d.Expect("Wrote")
			d.Press("e", "home").Type(dir + "/").Press("enter").Expect("Replace it?")
		}}},
		{name: "companies", ways: []way{func(d *driver, _ *uitest.Service) {
			d.goInto("ada")
			d.Press("2").Expect("25 companies")
			d.Press("pgdown", "up", "right")
		}}},
		{name: "company that a link led to", ways: []way{func(d *driver, _ *uitest.Service) {
			d.goInto("ada")
			d.Press("enter").Expect("1 of 42")
			d.follow("enter company")
			d.Expect("1 of 25 companies")
			d.Press("right")
		}, func(d *driver, _ *uitest.Service) {
			d.goInto("ada")
			d.Press("2").Expect("25 companies").Press("down", "down", "right", "enter").Expect("3 of 25")
			d.follow("enter companies")
			d.Expect("row 1 of 25").Press("pgdown", "up", "right")
		}}},
		{name: "form of companies", ways: []way{func(d *driver, _ *uitest.Service) {
			d.goInto("ada")
			d.Press("2").Expect("25 companies")
			d.Press("i").Expect("Reseller id")
		}, func(d *driver, _ *uitest.Service) {
			d.goInto("ada")
			d.Press("2").Expect("25 companies")
			d.Press("i", "shift+tab").Expect("Reseller id")
		}}},
		{name: "form of a device login", ways: []way{keys("3", "enter")}},
		{name: "form left", ways: []way{keys("3", "enter", "esc")}},
		{name: "device login under way", ways: []way{func(d *driver, s *uitest.Service) {
			d.goInto("ada")
			stall(s)
			d.deviceLogin()
			d.Expect("waiting for")
		}}},
		{name: "search of a share", ways: []way{keys("enter", "/", "e")}},
		{name: "share searched", ways: []way{keys("enter", "/", "e", "enter", "-", "down"), keys("enter", "/", "e", "enter", "down", "down", "down")}},
		{name: "device login answered", ways: []way{
			func(d *driver, _ *uitest.Service) {
				d.goInto("ada")
				d.deviceLogin()
				d.Expect("U100")
				d.Press("down", "down")
			},
			func(d *driver, _ *uitest.Service) {
				d.goInto("ada")
				d.deviceLogin()
				d.Expect("U100")
				d.Press("-", "down")
			},
			func(d *driver, _ *uitest.Service) { d.goInto("ada"); d.deviceLogin(); d.Expect("U100") },
		}},
		{name: "results of device logins", ways: []way{
			func(d *driver, _ *uitest.Service) { d.twoResults(); d.Press("ctrl+l", "space", "down") },
			func(d *driver, _ *uitest.Service) { d.twoResults(); d.Press("ctrl+l", "space") },
		}},
		{name: "results compared", ways: []way{
			func(d *driver, _ *uitest.Service) {
				d.twoResults()
				d.Press("c").Expect("No differences")
				d.Press("a", "pgdown", "down")
			},
			func(d *driver, _ *uitest.Service) {
				d.twoResults()
				d.Press("c").Expect("No differences")
				d.Press("a")
			},
		}},
		{name: "token", ways: []way{keys("4", "down", "down"), keys("4", "-"), keys("4")}},
		{name: "activity", ways: []way{requests("down", "right"), requests()}},
		{name: "a request", ways: []way{keys("5", "enter", "-", "down", "down"), keys("5", "enter", "down", "down"), keys("5", "enter", "G")}},
		{name: "form of an export", ways: []way{exporting("new.har")}},
		{name: "export being written", ways: []way{exporting("new.har", "enter")}},
		{name: "export of a file that exists", ways: []way{func(d *driver, s *uitest.Service) { exporting("there.har", "enter")(d, s); d.Expect("Replace it?") }}},
		{name: "export that failed", ways: []way{func(d *driver, s *uitest.Service) {
			exporting("nowhere/new.har", "enter")(d, s)
			d.Expect("directory does not exist")
		}}},
		{name: "form of a check", ways: []way{
			func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("i").Expect("Who cannot get in?") },
			func(d *driver, _ *uitest.Service) { d.signIn("ada"); d.Press("i", "ctrl+o", "tab") },
		}},
		{name: "earlier reports", ways: []way{
			func(d *driver, _ *uitest.Service) { d.checkThrice(); d.Press("esc", "ctrl+l") },
			func(d *driver, _ *uitest.Service) { d.checkThrice(); d.Press("esc", "ctrl+l", "down") },
		}},
		{name: "an address being checked", ways: []way{
			func(d *driver, s *uitest.Service) { d.stalledCheck(s) },
			func(d *driver, s *uitest.Service) { d.stalledCheck(s); d.Press("down") },
		}},
		{name: "an address checked", ways: []way{
			func(d *driver, _ *uitest.Service) {
				d.signIn("ada")
				d.checkAddress()
				d.Expect("checks in")
				d.Press("g", "down")
			},
			func(d *driver, _ *uitest.Service) {
				d.signIn("ada")
				d.checkAddress()
				d.Expect("checks in")
				d.Press("g")
			},
		}},
		{name: "reports to compare with", ways: []way{
			func(d *driver, _ *uitest.Service) { d.checkThrice(); d.Press("v", "down") },
			func(d *driver, _ *uitest.Service) { d.checkThrice(); d.Press("v") },
		}},
		{name: "addresses being checked", ways: []way{
			func(d *driver, _ *uitest.Service) { d.checkMany(); d.Press("down", "right") },
			func(d *driver, _ *uitest.Service) { d.checkMany(); d.Press("home", "right") }, // the row below may not be there yet
		}},
		{name: "stopping to check addresses", ways: []way{func(d *driver, _ *uitest.Service) { d.checkMany(); d.Press("esc").Expect("Stop checking?") }}},
		{name: "addresses checked", ways: []way{func(d *driver, _ *uitest.Service) { d.checkMany(); d.Gone("checking").Press("down", "right") }}},
		{name: "addresses checked before", ways: []way{func(d *driver, _ *uitest.Service) {
			d.checkMany()
			d.Gone("checking").Press("esc").Expect("Earlier").Press("ctrl+l", "enter").Gone("Who cannot").Gone("checking")
			d.Press("down", "right")
		}}},
		{name: "the card of a row", ways: []way{
			func(d *driver, _ *uitest.Service) {
				d.checkMany()
				d.Gone("checking").Press("down", "enter").Expect("checks in")
			},
			func(d *driver, _ *uitest.Service) {
				d.checkMany()
				d.Gone("checking").Press("down", "enter").Expect("checks in").Press("down")
			},
		}},
		{name: "one check", ways: []way{
			func(d *driver, _ *uitest.Service) {
				d.signIn("ada")
				d.checkAddress()
				d.Expect("checks in")
				d.Press("g", "down", "enter")
			},
			func(d *driver, _ *uitest.Service) {
				d.signIn("ada")
				d.checkAddress()
				d.Expect("checks in")
				d.Press("g", "down", "enter", "down")
			},
		}},
		{name: "help", ways: []way{
			func(d *driver, s *uitest.Service) {
				keys("?", "down")(d, s)
				d.Resize(60, 12).Press("down", "down", "down")
			},
		}},
		{name: "palette", ways: []way{keys("ctrl+p", "down"), keys("ctrl+p", "down", "down")}},
		{name: "leaving", ways: []way{keys("esc", "esc")}},
	}
}

// visiting opens the UI for a visitor whose session can be kept.
func visiting(t testing.TB, s *uitest.Service) *driver {
	return connect(t, s, uitest.NewKeeper(t), 100, 30)
}

// visitingWithout is visiting while the store is away.
func visitingWithout(t testing.TB, s *uitest.Service) *driver {
	k := uitest.NewKeeper(t)
	k.Away(errors.New("connection refused"))
	return connect(t, s, k, 100, 30)
}

// keptToken is a way to the token of a kept session, and by keys from there.
func keptToken(names ...string) way {
	return func(d *driver, _ *uitest.Service) {
		d.signInKeeping("ada")
		d.Press("enter").Expect("row 1 of")
		d.Press("4").Press(names...)
	}
}

// checkAddress checks the address of who is signed in.
func (d *driver) checkAddress() { d.Press("i").Type("ada").Press("enter") }

// checkThrice checks the address of who is signed in, and twice again.
func (d *driver) checkThrice() {
	d.signIn("ada")
	d.checkAddress()
	d.Expect("checks in")
	for range 2 {
		d.Press("r").Expect("Nothing has changed since")
	}
}

// checkMany checks addresses, of which some are known and some are not yet.
func (d *driver) checkMany() {
	d.signIn("ada")
	d.Press("i")
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "p%d@harbor.example\r", i) // as most terminals send the end of a line
	}
	d.Paste(text.String()).Expect("checking: ", "p2@harbor.example")
}

// stalledCheck checks an address while nobody answers.
func (d *driver) stalledCheck(s *uitest.Service) {
	d.signIn("ada")
	stall(s)
	d.checkAddress()
	d.Expect("Checking", "waiting for")
}

// countValues counts those of the second column of ada's shares.
func (d *driver) countValues() {
	d.goInto("ada")
	d.Press("right", "b").Expect("show only")
}

// export writes ada's shares to a directory.
func (d *driver) export(dir string) {
	d.goInto("ada")
	d.Press("e", "home").Type(dir + "/").Press("enter")
}
