package columns

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
	"gatehouse/ui/screen/screentest"
)

// shares are the columns of a list of shares, one of which has no value.
func shares() []Column {
	return []Column{
		{Title: "Name", Kind: "text", Width: 40},
		{Title: "Id", Kind: "number", Width: 10},
		{Title: "ShareDefault.Owner", Kind: "e-mail", Width: 20},
		{Title: "SpaceUsage.DiskUsage", Kind: "bytes", Width: 20},
		{Title: "TimeStamps.CreateTime", Kind: "time", Width: 18},
		{Title: "日本語の欄とても長い名前が付いている列です", Kind: "text", Width: 40},
		{Title: "Description\x1b[31m", Kind: "null", OnlyNulls: true, Width: 12},
	}
}

// open makes a picker over the columns as they are by default.
func open(columns []Column) *Model {
	return New(styles.New(styles.Options{}), columns, Default(columns), 0, func(grid.ColumnLayout) tea.Cmd { return nil })
}

// press types keys, which are actions or text for the field that has the focus.
func press(t *testing.T, m *Model, keys ...string) {
	t.Helper()
	for _, key := range keys {
		a, ok := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), key, m.Typing())
		switch {
		case ok && a.Enabled():
			a.Run()
		case m.Typing():
			m.Update(tea.KeyPressMsg{Code: []rune(key)[0], Text: key})
		default:
			t.Fatalf("%q does nothing now: %s", key, a.Reason)
		}
	}
}

// reason is why a key cannot work now.
func reason(t *testing.T, m *Model, key string) string {
	t.Helper()
	a, ok := screen.FindAction(screen.DefaultKeys().Fill(m.Actions()), key, false)
	if !ok {
		t.Fatalf("nothing is bound to %q", key)
	}
	return a.Reason
}

func TestFramesLookAsRecorded(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
		m := open(shares())
		press(t, m, "j", "j", "space", "j", ">", ">")
		name := fmt.Sprintf("columns-%dx%d", size.width, size.height)
		testkit.Golden(t, name, ansi.Strip(screentest.Draw(m, size.width, size.height))+"\n")
	}
	m := open(shares())
	press(t, m, "/", "t", "i", "m")
	testkit.Golden(t, "columns-find-40x10", ansi.Strip(screentest.Draw(m, 40, 10))+"\n")
}

func TestKeysChooseTheColumns(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want grid.ColumnLayout
	}{
		{"columns without values start hidden", nil, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}}},
		{"all", []string{"a"}, grid.ColumnLayout{}},
		{"hide", []string{"j", "space"}, grid.ColumnLayout{Order: []int{0, 2, 3, 4, 5}}},
		{"hide and show again", []string{"j", "space", "space"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}}},
		{"move down twice", []string{"J", "shift+down"}, grid.ColumnLayout{Order: []int{1, 2, 0, 3, 4, 5}}},
		{"move up", []string{"j", "j", "K"}, grid.ColumnLayout{Order: []int{0, 2, 1, 3, 4, 5}}},
		{"move a hidden one and show it", []string{"G", "K", "shift+up", "space"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 6, 4, 5}}},
		{"wider", []string{">", ">"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}, Widths: map[int]int{0: 40 + 2*grid.WidthStep}}},
		{"narrower", []string{"j", "<"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}, Widths: map[int]int{1: 10 - grid.WidthStep}}},
		{"never too narrow", []string{"j", "<", "<"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}, Widths: map[int]int{1: grid.MinWidth}}},
		{"as it was", []string{"j", "space", ">", "J", "a", "r"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}}},
		{"found by a word, and moved among what is found", []string{"/", "s", "h", "enter", "J", "esc"}, grid.ColumnLayout{Order: []int{0, 1, 3, 2, 4, 5}}},
		{"found and hidden", []string{"/", "T", "I", "M", "E", "enter", "space"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 5}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			columns := shares()
			if strings.HasPrefix(tt.name, "found by") {
				columns[3].Title = "\u017fharing" // its first letter is an s in another spelling
			}
			m := open(columns)
			press(t, m, tt.keys...)
			if diff := cmp.Diff(tt.want, m.Result()); diff != "" {
				t.Errorf("the layout differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheLastColumnIsNotHidden(t *testing.T) {
	m := New(styles.New(styles.Options{}), shares(), grid.ColumnLayout{Order: []int{4}}, 4, nil)
	if column, _ := m.current(); column != 4 {
		t.Fatalf("column %d is current", column)
	}
	if reason(t, m, "space") == "" {
		t.Error("the last column can be hidden")
	}
	screentest.Draw(m, 80, 24)
	m.Click(1, 1+m.grid.Len())
	for y := range 10 {
		if m.Click(1, y); m.countShown() == 0 {
			t.Fatal("clicks have hidden the last column")
		}
	}
}

func TestKeysSayWhyTheyCannotWork(t *testing.T) {
	m := open(shares())
	for key, want := range map[string]bool{"K": true, "J": false, "r": true, "a": false, "space": false, "<": false} {
		if got := reason(t, m, key); (got != "") != want {
			t.Errorf("%q: the reason is %q", key, got)
		}
	}
	press(t, m, "a", "G")
	for key, want := range map[string]bool{"K": false, "J": true, "r": false, "a": true} {
		if got := reason(t, m, key); (got != "") != want {
			t.Errorf("at the end %q: the reason is %q", key, got)
		}
	}
	press(t, m, "/", "z", "z", "enter")
	for _, key := range []string{"space", "J", "K", "<", ">"} {
		if reason(t, m, key) != nothingFound {
			t.Errorf("nothing is found, but %q works", key)
		}
	}
	if frame := screentest.Draw(m, 40, 10); !strings.Contains(frame, "No column is found") || strings.Count(frame, "\n") != 9 {
		t.Errorf("the frame is\n%s", frame)
	}
}

func TestClosingTellsTheLayout(t *testing.T) {
	for _, key := range []string{"enter", "esc", "c"} {
		var told []grid.ColumnLayout
		m := New(styles.New(styles.Options{}), shares(), grid.ColumnLayout{Order: []int{1, 3}, Widths: map[int]int{1: 7}}, 3,
			func(l grid.ColumnLayout) tea.Cmd { told = append(told, l); return nil })
		press(t, m, "K", "K", key) // past a hidden one
		if diff := cmp.Diff([]grid.ColumnLayout{{Order: []int{3, 1}, Widths: map[int]int{1: 7}}}, told); diff != "" {
			t.Errorf("%s told layouts (-want +got):\n%s", key, diff)
		}
	}
}

func TestEscLeavesTheSearchFirst(t *testing.T) {
	closed := false
	m := New(styles.New(styles.Options{}), shares(), grid.ColumnLayout{}, 0, func(grid.ColumnLayout) tea.Cmd { closed = true; return nil })
	press(t, m, "/", "o", "w", "enter", "esc")
	if closed || m.grid.Len() != len(shares()) {
		t.Errorf("closed %v, %d columns found", closed, m.grid.Len())
	}
	press(t, m, "esc")
	if !closed {
		t.Error("the picker is still open")
	}
}

func TestDefaultHidesColumnsWithoutValues(t *testing.T) {
	for _, tt := range []struct {
		name  string
		nulls []bool
		want  grid.ColumnLayout
	}{
		{"no columns", nil, grid.ColumnLayout{}},
		{"values in all", []bool{false, false}, grid.ColumnLayout{}},
		{"values in some", []bool{true, false, true}, grid.ColumnLayout{Order: []int{1}}},
		{"values in none", []bool{true, true}, grid.ColumnLayout{}},
	} {
		var columns []Column
		for _, nulls := range tt.nulls {
			columns = append(columns, Column{OnlyNulls: nulls})
		}
		if got := Default(columns); !got.Equal(tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestAClickOnTheBoxOrTheLineUnderTheCursorTogglesIt(t *testing.T) {
	m := open(shares())
	screentest.Draw(m, 80, 24) // the heading, the titles, then the columns
	m.Click(10, 3)
	if column, _ := m.current(); column != 1 || !m.shown[1] {
		t.Fatalf("column %d is current, shown %v", column, m.shown[1])
	}
	m.Click(10, 3)
	if m.shown[1] {
		t.Error("the line under the cursor was not hidden")
	}
	m.Click(2, 4)
	if m.shown[2] {
		t.Error("the box did not hide its column")
	}
}

func TestTwoThousandColumnsAreDrawnAtOnce(t *testing.T) {
	columns := make([]Column, 2_000)
	for i := range columns {
		columns[i] = Column{Title: fmt.Sprintf("Group%d.Member%d", i/10, i), Kind: "text"}
	}
	m := open(columns)
	press(t, m, "/", "r", "1", "9", "9", "8", "enter", "space")
	if m.shown[1998] || m.countShown() != 1_999 {
		t.Error("the column that was found is not hidden")
	}
	for width := 1; width <= 130; width += 9 {
		for _, height := range []int{1, 2, 5, 30} {
			lines := strings.Split(screentest.Draw(m, width, height), "\n")
			if len(lines) != height {
				t.Fatalf("%dx%d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > width {
					t.Fatalf("%dx%d: a line takes %d cells", width, height, ansi.StringWidth(line))
				}
			}
		}
	}
}

// A key and its frame have a millisecond, among 2,000 columns too.
func BenchmarkMove(b *testing.B) {
	columns := make([]Column, 2_000)
	for i := range columns {
		columns[i] = Column{Title: fmt.Sprintf("Group%d.Member%d", i/10, i), Kind: "text"}
	}
	m := open(columns)
	screentest.Draw(m, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		m.move(1)
		m.refresh()
		m.Actions()
		screentest.Draw(m, 120, 40)
	}
}
