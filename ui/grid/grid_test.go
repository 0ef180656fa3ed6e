package grid

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/ui/screen"
)

// press does what a key is bound to.
func press(t *testing.T, m *Model, key tea.Key) {
	t.Helper()
	name := tea.KeyPressMsg(key).String()
	a, ok := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), name, false)
	if !ok {
		t.Fatalf("nothing is bound to %q", name)
	}
	if cmd := a.Run(); cmd != nil {
		t.Fatalf("%s gave a command", a.Title)
	}
}

func TestKeysMoveTheCursor(t *testing.T) {
	letter := func(r rune) tea.Key { return tea.Key{Code: r, Text: string(r)} }
	tests := []struct {
		name  string
		keys  []tea.Key
		row   int
		first int // the first visible row
	}{
		{"down", []tea.Key{{Code: tea.KeyDown}, letter('j')}, 2, 0},
		{"up stops at the top", []tea.Key{{Code: tea.KeyDown}, {Code: tea.KeyUp}, letter('k')}, 0, 0},
		{"page down", []tea.Key{{Code: tea.KeyPgDown}, {Code: 'f', Mod: tea.ModCtrl}}, 20, 20},
		{"page up", []tea.Key{{Code: tea.KeyPgDown}, {Code: tea.KeyPgDown}, {Code: tea.KeyPgUp}}, 10, 10},
		{"page up by letter", []tea.Key{{Code: tea.KeyPgDown}, {Code: 'b', Mod: tea.ModCtrl}}, 0, 0},
		{"end", []tea.Key{{Code: tea.KeyEnd}, {Code: tea.KeyDown}}, 99, 90},
		{"end by letter", []tea.Key{{Code: 'g', Text: "G", Mod: tea.ModShift}}, 99, 90},
		{"home", []tea.Key{{Code: tea.KeyEnd}, {Code: tea.KeyHome}}, 0, 0},
		{"home by letter", []tea.Key{{Code: tea.KeyEnd}, letter('g')}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := New(dark(), numbered(100, 3))
			draw(m, 80, 11)
			for _, key := range tt.keys {
				press(t, m, key)
			}
			draw(m, 80, 11)
			if row, ok := m.Selected(); row != tt.row || !ok || m.cursor.Offset() != tt.first {
				t.Errorf("row %d is selected and %d the first; want %d and %d", row, m.cursor.Offset(), tt.row, tt.first)
			}
		})
	}
}

func TestTheFooterShowsFewMovements(t *testing.T) {
	shown := slices.DeleteFunc(screen.DefaultKeys().Fill(New(dark(), numbered(1, 1)).Actions()), func(a screen.Action) bool { return a.Quiet })
	if len(shown) > 2 {
		t.Errorf("%d movements in the footer", len(shown))
	}
}

func TestColumnKeysScrollSidewaysBehindTheFrozenColumn(t *testing.T) {
	m := New(dark(), numbered(3, 20))
	header := func() string { return header(m, 60) }
	if got := header(); !strings.HasPrefix(got, "  [Column 0]") {
		t.Fatalf("the header begins as %q", got)
	}
	for want := 1; want < 20; want++ {
		press(t, m, tea.Key{Code: tea.KeyRight})
		if got := header(); !strings.Contains(got, "[Column "+human.Number(want)+"]") || !strings.HasPrefix(got, "  Column 0 ") {
			t.Fatalf("at column %d the header is %q", want, got)
		}
	}
	press(t, m, tea.Key{Code: 'l', Text: "l"})
	if m.Column() != 19 {
		t.Errorf("column %d after the last", m.Column())
	}
	for range 20 {
		press(t, m, tea.Key{Code: 'h', Text: "h"})
		if got := header(); !strings.Contains(got, "[Column "+human.Number(m.Column())+"]") {
			t.Fatalf("at column %d the header is %q", m.Column(), got)
		}
	}
	if got := header(); !strings.HasPrefix(got, "  [Column 0]  Column 1 ") {
		t.Errorf("back at the start the header is %q", got)
	}
}

func TestASingleWideColumnUsesAllTheRoom(t *testing.T) {
	text := strings.Repeat("0123456789", 9)
	m := New(dark(), literal([]Column{{Heading: "A"}, {Heading: "B"}}, []string{"x", text}))
	if got := draw(m, 100, 2); !strings.Contains(got, text) {
		t.Errorf("the text is cut: %q", got)
	}
	m = New(dark(), literal([]Column{{Heading: "A"}, {Heading: "B"}, {Heading: "C"}}, []string{"x", text, text}))
	if got := draw(m, 100, 2); strings.Contains(got, text) || strings.Count(got, "…") != 2 {
		t.Errorf("two wide columns do not share the room: %q", got)
	}
}

func TestTheCursorStaysOnTheRowThatWasChosen(t *testing.T) {
	m := New(dark(), numbered(100, 2))
	draw(m, 40, 11)
	m.Move(50)
	draw(m, 40, 11)
	tests := []struct {
		name           string
		rows           []int32
		row, at, first int
	}{
		{"in another order", []int32{9, 8, 50, 7}, 50, 2, 0},
		{"among all", nil, 50, 50, 48},
		{"gone", []int32{4, 5, 6}, 4, 0, 0},
		{"none that was chosen", nil, 0, 0, 0},
	}
	for _, tt := range tests {
		m.SetRows(tt.rows)
		draw(m, 40, 11)
		row, ok := m.Selected()
		if !ok || row != tt.row || m.cursor.Row() != tt.at || m.cursor.Offset() != tt.first {
			t.Errorf("%s: row %d at %d, first %d; want %d at %d, first %d",
				tt.name, row, m.cursor.Row(), m.cursor.Offset(), tt.row, tt.at, tt.first)
		}
	}
	m.SetRows([]int32{})
	if _, ok := m.Selected(); ok || m.cursor.Row() != 0 || m.Len() != 0 {
		t.Error("something is selected in an empty grid")
	}
	checkFrame(t, draw(m, 40, 11), 40, 11)
}

func TestWithoutAChosenRowAnotherOrderBeginsAtTheTop(t *testing.T) {
	m := New(dark(), numbered(100, 2))
	reversed := rowsDown(100)
	at := func(what string, row, position int) {
		t.Helper()
		draw(m, 40, 11)
		if got, _ := m.Selected(); got != row || m.cursor.Row() != position {
			t.Errorf("%s: row %d at %d, want %d at %d", what, got, m.cursor.Row(), row, position)
		}
	}
	m.SetRows(reversed)
	at("nobody has moved", 99, 0)
	press(t, m, tea.Key{Code: tea.KeyDown})
	m.SetRows(nil)
	at("after a key", 98, 98)
	press(t, m, tea.Key{Code: tea.KeyHome})
	m.SetRows(reversed)
	at("back at the first", 99, 0)
	m.Click(3, 3)
	m.SetRows(nil)
	at("after a click", 97, 97)
}

// rowsDown are so many rows, the last one first.
func rowsDown(count int) []int32 {
	rows := make([]int32, count)
	for i := range rows {
		rows[i] = int32(count - 1 - i)
	}
	return rows
}

func TestACellIsCopied(t *testing.T) {
	m := New(dark(), numbered(9, 4))
	if _, ok := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), "Y", false); ok {
		t.Error("there is a key where nothing can be copied")
	}
	var copied [][2]int
	m.OnCopy = func(row, column int) tea.Cmd { copied = append(copied, [2]int{row, column}); return nil }
	m.SetOrder([]int{3, 1})
	m.SetRows([]int32{7, 8})
	m.SelectColumn(1)
	press(t, m, tea.Key{Code: tea.KeyDown})
	letter := tea.Key{Code: 'y', ShiftedCode: 'Y', Text: "Y", Mod: tea.ModShift}
	press(t, m, letter)
	m.RowsOnly = true
	press(t, m, letter)
	if want := [][2]int{{8, 1}, {8, 3}}; !slices.Equal(copied, want) {
		t.Errorf("copied were %v, want %v", copied, want)
	}
	m.SetRows([]int32{})
	if a, _ := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), "Y", false); a.Enabled() {
		t.Error("a cell of no row can be copied")
	}
}

// draw is a grid as it is drawn in a size.
func draw(m *Model, width, height int) string {
	m.Settle(width, height)
	return m.Draw(width, height).String()
}
