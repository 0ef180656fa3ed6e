package grid

import (
	"fmt"
	"testing"
)

// The budget of a frame after a cursor move is 1 ms and 1,000 allocations,
// whatever the number of rows.
func BenchmarkFrame(b *testing.B) {
	for name, prepare := range map[string]func(*Model){
		"plain":   func(*Model) {},
		"matches": func(m *Model) { m.SetMatch([]string{"contr", "東"}) },
		"layout": func(m *Model) {
			m.SetOrder([]int{9, 3, 4, 1, 0, 12})
		},
	} {
		for _, rows := range []int{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/rows=%d", name, rows), func(b *testing.B) {
				m := benchGrid(rows)
				prepare(m)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					m.cursor.MoveTo(i * 7 % rows)
					draw(m, 120, 40)
				}
			})
		}
	}
}

func BenchmarkFrameAfterNewRows(b *testing.B) {
	b.Run("set", func(b *testing.B) {
		m := benchGrid(1_000_000)
		b.ReportAllocs()
		for b.Loop() {
			m.SetRows(nil)
			draw(m, 120, 40)
		}
	})
	b.Run("grown", func(b *testing.B) {
		m := benchGrid(1_000)
		source := m.source.(*table)
		b.ReportAllocs()
		for b.Loop() {
			source.rows++
			m.Grow(source, nil)
			draw(m, 120, 40)
		}
	})
}

func TestAFrameKeepsItsBudget(t *testing.T) {
	m := benchGrid(1_000_000)
	draw(m, 120, 40)
	position := 0
	allocations := testing.AllocsPerRun(100, func() {
		position += 7
		m.cursor.MoveTo(position)
		draw(m, 120, 40)
	})
	if allocations > 1000 {
		t.Errorf("%v allocations for a frame", allocations)
	}
}

// benchGrid has 20 columns of the kinds that shares have.
func benchGrid(rows int) *Model {
	values := []Cell{
		{Text: "Contracts"}, {Text: "東京オフィス"}, {Text: "1234567890123"}, {State: Missing}, {State: Null},
		{Text: "2017-10-03T12:57:14.295242Z"}, {Text: "Quarterly report of the harbour office, final version"},
	}
	source := numbered(rows, 20)
	source.cell = func(row, column int) Cell { return values[(row+column)%len(values)] }
	return New(dark(), source)
}
