package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/action"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// detail is one record, whole.
type detail struct {
	title string
	tree  *tree.Model
}

// newDetail opens a record; the command reads it if it is long.
func newDetail(env *screen.Env, owner screen.Screen, title string, record []byte) (*detail, tea.Cmd) {
	reply := func(work func() tea.Msg) tea.Cmd { return screen.Reply(owner, work) }
	shown, read := tree.Open(env.Context, env.Theme, record, reply)
	shown.Name = title + " as JSON"
	shown.Copy = func(text, what string) tea.Cmd { return env.Tell(screen.Copy{Text: text, What: what}) }
	return &detail{title, shown}, read
}

// actions has the tree's first: while it is searched, esc ends the search.
func (d *detail) actions(back func() tea.Cmd) []action.Action {
	list := d.tree.Actions()
	if d.tree.Typing() {
		return list
	}
	return append(list, action.Action{ID: "detail.close", Run: back})
}
