package token

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// line is one line of the screen.
type line struct {
	label  string // what it is, in words
	name   string // of a claim, not safe to print
	text   string // the value, not safe to print
	remark string // what it means
	role   role
	below  bool   // it goes on with what the line above began
	copied string // what is copied of it
	what   string // and what that is called; "" for a line that cannot be selected
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

// list is lines of which one is selected, and what part of them is visible.
type list struct {
	lines       []line
	cursor, top int
	width, page int // as last drawn
}

// set changes the lines. The cursor stays at its place, or goes to the nearest
// line that can be selected.
func (l *list) set(lines []line) {
	l.lines = lines
	l.moveTo(l.cursor, 1)
}

// moveTo moves the cursor to a line or, where that cannot be selected, on in a
// direction; back if there is none.
func (l *list) moveTo(at, direction int) {
	at = max(0, min(at, len(l.lines)-1))
	for _, step := range []int{direction, -direction} {
		for i := at; i >= 0 && i < len(l.lines); i += step {
			if l.lines[i].what != "" {
				l.cursor = i
				return
			}
		}
	}
}

// goTo moves the cursor to the first line of a kind, and that to the top with its
// title.
func (l *list) goTo(is func(line) bool) {
	if i := slices.IndexFunc(l.lines, is); i >= 0 {
		l.cursor, l.top = i, i-1
	}
}

func (l *list) selected() (line, bool) {
	if l.cursor >= len(l.lines) || l.lines[l.cursor].what == "" {
		return line{}, false
	}
	return l.lines[l.cursor], true
}

func (l *list) actions() []screen.Action {
	do := func(move func()) func() tea.Cmd {
		return func() tea.Cmd {
			move()
			return nil
		}
	}
	by := func(lines int) func() tea.Cmd {
		return do(func() { l.moveTo(l.cursor+lines, max(-1, min(lines, 1))) })
	}
	return []screen.Action{
		{ID: "grid.down", Run: by(1)},
		{ID: "grid.up", Run: by(-1)},
		{ID: "grid.pagedown", Run: by(max(l.page, 1))},
		{ID: "grid.pageup", Run: by(-max(l.page, 1))},
		{ID: "grid.first", Run: do(func() { l.moveTo(0, 1) })},
		{ID: "grid.last", Run: do(func() { l.moveTo(len(l.lines), -1) })},
	}
}

// click moves the cursor to a line as last drawn.
func (l *list) click(y int) {
	if at := l.top + y; y >= 0 && y < l.page && at < len(l.lines) && l.lines[at].what != "" {
		l.cursor = at
	}
}

// wheel scrolls; the cursor stays on its line while that can be seen.
func (l *list) wheel(lines int) {
	l.top = max(0, min(l.top+lines, len(l.lines)-l.page))
	switch {
	case l.cursor < l.top:
		l.moveTo(l.top, 1)
	case l.cursor >= l.top+l.page:
		l.moveTo(l.top+l.page-1, -1)
	}
}

// view draws exactly height lines. Below the others, the value under the cursor
// is shown whole if its line cuts it and there is room.
func (l *list) view(t *styles.Theme, width, height int) string {
	whole := l.whole(t, width, height)
	l.width, l.page = width, height-len(whole)
	l.scroll()
	drawn := make([]string, 0, height)
	for i := l.top; i < l.top+l.page; i++ {
		switch {
		case i >= len(l.lines):
			drawn = append(drawn, "")
		case i == l.cursor:
			text, _ := l.lines[i].draw(t, width, false)
			drawn = append(drawn, t.Selected.Render(safetext.Pad(text, width)))
		default:
			text, _ := l.lines[i].draw(t, width, true)
			drawn = append(drawn, text)
		}
	}
	return strings.Join(append(drawn, whole...), "\n")
}

// scroll moves the visible part so that the cursor is in it, with the title above
// the first line that can be selected.
func (l *list) scroll() {
	first := l.cursor
	for first > 0 && l.lines[first-1].what == "" {
		first--
	}
	if l.cursor-first >= l.page {
		first = l.cursor
	}
	l.top = max(l.cursor-l.page+1, min(l.top, first))
	l.top = max(0, min(l.top, len(l.lines)-l.page))
}

// whole are the lines that show the value under the cursor below the others, none
// if its own line shows all of it.
func (l *list) whole(t *styles.Theme, width, height int) []string {
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
