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
func (m *Model) Layout(width, height int) {
	m.width, m.height, m.above = width, height, 1
	if narrow := width < narrowWidth; narrow != m.names.narrow {
		m.names.narrow = narrow
		m.grid.SetSource(m.names, m.shown)
		m.grid.SetMatch(m.filter.Words())
	}
	if m.filter.Visible() {
		m.filter.Layout(width)
		m.above = 2
	}
	rows := max(height-m.above, 0)
	m.below = m.fitting(m.notes(), rows)
	if len(m.below) > 0 {
		rows -= len(m.below) + 1
	}
	m.grid.Layout(width, rows)
}

// leastRows is how many lines the table keeps, its titles included.
const leastRows = 3

// fitting are the notes for which there is room below the table, of height lines
// for both.
func (m *Model) fitting(notes []string, height int) []string {
	notes = notes[:max(0, min(len(notes), height-leastRows-1))]
	if origin := len(m.origin()); len(notes) == origin && m.grid.Len()+origin+2 > height {
		return nil // a domain is worth more than a word on the whole list
	}
	return notes
}

// View implements [screen.Screen].
func (m *Model) View() string {
	lines := []string{m.head()}
	if m.filter.Visible() {
		lines = append(lines, m.filter.View())
	}
	if len(m.names.domains) == 0 {
		lines = append(lines, "", m.nothing())
	} else {
		lines = append(lines, m.grid.View())
		if len(m.below) > 0 {
			lines = append(append(lines, ""), m.below...)
		}
	}
	return screen.Box(strings.Join(lines, "\n"), m.width, m.height)
}

// head says how many domains there are, what is being asked, and where the
// cursor is.
func (m *Model) head() string {
	t := m.env.Theme
	left := t.Strong.Render(m.count())
	if text := m.progress(); text != "" {
		left += t.Muted.Render(" " + t.Glyphs.Separator + " " + text)
	}
	return screen.Sides(left, t.Muted.Render(m.grid.Position()), m.width)
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
	asked, reached, waiting := 0, 0, 0
	for _, g := range m.gateways {
		switch {
		case g.asking:
			waiting++
		case g.verdict != nil:
			asked++
			if g.verdict.mark == good {
				reached++
			}
		}
	}
	switch {
	case waiting > 0:
		return fmt.Sprintf("asking %s since %s", counted(waiting), m.round.started.Local().Format(time.TimeOnly))
	case asked == 1 && reached == 0:
		return "the gateway gives no shares"
	case asked > reached:
		return fmt.Sprintf("%d of %s give shares", reached, counted(asked))
	}
	return ""
}

func counted(n int) string { return screen.Count(n, "gateway", "gateways") }

// notes are lines that say what the cells have no room for, what matters most
// first.
func (m *Model) notes() []string {
	return append(append(m.trouble(), m.ended()...), m.origin()...)
}

// mostTrouble is how many lines explain the gateway under the cursor.
const mostTrouble = 3

// trouble says in full why the gateway under the cursor gives no shares.
func (m *Model) trouble() []string {
	row, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	known := m.gateways[m.names.addresses[row]]
	if known == nil || known.trouble == nil {
		return nil
	}
	text := known.verdict.mark.glyph(m.names.glyphs) + " " + known.trouble.Sentence + " " + known.trouble.Hint
	lines := strings.Split(screen.Wrap(text, m.width), "\n")
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

// ended says that what is shown is of a session that can do nothing any more.
func (m *Model) ended() []string {
	if state := m.status().State; state != session.Ended && state != session.SignedOut {
		return nil
	}
	text := m.env.Theme.Glyphs.Warning + " The session is over; this list is from before. " + m.signInKey()
	return []string{m.env.Theme.Warn.Render(safetext.Truncate(text, m.width))}
}

// mostRejected is how many names that were left out are shown.
const mostRejected = 3

// origin says what the list is and what was left out of it.
func (m *Model) origin() []string {
	status := m.status()
	notes := []string{}
	rejected := status.Claims.Rejected
	for _, refused := range rejected[:min(len(rejected), mostRejected)] {
		text := fmt.Sprintf("%s left out, for it is no host name: %s", m.env.Theme.Glyphs.Warning, safetext.Clip(hostname.Readable(refused), m.width))
		notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(text, m.width)))
	}
	if more := len(rejected) - mostRejected; more > 0 {
		notes = append(notes, m.env.Theme.Warn.Render(safetext.Truncate(fmt.Sprintf("  and %d more", more), m.width)))
	}
	if !status.SignedInAt.IsZero() {
		text := "As of the sign-in at " + status.SignedInAt.Local().Format("2 Jan 15:04") + "; a renewal does not read it anew."
		notes = append(notes, m.env.Theme.Faint.Render(safetext.Truncate(text, m.width)))
	}
	return notes
}

func (m *Model) nothing() string {
	text := "The access token names no domain that can be used."
	if !m.status().Claims.Present {
		text = "The access token carries no claims that can be read, so the domains are not known."
	}
	lines := []string{m.env.Theme.Muted.Render(screen.Wrap(text+" "+m.signInKey(), m.width)), ""}
	return strings.Join(append(lines, m.notes()...), "\n")
}

// signInKey says how to sign in again.
func (m *Model) signInKey() string {
	return "Press " + m.env.Keys.Key("domains.again") + " to sign in again."
}
