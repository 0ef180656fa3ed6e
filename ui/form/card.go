package form

import (
	"slices"
	"strings"

	"gatehouse/ui/screen"
)

// Card is a form in a card: a box over a screen or, drawn with [Card.DrawAlone], the middle of a
// screen of its own.
type Card struct {
	*Model
	Heading, Note string // in the border
	Cells         int    // how wide its contents are where there is room
	// About are lines of a width above the form, Said those below it; nil: none. Below a form
	// that stands alone a line is kept for them.
	About, Said func(width int) []string
	Send        string // says what confirming does
}

func (c *Card) Title() string { return c.Heading }

func (c *Card) Overlay() {}

func (c *Card) Actions() []screen.Action { return c.Model.Actions(c.Send, false) }

func (c *Card) about(width int) []string {
	if c.About == nil {
		return nil
	}
	if lines := c.About(width); len(lines) > 0 {
		return append(lines, "")
	}
	return nil
}

func (c *Card) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	cells = min(width, c.Cells)
	return screen.Pane{Title: c.Heading, Padding: 1}, cells, len(c.about(cells)) + c.Height()
}

func (c *Card) Draw(width, height int) string {
	above := c.about(width)
	return c.DrawUnder(above[:max(0, min(len(above), height-c.Height()))], width, height)
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
	return height - 2 - len(c.about(inner)) - c.Height() - max(len(c.Said(inner)), 1)
}

// DrawAlone draws the card in the middle of a screen between lines that it has room for; end
// is the line after the card.
func (c *Card) DrawAlone(width, height int, above, below []string) (drawn []string, end int) {
	inner := c.Inner(width)
	about, said, lines := c.about(inner), c.Said(inner), c.Height()
	kept := max(len(said), 1) // the form keeps its place while there is nothing to say
	free := c.Free(width, height) - len(above) - len(below)
	if free < 0 {
		lines = max(lines+free, fieldLines)
	} else if more := 1 + c.RoomyHeight() - lines; more <= free {
		about, lines, free = append(about, ""), c.RoomyHeight(), free-more
	}
	form := strings.Split(c.Model.Draw(inner, lines), "\n")
	box, card := min(2+len(about)+lines+kept, height), inner+2+2*alonePadding
	pane := screen.Pane{Title: c.Heading, Note: c.Note, Padding: alonePadding, Border: &c.theme.BoxLine}
	content := strings.Join(slices.Concat(about, form, said), "\n")
	drawn = append(make([]string, max(min((free+kept-1)/2, free), 0)), above...)
	c.above = len(drawn) + 1 + len(about)
	drawn = append(drawn, screen.Indented(strings.Split(pane.Draw(c.theme, content, card, box), "\n"), (width-card)/2)...)
	end = len(drawn)
	drawn = append(drawn, below...)
	return append(drawn, make([]string, max(height-len(drawn), 0))...), end
}
