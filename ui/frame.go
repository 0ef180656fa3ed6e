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
	f.above = r.linesOfHeader()
	if r.domain() != nil && r.height >= 8 {
		f.above = append(f.above, r.tabBar(len(f.above)))
	}
	if r.height >= 14 && (r.domain() == nil || r.width < screen.PaneWidth) {
		f.above = append(f.above, "") // below the tabs, panes have their own border
	}
	f.below = r.linesOfMessages()
	footed := 0
	if r.height >= 3 {
		footed = 1
	}
	f.body, f.height = len(f.above), r.height-len(f.above)-len(f.below)-footed
	r.stack.Covered = len(f.below)
	r.stack.Layout(r.env.Theme, r.width, f.height)
	r.updateActions()
	if footed > 0 {
		f.below = append(f.below, r.footer())
	}
}

// linesOfHeader are the lines of the header that there is room for.
func (r *root) linesOfHeader() []string {
	if r.height < 6 {
		return nil
	}
	return r.header()
}

// linesOfMessages are the lines of messages that there is room for.
func (r *root) linesOfMessages() []string {
	if r.height < 5 {
		return nil
	}
	return r.messages()
}

// view is the frame for the terminal.
func (r *root) view() paint.Frame {
	f := r.canvas
	f.Width, f.Height, f.Title, f.Mouse = r.width, r.height, r.windowTitle(), !r.options.NoMouse
	f.Progress = r.progress()
	if r.width > 0 && r.height > 0 {
		lines := make([]string, 0, r.height)
		for _, line := range r.frame.above {
			lines = append(lines, screen.Cut(line, r.width))
		}
		lines = append(lines, screen.Lines(r.body(), r.width, r.frame.height)...)
		for _, line := range r.frame.below {
			lines = append(lines, screen.Cut(line, r.width))
		}
		f.Content = r.env.Theme.Shown(strings.Join(lines, "\n"))
	}
	return f
}

// progress is how far the long work of the current screen is, for the terminal; 0 if there
// is none.
func (r *root) progress() int {
	if !r.showsProgress {
		return 0
	}
	switch done, total, working := r.work(); {
	case working && total > 0:
		return max(1, min(int(100*float64(done)/float64(total)), 100))
	case working:
		return paint.Working
	}
	return 0
}

// work is how far the long work of the current screen is; see [screen.Worker].
func (r *root) work() (done, total int64, working bool) {
	screens := r.stack.Screens()
	if p := r.domain(); p != nil {
		screens = p.pane().Screens()
	}
	for _, s := range slices.Backward(screens) {
		if worker, ok := s.(screen.Worker); ok {
			if done, total, working = worker.Progress(); working {
				return done, total, true
			}
		}
	}
	return 0, 0, false
}

func (r *root) body() string {
	if r.stack.Top() != nil {
		return r.stack.View()
	}
	return "\n" + r.env.Theme.Muted.Render(r.waiting+r.env.Theme.Glyphs.More)
}

// tabBar draws the names of the tabs, on line y.
func (r *root) tabBar(y int) string {
	t, p := r.env.Theme, r.domain()
	titles := make([]string, len(p.panes))
	for i, pane := range p.panes {
		titles[i] = pane.Tab.Title
	}
	x, gap := 2, 3
	if r.tabsWidth(titles) > r.width {
		x, gap = 0, 2
		for i := range titles {
			// Too narrow for all the names: the tab that is shown has one.
			if i != p.active && r.tabsWidth(titles) > r.width {
				titles[i] = ""
			}
		}
	}
	line := strings.Repeat(" ", x)
	for i, title := range titles {
		key := r.env.Keys.Key(p.panes[i].ID)
		text := strings.TrimSpace(key + " " + title)
		if !r.modal() && !p.asks() {
			r.spot(x, y, safetext.Width(text), func() tea.Cmd { return p.show(i) })
		}
		x += safetext.Width(text) + gap
		switch {
		case i == p.active:
			line += t.TabKey.Render(key) + " " + t.TabActive.Render(title)
		default:
			line += t.Tab.Render(text)
		}
		line += strings.Repeat(" ", gap)
	}
	return screen.Cut(strings.TrimRight(line, " "), r.width)
}

// tabsWidth is how many cells the tabs need with these titles.
func (r *root) tabsWidth(titles []string) int {
	width := 0
	for i, title := range titles {
		width += safetext.Width(r.env.Keys.Key(r.domain().panes[i].ID)) + 1 + safetext.Width(title) + 2
	}
	return width
}
