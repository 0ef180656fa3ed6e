package screen

import "testing"

// layout lays a cursor of a long list out and tells row, offset and end.
func layout(c *Cursor, height int) [3]int {
	c.Layout(height)
	return [3]int{c.Row(), c.Offset(), c.End()}
}

func TestTheCursorStaysInTheListAndInSight(t *testing.T) {
	for _, test := range []struct {
		name string
		move func(*Cursor)
		want [3]int
	}{
		{"as it begins", func(*Cursor) {}, [3]int{0, 0, 10}},
		{"down", func(c *Cursor) { c.Move(3) }, [3]int{3, 0, 10}},
		{"below the visible part", func(c *Cursor) { c.Move(12) }, [3]int{12, 3, 13}},
		{"before the first row", func(c *Cursor) { c.Move(-3) }, [3]int{0, 0, 10}},
		{"behind the last row", func(c *Cursor) { c.MoveTo(1000) }, [3]int{99, 90, 100}},
		{"a page down", func(c *Cursor) { c.Move(2); c.Page(1) }, [3]int{12, 10, 20}},
		{"a page down and up", func(c *Cursor) { c.Move(2); c.Page(1); c.Layout(10); c.Page(-1) }, [3]int{2, 0, 10}},
		{"scrolled", func(c *Cursor) { c.Move(8); c.Scroll(3) }, [3]int{8, 3, 13}},
		{"scrolled past the cursor", func(c *Cursor) { c.Move(2); c.Scroll(5) }, [3]int{5, 5, 15}},
		{"scrolled beyond the end", func(c *Cursor) { c.Scroll(1000) }, [3]int{90, 90, 100}},
		{"carried to another row", func(c *Cursor) { c.Move(4); c.Follow(100, 50) }, [3]int{50, 46, 56}},
		{"fewer rows", func(c *Cursor) { c.MoveTo(50); c.Layout(10); c.SetCount(5) }, [3]int{4, 0, 5}},
		{"carried into fewer rows", func(c *Cursor) { c.MoveTo(50); c.Layout(10); c.Follow(5, 2) }, [3]int{2, 0, 5}},
		{"no rows", func(c *Cursor) { c.MoveTo(50); c.Layout(10); c.SetCount(0) }, [3]int{0, 0, 0}},
		{"a row at the top", func(c *Cursor) { c.MoveTo(50); c.ScrollTo(49) }, [3]int{50, 49, 59}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c Cursor
			c.SetCount(100)
			c.Layout(10)
			test.move(&c)
			if got := layout(&c, 10); got != test.want {
				t.Errorf("row, offset and end are %v, want %v", got, test.want)
			}
		})
	}
}

func TestALineOfTheVisiblePartIsARow(t *testing.T) {
	var c Cursor
	c.SetCount(25)
	c.Layout(10)
	c.Scroll(20)
	c.Layout(10)
	for line, want := range map[int]int{-1: -1, 0: 15, 9: 24, 10: -1} {
		row, ok := c.Hit(line)
		if ok != (want >= 0) || ok && row != want {
			t.Errorf("line %d is row %d, %v; want %d", line, row, ok, want)
		}
	}
	c.SetCount(3)
	c.Layout(10)
	if _, ok := c.Hit(3); ok {
		t.Error("a line behind the last row is a row")
	}
}
