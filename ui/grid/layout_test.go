package grid

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/lists"
)

// header is the first line of a frame, with the current heading in brackets.
func header(m *Model, width int) string {
	line, _, _ := strings.Cut(draw(m, width, 6), "\n")
	marked := newStyles(m.theme).current
	before, rest, found := strings.Cut(line, marked.Open)
	if heading, after, _ := strings.Cut(rest, marked.Close); found {
		line = before + "[" + heading + "]" + after
	}
	return strings.TrimRight(ansi.Strip(line), " ")
}

func TestALayoutChoosesAndOrdersTheColumns(t *testing.T) {
	for _, tt := range []struct {
		name        string
		order       []int
		header, row string
	}{
		{"none", nil, "  Column 0  [Column 1]  Column 2  Column 3", "  r1 c0     r1 c1     r1 c2     r1 c3"},
		{"other order", []int{3, 1}, "  Column 3  [Column 1]", "  r1 c3     r1 c1"},
		{"twice, and of no source", []int{1, 7, 1, -1, 0}, "  [Column 1]  Column 0", "  r1 c1     r1 c0"},
		{"of no source alone", []int{7}, "  Column 0  [Column 1]  Column 2  Column 3", "  r1 c0     r1 c1     r1 c2     r1 c3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := New(dark(), numbered(5, 4))
			m.SelectColumn(1)
			m.SetOrder(tt.order)
			if got := header(m, 80); got != tt.header {
				t.Errorf("the header is %q, want %q", got, tt.header)
			}
			if got := strings.TrimRight(strings.Split(ansi.Strip(draw(m, 80, 6)), "\n")[2], " "); got != tt.row {
				t.Errorf("the row is %q, want %q", got, tt.row)
			}
		})
	}
}

func TestANewLayoutKeepsWhatItCan(t *testing.T) {
	m := New(dark(), numbered(100, 30))
	draw(m, 60, 11)
	m.SelectColumn(20)
	m.cursor.MoveTo(40)
	m.Sorted(lists.SortKey{Column: 21, Descending: true})
	draw(m, 60, 11)
	order := shownColumns(nil, 30)
	order[0], order[29] = order[29], order[0]
	m.SetOrder(order)
	if got := header(m, 60); !strings.Contains(got, "[Column 20]") || !strings.HasPrefix(got, "  Column 29") {
		t.Errorf("the header is %q", got)
	}
	if m.cursor.Row() != 40 || !slices.Equal(m.sorted, []lists.SortKey{{Column: 21, Descending: true}}) {
		t.Errorf("cursor at %d, sorted by %v", m.cursor.Row(), m.sorted)
	}
	m.SetOrder([]int{1, 21})
	if got := header(m, 60); got != "  Column 1  [Column 21 ▼]" {
		t.Errorf("after the current column was hidden the header is %q", got)
	}
	m.SetSource(numbered(5, 3), nil)
	if got := header(m, 60); got != "  [Column 1]" {
		t.Errorf("with another source the header is %q", got)
	}
}

func TestGrownRowsMoveNothing(t *testing.T) {
	source := numbered(0, 4)
	m := New(dark(), source)
	draw(m, 60, 11)
	source.rows = 50
	m.Grow(source, nil)
	draw(m, 60, 11)
	m.cursor.MoveTo(30)
	m.SelectColumn(2)
	m.Sorted(lists.SortKey{Column: 1, Descending: false})
	before := draw(m, 60, 11)
	source.rows = 1_000_000
	source.asked = 0
	m.Grow(source, nil)
	if got := draw(m, 60, 11); got != before {
		t.Errorf("the frame has changed:\n%s\nwas\n%s", ansi.Strip(got), ansi.Strip(before))
	}
	if m.Len() != 1_000_000 {
		t.Errorf("%d rows", m.Len())
	}
	if source.asked > sampleRows-50+10 {
		t.Errorf("%d rows were asked for", source.asked)
	}
	source.asked = 0
	m.Grow(source, nil)
	draw(m, 60, 11)
	if source.asked != 10 {
		t.Errorf("%d rows were asked for once enough were measured, want the 10 that are visible", source.asked)
	}
	wider := numbered(1_000_001, 6)
	m.Grow(wider, nil)
	if got := header(m, 120); !strings.Contains(got, "Column 5") || !strings.Contains(got, "[Column 2]") {
		t.Errorf("with further columns the header is %q", got)
	}
}

func TestOnlyVisibleColumnsAreAskedFor(t *testing.T) {
	source := numbered(10, 2_000)
	m := New(dark(), source)
	draw(m, 80, 11)
	source.seen = map[int]bool{}
	m.cursor.MoveTo(3)
	draw(m, 80, 11)
	if n := len(source.seen); n == 0 || n > 10 {
		t.Errorf("%d columns were asked for", n)
	}
}

func TestATonedCellGoesOnInItsToneBehindAMatch(t *testing.T) {
	source := numbered(2, 1)
	source.cell = func(int, int) Cell { return Cell{Text: "✓ active", Tone: Good} }
	m := New(dark(), source)
	m.SetMatch([]string{"act"})
	row := strings.Split(draw(m, 20, 3), "\n")[2]
	good, match := m.theme.Good.SGR, m.theme.Match.SGR
	want := "  " + good.Open + "✓ " + good.Close + match.Open + "act" + match.Close + good.Open + "ive" + good.Close
	if !strings.HasPrefix(row, want) {
		t.Errorf("the row is %q, want %q", row, want)
	}
	m = New(plain(), source)
	if row := strings.Split(draw(m, 20, 3), "\n")[2]; !strings.HasPrefix(row, "  ✓ active") {
		t.Errorf("without colour the row is %q", row)
	}
}

// A heading is never cut: the column is left out instead, unless it is the one that the cursor is in.
func TestNoHeadingIsCut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	heading := func() string {
		words := []string{"Name", "Share", "Association", "Type", "virtual", "Owner", "契約", "Årsregnskab", "Id"}
		text := words[random.IntN(len(words))]
		for range random.IntN(3) {
			text += " " + words[random.IntN(len(words))]
		}
		return text
	}
	for range 60 {
		var columns []Column
		var row []string
		for range 2 + random.IntN(7) {
			columns = append(columns, Column{Heading: heading(), Numeric: random.IntN(3) == 0})
			row = append(row, strings.Repeat("x", random.IntN(40)))
		}
		current := random.IntN(len(columns))
		for width := 24; width <= 200; width++ {
			m := New(dark(), literal(columns, row))
			m.SelectColumn(current)
			m.Sorted(lists.SortKey{Column: random.IntN(len(columns)), Descending: true})
			draw(m, width, 6)
			for _, span := range m.arrange(width) {
				need := m.headed(span.column)
				hasNoMore := span.column == current && span.end() >= width
				if span.width < need && !hasNoMore {
					t.Fatalf("in %d cells the heading of %d cells has %d: %s", width, need, span.width, header(m, width))
				}
			}
		}
	}
}

func TestASortMarkHasANumberWhereThereAreSeveral(t *testing.T) {
	m := New(dark(), numbered(3, 3))
	for _, tt := range []struct {
		keys []lists.SortKey
		want string
	}{
		{nil, "  [Column 0]  Column 1  Column 2"},
		{[]lists.SortKey{{Column: 1, Descending: true}}, "  [Column 0]  Column 1 ▼  Column 2"},
		{[]lists.SortKey{{Column: 2, Descending: false}, {Column: 0, Descending: true}}, "  [Column 0 ▼2]  Column 1  Column 2 ▲1"},
	} {
		m.Sorted(tt.keys...)
		if got := header(m, 80); got != tt.want {
			t.Errorf("sorted by %v the header is %q, want %q", tt.keys, got, tt.want)
		}
	}
}

// measured is a source with values that have a short form and a unit.
func measured(rows ...[]Cell) Source {
	source := numbered(len(rows), len(rows[0]))
	source.columns = []Column{{Heading: "Name"}, {Heading: "Owner"}, {Heading: "Size", Numeric: true}}
	source.cell = func(row, column int) Cell { return rows[row][column] }
	return source
}

func TestValuesAreShortWhereTheirColumnHasNoRoomForAll(t *testing.T) {
	source := measured(
		[]Cell{{Text: "Contracts of the harbour"}, {Text: "lars.eklund@harbor.example", Short: "lars.eklund@…"}, {Text: "47.7", Unit: "MB"}},
		[]Cell{{Text: "Board"}, {Text: "al@b.example", Short: "al@…"}, {Text: "479", Unit: "B "}},
	)
	for width, want := range map[int][2]string{
		80: {"▌ Contracts of the harbour  lars.eklund@harbor.example  47.7 MB", "  Board                     al@b.example                 479 B"},
		56: {"▌ Contracts of the harbour  lars.eklund@…  47.7 MB", "  Board                     al@…            479 B"},
	} {
		m := New(dark(), source)
		lines := strings.Split(ansi.Strip(draw(m, width, 3)), "\n")
		for i, line := range want {
			if got := strings.TrimRight(lines[i+1], " "); got != line {
				t.Errorf("in %d cells row %d is\n%q, want\n%q", width, i, got, line)
			}
		}
	}
}

func TestColumnsThatNobodyHasSeenChangeNothingWhenTheyAreMeasured(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		source := numbered(1+random.IntN(300), 1+random.IntN(30))
		lengths := make([]int, len(source.columns))
		for i := range lengths {
			lengths[i] = random.IntN(50)
			source.columns[i] = Column{Heading: strings.Repeat("T", 1+random.IntN(20)), Numeric: random.IntN(4) == 0, Width: max(0, random.IntN(240)-180)}
		}
		source.cell = func(row, column int) Cell {
			text := strings.Repeat("x", (row*7+lengths[column])%(lengths[column]+1))
			return Cell{Text: text, Short: text[len(text)/2:]}
		}
		some, all := New(dark(), source), New(dark(), source)
		for range 8 {
			width, row, column := random.IntN(160), random.IntN(source.rows), random.IntN(len(source.columns))
			order := random.Perm(len(source.columns))[:random.IntN(len(source.columns)+1)]
			change := random.IntN(5)
			for _, m := range []*Model{some, all} {
				switch change {
				case 0:
					m.SetOrder(order)
				case 1:
					m.Sorted(lists.SortKey{Column: column, Descending: false})
				case 2:
					m.SelectColumn(column)
				default:
					m.cursor.MoveTo(row)
				}
			}
			all.measure(len(all.order))
			if got, want := draw(some, width, 12), draw(all, width, 12); got != want {
				t.Fatalf("%d cells wide:\n%s\nwant\n%s", width, ansi.Strip(got), ansi.Strip(want))
			}
		}
	}
}

func TestOfManyColumnsThoseAreLookedAtThatThereMayBeRoomFor(t *testing.T) {
	m := New(dark(), numbered(100, 40))
	draw(m, 60, 11)
	if m.sampledColumns > 6 {
		t.Errorf("%d columns were measured for a line of 60 cells", m.sampledColumns)
	}
	m.SelectColumn(39)
	draw(m, 60, 11)
	if m.sampledColumns != 40 {
		t.Errorf("%d columns were measured to show the last one", m.sampledColumns)
	}
}
