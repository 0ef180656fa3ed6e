// Package browse shows the records of one body, such as an answer of the gateway: while
// they arrive, in a table that can be filtered, sorted, counted and exported, and one by
// one in full. The shares and the companies are screens made of it; others embed a [List].
package browse

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// names are the words for what is listed.
type names struct {
	// one and many name a record: "share", "shares".
	one, many string
	// of says whose they are, where that can change: "reseller 42".
	of string
	// ofWhole says whose they are in the name of a file: the domain, a reseller.
	ofWhole string
	// empty says why there may be none and what would change that.
	empty string
	// doing and again are the verbs of loading and of loading again; "" is those of lists.
	doing, again string
}

func (n names) loading() string { return cmp.Or(n.doing, "loading") }

// count says how many there are.
func (n names) count(rows int) string { return human.Count(rows, n.one, n.many) }

// recordList is a list of records. A screen embeds it and adds what is listed.
type recordList struct {
	env   *screen.Env
	owner screen.Screen
	names names
	fetch fetch
	kind  listKind

	job      *job
	loads    int     // how many there were
	held     []*job  // loadings whose memory is not released
	newest   *source // what came last: shown once it is filtered and sorted
	renewed  *job    // of a list that is renewed; nil: it is loaded
	toNewest bool    // the cursor of a list that is renewed goes to the newest record
	loadedAt time.Time
	problem  *problem.Problem

	source *source  // what is shown; nil: nothing yet
	rows   []int32  // of it; nil: all
	by     criteria // how they were chosen
	grid   *grid.Model
	filter *grid.FilterLine
	order  order

	arrange    *arrangement
	took       time.Duration // of the last one
	found      *filtered     // what the last whole search brought
	sorted     *sorted       // all rows in the last order
	completion completion
	over       screen.Screen // what the list has put over itself; nil: nothing
	returning  *Place        // where the cursor goes when all rows are there; nil: nowhere
	link       link
	preview    preview

	width  int
	inPane bool     // the list stands in a pane
	above  []string // the lines between the summary and the table
	frame  string
}

// newRecordList makes an empty list that belongs to a screen; load fills it.
func newRecordList(env *screen.Env, owner screen.Screen, names names) *recordList {
	l := &recordList{env: env, owner: owner, names: names}
	l.forget(names.of)
	return l
}

// forget drops what is shown and how: what is loaded next is of somebody else.
func (l *recordList) forget(of string) {
	l.Close()
	*l = recordList{env: l.env, owner: l.owner, names: l.names, fetch: l.fetch, kind: l.kind, link: l.link, loads: l.loads}
	l.preview.load(l.env)
	l.names.of = of
	l.filter = grid.NewFilterLine(l.env.Theme, filterPurpose, func(string) tea.Cmd { return l.rearrange() })
	l.filter.Example = l.example
}

// Close ends all work.
func (l *recordList) Close() {
	l.stop()
	for _, j := range l.held {
		j.share.Release()
	}
	l.held = nil
	l.arrange.cancel()
}

// push puts a screen over the list, in the place of the one that is there.
func (l *recordList) push(s screen.Screen) tea.Cmd {
	popped := l.pop()
	l.over = s
	return tea.Batch(popped, l.env.Root.Push(l.owner, s))
}

// pop goes back to the list.
func (l *recordList) pop() tea.Cmd {
	if l.over == nil {
		return nil
	}
	popped := l.env.Root.Pop(l.over)
	l.over = nil
	return popped
}

// Typing reports that a line in which words are typed has the focus.
func (l *recordList) Typing() bool { return l.filter.Typing() }

// Update takes the answers to the list's own work, and typing into the filter.
func (l *recordList) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case arrivedMsg:
		return l.arrived(msg)
	case loadedMsg:
		return l.loaded(msg)
	case arrangedMsg:
		return l.arranged(msg)
	case slowMsg:
		msg.arrangement.slow = true
		return nil
	case copiedMsg:
		return l.copied(msg)
	case placedMsg:
		l.placed(msg)
		return nil
	case restedMsg:
		return l.rested(msg)
	case previewMsg:
		l.previewed(msg)
		return nil
	}
	return l.filter.Update(msg)
}

func (l *recordList) cancelledProblem() *problem.Problem {
	doing := l.names.loading()
	return &problem.Problem{
		Sentence: strings.ToUpper(doing[:1]) + doing[1:] + " the " + l.names.many + " was cancelled.",
		Hint:     "Press " + l.env.Keys.Key("browse.reload") + " to try again.",
		Kind:     problem.Cancelled,
	}
}

// Actions lists what can be done with the list as it is now.
func (l *recordList) Actions() []screen.Action {
	switch {
	case l.filter.Typing():
		return l.filterActions()
	case l.source != nil:
		return l.tableActions()
	case l.job != nil:
		return []screen.Action{l.cancelAction()}
	}
	return l.failedActions()
}

// manyActions is room for the actions of a list and those that tab and root add: they are
// listed after each update.
const manyActions = 48

func (l *recordList) tableActions() []screen.Action {
	list := append(make([]screen.Action, 0, manyActions), l.openAction())
	if l.job != nil && !l.job.cancelled {
		list = append(list, l.cancelAction())
	}
	if l.problem != nil && l.problem.Kind == problem.SignIn {
		list = append(list, l.signInAction())
	}
	list = append(list, l.clearable(l.filter.Actions())...)
	list = append(list, l.sortAction("browse.sort", l.sort), l.sortAction("browse.sortfurther", l.sortFurther), l.columnsAction(), l.valuesAction(), l.exportAction(), l.reloadAction())
	list = append(list, screen.Action{ID: "browse.copy", Reason: l.notCopied(), Run: l.copyRecord})
	list = append(append(list, l.saveAction()), l.previewActions()...)
	return append(list, l.grid.Actions()...)
}

func (l *recordList) openAction() screen.Action {
	a := screen.Action{ID: "browse.open", Run: l.openRecord}
	if _, ok := l.grid.Selected(); !ok {
		a.Reason = "there is no record here to open"
	}
	return a
}

func (l *recordList) sortAction(id string, sort func() tea.Cmd) screen.Action {
	a := screen.Action{ID: id, Run: sort}
	if l.grid.Len() == 0 {
		a.Reason = "there are no rows here to sort"
	}
	return a
}

func (l *recordList) columnsAction() screen.Action {
	a := screen.Action{ID: "browse.columns", Run: l.pickColumns}
	if len(l.source.columns) == 0 {
		a.Reason = "there is no column here"
	}
	return a
}

func (l *recordList) valuesAction() screen.Action {
	a := screen.Action{ID: "browse.values", Run: l.onceArranged(l.countValues)}
	switch {
	case l.grid.Len() == 0:
		a.Reason = "there are no rows here whose values can be counted"
	case l.source.growing:
		a.Reason = l.stillComing()
	}
	return a
}

func (l *recordList) exportAction() screen.Action {
	a := screen.Action{ID: "browse.export", Run: l.onceArranged(l.export)}
	if l.env.Remote {
		a.Title, a.Run = "copy rows", l.onceArranged(l.copyRows)
		a.Description = "copy what is shown as CSV; a file would be saved on the server"
	}
	switch {
	case l.source.growing:
		a.Reason = l.stillComing()
	case l.grid.Len() == 0:
		a.Reason = "there is nothing here to export"
	}
	return a
}

// onceArranged lets something be done with the rows only where none are filtered or
// sorted any more: until then, those of before are shown.
func (l *recordList) onceArranged(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !l.working() {
			return run()
		}
		return l.env.Root.Say("The "+l.names.many+" are still being filtered and sorted; press the key again in a moment.", false)
	}
}

// stillComing is why something waits for the end of the loading.
func (l *recordList) stillComing() string {
	return "the " + l.names.many + " are still arriving; " + l.env.Keys.Key("browse.cancel") + " keeps those that have arrived"
}

func (l *recordList) reloadAction() screen.Action {
	a := screen.Action{ID: "browse.reload", Run: func() tea.Cmd { return l.load(l.fetch) }}
	if l.job != nil {
		a.Reason = "it is already loading"
	}
	return a
}

func (l *recordList) cancelAction() screen.Action {
	return screen.Action{ID: "browse.cancel", Run: l.cancelLoading}
}

func (l *recordList) signInAction() screen.Action {
	return screen.Action{ID: "root.signin", Run: func() tea.Cmd { return l.signInAgain("") }}
}

// failedActions lead on from a list that could not be loaded.
func (l *recordList) failedActions() []screen.Action {
	if l.fetch == nil {
		return nil
	}
	list := []screen.Action{l.reloadAction()}
	if l.problem != nil && l.problem.Kind == problem.SignIn {
		list = append(list, l.signInAction())
	}
	return list
}

// Click takes a click on a cell: the head of a column sorts by it, a row is selected,
// and opened where it was selected before, as it is by a click on its preview.
func (l *recordList) Click(x, y int) tea.Cmd {
	if l.source == nil {
		return nil
	}
	if x >= l.width { // the preview
		return l.openRecord()
	}
	if y < len(l.above) {
		l.filter.Click()
		return nil
	}
	switch hit := l.grid.Click(x, y-len(l.above)); {
	case hit.Target == grid.Header && hit.Column >= 0:
		return l.sort()
	case hit.Target == grid.Row && hit.Again:
		return l.openRecord()
	}
	return nil
}

// Wheel scrolls the list by lines, down counting up.
func (l *recordList) Wheel(_, _, lines int) tea.Cmd {
	if l.source != nil {
		l.grid.Wheel(lines)
	}
	return nil
}
