package ui

import (
	"slices"
	"strings"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// header shows the breadcrumbs, the user, the profile and the remaining life of the token. If
// there is too little room, first the breadcrumbs become shorter, then parts are left out.
func (c *chrome) header(crumbs [][]string, who []headerPart) string {
	for n := len(who); n >= 0; n-- {
		for _, form := range crumbs {
			if line, ok := c.bar(form, who[:n]); ok {
				return line
			}
		}
	}
	t, shortest := c.env.Theme, crumbs[len(crumbs)-1]
	return t.Header.Fill(t.Strong.Render(safetext.Fit(" "+shortest[len(shortest)-1], c.width)))
}

// bar is a line with crumbs at the left and parts at the right, if they fit; the line
// that shows the remaining life is left out first.
func (c *chrome) bar(left []string, right []headerPart) (string, bool) {
	start := " " + c.drawn(left)
	for _, withLine := range []bool{true, false} {
		end := c.drawnParts(right, withLine) + " "
		if gap := c.width - screen.Cells(start) - screen.Cells(end); gap >= 2 {
			return c.env.Theme.Header.Fill(start + strings.Repeat(" ", gap) + end), true
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

// maxCrumb is the maximum width in cells of the name of something open.
const maxCrumb = 40

// programName is the first of the breadcrumbs, behind the logo.
const programName = "Gatehouse"

// breadcrumbs are alternative forms of the breadcrumbs, from the longest to the shortest,
// which still names the domain, or outside of one what is innermost.
func (r *root) breadcrumbs() [][]string {
	program := r.env.Theme.Glyphs.Logo + " " + programName
	inside := r.domain()
	if r.page() == nil {
		return [][]string{{program}}
	}
	var path []string
	if inside != nil {
		path = append(path, safetext.Line(hostname.Readable(inside.domain)))
	}
	for _, name := range r.names() {
		path = append(path, safetext.Clip(name, maxCrumb))
	}
	whole, last := append([]string{program}, path...), path[len(path)-1]
	if inside == nil {
		return [][]string{whole, path, {last}}
	}
	domain := safetext.Line(hostname.Short(inside.domain))
	short := []string{domain, last}
	if len(path) > 2 {
		short = []string{domain, r.env.Theme.Glyphs.More, last}
	}
	return [][]string{whole, path, short, {domain}}
}

// drawn draws crumbs: the logo in the accent, the current place strong.
func (c *chrome) drawn(crumbs []string) string {
	t, parts := c.env.Theme, slices.Clone(crumbs)
	for i, crumb := range crumbs {
		name, isProgram := strings.CutPrefix(crumb, t.Glyphs.Logo+" ")
		switch {
		case isProgram:
			parts[i] = t.Accent.Render(t.Glyphs.Logo) + " " + t.Strong.Render(name)
		case i == len(crumbs)-1:
			parts[i] = t.Strong.Render(name)
		default:
			parts[i] = t.Muted.Render(name)
		}
	}
	return strings.Join(parts, t.Faint.Render(" "+t.Glyphs.Crumb+" "))
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
