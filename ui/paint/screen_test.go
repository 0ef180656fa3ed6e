package paint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/safetext"
)

// frameOf is a frame of a size with some lines.
func frameOf(width, height int, lines ...string) Frame {
	return Frame{Width: width, Height: height, Content: strings.Join(lines, "\n")}
}

func TestAFrameIsShownAsItIs(t *testing.T) {
	lines := []string{"first", "", "  third" + strings.Repeat(" ", 20) + "far", "\x1b[7mfourth\x1b[m", "five"}
	e := newEmulator(t, 40, 5)
	e.paint(frameOf(40, 5, lines...))
	want := ansi.Strip(strings.Join(lines, "\n"))
	if diff := cmp.Diff(want, e.text()); diff != "" {
		t.Error(diff)
	}
	if e.term.CursorVisible() {
		t.Error("the cursor is shown")
	}
}

func TestWhatIsShownAlreadyTakesNothing(t *testing.T) {
	e := newEmulator(t, 40, 5)
	f := frameOf(40, 5, "one", "two 日本")
	f.Title, f.Mouse, f.Synchronized = "title", true, true
	if n := e.paint(f); n == 0 {
		t.Error("the first frame takes nothing")
	}
	if painted := e.Paint(f); painted != nil {
		t.Errorf("the same frame again takes %q", painted)
	}
	f.Content += "\n" // says the same in other words
	if painted := e.Paint(f); len(painted) != 0 {
		t.Errorf("the same lines again take %q", painted)
	}
}

func TestOnlyWhatChangesIsWritten(t *testing.T) {
	row := "\x1b[1mabc\x1b[m 日本 " + strings.Repeat("x", 31)
	base := []string{row, "row 1 of 20", row, "e\u0301 1"}
	for _, tt := range []struct {
		name, want string
		change     func([]string)
	}{
		{"two numbers", "\x1b[2;5H4 of 3", func(l []string) { l[1] = "row 4 of 30" }},
		{"behind what is not ASCII", "\x1b[4;3H2", func(l []string) { l[3] = "e\u0301 2" }},
		{"below a mark", "\x1b[4H\x1b[5Xa\u0301\x1b[2G\x1b[4X 1", func(l []string) { l[3] = "a\u0301 1" }},
		{"to a longer one", "\x1b[2;6H0 of 20", func(l []string) { l[1] = "row 10 of 20" }},
		{"a line with wide characters", "\x1b[3;41H_", func(l []string) { l[2] = row + "_" }},
		{"to nothing", "\x1b[2H\x1b[K", func(l []string) { l[1] = "" }},
		{"a part between others", "\x1b[2Hthe\x1b[6C9", func(l []string) { l[1] = "the 1 of 90" }},
		{"the style of a part", "\x1b[2;5H\x1b[1m1\x1b[m", func(l []string) { l[1] = "row \x1b[1m1\x1b[m of 20" }},
		{"the style of a blank, which does not show it", "", func(l []string) { l[1] = "row\x1b[1;31m \x1b[m1 of 20" }},
		{"parts of two colours in two lines", "\x1b[1;41H\x1b[31my\x1b[2;12Hw\r\x1b[32mrow\x1b[m", func(l []string) {
			l[0], l[1] = row+"\x1b[31my\x1b[m", "\x1b[32mrow\x1b[m 1 of 20\x1b[31mw\x1b[m"
		}},
		{"a colour after a colour", "\x1b[2H\x1b[31mrow\x1b[32m 1\x1b[m", func(l []string) { l[1] = "\x1b[31mrow\x1b[m\x1b[32m 1\x1b[m of 20" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEmulator(t, 42, 4)
			f := frameOf(42, 4, base...)
			e.paint(f)
			lines := append([]string(nil), base...)
			tt.change(lines)
			f.Content = strings.Join(lines, "\n")
			if got := string(e.Paint(f)); got != tt.want {
				t.Errorf("%q is written, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatFollowsACharacterOfDoubtfulWidthStaysInItsColumn(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"of more runes than one", "👩\u200d👩\u200d👧 12", "\x1b[1H\x1b[16X👩\u200d👩\u200d👧\x1b[7G\x1b[10X 12"},
		{"of a mark that widens", "\x1b[1m❤\ufe0f\x1b[m 12", "\x1b[1H\x1b[10X\x1b[1m❤\ufe0f\x1b[3G\x1b[m\x1b[4X 12"},
		{"of a vowel", "a  \u0e01\u0e33 12", "\x1b[1H\x1b[12Xa  \u0e01\u0e33\x1b[6G\x1b[4X\ra\x1b[5C12"},
		{"that all agree on", "日本 12", "\x1b[1H\x1b[7X日本\x1b[6G12"},
		{"of an old sign", "✅ 12", "\x1b[1H\x1b[6X✅\x1b[4G12"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEmulator(t, 20, 1)
			e.paint(frameOf(20, 1, "before"))
			if got := string(e.Paint(frameOf(20, 1, tt.line))); got != tt.want {
				t.Errorf("%q is written, want %q", got, tt.want)
			}
		})
	}
}

// listFrame is a list of 120x40 with a selected row, and with something of that row beside it.
func listFrame(top, selected int, beside string) Frame {
	lines := []string{"header", "", fmt.Sprintf("%-100s\x1b[38;2;9;9;9mrow %d of 100,000\x1b[m", "100,000 shares", selected+1), "columns"}
	for row := top; row < top+34; row++ {
		line := fmt.Sprintf(" 東京の%d名簿%-60s%9d   owner%d@harbor.example ", row%7, "", row*7919%1000, row%10)
		if row == selected {
			line = "\x1b[1;38;2;255;255;255;48;2;0;95;135m" + line + "\x1b[m"
		}
		lines = append(lines, line+strings.ReplaceAll(beside, "n", fmt.Sprint(selected*row)))
	}
	return frameOf(120, 40, append(lines, "", "enter detail  esc back")...)
}

func TestAStepDownAListOfWideCharactersTakesFewBytes(t *testing.T) {
	for beside, limit := range map[string]int{"": 400, "│ n": 900} {
		e := newEmulator(t, 120, 40)
		e.paint(listFrame(0, 0, beside))
		most := 0
		for selected := 1; selected < 100; selected++ {
			f := listFrame(max(0, selected-33), selected, beside)
			most = max(most, e.paint(f))
			if selected%11 == 0 {
				e.requireLike(f)
			}
		}
		if most > limit {
			t.Errorf("with %q beside it up to %d bytes, want %d", beside, most, limit)
		}
	}
}

func TestAListScrollsInWaysThatEveryTerminalKnows(t *testing.T) {
	for _, tt := range []struct{ name, before, after, want string }{
		{"down", "one two three four five", "two three four five six", "\x1b[1H\x1b[M\x1b[5H\x1b[Lsix"},
		{"up", "two three four five six", "one two three four five", "\x1b[5H\x1b[M\x1b[1H\x1b[Lone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEmulator(t, 10, 5)
			e.paint(frameOf(10, 5, strings.Fields(tt.before)...))
			f := frameOf(10, 5, strings.Fields(tt.after)...)
			got := string(e.Paint(f))
			if got != tt.want {
				t.Errorf("%q is written, want %q", got, tt.want)
			}
			e.write([]byte(got))
			e.requireLike(f)
		})
	}
}

func TestASynchronizedFrameIsShownAtOnce(t *testing.T) {
	e := newEmulator(t, 20, 3)
	f := frameOf(20, 3, "one")
	f.Synchronized, f.Title = true, "title"
	got := string(e.Paint(f))
	if !strings.HasSuffix(got, ansi.ResetModeSynchronizedOutput) || strings.Count(got, ansi.SetModeSynchronizedOutput) != 1 {
		t.Errorf("%q is written", got)
	}
}

func TestLinksAreWrittenWhereTheTerminalHasThem(t *testing.T) {
	const link, end = "\x1b]8;;https://host.example/\a", "\x1b]8;;\a"
	line := "see " + link + "\x1b[4mhere\x1b[m" + end + " or \x1b]8;;https://other.example\x1b\\there\x1b]8;;\x1b\\"
	e := newEmulator(t, 40, 1)
	f := frameOf(40, 1, line)
	f.Links = true
	want := "\x1b[m\x1b[2J\x1b[1Hsee\x1b[6Cor\x1b[5G" + link + "\x1b[4mhere\x1b[4C\x1b]8;;https://other.example\a\x1b[mthere" + end
	if got := string(e.Paint(f)); got != want {
		t.Errorf("%q is written, want %q", got, want)
	}
	f.Content = strings.Replace(line, "https://host", "https://new", 1)
	want = "\x1b[1;5H\x1b]8;;https://new.example/\a\x1b[4mhere" + end + "\x1b[m"
	if got := string(e.Paint(f)); got != want {
		t.Errorf("with another address %q is written, want %q", got, want)
	}
	f.Links = false
	want = "\x1b[m\x1b[2J\x1b[1Hsee\x1b[6Cor there\x1b[5G\x1b[4mhere\x1b[m"
	if got := string(e.Paint(f)); got != want {
		t.Errorf("without links %q is written, want %q", got, want)
	}
}

func TestProgressIsShownAndTakenBack(t *testing.T) {
	e := newEmulator(t, 20, 1)
	f := frameOf(20, 1, "one")
	e.paint(f)
	for _, step := range []struct {
		progress int
		want     string
	}{{Working, "\x1b]9;4;3\a"}, {40, "\x1b]9;4;1;40\a"}, {40, ""}, {0, "\x1b]9;4;0\a"}, {99, "\x1b]9;4;1;99\a"}} {
		f.Progress = step.progress
		if got := string(e.Paint(f)); got != step.want {
			t.Errorf("%d: %q is written, want %q", step.progress, got, step.want)
		}
	}
	if left := string(e.Leave()); !strings.Contains(left, "\x1b]9;4;0\a") {
		t.Errorf("left with %q", left)
	}
}

func TestLeavingTakesBackAllInTheOppositeOrder(t *testing.T) {
	var s Screen
	if got := s.Leave(); got != nil {
		t.Errorf("what was never taken over is left with %q", got)
	}
	for range 2 { // and again after a suspension
		entered := string(s.Enter())
		wantEntered := "\x1b[22;2t\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[>4;2m\x1b[>1u\x1b[?u"
		if entered != wantEntered {
			t.Errorf("taken over with %q, want %q", entered, wantEntered)
		}
		f := frameOf(20, 1, "one")
		f.Mouse, f.Title = true, "title"
		if painted := string(s.Paint(f)); !strings.HasPrefix(painted, "\x1b[?1002h\x1b[?1006h\x1b]2;title\a") {
			t.Errorf("painted with %q", painted)
		}
		left := string(s.Leave())
		wantLeft := "\x1b[m\x1b]2;\a\x1b[?1006l\x1b[?1002l\x1b[H\x1b[J\x1b[<1u\x1b[>4m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l\x1b[23;2t"
		if left != wantLeft {
			t.Errorf("left with %q, want %q", left, wantLeft)
		}
		if got := s.Paint(f); got != nil {
			t.Errorf("painted with %q after that", got)
		}
	}
}

// pieces are what the lines of random frames are made of.
var pieces = [...]string{
	"row ", "7", "9", " of ", "     ", strings.Repeat(" ", 17), "日本", "東京の名簿", "é", "e\u0301", "\u0e01\u0e33", "👩\u200d👩\u200d👧", "❤\ufe0f", "🇩🇰",
	"›", "─", "✅", "❌", "\x1b]8;;https://host.example/a\a", "\x1b]8;;\a", "\x1b[1m", "\x1b[7m", "\x1b[38;2;10;20;30m", "\x1b[4;48;5;17m", "\x1b[m", "\x1b[m", "x",
}

// story reads what happens to a terminal out of bytes.
type story struct{ bytes []byte }

// next is a number below n.
func (s *story) next(n int) int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return int(b) % n
}

func (s *story) line(width int) string {
	var b strings.Builder
	for range s.next(12) {
		b.WriteString(pieces[s.next(len(pieces))])
	}
	line := safetext.Cut(b.String(), width, "")
	if s.next(2) == 0 {
		line += strings.Repeat(" ", width-safetext.Width(line))
	}
	return line + ansi.ResetStyle + ansi.ResetHyperlink()
}

// change makes the next frame of one.
func (s *story) change(f Frame) Frame {
	lines := strings.Split(f.Content, "\n")
	line := s.next(len(lines))
	switch s.next(10) {
	case 0:
		f.Width, f.Height = 1+s.next(60), 1+s.next(20)
		lines = nil
		for range f.Height {
			lines = append(lines, s.line(f.Width))
		}
	case 1: // a list scrolls down
		to := line + s.next(len(lines)-line) + 1
		lines = append(append(append([]string{}, lines[:line]...), lines[min(line+1+s.next(3), to):to]...), append([]string{s.line(f.Width)}, lines[to:]...)...)
	case 2: // and up
		lines = append(append(append([]string{}, lines[:line]...), s.line(f.Width), s.line(f.Width)), lines[line:]...)
	case 3:
		f.Redraw++
	case 4:
		lines[line] = strings.NewReplacer("7", "9", "9", "7").Replace(lines[line])
	case 5:
		f.Links = !f.Links
	case 6:
		lines[line] = lines[s.next(len(lines))]
	case 7: // a list has but one kind of row
		for i := line; i < len(lines); i++ {
			lines[i] = lines[line]
		}
	default:
		lines[line] = s.line(f.Width)
	}
	f.Content = strings.Join(lines[:min(len(lines), f.Height)], "\n")
	return f
}

// tell lives through a story and checks the screen after each frame.
func tell(t *testing.T, bytes []byte) {
	s, e, f := story{bytes}, newEmulator(t, 30, 12), frameOf(30, 12)
	for len(s.bytes) > 0 {
		f = s.change(f)
		e.paint(f)
		e.requireLike(f)
	}
}

func TestAScreenShowsTheFrameWhateverItShowedBefore(t *testing.T) {
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 7))
		bytes := make([]byte, 1500)
		for i := range bytes {
			bytes[i] = byte(random.Uint32())
		}
		tell(t, bytes)
	}
}

func FuzzScreen(f *testing.F) {
	f.Add([]byte("\x00\x00\x10\x08 list of rows that scrolls \x01\x01\x01\x02\x02\x04"))
	f.Add([]byte(strings.Repeat("\x05\x01\x02\x03日本", 9)))
	f.Fuzz(tell)
}
