package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// overlay lies over the screen and owns keyboard and mouse while it does.
type overlay interface {
	actions(r *root) []screen.Action
	view(theme *styles.Theme, width, height int) string
}

// typist is an overlay with a field: keys that no action takes are text for it.
type typist interface{ update(msg tea.Msg) tea.Cmd }

// pointed is an overlay that takes the mouse, as [screen.MouseHandler].
type pointed interface {
	click(r *root, x, y int) tea.Cmd
	wheel(lines int)
}

// overlay is the uppermost one, or nil.
func (r *root) overlay() overlay {
	if len(r.overlays) == 0 {
		return nil
	}
	return r.overlays[len(r.overlays)-1]
}

// cover lays something over what is shown.
func (r *root) cover(o overlay) tea.Cmd {
	r.overlays = append(r.overlays, o)
	return nil
}

// uncover takes the uppermost overlay away.
func (r *root) uncover() tea.Cmd {
	r.overlays = r.overlays[:len(r.overlays)-1]
	return nil
}
