package compare

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Entry is a result that is kept for a run of the program.
type Entry interface {
	comparable
	// Result is the entry as it is listed and compared.
	Result() Result
	// Size is how many bytes it takes.
	Size() int
}

// History keeps the latest results of a run, the newest first.
type History[E Entry] struct {
	Entries []E
	// Made is how many there have been.
	Made int
}

const (
	maxKept  = 20
	maxBytes = 16 << 20 // of all of them together
)

// Add keeps a result, and as many of the others as there is room for.
func (h *History[E]) Add(e E) {
	h.Made++
	h.Entries = append([]E{e}, h.Entries...)
	bytes := 0
	for i, kept := range h.Entries {
		if bytes += kept.Size(); i > 0 && (i == maxKept || bytes > maxBytes) {
			h.Entries = h.Entries[:i:i]
			return
		}
	}
}

// Lines are the results in a few words each, but for one.
func (h *History[E]) Lines(t *styles.Theme, except E, width int) []string {
	var lines []string
	for _, e := range h.Entries {
		if e == except {
			continue
		}
		r := e.Result()
		sign, style := r.Mark(t)
		lines = append(lines, screen.Cut(style.Render(sign)+" "+t.Muted.Render(r.At.Local().Format(time.TimeOnly))+" "+
			safetext.Clip(r.Whose, width)+"  "+t.Muted.Render(r.Verdict), width))
	}
	return lines
}

// Results are those of a history on the screen: a list of them, and what one differs in from
// another.
type Results[E Entry] struct {
	Env      *screen.Env
	History  *History[E]
	Identity Identity
	// One and Many name them.
	One, Many string
	// Open shows one over a screen, in place of what that shows.
	Open func(over screen.Screen, e E) tea.Cmd
	// Draw draws one beside the list.
	Draw func(e E, width, height int) (screen.Pane, string)
}

// CompareAction compares a result that a screen shows with the only other one, or with one that
// the person chooses from the list.
func (r *Results[E]) CompareAction(id string, over screen.Screen, shown E) screen.Action {
	a := screen.Action{ID: id, Run: func() tea.Cmd {
		if others := r.others(shown); len(others) == 1 {
			return r.compare(over, shown, others[0])
		}
		return r.List(over, shown)
	}}
	if len(r.others(shown)) == 0 {
		a.Reason = "there is no other " + r.One + " yet"
	}
	return a
}

func (r *Results[E]) others(shown E) []E {
	return slices.DeleteFunc(slices.Clone(r.History.Entries), func(e E) bool { return e == shown })
}

// compare shows two results beside each other, the older at the left.
func (r *Results[E]) compare(over screen.Screen, one, other E) tea.Cmd {
	first, second := one.Result(), other.Result()
	if slices.Index(r.History.Entries, one) < slices.Index(r.History.Entries, other) {
		first, second = second, first
	}
	return r.Env.Root.Push(over, New(r.Env, first, second, r.Identity))
}

// List lists the results over a screen that shows one of them, or none.
func (r *Results[E]) List(over screen.Screen, shown E) tea.Cmd {
	l := &list[E]{Results: r, over: over, shown: shown, entries: r.History.Entries}
	l.grid = grid.New(r.Env.Theme, l)
	l.grid.RowsOnly = true
	l.grid.OnCopy = l.copyID
	if len(l.entries) > 1 && l.entries[0] == shown {
		l.grid.Select(1) // to compare it with
	}
	return r.Env.Root.Push(over, l)
}

// list is the screen that lists the results.
type list[E Entry] struct {
	screen.Base
	screen.Explanation
	*Results[E]
	over    screen.Screen
	shown   E
	entries []E
	grid    *grid.Model
}

func (l *list[E]) Title() string {
	if slices.Contains(l.entries, l.shown) {
		return "Other " + l.Many
	}
	return "Results"
}

func (l *list[E]) Actions() []screen.Action {
	compare := screen.Action{ID: "results.compare", Run: func() tea.Cmd { return l.compare(l, l.selected(), l.other()) }}
	if len(l.entries) < 2 {
		compare.Reason = "there is no other " + l.One + " yet"
	}
	return append([]screen.Action{{ID: "results.open", Run: l.open}, compare}, l.grid.Actions()...)
}

func (l *list[E]) selected() E {
	row, _ := l.grid.Selected()
	return l.entries[row]
}

// other is what the result under the cursor is compared with: the one that is shown, or that
// before it.
func (l *list[E]) other() E {
	row, _ := l.grid.Selected()
	if l.entries[row] != l.shown && slices.Contains(l.entries, l.shown) {
		return l.shown
	}
	if row == len(l.entries)-1 {
		return l.entries[row-1]
	}
	return l.entries[row+1]
}

// open shows the result under the cursor in place of the one that is shown.
func (l *list[E]) open() tea.Cmd {
	closed := l.Env.Root.Pop(l)
	if e := l.selected(); e != l.shown {
		return tea.Batch(closed, l.Open(l.over, e))
	}
	return closed
}

// copyID copies what of a result is needed elsewhere.
func (l *list[E]) copyID(row, _ int) tea.Cmd {
	r := l.entries[row].Result()
	if r.Copied == "" {
		return l.Env.Root.Say("Not copied: this "+l.One+" has no "+r.What+".", false)
	}
	return l.Env.Root.Copy(r.Copied, "the "+r.What)
}

// Click implements [screen.MouseHandler]: the result under the cursor is opened.
func (l *list[E]) Click(x, y int) tea.Cmd {
	if hit := l.grid.Click(x, y); hit.Target == grid.Row && hit.Again {
		return l.open()
	}
	return nil
}

func (l *list[E]) Wheel(lines int) { l.grid.Wheel(lines) }

func (l *list[E]) Layout(width, height int) { l.grid.Layout(width, height) }

func (l *list[E]) View() string { return l.grid.View() }

func (l *list[E]) Pane() screen.Pane {
	return screen.Pane{Title: human.Count(len(l.entries), l.One, l.Many), Foot: l.grid.Position()}
}

// Side shows the result under the cursor.
func (l *list[E]) Side(width, height int) (screen.Pane, string) {
	return l.Draw(l.selected(), width, height)
}

func (l *list[E]) Len() int { return len(l.entries) }

func (l *list[E]) Columns() []grid.Column {
	return []grid.Column{{Title: "At"}, {Title: "Result"}, {Title: "E-mail"}, {Title: "Name"}}
}

func (l *list[E]) Cells(row int, dst []grid.Cell) []grid.Cell {
	e := l.entries[row]
	r := e.Result()
	sign, _ := r.Mark(l.Env.Theme)
	at := grid.Cell{Text: r.At.Local().Format(time.TimeOnly), Tone: grid.Muted}
	if e == l.shown {
		at.Unit = "shown"
	}
	return append(dst, at, grid.Cell{Text: sign + " " + r.Verdict}, grid.Cell{Text: r.Whose}, grid.Cell{Text: r.Name, Tone: grid.Muted})
}
