package screen

import (
	"iter"
	"slices"
	"strings"

	"gatehouse/internal/text/problem"
	"gatehouse/styles"
)

// Text is a [Part]: a paragraph in one style, wrapped between words.
type Text struct {
	Style styles.Style
	// Text is safe for a terminal. A line break in it begins a new line.
	Text string
	// MaxLines is the maximum number of lines; a text that is cut ends in "…". 0 is no limit but
	// the room.
	MaxLines int
}

// Draw implements [Part].
func (t Text) Draw(width, height int) Drawing {
	if t.Text == "" {
		return Drawing{}
	}
	maxLines := height
	if t.MaxLines > 0 {
		maxLines = min(maxLines, t.MaxLines)
	}
	lines := AtMost(strings.Split(Wrap(t.Text, max(width, 1)), "\n"), maxLines, width)
	for i, line := range lines {
		lines[i] = t.Style.Render(line)
	}
	return Drawing{Lines: lines}
}

// Say implements [Part].
func (t Text) Say() iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(t.Text, "\n") {
			if line = strings.TrimSpace(line); line != "" && !yield(Sentence(SayLine(line))) {
				return
			}
		}
	}
}

// Marked is a [Part]: a paragraph to the right of a sign.
type Marked struct {
	// Mark is the sign, of one cell, drawn already.
	Mark string
	Text string
	// Style is the style of the text.
	Style styles.Style
}

// Draw implements [Part].
func (m Marked) Draw(width, height int) Drawing {
	lines := Indented(Text{Style: m.Style, Text: m.Text}.Draw(max(width-2, 1), height).Lines, 2)
	if len(lines) > 0 {
		lines[0] = m.Mark + lines[0][1:]
	}
	return Drawing{Lines: lines}
}

// Say implements [Part].
func (m Marked) Say() iter.Seq[string] { return Texts(m.Text) }

// Blank is a [Part]: an empty line.
type Blank struct{}

// Draw implements [Part].
func (Blank) Draw(_, height int) Drawing {
	if height < 1 {
		return Drawing{}
	}
	return Drawing{Lines: []string{""}}
}

// Say implements [Part]: it says nothing.
func (Blank) Say() iter.Seq[string] { return Texts() }

// Heading is a [Part]: the heading of a group of lines, see [Section].
type Heading struct {
	Theme *styles.Theme
	// Title is safe to print.
	Title string
}

// Draw implements [Part].
func (h Heading) Draw(width, height int) Drawing {
	if height < 1 {
		return Drawing{}
	}
	return Drawing{Lines: []string{Section(h.Theme, h.Title, width)}}
}

// Say implements [Part].
func (h Heading) Say() iter.Seq[string] { return Texts(h.Title + ":") }

// Column is a [Part] of parts one below the other. Each has the lines that those above it leave.
type Column []Part

// Draw implements [Part].
func (c Column) Draw(width, height int) Drawing {
	var all Drawing
	for _, part := range c {
		all.add(part.Draw(width, height-len(all.Lines)))
	}
	return all
}

// add puts another drawing below this one.
func (d *Drawing) add(below Drawing) {
	d.Spots = append(d.Spots, moved(below.Spots, 0, len(d.Lines))...)
	d.Lines = append(d.Lines, below.Lines...)
}

// Say implements [Part].
func (c Column) Say() iter.Seq[string] {
	said := make([]iter.Seq[string], len(c))
	for i, part := range c {
		said[i] = part.Say()
	}
	return Concat(said...)
}

// Indent is a [Part] with free cells at its left and right.
type Indent struct {
	Part
	Left, Right int
}

// Draw implements [Part].
func (i Indent) Draw(width, height int) Drawing {
	d := i.Part.Draw(max(width-i.Left-i.Right, 1), height)
	return Drawing{Lines: Indented(slices.Clone(d.Lines), i.Left), Spots: moved(d.Spots, i.Left, 0)}
}

// Silent is a [Part] that is drawn but not said, as it is said elsewhere or only of use to those
// who see it.
type Silent struct{ Part }

// Say implements [Part].
func (Silent) Say() iter.Seq[string] { return Texts() }

// Heard is a [Part] that is said but not drawn, as those who see the screen find it elsewhere.
type Heard struct{ Part }

// Draw implements [Part].
func (Heard) Draw(int, int) Drawing { return Drawing{} }

// Lines is a [Part] of lines that are drawn already, and says nothing.
type Lines []string

// Draw implements [Part].
func (l Lines) Draw(_, height int) Drawing {
	return Drawing{Lines: l[:max(min(len(l), height), 0)]}
}

// Say implements [Part].
func (Lines) Say() iter.Seq[string] { return Texts() }

// Drawn is a [Part] that is drawn already, with what can be clicked, and says nothing.
type Drawn Drawing

// Draw implements [Part].
func (d Drawn) Draw(_, height int) Drawing {
	return Drawing{Lines: d.Lines[:max(min(len(d.Lines), height), 0)], Spots: d.Spots}
}

// Say implements [Part].
func (Drawn) Say() iter.Seq[string] { return Texts() }

// Kept is a [Part] that was drawn already for a room of one size. A screen that measures a part
// when it settles keeps it, so that the part is not drawn again for the same room.
type Kept struct {
	Part
	width, height int
	drawing       Drawing
}

// Keep draws a part, and keeps that drawing.
func Keep(part Part, width, height int) Kept {
	return Kept{part, width, height, part.Draw(width, height)}
}

// Draw implements [Part].
func (k Kept) Draw(width, height int) Drawing {
	if width != k.width || height != k.height {
		return k.Part.Draw(width, height)
	}
	return k.drawing
}

// Padded is a [Part] with empty lines below it to the end of its room.
type Padded struct{ Part }

// Draw implements [Part].
func (p Padded) Draw(width, height int) Drawing {
	d := p.Part.Draw(width, height)
	free := max(height-len(d.Lines), 0)
	return Drawing{Lines: append(slices.Clip(d.Lines), make([]string, free)...), Spots: d.Spots}
}

// Framed is a [Part] in a pane that is Height lines high.
type Framed struct {
	Part
	Theme  *styles.Theme
	Pane   Pane
	Height int
}

// Draw implements [Part].
func (f Framed) Draw(width, height int) Drawing {
	height = min(height, f.Height)
	cells, lines := f.Pane.Inner(width, height)
	inside := f.Part.Draw(cells, lines)
	return Drawing{
		Lines: strings.Split(f.Pane.Draw(f.Theme, inside.String(), width, height), "\n"),
		Spots: moved(inside.Spots, 1+f.Pane.Padding, 1),
	}
}

// Centred is a [Part] of a width in cells, in the middle of its room.
type Centred struct {
	Part
	Cells int
}

// Draw implements [Part].
func (c Centred) Draw(width, height int) Drawing {
	left := max((width-c.Cells)/2, 0)
	d := c.Part.Draw(min(c.Cells, width), height)
	return Drawing{Lines: Indented(slices.Clone(d.Lines), left), Spots: moved(d.Spots, left, 0)}
}

// Fill is a [Part] in which one part has the lines that those above and below it leave.
type Fill struct {
	Above, Below []Part
	Part         Part
	// MinLines is the number of lines that Part needs. If it would have fewer, Below is left out.
	MinLines int
}

// Rest is the number of lines that Part has in a room.
func (f Fill) Rest(width, height int) int {
	above, below := f.around(width, height)
	return max(height-len(above.Lines)-len(below.Lines), 0)
}

// around draws the parts above and below.
func (f Fill) around(width, height int) (above, below Drawing) {
	above = Column(f.Above).Draw(width, height)
	below = Column(f.Below).Draw(width, height-len(above.Lines))
	if height-len(above.Lines)-len(below.Lines) < f.MinLines {
		below = Drawing{}
	}
	return above, below
}

// Draw implements [Part].
func (f Fill) Draw(width, height int) Drawing {
	all, below := f.around(width, height)
	all.add(f.Part.Draw(width, max(height-len(all.Lines)-len(below.Lines), 0)))
	all.add(below)
	return all
}

// Say implements [Part].
func (f Fill) Say() iter.Seq[string] {
	return Concat(Column(f.Above).Say(), f.Part.Say(), Column(f.Below).Say())
}

// KeyLine is a [Part]: a key, and to its right what it does.
type KeyLine struct {
	Theme     *styles.Theme
	Key, Text string
}

// Draw implements [Part].
func (k KeyLine) Draw(width, height int) Drawing {
	if height < 1 {
		return Drawing{}
	}
	indent := Cells(k.Key) + 1
	text := Text{Style: k.Theme.Muted, Text: k.Text}.Draw(max(width-indent, 1), height)
	lines := Indented(text.Lines, indent)
	if len(lines) > 0 {
		lines[0] = k.Theme.Key.Render(k.Key) + " " + lines[0][indent:]
	}
	return Drawing{Lines: lines}
}

// Say implements [Part]: it says nothing, as line mode lists what can be done.
func (KeyLine) Say() iter.Seq[string] { return Texts() }

// Trouble is a [Part] that explains a problem: the sentence and, below it, the hint.
func Trouble(theme *styles.Theme, p problem.Problem) Part {
	return Column{
		Marked{Mark: theme.Bad.Render(theme.Glyphs.Bad), Style: theme.Bad, Text: p.Sentence},
		Blank{},
		Indent{Part: Text{Text: p.Hint}, Left: 2},
	}
}
