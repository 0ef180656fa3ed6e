package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/ui/domains"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
	"gatehouse/ui/token"
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
	spots            []spot
}

// spot is a clickable part of a line.
type spot struct {
	x, y, width int
	run         func() tea.Cmd
}

// spot makes a part of a line clickable.
func (c *chrome) spot(x, y, width int, run func() tea.Cmd) {
	c.spots = append(c.spots, spot{x, y, width, run})
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
	switch r.innermost().(type) {
	case *domains.Model, *token.Model:
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
		lines[i] = r.shown(line)
	}
	for i, line := range c.below {
		lines[c.body+c.bodyHeight+i] = r.shown(line)
	}
	f.Content = strings.Join(lines, "\n")
	return f, true
}

// shown is a line of the chrome as the terminal shows it.
func (r *root) shown(line string) string { return r.env.Theme.Shown(screen.Cut(line, r.width)) }

// view is the frame for the terminal.
func (r *root) view() paint.Frame {
	f := r.canvas
	f.Width, f.Height, f.Title, f.Mouse = r.width, r.height, r.windowTitle(), !r.options.NoMouse
	f.Progress = r.progress()
	if r.width > 0 && r.height > 0 {
		cut := func(lines []string) []string { return screen.Lines(strings.Join(lines, "\n"), r.width, len(lines)) }
		c := &r.chrome
		lines := slices.Concat(cut(c.above), screen.Lines(r.body(), r.width, c.bodyHeight), cut(c.below))
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
	t, x, gap := c.env.Theme, 2, 3
	titles := p.tabTitles(c.width)
	if slices.Contains(titles, "") {
		x, gap = 0, 2
	}
	line := strings.Repeat(" ", x)
	for i, title := range titles {
		key := c.env.Keys.Key(p.panes[i].ID)
		text := strings.TrimSpace(key + " " + title)
		if !c.covered && !p.asks() {
			c.spot(x, y, safetext.Width(text), func() tea.Cmd { return p.show(i) })
		}
		x += safetext.Width(text) + gap
		if i == p.active {
			line += t.TabKey.Render(key) + " " + t.TabActive.Render(title)
		} else {
			line += t.Tab.Render(text)
		}
		line += strings.Repeat(" ", gap)
	}
	return screen.Cut(strings.TrimRight(line, " "), c.width)
}
