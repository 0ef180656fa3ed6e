package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/action"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// detail is one record, whole.
type detail struct {
	env   *screen.Env
	title string
	tree  *tree.Model
}

func (d *detail) actions(back func() tea.Cmd) []action.Action {
	return append([]action.Action{
		{ID: "detail.close", Keys: []string{"esc"}, Title: "back", Description: "go back to the list", Run: back},
		{ID: "detail.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the value under the cursor", Run: d.copy},
	}, d.tree.Actions()...)
}

func (d *detail) copy() tea.Cmd {
	path, text := d.tree.Value()
	if path == "" {
		path = d.title + " as JSON"
	}
	return d.env.Tell(screen.Copy{Text: text, What: path})
}
