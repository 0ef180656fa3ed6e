package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
)

const (
	// mostRecent is how many records are remembered.
	mostRecent = 20
	// longestVisit is how many cells of a name are.
	longestVisit = 100
)

// recent are the records that were opened last, the newest first.
type recent struct{ visits []visit }

// visit is a record and where it was opened.
type visit struct {
	place *place
	tab   int
	title string
	open  func() tea.Cmd
}

// add remembers a record; one that is there already moves to the front.
func (l *recent) add(v visit) {
	l.visits = slices.DeleteFunc(l.visits, func(old visit) bool {
		return old.place == v.place && old.tab == v.tab && old.title == v.title
	})
	l.visits = slices.Insert(l.visits, 0, v)
	l.visits = l.visits[:min(len(l.visits), mostRecent)]
}

// forget drops what was opened in a place that is there no more.
func (l *recent) forget(p *place) {
	l.visits = slices.DeleteFunc(l.visits, func(v visit) bool { return v.place == p })
}

// Visited implements [screen.Root].
func (r *root) Visited(title string, open func() tea.Cmd) tea.Cmd {
	if p := r.place(); p != nil {
		r.recent.add(visit{p, p.active, safetext.Clip(title, longestVisit), open})
	}
	return nil
}

// revisit goes to where a record was opened and opens it again.
func (r *root) revisit(v visit) tea.Cmd {
	return tea.Batch(r.EnterDomain(v.place.domain), v.place.show(v.tab), v.open())
}
