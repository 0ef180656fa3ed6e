package ui

import (
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/human"
)

// header shows who is signed in, where they are, the profile and the life left
// in the token. Where it is too narrow for all, the lesser parts go first.
func (r *root) header() string {
	t := r.env.Theme
	left, right := r.where(), r.who()
	for room := r.width - 2; ; {
		used := safetext.Width(left[0]) + len(right)*3
		for _, part := range right {
			used += safetext.Width(part)
		}
		switch {
		case used <= room:
			return t.BarStrong.Render(" "+left[0]) + t.Bar.Render(strings.Repeat(" ", room-used+3)) + r.right(right) + t.Bar.Render(" ")
		case len(left) > 1:
			left = left[1:]
		case len(right) > 1:
			right = right[:len(right)-1]
		default:
			return t.BarStrong.Render(safetext.Fit(" "+left[0], r.width))
		}
	}
}

// where names the place, from the longest form to the shortest.
func (r *root) where() []string {
	title := ""
	if current := r.current(); current != nil {
		title = current.Title()
	}
	name := safetext.Line(r.domainName())
	switch {
	case title == "":
		return []string{"Gatehouse"}
	case name == "" || r.signin != nil:
		return []string{"Gatehouse › " + title, title}
	}
	return []string{"Gatehouse › " + name + " › " + title, name + " › " + title, name}
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

// right draws the parts in reverse, so that the life left stands at the edge.
func (r *root) right(parts []string) string {
	t := r.env.Theme
	var line strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		line.WriteString(t.Bar.Render(parts[i]))
		if i > 0 {
			line.WriteString(t.Bar.Render(" " + t.Glyphs.Separator + " "))
		}
	}
	return line.String()
}

// domainName is the domain the person is in, or "".
func (r *root) domainName() string {
	if r.inside && r.place != nil {
		return r.place.domain
	}
	return ""
}
