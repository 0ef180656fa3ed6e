package screen

import (
	"cmp"
	"slices"
)

// Cursor is the selected row of a list and its visible part. Rows count from 0. The zero
// value is for an empty list.
type Cursor struct {
	row, offset   int // the selected row, and the first visible one
	count, height int // rows in the list, and rows that fit on the screen
}

// Row is the selected row, 0 in an empty list.
func (c *Cursor) Row() int { return c.row }

// Offset is the first visible row.
func (c *Cursor) Offset() int { return c.offset }

// End is the row after the last visible one.
func (c *Cursor) End() int { return max(c.offset, min(c.offset+c.height, c.count)) }

// Count is the number of rows.
func (c *Cursor) Count() int { return c.count }

// Height is the number of rows that fit on the screen.
func (c *Cursor) Height() int { return c.height }

// SetCount sets the number of rows. The cursor stays on its row, or moves to the last
// one.
func (c *Cursor) SetCount(count int) {
	c.count = max(count, 0)
	c.MoveTo(c.row)
}

// MoveTo selects a row, or the nearest existing one.
func (c *Cursor) MoveTo(row int) { c.row = max(0, min(row, c.count-1)) }

// Move moves the cursor by rows; positive is down.
func (c *Cursor) Move(rows int) { c.MoveTo(c.row + rows) }

// Follow is for a list that has changed: it has count rows, and the selected one is now
// row. The cursor stays on the same line of the screen.
func (c *Cursor) Follow(count, row int) {
	line := c.row - c.offset
	c.count = max(count, 0)
	c.MoveTo(row)
	c.offset = c.row - line
}

// Page moves the cursor and scrolls by whole pages; positive is down.
func (c *Cursor) Page(pages int) {
	rows := pages * max(c.height, 1)
	c.offset += rows
	c.Move(rows)
}

// Scroll moves the visible part, within the list; positive is down. The cursor stays on
// its row if that is still visible.
func (c *Cursor) Scroll(lines int) {
	c.offset = max(0, min(c.offset+lines, c.count-c.height))
	c.MoveTo(max(c.offset, min(c.row, c.offset+c.height-1)))
}

// ScrollTo makes a row the first visible one. [Cursor.Layout] may adjust that.
func (c *Cursor) ScrollTo(row int) { c.offset = row }

// Layout sets how many rows fit on the screen and adjusts the offset: the cursor is
// visible and no space is left unused.
func (c *Cursor) Layout(height int) {
	c.height = max(height, 0)
	c.offset = max(c.row-c.height+1, min(c.offset, c.row))
	c.offset = max(0, min(c.offset, c.count-c.height))
}

// Hit is the row on a line of the visible part, from 0; ok is false if there is none.
func (c *Cursor) Hit(line int) (row int, ok bool) {
	row = c.offset + line
	return row, line >= 0 && line < c.height && row < c.count
}

// Moves are the actions of the cursor: by rows, by pages, and to the ends.
func (c *Cursor) Moves() []Action { return slices.Concat(c.Rows(), c.Pages(), c.Ends()) }

// Rows are the actions that go down and up by a row.
func (c *Cursor) Rows() []Action { return c.rows(atOnce) }

// Pages are the actions that go down and up by a page.
func (c *Cursor) Pages() []Action { return c.pages(atOnce) }

// Ends are the actions that go to the first and to the last row.
func (c *Cursor) Ends() []Action { return c.ends(atOnce) }

func (c *Cursor) rows(run func(move func())) []Action {
	return []Action{
		c.action(GridDown, run, func() { c.Move(1) }),
		c.action(GridUp, run, func() { c.Move(-1) }),
	}
}

func (c *Cursor) pages(run func(move func())) []Action {
	return []Action{
		c.action(GridPageDown, run, func() { c.Page(1) }),
		c.action(GridPageUp, run, func() { c.Page(-1) }),
	}
}

func (c *Cursor) ends(run func(move func())) []Action {
	return []Action{
		c.action(GridFirst, run, func() { c.MoveTo(0) }),
		c.action(GridLast, run, func() { c.MoveTo(c.count - 1) }),
	}
}

// action is an action that moves the cursor: run calls move, and may do more.
func (c *Cursor) action(id ActionID, run func(move func()), move func()) Action {
	return Action{
		ID:     id,
		Reason: If(c.count == 0, "there are no rows here"),
		Run:    Do(func() { run(move) }),
	}
}

// atOnce makes a move and does nothing else.
func atOnce(move func()) { move() }

// Headed is a cursor over lines some of which are headings, which cannot be selected.
type Headed struct {
	Cursor
	// Head reports whether a line is a heading.
	Head func(line int) bool
}

// Select moves the cursor to a line. From a heading it moves on in the direction, 1 or -1, to the
// next line that can be selected, or in the other direction if there is none.
func (c *Headed) Select(line, direction int) {
	line = max(0, min(line, c.count-1))
	for _, step := range []int{direction, -direction} {
		for i := line; i >= 0 && i < c.count; i += step {
			if !c.Head(i) {
				c.MoveTo(i)
				return
			}
		}
	}
}

// after makes a move, and then moves on in the same direction from a heading.
func (c *Headed) after(move func()) {
	from := c.row
	move()
	c.Select(c.row, cmp.Or(cmp.Compare(c.row, from), 1))
}

// Moves are the actions of the cursor, which skip headings.
func (c *Headed) Moves() []Action { return slices.Concat(c.Rows(), c.Pages(), c.ends(c.after)) }

// Rows are the actions that go down and up by a line, which skip headings.
func (c *Headed) Rows() []Action { return c.rows(c.after) }

// Pages are the actions that go down and up by a page, which skip headings.
func (c *Headed) Pages() []Action { return c.pages(c.after) }

// Move moves the cursor by lines, and on from a heading; positive is down.
func (c *Headed) Move(lines int) { c.after(func() { c.Cursor.Move(lines) }) }

// Scroll is [Cursor.Scroll], and moves the cursor on from a heading.
func (c *Headed) Scroll(lines int) { c.after(func() { c.Cursor.Scroll(lines) }) }

// Layout is [Cursor.Layout]. While the cursor is on the first line below a heading, the heading is
// visible as well.
func (c *Headed) Layout(height int) {
	first := c.row
	for first > 0 && c.Head(first-1) {
		first--
	}
	if c.row-first < height && first < c.offset {
		c.offset = first
	}
	c.Cursor.Layout(height)
}
