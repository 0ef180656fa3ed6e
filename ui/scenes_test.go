package ui

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostile"
	"gatehouse/session"
)

// theatre is where the scenes play: a service, and a session of ada's on it.
type theatre struct {
	v      variables
	record *session.Record
}

func newTheatre(t *testing.T) theatre {
	v, vault := demoVariables(t), session.NewMemoryVault()
	d := openSaved(t, v, vault, 80, 24, func() time.Time { return noon })
	d.signIn("ada")
	record, err := vault.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return theatre{v, record}
}

// play puts up a scenery of its own and goes one way into a scene.
func (h theatre) play(t *testing.T, in scene, enter way) *driver {
	s := newScenery(t, h.v)
	vault := session.NewMemoryVault()
	if !in.signedOut {
		saved := *h.record
		saved.AuthorityURL = s.v["GATEHOUSE_AUTH_URL"]
		if err := vault.Save(t.Context(), &saved); err != nil {
			t.Fatal(err)
		}
	}
	d := openSaved(t, s.v, vault, 100, 30, func() time.Time { return noon })
	d.saved = !in.signedOut
	enter(d, s)
	return d
}

// scenery stands before the service, and lets it fail where a scene wants that.
type scenery struct {
	v      variables
	faults *hostile.Faults
}

func newScenery(t *testing.T, service variables) *scenery {
	v := maps.Clone(service)
	return &scenery{v, behind(t, v)}
}

// stall lets everybody wait from now on.
func (s *scenery) stall() { s.faults.Set(hostile.Rule{Fault: hostile.Silence}) }

// scene is a situation of the UI and the ways into it: a key of the scene does
// something in at least one of them.
type scene struct {
	name string
	ways []way
	// signedOut is set where nobody is signed in at first.
	signedOut bool
	// fleeting is set where the scene may be over at any moment.
	fleeting bool
}

type way func(d *driver, s *scenery)

// keys is a way that is pressed, after ada has gone into her first domain.
func keys(names ...string) way {
	return func(d *driver, _ *scenery) {
		d.goInto("ada")
		d.press(names...)
	}
}

// requests is a way to the list of at least two requests.
func requests(names ...string) way {
	return func(d *driver, _ *scenery) {
		d.goInto("ada")
		d.press("2")
		d.wait("25 companies")
		d.press("5")
		d.press(names...)
	}
}

// exporting is a way to the prompt for a file in a directory of its own.
func exporting(file string, names ...string) way {
	return func(d *driver, s *scenery) {
		directory := d.t.TempDir()
		if err := os.WriteFile(filepath.Join(directory, "there.har"), nil, 0o600); err != nil {
			d.t.Fatal(err)
		}
		requests("e", "ctrl+u")(d, s)
		d.write(filepath.Join(directory, file))
		d.hurry(names...)
	}
}

// scenes are all situations of the UI that differ in what can be done.
func scenes() []scene {
	return []scene{
		{name: "sign in", signedOut: true, ways: []way{
			func(d *driver, _ *scenery) { d.wait("E-mail"); d.write("ada@harbor.example") },
			func(d *driver, _ *scenery) { d.wait("E-mail"); d.write("ada@harbor.example"); d.press("tab") },
		}},
		{name: "signing in", signedOut: true, ways: []way{func(d *driver, s *scenery) {
			d.wait("E-mail")
			d.write("ada@harbor.example")
			d.press("tab")
			s.stall()
			d.submit()
			d.wait("signing in")
		}}},
		{name: "sign in again", ways: []way{func(d *driver, _ *scenery) {
			d.signIn("ada")
			d.press("down", "S")
			d.wait("Password")
			d.press("shift+tab")
		}}},
		{name: "domains", ways: []way{
			func(d *driver, _ *scenery) { d.signIn("ada"); d.press("down") },
			func(d *driver, _ *scenery) { d.signIn("ada"); d.press("G") },
		}},
		{name: "domains being asked", ways: []way{func(d *driver, s *scenery) {
			s.faults.Set(hostile.Rule{Endpoint: hostile.Shares, Fault: hostile.Silence})
			d.wait("asking 3 gateways")
			d.press("down")
		}}},
		{name: "addresses", ways: []way{func(d *driver, _ *scenery) { d.signIn("ada"); d.press("o") }, func(d *driver, _ *scenery) { d.signIn("ada"); d.press("o", "down") }}},
		{name: "domains filtered", ways: []way{func(d *driver, _ *scenery) { d.signIn("ada"); d.press("/"); d.write("a"); d.press("enter", "down") }}},
		{name: "shares", ways: []way{keys("pgdown", "right")}},
		{name: "filter of shares", ways: []way{keys("/", "a")}},
		{name: "shares filtered", ways: []way{keys("/", "a", "enter", "down", "right")}},
		{name: "shares loading", ways: []way{func(d *driver, s *scenery) {
			d.signIn("ada")
			s.stall()
			d.press("enter")
			d.wait("loading")
		}}},
		{name: "shares of a session that is over", ways: []way{func(d *driver, s *scenery) {
			d.goInto("ada")
			revoke(s.faults)
			d.press("r")
			d.wait("Password", "session")
			d.press("esc", "down", "right")
			d.wait("Shown as of")
		}}},
		{name: "a share", ways: []way{keys("enter", "-", "down", "down", "down", "down", "down", "down"), keys("enter", "down", "down"), keys("enter", "G")}},
		{name: "columns of shares", ways: []way{keys("c", "down", "down"), keys("c", "down", "space", ">", "down"), keys("c", "pgdown", "/", "n", "enter")}},
		{name: "values of shares", ways: []way{
			func(d *driver, _ *scenery) { d.countValues(); d.press("down") },
			func(d *driver, _ *scenery) { d.countValues(); d.press("/", "1", "enter", "down") },
		}},
		{name: "finding values of shares", ways: []way{func(d *driver, _ *scenery) { d.countValues(); d.press("/", "1") }}},
		{name: "export of shares", ways: []way{keys("e"), keys("e", "shift+tab")}},
		{name: "shares exported", ways: []way{func(d *driver, _ *scenery) { d.export(d.t.TempDir()); d.wait("Wrote") }}},
		{name: "shares exported again", ways: []way{func(d *driver, _ *scenery) {
			dir := d.t.TempDir()
			d.export(dir)
			d.wait("Wrote")
			d.press("esc", "e", "home")
			d.write(dir + "/")
			d.press("enter")
			d.wait("Replace it?")
		}}},
		{name: "companies", ways: []way{func(d *driver, _ *scenery) {
			d.goInto("ada")
			d.press("2")
			d.wait("25 companies")
			d.press("pgdown", "up", "right")
		}}},
		{name: "form of companies", ways: []way{func(d *driver, _ *scenery) {
			d.goInto("ada")
			d.press("2")
			d.wait("25 companies")
			d.press("i")
			d.wait("Reseller id")
		}, func(d *driver, _ *scenery) {
			d.goInto("ada")
			d.press("2")
			d.wait("25 companies")
			d.press("i", "shift+tab")
			d.wait("Reseller id")
		}}},
		{name: "form of a device login", ways: []way{keys("3", "tab")}},
		{name: "form let go of", ways: []way{keys("3", "esc")}},
		{name: "device login under way", ways: []way{func(d *driver, s *scenery) {
			d.goInto("ada")
			s.stall()
			d.deviceLogin()
			d.wait("waiting for")
		}}},
		{name: "search of a share", ways: []way{keys("enter", "/", "e")}},
		{name: "share searched", ways: []way{keys("enter", "/", "e", "enter", "-", "down"), keys("enter", "/", "e", "enter", "down", "down", "down")}},
		{name: "device login answered", ways: []way{
			func(d *driver, _ *scenery) { d.goInto("ada"); d.deviceLogin(); d.wait("U100"); d.press("down", "down") },
			func(d *driver, _ *scenery) { d.goInto("ada"); d.deviceLogin(); d.wait("U100"); d.press("-", "down") },
			func(d *driver, _ *scenery) { d.goInto("ada"); d.deviceLogin(); d.wait("U100") },
		}},
		{name: "results of device logins", ways: []way{
			func(d *driver, _ *scenery) { d.twoResults(); d.press("ctrl+r", "space", "down") },
			func(d *driver, _ *scenery) { d.twoResults(); d.press("ctrl+r", "space") },
		}},
		{name: "results compared", ways: []way{
			func(d *driver, _ *scenery) {
				d.twoResults()
				d.press("c")
				d.wait("Nothing differs")
				d.press("a", "pgdown", "down")
			},
			func(d *driver, _ *scenery) { d.twoResults(); d.press("c"); d.wait("Nothing differs"); d.press("a") },
		}},
		{name: "token", ways: []way{keys("4", "down", "down"), keys("4", "-"), keys("4")}},
		{name: "activity", ways: []way{requests("down", "right"), requests()}},
		{name: "a request", ways: []way{keys("5", "enter", "-", "down", "down"), keys("5", "enter", "down", "down"), keys("5", "enter", "G")}},
		{name: "form of an export", ways: []way{exporting("new.har")}},
		{name: "export being written", fleeting: true, ways: []way{exporting("new.har", "enter"), exporting("new.har", "enter", "esc")}},
		{name: "export done", ways: []way{func(d *driver, s *scenery) { exporting("new.har", "enter")(d, s); d.wait("copy path") }}},
		{name: "export of a file that exists", ways: []way{func(d *driver, s *scenery) { exporting("there.har", "enter")(d, s); d.wait("Replace it?") }}},
		{name: "export that failed", ways: []way{func(d *driver, s *scenery) { exporting("nowhere/new.har", "enter")(d, s); d.wait("r try again") }}},
		{name: "help", ways: []way{
			func(d *driver, s *scenery) {
				keys("?", "down")(d, s)
				d.update(tea.WindowSizeMsg{Width: 60, Height: 12})
				d.press("down", "down", "down")
			},
		}},
		{name: "palette", ways: []way{keys("ctrl+p", "down"), keys("ctrl+p", "down", "down")}},
		{name: "leaving", ways: []way{keys("esc", "esc")}},
	}
}

// countValues counts those of the second column of ada's shares.
func (d *driver) countValues() {
	d.goInto("ada")
	d.press("right", "b")
	d.wait("only these")
}

// export writes ada's shares to a directory.
func (d *driver) export(dir string) {
	d.goInto("ada")
	d.press("e", "home")
	d.write(dir + "/")
	d.press("enter")
}
