package ui

import (
	"slices"
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/human"
)

// header shows where the person is, who is signed in, the profile and the life
// left in the token: on one line, or on two where one is too narrow and there is
// room for both. Where even that is too narrow, the lesser parts go first.
func (r *root) header() []string {
	where, who := r.where(), r.who()
	for _, form := range where {
		if line, ok := r.bar(form, who); ok {
			return []string{line}
		}
	}
	if r.height < twoLineHeader || len(who) < 2 {
		return []string{r.shortBar(where, who)}
	}
	second := r.shortBar([][]crumb{{{text: who[1]}}}, who[2:])
	return []string{r.shortBar(where, who[:1]), second}
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
	way := r.joined(left)
	end := strings.Join(reversed(right), " "+t.Glyphs.Separator+" ")
	gap := r.width - safetext.Width(way) - safetext.Width(end) - 2
	if gap < 1 {
		return "", false
	}
	r.clickable(left)
	return t.BarStrong.Render(" "+way) + t.Bar.Render(strings.Repeat(" ", gap)+end+" "), true
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
		return "renewal delayed, " + human.Span(s.ExpiresAt.Sub(r.env.Now())) + " left"
	case session.Ended:
		return "session over"
	case session.Active:
		if s.ExpiresAt.IsZero() {
			return "no end known"
		}
		return human.Span(s.ExpiresAt.Sub(r.env.Now())) + " left"
	}
	return ""
}
