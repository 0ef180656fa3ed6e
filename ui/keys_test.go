package ui

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// live are the actions that can be done, as the help lists them.
func (d *driver) live() []screen.Action {
	return slices.DeleteFunc(slices.Collect(screen.ShownActions(d.model.root.actions, d.model.root.typing())), func(a screen.Action) bool { return !a.Enabled() })
}

// does reports whether a key does something: the frame changes, work begins, or
// the program ends. The work is not done.
func (d *driver) does(key string) bool {
	before := textOf(d.model.root.view()) // with styles: some marks are nothing else
	_, cmd := d.model.Update(uitest.Key(d.t, key))
	return cmd != nil || textOf(d.model.root.view()) != before
}

// isShown reports that an action shows the tab that is shown already.
func (d *driver) isShown(id screen.ActionID) bool {
	p := d.model.root.domain()
	return p != nil && id == p.pane().ID
}

// scenePresser presses the keys of one scene. Missing are those that have done
// nothing in any way into it so far, with their actions.
type scenePresser struct {
	scene   scene
	missing map[string]string
}

// press goes one way into the scene and presses each key there, or on a later way
// each that is missing. The scene is entered again for a key after one that led
// elsewhere, and to judge one that does nothing where others were pressed before.
func (p *scenePresser) press(t *testing.T, s *uitest.Service, enter way) {
	d, fresh := p.scene.play(t, s, enter), true
	all := p.missing == nil
	if all {
		p.missing = map[string]string{}
	}
	begun := d.live()
	for _, a := range begun {
		for _, key := range a.Keys {
			if _, missing := p.missing[key]; !all && !missing {
				continue
			}
			done := d.isShown(a.ID) || d.does(key)
			if !done && !fresh {
				d = p.scene.play(t, s, enter)
				done = d.does(key)
			}
			if done {
				delete(p.missing, key)
			} else {
				p.missing[key] = d.model.root.env.Keys.Entry(a.ID).Name()
			}
			if fresh = !slices.EqualFunc(begun, d.live(), sameKeys); fresh {
				d = p.scene.play(t, s, enter)
			}
		}
	}
}

func sameKeys(a, b screen.Action) bool { return a.ID == b.ID && slices.Equal(a.Keys, b.Keys) }

func TestBoundKeysWorkAndAreShown(t *testing.T) {
	bound, err := Keys().Bind([]config.Binding{
		{Action: "browse.sort", Keys: []string{"W"}}, {Action: "root.help", Keys: []string{"f2"}}, {Action: "form.next", Keys: []string{"ctrl+x"}},
		{Action: "root.back", Keys: []string{"f9"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 110, 30)
		d.model.root.env.Keys = bound
		d.Expect("E-mail").Type("ada@harbor.example").Press("ctrl+x").Type("demo").Press("ctrl+x").Expect("4 domains")
		d.Press("enter").Expect("W sort", "f2 keys")
		d.Press("W").Expect("▲").Press("s")
		if strings.Contains(d.Frame(), "▼ by") {
			t.Error("the key of before works as well")
		}
		d.Press("enter").Expect("f9 back")
		d.Press("f9").Expect("W sort")
	})
}

func TestAKeyThatDoesNothingSaysWhatItDoesElsewhere(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		d := open(t, s, 110, 30)
		d.signIn("ada")
		d.Press("b").Expect("b does nothing here. Its use under", ": count the values of the current column")
		d.Press("down", "up").Gone("does nothing here")
		d.Press("enter").Expect("42 shares").Press("m").Expect("m does nothing here.")
		d.Press("3").Expect("Device name").Press("ctrl+o").Expect("Latitude", "enter to fill in the form")
		d.Press("z").Gone("does nothing here") // which is no key anywhere
	})
}
