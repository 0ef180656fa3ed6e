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

// Help lists keys and notes in sections side by side. Typing searches.
type Help struct {
	screen.Base
	env      *screen.Env
	heading  string
	sections []screen.HelpSection
	input    textinput.Model
	cursor   screen.Cursor // over the lines of the longest column; none is highlighted
	settled  columns
}

// columns are the sections as they are drawn for what is typed in a width and a theme.
type columns struct {
	width int
	theme styles.Options
	typed string
	lines [][]string
	all   int // lines of the longest column where nothing is typed
}

// NewHelp makes the help.
func NewHelp(env *screen.Env, heading string, sections []screen.HelpSection) *Help {
	h := &Help{env: env, heading: heading, sections: sections, input: screen.NewInput(100)}
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
		h.cursor.ScrollTo(0)
	}
	return nil
}

func (h *Help) Actions() []screen.Action {
	all := screen.If(h.cursor.Count() <= h.cursor.Height(), "all of it is shown")
	scroll := func(id screen.ActionID, title string, lines int) screen.Action {
		run := screen.Do(func() { h.Wheel(lines) })
		return screen.Action{ID: id, Title: title, Typing: true, Reason: all, Run: run}
	}
	return []screen.Action{
		{ID: screen.HelpClose, Run: func() tea.Cmd { return h.env.Root.Pop(h) }},
		scroll(screen.GridDown, "scroll", 1),
		scroll(screen.GridUp, "", -1),
		scroll(screen.GridPageDown, "", h.cursor.Height()),
		scroll(screen.GridPageUp, "", -h.cursor.Height()),
	}
}

func (h *Help) Wheel(lines int) { h.cursor.Scroll(lines) }

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
	h.cursor = h.scrolled(h.settled.lines, room.Height)
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
		now = columns{width: width, theme: h.env.Theme.Options, all: longest(h.inColumns(width, nil))}
	}
	now.typed, now.lines = typed, h.inColumns(width, strings.Fields(strings.ToLower(typed)))
	return now
}

// scrolled is the cursor over some columns in a height, as far down as it was.
func (h *Help) scrolled(columns [][]string, height int) screen.Cursor {
	cursor, offset := h.cursor, h.cursor.Offset()
	cursor.SetCount(longest(columns))
	cursor.MoveTo(offset)
	cursor.ScrollTo(offset)
	cursor.Layout(max(height-searchHead, 1))
	return cursor
}

// helpPart is the line that is searched by, and the sections.
type helpPart struct{ *Help }

// Draw implements [screen.Part].
func (h helpPart) Draw(width, height int) screen.Drawing {
	columns := h.columns(width).lines
	cursor := h.scrolled(columns, height)
	return h.draw(columns, &cursor, width, height)
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
			texts = append(texts, strings.TrimPrefix(note.Typed+": ", ": ")+note.Text)
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
// one so far.
func (h *Help) inColumns(width int, words []string) [][]string {
	columns := make([][]string, 1, 2)
	if width >= 2*helpColumn+helpGap {
		columns = columns[:2]
	}
	for _, s := range h.sections {
		lines := h.section(s, columnWidth(width, len(columns)), words)
		if len(lines) == 0 {
			continue
		}
		shorter := 0
		if last := len(columns) - 1; len(columns[last]) < len(columns[0]) {
			shorter = last
		}
		if len(columns[shorter]) > 0 {
			lines = append([]string{""}, lines...)
		}
		columns[shorter] = append(columns[shorter], lines...)
	}
	return columns
}

// section draws what of a section has all words, which are in lower case; nothing if there is none.
func (h *Help) section(s screen.HelpSection, width int, words []string) []string {
	t := h.env.Theme
	keys := 0
	for _, a := range s.Actions {
		keys = max(keys, safetext.Width(a.KeyNames()))
	}
	for _, note := range s.Notes {
		keys = max(keys, safetext.Width(note.Typed))
	}
	keys = min(keys, width/2)
	var lines []string
	add := func(typed, searched, text string, style styles.Style) {
		all := strings.ToLower(typed + " " + searched + " " + text)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) }) {
			lines = append(lines, wrapped(t, typed, text, style, keys, width)...)
		}
	}
	for _, a := range s.Actions {
		text, style := a.Description, t.Text
		if !a.Enabled() {
			text, style = text+" (unavailable: "+a.Reason+")", t.Muted
		}
		add(a.KeyNames(), a.Title, text, style)
	}
	for _, note := range s.Notes {
		add(note.Typed, "", note.Text, t.Muted)
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{screen.Section(t, s.Title, width)}, lines...)
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

// draw draws the visible lines.
func (h *Help) draw(columns [][]string, cursor *screen.Cursor, width, height int) screen.Drawing {
	t := h.env.Theme
	below := ""
	if more := cursor.Count() - cursor.End(); more > 0 {
		below = human.Count(more, "line", "lines") + " below"
	}
	head := searchLines(t, &h.input, "type to search", below, width)
	lines := head.Lines
	texts, widths := make([]string, len(columns)), make([]int, len(columns))
	for i, column := range columns {
		from, end := min(cursor.Offset(), len(column)), min(cursor.End(), len(column))
		texts[i], widths[i] = strings.Join(column[from:end], "\n"), columnWidth(width, len(columns))
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
