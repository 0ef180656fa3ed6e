package browse

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/ui/screen"
)

// previewChoice is what a person chose of previews, for all lists; it is kept between runs.
type previewChoice struct {
	Hidden bool `json:"hidden,omitempty"`
	// Percent is the part of the screen that the preview has; 0: the usual one.
	Percent int `json:"percent,omitempty"`
}

const (
	previewKey = "lists.preview"
	// Percent of the screen.
	usualPreview, minPreview, maxPreview, previewStep = 37, 20, 70, 5
)

func (c previewChoice) percent() int {
	if c.Percent == 0 {
		return usualPreview
	}
	return max(minPreview, min(c.Percent, maxPreview))
}

// previewing reports that there is a preview beside the list. While a filter is typed that
// finds nothing yet, it stays.
func (l *List) previewing() bool { return l.inPane && l.wantsPreview() }

// wantsPreview reports that there is a preview where there is room for one.
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

// side is the pane of the preview: it shows the record under the cursor, or the previous one until
// that is read. A click opens the record.
func (l *List) side() screen.Side {
	side := screen.Side{Border: screen.Pane{Title: l.env.Theme.Glyphs.More}, Click: l.openRecord}
	switch {
	case l.source != nil && l.grid.Len() == 0: // what is typed finds nothing
		side.Border.Title = ""
	case l.preview.read != nil:
		side.Border.Title, side.Body = l.preview.read.title, previewPart{&l.preview}
	}
	return side
}

// previewActions show and hide the preview, and change its width.
func (l *List) previewActions() []screen.Action {
	chosen := l.choice
	small := screen.If(!l.inPane, "the preview needs a terminal of at least "+human.Number(screen.PaneWidth)+" columns")
	hides := screen.If(l.inPane && !chosen.Hidden, "hide the preview of the record under the cursor")
	show := screen.Action{
		ID: screen.BrowsePreview, Reason: small, Description: hides, Run: screen.Do(func() {
			l.choosePreview(previewChoice{Hidden: !chosen.Hidden, Percent: chosen.Percent})
		}),
	}
	resize := func(id screen.ActionID, by int, end string) screen.Action {
		before := chosen.percent()
		after := max(minPreview, min(before+by, maxPreview))
		a := screen.Action{
			ID: id, Reason: cmp.Or(small, screen.If(after == before, end)),
			Run: screen.Do(func() { l.choosePreview(previewChoice{Percent: after}) }),
		}
		if l.inPane && !l.previewing() {
			a.Reason, a.First = "there is no preview", show.ID
		}
		return a
	}
	return []screen.Action{show,
		resize(screen.BrowsePreviewWider, previewStep, "the preview is as wide as it can be"),
		resize(screen.BrowsePreviewNarrower, -previewStep, "the preview is as narrow as it can be")}
}

func (l *List) choosePreview(c previewChoice) {
	l.choice = c
	l.env.State.Set(previewKey, c)
}

// Shown implements [screen.Screen]: it waits for the cursor to rest on a record that is
// not there yet, or loads the list when the renewal that it lacked is tried again.
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
	if l.env.Theme.Options.Spoken { // no key is held: who listens waits for the row
		return func() tea.Msg { return read }
	}
	return screen.After(l.env.Context, rest, read)
}

// unread is the row under the cursor if its record is to be read for the preview.
func (l *List) unread() (row int, ok bool) {
	if !l.previewing() {
		return 0, false
	}
	row, ok = l.grid.Selected()
	return row, ok && l.preview.lacks(l.source, row)
}

// rested reads the record on which the cursor still is.
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
