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
	Cells         int    // how wide its contents are where there is room
	// About is what stands above the form, Said what stands below it; nil: nothing. Below a
	// form that stands alone a line is kept for it.
	About, Said func() screen.Part
	Send        string // says what confirming does
}

// View implements [screen.Screen].
func (c *Card) View() screen.View {
	v := c.Model.View()
	v.Title, v.Frame, v.Border = c.Heading, screen.InBox, screen.Pane{Title: c.Heading, Padding: 1}
	v.Size = func(width, _ int) (cells, lines int) {
		cells = min(width, c.Cells)
		return cells, len(c.about(cells)) + c.Height()
	}
	v.Body = cardPart{c}
	return v
}

func (c *Card) Actions() []screen.Action { return c.Model.Actions(c.Send, false) }

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
	above = above[:max(0, min(len(above), height-c.Height()))]
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
func (c *Card) Inner(width int) int { return min(width-2-2*alonePadding, c.Cells) }

// Free is how many lines a card that stands alone leaves; less than 0 where they do not suffice
// for all fields.
func (c *Card) Free(width, height int) int {
	inner := c.Inner(width)
	return height - 2 - len(c.about(inner)) - c.Height() - max(len(c.said(inner)), 1)
}

// DrawAlone draws the card in the middle of a screen between parts that it has room for.
func (c *Card) DrawAlone(width, height int, above, below screen.Drawing) screen.Drawing {
	inner := c.Inner(width)
	about, said, lines := c.about(inner), c.said(inner), c.Height()
	kept := max(len(said), 1) // the form keeps its place while there is nothing to say
	free := c.Free(width, height) - len(above.Lines) - len(below.Lines)
	if free < 0 {
		lines = max(lines+free, fieldLines)
	} else if more := 1 + c.RoomyHeight() - lines; more <= free {
		about, lines, free = append(about, ""), c.RoomyHeight(), free-more
	}
	form := c.Model.Draw(inner, lines)
	content := screen.Column{screen.Lines(about), screen.Drawn(form), screen.Lines(said)}
	card := screen.Framed{
		Theme: c.theme, Part: content, Height: min(2+len(about)+lines+kept, height),
		Pane: screen.Pane{Title: c.Heading, Note: c.Note, Padding: alonePadding, Border: &c.theme.BoxLine},
	}
	box := inner + 2 + 2*alonePadding
	return screen.Column{
		screen.Lines(make([]string, max(min((free+kept-1)/2, free), 0))),
		screen.Drawn(above),
		screen.Centred{Part: card, Cells: box},
		screen.Drawn(below),
	}.Draw(width, height)
}
