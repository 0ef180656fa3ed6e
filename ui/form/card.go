package form

import (
	"iter"
	"math"

	"gatehouse/ui/screen"
)

// Card is a form with a border. As a screen it is a box over another one; [Card.Alone] and
// [Card.DrawAlone] show it in the middle of a page instead, as a card that stands alone.
type Card struct {
	*Model
	// Heading and Note are texts of the upper border.
	Heading, Note string
	// Effect is the text of the lower border, which says what sending the form does; it may be nil.
	Effect func() string
	// Cells is the width of the contents if there is room.
	Cells int
	// About is above the form and Said below it; both may be nil. A card that stands alone keeps a
	// line for Said even if it is empty, so that the form does not move when something is said.
	About, Said func() screen.Part
	// Send describes what sending the form does, for its keys.
	Send string
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

// Actions implements [screen.Screen].
func (c *Card) Actions() []screen.Action { return c.Model.Actions(c.Send, false) }

// pane is the border of the card.
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

// cardPart is the content of a card that is a box: the form, and About as far as there is room.
type cardPart struct{ *Card }

// Draw implements [screen.Part].
func (c cardPart) Draw(width, height int) screen.Drawing {
	above := c.about(width)
	above = above[:max(0, min(len(above), height-c.Height(width)))]
	form := screen.Fill{Above: []screen.Part{screen.Lines(above)}, Part: c.Model, MinLines: 1}
	return form.Draw(width, height)
}

// Say implements [screen.Part].
func (c cardPart) Say() iter.Seq[string] {
	if c.About == nil {
		return screen.Texts(c.Heading)
	}
	return c.About().Say()
}
