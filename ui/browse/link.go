package browse

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// link is how a list was reached from a record, over which it stands. The zero link is of a
// list that is a tab.
type link struct {
	followed bool
	// filter is what the link filters by. One that the person types after that is cleared
	// before esc leads back to the record.
	filter string
}

// linked is the list that the link of a record leads to: the records of the same list that
// have something in common.
type linked struct{ *List }

// related puts the records that a term finds over a screen.
func (l *List) related(over screen.Screen, term string) tea.Cmd {
	if l.job != nil {
		return l.env.Root.Say("Not now: "+l.stillComing()+".", false)
	}
	s := &linked{}
	s.List = NewList(l.env, s, l.options)
	s.of, s.ofWhole = l.of, l.ofWhole
	s.fetch, s.order, s.newest, s.loadedAt = l.fetch, l.order, l.source, l.loadedAt
	s.link = link{true, term}
	return l.env.Root.Push(over, s)
}

func (s *linked) Title() string { return strings.ToUpper(s.options.Many[:1]) + s.options.Many[1:] }

func (s *linked) Init() tea.Cmd { return s.filter.Set(s.link.filter) }

// clearable leaves the filter of a link as it is: esc leads back to the record.
func (l *List) clearable(list []screen.Action) []screen.Action {
	if l.link.followed && l.link.filter == l.filter.Text() {
		list = slices.DeleteFunc(list, func(a screen.Action) bool { return a.ID == "filter.clear" })
	}
	return list
}
