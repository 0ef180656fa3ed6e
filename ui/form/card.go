package form

import (
	"iter"
	"math"

	"gatehouse/ui/screen"
)

// Card is a form in a card: a box over a screen or, drawn with [Card.DrawAlone], the middle of a
// screen of its own.
type Card struct {
	*Model
	Heading, Note string // in the border
	// Effect says in the lower border what sending the form does; nil: nothing.
	Effect func() string
	Cells  int // how wide its contents are where there is room
	// About is what stands above the form, Said what stands below it; nil: nothing. Below a
	// form that stands alone a line is kept for it.
	About, Said func() screen.Part
	Send        string // says what confirming does
}

// View implements [screen.Screen].
func (c *Card) View() screen.View {
	v := c.Model.View()
	v.Title, v.Border, v.Body = c.Heading, c.pane(1), cardPart{c}
	return v
}

// Frame implements [screen.Screen].
func (c *Card) Frame() screen.Frame { return screen.InBox }

// Size implements [screen.Screen].
func (c *Card) Size(width, _ int) screen.Size {
	cells := min(width, c.Cells)
	return screen.Size{Cells: cells, Lines: len(c.about(cells)) + c.Height(cells), Padding: 1}
}

func (c *Card) Actions() []screen.Action { return c.Model.Actions(c.Send, false) }

// pane is the border around the card.
func (c *Card) pane(padding int) screen.Pane {
	pane := screen.Pane{Title: c.Heading, Note: c.Note, Padding: padding, Border: &c.theme.BoxLine}
	if c.Effect != nil {
		pane.Foot = c.Effect()
	}
	return pane
}

// about are the lines above the form.
func (c *Card) about(width int) []string {
	if c.About == nil {
		return nil
	}
	if lines := c.About().Draw(width, math.MaxInt).Lines; len(lines) > 0 {
		return append(lines, "")
	}
	return nil
}

// said are the lines below the form.
func (c *Card) said(width int) []string {
	if c.Said == nil {
		return nil
	}
	return c.Said().Draw(width, math.MaxInt).Lines
}

// cardPart is the form with what is above it, as the content of a box.
type cardPart struct{ *Card }

// Draw implements [screen.Part].
func (c cardPart) Draw(width, height int) screen.Drawing {
	above := c.about(width)
	above = above[:max(0, min(len(above), height-c.Height(width)))]
	form := screen.Fill{Above: []screen.Part{screen.Lines(above)}, Part: c.Model, Least: 1}
	return form.Draw(width, height)
}

// Say implements [screen.Part].
func (c cardPart) Say() iter.Seq[string] {
	if c.About == nil {
		return screen.Texts(c.Heading)
	}
	return c.About().Say()
}

const (
	// alonePadding is how far the form stands from the sides of a card that stands alone;
	// minAlone and minAloneLines are what such a card takes at least.
	alonePadding, minAlone, minAloneLines = 3, 36, 7
)

// FitsAlone reports whether there is room for a card that stands alone.
func FitsAlone(width, height int) bool { return width >= minAlone && height >= minAloneLines }

// Inner is the width of the contents of a card that stands alone.
func (c *Card) Inner(width int) int { return max(min(width-2-2*alonePadding, c.Cells), 1) }

// TextColumn is the column at which the texts begin in a card that stands alone.
func (c *Card) TextColumn(width int) int {
	return (width-c.Inner(width)-2-2*alonePadding)/2 + 1 + alonePadding
}

// Free is how many lines a card that stands alone leaves; less than 0 where they do not suffice
// for all fields.
func (c *Card) Free(width, height int) int {
	inner := c.Inner(width)
	return height - 2 - len(c.about(inner)) - c.Height(inner) - max(len(c.said(inner)), 1)
}

// Alone is a [screen.Part]: the card in the middle of a screen, above those of some other parts for
// which there is room, the first ones first. Where there is none for a card, it is the form as the
// content of a pane.
func (c *Card) Alone(below ...screen.Part) screen.Part { return alone{c, below} }

// AloneWith is a [screen.Part]: the card with another part in the place of the form, such as what is
// waited for.
func (c *Card) AloneWith(instead screen.Part) screen.Part { return aloneWith{c, instead} }

type aloneWith struct {
	*Card
	screen.Part
}

// Draw implements [screen.Part].
func (a aloneWith) Draw(width, height int) screen.Drawing {
	if !FitsAlone(width, height) {
		return screen.Indent{Part: a.Part, Left: 1, Right: 1}.Draw(width, height)
	}
	inner := a.Inner(width)
	lines := len(a.Part.Draw(inner, height).Lines)
	content := screen.Column{screen.Blank{}, a.Part}
	framed := screen.Framed{Theme: a.theme, Part: content, Pane: a.pane(alonePadding), Height: lines + 4}
	above := screen.Lines(make([]string, max((height-lines-4)/2, 0)))
	box := screen.Centred{Part: framed, Cells: inner + 2 + 2*alonePadding}
	return screen.Column{above, box}.Draw(width, height)
}

// Say implements [screen.Part].
func (a aloneWith) Say() iter.Seq[string] { return a.Part.Say() }

type alone struct {
	*Card
	below screen.Column
}

// Draw implements [screen.Part].
func (a alone) Draw(width, height int) screen.Drawing {
	if !FitsAlone(width, height) {
		return a.Model.Below(a.parts()...).Draw(width, height)
	}
	box := a.Inner(width) + 2 + 2*alonePadding
	var below screen.Column
	lines := 0
	for _, part := range a.below {
		inset := screen.Indent{Part: part, Left: 1 + alonePadding, Right: 1 + alonePadding}
		drawn := screen.Centred{Part: inset, Cells: box}.Draw(width, math.MaxInt)
		if lines += 1 + len(drawn.Lines); len(drawn.Lines) == 0 || lines > a.Free(width, height) {
			lines -= 1 + len(drawn.Lines)
			continue
		}
		below = append(below, screen.Blank{}, screen.Drawn(drawn))
	}
	return a.DrawAlone(width, height, screen.Drawing{}, below.Draw(width, math.MaxInt))
}

// Say implements [screen.Part].
func (a alone) Say() iter.Seq[string] {
	return screen.Concat(screen.Column(a.parts()).Say(), a.below.Say())
}

// parts are what stands above and below the form, as far as there is something.
func (c *Card) parts() (parts []screen.Part) {
	for _, part := range []func() screen.Part{c.About, c.Said} {
		if part != nil {
			parts = append(parts, part())
		}
	}
	return parts
}

// DrawAlone draws the card in the middle of a screen between parts that it has room for.
func (c *Card) DrawAlone(width, height int, above, below screen.Drawing) screen.Drawing {
	inner := c.Inner(width)
	about, said, lines := c.about(inner), c.said(inner), c.Height(inner)
	room := max(height-2-fieldLines, 0) // beside the field with the focus
	said = screen.AtMost(said, room, inner)
	about = about[:min(len(about), room-len(said))]
	kept := max(len(said), 1) // the form keeps its place while there is nothing to say
	free := c.Free(width, height) - len(above.Lines) - len(below.Lines)
	if free < 0 {
		lines = max(lines+free, fieldLines)
	} else if more := c.RoomyHeight(inner) - lines; 1+more <= free {
		about, lines, free = append([]string{""}, about...), lines+more, free-more-1
	}
	if l := c.layout(inner, lines); len(said) > 0 && free > 0 && len(l.below[len(l.below)-1]) == 0 {
		said, kept, free = append([]string{""}, said...), kept+1, free-1
	}
	form := c.Model.Draw(inner, lines)
	content := screen.Column{screen.Lines(about), screen.Drawn(form), screen.Lines(said)}
	card := screen.Framed{
		Theme: c.theme, Part: content, Height: min(2+len(about)+lines+kept, height),
		Pane: c.pane(alonePadding),
	}
	box := inner + 2 + 2*alonePadding
	return screen.Column{
		screen.Lines(make([]string, max(min((free+kept-1)/2, free), 0))),
		screen.Drawn(above),
		screen.Centred{Part: card, Cells: box},
		screen.Drawn(below),
	}.Draw(width, height)
}
