package form

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"gatehouse/styles"
)

// How many lines a field takes: its label and its input, and where there is room
// an empty one that sets it apart from the next.
const (
	fieldLines = 2
	roomyLines = 3
)

// inputs are the fields of huh, one below the other. Its form and group would draw
// all of them several times for each key, move between them by messages, and not
// say which lines they are on.
type inputs struct {
	fields []huh.Field
	at     int // the field with the focus
	// drawn holds what each field looked like, nil where that must be drawn anew.
	drawn [][]string
	// What drawn was laid out for; pitch is how many lines each field has.
	width, pitch int
	look         styles.Options
}

func newInputs(fields []huh.Field, theme huh.Theme) *inputs {
	g := &inputs{fields: fields, drawn: make([][]string, len(fields)), pitch: fieldLines}
	for _, f := range fields {
		f.WithTheme(theme)
		f.WithKeyMap(keyMap())
		f.Init()
	}
	g.fields[0].Focus()
	return g
}

// move gives the focus to another field.
func (g *inputs) move(to int) {
	g.blur()
	g.at = min(max(to, 0), len(g.fields)-1)
	g.focus()
}

func (g *inputs) focus() {
	g.fields[g.at].Focus()
	g.drawn[g.at] = nil
}

func (g *inputs) blur() {
	g.fields[g.at].Blur()
	g.drawn[g.at] = nil
}

// update gives a message to the field with the focus. Its command is dropped: it
// would blink the cursor, which redraws for nothing, or read the clipboard of the
// machine that runs the program, which need not be the person's.
func (g *inputs) update(msg tea.Msg) {
	g.fields[g.at].Update(msg)
	g.drawn[g.at] = nil
}

// tall is how many lines all fields take with a pitch; below the last one no line
// is left empty.
func (g *inputs) tall(pitch int) int { return pitch*len(g.fields) - (pitch - fieldLines) }

// view draws the lines around the field with the focus, apart from each other if
// there is room for all of them.
func (g *inputs) view(width, height int, look styles.Options) string {
	pitch := fieldLines
	if height >= g.tall(roomyLines) {
		pitch = roomyLines
	}
	if width != g.width || look != g.look || pitch != g.pitch {
		g.width, g.look, g.pitch = width, look, pitch
		clear(g.drawn)
	}
	top := g.top(height)
	lines := []string{}
	for i := top / g.pitch; i < len(g.fields) && len(lines) < height+top%g.pitch; i++ {
		if g.drawn[i] == nil {
			g.drawn[i] = g.draw(i)
		}
		lines = append(lines, g.drawn[i]...)
	}
	lines = lines[top%g.pitch:]
	return strings.Join(lines[:min(len(lines), height)], "\n")
}

func (g *inputs) draw(i int) []string {
	g.fields[i].WithWidth(g.width)
	lines := strings.Split(g.fields[i].View(), "\n")
	return slices.Concat(lines, make([]string, g.pitch))[:g.pitch]
}

// top is the first line that is visible in height lines: the field with the focus
// comes first where not all fit.
func (g *inputs) top(height int) int {
	return max(min(g.at*g.pitch, g.tall(g.pitch)-height), 0)
}

// fieldAt is the field on a visible line, -1 where there is none.
func (g *inputs) fieldAt(y, height int) int {
	i := (g.top(height) + y) / g.pitch
	if y < 0 || y >= height || i >= len(g.fields) {
		return -1
	}
	return i
}
