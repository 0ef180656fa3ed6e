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
	for i := range where {
		if line, ok := r.bar(where[i], who); ok {
			return []string{line}
		}
	}
	if r.height < twoLineHeader || len(who) < 2 {
		return []string{r.shortBar(where, who)}
	}
	return []string{r.shortBar(where, who[:1]), r.shortBar([]string{who[1]}, who[2:])}
}

// twoLineHeader is the height from which the header may have two lines.
const twoLineHeader = 9

// shortBar leaves out parts until the rest fits.
func (r *root) shortBar(left, right []string) string {
	for n := len(right); n > 0; n-- {
		for _, form := range left {
			if line, ok := r.bar(form, right[:n]); ok {
				return line
			}
		}
	}
	return r.env.Theme.BarStrong.Render(safetext.Fit(" "+left[len(left)-1], r.width))
}

// bar is a line with one text at the left and others at the right, if they fit.
func (r *root) bar(left string, right []string) (string, bool) {
	t := r.env.Theme
	end := strings.Join(reversed(right), " "+t.Glyphs.Separator+" ")
	gap := r.width - safetext.Width(left) - safetext.Width(end) - 2
	if gap < 1 {
		return "", false
	}
	return t.BarStrong.Render(" "+left) + t.Bar.Render(strings.Repeat(" ", gap)+end+" "), true
}

// reversed puts what matters most at the edge.
func reversed(parts []string) []string {
	parts = slices.Clone(parts)
	slices.Reverse(parts)
	return parts
}

// where names the place, from the longest form to the shortest.
func (r *root) where() []string {
	title := ""
	if current := r.current(); current != nil {
		title = current.Title()
	}
	name := safetext.Line(r.domainName())
	crumb := " " + r.env.Theme.Glyphs.Crumb + " "
	switch {
	case title == "":
		return []string{"Gatehouse"}
	case name == "" || r.signin != nil:
		return []string{"Gatehouse" + crumb + title, title}
	}
	return []string{"Gatehouse" + crumb + name + crumb + title, name + crumb + title, name}
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

// domainName is the domain the person is in, or "".
func (r *root) domainName() string {
	if r.inside && r.place != nil {
		return r.place.domain
	}
	return ""
}
