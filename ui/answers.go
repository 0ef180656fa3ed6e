package ui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	// ambiguous are characters that some terminals give two cells. In the character set of an old
	// terminal they are more than askedCells too.
	ambiguous  = "…·é"
	askedCells = 3
	// askedLine is the line in which they are written, from 1: what a terminal says of its first line
	// can be taken for a key.
	askedLine = 2

	// answerTimeout is how long a terminal has to answer before the program ends or stops without
	// its answer.
	answerTimeout = 500 * time.Millisecond
)

// askWidth writes ambiguous characters, asks where the cursor is behind them, and erases them. It is
// the last question, so that its answer says that there are all.
var askWidth = "\x1b[" + strconv.Itoa(askedLine) + "H" + ambiguous + ansi.RequestCursorPositionReport + "\r" + ansi.EraseLineRight

// answers are those that the terminal owes: none of them must come in the shell, which would take it for
// what a person types. The zero value is owed nothing.
type answers struct {
	came  chan struct{} // has an element once they are there; nil: nothing was asked
	until time.Time     // when they are given up
}

func newAnswers() answers {
	return answers{came: make(chan struct{}, 1), until: time.Now().Add(answerTimeout)}
}

// take notes that they are there.
func (a answers) take() {
	select {
	case a.came <- struct{}{}:
	default:
	}
}

// before gives a message once they are there or given up.
func (a answers) before(msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		a.wait()
		return msg
	}
}

// wait waits until they are there or given up. The terminal must be read meanwhile.
func (a answers) wait() {
	if a.came == nil {
		return
	}
	select {
	case <-a.came:
		a.take() // for whoever waits next
	case <-time.After(time.Until(a.until)):
	}
}
