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

// marking is what is known of the marked rows of a list.
type marking struct {
	sum    sum // of the sizes of the marked rows
	hidden int // how many of them the filter leaves out
	lost   *lostMarks
	moving *screen.Work // looks for their records in another answer
}

func (m *marking) cancel() {
	m.sum.Cancel()
	m.moving.Cancel()
}

// marksChanged answers that rows were marked, or their marks taken away.
func (l *List) marksChanged() tea.Cmd {
	l.marking.lost = nil // the person has begun anew
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

// marked says how many rows are marked and what they come to, "" if none is: "3 marked, 1 not
// shown, 4.2 GB".
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

// markedRows are the marked rows in the order of the list, and after them those that are not shown.
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

// countMarked is how many marked rows there are, in words: "3 marked shares".
func (o *Options) countMarked(rows int) string {
	return human.Count(rows, "marked "+o.One, "marked "+o.Many)
}

// lostMarks are marked rows of an answer that is shown no more.
type lostMarks struct {
	of    *source
	marks grid.Marks
}

// dropMarks takes the marks away as another answer is shown, until the records are found in it. In a
// list that is renewed the rows only have other numbers.
func (l *List) dropMarks(shown, before *source) {
	marks := l.grid.Marks().Clone()
	if marks.Len() == 0 {
		return
	}
	var moved grid.Marks
	if shown.origin == l.renewed {
		for row := range marks.Rows() {
			if now := row + shown.first - before.first; 0 <= now && now < shown.Len() {
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

// moveMarks looks for the marked records of an earlier answer in the one that is shown, by their
// ids and off the UI's goroutine. A record that cannot be told again is not marked.
func (l *List) moveMarks() tea.Cmd {
	lost, now := l.marking.lost, l.source
	if lost == nil || l.isLoading() || now.growing {
		return nil
	}
	l.marking.moving.Cancel()
	work, find := screen.Begin(l.env, l.owner, func(ctx context.Context) grid.Marks {
		return lost.in(ctx, now)
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

// in are the rows of another answer that have the ids of the marked ones. An id that several rows
// have tells none of them.
func (m *lostMarks) in(ctx context.Context, now *source) (found grid.Marks) {
	before, column := m.of.idColumn(), now.idColumn()
	if before < 0 || column < 0 {
		return found
	}
	const seldom = 1 << 10 // rows between two looks at the context
	wanted := make(map[string]bool, m.marks.Len())
	for row := range m.marks.Rows() {
		if id := m.of.table.Cell(row, before); id.Kind() > lists.Null {
			wanted[string(id.Raw())] = true
		}
	}
	rows := make(map[string]int, len(wanted))
	for row := range now.Len() {
		if row%seldom == 0 && ctx.Err() != nil {
			return grid.Marks{}
		}
		id := now.table.Cell(row, column).Raw()
		if !wanted[string(id)] {
			continue
		}
		other, twice := rows[string(id)]
		if twice {
			found.Set(other, false)
			continue
		}
		rows[string(id)] = row
		found.Set(row, true)
	}
	return found
}

// notTwo says why there is nothing to compare, "" if two rows are marked.
func (l *List) notTwo() string {
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

// compareMarked shows the two marked records beside each other.
func (l *List) compareMarked() tea.Cmd {
	rows := l.markedRows()
	if l.options.Compare != nil {
		return l.options.Compare(l.source.table.Record(int(rows[0])), l.source.table.Record(int(rows[1])))
	}
	return l.Over(compare.New(l.env, l.result(rows[0]), l.result(rows[1]), ofRecords))
}

// copyCells copies what the marked rows have in a column, one line a row.
func (l *List) copyCells(column int) tea.Cmd {
	rows, table, from := l.markedRows(), l.source.table, l.source.from[column]
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

// result is a record as one of two that are compared.
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

// neverSet reports whether a member of a record is a time that is not set. Of ticks the record alone
// cannot tell, since 0 may be any number.
func (l *List) neverSet(row int32, path string) bool {
	for _, column := range l.source.infos {
		if column.Name == path {
			at, ok := l.source.table.Cell(int(row), column.Index).Time(column.Kind)
			return ok && at.IsZero()
		}
	}
	return false
}

// ofRecords says which differences any two records have.
var ofRecords = compare.Identity{Kinds: "ids", Has: func(p compare.Pair) bool { return record.IsID(p.Path) }}
