package screen

import (
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View is all that a screen shows and all that it is, as one value. The [Stack] draws it, and line
// mode reads it aloud from the same parts. The zero value of a field is what most screens are.
type View struct {
	// Title is the name that tabs, header and breadcrumbs show; "" is named by the screen
	// below. It is safe to print.
	Title string
	// Within is the title of the screen that it belongs to, where that is not the tab around it;
	// "": none.
	Within string
	// Inside names what is open inside the screen, such as a record, from outside in; nil: nothing
	// is.
	Inside func() []string

	// Border has the texts in the frame around the screen.
	Border Pane
	// Body is the content. It is never nil.
	Body Part
	// Side explains what is under the cursor in a pane beside the body, where there is room
	// for one. Lower is a second pane below it.
	Side, Lower Side
	// Wheel scrolls by lines, down if positive; nil: nothing scrolls.
	Wheel func(lines int)

	// Typing is set while a field has the focus, so that keys are text.
	Typing bool
	// Modal is set while it has to be answered or closed before anything else is done.
	Modal bool
	// Timed is set if it shows a time that goes on, such as the life of a token: it is drawn
	// with the clock, even while nothing else happens.
	Timed bool
	// Progress is how far the long work is that it shows, so that the terminal shows it too.
	Progress Progress

	// Said are sentences for those who hear the screen: they are said before its parts, and
	// drawn nowhere.
	Said []string
	// Rows are said a page at a time after the parts, and chosen by their numbers; nil: it is
	// no list. Table has them sorted and counted by columns; nil: they have none.
	Rows  Rows
	Table Table
	// Marks are the marks of the rows; nil: they have none.
	Marks Marks
	// Form is asked field by field of somebody who hears the screen; nil: nothing is asked.
	Form Form

	// Help are its sections in the help, beside its keys, and Palette its entries in the
	// palette, such as saved filters; nil: there are none.
	Help    func() []HelpSection
	Palette func() []Entry
}

// Names are the titles of what the screen belongs to and of itself, and what is open inside it.
func (v *View) Names() []string {
	names := []string{v.Title}
	if v.Within != "" {
		names = []string{v.Within, v.Title}
	}
	if v.Inside != nil {
		names = append(names, v.Inside()...)
	}
	return names
}

// Frame is what is drawn around a screen.
type Frame uint8

const (
	// Bare is nothing: the screen has all of the room, but for a pane that explains it.
	Bare Frame = iota
	// InPane is a pane, from [PaneWidth] columns on, with another one beside it. On a smaller
	// terminal the texts of the border are the line above the screen.
	InPane
	// InBox is a box over the screen below, which is dimmed and keeps the focus: it belongs to
	// that one. On a small terminal it is the whole screen, below a line with the texts.
	InBox
)

// Size is the room that the content of a box needs in cells and lines, with so many free cells
// between it and each side.
type Size struct{ Cells, Lines, Padding int }

// Part is a piece of what a screen shows: a text, fields, a list, a form. The same part is drawn
// for those who look, and read for those who listen. Neither changes anything, so that a part can
// be drawn in two sizes.
type Part interface {
	// Draw draws at most height lines of at most width cells. Both may be too small for
	// anything, but are not negative.
	Draw(width, height int) Drawing
	// Say gives what the part says in sentences, each ended, safe to print.
	Say() iter.Seq[string]
}

// Drawing is a drawn part: its lines, what a click on them does, and where something is typed.
type Drawing struct {
	Lines []string
	Spots []Spot
	// Exact is set if there are as many lines as there was room for, none of them wider: nobody has
	// to measure them.
	Exact bool
}

// String is the lines of the drawing.
func (d Drawing) String() string { return strings.Join(d.Lines, "\n") }

// Spot is a rectangle of a drawing that does something when it is clicked, or the cell in which the
// next letter appears that is typed. X and Y are its cell at the upper left.
type Spot struct {
	X, Y, Width, Height int
	// Click is called with a cell within the spot; nil for a caret.
	Click func(x, y int) tea.Cmd
	// Caret is set for the cell where something is typed. A drawing has at most one.
	Caret bool
}

// CaretAt is the spot of a caret.
func CaretAt(x, y int) Spot { return Spot{X: x, Y: y, Width: 1, Height: 1, Caret: true} }

// ClickOn does what the first of some spots does that a cell is in; hit is false where there is
// none.
func ClickOn(spots []Spot, x, y int) (cmd tea.Cmd, hit bool) {
	for _, s := range spots {
		if s.Click != nil && x >= s.X && x < s.X+s.Width && y >= s.Y && y < s.Y+s.Height {
			return s.Click(x-s.X, y-s.Y), true
		}
	}
	return nil, false
}

// caretAmong is the caret among some spots that is inside a drawing of this size; ok is false where
// nothing is typed.
func caretAmong(spots []Spot, width, height int) (caret Spot, ok bool) {
	at := slices.IndexFunc(spots, func(s Spot) bool { return s.Caret })
	if at < 0 {
		return Spot{}, false
	}
	caret = spots[at]
	return caret, caret.X < width && caret.Y < height
}

// moved are spots of a drawing that is at a cell of another one.
func moved(spots []Spot, x, y int) []Spot {
	list := make([]Spot, len(spots))
	for i, s := range spots {
		s.X, s.Y = s.X+x, s.Y+y
		list[i] = s
	}
	return list
}

// Side is what stands in a pane beside a screen.
type Side struct {
	Border Pane
	// Body is the content; nil: the pane is empty, and a lower one is not there.
	Body Part
	// Click is what a click on the pane does; nil: nothing.
	Click func() tea.Cmd
}

// Progress is how far long work is.
type Progress struct {
	// Done is how much is done of a total, which is 0 or less if it is not known.
	Done, Total int64
	// Working is set while there is work.
	Working bool
}

// Room is what a screen gets to draw its body in.
type Room struct {
	Width, Height int
	// Panes is set where there is a pane around it.
	Panes bool
	// Beside is how many cells wide the content of the pane beside it is, whose lines are as many;
	// 0: there is none.
	Beside int
}

// Rows are the rows of a list for somebody who hears it, from 0.
type Rows interface {
	// Len is how many there are.
	Len() int
	// SayRow says one of them.
	SayRow(at int) string
	// Choose moves the cursor to one.
	Choose(at int)
}

// Marks are what a person has marked of [Rows], by their numbers from 0.
type Marks interface {
	// Marked reports whether a row is marked.
	Marked(at int) bool
	// MarkRows marks rows, or takes their marks away.
	MarkRows(rows []int, marked bool) tea.Cmd
	// Unmark takes all marks away, also those of rows that are not shown.
	Unmark() tea.Cmd
}

// Table is a list with columns for somebody who hears it. Texts that name columns are those that a
// person types.
type Table interface {
	// Columns says the names of the columns.
	Columns() iter.Seq[string]
	// Examples says how rows are filtered.
	Examples() iter.Seq[string]
	// SortBy sorts by one or more columns. The error is a [lists.ColumnError].
	SortBy(columns string) (tea.Cmd, error)
	// ValuesOf counts the values of a column. The error is a [lists.ColumnError].
	ValuesOf(column string) (tea.Cmd, error)
}

// Form is a form that is filled in line by line: one field has the focus.
type Form interface {
	// Ask asks for the field with the focus.
	Ask() Asked
	// Clear empties that field.
	Clear()
	// Choose answers it, if it has options: by a number, a part of one, or yes and no. The error
	// is a sentence for people.
	Choose(answer string) error
	// Back gives the focus to the field before.
	Back()
	// BoxesFollow reports that nothing but boxes to tick stands after the field.
	BoxesFollow() bool
	// Enter gives the form the keyboard.
	Enter()
}

// Asked is the field with the focus, for somebody who answers in lines.
type Asked struct {
	// Label, Hint and Options are the field's; Value is what an empty answer stands for.
	Label, Hint, Value string
	Options            []string
	// Yes is set where the answer is yes or no, Secret where it must not be shown.
	Yes, Secret bool
	// First is set for the field before which there is none.
	First bool
	// Wrong is what is wrong with the last answer; nil: nothing.
	Wrong error
}
