package signin

import (
	"cmp"
	"iter"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// minWordmark is the height of the screen from which on there is a wordmark.
const minWordmark = 17

// Settle implements [screen.Screen]. It fits the notes and labels of the form to the room.
func (m *Model) Settle(room screen.Room) {
	m.width = room.Width
	m.layOutWordmark()
	m.layOutChoice(room.Width)
	m.SetNote("email", m.line())
	note := ""
	hidesTips := len(m.listed) > 0 && !m.showsTips(room.Width, room.Height)
	if hidesTips && form.FitsAlone(room.Width, room.Height) {
		key := m.env.Keys.Key(screen.SignInAccount)
		note = m.env.Theme.Muted.Render("demo; " + key + " fills one in")
	}
	m.SetNote("password", note)
	m.card.Note = session.AuthorityTitle(m.authority())
}

// authority is the name of the authority that checks the password; "" if there is only one.
func (m *Model) authority() string {
	if chosen := m.Value("authority"); chosen != "" || len(m.options.Authorities) == 0 {
		return chosen
	}
	return m.options.Authorities[0]
}

// View implements [screen.Screen].
func (m *Model) View() screen.View {
	v := m.Model.View()
	v.Title, v.Body = title, bodyPart{m}
	return v
}

// title is the name of the screen.
const title = "Sign in"

// bodyPart draws the card in the middle. If there is room, the demo accounts are below it, and the
// wordmark above it.
type bodyPart struct{ *Model }

// Draw implements [screen.Part].
func (m bodyPart) Draw(width, height int) screen.Drawing {
	if !form.FitsAlone(width, height) {
		return m.Below(m.reason(), m.message()).Draw(width, height)
	}
	var above, below screen.Drawing
	if m.showsTips(width, height) {
		below = m.tips(width)
	}
	free := m.card.Free(width, height)
	if height >= minWordmark && len(m.wordmark) <= free-len(below.Lines) {
		above.Lines = m.wordmark
	}
	drawn := m.card.DrawAlone(width, height, above, below)
	if m.Busy() {
		drawn.Spots = nil
	}
	return drawn
}

// showsTips reports whether there are demo accounts, and room for them.
func (m *Model) showsTips(width, height int) bool {
	return len(m.listed) > 0 && len(m.tips(width).Lines) <= max(m.card.Free(width, height), 0)
}

// Say implements [screen.Part].
func (m bodyPart) Say() iter.Seq[string] {
	if m.Busy() {
		return m.message().Say()
	}
	var lookedUp, tips []string
	if m.lookup.done {
		lookedUp = []string{session.LookedUp(m.lookup.domain, m.lookup.err)}
	}
	if len(m.listed) > 0 {
		tips = []string{"Demo accounts, password demo:"}
	}
	for _, tip := range m.listed {
		tips = append(tips, tip.Account+": "+tip.Shows)
	}
	return screen.Concat(
		m.reason().Say(), screen.Texts(lookedUp...),
		m.message().Say(), screen.Texts(tips...),
	)
}

// reason is why the person has to sign in.
func (m *Model) reason() screen.Part {
	return screen.Text{Style: m.env.Theme.Warn, Text: m.options.Reason}
}

// message says that an attempt is under way, or why the last one failed. Without any it says what
// becomes of the kept session.
func (m *Model) message() screen.Part {
	t := m.env.Theme
	switch {
	case m.Busy():
		text := t.Glyphs.Running + " signing in as " + safetext.Line(m.Value("email")) + t.Glyphs.More
		return screen.Text{Style: t.Accent, Text: text, MaxLines: 1}
	case m.problem == nil:
		return screen.Text{Style: t.Muted, Text: m.replaces()}
	}
	style, mark := t.Bad, t.Glyphs.Bad
	if m.problem.Kind == problem.Cancelled {
		style, mark = t.Muted, t.Glyphs.Skipped
	}
	text := strings.TrimSpace(m.problem.Sentence + " " + m.problem.Hint)
	return screen.Marked{Mark: style.Render(mark), Text: text}
}

// replaces says what becomes of the kept session if the user in the form signs in; "" if there is
// none, or if it is that of the same user.
func (m *Model) replaces() string {
	kept, typed := m.options.Kept, m.Value("email")
	if kept == nil || !form.IsWholeEmail(typed) {
		return ""
	}
	if strings.EqualFold(session.Complete(typed, m.options.Tips), kept.Username) {
		return ""
	}
	whose := "the session of " + safetext.Line(kept.Username) + ", kept since " + human.Time(kept.Since, time.Local)
	if m.keeps() {
		return "Replaces " + whose + "."
	}
	return "Ends " + whose + "."
}

// tipHead is how many lines are above the demo accounts, with empty ones.
const tipHead = 3

// fillsIn ends the sentence that begins with the key that fills in a demo account.
func (m *Model) fillsIn() string {
	if m.env.Clicks {
		return " or a click fills one in"
	}
	return " fills one in"
}

// tips draws the demo accounts, in two columns if there is room.
func (m *Model) tips(width int) screen.Drawing {
	list := m.listed
	if len(list) == 0 {
		return screen.Drawing{}
	}
	t, chosen, names, shows := m.env.Theme, m.lookup.tip, 0, 0
	for _, tip := range list {
		names, shows = max(names, safetext.Width(tip.Name())), max(shows, safetext.Width(tip.Shows))
	}
	columns, cells := 2, 2+names+2+shows+2
	if columns*cells > width {
		columns = 1
	}
	rows, left := (len(list)+columns-1)/columns, max(width-columns*cells, 0)/2
	if aligned := m.card.TextColumn(width) - 2; aligned+columns*cells < width {
		left = aligned // with the texts of the card
	}
	indent := strings.Repeat(" ", left)
	lines, spots := make([]string, tipHead+rows), make([]screen.Spot, len(list))
	key := t.Key.Render(m.env.Keys.Key(screen.SignInAccount))
	lines[1] = indent + "  " + t.Strong.Render("Demo accounts") + t.Muted.Render("  password demo; ") +
		key + t.Muted.Render(m.fillsIn())
	for i, tip := range list {
		x, y := i/rows*cells, tipHead+i%rows
		text := " " + t.Key.Render(safetext.Pad(tip.Name(), names)) + "  "
		if i == chosen {
			text = screen.CursorRow(t, text+t.Text.Render(tip.Shows), cells-2) + "  "
		} else {
			text = " " + text + t.Muted.Render(safetext.Pad(tip.Shows, shows+2))
		}
		lines[y] = cmp.Or(lines[y], indent) + text
		fill := func(int, int) tea.Cmd { return m.fill(i) }
		spots[i] = screen.Spot{X: left + x, Y: y, Width: cells, Height: 1, Click: fill}
	}
	return screen.Drawing{Lines: lines, Spots: spots}
}

// layOutWordmark draws the wordmark in the middle, with an empty line below, unless it is drawn for
// this theme and width already.
func (m *Model) layOutWordmark() {
	t := m.env.Theme
	isCurrent := m.drawnWidth == m.width && m.drawnFor == t.Options
	if isCurrent && m.wordmark != nil {
		return
	}
	m.wordmark, m.drawnFor, m.drawnWidth = append(screen.Wordmark(t), ""), t.Options, m.width
	for i, line := range m.wordmark[:len(m.wordmark)-1] {
		m.wordmark[i] = strings.Repeat(" ", max((m.width-screen.Cells(line))/2, 0)) + line
	}
}

// layOutChoice labels the box that keeps the session with the key, as far as there is room.
func (m *Model) layOutChoice(width int) {
	key := m.options.Key
	if key == nil {
		return
	}
	room := m.card.Inner(width) - len("[ ] ")
	label, name := "Keep me signed in with this "+key.Kind(), safetext.Truncate(key.Name(), room)
	if safetext.Width(label) > room {
		label = "Keep me signed in"
	}
	m.SetLabel("keep", label, strings.TrimSpace(name))
}

// keeps reports whether the session is to be kept.
func (m *Model) keeps() bool { return m.options.Key != nil && m.Value("keep") == form.On }
