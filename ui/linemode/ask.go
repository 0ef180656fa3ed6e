package linemode

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"gatehouse/internal/prompt"
	"gatehouse/internal/secret"
)

// Why a question was not answered.
var (
	errBack      = errors.New("the person goes back")
	errQuit      = errors.New("the person leaves")
	errStartOver = errors.New("somebody else is signed in, or nobody")
)

// The words that every question understands.
const (
	wordBack = "back"
	wordHelp = "help"
	wordQuit = "quit"
)

// question is what a person is asked. help is said when they ask for it.
type question struct {
	text string // without the colon at its end
	help []string
	// first reports that an empty line is the first of the answers.
	first bool
}

// ask asks until there is an answer, which may be empty, and trims it. The error is
// errBack, errQuit, or that of the output.
func (c *conversation) ask(q question) (string, error) {
	return c.answer(q, func() (string, error) {
		text, err := c.console.Line(c.ctx, q.text+": ")
		return strings.TrimSpace(text), err
	})
}

// askSecret is ask without echo. The answer is not empty.
func (c *conversation) askSecret(q question) (secret.Text, error) {
	for {
		text, err := c.answer(q, func() (string, error) {
			text, err := c.console.Secret(c.ctx, q.text+": ")
			return text.Reveal(), err
		})
		if err != nil || text != "" {
			return secret.New(text), err
		}
		c.say("Nothing was typed. It is not shown while you type.")
	}
}

// answer reads an answer and handles the words that every question understands. It first
// says what the session has done meanwhile.
func (c *conversation) answer(q question, read func() (string, error)) (string, error) {
	for {
		c.sayEvents()
		text, err := read()
		switch {
		case errors.Is(err, prompt.ErrTooLong):
			c.say("That line is too long. Type a shorter one.")
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
			c.help(q)
		default:
			return unquoted(text), nil
		}
	}
}

func (c *conversation) help(q question) {
	for _, line := range q.help {
		c.say("%s", line)
	}
	c.say("Type back to go back, quit to leave, help to hear this again. If one of these words is your answer, put it in quotes.")
}

// unquoted removes the quotes around one of the words that every question understands.
func unquoted(text string) string {
	switch strings.ToLower(strings.Trim(text, `"`)) {
	case wordBack, wordQuit, wordHelp:
		if len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"' {
			return text[1 : len(text)-1]
		}
	}
	return text
}

// askDefault is ask with a default for an empty line.
func (c *conversation) askDefault(q question, fallback string) (string, error) {
	if fallback != "" {
		q.text += ", or nothing for " + line(fallback)
	}
	answer, err := c.ask(q)
	if err == nil && answer == "" {
		answer = fallback
	}
	return answer, err
}

// choose says the possible answers, numbered from 1, and asks for one; an empty line is
// the first. It returns its index.
func (c *conversation) choose(title string, answers []string) (int, error) {
	list := c.list(title, answers)
	return c.number(question{text: "Type a number, or nothing for 1", help: list, first: true}, answers)
}

// list says the possible answers, and returns what it said for the help.
func (c *conversation) list(title string, answers []string) []string {
	lines := []string{title}
	for i, answer := range answers {
		lines = append(lines, strconv.Itoa(i+1)+". "+sentence(answer))
	}
	for _, text := range lines {
		c.say("%s", text)
	}
	return lines
}

// number asks for the number of an answer, or a part of it that is in no other. It
// returns its index.
func (c *conversation) number(q question, answers []string) (int, error) {
	for {
		answer, err := c.ask(q)
		if err != nil {
			return 0, err
		}
		if answer == "" && q.first {
			return 0, nil
		}
		if at, ok := prompt.Choose(answer, answers); ok {
			return at, nil
		}
		c.say("Type a number from 1 to %d, or help to hear what they stand for.", len(answers))
	}
}

// item is an entry of a menu.
type item struct {
	title string
	run   func() error
}

// menu asks for an item, runs it and asks again, until the person goes back. It says the
// items once, and again when the person asks for help.
func (c *conversation) menu(title string, items []item) error {
	titles := make([]string, len(items))
	for i := range items {
		titles[i] = items[i].title
	}
	help := c.list(title, titles)
	for {
		chosen, err := c.number(question{text: "Type a number", help: help}, titles)
		if err != nil {
			return err
		}
		if err := items[chosen].run(); err != nil && !errors.Is(err, errBack) {
			return err
		}
		c.say("%s Type help to hear the list again.", title)
	}
}
