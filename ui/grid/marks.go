package grid

import (
	"iter"
	"math/bits"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Marks is a set of marked rows of a source, one bit each: a million rows take 125 kB. The zero value
// is empty. A mark belongs to its row in the source, wherever and whether that is shown.
type Marks struct {
	words []uint64
	count int
}

// wordBits is how many rows one word of the set has.
const wordBits = 64

// Len is how many rows are marked.
func (m *Marks) Len() int { return m.count }

// Has reports whether a row is marked.
func (m *Marks) Has(row int) bool {
	word := row / wordBits
	return word < len(m.words) && m.words[word]&(1<<(row%wordBits)) != 0
}

// Set marks or unmarks a row.
func (m *Marks) Set(row int, marked bool) {
	if m.Has(row) == marked {
		return
	}
	word := row / wordBits
	if missing := word + 1 - len(m.words); missing > 0 {
		m.words = append(m.words, make([]uint64, missing)...)
	}
	m.words[word] ^= 1 << (row % wordBits)
	if marked {
		m.count++
	} else {
		m.count--
	}
}

// Rows are the marked rows in the order of the source.
func (m *Marks) Rows() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range m.words {
			for ; word != 0; word &= word - 1 {
				if !yield(i*wordBits + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// In returns those of the given rows that are marked, in the same order; nil stands for all rows of
// the source.
func (m *Marks) In(rows []int32) []int32 {
	found := make([]int32, 0, m.count)
	if rows == nil {
		for row := range m.Rows() {
			found = append(found, int32(row))
		}
		return found
	}
	for _, row := range rows {
		if m.Has(int(row)) {
			found = append(found, row)
		}
	}
	return found
}

// Clone copies the set.
func (m *Marks) Clone() Marks { return Marks{slices.Clone(m.words), m.count} }

// Marks are the rows that a person has marked. The caller must not change them.
func (m *Model) Marks() *Marks { return &m.marks }

// SetMarks replaces the marks. If the source has other rows than before, its owner has to find out
// which of them are marked.
func (m *Model) SetMarks(marks Marks) {
	m.marks, m.lastMarked = marks, noRow
	m.version++
}

// noRow stands for no row of the source.
const noRow = -1

// Marking is the action that marks the row under the cursor, or unmarks it; nil without
// [Model.OnMark].
func (m *Model) Marking() []screen.Action {
	if m.OnMark == nil {
		return nil
	}
	row, ok := m.Selected()
	isMarked := ok && m.marks.Has(row)
	return []screen.Action{{
		ID: screen.GridMark, Title: screen.If(isMarked, "unmark"), Reason: m.noneToMark(),
		Run: func() tea.Cmd {
			at := m.cursor.Row()
			m.Move(1)
			return m.mark(at, at, !isMarked)
		},
	}}
}

// noneToMark says that there is no row to mark; "" if there is one.
func (m *Model) noneToMark() string {
	_, ok := m.Selected()
	return screen.If(!ok, "there is no row here to mark")
}

// FurtherMarkings are the actions that mark several rows; nil without [Model.OnMark].
func (m *Model) FurtherMarkings() []screen.Action {
	if m.OnMark == nil {
		return nil
	}
	none := m.noneToMark()
	markAndMove := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			from := m.cursor.Row()
			m.Move(by)
			return m.mark(from, m.cursor.Row(), true)
		}
	}
	toLast := none
	if toLast == "" && m.marks.Len() == 0 {
		toLast = "no row is marked from which on others could be"
	}
	return []screen.Action{
		{ID: screen.GridMarkDown, Reason: none, Run: markAndMove(1)},
		{ID: screen.GridMarkUp, Reason: none, Run: markAndMove(-1)},
		{ID: screen.GridMarkTo, Reason: toLast, Run: m.markTo},
		{ID: screen.GridMarkAll, Reason: none, Run: m.markAll},
	}
}

// Unmarking is the action that unmarks all rows; nil if none is marked.
func (m *Model) Unmarking() []screen.Action {
	if m.marks.Len() == 0 {
		return nil
	}
	return []screen.Action{{ID: screen.GridUnmark, Run: m.Unmark}}
}

// Unmark implements [screen.Marks].
func (m *Model) Unmark() tea.Cmd {
	m.SetMarks(Marks{})
	return m.OnMark()
}

// Marked implements [screen.Marks].
func (m *Model) Marked(at int) bool { return m.marks.Has(m.row(at)) }

// MarkRows implements [screen.Marks].
func (m *Model) MarkRows(rows []int, marked bool) tea.Cmd {
	for _, at := range rows {
		m.marks.Set(m.row(at), marked)
	}
	m.lastMarked = noRow
	m.version++
	return m.OnMark()
}

// mark marks or unmarks the rows from one position to another, both included.
func (m *Model) mark(from, to int, marked bool) tea.Cmd {
	for position := min(from, to); position <= max(from, to); position++ {
		m.marks.Set(m.row(position), marked)
	}
	if m.lastMarked = noRow; marked {
		m.lastMarked = m.row(to)
	}
	m.version++
	return m.OnMark()
}

// markTo marks the rows from the one that was marked last to the cursor. If that one is not shown, it
// marks the row under the cursor alone.
func (m *Model) markTo() tea.Cmd {
	to := m.cursor.Row()
	from := to
	if m.lastMarked != noRow {
		if position := m.find(m.lastMarked); position >= 0 {
			from = position
		}
	}
	return m.mark(from, to, true)
}

// markAll marks all rows that are shown, or unmarks them if all are marked.
func (m *Model) markAll() tea.Cmd {
	last := m.Len() - 1
	return m.mark(0, last, !m.allMarked())
}

// allMarked reports whether all rows that are shown are marked.
func (m *Model) allMarked() bool {
	for position := range m.Len() {
		if !m.marks.Has(m.row(position)) {
			return false
		}
	}
	return true
}
