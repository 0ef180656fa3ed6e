package screen

import (
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// Verdict is how something came out, in a screen that says so in the border of its pane: what
// happened, what to do next, and what to tell the user. The texts are drawn.
type Verdict struct {
	Sentences []string
	Advice    []string
	Steps     []Action // those that are possible have their keys below the advice
	Tell      string

	spots []Spot
}

// Spot is a part of a line that a click hits.
type Spot struct {
	X, Y, Width int
	Run         func() tea.Cmd
}

// ClickOn does what one of some spots does at a cell; hit is false where there is none.
func ClickOn(spots []Spot, x, y int) (cmd tea.Cmd, hit bool) {
	for _, s := range spots {
		if y == s.Y && x >= s.X && x < s.X+s.Width {
			return s.Run(), true
		}
	}
	return nil, false
}

// minLabelled is the width from which on labels stand beside their texts.
const minLabelled = 56

// Draw draws the verdict in a limited number of lines. Where they are few, what happened leaves half
// of them to what to do next and one to the keys. What to tell the person is there as a whole or not
// at all.
func (v *Verdict) Draw(env *Env, width, height int) []string {
	t, indent, tell := env.Theme, 0, []string{}
	if width >= minLabelled {
		indent = len("Next  ")
	}
	if v.Tell != "" {
		indent = min(indent, 1) * len("Tell the user  ")
		tell = labelled(t, "Tell the user", []string{v.Tell}, width, indent, math.MaxInt)
	}
	happened := clipped(v.Sentences, width, math.MaxInt)
	next := labelled(t, "Next", v.Advice, width, indent, max(height/2, height-len(happened)-1))
	rest := height - len(next)
	keys := v.keys(env, width-indent, min(max(height/3, 1), max(rest-len(happened), 1), rest-1))
	lines := AtMost(happened, rest-len(keys), width)
	if len(lines)+len(keys)+len(tell) > rest {
		tell = nil
	}
	for i := range v.spots {
		v.spots[i].X += indent
		v.spots[i].Y += len(lines) + len(next)
	}
	Indented(keys, indent)
	if len(next) == 0 && len(keys) > 0 && indent > 0 {
		keys[0] = t.Muted.Render(safetext.Pad("Next", indent)) + keys[0][indent:]
	}
	return slices.Concat(lines, next, keys, tell)
}

// labelled are paragraphs in a limited number of lines, after a label in indent cells; without
// these they begin with it.
func labelled(t *styles.Theme, label string, texts []string, width, indent, most int) []string {
	if len(texts) == 0 || most < 1 {
		return nil
	}
	if indent == 0 {
		texts = slices.Clone(texts)
		texts[0] = t.Muted.Render(label+":") + " " + texts[0]
		return clipped(texts, width, most)
	}
	lines := Indented(clipped(texts, width-indent, most), indent)
	lines[0] = t.Muted.Render(safetext.Pad(label, indent)) + lines[0][indent:]
	return lines
}

// clipped are paragraphs in a limited number of lines.
func clipped(paragraphs []string, width, most int) []string {
	var lines []string
	for _, text := range paragraphs {
		item := strings.TrimLeft(text, " ")
		indent := len(text) - len(item)
		wrapped := Indented(strings.Split(Wrap(item, width-2*indent), "\n"), 2*indent)
		wrapped[0] = wrapped[0][indent:]
		lines = append(lines, wrapped...)
	}
	return AtMost(lines, most, width)
}

// keys are the lines of keys that lead on, up to a limit.
func (v *Verdict) keys(env *Env, width, most int) []string {
	const gap = "   "
	v.spots = v.spots[:0]
	lines, at := []string{}, width
	for _, a := range slices.DeleteFunc(env.Keys.Fill(v.Steps), func(a Action) bool { return !a.Enabled() }) {
		text := env.Theme.Key.Render(a.ShortKeyNames()[0]) + " " + a.Title
		cells := Cells(text)
		if at+len(gap)+cells <= width {
			lines[len(lines)-1] += gap
			at += len(gap)
		} else if len(lines) >= most {
			break
		} else {
			lines, at = append(lines, ""), 0
		}
		lines[len(lines)-1] += text
		v.spots = append(v.spots, Spot{at, len(lines) - 1, cells, a.Run})
		at += cells
	}
	return lines
}

// Click does what stands at a cell, counted from the beginning of the verdict; hit is false
// where nothing does.
func (v *Verdict) Click(x, y int) (cmd tea.Cmd, hit bool) { return ClickOn(v.spots, x, y) }
