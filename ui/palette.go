package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// item is an entry of the palette.
type item struct {
	// kind is what it is: "record", "action", "screen", "domain".
	kind string
	// title and note are searched, the title first.
	title, note string
	// keys are shown beside it; may be empty.
	keys string
	run  func() tea.Cmd
}

// text is the text that is searched and shown.
func (i item) text() string {
	if i.note == "" {
		return i.title
	}
	return i.title + "  " + i.note
}

// palette is a list of everything that can be reached, filtered by what a person types:
// the letters of a word in order are enough.
type palette struct {
	overlay
	items   []item
	texts   []string
	input   textinput.Model
	matches []fuzzy.Match
	cursor  screen.Cursor // in matches
}

// showPalette opens the palette on everything that can be reached from here.
func (r *root) showPalette() tea.Cmd { return r.stack.Push(newPalette(r, r.reachable())) }

// newPalette lists items in the given order until something is typed.
func newPalette(r *root, items []item) *palette {
	input := screen.NewInput(200)
	input.Focus()
	p := &palette{overlay: overlay{root: r}, items: items, input: input}
	for _, item := range items {
		p.texts = append(p.texts, safetext.Line(item.text()))
	}
	p.search()
	return p
}

// Typing implements [screen.Screen].
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

// Actions implements [screen.Screen].
func (p *palette) Actions() []screen.Action {
	run := screen.Action{ID: "palette.run", Run: func() tea.Cmd { return p.choose(p.cursor.Row()) }}
	if len(p.matches) == 0 {
		run.Reason = "nothing fits what is typed"
	}
	move := func(rows int) func() tea.Cmd { return func() tea.Cmd { return p.Wheel(0, 0, rows) } }
	leave := func() tea.Cmd { return p.root.Pop(p) }
	return []screen.Action{
		run, {ID: "palette.down", Run: move(1)}, {ID: "palette.up", Run: move(-1)}, {ID: "palette.close", Run: leave},
	}
}

// choose closes the palette and runs the item of a row.
func (p *palette) choose(row int) tea.Cmd {
	p.root.Pop(p)
	return p.items[p.matches[row].Index].run()
}

// paletteHead is the number of lines above the items.
const paletteHead = 2

// Click implements [screen.MouseHandler].
func (p *palette) Click(_, y int) tea.Cmd {
	row, ok := p.cursor.Hit(y - paletteHead)
	if !ok {
		return nil
	}
	return p.choose(row)
}

// Wheel implements [screen.MouseHandler].
func (p *palette) Wheel(_, _, lines int) tea.Cmd {
	p.cursor.Move(lines)
	return nil
}

const paletteLabel = "go to: "

// Layout implements [screen.Screen].
func (p *palette) Layout(width, height int) {
	p.overlay.Layout(width, height)
	p.input.SetWidth(max(width-safetext.Width(paletteLabel)-1, 1))
	p.cursor.Layout(max(height-paletteHead, 1))
}

// View implements [screen.Screen].
func (p *palette) View() string {
	theme := p.root.env.Theme
	lines := []string{theme.Accent.Render(paletteLabel) + p.input.View(), ""}
	if len(p.matches) == 0 {
		lines = append(lines, theme.Muted.Render("Nothing fits. Fewer letters find more."))
	}
	kinds, note, key := map[string]string{}, styles.NewSGR(theme.Muted), styles.NewSGR(theme.Key)
	for row := p.cursor.Offset(); row < p.cursor.End(); row++ {
		kind := p.items[p.matches[row].Index].kind
		if kinds[kind] == "" {
			kinds[kind] = note.Render(safetext.Fit(kind, kindWidth))
		}
		lines = append(lines, p.row(row, kinds[kind], note, key))
	}
	return screen.Box(strings.Join(lines, "\n"), p.width, p.height)
}

// kindWidth is the width of the column of kinds.
const kindWidth = 8

func (p *palette) row(row int, kind string, note, key styles.SGR) string {
	t, match := p.root.env.Theme, p.matches[row]
	item := p.items[match.Index]
	room := p.width - 2 - kindWidth - safetext.Width(item.keys) - 2
	text := safetext.Truncate(p.texts[match.Index], max(room, 1))
	if row == p.cursor.Row() {
		line := t.Glyphs.Cursor + " " + safetext.Fit(item.kind, kindWidth) + text
		gap := max(p.width-safetext.Width(line)-safetext.Width(item.keys), 1)
		return t.Selected.Render(screen.Cut(line+strings.Repeat(" ", gap)+item.keys, p.width))
	}
	line := "  " + kind + p.marked(text, match, note)
	return screen.Cut(screen.Sides(line, key.Render(item.keys), p.width), p.width)
}

// marked draws a text with the matching letters highlighted and the note muted.
func (p *palette) marked(text string, match fuzzy.Match, note styles.SGR) string {
	title := len(safetext.Line(p.items[match.Index].title))
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
			b.WriteString(p.root.env.Theme.Match.Render(part))
		case start >= title:
			b.WriteString(note.Render(part))
		default:
			b.WriteString(part)
		}
		start = end
	}
	return b.String()
}

// isStart reports whether a byte begins a UTF-8 character.
func isStart(b byte) bool { return b&0xC0 != 0x80 }

// search finds the items that match what was typed, the best first.
func (p *palette) search() {
	pattern := strings.ReplaceAll(p.input.Value(), " ", "")
	if pattern == "" {
		p.matches = make([]fuzzy.Match, len(p.items))
		for i := range p.matches {
			p.matches[i].Index = i
		}
	} else {
		p.matches = fuzzy.Find(pattern, p.texts)
	}
	p.cursor = screen.Cursor{}
	p.cursor.SetCount(len(p.matches))
}
