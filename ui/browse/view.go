package browse

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
)

// Layout settles what is visible of the table, below a summary and what else has to
// be said.
func (m *recordList) Layout(width, height int) {
	m.width, m.height = width, height
	m.filter.Layout(width)
	if m.source != nil {
		m.above = m.linesAbove(width, height)
		m.grid.Layout(width, m.tableHeight())
	}
}

// tableHeight is how many lines the table has.
func (m *recordList) tableHeight() int { return max(m.height-1-len(m.above), 0) }

// View draws the list in exactly the size of the last Layout.
func (m *recordList) View() string {
	if m.source == nil {
		return layout.Box(m.waiting(m.width), m.width, m.height)
	}
	lines := append([]string{m.summary(m.width)}, m.above...)
	return layout.Box(strings.Join(append(lines, m.table(m.width, m.tableHeight())), "\n"), m.width, m.height)
}

// linesAbove are the lines between the summary and the table.
func (m *recordList) linesAbove(width, height int) []string {
	texts := m.banners()
	var lines []string
	for i, text := range texts {
		room := max(height/2-len(lines), 1) / (len(texts) - i)
		lines = append(lines, m.banner(text, width, room)...)
	}
	if m.filter.Visible() {
		lines = append(lines, m.filter.View())
		for _, note := range m.notes() {
			lines = append(lines, layout.Cut(m.env.Theme.Warn.Render(m.env.Theme.Glyphs.Warning+" "+note), width))
		}
	}
	return lines
}

// notes say what may surprise in how the filter was understood.
func (m *recordList) notes() []string {
	if m.found == nil || m.found.text != m.filter.Text() {
		return nil
	}
	notes := m.found.query.Notes()
	return notes[:min(len(notes), 2)]
}

func (m *recordList) table(width, height int) string {
	switch {
	case m.source.Len() == 0:
		return layout.Box(m.empty(width), width, height)
	case m.grid.Len() == 0 && m.working():
		return layout.Box("", width, height)
	case m.grid.Len() == 0:
		text := fmt.Sprintf("\nThe filter finds none of the %s.", m.names.count(m.source.Len()))
		return layout.Box(m.env.Theme.Muted.Render(layout.Wrap(text, width)), width, height)
	}
	return m.grid.View()
}

// waiting is what stands where the table will be.
func (m *recordList) waiting(width int) string {
	switch {
	case m.job != nil:
		return "\n" + m.progress(width)
	case m.problem != nil:
		return "\n" + layout.Trouble(m.env.Theme, *m.problem, width)
	}
	return ""
}

// summary is the line above the table: how many rows, what their numbers add up
// to, and which of them is marked. A sum that is known goes before the position,
// most of which can be seen in the table.
func (m *recordList) summary(width int) string {
	if m.job != nil {
		return m.progress(width)
	}
	total := m.names.count(m.source.Len())
	if shown := m.grid.Len(); shown != m.source.Len() {
		total = human.Count(shown) + " of " + total
	}
	if m.names.of != "" {
		total += " of " + m.names.of
	}
	left := m.env.Theme.Strong.Render(total)
	if doing := m.doing(); doing != "" {
		return m.besidePosition(left+"  "+m.env.Theme.Accent.Render(doing), width)
	}
	if sum := m.sum.String(); sum != "" {
		if with := left + "  " + m.env.Theme.Muted.Render(sum); ansi.StringWidth(with) <= width {
			return m.besidePosition(with, width)
		}
	}
	return m.besidePosition(left, width)
}

// besidePosition is a text, and at the other end as much of the position as there
// is room for.
func (m *recordList) besidePosition(text string, width int) string {
	for _, position := range []string{m.grid.Position(), m.grid.RowPosition()} {
		if right := m.env.Theme.Muted.Render(position); ansi.StringWidth(text)+1+ansi.StringWidth(right) <= width {
			return layout.Sides(text, right, width)
		}
	}
	return layout.Cut(text, width)
}

// doing says what a person has waited for longer than a moment.
func (m *recordList) doing() string {
	switch {
	case !m.working() || !m.arrange.slow && !m.arrange.partial:
		return ""
	case m.arrange.partial || m.view.text != m.arrange.find.text:
		return "filtering" + m.env.Theme.Glyphs.More
	}
	return "sorting" + m.env.Theme.Glyphs.More
}

// banners are the texts over the table: why what is shown is not the newest, and
// what of it is not there.
func (m *recordList) banners() []string {
	var texts []string
	if p := m.problem; p != nil {
		texts = append(texts, fmt.Sprintf("%s Shown as of %s. %s %s", m.env.Theme.Glyphs.Bad, m.loadedAt.Local().Format(time.TimeOnly), p.Sentence, p.Hint))
	}
	if m.source.missing != "" {
		texts = append(texts, m.env.Theme.Glyphs.Warning+" "+m.source.missing)
	}
	return texts
}

// banner is a text over the table, in no more lines than there is room for, and
// in four at most. Where it is cut, it says so.
func (m *recordList) banner(text string, width, room int) []string {
	lines := strings.Split(layout.Wrap(text, width), "\n")
	if most := min(max(room, 1), 4); len(lines) > most {
		lines = lines[:most]
		lines[most-1] = safetext.Truncate(lines[most-1]+m.env.Theme.Glyphs.More, width)
	}
	for i, line := range lines {
		lines[i] = m.env.Theme.Bad.Render(line)
	}
	return lines
}

func (m *recordList) empty(width int) string {
	text := fmt.Sprintf("\nNo %s. %s", m.names.many, m.names.empty)
	if message := m.source.table.Message(); message != "" {
		text += "\n\nThe service says: " + safetext.Clip(message, longestMessage)
	}
	return m.env.Theme.Muted.Render(layout.Wrap(text, width))
}

// longestMessage is how many cells of the service's own words are shown.
const longestMessage = 400

// shortTitle is the last part of a column's name, for headings.
func shortTitle(title string) string {
	return safetext.Clip(title[strings.LastIndexByte(title, '.')+1:], 24)
}

// The cells of the bar.
const shortestBar, longestBar = 10, 30

// progress says in a line how far the loading is, as much of it as there is room for.
func (m *recordList) progress(width int) string {
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
func (m *recordList) progressParts(p records.Progress, elapsed time.Duration) []string {
	head := "loading the " + m.names.many
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
func (m *recordList) bar(p records.Progress, room int) string {
	if room < shortestBar {
		return ""
	}
	cells := min(room, longestBar)
	full := int(min(p.Bytes, p.Expected) * int64(cells) / p.Expected)
	g := m.env.Theme.Glyphs
	return m.env.Theme.Accent.Render(strings.Repeat(g.BarFull, full) + strings.Repeat(g.BarEmpty, cells-full))
}
