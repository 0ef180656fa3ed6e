package ui

import (
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// header draws the breadcrumbs, the user, the profile and the remaining life of the token. crumbs
// are forms of the breadcrumbs, the longest first; who are the parts at the right, the most
// important first. If there is too little room, it takes a shorter form first, and then leaves
// out parts.
func (c *chrome) header(crumbs [][]crumb, who []headerPart) string {
	for n := len(who); n >= 0; n-- {
		for _, form := range crumbs {
			if line, ok := c.bar(form, who[:n]); ok {
				return line
			}
		}
	}
	t, shortest := c.env.Theme, crumbs[len(crumbs)-1]
	return t.Header.Fill(t.Strong.Render(safetext.Fit(" "+shortest[len(shortest)-1].text(), c.width)))
}

// bar draws a line with crumbs at the left and parts at the right. If there is too little room,
// it leaves out the line for the remaining life, and reports false if that is not enough.
func (c *chrome) bar(left []crumb, right []headerPart) (string, bool) {
	start := " " + c.drawn(left)
	for _, withLine := range []bool{true, false} {
		const minGap = 2
		end := c.drawnParts(right, withLine) + " "
		gap := c.width - screen.Cells(start) - screen.Cells(end)
		if gap >= minGap {
			return c.env.Theme.Header.Fill(start + strings.Repeat(" ", gap) + end), true
		}
	}
	return "", false
}

// headerPart is one of the texts at the right of the header.
type headerPart struct {
	text  string
	style styles.Style
	// line shows the remaining life of the token as a bar; it may be empty.
	line string
}

// drawnParts draws the parts, the most important one at the edge.
func (c *chrome) drawnParts(parts []headerPart, withLine bool) string {
	t, line := c.env.Theme, ""
	for i, p := range slices.Backward(parts) {
		if i < len(parts)-1 {
			line += t.Faint.Render(t.Between())
		}
		if withLine && p.line != "" {
			line += p.line + " "
		}
		line += p.style.Render(p.text)
	}
	return line
}

// sessionParts lists remaining life, user and profile, the most important first.
func (r *root) sessionParts() []headerPart {
	if r.service == nil {
		return nil
	}
	t, status := r.env.Theme, r.service.Session.Status()
	parts := []headerPart{}
	if life := r.life(status); life.text != "" {
		parts = append(parts, life)
	}
	if status.Username != "" && status.State != session.SignedOut {
		parts = append(parts, headerPart{
			text:  safetext.Truncate(safetext.Line(status.Username), maxCrumb),
			style: t.Text,
		})
	}
	style := t.Accent
	isDemo := len(r.options.Tips) > 0
	if isDemo {
		style = t.Warn
	}
	return append(parts, headerPart{text: safetext.Line(r.service.Profile.Name), style: style})
}

// lifeCells is the width of the bar that shows the remaining life.
const lifeCells = 8

// life says how long the access token is still valid, or why it is not.
func (r *root) life(s session.Status) headerPart {
	t := r.env.Theme
	left := s.ExpiresAt.Sub(r.env.Now())
	switch s.State {
	case session.Renewing:
		return headerPart{text: "renewing", style: t.Accent}
	case session.Delayed:
		life := r.env.Left(left) + " left"
		if left <= 0 {
			life = "token expired"
		}
		return headerPart{text: t.Glyphs.Warning + " renewal delayed, " + life, style: t.Warn}
	case session.Ended:
		return headerPart{text: t.Glyphs.Bad + " session over", style: t.Bad}
	case session.Active:
		if s.ExpiresAt.IsZero() {
			return headerPart{text: "no end known", style: t.Muted}
		}
		part := headerPart{text: r.env.Left(left), style: t.Muted}
		if s.Life > 0 {
			part.line = screen.Life(t, float64(left)/float64(s.Life), lifeCells)
		}
		return part
	}
	return headerPart{}
}

// maxCrumb is how many cells a name in the header may have.
const maxCrumb = 40

// programName is the first of the breadcrumbs, after the logo.
const programName = "Gatehouse"

// crumb is one name in the breadcrumbs. Only the name of the program has a logo.
type crumb struct{ logo, name string }

func (c crumb) text() string {
	if c.logo == "" {
		return c.name
	}
	return c.logo + " " + c.name
}

// breadcrumbs are forms of the breadcrumbs, from the longest to the shortest. The shortest names
// the domain or, if none is open, the innermost screen.
func (r *root) breadcrumbs() [][]crumb {
	program := crumb{r.env.Theme.Glyphs.Logo, programName}
	inside := r.domain()
	if r.page() == nil {
		return [][]crumb{{program}}
	}
	var path []crumb
	if inside != nil {
		path = append(path, crumb{name: safetext.Line(hostname.Readable(inside.domain))})
	}
	for _, name := range r.names() {
		path = append(path, crumb{name: safetext.Clip(name, maxCrumb)})
	}
	whole, last := append([]crumb{program}, path...), path[len(path)-1]
	if inside == nil {
		return [][]crumb{whole, path, {last}}
	}
	domain := crumb{name: safetext.Line(hostname.Short(inside.domain))}
	short := []crumb{domain, last}
	if len(path) > 2 {
		short = []crumb{domain, {name: r.env.Theme.Glyphs.More}, last}
	}
	return [][]crumb{whole, path, short, {domain}}
}

// drawn draws crumbs: the logo in the accent, the current place strong.
func (c *chrome) drawn(crumbs []crumb) string {
	t, parts := c.env.Theme, make([]string, len(crumbs))
	for i, crumb := range crumbs {
		switch {
		case crumb.logo != "":
			parts[i] = t.Accent.Render(crumb.logo) + " " + t.Strong.Render(crumb.name)
		case i == len(crumbs)-1:
			parts[i] = t.Strong.Render(crumb.name)
		default:
			parts[i] = t.Muted.Render(crumb.name)
		}
	}
	return strings.Join(parts, t.Faint.Render(" "+t.Glyphs.Crumb+" "))
}

// windowTitle is the title of the terminal's window: the program, the user and the domain.
func (r *root) windowTitle() string {
	parts := []string{"gatehouse"}
	if r.service != nil && r.signIn() == nil {
		if user := r.service.Session.Status().Username; user != "" {
			parts = append(parts, safetext.Clip(user, maxCrumb))
		}
	}
	if p := r.domain(); p != nil {
		parts = append(parts, safetext.Clip(p.domain, maxCrumb))
	}
	return strings.Join(parts, " · ")
}

// drawFooter draws the keys that work here, as many as fit, and an ellipsis for the rest. The keys
// for going back, for the help and for the palette are at the right end, where they are easy to
// find. If not even the first other key fits beside them, only that for the help stays.
func (c *chrome) drawFooter(
	actions iter.Seq[screen.Action], perform func(screen.Action) tea.Cmd,
) string {
	left, right := c.hints(actions, perform)
	margin := 0
	if c.width >= marginWidth {
		margin = 1
	}
	room := c.width - 2*margin
	more := newPart(c.env.Theme.Faint.Render(c.env.Theme.Glyphs.More))
	shown := func(n int) []part {
		if n == len(left) {
			return left
		}
		return append(slices.Clip(left[:n]), more)
	}
	fits := func(parts []part, others int) bool {
		return rowWidth(hintGap, parts)+others+len(hintGap)+rowWidth(hintGap, right) <= room
	}
	for len(left) > 0 && len(right) > 1 && !fits(left[:1], 0) {
		if right = right[:len(right)-1]; !fits(left[:1], 0) {
			right = right[len(right)-1:]
		}
	}
	n, ellipsis := len(left), 0
	for n > 0 && !fits(left[:n], ellipsis) {
		n, ellipsis = n-1, len(hintGap)+more.cells
	}
	parts := shown(n)
	if n == 0 && len(left) > 0 && fits(left[:1], 0) {
		parts = left[:1] // with no room for the ellipsis
	}
	start := strings.Repeat(" ", margin) + c.row(margin, c.height-1, hintGap, parts)
	end := c.row(margin+room-rowWidth(hintGap, right), c.height-1, hintGap, right)
	return screen.Cut(screen.Sides(start, end, margin+room), c.width)
}

// marginWidth is the width of the terminal from which on the footer has a margin, as the header
// has.
const marginWidth = 60

// hints are the keys in the footer with their titles: those at the left, and those at the right
// end, which go back or open the help or the palette.
func (c *chrome) hints(
	actions iter.Seq[screen.Action], perform func(screen.Action) tea.Cmd,
) (left, right []part) {
	t, last := c.env.Theme, []part{}
	for a := range actions {
		if a.Quiet || !a.Enabled() {
			continue
		}
		hint := newPart(t.Key.Render(a.KeyName()) + " " + t.Muted.Render(a.Title))
		hint.run = func() tea.Cmd { return perform(a) }
		switch {
		case a.ID == screen.RootHelp || a.ID == screen.RootPalette:
			last = append(last, hint)
		case c.env.Keys.GoesBack(a.ID):
			right = append(right, hint)
		default:
			left = append(left, hint)
		}
	}
	return left, append(right, last...)
}

// hintGap stands between two keys of the footer.
const hintGap = "  "

// chrome is what is drawn around the screen, with the spots that can be clicked.
type chrome struct {
	env           *screen.Env
	width, height int // of the terminal
	// covered means that something over the screen has to be answered or closed first. Only the
	// footer can be clicked then.
	covered      bool
	above, below []string // the lines around the screen, but for the footer
	footer       string   // the last line; "" until it is drawn
	body         int      // the line on which the screen begins, from 0
	bodyHeight   int      // the number of lines of the screen
	spots        []screen.Spot
}

// part is a drawn part of a line, with its width, and what a click on it does; nil does nothing.
type part struct {
	text  string
	cells int
	run   func() tea.Cmd
}

// newPart is a drawn text that cannot be clicked.
func newPart(text string) part { return part{text: text, cells: screen.Cells(text)} }

// row draws parts that begin in column x of line y, with a separator between them, and makes them
// clickable.
func (c *chrome) row(x, y int, separator string, parts []part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		if p.run != nil {
			c.spots = append(c.spots, screen.Spot{
				X: x, Y: y, Width: p.cells, Height: 1, Click: func(int, int) tea.Cmd { return p.run() },
			})
		}
		texts[i] = p.text
		x += p.cells + screen.Cells(separator)
	}
	return strings.Join(texts, separator)
}

// rowWidth is the width in cells of what [chrome.row] draws.
func rowWidth(separator string, parts []part) int {
	width := max(len(parts)-1, 0) * screen.Cells(separator)
	for _, p := range parts {
		width += p.cells
	}
	return width
}

// The heights of the terminal, in lines, from which on there is room for each part of the chrome.
const (
	footerHeight   = 3
	messagesHeight = 5
	headerHeight   = 6
	tabsHeight     = 8
	gapHeight      = 14
)

// divide divides the lines of the terminal between the screen and the chrome. If there are too
// few, the screen has priority.
func (r *root) divide() {
	c := &r.chrome
	*c = chrome{env: r.env, width: r.width, height: r.height, spots: c.spots[:0]}
	for _, has := range []bool{c.hasHeader(), r.hasTabs(), r.hasGap()} {
		if has {
			c.body++
		}
	}
	if r.height >= messagesHeight {
		c.below = r.messages()
	}
	c.bodyHeight = r.height - c.body - len(c.below)
	if c.hasFooter() {
		c.bodyHeight--
	}
}

func (c *chrome) hasHeader() bool { return c.height >= headerHeight }

func (c *chrome) hasFooter() bool { return c.height >= footerHeight }

// hasTabs reports whether there is a line with the tabs of a domain.
func (r *root) hasTabs() bool { return r.domain() != nil && r.height >= tabsHeight }

// hasGap reports whether there is an empty line above the screen. Panes below tabs need none, as
// they have a border.
func (r *root) hasGap() bool {
	hasPanesBelowTabs := r.domain() != nil && r.width >= screen.PaneWidth
	return r.height >= gapHeight && !hasPanesBelowTabs
}

// surround draws the chrome but for the footer.
func (r *root) surround() {
	c := &r.chrome
	c.covered = r.modal()
	if c.hasHeader() {
		c.above = append(c.above, c.header(r.breadcrumbs(), r.sessionParts()))
	}
	if r.hasTabs() {
		c.above = append(c.above, c.tabBar(len(c.above), r.domain()))
	}
	if r.hasGap() {
		c.above = append(c.above, "")
	}
	for _, lines := range [][]string{c.above, c.below} {
		for i, line := range lines {
			lines[i] = screen.Cut(line, r.width)
		}
	}
}

// layOut lays out the screen, draws the chrome, and determines the actions.
func (r *root) layOut() {
	if r.width < 1 || r.height < 1 {
		r.chrome = chrome{}
		r.updateActions()
		return
	}
	r.divide()
	c := &r.chrome
	r.stack.Covered = len(c.below)
	r.stack.Layout(r.env.Theme, r.width, c.bodyHeight)
	r.surround()
	r.updateActions()
	if c.hasFooter() {
		c.footer = c.drawFooter(screen.ShownActions(r.actions, r.typing()), r.perform)
	}
}

// withTimes returns a frame of a sleeping UI with the times in the chrome as they are now. ok is
// false if the screen shows times as well, or has to be laid out again.
func (r *root) withTimes(f paint.Frame) (_ paint.Frame, ok bool) {
	if r.innermostStack().PageView().Timed {
		return f, false
	}
	before := r.chrome
	r.divide()
	r.surround()
	c := &r.chrome
	if c.body != before.body || c.bodyHeight != before.bodyHeight || f.Height != r.height {
		return f, false
	}
	c.footer = before.footer // it shows no time
	f.Above, f.Below = c.lines()
	return f, true
}

// view draws the frame for the terminal.
func (r *root) view() paint.Frame {
	f := r.canvas
	f.Width, f.Height, f.Title, f.Mouse = r.width, r.height, r.windowTitle(), r.env.Clicks
	f.Progress = r.progress()
	if r.width > 0 && r.height > 0 {
		c := &r.chrome
		body := "\n" + r.env.Theme.Muted.Render(r.waiting+r.env.Theme.Glyphs.More)
		if r.stack.Top() != nil {
			body = r.stack.Frame()
			x, y, typing := r.stack.Caret()
			f.Caret = paint.Caret{X: x, Y: c.body + y, Shown: typing}
		}
		// len(body) cuts no line: no screen draws wider than it is told.
		f.Content = r.env.Theme.Shown(screen.Box(body, len(body), c.bodyHeight))
		f.Above, f.Below = c.lines()
	}
	return f
}

// lines are the chrome as the texts above and below the content of a frame.
func (c *chrome) lines() (above, below string) {
	above = strings.Join(slices.Concat(c.above, []string{""}), "\n")
	lines := slices.Concat([]string{""}, c.below)
	if c.hasFooter() {
		lines = append(lines, c.footer)
	}
	below = strings.Join(lines, "\n")
	return c.env.Theme.Shown(above), c.env.Theme.Shown(below)
}

// progress is how far the long work of the screen is, in percent or as [paint.Working], for a
// terminal that shows it. It is 0 if there is none.
func (r *root) progress() int {
	if !r.showsProgress {
		return 0
	}
	switch p := r.work(); {
	case p.Working && p.Total > 0:
		return max(1, min(int(100*float64(p.Done)/float64(p.Total)), 100))
	case p.Working:
		return paint.Working
	}
	return 0
}

// tabBar draws the names of the tabs, on line y.
func (c *chrome) tabBar(y int, p *domainPage) string {
	t, x, gap := c.env.Theme, 2, "   "
	titles := p.tabTitles(c.width)
	if slices.Contains(titles, "") {
		x, gap = 0, "  "
	}
	parts, shows := make([]part, len(titles)), !c.covered && !p.asks()
	for i, title := range titles {
		key := c.env.Keys.Key(p.panes[i].ID)
		drawn := t.Muted.Render(strings.TrimSpace(key + " " + title))
		if i == p.active {
			drawn = t.Key.Render(key) + " " + t.TabActive.Render(title)
		}
		parts[i] = newPart(drawn)
		if shows {
			parts[i].run = func() tea.Cmd { return p.show(i) }
		}
	}
	return strings.Repeat(" ", x) + c.row(x, y, gap, parts)
}
