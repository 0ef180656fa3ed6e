package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// wayBack leads from the list to the record whose link was followed to it.
type wayBack struct {
	run func() tea.Cmd
	// filter is that of the list as the link left it. One that the person types after
	// that is cleared first.
	filter string
}

// followed remembers where a link came from that led to the list as it is now.
func (l *recordList) followed(back func() tea.Cmd) {
	l.back = &wayBack{run: back, filter: l.filter.Text()}
}

// here is the way back to the record under the cursor. Where the list was read anew
// meanwhile, the record may be another or gone, and it leads to the list alone.
func (l *recordList) here() func() tea.Cmd {
	row, ok := l.grid.Selected()
	text, before := l.filter.Text(), l.back
	loading := l.source.job.number
	return func() tea.Cmd {
		l.back = before
		filtered := l.filter.Set(text)
		if !ok || l.source == nil || l.source.job.number != loading {
			return filtered
		}
		return tea.Batch(filtered, l.push(l.newDetail(row)))
	}
}

// withBack adds the way back, if there is one, to what else can be done.
func (l *recordList) withBack(list []screen.Action) []screen.Action {
	switch back := (screen.Action{ID: "browse.back", Run: l.goBack}); {
	case l.back == nil:
		return list
	case l.back.filter == l.filter.Text():
		return slices.Insert(list, 0, back)
	default:
		return append(list, back)
	}
}

// goBack goes back to the record whose link was followed.
func (l *recordList) goBack() tea.Cmd {
	back := l.back
	l.back = nil
	return back.run()
}

// followOpen keeps the cursor on the record that is open over the list, where other rows
// are shown now.
func (l *recordList) followOpen() {
	if open, ok := l.over.(*detail); ok && open.source.job == l.source.job {
		l.grid.Select(open.row)
	}
}
