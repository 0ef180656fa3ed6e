// Package menu has the boxes from which a person chooses: a list of entries, which may be
// searched, and the help.
package menu

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Menu is a list of entries in a box.
type Menu struct {
	screen.Base
	// Heading is the title of the box, Verb the word for choosing an entry.
	Heading, Verb string
	// Opener is the action that opened it, and closes it too; may be [screen.NoAction].
	Opener screen.ActionID
	// Stays is set where the menu stays open for another choice.
	Stays bool

	env      *screen.Env
	entries  []screen.Entry
	searched bool
	input    textinput.Model
	found    []found
	lines    []line
	wanted   int           // the width in which no entry is cut, within bounds
	cursor   screen.Headed // over the lines
}

// line is a line of the list: a heading, an entry that was found, or empty.
type line struct {
	heading string
	at      int // in found, -1 for other lines
}

// New makes a menu of a few entries.
func New(env *screen.Env, heading, verb string, entries []screen.Entry) *Menu {
	m := &Menu{Heading: heading, Verb: verb, env: env, entries: entries, input: screen.NewInput(200)}
	for i := range entries {
		entries[i].Title, entries[i].Note = safetext.Line(entries[i].Title), safetext.Line(entries[i].Note)
	}
	names, notes, keys, drawn := 0, 0, 0, 0
	for _, e := range entries {
		names, notes = max(names, safetext.Width(e.Title)), max(notes, safetext.Width(e.Note))
		keys, drawn = max(keys, safetext.Width(e.Keys)), max(drawn, screen.Cells(e.Drawn), safetext.Width(e.Group))
	}
	m.wanted = min(max(4+min(names, maxName)+2+notes+2+keys+1, drawn+4, minWidth), maxWidth)
	m.search()
	return m
}

// NewPalette makes a menu whose entries are found by typing, in the given order until something
// is typed.
func NewPalette(env *screen.Env, entries []screen.Entry) *Menu {
	m := New(env, "", "run", entries)
	m.searched = true
	m.input.Focus()
	return m
}

// Update passes keys and pastes to the field. The field's command is dropped: it would
// read the clipboard of the machine that runs the program.
func (m *Menu) Update(msg tea.Msg) tea.Cmd {
	before := m.input.Value()
	m.input, _ = m.input.Update(screen.CleanInput(msg))
	if m.input.Value() != before {
		m.search()
	}
	return nil
}

func (m *Menu) Actions() []screen.Action {
	list := []screen.Action{{ID: screen.MenuChoose, Title: m.Verb, Run: func() tea.Cmd { return m.choose(m.at()) }}}
	if len(m.found) == 0 {
		list[0].Reason = "nothing matches"
	} else if duplicate := m.entries[m.found[m.at()].entry].Copy; duplicate != nil {
		list = append(list, screen.Action{ID: screen.MenuCopy, Run: duplicate})
	}
	if m.Opener != screen.NoAction {
		list = append(list, screen.Action{ID: m.Opener, Title: "close", Quiet: true, Run: func() tea.Cmd { return m.env.Root.Pop(m) }})
	}
	if !m.searched {
		return append(list, m.cursor.Moves()...)
	}
	list = append(list, whileTyping(m.cursor.Rows(), m.cursor.Pages())...)
	return append(list, screen.Action{ID: screen.MenuUp, Run: screen.Do(func() { m.Wheel(-1) })})
}

// at is the number of the entry under the cursor among those that were found.
func (m *Menu) at() int { return m.lines[m.cursor.Row()].at }

// whileTyping are movements that work in a line of input too.
func whileTyping(of ...[]screen.Action) []screen.Action {
	moves := slices.Concat(of...)
	for i := range moves {
		moves[i].Typing = true
	}
	return moves
}

// choose runs the entry of a row.
func (m *Menu) choose(row int) tea.Cmd {
	run := m.entries[m.found[row].entry].Run
	if m.Stays {
		return run()
	}
	return tea.Batch(m.env.Root.Pop(m), run())
}

func (m *Menu) Wheel(lines int) { m.cursor.Move(lines) }

// The size of a searched menu where there is room, and the most cells for its names.
const (
	minWidth  = 60
	maxWidth  = 110
	maxHeight = 20
	maxName   = 26
)

// head is how many lines stand above the list.
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
		Title: m.Heading, Border: border, Body: menuPart{m}, Wheel: m.Wheel, Typing: m.searched, Modal: m.searched, Rows: menuRows{m},
	}
}

// Frame implements [screen.Screen].
func (m *Menu) Frame() screen.Frame { return screen.InBox }

// Size implements [screen.Screen]: it is as wide as all entries need and as high as those that were
// found.
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

// menuPart is the line that is searched by, and the entries that were found.
type menuPart struct{ *Menu }

// Draw implements [screen.Part].
func (m menuPart) Draw(width, height int) screen.Drawing {
	t, cursor := m.env.Theme, m.cursor
	cursor.Layout(max(height-m.head(), 1))
	var search screen.Drawing
	if m.searched {
		search = searchLines(t, &m.input, "what to do, or where to go", m.count(), width)
	}
	lines, head := search.Lines, len(search.Lines)
	if len(m.found) == 0 {
		lines = append(lines, t.Muted.Render("   "+nothingFound))
	}
	names, keys := m.columns(width)
	for at := cursor.Offset(); at < cursor.End(); at++ {
		if l := m.lines[at]; l.at >= 0 {
			lines = append(lines, m.row(l.at, names, keys, width))
		} else {
			lines = append(lines, screen.Cut(" "+screen.If(m.searched, " ")+t.Muted.Render(l.heading), width))
		}
	}
	click := func(_, y int) tea.Cmd {
		line, ok := cursor.Hit(y)
		if !ok {
			return nil
		}
		return m.click(line)
	}
	return screen.Drawing{
		Lines: lines[:min(len(lines), max(height, 0))],
		Spots: append(search.Spots, screen.Spot{Y: head, Width: width, Height: max(height-head, 0), Click: click}),
	}
}

// click chooses the entry on a line. In a list that is not searched, a click on another entry moves
// the cursor there.
func (m *Menu) click(line int) tea.Cmd {
	switch {
	case m.lines[line].at < 0:
		return nil
	case !m.searched && line != m.cursor.Row():
		m.cursor.MoveTo(line)
		return nil
	}
	return m.choose(m.lines[line].at)
}

// Say implements [screen.Part]: the entries are said as rows.
func (m menuPart) Say() iter.Seq[string] { return screen.Texts(m.Heading) }

func (m *Menu) count() string {
	if m.input.Value() == "" {
		return human.Number(len(m.entries))
	}
	return fmt.Sprintf("%s of %s", human.Number(len(m.found)), human.Number(len(m.entries)))
}

// columns are the widths of names and keys; descriptions have what is left between them.
func (m *Menu) columns(width int) (names, keys int) {
	for _, f := range m.found {
		e := m.entries[f.entry]
		names, keys = max(names, safetext.Width(e.Title)), max(keys, safetext.Width(e.Keys))
	}
	const indent, gap = 4, 2
	room := width - indent - gap - keys
	if room < 40 {
		return max(room, 1), keys
	}
	return min(names, maxName, room/2), keys
}

// row draws an entry: its name, what it does, and its key.
func (m *Menu) row(at, names, keys, width int) string {
	t, f := m.env.Theme, m.found[at]
	e, style, match := m.entries[f.entry], t.Text, t.Match
	if at == m.at() {
		style, match = t.Strong, match.Bold(true)
	}
	line := e.Drawn
	if e.Drawn == "" {
		title := safetext.Truncate(e.Title, max(width-8-keys, 1))
		names = max(names, safetext.Width(title)) // a long name moves its description, not those of others
		line = "   " + marked(title, f.title, style, match) + strings.Repeat(" ", names-safetext.Width(title)+2)
		if room := width - 1 - 3 - names - 2 - keys - 2; room > 3 {
			line += marked(safetext.Truncate(e.Note, room), f.note, t.Muted, match)
		}
	}
	line = screen.Sides(line, t.Key.Render(e.Keys)+" ", width-1)
	if at == m.at() {
		return screen.CursorRow(t, screen.Cut(line, width-1), width)
	}
	return screen.Cut(" "+line, width)
}

// search finds the entries that match what was typed, the best first, and lists them under
// their headings.
func (m *Menu) search() {
	m.found = find(m.entries, m.input.Value())
	m.lines = m.lines[:0]
	for at, f := range m.found {
		group := m.entries[f.entry].Group
		if group != "" && (at == 0 || m.entries[m.found[at-1].entry].Group != group) {
			if at > 0 {
				m.lines = append(m.lines, line{at: -1})
			}
			m.lines = append(m.lines, line{group, -1})
		}
		m.lines = append(m.lines, line{at: at})
	}
	m.cursor = screen.Headed{Head: func(line int) bool { return m.lines[line].at < 0 }}
	m.cursor.SetCount(len(m.lines))
	m.cursor.Select(0, 1)
}

// menuRows are the entries that were found.
type menuRows struct{ *Menu }

// Len implements [screen.Rows].
func (m menuRows) Len() int { return len(m.found) }

// Choose implements [screen.Rows].
func (m menuRows) Choose(at int) {
	m.cursor.MoveTo(slices.IndexFunc(m.lines, func(l line) bool { return l.at == at }))
}

// SayRow implements [screen.Rows].
func (m menuRows) SayRow(at int) string {
	e := m.entries[m.found[at].entry]
	switch {
	case e.Said != "":
		return screen.Labelled("", e.Said)
	case e.Group != "":
		return screen.Labelled("", e.Title) + " " + screen.Labelled("", e.Group)
	}
	return screen.Labelled(e.Title, e.Note)
}

// found is an entry that matches what was typed, and the bytes of its texts
// that do.
type found struct {
	entry       int
	rank        int // less is better
	title, note []int
}

// The ranks: names come before descriptions.
const (
	nameBegins = iota
	wordBegins
	nameContains
	nameHasLetters
	wordsContained
	notFound
)

// find returns the entries that match, sorted by the rank of the best of each group and
// then by their own. If nothing is typed, all match.
func find(entries []screen.Entry, typed string) []found {
	typed = strings.ToLower(strings.TrimSpace(typed))
	list, best := []found{}, map[string]int{}
	for n, e := range entries {
		f := match(e, typed)
		if f.rank == notFound {
			continue
		}
		f.entry = n
		list = append(list, f)
		if rank, ok := best[e.Group]; !ok || f.rank < rank {
			best[e.Group] = f.rank
		}
	}
	order := map[string]int{}
	for _, e := range entries {
		if _, ok := order[e.Group]; !ok {
			order[e.Group] = len(order)
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		first, second := entries[a.entry].Group, entries[b.entry].Group
		return cmp.Or(cmp.Compare(best[first], best[second]), cmp.Compare(order[first], order[second]),
			cmp.Compare(a.rank, b.rank))
	})
	return list
}

// match says how well an entry matches what was typed, which is in lower case.
func match(e screen.Entry, typed string) found {
	name, note := lower(e.Title), lower(e.Note)
	at := strings.Index(name, typed)
	word := strings.Index(" "+name, " "+typed)
	switch {
	case typed == "":
		return found{}
	case at == 0:
		return found{rank: nameBegins, title: span(0, len(typed))}
	case word >= 0:
		return found{rank: wordBegins, title: span(word, len(typed))}
	case at > 0:
		return found{rank: nameContains, title: span(at, len(typed))}
	}
	if hits := fuzzy.Find(strings.ReplaceAll(typed, " ", ""), []string{name}); len(hits) > 0 && utf8.RuneCountInString(typed) > 2 { // one or two are in nearly every name
		return found{rank: nameHasLetters, title: hits[0].MatchedIndexes}
	}
	f := found{rank: wordsContained}
	for w := range strings.FieldsSeq(typed) {
		inName, inNote := strings.Index(name, w), strings.Index(note, w)
		if inName < 0 && inNote < 0 {
			if strings.Contains(" "+e.Also, " "+w) {
				continue
			}
			return found{rank: notFound}
		}
		if inName >= 0 {
			f.title = append(f.title, span(inName, len(w))...)
		}
		if inNote >= 0 {
			f.note = append(f.note, span(inNote, len(w))...)
		}
	}
	return f
}

// lower is a text in lower case in which every byte is where it was.
func lower(text string) string {
	if folded := strings.ToLower(text); len(folded) == len(text) {
		return folded
	}
	return text
}

// span lists the bytes of a part of a text.
func span(from, length int) []int {
	list := make([]int, length)
	for i := range list {
		list[i] = from + i
	}
	return list
}

// marked draws a text with the characters at some bytes highlighted.
func marked(text string, hits []int, style, match styles.Style) string {
	var b strings.Builder
	for start := 0; start < len(text); {
		hit := slices.Contains(hits, start)
		end := start + 1
		for end < len(text) && (!utf8.RuneStart(text[end]) || slices.Contains(hits, end) == hit) {
			end++
		}
		if part := text[start:end]; hit {
			b.WriteString(match.Render(part))
		} else {
			b.WriteString(style.Render(part))
		}
		start = end
	}
	return b.String()
}
