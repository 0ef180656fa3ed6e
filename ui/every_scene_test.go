package ui

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// takeActions are the actions of a screen, which must not have keys of their own, nor be live
// where the key map says that they never meet, and whose descriptions say the title exactly where they
// are told to.
func (d *driver) takeActions() (ids []screen.ActionID) {
	d.t.Helper()
	actions := d.model.root.collectActions()
	for _, a := range Keys().Fill(slices.Clone(actions)) {
		if says := saysTitle(a.Title, a.Description); says != a.SaysTitle {
			d.t.Errorf("%s: says its title: %t, marked so: %t: %q, %q", Keys().Entry(a.ID).Name(), says, a.SaysTitle, a.Title, a.Description)
		}
	}
	for _, a := range actions {
		ids = append(ids, a.ID)
		e := Keys().Entry(a.ID)
		if e == nil {
			d.t.Errorf("the key map lacks the action %d", a.ID)
			continue
		}
		if a.Enabled() && a.Run == nil {
			d.t.Errorf("%s can be done, but does nothing", e.Name())
		}
		if len(a.Keys) > 0 {
			d.t.Errorf("%s brings keys of its own: %s", e.Name(), strings.Join(a.Keys, " "))
		}
		never := func(other screen.ActionID) bool { return !Keys().CanMeet(a.ID, other) }
		if at := slices.IndexFunc(ids, never); at >= 0 {
			d.t.Errorf("%s meets %s", e.Name(), Keys().Entry(ids[at]).Name())
		}
	}
	return ids
}

// saysTitle reports whether a description begins with the words of a title.
func saysTitle(title, description string) bool {
	rest, begins := strings.CutPrefix(strings.ToLower(description), strings.ToLower(title))
	next, _ := utf8.DecodeRuneInString(rest)
	return begins && !unicode.IsLetter(next)
}

func TestTheTableMarksDescriptionsThatSayTheTitle(t *testing.T) {
	for e := range Keys().Entries() {
		if says := saysTitle(e.Title, e.Description); says != e.SaysTitle {
			t.Errorf("%s: says its title: %t, marked so: %t: %q, %q", e.Name(), says, e.SaysTitle, e.Title, e.Description)
		}
	}
}

// TestEveryScene goes every way into every scene. There drawing changes nothing, the clock draws
// the same as a full redraw, or a screen that has slept comes back: one of these for each scene, all in
// a long run. There too each key that the help shows does something; a short run presses those of a
// few scenes.
func TestEveryScene(t *testing.T) {
	all := scenes()
	found := make([][]screen.ActionID, len(all)+1)
	tabs := make([]screen.ActionID, len(all))
	t.Run("in the scene", func(t *testing.T) {
		for i, in := range all {
			t.Run(in.name, func(t *testing.T) {
				t.Parallel()
				uitest.Run(t, func(t *testing.T, s *uitest.Service) {
					found[i], tabs[i] = checkScene(t, s, in, i)
				})
			})
		}
	})
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		closed := start(t, Options{Open: neverOpens}, 80, 24)
		closed.Expect("could not be opened")
		found[len(all)] = closed.takeActions()
	})
	for _, tab := range Tabs() {
		if !slices.Contains(tabs, tab.ID) {
			t.Errorf("no scene shows the tab %s; add one to scenes_test.go", tab.Title)
		}
	}
	returned := slices.Concat(found...)
	for e := range Keys().Entries() {
		if !slices.Contains(returned, e.ID) {
			t.Errorf("the key map holds %s, which no screen returns", e.Name())
		}
	}
}

// checkScene returns the actions that a scene offers, and the tab that it shows; "" if none.
func checkScene(
	t *testing.T, s *uitest.Service, in scene, number int,
) (found []screen.ActionID, tab screen.ActionID) {
	checks := []func(d *driver){(*driver).requirePure, func(d *driver) { d.requireSleep(in.name) }}
	for _, way := range in.ways {
		d := in.play(t, s, way)
		found = append(found, d.takeActions()...)
		if inside := d.model.root.domain(); inside != nil {
			tab = inside.pane().ID
		}
		checks[number%len(checks)](d)
		if testkit.Long() {
			checks[(number+1)%len(checks)](in.play(t, s, way))
		}
	}
	if testkit.Long() || number%30 == 0 {
		p := scenePresser{scene: in}
		for _, way := range in.ways {
			p.press(t, s, way)
		}
		for key, id := range p.missing {
			t.Errorf("%s does nothing for %s", key, id)
		}
	}
	return found, tab
}
