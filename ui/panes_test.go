package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/demo"
	"gatehouse/internal/testkit/uitest"
)

// paneSizes are the sizes in which every scene must show its sentences whole where it has room.
var paneSizes = []struct{ width, height int }{{80, 24}, {120, 34}, {200, 50}}

// TestNoSentenceIsCutAboveFreeLines holds in every scene and size: a pane cuts a sentence only where
// it has no line left for the rest of it.
func TestNoSentenceIsCutAboveFreeLines(t *testing.T) {
	for _, in := range scenes() {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				for _, way := range in.ways {
					in.play(t, s, way).requireWholeSentences()
				}
			})
		})
	}
}

// TestNoSentenceOfATroubledAccountIsCutAboveFreeLines holds for what the program says of whatever can
// be wrong: in the list of domains, in a tab, on the card of the check, and in each of its checks.
func TestNoSentenceOfATroubledAccountIsCutAboveFreeLines(t *testing.T) {
	for _, account := range demo.Accounts() {
		if !account.Troubled {
			continue
		}
		t.Run(account.Email, func(t *testing.T) {
			t.Parallel()
			uitest.Run(t, func(t *testing.T, s *uitest.Service) {
				d := open(t, s, 100, 30)
				d.Expect("E-mail").Type(account.Email).Press("tab")
				d.submit()
				d.Pass(time.Minute)
				d.requireWholeSentences()
				if strings.Contains(d.Frame(), "Domains") { // signed in
					d.Press("enter").Pass(time.Minute)
					d.requireWholeSentences()
					d.Press("esc")
				}
				d.Press("ctrl+k")
				if strings.Contains(d.Frame(), "Who cannot get in?") {
					d.Type(account.Email).Press("enter")
				}
				d.Pass(time.Minute).Expect("checks in")
				d.requireWholeSentences()
				for range 3 { // with and without what the check asks for
					d.Press("down", "enter")
					d.requireWholeSentences()
					d.Press("esc", "down")
				}
			})
		})
	}
}

// requireWholeSentences draws the screen in each size.
func (d *driver) requireWholeSentences() {
	d.t.Helper()
	d.model.root.env.Theme.Glyphs.More = "⋯" // what goes on is not cut
	for _, size := range paneSizes {
		d.Resize(size.width, size.height)
		for _, cut := range cutAboveFreeLines(d.Frame()) {
			d.t.Errorf("%dx%d: %q is cut above free lines:\n%s", size.width, size.height, cut, d.Frame())
		}
	}
}

// freeLines is how many lines a pane has free, one after the other, where it could show more.
const freeLines = 2

// cutAboveFreeLines are the sentences of a frame that are cut although free lines follow in their
// pane.
func cutAboveFreeLines(frame string) (cut []string) {
	for _, pane := range panesOf(frame) {
		var open []string
		free := 0
		for _, line := range pane {
			text := strings.TrimSpace(line)
			switch {
			case text == "":
				free++
			case isCutSentence(text):
				free, open = 0, append(open, text)
			default:
				free = 0
			}
			if free == freeLines {
				cut, open = append(cut, open...), nil
			}
		}
	}
	return cut
}

// isCutSentence reports whether a line ends in the middle of a sentence: four words or more, after a
// label at the most. Rows of a table, which have columns, are none.
func isCutSentence(line string) bool {
	const fewWords, columns = 4, 3
	apart := slices.DeleteFunc(strings.Split(line, "  "), func(part string) bool { return part == "" })
	return strings.HasSuffix(line, "…") && len(apart) < columns && len(strings.Fields(apart[len(apart)-1])) >= fewWords
}

// panesOf are the lines inside each pane of a frame that nothing covers, or of the whole frame where
// it has no panes.
func panesOf(frame string) (panes [][]string) {
	cells := cellsOf(frame)
	for y, line := range cells {
		for left, cell := range line {
			if cell != "╭" {
				continue
			}
			width := slices.Index(line[left:], "╮")
			if inside := insideOf(cells[y+1:], left, left+width); width > 0 && inside != nil {
				panes = append(panes, inside)
			}
		}
	}
	if panes == nil {
		return [][]string{strings.Split(frame, "\n")}
	}
	return panes
}

// insideOf are the lines of a pane between its sides; nil where it does not end below, or another
// pane covers its sides.
func insideOf(below [][]string, left, right int) (lines []string) {
	for _, line := range below {
		if right >= len(line) {
			return nil
		}
		switch line[left] {
		case "╰":
			return lines
		case "│":
			if line[right] != "│" {
				return nil
			}
			lines = append(lines, strings.Join(line[left+1:right], ""))
		default:
			return nil
		}
	}
	return nil
}

// cellsOf are the cells of each line; the second one of a wide character is empty.
func cellsOf(frame string) (lines [][]string) {
	for line := range strings.SplitSeq(frame, "\n") {
		var cells []string
		for line != "" {
			cluster, width := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
			cells = append(append(cells, cluster), make([]string, max(width-1, 0))...)
			line = line[len(cluster):]
		}
		lines = append(lines, cells)
	}
	return lines
}
