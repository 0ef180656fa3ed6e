package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
)

// Question is an [Overlay] in a box, with a text and the keys that answer it. It is answered
// first: no other tab is shown meanwhile.
type Question struct {
	Base
	// Env is the environment of the screen that asks.
	Env *Env
	// Asks is the question, the title of the box.
	Asks string
	// Cells is how wide the text is where there is room.
	Cells int
	// Text says what has to be known for an answer, as it is now, in lines of at most width
	// cells; nil: nothing.
	Text func(width int) string
	// Answers are listed below the text.
	Answers []Answer
}

// Answer is one answer to a [Question].
type Answer struct {
	// ID is the action's.
	ID ActionID
	// Title is a word for it, if that varies, Text what it does.
	Title, Text string
	// Run is called when the question is gone; nil: it only goes.
	Run func() tea.Cmd
}

func (*Question) Overlay() {}

func (q *Question) Title() string { return q.Asks }

func (q *Question) Actions() []Action {
	var list []Action
	for _, answer := range q.Answers {
		list = append(list, Action{ID: answer.ID, Title: answer.Title, Description: answer.Text, Run: func() tea.Cmd {
			gone := q.Env.Root.Pop(q)
			if answer.Run == nil {
				return gone
			}
			return tea.Batch(gone, answer.Run())
		}})
	}
	return list
}

func (q *Question) Boxed(width, _ int) (pane Pane, cells, lines int) {
	cells = Cells(q.Asks) + 4
	for _, answer := range q.Answers {
		cells = max(cells, answerKey+safetext.Width(answer.Text))
	}
	cells = min(max(cells, q.Cells), width)
	return Pane{Title: q.Asks, Padding: 2}, cells, len(q.lines(cells)) + 2
}

func (q *Question) Draw(width, height int) string {
	lines := q.lines(width)
	switch {
	case height > len(lines)+1:
		lines = append([]string{""}, lines...)
	case height < len(lines): // the keys matter most
		lines = lines[len(lines)-max(height, 0):]
	}
	return Box(strings.Join(lines, "\n"), width, height)
}

// answerKey is how many cells the key of an answer has.
const answerKey = 6

func (q *Question) lines(width int) []string {
	var lines []string
	if q.Text != nil {
		lines = append(strings.Split(q.Text(width), "\n"), "")
	}
	for _, answer := range q.Answers {
		lines = append(lines, q.Env.Theme.Key.Render(safetext.Pad(q.Env.Keys.Key(answer.ID), answerKey))+answer.Text)
	}
	return lines
}
