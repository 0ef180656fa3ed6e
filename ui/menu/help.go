package menu

import (
	"iter"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Help lists keys and notes in sections side by side. Typing searches, and the key that is chosen can
// be run.
type Help struct {
	screen.Base
	env      *screen.Env
	heading  string
	sections []screen.HelpSection
	run      func(a screen.Action) tea.Cmd
	input    textinput.Model
	chosen   int           // of the entries
	cursor   screen.Cursor // over the lines of the longest column
	settled  columns
}

// columns are the sections as they are drawn for what is typed in a width and a theme.
type columns struct {
	width int
	theme styles.Options
	typed string
	lines [][]string
	// entries are what can be chosen, column by column.
	entries []helpEntry
	all     int // lines of the longest column where nothing is typed
}

// helpEntry is a key or a note, and where it stands.
type helpEntry struct {
	action *screen.Action // nil for a note
	column int
	// first and end are its lines in the column.
	first, end int
}

// NewHelp makes the help. A key that is chosen there is run once the help is closed.
func NewHelp(env *screen.Env, heading string, sections []screen.HelpSection, run func(a screen.Action) tea.Cmd) *Help {
	h := &Help{env: env, heading: heading, sections: sections, run: run, input: screen.NewInput(100)}
	h.input.Focus()
	return h
}

// Update searches what is typed. While nothing is, the letters that close other screens
// close this one too.
func (h *Help) Update(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && h.input.Value() == "" {
		list := h.env.Keys.Fill([]screen.Action{{ID: screen.HelpClose}, {ID: screen.RootClose}})
		if _, closes := screen.FindAction(list, key.String(), false); closes {
			return h.env.Root.Pop(h)
		}
	}
	before := h.input.Value()
	h.input, _ = h.input.Update(screen.CleanInput(msg))
	if h.input.Value() != before {
		h.chosen = 0
		h.cursor.ScrollTo(0)
	}
	return nil
}

func (h *Help) Actions() []screen.Action {
	last := len(h.settled.entries) - 1
	move := func(id screen.ActionID, title string, by int, end string) screen.Action {
		return screen.Action{ID: id, Title: title, Typing: true, Reason: end, Run: screen.Do(func() { h.Wheel(by) })}
	}
	atFirst := screen.If(h.chosen <= 0, "this is the first line")
	atLast := screen.If(h.chosen >= last, "this is the last line")
	page := max(h.cursor.Height()-1, 1)
	return []screen.Action{
		{ID: screen.HelpRun, Reason: h.notRun(), Run: h.runChosen},
		{ID: screen.HelpClose, Run: func() tea.Cmd { return h.env.Root.Pop(h) }},
		move(screen.GridDown, "choose", 1, atLast),
		move(screen.GridUp, "", -1, atFirst),
		move(screen.GridPageDown, "", page, atLast),
		move(screen.GridPageUp, "", -page, atFirst),
	}
}

// Wheel chooses another line.
func (h *Help) Wheel(lines int) {
	h.chosen = max(0, min(h.chosen+lines, len(h.settled.entries)-1))
}

// entry is the one that is chosen; nil where there is none.
func (h *Help) entry() *helpEntry {
	if h.chosen < 0 || h.chosen >= len(h.settled.entries) {
		return nil
	}
	return &h.settled.entries[h.chosen]
}

// notRun says why what is chosen cannot be run, "" if it can.
func (h *Help) notRun() string {
	switch e := h.entry(); {
	case e == nil:
		return "nothing matches"
	case e.action == nil:
		return "this line is no key"
	default:
		return e.action.Reason
	}
}

// runChosen closes the help and runs the key that is chosen.
func (h *Help) runChosen() tea.Cmd {
	a := *h.entry().action
	return tea.Batch(h.env.Root.Pop(h), h.run(a))
}

const (
	// helpColumn is the minimum width of a column, beside another.
	helpColumn = 44
	helpGap    = 3
)

// View implements [screen.Screen]. It has no title: the header names the page below.
func (h *Help) View() screen.View {
	return screen.View{
		Border: screen.Pane{Title: h.heading}, Body: helpPart{h}, Wheel: h.Wheel, Typing: true, Modal: true,
	}
}

// Frame implements [screen.Screen].
func (h *Help) Frame() screen.Frame { return screen.InBox }

// Size implements [screen.Screen]: the room for all sections, whatever is searched.
func (h *Help) Size(width, height int) screen.Size {
	width = min(width-2, 2*(helpColumn+helpGap+10))
	lines := min(h.columns(width).all+searchHead, height)
	return screen.Size{Cells: width, Lines: lines, Padding: 1}
}

// Settle implements [screen.Screen].
func (h *Help) Settle(room screen.Room) {
	h.settled = h.columns(room.Width)
	h.chosen = max(0, min(h.chosen, len(h.settled.entries)-1))
	h.cursor = h.scrolled(h.settled, room.Height)
}

// columns are those of what has the words that were typed. They are drawn again only where something
// has changed since they were settled.
func (h *Help) columns(width int) columns {
	now, typed := h.settled, h.input.Value()
	same := now.width == width && now.theme == h.env.Theme.Options
	if same && now.typed == typed {
		return now
	}
	if !same {
		all, _ := h.inColumns(width, nil)
		now = columns{width: width, theme: h.env.Theme.Options, all: longest(all)}
	}
	now.typed = typed
	now.lines, now.entries = h.inColumns(width, strings.Fields(strings.ToLower(typed)))
	return now
}

// scrolled is the cursor over some columns in a height, with all of what is chosen in sight.
func (h *Help) scrolled(shown columns, height int) screen.Cursor {
	cursor, room := h.cursor, max(height-searchHead, 1)
	cursor.SetCount(longest(shown.lines))
	if h.chosen < len(shown.entries) {
		e := shown.entries[h.chosen]
		if h.chosen == 0 || shown.entries[h.chosen-1].column != e.column {
			e.first = 0 // with the heading above it
		}
		cursor.MoveTo(e.end - 1)
		cursor.Layout(room)
		cursor.MoveTo(e.first)
	}
	cursor.Layout(room)
	return cursor
}

// helpPart is the line that is searched by, and the sections.
type helpPart struct{ *Help }

// Draw implements [screen.Part].
func (h helpPart) Draw(width, height int) screen.Drawing {
	shown := h.columns(width)
	cursor := h.scrolled(shown, height)
	return h.draw(shown, &cursor, width, height)
}

// Say implements [screen.Part].
func (h helpPart) Say() iter.Seq[string] {
	var texts []string
	for _, s := range h.sections {
		texts = append(texts, s.Title+":")
		for _, a := range s.Actions {
			texts = append(texts, a.KeyNames()+": "+a.Description)
		}
		for _, note := range s.Notes {
			texts = append(texts, screen.Labelled(note.Typed, note.Text))
		}
	}
	return screen.Texts(texts...)
}

// longest is the number of lines of the longest column.
func longest(columns [][]string) (lines int) {
	for _, column := range columns {
		lines = max(lines, len(column))
	}
	return lines
}

// columnWidth is the width of each of n columns.
func columnWidth(width, n int) int { return max((width+helpGap)/max(n, 1)-helpGap, 1) }

// inColumns puts the sections that have all words into a column or two, each below the shorter
// one so far. The entries are those of the first column, then those of the second.
func (h *Help) inColumns(width int, words []string) (columns [][]string, entries []helpEntry) {
	columns = make([][]string, 1, 2)
	if width >= 2*helpColumn+helpGap {
		columns = columns[:2]
	}
	for _, s := range h.sections {
		lines, found := h.section(s, columnWidth(width, len(columns))-1, words)
		if len(found) == 0 {
			continue
		}
		shorter := 0
		if last := len(columns) - 1; len(columns[last]) < len(columns[0]) {
			shorter = last
		}
		if len(columns[shorter]) > 0 {
			columns[shorter] = append(columns[shorter], "")
		}
		for _, e := range found {
			e.column, e.first, e.end = shorter, e.first+len(columns[shorter]), e.end+len(columns[shorter])
			entries = append(entries, e)
		}
		columns[shorter] = append(columns[shorter], lines...)
	}
	slices.SortStableFunc(entries, func(a, b helpEntry) int { return a.column - b.column })
	return columns, entries
}

// section draws what of a section has all words, which are in lower case; nothing if there is none. A
// term that is long has a line of its own, so that the texts keep most of the width.
func (h *Help) section(s screen.HelpSection, width int, words []string) (lines []string, found []helpEntry) {
	t := h.env.Theme
	keys := 0
	for _, a := range s.Actions {
		keys = max(keys, safetext.Width(a.KeyNames()))
	}
	for _, note := range s.Notes {
		keys = max(keys, safetext.Width(note.Typed))
	}
	keys = min(keys, width/3)
	lines = []string{screen.Section(t, s.Title, width)}
	add := func(a *screen.Action, typed, searched, text string, style styles.Style) {
		all := strings.ToLower(typed + " " + searched + " " + text)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) }) {
			first := len(lines)
			lines = append(lines, wrapped(t, typed, text, style, keys, width)...)
			found = append(found, helpEntry{action: a, first: first, end: len(lines)})
		}
	}
	for i, a := range s.Actions {
		text, style := a.Description, t.Text
		if !a.Enabled() {
			text, style = text+" (unavailable: "+a.Reason+")", t.Muted
		}
		add(&s.Actions[i], a.KeyNames(), a.Title, text, style)
	}
	for _, note := range s.Notes {
		add(nil, note.Typed, "", note.Text, t.Muted)
	}
	return lines, found
}

// wrapped draws what is typed, and a text beside it that may take several lines. What is longer
// than its column has a line of its own.
func wrapped(t *styles.Theme, typed, text string, style styles.Style, keys, width int) []string {
	lines := []string{}
	if typed == "" {
		keys = -2
	}
	if safetext.Width(typed) > max(keys, 0) {
		lines = append(lines, t.Key.Render(safetext.Truncate(typed, width)))
		typed = ""
	}
	key := t.Key.Render(safetext.Fit(typed, max(keys, 0)))
	for line := range strings.SplitSeq(screen.Wrap(text, max(width-keys-2, 1)), "\n") {
		lines = append(lines, key+strings.Repeat(" ", min(keys+2, 2))+style.Render(line))
		key = strings.Repeat(" ", max(keys, 0))
	}
	return lines
}

// searchHead is the number of lines of a search above what it finds.
const searchHead = 2

// nothingFound stands where a search finds nothing.
const nothingFound = "Nothing matches. Try another word."

// beforeTyped is how many cells stand before what is searched for.
const beforeTyped = 3

// searchLines are a line of input, with a text at its right end, and a line below it.
func searchLines(t *styles.Theme, input *textinput.Model, placeholder, right string, width int) screen.Drawing {
	room := width - beforeTyped
	if beside := room - safetext.Width(right) - 2; beside >= room/2 {
		room = beside
	}
	typed, caret := screen.DrawTyped(styles.Style{}, input.Value(), input.Position(), room)
	if input.Value() == "" {
		typed += t.Faint.Render(placeholder)
	}
	head := " " + t.Accent.Render(t.Glyphs.Prompt) + " " + typed
	return screen.Drawing{
		Lines: []string{
			screen.Cut(screen.Sides(head, t.Muted.Render(right)+" ", width), width),
			t.Line.Render(strings.Repeat(t.Glyphs.Horizontal, max(width, 0))),
		},
		Spots: []screen.Spot{screen.CaretAt(beforeTyped+caret, 0)},
	}
}

// marked are lines of a column, with what is chosen on the ground of the cursor.
func (h *Help) marked(shown columns, column, from, end, width int) (lines []string) {
	var chosen helpEntry
	if h.chosen < len(shown.entries) {
		chosen = shown.entries[h.chosen]
	}
	for at, line := range shown.lines[column][from:end] {
		if at += from; chosen.column == column && chosen.first <= at && at < chosen.end {
			lines = append(lines, screen.CursorRow(h.env.Theme, line, width))
		} else {
			lines = append(lines, " "+line)
		}
	}
	return lines
}

// draw draws the visible lines.
func (h *Help) draw(shown columns, cursor *screen.Cursor, width, height int) screen.Drawing {
	t, columns := h.env.Theme, shown.lines
	below := ""
	if more := cursor.Count() - cursor.End(); more > 0 {
		below = human.Count(more, "line", "lines") + " below"
	}
	head := searchLines(t, &h.input, "type to search", below, width)
	lines := head.Lines
	texts, widths := make([]string, len(columns)), make([]int, len(columns))
	for i, column := range columns {
		from, end := min(cursor.Offset(), len(column)), min(cursor.End(), len(column))
		widths[i] = columnWidth(width, len(columns))
		texts[i] = strings.Join(h.marked(shown, i, from, end, widths[i]), "\n")
		if i < len(columns)-1 {
			widths[i] += helpGap
		}
	}
	if cursor.Count() == 0 {
		lines = append(lines, t.Muted.Render(" "+nothingFound))
	} else {
		lines = append(lines, screen.Beside(texts, widths))
	}
	return screen.Drawing{Lines: strings.Split(screen.Box(strings.Join(lines, "\n"), width, height), "\n"), Spots: head.Spots}
}
