package domains

import (
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/hostname"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/screen"
)

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View implements [screen.Screen].
func (m *Model) View() string {
	width, height := m.width, m.height
	if m.address != nil {
		return screen.Box(m.address.view(m.env.Theme, width), width, height)
	}
	if brief := width < narrow; brief != m.names.narrow {
		m.names.narrow = brief
		m.grid.SetSource(m.names, m.shown)
		m.grid.SetMatch(m.filter.Words())
	}
	above := []string{}
	if m.filter.Visible() {
		m.filter.Layout(width)
		above = append(above, m.filter.View())
	}
	m.above = 1 + len(above)
	// The list first: the line above it tells which part of it is visible.
	body := m.body(width, max(height-len(above)-1, 0))
	lines := append([]string{m.head(width)}, above...)
	return screen.Box(strings.Join(append(lines, body), "\n"), width, height)
}

// head says how many domains there are, what is being asked, and where the
// cursor is.
func (m *Model) head(width int) string {
	t := m.env.Theme
	left := t.Strong.Render(m.count())
	if text := m.progress(); text != "" {
		left += t.Muted.Render(" " + t.Glyphs.Separator + " " + text)
	}
	return screen.Sides(left, t.Muted.Render(m.grid.Position()), width)
}

func (m *Model) count() string {
	total := len(m.names.domains)
	switch shown := m.grid.Len(); {
	case shown != total:
		return fmt.Sprintf("%d of %d domains", shown, total)
	case total == 1:
		return "1 domain"
	}
	return fmt.Sprintf("%d domains", total)
}

// progress says what is waited for and since when, or how many gateways are
// of use.
func (m *Model) progress() string {
	asked, reached, flying := 0, 0, 0
	for _, l := range m.looks {
		switch {
		case l.asking:
			flying++
		case l.verdict != nil:
			asked++
			if l.verdict.mark == good {
				reached++
			}
		}
	}
	switch {
	case flying > 0:
		return fmt.Sprintf("asking %s since %s", counted(flying), m.round.started.Local().Format(time.TimeOnly))
	case asked == 1 && reached == 0:
		return "the gateway gives no shares"
	case asked > reached:
		return fmt.Sprintf("%d of %s give shares", reached, counted(asked))
	}
	return ""
}

func counted(n int) string {
	if n == 1 {
		return "1 gateway"
	}
	return fmt.Sprintf("%d gateways", n)
}

// leastRows is how many lines the list keeps, its titles included.
const leastRows = 3

// body is the table of domains, with notes below it as far as there is room.
func (m *Model) body(width, height int) string {
	if len(m.names.domains) == 0 {
		return "\n" + m.nothing(width)
	}
	notes := m.notes(width)
	notes = notes[:max(0, min(len(notes), height-leastRows-1))]
	if origin := len(m.origin(width)); len(notes) == origin && m.grid.Len()+origin+2 > height {
		notes = nil // a domain is worth more than a word on the whole list
	}
	if len(notes) == 0 {
		m.grid.Layout(width, height)
		return m.grid.View()
	}
	m.grid.Layout(width, height-len(notes)-1)
	return m.grid.View() + "\n\n" + strings.Join(notes, "\n")
}

// notes are lines that say what the cells have no room for, what matters most
// first.
func (m *Model) notes(width int) []string {
	return append(append(m.trouble(width), m.over(width)...), m.origin(width)...)
}

// mostTrouble is how many lines explain the gateway under the cursor.
const mostTrouble = 3

// trouble says in full why the gateway under the cursor gives no shares.
func (m *Model) trouble(width int) []string {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	known := m.looks[m.names.addresses[row]]
	if known == nil || known.trouble == nil {
		return nil
	}
	text := known.verdict.mark.glyph(m.names.glyphs) + " " + known.trouble.Sentence + " " + known.trouble.Hint
	lines := strings.Split(screen.Wrap(text, width), "\n")
	lines = lines[:min(len(lines), mostTrouble)]
	style := m.env.Theme.Bad
	if known.verdict.mark == warning {
		style = m.env.Theme.Warn
	}
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// over says that what is shown is of a session that can do nothing any more.
func (m *Model) over(width int) []string {
	if state := m.status().State; state != session.Ended && state != session.SignedOut {
		return nil
	}
	text := m.env.Theme.Glyphs.Warning + " The session is over; this list is from before. " + m.signInKey()
	return []string{m.env.Theme.Warn.Render(safetext.Truncate(text, width))}
}

// mostRejected is how many names that were left out are shown.
const mostRejected = 3

// origin says what the list is and what was left out of it.
func (m *Model) origin(width int) []string {
	status := m.status()
	notes := []string{}
	rejected := status.Claims.Rejected
	for _, refused := range rejected[:min(len(rejected), mostRejected)] {
		text := fmt.Sprintf("%s left out, for it is no host name: %s", m.env.Theme.Glyphs.Warning, safetext.Clip(hostname.Readable(refused), width))
		notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(text, width)))
	}
	if more := len(rejected) - mostRejected; more > 0 {
		notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(fmt.Sprintf("  and %d more", more), width)))
	}
	if !status.SignedInAt.IsZero() {
		text := "As of the sign-in at " + status.SignedInAt.Local().Format("2 Jan 15:04") + "; a renewal does not read it anew."
		notes = append(notes, m.env.Theme.Faint.Render(safetext.Truncate(text, width)))
	}
	return notes
}

func (m *Model) nothing(width int) string {
	text := "The access token names no domain that can be used."
	if !m.status().Claims.Present {
		text = "The access token carries no claims that can be read, so the domains are not known."
	}
	lines := []string{m.env.Theme.Muted.Render(screen.Wrap(text+" "+m.signInKey(), width)), ""}
	return strings.Join(append(lines, m.notes(width)...), "\n")
}

// signInKey says how to sign in again.
func (m *Model) signInKey() string {
	return "Press " + m.env.Keys.Key("domains.again") + " to sign in again."
}
