package screen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
)

// Verdict is how something came out, in a screen that says so in the border of its pane: what
// happened, what to do next, and what to tell the user. The texts are drawn.
type Verdict struct {
	Sentences []string
	Advice    []string
	Steps     []Action // those that are possible have their keys below the advice
	Tell      string

	spots []spot
}

// spot is a part of a line that a click hits.
type spot struct {
	x, y, width int
	run         func() tea.Cmd
}

const (
	nextLabel, tellLabel = "Next  ", "Tell the user  "
	// minForTell is the width from which on what to tell the user stands beside its label.
	minForTell = 56
)

// Layout draws the verdict in at most so many lines. Where they are few, what to do next comes
// before what happened, which the border names. What to tell the user is there as a whole or
// not at all.
func (v *Verdict) Layout(env *Env, width, height int) []string {
	t, indent := env.Theme, len(nextLabel)
	if v.Tell != "" && width >= minForTell {
		indent = len(tellLabel)
	}
	room := max(width-indent, 1)
	keys := v.keys(env, room, max(height/3, 1))
	next := clipped(v.Advice, room, height-len(keys)-1, t.Glyphs.More)
	lines := clipped(v.Sentences, width, height-len(keys)-len(next), t.Glyphs.More)
	for i := range v.spots {
		v.spots[i].x += indent
		v.spots[i].y += len(lines) + len(next)
	}
	label := func(text string) string { return t.Muted.Render(safetext.Pad(text, indent)) }
	lines = append(lines, hung(label(nextLabel), append(next, keys...), indent)...)
	if v.Tell == "" {
		return lines
	}
	tell := hung(label(tellLabel), strings.Split(Wrap(v.Tell, room), "\n"), indent)
	if width < minForTell {
		tell = strings.Split(Wrap(t.Muted.Render("Tell the user:")+" "+v.Tell, width), "\n")
	}
	if len(lines)+len(tell) > height {
		return lines
	}
	return append(lines, tell...)
}

// clipped are paragraphs in at most so many lines.
func clipped(paragraphs []string, width, most int, more string) []string {
	var lines []string
	for _, text := range paragraphs {
		lines = append(lines, strings.Split(Wrap(text, width), "\n")...)
	}
	if len(lines) <= most || most < 1 {
		return lines[:min(len(lines), max(most, 0))]
	}
	return append(lines[:most-1], Cut(lines[most-1], width-2)+" "+more)
}

// hung are lines with a label before the first, and as much room before the others.
func hung(label string, lines []string, indent int) []string {
	for i, line := range lines {
		lines[i] = label + line
		label = strings.Repeat(" ", indent)
	}
	return lines
}

// keys are the lines of keys that lead on, at most so many.
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
		} else if len(lines) == most {
			break
		} else {
			lines, at = append(lines, ""), 0
		}
		lines[len(lines)-1] += text
		v.spots = append(v.spots, spot{at, len(lines) - 1, cells, a.Run})
		at += cells
	}
	return lines
}

// Click does what stands at a cell, counted from the beginning of the verdict; hit is false
// where nothing does.
func (v *Verdict) Click(x, y int) (cmd tea.Cmd, hit bool) {
	for _, s := range v.spots {
		if y == s.y && x >= s.x && x < s.x+s.width {
			return s.run(), true
		}
	}
	return nil, false
}
