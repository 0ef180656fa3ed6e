package ui

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/config"
	"gatehouse/ui/action"
	"gatehouse/ui/keymap"
)

// stall stands before the service and, once on, lets everybody wait who asks for
// a path with an end, "" for any.
type stall struct {
	next http.Handler
	on   atomic.Bool
	only string
	// ended lets those go who have waited.
	ended chan struct{}
}

func (s *stall) before(next http.Handler) { s.next = next }

func (s *stall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.on.Load() && strings.HasSuffix(r.URL.Path, s.only) {
		select {
		case <-r.Context().Done():
		case <-s.ended:
		}
		return
	}
	s.next.ServeHTTP(w, r)
}

// scenery is what the scenes play before.
type scenery struct {
	v       variables
	stalled *stall
	shares  *stall // of the shares alone
	ended   *revocation
}

// newScenery puts up a scenery before a service that several share.
func newScenery(t *testing.T, service variables) *scenery {
	released := make(chan struct{})
	s := &scenery{
		v: maps.Clone(service), ended: &revocation{},
		stalled: &stall{ended: released}, shares: &stall{ended: released, only: "/shares"},
	}
	behind(t, s.v, s.stalled)
	behind(t, s.v, s.shares)
	behind(t, s.v, s.ended)
	t.Cleanup(func() { close(released) })
	return s
}

// scene is a situation of the UI and the ways into it: a key of the scene does
// something in at least one of them.
type scene struct {
	name string
	ways []func(d *driver, s *scenery)
}

// keys is a way that is pressed, after ada has gone into her first domain.
func keys(names ...string) func(*driver, *scenery) {
	return func(d *driver, _ *scenery) {
		d.goInto("ada")
		d.press(names...)
	}
}

// scenes are all situations of the UI that differ in what can be done.
func scenes() []scene {
	return []scene{
		{"sign in", []func(*driver, *scenery){
			func(d *driver, _ *scenery) { d.wait("E-mail"); d.write("ada@harbor.example") },
			func(d *driver, _ *scenery) { d.wait("E-mail"); d.write("ada@harbor.example"); d.press("tab") },
		}},
		{"signing in", []func(*driver, *scenery){func(d *driver, s *scenery) {
			d.wait("E-mail")
			d.write("ada@harbor.example")
			d.press("tab")
			s.stalled.on.Store(true)
			d.submit()
			d.wait("signing in")
		}}},
		{"sign in again", []func(*driver, *scenery){func(d *driver, _ *scenery) {
			d.signIn("ada")
			d.press("down", "S")
			d.wait("Password")
			d.press("shift+tab")
		}}},
		{"domains", []func(*driver, *scenery){
			func(d *driver, _ *scenery) { d.signIn("ada"); d.press("down") },
			func(d *driver, _ *scenery) { d.signIn("ada"); d.press("G") },
		}},
		{"domains being asked", []func(*driver, *scenery){func(d *driver, s *scenery) {
			d.wait("E-mail")
			d.write("ada@harbor.example")
			d.press("tab")
			d.wait("Primary domain")
			s.shares.on.Store(true)
			d.submit()
			d.wait("asking 3 gateways")
			d.press("down")
		}}},
		{"addresses", []func(*driver, *scenery){func(d *driver, _ *scenery) { d.signIn("ada"); d.press("o") }, func(d *driver, _ *scenery) { d.signIn("ada"); d.press("o", "down") }}},
		{"domains filtered", []func(*driver, *scenery){func(d *driver, _ *scenery) { d.signIn("ada"); d.press("/"); d.write("a"); d.press("enter", "down") }}},
		{"shares", []func(*driver, *scenery){keys("pgdown", "right")}},
		{"filter of shares", []func(*driver, *scenery){keys("/", "a")}},
		{"shares filtered", []func(*driver, *scenery){keys("/", "a", "enter", "down", "right")}},
		{"shares loading", []func(*driver, *scenery){func(d *driver, s *scenery) {
			d.signIn("ada")
			s.stalled.on.Store(true)
			d.press("enter")
			d.wait("loading")
		}}},
		{"shares of a session that is over", []func(*driver, *scenery){func(d *driver, s *scenery) {
			d.goInto("ada")
			s.ended.on.Store(true)
			d.press("r")
			d.wait("Password", "session")
			d.press("esc", "down", "right")
			d.wait("Shown as of")
		}}},
		{"a share", []func(*driver, *scenery){keys("enter", "-", "down", "down", "down", "down", "down", "down"), keys("enter", "down", "down"), keys("enter", "G")}},
		{"columns of shares", []func(*driver, *scenery){keys("c", "down", "down"), keys("c", "down", "space", ">", "down"), keys("c", "pgdown", "/", "n", "enter")}},
		{"values of shares", []func(*driver, *scenery){
			func(d *driver, _ *scenery) { d.countValues(); d.press("down") },
			func(d *driver, _ *scenery) { d.countValues(); d.press("/", "1", "enter", "down") },
		}},
		{"finding values of shares", []func(*driver, *scenery){func(d *driver, _ *scenery) { d.countValues(); d.press("/", "1") }}},
		{"export of shares", []func(*driver, *scenery){keys("e"), keys("e", "shift+tab")}},
		{"shares exported", []func(*driver, *scenery){func(d *driver, _ *scenery) { d.export(d.t.TempDir()); d.wait("Wrote") }}},
		{"shares exported again", []func(*driver, *scenery){func(d *driver, _ *scenery) {
			dir := d.t.TempDir()
			d.export(dir)
			d.wait("Wrote")
			d.press("esc", "e", "home")
			d.write(dir + "/")
			d.press("enter")
			d.wait("Replace it?")
		}}},
		{"companies", []func(*driver, *scenery){func(d *driver, _ *scenery) {
			d.goInto("ada")
			d.press("2")
			d.wait("25 companies")
			d.press("pgdown", "up", "right")
		}}},
		{"form of companies", []func(*driver, *scenery){func(d *driver, _ *scenery) {
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
		{"form of a device login", []func(*driver, *scenery){keys("3", "tab")}},
		{"form let go of", []func(*driver, *scenery){keys("3", "esc")}},
		{"device login under way", []func(*driver, *scenery){func(d *driver, s *scenery) {
			d.goInto("ada")
			s.stalled.on.Store(true)
			d.deviceLogin()
			d.wait("waiting for")
		}}},
		{"search of a share", []func(*driver, *scenery){keys("enter", "/", "e")}},
		{"share searched", []func(*driver, *scenery){keys("enter", "/", "e", "enter", "-", "down"), keys("enter", "/", "e", "enter", "down", "down", "down")}},
		{"device login answered", []func(*driver, *scenery){
			func(d *driver, _ *scenery) { d.goInto("ada"); d.deviceLogin(); d.wait("U100"); d.press("down", "down") },
			func(d *driver, _ *scenery) { d.goInto("ada"); d.deviceLogin(); d.wait("U100"); d.press("-", "down") },
			func(d *driver, _ *scenery) { d.goInto("ada"); d.deviceLogin(); d.wait("U100") },
		}},
		{"results of device logins", []func(*driver, *scenery){
			func(d *driver, _ *scenery) { d.twoResults(); d.press("ctrl+r", "space", "down") },
			func(d *driver, _ *scenery) { d.twoResults(); d.press("ctrl+r", "space") },
		}},
		{"results compared", []func(*driver, *scenery){
			func(d *driver, _ *scenery) {
				d.twoResults()
				d.press("c")
				d.wait("Nothing differs")
				d.press("a", "pgdown", "down")
			},
			func(d *driver, _ *scenery) { d.twoResults(); d.press("c"); d.wait("Nothing differs"); d.press("a") },
		}},
		{"token", []func(*driver, *scenery){keys("4", "down", "down"), keys("4", "-"), keys("4")}},
		{"activity", []func(*driver, *scenery){keys("5", "down", "right")}},
		{"a request", []func(*driver, *scenery){keys("5", "enter", "-", "down", "down"), keys("5", "enter", "down", "down"), keys("5", "enter", "G")}},
		{"help", []func(*driver, *scenery){
			func(d *driver, s *scenery) {
				keys("?", "down")(d, s)
				d.update(tea.WindowSizeMsg{Width: 60, Height: 12})
				d.press("down", "down", "down")
			},
		}},
		{"palette", []func(*driver, *scenery){keys("ctrl+p", "down"), keys("ctrl+p", "down", "down")}},
		{"leaving", []func(*driver, *scenery){keys("esc", "esc")}},
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

// live are the actions that can be done, as the help lists them.
func (d *driver) live() []action.Action {
	d.drain()
	return slices.DeleteFunc(action.Shown(d.model.root.actions(), d.model.root.typing()), func(a action.Action) bool { return !a.Enabled() })
}

// does reports whether a key does something: the frame changes, work begins, or
// the program ends.
func (d *driver) does(key string) bool {
	d.drain()
	before := d.frame()
	_, cmd := d.model.Update(keyPress(key))
	return cmd != nil || d.frame() != before
}

func TestEveryKeyInTheHelpDoesSomething(t *testing.T) {
	service := demoVariables(t)
	for _, scene := range scenes() {
		t.Run(scene.name, func(t *testing.T) {
			t.Parallel()
			missing := map[string]string{} // key: the action that it did nothing for
			first := true
			for _, way := range scene.ways {
				enter := func() *driver {
					s := newScenery(t, service)
					d := open(t, s.v, 100, 30)
					way(d, s)
					return d
				}
				for _, a := range enter().live() {
					for _, key := range a.Keys {
						if _, known := missing[key]; !first && !known {
							continue
						}
						if d := enter(); d.does(key) || d.stays(a.ID) {
							delete(missing, key)
						} else {
							missing[key] = a.ID
						}
					}
				}
				first = false
			}
			for key, id := range missing {
				t.Errorf("%s does nothing for %s", key, id)
			}
		})
	}
}

// stays reports that an action shows the tab that is shown already.
func (d *driver) stays(id string) bool {
	p := d.model.root.place()
	return p != nil && id == tabID(p.active)
}

func TestTheKeyMapHoldsWhatTheScreensReturn(t *testing.T) {
	returned := map[string]bool{"closed.retry": true, "closed.unsaved": true, "closed.quit": true} // see TestAVaultThatCannotBeOpenedLeavesThreeWays
	service := demoVariables(t)
	for _, scene := range scenes() {
		for _, way := range scene.ways {
			s := newScenery(t, service)
			d := open(t, s.v, 100, 30)
			way(d, s)
			for _, a := range d.model.root.actions() {
				returned[a.ID] = true
				if len(a.Keys) == 0 {
					t.Errorf("%s: %s has no key", scene.name, a.ID)
				}
			}
		}
	}
	known := keymap.Default().IDs()
	elsewhere := regexp.MustCompile(`^export\.(cancel|form|again)$`) // see the tests of the prompt
	for _, id := range known {
		if !returned[id] && !elsewhere.MatchString(id) {
			t.Errorf("the key map holds %s, which no screen returns", id)
		}
	}
}

func TestBoundKeysWorkAndAreShown(t *testing.T) {
	bound, err := keymap.With([]config.Binding{
		{Action: "browse.sort", Keys: []string{"o"}}, {Action: "root.help", Keys: []string{"f2"}}, {Action: "form.next", Keys: []string{"ctrl+n"}},
		{Action: "detail.close", Keys: []string{"x"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, demoVariables(t), 100, 30)
	d.model.root.env.Keys = bound
	d.wait("E-mail")
	d.write("ada@harbor.example")
	d.press("ctrl+n")
	d.write("demo")
	d.press("ctrl+n")
	d.wait("4 domains")
	d.press("enter")
	d.wait("o sort", "f2 keys")
	d.press("o")
	d.wait("↑")
	d.press("s")
	if strings.Contains(d.frame(), "↓ by") {
		t.Error("the key of before works as well")
	}
	d.press("enter")
	d.wait("x back")
	d.click("Shares ›")
	d.wait("o sort")
}
