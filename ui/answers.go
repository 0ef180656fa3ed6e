package ui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	// ambiguous are characters to which some terminals give two cells each. On a narrow terminal
	// they take askedCells, and more on a wide one, or where the character set is not UTF-8.
	ambiguous  = "…·é"
	askedCells = 3
	// askedLine is the line on which they are written, from 1. It is not the first one, as a
	// report of the cursor in the first line looks like a key.
	askedLine = 2

	// answerTimeout is how long a terminal has to answer before the program ends or stops without
	// its answer.
	answerTimeout = 500 * time.Millisecond
)

// askWidth writes the ambiguous characters, asks for the position of the cursor behind them, and
// erases them. It is the last question to the terminal, so its answer means that all have come.
var askWidth = "\x1b[" + strconv.Itoa(askedLine) + "H" + ambiguous +
	ansi.RequestCursorPositionReport + "\r" + ansi.EraseLineRight

// answers waits for the answers of the terminal to the questions of the program. If the program
// ended or stopped before they have come, the shell would take them for typed text. The zero
// value waits for nothing.
type answers struct {
	came  chan struct{} // has an element once all have come; nil: nothing was asked
	until time.Time     // when to stop waiting
}

func newAnswers() answers {
	return answers{came: make(chan struct{}, 1), until: time.Now().Add(answerTimeout)}
}

// take notes that all answers have come.
func (a answers) take() {
	select {
	case a.came <- struct{}{}:
	default:
	}
}

// before returns a command that waits for the answers, and then gives msg.
func (a answers) before(msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		a.wait()
		return msg
	}
}

// wait waits for the answers, at most until a.until. Something else has to read the terminal
// meanwhile.
func (a answers) wait() {
	if a.came == nil {
		return
	}
	select {
	case <-a.came:
		a.take() // for the next call of wait
	case <-time.After(time.Until(a.until)):
	}
}
