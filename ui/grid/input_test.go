package grid

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAClickHitsWhatIsThere(t *testing.T) {
	nothing := Hit{Column: -1}
	tests := []struct {
		name        string
		x, y        int
		want        Hit
		row, column int // the current ones afterwards
	}{
		{"a title", 12, 0, Hit{Target: Header, Column: 3}, 4, 3},
		{"the frozen title", 0, 0, Hit{Target: Header, Column: 5}, 4, 5},
		{"right of all titles", 55, 0, nothing, 4, 5},
		{"the selected row", 2, 3, Hit{Target: Row, Column: 5, Again: true}, 4, 5},
		{"another row", 11, 1, Hit{Target: Row, Column: 3}, 2, 3},
		{"another row, right of all columns", 55, 2, Hit{Target: Row, Column: -1}, 3, 5},
		{"below the last row", 2, 7, nothing, 4, 5},
		{"below the grid", 2, 8, nothing, 4, 5},
		{"above it", 2, -1, nothing, 4, 5},
		{"left of it", -1, 2, nothing, 4, 5},
		{"right of it", 60, 2, nothing, 4, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := New(dark(), numbered(10, 7))
			m.SetOrder([]int{5, 3})
			m.SetRows([]int32{0, 1, 2, 3, 4, 5, 6})
			draw(m, 60, 4)
			m.Choose(4)
			draw(m, 60, 4) // rows 2 to 4
			if tt.name == "below the last row" {
				draw(m, 60, 8)
				m.SetRows([]int32{0, 1, 2, 3, 4})
				draw(m, 60, 8)
			}
			if diff := cmp.Diff(tt.want, m.Click(tt.x, tt.y)); diff != "" {
				t.Errorf("the hit differs (-want +got):\n%s", diff)
			}
			if row, _ := m.Selected(); row != tt.row || m.Column() != tt.column {
				t.Errorf("row %d and column %d are current, want %d and %d", row, m.Column(), tt.row, tt.column)
			}
		})
	}
}

func TestAnUndrawnGridIsNotHit(t *testing.T) {
	if hit := New(dark(), numbered(10, 2)).Click(0, 0); hit.Target != Nothing {
		t.Errorf("hit %+v", hit)
	}
}

func TestTheWheelScrollsAndTakesTheCursorAlongAtTheEdge(t *testing.T) {
	m := New(dark(), numbered(100, 2))
	draw(m, 40, 11)
	m.cursor.MoveTo(5)
	for _, tt := range []struct{ lines, top, row int }{
		{3, 3, 5}, {3, 6, 6}, {1000, 90, 90}, {-2, 88, 90}, {-10, 78, 87}, {-1000, 0, 9},
	} {
		m.Wheel(tt.lines)
		draw(m, 40, 11)
		if row, _ := m.Selected(); m.cursor.Offset() != tt.top || row != tt.row {
			t.Errorf("after %d lines row %d is selected and %d the first, want %d and %d", tt.lines, row, m.cursor.Offset(), tt.row, tt.top)
		}
	}
	empty := New(dark(), numbered(0, 2))
	draw(empty, 40, 11)
	empty.Wheel(3)
	if _, ok := empty.Selected(); ok {
		t.Error("the wheel has selected a row of none")
	}
}
