package browse

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/compare"
	"gatehouse/ui/grid"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// marking is what a list knows of its marked rows.
type marking struct {
	sum    sum          // of their sizes
	hidden int          // how many of them the filter leaves out
	lost   *lostMarks   // marks of an earlier answer; nil for none
	moving *screen.Work // the search for their records in the new answer
}

func (m *marking) cancel() {
	m.sum.Cancel()
	m.moving.Cancel()
}

// marksChanged is called when rows were marked or unmarked.
func (l *List) marksChanged() tea.Cmd {
	l.marking.lost = nil // the new marks replace those of an earlier answer
	l.marking.hidden = l.countHidden()
	marks := l.grid.Marks().Clone()
	if marks.Len() == 0 {
		l.marking.sum.Cancel()
		l.marking.sum = sum{}
		return nil
	}
	return l.addUp(&l.marking.sum, func() []int32 { return marks.In(nil) })
}

// countHidden counts the marked rows that are not shown.
func (l *List) countHidden() int {
	marks := l.grid.Marks()
	if l.rows == nil || marks.Len() == 0 || l.grid.Len() == l.source.Len() {
		return 0
	}
	return marks.Len() - len(marks.In(l.rows))
}

// marked says how many rows are marked and their total size: "3 marked, 1 not shown, 4.2 GB". It
// is empty if none is marked.
func (l *List) marked() string {
	count := l.grid.Marks().Len()
	if count == 0 {
		return ""
	}
	parts := []string{human.Number(count) + " marked"}
	if hidden := l.marking.hidden; hidden > 0 {
		parts = append(parts, human.Number(hidden)+" not shown")
	}
	if l.marking.sum.text != "" {
		parts = append(parts, l.marking.sum.text)
	}
	return strings.Join(parts, ", ")
}

// markedRows returns the marked rows: those that are shown in the order of the list, and then the
// others.
func (l *List) markedRows() []int32 {
	marks := l.grid.Marks()
	rows := marks.In(l.rows)
	if len(rows) == marks.Len() {
		return rows
	}
	hidden := marks.Clone()
	for _, row := range rows {
		hidden.Set(int(row), false)
	}
	return append(rows, hidden.In(nil)...)
}

// countMarked is a number of marked rows in words: "3 marked shares".
func (o *Options) countMarked(rows int) string {
	return human.Count(rows, "marked "+o.One, "marked "+o.Many)
}

// lostMarks are marks of an answer that is not shown any more.
type lostMarks struct {
	of    *source
	marks grid.Marks
}

// dropMarks removes the marks when another answer is shown, and remembers them for
// [List.moveMarks]. In a list that is renewed it only moves them, as each record is in the answer
// at another row.
func (l *List) dropMarks(shown, before *source) {
	marks := l.grid.Marks().Clone()
	if marks.Len() == 0 {
		return
	}
	var moved grid.Marks
	if shown.origin == l.liveOrigin {
		for row := range marks.Rows() {
			now := row + shown.first - before.first
			if 0 <= now && now < shown.Len() {
				moved.Set(now, true)
			}
		}
	} else if l.marking.lost == nil {
		l.marking.lost = &lostMarks{before, marks}
	}
	l.marking.sum.Cancel()
	l.marking.sum = sum{}
	l.grid.SetMarks(moved)
}

// moveMarks marks the records again that were marked in an earlier answer. It finds them by their
// ids, off the UI's goroutine, and says how many it did not find.
func (l *List) moveMarks() tea.Cmd {
	lost, now := l.marking.lost, l.source
	if lost == nil || l.isLoading() || now.growing {
		return nil
	}
	l.marking.moving.Cancel()
	work, find := screen.Begin(l.env, l.owner, func(ctx context.Context) grid.Marks {
		return lost.find(ctx, now)
	}, func(marks grid.Marks) tea.Cmd {
		if l.source != now || l.marking.lost != lost {
			return nil
		}
		l.grid.SetMarks(marks)
		changed := l.marksChanged()
		gone := lost.marks.Len() - marks.Len()
		if gone == 0 {
			return changed
		}
		said := l.options.countMarked(gone) + " could not be found again: the new list has no such id."
		return tea.Batch(changed, l.env.Root.Say(said, false))
	})
	l.marking.moving = work
	return find
}

// find returns the rows of another answer that have the ids of the marked rows. Rows that share
// an id are left out, as one cannot be told from the other. It finds nothing if ctx ends.
func (m *lostMarks) find(ctx context.Context, now *source) (found grid.Marks) {
	column := now.idColumn()
	if column < 0 {
		return found
	}
	const rowsPerCheck = 1 << 10 // of the context
	wanted := m.ids()
	rows := make(map[string]int, len(wanted))
	for row := range now.Len() {
		if row%rowsPerCheck == 0 && ctx.Err() != nil {
			return grid.Marks{}
		}
		id := now.table.Cell(row, column).Raw()
		if !wanted[string(id)] {
			continue
		}
		other, isDuplicate := rows[string(id)]
		if isDuplicate {
			found.Set(other, false)
			continue
		}
		rows[string(id)] = row
		found.Set(row, true)
	}
	return found
}

// ids returns the ids of the marked rows as they are in the JSON.
func (m *lostMarks) ids() map[string]bool {
	column := m.of.idColumn()
	if column < 0 {
		return nil
	}
	ids := make(map[string]bool, m.marks.Len())
	for row := range m.marks.Rows() {
		if id := m.of.table.Cell(row, column); id.Kind() > lists.Null {
			ids[string(id.Raw())] = true
		}
	}
	return ids
}

// whyNotCompare says why there is nothing to compare; "" if exactly two rows are marked.
func (l *List) whyNotCompare() string {
	switch count := l.grid.Marks().Len(); count {
	case 0:
		return "no " + l.options.One + " is marked; mark two with " + l.env.Keys.Key(screen.GridMark)
	case 1:
		return "one " + l.options.One + " is marked, and two are compared"
	case 2:
		return ""
	default:
		return l.options.count(count) + " are marked, and two are compared"
	}
}

// compareMarked compares the two marked records.
func (l *List) compareMarked() tea.Cmd {
	rows := l.markedRows()
	first, second := rows[0], rows[1]
	if l.options.Compare != nil {
		table := l.source.table
		return l.options.Compare(table.Record(int(first)), table.Record(int(second)))
	}
	return l.Over(compare.New(l.env, l.result(first), l.result(second), ofRecords))
}

// copyCells copies the values of the marked rows in a column, a line for each.
func (l *List) copyCells(column int) tea.Cmd {
	rows, table, from := l.markedRows(), l.source.table, l.source.tableColumns[column]
	what := safetext.Clip(l.source.columns[column].Heading, maxName) + " of " + l.options.countMarked(len(rows))
	text := &limited{}
	return l.copyText(what, text, func() error {
		for _, row := range rows {
			line := strings.Join(strings.Fields(exact(table.Cell(int(row), from))), " ")
			if _, err := text.Write([]byte(line + "\n")); err != nil {
				return err
			}
		}
		return nil
	})
}

// result is the record in a row as one of the two that are compared.
func (l *List) result(row int32) compare.Result {
	raw, name := l.source.table.Record(int(row)), l.source.name(int(row), l.options.One)
	return compare.Result{Name: name, Whose: name, Members: func(now time.Time) ([]compare.Member, bool) {
		members, cut := compare.Document(raw, now)
		for i := range members {
			if l.neverSet(row, members[i].Path) {
				members[i].Text = human.Never
			}
		}
		return members, cut
	}}
}

// neverSet reports whether a member of a record is a time that is not set. That takes the column:
// in the record alone the number 0 may be anything.
func (l *List) neverSet(row int32, path string) bool {
	for _, column := range l.source.infos {
		if column.Name == path {
			at, ok := l.source.table.Cell(int(row), column.Index).Time(column.Kind)
			return ok && at.IsZero()
		}
	}
	return false
}

// ofRecords names the differences that any two records have: their ids.
var ofRecords = compare.Identity{Kinds: "ids", Has: func(p compare.Pair) bool { return record.IsID(p.Path) }}
