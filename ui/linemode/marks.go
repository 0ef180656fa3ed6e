package linemode

import (
	"regexp"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
)

// mark marks rows by their numbers.
func (c *conversation) mark(numbers string) error { return c.setMarks("mark", numbers, true) }

// unmark unmarks rows by their numbers, or all rows without numbers.
func (c *conversation) unmark(numbers string) error {
	if numbers == "" {
		c.ui.Do(c.shown.View().Marks.Unmark)
		c.say("No row is marked.")
		return errStay
	}
	return c.setMarks("unmark", numbers, false)
}

// setMarks marks or unmarks rows, and says how many are marked then. verb is the command.
func (c *conversation) setMarks(verb, numbers string, marked bool) error {
	rows, ok := rowNumbers(numbers, c.rows().Len())
	if !ok {
		c.say(`Type "%s" and numbers from 1 to %s, such as 3, 5-8 or "all".`, verb, human.Number(c.rows().Len()))
		return errStay
	}
	marks := c.shown.View().Marks
	c.ui.Do(func() tea.Cmd { return marks.MarkRows(rows, marked) })
	c.say("%s marked.", human.Count(len(c.markedRows()), "row is", "rows are"))
	return errStay
}

// marks says the marked rows.
func (c *conversation) marks(string) error {
	marked := c.markedRows()
	if len(marked) == 0 {
		c.say(`No listed row is marked. Type "mark" and a number to mark one.`)
		return errStay
	}
	for _, at := range marked[:min(len(marked), maxSaidMarks)] {
		c.sayRow(c.rows(), at)
	}
	if more := len(marked) - maxSaidMarks; more > 0 {
		c.say("And %s.", human.Count(more, "more row", "more rows"))
	}
	return errStay
}

// maxSaidMarks is how many marked rows are said at most.
const maxSaidMarks = 100

// markedRows are the numbers, from 0, of the listed rows that are marked.
func (c *conversation) markedRows() (marked []int) {
	marks := c.shown.View().Marks
	for at := range c.rows().Len() {
		if marks.Marked(at) {
			marked = append(marked, at)
		}
	}
	return marked
}

// numberRange is a number, or two with a dash or dots between them.
var numberRange = regexp.MustCompile(`^(\d{1,9})(?:(?:-|–|\.\.)(\d{1,9}))?$`)

// numberWords replaces what people write between numbers: a dash for a range, a space for a list.
var numberWords = strings.NewReplacer(
	" to ", "-", " - ", "-", " – ", "-",
	",", " ", " and ", " ",
)

// rowNumbers reads numbers from 1 to last, such as "3", "1-5, 8", "2 to 4" or "all". It returns them
// from 0, each once. ok is false if there is none, or anything else.
func rowNumbers(text string, last int) (rows []int, ok bool) {
	text = strings.ToLower(text)
	if text == "all" {
		text = "1-" + strconv.Itoa(last)
	}
	isNamed := make([]bool, last)
	for _, part := range strings.Fields(numberWords.Replace(text)) {
		ends := numberRange.FindStringSubmatch(part)
		if ends == nil {
			return nil, false
		}
		from, _ := strconv.Atoi(ends[1])
		to := from
		if ends[2] != "" {
			to, _ = strconv.Atoi(ends[2])
		}
		if from < 1 || to < from || to > last {
			return nil, false
		}
		for row := from - 1; row < to && len(rows) < last; row++ {
			if !isNamed[row] {
				isNamed[row] = true
				rows = append(rows, row)
			}
		}
	}
	return rows, rows != nil
}
