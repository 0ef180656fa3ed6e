// Package palette is the list of everything that can be reached, narrowed by what
// a person types: letters in order are enough.
package palette

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/sahilm/fuzzy"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
	"gatehouse/ui/typed"
)

// Item is something that can be reached.
type Item struct {
	// Kind says what it is: "record", "action", "screen", "domain".
	Kind string
	// Title and Note are what is searched, the title first.
	Title, Note string
	// Keys are shown beside it; empty where there are none.
	Keys string
	// Run does it.
	Run func() tea.Cmd
}

// text is what is searched and shown of an item.
func (i Item) text() string {
	if i.Note == "" {
		return i.Title
	}
	return i.Title + "  " + i.Note
}

// Model is an open palette.
type Model struct {
	theme *styles.Theme
	items []Item
	texts []string
	input textinput.Model
	found []fuzzy.Match
	// cursor is a place in found, top the first that is visible, page how many
	// were drawn last.
	cursor, top, page int
}

// New opens a palette on items, which stand in the order given until something is
// typed.
func New(theme *styles.Theme, items []Item) *Model {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 200
	plain := textinput.DefaultStyles(true)
	plain.Cursor.Blink = false
	plain.Focused, plain.Blurred = textinput.StyleState{}, textinput.StyleState{}
	input.SetStyles(plain)
	input.Focus()
	m := &Model{theme: theme, items: items, input: input}
	for _, item := range items {
		m.texts = append(m.texts, safetext.Line(item.text()))
	}
	m.search()
	return m
}

// Update takes keys and pastes for the field. Its own command is dropped: it would
// read the clipboard of the machine that runs the program.
func (m *Model) Update(msg tea.Msg) {
	before := m.input.Value()
	m.input, _ = m.input.Update(typed.Clean(msg))
	if m.input.Value() != before {
		m.search()
	}
}

// Actions are the keys of the palette; choose is told what the person decided on.
func (m *Model) Actions(choose func(Item) tea.Cmd, leave func() tea.Cmd) []screen.Action {
	run := screen.Action{ID: "palette.run", Run: func() tea.Cmd { return choose(m.items[m.found[m.cursor].Index]) }}
	if len(m.found) == 0 {
		run.Reason = "nothing fits what is typed"
	}
	move := func(rows int) func() tea.Cmd {
		return func() tea.Cmd {
			m.Move(rows)
			return nil
		}
	}
	return []screen.Action{
		run, {ID: "palette.down", Run: move(1)}, {ID: "palette.up", Run: move(-1)}, {ID: "palette.close", Run: leave},
	}
}

// Move marks another entry, rows further down.
func (m *Model) Move(rows int) {
	m.cursor = min(max(m.cursor+rows, 0), max(len(m.found)-1, 0))
}

// head is how many lines stand above the entries.
const head = 2

// At is the item on a line of what View last drew.
func (m *Model) At(y int) (Item, bool) {
	at := y - head + m.top
	if y < head || y >= head+m.page || at >= len(m.found) {
		return Item{}, false
	}
	return m.items[m.found[at].Index], true
}

// View draws the palette in height lines.
func (m *Model) View(width, height int) string {
	label := "go to: "
	m.input.SetWidth(max(width-safetext.Width(label)-1, 1))
	m.page = max(height-head, 1)
	m.top = min(max(m.top, m.cursor-m.page+1), m.cursor)
	lines := []string{m.theme.Accent.Render(label) + m.input.View(), ""}
	if len(m.found) == 0 {
		lines = append(lines, m.theme.Muted.Render("Nothing fits. Fewer letters find more."))
	}
	drawn, note, key := map[string]string{}, pen(m.theme.Muted), pen(m.theme.Key)
	for at := m.top; at < min(m.top+m.page, len(m.found)); at++ {
		kind := m.items[m.found[at].Index].Kind
		if drawn[kind] == "" {
			drawn[kind] = m.theme.Muted.Render(safetext.Fit(kind, kinds))
		}
		lines = append(lines, m.row(at, drawn[kind], note, key, width))
	}
	return layout.Box(strings.Join(lines, "\n"), width, height)
}

// kinds is how many cells the column of kinds has.
const kinds = 8

func (m *Model) row(at int, kind string, note, key func(string) string, width int) string {
	t, match := m.theme, m.found[at]
	item := m.items[match.Index]
	room := width - 2 - kinds - safetext.Width(item.Keys) - 2
	text := safetext.Truncate(m.texts[match.Index], max(room, 1))
	if at == m.cursor {
		line := t.Glyphs.Cursor + " " + safetext.Fit(item.Kind, kinds) + text
		gap := max(width-safetext.Width(line)-safetext.Width(item.Keys), 1)
		return t.Selected.Render(layout.Cut(line+strings.Repeat(" ", gap)+item.Keys, width))
	}
	line := "  " + kind + m.marked(text, match, note)
	return layout.Cut(layout.Sides(line, key(item.Keys), width), width)
}

// pen writes in a style, which is looked up once for all lines.
func pen(style lipgloss.Style) func(text string) string {
	open, close, _ := strings.Cut(style.Render("x"), "x")
	return func(text string) string { return open + text + close }
}

// marked draws a text with the letters that were typed standing out, and the note
// behind the title muted.
func (m *Model) marked(text string, match fuzzy.Match, note func(string) string) string {
	title := len(safetext.Line(m.items[match.Index].Title))
	var b strings.Builder
	hits := match.MatchedIndexes
	for start := 0; start < len(text); {
		hit := slices.Contains(hits, start)
		end := start + 1
		for end < len(text) && end != title && (!isStart(text[end]) || slices.Contains(hits, end) == hit) {
			end++
		}
		switch part := text[start:end]; {
		case hit:
			b.WriteString(m.theme.Match.Render(part))
		case start >= title:
			b.WriteString(note(part))
		default:
			b.WriteString(part)
		}
		start = end
	}
	return b.String()
}

// isStart reports whether a byte begins a character of UTF-8.
func isStart(b byte) bool { return b&0xC0 != 0x80 }

// search finds what fits the letters typed, the best first.
func (m *Model) search() {
	m.cursor, m.top = 0, 0
	pattern := strings.ReplaceAll(m.input.Value(), " ", "")
	if pattern == "" {
		m.found = make([]fuzzy.Match, len(m.items))
		for i := range m.found {
			m.found[i].Index = i
		}
		return
	}
	m.found = fuzzy.Find(pattern, m.texts)
}
