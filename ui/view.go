package ui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/layout"
	"gatehouse/ui/paint"
)

// frame is where things are in what was last drawn, for the mouse.
type frame struct {
	// body is the first line of the screen, height how many it has.
	body, height int
	spots        []spot
}

// spot is a part of a line that does something when it is clicked.
type spot struct {
	x, y, width int
	run         func() tea.Cmd
}

// view is what the terminal is to show.
func (r *root) view() paint.Frame {
	f := r.canvas
	f.Width, f.Height, f.Title, f.Mouse = r.width, r.height, r.windowTitle(), !r.options.NoMouse
	if r.width > 0 && r.height > 0 {
		f.Content = r.draw()
	}
	return f
}

// draw draws the whole frame: header, tabs, the screen, toast, footer. Where
// there are too few lines for all, the screen keeps its own longest.
func (r *root) draw() string {
	r.layout.spots = r.layout.spots[:0]
	top, bottom := []string{}, []string{}
	if r.height >= 6 {
		top = append(top, r.header()...)
	}
	if r.height >= 3 {
		bottom = append(bottom, r.footer())
	}
	if r.place() != nil && r.height >= 8 {
		top = append(top, r.tabs(len(top)))
	}
	if r.height >= 14 {
		top = append(top, "")
	}
	if r.height >= 5 {
		bottom = append(r.message(), bottom...)
	}
	r.layout.body, r.layout.height = len(top), r.height-len(top)-len(bottom)
	body := layout.Box(r.body(r.width, r.layout.height), r.width, r.layout.height)
	lines := append(append(top, body), bottom...)
	return layout.Box(strings.Join(lines, "\n"), r.width, r.height)
}

func (r *root) body(width, height int) string {
	if over := r.overlay(); over != nil {
		return over.view(r.env.Theme, width, height)
	}
	if current := r.current(); current != nil {
		current.Layout(width, height)
		return current.View()
	}
	return "\n" + r.env.Theme.Muted.Render(r.waiting+r.env.Theme.Glyphs.More)
}

// spot makes a part of a line of the frame do something.
func (r *root) spot(x, y, width int, run func() tea.Cmd) {
	r.layout.spots = append(r.layout.spots, spot{x, y, width, run})
}

// tabs draws the names of the tabs, on a line of the frame.
func (r *root) tabs(y int) string {
	t, p := r.env.Theme, r.place()
	names := make([]string, len(p.tabs))
	width := 0
	for i, tab := range p.tabs {
		names[i] = r.env.Keys.Key(tabID(i)) + " " + tab.Title()
		width += safetext.Width(names[i]) + 2
	}
	if width > r.width {
		// Too narrow for all the names: the tab that is shown has one.
		for i := range names {
			if i != p.active {
				names[i] = r.env.Keys.Key(tabID(i))
			}
		}
	}
	x := 0
	for i, name := range names {
		style := t.Tab
		if i == p.active {
			style = t.TabActive
		}
		if r.overlay() == nil {
			r.spot(x, y, safetext.Width(name), func() tea.Cmd { return p.show(i) })
		}
		x += safetext.Width(name) + 2
		names[i] = style.Render(name)
	}
	return layout.Cut(strings.Join(names, "  "), r.width)
}

// remark is the toast, or else what the person should know all the time, in one
// line or two.
func (r *root) remark() []string {
	t := r.env.Theme
	standing := cmp.Or(r.lastDays(), problem.Sentence(r.notice))
	switch {
	case r.toast.text != "" && r.toast.bad:
		return r.told(r.toast.text, t.ToastBad.Render, 2)
	case r.toast.text != "":
		return r.told(r.toast.text, t.Toast.Render, 1)
	case standing == "" || r.height < 8: // the screen needs its few lines
		return nil
	}
	return r.told(standing, t.Warn.Render, 2)
}
