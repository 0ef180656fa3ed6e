package screen

import (
	"iter"
	"math"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
)

// Question is a [Screen] in a box, with a text and the keys that answer it. It is answered
// first: no other tab is shown meanwhile.
type Question struct {
	Base
	// Env is the environment of the screen that asks.
	Env *Env
	// Asks is the question, the title of the box.
	Asks string
	// Cells is how wide the text is where there is room.
	Cells int
	// Text says what has to be known for an answer, as it is now; nil: nothing.
	Text func() Part
	// Answers are listed below the text.
	Answers []Answer
}

// Answer is one answer to a [Question].
type Answer struct {
	// ID is the action's.
	ID ActionID
	// Title is a word for it, if that varies, Text what it does. SaysTitle is as in [Action].
	Title, Text string
	SaysTitle   bool
	// Run is called when the question is gone; nil: it only goes.
	Run func() tea.Cmd
}

// View implements [Screen].
func (q *Question) View() View {
	return View{
		Title: q.Asks, Border: Pane{Title: q.Asks}, Said: []string{q.Asks}, Body: questionPart{q}, Modal: true,
	}
}

func (q *Question) Actions() []Action {
	var list []Action
	for _, answer := range q.Answers {
		run := func() tea.Cmd {
			gone := q.Env.Root.Pop(q)
			if answer.Run == nil {
				return gone
			}
			return tea.Batch(gone, answer.Run())
		}
		list = append(list, Action{
			ID: answer.ID, Title: answer.Title,
			Description: answer.Text, SaysTitle: answer.SaysTitle, Run: run,
		})
	}
	return list
}

// Frame implements [Screen].
func (q *Question) Frame() Frame { return InBox }

// Size implements [Screen]: the room for the text and the answers, with a line above and one below.
func (q *Question) Size(width, _ int) Size {
	const padding = 2
	cells := Cells(q.Asks) + 2*padding
	for _, answer := range q.Answers {
		cells = max(cells, answerKey+safetext.Width(answer.Text))
	}
	cells = min(max(cells, q.Cells), width)
	return Size{Cells: cells, Lines: len(q.lines(cells)) + 2, Padding: padding}
}

// questionPart is what has to be known for an answer, and the answers with their keys.
type questionPart struct{ *Question }

// Draw implements [Part]. Where there are few lines the keys matter most.
func (q questionPart) Draw(width, height int) Drawing {
	lines := q.lines(width)
	switch {
	case height > len(lines)+1:
		lines = append([]string{""}, lines...)
	case height < len(lines):
		lines = lines[len(lines)-max(height, 0):]
	}
	return Drawing{Lines: lines}
}

// Say says the text: the answers are what can be done.
func (q questionPart) Say() iter.Seq[string] {
	if q.Text == nil {
		return Texts()
	}
	return q.Text().Say()
}

// answerKey is how many cells the key of an answer has.
const answerKey = 6

func (q *Question) lines(width int) []string {
	var lines []string
	if q.Text != nil {
		lines = append(q.Text().Draw(width, math.MaxInt).Lines, "")
	}
	for _, answer := range q.Answers {
		key := q.Env.Theme.Key.Render(safetext.Pad(q.Env.Keys.Key(answer.ID), answerKey))
		lines = append(lines, key+answer.Text)
	}
	return lines
}
