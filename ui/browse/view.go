package browse

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
)

// View draws the list in exactly height lines.
func (m *Model) View(width, height int) string {
	switch {
	case m.detail != nil:
		title := m.env.Theme.Strong.Render(safetext.Truncate(m.detail.title, width))
		return title + "\n" + m.detail.tree.View(width, height-1)
	case m.source == nil:
		return layout.Box(m.waiting(width), width, height)
	}
	above := []string{}
	if m.problem != nil {
		above = append(above, m.stale(width, height)...)
	}
	if m.filter.Visible() {
		above = append(above, m.filter.View(width))
	}
	m.tableAt = len(above) + 1
	// The table first: the summary tells which part of it is visible.
	table := m.rows(width, max(height-len(above)-1, 0))
	lines := append([]string{m.summary(width)}, above...)
	return layout.Box(strings.Join(append(lines, table), "\n"), width, height)
}

func (m *Model) rows(width, height int) string {
	if m.source.Len() == 0 {
		return layout.Box(m.empty(width), width, height)
	}
	return m.grid.View(width, height)
}

// waiting is what stands where the table will be.
func (m *Model) waiting(width int) string {
	switch {
	case m.job != nil:
		return "\n" + m.progress()
	case m.problem != nil:
		return "\n" + layout.Trouble(m.env.Theme, *m.problem, width)
	}
	return ""
}

func (m *Model) progress() string {
	elapsed := max(m.job.now().Sub(m.job.started), 0)
	spinner := m.env.Theme.Glyphs.Spinner
	sign := spinner[int(elapsed/frame)%len(spinner)]
	text := fmt.Sprintf("loading the %s", m.names.Many)
	received, total := m.job.progress()
	if received > 0 {
		text += ": " + human.Bytes(received)
	}
	if total > 0 {
		text += " of " + human.Bytes(total)
	}
	return m.env.Theme.Accent.Render(sign) + " " + text + m.env.Theme.Muted.Render(fmt.Sprintf("  %ds", int(elapsed/time.Second)))
}

// summary is the line above the table: how many, and which of them is marked.
func (m *Model) summary(width int) string {
	if m.job != nil {
		return m.progress()
	}
	total := m.source.Len()
	count := fmt.Sprintf("%s %s", human.Count(total), m.names.Many)
	if total == 1 {
		count = "1 " + m.names.One
	}
	if shown := m.grid.Len(); shown != total {
		count = fmt.Sprintf("%s of %s", human.Count(shown), count)
	}
	if m.names.Of != "" {
		count += " of " + m.names.Of
	}
	return layout.Sides(m.env.Theme.Strong.Render(count), m.env.Theme.Muted.Render(m.grid.Position()), width)
}

// stale says why what is shown is not the newest, in up to four lines.
func (m *Model) stale(width, height int) []string {
	text := fmt.Sprintf("%s Shown as of %s. %s %s", m.env.Theme.Glyphs.Bad, m.loadedAt.Local().Format(time.TimeOnly), m.problem.Sentence, m.problem.Hint)
	lines := strings.Split(layout.Wrap(text, width), "\n")
	lines = lines[:min(len(lines), 4, max(height/2, 1))]
	for i, line := range lines {
		lines[i] = m.env.Theme.Bad.Render(line)
	}
	return lines
}

func (m *Model) empty(width int) string {
	text := fmt.Sprintf("\nNo %s. %s", m.names.Many, m.names.Empty)
	return m.env.Theme.Muted.Render(layout.Wrap(text, width))
}
