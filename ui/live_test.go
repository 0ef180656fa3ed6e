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
		if (!typing || a.Typing) && !(over && strings.HasPrefix(a.ID, "root.")) {
			ids = append(ids, a.ID)
		}
	}
	slices.Sort(ids)
	return scene + ": " + strings.Join(slices.Compact(ids), " ") + "\n"
}

// Which keys clash is found by this list: see [screen.KeyMap.Bind].
func TestWhatIsLiveTogetherIsListed(t *testing.T) {
	all := scenes()
	lines := make([][]string, len(all), len(all)+1)
	t.Run("in the scene", func(t *testing.T) {
		for i, in := range all {
			t.Run(in.name, func(t *testing.T) {
				t.Parallel()
				uitest.Run(t, func(t *testing.T, s *uitest.Service) {
					for _, way := range in.ways {
						line := in.play(t, s, way).liveLine(in.name)
						if !slices.Contains(lines[i], line) {
							lines[i] = append(lines[i], line)
						}
					}
				})
			})
		}
	})
	uitest.Run(t, func(t *testing.T, _ *uitest.Service) {
		closed := start(t, Options{Open: neverOpens}, 80, 24)
		closed.Expect("could not be opened")
		lines = append(lines, []string{closed.liveLine("session that cannot be opened")})
	})
	testkit.Section(t, "ui/screen/live.txt", "live", strings.Join(slices.Concat(lines...), ""))
}
