package grid

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/lists"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// checkFrame fails unless the frame has exactly the size it was asked for.
func checkFrame(t *testing.T, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Fatalf("%dx%d: %d lines", width, height, len(lines))
	}
	for i, line := range lines {
		if w := safetext.Width(line); w != width {
			t.Fatalf("%dx%d: line %d takes %d cells: %q", width, height, i, w, line)
		}
	}
}

func TestFramesLookAsRecorded(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
		m := New(dark(), shares())
		m.cursor.MoveTo(3)
		m.Sorted(lists.SortKey{Column: 1, Descending: true})
		m.SelectColumn(1)
		name := fmt.Sprintf("grid-%dx%d", size.width, size.height)
		testkit.Golden(t, name, ansi.Strip(draw(m, size.width, size.height))+"\n")
	}
}

func TestStyledFrameLooksAsRecorded(t *testing.T) {
	for name, theme := range map[string]*styles.Theme{"dark": dark(), "nocolor": plain()} {
		m := New(theme, shares())
		m.SetMatch([]string{"É", "o"})
		m.SelectColumn(2)
		frame := strings.ReplaceAll(draw(m, 60, 12), "\x1b", "␛")
		testkit.Golden(t, "grid-styled-"+name, frame+"\n")
	}
}

func TestFramesHaveTheSizeThatWasAskedFor(t *testing.T) {
	for _, theme := range []*styles.Theme{dark(), plain()} {
		m := New(theme, shares())
		m.SetMatch([]string{"👩", "o"})
		m.Sorted(lists.SortKey{Column: 3, Descending: false})
		for width := 1; width <= 200; width += 1 + width/20 {
			m.SelectColumn(width % 9)
			for _, height := range []int{1, 2, 3, 10, 60} {
				m.cursor.MoveTo(width * height % 31)
				frame := draw(m, width, height)
				checkFrame(t, frame, width, height)
				header, _, _ := strings.Cut(frame, "\n")
				if marked := newStyles(theme).current; width >= 4 && !strings.Contains(header, marked.Open) {
					t.Fatalf("%dx%d: the header does not mark the current column: %q", width, height, header)
				}
				if n := strings.Count(ansi.Strip(frame), "\n"+theme.Glyphs.Cursor); n != min(1, height-1) {
					t.Fatalf("%dx%d: %d rows are under the cursor", width, height, n)
				}
			}
		}
	}
}

func TestNothingIsDrawnWithoutRoom(t *testing.T) {
	m := New(dark(), shares())
	for _, size := range [][2]int{{0, 5}, {5, 0}, {-1, -1}} {
		if got := draw(m, size[0], size[1]); got != "" {
			t.Errorf("View(%d, %d) = %q", size[0], size[1], got)
		}
	}
}

func TestWideTextKeepsColumnsAligned(t *testing.T) {
	names := []string{"東京", "مرحبا", "👨‍👩‍👧‍👦", "🇩🇰", "Cafe\u0301", "plain", "\u0301lone mark", "❤️", "\x1b[2J", "\xff\xfe"}
	var rows [][]string
	for _, name := range names {
		rows = append(rows, []string{name, "|", name, "|"})
	}
	columns := []Column{{Heading: "東京"}, {Heading: "|"}, {Heading: "👨‍👩‍👧‍👦", Numeric: true}, {Heading: "|"}}
	for _, theme := range []*styles.Theme{dark(), plain()} {
		m := New(theme, literal(columns, rows...))
		m.SetMatch([]string{"東", "e", "\U0001f469"})
		m.cursor.MoveTo(2)
		m.SelectColumn(1)
		lines := strings.Split(draw(m, 60, len(rows)+1), "\n")
		want := bars(lines[0])
		if len(want) != 2 {
			t.Fatalf("bars of the header at %v, want two", want)
		}
		for i, line := range lines[1:] {
			if got := bars(line); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("row %q has its bars at %v, the header at %v", names[i], got, want)
			}
		}
	}
}

func TestTextIsCutAtTheEdgeOfAGrapheme(t *testing.T) {
	texts := []string{
		"東京オフィス", "مرحبا بالعالم", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "🇩🇰🇯🇵🇩🇰🇯🇵🇩🇰", "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", "नमस्ते नमस्ते", "a東b京c都d府",
	}
	for _, theme := range []*styles.Theme{dark(), plain()} {
		for _, text := range texts {
			for width := 1; width <= 8; width++ {
				m := New(theme, literal([]Column{{Heading: "x", Width: width}, {Heading: "|"}}, []string{text, "|"}, []string{text, "|"}))
				m.SelectColumn(1)
				frame := ansi.Strip(draw(m, 40, 3))
				checkFrame(t, frame, 40, 3)
				for _, line := range strings.Split(frame, "\n") {
					if got := bars(line); len(got) != 1 || got[0] != width+4 {
						t.Errorf("%q in %d cells: the bar is at %v in %q", text, width, got, line)
					}
					cell, _, _ := strings.Cut(strings.TrimLeft(line, " ▌"), "|")
					if head, cut := strings.CutSuffix(strings.TrimRight(cell, " "), "…"); cut && !beginsWithClusters(text, head) {
						t.Errorf("%q in %d cells is cut inside a grapheme: %q", text, width, head)
					}
				}
			}
		}
	}
}

// beginsWithClusters reports whether head is some whole grapheme clusters that
// text begins with.
func beginsWithClusters(text, head string) bool {
	for head != "" {
		cluster, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if !strings.HasPrefix(head, cluster) {
			return false
		}
		text, head = text[len(cluster):], head[len(cluster):]
	}
	return true
}

// bars returns the cells with a "|" in them.
func bars(line string) []int {
	var cells []int
	line = ansi.Strip(line)
	for i, c := range line {
		if c == '|' {
			cells = append(cells, safetext.Width(line[:i]))
		}
	}
	return cells
}

func TestMissingNullAndEmptyLookDifferent(t *testing.T) {
	source := literal([]Column{{Heading: "A"}, {Heading: "B"}},
		[]string{"x", "null"}, []string{"x", "\x00"}, []string{"x", ""}, []string{"x"})
	for name, theme := range map[string]*styles.Theme{"dark": dark(), "no colour": plain()} {
		m := New(theme, source)
		m.SetRows([]int32{0, 0, 1, 2, 3})
		seen := map[string]bool{}
		for _, line := range strings.Split(draw(m, 20, 6), "\n")[2:] {
			seen[line] = true
		}
		if len(seen) != 4 {
			t.Errorf("%s: the text null, a null, an empty and a missing cell look like %d different things", name, len(seen))
		}
	}
}

func TestTheRowUnderTheCursorIsBrightAllOver(t *testing.T) {
	source := numbered(1, 3)
	source.cell = func(_, column int) Cell {
		return []Cell{{Text: "name", Tone: Muted}, {Text: "1", Unit: "MB", Tone: Number}, {State: Null}}[column]
	}
	for name, theme := range map[string]*styles.Theme{"dark": dark(), "no colour": plain()} {
		m := New(theme, source)
		row := strings.Split(draw(m, 31, 2), "\n")[1]
		want := theme.Row.Fill(theme.Accent.Render(theme.Glyphs.Cursor) + " name      1 MB      null     ")
		if row != want {
			t.Errorf("%s: the row is %q, want %q", name, row, want)
		}
	}
}

func TestWhatMeansSomethingIsSeenUnderTheCursorToo(t *testing.T) {
	source := numbered(1, 1)
	source.cell = func(int, int) Cell { return Cell{Text: "full of words", Tone: Bad} }
	m := New(dark(), source)
	m.SetMatch([]string{"word"})
	row := strings.Split(draw(m, 30, 2), "\n")[1]
	for _, style := range []styles.Style{m.theme.Bad, m.theme.Match} {
		if open := style.SGR.Open; !strings.Contains(row, open) {
			t.Errorf("there is no %q in %q", open, row)
		}
	}
}

func TestAnUnchangedGridIsNotDrawnAgain(t *testing.T) {
	theme := dark()
	source := numbered(1000, 5)
	m := New(theme, source)
	first := draw(m, 80, 24)
	asked := source.asked
	if n := testing.AllocsPerRun(10, func() { m.Settle(80, 24) }); n != 0 || source.asked != asked {
		t.Errorf("%v allocations and %d rows for a grid that is drawn already", n, source.asked-asked)
	}
	*theme = *styles.New(styles.Options{Light: true})
	if draw(m, 80, 24) == first {
		t.Error("the frame is still that of the theme before")
	}
	m.cursor.MoveTo(1)
	if got := draw(m, 80, 24); got == first || source.asked == asked {
		t.Error("the frame is still that of the cursor before")
	}
}

func TestOnlyVisibleRowsAreAskedFor(t *testing.T) {
	source := numbered(1_000_000, 5)
	m := New(dark(), source)
	draw(m, 80, 24)
	if source.asked > sampleRows+23 {
		t.Errorf("%d rows are asked for the first time", source.asked)
	}
	source.asked = 0
	m.cursor.MoveTo(500_000)
	draw(m, 80, 24)
	if source.asked != 23 {
		t.Errorf("%d rows are asked for, want 23", source.asked)
	}
}

func TestAHugeCellCostsWhatIsSeenOfIt(t *testing.T) {
	huge := strings.Repeat("日本\x1b ", 1<<20)
	source := literal([]Column{{Heading: huge}, {Heading: "B"}}, []string{huge, "\x00"}, []string{"x", huge})
	m := New(dark(), source)
	m.SetMatch([]string{"本"})
	bytes := allocated(func() { draw(m, 80, 3) })
	if bytes > uint64(len(huge))/4 {
		t.Errorf("%d bytes are allocated for a frame", bytes)
	}
	checkFrame(t, draw(m, 80, 3), 80, 3)
}

// allocated returns how many bytes a call allocates.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func FuzzFrameOfAnyCells(f *testing.F) {
	f.Add("東京", "👨‍👩‍👧‍👦", "e", uint8(40), uint8(5))
	f.Add("\x1b[31m", "\u0301\u202e\ufe0f", "\u0301", uint8(7), uint8(3))
	f.Add("\U0001f1e9", "\U0001f1f0", "\U0001f1e9", uint8(90), uint8(2))
	f.Add("a\u200d", "\U0001f3fd", "A", uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, one, two, word string, width, height uint8) {
		if width == 0 || height == 0 {
			return
		}
		for _, theme := range []*styles.Theme{dark(), plain()} {
			m := New(theme, literal([]Column{{Heading: one}, {Heading: two, Numeric: true}, {Heading: one + two}},
				[]string{one, two, two + one}, []string{two, one}, []string{"\x00", "", one}))
			m.SetMatch([]string{word})
			m.cursor.MoveTo(int(height) % 3)
			m.SelectColumn(int(width) % 3)
			m.Sorted(lists.SortKey{Column: int(width+height) % 3, Descending: height%2 == 0})
			checkFrame(t, draw(m, int(width), int(height)), int(width), int(height))
		}
	})
}
