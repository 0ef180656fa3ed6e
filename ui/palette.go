package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// item is an entry of the palette.
type item struct {
	// group is the heading that it stands under.
	group string
	// home is the group of an entry that was moved to those used last.
	home string
	// title and note are searched, the title first; also is searched too, and not shown.
	title, note, also string
	// keys are shown beside it; may be empty.
	keys string
	run  func() tea.Cmd
}

// palette is a list of everything that can be reached, filtered by what a person types.
type palette struct {
	overlay
	items   []item
	input   textinput.Model
	found   []found
	lines   []paletteLine
	wanted  int           // the width in which no entry is cut
	cursor  screen.Cursor // in found
	visible screen.Cursor // in lines
}

// paletteLine is a line of the list: a heading, an item that was found, or empty.
type paletteLine struct {
	heading string
	at      int // in found, -1 for other lines
}

// showPalette opens the palette on everything that can be reached from here.
func (r *root) showPalette() tea.Cmd { return r.stack.Push(newPalette(r, r.reachable())) }

// newPalette lists items in the given order until something is typed.
func newPalette(r *root, items []item) *palette {
	input := screen.NewInput(200)
	input.Focus()
	p := &palette{overlay: overlay{root: r}, items: items, input: input}
	for i := range p.items {
		p.items[i].title, p.items[i].note = safetext.Line(p.items[i].title), safetext.Line(p.items[i].note)
	}
	p.wanted = p.wantedWidth()
	p.search()
	return p
}

func (*palette) Typing() bool { return true }

// Update passes keys and pastes to the field. The field's command is dropped: it would
// read the clipboard of the machine that runs the program.
func (p *palette) Update(msg tea.Msg) tea.Cmd {
	before := p.input.Value()
	p.input, _ = p.input.Update(screen.CleanInput(msg))
	if p.input.Value() != before {
		p.search()
	}
	return nil
}

func (p *palette) Actions() []screen.Action {
	run := screen.Action{ID: "palette.run", Run: func() tea.Cmd { return p.choose(p.cursor.Row()) }}
	if len(p.found) == 0 {
		run.Reason = "nothing matches"
	}
	move := func(rows int) func() tea.Cmd { return func() tea.Cmd { return p.Wheel(0, 0, rows) } }
	return []screen.Action{run, {ID: "palette.down", Run: move(1)}, {ID: "palette.up", Run: move(-1)}}
}

// choose closes the palette and runs the item of a row.
func (p *palette) choose(row int) tea.Cmd {
	p.root.Pop(p)
	chosen := p.items[p.found[row].item]
	p.root.use(chosen.title)
	return chosen.run()
}

func (p *palette) Click(_, y int) tea.Cmd {
	line, ok := p.visible.Hit(y - searchHead)
	if !ok || p.lines[line].at < 0 {
		return nil
	}
	return p.choose(p.lines[line].at)
}

func (p *palette) Wheel(_, _, lines int) tea.Cmd {
	p.cursor.Move(lines)
	return nil
}

// The size of the palette where there is room, and the most cells for its names.
const (
	minPaletteWidth = 60
	maxPaletteWidth = 110
	paletteHeight   = 20
	paletteNames    = 26
)

// Boxed implements [screen.Boxed]: as wide as all entries need and as high as those that
// were found.
func (p *palette) Boxed(width, height int) (screen.Pane, int, int) {
	lines := searchHead + max(len(p.lines), 1)
	return screen.Pane{Lines: min(paletteHeight, height)}, min(p.wanted, width), min(lines, paletteHeight, height)
}

// wantedWidth is the width in which no entry is cut, within bounds.
func (p *palette) wantedWidth() int {
	names, notes, keys := 0, 0, 0
	for _, i := range p.items {
		names, notes = max(names, safetext.Width(i.title)), max(notes, safetext.Width(i.note))
		keys = max(keys, safetext.Width(i.keys))
	}
	return min(max(4+min(names, paletteNames)+2+notes+2+keys+1, minPaletteWidth), maxPaletteWidth)
}

func (p *palette) Layout(width, height int) {
	p.overlay.Layout(width, height)
	p.input.SetWidth(max(width-safetext.Width(p.count())-6, 1))
	row := slices.IndexFunc(p.lines, func(l paletteLine) bool { return l.at == p.cursor.Row() })
	p.visible.SetCount(len(p.lines))
	p.visible.MoveTo(row)
	if row > 0 && p.lines[row-1].at < 0 && row-1 < p.visible.Offset() {
		p.visible.ScrollTo(row - 1) // with its heading
	}
	p.visible.Layout(max(height-searchHead, 1))
}

func (p *palette) count() string {
	if p.input.Value() == "" {
		return human.Number(len(p.items))
	}
	return fmt.Sprintf("%s of %s", human.Number(len(p.found)), human.Number(len(p.items)))
}

func (p *palette) View() string {
	t := p.root.env.Theme
	lines := searchLines(t, p.input, "what to do, or where to go", p.count(), p.width)
	if len(p.found) == 0 {
		lines = append(lines, t.Muted.Render("   "+nothingFound))
	}
	names, keys := p.columns()
	for line := p.visible.Offset(); line < p.visible.End(); line++ {
		switch l := p.lines[line]; {
		case l.at >= 0:
			lines = append(lines, p.row(l.at, names, keys))
		default:
			lines = append(lines, "  "+t.Muted.Render(l.heading))
		}
	}
	return screen.Box(strings.Join(lines, "\n"), p.width, p.height)
}

// columns are the widths of names and keys; descriptions have what is left between them.
func (p *palette) columns() (names, keys int) {
	for _, f := range p.found {
		i := p.items[f.item]
		names, keys = max(names, safetext.Width(i.title)), max(keys, safetext.Width(i.keys))
	}
	const indent, gap = 4, 2
	room := p.width - indent - gap - keys
	if room < 40 {
		return max(room, 1), keys
	}
	return min(names, paletteNames, room/2), keys
}

// row draws an item: its name, what it does, and its key.
func (p *palette) row(at, names, keys int) string {
	t, f := p.root.env.Theme, p.found[at]
	i, style, match := p.items[f.item], t.Text, t.Match
	if at == p.cursor.Row() {
		style, match = t.Strong, match.Bold(true)
	}
	title := safetext.Truncate(i.title, max(p.width-8-keys, 1))
	names = max(names, safetext.Width(title)) // a long name moves its description, not those of others
	line := "   " + marked(title, f.title, style, match) + strings.Repeat(" ", names-safetext.Width(title)+2)
	if room := p.width - 1 - 3 - names - 2 - keys - 2; room > 3 {
		line += marked(safetext.Truncate(i.note, room), f.note, t.Muted, match)
	}
	if at == p.cursor.Row() {
		return screen.CursorRow(t, screen.Cut(screen.Sides(line, t.Key.Render(i.keys)+" ", p.width-1), p.width-1), p.width)
	}
	return screen.Cut(" "+screen.Sides(line, t.Key.Render(i.keys)+" ", p.width-1), p.width)
}

// search finds the items that match what was typed, the best first, and lists them under
// their headings.
func (p *palette) search() {
	p.found = findItems(p.items, p.input.Value(), p.root.used)
	p.lines = p.lines[:0]
	for at, f := range p.found {
		group := p.items[f.item].group
		if at == 0 || p.items[p.found[at-1].item].group != group {
			if at > 0 {
				p.lines = append(p.lines, paletteLine{at: -1})
			}
			p.lines = append(p.lines, paletteLine{group, -1})
		}
		p.lines = append(p.lines, paletteLine{at: at})
	}
	p.cursor, p.visible = screen.Cursor{}, screen.Cursor{}
	p.cursor.SetCount(len(p.found))
}
