package screen

import (
	"iter"
	"math"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
)

// Question is a [Screen] in a box, with a text and the keys that answer it. Until it is answered,
// nothing else can be done.
type Question struct {
	Base
	// Env is the environment of the screen that asks.
	Env *Env
	// Asks is the question, the title of the box.
	Asks string
	// Cells is the width of the text, if there is room.
	Cells int
	// Text is what a person has to know for an answer; it may be nil.
	Text func() Part
	// Answers are listed below the text.
	Answers []Answer
}

// Answer is one answer to a [Question].
type Answer struct {
	// ID, Title and SaysTitle are those of its [Action]. Text is the description.
	ID          ActionID
	Title, Text string
	SaysTitle   bool
	// Run is called once the question is closed; nil does nothing more.
	Run func() tea.Cmd
}

// View implements [Screen].
func (q *Question) View() View {
	return View{
		Title:  q.Asks,
		Border: Pane{Title: q.Asks},
		Said:   []string{q.Asks},
		Body:   questionPart{q},
		Modal:  true,
	}
}

func (q *Question) Actions() []Action {
	var list []Action
	for _, answer := range q.Answers {
		run := func() tea.Cmd {
			closed := q.Env.Root.Pop(q)
			if answer.Run == nil {
				return closed
			}
			return tea.Batch(closed, answer.Run())
		}
		list = append(list, Action{
			ID:          answer.ID,
			Title:       answer.Title,
			Description: answer.Text,
			SaysTitle:   answer.SaysTitle,
			Run:         run,
		})
	}
	return list
}

// Frame implements [Screen].
func (q *Question) Frame() Frame { return InBox }

// Size implements [Screen]: the text and the answers, with an empty line above and one below.
func (q *Question) Size(width, _ int) Size {
	const padding = 2
	cells := Cells(q.Asks) + 2*padding
	for _, answer := range q.Answers {
		cells = max(cells, answerKeyCells+safetext.Width(answer.Text))
	}
	cells = min(max(cells, q.Cells), width)
	return Size{Cells: cells, Lines: len(q.lines(cells)) + 2, Padding: padding}
}

// questionPart is the text of a question, and the answers with their keys.
type questionPart struct{ *Question }

// Draw implements [Part]. If there is too little room, it leaves out the beginning of the text, as
// the keys matter most.
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

// Say implements [Part]: it says the text alone, as the answers are said as actions.
func (q questionPart) Say() iter.Seq[string] {
	if q.Text == nil {
		return Texts()
	}
	return q.Text().Say()
}

// answerKeyCells is the width of the column with the keys of the answers.
const answerKeyCells = 6

// lines draws the text, an empty line, and the answers with their keys.
func (q *Question) lines(width int) []string {
	var lines []string
	if q.Text != nil {
		lines = append(q.Text().Draw(width, math.MaxInt).Lines, "")
	}
	for _, answer := range q.Answers {
		key := safetext.Pad(q.Env.Keys.Key(answer.ID), answerKeyCells)
		lines = append(lines, q.Env.Theme.Key.Render(key)+answer.Text)
	}
	return lines
}
