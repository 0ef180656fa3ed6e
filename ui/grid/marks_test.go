package grid

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/ui/screen"
)

func TestMarksAreASetOfRows(t *testing.T) {
	const rows = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	want := map[int]bool{}
	var marks Marks
	for range 5_000 {
		row, marked := random.IntN(rows), random.IntN(3) > 0
		marks.Set(row, marked)
		if delete(want, row); marked {
			want[row] = true
		}
	}
	if marks.Len() != len(want) {
		t.Errorf("%d rows are marked, want %d", marks.Len(), len(want))
	}
	for row := range 2 * rows {
		if marks.Has(row) != want[row] {
			t.Errorf("row %d is marked: %v", row, marks.Has(row))
		}
	}
	listed := slices.Collect(marks.Rows())
	if !slices.IsSorted(listed) || len(listed) != len(want) {
		t.Errorf("%d rows are listed, sorted: %v", len(listed), slices.IsSorted(listed))
	}
	for _, row := range listed {
		if !want[row] {
			t.Errorf("row %d is listed", row)
		}
	}
}

func TestMarksAmongRowsAreInTheOrderOfThese(t *testing.T) {
	var marks Marks
	for _, row := range []int{3, 64, 200} {
		marks.Set(row, true)
	}
	copied := marks.Clone()
	copied.Set(3, false)
	for _, tt := range []struct {
		name       string
		rows, want []int32
	}{
		{"all", nil, []int32{3, 64, 200}},
		{"sorted down", []int32{200, 100, 64, 3}, []int32{200, 64, 3}},
		{"some", []int32{64, 65}, []int32{64}},
		{"none", []int32{}, []int32{}},
	} {
		if got := marks.In(tt.rows); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAMillionMarksAreCheap(t *testing.T) {
	const rows = 1_000_000
	var marks Marks
	marks.Set(rows-1, true)
	if allocated := testing.AllocsPerRun(1, func() {
		for row := range rows {
			marks.Set(row, true)
		}
	}); allocated > 0 || marks.Len() != rows {
		t.Errorf("%d rows are marked, with %v allocations", marks.Len(), allocated)
	}
}

// pressMark does what a key is bound to in a list whose rows can be marked.
func pressMark(t *testing.T, m *Model, key tea.Key) {
	t.Helper()
	name := tea.KeyPressMsg(key).String()
	actions := screen.DefaultKeys().Fill(slices.Concat(m.Unmarking(), m.Marking(), m.FurtherMarkings(), m.Actions()))
	a, ok := screen.FindAction(actions, name, false)
	if !ok || !a.Enabled() {
		t.Fatalf("nothing is bound to %q, or not now: %s", name, a.Reason)
	}
	a.Run()
}

func TestKeysMarkRows(t *testing.T) {
	var (
		space   = tea.Key{Code: tea.KeySpace, Text: " "}
		down    = tea.Key{Code: tea.KeyDown}
		up      = tea.Key{Code: tea.KeyUp}
		further = tea.Key{Code: tea.KeyDown, Mod: tea.ModShift}
		back    = tea.Key{Code: tea.KeyUp, Mod: tea.ModShift}
		toHere  = tea.Key{Code: tea.KeySpace, Mod: tea.ModCtrl}
		all     = tea.Key{Code: 'a', Text: "A", Mod: tea.ModShift}
		end     = tea.Key{Code: tea.KeyEnd}
	)
	for _, tt := range []struct {
		name string
		rows []int32 // that are shown; nil: all ten
		keys []tea.Key
		want []int
		at   int // the position of the cursor
	}{
		{"one, and go down", nil, []tea.Key{space}, []int{0}, 1},
		{"two", nil, []tea.Key{space, space}, []int{0, 1}, 2},
		{"take a mark away", nil, []tea.Key{space, up, space}, nil, 1},
		{"the last row", nil, []tea.Key{end, space}, []int{9}, 9},
		{"a range down", nil, []tea.Key{further, further}, []int{0, 1, 2}, 2},
		{"a range up", nil, []tea.Key{end, back, back}, []int{7, 8, 9}, 7},
		{"a range from the last mark", nil, []tea.Key{space, down, down, down, toHere}, []int{0, 1, 2, 3, 4}, 4},
		{"a range up to the last mark", nil, []tea.Key{end, space, up, up, up, toHere}, []int{6, 7, 8, 9}, 6},
		{"a range in another order", []int32{9, 3, 5, 0}, []tea.Key{space, down, toHere}, []int{3, 5, 9}, 2},
		{"all", nil, []tea.Key{all}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0},
		{"all that are shown", []int32{2, 4}, []tea.Key{all}, []int{2, 4}, 0},
		{"the rest of all", []int32{2, 4}, []tea.Key{space, all}, []int{2, 4}, 1},
		{"none of all", []int32{2, 4}, []tea.Key{all, all}, nil, 0},
		{"none", nil, []tea.Key{further, further, {Code: tea.KeyEscape}}, nil, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := New(dark(), numbered(10, 2))
			changes := 0
			m.OnMark = func() tea.Cmd { changes++; return nil }
			m.SetRows(tt.rows)
			m.Draw(80, 6)
			for _, key := range tt.keys {
				pressMark(t, m, key)
			}
			if got := slices.Collect(m.Marks().Rows()); !slices.Equal(got, tt.want) || changes == 0 {
				t.Errorf("the rows %v are marked, want %v; %d changes were told", got, tt.want, changes)
			}
			if m.Cursor() != tt.at {
				t.Errorf("the cursor is at %d, want %d", m.Cursor(), tt.at)
			}
		})
	}
}

func TestAMarkedRowHasASign(t *testing.T) {
	m := New(plain(), numbered(3, 1))
	m.OnMark = func() tea.Cmd { return nil }
	before := m.Draw(30, 4)
	m.Choose(1)
	var marks Marks
	marks.Set(0, true)
	marks.Set(1, true)
	m.SetMarks(marks)
	after := m.Draw(30, 4)
	if before.String() == after.String() {
		t.Fatal("nothing has changed")
	}
	lines := strings.Split(ansi.Strip(after.String()), "\n")
	for i, want := range []string{" •", "▌•", "  "} {
		if got := string([]rune(lines[i+1])[:2]); got != want {
			t.Errorf("row %d begins with %q, want %q", i, got, want)
		}
	}
	if got := m.SayRow(0); got[:len("Marked. ")] != "Marked. " {
		t.Errorf("a marked row is said as %q", got)
	}
}
