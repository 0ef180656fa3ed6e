package fields

import (
	"strings"

	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// usualLines is the number of lines that a long text gets before the empty lines between groups.
// Only a text that wants more may take the room of these.
const usualLines = 6

// share distributes height lines among the fields of groups, and returns how many each field gets:
// those that it wants if there is room for all, or else one, and more for each in turn while lines
// are left. hasGaps means that there is an empty line between groups as well.
func (p *pen) share(groups []Group, height int) (given [][]int, hasGaps bool) {
	given, wanted := p.linesOf(groups, height)
	needed, usual := 0, 0
	for g := range groups {
		needed += len(given[g])
		if groups[g].Title != "" {
			needed++
		}
		for _, lines := range wanted[g] {
			usual += min(lines, usualLines) - 1
		}
	}
	left, gaps := height-needed, max(len(groups)-1, 0)
	hasGaps = usual+gaps <= left
	if hasGaps {
		left -= gaps
	}
	dealOut(left, given, wanted)
	return given, hasGaps
}

// dealOut gives one more line in turn to each field that wants more, while there are any left.
func dealOut(left int, given, wanted [][]int) {
	for isWanted := true; isWanted && left > 0; {
		isWanted = false
		for g := range given {
			for f := range given[g] {
				if left > 0 && given[g][f] < wanted[g][f] {
					given[g][f]++
					left--
					isWanted = true
				}
			}
		}
	}
}

// linesOf gives one line to each field of each group, and returns how many each wants, at most
// height.
func (p *pen) linesOf(groups []Group, height int) (given, wanted [][]int) {
	given, wanted = make([][]int, len(groups)), make([][]int, len(groups))
	for g := range groups {
		fields := groups[g].Fields
		given[g], wanted[g] = make([]int, len(fields)), make([]int, len(fields))
		for f := range fields {
			given[g][f] = 1
			wanted[g][f] = p.wants(&fields[f], height)
		}
	}
	return given, wanted
}

// minWrapped is the minimum width of a value that goes on below its line, in cells.
const minWrapped = 8

// wants is the number of lines in which all of a field is shown, at most maxLines.
func (p *pen) wants(f *Field, maxLines int) int {
	room := p.valueRoom(f)
	isOneLine := f.Drawn != "" || f.Bar != nil || room < minWrapped
	if isOneLine || safetext.Width(safetext.Clip(f.Text, room+1)) <= room {
		return 1
	}
	return len(wrapped(f.Text, room, maxLines))
}

// wrapped is a text from outside in at most maxLines lines of a width. A URL is broken behind its
// slashes and dots, other text at spaces.
func wrapped(text string, width, maxLines int) []string {
	if maxLines < 1 {
		return nil
	}
	text = safetext.Clip(text, maxLines*width+1)
	if safetext.Width(text) <= width {
		return []string{text}
	}
	wrap := screen.Wrap
	if strings.Contains(text, "://") {
		wrap = screen.WrapAddress
	}
	return screen.AtMost(strings.Split(wrap(text, width), "\n"), maxLines, width)
}
