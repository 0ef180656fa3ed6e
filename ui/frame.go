package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// chrome is what stands around the screen, and where it can be clicked.
type chrome struct {
	env           *screen.Env
	width, height int // of the terminal
	// covered is set while something over the screen has to be answered or closed first: of
	// the chrome only the footer can be clicked then.
	covered bool
	// above and below are the lines around the screen, which begins at line body and is
	// bodyHeight lines high.
	above, below     []string
	body, bodyHeight int
	spots            []screen.Spot
}

// part is a drawn part of a line, and what a click on it does; nil: nothing.
type part struct {
	text string
	run  func() tea.Cmd
}

// row joins the parts of a line, which begin in column x of line y, and makes them clickable.
func (c *chrome) row(x, y int, separator string, parts []part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		width := screen.Cells(p.text)
		if p.run != nil {
			c.spots = append(c.spots, screen.Spot{X: x, Y: y, Width: width, Run: p.run})
		}
		texts[i] = p.text
		x += width + screen.Cells(separator)
	}
	return strings.Join(texts, separator)
}

// rowWidth is the width of a row.
func rowWidth(separator string, parts []part) int {
	width := max(len(parts)-1, 0) * screen.Cells(separator)
	for _, p := range parts {
		width += screen.Cells(p.text)
	}
	return width
}

// surround computes the lines around the screen, but the footer. If there are too few lines for
// everything, the screen has priority.
func (r *root) surround() {
	c := &r.chrome
	*c = chrome{env: r.env, width: r.width, height: r.height, covered: r.modal(), spots: c.spots[:0]}
	inside := r.domain()
	if r.height >= 6 {
		c.above = []string{c.header(r.breadcrumbs(), r.sessionParts())}
	}
	if inside != nil && r.height >= 8 {
		c.above = append(c.above, c.tabBar(len(c.above), inside))
	}
	if r.height >= 14 && (inside == nil || r.width < screen.PaneWidth) {
		c.above = append(c.above, "") // below the tabs, panes have their own border
	}
	if r.height >= 5 {
		c.below = r.messages()
	}
	for _, lines := range [][]string{c.above, c.below} {
		for i, line := range lines {
			lines[i] = screen.Cut(line, r.width)
		}
	}
	c.body, c.bodyHeight = len(c.above), r.height-len(c.above)-len(c.below)
	if c.hasFooter() {
		c.bodyHeight--
	}
}

func (c *chrome) hasFooter() bool { return c.height >= 3 }

// layOut computes the chrome and lays out the screen.
func (r *root) layOut() {
	if r.width < 1 || r.height < 1 {
		r.chrome = chrome{}
		r.updateActions()
		return
	}
	r.surround()
	c := &r.chrome
	r.stack.Covered = len(c.below)
	r.stack.Layout(r.env.Theme, r.width, c.bodyHeight)
	r.updateActions()
	if c.hasFooter() {
		c.below = append(c.below, c.footer(screen.ShownActions(r.actions, r.typing()), r.perform))
	}
}

// withTimes is a frame of a sleeping UI with the times around the screen as they are now. It is
// not possible if the screen shows a time too, or has to be laid out again.
func (r *root) withTimes(f paint.Frame) (_ paint.Frame, ok bool) {
	if _, timed := r.innermost().(screen.Timed); timed {
		return f, false
	}
	before := r.chrome
	r.surround()
	c := r.chrome
	lines := strings.Split(f.Content, "\n")
	if c.body != before.body || c.bodyHeight != before.bodyHeight || len(lines) != r.height {
		return f, false
	}
	for i, line := range c.above {
		lines[i] = r.env.Theme.Shown(line)
	}
	for i, line := range c.below {
		lines[c.body+c.bodyHeight+i] = r.env.Theme.Shown(line)
	}
	f.Content = strings.Join(lines, "\n")
	return f, true
}

// view is the frame for the terminal.
func (r *root) view() paint.Frame {
	f := r.canvas
	f.Width, f.Height, f.Title, f.Mouse = r.width, r.height, r.windowTitle(), !r.options.NoMouse
	f.Progress = r.progress()
	if r.width > 0 && r.height > 0 {
		c := &r.chrome
		lines := slices.Concat(c.above, screen.Lines(r.body(), r.width, c.bodyHeight), c.below)
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

func (r *root) body() string {
	if r.stack.Top() != nil {
		return r.stack.View()
	}
	return "\n" + r.env.Theme.Muted.Render(r.waiting+r.env.Theme.Glyphs.More)
}

// tabBar draws the names of the tabs, on line y.
func (c *chrome) tabBar(y int, p *domainPage) string {
	t, x, gap := c.env.Theme, 2, "   "
	titles := p.tabTitles(c.width)
	if slices.Contains(titles, "") {
		x, gap = 0, "  "
	}
	parts := make([]part, len(titles))
	for i, title := range titles {
		key := c.env.Keys.Key(p.panes[i].ID)
		parts[i].text = t.Muted.Render(strings.TrimSpace(key + " " + title))
		if i == p.active {
			parts[i].text = t.Key.Render(key) + " " + t.TabActive.Render(title)
		}
		if !c.covered && !p.asks() {
			parts[i].run = func() tea.Cmd { return p.show(i) }
		}
	}
	return strings.Repeat(" ", x) + c.row(x, y, gap, parts)
}
