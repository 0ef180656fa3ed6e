package ui

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// liveLine lists the actions that can be found by a key now. What lies over a list
// may take the keys that work everywhere.
func (d *driver) liveLine(scene string) string {
	over := false
	if inside := d.model.root.domain(); inside != nil {
		_, over = inside.pane().Top().(screen.Overlay)
	}
	typing := d.model.root.typing()
	if typing {
		scene += ", typing"
	}
	ids := []string{}
	for _, a := range d.model.root.actions {
		if (!typing || a.Typing) && !(over && strings.HasPrefix(a.ID, "root.") && a.ID != screen.Back) {
			ids = append(ids, a.ID)
		}
	}
	slices.Sort(ids)
	return scene + ": " + strings.Join(slices.Compact(ids), " ") + "\n"
}

// checked is what a walk through a scene brings to light.
type checked struct {
	lines   []string // of the actions that are live together
	actions []string
}

// take looks at the actions of a screen, which must not have keys of their own.
func (c *checked) take(d *driver, scene string) {
	d.t.Helper()
	if line := d.liveLine(scene); !slices.Contains(c.lines, line) {
		c.lines = append(c.lines, line)
	}
	for _, a := range d.model.root.collectActions() {
		c.actions = append(c.actions, a.ID)
		if len(a.Keys) > 0 {
			d.t.Errorf("%s brings keys of its own: %s", a.ID, strings.Join(a.Keys, " "))
		}
		if Keys().Key(a.ID) == "" {
			d.t.Errorf("the key map lacks %s", a.ID)
		}
	}
}

// TestEveryScene goes every way into every scene. There drawing changes nothing, the clock draws
// what all drawn anew is, or a screen that has slept comes back: one of these for each scene, all in
// a long run. There too each key that the help shows does something; a short run presses those of a
// few scenes. From the actions comes the list of those that can be live together, by which
// clashing keys are found, see [screen.KeyMap.Bind].
func TestEveryScene(t *testing.T) {
	all := scenes()
	found := make([]checked, len(all)+1)
	t.Run("in the scene", func(t *testing.T) {
		for i, in := range all {
			t.Run(in.name, func(t *testing.T) {
				t.Parallel()
				uitest.Run(t, func(t *testing.T, s *uitest.Service) { found[i] = checkScene(t, s, in, i) })
			})
		}
	})
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		closed := start(t, Options{Open: neverOpens}, 80, 24)
		closed.Expect("could not be opened")
		found[len(all)].take(closed, "session that cannot be opened")
	})
	var lines, returned []string
	for _, c := range found {
		lines, returned = append(lines, c.lines...), append(returned, c.actions...)
	}
	for _, id := range Keys().IDs() {
		if !slices.Contains(returned, id) {
			t.Errorf("the key map holds %s, which no screen returns", id)
		}
	}
	testkit.Section(t, "ui/screen/live.txt", "live", strings.Join(lines, ""))
}

func checkScene(t *testing.T, s *uitest.Service, in scene, number int) (found checked) {
	checks := []func(d *driver){(*driver).requirePure, func(d *driver) { d.requireSleep(in.name) }}
	for _, way := range in.ways {
		d := in.play(t, s, way)
		found.take(d, in.name)
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
	return found
}
