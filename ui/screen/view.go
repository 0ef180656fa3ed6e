package screen

import (
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View is all that a screen shows, as one value. The [Stack] draws it, and line mode reads the same
// parts aloud. For most screens most fields are zero.
type View struct {
	// Title is the name that tabs, header and breadcrumbs show, safe to print; "" if the screen
	// below names this one as well.
	Title string
	// Within is the title of the screen that this one belongs to; "" if that is the tab around it.
	Within string
	// Inside are the titles of what is open inside the screen, such as a record, from the outermost
	// to the innermost; nil if nothing is.
	Inside func() []string

	// Border has the texts in the frame around the screen.
	Border Pane
	// Body is the content. It is never nil.
	Body Part
	// Side explains what is under the cursor in a pane beside the body, if there is room for one.
	// Lower is a second pane below it.
	Side, Lower Side
	// Wheel scrolls by lines, down if positive; nil if nothing scrolls.
	Wheel func(lines int)

	// Typing means that a field has the focus, so that keys are text.
	Typing bool
	// Modal means that the screen has to be answered or closed before anything else can be done.
	Modal bool
	// Timed means that the screen shows a time that changes by itself, such as the life of a token,
	// so that it is drawn with the clock.
	Timed bool
	// Progress is the progress of the long work of the screen, which the terminal shows as well.
	Progress Progress

	// Said are sentences for a person who hears the screen. They are said before its parts, and
	// not drawn.
	Said []string
	// Rows are the rows of a list, which are said by pages after the parts, and chosen by their
	// numbers; nil if the screen is no list. Table sorts and counts them by columns; nil if they
	// have none. Filter leaves the rows with all of some words, or all rows for ""; nil if the rows
	// cannot be filtered.
	Rows   Rows
	Table  Table
	Filter func(words string) tea.Cmd
	// Marks are the marks of the rows; nil if rows cannot be marked.
	Marks Marks
	// Form asks a person who hears the screen for one field after the other; nil if nothing is
	// asked.
	Form Form

	// Help are the sections of the screen in the help beside its keys, and Palette its entries in
	// the palette, such as saved filters. Either may be nil.
	Help    func() []HelpSection
	Palette func() []Entry
}

// Names are the titles of the screen that this one belongs to, of this one, and of what is open
// inside it.
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
	// Bare is no frame: the screen has all of the room, without that of a pane beside it.
	Bare Frame = iota
	// InPane is a pane, from [PaneWidth] columns on, with another pane beside it. On a narrower
	// terminal the texts of the border are on a line above the screen.
	InPane
	// InBox is a box over the screen below, which is dimmed. The box belongs to that screen, which
	// keeps the focus. On a small terminal the box takes the whole screen, and the texts of its
	// border are on a line above it.
	InBox
)

// Size is the room that the content of a box needs, in cells and lines. Padding is the number of
// free cells at each side.
type Size struct{ Cells, Lines, Padding int }

// Part is a part of a screen: a text, fields, a list, a form. The same part is drawn for people who
// see the UI, and said to people who hear it. Neither changes the part.
type Part interface {
	// Draw draws at most height lines of at most width cells. Both may be too small for
	// anything, but are not negative.
	Draw(width, height int) Drawing
	// Say returns the content of the part in whole sentences, safe to print.
	Say() iter.Seq[string]
}

// Drawing is a drawn part: its lines, what a click on them does, and the caret.
type Drawing struct {
	Lines []string
	Spots []Spot
	// Exact means that the lines fill the height that was given, and none is too wide, so that
	// they need not be measured again.
	Exact bool
}

// String joins the lines of the drawing.
func (d Drawing) String() string { return strings.Join(d.Lines, "\n") }

// Spot is a rectangle of a drawing that can be clicked, or the caret: the cell in which the next
// typed letter appears. X and Y are its upper left cell.
type Spot struct {
	X, Y, Width, Height int
	// Click is called with a cell within the spot; nil for a caret.
	Click func(x, y int) tea.Cmd
	// Caret marks the spot as the caret. A drawing has at most one.
	Caret bool
}

// CaretAt is the spot of a caret.
func CaretAt(x, y int) Spot { return Spot{X: x, Y: y, Width: 1, Height: 1, Caret: true} }

// ClickOn clicks on the first of the spots that contain a cell; hit is false if there is none.
func ClickOn(spots []Spot, x, y int) (cmd tea.Cmd, hit bool) {
	for _, s := range spots {
		if s.Click != nil && x >= s.X && x < s.X+s.Width && y >= s.Y && y < s.Y+s.Height {
			return s.Click(x-s.X, y-s.Y), true
		}
	}
	return nil, false
}

// caretAmong finds the caret among the spots of a drawing; ok is false if there is none, or if it
// is outside the width and height.
func caretAmong(spots []Spot, width, height int) (caret Spot, ok bool) {
	at := slices.IndexFunc(spots, func(s Spot) bool { return s.Caret })
	if at < 0 {
		return Spot{}, false
	}
	caret = spots[at]
	return caret, caret.X < width && caret.Y < height
}

// moved returns the spots of a drawing that is placed at a cell of another one.
func moved(spots []Spot, x, y int) []Spot {
	list := make([]Spot, len(spots))
	for i, s := range spots {
		s.X, s.Y = s.X+x, s.Y+y
		list[i] = s
	}
	return list
}

// Side is the content of a pane beside a screen.
type Side struct {
	Border Pane
	// Body is the content. If it is nil, the pane is empty, or in the case of a lower pane left out.
	Body Part
	// Click is what a click on the pane does; nil does nothing.
	Click func() tea.Cmd
}

// Progress is the progress of long work.
type Progress struct {
	// Done is how much of Total is done. Total is 0 or less if it is not known.
	Done, Total int64
	// Working means that the work is going on.
	Working bool
}

// Room is the room for the body of a screen.
type Room struct {
	Width, Height int
	// Panes means that the screen is in a pane.
	Panes bool
	// Beside is the width of the content of the pane beside the screen, which has the same height;
	// 0 if there is none.
	Beside int
}

// Rows are the rows of a list for a person who hears it, by their numbers from 0.
type Rows interface {
	// Len is the number of rows.
	Len() int
	// SayRow says a row.
	SayRow(at int) string
	// Choose moves the cursor to a row.
	Choose(at int)
}

// Marks are the marks of [Rows], by the numbers of the rows from 0.
type Marks interface {
	// Marked reports whether a row is marked.
	Marked(at int) bool
	// MarkRows marks rows, or unmarks them.
	MarkRows(rows []int, marked bool) tea.Cmd
	// Unmark unmarks all rows, including those that are not shown.
	Unmark() tea.Cmd
}

// Table is a list with columns for a person who hears it. The person names columns as they like;
// a name that fits none is a [lists.ColumnError].
type Table interface {
	// Columns says the names of the columns.
	Columns() iter.Seq[string]
	// Examples says how to filter the rows.
	Examples() iter.Seq[string]
	// SortBy sorts the rows by one or more columns.
	SortBy(columns string) (tea.Cmd, error)
	// ValuesOf counts the values of a column.
	ValuesOf(column string) (tea.Cmd, error)
}

// Form is a form for a person who hears it. It asks for the field that has the focus.
type Form interface {
	// Ask returns the question for the field.
	Ask() Asked
	// Clear empties the field.
	Clear()
	// Choose chooses an option of the field by its number, a part of its text, or yes and no. The
	// error is a sentence for people.
	Choose(answer string) error
	// Back moves the focus to the field before.
	Back()
	// BoxesFollow reports whether all fields after this one are boxes to tick.
	BoxesFollow() bool
	// Confirm confirms the field, and goes on to the next one or sends the form. Skip always goes on
	// to the next field.
	Confirm() tea.Cmd
	Skip() tea.Cmd
	// Enter gives the keyboard to the form.
	Enter()
}

// Asked is the question for a field of a [Form].
type Asked struct {
	// Label, Hint and Options are those of the field. Value is what an empty answer means.
	Label, Hint, Value string
	Options            []string
	// Yes means that the answer is yes or no, and Secret that it must not be shown.
	Yes, Secret bool
	// First means that there is no field before.
	First bool
	// Wrong is what is wrong with the last answer; nil if nothing is.
	Wrong error
}
