package linemode

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/prompt"
	"gatehouse/internal/text/intake"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Why a question was not answered.
var (
	errBack = errors.New("the person goes back")
	errQuit = errors.New("the person leaves")
)

// The words that every question understands.
const (
	wordBack = "back"
	wordHelp = "help"
	wordQuit = "quit"
)

// question is what a person is asked.
type question struct {
	text   string   // without a colon at its end
	help   []string // sentences that are said after the word for help
	secret bool     // the answer is not shown
}

// ask asks a question until it is answered, and handles the words that every question
// understands. The answer may be empty; it is trimmed unless it is a secret. The error is
// errBack, errQuit, or that of the output.
func (c *conversation) ask(q question) (string, error) {
	var refused *intake.Error
	for {
		text, err := c.line(q)
		switch {
		case errors.Is(err, prompt.ErrTooLong):
			c.say("That line is too long. Type a shorter one.")
			continue
		case errors.As(err, &refused):
			refusal := screen.Describe(refused)
			c.say("%s %s", refusal.Sentence, refusal.Hint)
			continue
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return "", errQuit
		case err != nil:
			return "", err
		}
		switch strings.ToLower(text) {
		case wordBack:
			return "", errBack
		case wordQuit:
			return "", errQuit
		case wordHelp:
			for _, line := range q.help {
				c.say("%s", line)
			}
			c.say("Type \"back\" to go back, \"quit\" to leave, \"help\" to hear this again. " +
				"If one of these words is your answer, put it in quotes.")
		default:
			return unquoted(text), nil
		}
	}
}

// line asks a question once, and reads a line.
func (c *conversation) line(q question) (string, error) {
	if q.secret {
		text, err := c.console.Secret(c.ctx, q.text+": ")
		return text.Reveal(), err
	}
	text, err := c.console.Line(c.ctx, q.text+": ")
	return strings.TrimSpace(text), err
}

// unquoted removes the quotes around a text if that is one of the words that every question
// understands. Other quotes belong to the answer.
func unquoted(text string) string {
	switch strings.ToLower(strings.Trim(text, `"`)) {
	case wordBack, wordQuit, wordHelp:
		if len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"' {
			return text[1 : len(text)-1]
		}
	}
	return text
}

// list says a title and answers, numbered from 1.
func (c *conversation) list(title string, answers []string) {
	c.say("%s", title)
	for i, answer := range answers {
		c.say("%s", strconv.Itoa(i+1)+". "+screen.Sentence(answer))
	}
}

// field asks for the field of a form that has the focus, fills it in with the answer, and goes on
// to the next one.
func (c *conversation) field(asking screen.Form) error {
	q := asking.Ask()
	if q.Wrong != nil {
		c.say("%s", screen.Sentence(q.Wrong.Error()))
	}
	if len(q.Options) > 0 && q.Wrong == nil {
		c.list(screen.Sentence(q.Label+":"), q.Options)
	}
	answer, err := c.ask(question{text: questionOf(q), help: c.helpOf(q), secret: q.Secret})
	if errors.Is(err, errBack) && !q.First {
		asking.Back()
		return nil
	}
	if err != nil {
		return err
	}
	if choice, ok := c.choiceInForm(answer); ok && !q.Secret {
		c.ui.Do(choice.Run)
		if choice.ID == screen.FormFold {
			asking.Back() // the fields that were unfolded may stand before this one
		}
		return nil
	}
	if !q.Secret && c.check(answer) {
		return nil
	}
	switch {
	case answer == "":
	case answer == `""` && !q.Secret:
		asking.Clear()
	case q.Yes || len(q.Options) > 0:
		if err := asking.Choose(answer); err != nil {
			c.say("%s", screen.Sentence(err.Error()))
			return nil
		}
	default:
		asking.Clear()
		c.ui.Update(tea.PasteMsg{Content: answer})
	}
	if asking.BoxesFollow() {
		c.ui.Do(asking.Skip) // the boxes are fields as well
	} else {
		c.ui.Do(asking.Confirm)
	}
	return nil
}

// questionOf is the question for a field.
func questionOf(q screen.Asked) string {
	switch value := safetext.Line(q.Value); {
	case q.Secret:
		return q.Label + ", which is not shown"
	case q.Yes:
		return strings.TrimSpace(q.Label+" "+q.Hint) +
			`? Type "yes" or "no" (press enter for ` + value + ")"
	case len(q.Options) > 0:
		return "Type a number (press enter for " + value + ")"
	case value != "":
		return q.Label + " (press enter for " + value + ")"
	}
	return q.Label
}

// helpOf lists what can be answered to a field, as sentences.
func (c *conversation) helpOf(q screen.Asked) []string {
	var lines []string
	if q.Hint != "" && !q.Yes {
		lines = append(lines, screen.Sentence(q.Label+": "+q.Hint))
	}
	for i, option := range q.Options {
		lines = append(lines, strconv.Itoa(i+1)+". "+option)
	}
	if q.Value != "" && len(q.Options) == 0 && !q.Yes {
		lines = append(lines, `Type "" to leave the field empty.`)
	}
	return append(lines, c.wordsInForm()...)
}

// wordsInForm lists what can be typed instead of an answer to a field, as sentences.
func (c *conversation) wordsInForm() []string {
	var lines []string
	for _, choice := range c.choices() {
		if choice.Typed {
			lines = append(lines, describeTyped(choice, choice.InForm))
		}
	}
	return lines
}
