// Package menu has the boxes from which a person chooses: a list of entries, which may be
// searched, and the help.
package menu

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Menu is a list of entries in a box.
type Menu struct {
	screen.Base
	// Heading is the title of the box, Verb the word for choosing an entry.
	Heading, Verb string
	// Opener is the action that opened the menu; its key closes it as well. It may be
	// [screen.NoAction].
	Opener screen.ActionID
	// Stays keeps the menu open after a choice, for the next one.
	Stays bool

	env      *screen.Env
	entries  []screen.Entry
	searched bool // the person types to search the entries
	input    textinput.Model
	found    []found
	lines    []line
	wanted   int           // the width in cells in which all entries can be read, within limits
	cursor   screen.Headed // over the lines
}

// line is a line of the list: a heading, an entry that was found, or an empty line.
type line struct {
	heading string
	at      int // index in found, or noEntry
}

// noEntry marks a line without an entry.
const noEntry = -1

// maxTyped is the length of what can be typed to search a menu, in characters.
const maxTyped = 200

// New makes a menu of a few entries, which are not searched.
func New(env *screen.Env, heading, verb string, entries []screen.Entry) *Menu {
	for i := range entries {
		e := &entries[i]
		e.Title, e.Note = safetext.Line(e.Title), safetext.Line(e.Note)
	}
	m := &Menu{
		Heading: heading,
		Verb:    verb,
		env:     env,
		entries: entries,
		input:   screen.NewInput(maxTyped),
		wanted:  wantedWidth(entries),
	}
	m.search()
	return m
}

// NewPalette makes a menu that is searched by typing. Its entries keep the given order until then.
func NewPalette(env *screen.Env, entries []screen.Entry) *Menu {
	m := New(env, "", "run", entries)
	m.searched = true
	m.input.Focus()
	return m
}

// wantedWidth is the width in which all entries can be read, within limits.
func wantedWidth(entries []screen.Entry) int {
	names, notes, keys, drawn := 0, 0, 0, 0
	for _, e := range entries {
		names = max(names, safetext.Width(e.Title))
		notes = max(notes, safetext.Width(e.Note))
		keys = max(keys, safetext.Width(e.Keys))
		drawn = max(drawn, screen.Cells(e.Drawn), safetext.Width(e.Group))
	}
	inColumns := rowIndent + min(names, maxName) + columnGap + notes + columnGap + keys + keyMargin
	return min(max(inColumns, rowIndent+drawn, minWidth), maxWidth)
}

// Update passes keys and pastes to the field. The command of the field is dropped, because it would
// read the clipboard of the machine that runs the program, which need not be the person's.
func (m *Menu) Update(msg tea.Msg) tea.Cmd {
	before := m.input.Value()
	m.input, _ = m.input.Update(screen.CleanInput(msg))
	if m.input.Value() != before {
		m.search()
	}
	return nil
}

// Actions implements [screen.Screen].
func (m *Menu) Actions() []screen.Action {
	choose := screen.Action{
		ID:    screen.MenuChoose,
		Title: m.Verb,
		Run:   func() tea.Cmd { return m.choose(m.at()) },
	}
	if len(m.found) == 0 {
		choose.Reason = "nothing matches"
	}
	list := []screen.Action{choose}
	if len(m.found) > 0 {
		if copyEntry := m.entry(m.at()).Copy; copyEntry != nil {
			list = append(list, screen.Action{ID: screen.MenuCopy, Run: copyEntry})
		}
	}
	if m.Opener != screen.NoAction {
		list = append(list, screen.Action{
			ID:    m.Opener,
			Title: "close",
			Quiet: true,
			Run:   func() tea.Cmd { return m.env.Root.Pop(m) },
		})
	}
	if !m.searched {
		return append(list, m.cursor.Moves()...)
	}
	list = append(list, whileTyping(m.cursor.Rows(), m.cursor.Pages())...)
	return append(list, screen.Action{ID: screen.MenuUp, Run: screen.Do(func() { m.Wheel(-1) })})
}

// at is the index of the entry under the cursor among those that were found.
func (m *Menu) at() int { return m.lines[m.cursor.Row()].at }

// entry is one of those that were found.
func (m *Menu) entry(at int) *screen.Entry { return &m.entries[m.found[at].entry] }

// whileTyping lets movements work while the person types.
func whileTyping(of ...[]screen.Action) []screen.Action {
	moves := slices.Concat(of...)
	for i := range moves {
		moves[i].Typing = true
	}
	return moves
}

// choose runs one of the entries that were found.
func (m *Menu) choose(at int) tea.Cmd {
	run := m.entry(at).Run
	if m.Stays {
		return run()
	}
	return tea.Batch(m.env.Root.Pop(m), run())
}

// Wheel moves the cursor down by lines, or up if lines is negative.
func (m *Menu) Wheel(lines int) { m.cursor.Move(lines) }

// The size of a menu where there is room, in cells and lines. Only a menu that is searched has a
// maximum height: its size must not depend on how much is found.
const (
	minWidth  = 60
	maxWidth  = 110
	maxHeight = 20
)

// The columns of a row: the cursor and its margins, the name, its description, and the key at the
// right end.
const (
	rowIndent = 4
	maxName   = 26
	columnGap = 2
	keyMargin = 1 // behind the key
)

// head is the number of lines above the list.
func (m *Menu) head() int {
	if m.searched {
		return searchHead
	}
	return 0
}

// View implements [screen.Screen].
func (m *Menu) View() screen.View {
	border := screen.Pane{Title: m.Heading}
	if m.searched {
		border = screen.Pane{Lines: maxHeight}
	}
	return screen.View{
		Title:  m.Heading,
		Border: border,
		Body:   menuPart{m},
		Wheel:  m.Wheel,
		Typing: m.searched,
		Modal:  m.searched,
		Rows:   menuRows{m},
	}
}

// Frame implements [screen.Screen].
func (m *Menu) Frame() screen.Frame { return screen.InBox }

// Size implements [screen.Screen]: as wide as all entries need, as high as those that were found.
func (m *Menu) Size(width, height int) screen.Size {
	lines, padding := m.head()+max(len(m.lines), 1), 1
	if m.searched {
		lines, padding = min(lines, maxHeight), 0
	}
	return screen.Size{Cells: min(m.wanted, width), Lines: min(lines, height), Padding: padding}
}

// Settle implements [screen.Screen].
func (m *Menu) Settle(room screen.Room) {
	m.cursor.Layout(max(room.Height-m.head(), 1))
}

// search finds the entries that match what was typed, the best first, and lists them under the
// headings of their groups.
func (m *Menu) search() {
	m.found = find(m.entries, m.input.Value())
	m.lines = m.lines[:0]
	for at := range m.found {
		group := m.entry(at).Group
		beginsGroup := at == 0 || m.entry(at-1).Group != group
		if group != "" && beginsGroup {
			if at > 0 {
				m.lines = append(m.lines, line{at: noEntry})
			}
			m.lines = append(m.lines, line{heading: group, at: noEntry})
		}
		m.lines = append(m.lines, line{at: at})
	}
	m.cursor = screen.Headed{Head: func(line int) bool { return m.lines[line].at == noEntry }}
	m.cursor.SetCount(len(m.lines))
	m.cursor.Select(0, 1)
}

// click chooses the entry on a line. If the entries are not searched, a click on an entry without
// the cursor only moves the cursor there.
func (m *Menu) click(line int) tea.Cmd {
	switch {
	case m.lines[line].at == noEntry:
		return nil
	case !m.searched && line != m.cursor.Row():
		m.cursor.MoveTo(line)
		return nil
	}
	return m.choose(m.lines[line].at)
}

// menuPart is the line of the search, if there is one, and the entries that were found.
type menuPart struct{ *Menu }

// Say implements [screen.Part]: the entries are said as rows.
func (m menuPart) Say() iter.Seq[string] { return screen.Texts(m.Heading) }

// Draw implements [screen.Part].
func (m menuPart) Draw(width, height int) screen.Drawing {
	t, cursor := m.env.Theme, m.cursor
	cursor.Layout(max(height-m.head(), 1))
	var search screen.Drawing
	if m.searched {
		search = drawSearch(t, &m.input, "what to do, or where to go", m.count(), width)
	}
	lines, head := search.Lines, len(search.Lines)
	if len(m.found) == 0 {
		lines = append(lines, t.Muted.Render("   "+nothingFound))
	}
	names, keys := m.columns(width)
	for at := cursor.Offset(); at < cursor.End(); at++ {
		if l := m.lines[at]; l.at == noEntry {
			lines = append(lines, m.drawHeading(l.heading, width))
		} else {
			lines = append(lines, m.drawRow(l.at, names, keys, width))
		}
	}
	click := func(_, y int) tea.Cmd {
		line, ok := cursor.Hit(y)
		if !ok {
			return nil
		}
		return m.click(line)
	}
	list := screen.Spot{Y: head, Width: width, Height: max(height-head, 0), Click: click}
	return screen.Drawing{
		Lines: lines[:min(len(lines), max(height, 0))],
		Spots: append(search.Spots, list),
	}
}

// count says how many entries there are, and how many of them were found.
func (m *Menu) count() string {
	if m.input.Value() == "" {
		return human.Number(len(m.entries))
	}
	return fmt.Sprintf("%s of %s", human.Number(len(m.found)), human.Number(len(m.entries)))
}

// minNoted is the minimum room for names and descriptions together. In less, names have all of it.
const minNoted = 40

// columns are the widths of the names and of the keys; descriptions have what is left between them.
func (m *Menu) columns(width int) (names, keys int) {
	for at := range m.found {
		e := m.entry(at)
		names, keys = max(names, safetext.Width(e.Title)), max(keys, safetext.Width(e.Keys))
	}
	room := width - rowIndent - columnGap - keys
	if room < minNoted {
		return max(room, 1), keys
	}
	return min(names, maxName, room/2), keys
}

// drawHeading draws the heading of a group.
func (m *Menu) drawHeading(heading string, width int) string {
	indent := " "
	if m.searched {
		indent = "  "
	}
	return screen.Cut(indent+m.env.Theme.Muted.Render(heading), width)
}

// drawRow draws an entry: its name, what it does, and its key.
func (m *Menu) drawRow(at, names, keys, width int) string {
	t, e := m.env.Theme, m.entry(at)
	isChosen := at == m.at()
	line := e.Drawn
	if line == "" {
		line = m.drawTexts(at, isChosen, names, keys, width)
	}
	line = screen.Sides(line, t.Key.Render(e.Keys)+" ", width-1)
	if isChosen {
		return screen.CursorRow(t, screen.Cut(line, width-1), width)
	}
	return screen.Cut(" "+line, width)
}

// minNote is the minimum room for a description; in less it is left out.
const minNote = 4

// drawTexts draws the name and the description of an entry, with what was searched highlighted. A
// long name moves its own description to the right, not those of other entries.
func (m *Menu) drawTexts(at int, isChosen bool, names, keys, width int) string {
	t, e, f := m.env.Theme, m.entry(at), m.found[at]
	style, match := t.Text, t.Match
	if isChosen {
		style, match = t.Strong, match.Bold()
	}
	title := safetext.Truncate(e.Title, max(width-rowIndent-2*columnGap-keys, 1))
	titleWidth := safetext.Width(title)
	names = max(names, titleWidth)
	gap := strings.Repeat(" ", names-titleWidth+columnGap)
	line := "   " + highlighted(title, f.title, style, match) + gap
	if room := width - rowIndent - names - columnGap - keys - columnGap; room >= minNote {
		line += highlighted(safetext.Truncate(e.Note, room), f.note, t.Muted, match)
	}
	return line
}

// menuRows are the entries that were found.
type menuRows struct{ *Menu }

// Len implements [screen.Rows].
func (m menuRows) Len() int { return len(m.found) }

// Choose implements [screen.Rows].
func (m menuRows) Choose(at int) {
	isOfEntry := func(l line) bool { return l.at == at }
	m.cursor.MoveTo(slices.IndexFunc(m.lines, isOfEntry))
}

// SayRow implements [screen.Rows].
func (m menuRows) SayRow(at int) string {
	e := m.entry(at)
	switch {
	case e.Said != "":
		return screen.Labelled("", e.Said)
	case e.Group != "":
		return screen.Labelled("", e.Title) + " " + screen.Labelled("", e.Group)
	}
	return screen.Labelled(e.Title, e.Note)
}
