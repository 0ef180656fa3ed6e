package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/screen"
)

// header shows the breadcrumbs, the user, the profile and the remaining life of the
// token: on one line, or on two if one is too narrow and the terminal is high enough. If
// that is still too narrow, less important parts are left out.
func (r *root) header() []string {
	crumbs, who := r.breadcrumbs(), r.sessionTexts()
	for _, form := range crumbs {
		if line, ok := r.bar(form, who); ok {
			return []string{line}
		}
	}
	if r.height < twoLineHeader || len(who) < 2 {
		return []string{r.shortBar(crumbs, who)}
	}
	second := r.shortBar([][]crumb{{{text: who[1]}}}, who[2:])
	return []string{r.shortBar(crumbs, who[:1]), second}
}

// twoLineHeader is the minimum height of the terminal for a header of two lines.
const twoLineHeader = 9

// shortBar leaves out parts until the rest fits.
func (r *root) shortBar(left [][]crumb, right []string) string {
	for n := len(right); n > 0; n-- {
		for _, form := range left {
			if line, ok := r.bar(form, right[:n]); ok {
				return line
			}
		}
	}
	last := r.joined(left[len(left)-1])
	return r.env.Theme.BarStrong.Render(safetext.Fit(" "+last, r.width))
}

// bar is a line with crumbs at the left and texts at the right, if they fit.
func (r *root) bar(left []crumb, right []string) (string, bool) {
	t := r.env.Theme
	start := r.joined(left)
	end := strings.Join(reversed(right), " "+t.Glyphs.Separator+" ")
	gap := r.width - safetext.Width(start) - safetext.Width(end) - 2
	if gap < 1 {
		return "", false
	}
	r.clickable(left)
	return t.BarStrong.Render(" "+start) + t.Bar.Render(strings.Repeat(" ", gap)+end+" "), true
}

// reversed puts the most important part at the edge.
func reversed(parts []string) []string {
	parts = slices.Clone(parts)
	slices.Reverse(parts)
	return parts
}

// sessionTexts lists remaining life, user and profile, the most important first.
func (r *root) sessionTexts() []string {
	if r.service == nil {
		return nil
	}
	status := r.service.Session.Status()
	parts := []string{}
	if life := r.life(status); life != "" {
		parts = append(parts, life)
	}
	if status.Username != "" && status.State != session.SignedOut {
		parts = append(parts, safetext.Truncate(safetext.Line(status.Username), 40))
	}
	return append(parts, safetext.Line(r.service.Profile.Name))
}

func (r *root) life(s session.Status) string {
	switch s.State {
	case session.Renewing:
		return "renewing"
	case session.Delayed:
		return "renewal delayed, " + screen.Span(s.ExpiresAt.Sub(r.env.Now())) + " left"
	case session.Ended:
		return "session over"
	case session.Active:
		if s.ExpiresAt.IsZero() {
			return "no end known"
		}
		return screen.Span(s.ExpiresAt.Sub(r.env.Now())) + " left"
	}
	return ""
}

// crumb is one of the breadcrumbs, and how to go back there; run is nil for the current
// place.
type crumb struct {
	text string
	run  func() tea.Cmd
}

// maxCrumb is the maximum width in cells of the name of something open.
const maxCrumb = 40

// breadcrumbs are alternative forms of the breadcrumbs, from the longest to the shortest,
// which still names the domain.
func (r *root) breadcrumbs() [][]crumb {
	program := crumb{text: "Gatehouse"}
	page := r.page()
	if page == nil {
		return [][]crumb{{program}}
	}
	title := crumb{text: page.Title()}
	p := r.domain()
	if p == nil {
		return [][]crumb{{program, title}, {title}}
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
		if r.env.Keys.Standard(a.ID) == "esc" || slices.Contains(a.Keys, "esc") {
			return r.perform(a)
		}
	}
	return nil
}

func (r *root) separator() string { return " " + r.env.Theme.Glyphs.Crumb + " " }

func (r *root) joined(crumbs []crumb) string {
	texts := make([]string, len(crumbs))
	for i, c := range crumbs {
		texts[i] = c.text
	}
	return strings.Join(texts, r.separator())
}

// clickable makes the crumbs in the first line clickable.
func (r *root) clickable(crumbs []crumb) {
	x := 1
	for _, c := range crumbs {
		width := safetext.Width(c.text)
		if c.run != nil && !r.modal() {
			r.spot(x, 0, width, c.run)
		}
		x += width + safetext.Width(r.separator())
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
