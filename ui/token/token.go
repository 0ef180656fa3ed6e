// Package token is the tab that shows what the session holds: how long the
// access token still lives and when it is renewed, its claims, decoded and not
// verified, and the token itself (interface sections 2.1, 2.2 and 5).
package token

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Model is the screen.
type Model struct {
	env           *screen.Env
	session       Session
	revealed      bool // the token is shown; for as long as the screen is
	width, height int
	life          string // the first line, which stays in sight
	list          list
}

// Session is what the screen shows, and can renew.
type Session interface {
	Status() session.Status
	History() []session.Event
	Held() secret.Text
	Renew(ctx context.Context) error
}

// New makes the screen of a session.
func New(env *screen.Env, s Session) *Model { return &Model{env: env, session: s} }

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Token" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return nil }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return false }

// Update implements [screen.Screen].
func (m *Model) Update(tea.Msg) tea.Cmd { return nil }

// Blur implements [screen.Focuser]: the token is masked again.
func (m *Model) Blur() { m.revealed = false }

// Focus implements [screen.Focuser].
func (m *Model) Focus() tea.Cmd { return nil }

// Close implements [screen.Screen].
func (m *Model) Close() { m.revealed = false }

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	reveal := screen.Action{ID: "token.reveal", Run: m.reveal}
	if m.revealed {
		reveal.Title = "mask"
	}
	whole := screen.Action{ID: "token.copywhole", Run: m.copyToken}
	if m.session.Held().IsEmpty() {
		reveal.Reason, whole.Reason = noToken, noToken
	}
	return append([]screen.Action{
		{ID: "token.renew", Reason: m.notRenewable(), Run: m.renew},
		reveal,
		{ID: "token.copy", Run: m.copy},
		whole,
		{ID: "token.again", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
	}, m.list.actions()...)
}

const noToken = "there is no access token"

func (m *Model) notRenewable() string {
	if m.session.Status().Renewable {
		return ""
	}
	return "there is no refresh token to renew it with"
}

// renew renews the token; what comes of it is an event of the session.
func (m *Model) renew() tea.Cmd {
	return func() tea.Msg {
		_ = m.session.Renew(m.env.Context)
		return nil
	}
}

// reveal shows the token, or masks it again, with the cursor on it.
func (m *Model) reveal() tea.Cmd {
	m.revealed = !m.revealed
	m.list.set(m.lines(m.width))
	m.list.goTo(func(l line) bool { return l.what == theToken })
	return nil
}

func (m *Model) copy() tea.Cmd {
	selected, ok := m.list.selected()
	switch {
	case !ok:
		return nil
	case selected.what == theToken:
		return m.copyToken()
	}
	if selected.document {
		return m.env.Root.CopyDocument(selected.copied, selected.what)
	}
	return m.env.Root.Copy(selected.copied, selected.what)
}

func (m *Model) copyToken() tea.Cmd {
	return m.env.Root.Copy(m.session.Held().Reveal(), theToken)
}

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) {
	m.width, m.height = width, height
	m.life = screen.Cut(lifeLeft(m.env, m.session.Status(), width), width)
	m.list.set(m.lines(width))
	m.list.layout(m.env.Theme, width, max(height-1, 0))
}

// View implements [screen.Screen].
func (m *Model) View() string {
	return screen.Box(m.life+"\n"+m.list.view(m.env.Theme), m.width, m.height)
}

// lines are all lines below the first, what matters most first.
func (m *Model) lines(width int) []line {
	w := writer{glyphs: m.env.Theme.Glyphs, keys: m.env.Keys, width: width, now: m.env.Now()}
	status := m.session.Status()
	w.state(status)
	w.claims(status.Claims)
	w.token(m.session.Held(), m.revealed)
	w.history(m.session.History())
	return w.lines
}

// Click implements [screen.MouseHandler].
func (m *Model) Click(_, y int) tea.Cmd {
	m.list.click(y - 1)
	return nil
}

// Wheel implements [screen.MouseHandler].
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	m.list.wheel(lines)
	return nil
}

// line is one line of the screen.
type line struct {
	label  string // what it is, in words
	name   string // of a claim, not safe to print
	text   string // the value, not safe to print
	remark string // what it means
	role   role
	below  bool   // it goes on with what the line above began
	copied string // what is copied of it
	// document is true where that is JSON, whose line breaks are kept.
	document bool
	what     string // and what that is called; "" for a line that cannot be selected
}

// role is what a line is for; each looks different, and reads different.
type role uint8

const (
	plain role = iota
	title
	muted
	warned
	bad
)

func (r role) style(t *styles.Theme) lipgloss.Style {
	return [...]lipgloss.Style{plain: t.Text, title: t.Strong, muted: t.Muted, warned: t.Warn, bad: t.Bad}[r]
}

// list is lines of which some can be selected.
type list struct {
	lines  []line
	cursor screen.Cursor
	width  int
	whole  []string // the value under the cursor, below the lines
}

// set changes the lines. The cursor stays where it is, or goes to the nearest line
// that can be selected.
func (l *list) set(lines []line) {
	l.lines = lines
	l.cursor.SetCount(len(lines))
	l.moveTo(l.cursor.Row(), 1)
}

// moveTo moves the cursor to a line or, where that cannot be selected, on in a
// direction; back if there is none.
func (l *list) moveTo(at, direction int) {
	at = max(0, min(at, len(l.lines)-1))
	for _, step := range []int{direction, -direction} {
		for i := at; i >= 0 && i < len(l.lines); i += step {
			if l.lines[i].what != "" {
				l.cursor.MoveTo(i)
				return
			}
		}
	}
}

// goTo moves the cursor to the first line of a kind, and that to the top with its
// title.
func (l *list) goTo(is func(line) bool) {
	if i := slices.IndexFunc(l.lines, is); i >= 0 {
		l.cursor.MoveTo(i)
		l.cursor.ScrollTo(i - 1)
	}
}

func (l *list) selected() (line, bool) {
	if at := l.cursor.Row(); at < len(l.lines) && l.lines[at].what != "" {
		return l.lines[at], true
	}
	return line{}, false
}

func (l *list) actions() []screen.Action {
	do := func(move func()) func() tea.Cmd {
		return func() tea.Cmd {
			move()
			return nil
		}
	}
	by := func(lines int) func() tea.Cmd {
		return do(func() { l.moveTo(l.cursor.Row()+lines, max(-1, min(lines, 1))) })
	}
	page := max(l.cursor.Height(), 1)
	return []screen.Action{
		{ID: "grid.down", Run: by(1)},
		{ID: "grid.up", Run: by(-1)},
		{ID: "grid.pagedown", Run: by(page)},
		{ID: "grid.pageup", Run: by(-page)},
		{ID: "grid.first", Run: do(func() { l.moveTo(0, 1) })},
		{ID: "grid.last", Run: do(func() { l.moveTo(len(l.lines), -1) })},
	}
}

func (l *list) click(y int) {
	if at, ok := l.cursor.Hit(y); ok && l.lines[at].what != "" {
		l.cursor.MoveTo(at)
	}
}

// wheel scrolls; the cursor stays on its line while that can be seen.
func (l *list) wheel(lines int) {
	at := l.cursor.Row()
	switch l.cursor.Scroll(lines); {
	case l.cursor.Row() > at:
		l.moveTo(l.cursor.Row(), 1)
	case l.cursor.Row() < at:
		l.moveTo(l.cursor.Row(), -1)
	}
}

// layout settles what is visible. Below the lines, the value under the cursor is shown
// whole if its line cuts it and there is room.
func (l *list) layout(t *styles.Theme, width, height int) {
	l.width, l.whole = width, l.inFull(t, width, height)
	room := height - len(l.whole)
	// With the first line that can be selected, its title is visible.
	first := l.cursor.Row()
	for first > 0 && l.lines[first-1].what == "" {
		first--
	}
	if l.cursor.Row()-first < room && first < l.cursor.Offset() {
		l.cursor.ScrollTo(first)
	}
	l.cursor.Layout(room)
}

func (l *list) view(t *styles.Theme) string {
	var drawn []string
	for i := l.cursor.Offset(); i < l.cursor.Offset()+l.cursor.Height(); i++ {
		switch {
		case i >= len(l.lines):
			drawn = append(drawn, "")
		case i == l.cursor.Row():
			text, _ := l.lines[i].draw(t, l.width, false)
			drawn = append(drawn, t.Selected.Render(safetext.Pad(text, l.width)))
		default:
			text, _ := l.lines[i].draw(t, l.width, true)
			drawn = append(drawn, text)
		}
	}
	return strings.Join(append(drawn, l.whole...), "\n")
}

// inFull is the value under the cursor over several lines, nothing if its own line
// shows all of it.
func (l *list) inFull(t *styles.Theme, width, height int) []string {
	selected, ok := l.selected()
	if !ok || height < 8 {
		return nil
	}
	if _, cut := selected.draw(t, width, false); !cut {
		return nil
	}
	text := strings.Split(screen.Wrap(safetext.Line(selected.text), width), "\n")
	if most := min(4, height/4); len(text) > most {
		text = append(text[:most-1], safetext.Truncate(text[most-1]+"…", width))
	}
	return append([]string{t.Faint.Render(strings.Repeat("─", width))}, text...)
}

// labelWidth is how many cells the words before a value have.
func labelWidth(width int) int {
	if width < wide {
		return 14
	}
	return 19
}

const (
	wide      = 72 // cells from which the names of the claims stand beside the words for them
	nameCells = 15
)

// draw is the line in at most width cells, in its styles or without; cut says that
// the value did not fit.
func (l line) draw(t *styles.Theme, width int, styled bool) (text string, cut bool) {
	cursor := " "
	if !styled {
		cursor = t.Glyphs.Cursor
	}
	if l.label == "" && l.name == "" && !l.below {
		return l.finish(t, cursor, width, styled)
	}
	label := l.label
	if label == "" {
		label = safetext.Clip(l.name, labelWidth(width)-1)
	}
	head := cursor + safetext.Fit(label, labelWidth(width)-1) + " "
	if width >= wide && (l.name != "" || l.below) {
		name := ""
		if l.label != "" {
			name = safetext.Clip(l.name, nameCells-1)
		}
		head += safetext.Pad(name, nameCells)
	}
	if styled {
		head = t.Muted.Render(head)
	}
	return l.finish(t, head, width, styled)
}

// finish adds value and remark to the beginning of a line.
func (l line) finish(t *styles.Theme, head string, width int, styled bool) (text string, cut bool) {
	room := max(width-ansi.StringWidth(head), 0)
	value := safetext.Clip(l.text, room)
	cut = value != safetext.Clip(l.text, room+2)
	room -= safetext.Width(value)
	remark := ""
	if l.remark != "" && room > 2 {
		remark = safetext.Truncate("  "+l.remark, room)
	}
	if !styled {
		return screen.Cut(head+value+remark, width), cut
	}
	if remark != "" {
		remark = t.Muted.Render(remark)
	}
	return screen.Cut(head+l.role.style(t).Render(value)+remark, width), cut
}
