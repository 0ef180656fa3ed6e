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

// header shows where the person is, who is signed in, the profile and the life
// left in the token: on one line, or on two where one is too narrow and there is
// room for both. Where even that is too narrow, the lesser parts go first.
func (r *root) header() []string {
	crumbs, who := r.breadcrumbs(), r.who()
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

// twoLineHeader is the height from which the header may have two lines.
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

// reversed puts what matters most at the edge.
func reversed(parts []string) []string {
	parts = slices.Clone(parts)
	slices.Reverse(parts)
	return parts
}

// who lists user, life left and profile, the most needed first.
func (r *root) who() []string {
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

// crumb is a part of the way to what is shown, and how to go back to there; nil
// where the person is there already.
type crumb struct {
	text string
	run  func() tea.Cmd
}

// longestCrumb is how many cells the name of something open may take.
const longestCrumb = 40

// breadcrumbs are the forms of the way to what is shown, from the longest to the
// shortest, which still names the domain.
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
		forms = append(both[:len(both)-1], forms...) // the screen matters more than the second spelling
	}
	return forms
}

// crumbForms are those inside a domain, from the longest to the shortest.
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

// openCrumbs name what is open inside a tab.
func (r *root) openCrumbs(names []string) []crumb {
	crumbs := make([]crumb, len(names))
	for i, name := range names {
		crumbs[i] = crumb{text: safetext.Clip(name, longestCrumb)}
		if below := len(names) - 1 - i; below > 0 {
			crumbs[i].run = r.closing(below)
		}
	}
	return crumbs
}

// closing goes back from the innermost things that are open on the screen.
func (r *root) closing(levels int) func() tea.Cmd {
	return func() tea.Cmd {
		steps := make([]tea.Cmd, levels)
		for i := range steps {
			steps[i] = r.escape()
			r.settleActions()
		}
		return tea.Batch(steps...)
	}
}

// escape goes one back, whatever key that is bound to.
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

// clickable makes the crumbs of the first line of the frame lead back.
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

// windowTitle is what the terminal shows above the program: who, and where.
func (r *root) windowTitle() string {
	parts := []string{"gatehouse"}
	if r.service != nil && r.signIn() == nil {
		if user := r.service.Session.Status().Username; user != "" {
			parts = append(parts, safetext.Clip(user, longestCrumb))
		}
	}
	if p := r.domain(); p != nil {
		parts = append(parts, safetext.Clip(p.domain, longestCrumb))
	}
	return strings.Join(parts, " · ")
}
