package signin

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

const (
	// cardWidth is how wide the card is at most, and minWidth and minHeight what it takes at
	// least; with less the form stands without a box.
	cardWidth, minWidth, minHeight = 64, 36, 7
	// cardPadding is how far the form stands from the sides of the card.
	cardPadding = 3
	// minWordmark is the height from which on there is a wordmark.
	minWordmark = 17
)

// Draw puts the card in the middle, and where there is room the accounts to try below it and
// the wordmark above.
func (m *Model) Draw(width, height int) string {
	m.width, m.spots = width, nil
	m.form.SetNote("email", m.line())
	m.form.SetNote("password", "")
	m.layOutChoice(width)
	if width < minWidth || height < minHeight {
		m.formAt = 0
		return m.form.DrawBelow(slices.Concat(m.reason(width-2), m.message(width-2)), width, height)
	}
	return screen.Box(strings.Join(m.inMiddle(width, height), "\n"), width, height)
}

func (m *Model) inMiddle(width, height int) []string {
	card := min(width, cardWidth)
	inner := card - 2 - 2*cardPadding
	head, said := m.reason(inner), m.message(inner)
	kept := max(len(said), 1) // the form keeps its place while there is nothing to say
	form := m.form.Height()
	free := height - 2 - len(head) - form - kept
	if free < 0 {
		form = max(form+free, 2)
	}
	tips, spots := m.tips(width)
	if len(tips) > max(free, 0) {
		tips, spots = nil, nil
		m.form.SetNote("password", m.env.Theme.Muted.Render("demo for all accounts; "+m.env.Keys.Key("signin.account")+" fills one in"))
	}
	free -= len(tips)
	lines := m.wordmark()
	if height < minWordmark || len(lines) > free {
		lines = nil
	}
	free -= len(lines)
	if more := 1 + m.form.RoomyHeight() - form; more <= free {
		head, form, free = append(head, ""), m.form.RoomyHeight(), free-more
	}
	inside := slices.Concat(head, strings.Split(m.form.Draw(inner, form), "\n"), said)
	authority := m.authority()
	if authority == "" && len(m.options.Authorities) > 0 {
		authority = m.options.Authorities[0]
	}
	pane := screen.Pane{Title: "Sign in", Note: AuthorityTitle(authority), Padding: cardPadding, Border: &m.env.Theme.BoxLine}
	drawn := strings.Split(pane.Draw(m.env.Theme, strings.Join(inside, "\n"), card, min(2+len(head)+form+kept, height)), "\n")

	lines = slices.Concat(make([]string, max(min((free+kept-1)/2, free), 0)), lines)
	m.formAt = len(lines) + 1 + len(head)
	lines = append(lines, screen.Indented(drawn, (width-card)/2)...)
	for i := range spots {
		spots[i].Y += len(lines)
	}
	m.spots = spots
	return append(lines, tips...)
}

// reason is why the person has to sign in.
func (m *Model) reason(width int) []string {
	if m.options.Reason == "" {
		return nil
	}
	return append(screen.Wrapped(m.env.Theme.Warn, m.options.Reason, width), "")
}

// message is what came of the last attempt, or what is under way.
func (m *Model) message(width int) []string {
	t := m.env.Theme
	switch {
	case m.attempt != nil:
		text := t.Glyphs.Running + " signing in as " + safetext.Line(m.form.Value("email")) + t.Glyphs.More
		return []string{screen.Cut(t.Accent.Render(text), width)}
	case m.problem == nil:
		return nil
	}
	style, mark := t.Bad, t.Glyphs.Bad
	if m.problem.Kind == problem.Cancelled {
		style, mark = t.Muted, t.Glyphs.Skipped
	}
	text := m.problem.Sentence
	if m.problem.Hint != "" {
		text += " " + m.problem.Hint
	}
	lines := strings.Split(screen.Wrap(text, width-2), "\n")
	for i, line := range lines {
		lines[i] = "  " + line
	}
	lines[0] = style.Render(mark) + " " + strings.TrimPrefix(lines[0], "  ")
	return lines
}

// tipHead is how many lines stand above the accounts to try, the empty one included.
const tipHead = 3

// tips are the accounts that can be tried, in two columns where both fit, and where they stand.
func (m *Model) tips(width int) (lines []string, spots []screen.Spot) {
	list := m.options.Tips
	if len(list) == 0 {
		return nil, nil
	}
	t, names, shows := m.env.Theme, 0, 0
	for _, tip := range list {
		names, shows = max(names, safetext.Width(tip.name())), max(shows, safetext.Width(tip.Shows))
	}
	columns, cells := 2, 2+names+2+shows+2
	if columns*cells > width {
		columns = 1
	}
	rows, left := (len(list)+columns-1)/columns, max(width-columns*cells, 0)/2
	lines = make([]string, tipHead+rows)
	lines[1] = "  " + t.Strong.Render("Demo accounts") + t.Muted.Render("  password demo; ") + t.Key.Render(m.env.Keys.Key("signin.account")) + t.Muted.Render(" or a click fills one in")
	for i, tip := range list {
		text := " " + t.Key.Render(safetext.Pad(tip.name(), names)) + "  "
		if i == m.chosen() {
			text = screen.CursorRow(t, text+t.Text.Render(tip.Shows), cells-2) + "  "
		} else {
			text = " " + text + t.Muted.Render(safetext.Pad(tip.Shows, shows+2))
		}
		y := tipHead + i%rows
		lines[y] += text
		spots = append(spots, screen.Spot{X: left + i/rows*cells, Y: y, Width: cells, Run: func() tea.Cmd { return m.fill(i) }})
	}
	return screen.Indented(lines, left), spots
}

// wordmark is the name of the program in large letters and what it is for, in the middle,
// with an empty line below. It is drawn again only for another theme.
func (m *Model) wordmark() []string {
	if t := m.env.Theme; m.drawn == nil || m.drawnFor != t.Options {
		m.drawn, m.drawnFor = screen.Wordmark(t), t.Options
	}
	lines := make([]string, len(m.drawn), len(m.drawn)+1)
	for i, line := range m.drawn {
		lines[i] = strings.Repeat(" ", max((m.width-screen.Cells(line))/2, 0)) + line
	}
	return append(lines, "")
}

// Key is what a kept session is bound to: the key that the connection was opened with, or
// the certificate.
type Key struct {
	Fingerprint string // SHA256:...
	// KeyID and Authority, the fingerprint of the authority's key, are those of a
	// certificate. They come from outside.
	KeyID, Authority string
}

// maxKeyID is how many cells of a certificate's key id people see.
const maxKeyID = 60

// Kind is "key" or "certificate".
func (k Key) Kind() string {
	if k.KeyID != "" {
		return "certificate"
	}
	return "key"
}

// Names are the key as people know it, the longest text first: whole, and shortened until
// it fits anywhere. They are safe for a terminal.
func (k Key) Names() []string {
	fingerprint := safetext.Clip(k.Fingerprint, maxKeyID)
	if k.KeyID == "" {
		return []string{fingerprint, shortened(fingerprint)}
	}
	id, authority := safetext.Clip(k.KeyID, maxKeyID), safetext.Clip(k.Authority, maxKeyID)
	return []string{id + ", certified by " + authority, id + ", certified by " + shortened(authority), id + " by " + shortened(authority), id}
}

// Name is the longest of the names that fits into so many cells, else the shortest.
func (k Key) Name(width int) string {
	names := k.Names()
	for _, name := range names {
		if safetext.Width(name) <= width {
			return name
		}
	}
	return names[len(names)-1]
}

// shortFingerprint is how many characters of a fingerprint tell it apart from the others
// that a person has.
const shortFingerprint = len("SHA256:") + 12

// shortened is the beginning of a fingerprint.
func shortened(fingerprint string) string {
	return safetext.Truncate(fingerprint, shortFingerprint+1)
}

// StoreTitle is where a session is kept, in words.
func StoreTitle(store string) string {
	switch store {
	case "directory":
		return "a directory of this server"
	case "postgres":
		return "the database of this server"
	}
	return store
}

// layOutChoice says for which key the session can be kept, as far as there is room.
func (m *Model) layOutChoice(width int) {
	key := m.options.Key
	if key == nil {
		return
	}
	const box = len("[ ] ")
	room := width - box
	if width >= minWidth {
		room = min(width, cardWidth) - 2 - 2*cardPadding - box
	}
	label, name := "Keep me signed in with this "+key.Kind(), key.Name(room)
	if safetext.Width(label) > room {
		label = "Keep me signed in"
	}
	m.form.SetLabel("keep", label, strings.TrimSpace(name))
}

// keeps reports whether the session is to be kept.
func (m *Model) keeps() bool { return m.options.Key != nil && m.form.Value("keep") == form.On }
