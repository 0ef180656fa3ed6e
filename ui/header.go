package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// header shows the breadcrumbs, the user, the profile and the remaining life of the
// token: on one line, or on two if one is too narrow and the terminal is high enough. If
// that is still too narrow, less important parts are left out.
func (c *chrome) header(crumbs [][]crumb, who []headerPart) []string {
	for _, form := range crumbs {
		if line, ok := c.bar(form, who); ok {
			return []string{line}
		}
	}
	if c.height < twoLineHeader || len(who) < 2 {
		return []string{c.shortBar(crumbs, who)}
	}
	second := c.shortBar([][]crumb{{{text: who[1].text}}}, who[2:])
	return []string{c.shortBar(crumbs, who[:1]), second}
}

// twoLineHeader is the minimum height of the terminal for a header of two lines.
const twoLineHeader = 9

// shortBar leaves out parts until the rest fits.
func (c *chrome) shortBar(left [][]crumb, right []headerPart) string {
	for n := len(right); n > 0; n-- {
		for _, form := range left {
			if line, ok := c.bar(form, right[:n]); ok {
				return line
			}
		}
	}
	t := c.env.Theme
	last := safetext.Fit(" "+c.joined(left[len(left)-1]), c.width)
	return t.Header.Fill(t.Strong.Render(last))
}

// bar is a line with crumbs at the left and parts at the right, if they fit; the line
// that shows the remaining life is left out first.
func (c *chrome) bar(left []crumb, right []headerPart) (string, bool) {
	start := c.drawn(left)
	for _, withLine := range []bool{true, false} {
		end := c.drawnParts(right, withLine)
		if gap := c.width - screen.Cells(start) - screen.Cells(end) - 2; gap >= 1 {
			c.clickable(left)
			return c.env.Theme.Header.Fill(" " + start + strings.Repeat(" ", gap) + end + " "), true
		}
	}
	return "", false
}

// headerPart is one of the texts at the right of the header.
type headerPart struct {
	text  string
	style styles.Style
	// line shows the remaining life of the token; may be empty.
	line string
}

// drawnParts draws the parts, the most important one at the edge.
func (c *chrome) drawnParts(parts []headerPart, withLine bool) string {
	t, line := c.env.Theme, ""
	for i, p := range slices.Backward(parts) {
		if i < len(parts)-1 {
			line += t.Faint.Render(" " + t.Glyphs.Separator + " ")
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
		parts = append(parts, headerPart{text: safetext.Truncate(safetext.Line(status.Username), 40), style: t.Text})
	}
	style := t.Accent
	if len(r.options.Tips) > 0 {
		style = t.Warn // nothing here is real
	}
	return append(parts, headerPart{text: safetext.Line(r.service.Profile.Name), style: style})
}

// lifeCells is the width of the line that shows the remaining life.
const lifeCells = 8

// life says how long the access token still lives, or why it does not.
func (r *root) life(s session.Status) headerPart {
	t := r.env.Theme
	left := s.ExpiresAt.Sub(r.env.Now())
	switch s.State {
	case session.Renewing:
		if !s.WaitsUntil.IsZero() {
			return headerPart{text: t.Glyphs.Warning + " " + renewalWaits(s, r.env.Now()), style: t.Warn}
		}
		return headerPart{text: "renewing", style: t.Accent}
	case session.Delayed:
		return headerPart{text: t.Glyphs.Warning + " renewal delayed, " + r.env.Left(left) + " left", style: t.Warn}
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

// renewalWaits says that a renewal waits for another server, and how long the token still
// lives, or how long to wait if it does not.
func renewalWaits(s session.Status, now time.Time) string {
	if left := s.ExpiresAt.Sub(now); left > 0 {
		return "renewal waits, " + human.Span(left) + " left"
	}
	return "renewal waits " + human.Span(max(s.WaitsUntil.Sub(now), 0))
}

// crumb is one of the breadcrumbs, and how to go back there; run is nil for the current
// place.
type crumb struct {
	text string
	run  func() tea.Cmd
}

// maxCrumb is the maximum width in cells of the name of something open.
const maxCrumb = 40

// programName is the first of the breadcrumbs, behind the logo.
const programName = "Gatehouse"

// breadcrumbs are alternative forms of the breadcrumbs, from the longest to the shortest,
// which still names the domain.
func (r *root) breadcrumbs() [][]crumb {
	program := crumb{text: r.env.Theme.Glyphs.Logo + " " + programName}
	page := r.page()
	if page == nil {
		return [][]crumb{{program}}
	}
	title := crumb{text: page.Title()}
	p := r.domain()
	if p == nil {
		return r.pageCrumbs(program, title)
	}
	program.run = r.leaveDomain
	long, short := hostname.Readable(p.domain), hostname.Short(p.domain)
	open := r.openCrumbs(p.Breadcrumbs())
	if len(open) > 0 {
		title.run = r.closing(len(open))
	}
	forms := crumbForms(program, crumb{text: safetext.Line(short)}, title, open, r.env.Theme.Glyphs.More)
	if long != short {
		both := crumbForms(program, crumb{text: safetext.Line(long)}, title, open, r.env.Theme.Glyphs.More)
		forms = append(both[:len(both)-1], forms...) // the title is more important than the second spelling
	}
	return forms
}

// pageCrumbs are the forms outside of a domain.
func (r *root) pageCrumbs(program, title crumb) [][]crumb {
	inside, ok := r.page().(screen.Breadcrumbs)
	if !ok {
		return [][]crumb{{program, title}, {title}}
	}
	open := r.openCrumbs(inside.Breadcrumbs())
	whole := append([]crumb{title}, open...)
	return [][]crumb{append([]crumb{program}, whole...), whole, whole[len(whole)-1:]}
}

// crumbForms are the forms inside a domain, from the longest to the shortest.
func crumbForms(program, domain, title crumb, open []crumb, more string) [][]crumb {
	if len(open) == 0 {
		return [][]crumb{{program, domain, title}, {domain, title}, {domain}}
	}
	inside := append([]crumb{domain, title}, open...)
	last := open[len(open)-1]
	return [][]crumb{
		append([]crumb{program}, inside...), inside,
		{domain, {text: more, run: title.run}, last}, {domain},
	}
}

// openCrumbs are the names of what is open inside a tab.
func (r *root) openCrumbs(names []string) []crumb {
	crumbs := make([]crumb, len(names))
	for i, name := range names {
		crumbs[i] = crumb{text: safetext.Clip(name, maxCrumb)}
		if below := len(names) - 1 - i; below > 0 {
			crumbs[i].run = r.closing(below)
		}
	}
	return crumbs
}

// closing goes back a number of levels from the innermost thing that is open.
func (r *root) closing(levels int) func() tea.Cmd {
	return func() tea.Cmd {
		steps := make([]tea.Cmd, levels)
		for i := range steps {
			steps[i] = r.escape()
			r.updateActions()
		}
		return tea.Batch(steps...)
	}
}

// escape goes back one level, whatever key that is bound to.
func (r *root) escape() tea.Cmd {
	for _, a := range r.actions {
		if r.env.Keys.GoesBack(a.ID) || slices.Contains(a.Keys, "esc") {
			return r.perform(a)
		}
	}
	return nil
}

func (c *chrome) separator() string { return " " + c.env.Theme.Glyphs.Crumb + " " }

func (c *chrome) joined(crumbs []crumb) string {
	texts := make([]string, len(crumbs))
	for i, crumb := range crumbs {
		texts[i] = crumb.text
	}
	return strings.Join(texts, c.separator())
}

// drawn draws crumbs: the logo in the accent, the current place strong.
func (c *chrome) drawn(crumbs []crumb) string {
	t, parts := c.env.Theme, make([]string, len(crumbs))
	for i, crumb := range crumbs {
		name, isProgram := strings.CutPrefix(crumb.text, t.Glyphs.Logo+" ")
		switch {
		case isProgram:
			parts[i] = t.Accent.Render(t.Glyphs.Logo) + " " + t.Strong.Render(name)
		case i == len(crumbs)-1:
			parts[i] = t.Strong.Render(name)
		default:
			parts[i] = t.Muted.Render(name)
		}
	}
	return strings.Join(parts, t.Faint.Render(c.separator()))
}

// clickable makes the crumbs in the first line clickable.
func (c *chrome) clickable(crumbs []crumb) {
	x := 1
	for _, crumb := range crumbs {
		width := safetext.Width(crumb.text)
		if crumb.run != nil && !c.covered {
			c.spot(x, 0, width, crumb.run)
		}
		x += width + safetext.Width(c.separator())
	}
}

// windowTitle is the title of the terminal window: user and domain.
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
