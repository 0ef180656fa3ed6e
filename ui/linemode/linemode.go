// Package linemode is the UI as a conversation: questions and answers in plain lines, for
// people who use a screen reader or cannot use a screen that redraws itself. It has the same screens,
// forms and actions as the UI, but moves no cursor and draws nothing. It works on a terminal or two
// pipes.
package linemode

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"gatehouse/internal/prompt"
	"gatehouse/ui"
	"gatehouse/ui/screen"
)

// Options configure the conversation. It ignores those of [ui.Options] that are about a terminal.
type Options struct {
	ui.Options
	// Console reads answers and writes questions.
	Console *prompt.Console

	after func(time.Duration) <-chan time.Time // nil is time.After
}

// conversation is one run of line mode.
type conversation struct {
	ctx     context.Context
	options Options
	console *prompt.Console
	ui      *ui.Spoken
	// screens has what was said of each open screen. shown is the screen that was said last, and
	// title what was said of the place then.
	screens map[screen.Screen]*said
	shown   screen.Screen
	title   string
	offered []string // the choices that were said last
	quiet   bool     // nothing was said since the last command
}

// said is what was said of a screen.
type said struct {
	lines []string
	paged bool // a page of rows was said
	from  int  // the first row of that page
}

// Run runs the conversation until the person quits, or the input or ctx ends. The error is one of
// the console.
func Run(ctx context.Context, o Options) error {
	if o.after == nil {
		o.after = time.After
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &conversation{
		ctx:     ctx,
		options: o,
		console: o.Console,
		screens: map[screen.Screen]*said{},
	}
	o.Late = func(err error) {
		p := screen.Describe(err)
		for text := range screen.Texts(p.Sentence, p.Hint) {
			c.say("%s", text)
		}
	}
	c.say("Welcome to Gatehouse. Type \"help\" at any question to hear what you can answer.")
	c.ui = ui.NewSpoken(ctx, &o.Options)
	defer c.ui.Close()
	err := c.run()
	hasEnded := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if errors.Is(err, errQuit) || hasEnded {
		c.say("You have left Gatehouse.")
		return nil
	}
	return err
}

// run says what is new, asks, and does what is answered, until an error ends the conversation.
func (c *conversation) run() error {
	for {
		if err := c.settle(); err != nil {
			return err
		}
		err := c.sayNews()
		if err == nil {
			err = c.turn()
		}
		if err != nil && !errors.Is(err, errBack) {
			return err
		}
		if err != nil && !c.ui.Back() {
			c.say(`There is nothing to go back to. Type "quit" to leave.`)
		}
	}
}

// turn asks the next question of a form, or for a command, and does what is answered.
func (c *conversation) turn() error {
	c.quiet = true
	if asking := c.ui.Asking(); asking != nil {
		return c.field(asking)
	}
	for {
		if err := c.command(); !errors.Is(err, errStay) {
			return err
		}
		if err := c.settle(); err != nil {
			return err
		}
		c.sayHeard()
	}
}

// say says a line.
func (c *conversation) say(format string, args ...any) {
	c.quiet = false
	c.console.Say(format, args...)
}

// progressInterval is how often a person who has to wait hears of the progress.
const progressInterval = 5 * time.Second

// settle waits for the work that the last answer has begun. It says what the work is, and then from
// time to time how far it is.
func (c *conversation) settle() error {
	sayProgress := func() {
		shown := c.arrive()
		if shown == nil {
			return
		}
		lines, before := c.sentences(shown), c.of(shown)
		if !slices.Equal(lines, before.lines) {
			before.paged = false // the rows have changed as well, and are said when all is done
		}
		c.sayNew(lines, before)
	}
	if c.ui.Working() {
		sayProgress()
	}
	interval := func() <-chan time.Time { return c.options.after(progressInterval) }
	return c.ui.Settle(interval, func() {
		c.quiet = true
		if sayProgress(); c.quiet {
			c.say("Still waiting.")
		}
	})
}

// arrive says what has happened and, if it has changed, where the person is. It returns the screen;
// nil if there is none.
func (c *conversation) arrive() screen.Screen {
	c.sayHeard()
	shown, title := c.ui.Screen(), c.ui.Title()
	if shown == nil {
		return nil
	}
	isSame := shown == c.shown
	if isSame && title != c.title {
		delete(c.screens, shown) // the screen shows something else
	}
	if (!isSame || title != c.title) && title != "" {
		c.say("%s", screen.Labelled("", title))
	}
	if asking := c.ui.Asking(); asking != nil {
		asking.Enter()
		if !isSame {
			delete(c.screens, shown) // its result is said even if it is the same as before
		}
	}
	c.shown, c.title = shown, title
	return shown
}

// sayHeard says the messages that are not part of a screen.
func (c *conversation) sayHeard() {
	for _, text := range c.ui.Heard() {
		c.say("%s", text)
	}
}

// of returns what was said of a screen, never nil.
func (c *conversation) of(shown screen.Screen) *said {
	c.screens[shown] = cmp.Or(c.screens[shown], &said{})
	return c.screens[shown]
}

// maxSentences is how many sentences of a screen are remembered, to say only what has changed.
const maxSentences = 300

// sentences are the first maxSentences of what a screen says.
func (c *conversation) sentences(shown screen.Screen) []string {
	var lines []string
	for text := range screen.Said(shown) {
		if lines = append(lines, text); len(lines) == maxSentences {
			break
		}
	}
	return lines
}

// sayNew says those of the lines that were not said before, and remembers all of them.
func (c *conversation) sayNew(lines []string, before *said) {
	for _, text := range lines {
		if !slices.Contains(before.lines, text) {
			c.say("%s", text)
		}
	}
	before.lines = lines
}

// sayNews says what is new since the last question: where the person is, what the screen says, and
// what can be done there.
func (c *conversation) sayNews() error {
	for old := range c.screens {
		if !c.ui.Has(old) {
			delete(c.screens, old)
		}
	}
	last := c.shown
	shown := c.arrive()
	if shown == nil {
		return nil
	}
	before, lines := c.of(shown), c.sentences(shown)
	rows := shown.View().Rows
	isList := rows != nil
	isUnchanged := slices.Equal(lines, before.lines)
	switch {
	case isList && before.paged && !c.quiet && isUnchanged:
		// What has happened was said, and the list has not changed.
	case isList && (shown == last || !before.paged):
		if before.paged {
			before.lines = nil
		}
		if c.sayNew(lines, before); rows.Len() > 0 {
			c.page(rows, before, 0)
		}
	case len(lines) > linesPerPage && !isUnchanged:
		before.lines = lines
		if err := c.read(screen.Said(shown)); err != nil {
			return err
		}
	default:
		c.sayNew(lines, before)
	}
	if !isList {
		c.offer()
	}
	return nil
}

// offer says what can be done on the screen, unless it is the same as was said last.
func (c *conversation) offer() {
	var words []string
	if c.ui.Asking() != nil {
		if words = c.wordsInForm(); !slices.Equal(words, c.offered) {
			for _, word := range words {
				c.say("%s", word)
			}
		}
		c.offered = words
		return
	}
	for _, choice := range c.choices() {
		if choice.ID != screen.NoAction { // the help lists the places to go to
			words = append(words, described(choice))
		}
	}
	if !slices.Equal(words, c.offered) && len(words) > 0 {
		c.list("What next?", words)
	}
	c.offered = words
}

// choices are the choices that are listed.
func (c *conversation) choices() []ui.Choice {
	isUnlisted := func(choice ui.Choice) bool { return choice.Unlisted }
	return slices.DeleteFunc(c.ui.Choices(), isUnlisted)
}

// described is a choice with its note: "Filter: show only some rows".
func described(choice ui.Choice) string {
	switch {
	case choice.Note == "":
		return screen.Capital(choice.Word)
	case choice.SaysWord:
		return screen.Capital(choice.Note)
	}
	return screen.Capital(choice.Word) + ": " + choice.Note
}

// linesPerPage is how many lines are said before the person is asked whether to go on.
const linesPerPage = 30

// read says lines, and asks after every linesPerPage of them whether to go on.
func (c *conversation) read(lines iter.Seq[string]) error {
	next, stop := iter.Pull(lines)
	defer stop()
	count := 0
	for text, ok := next(); ok; text, ok = next() {
		if count == linesPerPage {
			count = 0
			_, err := c.ask(question{
				text: `There is more. Type "next" to hear it, or "back"`,
				help: []string{`Type "next", or an empty line, to hear more.`},
			})
			if errors.Is(err, errBack) {
				return nil
			} else if err != nil {
				return err
			}
		}
		c.say("%s", text)
		count++
	}
	return nil
}
