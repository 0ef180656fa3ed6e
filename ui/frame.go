package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// frame is the layout around the screen, and where it can be clicked.
type frame struct {
	// above and below are the lines around the screen, which begins at line body and is
	// height lines high.
	above, below []string
	body, height int
	spots        []spot
}

// spot is a clickable part of a line.
type spot struct {
	x, y, width int
	run         func() tea.Cmd
}

// spot makes a part of a line of the frame clickable.
func (r *root) spot(x, y, width int, run func() tea.Cmd) {
	r.frame.spots = append(r.frame.spots, spot{x, y, width, run})
}

// layOut computes the frame: header, tabs, screen, messages, footer. If there are too few
// lines for everything, the screen has priority.
func (r *root) layOut() {
	f := &r.frame
	*f = frame{spots: f.spots[:0]}
	if r.width < 1 || r.height < 1 {
		r.updateActions()
		return
	}
	if r.height >= 6 {
		f.above = r.header()
	}
	if r.domain() != nil && r.height >= 8 {
		f.above = append(f.above, r.tabBar(len(f.above)))
	}
	if r.height >= 14 {
		f.above = append(f.above, "")
	}
	if r.height >= 5 {
		f.below = r.messages()
	}
	footed := 0
	if r.height >= 3 {
		footed = 1
	}
	f.body, f.height = len(f.above), r.height-len(f.above)-len(f.below)-footed
	r.stack.Layout(r.width, f.height)
	r.updateActions()
	if footed > 0 {
		f.below = append(f.below, r.footer())
	}
}

// view is the frame for the terminal.
func (r *root) view() paint.Frame {
	f := r.canvas
	f.Width, f.Height, f.Title, f.Mouse = r.width, r.height, r.windowTitle(), !r.options.NoMouse
	if r.width > 0 && r.height > 0 {
		body := screen.Box(r.body(), r.width, r.frame.height)
		lines := slices.Concat(r.frame.above, []string{body}, r.frame.below)
		f.Content = screen.Box(strings.Join(lines, "\n"), r.width, r.height)
	}
	return f
}

func (r *root) body() string {
	if top := r.stack.Top(); top != nil {
		return top.View()
	}
	return "\n" + r.env.Theme.Muted.Render(r.waiting+r.env.Theme.Glyphs.More)
}

// tabBar draws the names of the tabs, on line y.
func (r *root) tabBar(y int) string {
	t, p := r.env.Theme, r.domain()
	names := make([]string, len(p.panes))
	width := 0
	for i, pane := range p.panes {
		names[i] = r.env.Keys.Key(pane.ID) + " " + pane.Tab.Title
		width += safetext.Width(names[i]) + 2
	}
	if width > r.width {
		// Too narrow for all the names: the tab that is shown has one.
		for i, pane := range p.panes {
			if i != p.active {
				names[i] = r.env.Keys.Key(pane.ID)
			}
		}
	}
	x := 0
	for i, name := range names {
		style := t.Tab
		if i == p.active {
			style = t.TabActive
		}
		if !r.modal() {
			r.spot(x, y, safetext.Width(name), func() tea.Cmd { return p.show(i) })
		}
		x += safetext.Width(name) + 2
		names[i] = style.Render(name)
	}
	return screen.Cut(strings.Join(names, "  "), r.width)
}
