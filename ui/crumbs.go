package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// crumb is a part of the way to what is shown, and how to go back to there; nil
// where the person is there already.
type crumb struct {
	text string
	run  func() tea.Cmd
}

// longestCrumb is how many cells the name of something open may take.
const longestCrumb = 40

// where names the way to what is shown, from the longest form to the shortest,
// which still names the domain.
func (r *root) where() [][]crumb {
	program := crumb{text: "Gatehouse"}
	current := r.current()
	if current == nil {
		return [][]crumb{{program}}
	}
	p := r.place()
	title := crumb{text: r.stackOf(current).Screens()[0].Title()}
	if p == nil {
		return [][]crumb{{program, title}, {title}}
	}
	program.run = r.back
	long, short := hostname.Readable(p.domain), hostname.Short(p.domain)
	trail := r.trail(current)
	if len(trail) > 0 {
		title.run = r.closing(len(trail))
	}
	forms := ways(program, crumb{text: safetext.Line(short)}, title, trail, r.env.Theme.Glyphs.More)
	if long != short {
		both := ways(program, crumb{text: safetext.Line(long)}, title, trail, r.env.Theme.Glyphs.More)
		forms = append(both[:len(both)-1], forms...) // the screen matters more than the second spelling
	}
	return forms
}

// ways are the forms of the way inside a domain, from the longest to the shortest.
func ways(program, domain, title crumb, trail []crumb, more string) [][]crumb {
	if len(trail) == 0 {
		return [][]crumb{{program, domain, title}, {domain, title}, {domain}}
	}
	inside := append([]crumb{domain, title}, trail...)
	last := trail[len(trail)-1]
	return [][]crumb{
		append([]crumb{program}, inside...), inside,
		{domain, {text: more, run: title.run}, last}, {domain},
	}
}

// trail is what is open inside a screen.
func (r *root) trail(s screen.Screen) []crumb {
	var names []string
	for i, open := range r.stackOf(s).Screens() {
		if _, overlay := open.(screen.Overlay); i > 0 && !overlay {
			names = append(names, open.Title())
		}
		if trailed, ok := open.(screen.Breadcrumbs); ok {
			names = append(names, trailed.Breadcrumbs()...)
		}
	}
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
		}
		return tea.Batch(steps...)
	}
}

// escape goes one back, whatever key that is bound to.
func (r *root) escape() tea.Cmd {
	for _, a := range r.actions() {
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
		if c.run != nil && r.overlay() == nil {
			r.spot(x, 0, width, c.run)
		}
		x += width + safetext.Width(r.separator())
	}
}
