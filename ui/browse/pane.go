package browse

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/ui/screen"
)

// previewChoice is how a person wants to see previews, in all lists. It is kept between runs.
type previewChoice struct {
	Hidden bool `json:"hidden,omitempty"`
	// Percent is the width of the preview in percent of the screen; 0 for the usual width.
	Percent int `json:"percent,omitempty"`
}

// previewKey is the key under which the state keeps the [previewChoice].
const previewKey = "lists.preview"

// Widths of the preview in percent of the screen.
const (
	usualPreview = 37
	minPreview   = 20
	maxPreview   = 70
	previewStep  = 5
)

// percent is the width of the preview in percent of the screen.
func (c previewChoice) percent() int {
	if c.Percent == 0 {
		return usualPreview
	}
	return max(minPreview, min(c.Percent, maxPreview))
}

// previewing reports whether there is a preview beside the list.
func (l *List) previewing() bool { return l.inPane && l.wantsPreview() }

// wantsPreview reports whether the list has a preview if there is room for one. That stays so
// while a filter is typed that finds nothing.
func (l *List) wantsPreview() bool {
	return !l.choice.Hidden && l.source != nil && (l.grid.Len() > 0 || l.filter.Typing())
}

// Beside implements [screen.Screen].
func (l *List) Beside(width int) int {
	if !l.wantsPreview() {
		return 0
	}
	return width * l.choice.percent() / 100
}

// side is the pane of the preview. It shows the record under the cursor or, until that is read,
// the one that was shown before. A click opens the record.
func (l *List) side() screen.Side {
	side := screen.Side{Border: screen.Pane{Title: l.env.Theme.Glyphs.More}, Click: l.openRecord}
	switch {
	case l.source != nil && l.grid.Len() == 0: // the filter finds nothing
		side.Border.Title = ""
	case l.preview.read != nil:
		side.Border.Title, side.Body = l.preview.read.title, previewPart{&l.preview}
	}
	return side
}

// previewActions show and hide the preview, and change its width.
func (l *List) previewActions() []screen.Action {
	chosen := l.choice
	tooNarrow := screen.If(!l.inPane, "the preview needs a terminal of at least "+
		human.Number(screen.PaneWidth)+" columns")
	show := screen.Action{
		ID:     screen.BrowsePreview,
		Reason: tooNarrow,
		Description: screen.If(l.inPane && !chosen.Hidden,
			"hide the preview of the record under the cursor"),
		Run: screen.Do(func() {
			l.choosePreview(previewChoice{Hidden: !chosen.Hidden, Percent: chosen.Percent})
		}),
	}
	resize := func(id screen.ActionID, by int, atEnd string) screen.Action {
		before := chosen.percent()
		after := max(minPreview, min(before+by, maxPreview))
		a := screen.Action{
			ID:     id,
			Reason: cmp.Or(tooNarrow, screen.If(after == before, atEnd)),
			Run:    screen.Do(func() { l.choosePreview(previewChoice{Percent: after}) }),
		}
		if l.inPane && !l.previewing() {
			a.Reason, a.First = "there is no preview", show.ID
		}
		return a
	}
	return []screen.Action{
		show,
		resize(screen.BrowsePreviewWider, previewStep, "the preview is as wide as it can be"),
		resize(screen.BrowsePreviewNarrower, -previewStep, "the preview is as narrow as it can be"),
	}
}

// choosePreview shows previews as the person wants to see them, and keeps that.
func (l *List) choosePreview(c previewChoice) {
	l.choice = c
	l.env.State.Set(previewKey, c)
}

// Shown implements [screen.Screen]. It reads the record under the cursor for the preview when the
// cursor has rested there for a moment. If the session could not be renewed, it loads the list
// again at the next attempt.
func (l *List) Shown() tea.Cmd {
	if d := l.delayed; d != nil && !l.env.Now().Before(d.RetryAt) {
		return func() tea.Msg { return screen.Addressed{To: l.owner, Take: l.Load} }
	}
	row, ok := l.unread()
	if !ok {
		return nil
	}
	s := l.source
	read := screen.Addressed{To: l.owner, Take: func() tea.Cmd { return l.rested(s, row) }}
	if l.env.Theme.Options.Spoken { // commands are typed, so the cursor does not run over rows
		return func() tea.Msg { return read }
	}
	return screen.After(l.env.Context, restDelay, read)
}

// unread returns the row under the cursor; ok is true if its record is still to be read for the
// preview.
func (l *List) unread() (row int, ok bool) {
	if !l.previewing() {
		return 0, false
	}
	row, ok = l.grid.Selected()
	return row, ok && l.preview.lacks(l.source, row)
}

// rested reads the record in a row for the preview, if the cursor is still on it.
func (l *List) rested(s *source, at int) tea.Cmd {
	row, ok := l.unread()
	if !ok || s != l.source || at != row {
		return nil
	}
	if !s.isLong(row) {
		l.preview.readNow(s, row)
		return nil
	}
	return screen.Reply(l.owner, l.preview.readAside(s, row), func(read *previewed) tea.Cmd {
		l.preview.take(s, read)
		return nil
	})
}
