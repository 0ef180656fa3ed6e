package groups

import (
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
)

// Layout gives the size of what View draws.
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View draws the panel in exactly the size of the last Layout.
func (m *Model) View() string {
	width, height := m.width, m.height
	column := safetext.Clip(m.column, width/2)
	switch {
	case m.failure != "":
		text := m.theme.Glyphs.Bad + " The values of " + column + " could not be counted. " + m.failure
		return layout.Box(m.theme.Bad.Render(layout.Wrap(text, width)), width, height)
	case m.groups == nil:
		text := "counting the values of " + column + m.theme.Glyphs.More
		return layout.Box(m.theme.Accent.Render(layout.Wrap(text, width)), width, height)
	}
	above := []string{}
	if absent := m.absent(); absent != "" && height >= 6 {
		above = append(above, m.theme.Muted.Render(layout.Cut(absent, width)))
	}
	if m.find.Visible() {
		m.find.Layout(width)
		above = append(above, m.find.View())
	}
	// The list first: the line above it tells which part of it is visible.
	m.above = len(above) + 1
	body := m.body(width, max(height-m.above, 0))
	// Which columns are cut is of no use: nobody can go to them.
	position, _, _ := strings.Cut(m.grid.Position(), " "+m.theme.Glyphs.Separator)
	head := layout.Sides(m.theme.Strong.Render(column+": "+m.count()), m.theme.Muted.Render(position), width)
	lines := append([]string{head}, above...)
	return layout.Box(strings.Join(append(lines, body), "\n"), width, height)
}

func (m *Model) body(width, height int) string {
	if len(m.groups.Items) == 0 {
		return layout.Box("\n"+m.theme.Muted.Render("There is no row to look at."), width, height)
	}
	m.grid.Layout(width, height)
	return m.grid.View()
}

// count says how many values there are.
func (m *Model) count() string {
	switch g := m.groups; {
	case g.Capped:
		return "more than " + human.Count(g.Values) + " values"
	case g.Values == 1:
		return "1 value"
	}
	return human.Count(m.groups.Values) + " values"
}

// absent says in how many rows there is no value, and how many values are not
// in the list.
func (m *Model) absent() string {
	g := m.groups
	var parts []string
	if g.Nulls > 0 {
		parts = append(parts, human.Count(g.Nulls)+" null")
	}
	if g.Missing > 0 {
		parts = append(parts, human.Count(g.Missing)+" missing")
	}
	if len(parts) > 0 {
		parts = []string{strings.Join(parts, ", ") + " in " + human.Count(g.Total) + " rows"}
	}
	if listed := g.listed(); listed < g.Values {
		parts = append(parts, "the most frequent "+human.Count(listed)+" are listed")
	}
	return strings.Join(parts, " "+m.theme.Glyphs.Separator+" ")
}
