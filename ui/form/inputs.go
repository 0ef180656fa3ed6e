package form

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"gatehouse/styles"
)

// fieldLines is how many lines a field takes: its label and its input.
const fieldLines = 2

// inputs are the fields of huh, one below the other. Its form and group would draw
// all of them several times for each key, move between them by messages, and not
// say which lines they are on.
type inputs struct {
	fields []huh.Field
	at     int // the field with the focus
	// drawn holds what each field looked like, nil where that must be drawn anew.
	drawn [][]string
	// What drawn was laid out for.
	width int
	look  styles.Options
}

func newInputs(fields []huh.Field, theme huh.Theme) *inputs {
	g := &inputs{fields: fields, drawn: make([][]string, len(fields))}
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

// view draws the lines around the field with the focus.
func (g *inputs) view(width, height int, look styles.Options) string {
	if width != g.width || look != g.look {
		g.width, g.look = width, look
		clear(g.drawn)
	}
	top := g.top(height)
	lines := []string{}
	for i := top / fieldLines; i < len(g.fields) && len(lines) < height+top%fieldLines; i++ {
		if g.drawn[i] == nil {
			g.drawn[i] = g.draw(i)
		}
		lines = append(lines, g.drawn[i]...)
	}
	lines = lines[top%fieldLines:]
	return strings.Join(lines[:min(len(lines), height)], "\n")
}

func (g *inputs) draw(i int) []string {
	g.fields[i].WithWidth(g.width)
	lines := strings.Split(g.fields[i].View(), "\n")
	return slices.Concat(lines, make([]string, fieldLines))[:fieldLines]
}

// top is the first line that is visible in height lines: the field with the focus
// comes first where not all fit.
func (g *inputs) top(height int) int {
	return max(min(g.at*fieldLines, len(g.fields)*fieldLines-height), 0)
}

// fieldAt is the field on a visible line, -1 where there is none.
func (g *inputs) fieldAt(y, height int) int {
	i := (g.top(height) + y) / fieldLines
	if y < 0 || y >= height || i >= len(g.fields) {
		return -1
	}
	return i
}
