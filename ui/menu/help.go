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

// Help lists keys and notes in sections. The person types to search them, and can run the key that
// is chosen.
type Help struct {
	screen.Base
	env      *screen.Env
	heading  string
	sections []screen.HelpSection
	run      func(a screen.Action) tea.Cmd
	input    textinput.Model
	chosen   int           // index of an entry
	cursor   screen.Cursor // over the lines of the longest column
	settled  columns       // for the room that Settle was told last
}

// columns are the sections side by side, as they are drawn for one width, theme and search.
type columns struct {
	width int
	theme styles.Options
	typed string
	// lines are those of each column.
	lines [][]string
	// entries are what can be chosen, column by column.
	entries []helpEntry
	// unsearched is the number of lines of the longest column while nothing is searched.
	unsearched int
}

// helpEntry is a key or a note, and its place.
type helpEntry struct {
	action *screen.Action // nil for a note
	column int
	// first is its first line in the column, end the line after its last.
	first, end int
}

// maxSearch is the length of what can be typed to search the help, in characters.
const maxSearch = 100

// NewHelp makes a help with a heading. A key that is chosen there is passed to run, after the help
// was closed.
func NewHelp(
	env *screen.Env, heading string, sections []screen.HelpSection,
	run func(a screen.Action) tea.Cmd,
) *Help {
	h := &Help{
		env:      env,
		heading:  heading,
		sections: sections,
		run:      run,
		input:    screen.NewInput(maxSearch),
	}
	h.input.Focus()
	return h
}

// Update searches for what is typed. While nothing is typed, the letters that close other screens
// close the help too.
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

// Actions implements [screen.Screen].
func (h *Help) Actions() []screen.Action {
	last := len(h.settled.entries) - 1
	atFirst := screen.If(h.chosen <= 0, "this is the first line")
	atLast := screen.If(h.chosen >= last, "this is the last line")
	page := max(h.cursor.Height()-1, 1)
	return []screen.Action{
		{ID: screen.HelpRun, Reason: h.cannotRun(), Run: h.runChosen},
		{ID: screen.HelpClose, Run: func() tea.Cmd { return h.env.Root.Pop(h) }},
		h.move(screen.GridDown, "choose", 1, atLast),
		h.move(screen.GridUp, "", -1, atFirst),
		h.move(screen.GridPageDown, "", page, atLast),
		h.move(screen.GridPageUp, "", -page, atFirst),
	}
}

// move is the action that chooses the entry some lines below, or above if lines is negative. reason
// says why there is none.
func (h *Help) move(id screen.ActionID, title string, lines int, reason string) screen.Action {
	return screen.Action{
		ID:     id,
		Title:  title,
		Typing: true,
		Reason: reason,
		Run:    screen.Do(func() { h.Wheel(lines) }),
	}
}

// Wheel chooses the entry some entries below, or above if lines is negative.
func (h *Help) Wheel(lines int) {
	h.chosen = max(0, min(h.chosen+lines, len(h.settled.entries)-1))
}

// entry is the entry that is chosen; nil if the search finds none.
func (h *Help) entry() *helpEntry {
	if h.chosen < 0 || h.chosen >= len(h.settled.entries) {
		return nil
	}
	return &h.settled.entries[h.chosen]
}

// cannotRun says why the chosen entry cannot be run; "" if it can.
func (h *Help) cannotRun() string {
	switch e := h.entry(); {
	case e == nil:
		return "nothing matches"
	case e.action == nil:
		return "this line is no key"
	default:
		return e.action.Reason
	}
}

// runChosen closes the help and runs the chosen key.
func (h *Help) runChosen() tea.Cmd {
	a := *h.entry().action
	return tea.Batch(h.env.Root.Pop(h), h.run(a))
}

const (
	// minHelpColumn is the minimum width of each of two columns, maxHelpColumn the maximum one
	// together with the gap beside it.
	minHelpColumn = 44
	maxHelpColumn = 57
	helpGap       = 3
	// helpMargin is kept free beside the box.
	helpMargin = 2
)

// View implements [screen.Screen]. The view has no title: the header names the page below.
func (h *Help) View() screen.View {
	return screen.View{
		Border: screen.Pane{Title: h.heading},
		Body:   helpPart{h},
		Wheel:  h.Wheel,
		Typing: true,
		Modal:  true,
	}
}

// Frame implements [screen.Screen].
func (h *Help) Frame() screen.Frame { return screen.InBox }

// Size implements [screen.Screen]: room for all sections, so that the box keeps its size while a
// person searches.
func (h *Help) Size(width, height int) screen.Size {
	width = min(width-helpMargin, 2*maxHelpColumn)
	lines := min(h.columns(width).unsearched+searchHead, height)
	return screen.Size{Cells: width, Lines: lines, Padding: 1}
}

// Settle implements [screen.Screen].
func (h *Help) Settle(room screen.Room) {
	h.settled = h.columns(room.Width)
	h.chosen = max(0, min(h.chosen, len(h.settled.entries)-1))
	h.cursor = h.scrolled(h.settled, room.Height)
}

// columns are the columns for what is typed, in a width. They are those that were settled unless
// something has changed since, because drawing them takes long.
func (h *Help) columns(width int) columns {
	now, typed := h.settled, h.input.Value()
	isSameLook := now.width == width && now.theme == h.env.Theme.Options
	if isSameLook && now.typed == typed {
		return now
	}
	if !isSameLook {
		all, _ := h.inColumns(width, nil)
		now = columns{width: width, theme: h.env.Theme.Options, unsearched: longest(all)}
	}
	now.typed = typed
	now.lines, now.entries = h.inColumns(width, strings.Fields(strings.ToLower(typed)))
	return now
}

// scrolled is the cursor over the lines of some columns, scrolled so that the chosen entry is in
// sight.
func (h *Help) scrolled(shown columns, height int) screen.Cursor {
	cursor := h.cursor
	room := max(height-searchHead, 1)
	cursor.SetCount(longest(shown.lines))
	if h.chosen < len(shown.entries) {
		e := shown.entries[h.chosen]
		isTopOfColumn := h.chosen == 0 || shown.entries[h.chosen-1].column != e.column
		if isTopOfColumn {
			e.first = 0 // the heading above it
		}
		cursor.MoveTo(e.end - 1)
		cursor.Layout(room)
		cursor.MoveTo(e.first)
	}
	cursor.Layout(room)
	return cursor
}

// helpPart is the line of the search, with the columns below it.
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

// columnWidth is the width of each of some columns without the gaps between them.
func columnWidth(width, columns int) int {
	return max((width+helpGap)/max(columns, 1)-helpGap, 1)
}

// inColumns distributes the sections over one or two columns: each goes to the column that is the
// shorter one so far. Only what contains all words is listed; the words are in lower case. The
// entries of the first column come before those of the second.
func (h *Help) inColumns(width int, words []string) (columns [][]string, entries []helpEntry) {
	columns = make([][]string, 1, 2)
	if width >= 2*minHelpColumn+helpGap {
		columns = columns[:2]
	}
	textWidth := columnWidth(width, len(columns)) - 1
	for _, s := range h.sections {
		section := sectionLines{theme: h.env.Theme, width: textWidth, keys: keysWidth(s, textWidth)}
		section.draw(s, words)
		if len(section.entries) == 0 {
			continue
		}
		shorter := 0
		if last := len(columns) - 1; len(columns[last]) < len(columns[0]) {
			shorter = last
		}
		if len(columns[shorter]) > 0 {
			columns[shorter] = append(columns[shorter], "")
		}
		for _, e := range section.entries {
			e.column = shorter
			e.first += len(columns[shorter])
			e.end += len(columns[shorter])
			entries = append(entries, e)
		}
		columns[shorter] = append(columns[shorter], section.lines...)
	}
	slices.SortStableFunc(entries, func(a, b helpEntry) int { return a.column - b.column })
	return columns, entries
}

// keysWidth is the width of the keys of a section in cells. It is limited, so that the texts beside
// them keep most of the width.
func keysWidth(s screen.HelpSection, width int) int {
	keys := 0
	for _, a := range s.Actions {
		keys = max(keys, safetext.Width(a.KeyNames()))
	}
	for _, note := range s.Notes {
		keys = max(keys, safetext.Width(note.Typed))
	}
	return min(keys, width/3)
}

// sectionLines are the lines of a section while they are drawn, and its entries, whose lines are
// counted from the heading of the section.
type sectionLines struct {
	theme   *styles.Theme
	width   int
	keys    int // width of the keys
	lines   []string
	entries []helpEntry
}

// draw draws the heading of a section, and those of its actions and notes that contain all words.
func (l *sectionLines) draw(s screen.HelpSection, words []string) {
	t := l.theme
	l.lines = []string{screen.Section(t, s.Title, l.width)}
	for i, a := range s.Actions {
		text, style := a.Description, t.Text
		if !a.Enabled() {
			text, style = text+" (unavailable: "+a.Reason+")", t.Muted
		}
		if containsAll(words, a.KeyNames(), a.Title, text) {
			l.add(&s.Actions[i], a.KeyNames(), text, style)
		}
	}
	for _, note := range s.Notes {
		if containsAll(words, note.Typed, note.Text) {
			l.add(nil, note.Typed, note.Text, t.Muted)
		}
	}
}

// containsAll reports whether each word is in one of the texts. The words are in lower case.
func containsAll(words []string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, " "))
	isMissing := func(word string) bool { return !strings.Contains(all, word) }
	return !slices.ContainsFunc(words, isMissing)
}

// keyGap is the number of cells between a key and its text.
const keyGap = 2

// add draws an entry: a key, and its text beside it in as many lines as that takes. A key that is
// too wide has a line of its own. A text without a key takes the whole width.
func (l *sectionLines) add(action *screen.Action, key, text string, style styles.Style) {
	entry := helpEntry{action: action, first: len(l.lines)}
	keys, indent := l.keys, l.keys+keyGap
	if key == "" {
		keys, indent = 0, 0
	}
	if safetext.Width(key) > keys {
		l.lines = append(l.lines, l.theme.Key.Render(safetext.Truncate(key, l.width)))
		key = ""
	}
	before := l.theme.Key.Render(safetext.Fit(key, keys)) + strings.Repeat(" ", indent-keys)
	for line := range strings.SplitSeq(screen.Wrap(text, max(l.width-indent, 1)), "\n") {
		l.lines = append(l.lines, before+style.Render(line))
		before = strings.Repeat(" ", indent)
	}
	entry.end = len(l.lines)
	l.entries = append(l.entries, entry)
}

// draw draws the search, and those lines of the columns that are in sight.
func (h *Help) draw(shown columns, cursor *screen.Cursor, width, height int) screen.Drawing {
	t := h.env.Theme
	below := ""
	if more := cursor.Count() - cursor.End(); more > 0 {
		below = human.Count(more, "line", "lines") + " below"
	}
	search := drawSearch(t, &h.input, "type to search", below, width)
	lines := search.Lines
	if cursor.Count() == 0 {
		lines = append(lines, t.Muted.Render(" "+nothingFound))
	} else {
		lines = append(lines, h.sideBySide(shown, cursor, width))
	}
	box := screen.Box(strings.Join(lines, "\n"), width, height)
	return screen.Drawing{Lines: strings.Split(box, "\n"), Spots: search.Spots}
}

// sideBySide draws the lines that are in sight of all columns side by side.
func (h *Help) sideBySide(shown columns, cursor *screen.Cursor, width int) string {
	count := len(shown.lines)
	texts, widths := make([]string, count), make([]int, count)
	for i, column := range shown.lines {
		from, end := min(cursor.Offset(), len(column)), min(cursor.End(), len(column))
		widths[i] = columnWidth(width, count)
		texts[i] = strings.Join(h.drawColumn(shown, i, from, end, widths[i]), "\n")
		if i < count-1 {
			widths[i] += helpGap
		}
	}
	return screen.Beside(texts, widths)
}

// drawColumn draws the lines of a column from one up to another, with the cursor on those of the
// chosen entry.
func (h *Help) drawColumn(shown columns, column, from, end, width int) (lines []string) {
	var chosen helpEntry
	if h.chosen < len(shown.entries) {
		chosen = shown.entries[h.chosen]
	}
	for at := from; at < end; at++ {
		line := shown.lines[column][at]
		if chosen.column == column && chosen.first <= at && at < chosen.end {
			lines = append(lines, screen.CursorRow(h.env.Theme, line, width))
		} else {
			lines = append(lines, " "+line)
		}
	}
	return lines
}
