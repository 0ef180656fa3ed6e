package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// help lists every key that works on the screen below it, in sections side by side, that
// of the screen first. Typing searches.
type help struct {
	overlay
	title    string
	list     []screen.Action
	sections []helpSection
	input    textinput.Model
	// all are the columns with nothing typed, shown those with what is.
	all, shown helpColumns
	cursor     screen.Cursor // over the lines of the longest column; none is highlighted
}

// helpColumns are sections in columns, and what they were made for.
type helpColumns struct {
	width   int
	typed   string
	theme   styles.Options
	columns [][]helpLine
}

// longest is the number of lines of the longest column.
func (c helpColumns) longest() (lines int) {
	for _, column := range c.columns {
		lines = max(lines, len(column))
	}
	return lines
}

// helpSection is a group of keys, or of notes.
type helpSection struct {
	title   string
	actions []int // in list
	notes   []screen.HelpNote
}

// helpLine is a line of a column, and the action that a click on it performs, -1 for none.
type helpLine struct {
	text   string
	action int
}

// mouseNote says how to select text while the program uses the mouse.
const mouseNote = "Hold shift to select text with the mouse."

func (r *root) showHelp() tea.Cmd {
	h := &help{overlay: overlay{root: r}, title: "Keys", list: screen.ShownActions(r.actions, r.typing()), input: screen.NewInput(100)}
	h.input.Focus()
	if page := r.page(); page != nil {
		h.title = "Keys on " + page.Title()
	}
	for i, a := range h.list {
		h.add(r.env.Keys.GroupOf(a.ID), i)
	}
	everywhere := r.env.Keys.GroupOf("root.help")
	if at := slices.IndexFunc(h.sections, func(s helpSection) bool { return s.title == everywhere }); at >= 0 {
		h.sections = append(slices.Delete(slices.Clone(h.sections), at, at+1), h.sections[at])
	}
	if provider, ok := r.page().(screen.HelpProvider); ok {
		at := min(1, len(h.sections)) // behind the section of the screen
		for _, s := range slices.Backward(provider.Help()) {
			h.sections = slices.Insert(h.sections, at, helpSection{title: s.Title, notes: s.Notes})
		}
	}
	h.sections = append(h.sections, r.legend())
	return r.stack.Push(h)
}

// legend explains the signs that stand for no value, and the mouse.
func (r *root) legend() helpSection {
	g := r.env.Theme.Glyphs
	s := helpSection{title: "Signs", notes: []screen.HelpNote{
		{Typed: g.MissingValue, Text: "the record has no such field"},
		{Typed: g.UnsetValue, Text: "the field is there, but was never set"},
	}}
	if !r.options.NoMouse {
		s.notes = append(s.notes, screen.HelpNote{Text: mouseNote})
	}
	return s
}

// add adds an action to the section of a title.
func (h *help) add(title string, action int) {
	at := slices.IndexFunc(h.sections, func(s helpSection) bool { return s.title == title })
	if at < 0 {
		at = len(h.sections)
		h.sections = append(h.sections, helpSection{title: title})
	}
	h.sections[at].actions = append(h.sections[at].actions, action)
}

func (*help) Typing() bool { return true }

// Update searches what is typed. While nothing is, the letters that close other screens
// close this one too.
func (h *help) Update(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && h.input.Value() == "" {
		list := h.root.env.Keys.Fill([]screen.Action{{ID: "help.close"}, {ID: "root.close"}})
		if _, closes := screen.FindAction(list, key.String(), false); closes {
			return h.root.Pop(h)
		}
	}
	before := h.input.Value()
	h.input, _ = h.input.Update(screen.CleanInput(msg))
	if h.input.Value() != before {
		h.cursor.ScrollTo(0)
	}
	return nil
}

func (h *help) Actions() []screen.Action {
	return []screen.Action{
		{ID: "help.close", Run: func() tea.Cmd { return h.root.Pop(h) }},
		{ID: "help.down", Run: h.scroll(1)},
		{ID: "help.up", Run: h.scroll(-1)},
		{ID: "help.pagedown", Run: h.scroll(h.cursor.Height())},
		{ID: "help.pageup", Run: h.scroll(-h.cursor.Height())},
	}
}

func (h *help) scroll(lines int) func() tea.Cmd {
	return func() tea.Cmd { return h.Wheel(0, 0, lines) }
}

func (h *help) Wheel(_, _, lines int) tea.Cmd {
	h.cursor.Scroll(lines)
	return nil
}

// Click implements [screen.MouseHandler]: it performs the action of the line, on the
// screen below.
func (h *help) Click(x, y int) tea.Cmd {
	line, ok := h.cursor.Hit(y - searchHead)
	width := h.columnWidth(len(h.shown.columns)) + helpGap
	if column := x / width; ok && column < len(h.shown.columns) && line < len(h.shown.columns[column]) {
		if action := h.shown.columns[column][line].action; action >= 0 {
			h.root.Pop(h)
			return h.root.perform(h.list[action])
		}
	}
	return nil
}

const (
	// helpColumn is the least width of a column, beside others.
	helpColumn = 44
	helpGap    = 3
	// maxHelpColumns is how many columns there are at the most.
	maxHelpColumns = 2
)

func (h *help) Boxed(width, height int) (screen.Pane, int, int) {
	pane := screen.Pane{Title: h.title, Padding: 1}
	width = min(width-2, maxHelpColumns*(helpColumn+helpGap+10))
	h.arrange(&h.all, width, "")
	return pane, width, min(h.all.longest()+searchHead, height)
}

func (h *help) Layout(width, height int) {
	h.overlay.Layout(width, height)
	h.input.SetWidth(max(width-4, 1))
	h.arrange(&h.shown, width, strings.ToLower(h.input.Value()))
	offset := h.cursor.Offset()
	h.cursor.SetCount(h.shown.longest())
	h.cursor.MoveTo(offset)
	h.cursor.ScrollTo(offset)
	h.cursor.Layout(max(height-searchHead, 1))
}

// columnWidth is the width of each of n columns.
func (h *help) columnWidth(n int) int {
	return max((h.width+helpGap)/max(n, 1)-helpGap, 1)
}

// arrange puts the sections that have what is typed into columns, each below the shortest
// one so far, unless that is what the columns were made for.
func (h *help) arrange(c *helpColumns, width int, typed string) {
	if theme := h.root.env.Theme.Options; c.columns == nil || c.width != width || c.typed != typed || c.theme != theme {
		*c = helpColumns{width, typed, theme, h.inColumns(width, typed)}
	}
}

func (h *help) inColumns(width int, typed string) [][]helpLine {
	n := max(1, min((width+helpGap)/(helpColumn+helpGap), maxHelpColumns))
	each := max((width+helpGap)/n-helpGap, 1)
	columns := make([][]helpLine, n)
	for _, s := range h.sections {
		lines := h.section(s, each, strings.Fields(typed))
		if len(lines) == 0 {
			continue
		}
		shortest := 0
		for i := range columns {
			if len(columns[i]) < len(columns[shortest]) {
				shortest = i
			}
		}
		if len(columns[shortest]) > 0 {
			lines = append([]helpLine{{action: -1}}, lines...)
		}
		columns[shortest] = append(columns[shortest], lines...)
	}
	return columns
}

// section draws what of a section has all words, nothing if there is none.
func (h *help) section(s helpSection, width int, words []string) []helpLine {
	t := h.root.env.Theme
	keys := 0
	for _, a := range s.actions {
		keys = max(keys, safetext.Width(shortKeyNames(h.list[a])))
	}
	for _, note := range s.notes {
		keys = max(keys, safetext.Width(note.Typed))
	}
	keys = min(keys, width/2)
	lines := []helpLine{}
	for _, i := range s.actions {
		if a := h.list[i]; hasWords(shortKeyNames(a)+" "+a.Title+" "+a.Description, words) {
			lines = append(lines, actionLines(t, a, i, keys, width)...)
		}
	}
	for _, note := range s.notes {
		if hasWords(note.Typed+" "+note.Text, words) {
			lines = append(lines, wrapped(t, note.Typed, note.Text, t.Muted, -1, keys, width)...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]helpLine{{screen.Section(t, s.title, width), -1}}, lines...)
}

// actionLines draws a key and what it does, which may take several lines.
func actionLines(t *styles.Theme, a screen.Action, action, keys, width int) []helpLine {
	text, style := a.Description, t.Text
	if !a.Enabled() {
		text, style = text+" (not now: "+a.Reason+")", t.Muted
	}
	return wrapped(t, shortKeyNames(a), text, style, action, keys, width)
}

// wrapped draws what is typed, and a text beside it that may take several lines. What is longer
// than its column has a line of its own.
func wrapped(t *styles.Theme, typed, text string, style styles.Style, action, keys, width int) []helpLine {
	lines := []helpLine{}
	if typed == "" {
		keys = -2
	}
	if safetext.Width(typed) > max(keys, 0) {
		lines = append(lines, helpLine{t.Key.Render(safetext.Truncate(typed, width)), action})
		typed = ""
	}
	key := t.Key.Render(safetext.Fit(typed, max(keys, 0)))
	for line := range strings.SplitSeq(screen.Wrap(text, max(width-keys-2, 1)), "\n") {
		lines = append(lines, helpLine{key + strings.Repeat(" ", min(keys+2, 2)) + style.Render(line), action})
		key = strings.Repeat(" ", max(keys, 0))
	}
	return lines
}

// hasWords reports whether a text has all words, which are in lower case.
func hasWords(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// searchHead is the number of lines of a search above what it finds.
const searchHead = 2

// nothingFound stands where a search finds nothing.
const nothingFound = "Nothing matches. Try another word."

// searchLines are a line of input, with a text at its right end, and a line below it.
func searchLines(t *styles.Theme, input textinput.Model, placeholder, right string, width int) []string {
	typed := input.View()
	if input.Value() == "" {
		typed = ansi.Truncate(typed, 1, "") + t.Faint.Render(placeholder)
	}
	head := " " + t.Accent.Render(t.Glyphs.Prompt) + " " + typed
	return []string{
		screen.Cut(screen.Sides(head, t.Muted.Render(right)+" ", width), width),
		t.Line.Render(strings.Repeat(t.Glyphs.Horizontal, max(width, 0))),
	}
}

func (h *help) View() string {
	t := h.root.env.Theme
	width := h.columnWidth(len(h.shown.columns))
	below := ""
	if more := h.cursor.Count() - h.cursor.End(); more > 0 {
		below = human.Count(more, "line", "lines") + " below"
	}
	lines := searchLines(t, h.input, "type to search", below, h.width)
	texts, widths := make([]string, len(h.shown.columns)), make([]int, len(h.shown.columns))
	for i, column := range h.shown.columns {
		visible := []string{}
		for line := h.cursor.Offset(); line < min(h.cursor.End(), len(column)); line++ {
			visible = append(visible, column[line].text)
		}
		texts[i], widths[i] = strings.Join(visible, "\n"), width
		if i < len(h.shown.columns)-1 {
			widths[i] += helpGap
		}
	}
	if h.cursor.Count() == 0 {
		lines = append(lines, t.Muted.Render(" "+nothingFound))
	} else {
		lines = append(lines, screen.Beside(texts, widths))
	}
	return screen.Box(strings.Join(lines, "\n"), h.width, h.height)
}
