package paint

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/rangetable"

	"gatehouse/internal/text/safetext"
)

// scripts are 25 scripts with the mark that joins two of their consonants, if they have one.
var scripts = []struct {
	name   string
	joiner string
}{
	{"Devanagari", "\u094d"}, {"Bengali", "\u09cd"}, {"Gurmukhi", "\u0a4d"}, {"Gujarati", "\u0acd"}, {"Oriya", "\u0b4d"},
	{"Tamil", "\u0bcd"}, {"Telugu", "\u0c4d"}, {"Kannada", "\u0ccd"}, {"Malayalam", "\u0d4d"}, {"Sinhala", "\u0dca\u200d"},
	{"Thai", ""}, {"Lao", ""}, {"Tibetan", ""}, {"Myanmar", "\u1039"}, {"Khmer", "\u17d2"}, {"Balinese", "\u1b44"},
	{"Javanese", "\ua9c0"}, {"Sundanese", "\u1bab"}, {"Cham", ""}, {"Meetei_Mayek", "\uaaf6"}, {"Saurashtra", "\ua8c4"},
	{"Ethiopic", ""}, {"Hangul", ""}, {"Arabic", "\u200c"}, {"Kaithi", "\U000110b9"},
}

// drawnNames are eight names of each script: letters, with its marks, spacing ones among them, and
// conjuncts. They are the same in each run.
func drawnNames() (names []string) {
	random := rand.New(rand.NewPCG(25, 8))
	assigned := rangetable.Assigned("13.0.0") // tmux leaves out what the C library does not know
	for _, script := range scripts {
		var letters, marks []rune
		rangetable.Visit(unicode.Scripts[script.name], func(r rune) {
			switch {
			case !unicode.Is(assigned, r), safetext.Line("x"+string(r)) != "x"+string(r):
			case unicode.Is(unicode.Lo, r):
				letters = append(letters, r)
			case unicode.Is(unicode.M, r):
				marks = append(marks, r)
			}
		})
		for range 8 {
			var b strings.Builder
			for range 3 + random.IntN(5) {
				b.WriteRune(letters[random.IntN(len(letters))])
				if random.IntN(3) == 0 && script.joiner != "" {
					b.WriteString(script.joiner + string(letters[random.IntN(len(letters))]))
				}
				if len(marks) > 0 && random.IntN(3) > 0 {
					b.WriteRune(marks[random.IntN(len(marks))])
				}
			}
			names = append(names, safetext.Line(b.String()))
		}
	}
	return names
}

const (
	namesWidth, namesHeight = 80, 24
	namesOnPage             = namesHeight - 2
)

// frameOfNames is a list of names from one on, with a selected one.
func frameOfNames(names []string, top, selected int) Frame {
	lines := []string{"names", strings.Repeat("─", namesWidth)}
	for i, name := range names[top : top+namesOnPage] {
		line := fmt.Sprintf("  %s %6d KB", safetext.Fit(name, 40), (top+i)*7919%1000)
		if top+i == selected {
			line = "\x1b[7m" + line + "\x1b[m"
		}
		lines = append(lines, line)
	}
	return frameOf(namesWidth, namesHeight, lines...)
}

// page is what is written until the last of some frames is shown.
type page struct {
	written []byte
	last    Frame
}

// pagesOfNames goes down a list of names by steps, and up again at the end of each page.
func pagesOfNames(names []string) (pages []page) {
	var s Screen
	written := append([]byte{}, s.Enter()...)
	for top := 0; top+namesOnPage <= len(names); top++ {
		last := frameOfNames(names, top, top+namesOnPage-1)
		written = append(written, s.Paint(last)...)
		if top%namesOnPage != 0 {
			continue
		}
		for selected := top + namesOnPage - 2; selected >= top; selected-- {
			last = frameOfNames(names, top, selected)
			written = append(written, s.Paint(last)...)
		}
		pages = append(pages, page{written, last})
		written = nil
	}
	return pages
}

// lettersOf is a text without blanks, whose number terminals disagree on, and without what is left
// out.
func lettersOf(text string, leftOut func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || leftOut != nil && leftOut(r) {
			return -1
		}
		return r
	}, text)
}

// missing are the lines of a frame that a terminal does not show whole, apart from what it leaves
// out.
func missing(screen string, f Frame, leftOut func(rune) bool) (lines []string) {
	shown := lettersOf(screen, leftOut)
	for line := range strings.Lines(ansi.Strip(f.Content)) {
		if !strings.Contains(shown, lettersOf(line, leftOut)) {
			lines = append(lines, line)
		}
	}
	return lines
}

// requireLetters wants no line of a frame to be [missing].
func requireLetters(t *testing.T, screen string, f Frame, leftOut func(rune) bool) {
	t.Helper()
	if lines := missing(screen, f, leftOut); lines != nil {
		t.Errorf("%+q are missing in\n%s", lines, screen)
	}
}

// widthOf is how many cells a kind of terminal gives a text that goes on with the last character,
// or begins one.
type widthOf func(r rune) int

func TestEveryLetterIsThereOnEveryKindOfTerminal(t *testing.T) {
	basic := func(r rune) int { return ansi.StringWidthWc(string(r)) }
	inOldTables := rangetable.Assigned("5.0.0")
	for name, width := range map[string]widthOf{
		"which gives marks no cell": basic,
		"which gives spacing marks a cell": func(r rune) int {
			if unicode.Is(unicode.Mc, r) {
				return 1
			}
			return basic(r)
		},
		"with an old table": func(r rune) int {
			if unicode.Is(unicode.Mc, r) || !unicode.Is(inOldTables, r) || r > 0xffff {
				return max(basic(r), 1)
			}
			return basic(r)
		},
		"which draws clusters": nil,
	} {
		t.Run(name, func(t *testing.T) {
			terminal := newRuneTerminal(namesWidth, namesHeight, width)
			for _, page := range pagesOfNames(drawnNames()) {
				terminal.write(string(page.written))
				requireLetters(t, terminal.text(), page.last, nil)
			}
		})
	}
}

// runeTerminal is a terminal that knows what is painted with, and measures in its own way.
type runeTerminal struct {
	width widthOf // nil: by clusters
	cells [][]string
	x, y  int
}

func newRuneTerminal(width, height int, measure widthOf) *runeTerminal {
	terminal := &runeTerminal{width: measure}
	for range height {
		terminal.cells = append(terminal.cells, make([]string, width))
	}
	return terminal
}

func (e *runeTerminal) text() string {
	lines := make([]string, len(e.cells))
	for y, row := range e.cells {
		for _, cell := range row {
			if cell == "" {
				cell = " "
			}
			lines[y] += cell
		}
	}
	return strings.Join(lines, "\n")
}

func (e *runeTerminal) write(text string) {
	for text != "" {
		switch {
		case text[0] == ansi.ESC:
			sequence, _, size, _ := ansi.DecodeSequence(text, ansi.NormalState, nil)
			e.control(sequence)
			text = text[size:]
		case text[0] == '\r':
			e.x, text = 0, text[1:]
		default:
			piece, cells := e.next(text)
			e.put(piece, cells)
			text = text[len(piece):]
		}
	}
}

// next is what the terminal takes for a character, and its width.
func (e *runeTerminal) next(text string) (string, int) {
	if e.width == nil {
		return ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	}
	r, size := utf8.DecodeRuneInString(text)
	return text[:size], e.width(r)
}

func (e *runeTerminal) put(piece string, cells int) {
	row := e.cells[e.y]
	if cells == 0 {
		row[max(e.x-1, 0)] += piece
		return
	}
	if e.x+cells > len(row) { // the cursor stays at the edge
		return
	}
	row[e.x] = piece
	for i := 1; i < cells; i++ {
		row[e.x+i] = ""
	}
	e.x += cells
}

func (e *runeTerminal) control(sequence string) {
	body, ok := strings.CutPrefix(sequence, "\x1b[")
	if !ok || strings.ContainsAny(body, "?>=<") {
		return
	}
	final := body[len(body)-1]
	first, second, _ := strings.Cut(body[:len(body)-1], ";")
	n, _ := strconv.Atoi(first)
	m, _ := strconv.Atoi(second)
	row := e.cells[e.y]
	switch final {
	case 'H':
		e.y, e.x = max(n, 1)-1, max(m, 1)-1
	case 'G':
		e.x = max(n, 1) - 1
	case 'C':
		e.x += max(n, 1)
	case 'X':
		clear(row[e.x:min(e.x+max(n, 1), len(row))])
	case 'K':
		clear(row[e.x:])
	case 'J':
		for _, row := range e.cells {
			clear(row)
		}
	case 'M', 'L':
		e.move(final == 'M', max(n, 1))
	}
}

// move deletes or inserts lines at the cursor.
func (e *runeTerminal) move(deletes bool, n int) {
	below := e.cells[e.y:]
	for range n {
		if deletes {
			first := below[0]
			copy(below, below[1:])
			below[len(below)-1] = first
			clear(first)
			continue
		}
		last := below[len(below)-1]
		copy(below[1:], below)
		below[0] = last
		clear(last)
	}
}
