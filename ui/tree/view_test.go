package tree

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// share is a record in the shape that the service sends, with names in many scripts.
const share = `{"Id":"b5c1","CompanyId":123456789012345678901,"Name":"東京オフィス 契約書","VirtualFieldId":null,
"ShareRelations":[{"Name":"مرحبا","ShareAssociationType":2},{"Name":"👨‍👩‍👧‍👦 🇩🇰 Cafe\u0301","ShareAssociationType":0}],
"ShareDefault":{"Owner":"ada@harbor.example","ShareCategory":1},"ShareTick":635584236915068204,
"SpaceUsage":{"DiskUsage":9223372036854775807,"HistoryUsage":0,"DeletedUsage":-1.50},"ShareIds":[],"Deleted":false,
"Description":"A long description\nof two lines that goes on and on, with \u001b[31man escape\u202e sequence, until no screen is wide enough for it, and then some more, so that it must be cut at the end of the line",
"TimeStamps":{"CreateTime":"2017-10-03T12:57:14.295242Z","CreatedBy":"","UpdateTime":"0001-01-01T00:00:00Z","Token":"s3cret"}}`

func shareTree(t testing.TB, theme *styles.Theme) *Model {
	m := openIn(t, theme, share)
	m.Masked = func(_, key, _ string) bool { return key == "Token" }
	return m
}

// checkFrame fails unless the frame has the lines it was asked for and none is
// too wide.
func checkFrame(t *testing.T, frame string, width, height int) {
	t.Helper()
	uitest.Box(t, fmt.Sprintf("%dx%d", width, height), frame, width, height)
}

func TestFramesLookAsRecorded(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {40, 10}} {
		m := shareTree(t, dark())
		for here(m) != "Description" {
			press(t, m, "down")
		}
		testkit.Golden(t, fmt.Sprintf("tree-%dx%d", size.width, size.height), ansi.Strip(draw(m, size.width, size.height))+"\n")
	}
}

func TestStyledFrameLooksAsRecorded(t *testing.T) {
	for name, theme := range map[string]*styles.Theme{"dark": dark(), "nocolor": plain()} {
		m := shareTree(t, theme)
		press(t, m, "down", "down")
		testkit.Golden(t, "tree-styled-"+name, strings.ReplaceAll(draw(m, 60, 30), "\x1b", "␛")+"\n")
	}
}

func TestFramesHaveTheSizeThatWasAskedFor(t *testing.T) {
	for _, theme := range []*styles.Theme{dark(), plain()} {
		m := shareTree(t, theme)
		for width := 1; width <= 200; width += 1 + width/20 {
			for _, height := range []int{1, 2, 7, 8, 12, 60} {
				m.cursor.MoveTo(width * height % len(m.rows))
				frame := draw(m, width, height)
				checkFrame(t, frame, width, height)
				starts := func(line string) bool { return strings.HasPrefix(ansi.Strip(line), theme.Glyphs.Cursor) }
				at := slices.IndexFunc(strings.Split(frame, "\n"), starts)
				if at < 0 {
					t.Fatalf("%dx%d: the cursor is not visible", width, height)
				}
				if line := strings.Split(frame, "\n")[at]; safetext.Width(line) != width {
					t.Fatalf("%dx%d: the line under the cursor is not styled in full: %q", width, height, line)
				}
			}
		}
	}
}

func TestNothingIsDrawnWithoutRoom(t *testing.T) {
	for _, size := range [][2]int{{0, 5}, {5, 0}, {-1, -1}} {
		if got := draw(shareTree(t, dark()), size[0], size[1]); got != "" {
			t.Errorf("View(%d, %d) = %q", size[0], size[1], got)
		}
	}
}

func TestAValueThatIsCutIsShownWholeBelow(t *testing.T) {
	m := open(t, `["short","`+strings.Repeat("0123456789", 7)+`","line one\nline two, which is longer","`+strings.Repeat("日", 1000)+`"]`)
	tests := []struct {
		at            int
		width, height int
		want          []string
	}{
		{1, 40, 12, nil},
		{2, 40, 12, []string{"0123456789012345678901234567890123456789", "012345678901234567890123456789"}},
		{2, 90, 12, nil},
		{2, 40, 7, nil},
		{3, 30, 12, []string{"line one", "line two, which is longer"}},
		{4, 41, 16, []string{strings.Repeat("日", 20), strings.Repeat("日", 20), strings.Repeat("日", 20), strings.Repeat("日", 20) + "…"}},
		{4, 40, 8, []string{strings.Repeat("日", 20), strings.Repeat("日", 19) + "…"}},
	}
	for _, tt := range tests {
		m.cursor.MoveTo(tt.at)
		frame := draw(m, tt.width, tt.height)
		checkFrame(t, frame, tt.width, tt.height)
		_, below, _ := strings.Cut(ansi.Strip(frame), strings.Repeat("─", tt.width)+"\n")
		if below != strings.Join(tt.want, "\n") {
			t.Errorf("element %d at %dx%d: below stands %q, want %q", tt.at-1, tt.width, tt.height, below, tt.want)
		}
	}
}

func TestKindsDifferNotByColourAlone(t *testing.T) {
	m := openIn(t, plain(), `["1",1,"null",null,"true",true,"[]",[],"•••","…"]`)
	seen := map[string]bool{}
	for i, line := range lines(m, 40, 20)[1:] {
		_, value, _ := strings.Cut(line, "] ")
		if seen[value] {
			t.Errorf("element %d looks like another one: %q", i, value)
		}
		seen[value] = true
	}
}

// checkExact fails unless each node is the JSON value that stands at its place.
func checkExact(t *testing.T, m *Model) {
	t.Helper()
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.kind == notJSON {
			continue
		}
		if m.root().raw[n.at:n.at+len(n.raw)] != n.raw || !json.Valid([]byte(n.raw)) {
			t.Fatalf("%.200q at %d is not part of %.200q", n.raw, n.at, m.root().raw)
		}
		var members map[string]json.RawMessage
		if n.kind == object && json.Unmarshal([]byte(n.raw), &members) == nil && n.size < len(members) {
			t.Fatalf("%q has %d members, not %d", n.raw, len(members), n.size)
		}
		var elements []json.RawMessage
		if n.kind == array && json.Unmarshal([]byte(n.raw), &elements) == nil && n.size != len(elements) {
			t.Fatalf("%q has %d elements, not %d", n.raw, len(elements), n.size)
		}
	}
}

func FuzzTreeOfAnyBytes(f *testing.F) {
	f.Add([]byte(share), []byte("jlhjG+-ek"), uint8(40), uint8(10))
	f.Add([]byte(login), []byte("GkkRhr"), uint8(80), uint8(24))
	f.Add([]byte(`{"a":"\ud800\u0041","\u0301":["\u0301\ufe0f"]}`), []byte("G"), uint8(9), uint8(3))
	f.Add([]byte(`[[[[[[[[[[{"":{"":{}}}]]]]]]]]]]`), []byte("+G"), uint8(12), uint8(4))
	f.Add([]byte(`a{"a":"a","b":[{"A":{"a":1}}],"a":"A\u0061"}`)[1:], []byte("-/nnncwrn"), uint8(30), uint8(9))
	f.Add([]byte("{\"a\":\xff\"\x1b\n"), []byte("r"), uint8(1), uint8(1))
	keys := map[byte]string{'j': "down", 'k': "up", 'h': "left", 'l': "right", 'e': "enter", 'G': "end", 'g': "home",
		'+': "+", '-': "-", 'd': "pgdown", 'u': "pgup"}
	f.Fuzz(func(t *testing.T, doc, moves []byte, width, height uint8) {
		if width == 0 || height == 0 {
			return
		}
		for _, theme := range []*styles.Theme{dark(), plain()} {
			m := Open(theme, doc)
			maskTokens(m)
			for _, move := range moves {
				switch key, ok := keys[move]; {
				case m.root().kind == notJSON && move != 'r':
				case ok:
					press(t, m, key)
				case move == '/':
					seek(t, m, string(doc[:min(len(doc), 2)]))
				case move == 'n' && len(m.search.matches) > 0:
					press(t, m, "n")
					if all := m.search.matches; !slices.Contains(all, m.at()) {
						t.Fatalf("the next match of %q is on %q", m.search.words, m.selected().raw)
					}
				case move == 'w':
					m.Wheel(int(width) - 20)
				case move == 'c':
					clickOn(m, int(width)/2, int(height)/2)
				case move == 'r':
					m.Reveal(!m.revealed)
				default:
					m.cursor.MoveTo(m.cursor.Row() + int(int8(move)))
				}
				checkFrame(t, draw(m, int(width), int(height)), int(width), int(height))
				m.value(m.at())
			}
			checkExact(t, m)
			for _, line := range lines(m, int(width), int(height)) {
				if safetext.Line(line) != line {
					t.Fatalf("the line %q is not safe", line)
				}
			}
		}
	})
}
