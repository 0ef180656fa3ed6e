package form

import (
	"iter"
	"math"

	"gatehouse/ui/screen"
)

const (
	// alonePadding is the number of cells between the form and the border at either side of a card
	// that stands alone. aloneSides are all cells beside the form: the padding and the border.
	alonePadding = 3
	aloneSides   = 2 + 2*alonePadding
	// borderLines are the upper and the lower border.
	borderLines = 2
	// minAlone and minAloneLines are the room that a card that stands alone needs.
	minAlone      = 36
	minAloneLines = 7
)

// FitsAlone reports whether there is room for a card that stands alone.
func FitsAlone(width, height int) bool { return width >= minAlone && height >= minAloneLines }

// Inner is the width of the contents of a card that stands alone.
func (c *Card) Inner(width int) int { return max(min(width-aloneSides, c.Cells), 1) }

// TextColumn is the column at which the contents of a card that stands alone begin.
func (c *Card) TextColumn(width int) int {
	return (width-c.Inner(width)-aloneSides)/2 + 1 + alonePadding
}

// Free is the number of lines that a card that stands alone leaves free. It is negative if there is
// not enough room for all fields.
func (c *Card) Free(width, height int) int {
	inner := c.Inner(width)
	saidLines := max(len(c.said(inner)), 1)
	return height - borderLines - len(c.about(inner)) - c.Height(inner) - saidLines
}

// Alone is a [screen.Part]: the card in the middle of a page, and below it as many of some other
// parts as there is room for. Without room for a card it is the form as the content of a pane.
func (c *Card) Alone(below ...screen.Part) screen.Part { return alone{c, below} }

// alone is the part that [Card.Alone] makes.
type alone struct {
	*Card
	below screen.Column
}

// Draw implements [screen.Part].
func (a alone) Draw(width, height int) screen.Drawing {
	if !FitsAlone(width, height) {
		return a.Model.Below(a.parts()...).Draw(width, height)
	}
	box := a.Inner(width) + aloneSides
	free := a.Free(width, height)
	var below screen.Column
	for _, part := range a.below {
		inset := screen.Indent{Part: part, Left: 1 + alonePadding, Right: 1 + alonePadding}
		drawn := screen.Centred{Part: inset, Cells: box}.Draw(width, math.MaxInt)
		lines := 1 + len(drawn.Lines) // with an empty line above
		if len(drawn.Lines) == 0 || lines > free {
			continue
		}
		free -= lines
		below = append(below, screen.Blank{}, screen.Drawn(drawn))
	}
	return a.DrawAlone(width, height, screen.Drawing{}, below.Draw(width, math.MaxInt))
}

// Say implements [screen.Part].
func (a alone) Say() iter.Seq[string] {
	return screen.Concat(screen.Column(a.parts()).Say(), a.below.Say())
}

// parts are About and Said, if the card has them.
func (c *Card) parts() (parts []screen.Part) {
	for _, part := range []func() screen.Part{c.About, c.Said} {
		if part != nil {
			parts = append(parts, part())
		}
	}
	return parts
}

// DrawAlone draws the card in the middle of a page between two other drawings, for which the caller
// has determined with [Card.Free] that there is room.
func (c *Card) DrawAlone(width, height int, above, below screen.Drawing) screen.Drawing {
	inner := c.Inner(width)
	free := c.Free(width, height) - len(above.Lines) - len(below.Lines)
	content := c.arrange(inner, height, free)
	card := screen.Framed{
		Theme:  c.theme,
		Part:   content.column(c),
		Height: min(borderLines+content.lines(), height),
		Pane:   c.pane(alonePadding),
	}
	middle := min((content.free+content.saidLines-1)/2, content.free)
	return screen.Column{
		screen.Lines(make([]string, max(middle, 0))),
		screen.Drawn(above),
		screen.Centred{Part: card, Cells: inner + aloneSides},
		screen.Drawn(below),
	}.Draw(width, height)
}

// content says how the lines of a card that stands alone are used.
type content struct {
	width       int
	about, said []string
	formLines   int
	saidLines   int // at least one, so that the form does not move when something is said
	free        int // lines that are left beside the card; negative if the form was cut
}

// arrange decides how the lines of a card are used, if free lines are left by all fields. They are
// used first for a gap between the fields, then for one above what is said.
func (c *Card) arrange(width, height, free int) content {
	beside := max(height-borderLines-fieldLines, 0) // the field with the focus
	said := screen.AtMost(c.said(width), beside, width)
	about := c.about(width)
	l := content{
		width:     width,
		about:     about[:min(len(about), beside-len(said))],
		said:      said,
		formLines: c.Height(width),
		saidLines: max(len(said), 1),
		free:      free,
	}
	gaps := c.RoomyHeight(width) - l.formLines
	switch {
	case free < 0:
		l.formLines = max(l.formLines+free, fieldLines)
	case gaps+1 <= free:
		l.about = append([]string{""}, l.about...)
		l.formLines += gaps
		l.free -= gaps + 1
	}
	if len(said) > 0 && l.free > 0 && c.endsWithField(width, l.formLines) {
		l.said = append([]string{""}, said...)
		l.saidLines++
		l.free--
	}
	return l
}

// endsWithField reports whether the last line of the form is a field, with no hint or note below
// it.
func (c *Card) endsWithField(width, height int) bool {
	below := c.layout(width, height).below
	return len(below[len(below)-1]) == 0
}

// lines is the number of lines within the border.
func (l content) lines() int { return len(l.about) + l.formLines + l.saidLines }

// column is what is drawn within the border.
func (l content) column(c *Card) screen.Column {
	form := c.Model.Draw(l.width, l.formLines)
	return screen.Column{screen.Lines(l.about), screen.Drawn(form), screen.Lines(l.said)}
}

// AloneWith is a [screen.Part]: a card that stands alone with another part in place of the form,
// such as what the program waits for.
func (c *Card) AloneWith(instead screen.Part) screen.Part { return aloneWith{c, instead} }

// aloneWith is the part that [Card.AloneWith] makes.
type aloneWith struct {
	*Card
	screen.Part
}

// Draw implements [screen.Part].
func (a aloneWith) Draw(width, height int) screen.Drawing {
	if !FitsAlone(width, height) {
		return screen.Indent{Part: a.Part, Left: 1, Right: 1}.Draw(width, height)
	}
	const emptyLines = 2 // above and below the part
	inner := a.Inner(width)
	lines := len(a.Part.Draw(inner, height).Lines) + emptyLines + borderLines
	framed := screen.Framed{
		Theme:  a.theme,
		Part:   screen.Column{screen.Blank{}, a.Part},
		Pane:   a.pane(alonePadding),
		Height: lines,
	}
	above := screen.Lines(make([]string, max((height-lines)/2, 0)))
	box := screen.Centred{Part: framed, Cells: inner + aloneSides}
	return screen.Column{above, box}.Draw(width, height)
}

// Say implements [screen.Part].
func (a aloneWith) Say() iter.Seq[string] { return a.Part.Say() }
