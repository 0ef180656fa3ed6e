package ui

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/ui/screen"
)

// live are the actions that can be done, as the help lists them.
func (d *driver) live() []screen.Action {
	d.drain()
	return slices.DeleteFunc(screen.ShownActions(d.model.root.actions(), d.model.root.typing()), func(a screen.Action) bool { return !a.Enabled() })
}

// does reports whether a key does something: the frame changes, work begins, or
// the program ends.
func (d *driver) does(key string) bool {
	d.drain()
	before := d.frame()
	_, cmd := d.model.Update(keyPress(key))
	return cmd != nil || d.frame() != before
}

// stays reports that an action shows the tab that is shown already.
func (d *driver) stays(id string) bool {
	p := d.model.root.place()
	return p != nil && id == tabID(p.active)
}

// stage is a scene in which one key after the other is pressed. It is entered
// again where a key has led to another one.
type stage struct {
	enter func() *driver
	d     *driver // nil: to be entered
	fresh bool
	begun []screen.Action
}

func newStage(enter func() *driver) *stage {
	s := &stage{enter: enter}
	s.set()
	s.begun = s.d.live()
	return s
}

func (s *stage) set() { s.d, s.fresh = s.enter(), true }

// does reports whether the key of an action does something in the scene.
func (s *stage) does(id, key string) bool {
	if s.d == nil {
		s.set()
	}
	done := s.d.stays(id) || s.d.does(key)
	if !done && !s.fresh {
		s.set()
		done = s.d.does(key)
	}
	s.fresh = false
	same := func(a, b screen.Action) bool { return a.ID == b.ID && slices.Equal(a.Keys, b.Keys) }
	if !slices.EqualFunc(s.begun, s.d.live(), same) {
		s.d = nil
	}
	return done
}

// census counts what the screens return.
type census struct {
	mu       sync.Mutex
	returned map[string]bool
}

// take counts the actions of a screen, none of which may have keys of its own.
func (c *census) take(t *testing.T, d *driver) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range d.model.root.offered() {
		c.returned[a.ID] = true
		if len(a.Keys) > 0 {
			t.Errorf("%s brings keys of its own: %s", a.ID, a.KeyNames())
		}
		if screen.DefaultKeys().Key(a.ID) == "" {
			t.Errorf("the key map lacks %s", a.ID)
		}
	}
}

// presser presses the keys of a scene.
type presser struct {
	theatre theatre
	scene   scene
	seen    *census
	missing map[string]string // key: the action that it did nothing for
}

// press goes a way into the scene and presses all its keys, or those that are
// missing.
func (p presser) press(t *testing.T, enter way, all bool) {
	if p.scene.fleeting {
		p.seen.take(t, p.theatre.play(t, p.scene, enter))
		return
	}
	stage := newStage(func() *driver { return p.theatre.play(t, p.scene, enter) })
	p.seen.take(t, stage.d)
	for _, a := range stage.begun {
		for _, key := range a.Keys {
			if _, missing := p.missing[key]; !all && !missing {
				continue
			}
			if stage.does(a.ID, key) {
				delete(p.missing, key)
			} else {
				p.missing[key] = a.ID
			}
		}
	}
}

func TestEveryKeyInTheHelpDoesSomethingAndIsInTheKeyMap(t *testing.T) {
	theatre := newTheatre(t)
	seen := census{returned: map[string]bool{}}
	t.Run("in the scene", func(t *testing.T) {
		for _, scene := range scenes() {
			t.Run(scene.name, func(t *testing.T) {
				t.Parallel()
				missing := map[string]string{} // key: the action that it did nothing for
				s := presser{theatre, scene, &seen, missing}
				for i, way := range scene.ways {
					s.press(t, way, i == 0)
				}
				if len(missing) > 0 { // an answer may have come between a key and the look at it
					for _, way := range scene.ways {
						s.press(t, way, false)
					}
				}
				for key, id := range missing {
					t.Errorf("%s does nothing for %s", key, id)
				}
			})
		}
	})
	closed := start(t, Options{Open: neverOpens}, 80, 24)
	closed.wait("could not be opened")
	seen.take(t, closed)
	for _, id := range screen.DefaultKeys().IDs() {
		if !seen.returned[id] {
			t.Errorf("the key map holds %s, which no screen returns", id)
		}
	}
}

func TestBoundKeysWorkAndAreShown(t *testing.T) {
	bound, err := screen.BindKeys([]config.Binding{
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

func TestSentencesNameTheKeysThatAreBound(t *testing.T) {
	bound, err := screen.BindKeys([]config.Binding{
		{Action: "search.open", Keys: []string{"F"}}, {Action: "results.pick", Keys: []string{"P"}},
		{Action: "compare.all", Keys: []string{"A"}}, {Action: "export.replace", Keys: []string{"Y"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, demoVariables(t), 120, 30)
	d.model.root.env.Keys = bound
	d.twoResults()
	d.press("n")
	d.wait("Not now: nothing is looked for; press F first.")
	d.press("c")
	d.wait("Press A to see all.")
	d.press("esc", "ctrl+r", "c")
	d.wait("Not now: two results are to be picked; press P first.")
	d = open(t, demoVariables(t), 120, 30)
	d.model.root.env.Keys = bound
	exporting("there.har", "enter")(d, nil)
	d.wait("Press Y to replace")
}
