package browse

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/records"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// someColumns are the columns of a list of shares, one of which has no value.
func someColumns() []pickerColumn {
	return []pickerColumn{
		{Label: "Name", Name: "Name", Kind: records.TextColumn},
		{Label: "Id", Name: "Id", Kind: records.NumberColumn},
		{Label: "ShareDefault.Owner", Name: "ShareDefault.Owner", Kind: records.EmailColumn},
		{Label: "SpaceUsage.DiskUsage", Name: "SpaceUsage.DiskUsage", Kind: records.BytesColumn},
		{Label: "TimeStamps.CreateTime", Name: "TimeStamps.CreateTime", Kind: records.TimeColumn},
		{Label: "日本語の欄とても長い名前が付いている列です", Name: "日本語の欄とても長い名前が付いている列です", Kind: records.TextColumn},
		{Label: "Description\x1b[31m", Name: "Description\x1b[31m", Kind: records.NullColumn},
	}
}

// openPicker makes a picker over the columns as they are by default.
func openPicker(columns []pickerColumn) *columnPicker {
	return newColumnPicker(styles.New(styles.Options{}), columns, usualColumns(columns), 0, func(grid.ColumnLayout) tea.Cmd { return nil })
}

// pressOn types keys, which are actions or text for the field that has the focus.
func pressOn(t *testing.T, p *columnPicker, keys ...string) {
	t.Helper()
	for _, key := range keys {
		a, ok := screen.FindAction(screen.DefaultKeys().Fill(p.Actions()), key, p.Typing())
		switch {
		case ok && a.Enabled():
			a.Run()
		case p.Typing():
			p.Update(tea.KeyPressMsg{Code: []rune(key)[0], Text: key})
		default:
			t.Fatalf("%q does nothing now: %s", key, a.Reason)
		}
	}
}

// reason is why a key cannot work now.
func reason(t *testing.T, p *columnPicker, key string) string {
	t.Helper()
	a, ok := screen.FindAction(screen.DefaultKeys().Fill(p.Actions()), key, false)
	if !ok {
		t.Fatalf("nothing is bound to %q", key)
	}
	return a.Reason
}

func TestTheColumnPickerLooksAsRecorded(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
		p := openPicker(someColumns())
		pressOn(t, p, "j", "j", "space", "j")
		name := fmt.Sprintf("columns-%dx%d", size.width, size.height)
		testkit.Golden(t, name, ansi.Strip(uitest.Draw(p, size.width, size.height))+"\n")
	}
	p := openPicker(someColumns())
	pressOn(t, p, "/", "t", "i", "m")
	testkit.Golden(t, "columns-find-40x10", ansi.Strip(uitest.Draw(p, 40, 10))+"\n")
}

func TestKeysChooseTheColumns(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want grid.ColumnLayout
	}{
		{"columns without values start hidden", nil, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}}},
		{"hide", []string{"j", "space"}, grid.ColumnLayout{Order: []int{0, 2, 3, 4, 5}}},
		{"hide and show again", []string{"j", "space", "space"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}}},
		{"move down twice", []string{"J", "shift+down"}, grid.ColumnLayout{Order: []int{1, 2, 0, 3, 4, 5}}},
		{"move up", []string{"j", "j", "K"}, grid.ColumnLayout{Order: []int{0, 2, 1, 3, 4, 5}}},
		{"move a hidden one and show it", []string{"G", "K", "shift+up", "space"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 6, 4, 5}}},
		{"as by default", []string{"j", "space", "J", "d"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 4, 5}}},
		{"found by a word, and moved among what is found", []string{"/", "s", "h", "enter", "J", "esc"}, grid.ColumnLayout{Order: []int{0, 1, 3, 2, 4, 5}}},
		{"found and hidden", []string{"/", "T", "I", "M", "E", "enter", "space"}, grid.ColumnLayout{Order: []int{0, 1, 2, 3, 5}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			columns := someColumns()
			if strings.HasPrefix(tt.name, "found by") {
				columns[3].Label = "\u017fharing" // its first letter is an s in another spelling
			}
			p := openPicker(columns)
			pressOn(t, p, tt.keys...)
			if diff := cmp.Diff(tt.want, p.result()); diff != "" {
				t.Errorf("the layout differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheLastColumnIsNotHidden(t *testing.T) {
	p := newColumnPicker(styles.New(styles.Options{}), someColumns(), grid.ColumnLayout{Order: []int{4}}, 4, nil)
	if column, _ := p.current(); column != 4 {
		t.Fatalf("column %d is current", column)
	}
	if reason(t, p, "space") == "" {
		t.Error("the last column can be hidden")
	}
	uitest.Draw(p, 80, 24)
	p.Click(1, 1+p.grid.Len())
	for y := range 10 {
		if p.Click(1, y); p.countShown() == 0 {
			t.Fatal("clicks have hidden the last column")
		}
	}
}

func TestKeysSayWhyTheyCannotWork(t *testing.T) {
	p := openPicker(someColumns())
	for key, want := range map[string]bool{"K": true, "J": false, "space": false} {
		if got := reason(t, p, key); (got != "") != want {
			t.Errorf("%q: the reason is %q", key, got)
		}
	}
	pressOn(t, p, "G")
	for key, want := range map[string]bool{"K": false, "J": true} {
		if got := reason(t, p, key); (got != "") != want {
			t.Errorf("at the end %q: the reason is %q", key, got)
		}
	}
	pressOn(t, p, "/", "z", "z", "enter")
	for _, key := range []string{"space", "J", "K"} {
		if reason(t, p, key) != noColumnFound {
			t.Errorf("nothing is found, but %q works", key)
		}
	}
	if frame := uitest.Draw(p, 40, 10); !strings.Contains(frame, "No column matches") || strings.Count(frame, "\n") != 9 {
		t.Errorf("the frame is\n%s", frame)
	}
}

func TestClosingTellsTheLayout(t *testing.T) {
	for _, key := range []string{"enter", "esc", "c"} {
		var told []grid.ColumnLayout
		p := newColumnPicker(styles.New(styles.Options{}), someColumns(), grid.ColumnLayout{Order: []int{1, 3}, Widths: map[int]int{1: 7}}, 3,
			func(l grid.ColumnLayout) tea.Cmd { told = append(told, l); return nil })
		pressOn(t, p, "K", "K", key) // past a hidden one
		if diff := cmp.Diff([]grid.ColumnLayout{{Order: []int{3, 1}, Widths: map[int]int{1: 7}}}, told); diff != "" {
			t.Errorf("%s told layouts (-want +got):\n%s", key, diff)
		}
	}
}

func TestEscLeavesTheSearchFirst(t *testing.T) {
	closed := false
	p := newColumnPicker(styles.New(styles.Options{}), someColumns(), grid.ColumnLayout{}, 0, func(grid.ColumnLayout) tea.Cmd { closed = true; return nil })
	pressOn(t, p, "/", "o", "w", "enter", "esc")
	if closed || p.grid.Len() != len(someColumns()) {
		t.Errorf("closed %v, %d columns found", closed, p.grid.Len())
	}
	pressOn(t, p, "esc")
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
		var columns []pickerColumn
		for _, nulls := range tt.nulls {
			column := pickerColumn{Kind: records.TextColumn}
			if nulls {
				column.Kind = records.NullColumn
			}
			columns = append(columns, column)
		}
		if got := usualColumns(columns); !got.Equal(tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestAClickOnTheBoxOrTheLineUnderTheCursorTogglesIt(t *testing.T) {
	p := openPicker(someColumns())
	uitest.Draw(p, 80, 24) // the titles, then the columns
	p.Click(10, 2)
	if column, _ := p.current(); column != 1 || !p.shown[1] {
		t.Fatalf("column %d is current, shown %v", column, p.shown[1])
	}
	p.Click(10, 2)
	if p.shown[1] {
		t.Error("the line under the cursor was not hidden")
	}
	p.Click(2, 3)
	if p.shown[2] {
		t.Error("the box did not hide its column")
	}
}

func TestTwoThousandColumnsAreDrawnAtOnce(t *testing.T) {
	columns := make([]pickerColumn, 2_000)
	for i := range columns {
		columns[i] = pickerColumn{Label: fmt.Sprintf("Group%d.Member%d", i/10, i), Kind: records.TextColumn}
	}
	p := openPicker(columns)
	pressOn(t, p, "/", "r", "1", "9", "9", "8", "enter", "space")
	if p.shown[1998] || p.countShown() != 1_999 {
		t.Error("the column that was found is not hidden")
	}
	for width := 1; width <= 130; width += 9 {
		for _, height := range []int{1, 2, 5, 30} {
			lines := strings.Split(uitest.Draw(p, width, height), "\n")
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
func BenchmarkColumnPicker(b *testing.B) {
	columns := make([]pickerColumn, 2_000)
	for i := range columns {
		columns[i] = pickerColumn{Label: fmt.Sprintf("Group%d.Member%d", i/10, i), Kind: records.TextColumn}
	}
	p := openPicker(columns)
	uitest.Draw(p, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		p.move(1)
		p.refresh()
		p.Actions()
		uitest.Draw(p, 120, 40)
	}
}
