package browse

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
)

// The cells of the bar.
const shortestBar, longestBar = 10, 30

// progress says in a line how far the loading is, as much of it as there is room for.
func (m *Model) progress(width int) string {
	t := m.env.Theme
	p, elapsed := m.job.progress(), max(m.env.Now().Sub(m.job.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/frame)%len(t.Glyphs.Spinner)]
	parts := m.progressParts(p, elapsed)
	line, room := parts[0], width-len("s ")
	if p.Expected > 0 && width >= 4*shortestBar {
		room -= shortestBar + len("  ")
	}
	for _, part := range parts[1:] {
		longer := line + ", " + part
		if safetext.Width(longer) > room {
			break
		}
		line = longer
	}
	line = t.Accent.Render(sign) + " " + line
	if p.Expected > 0 {
		line = layout.Sides(line, m.bar(p, width-safetext.Width(line)-2), width)
	}
	return layout.Cut(line, width)
}

// progressParts are what is known of a loading, the most telling first.
func (m *Model) progressParts(p records.Progress, elapsed time.Duration) []string {
	head := "loading the " + m.names.Many
	switch {
	case m.job.cancelled:
		head = "stopping"
	case p.Rows > 0 && m.reloading():
		head += " again: " + human.Count(p.Rows)
	case p.Rows > 0 && m.view.text != "":
		head = "loading: " + human.Count(m.grid.Len()) + " of " + m.names.count(p.Rows)
	case p.Rows > 0:
		head = "loading: " + m.names.count(p.Rows)
	}
	parts := []string{head}
	if m.order.set && m.source != nil && m.source.growing {
		parts = append(parts, "to be sorted when all are here")
	}
	if p.Bytes > 0 && p.Expected > 0 {
		parts = append(parts, fmt.Sprintf("%d %%", p.Bytes*100/p.Expected), human.Bytes(p.Bytes)+" of "+human.Bytes(p.Expected))
	} else if p.Bytes > 0 {
		parts = append(parts, human.Bytes(p.Bytes))
	}
	if elapsed < time.Second {
		return parts
	}
	rate := int64(float64(p.Bytes) / elapsed.Seconds())
	if rate > 0 && p.Expected > p.Bytes {
		parts = append(parts, human.Span(time.Duration(float64(p.Expected-p.Bytes)/float64(rate)*float64(time.Second)))+" left")
	}
	if rate > 0 {
		parts = append(parts, human.Bytes(rate)+"/s")
	}
	return append(parts, human.Span(elapsed))
}

// bar draws how far the loading is, "" where there is no room.
func (m *Model) bar(p records.Progress, room int) string {
	if room < shortestBar {
		return ""
	}
	cells := min(room, longestBar)
	full := int(min(p.Bytes, p.Expected) * int64(cells) / p.Expected)
	g := m.env.Theme.Glyphs
	return m.env.Theme.Accent.Render(strings.Repeat(g.BarFull, full) + strings.Repeat(g.BarEmpty, cells-full))
}
