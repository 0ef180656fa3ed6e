// Package compare shows two results of the same kind beside each other, such as two device logins,
// two checks or two records, and finds the differences.
package compare

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Result is one of the two results that are compared.
type Result struct {
	// Name tells it from the other results of a run of the program: "2".
	Name string
	// Whose names the person or the thing that it is about. It may come from outside.
	Whose string
	// At is when it came; the zero time if that is not known.
	At time.Time
	// Verdict says in a few words how it came out, safe for a terminal; Mark is the sign before it,
	// and its style. A result without a verdict has neither.
	Verdict string
	Mark    func(t *styles.Theme) (string, *styles.Style)
	// Members returns what is compared, without secrets. Ages are counted from now. cut means that
	// the result has more members. Members is nil if the result cannot be compared.
	Members func(now time.Time) (list []Member, cut bool)
	// Copied is the part of it that people copy, What is the name of that part.
	Copied, What string
	// Within is the title of the screen that shows it, unless that is the tab around it.
	Within string
}

// Identity says which differences are expected between any two results, because they are about
// different people or things.
type Identity struct {
	// Has is nil if the members of the results say themselves what is expected.
	Has func(p Pair) bool
	// Kinds lists in words what such differences are in: "names, ids, times".
	Kinds string
}

// hasAll reports whether all of some differences are expected.
func (i Identity) hasAll(parts []Pair) bool {
	isUnexpected := func(p Pair) bool { return !p.expected && (i.Has == nil || !i.Has(p)) }
	return !slices.ContainsFunc(parts, isUnexpected)
}

// Model is the screen that shows two results beside each other.
type Model struct {
	screen.Base
	env           *screen.Env
	first, second Result
	identity      Identity
	rows          []row
	ready         bool // the rows have been made
	cut           bool // the results have more members than are compared
	showsSame     bool
	showsExpected bool
	shown         []int32 // indexes of rows
	grid          *grid.Model

	// These depend on the room, and are set by Settle.
	pathCells, valueCells int
	hasSide               bool // the row under the cursor is shown beside the rows
}

// row is a member of both results.
type row struct {
	Pair
	isExpected bool // it is a difference that any two results have
}

// New makes the screen, which compares two results once it is shown.
func New(env *screen.Env, first, second Result, identity Identity) *Model {
	c := &Model{env: env, first: first, second: second, identity: identity}
	c.grid = grid.New(env.Theme, memberSource{c})
	c.grid.RowsOnly = true
	return c
}

// Init implements [screen.Screen]. It compares in the background, as results may be large.
func (c *Model) Init() tea.Cmd {
	now := c.env.Now()
	compare := func() comparison { return c.compare(now) }
	return screen.Reply(c, compare, func(found comparison) tea.Cmd {
		c.rows, c.cut, c.ready = found.rows, found.cut, true
		c.grid.SetSource(memberSource{c}, nil)
		c.list()
		return nil
	})
}

// comparison is what a comparison found.
type comparison struct {
	rows []row
	cut  bool
}

// compare compares the results.
func (c *Model) compare(now time.Time) (found comparison) {
	ones, cutFirst := c.first.Members(now)
	twos, cutSecond := c.second.Members(now)
	for _, p := range diff(ones, twos) {
		isExpected := p.differs() && c.identity.hasAll(p.parts())
		found.rows = append(found.rows, row{p, isExpected})
	}
	found.cut = cutFirst || cutSecond
	return found
}

// Actions implements [screen.Screen].
func (c *Model) Actions() []screen.Action {
	toggle := func(shows *bool) func() tea.Cmd {
		return screen.Do(func() {
			*shows = !*shows
			c.list()
		})
	}
	_, expected := c.differences()
	isUseless := expected == 0 && !c.showsExpected
	return append([]screen.Action{
		{
			ID:     screen.CompareIdentity,
			Title:  screen.If(c.showsExpected, "hide expected"),
			Reason: screen.If(isUseless, "there are no expected differences"),
			Run:    toggle(&c.showsExpected),
		},
		{
			ID:    screen.CompareAll,
			Title: screen.If(c.showsSame, "differences"),
			Run:   toggle(&c.showsSame),
		},
		c.copyAction(),
	}, c.grid.Actions()...)
}

// maxCopied is how many cells of a path name what was copied.
const maxCopied = 60

// copyAction copies the member under the cursor with both values.
func (c *Model) copyAction() screen.Action {
	r := c.selected()
	action := screen.Action{ID: screen.CompareCopy, Run: func() tea.Cmd {
		text := fmt.Sprintf("%s\n%s: %s\n%s: %s\n",
			r.Path, c.first.Name, r.First, c.second.Name, r.Second)
		return c.env.Root.CopyDocument(text, safetext.Clip(r.Path, maxCopied))
	}}
	switch {
	case r == nil:
		action.Reason = "there is no member here to copy"
	case r.change == masked:
		action.Reason = "it is masked"
	}
	return action
}

// selected is the row under the cursor; nil if there is none.
func (c *Model) selected() *row {
	at, ok := c.grid.Selected()
	if !ok {
		return nil
	}
	return &c.rows[at]
}

// differences counts the differences that matter, and those that are expected.
func (c *Model) differences() (matter, expected int) {
	for _, r := range c.rows {
		switch {
		case r.isExpected:
			expected++
		case r.differs():
			matter++
		}
	}
	return matter, expected
}

// list lists the rows that are to be shown.
func (c *Model) list() {
	c.shown = []int32{}
	for i, r := range c.rows {
		isWanted := r.differs() && (c.showsExpected || !r.isExpected)
		if c.showsSame || isWanted {
			c.shown = append(c.shown, int32(i))
		}
	}
	c.grid.SetRows(c.shown)
}
